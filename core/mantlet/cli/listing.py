"""`mantlet weapons` and `mantlet targets`: what the catalog holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mantlet.cli.json_data import picked
from mantlet.cli.options import catalog_option, format_option
from mantlet.cli.page import print_rows
from mantlet.cli.session import Session
from mantlet.cli.words import number, word
from mantlet.game.target import Target
from mantlet.game.weapon import Weapon


@click.command(short_help="List the weapons of the catalog.")
@click.argument("text", required=False)
@catalog_option
@format_option()
def weapons(text: str | None, catalog: tuple[Path, ...], form: str) -> None:
    """Every weapon with its rounds, or those with TEXT in their id, name, kind or nation.

    \b
    Examples:
      mantlet weapons
      mantlet weapons rifle
      mantlet weapons pak --format md
    """
    found = [w for w in Session(catalog).catalog.weapons() if _matches(text, w)]
    data = [_weapon_data(w) for w in found]
    rows = [[w.id, w.name, word(w.kind), _millimeters(w), ", ".join(a.id for a in w.ammunition)] for w in found]
    print_rows(form, data, ["id", "name", "kind", "mm", "rounds"], rows, "<<<><", f"Nothing matches {text!r}.")


@click.command(short_help="List the targets of the catalog.")
@click.argument("text", required=False)
@catalog_option
@format_option()
def targets(text: str | None, catalog: tuple[Path, ...], form: str) -> None:
    """Every target, or those with TEXT in their id, name, kind, body or nation.

    \b
    Examples:
      mantlet targets
      mantlet targets sherman
      mantlet targets creature --format json
    """
    shelf = Session(catalog).catalog
    known = shelf.targets()
    for reason in shelf.left_out:
        click.echo(f"Warning: left out: {reason}", err=True)
    found = [t for t in known if _matches(text, t, t.body)]
    data = [_target_data(t) for t in found]
    rows = [[t.id, word(t.body), _tons(t), str(len(t.crew)), _armor(t), t.name] for t in found]
    print_rows(form, data, ["id", "body", "t", "seats", "armor", "name"], rows, "<<>><<", f"Nothing matches {text!r}.")


def _matches(text: str | None, thing: Weapon | Target, *more: str) -> bool:
    wanted = (text or "").strip().lower().replace("-", "_")
    fields = (thing.id, thing.name, thing.kind, thing.nation, *thing.aliases, *more)
    return any(wanted in field.lower() or wanted.replace("_", " ") in field.lower() for field in fields)


def _millimeters(weapon: Weapon) -> str:
    return number(float(weapon.caliber_mm)) if weapon.caliber_mm else ""


def _tons(target: Target) -> str:
    return "" if target.mass_kg is None else f"{target.mass_kg / 1000:.1f}"


def _armor(target: Target) -> str:
    thick = sorted(plate.thickness_mm for plate in target.plates)
    ends = dict.fromkeys(number(float(end)) for end in (thick[:1] + thick[-1:]))
    return f"{'-'.join(ends)} mm" if ends else ""


def _weapon_data(weapon: Weapon) -> dict[str, Any]:
    return {
        **picked(weapon, "id", "name", "kind", "caliber_mm", "nation", "aliases"),
        "ammunition": [picked(ammunition, "id", "name", "kind") for ammunition in weapon.ammunition],
    }


def _target_data(target: Target) -> dict[str, Any]:
    return {
        **picked(target, "id", "name", "kind", "body", "nation", "aliases", "mass_kg"),
        "seats": len(target.crew),
        "plates": len(target.plates),
    }
