"""Shots to a knock-out, as text, markdown and data."""

from __future__ import annotations

from typing import Any

from mantlet.cli.figures import chance, estimated_from
from mantlet.cli.json_data import picked
from mantlet.cli.page import Page
from mantlet.cli.words import counted
from mantlet.probability.shots import Shots


def tell_shots(page: Page, shots: Shots) -> None:
    """A row a shot, and what is left."""
    cells = page.figures([chance(p, error) for p, error in zip(shots.within, _errors(shots))])
    rows = [[str(n), cell] for n, cell in enumerate(cells, start=1)]
    page.gap()
    head = ["Attacks", "Knocked out within"]
    page.table(head if page.markdown else [title.lower() for title in head], rows, ">>")
    if page.markdown:
        page.gap()
    page.items(_sentences(shots), "  ")


def shots_data(shots: Shots) -> dict[str, Any]:
    """The same as data."""
    return {
        "until": "knocked_out",
        "within": [float(p) for p in shots.within],
        "left": float(shots.left),
        **picked(shots, "states", "mean_if_ended", "exact", "samples", "standard_error"),
        "seed": shots.seed if shots.samples else None,
    }


def _errors(shots: Shots) -> list[float | None]:
    """The standard error of each shot; None where it is exact."""
    return [error or None for error in shots.standard_error] or [None] * len(shots.within)


def _sentences(shots: Shots) -> list[str]:
    left = chance(shots.left, (_errors(shots) or [None])[-1])
    texts = [f"Not knocked out after {counted(len(shots.within), 'attack')}: {left}."]
    if shots.mean_if_ended is not None:
        about = "" if shots.exact else "about "
        texts.append(f"Of those knocked out by then, after {about}{shots.mean_if_ended:.2f} attacks in the mean.")
    if not shots.exact:
        texts.append(f"{estimated_from(shots.samples, 'target', shots.seed).capitalize()}.")
    return texts
