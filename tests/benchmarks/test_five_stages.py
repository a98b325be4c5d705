"""A five-stage dependent attack, exact: ours against icepool's grouped `map` of the same."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool

from mantlet import Check, Dice, Exact, Row, Table, Then

MISS, HIT, CRITICAL = range(3)
TO_HIT = Check("3d6", ((4, CRITICAL), (12, HIT), (18, MISS)))
PLACES = Table(
    "places: name, DR, whether people are behind it",
    "3d6",
    [
        Row(3, 4, ("vision", 30, True)),
        Row(5, 6, ("tracks", 30, False)),
        Row(7, 8, ("hull side", 45, True)),
        Row(9, 9, ("engine", 40, False)),
        Row(10, 11, ("hull front", 65, True)),
        Row(12, 13, ("turret", 60, True)),
        Row(14, 15, ("wheels", 20, False)),
        Row(16, 16, ("fuel", 40, False)),
        Row(17, 18, ("gun", 50, False)),
    ],
)
DAMAGE = "6d6x2"
MAJOR = 30  # half of the hit points
HT = Check("3d6", ((4, "unharmed"), (11, "holds"), (15, "stunned"), (18, "out")))
OCCUPANT = Table(
    "occupant",
    "1d6",
    [Row(i, i, who) for i, who in enumerate(("nobody", "driver", "gunner", "loader", "radio", "commander"), start=1)],
)


def attack(dice: Dice) -> object:
    """The rule body: (place, damage through, HT result, occupant hit)."""
    grade = dice.check(TO_HIT, "to hit")
    return ("missed", 0, "", "") if grade == MISS else dice.then(strike, grade == CRITICAL)


def strike(dice: Dice, critical: bool) -> Then:
    place, dr, people = dice.pick(PLACES, "hit location")
    return dice.then(wound, place, dr // 2 if critical else dr, people)


def wound(dice: Dice, place: str, dr: int, people: bool) -> object:
    through = dice.roll(DAMAGE, "damage") - dr
    if through <= 0:
        return (place, 0, "", "")
    if through > MAJOR or people:
        return dice.then(inside, place, through, people)
    return (place, through, "", "")


def inside(dice: Dice, place: str, through: int, people: bool) -> object:
    ht = dice.check(HT, "HT against a major wound") if through > MAJOR else ""
    occupant = dice.pick(OCCUPANT, "occupant") if people else ""
    return (place, through, ht, occupant)


def with_icepool() -> Any:
    """The same in icepool, stage by stage, the dice grouped into bands first and equal states merged."""
    three: Any = 3 @ icepool.d6
    grade = three.map(lambda n: CRITICAL if n <= 4 else HIT if n <= 12 else MISS)
    row = three.map(lambda n: PLACES.row_for(n).value)
    damage: Any = (6 @ icepool.d6) * 2
    health = three.map(lambda n: "unharmed" if n <= 4 else "holds" if n <= 11 else "stunned" if n <= 15 else "out")
    occupant = icepool.d6.map(lambda n: OCCUPANT.row_for(n).value)

    def strikes(grade: int, row: tuple[str, int, bool]) -> tuple[str, int, bool]:
        place, dr, people = row
        return ("missed", 0, False) if grade == MISS else (place, dr // 2 if grade == CRITICAL else dr, people)

    def wounds(struck: tuple[str, int, bool], damage: int) -> tuple[str, int, bool]:
        place, dr, people = struck
        return struck if place == "missed" else (place, max(0, damage - dr), people)

    def hurts(wounded: tuple[str, int, bool], health: str, occupant: str) -> tuple[str, int, str, str]:
        place, through, people = wounded
        return (place, through, health if through > MAJOR else "", occupant if people and through else "")

    struck = icepool.map(strikes, grade, row, star=False)
    wounded = icepool.map(wounds, struck, damage, star=False)
    return icepool.map(hurts, wounded, health, occupant, star=False)


def test_both_give_the_same_odds(benchmark: Any) -> None:
    pool = with_icepool()
    theirs = {outcome: Fraction(n, pool.denominator()) for outcome, n in pool.items()}
    assert Exact(fractions=True).distribution(attack).weights == theirs
    floats = benchmark(lambda: Exact().distribution(attack))
    assert len(floats) == len(theirs)
    assert all(abs(floats[outcome] - float(p)) < 1e-15 for outcome, p in theirs.items())


def test_floats(benchmark: Any, limits: Any, race: Callable[..., Any]) -> None:
    result = race(lambda: Exact().distribution(attack), with_icepool, turns=25, times=4)
    benchmark.pedantic(lambda: Exact().distribution(attack), rounds=20)
    limits.times_faster("five-stage attack, floats", 8, result, "icepool")


def test_fractions(benchmark: Any, limits: Any, race: Callable[..., Any]) -> None:
    result = race(lambda: Exact(fractions=True).distribution(attack), with_icepool)
    benchmark.pedantic(lambda: Exact(fractions=True).distribution(attack), rounds=10)
    limits.times_faster("five-stage attack, fractions", 1, result, "icepool")
