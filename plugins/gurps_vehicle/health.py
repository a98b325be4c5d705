"""HT rolls: knockdown, staying in action at 0 HP, and death checks at every multiple of -HP."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple

from gurps_vehicle.attack import ROLL, is_critical_miss, succeeds
from gurps_vehicle.files import read
from mantlet import Check, Dice, Modifier, Then

FIT: Final = 0
HURT: Final = 1
"""Wounded, and able to act."""
DOWN: Final = 2
"""Unconscious, dying or out of order: alive but out of the fight."""
DEAD: Final = 3
BURST: Final = 4
"""Dead of a critical miss, where that is told apart: what burns goes up."""

MADE: Final = "made"
FAILED: Final = "failed"


class Health(NamedTuple):
    """HP and HT of a person, creature or vehicle."""

    hp: int
    ht: int

    @property
    def most(self) -> int:
        """The injury at which nothing is left to lose: -5 x HP."""
        return self.hp * (1 + int(_rules()["dead_at"]))


@cache
def _rules() -> dict[str, float]:
    data: dict[str, float] = read("wounding")["health"]
    return data


@lru_cache(maxsize=1024)
def ht_check(ht: int, modifier: int = 0, bands: tuple[tuple[int, str], ...] = (), why: str = "location") -> Check[str]:
    """An HT roll: `made`, else the band by how much it is missed: (at most, name); anything beyond is `failed`.

    A critical miss counts as missed by 10 or more. `why` says what the modifier is for.
    """
    target = ht + modifier
    grades = []
    for roll in range(3, 19):
        if succeeds(roll, target):
            grades.append((roll, MADE))
            continue
        missed = max(roll - target, 1)
        if is_critical_miss(roll, target):
            missed = max(missed, 10)
        grades.append((roll, next((name for most, name in bands if missed <= most), FAILED)))
    modifiers = (Modifier(ht, "HT"), Modifier(modifier, why)) if modifier else ()
    return Check(ROLL, grades, target, modifiers)


def makes_ht(dice: Dice, ht: int, reason: str, rule: str, modifier: int = 0, why: str = "location") -> bool:
    """A plain HT roll; `why` says what its modifier is for."""
    return dice.check(ht_check(ht, modifier, (), why), reason, rule) == MADE


def knockdown(dice: Dice, ht: int, modifier: int, rule: str) -> str:
    """The roll a major wound asks for: `made`, `stunned` or `unconscious`."""
    bands = ((int(_rules()["unconscious_by"]) - 1, "stunned"), (99, "unconscious"))
    return dice.check(ht_check(ht, modifier, bands), "knockdown", rule)


def crossings(before: int, after: int, hp: int) -> int:
    """How many multiples of -HP (at -1 x HP, -2 x HP ...) an injury goes past, given what is lost before and after."""
    return max(0, after // hp - 1) - max(0, before // hp - 1)


def survives(
    dice: Dice, health: Health, before: int, after: int, subject: str, *, asks_zero: bool = True, bursts: bool = False
) -> int:
    """HP thresholds: FIT or HURT while in action, DOWN, or DEAD (BURST by a critical miss where something `bursts`).

    At -HP and every multiple of it: an HT roll each; missed by 1 or 2 leaves one dying (DOWN), by more is death. At 0
    HP or less: an HT roll to stay in action. At -5 x HP there is no roll.
    """
    if after >= health.most:
        dice.note("HP", "{} at {} HP: beyond all help", subject, health.hp - after)
        return DEAD
    checks = crossings(before, after, health.hp)
    asks_zero = asks_zero and after >= health.hp
    state: int = FIT if after <= 0 else HURT
    if checks or asks_zero:
        state = dice.settle(death_checks, health.ht, checks, asks_zero, subject, HURT, bursts)
    return state


def death_checks(
    dice: Dice, ht: int, checks: int, asks_zero: bool, subject: str, state: int, bursts: bool
) -> int | Then:
    """The HT rolls of HP thresholds, one a stage: at multiples of -HP, then to stay in action."""
    if checks:
        bands: tuple[tuple[int, str], ...] = ((int(_rules()["mortal_by"]), "dying"), (99, "dead"))
        if bursts:
            bands = (bands[0], (9, "dead"), (99, "bursts"))
        grade = dice.check(ht_check(ht, 0, bands), f"{subject}: HT roll at a multiple of -HP", "HP")
        if grade in ("dead", "bursts"):
            return DEAD if grade == "dead" else BURST
        after = DOWN if grade == "dying" else state
        return dice.then(death_checks, ht, checks - 1, asks_zero, subject, after, bursts)
    if state == HURT and asks_zero and not makes_ht(dice, ht, f"{subject}: HT roll at 0 HP or less", "HP"):
        return DOWN
    return state
