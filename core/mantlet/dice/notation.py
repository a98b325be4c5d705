"""Dice notation as people type it, and the exact distribution of a total.

`4d6+4`, `3d` (three six-sided dice), `3d-1`, `d%`, `D100`, `1d6+1d4+2`; `2d6x3` and `6dx10` multiply the total.
Upper case, blanks, the Unicode minus and the multiplication sign are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

from mantlet.errors import DiceSyntaxError

MAX_DICE = 200
MAX_SIDES = 1000
MAX_CONSTANT = 1_000_000
MAX_MULTIPLIER = 10_000
MAX_SPAN = 20_000
"""The largest number of different totals an expression may have before it is multiplied."""
MANY_DICE = 12
"""More dice of a kind than this are convolved all at once."""

_TERM = re.compile(r"\s*(?P<sign>\+|(?P<minus>[-−–]))?\s*(?P<count>\d+)?\s*(?:(?P<d>[dD])\s*(?P<sides>\d+|%)?)?\s*")
_TIMES = re.compile(r"[xX×*]\s*(?P<count>\d+)?\s*")
_STRANGER = re.compile(r"[^\s\ddD%+\-−–xX×*]")


class DiceExpr:
    """A sum of dice and a constant, times a multiplier. Immutable; equal expressions are equal and hash alike.

    Attributes: `terms` pairs (count, sides), a negative count subtracts; `constant`; `multiplier`; `low` and `high`,
    the smallest and largest total.
    """

    def __init__(self, terms: tuple[tuple[int, int], ...], constant: int = 0, multiplier: int = 1) -> None:
        self.terms = terms
        self.constant = constant
        self.multiplier = multiplier
        self._key = (terms, constant, multiplier)
        self._hash = hash(self._key)
        low = sum(count if count > 0 else count * sides for count, sides in terms) + constant
        high = sum(count * sides if count > 0 else count for count, sides in terms) + constant
        self.low = low * multiplier
        self.high = high * multiplier
        self.cut: Any = None
        """The roll cut into bands, kept here by `roll_bands`: a lookup by hash would cost more than it saves."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiceExpr) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"DiceExpr({str(self)!r})"

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        parts = []
        for count, sides in self.terms:
            die = f"{abs(count)}d{sides}"
            parts.append(("-" if count < 0 else "+") + die)
        if self.constant or not parts:
            parts.append(f"{self.constant:+d}")
        text = "".join(parts).removeprefix("+")
        return text if self.multiplier == 1 else f"{text}x{self.multiplier}"

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """The sides of every single die, in order: `2d6+1d4` has faces (6, 6, 4)."""
        return tuple(sides for count, sides in self.terms for _ in range(abs(count)))

    def total(self, faces: tuple[int, ...] | list[int]) -> int:
        """The total for the faces shown, one a die in the order of `faces`."""
        result, at = self.constant, 0
        for count, _ in self.terms:
            shown = sum(faces[at : at + abs(count)])
            at += abs(count)
            result += shown if count > 0 else -shown
        return result * self.multiplier

    @cached_property
    def ways(self) -> tuple[tuple[int, int], ...]:
        """Every total with the number of ways to roll it, lowest first; the ways sum to `combinations`."""
        counts = [1]
        for count, sides in self.terms:
            counts = _add_dice(counts, abs(count), sides)
        # Every die is symmetric, so subtracting one only shifts where the totals begin.
        low = self.low // self.multiplier
        return tuple(((low + i) * self.multiplier, n) for i, n in enumerate(counts))

    @cached_property
    def _cumulative(self) -> tuple[int, ...]:
        return (0, *accumulate(n for _, n in self.ways))

    def ways_up_to(self, total: float) -> int:
        """The number of ways to come to at most this total."""
        if total >= self.high:
            return self.combinations
        return self._cumulative[max(0, int((total - self.low) // self.multiplier) + 1)]

    def can_total(self, total: int) -> bool:
        """Whether the dice can come to this total."""
        return self.low <= total <= self.high and (total - self.low) % self.multiplier == 0

    @property
    def range_text(self) -> str:
        """The totals in words: `2 to 12`, `6 to 36 in steps of 3`."""
        steps = f" in steps of {self.multiplier}" if self.multiplier > 1 else ""
        return f"{self.low} to {self.high}{steps}"

    @cached_property
    def combinations(self) -> int:
        """The number of equally likely throws."""
        product = 1
        for count, sides in self.terms:
            product *= sides ** abs(count)
        return product

    @property
    def mean(self) -> float:
        """The expected total."""
        dice = sum(count * (sides + 1) / 2 for count, sides in self.terms)
        return (dice + self.constant) * self.multiplier


def _add_dice(counts: list[int], count: int, sides: int) -> list[int]:
    """Convolve a list of ways with many dice of a kind.

    A few are added one by one. Many go as the power of one large number, whose digits are the ways of one die: each
    digit is wide enough for the ways of all dice together, so that no carry ever passes from one to the next.
    """
    if count <= MANY_DICE:
        for _ in range(count):
            counts = _add_die(counts, sides)
        return counts
    width = ((sum(counts) * sides**count).bit_length() + 7) // 8
    one_die = int.from_bytes(b"".join([(1).to_bytes(width, "little")] * sides), "little")
    known = int.from_bytes(b"".join([ways.to_bytes(width, "little") for ways in counts]), "little")
    length = len(counts) + count * (sides - 1)
    digits = (known * one_die**count).to_bytes(width * length, "little")
    return [int.from_bytes(digits[i : i + width], "little") for i in range(0, width * length, width)]


def _add_die(counts: list[int], sides: int) -> list[int]:
    """Convolve a list of ways with one die by a running sum, so the cost does not grow with the sides."""
    sums = list(accumulate(counts + [0] * (sides - 1)))
    return [total - passed for total, passed in zip(sums, [0] * sides + sums)]


@lru_cache(maxsize=4096)
def parse_dice(text: str) -> DiceExpr:
    """Read a dice expression.

    Raises DiceSyntaxError, pointing at the character, for anything that is not one or is over the limits.
    """
    stranger = _STRANGER.search(text)
    if stranger:
        said = f"{stranger.group()!r} does not belong in a dice expression such as 2d6+4."
        raise DiceSyntaxError(text, stranger.start(), said)
    if not text.strip():
        raise DiceSyntaxError(text, len(text), "A dice expression is missing, such as 2d6+4.")
    terms: list[tuple[int, int]] = []
    constant = dice = at = 0
    for found in _terms(text):
        sign = -1 if found["minus"] else 1
        count = _number(found, "count", MAX_CONSTANT, "A number") if found["count"] else None
        if found["d"]:
            count = 1 if count is None else count
            dice += count
            if count == 0:
                raise DiceSyntaxError(text, found.start("count"), "At least one die has to be rolled.")
            if dice > MAX_DICE:
                at = found.start("count") if found["count"] else found.start("d")
                raise DiceSyntaxError(text, at, f"An expression is limited to {MAX_DICE} dice.")
            terms.append((sign * count, _sides(found)))
        elif count is not None:
            constant += sign * count
        else:
            raise DiceSyntaxError(text, found.end(), "Expected a number or dice here, such as 2d6.")
        at = found.end()
    multiplier = 1
    times = _TIMES.match(text, at)
    if times:
        if not times["count"]:
            raise DiceSyntaxError(text, times.end(), "Expected the number to multiply the total by, as in 2d6x3.")
        multiplier = _number(times, "count", MAX_MULTIPLIER, "The multiplier")
        if multiplier == 0:
            raise DiceSyntaxError(text, times.start("count"), "The multiplier has to be at least 1.")
        at = times.end()
    if at < len(text):
        said = "The expression should have ended here; write dice as 2d6+4 or 2d6x3."
        raise DiceSyntaxError(text, at, said)
    if sum(abs(count) * (sides - 1) for count, sides in terms) > MAX_SPAN:
        raise DiceSyntaxError(text, 0, f"An expression is limited to {MAX_SPAN} different totals.")
    return DiceExpr(tuple(terms), constant, multiplier)


def _terms(text: str) -> Iterator[re.Match[str]]:
    """The terms one after the other: all but the first begin with a sign."""
    found = _TERM.match(text)
    while found and (found["sign"] or found.start() == 0):
        yield found
        found = _TERM.match(text, found.end())


def _sides(found: re.Match[str]) -> int:
    if found["sides"] is None:
        return 6  # `3d` is three six-sided dice
    if found["sides"] == "%":
        return 100
    sides = _number(found, "sides", MAX_SIDES, "The number of sides")
    if sides == 0:
        raise DiceSyntaxError(found.string, found.start("sides"), "A die has at least one side.")
    return sides


def _number(found: re.Match[str], part: str, limit: int, what: str) -> int:
    digits = found[part]
    value = int(digits) if len(digits) <= 12 else limit + 1
    if value > limit:
        raise DiceSyntaxError(found.string, found.start(part), f"{what} is limited to {limit}.")
    return value


def as_dice(dice: DiceExpr | str) -> DiceExpr:
    """The expression itself, or the one the text describes."""
    return dice if isinstance(dice, DiceExpr) else parse_dice(dice)
