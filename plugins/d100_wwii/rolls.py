"""Rolls cut to what they are asked for: damage by what it leaves of somebody, halves, and doubled dice."""

from __future__ import annotations

from functools import lru_cache

from mantlet import DiceExpr, Row, Table

DRIVE_DIE = "1d100"


def half(value: int, round_up: bool = True) -> int:
    """Half of a damage or armor value; the one place where halves are rounded (A10)."""
    return (value + 1) // 2 if round_up else value // 2


def share(value: int, part: float, round_up: bool = True) -> int:
    """A fraction of a damage value, rounded as halves are."""
    exact = value * part
    low = int(exact)
    return low + 1 if round_up and exact > low else low


@lru_cache(maxsize=256)
def times(dice: DiceExpr, count: int) -> DiceExpr:
    """The dice rolled `count` times and added."""
    return DiceExpr(tuple((n * count, sides) for n, sides in dice.terms), dice.constant * count, dice.multiplier)


@lru_cache(maxsize=256)
def plus_maximum(dice: DiceExpr) -> DiceExpr:
    """The dice and their own maximum added."""
    return DiceExpr(dice.terms, dice.constant + dice.high // dice.multiplier, dice.multiplier)


@lru_cache(maxsize=4096)
def left_after(dice: DiceExpr, hp: int, armor: int = 0, halved: bool = False, round_up: bool = True) -> Table[int]:
    """A damage roll as the hit points it leaves somebody: rows of equal consequence are one band."""
    rows: list[Row[int]] = []
    for total, _ in dice.ways:
        damage = half(total, round_up) if halved else total
        left = min(hp, max(0, hp - max(0, damage - armor)))
        if rows and rows[-1].value == left:
            rows[-1] = rows[-1]._replace(high=total)
        else:
            rows.append(Row(total, total, left, f"leaves {left}"))
    return Table(f"{dice} against {hp}", dice, rows)


@lru_cache(maxsize=1024)
def up_to(dice: DiceExpr, most: int) -> Table[int]:
    """A damage roll where more than `most` makes no difference."""
    rows: list[Row[int]] = []
    for total, _ in dice.ways:
        value = min(total, most)
        if rows and rows[-1].value == value:
            rows[-1] = rows[-1]._replace(high=total, label=f"{value} or more")
        else:
            rows.append(Row(total, total, value, str(value)))
    return Table(f"{dice} up to {most}", dice, rows)


@lru_cache(maxsize=1024)
def beaten(dice: DiceExpr, armor: int, halved: bool) -> Table[int]:
    """A damage roll as what gets through this armor; what does not is one band."""
    rows: list[Row[int]] = []
    for total, _ in dice.ways:
        through = max(0, (half(total) if halved else total) - armor)
        if rows and rows[-1].value == through:
            rows[-1] = rows[-1]._replace(high=total)
        else:
            rows.append(Row(total, total, through, f"less armor {armor}: {through} through"))
    return Table(f"{dice} through {armor}", dice, rows)
