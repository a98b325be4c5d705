"""How much the odds are worth: --exact, --samples and --seed, for odds and compare."""

from __future__ import annotations

from typing import Any

import click

from mantlet.cli.options import all_of
from mantlet.errors import UsageError
from mantlet.probability.effort import Effort

effort_options = all_of(
    click.option(
        "--exact", is_flag=True, help="Insist on exact odds: minutes if need be, and an error where that is too few."
    ),
    click.option(
        "--samples",
        type=click.IntRange(1, 10_000_000),
        metavar="N",
        help="Sample N attacks for what is estimated, however long that takes.",
    ),
    click.option(
        "--seed", type=int, metavar="N", help=f"The seed of an estimate's dice; {Effort.seed} if none is given."
    ),
)
"""--exact, --samples and --seed."""


def read_effort(given: dict[str, Any]) -> Effort:
    """Take --exact, --samples, --seed and --fractions out of a command's options: the effort that they ask for.

    Raises UsageError where they contradict each other.
    """
    exact, samples, seed = given.pop("exact"), given.pop("samples"), given.pop("seed")
    fractions = given.pop("fractions", False)
    insisted = "--exact" if exact else "--fractions" if fractions else ""
    if insisted and samples is not None:
        raise UsageError(f"{insisted} asks for exact odds and --samples for an estimate: give one of them.")
    if insisted and seed is not None:
        raise UsageError(f"{insisted} asks for exact odds, which need no --seed: it is for an estimate.")
    return Effort(exact=exact, samples=samples, seed=Effort.seed if seed is None else seed, fractions=fractions)


def way_out(effort: Effort) -> str:
    """What to do where exact odds are refused."""
    return f"Without {'--exact' if effort.exact else '--fractions'} they are estimated." if effort.insists else ""
