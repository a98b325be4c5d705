"""The conformance kit: a sound ruleset passes, and each way of breaking one is named."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import pytest

from mantlet import (
    Ammunition,
    Attack,
    Condition,
    Derived,
    Dice,
    Location,
    Outcome,
    Passage,
    Plan,
    Row,
    Ruleset,
    Seat,
    Shares,
    Table,
    Target,
    UnknownNameError,
    Weapon,
    outcome,
    under,
)
from mantlet import testing as kit
from mantlet.game.condition import DEAD, FIT, NONE, WOUNDED
from mantlet.game.effects import (
    CREW_HIT,
    CREW_KILLED,
    DESTROYED,
    HIT,
    IMMOBILIZED,
    KNOCKED_OUT,
    MOBILITY_REDUCED,
    PENETRATED,
)
from mantlet.ruleset import Grid
from mantlet.testing import Case, ConformanceError, catalog_cases, check_ruleset

CANNON = Weapon(id="cannon", name="Cannon", kind="gun", ammunition=(Ammunition(id="ball", kind="ball"),))
CART = Target(
    id="cart", name="Cart", kind="vehicle", body="wagon", seats=(Seat(role="driver", compartment="front", count=2),)
)
SHOT = Case("the shot", Attack(weapon=CANNON, ammunition=CANNON.ammunition[0]), CART)

RESULTS: Table[str] = Table(
    "results",
    "1d6",
    [Row(1, 2, "nothing"), Row(3, 3, "wheel"), Row(4, 4, "man"), Row(5, 5, "death"), Row(6, 6, "wreck")],
)


@dataclass(frozen=True, kw_only=True)
class Options:
    hits_on: Literal["even", "most"] = "even"
    lucky: bool = False


class Sound(Ruleset[Options, Plan]):
    """Half of all shots hit, and a table says what becomes of it."""

    name = "sound"
    version = "1"
    title = "Sound"
    summary = "Anything at anything."
    options_type = Options
    need: ClassVar[int] = 3

    def covers(self, attack: Attack, target: Target) -> str | None:
        return None

    def plan(self, attack: Attack, target: Target) -> Plan:
        ignored = (
            ("range", "aspect", "elevation", "skill", "aim")
            if attack.aim
            else ("range", "aspect", "elevation", "skill")
        )
        return Plan(attack=attack, target=target, ignored=ignored)

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if not plan.attack.given_hit and not dice.check(under("1d6", self.need), "to hit", "X1"):
            return self.done(0, condition)
        result = dice.pick(RESULTS, "what it does", "X2")
        dice.note("X2", "it comes to {}", result)
        effects = HIT | PENETRATED
        people = list(condition.people)
        before = tuple(people)
        if result == "wheel":
            condition, effects = condition._replace(mobility=NONE), effects | IMMOBILIZED
        elif result == "wreck":
            condition = condition._replace(destroyed=True, knocked_out=True, mobility=NONE, firepower=NONE)
            effects |= DESTROYED
        elif result in ("man", "death") and FIT in people:
            people[people.index(FIT)] = WOUNDED if result == "man" else DEAD
            effects |= CREW_HIT if result == "man" else CREW_KILLED
        after = condition._replace(people=tuple(people), ruleset=self.name, detail=(("hits", 1),))
        wounded = people.count(WOUNDED) - before.count(WOUNDED)
        killed = people.count(DEAD) - before.count(DEAD)
        where = (Location("cart", "hull"),)
        return self.done(effects, after, hits=1, locations=where, wounded=wounded, killed=killed, damage=1)

    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return outcome(effects, condition, **more)

    def load_detail(self, data: Any) -> Any:
        return None if data is None else tuple((k, v) for k, v in data)

    def tables(self) -> Mapping[str, Table[Any]]:
        return {"results": RESULTS}


def broken(kind: type[Ruleset[Any, Any]], effort: float = 0.1) -> str:
    """The report on a broken ruleset."""
    with pytest.raises(ConformanceError) as caught:
        check_ruleset(kind, [SHOT], effort=effort)
    assert len(str(caught.value).splitlines()) < 60, "a report is to be read"
    return str(caught.value)


def test_a_sound_ruleset_passes_as_class_and_as_instance() -> None:
    check_ruleset(Sound, [SHOT], effort=0.2)
    check_ruleset(Sound.with_options({"lucky": True}), [(SHOT.attack, SHOT.target)], effort=0.1)


def test_the_catalog_cases_are_a_spread_and_the_same_every_time() -> None:
    cases = catalog_cases(60)
    assert [case.name for case in cases] == [case.name for case in catalog_cases(60)]
    assert len({case.name for case in cases}) == 60
    assert len({case.attack.weapon.kind for case in cases}) >= 10
    assert len({case.target.body for case in cases}) >= 8
    assert {case.target.kind for case in cases} == {"vehicle", "creature", "team"}
    every = catalog_cases(200)
    assert len({case.attack.weapon.id for case in every}) == len({w.id for w in kit_weapons()})


def kit_weapons() -> list[Weapon]:
    from mantlet.catalog import Catalog

    return Catalog().weapons()


def test_effort_bounds_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Counting(Sound):
        def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
            asked.append(1)
            return super().resolve(dice, plan, condition)

    check_ruleset(Counting, effort=0.1)
    small = len(asked)
    asked.clear()
    check_ruleset(Counting, effort=1)
    assert small < len(asked) < 100_000


# -- every law has a ruleset that breaks it --------------------------------------------------------------------------


class NoName(Sound):
    name = "No Name"


class NoSummary(Sound):
    summary = ""


@dataclass
class Melting:
    lucky: bool = False


class MutableOptions(Sound):
    options_type = Melting


class OptionIgnored(Sound):
    @classmethod
    def with_options(cls, values: Mapping[str, Any]) -> Any:
        return cls()


class CoversNothing(Sound):
    def covers(self, attack: Attack, target: Target) -> str | None:
        return "X0 has no rules at all."


class CoversByNumber(Sound):
    def covers(self, attack: Attack, target: Target) -> Any:
        return False


class CoversRaises(Sound):
    def covers(self, attack: Attack, target: Target) -> str | None:
        raise ZeroDivisionError("no luck")


class FickleCovers(Sound):
    turn = itertools.count()

    def covers(self, attack: Attack, target: Target) -> str | None:
        return "X0 says no." if next(self.turn) % 2 else None


class NoPlan(Sound):
    def plan(self, attack: Attack, target: Target) -> Any:
        return "a plan"


class BadDerived(Sound):
    def plan(self, attack: Attack, target: Target) -> Plan:
        derived = (Derived("armor", float("nan"), "", {}),)
        return Plan(attack=attack, target=target, derived=derived, ignored=("weather",))


class WrongIgnored(Sound):
    """Says that it ignores range, and does not."""

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if plan.attack.range_m > 120 and not plan.attack.given_hit:
            return self.done(0, condition)
        return super().resolve(dice, plan, condition)


class FarIgnored(Sound):
    """Says that it ignores range, and uses it beyond 1,000 m."""

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if plan.attack.range_m > 1_000 and not plan.attack.given_hit:
            return self.done(0, condition)
        return super().resolve(dice, plan, condition)


class SectorIgnored(Sound):
    """Says that it ignores aspect, and uses it in a sector of 10 degrees."""

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if 201 < plan.attack.aspect_deg < 211 and not plan.attack.given_hit:
            return self.done(0, condition)
        return super().resolve(dice, plan, condition)


class AceIgnored(Sound):
    """Says that it ignores skill, and lets an ace always hit."""

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if plan.attack.skill == "ace":
            return super().resolve(dice, replace(plan, attack=replace(plan.attack, given_hit=True)), condition)
        return super().resolve(dice, plan, condition)


class DarkIgnored(Sound):
    """Says that it ignores the dark, where the attack has it, and does not."""

    def plan(self, attack: Attack, target: Target) -> Plan:
        plan = super().plan(attack, target)
        return replace(plan, ignored=(*plan.ignored, "dark")) if attack.dark else plan

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if plan.attack.dark and not plan.attack.given_hit:
            return self.done(0, condition)
        return super().resolve(dice, plan, condition)


class BornWorn(Sound):
    def shares(self, target: Target, condition: Condition) -> Shares:
        return Shares(armor={"front": 0.9})


class BadShare(Sound):
    def shares(self, target: Target, condition: Condition) -> Shares:
        return Shares(integrity=1.0 if condition.detail is None else -0.25)


class NoShares(Sound):
    def shares(self, target: Target, condition: Condition) -> Any:
        return {"integrity": 1.0}


class LostComponent(Sound):
    def shares(self, target: Target, condition: Condition) -> Shares:
        return Shares(components_out=["engine"])  # type: ignore[arg-type]


class FewWords(Sound):
    skill_table = {"green": 1, "trained": 2, "expert": 3}  # type: ignore[dict-item]


class CrookedWords(Sound):
    skill_table = {"green": 1, "trained": 5, "veteran": 3, "ace": 7}


class DeafToWords(Sound):
    """Takes a skill on its own scale and in percent, and no word."""

    def plan(self, attack: Attack, target: Target) -> Plan:
        plan = super().plan(attack, target)
        return replace(plan, ignored=tuple(name for name in plan.ignored if name != "skill"))

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        own = plan.attack.skills.get(self.name, plan.attack.skill_percent or 50)
        if not plan.attack.given_hit and not dice.check(under("1d100", int(own)), "skill", "X1"):
            return self.done(0, condition)
        return super().resolve(dice, plan, condition)


class TakesAnyAim(Sound):
    def plan(self, attack: Attack, target: Target) -> Plan:
        return Plan(attack=attack, target=target)


class AimsAtNothing(TakesAnyAim):
    def aims(self, target: Target) -> tuple[str, ...]:
        return ("wheel",)

    def plan(self, attack: Attack, target: Target) -> Plan:
        if attack.aim is not None:
            raise UnknownNameError("location", attack.aim, ("wheel",))
        return super().plan(attack, target)


class ResolveRaises(Sound):
    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        raise KeyError("turret")


class NoOutcome(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return {"hit": True}


class Incomplete(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return Outcome(effects, condition, **more)


class ForeignZone(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return outcome(effects, condition, **{**more, "locations": (Location("cart", "cargo"),)} if more else {})


class UncheckedZone(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        where = (Location._make(("cart", "cargo")),)
        return outcome(effects, condition, **{**more, "locations": where} if more else {})


class Miscounts(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return outcome(effects, condition, **{**more, "killed": 0})


class SilentWreck(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return outcome(effects & ~DESTROYED & ~KNOCKED_OUT, condition, **more)


class LoudWreck(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return outcome(effects | MOBILITY_REDUCED, condition, **more)


class Anonymous(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return outcome(effects, condition._replace(ruleset=""), **more)


class Unhashable(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return outcome(effects, condition._replace(ruleset=self.name, detail=[1]), **more)  # type: ignore[arg-type]


class Unsaved(Sound):
    def load_detail(self, data: Any) -> Any:
        return None


class Unwritable(Sound):
    def dump_detail(self, detail: Any) -> Any:
        return {1, 2}


class LosesPeople(Sound):
    def done(self, effects: int, condition: Condition, **more: Any) -> Any:
        return outcome(effects, condition._replace(people=()), **more)


class Reviver(Sound):
    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        return super().resolve(dice, plan, condition._replace(people=(FIT,) * len(condition.people)))


class MissesGivenHits(Sound):
    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if dice.chance(0.2, "a dud"):
            return self.done(0, condition)
        return super().resolve(dice, plan, condition)


class Stateful(Sound):
    turn = itertools.count()

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        found = super().resolve(dice, plan, condition)
        return found._replace(damage=next(self.turn) % 3)


class FewerDice(Sound):
    """Asks for dice that depend on something other than the dice."""

    turn = itertools.count()

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if next(self.turn) % 2:
            dice.roll("1d6", "now and then")
        return super().resolve(dice, plan, condition)


class BadNote(Sound):
    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        dice.note("X1", "{} of {}", 1)
        return super().resolve(dice, plan, condition)


class NoReason(Sound):
    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        dice.roll("1d2", "")
        return super().resolve(dice, plan, condition)


class NeedsOwnDetail(Sound):
    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if condition.mobility == NONE:
            (_,) = condition.detail  # type: ignore[misc]
        return super().resolve(dice, plan, condition)


class ForgetsFire(Sound):
    def adopt(self, target: Target, condition: Condition) -> Condition:
        return super().adopt(target, condition)._replace(on_fire=False)


class KeepsForeignDetail(Sound):
    def adopt(self, target: Target, condition: Condition) -> Condition:
        return condition


class BornWounded(Sound):
    def fresh(self, target: Target) -> Condition:
        return Condition(people=(WOUNDED,) * len(target.crew))


class TimeHeals(Sound):
    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Any:
        return Passage(condition._replace(people=(FIT,) * len(condition.people)))


class TimeRaises(Sound):
    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Any:
        raise RuntimeError("out of time")


class NoTables(Sound):
    def tables(self) -> Any:
        return {"sound.results": RESULTS, "other": [1, 2]}


class CrookedGrid(Sound):
    def grids(self) -> Mapping[str, Grid]:
        return {"grid": Grid("Grid", "1d6", "row", "column", ("a", "b"), ("c",), ((1,), (2, 3)))}


class OptionBreaks(Sound):
    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        if self.options.hits_on == "most":
            raise NotImplementedError("most")
        return super().resolve(dice, plan, condition)


class NotOneSided(Sound):
    """Looks at nothing it may not look at, and still gives exact dice other odds: through the class of the dice."""

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Any:
        seeded = "Exact" not in repr(dice.note) and getattr(dice.note, "__name__", "") != "silent"
        if not plan.attack.given_hit and not dice.check(under("1d6", 6 if seeded else 1), "to hit"):
            return self.done(0, condition)
        return super().resolve(dice, plan, condition)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (NoName, "the name 'No Name' has to be lower case"),
        (NoSummary, "summary has to be one line of text"),
        (MutableOptions, "options_type has to be a frozen dataclass"),
        (OptionIgnored, "lucky=True: it was set to False"),
        (CoversNothing, "it covers none of the cases"),
        (CoversByNumber, "None or one sentence, not False"),
        (CoversRaises, "covers, the shot: it raised ZeroDivisionError: no luck (test_testing.py, line"),
        (FickleCovers, "asked again, it gives another answer"),
        (NoPlan, "it gave a str and no mantlet.Plan"),
        (BadDerived, "a derived number needs a stat and a formula"),
        (BadDerived, "derived armor holds nan"),
        (BadDerived, "plan.ignored names 'weather'"),
        (WrongIgnored, "range is listed as ignored, and changing it changes the odds"),
        (FarIgnored, "range is listed as ignored, and changing it changes the odds"),
        (SectorIgnored, "aspect is listed as ignored, and changing it changes the odds"),
        (AceIgnored, "skill ace: skill is listed as ignored, and changing it changes the odds"),
        (DarkIgnored, "dark is listed as ignored, and changing it changes the odds"),
        (BornWorn, "an untouched target has shares of 1 and no component out"),
        (BadShare, "integrity has to be at least 0 and at most 1, not -0.25"),
        (NoShares, "shares gave a dict and no mantlet.Shares"),
        (LostComponent, "components_out is ['engine'], not a frozenset of component ids"),
        (FewWords, "its words are green, trained, expert, not green, trained, veteran, ace"),
        (DeafToWords, "a skill of green gives other odds than 30 on its own scale, which the table gives it"),
        (CrookedWords, "from green to trained to veteran to ace it goes up and down: [1, 5, 3, 7]"),
        (TakesAnyAim, "it has to raise UnknownNameError"),
        (AimsAtNothing, "wheel is listed, and can be aimed at from no side"),
        (ResolveRaises, "it raised KeyError: 'turret'"),
        (NoOutcome, "it gave a dict and no mantlet.Outcome"),
        (Incomplete, "use mantlet.outcome"),
        (ForeignZone, "No zone is called 'cargo'"),
        (UncheckedZone, "zone 'cargo', which is none of mantlet.ZONES"),
        (Miscounts, "killed is 0, but 1 more people are dead"),
        (SilentWreck, "the condition became destroyed, and the effect is not set"),
        (LoudWreck, "the effect mobility_reduced is set, and the condition does not show it"),
        (Anonymous, "its ruleset is '' instead of 'sound'"),
        (Unhashable, "the condition cannot be hashed"),
        (Unsaved, "load_detail(dump_detail(detail)) gave None"),
        (Unwritable, "dump_detail gives what JSON cannot hold"),
        (LosesPeople, "condition.people has 0 states for the 2 seats of cart"),
        (Reviver, "somebody came back to life"),
        (MissesGivenHits, "an attack with given_hit did not hit"),
        (Stateful, "gave another outcome: they differ in damage"),
        (FewerDice, "replay"),
        (BadNote, "the note '{} of {}' cannot be written"),
        (NoReason, "a roll of 1d2 gives no reason"),
        (NeedsOwnDetail, "taken over from another ruleset"),
        (ForgetsFire, "adopt changed on_fire from True to False"),
        (KeepsForeignDetail, "its ruleset is 'another_ruleset' instead of 'sound'"),
        (BornWounded, "an untouched target has to be in full order"),
        (TimeHeals, "somebody came back to life"),
        (TimeRaises, "pass_time, the shot, 1 s, seed 0: it raised RuntimeError: out of time"),
        (NoTables, "a table's name is a text without the ruleset's own name"),
        (NoTables, "it is a list and no mantlet.Table"),
        (CrookedGrid, "its cells do not fit its rows and columns"),
        (OptionBreaks, "hits_on='most', seed 0: it raised NotImplementedError"),
        (NotOneSided, "at odds of"),
    ],
)
def test_what_is_broken_is_named(kind: type[Ruleset[Any, Any]], said: str) -> None:
    assert said in broken(kind)


def test_no_ruleset_at_all_is_named() -> None:
    with pytest.raises(ConformanceError, match="int is no subclass of"):
        check_ruleset(int)  # type: ignore[arg-type]


def test_an_abstract_one_is_named() -> None:
    class Half(Ruleset[Options, Plan]):
        name = "half"
        version = "1"

        def covers(self, attack: Attack, target: Target) -> str | None:
            return None

    with pytest.raises(ConformanceError, match="Half does not define plan, resolve"):
        check_ruleset(Half)  # type: ignore[type-abstract]


def test_an_unknown_aim_that_raises_is_right() -> None:
    class Aims(TakesAnyAim):
        def plan(self, attack: Attack, target: Target) -> Plan:
            if attack.aim not in (None, "wheel") or (attack.aim and attack.aspect_deg == 180):
                raise UnknownNameError("location", str(attack.aim), ("wheel",))
            return super().plan(attack, target)

        def aims(self, target: Target) -> tuple[str, ...]:
            return ("wheel",)

    check_ruleset(Aims, [SHOT], effort=0.1)


def test_many_faults_of_one_kind_fill_no_page() -> None:
    text = broken(ResolveRaises, effort=1)
    assert "more of this kind" in text
    assert len(text.splitlines()) < 25


def test_the_kit_needs_no_test_framework() -> None:
    import subprocess
    import sys

    code = "import sys, mantlet.testing; sys.exit('pytest' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert kit.check_ruleset is check_ruleset
