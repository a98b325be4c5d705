"""`mantlet facing`: calibration on wartime surveys, and penetration tables."""

from __future__ import annotations

import math
from pathlib import Path

import click

from facing_armor.calibration import calibration
from facing_armor.report import calibration_text, penetration_text

_FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "md"]),
    default="text",
    show_default=True,
    help="How to write it.",
)
_CATALOG = click.option(
    "--catalog", "catalogs", multiple=True, type=click.Path(path_type=Path), help="A TOML file of weapons and targets."
)


@click.group("facing")
def facing_commands() -> None:
    """Facing and armor: calibration on surveys, penetration tables."""


@facing_commands.command()
@_FORMAT
@click.option("--weapon", default="de_75_pak40", show_default=True, help="What fires at Allied tanks: W or W/AMMO.")
@click.option("--range", "range_m", default=700.0, show_default=True, type=click.FloatRange(0, 100_000), help="Meters.")
def calibrate(form: str, weapon: str, range_m: float) -> None:
    """The model beside wartime surveys, computed exactly."""
    if not math.isfinite(range_m):  # nan lies in every range
        raise click.BadParameter("expected a number of meters.", param_hint="--range")
    click.echo(calibration_text(calibration(weapon, range_m), form))


@facing_commands.command()
@click.argument("weapon")
@_FORMAT
@_CATALOG
@click.option(
    "--table",
    type=click.Choice(["default", "0_degrees", "30_degrees"]),
    default="default",
    show_default=True,
    help="Which of the round's published tables.",
)
@click.option(
    "--slope-model",
    type=click.Choice(["tables", "cosine", "multiplier"]),
    default="tables",
    show_default=True,
    help="What an angle does; multiplier and cosine use one table.",
)
def penetration(weapon: str, form: str, catalogs: tuple[Path, ...], table: str, slope_model: str) -> None:
    """Penetration of WEAPON (W or W/AMMO) against range, and the thickest upright plate beaten."""
    click.echo(penetration_text(weapon, catalogs, table, slope_model, form))
