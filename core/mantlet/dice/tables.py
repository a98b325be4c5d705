"""Everything random is a table: a dice expression cut into bands, each with a value.

`Table` is what people print and roll on, `Check` a roll against a target number; both are cut into `Bands`, the
form every source of dice understands. Rule bodies never see bands.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import floor
from operator import truediv
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from mantlet.dice.notation import DiceExpr, as_dice
from mantlet.errors import RuleError, TableError

T = TypeVar("T", bound=Hashable)
T_co = TypeVar("T_co", bound=Hashable, covariant=True)
N = TypeVar("N", float, Fraction)
_Weighed: TypeAlias = tuple[tuple[T, ...], tuple[N, ...]]


def _span(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{low}-{high}" if min(low, high) >= 0 else f"{low} to {high}"


class Row(NamedTuple, Generic[T]):
    """One printed row: totals from `low` to `high` give `value`; `label` is what people read."""

    low: int
    high: int
    value: T
    label: str = ""

    @property
    def span(self) -> str:
        """The range as printed: `3-4`, `-4 to -2`, or `5` alone."""
        return _span(self.low, self.high)


class Modifier(NamedTuple):
    """One reason a target number or a roll is what it is."""

    value: float
    reason: str


@dataclass(eq=False)
class Bands(Generic[T_co]):
    """A random thing cut into bands: `values[i]` comes up when the total lies in the i-th band.

    `dice` is None for a plain chance, which has no dice of its own. `starts` holds the lowest total of each band.
    `ways` over `combinations` is the exact probability of each; a chance has `chance` given instead.
    """

    dice: DiceExpr | None
    starts: tuple[int, ...]
    values: tuple[T_co, ...]
    ways: tuple[int, ...]
    combinations: int
    labels: tuple[str, ...] | None = None
    target: Check[T_co] | None = None
    chance: float | Fraction | None = None

    def index(self, total: int) -> int:
        """The band a total falls into; totals outside belong to the first or last band."""
        return max(0, bisect_right(self.starts, total) - 1)

    @cached_property
    def merged(self) -> _Weighed[T_co, float]:
        """Distinct values that can come up, with their probabilities as floats."""
        return self._weighed(float, truediv)

    @cached_property
    def exact(self) -> _Weighed[T_co, Fraction]:
        """Distinct values that can come up, with their probabilities as fractions."""
        return self._weighed(Fraction, Fraction)

    @cached_property
    def cuts(self) -> tuple[tuple[T_co, ...], list[float]]:
        """Distinct values, and where in 0..1 each but the first begins: to draw one by a random number."""
        values, weights = self.merged
        return values, list(accumulate(weights))[:-1]

    def _weighed(self, number: Callable[[Any], N], share: Callable[[int, int], N]) -> _Weighed[T_co, N]:
        if self.chance is not None:
            p: Any = number(self.chance)
            pairs = [(value, weight) for value, weight in zip(self.values, (p, 1 - p)) if weight > 0]
            return tuple([value for value, _ in pairs]), tuple([weight for _, weight in pairs])
        # By type as well: a row's True must not come up as another row's 1.
        merged: dict[tuple[type, T_co], int] = {}
        for value, n in zip(self.values, self.ways):
            if n:
                key = (type(value), value)
                merged[key] = merged.get(key, 0) + n
        return tuple([value for _, value in merged]), tuple([share(n, self.combinations) for n in merged.values()])


@lru_cache(maxsize=4096)
def roll_bands(dice: DiceExpr | str) -> Bands[int]:
    """A roll is the table whose bands are single totals."""
    expression = as_dice(dice)
    if expression.cut is None:
        totals = tuple(total for total, _ in expression.ways)
        ways = tuple(n for _, n in expression.ways)
        expression.cut = Bands(expression, totals, totals, ways, expression.combinations)
    bands: Bands[int] = expression.cut
    return bands


M = TypeVar("M", bound=Callable[..., Any])


def rising(meaning: M) -> M:
    """Mark a meaning for `Dice.read` of which a higher total never means less.

    All totals between two that mean the same mean it too: odds need not look at each of them. A mark that is wrong is
    found out where a total looked at in between means something else, and raises RuleError.
    """
    meaning.rising = True  # type: ignore[attr-defined]
    return meaning


def read_bands(dice: DiceExpr, meaning: Callable[..., T], given: tuple[Hashable, ...]) -> Bands[T]:
    """A roll cut by what its totals mean, `meaning(total, *given)`: totals that mean the same are one value."""
    if getattr(meaning, "rising", False):
        return _rising_bands(dice, meaning, given)
    totals = tuple([total for total, _ in dice.ways])
    values = tuple([meaning(total, *given) for total in totals])
    return Bands(dice, totals, values, tuple([n for _, n in dice.ways]), dice.combinations)


def _rising_bands(dice: DiceExpr, meaning: Callable[..., T], given: tuple[Hashable, ...]) -> Bands[T]:
    """The same, one band a meaning: a span whose ends mean the same is not cut further; its middle is looked at.

    Raises RuleError where the middle means something else, or a meaning comes back.
    """
    totals = range(dice.low, dice.high + 1, dice.multiplier)
    starts, values = [dice.low], [meaning(dice.low, *given)]
    # Spans still to be cut, the lowest on top: each with its ends and what its last total means.
    waiting: list[tuple[int, int, T]] = []
    if len(totals) > 1:
        waiting.append((0, len(totals) - 1, meaning(dice.high, *given)))
    while waiting:
        first, last, after = waiting.pop()
        same = after == values[-1]
        if last - first > 1:
            middle = (first + last) // 2
            value = meaning(totals[middle], *given)
            if not same:
                waiting += (middle, last, after), (first, middle, value)
            elif value != after:
                raise _not_rising(meaning, totals[middle])
        elif not same:
            starts.append(totals[last])
            values.append(after)
    if len(set(values)) < len(values):
        raise _not_rising(meaning, next(start for at, start in enumerate(starts) if values[at] in values[:at]))
    return Bands(dice, tuple(starts), tuple(values), _ways_from(dice, starts), dice.combinations)


def _ways_from(dice: DiceExpr, starts: Sequence[int]) -> tuple[int, ...]:
    """In how many ways a total comes up in each band, given where the bands start."""
    below = [0, *(dice.ways_up_to(start - 1) for start in starts[1:]), dice.combinations]
    return tuple([above - under for under, above in pairwise(below)])


def _not_rising(meaning: Callable[..., Any], total: int) -> RuleError:
    name = getattr(meaning, "__qualname__", repr(meaning))
    return RuleError(f"{name} is marked as rising and is not: what it makes of {total} lies between equal meanings.")


@lru_cache(maxsize=4096)
def chance_bands(probability: float | Fraction) -> Bands[bool]:
    """A chance is the table with two bands. Raises RuleError outside 0..1."""
    if not 0 <= probability <= 1:
        raise RuleError(f"A chance lies between 0 and 1, not {probability!r}.")
    return Bands(None, (0, 1), (True, False), (), 0, chance=probability)


@lru_cache(maxsize=4096)
def share_bands(favorable: int, all_: int) -> Bands[bool]:
    """The bands of the chance `favorable` in `all_`."""
    return chance_bands(Fraction(favorable, all_))


class Table(Generic[T]):
    """A printed table: rows of totals of a dice expression, checked when made.

    Raises TableError naming all totals, with their probability, where rows leave a gap, overlap, or lie out of reach,
    and for a bound that is no whole number.
    A roll may carry a modifier; totals beyond the printed rows then count as the first or last row, totals between
    two rows (only where the dice skip numbers) as the lower one.
    """

    def __init__(self, name: str, dice: DiceExpr | str, rows: Iterable[Row[T]], title: str = "") -> None:
        self.name = name
        self.dice = as_dice(dice)
        self.rows: tuple[Row[T], ...] = tuple(rows)
        for row in self.rows:
            _check_bounds(name, row.low, row.high)
        self.title = title or name
        self._ordered = tuple(sorted(self.rows, key=lambda row: row.low))
        self._check()
        self.plain = self._cut(0)
        """The table cut into bands for a roll without a modifier."""
        self._shifted: dict[int, Bands[T]] = {0: self.plain}

    def __repr__(self) -> str:
        return f"Table({self.name!r}, {str(self.dice)!r}, {len(self.rows)} rows)"

    def bands(self, modifier: int = 0) -> Bands[T]:
        """The table cut into bands for a roll with this modifier."""
        bands = self._shifted.get(modifier)
        if bands is None:
            bands = self._shifted[modifier] = self._cut(modifier)
        return bands

    def probabilities(self, modifier: int = 0) -> tuple[Fraction, ...]:
        """The exact probability of each row, in printed order."""
        bands = self.bands(modifier)
        by_low = {row.low: Fraction(n, bands.combinations) for row, n in zip(self._ordered, bands.ways)}
        return tuple(by_low[row.low] for row in self.rows)

    def row_for(self, total: int) -> Row[T]:
        """The row a total (modifier included) falls into."""
        return self._ordered[max(0, bisect_right(self._ordered, total, key=lambda row: row.low) - 1)]

    def _cut(self, modifier: int) -> Bands[T]:
        starts = tuple([row.low - modifier for row in self._ordered])
        labels = tuple([f"{row.span} {row.label or row.value}" for row in self._ordered])
        values = tuple([row.value for row in self._ordered])
        return Bands(self.dice, starts, values, _ways_from(self.dice, starts), self.dice.combinations, labels)

    def _check(self) -> None:
        if not self.rows:
            raise TableError(f"Table {self.name} has no rows.")
        faults = [*self._rows_at_fault(), *self._overlaps(), *self._gaps()]
        if faults:
            raise TableError(f"Table {self.name}: {'; '.join(faults)}.")

    def _rows_at_fault(self) -> Iterator[str]:
        reach = f"out of reach of {self.dice} ({self.dice.low} to {self.dice.high}): probability 0"
        for row in self.rows:
            if row.low > row.high:
                yield f"row {_span(row.low, row.high)} ends before it begins"
            elif not self._reached(row.low, row.high):
                yield f"row {row.span} is {reach}"
            elif beyond := self._beyond(row):
                yield f"{beyond} of row {row.span} is {reach}"

    def _overlaps(self) -> Iterator[str]:
        for at, row in enumerate(self._ordered):
            for following in self._ordered[at + 1 :]:
                if following.low > row.high:
                    break
                last = min(row.high, following.high)
                shared = self._reached(following.low, last) or [following.low]
                yield f"rows {row.span} and {following.span} overlap at {_spans(shared)} ({self._chance(shared)})"

    def _gaps(self) -> Iterator[str]:
        covered = {total for row in self.rows for total in self._reached(row.low, row.high)}
        missing = [total for total, _ in self.dice.ways if total not in covered]
        if missing:
            yield f"no row for {_spans(missing)} ({self._chance(missing)})"

    def _beyond(self, row: Row[T]) -> str:
        """The part of a row that the dice can never show; empty where there is none.

        Dice that skip numbers reach the ones skipped: 1-10 is a row of 1d6x10.
        """
        low, high = self.dice.low - (self.dice.multiplier - 1), self.dice.high + (self.dice.multiplier - 1)
        ends = [(row.low, low - 1), (high + 1, row.high)]
        return " and ".join(Row(first, last, None).span for first, last in ends if first <= last)

    def _reached(self, low: int, high: int) -> list[int]:
        """The totals from low to high that the dice can show."""
        ways = self.dice.ways
        first, last = (bisect_left(ways, (total,)) for total in (low, high + 1))
        return [total for total, _ in ways[first:last]]

    def _chance(self, totals: Sequence[int]) -> str:
        ways = dict(self.dice.ways)
        p = Fraction(sum(ways.get(t, 0) for t in totals), self.dice.combinations)
        return f"probability {p}, {float(p):.1%}"


def _spans(totals: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for total in totals:
        if runs and total == runs[-1][-1] + 1:
            runs[-1].append(total)
        else:
            runs.append([total])
    return ", ".join(_span(run[0], run[-1]) for run in runs)


def table_from(
    name: str,
    data: Mapping[str, object],
    value: Callable[[Mapping[str, object]], T],
    label: Callable[[Mapping[str, object]], str] | None = None,
) -> Table[T]:
    """Build a table from a data file's `{dice, title, rows: [{low, high, ...}]}`.

    `value` makes a row's value from the row's other keys. `00` needs no care: write 100. Raises TableError.
    """
    rows = data.get("rows")
    if not isinstance(rows, Sequence) or not all(
        isinstance(row, Mapping) and {"low", "high"} <= row.keys() for row in rows
    ):
        raise TableError(f"Table {name}: `rows` has to be a list of rows, each with low and high.")
    dice = data.get("dice")
    if not isinstance(dice, str):
        found = "is missing" if dice is None else f"is {dice!r}"
        raise TableError(f'Table {name}: `dice` {found}; expected a text such as "1d100".')
    for row in rows:
        _check_bounds(name, row["low"], row["high"])
    return Table(
        name,
        dice,
        (Row(row["low"], row["high"], value(row), label(row) if label else "") for row in rows),
        str(data.get("title", "")),
    )


def _check_bounds(name: str, low: object, high: object) -> None:
    """Raises TableError for bounds of a row that are no whole numbers: nothing is rounded or taken for a number."""
    for end, bound in (("low", low), ("high", high)):
        if not isinstance(bound, int) or isinstance(bound, bool):
            raise TableError(
                f"Table {name}: {end} of the row from {low!r} to {high!r} has to be a whole number, not {bound!r}."
            )


class Check(Generic[T_co]):
    """A roll cut into grades: `grades` lists (highest total, value); the first that is not exceeded is the one.

    The last takes all that is left. A grade whose highest total is below that of one before it never comes up: so a
    rule can list a grade that goes before others (4 or less is critical at skill 3, too). Raises TableError where
    there is no grade.

    `target` is the number to roll, `modifiers` the reasons that make it up; both are for the account alone.
    """

    def __init__(
        self,
        dice: DiceExpr | str,
        grades: Sequence[tuple[int, T_co]],
        target: float | None = None,
        modifiers: tuple[Modifier, ...] = (),
    ) -> None:
        self.dice = as_dice(dice)
        self.grades = tuple(grades)
        if not self.grades:
            raise TableError(f"A check on {self.dice} needs at least one grade.")
        self.target = target
        self.modifiers = modifiers
        self.bands = self._cut()
        """The check cut into bands; grades that no total reaches are left out."""

    def _cut(self) -> Bands[T_co]:
        starts: list[int] = []
        values: list[T_co] = []
        ways: list[int] = []
        low, used = self.dice.low, 0
        last = len(self.grades) - 1
        for i, (high, value) in enumerate(self.grades):
            up_to = self.dice.combinations if i == last else self.dice.ways_up_to(high)
            if up_to <= used:
                continue  # no total is left for this grade
            if values and values[-1] == value and type(values[-1]) is type(value):
                ways[-1] += up_to - used
            else:
                starts.append(low)
                values.append(value)
                ways.append(up_to - used)
            if up_to == self.dice.combinations:
                break
            low, used = floor(high) + 1, up_to
        return Bands(self.dice, tuple(starts), tuple(values), tuple(ways), self.dice.combinations, target=self)


@lru_cache(maxsize=4096)
def under(dice: str, target: int, modifiers: tuple[Modifier, ...] = ()) -> Check[bool]:
    """A plain check: True when the total is at most `target`."""
    return Check(dice, ((target, True), (10**9, False)), target, modifiers)
