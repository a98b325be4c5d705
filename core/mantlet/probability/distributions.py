"""What exact odds come to: outcomes with their probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any, Generic, TypeVar

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Distribution(Generic[T]):
    """Outcomes with their probabilities. Reads like a mapping; probabilities sum to 1."""

    __slots__ = ("weights",)

    def __init__(self, weights: dict[T, Any]) -> None:
        self.weights = weights

    def __len__(self) -> int:
        return len(self.weights)

    def __iter__(self) -> Iterator[T]:
        return iter(self.weights)

    def __contains__(self, outcome: object) -> bool:
        return outcome in self.weights

    def __getitem__(self, outcome: T) -> Any:
        """The probability of an outcome; 0 for one that cannot come up."""
        return self.weights.get(outcome, 0)

    def __repr__(self) -> str:
        return f"<Distribution of {len(self.weights)} outcomes>"

    def items(self) -> Any:
        """Pairs of outcome and probability."""
        return self.weights.items()

    def total(self) -> Any:
        """The sum of all probabilities: 1 up to rounding, exactly 1 with fractions."""
        return self._sum(list(self.weights.values()))

    def probability(self, holds: Callable[[T], bool]) -> Any:
        """The probability of all outcomes for which `holds` is true."""
        return self._sum([w for outcome, w in self.weights.items() if holds(outcome)])

    def mean(self, value: Callable[[T], Any]) -> Any:
        """The expected value of a number read off the outcome."""
        return self._sum([w * value(outcome) for outcome, w in self.weights.items()])

    def map(self, change: Callable[[T], U]) -> Distribution[U]:
        """The distribution of what `change` makes of each outcome; equal results are merged."""
        merged: dict[U, Any] = {}
        for outcome, w in self.weights.items():
            key = change(outcome)
            merged[key] = merged[key] + w if key in merged else w
        return Distribution(merged)

    def ranked(self) -> list[tuple[T, Any]]:
        """Pairs of outcome and probability, likeliest first."""
        return sorted(self.weights.items(), key=lambda pair: -pair[1])

    def _sum(self, values: list[Any]) -> Any:
        kind = type(next(iter(self.weights.values()), 1.0))
        return math.fsum(values) if kind is float else sum(values, Fraction(0))
