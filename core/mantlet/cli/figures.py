"""Figures as they are printed: plain where they are exact, with their standard error where they are estimated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from mantlet.cli.words import counted, percent

NOT_COUNTED = "-"


class Figure(NamedTuple):
    """A figure, and what stands beside it if it is estimated: `12.3%` and `+/-0.2`."""

    value: str
    error: str = ""

    def __str__(self) -> str:
        return f"{self.value} {self.error}" if self.error else self.value


def chance(probability: Any, standard_error: float | None = None) -> Figure:
    """A probability; `standard_error` is None for an exact one.

    What an estimate never saw, or hardly, is less than a bound: three standard errors above, 0.1% at the least. An
    error of which three do not reach the digits printed is not told.
    """
    p = float(probability)
    if standard_error is None:
        return Figure(percent(p))
    if p < 0.0005:
        return Figure(f"<{min(1.0, max(0.001, _up(p + 3 * standard_error, 3))):.1%}")
    if p > 0.9995:
        return Figure(f">{1 - min(1.0, max(0.001, _up(1 - p + 3 * standard_error, 3))):.1%}")
    return Figure(f"{p:.1%}", f"+/-{100 * _up(standard_error, 3):.1f}" if 3 * standard_error > 0.0005 else "")


def mean(value: Any, standard_error: float | None = None) -> Figure:
    """An expected number to two decimals; `standard_error` is None for an exact one."""
    found = float(value)
    if standard_error is None:
        return Figure(f"{found:.2f}")
    if found < 0.005:
        return Figure(f"<{max(0.01, _up(found + 3 * standard_error, 2)):.2f}")
    return Figure(f"{found:.2f}", f"+/-{_up(standard_error, 2):.2f}" if 3 * standard_error > 0.005 else "")


def _up(value: float, digits: int) -> float:
    """Rounded up: an error is never told smaller than it is, nor as none."""
    scale: int = 10**digits
    return max(1, math.ceil(value * scale - 1e-9)) / scale


def aligned(figures: Sequence[Figure]) -> list[str]:
    """One column: the figures stand flush right, their errors flush left beside them."""
    values = max((len(figure.value) for figure in figures), default=0)
    errors = max((len(figure.error) for figure in figures), default=0)
    return [f"{f.value:>{values}} {f.error:<{errors}}" if errors else f.value for f in figures]


def estimated_from(samples: int, one: str, seed: int | None) -> str:
    """`estimated from 20,000 attacks, seed 1`."""
    return f"estimated from {counted(samples, one)}, seed {seed}"
