"""Arithmetic of rolls: halves and shares of damage, dice rolled several times."""

from __future__ import annotations

from functools import lru_cache

from mantlet import DiceExpr

DRIVE_DIE = "1d100"


def half(value: int, round_up: bool = True) -> int:
    """Half of a damage or armor value."""
    return share(value, 0.5, round_up)


def share(value: int, part: float, round_up: bool = True) -> int:
    """A fraction of a damage or armor value, rounded up or down (A10)."""
    exact = value * part
    low = int(exact)
    return low + 1 if round_up and exact > low else low


def left_of(damage: int, hp: int) -> int:
    """The hit points that damage leaves somebody: the dead and those gone take none."""
    return max(0, hp - damage) if hp > 0 else hp


@lru_cache(maxsize=256)
def times(dice: DiceExpr, count: int) -> DiceExpr:
    """The dice rolled `count` times and added."""
    return DiceExpr(tuple((n * count, sides) for n, sides in dice.terms), dice.constant * count, dice.multiplier)


@lru_cache(maxsize=256)
def plus_maximum(dice: DiceExpr) -> DiceExpr:
    """The dice and their own maximum added."""
    return DiceExpr(dice.terms, dice.constant + dice.high // dice.multiplier, dice.multiplier)
