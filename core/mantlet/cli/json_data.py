"""Results as the plain data of the JSON contract."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from mantlet.cli.words import plain
from mantlet.dice.account import Account, Roll
from mantlet.game.attack import Attack
from mantlet.game.derived import Derived
from mantlet.game.effects import names
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.probability.comparison import Odds


def print_json(data: Any) -> None:
    """Write data as JSON; numbers that are no finite numbers become null, for JSON has none."""
    ascii_only = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") != "utf8"
    click.echo(json.dumps(_finite(data), indent=2, ensure_ascii=ascii_only))


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if data - data == 0 else None
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return data


def attack_data(attack: Attack, target: Target) -> dict[str, Any]:
    """An attack: the ids of what is in it, and every field with its unit in the name."""
    return {
        "weapon": attack.weapon.id,
        "ammunition": attack.ammunition.id,
        "target": target.id,
        "range_m": attack.range_m,
        "aspect_deg": attack.aspect_deg,
        "elevation_deg": attack.elevation_deg,
        "skill": attack.skill,
        "skill_percent": attack.skill_percent,
        "skills": dict(attack.skills),
        "aim": attack.aim,
        "rounds": attack.rounds,
        "delivery": attack.delivery,
        "hull_down": attack.hull_down,
        "shooter_speed_kph": attack.shooter_speed_kph,
        "target_speed_kph": attack.target_speed_kph,
        "given_hit": attack.given_hit,
        "buttoned": attack.buttoned,
        "dark": attack.dark,
        "cover": attack.cover,
        "miss_distance_m": attack.miss_distance_m,
    }


def derived_data(derived: tuple[Derived, ...]) -> list[dict[str, Any]]:
    """Derived numbers with formula and inputs."""
    return [{"stat": d.stat, "value": plain(d.value), "formula": d.formula, "inputs": plain(d.inputs)} for d in derived]


def odds_data(odds: Odds) -> dict[str, Any]:
    """One element of `results`: the contract scripts rely on, with notes and what is estimated beside it."""
    return {
        "ruleset": odds.ruleset,
        "covers": odds.covers,
        "reason": odds.reason,
        "odds": {name: float(p) for name, p in odds.odds.items()},
        "expected": {name: float(value) for name, value in odds.expected.items()},
        "locations": {zone: float(p) for zone, p in odds.locations.items()},
        "derived": derived_data(odds.derived),
        "ignored": list(odds.ignored),
        "options": plain(odds.options),
        "notes": list(odds.notes),
        "damage_unit": odds.damage_unit,
        "failed": odds.failed,
        "exact": odds.exact,
        "samples": odds.samples,
        "standard_error": dict(odds.standard_error),
        "seed": odds.seed if odds.samples else None,
    }


def account_data(account: Account) -> list[dict[str, Any]]:
    """Every roll and note in order."""
    entries: list[dict[str, Any]] = []
    for entry in account.entries:
        if isinstance(entry, Roll):
            entries.append(
                {
                    "type": "roll",
                    "reason": entry.reason,
                    "rule": entry.rule,
                    "dice": entry.dice,
                    "faces": list(entry.faces),
                    "total": entry.total,
                    "target": plain(entry.target),
                    "modifiers": [{"value": m.value, "reason": m.reason} for m in entry.modifiers],
                    "result": entry.result,
                    "probability": float(entry.probability),
                }
            )
        else:
            entries.append({"type": "note", "rule": entry.rule, "text": entry.text})
    return entries


def outcome_data(outcome: Outcome, damage_unit: str) -> dict[str, Any]:
    """What an attack came to, without the condition."""
    armor = outcome.armor
    return {
        "effects": names(outcome.effects),
        "hits": outcome.hits,
        "locations": [{"path": place.path, "zone": place.zone} for place in outcome.locations],
        "wounded": outcome.wounded,
        "killed": outcome.killed,
        "damage": outcome.damage,
        "damage_unit": damage_unit,
        "armor": None
        if armor is None
        else {
            "effective": armor.effective,
            "attack": armor.attack,
            "margin": armor.margin,
            "unit": armor.unit,
        },
    }
