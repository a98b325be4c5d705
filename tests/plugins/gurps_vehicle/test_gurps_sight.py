"""What a shot meets (G11-G13): what is in sight from where, what the attacker takes, DR by place, armor shot away."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from gurps_vehicle.health import HURT
from gurps_vehicle.person import Person
from gurps_vehicle.tables import aim_penalty
from mantlet import Scripted, Seat, Target, run
from mantlet.game.condition import FIT, NONE, REDUCED

FACES = {"front": {}, "top": {"elevation_deg": 60}, "under": {"elevation_deg": -60}}
HIDDEN = {
    "A": set(), "D": set(), "H": set(), "Wi": set(),
    "C": {"top"}, "L": {"top"}, "R": {"top"}, "W": {"top"},
    "G": {"top", "under"},
    "E": {"under"}, "M": {"under"}, "O": {"under"}, "S": {"under"}, "T": {"under"}, "X": {"under"}, "g": {"under"},
    "s": {"under"}, "t": {"under"},
}  # fmt: skip


@pytest.mark.rule("G12")
@pytest.mark.parametrize("code", sorted(HIDDEN))
@pytest.mark.parametrize("face", sorted(FACES))
def test_what_is_in_sight(shooting: Any, code: str, face: str) -> None:
    boat = shooting.vehicle(1, True, "front", locations=code)
    plan = shooting.rules().plan(shooting.attack(aim=code, **FACES[face]), boat)
    hidden = face in HIDDEN[code]
    assert aim_penalty("L") == -2  # on no row: as an arm
    assert (plan.aimed.code.code == "body") is hidden
    assert any(note.startswith("G12") for note in plan.notes) is hidden


@pytest.mark.rule("G13")
@pytest.mark.parametrize(
    ("roll", "order"),
    [(3, "X g"), (5, "t s"), (6, "D H Wi C M"), (8, "T S A"), (9, "E body"), (11, "O G"), (15, "W R")],
)
def test_the_weakest_of_several_goes_first(shooting: Any, roll: int, order: str) -> None:
    there = order.split()
    while there:
        target = shooting.vehicle(1, True, "front", locations="".join(c for c in there if c != "body"))
        rules = shooting.rules()
        plan = rules.plan(shooting.attack(), target)
        if there != ["body"]:
            assert plan.table.row_for(roll).value.code.code == there[0]
        even = shooting.rules(attacker_picks="even").plan(shooting.attack(), target)
        picked = even.table.row_for(roll).value
        assert {s.code.code for s in getattr(picked, "slots", (picked,))} >= set(there) - {"body"}
        there.pop(0)


@pytest.mark.rule("G19")
def test_wings_are_two(shooting: Any) -> None:
    plane = shooting.vehicle(locations="Wi", dr={"other": 0}, flying=False)
    rules = shooting.rules()
    plan = rules.plan(shooting.attack("1dx31", "cr"), plane)
    condition, lost = rules.fresh(plane), []
    for rolls in ("13,31", "13,31,10", "13,31,10"):  # 62 of 60 HP: HT rolls
        outcome = run(Scripted(rolls).dice, rules.resolve, plan, condition)
        condition = outcome.condition
        lost.append(outcome.damage)
    assert lost[:2] == [31, 31]
    assert condition.detail.crippled == ("Wi", "Wi")
    assert lost[2] == 0


def test_turrets_and_superstructures_have_dr_of_their_own(shooting: Any) -> None:
    dr = {"front": 10, "turret_front": 30, "other": 5, "X": 2}
    for code, raw in (("T", 30), ("S", 30), ("t", 30), ("s", 30), ("X", 2), ("A", 10)):
        plan = shooting.rules().plan(shooting.attack(aim=code), shooting.vehicle(locations=code, dr=dr))
        assert plan.aimed.raw == raw
    plan = shooting.rules().plan(shooting.attack(aim="T", aspect_deg=90), shooting.vehicle(locations="T", dr=dr))
    assert plan.aimed.raw == 5  # no side is named


@pytest.mark.rule("G20")
def test_windows_open_and_closed(shooting: Any) -> None:
    for dr, closed in ((0, 0), (1, 1), (4, 2), (5, 3)):
        car = shooting.vehicle(1, locations="G", dr={"other": dr})
        raws = [shooting.rules(windows=how).plan(shooting.attack(aim="G"), car).aimed.raw for how in ("closed", "open")]
        assert raws == [closed, 0]


# -- armor shot away -------------------------------------------------------------------------------------------------


def test_semi_ablative_armor_loses_a_point_for_ten(shooting: Any) -> None:
    target = shooting.vehicle(
        ablative="semi-ablative", dr={"front": 40, "W": 30, "other": 40}, locations="4W", tires=False
    )
    rules = shooting.rules()
    condition = rules.fresh(target)
    for rolls, worn in (
        ("10,29", (("front", 2),)),
        ("10,9", (("front", 2),)),
        ("15,29", (("W", 2), ("front", 2))),
        ("10,60", (("W", 2), ("front", 5))),  # 38 of DR are left, and stop as much: 3 more
    ):
        plan = rules.plan(shooting.attack(f"1dx{rolls.split(',')[1]}", "cr"), target)
        outcome = run(Scripted(rolls).dice, rules.resolve, plan, condition)
        condition = outcome.condition
        assert condition.detail.ablated == worn
    assert outcome.damage == 60 - 38


# -- hatches and seats -----------------------------------------------------------------------------------------------


@pytest.mark.rule("G18")
def test_out_of_the_hatch_is_the_commander(shooting: Any) -> None:
    def struck(*roles: str) -> list[bool]:
        seats = tuple(Seat(role=role, compartment="turret") for role in roles)
        block = {"hp": 60, "ht": 10, "sm": 3, "dr": {"other": 90}, "locations": "T"}
        tank = Target(id="t", name="t", kind="vehicle", body="tank", seats=seats, stats={"gurps_vehicle": block})
        found = shooting.exact(shooting.attack("1d", "cr", buttoned=False, aim="E"), tank)
        return [found.probability(lambda o, i=i: o.condition.people[i] != FIT) > 0 for i in range(len(roles))]

    assert struck("gunner", "commander", "loader") == [False, True, False]
    assert struck("gunner", "commander_gunner") == [False, True]
    assert struck("driver", "gunner") == [True, False]  # nobody commands: the first


@pytest.mark.rule("G27", "G31")
@pytest.mark.parametrize(
    ("compartment", "inside"), [("saddle", False), ("sidecar", False), ("deck", False), ("front", True)]
)
def test_who_is_inside(shooting: Any, compartment: str, inside: bool) -> None:
    car = shooting.vehicle(1, True, compartment, dr={"other": 0}, sm=1, locations="E")
    found = shooting.exact(shooting.attack("1d+4", "cr", aim="body"), car)
    assert (found.probability(lambda o: o.condition.people[0] != FIT) > 0) is inside


@pytest.mark.rule("G23", "G27")
def test_people_near_the_vital_area_can_be_hit(shooting: Any) -> None:
    car = shooting.vehicle(1, dr={"other": 0}, sm=1, hp=500)
    outcome, _ = shooting.script("10,10,10,3", shooting.attack("1d+4", "cr", aim="vital area"), car)
    assert (outcome.wounded, outcome.damage) == (1, 10)


@pytest.mark.rule("G18", "G20")
def test_a_critical_counts_for_somebody_behind_a_window(shooting: Any) -> None:
    car = shooting.vehicle(1, dr={"other": 4}, sm=1, locations="G", person_hp=100)
    attack = shooting.attack("1d", "cr", aim="G", given_hit=False, skills={"gurps_vehicle": 20})
    for critical, lost in (
        ("3,10,10,6", 3 * 6 - 2),
        ("5,10,10,6", 2 * 6 - 2),
        ("4,10,10,6", 6 - 1),
        ("6,10,10", 6 - 2),
    ):
        outcome, _ = shooting.script(f"3,{critical}", attack, car, criticals=True, wounds="points")
        assert outcome.condition.detail.people == (Person(lost, HURT),)


@pytest.mark.rule("G19")
def test_more_than_two_wheels_of_four_stop_it(shooting: Any) -> None:
    car = shooting.vehicle(locations="4W", dr={"other": 0}, tires=False)
    rules = shooting.rules()
    plan = rules.plan(shooting.attack("1dx8", "cr", aim="W"), car)  # 60 / 8 is 7.5
    first = run(Scripted("8").dice, rules.resolve, plan, rules.fresh(car))
    second = run(Scripted("8").dice, rules.resolve, plan, first.condition)
    assert (first.condition.mobility, second.condition.mobility) == (REDUCED, NONE)
    assert first.damage == Fraction(8)
