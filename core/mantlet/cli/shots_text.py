"""Shots to a knock-out, as text, markdown and data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mantlet.cli.figures import Figure, chance, estimated_from, mean
from mantlet.cli.json_data import picked
from mantlet.cli.page import Page
from mantlet.cli.words import counted
from mantlet.probability.shots import Shots

ALL_ROWS = 20
"""So many attacks have a row each; of more, those that say something new have one."""


def tell_shots(page: Page, shots: Shots) -> None:
    """A row for each attack that says something new, and what is left."""
    figures = [chance(p, error or None) for p, error in zip(shots.within, errors_within(shots))]
    told = telling(figures)
    rows = zip(map(str, told), page.figures([figures[n - 1] for n in told]))
    page.gap()
    head = ["Attacks", "Knocked out within"]
    page.table(head if page.markdown else [title.lower() for title in head], list(rows), ">>")
    if page.markdown:
        page.gap()
    page.items(_sentences(shots, told), "  ")


def shots_data(shots: Shots) -> dict[str, Any]:
    """The same as data, with every attack."""
    return {
        "until": "knocked_out",
        "within": [float(p) for p in shots.within],
        "left": float(shots.left),
        **picked(shots, "states", "mean_if_ended", "exact", "samples", "standard_error", "seed"),
    }


def errors_within(shots: Shots) -> Sequence[float]:
    """The standard error of each chance of a knock-out within so many attacks, 0 for an exact one."""
    return shots.standard_error.get("within") or [0.0] * len(shots.within)


def telling(figures: list[Figure]) -> list[int]:
    """The attacks that have a row: fewer and fewer of them, until the figure is what it stays."""
    last = len(figures)
    if last <= ALL_ROWS:
        return list(range(1, last + 1))
    while last > 1 and figures[last - 2] == figures[-1]:
        last -= 1
    steps = [*range(1, 10), *(n * 10**power for power in range(1, len(str(last))) for n in (1, 2, 5))]
    return [*(n for n in steps if n < last), last]


def _sentences(shots: Shots, told: list[int]) -> list[str]:
    count, error = len(shots.within), shots.standard_error
    texts = []
    if len(told) < count:
        same = f"From {counted(told[-1], 'attack')} on nothing changes in these digits; " if told[-1] < count else ""
        texts.append(f"{same or 'Some rows are left out; '}--format json has all {count:,}.")
    texts.append(f"Not knocked out after {counted(count, 'attack')}: {chance(shots.left, error.get('left'))}.")
    if shots.mean_if_ended is not None:
        after = mean(shots.mean_if_ended, error.get("mean_if_ended"))
        texts.append(f"Of those knocked out by then, after {after} attacks in the mean.")
    if not shots.exact:
        texts.append(f"{estimated_from(shots.samples, 'target', shots.seed).capitalize()}.")
    return texts
