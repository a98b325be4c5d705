"""The house rules that no other tool checks."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import mantlet

ROOT = Path(__file__).parents[2]
CORE = sorted((ROOT / "core").rglob("*.py"))
PLUGINS = sorted((ROOT / "plugins").rglob("*.py"))
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))

OPEN_TO_PLUGINS = {
    "mantlet",
    "mantlet.catalog",
    "mantlet.commands",
    "mantlet.game.condition",
    "mantlet.game.effects",
    "mantlet.ruleset",
    "mantlet.campaign.state",
    "mantlet.testing",
    "mantlet.units",
}
"""The modules a plugin may import from; the rest is the core's own business."""

CHANCE = ("core/mantlet/dice/sources.py", "core/mantlet/probability/sampler.py")
NEVER = {
    "asyncio",
    "ftplib",
    "http",
    "marshal",
    "pickle",
    "requests",
    "secrets",
    "shelve",
    "socket",
    "socketserver",
    "ssl",
    "urllib",
    "xmlrpc",
}
"""No network, nothing that runs what it reads."""

NAMED_TUPLE = {"_replace", "_asdict", "_fields", "_make"}


def shown(file: Path) -> str:
    return str(file.relative_to(ROOT))


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"), str(file))


def imports(file: Path) -> Iterator[tuple[str, str, int]]:
    """Every import: the module, the name taken from it ("" for the module itself), the line."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, "", node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{shown(file)}, line {node.lineno}: write imports in full"
            for alias in node.names:
                yield node.module or "", alias.name, node.lineno


@pytest.mark.parametrize("file", [*CORE, *PLUGINS, *EXAMPLES], ids=shown)
def test_no_chance_but_through_dice_and_nothing_that_runs_what_it_reads(file: Path) -> None:
    for module, name, line in imports(file):
        top = module.partition(".")[0]
        where = f"{shown(file)}, line {line}"
        assert top not in NEVER, f"{where} imports {module}"
        if top == "random":
            assert shown(file) in CHANCE, f"{where}: ask the dice"
        if module == "numpy.random" or (module == "numpy" and name == "random"):
            raise AssertionError(f"{where}: ask the dice")
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("eval", "exec"), f"{shown(file)}, line {node.lineno}: {node.func.id}"
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "random"
            and shown(file) not in (*CHANCE, "core/mantlet/probability/bulk.py")
        ):
            raise AssertionError(f"{shown(file)}, line {node.lineno}: ask the dice")


@pytest.mark.parametrize("file", [*PLUGINS, *EXAMPLES], ids=shown)
def test_plugins_use_public_names_alone(file: Path) -> None:
    for module, name, line in imports(file):
        if module.partition(".")[0] != "mantlet":
            continue
        where = f"{shown(file)}, line {line}"
        assert module in OPEN_TO_PLUGINS, f"{where} imports from {module}, which is the core's own"
        assert not name.startswith("_"), f"{where} imports {name}"
        if module == "mantlet":
            assert name in mantlet.__all__, f"{where}: {name} is no public name of mantlet"
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and node.attr not in NAMED_TUPLE:
            dunder = node.attr.startswith("__") and node.attr.endswith("__")
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            assert own or dunder, f"{shown(file)}, line {node.lineno}: .{node.attr} is private"


@pytest.mark.parametrize("file", [*CORE, *PLUGINS], ids=shown)
def test_a_module_fits_in_one_head(file: Path) -> None:
    lines = len(file.read_text("utf-8").splitlines())
    assert lines <= 500, f"{shown(file)} has {lines} lines"


@pytest.mark.parametrize("file", [*CORE, *PLUGINS], ids=shown)
def test_every_module_and_public_name_says_what_it_is(file: Path) -> None:
    silent = [f"{shown(file)}, line {node.lineno}: {name}" for name, node in undocumented(file)]
    assert not silent, "no docstring:\n" + "\n".join(silent)
    assert ast.get_docstring(tree(file)), f"{shown(file)} has no docstring"


def undocumented(file: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """Public functions and classes without a docstring, and public methods of classes that override nothing."""
    for node in tree(file).body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.startswith("_"):
            continue
        if not ast.get_docstring(node):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and not any(overridable(base) for base in node.bases):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    overload = any(ast.unparse(d).endswith(("overload", ".setter")) for d in inner.decorator_list)
                    if not ast.get_docstring(inner) and not overload:
                        yield f"{node.name}.{inner.name}", inner


def overridable(base: ast.expr) -> bool:
    """Whether a base may bring methods with docstrings of their own."""
    name = ast.unparse(base).partition("[")[0]
    return name not in ("NamedTuple", "Generic", "ABC")


@pytest.mark.parametrize("file", PLUGINS, ids=shown)
def test_a_stage_takes_at_most_four_things_beside_the_dice(file: Path) -> None:
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.FunctionDef):
            every = node.args
            names = [a.arg for a in (*every.posonlyargs, *every.args, *every.kwonlyargs) if a.arg != "self"]
            if names[:1] == ["dice"]:
                where = f"{shown(file)}, line {node.lineno}: {node.name}"
                assert len(names) <= 5, f"{where} takes {', '.join(names[1:])}: put some of them in a record"


@pytest.mark.parametrize("file", CORE, ids=shown)
def test_the_core_prints_nothing(file: Path) -> None:
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            raise AssertionError(f"{shown(file)}, line {node.lineno}: click.echo writes, print does not")


@cache
def tracked() -> list[Path]:
    """Every file under version control that is text."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_nothing_of_the_workshop_is_left_behind() -> None:
    # Put together here, so that this file does not hold them itself.
    words = ["/wo" + "rk/", "sha" + "red/", ".libr" + "ary", "sub" + "agent", "this ses" + "sion"]
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    for file in tracked():
        for number, line in enumerate(file.read_text("utf-8", errors="replace").splitlines(), start=1):
            assert not pattern.search(line), f"{shown(file)}, line {number}: {line.strip()[:100]}"


def test_the_spelling_is_american() -> None:
    pattern = re.compile(r"\b(armour|colour|calibre|behaviour|catalogue|defence|centre)(s|ed|ing|d)?\b", re.IGNORECASE)
    for file in tracked():
        # Tests may misspell on purpose.
        if file.suffix in (".py", ".md") and not shown(file).startswith("tests/"):
            for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
                found = pattern.search(line)
                assert not found, f"{shown(file)}, line {number}: {found and found[0]}"


def test_no_file_is_large() -> None:
    for file in tracked():
        assert file.stat().st_size < 500_000, shown(file)
