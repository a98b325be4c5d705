"""Rules at their edges: many dice inside, near misses, and other places where a wrong number once stood."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from mantlet import Attack


def ways(dice: int) -> dict[int, Fraction]:
    """The chance of every total of so many dice, added one by one."""
    found = {0: Fraction(1)}
    for _ in range(dice):
        further: dict[int, Fraction] = defaultdict(Fraction)
        for total, p in found.items():
            for face in range(1, 7):
                further[total + face] += p / 6
        found = further
    return found


THREE = ways(3)

# -- many dice inside ------------------------------------------------------------------------------------------------


def killed_by(dice: int, hp: int, dr: int) -> Fraction:
    """The chance that so many dice, cutting, on a random place kill somebody of HT 10 behind so much DR of his own."""
    places = {
        (3, 4): (4, 2, None), (5,): (1.5, 0, None), (9, 10, 11): (1.5, 0, None),
        (6, 7, 8, 12, 13, 14): (1.5, 0, hp // 2),
        (15, 16): (1.5, 0, hp // 3), (17, 18): (2, 0, None),
    }  # fmt: skip
    # Dead by an HT roll at a multiple of -HP: missed by 3 or more, 13 to 18.
    dies = sum(p for roll, p in THREE.items() if roll >= 13)
    found = Fraction(0)
    for rolls, (factor, bone, limit) in places.items():
        p_place = sum(THREE[roll] for roll in rolls)
        for total, p in ways(dice).items():
            injury = int(max(0, total - dr - bone) * factor)
            injury = injury if limit is None else min(injury, limit + 1)
            checks = max(0, injury // hp - 1)
            found += p_place * p * (1 if injury >= 6 * hp else 1 - (1 - dies) ** checks)
    return found


@pytest.mark.rule("G28")
def test_every_five_points_are_a_die_however_many(shooting: Any) -> None:
    """135 to 139 points are 27d, 140 are 28d; one man at SM +1 is struck by a 10 or less, half of all rolls."""
    target = shooting.vehicle(1, hp=5000, sm=1, dr={"other": 25}, person_hp=20, person_dr=25)
    found = shooting.exact(shooting.attack("1d+159", "cr", aim="body"), target)
    expected = (Fraction(5, 6) * killed_by(27, 20, 25) + Fraction(1, 6) * killed_by(28, 20, 25)) / 2
    assert found.probability(lambda o: o.killed == 1) == expected


# -- near misses -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("G26", "G27")
def test_a_near_miss_reaches_those_inside(shooting: Any) -> None:
    """12 points through the body: the occupant table (four at SM +3: 10 or less), then 2d for one of them."""
    car = shooting.vehicle(4, dr={"other": 3})
    shell = shooting.attack("9dx5", "cr", stats={"explosive": True}, miss_distance_m=3 * 0.9144)
    # 135 / 9 are 15 points, of which 3 are stopped; the second man's torso takes 3 cutting.
    outcome, _ = shooting.script("135,10,2,10,3", shell, car, wounds="points")
    assert (outcome.damage, [person.lost for person in outcome.condition.detail.people]) == (12, [0, 4, 0, 0])
    spared, _ = shooting.script("135,11", shell, car)
    assert (spared.damage, spared.wounded) == (12, 0)
    found = shooting.exact(shooting.attack("2d+133", "cr", stats={"explosive": True}, miss_distance_m=2.7432), car)
    # Whoever is struck is wounded but for 2 points on a skull of DR 2.
    assert found.probability(lambda o: o.wounded + o.killed > 0) == Fraction(1, 2) * (1 - Fraction(4, 216) / 36)


@pytest.mark.rule("G19", "G27")
@pytest.mark.parametrize("code", ["S", "s"])
def test_a_superstructure_of_any_size_has_people_in_it(shooting: Any, code: str) -> None:
    """132 points and more through it: the occupant table (four at SM +3: 10 or less, a half), then 26d: no miss."""
    boat = shooting.vehicle(4, locations=code, dr={"other": 3})
    found = shooting.exact(shooting.attack("1d+134", "cr", aim=code), boat)
    assert found.probability(lambda o: o.wounded + o.killed > 0) == Fraction(1, 2)


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("damage", "off_yd", "left"),
    [
        # 60 points / (3 x 2.5 yd) are 8, DR 0; at 3.3 yd 60 / 9.9 are 6.06; within a yard as at a yard.
        ("60", 2.5, 8), ("60", 3.3, 6), ("60", 0.5, 20),
        # 2d and 48: two yards a die are 4, the adds do not count.
        ("60", 4, 5), ("60", 4.1, 0),
    ],
)  # fmt: skip
def test_a_blast_by_its_distance(shooting: Any, damage: str, off_yd: float, left: int) -> None:
    shell = shooting.attack("2d+48", "cr", stats={"explosive": True}, miss_distance_m=off_yd * 0.9144)
    wagon = shooting.vehicle(0, dr={"other": 0}, locations="")
    outcome, _ = shooting.script(damage if left else "", shell, wagon)
    assert outcome.damage == left


# -- reach -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "farthest_yd", "told"),
    [
        # Reach 2 of a bayonet and 1 of claws, to the middle of the place struck.
        ("bayonet", 2.5, "bayonet reaches 2.5 yd"),
        ("claws_and_teeth", 1.5, "claws_and_teeth reaches 1.5 yd"),
        # 0.595 kg are 1.31 lb, 0.066 of the 20 lb that ST 10 lifts: 2.5 x ST.
        ("hand_grenade", 25, "1.3 lb thrown by ST 10"),
        # 10 kg are 22.05 lb, 1.1 of 20 lb: 0.4 x ST.
        ("satchel_charge", 4, "22.0 lb thrown by ST 10"),
        # 1.5 x 25 m.
        ("flamethrower", 37.5 / 0.9144, "the range is 328.1 yd"),
        # L = 5.5 x 2.9 / 0.149^2 = 718 m; 45 m/s: 718 x ln(1 + 2,025 / (9.81 x 718)) = 181 m.
        ("de_pzfaust60", 181.4 / 0.9144, "reaches 198.4 yd"),
        # L = 5.5 x 0.0128 / 0.00792^2 = 1,122 m; 755 m/s: 1,122 x ln(52.8) = 4,451 m.
        ("kar98k", 4451 / 0.9144, "reaches 4868 yd"),
    ],
)
def test_nothing_strikes_beyond_its_reach(shot: Any, shooting: Any, weapon: str, farthest_yd: float, told: str) -> None:
    rules, target = shooting.rules(), shooting.vehicle()

    def refused(yards: float, **fields: Any) -> Any:
        attack = shot(weapon, range_m=yards * 0.9144, skills={"gurps_vehicle": 30}, **fields)
        return rules.covers(attack, target)

    assert refused(farthest_yd * 0.998) is None
    assert refused(farthest_yd * 1.002) is not None
    assert told in refused(max(farthest_yd * 1.1, 300 / 0.9144))
    # What is given has come there.
    assert refused(farthest_yd * 2, given_hit=True) is None
    assert refused(farthest_yd * 2, miss_distance_m=3) is None


def test_the_strong_throw_farther(shot: Any, shooting: Any) -> None:
    """ST 15 lifts 45 lb; 1.31 lb are 0.03 of that: 3.5 x 15 = 52.5 yd."""
    at_50_yd = shot("hand_grenade", delivery="thrown", range_m=50 * 0.9144)
    assert shooting.rules(thrower_st=15).covers(at_50_yd, shooting.vehicle()) is None
    assert "ST 10" in shooting.rules().covers(at_50_yd, shooting.vehicle())
    with pytest.raises(ValueError, match="thrower_st has to be 1 to 1000, not 0"):
        shooting.rules(thrower_st=0)


def test_every_weapon_of_the_catalog_has_a_reach(catalog: Any, shooting: Any) -> None:
    for weapon in catalog.weapons():
        if weapon.kind == "ram":
            continue
        for ammunition in weapon.ammunition:
            attack = Attack(weapon=weapon, ammunition=ammunition, range_m=100_000.0)
            assert "REACH" in shooting.rules().covers(attack, shooting.vehicle()), weapon.id


def test_hand_to_hand_neither_range_nor_speed_counts(shot: Any, shooting: Any) -> None:
    attack = shot("bayonet", range_m=1.8, target_speed_kph=60, skills={"gurps_vehicle": 12})
    plan = shooting.rules(aim_turns=0).plan(attack, shooting.vehicle(sm=0))
    assert plan.check.target == 12
