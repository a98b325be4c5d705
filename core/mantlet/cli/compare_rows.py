"""The rows of a comparison: which figures are shown, in which order, and where the rulesets differ."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

from mantlet.cli.figures import NOT_COUNTED, Figure, chance, mean
from mantlet.cli.words import word
from mantlet.game.effects import EFFECTS
from mantlet.game.outcome import ZONES
from mantlet.probability.comparison import EXPECTED, Odds

FIRST: Final = ("hit", "penetrated", "knocked_out", "destroyed", "crew_hit", "people_killed")
"""What people ask first."""
FAR_APART_POINTS: Final = 0.10
"""Chances that differ by so much are marked, and so are figures of which one is `FAR_APART_TIMES` the other."""
FAR_APART_TIMES: Final = 2.0


class Block(NamedTuple):
    """The odds of one question under each ruleset, in the order of the columns."""

    title: str
    results: Sequence[Odds]


class Cell(NamedTuple):
    """One figure as it is printed.

    `counted` is its value, None where there is none; `value` is that which is held against the other rulesets', None
    where units differ.
    """

    figure: Figure
    counted: float | None = None
    value: float | None = None
    standard_error: float | None = None


class Row(NamedTuple):
    """A figure under each ruleset, for each block."""

    name: str
    label: str
    blocks: tuple[tuple[Cell, ...], ...]

    @property
    def figures(self) -> list[Figure]:
        """As they are printed, block after block."""
        return [cell.figure for cells in self.blocks for cell in cells]

    @property
    def apart(self) -> bool:
        """Whether two rulesets are far apart, in either block."""
        return any(far_apart([cell.value for cell in cells], self.name in EXPECTED) for cells in self.blocks)

    @property
    def nothing(self) -> bool:
        """Whether the figure is exactly zero everywhere, or counted nowhere."""
        return not any(cell.counted or cell.standard_error for cells in self.blocks for cell in cells)


def rows_of(blocks: Sequence[Block], everything: bool) -> list[Row]:
    """The rows in their order.

    Unless everything is asked for, zones are left out, and what is zero everywhere, and what has the same figures as
    the row above it.
    """
    rest = [name for name in (*EFFECTS, *EXPECTED) if name not in FIRST]
    zones = [zone for zone in ZONES if any(zone in odds.locations for block in blocks for odds in block.results)]
    units = {odds.damage_unit for odds in blocks[0].results if odds.covers and odds.damage_unit}
    rows = [_row(name, blocks, units) for name in (*FIRST, *rest, *(zones if everything else ()))]
    if everything:
        return rows
    shown = [row for row in rows if row.name == "hit" or not row.nothing]
    return [next(alike) for _, alike in groupby(shown, lambda row: row.figures)]


def far_apart(values: Sequence[float | None], numbers: bool) -> bool:
    """Whether two of the values that there are differ by 10 points or a factor of two; numbers only by the factor.

    What differs by less than the last digit printed (0.1 points, 0.01) does not.
    """
    known = [value for value in values if value is not None]
    low, high = min(known, default=0), max(known, default=0)
    if high - low < (0.01 if numbers else 0.001):
        return False
    return high >= FAR_APART_TIMES * low or (not numbers and high - low >= FAR_APART_POINTS - 1e-9)


def short_heads(names: Sequence[str]) -> list[str]:
    """The rulesets' names, short ones (`facing` for `facing_armor`) where they are different."""
    short = [name.partition("_")[0] for name in names]
    return short if len(set(short)) == len(set(names)) else list(names)


def _row(name: str, blocks: Sequence[Block], units: set[str]) -> Row:
    alike = name != "damage" or len(units) < 2
    label = f"damage ({next(iter(units))})" if name == "damage" and len(units) == 1 else word(name)
    cells = tuple(tuple(_cell(name, odds, alike) for odds in block.results) for block in blocks)
    return Row(name, f"strikes {label}" if name in ZONES else label, cells)


def _cell(name: str, odds: Odds, comparable: bool) -> Cell:
    if not odds.covers or (name == "damage" and not odds.damage_unit):
        return Cell(Figure(NOT_COUNTED))
    error = odds.standard_error.get(name)
    if name in ZONES:
        value = odds.locations.get(name, 0)
        if name not in odds.locations:
            # A zone that no sample has shown has the error of something seen once; where zones are exact it has none.
            error = min((odds.standard_error[zone] for zone in ZONES if zone in odds.standard_error), default=None)
    else:
        value = odds.odds[name] if name in EFFECTS else odds.expected[name]
    figure = mean(value, error) if name in EXPECTED else chance(value, error)
    found = float(value)
    return Cell(figure, found, found if comparable else None, error)
