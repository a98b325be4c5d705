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

from mantlet.catalog.toml_lines import key_lines

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "coverage.md"

INVENTORY = {
    "d100_wwii": [*(f"R{n}" for n in range(1, 33)), *(f"A{n}" for n in range(1, 71))],
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


def places(where: str) -> list[str]:
    """`file:line` of what `module:name`, `module:Class.name` or `package/file.toml:table.key` names.

    Empty where there is no such thing; more than one where it is defined again. Files are named from the root.
    """
    module, _, names = where.partition(":")
    path = tuple(filter(None, names.split(".")))
    file = ROOT / "plugins" / (module if module.endswith(".toml") else module.replace(".", "/") + ".py")
    if not file.is_file() or not path:
        return []
    lines = _toml_lines(file, path) if module.endswith(".toml") else defined(file, names)
    return [f"{file.relative_to(ROOT).as_posix()}:{line}" for line in lines]


def text_at(where: str) -> str:
    """The text in which a reader finds the rule: a docstring, an option with its comment, a table of a data file."""
    file, _, number = places(where)[0].partition(":")
    lines = (ROOT / file).read_text("utf-8").splitlines()
    at = int(number) - 1
    if file.endswith(".toml"):
        end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith("[")), len(lines))
        return "\n".join(lines[max(0, at - 1) : end])
    for node in ast.walk(_parsed(ROOT / file)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.lineno == at + 1:
            return ast.get_docstring(node) or ""
    return lines[at]


def defined(file: Path, name: str) -> list[int]:
    """The lines at which a Python file defines a name, along a dotted path in its classes."""
    return _defined(_parsed(file).body, tuple(name.split(".")))


def _toml_lines(file: Path, path: tuple[str, ...]) -> list[int]:
    line = key_lines(file.read_text("utf-8")).get(path)
    return [] if line is None else [line]


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def _defined(body: list[ast.stmt], path: tuple[str, ...]) -> list[int]:
    """The lines at which a name is defined in a module or, along a dotted path, in its classes."""
    found = []
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name == path[0] and len(path) > 1:
            found += _defined(node.body, path[1:])
        elif len(path) == 1 and path[0] in _names(node):
            found.append(node.lineno)
    return found


def _names(node: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


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
        "Every rule of the source texts by its id, the one place that states it (file, line and name), and the tests",
        "that hold it. Ids with A are places where the source can be read two ways. Written by",
        "`python docs/refresh.py`; a test fails when it is stale.",
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
            lines.append(f"| {rule.id} | {title} | {_shown(rule.where)} | {_named(rule.id)} | {rule.status} |")
    return "\n".join(lines) + "\n"


def _shown(where: str) -> str:
    """A place as it is printed: file and line, and the name there."""
    return "<br>".join(f"`{place}` {where.partition(':')[2]}" for place in places(where))


def _named(id: str) -> str:
    found = tests().get(id, [])
    named = ", ".join(f"`{re.sub(r'^test_|[.]py', '', name)}`" for name in found[:SHOWN])
    more = len(found) - SHOWN
    return f"{named} and more" if more > 0 else named
