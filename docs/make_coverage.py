"""Write docs/coverage.md: every rule of the three rulesets, where it is, which tests hold it, and whether it works.

The rules come from `plugins/*/data/rules.toml`, the tests from their `@pytest.mark.rule(...)` marks, read off the
source. Run by `docs/refresh.py`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "coverage.md"

INVENTORY = {
    "d100_wwii": [*(f"R{n}" for n in range(1, 33)), *(f"A{n}" for n in range(1, 66))],
    "facing_armor": [f"F{n}" for n in range(1, 33)],
    "gurps_vehicle": [f"G{n}" for n in range(1, 32)],
}
"""Every rule id there is, by ruleset: R, F and G are rules, A the places where the source can be read two ways."""

SHOWN = 3
"""How many tests of one rule are named."""


@dataclass(frozen=True)
class Rule:
    """One rule as a plugin's rules.toml gives it."""

    id: str
    title: str
    where: str
    status: str


def rules(ruleset: str) -> list[Rule]:
    """The rules of a ruleset, in the order of the inventory, unknown ids last."""
    file = ROOT / "plugins" / ruleset / "data" / "rules.toml"
    if not file.exists():
        return []
    listed = [Rule(**entry) for entry in tomllib.loads(file.read_text("utf-8"))["rule"]]
    known = INVENTORY[ruleset]
    return sorted(listed, key=lambda rule: known.index(rule.id) if rule.id in known else len(known))


@cache
def tests() -> dict[str, list[str]]:
    """The tests that hold each rule, as `file::test`, by rule id."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        for node in tree.body:
            _collect(node, file.name, found)
    return found


def _collect(node: ast.stmt, where: str, found: dict[str, list[str]]) -> None:
    if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
        for id in _marked(node.value):
            found.setdefault(id, []).append(where)
    if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return
    name = f"{where}::{node.name}"
    for decorator in node.decorator_list:
        for id in dict.fromkeys(_marked(decorator)):
            found.setdefault(id, []).append(name)
    if isinstance(node, ast.ClassDef):
        for inner in node.body:
            _collect(inner, name, found)


def _marked(node: ast.expr) -> list[str]:
    """The ids of every `pytest.mark.rule(...)` in an expression."""
    return [
        argument.value
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "rule"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def page() -> str:
    """The text of docs/coverage.md."""
    lines = [
        "# Rule coverage",
        "",
        "Every rule of the source texts by its id, where it is in the code, and the tests that hold it. Ids with A are",
        "places where the source can be read two ways. Written by `python docs/refresh.py`; a test fails when it is",
        "stale.",
        "",
        "| ruleset | rules | work | open |",
        "|---|---:|---:|---:|",
    ]
    for ruleset in INVENTORY:
        listed = rules(ruleset)
        works = sum(rule.status == "works" for rule in listed)
        lines.append(f"| {ruleset} | {len(INVENTORY[ruleset])} | {works} | {len(INVENTORY[ruleset]) - works} |")
    for ruleset in INVENTORY:
        lines += ["", f"## {ruleset}", "", "| rule | what | where | tests | status |", "|---|---|---|---|---|"]
        for rule in rules(ruleset):
            title = rule.title.replace("|", "\\|")
            lines.append(f"| {rule.id} | {title} | `{rule.where}` | {_named(rule.id)} | {rule.status} |")
    return "\n".join(lines) + "\n"


def _named(id: str) -> str:
    found = tests().get(id, [])
    named = ", ".join(f"`{re.sub(r'^test_|[.]py', '', name)}`" for name in found[:SHOWN])
    more = len(found) - SHOWN
    return f"{named} and more" if more > 0 else named
