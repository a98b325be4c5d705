"""`mantlet show`: one weapon, target or ruleset, with everything that is known and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from mantlet.campaign.conversion import touched
from mantlet.cli.attack_text import condition_words
from mantlet.cli.json_data import picked, print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import catalog_option, format_option, rule_option, target_of_state
from mantlet.cli.page import Page
from mantlet.cli.session import Session
from mantlet.cli.table import printed_tables
from mantlet.cli.words import counted, number, plain, round_name, standing, values_in_words, word
from mantlet.errors import UnknownNameError
from mantlet.game.target import Plate, Target
from mantlet.game.weapon import Ammunition, PenetrationTable, Weapon
from mantlet.ruleset import Ruleset


@click.command(short_help="Show a weapon, a target, a ruleset or a saved state.")
@click.argument("name")
@catalog_option
@rule_option
@format_option()
def show(name: str, catalog: tuple[Path, ...], options: tuple[str, ...], form: str) -> None:
    """A weapon with its rounds and penetration, a target with its plates and seats and where it can be aimed at, or a
    ruleset with its options; each number with its source. Of a state (a file whose name ends in .json) all that it
    knows, and what of its ruleset's own is not as on an untouched target.

    \b
    Examples:
      mantlet show us_75_m3
      mantlet show us_75_m3/HE
      mantlet show m4a1_75_dry
      mantlet show facing_armor
      mantlet show car.json
    """
    session = Session(catalog, options)
    found = _find(session, name)
    if form == "json":
        data = [_data(session, kind, thing) for kind, thing in found]
        print_json(data[0] if len(data) == 1 else data)
        return
    lines: list[str] = []
    for kind, thing in found:
        page = Page(form)
        if lines:
            lines.append("")
        _SHOW[kind](page, session, thing)
        lines += page.lines
    echo(lines)


def _find(session: Session, name: str) -> list[tuple[str, Any]]:
    """Everything of this name. Raises UnknownNameError when there is nothing."""
    if name.endswith(".json"):
        return [("state", Path(name))]
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
        known += [*catalog.target_ids(), *catalog.target_aliases()]
        raise UnknownNameError("weapon, target or ruleset", name, known)
    return found


def _table(page: Page, head: list[str], rows: list[list[str]], align: str) -> None:
    """A table without the columns in which nothing stands; the last one stays."""
    keep = [i for i in range(len(head)) if i == len(head) - 1 or any(row[i] for row in rows)]
    if page.markdown:
        page.gap()
    page.table([head[i] for i in keep], [[row[i] for i in keep] for row in rows], "".join(align[i] for i in keep))
    if page.markdown:
        page.gap()


def _say(page: Page, *texts: str) -> None:
    page.items(filter(None, texts), "  ")


_FACTS = {
    "nation": ("nation", ""),
    "caliber_mm": ("caliber", "mm"),
    "rate_of_fire_rpm": ("rate of fire", "rounds a minute"),
    "magazine": ("magazine", "rounds"),
    "effective_range_m": ("effective range", "m"),
    "muzzle_velocity_mps": ("muzzle velocity", "m/s"),
    "projectile_mass_kg": ("projectile", "kg"),
    "filler_kg": ("filler", "kg"),
    "shatter_prone": ("shatters", ""),
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


def _facts(page: Page, thing: Any) -> None:
    """One line a fact that is known: its name, value and unit, and the source; then lists, and the note."""
    rows = []
    lists = []
    for attribute, (label, unit) in _FACTS.items():
        value = getattr(thing, attribute, None)
        if value in (None, "", (), 0, 0.0):
            continue
        if isinstance(value, tuple):
            lists.append(f"{label}: {', '.join(map(str, value))}")
            continue
        source = thing.provenance.get(attribute)
        told = _sourced(source.source, source.confidence, source.note) if source else ""
        if unit == "kg" and value < 1:
            value, unit = value * 1000, "g"
        rows.append([label, f"{word(number(value))} {unit}".strip(), told])
    if rows:
        _table(page, ["fact", "value", "source"], rows, "<<<")
    _say(page, *lists, thing.note)


def _sourced(source: str, confidence: str, note: str) -> str:
    return ": ".join(filter(None, [", ".join(filter(None, [source, confidence])), note]))


def _show_weapon(page: Page, session: Session, shown: tuple[Weapon, list[Ammunition]]) -> None:
    weapon, rounds = shown
    page.title(f"{weapon.name} ({weapon.id}): {word(weapon.kind)}")
    _facts(page, weapon)
    _stats(page, weapon.stats)
    for ammunition in rounds:
        usual = ", the usual round" if ammunition is weapon.ammunition[0] and len(weapon.ammunition) > 1 else ""
        page.heading(f"{round_name(ammunition)} ({weapon.id}/{ammunition.id}): {ammunition.kind}{usual}")
        _facts(page, ammunition)
        for table in ammunition.penetration:
            _penetration(page, table, table is ammunition.default_table and len(ammunition.penetration) > 1)
        _stats(page, ammunition.stats)
    tables = [table.source for ammunition in rounds for table in ammunition.penetration]
    _sources(page, session, weapon.provenance, *(a.provenance for a in rounds), more=tables)


def _penetration(page: Page, table: PenetrationTable, usual: bool) -> None:
    plate = "plate" if table.plate == "unspecified" else f"{table.plate} plate"
    what = f"Penetration at {number(float(table.angle_deg))}° ({plate}, criterion {table.criterion})"
    _say(page, f"{what}: {table.source}, {table.confidence}{', used unless another is asked for' if usual else ''}.")
    most = 12
    for at in range(0, len(table.range_m), most):
        ranges = [number(float(r)) for r in table.range_m[at : at + most]]
        depths = [number(float(p)) for p in table.penetration_mm[at : at + most]]
        _table(page, ["m", *ranges], [["mm", *depths]], "<" + ">" * len(ranges))
    _say(page, table.note)


def _resistance(plate: Plate) -> str:
    """What a plate is worth by the caliber of the shot, where its source says so."""
    by_caliber = [f"{number(mm)} mm ({number(caliber)})" for caliber, mm in plate.resistance_by_caliber_mm]
    return f"Worth, by caliber: {', '.join(by_caliber)}. " if by_caliber else ""


def _show_target(page: Page, session: Session, target: Target) -> None:
    page.title(f"{target.name} ({target.id}): {word(target.body)}")
    _facts(page, target)
    if target.plates:
        page.heading("Armor")
        rows = [
            [
                word(plate.where),
                f"{number(float(plate.thickness_mm))} mm",
                f"{number(float(plate.slope_deg))}°",
                ", ".join(text for text, so in (("cast", plate.cast), ("rounded", plate.curved)) if so),
                _sourced(plate.source, plate.confidence, _resistance(plate) + plate.note),
            ]
            for plate in target.plates
        ]
        _table(page, ["plate", "thick", "slope", "", "source"], rows, "<>><<")
    if target.seats:
        page.heading("Seats")
        seats = [
            [word(seat.role), str(seat.count), word(seat.compartment), "exposed" if seat.exposed else ""]
            for seat in target.seats
        ]
        _table(page, ["role", "people", "compartment", ""], seats, "<><<")
    _stats(page, target.stats)
    aims = _all_aims(session, target)
    if aims:
        page.heading("Where it can be aimed at (--aim)")
        _say(page, *(f"{name}: {', '.join(places)}" for name, places in aims.items()))
    _sources(page, session, target.provenance, more=[plate.source for plate in target.plates])


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


def _show_ruleset(page: Page, session: Session, rules: Ruleset[Any, Any]) -> None:
    origin = session.plugins.origins[rules.name]
    page.title(f"{rules.title} ({rules.name} {rules.version})")
    _say(page, rules.summary)
    damage = f"damage is in {rules.damage_unit}" if rules.damage_unit else "no points of damage"
    _say(page, f"From {origin}; {damage}.")
    options = _options(rules)
    if options:
        page.heading(f"Options, as in --option {rules.name}.{options[0]['name']}={number(options[0]['value'])}")
        _table(
            page, ["option", "value", "may be"], [[o["name"], number(o["value"]), o["allowed"]] for o in options], "<<<"
        )
    tables = list(printed_tables(session, rules))
    if tables:
        page.heading(f"Tables, as in mantlet table {rules.name}.{tables[0]}")
        _say(page, ", ".join(tables))


def _show_state(page: Page, session: Session, path: Path) -> None:
    saved = session.saved(path)
    assert saved is not None
    rules, target = session.ruleset(None, saved, path), target_of_state(session.catalog, saved.target)
    condition, situation, remarks = session.taken_over(saved, rules, target, path)
    page.title(f"{target.name} ({target.id}): a state of {rules.name} {saved.version}")
    _say(page, f"Now: {condition_words(condition, target)}.")
    stands = standing(situation)
    _say(page, f"Situation: {', '.join(stands) if stands else 'as usual'}.")
    own = touched(saved.condition.get("detail"), session.untouched(saved, target))
    options = {
        name: value for name, value in rules.option_values().items() if value != getattr(rules.options_type(), name)
    }
    for heading, facts in ((f"What {rules.name} keeps", own), ("Options not as usual", options)):
        if facts:
            page.heading(heading)
            _say(page, *(f"{word(name)}: {values_in_words(value)}" for name, value in plain(facts).items()))
    page.gap()
    dice = saved.dice
    _say(page, f"Dice: seed {dice['seed']}, {counted(dice['thrown'], 'die', 'dice')} thrown." if dice else "")
    _say(page, f"Catalog: {', '.join(saved.catalog)}." if saved.catalog else "", *remarks)


_SHOW: dict[str, Callable[[Page, Session, Any], None]] = {
    "ruleset": _show_ruleset,
    "state": _show_state,
    "target": _show_target,
    "weapon": _show_weapon,
}


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


def _stats(page: Page, stats: Mapping[str, Mapping[str, Any]]) -> None:
    for ruleset, block in stats.items():
        _say(page, f"Stat block for {ruleset}: {', '.join(f'{key} {plain(value)}' for key, value in block.items())}")


def _sources(page: Page, session: Session, *provenances: Mapping[str, Any], more: list[str]) -> None:
    used = dict.fromkeys([*(p.source for provenance in provenances for p in provenance.values()), *more])
    known = session.catalog.sources()
    told = [f"{key}: {known[key].get('text', '')} {known[key].get('url', '')}".rstrip() for key in used if key in known]
    if told:
        page.heading("Sources")
        _say(page, *told)


def _data(session: Session, kind: str, thing: Any) -> dict[str, Any]:
    if kind == "weapon":
        weapon, rounds = thing
        return {"type": "weapon", **plain(weapon), "ammunition": rounds}
    if kind == "state":
        saved = session.saved(thing)
        assert saved is not None
        told = picked(saved, "target", "catalog", "ruleset", "version", "options", "dice", "situation", "condition")
        return {"type": "state", **told}
    if kind == "target":
        return {"type": "target", **plain(thing), "aims": _all_aims(session, thing)}
    return {
        "type": "ruleset",
        **picked(thing, "name", "version", "title"),
        "covers": thing.summary,
        "origin": str(session.plugins.origins[thing.name]),
        "damage_unit": thing.damage_unit,
        "options": _options(thing),
        "tables": [f"{thing.name}.{table}" for table in printed_tables(session, thing)],
    }
