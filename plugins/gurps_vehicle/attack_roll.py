"""The attack roll: 3d under a skill with size, range, speed, aim and rapid fire; how many rounds of a burst strike."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, NamedTuple

from gurps_vehicle.files import read
from mantlet import Check, Modifier, SkillWord, parse_dice
from mantlet.units import M_PER_YD

ROLL = "3d"


class Strikes(NamedTuple):
    """What an attack roll comes to: how many rounds strike, and whether it is a critical success or miss.

    `near` is a roll missed by one at a small place of a body: it strikes the torso.
    """

    hits: int
    critical: bool = False
    near: bool = False

    def __str__(self) -> str:
        if not self.hits:
            return "critical miss" if self.critical else "miss"
        if self.near:
            return "missed by 1: the torso"
        text = "1 hit" if self.hits == 1 else f"{self.hits} hits"
        return f"critical success, {text}" if self.critical else text


MISS = Strikes(0)
ONE = Strikes(1)


@cache
def _data() -> dict[str, Any]:
    return read("attack")


def critical_limit(skill: int) -> int:
    """The highest roll that is a critical success."""
    data = _data()["criticals"]
    if skill >= data["six_from_skill"]:
        return 6
    return 5 if skill >= data["five_from_skill"] else int(data["always"])


def is_critical_miss(roll: int, skill: int) -> bool:
    """Whether a roll is a critical miss at an effective skill."""
    data = _data()["criticals"]
    if roll >= data["fumble_always"] or (roll == 17 and skill <= data["fumble_17_to_skill"]):
        return True
    return bool(roll > data["always"] and roll - skill >= data["fumble_missed_by"])


def succeeds(roll: int, skill: int) -> bool:
    """Whether a roll succeeds: 3 and 4 always do, 17 and 18 never."""
    return bool(roll <= _data()["criticals"]["always"] or (roll <= skill and roll < 17))


@cache
def chance(skill: int) -> Fraction:
    """The chance of a success roll at this skill."""
    dice = parse_dice(ROLL)
    return Fraction(sum(n for roll, n in dice.ways if succeeds(roll, skill)), dice.combinations)


@lru_cache(maxsize=512)
def skill_from_percent(percent: float) -> int:
    """The 3d skill whose chance of success is nearest to a percentage; the lower of two that are equally near."""
    data = _data()["skill"]
    wanted = percent / 100
    return min(range(data["lowest"], 17), key=lambda skill: (abs(float(chance(skill)) - wanted), skill))


def skill_words() -> Mapping[SkillWord, float]:
    """The 3d skill of a green, trained, veteran or ace shooter."""
    words: Mapping[SkillWord, float] = _data()["skill"]["words"]
    return words


@cache
def _ladder() -> tuple[tuple[float, ...], int]:
    data = _data()["ladder"]
    return (*[inches / 36 for inches in data["inches"]], *data["yards"]), data["first"]


def size_modifier(length_yd: float) -> int:
    """SM of a thing by its longest dimension: the first length of the ladder that is no shorter."""
    yards, first = _ladder()
    return min(bisect_left(yards, length_yd * (1 - 1e-9)), len(yards) - 1) + first


def range_penalty(yards: float, yards_per_s: float = 0.0) -> int:
    """The penalty for range and speed together (never a bonus)."""
    return min(0, -size_modifier(yards + yards_per_s))


def rapid_fire_bonus(shots: int) -> int:
    """The bonus for many rounds in one attack."""
    rows: list[dict[str, int]] = _data()["rapid_fire"]["rows"]
    for row in rows:
        if row["low"] <= shots <= row["high"]:
            return row["bonus"]
    bonus, reach = rows[-1]["bonus"], rows[-1]["high"] + 1
    while shots >= reach:
        bonus, reach = bonus + 1, reach * 2
    return bonus


def hits_of(shots: int, margin: int, recoil: int) -> int:
    """Rounds that strike: one, and one more for every full multiple of recoil the roll is made by."""
    return min(shots, 1 + max(margin, 0) // recoil)


@lru_cache(maxsize=4096)
def attack_check(
    skill: int, shots: int, recoil: int, modifiers: tuple[Modifier, ...] = (), *, near: bool = False
) -> Check[Strikes] | None:
    """The attack roll cut by its result. None where an effective skill below 3 leaves nothing to roll for.

    `near`: a roll missed by one, short of a critical miss, strikes the torso instead.
    """
    if skill < _data()["skill"]["lowest"]:
        return None
    critical = critical_limit(skill)
    grades = []
    for roll in range(3, 19):
        if succeeds(roll, skill):
            grades.append((roll, Strikes(hits_of(shots, skill - roll, recoil), roll <= critical)))
        else:
            fumble = is_critical_miss(roll, skill)
            grades.append((roll, Strikes(1, near=True) if near and roll == skill + 1 and not fumble else MISS))
            if fumble:
                grades[-1] = (roll, Strikes(0, critical=True))
    return Check(ROLL, grades, skill, modifiers)


def yards(meters: float) -> float:
    """Meters in yards."""
    return meters / M_PER_YD
