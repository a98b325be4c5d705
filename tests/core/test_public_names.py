"""The public names: each exists, and the lazy table says the same as the imports type checkers read."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import mantlet


def test_the_lazy_table_and_the_typed_imports_agree():
    tree = ast.parse(Path(mantlet.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("mantlet.")
        for alias in node.names
    }
    assert {name: f"mantlet.{home}" for name, home in mantlet._HOME.items()} == typed
    assert set(mantlet.__all__) == {*typed, "condition", "effects"}
    assert len(mantlet.__all__) == len(set(mantlet.__all__))


@pytest.mark.parametrize("name", mantlet.__all__)
def test_a_public_name_is_there(name):
    assert getattr(mantlet, name) is not None
    assert name in dir(mantlet)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'artillery'"):
        _ = mantlet.artillery


def test_importing_mantlet_imports_nothing_else():
    code = "import sys; before = set(sys.modules); import mantlet; print(sorted(set(sys.modules) - before))"
    shown = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
                           capture_output=True, text=True, check=True)  # fmt: skip
    assert not {"pydantic", "pluggy", "numpy", "mantlet.model"} & set(ast.literal_eval(shown.stdout))


def test_modules_import_one_by_one():
    for home in mantlet._HOMES:
        importlib.import_module(f"mantlet.{home}")
