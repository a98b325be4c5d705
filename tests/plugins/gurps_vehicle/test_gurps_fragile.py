"""Turrets and superstructures out, fires, and what blows up (G21, G25)."""

from __future__ import annotations

from typing import Any

import pytest

from gurps_vehicle.flags import BLOWN_UP, FIRE, GUN, ITEM, JAM, POWER, STOPPED
from mantlet import Exact, Scripted, distribution, run, summarize
from mantlet.game.condition import DEAD, FIT, FULL, NONE, REDUCED
from mantlet.game.effects import EXPLODED, ON_FIRE

BARE = {"other": 0}


@pytest.mark.rule("G21")
def test_a_superstructure_has_neither_gun_nor_traverse(shooting: Any) -> None:
    ship = shooting.vehicle(dr=BARE, locations="S")
    attack = shooting.attack("1dx31", "cr")
    outcome, notes = shooting.script("8,31,11", attack, ship)
    assert (outcome.condition.detail.flags, outcome.condition.firepower) == (ITEM, REDUCED)
    assert "A major item in the superstructure is out." in notes
    assert shooting.script("8,31,10", attack, ship)[0].condition.detail.flags == 0
    # Half the HP exactly is no major wound, and the option is for turrets.
    assert shooting.script("8,30", shooting.attack("1dx30", "cr"), ship)[0].condition.detail.flags == 0
    assert shooting.script("8,31,11", attack, ship, turret="jam")[0].condition.detail.flags == ITEM


@pytest.mark.rule("G21")
def test_a_turret_struck_costs_the_body_nothing_but_hp(shooting: Any) -> None:
    tank = shooting.vehicle(dr=BARE, locations="T")
    for turret, flags, level in (("gun", GUN, NONE), ("jam", JAM, REDUCED)):
        outcome, _ = shooting.script("8,31,11", shooting.attack("1dx31", "cr"), tank, turret=turret)
        assert (outcome.condition.detail.flags, outcome.condition.firepower) == (flags, level)
        assert outcome.condition.mobility == FULL
    found = shooting.exact(shooting.attack("1dx31", "cr", aim="T"), tank)
    flags = found.map(lambda o: o.condition.detail.flags & (GUN | JAM))
    assert flags[GUN] == flags[JAM] > 0


@pytest.mark.rule("G25")
@pytest.mark.parametrize(
    ("fields", "rolls"),
    [
        ({}, "10,31,18"),  # the HT roll of the body
        ({"locations": "T"}, "8,31,18"),
        ({"locations": "S"}, "8,31,18"),
        ({"powered": False}, "10,31,18"),  # no rule but this one asks for an HT roll
    ],
)
def test_a_critical_miss_for_a_major_wound_blows_up_what_is_explosive(
    shooting: Any, fields: dict[str, Any], rolls: str
) -> None:
    attack = shooting.attack("1dx31", "cr")
    for letters, blown in ((["x"], True), ([], False)):
        target = shooting.vehicle(2, dr=BARE, fragile=letters, sm=11, **fields)
        dice = rolls.split(",")
        if fields.get("locations") != "T":
            dice.insert(2, "18")  # nobody inside is hit; there is nobody in the turret
        if not blown and not fields.get("powered", True):
            dice.pop()
        if not blown and fields.get("locations") == "T":
            dice.append("1")
        outcome, notes = shooting.script(",".join(dice), attack, target)
        assert bool(outcome.condition.detail.flags & BLOWN_UP) is blown
        assert bool(outcome.effects & EXPLODED) is blown
        assert (outcome.killed, outcome.condition.destroyed) == ((2, True) if blown else (0, False))
        assert ("What is explosive aboard goes up: 6d x 6 cr ex to all around." in notes) is blown
    # A plain failure does what it does, and no more.
    calm, _ = shooting.script(
        rolls.replace("18", "11") + (",1" if fields.get("locations") == "T" else ""),
        attack, shooting.vehicle(dr=BARE, fragile=["x"], **fields),
    )  # fmt: skip
    assert not calm.condition.destroyed


@pytest.mark.rule("G25")
def test_a_death_check_missed_by_three_blows_up_what_is_explosive(shooting: Any) -> None:
    attack = shooting.attack("1dx20", "cr")
    for roll, killed in ((12, 0), (13, 1)):  # missed by 2: out of order, by 3: the end
        target = shooting.vehicle(1, dr=BARE, fragile=["x"], hp=10, sm=11)
        outcome, _ = shooting.script(f"10,20,18,10,{roll}" + (",10" if roll == 10 else ""), attack, target)
        assert (outcome.killed, outcome.condition.knocked_out) == (killed, True)
        harmless = shooting.vehicle(1, dr=BARE, fragile=[], hp=10, sm=11)
        assert shooting.script(f"10,20,18,10,{roll}", attack, harmless)[0].killed == 0


@pytest.mark.rule("G25")
def test_those_outside_are_spared_by_what_blows_up_inside(shooting: Any) -> None:
    target = shooting.vehicle(1, True, "deck", dr=BARE, fragile=["x"], locations="E")
    outcome, _ = shooting.script("10,31,18", shooting.attack("1dx31", "cr"), target)
    assert outcome.condition.destroyed
    assert outcome.condition.people == (FIT,)


@pytest.mark.rule("G25")
def test_fuel_by_where_and_what(shooting: Any) -> None:
    """HT 10, -3 for fire and explosions, -3 for a vital area, -6 for both."""
    for kind, stats, roll, target in (
        ("cr", {}, "10,31", 10),
        ("cr", {"explosive": True}, "10,31", 7),
        ("burn", {}, "10,31", 7),
        ("cr", {}, "17,31", 7),
        ("burn", {}, "17,31", 4),
        ("cr", {"explosive": True}, "17,31", 4),
    ):
        for rolled, alight in ((target, False), (target + 1, True)):
            car = shooting.vehicle(dr=BARE, fragile=["f"])
            outcome, notes = shooting.script(f"{roll},10,{rolled}", shooting.attack("1dx31", kind, stats=stats), car)
            assert bool(outcome.effects & ON_FIRE) is alight, (kind, stats, roll)
            assert ("It catches fire." in notes) is alight
    # What burns already is not asked again.
    rules, car = shooting.rules(), shooting.vehicle(dr=BARE, fragile=["f"])
    burning = rules.fresh(car)._replace(on_fire=True)
    burning = burning._replace(detail=burning.detail._replace(flags=FIRE))
    source = Scripted("10,31,10")
    run(source.dice, rules.resolve, rules.plan(shooting.attack("1dx31", "cr"), car), burning)
    source.finish()


@pytest.mark.rule("G25")
@pytest.mark.parametrize(
    ("kind", "stats", "points", "alight"),
    [("burn", {}, 10, True), ("burn", {}, 9, False), ("cr", {"explosive": True}, 10, True), ("cr", {}, 10, False)],
)
def test_what_is_combustible(shooting: Any, kind: str, stats: dict[str, Any], points: int, alight: bool) -> None:
    wagon = shooting.vehicle(dr=BARE, fragile=["c"], powered=False)
    outcome, _ = shooting.script(f"10,{points}", shooting.attack(f"1dx{points}", kind, stats=stats), wagon)
    assert bool(outcome.condition.detail.flags & FIRE) is alight


@pytest.mark.rule("G25")
def test_what_makes_the_roll_harder_is_said(shooting: Any) -> None:
    from gurps_vehicle.health import ht_check

    assert [m.reason for m in ht_check(10, -3, (), "fire or explosion").modifiers] == ["HT", "fire or explosion"]
    source, car = Scripted("17,31,10,5"), shooting.vehicle(dr=BARE, fragile=["f"])
    rules = shooting.rules()
    run(source.dice, rules.resolve, rules.plan(shooting.attack("1dx31", "burn"), car), rules.fresh(car))
    roll = next(e for e in source.account.entries if e.rule == "G25")
    assert [(m.value, m.reason) for m in roll.modifiers] == [(10, "HT"), (-6, "fire or explosion and vital area")]


def on_fire(rules: Any, target: Any, lost: int) -> Any:
    fresh = rules.fresh(target)
    return fresh._replace(on_fire=True, detail=fresh.detail._replace(flags=FIRE | POWER, lost=lost))


@pytest.mark.rule("G25")
def test_a_burning_car_blows_up_by_a_critical_miss_of_a_death_check(shooting: Any) -> None:
    rules, attack = shooting.rules(), shooting.attack("1dx5", "cr")
    for letters, burns, roll, killed in (
        (["f"], True, 17, 2),
        (["f"], True, 16, 0),
        (["f"], False, 17, 0),
        ([], True, 17, 0),
    ):
        car = shooting.vehicle(2, dr=BARE, fragile=letters, hp=20, sm=11)
        before = on_fire(rules, car, 36)
        if not burns:
            before = before._replace(on_fire=False, detail=before.detail._replace(flags=POWER))
        source = Scripted(f"10,5,18,{roll}")
        outcome = run(source.dice, rules.resolve, rules.plan(attack, car), before)
        source.finish()
        assert outcome.condition.destroyed
        assert (outcome.killed, bool(outcome.effects & EXPLODED)) == (killed, killed > 0)
        assert outcome.condition.people == ((DEAD, DEAD) if killed else (FIT, FIT))


@pytest.mark.rule("G25")
def test_what_is_out_of_order_burns_on_without_being_asked(shooting: Any) -> None:
    rules, car = shooting.rules(), shooting.vehicle(fragile=["f"], hp=10)
    before = on_fire(rules, car, 12)
    for flags, rolls in ((FIRE | STOPPED, "3"), (FIRE, "3,10")):
        source = Scripted(rolls)
        start = before._replace(detail=before.detail._replace(flags=flags))
        passage = run(source.dice, rules.pass_time, car, start, 1.0)
        source.finish()
        assert passage.condition.detail.lost == 15


@pytest.mark.rule("G25")
@pytest.mark.parametrize("fragile", [["f"], ["f", "x"]])
def test_what_burns_may_go_up(shooting: Any, fragile: list[str]) -> None:
    rules = shooting.rules()
    car = shooting.vehicle(2, locations="G4W", sm=3, dr={"other": 2}, fragile=fragile, hp=20)
    attack = shooting.attack("1d+6", "cr", given_hit=False, skills={"gurps_vehicle": 3})
    plan, start = rules.plan(attack, car), on_fire(rules, car, 36)
    whole, merged = (
        summarize(rules, plan, distribution(rules, plan, start, Exact(merge_alike=alike))) for alike in (False, True)
    )
    assert whole.odds["exploded"] > 0
    assert merged.odds == pytest.approx(whole.odds, abs=1e-12)
    assert merged.expected == pytest.approx(whole.expected, abs=1e-9)
