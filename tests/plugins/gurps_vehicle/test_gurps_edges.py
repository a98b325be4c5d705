"""Rules at their edges: many dice inside, near misses, and other places where a wrong number once stood."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest


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
    found = shooting.exact(shooting.attack("1d+134", "cr", stats={"explosive": True}, miss_distance_m=2.7432), car)
    # Whoever is struck is wounded but for 2 points on a skull of DR 2.
    assert found.probability(lambda o: o.wounded + o.killed > 0) == Fraction(1, 2) * (1 - Fraction(4, 216) / 36)
