"""`mantlet roll`: dice, and what they come to."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Final

import click

from mantlet.cli.dice_source import new_seed
from mantlet.cli.json_data import picked, print_json
from mantlet.cli.layout import echo, strong
from mantlet.cli.options import SEED, format_option
from mantlet.cli.page import Page
from mantlet.cli.words import number, percent
from mantlet.dice.notation import DiceExpr, parse_dice
from mantlet.dice.sources import Seeded

_MOST_DIGITS: Final = 20
"""Of a fraction in a table: two of them and the other columns fit on a line."""


@click.command(short_help="Roll dice, or print their distribution.", context_settings={"ignore_unknown_options": True})
@click.argument("dice", nargs=-1, required=True)
@click.option("--seed", type=SEED, metavar="N", help="The seed; printed when none is given.")
@click.option("--odds", is_flag=True, help="Print the probability of every total instead.")
@format_option()
def roll(dice: tuple[str, ...], seed: int | None, odds: bool, form: str) -> None:
    """Roll dice: 4d6+4, 3d (six-sided), d%, 2d6x3 (the total times three), 1d6+1d4+2, (2d6+1)x3.

    \b
    Examples:
      mantlet roll 4d6+4
      mantlet roll 3d-1 --seed 7
      mantlet roll 2d6x3 --odds
    """
    expression = parse_dice(" ".join(dice))
    if odds:
        _print_odds(expression, form)
        return
    seed = new_seed() if seed is None else seed
    total, faces = Seeded(seed).throw(expression, "roll")
    if form == "json":
        print_json({**_facts(expression), "seed": seed, "faces": list(faces), "total": total})
        return
    shown = f" ({' '.join(map(str, faces))})" if len(faces) > 1 or total != sum(faces) else ""
    rest = f"{shown} on {expression}; seed {seed}"
    echo([strong(str(total), rest) if form == "text" else f"**{total}**{rest}"])


def _facts(expression: DiceExpr) -> dict[str, object]:
    return {"dice": str(expression), **picked(expression, "low", "high", "mean")}


def _print_odds(expression: DiceExpr, form: str) -> None:
    combinations = expression.combinations
    if form == "json":
        rows = [
            {"total": total, "probability": n / combinations, "fraction": str(Fraction(n, combinations))}
            for total, n in expression.ways
        ]
        print_json({**_facts(expression), "distribution": rows})
        return
    page = Page(form)
    page.title(f"{expression}: {expression.low} to {expression.high}, {number(expression.mean)} in the mean")
    page.gap()
    short = len(str(combinations)) <= _MOST_DIGITS
    table = []
    below = 0
    for total, n in expression.ways:
        shown = [percent(_share(ways, combinations)) for ways in (n, below + n, combinations - below)]
        last = str(Fraction(n, combinations)) if short else f"{Decimal(n) / combinations:.2e}"
        table.append([str(total), *shown, last])
        below += n
    page.table(["total", "chance", "or less", "or more", "exactly" if short else "about"], table, ">>>>>")
    if not short:
        page.gap()
        digits = len(str(combinations))
        page.say(f"Fractions of {digits} digits are too long for a line: --format json has the exact ones.")
    echo(page.lines)


def _share(ways: int, combinations: int) -> float | Fraction:
    """A probability; as a fraction, which is slow, only where a float would pass for never or always."""
    share = ways / combinations
    return share if 0 < share < 0.999 else Fraction(ways, combinations)
