"""F7, F8, F9: penetration at range and angle, the chance that it suffices, and what a failure is."""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import cache, lru_cache
from typing import Final, NamedTuple

from facing_armor.armor import SECANT_KINDS, effective_mm
from facing_armor.design import between, design
from facing_armor.options import SlopeModel, TableChoice
from mantlet import Ammunition, Derived, PenetrationTable

_ANGLES: Final = {"0_degrees": 0.0, "30_degrees": 30.0}


UNSTATED: Final = "unstated"
"""The criterion of a table that names none: it is the same as no other, not even as another unstated one."""


class Curve:
    """One penetration table of a round, turned to the normal: ranges in m, penetration in mm along the line of fire.

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
        """Penetration in mm. Linear between two ranges, constant below the first, and beyond the last falling at
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


class Step(NamedTuple):
    """A table of a round at an angle: it alone counts from `angle_deg` on, and begins to count at `begins_deg`."""

    angle_deg: float
    begins_deg: float
    curve: Curve


class Penetration:
    """What a round penetrates at a range and a combined angle, always as armor along the line of fire.

    `steps` are its tables by rising angle, one where the slope model or the catalog has no more. `note` names every
    table with angle, plate, criterion and source; `derived` holds what was turned to the normal.
    """

    __slots__ = ("derived", "note", "steps")

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self.steps = steps
        self.derived = steps[0].curve.derived if len(steps) == 1 else ()
        self.note = _told(steps)

    def at(self, range_m: float, angle_deg: float = 0.0) -> float:
        """F7: penetration in mm along the line of fire, to be held against thickness over cosine (F5).

        Between where a table begins to count and its own angle it is blended, linear in the angle, with the table
        below; beyond the last angle the last table goes on with the source's cosine.
        """
        above = self._above(angle_deg)
        mm = self._step_mm(above, range_m)
        part = self._part(above, angle_deg)
        return mm if part >= 1.0 else self._step_mm(above - 1, range_m) * (1.0 - part) + mm * part

    def how(self, range_m: float, angle_deg: float = 0.0) -> str:
        """How the figure at this range and angle comes about, in words."""
        above = self._above(angle_deg)
        part = self._part(above, angle_deg)
        step = self.steps[above]
        if part < 1.0:
            below = self.steps[above - 1]
            return (
                f"at {angle_deg:.1f} degrees between {self._step_mm(above - 1, range_m):.1f} mm by the table at "
                f"{below.angle_deg:g} degrees and {self._step_mm(above, range_m):.1f} mm by that at "
                f"{step.angle_deg:g} degrees"
            )
        words = (
            step.curve.how(range_m)
            if above == 0 or self._inside(above, range_m) == range_m
            else (
                f"{step.curve.how(self._inside(above, range_m))}, and from there in the ratio of the table at "
                f"{self.steps[above - 1].angle_deg:g} degrees"
            )
        )
        return words if len(self.steps) == 1 else f"by the table at {step.angle_deg:g} degrees, {words}"

    def _above(self, angle_deg: float) -> int:
        """The steepest table that counts at this angle."""
        return max((i for i, step in enumerate(self.steps) if step.begins_deg < angle_deg - 1e-9), default=0)

    def _part(self, above: int, angle_deg: float) -> float:
        """The share of this table beside the one below it."""
        step = self.steps[above]
        if above == 0 or angle_deg >= step.angle_deg:
            return 1.0
        return (angle_deg - step.begins_deg) / (step.angle_deg - step.begins_deg)

    def _step_mm(self, i: int, range_m: float) -> float:
        """A table's figure. Outside its own ranges a steeper one falls and rises as the table below it does, and it
        counts only up to a share of that one: an oblique shot does not do better than a straight one."""
        curve = self.steps[i].curve
        if i == 0:
            return curve.at(range_m)
        inside = self._inside(i, range_m)
        below = self._step_mm(i - 1, inside)
        if below <= 0:
            return 0.0
        share = min(curve.at(inside) / below, design().penetration.steeper_table_most)
        return share * self._step_mm(i - 1, range_m)

    def _inside(self, i: int, range_m: float) -> float:
        ranges = self.steps[i].curve.ranges
        return min(max(range_m, ranges[0]), ranges[-1])


@lru_cache(maxsize=1024)
def penetration_of(
    ammunition: Ammunition, choice: TableChoice, model: SlopeModel, caliber_mm: float
) -> Penetration | None:
    """What a round penetrates under these options; None for a round without any penetration data.

    Tables of two angles are used together under the model `tables` alone, and never for rounds that follow the line of
    sight.
    """
    table = choose_table(ammunition, choice)
    if table is None:
        return None
    base = Curve(ammunition, table, model, caliber_mm, choice)
    if model != "tables" or choice != "default" or ammunition.kind in SECANT_KINDS:
        return Penetration((Step(table.angle_deg, 0.0, base),))
    steps: list[Step] = []
    for each in sorted([table, *_at_other_angles(ammunition, table)], key=lambda t: t.angle_deg):
        curve = base if each is table else Curve(ammunition, each, model, caliber_mm)
        if not steps:
            steps.append(Step(each.angle_deg, 0.0, curve))
        else:
            below = steps[-1]
            alike = each.criterion == below.curve.table.criterion != UNSTATED
            begins = below.angle_deg if alike else max(below.angle_deg, each.angle_deg / 2.0)
            steps.append(Step(each.angle_deg, begins, curve))
    return Penetration(tuple(steps))


def choose_table(ammunition: Ammunition, choice: TableChoice) -> PenetrationTable | None:
    """The table that everything begins with: the default, or the best at the wanted angle."""
    if choice != "default":
        fitting = [t for t in ammunition.penetration if t.angle_deg == _ANGLES[choice]]
        if fitting:
            return min(fitting, key=_worth)
    return ammunition.default_table


def _worth(table: PenetrationTable) -> tuple[bool, bool, int]:
    """The best table of an angle is the least: homogeneous plate, a stated criterion, many ranges."""
    return (table.plate == "FHA", table.criterion == UNSTATED, -len(table.range_m))


def _at_other_angles(ammunition: Ammunition, base: PenetrationTable) -> list[PenetrationTable]:
    """The best table at each other angle, against the same plate. One below the base's angle needs several ranges: how
    it falls with range would otherwise be a guess."""
    found: dict[float, PenetrationTable] = {}
    for table in sorted(ammunition.penetration, key=_worth):
        guess = table.angle_deg < base.angle_deg and len(table.range_m) == 1
        if table.plate == base.plate and table.angle_deg != base.angle_deg and not guess:
            found.setdefault(table.angle_deg, table)
    return list(found.values())


def _told(steps: tuple[Step, ...]) -> str:
    """The tables in words."""
    text = steps[0].curve.note
    if len(steps) > 1:
        text = text.removesuffix(".")
        for step in steps[1:]:
            text += f", up to {step.begins_deg:g} degrees; from {step.angle_deg:g} degrees the table "
            text += _named(step.curve.table)
        text += "; between them blended, beyond them by the cosine."
    return text


def _named(table: PenetrationTable) -> str:
    return (
        f"at {table.angle_deg:g} degrees against {table.plate} plate, criterion {table.criterion}, "
        f"source {table.source} ({table.confidence})"
    )


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
    text = f"Penetration of {ammunition.id}: table {_named(table)}"
    if table.angle_deg:
        by_multiplier = model == "multiplier"
        how = "times the slope multiplier at that angle" if by_multiplier else f"divided by cos {table.angle_deg:g}"
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
