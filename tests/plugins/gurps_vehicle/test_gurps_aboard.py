"""Who and what is aboard: draft animals, seats by compartment, what is placed, thrown and lobbed, areas and blasts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from gurps_vehicle.person import KILLED, UNHURT, Person
from mantlet import Scripted, Seat, Target, UnknownNameError, run
from mantlet.game.condition import FIT, FULL, NONE, REDUCED, WOUNDED


def manned(*seats: tuple[str, int, bool], **stats: Any) -> Target:
    """A vehicle of 60 HP and DR 0 with people of 10 HP here and there: compartment, how many, in the open or not."""
    block = {"hp": 60, "ht": 10, "sm": 1, "dr": {"other": 0}, "fragile": [], "locations": "", "powered": True, **stats}
    crew = tuple(Seat(role=f"{where} man", compartment=where, count=n, exposed=out) for where, n, out in seats)  # type: ignore[arg-type]
    return Target(id="box", name="box", kind="vehicle", body="car", seats=crew, stats={"gurps_vehicle": block})


# -- draft animals ---------------------------------------------------------------------------------------------------


def drawn(count: int = 2, **animals: Any) -> Target:
    return manned(
        locations=f"{count}D4W", dr={"other": 50}, powered=False, animals={"hp": 20, "ht": 10, "sm": 1, **animals}
    )


@pytest.mark.rule("G17")
def test_a_draft_animal_has_a_body_dr_and_health_of_its_own(shooting: Any) -> None:
    def state(rolls: str, **animals: Any) -> int:
        attack = shooting.attack("1dx30", "cr")
        animal: Person = shooting.script(rolls, attack, drawn(1, **animals))[0].condition.detail.animals[0]
        return animal.state

    # 7 is a foreleg (a leg of a man): HP/2 and a point at most, a major wound; the knockdown roll fails by 5.
    assert state("13,7,1,30,15") == 2
    assert state("13,7,1,30,14") == 1
    assert state("13,10,30,10,10") == 1  # the torso: 30 of 20 HP, knockdown and HT
    assert state("13,10,30,12,12", ht=12) == 1
    assert state("13,10,30", dr=30) == 0
    for body, hurt in (("quadruped", 0), ("octopod", 1)):  # 2 points at a skull of DR 2, at a brain of DR 1
        outcome, _ = shooting.script("13,3,2", shooting.attack("1d", "cr"), drawn(1, body=body))
        assert outcome.condition.detail.animals[0].state == hurt
    with pytest.raises(UnknownNameError, match="body plan"):
        state("13", body="unicorn")


@pytest.mark.rule("G17")
def test_without_its_animals_a_wagon_stands_still(shooting: Any) -> None:
    rules, wagon = shooting.rules(), drawn(2)
    plan = rules.plan(shooting.attack("1dx240", "cr", aim="D"), wagon)
    first = run(Scripted("10,240,10").dice, rules.resolve, plan, rules.fresh(wagon))
    assert first.condition.mobility == REDUCED
    assert first.condition.detail.animals == (UNHURT, KILLED)
    last = run(Scripted("1,10,240,10").dice, rules.resolve, plan, first.condition)
    assert last.condition.mobility == NONE
    fine = run(Scripted("8,1,5").dice, rules.resolve, rules.plan(shooting.attack(aim="D"), wagon), rules.fresh(wagon))
    assert fine.condition.mobility == FULL


# -- seats -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("G27", "G31")
def test_only_those_in_the_place_struck_can_be_hit(shooting: Any) -> None:
    tank = manned(("turret", 3, False), ("front", 2, False), locations="T2C")
    found = shooting.exact(shooting.attack("1d+4", "cr", aim="T"), tank)
    people = [found.probability(lambda o, i=i: o.condition.people[i] != FIT) for i in range(5)]
    assert people[0] == people[1] == people[2] > 0
    assert people[3] == people[4] == 0
    hull = shooting.exact(shooting.attack("1d+4", "cr", aim="body"), tank)
    people = [hull.probability(lambda o, i=i: o.condition.people[i] != FIT) for i in range(5)]
    assert people[0] == people[1] == people[2] == 0
    assert people[3] == people[4] > 0


@pytest.mark.rule("G27")
def test_numbers_go_by_those_in_the_place(shooting: Any) -> None:
    """Three in the turret at SM +1: 14. Two in the hull: 12."""
    tank = manned(("turret", 3, False), ("front", 2, False), locations="T2C")
    for aim, number in (("T", 14), ("body", 12)):
        found = shooting.exact(shooting.attack("1dx5", "cr", aim=aim, stats={"damage": "1d-1+5"}), tank)
        assert found.probability(lambda o: o.hits) == 1
        hit, _ = shooting.script(f"10,{number},1,10,3", shooting.attack("1d+4", "cr", aim=aim), tank)
        assert hit.wounded == 1
        spared, _ = shooting.script(f"10,{number + 1}", shooting.attack("1d+4", "cr", aim=aim), tank)
        assert spared.wounded == 0


@pytest.mark.rule("G27")
@pytest.mark.parametrize(("code", "asks"), [("t", True), ("S", True), ("s", True), ("X", False), ("W", False)])
def test_which_places_are_occupied(shooting: Any, code: str, asks: bool) -> None:
    where = "turret" if code == "t" else "front"
    boat = manned((where, 1, False), locations=code, tires=False)
    outcome, _ = shooting.script("10,3,10,3" if asks else "10", shooting.attack("1d+4", "cr", aim=code), boat)
    assert outcome.wounded == asks


@pytest.mark.rule("G20", "G31")
def test_a_window_shows_the_hull_or_else_the_turret(shooting: Any) -> None:
    both = manned(("turret", 2, False), ("front", 2, False), locations="GT")
    found = shooting.exact(shooting.attack("1d", aim="G"), both)
    assert [found.probability(lambda o, i=i: o.condition.people[i] != FIT) > 0 for i in range(4)] == [
        False, False, True, True,
    ]  # fmt: skip
    turret = manned(("turret", 2, False), locations="GT")
    found = shooting.exact(shooting.attack("1d", aim="G"), turret)
    assert all(found.probability(lambda o, i=i: o.condition.people[i] != FIT) > 0 for i in range(2))


@pytest.mark.rule("G20")
def test_behind_a_window_nobody_is_asked_for_twice(shooting: Any) -> None:
    """Somebody is not in the way of the round: then the pieces of what it strikes spare them as well."""
    car = manned(("front", 2, False), locations="G")
    outcome, _ = shooting.script("11,13,10", shooting.attack("1d+4", "cr"), car)
    assert (outcome.damage, outcome.wounded) == (10, 0)


@pytest.mark.rule("G29", "G31")
def test_lots_go_to_different_people(shooting: Any) -> None:
    bus = manned(("front", 3, False))
    attack = shooting.attack("1d+54", "cr")
    # HT rolls of the major wound and at 0 HP. 60 points are 12d, in three lots of 4d: the second of three, then the
    # first and the last of those left.
    rolls = "10,60,10,10,10,2,8,4,10,1,8,4,10,8,4,10"
    outcome, _ = shooting.script(rolls, attack, bus, divide_occupant_damage=True, wounds="points")
    assert outcome.wounded == 3
    assert [person.lost for person in outcome.condition.detail.people] == [6, 6, 6]
    found = shooting.exact(attack, manned(("front", 2, False)), divide_occupant_damage=True)
    assert found.probability(lambda o: WOUNDED in o.condition.people or 2 in o.condition.people) > 0


# -- what is not fired -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locations", "place"),
    [
        ("2C4W", "track"),
        ("4W", "wheel"),
        ("2R", "runner_or_skid"),
        ("2L", "leg"),
        ("2D", "draft_animal"),
        ("T", "body"),
    ],
)
def test_placed_in_the_running_gear(shooting: Any, locations: str, place: str) -> None:
    plan = shooting.rules().plan(shooting.attack(delivery="placed_in_running_gear"), manned(locations=locations))
    assert plan.aimed.location.path == place


@pytest.mark.parametrize(("delivery", "target"), [("placed_under", 15), ("placed_in_running_gear", 15), ("fired", 4)])
def test_what_is_placed_is_placed_at_no_range(shooting: Any, delivery: str, target: int) -> None:
    attack = shooting.attack(delivery=delivery, range_m=100.0, given_hit=False, skills={"gurps_vehicle": 14})
    plan = shooting.rules().plan(attack, manned())
    assert plan.check.target == target
    assert ("range" in plan.ignored) is (delivery != "fired")


def test_placed_under_strikes_the_floor(shooting: Any) -> None:
    tank = manned(dr={"under": 3, "other": 9}, locations="2C")
    outcome, _ = shooting.script("6", shooting.attack("1d", "cr", delivery="placed_under"), tank)
    assert (outcome.damage, outcome.locations[0].path) == (3, "body")
    plan = shooting.rules().plan(shooting.attack("1d", delivery="placed_under"), tank)
    assert any(note.startswith("The underside is struck") for note in plan.notes)


@pytest.mark.rule("G26", "G28")
def test_what_is_lobbed_inside_meets_no_armor_and_all_inside(shooting: Any) -> None:
    tank = manned(("front", 2, False), ("turret", 1, False), ("deck", 1, True), dr={"other": 90}, sm=11)
    bomb = shooting.attack("2d", "cr", delivery="lobbed_inside", stats={"explosive": True})
    # 12 to the vehicle, whose 12 / 5 dice strike nobody; then a third of 6, 9 and 12 to those inside.
    outcome, _ = shooting.script("12,18,6,9,12", bomb, tank, wounds="points")
    assert outcome.damage == 12
    assert [person.lost for person in outcome.condition.detail.people] == [2, 3, 4, 0]


# -- areas and blasts ------------------------------------------------------------------------------------------------


@pytest.mark.rule("G26")
def test_those_in_the_open_feel_a_blast_and_a_flame(shooting: Any) -> None:
    truck = manned(("front", 1, False), ("deck", 2, True), dr={"other": 9}, locations="E", person_dr=1)
    shell = shooting.attack("2d", "cr", 2, aim="body", stats={"explosive": True})
    # DR 9 / 2 is 4; to those on deck 12 / 3 and 9 / 3, less their DR, which the divisor does not touch.
    outcome, notes = shooting.script("9,18,12,9", shell, truck, wounds="points")
    assert [note for note in notes if "feels" in note] == [
        "deck man 1 feels damage / 3.", "deck man 2 feels damage / 3.",
    ]  # fmt: skip
    assert (outcome.damage, [person.lost for person in outcome.condition.detail.people]) == (5, [0, 3, 2])
    flame = shooting.attack("2d", "burn", stats={"large_area": True})
    outcome, notes = shooting.script("9,4,3", flame, manned(("deck", 2, True), dr={"other": 9}), wounds="points")
    # Mean of 9 and 0, rounded up; nobody is inside, and all on deck feel the whole of it.
    assert outcome.damage == 9 - 5
    assert [person.lost for person in outcome.condition.detail.people] == [4, 3]
    assert "deck man 2 feels all of it." in notes


@pytest.mark.rule("G26")
def test_a_closed_vehicle_counts_its_weakest_place(shooting: Any) -> None:
    """With nobody in the open, the least DR is that of a place: a window has half, and a wheel its own."""
    flame = shooting.attack("2d", "burn", stats={"large_area": True})
    car = manned(("front", 1, False), dr={"other": 9, "W": 4}, locations="4W", sm=11)
    assert shooting.script("12,18", flame, car)[0].damage == 12 - 7  # mean of 9 and 4, rounded up
    pane = manned(("front", 1, False), dr={"other": 9}, locations="G", sm=11)
    assert shooting.script("12,18", flame, pane)[0].damage == 12 - 7  # of 9 and 5


@pytest.mark.rule("G26")
def test_a_blast_some_way_off_is_felt_by_those_in_the_open(shooting: Any) -> None:
    truck = manned(("front", 1, False), ("deck", 1, True), dr={"other": 9}, person_dr=1)
    shell = shooting.attack("6d", "cr", 10, stats={"explosive": True}, miss_distance_m=2 * 0.9144)
    outcome, _ = shooting.script("36,30", shell, truck, wounds="points")
    assert outcome.damage == 36 // 6 - 5  # mean of 9 and 0 is 5
    assert [person.lost for person in outcome.condition.detail.people] == [0, 30 // 6 - 1]


# -- through a body --------------------------------------------------------------------------------------------------


@pytest.mark.rule("G18")
@pytest.mark.parametrize(
    ("kind", "divisor", "dr", "beam", "behind"),
    [
        ("pi", 1, 0, False, 24 - 10),
        ("pi", 2, 0, False, 24 - 5),
        ("pi", 1, 3, False, 24 - 16),
        ("imp", 1, 0, False, 14),
        ("cut", 1, 0, False, 0),
        ("burn", 1, 0, False, 0),
        ("burn", 1, 0, True, 14),
    ],
)
def test_what_goes_through_a_rider(shooting: Any, kind: str, divisor: float, dr: int, beam: bool, behind: int) -> None:
    bike = manned(("saddle", 1, True), locations="E", person_dr=dr, tissue="unliving", hp=600)
    attack = shooting.attack("4d", kind, divisor, aim="E", stats={"tight_beam": beam})
    rules = shooting.rules(overpenetration=True)
    source = Scripted("24,10,10,10,10,10,10" if behind else "10,24,10,10,10,10")
    outcome = run(source.dice, rules.resolve, rules.plan(attack, bike), rules.fresh(bike))
    factor = {"pi": Fraction(1, 3), "imp": Fraction(1), "burn": Fraction(1)}.get(kind, Fraction(1))
    assert outcome.damage == int(behind * factor)
