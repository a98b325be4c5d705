"""`mantlet show`: one weapon, target or ruleset, with everything that is known and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from mantlet.cli.json_data import print_json
from mantlet.cli.layout import columns, echo, fold, markdown_table, strong
from mantlet.cli.options import catalog_option, format_option, rule_option
from mantlet.cli.session import Session
from mantlet.cli.words import number, plain, round_name, word
from mantlet.errors import UnknownNameError
from mantlet.game.target import Target
from mantlet.game.weapon import Ammunition, PenetrationTable, Weapon
from mantlet.ruleset import Ruleset

Lines = list[str]


@click.command(short_help="Show a weapon, a target or a ruleset.")
@click.argument("name")
@catalog_option
@rule_option
@format_option()
def show(name: str, catalog: tuple[Path, ...], options: tuple[str, ...], form: str) -> None:
    """A weapon with its rounds and penetration, a target with its plates and seats and where it can be aimed at, or a
    ruleset with its options; each number with its source.

    \b
    Examples:
      mantlet show us_75_m3
      mantlet show us_75_m3/HE
      mantlet show m4a1_75_dry
      mantlet show facing_armor
    """
    session = Session(catalog, options)
    found = _find(session, name)
    if form == "json":
        data = [_data(session, kind, thing) for kind, thing in found]
        print_json(data[0] if len(data) == 1 else data)
        return
    lines: Lines = []
    for kind, thing in found:
        page = _Page(form == "md")
        if lines:
            lines.append("")
        if kind == "ruleset":
            _show_ruleset(page, session, thing)
        elif kind == "target":
            _show_target(page, session, thing)
        else:
            weapon, rounds = thing
            _show_weapon(page, session, weapon, rounds)
        lines += page.lines
    echo(lines)


def _find(session: Session, name: str) -> list[tuple[str, Any]]:
    """Everything of this name. Raises UnknownNameError when there is nothing."""
    found: list[tuple[str, Any]] = []
    if name in session.plugins.rulesets:
        found.append(("ruleset", session.ruleset(name)))
    catalog = session.catalog
    try:
        weapon, ammunition = catalog.round(name)
        found.append(("weapon", (weapon, [ammunition] if "/" in name else list(weapon.ammunition))))
    except UnknownNameError as error:
        if error.kind == "round":
            raise
    with suppress(UnknownNameError):
        found.append(("target", catalog.target(name)))
    if not found:
        known = [*session.plugins.rulesets, *catalog.weapon_ids(), *catalog.weapon_aliases()]
        raise UnknownNameError(
            "weapon, target or ruleset", name, [*known, *catalog.target_ids(), *catalog.target_aliases()]
        )
    return found


class _Page:
    """Text or markdown, whichever is asked for."""

    def __init__(self, markdown: bool) -> None:
        self.markdown = markdown
        self.lines: Lines = []

    def title(self, text: str) -> None:
        self.lines += [f"## {text}", ""] if self.markdown else [*fold(strong(text))]

    def heading(self, text: str) -> None:
        gap = [] if self.markdown and not self.lines[-1] else [""]
        self.lines += [*gap, f"### {text}", ""] if self.markdown else [*gap, *fold(text)]

    def say(self, text: str) -> None:
        self.lines += [f"* {text}"] if self.markdown else fold(text, "  ")

    def table(self, head: list[str], rows: list[list[str]], align: str) -> None:
        keep = [i for i in range(len(head)) if i == len(head) - 1 or any(row[i] for row in rows)]
        head, rows, align = (
            [head[i] for i in keep],
            [[r[i] for i in keep] for r in rows],
            "".join(align[i] for i in keep),
        )
        if self.markdown:
            gap = [""] if self.lines and self.lines[-1] else []
            self.lines += [*gap, *markdown_table(head, rows, align), ""]
        else:
            self.lines += columns([head, *rows], align)


def _facts(page: _Page, thing: Any, fields: Mapping[str, tuple[str, str]]) -> None:
    """One line a fact that is known: its name, value and unit, and the source."""
    rows = []
    lists = []
    for attribute, (label, unit) in fields.items():
        value = getattr(thing, attribute)
        if value in (None, "", (), 0, 0.0):
            continue
        if isinstance(value, tuple):
            lists.append(f"{label}: {', '.join(map(str, value))}")
            continue
        source = thing.provenance.get(attribute)
        told = f"{source.source}, {source.confidence}" + (f": {source.note}" if source.note else "") if source else ""
        if unit == "kg" and value < 1:
            value, unit = value * 1000, "g"
        rows.append([label, f"{word(number(value))} {unit}".strip(), told])
    if rows:
        page.table(["fact", "value", "source"], rows, "<<<")
    for text in lists:
        page.say(text)


_WEAPON_FACTS = {
    "nation": ("nation", ""),
    "caliber_mm": ("caliber", "mm"),
    "rate_of_fire_rpm": ("rate of fire", "rounds a minute"),
    "magazine": ("magazine", "rounds"),
    "effective_range_m": ("effective range", "m"),
    "mass_kg": ("mass", "kg"),
    "aliases": ("also called", ""),
}
_ROUND_FACTS = {
    "muzzle_velocity_mps": ("muzzle velocity", "m/s"),
    "projectile_mass_kg": ("projectile", "kg"),
    "filler_kg": ("filler", "kg"),
    "shatter_prone": ("shatters", ""),
}
_TARGET_FACTS = {
    "nation": ("nation", ""),
    "mass_kg": ("mass", "kg"),
    "length_m": ("length", "m"),
    "width_m": ("width", "m"),
    "height_m": ("height", "m"),
    "top_speed_kph": ("top speed", "km/h"),
    "running_gear": ("running gear", ""),
    "wheels": ("wheels", ""),
    "open_topped": ("open-topped", ""),
    "stowage": ("stowage", ""),
    "main_gun_rounds": ("rounds for the main gun", ""),
    "armament": ("armament", ""),
    "components": ("aboard", ""),
    "aliases": ("also called", ""),
}


def _present(thing: Any, fields: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    return {name: label for name, label in fields.items() if hasattr(thing, name)}


def _show_weapon(page: _Page, session: Session, weapon: Weapon, rounds: list[Ammunition]) -> None:
    page.title(f"{weapon.name} ({weapon.id}): {word(weapon.kind)}")
    _facts(page, weapon, _present(weapon, _WEAPON_FACTS))
    if weapon.note:
        page.say(weapon.note)
    _stats(page, weapon.stats)
    for ammunition in rounds:
        usual = ", the usual round" if ammunition is weapon.ammunition[0] and len(weapon.ammunition) > 1 else ""
        page.heading(f"{round_name(ammunition)} ({weapon.id}/{ammunition.id}): {ammunition.kind}{usual}")
        _facts(page, ammunition, _present(ammunition, _ROUND_FACTS))
        if ammunition.note:
            page.say(ammunition.note)
        for table in ammunition.penetration:
            _penetration(page, table, table is ammunition.default_table and len(ammunition.penetration) > 1)
        _stats(page, ammunition.stats)
    _sources(page, session, weapon.provenance, *(a.provenance for a in rounds), more=_table_sources(rounds))


def _table_sources(rounds: list[Ammunition]) -> list[str]:
    return [table.source for ammunition in rounds for table in ammunition.penetration]


def _penetration(page: _Page, table: PenetrationTable, usual: bool) -> None:
    plate = "plate" if table.plate == "unspecified" else f"{table.plate} plate"
    what = f"Penetration at {number(float(table.angle_deg))}° ({plate}, criterion {table.criterion})"
    page.say(f"{what}: {table.source}, {table.confidence}{', used unless another is asked for' if usual else ''}.")
    most = 12
    for at in range(0, len(table.range_m), most):
        ranges = [number(float(r)) for r in table.range_m[at : at + most]]
        depths = [number(float(p)) for p in table.penetration_mm[at : at + most]]
        page.table(["m", *ranges], [["mm", *depths]], "<" + ">" * len(ranges))
    if table.note:
        page.say(table.note)


def _show_target(page: _Page, session: Session, target: Target) -> None:
    page.title(f"{target.name} ({target.id}): {word(target.body)}")
    _facts(page, target, _present(target, _TARGET_FACTS))
    if target.note:
        page.say(target.note)
    if target.plates:
        page.heading("Armor")
        rows = [
            [
                word(plate.where),
                f"{number(float(plate.thickness_mm))} mm",
                f"{number(float(plate.slope_deg))}°",
                "cast" if plate.cast else "",
                f"{plate.source}, {plate.confidence}".removeprefix(", ") + (f": {plate.note}" if plate.note else ""),
            ]
            for plate in target.plates
        ]
        page.table(["plate", "thick", "slope", "", "source"], rows, "<>><<")
    if target.seats:
        page.heading("Seats")
        seats = [
            [word(seat.role), str(seat.count), word(seat.compartment), "exposed" if seat.exposed else ""]
            for seat in target.seats
        ]
        page.table(["role", "people", "compartment", ""], seats, "<><<")
    _stats(page, target.stats)
    _aims(page, session, target)
    _sources(page, session, target.provenance, more=[plate.source for plate in target.plates])


def _aims(page: _Page, session: Session, target: Target) -> None:
    aims = _all_aims(session, target)
    if aims:
        page.heading("Where it can be aimed at (--aim)")
        for name, places in aims.items():
            page.say(f"{name}: {', '.join(places)}")


def _all_aims(session: Session, target: Target) -> dict[str, list[str]]:
    aims = {}
    for rules in session.rulesets([]):
        try:
            with session.guest(rules):
                places = list(rules.aims(target))
        except Exception as error:
            click.echo(f"Warning: {error}", err=True)
            continue
        if places:
            aims[rules.name] = places
    return aims


def _show_ruleset(page: _Page, session: Session, rules: Ruleset[Any, Any]) -> None:
    origin = session.plugins.origins[rules.name]
    page.title(f"{rules.title} ({rules.name} {rules.version})")
    page.say(rules.summary)
    damage = f"damage is in {rules.damage_unit}" if rules.damage_unit else "no points of damage"
    page.say(f"From {origin}; {damage}.")
    options = _options(rules)
    if options:
        page.heading(f"Options, as in --option {rules.name}.{options[0]['name']}={number(options[0]['value'])}")
        page.table(
            ["option", "value", "may be"], [[o["name"], number(o["value"]), o["allowed"]] for o in options], "<<<"
        )
    with session.guest(rules):
        tables = [*rules.tables(), *rules.grids()]
    if tables:
        page.heading(f"Tables, as in mantlet table {rules.name}.{tables[0]}")
        page.say(", ".join(tables))


def _options(rules: Ruleset[Any, Any]) -> list[dict[str, Any]]:
    hints = get_type_hints(rules.options_type)
    found = []
    for name, value in rules.option_values().items():
        hint = hints.get(name)
        if get_origin(hint) is Literal:
            allowed = ", ".join(map(str, get_args(hint)))
        elif hint is bool:
            allowed = "yes, no"
        else:
            allowed = {int: "a whole number", float: "a number", str: "a text"}.get(hint, "") if hint else ""
        found.append({"name": name, "value": plain(value), "allowed": allowed})
    return found


def _stats(page: _Page, stats: Mapping[str, Mapping[str, Any]]) -> None:
    for ruleset, block in stats.items():
        page.say(f"Stat block for {ruleset}: {', '.join(f'{key} {plain(value)}' for key, value in block.items())}")


def _sources(page: _Page, session: Session, *provenances: Mapping[str, Any], more: list[str]) -> None:
    used = dict.fromkeys([*(p.source for provenance in provenances for p in provenance.values()), *more])
    known = session.catalog.sources()
    told = [key for key in used if key in known]
    if told:
        page.heading("Sources")
        for key in told:
            url = known[key].get("url", "")
            page.say(f"{key}: {known[key].get('text', '')}{f' {url}' if url else ''}")


def _data(session: Session, kind: str, thing: Any) -> dict[str, Any]:
    if kind == "weapon":
        weapon, rounds = thing
        return {"type": "weapon", **plain(weapon), "ammunition": [plain(a) for a in rounds]}
    if kind == "target":
        return {"type": "target", **plain(thing), "aims": _all_aims(session, thing)}
    with session.guest(thing):
        tables = [*thing.tables(), *thing.grids()]
    return {
        "type": "ruleset",
        "name": thing.name,
        "version": thing.version,
        "title": thing.title,
        "covers": thing.summary,
        "origin": str(session.plugins.origins[thing.name]),
        "damage_unit": thing.damage_unit,
        "options": _options(thing),
        "tables": [f"{thing.name}.{table}" for table in tables],
    }
