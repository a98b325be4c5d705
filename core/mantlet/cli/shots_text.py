"""Shots to a knock-out, as text, markdown and data."""

from __future__ import annotations

from typing import Any

from mantlet.cli.figures import Figure, aligned, chance, estimated_from
from mantlet.cli.layout import columns, fold, markdown_table
from mantlet.cli.words import counted
from mantlet.probability.shots import Shots


def text(shots: Shots) -> list[str]:
    """A row a shot, and what is left."""
    cells = aligned(_within(shots))
    rows = [["attacks", "knocked out within"], *([str(n), cell] for n, cell in enumerate(cells, start=1))]
    return [*columns(rows, ">>"), *(line for sentence in _sentences(shots) for line in fold(sentence, "  "))]


def markdown(shots: Shots) -> list[str]:
    """The same as a table and a list."""
    rows = [[str(n), str(figure)] for n, figure in enumerate(_within(shots), start=1)]
    table = markdown_table(["Attacks", "Knocked out within"], rows, ">>")
    return [*table, "", *(f"* {sentence}" for sentence in _sentences(shots))]


def shots_data(shots: Shots) -> dict[str, Any]:
    """The same as data."""
    return {
        "until": "knocked_out",
        "within": [float(p) for p in shots.within],
        "left": float(shots.left),
        "states": shots.states,
        "mean_if_ended": shots.mean_if_ended,
        "exact": shots.exact,
        "samples": shots.samples,
        "standard_error": list(shots.standard_error),
        "seed": shots.seed if shots.samples else None,
    }


def _errors(shots: Shots) -> list[float | None]:
    """The standard error of each shot; None where it is exact."""
    if shots.exact:
        return [None] * len(shots.within)
    return [error or None for error in shots.standard_error]


def _within(shots: Shots) -> list[Figure]:
    return [chance(p, error) for p, error in zip(shots.within, _errors(shots))]


def _sentences(shots: Shots) -> list[str]:
    left = chance(shots.left, (_errors(shots) or [None])[-1])
    texts = [f"Not knocked out after {counted(len(shots.within), 'attack')}: {left}."]
    if shots.mean_if_ended is not None:
        about = "" if shots.exact else "about "
        texts.append(f"Of those knocked out by then, after {about}{shots.mean_if_ended:.2f} attacks in the mean.")
    if not shots.exact:
        texts.append(f"{estimated_from(shots.samples, 'target', shots.seed).capitalize()}.")
    return texts
