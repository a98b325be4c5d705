"""How much the odds are worth: --exact, --samples and --seed, for odds and compare."""

from __future__ import annotations

from typing import Any

import click

from mantlet.cli.options import SEED, all_of
from mantlet.errors import UsageError
from mantlet.probability.effort import Answer, Effort

effort_options = all_of(
    click.option(
        "--exact", is_flag=True, help="Insist on exact odds: half a minute if need be, and an error beyond that."
    ),
    click.option(
        "--samples",
        type=click.IntRange(1, 10_000_000),
        metavar="N",
        help="Sample N attacks for what is estimated, or as many as about a minute is enough for.",
    ),
    click.option(
        "--seed", type=SEED, metavar="N", help=f"The seed of an estimate's dice; {Effort.seed} if none is given."
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
    given = "--exact" if effort.exact else "--fractions"
    return f"Leave out {given}: they are then estimated." if effort.insists else ""


def tell_fewer(what: str, effort: Effort, answer: Answer) -> None:
    """Say on stderr that there are fewer samples than were asked for, where that is so."""
    if effort.samples is not None and 0 < answer.samples < effort.samples:
        done = f"{what}: {answer.samples:,} of the {effort.samples:,} samples asked for"
        click.echo(f"{done}; more would take more than {effort.sampling_steps:,} steps.", err=True)
