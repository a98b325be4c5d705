"""Results as the plain data of the JSON contract."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import click

from mantlet.cli.dice_source import generator_of
from mantlet.cli.gate import visible_json
from mantlet.cli.words import plain
from mantlet.dice.account import Account, Entry, Roll
from mantlet.dice.sources import Source
from mantlet.game.attack import Attack
from mantlet.game.effects import names
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.probability.comparison import Odds
from mantlet.ruleset import Report


def print_json(data: Any) -> None:
    """Write anything that `plain` understands as JSON; numbers that are not finite become null, for JSON has none."""
    ascii_only = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") != "utf8"
    finite = json.loads(json.dumps(plain(data)), parse_constant=lambda name: None)
    click.echo(visible_json(json.dumps(finite, indent=2, ensure_ascii=ascii_only)))


def picked(thing: Any, *names: str) -> dict[str, Any]:
    """These attributes of a thing under their own names."""
    return {name: getattr(thing, name) for name in names}


def floats(numbers: Mapping[str, Any]) -> dict[str, float]:
    """Named numbers as floats: exact ones are fractions."""
    return {name: float(value) for name, value in numbers.items()}


def attack_data(attack: Attack, target: Target) -> dict[str, Any]:
    """An attack: the ids of what is in it, and every field with its unit in the name."""
    own = [field.name for field in fields(attack) if field.name not in ("weapon", "ammunition")]
    ids = {"weapon": attack.weapon.id, "ammunition": attack.ammunition.id, "target": target.id}
    return {**ids, **picked(attack, *own)}


FIGURES = ("odds", "expected", "locations", "exact", "samples", "standard_error", "seed")
"""What of the data of odds are figures."""


def odds_data(odds: Odds) -> dict[str, Any]:
    """One element of `results`: the contract scripts rely on, with notes and what is estimated beside it."""
    return {
        **picked(odds, "ruleset", "covers", "reason"),
        "odds": floats(odds.odds),
        "expected": floats(odds.expected),
        "locations": floats(odds.locations),
        **picked(odds, "derived", "ignored", "options", "notes", "damage_unit", "failed"),
        **picked(odds, "exact", "samples", "standard_error", "seed"),
    }


def dice_data(source: Source) -> dict[str, Any]:
    """The dice of an attack or action: the seed if they have one, the script that repeats them, and every roll."""
    generator = generator_of(source)
    account = source.account
    return {
        "seed": generator["seed"] if generator else None,
        "dice": account.script,
        "account": entries_data(account),
    }


def entries_data(account: Account) -> list[dict[str, Any]]:
    """Every roll and note of an account."""
    return [_entry_data(entry) for entry in account.entries]


def _entry_data(entry: Entry) -> dict[str, Any]:
    if not isinstance(entry, Roll):
        return {"type": "note", **picked(entry, "rule", "text")}
    told = picked(entry, "reason", "rule", "dice", "faces", "total", "target", "modifiers", "result")
    return {"type": "roll", **told, "probability": float(entry.probability)}


def report_data(report: Report) -> dict[str, Any]:
    """What the ruleset says of a result in its own words, under the key `report`; nothing where it says nothing."""
    return {} if report == Report() else {"report": {"headline": report.headline, "now": report.now, **report.data}}


def outcome_data(outcome: Outcome, damage_unit: str) -> dict[str, Any]:
    """What an attack came to, without the condition."""
    return {
        "effects": names(outcome.effects),
        **picked(outcome, "hits", "locations", "wounded", "killed", "damage"),
        "damage_unit": damage_unit,
        "armor": picked(outcome.armor, "effective", "attack", "margin", "unit") if outcome.armor else None,
    }
