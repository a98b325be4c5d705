"""Arithmetic of rolls: halves and shares of damage, dice rolled several times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mantlet import Check, DiceExpr, Modifier, under


def skill_roll(reasons: Sequence[Modifier]) -> Check[bool]:
    """A roll under what these come to: a skill, a characteristic or Luck, and what changes it."""
    return under("1d100", int(sum(m.value for m in reasons)), tuple(reasons))


def percent_of(characteristic: int) -> int:
    """The chance in percent of a roll under a characteristic: Luck is that of POW."""
    return characteristic * 5


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
    return DiceExpr(dice.terms, dice.constant + dice.high, dice.multiplier)
