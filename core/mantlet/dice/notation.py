"""Dice notation as people type it, and the exact distribution of a total.

`4d6+4`, `3d` (three six-sided dice), `3d-1`, `d%`, `D100`, `1d6+1d4+2`. `2d6x3` and `6dx10` multiply the total. As in
arithmetic, times goes before plus: `2d6x3+1` adds 1 once, and `(2d6+1)x3` multiplies the whole sum.
Upper case, blanks, the Unicode minus and the multiplication sign are accepted.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from mantlet.errors import DiceSyntaxError

MAX_DICE = 200
MAX_SIDES = 1000
MAX_CONSTANT = 1_000_000
MAX_MULTIPLIER = 10_000
MAX_SPAN = 20_000
"""The largest number of different totals an expression may have before it is multiplied."""
MANY_DICE = 12
"""More dice of a kind than this are convolved all at once."""

MAX_DEPTH = 8
"""Parentheses within parentheses."""

_SIGN = re.compile(r"\s*(?:\+|(?P<minus>[-−–]))\s*")
_ATOM = re.compile(r"\s*(?P<count>\d+)?\s*(?:(?P<d>[dD])\s*(?P<sides>\d+|%)?)?\s*")
_TIMES = re.compile(r"[xX×*]\s*")
_OPEN = re.compile(r"\s*\(\s*")
_CLOSE = re.compile(r"\)\s*")
_STRANGER = re.compile(r"[^\s\ddD%+\-−–xX×*()]")
_READ_AS_DIGITS = {"66": "two d6", "666": "three d6"}


class DiceExpr:
    """A sum of dice, times a multiplier, plus a constant. Immutable; equal expressions are equal and hash alike.

    Attributes: `terms` pairs (count, sides), a negative count subtracts; `constant`; `multiplier`, 1 where there are no
    dice; `low` and `high`, the smallest and largest total.
    """

    def __init__(self, terms: tuple[tuple[int, int], ...], constant: int = 0, multiplier: int = 1) -> None:
        self.terms = terms
        self.constant = constant
        self.multiplier = multiplier if terms else 1
        self._key = (terms, constant, self.multiplier)
        self._hash = hash(self._key)
        low = sum(count if count > 0 else count * sides for count, sides in terms)
        high = sum(count * sides if count > 0 else count for count, sides in terms)
        self.low = low * self.multiplier + constant
        self.high = high * self.multiplier + constant
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
        signs = ("-" if count < 0 else "+" for count, _ in self.terms)
        dice = "".join(f"{sign}{abs(count)}d{sides}" for sign, (count, sides) in zip(signs, self.terms))
        dice = dice.removeprefix("+")
        if self.multiplier != 1:
            dice = f"({dice})x{self.multiplier}" if len(self.terms) > 1 else f"{dice}x{self.multiplier}"
        if not dice:
            return str(self.constant)
        return f"{dice}{self.constant:+d}" if self.constant else dice

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """The sides of every single die, in order: `2d6+1d4` has faces (6, 6, 4)."""
        return tuple(sides for count, sides in self.terms for _ in range(abs(count)))

    def total(self, faces: tuple[int, ...] | list[int]) -> int:
        """The total for the faces shown, one a die in the order of `faces`."""
        result, at = 0, 0
        for count, _ in self.terms:
            shown = sum(faces[at : at + abs(count)])
            at += abs(count)
            result += shown if count > 0 else -shown
        return result * self.multiplier + self.constant

    @cached_property
    def ways(self) -> tuple[tuple[int, int], ...]:
        """Every total with the number of ways to roll it, lowest first; the ways sum to `combinations`."""
        counts = [1]
        for count, sides in self.terms:
            counts = _add_dice(counts, abs(count), sides)
        # Every die is symmetric, so subtracting one only shifts where the totals begin.
        return tuple((self.low + i * self.multiplier, n) for i, n in enumerate(counts))

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
        return dice * self.multiplier + self.constant


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
    reader = _Reader(text)
    found = reader.sum()
    if reader.at < len(text):
        raise DiceSyntaxError(text, reader.at, "The expression should have ended here; write dice as 2d6+4 or 2d6x3.")
    if sum(abs(count) * (sides - 1) for count, sides in found.terms) > MAX_SPAN:
        raise DiceSyntaxError(text, 0, f"An expression is limited to {MAX_SPAN} different totals.")
    return DiceExpr(found.terms, found.constant, found.multiplier)


class _Part(NamedTuple):
    """A part of an expression: its dice times the multiplier, plus the constant; and where it begins."""

    terms: tuple[tuple[int, int], ...]
    constant: int
    multiplier: int
    start: int


class _Reader:
    """Reads an expression from left to right; `at` is the first character not read yet."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._depth = 0
        self._dice = 0

    def sum(self) -> _Part:
        """Products added up; the first may have a sign as well."""
        sign = self._skip(_SIGN)
        total = self._product(negative=bool(sign and sign["minus"]))
        while sign := self._skip(_SIGN):
            part = self._product(negative=bool(sign["minus"]))
            if total.terms and part.terms and total.multiplier != part.multiplier:
                raise self._error(
                    part.start,
                    "Dice with different multipliers cannot be added in one expression: roll them one by one, "
                    "or write (1d6+1d4)x2 to multiply the whole sum.",
                )
            multiplier = total.multiplier if total.terms else part.multiplier
            total = _Part(total.terms + part.terms, total.constant + part.constant, multiplier, total.start)
        return total

    def _product(self, negative: bool) -> _Part:
        part = self._atom()
        while self._skip(_TIMES):
            part = self._times(part, self._factor())
        if negative:
            terms = tuple([(-count, sides) for count, sides in part.terms])
            part = part._replace(terms=terms, constant=-part.constant)
        return part

    def _factor(self) -> _Part:
        if self.at == len(self.text):
            raise self._error(self.at, "Expected the number to multiply the total by, as in 2d6x3.")
        return self._atom()

    def _times(self, one: _Part, other: _Part) -> _Part:
        dice, number = (other, one) if other.terms else (one, other)
        if number.terms:
            raise self._error(other.start, "Dice are multiplied by a number, as in 2d6x3, not by dice.")
        if number.constant < 1:
            raise self._error(number.start, "The multiplier has to be at least 1.")
        multiplier, constant = dice.multiplier * number.constant, dice.constant * number.constant
        if (dice.terms and multiplier > MAX_MULTIPLIER) or abs(constant) > MAX_CONSTANT * MAX_MULTIPLIER:
            raise self._error(number.start, f"The multiplier is limited to {MAX_MULTIPLIER}.")
        return _Part(dice.terms, constant, multiplier if dice.terms else 1, one.start)

    def _atom(self) -> _Part:
        """Dice, a number, or a sum in parentheses."""
        start = self.at
        if self._skip(_OPEN):
            self._depth += 1
            if self._depth > MAX_DEPTH:
                raise self._error(start, f"Parentheses are limited to {MAX_DEPTH} within each other.")
            inner = self.sum()
            if not self._skip(_CLOSE):
                raise self._error(self.at, "Expected a closing parenthesis here, as in (2d6+1)x3.")
            self._depth -= 1
            return inner._replace(start=start)
        found = self._skip(_ATOM)
        if not (found and (found["d"] or found["count"])):
            raise self._error(self.at, "Expected a number or dice here, such as 2d6.")
        count = _number(found, "count", MAX_CONSTANT, "A number") if found["count"] else 1
        if not found["d"]:
            return _Part((), count, 1, found.start("count"))
        start = found.start("count") if found["count"] else found.start("d")
        self._dice += count
        if count == 0:
            raise self._error(start, "At least one die has to be rolled.")
        if self._dice > MAX_DICE:
            raise self._error(start, f"An expression is limited to {MAX_DICE} dice.")
        if not found["count"] and found["sides"] in _READ_AS_DIGITS:
            several = _READ_AS_DIGITS[found["sides"]]
            said = (
                f"d{found['sides']} is {several} read as digits, which is no sum: roll 1d6 for each digit. "
                f"A die of {found['sides']} sides is 1d{found['sides']}."
            )
            raise self._error(start, said)
        return _Part(((count, _sides(found)),), 0, 1, start)

    def _skip(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def _error(self, position: int, message: str) -> DiceSyntaxError:
        return DiceSyntaxError(self.text, position, message)


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
