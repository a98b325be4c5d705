"""Two small rulesets and all a plugin can bring, as a stranger would write them; the command-line tests use them.

`Coins` fails on request (its option `fault`), so that what a broken guest does to a command can be seen.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

from broken_plugins import SHIPPED, install
from mantlet import (
    ArmorResult,
    Attack,
    Condition,
    Derived,
    Dice,
    Grid,
    Location,
    Modifier,
    Outcome,
    Passage,
    Plan,
    Row,
    Ruleset,
    Table,
    Target,
    Then,
    UnknownNameError,
    ignored_inputs,
    outcome,
    shooter_skill,
    under,
)
from mantlet.game.condition import DEAD, FIT, NONE, WOUNDED
from mantlet.game.effects import CREW_HIT, CREW_KILLED, DAMAGED, HIT, IMMOBILIZED, KNOCKED_OUT, ON_FIRE, PENETRATED

HULL = Location("hull", "hull")
TRACKS = Location("hull/tracks", "running_gear")
PLACES: Table[Location] = Table(
    "places", "1d6", [Row(1, 4, HULL, "hull"), Row(5, 6, TRACKS, "tracks")], "Where it hits"
)
ODDITIES: Table[Any] = Table("oddities", "1d4", [Row(4, 4, None, "nothing"), Row(1, 2, 7), Row(3, 3, (1, "a"))])
GRID = Grid("Is anybody hit", "3d6", "people aboard", "size", ("1", "2"), ("small", "large"), ((5, 7), (9, 11)))

PLUGIN = '''
import os
import click
from mantlet import Passage, RulesetEntry, hookimpl, under
from mantlet.commands import Action, act, action_options

mantlet_api = 2


@click.command("coin-flip")
@click.option("--crash", is_flag=True)
def coin_flip(crash):
    """Flip a coin."""
    if crash:
        raise KeyError("no coin")
    click.echo("heads")


def smother(dice, ruleset, target, condition):
    if os.environ.get("COIN_DOUSE"):
        return os.environ["COIN_DOUSE"]
    out = dice.check(under("1d6", 4), "a blanket over the fire", "C9")
    dice.note("C9", "{}", "the fire is out" if out else "it burns on")
    return Passage(condition._replace(on_fire=condition.on_fire and not out))


@click.command()
@action_options
def douse(action: Action):
    """Put out the fire aboard a saved target."""
    act(action, smother, "under a blanket", ruleset="coins", more={"blanket": True})


def csv(table):
    return "\\n".join(f"{row.low},{row.high},{row.label}" for row in table.rows)


def broken_csv(table):
    raise ValueError("out of commas")


def watch(outcome, account):
    where = os.environ.get("COIN_LOG")
    if where == "raise":
        raise ValueError("cannot look")
    if where:
        with open(where, "a", encoding="utf-8") as file:
            file.write(f"{outcome.hits} {len(account.rolls)}\\n")


@hookimpl
def mantlet_rulesets():
    return [
        RulesetEntry(name="coins", version="1.2", title="Coins", summary="All, by coins.", load="cli_guest:Coins"),
        RulesetEntry(name="pennies", version="0.1", title="Pennies", summary="Not blades.", load="cli_guest:Pennies"),
    ]


@hookimpl
def mantlet_commands():
    return [coin_flip, douse]


@hookimpl
def mantlet_exporters():
    return [("csv", csv), ("bad_csv", broken_csv)]


@hookimpl
def mantlet_observers():
    return [watch]
'''


@dataclass(frozen=True, kw_only=True)
class CoinOptions:
    """How a coin is read, and how it fails."""

    edge: Literal["heads", "tails"] = "heads"
    toughness: int = 7
    fault: Literal["", "covers", "plan", "resolve", "exit", "shape", "rule", "load", "dump", "mute"] = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class CoinPlan(Plan):
    """What a shot of coins comes to before the dice."""

    skill: int
    toughness: int
    fault: str


class Bruises(NamedTuple):
    """The detail: how often it was hit."""

    hits: int


class Coins(Ruleset[CoinOptions, Any]):
    """A skill check, a place, damage against toughness."""

    name = "coins"
    version = "1.2"
    title = "Coins"
    summary = "All, by coins."
    damage_unit = "bruises"
    options_type = CoinOptions

    def covers(self, attack: Attack, target: Target) -> str | None:
        self._fail("covers")
        return "C1 knows no ramming" if attack.delivery == "rammed" else None

    def plan(self, attack: Attack, target: Target) -> CoinPlan:
        self._fail("plan")
        if attack.aim not in (None, "tracks"):
            raise UnknownNameError("location", str(attack.aim), self.aims(target), target.id)
        skill = shooter_skill(attack, self.name).value
        mass = {"mass_kg": target.mass_kg or 0}
        return CoinPlan(
            attack=attack,
            target=target,
            derived=(Derived("toughness", self.options.toughness, "as the option says", mass),),
            ignored=ignored_inputs(attack, {"skill", "aim"}),
            notes=(f"Skill {skill:g}% as it is.",),
            skill=int(skill),
            toughness=self.options.toughness,
            fault=self.options.fault,
        )

    def resolve(self, dice: Dice, plan: Any, condition: Condition) -> Outcome | Then:
        self._fail("resolve")
        if self.options.fault == "exit":
            raise SystemExit(0)
        if self.options.fault == "shape":
            return "not an outcome"  # type: ignore[return-value]
        if self.options.fault == "rule":
            bool(dice)
        modifiers = (Modifier(plan.skill + 10, "skill"), Modifier(-10, "a coin is thin"))
        if not plan.attack.given_hit and not dice.check(under("1d100", plan.skill, modifiers), "to hit", "C2"):
            return outcome(0, condition)
        return dice.then(_strike, plan.toughness, plan.attack.aim, condition)

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        self._fail("resolve")
        if not condition.on_fire:
            return Passage(condition)
        if dice.chance(0.5, "the fire goes out", "C9"):
            return Passage(condition._replace(on_fire=False))
        people = tuple(DEAD if person == WOUNDED else person for person in condition.people)
        killed = people.count(DEAD) - condition.people.count(DEAD)
        return Passage(condition._replace(people=people), ON_FIRE | (CREW_KILLED if killed else 0), 0, killed)

    def adopt(self, target: Target, condition: Condition) -> Condition:
        if condition.ruleset == self.name:
            return condition
        return condition._replace(ruleset="", detail=None)

    def dump_detail(self, detail: Any) -> Any:
        self._fail("dump")
        return {"hits": detail.hits}

    def load_detail(self, data: Any) -> Bruises:
        self._fail("load")
        return Bruises(data["hits"])

    def tables(self) -> Mapping[str, Table[Any]]:
        return {"places": PLACES, "oddities": ODDITIES}

    def grids(self) -> Mapping[str, Grid]:
        return {"people": GRID}

    def aims(self, target: Target) -> tuple[str, ...]:
        return ("tracks",)

    def _fail(self, where: str) -> None:
        if self.options.fault == where:
            raise ZeroDivisionError("the coin rolled away")


def _strike(dice: Dice, toughness: int, aim: str | None, condition: Condition) -> Outcome:
    place = TRACKS if aim else dice.pick(PLACES, "where it hits", "C3")
    damage = dice.roll("2d6", "damage", "C4")
    dice.note("C4", "{} against {}", damage, toughness)
    armor = ArmorResult(toughness, damage, "bruises")
    hits = getattr(condition.detail, "hits", 0) + 1
    after = condition._replace(ruleset="coins", detail=Bruises(min(hits, 5)))
    if damage <= toughness:
        return outcome(HIT, after, hits=1, locations=(place,), armor=armor)
    effects = HIT | PENETRATED | DAMAGED
    people, wounded, killed = after.people, 0, 0
    if place is TRACKS:
        effects |= IMMOBILIZED
        after = after._replace(mobility=NONE)
    elif FIT in people:
        seat = people.index(FIT)
        state = DEAD if damage >= 11 else WOUNDED
        people = (*people[:seat], state, *people[seat + 1 :])
        wounded, killed = int(state == WOUNDED), int(state == DEAD)
        effects |= CREW_KILLED if killed else CREW_HIT
    if damage == 12:
        effects |= ON_FIRE
        after = after._replace(on_fire=True)
    if hits >= 3:
        effects |= KNOCKED_OUT
        after = after._replace(knocked_out=True)
    return outcome(
        effects,
        after._replace(people=people),
        hits=1,
        locations=(place,),
        wounded=wounded,
        killed=killed,
        damage=damage - toughness,
        armor=armor,
    )


class Pennies(Coins):
    """The same in smaller change; knows no aims and no places to aim at."""

    name = "pennies"
    version = "0.1"
    title = "Pennies"
    summary = "Not blades."
    damage_unit = "farthings"

    def covers(self, attack: Attack, target: Target) -> str | None:
        if attack.ammunition.kind == "blade":
            return "P1 knows no blades"
        return None

    def plan(self, attack: Attack, target: Target) -> CoinPlan:
        if attack.aim is not None:
            raise UnknownNameError("location", attack.aim, (), target.id)
        return super().plan(attack, target)


def install_guest(site: Path, monkeypatch: pytest.MonkeyPatch, *, alone: bool = True) -> Path:
    """Install the plugin in `site` and put that on the path, here and in processes started from here.

    `alone` leaves the shipped rulesets out.
    """
    import sys

    install(site, "coin-rules", coin_plugin=PLUGIN)
    support = str(Path(__file__).parent)
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    before = filter(None, [os.environ.get("PYTHONPATH")])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), support, *before]))
    monkeypatch.delenv("MANTLET_DEBUG", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delitem(sys.modules, "coin_plugin", raising=False)
    if alone:
        monkeypatch.setenv("MANTLET_SKIP_PLUGINS", ",".join(SHIPPED))
    return site
