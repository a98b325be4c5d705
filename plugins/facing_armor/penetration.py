"""F7, F8, F9: penetration at range, the chance that it suffices, and what a failure is."""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import cache, lru_cache
from typing import Final, NamedTuple

from facing_armor.armor import effective_mm
from facing_armor.design import between, design
from facing_armor.options import SlopeModel, TableChoice
from mantlet import Ammunition, Derived, PenetrationTable

_ANGLES: Final = {"0_degrees": 0.0, "30_degrees": 30.0}


class Reading(NamedTuple):
    """Penetration in mm at a range, and in words how it was read off the table."""

    mm: float
    how: str


class Curve:
    """One penetration table of a round, turned to the normal: ranges in m, penetration in mm against an upright plate.

    `table` is the published one. `note` says which it is, its angle and criterion, and how it was turned; `derived`
    holds the turning.
    """

    __slots__ = ("constant", "decay_per_m", "derived", "mm", "note", "ranges", "table")

    def __init__(
        self,
        ammunition: Ammunition,
        table: PenetrationTable,
        model: SlopeModel,
        caliber_mm: float,
        choice: TableChoice = "default",
    ) -> None:
        self.table = table
        self.ranges = table.range_m
        if table.angle_deg:
            # A plate as thick as the table says, at the table's angle, is just beaten: that plate's effective armor.
            self.mm = tuple(
                [effective_mm(model, ammunition.kind, mm, table.angle_deg, caliber_mm) for mm in table.penetration_mm]
            )
        else:
            self.mm = table.penetration_mm
        self.derived = _turned(table, model, self.mm[0])
        self.constant = ammunition.kind == "HEAT"
        self.decay_per_m = self._decay()
        self.note = _describe(ammunition, table, model, choice)

    def _decay(self) -> float:
        if len(self.mm) == 1:
            return design().penetration.decay_per_km / 1000.0
        before, last = self.mm[-2], self.mm[-1]
        if last <= 0:
            return 0.0
        return math.log(before / last) / (self.ranges[-1] - self.ranges[-2])

    def at(self, range_m: float) -> float:
        """F7: penetration in mm. Linear between two ranges, constant below the first, and beyond the last falling at
        the rate of the last two, so never negative; HEAT does not fall."""
        ranges, mm = self.ranges, self.mm
        if self.constant or range_m <= ranges[0]:
            return mm[0]
        if range_m >= ranges[-1]:
            return mm[-1] * math.exp(-self.decay_per_m * (range_m - ranges[-1]))
        return between(range_m, ranges, mm)

    def how(self, range_m: float) -> str:
        """How the figure at this range comes about, in words."""
        ranges, mm = self.ranges, self.mm
        if self.constant:
            return "hollow charge, the same at every range"
        if range_m < ranges[0]:
            return f"as at {ranges[0]:g} m, the table's first range"
        if range_m > ranges[-1]:
            return f"beyond the table: {mm[-1]:.1f} mm at {ranges[-1]:g} m, falling on at the rate of its end"
        if range_m in ranges:
            return f"the table at {range_m:g} m"
        i = bisect_right(ranges, range_m)
        return f"between {mm[i - 1]:.1f} mm at {ranges[i - 1]:g} m and {mm[i]:.1f} mm at {ranges[i]:g} m"

    def read(self, range_m: float) -> Reading:
        """Penetration at a range with its explanation."""
        return Reading(self.at(range_m), self.how(range_m))


@lru_cache(maxsize=1024)
def curve(ammunition: Ammunition, choice: TableChoice, model: SlopeModel, caliber_mm: float) -> Curve | None:
    """The curve of a round under these options; None for a round without any penetration data."""
    table = choose_table(ammunition, choice)
    return None if table is None else Curve(ammunition, table, model, caliber_mm, choice)


def choose_table(ammunition: Ammunition, choice: TableChoice) -> PenetrationTable | None:
    """One table, never a mixture: the default, or the first at the wanted angle against homogeneous plate."""
    if choice != "default":
        fitting = [t for t in ammunition.penetration if t.angle_deg == _ANGLES[choice]]
        fitting.sort(key=lambda t: (t.plate == "FHA", -len(t.range_m)))
        if fitting:
            return fitting[0]
    return ammunition.default_table


def _turned(table: PenetrationTable, model: SlopeModel, mm: float) -> tuple[Derived, ...]:
    """What was derived from a table that is not at the normal, by its first range."""
    if not table.angle_deg:
        return ()
    formula = "a plate of the table's mm at the table's angle is just beaten, so its effective armor is the figure at 0"
    inputs = {
        "table_mm": table.penetration_mm[0],
        "range_m": table.range_m[0],
        "angle_deg": table.angle_deg,
        "slope_model": model,
    }
    return (Derived("penetration_at_normal_mm", mm, formula, inputs),)


def _describe(ammunition: Ammunition, table: PenetrationTable, model: SlopeModel, choice: TableChoice) -> str:
    text = (
        f"Penetration of {ammunition.id}: table at {table.angle_deg:g} degrees against {table.plate} plate, "
        f"criterion {table.criterion}, source {table.source} ({table.confidence})"
    )
    if table.angle_deg:
        how = f"divided by cos {table.angle_deg:g}" if model == "cosine" else "times the slope multiplier at that angle"
        text += f"; turned to the normal: {how}"
    if choice != "default" and table.angle_deg != _ANGLES[choice]:
        text += f"; it has no table at {_ANGLES[choice]:g} degrees"
    return text + "."


def chance(penetration_mm: float, effective: float) -> float:
    """F8: the chance that this penetration beats this effective armor, both in mm.

    Logistic in the margin over the effective armor: 0.5 at equality. Beyond `certain_margin` it is 0 or 1.
    """
    numbers = design().penetration
    if effective <= 0.0:
        return 1.0  # nothing is in the way
    if effective == math.inf:
        return 0.0
    ratio = penetration_mm / effective - 1.0
    if ratio >= numbers.certain_margin:
        return 1.0
    if ratio <= -numbers.certain_margin:
        return 0.0
    return 1.0 / (1.0 + math.exp(-numbers.steepness * ratio))


def beaten_mm(penetration_mm: float, probability: float) -> float:
    """The thickest upright plate in mm that is beaten with this chance: `chance` solved for the armor by halving."""
    low, high = 0.0, penetration_mm
    while high and chance(penetration_mm, high) >= probability:
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if chance(penetration_mm, middle) >= probability else (low, middle)
    return low


@cache
def _near_thing() -> float:
    return design().penetration.near_thing


def failure(kind: str, penetration_mm: float, effective: float) -> str:
    """F9: `shatter` for an APCBC round where the margin was a near thing, else `ricochet`."""
    if kind == "APCBC" and abs(penetration_mm - effective) <= _near_thing() * effective:
        return "shatter"
    return "ricochet"
