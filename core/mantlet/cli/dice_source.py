"""Which dice a command rolls: from a seed, typed by hand, or given all at once."""

from __future__ import annotations

import os
import sys

import click

from mantlet.cli.options import SEED, all_of
from mantlet.dice.sources import ROLL_IT, Scripted, Seeded, Source, Typed
from mantlet.errors import DiceInputError, UsageError

dice_options = all_of(
    click.option("--seed", type=SEED, metavar="N", help="The seed of the dice; printed when none is given."),
    click.option(
        "--dice", metavar="typed|seeded|VALUES", help="Type your own dice, or give them: 34,3+5,? (? is rolled)."
    ),
)
"""--seed and --dice."""


def new_seed() -> int:
    """A seed short enough to be typed again."""
    return int.from_bytes(os.urandom(8), "big") % 1_000_000_000


def source_for(dice: str | None, seed: int | None, saved: dict[str, int] | None) -> Source:
    """The dice to roll. A saved generator goes on where it stopped unless a seed is given.

    Raises UsageError when --seed and --dice contradict each other.
    """
    how = "seeded" if dice is None else dice.strip().lower()
    if how == "seeded":
        if seed is not None:
            return Seeded(seed)
        return Seeded(**saved) if saved else Seeded(new_seed())
    if seed is not None and ROLL_IT not in how:
        raise UsageError("Dice come from --seed or from --dice, not from both (a ? among the values rolls that one).")
    if how == "typed":
        return Typed(_ask, lambda message: click.echo(message, err=True))
    if dice is not None and not any(c.isdigit() or c == ROLL_IT for c in dice):
        raise UsageError(f"--dice takes typed, seeded, or values such as 34,?,3+5, not {dice!r}.")
    return Scripted(dice or "", seed)


def generator_of(source: Source) -> dict[str, int] | None:
    """The state of seeded dice, to go on with; None for dice that were given."""
    return getattr(source, "state", None)


def finish(source: Source) -> None:
    """Dice that were given must all have been used. Raises DiceInputError."""
    if isinstance(source, Scripted):
        source.finish()


def _ask(prompt: str) -> str:
    # On stderr, so that a result that is piped stays clean.
    click.echo(f"{prompt}: ", nl=False, err=True)
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        click.echo("", err=True)
        raise DiceInputError(f"The typed dice ended where {prompt} was asked for; nothing was saved.")
    return line.strip()
