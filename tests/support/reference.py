"""The reference files: reading them, building what they describe, and what the program makes of it.

All that the reference tests want of the program stands here; where its interface changes, this module does.
"""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from by_reason import ByReason
from mantlet import (
    Account,
    Attack,
    Condition,
    Exact,
    Note,
    Ruleset,
    Target,
    distribution,
    load_plugins,
    run,
    summarize,
)
from mantlet import condition as conditions
from mantlet import effects as effect_words
from mantlet.catalog import Catalog
from mantlet.ruleset import parse_option

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "tests" / "reference"
MOST_JOINT = 30
"""How many combinations of effects, people and damage a joint list may have."""
MOST_WORK = 1_000_000

ATTACK_FIELDS: Mapping[str, Any] = {
    "range_m": 100.0,
    "aspect_deg": 0.0,
    "elevation_deg": 0.0,
    "skill_percent": 50.0,
    "aim": None,
    "rounds": 1,
    "delivery": "fired",
    "hull_down": False,
    "shooter_speed_kph": 0.0,
    "target_speed_kph": 0.0,
    "given_hit": False,
    "buttoned": True,
    "dark": False,
    "cover": 0.0,
    "miss_distance_m": 0.0,
}
"""Every input of an attack, with what a new file has where nothing is said: all of them stand in each file."""

Data = dict[str, Any]


# -- reading ---------------------------------------------------------------------------------------------------------


def odds_files() -> list[Path]:
    """The files of exact odds, one an attack."""
    return sorted((REFERENCE / "odds").rglob("*.json"))


def account_files() -> list[Path]:
    """The files of accounts, many in each."""
    return sorted((REFERENCE / "accounts").rglob("*.json"))


def read(file: Path) -> Any:
    """The data of a file."""
    return json.loads(file.read_text("utf-8"))


@cache
def catalog() -> Catalog:
    """The weapons and targets of the reference, with every number in them."""
    return Catalog(sorted((REFERENCE / "catalog").rglob("*.toml")))


@cache
def base_options(name: str) -> Mapping[str, Any]:
    """Every option of a ruleset as it stood when the files were made: a changed default moves none."""
    text = (REFERENCE / "options" / f"{name}.txt").read_text("utf-8")
    return {key: value for _, key, value in map(parse_option, shlex.split(text.replace("--option ", "")))}


def ruleset_of(data: Data) -> Ruleset[Any, Any]:
    """The ruleset of a file, under the options that were in force and the file's own over them."""
    return load_plugins_once().ruleset(data["ruleset"], {**base_options(data["ruleset"]), **data["options"]})


@cache
def load_plugins_once() -> Any:
    """The installed plugins."""
    return load_plugins()


def attack_of(data: Data) -> tuple[Attack, Target]:
    """The attack of a file, and its target."""
    fields = dict(data["attack"])
    weapon, ammunition = catalog().round(f"{fields.pop('weapon')}/{fields.pop('ammunition')}")
    target = catalog().target(fields.pop("target"))
    return Attack(weapon=weapon, ammunition=ammunition, **fields), target


def condition_of(data: Data, ruleset: Ruleset[Any, Any], target: Target) -> Condition:
    """The condition that the target of a file begins in."""
    saved = data["condition"]
    if saved is None:
        return ruleset.fresh(target)
    detail = ruleset.load_detail(saved["detail"]) if saved["ruleset"] == ruleset.name else None
    return ruleset.adopt(target, conditions.condition_from_data(saved, detail))


def condition_data(condition: Condition, ruleset: Ruleset[Any, Any]) -> Data:
    """A condition as a file keeps it, the ruleset's own detail in it."""
    own = condition.ruleset == ruleset.name
    data = conditions.condition_to_data(condition, ruleset.dump_detail(condition.detail) if own else None)
    return dict(json.loads(json.dumps(data)))  # tuples as lists, as a file has them


# -- what the program makes of it ------------------------------------------------------------------------------------


def exact_odds(data: Data, *, fractions: bool) -> Data:
    """The odds of a file's attack, from the distribution of whole outcomes: numbers by name, and the joint list."""
    ruleset = ruleset_of(data)
    attack, target = attack_of(data)
    assert ruleset.covers(attack, target) is None, ruleset.covers(attack, target)
    plan = ruleset.plan(attack, target)
    start = condition_of(data, ruleset, target)
    outcomes = distribution(ruleset, plan, start, Exact(fractions=fractions, limit=MOST_WORK))
    told = summarize(ruleset, plan, outcomes)
    joint: dict[tuple[tuple[str, ...], int, int, int], Any] = defaultdict(int)
    for outcome, p in outcomes.items():
        key = (tuple(effect_words.names(outcome.effects)), outcome.wounded, outcome.killed, outcome.damage)
        joint[key] += p
    found: Data = {"odds": dict(told.odds), "expected": dict(told.expected), "locations": dict(told.locations)}
    if len(joint) <= MOST_JOINT:
        found["joint"] = joint
    return found


def odds_data(data: Data) -> Data:
    """The odds of a file's attack as the file keeps them: fractions, written `17/360`."""
    found = exact_odds(data, fractions=True)
    kept: Data = {
        part: {name: str(Fraction(value)) for name, value in sorted(found[part].items())}
        for part in ("odds", "expected", "locations")
    }
    if "joint" in found:
        kept["joint"] = [
            {"damage": damage, "effects": list(words), "killed": killed, "probability": str(p), "wounded": wounded}
            for (words, wounded, killed, damage), p in sorted(found["joint"].items())
        ]
    return kept


def derived_of(data: Data) -> list[str]:
    """The names of the numbers that had to be derived for a file's attack: none, where stat blocks can give them."""
    ruleset = ruleset_of(data)
    return [number.stat for number in ruleset.plan(*attack_of(data)).derived]


def account_of(data: Data, dice: ByReason) -> Data:
    """An attack, or a span of time, with these dice: the lines of its account, and what it came to."""
    ruleset = ruleset_of(data)
    if "seconds" in data:
        target = catalog().target(data["target"])
        start = condition_of(data, ruleset, target)
        passage = run(dice.dice, ruleset.pass_time, target, start, data["seconds"])
        result: Data = {"wounded": passage.wounded, "killed": passage.killed}
        effects, after = passage.effects, passage.condition
    else:
        attack, target = attack_of(data)
        start = condition_of(data, ruleset, target)
        outcome = run(dice.dice, ruleset.resolve, ruleset.plan(attack, target), start)
        result = {
            "wounded": outcome.wounded,
            "killed": outcome.killed,
            "hits": outcome.hits,
            "damage": outcome.damage,
            "locations": sorted({f"{place.path} ({place.zone})" for place in outcome.locations}),
        }
        effects, after = outcome.effects, outcome.condition
    result["effects"] = effect_words.names(effects)
    result["condition"] = condition_data(after, ruleset)
    return {"lines": lines_of(dice.account), "outcome": result}


def lines_of(account: Account) -> list[str]:
    """The lines of an account, sorted, each once: their order is free."""
    lines = set()
    for entry in account.entries:
        rule = f"[{entry.rule}] " if entry.rule else ""
        if isinstance(entry, Note):
            lines.add(f"{rule}{entry.text}")
        else:
            against = "" if entry.target is None else f" against {entry.target:g}"
            lines.add(f"{rule}{entry.reason}: {entry.dice}{against} = {entry.total:g}: {entry.result}")
    return sorted(lines)


# -- writing ---------------------------------------------------------------------------------------------------------


def command_of(data: Data, name: str) -> str:
    """The command that prints the odds of a file."""
    ruleset, attack = data["ruleset"], data["attack"]
    here = REFERENCE.relative_to(ROOT)
    skills = [f"{key}={value:g}" for key, value in attack.get("skills", {}).items()]
    if attack["skill_percent"] is not None:
        skills.insert(0, f"{attack['skill_percent']:g}")
    words = ["mantlet odds --fractions --format json --ruleset", ruleset, f"$(cat {here}/options/{ruleset}.txt)"]
    words += [shlex.join(["--option", f"{ruleset}.{key}={_typed(value)}"]) for key, value in data["options"].items()]
    words += [f"--catalog {here}/catalog/weapons/{attack['weapon']}.toml"]
    words += [f"--catalog {here}/catalog/targets/{attack['target']}.toml"]
    words += [f"--weapon {attack['weapon']}/{attack['ammunition']} --target {attack['target']}"]
    words += [f"--range {attack['range_m']:g}m --aspect {attack['aspect_deg']:g}"]
    words += [f"--elevation {attack['elevation_deg']:g}", *(f"--skill {skill}" for skill in skills)]
    words += [f"--rounds {attack['rounds']} --delivery {attack['delivery']}"]
    words += [f"--moving {attack['shooter_speed_kph']:g}kph --target-speed {attack['target_speed_kph']:g}kph"]
    words += [f"--cover {attack['cover']:g} --miss-distance {attack['miss_distance_m']:g}m"]
    words += ["--buttoned" if attack["buttoned"] else "--unbuttoned"]
    words += [shlex.join(["--aim", attack["aim"]])] if attack["aim"] is not None else []
    words += [f"--{flag.replace('_', '-')}" for flag in ("hull_down", "dark", "given_hit") if attack[flag]]
    text = " ".join(words)
    if data["condition"] is None:
        return text
    return f"python {here}/freeze.py --state {name} > state.json && {text} --state state.json"


def _typed(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def state_text(data: Data) -> str:
    """The condition of a file as `mantlet --state` reads it."""
    ruleset = ruleset_of(data)
    state = {
        "mantlet_state": 1,
        "target": data["attack"]["target"],
        "ruleset": {"name": ruleset.name, "version": ruleset.version, "options": ruleset.option_values()},
        "dice": None,
        "condition": data["condition"],
    }
    return json.dumps(state, indent=2)


def write(file: Path, data: Any) -> None:
    """Keep data in a file: keys sorted, one thing a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
