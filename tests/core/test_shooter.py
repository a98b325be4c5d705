"""Who attacks, with a state of his own: it reaches the rules, and what the attack does to him is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli_guest import CoinPlan, Coins, install_guest
from cli_run import COIN_SHOT, data, fail, succeed
from mantlet import Attack, Condition, Dice, Outcome, Passage, Shooter, Target, ignored_inputs, odds, run
from mantlet.catalog import Catalog
from mantlet.game.condition import DEAD, FIT, WOUNDED

ATTACK = f"attack --ruleset coins {COIN_SHOT}"
PLAN, RESOLVE = Coins.plan, Coins.resolve


def plan(self: Coins, attack: Attack, target: Target) -> CoinPlan:
    """Twenty less for a shooter with a wounded man aboard."""
    made = PLAN(self, attack, target)
    hurt = attack.shooter is not None and WOUNDED in attack.shooter.condition.people
    used = ignored_inputs(attack, {"skill", "aim", "shooter"})
    return replace(made, skill=made.skill - 20 * hurt, ignored=used)


def resolve(self: Coins, dice: Dice, plan: Any, condition: Condition) -> Outcome:
    """The gun's recoil wounds the first man of whoever fires."""
    came: Outcome = run(dice, RESOLVE.__get__(self), plan, condition)
    who = plan.attack.shooter
    if who is None:
        return came
    people = (WOUNDED, *who.condition.people[1:])
    return came._replace(shooter=Passage(who.condition._replace(people=people, ruleset="coins"), wounded=1))


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    install_guest(tmp_path_factory.mktemp("site"), monkeypatch)
    monkeypatch.chdir(tmp_path_factory.mktemp("table"))
    monkeypatch.setattr(Coins, "plan", plan)
    monkeypatch.setattr(Coins, "resolve", resolve)


def state(file: str) -> Any:
    return json.loads(Path(file).read_text("utf-8"))


def number(told: Any) -> Any:
    return told["account"][0]["target"]


def test_the_shooter_is_read_and_written() -> None:
    first = data(f"{ATTACK} --state tank.json --shooter pz4_h --shooter-state panzer.json --dice 99")
    assert number(first) == 50
    assert first["attack"]["shooter"] == "pz4_h"
    assert state("panzer.json")["target"] == "pz4_h"
    assert state("panzer.json")["condition"]["people"] == ["wounded", "fit", "fit", "fit", "fit"]
    assert state("tank.json")["condition"]["people"] == ["fit"] * 5
    assert number(data(f"{ATTACK} --state tank.json --shooter-state panzer.json --dice 99")) == 30
    assert data(f"odds {COIN_SHOT} --shooter-state panzer.json")["odds"]["hit"] == pytest.approx(0.3)


def test_without_a_file_who_attacks_counts_all_the_same() -> None:
    told = data(f"{ATTACK} --shooter pz4_h --dice 99")
    assert told["attack"]["shooter"] == "pz4_h"
    assert not list(Path().iterdir())


def test_he_goes_at_the_speed_he_went_until_told_otherwise() -> None:
    who = "--shooter-state panzer.json"
    succeed(f"{ATTACK} {who} --shooter pz4_h --moving 30kph --dice 99")
    assert state("panzer.json")["situation"]["target_speed_kph"] == 30
    assert data(f"{ATTACK} {who} --dice 99")["attack"]["shooter_speed_kph"] == 30
    succeed(f"{ATTACK} {who} --moving 0 --dice 99")
    assert state("panzer.json")["situation"]["target_speed_kph"] == 0


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("--shooter-state gone.json", 1, "There is no state file gone.json"),
        ("--shooter pz4_x --shooter-state new.json", 1, "No target is called 'pz4_x'"),
        ("--shooter pz4_g --shooter-state panzer.json", 2, "panzer.json is the state of pz4_h, and --shooter pz4_g"),
        ("--state panzer.json --shooter-state ./panzer.json", 2, "nobody attacks himself"),
        ("--ruleset pennies --shooter-state panzer.json", 2, "panzer.json is a state of coins"),
        ("--option coins.toughness=3 --shooter-state panzer.json", 2, "contradicts it"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(line: str, code: int, says: str) -> None:
    succeed(f"{ATTACK} --shooter pz4_h --shooter-state panzer.json --dice 99")
    before = Path("panzer.json").read_bytes()
    ruleset = "" if "--ruleset" in line else "--ruleset coins "
    assert says in fail(f"attack {ruleset}{COIN_SHOT} {line} --dice 99", code)
    assert Path("panzer.json").read_bytes() == before
    assert not Path("new.json").exists()


def test_states_under_other_readings_do_not_meet() -> None:
    succeed(f"{ATTACK} --state tank.json --dice 99 --option coins.toughness=5")
    succeed(f"{ATTACK} --shooter pz4_h --shooter-state panzer.json --dice 99")
    told = fail(f"{ATTACK} --state tank.json --shooter-state panzer.json --dice 99", 2)
    assert "panzer.json is played with coins.toughness=7, and this attack with toughness=5" in told


def test_the_dead_do_not_fire() -> None:
    succeed(f"{ATTACK} --shooter pz4_h --shooter-state panzer.json --dice 99")
    data = state("panzer.json")
    data["condition"]["people"] = ["dead"] * 5
    Path("panzer.json").write_text(json.dumps(data), "utf-8")
    assert "pz4_h cannot fire: pz4_h has nobody left" in fail(f"{ATTACK} --shooter-state panzer.json --dice 99", 2)


def test_a_ruleset_that_has_no_use_for_the_shooter_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coins, "plan", PLAN)
    assert "shooter" in data(f"odds --ruleset coins {COIN_SHOT} --shooter pz4_h")["ignored"]
    assert "shooter" not in data(f"odds --ruleset coins {COIN_SHOT}")["ignored"]


def test_a_ruleset_gets_him_in_its_own_terms() -> None:
    """A condition of another ruleset is adopted before `covers` and `plan` see it."""
    catalog = Catalog()
    weapon, ammunition = catalog.round("us_75_m3")
    target, panzer = catalog.target("m4a1_75_dry"), catalog.target("pz4_h")
    foreign = Condition(people=(WOUNDED, DEAD, FIT, FIT, FIT), ruleset="another", detail=("hull", 3))
    shot = Attack(weapon=weapon, ammunition=ammunition, shooter=Shooter(target=panzer, condition=foreign))
    seen: list[Attack] = []

    class Looks(Coins):
        def covers(self, attack: Attack, target: Target) -> str | None:
            seen.append(attack)
            return None

    assert odds(Looks(), shot, target).odds["hit"] == pytest.approx(0.3)
    assert seen[0].shooter is not None
    assert seen[0].shooter.condition == foreign.neutral
