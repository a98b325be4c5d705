"""A new ruleset package: complete, installable, and conforming before its author has changed a line."""

from __future__ import annotations

import keyword
import sys
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Final

from mantlet.errors import UsageError

TEMPLATES: Final = Path(__file__).parent / "template"

_LAYOUT: Final = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "src/$name/__init__.py": "__init__.py.txt",
    "src/$name/py.typed": None,
    "src/$name/plugin.py": "plugin.py.txt",
    "src/$name/ruleset.py": "ruleset.py.txt",
    "src/$name/data/tables.toml": "tables.toml.txt",
    "tests/test_$name.py": "test_ruleset.py.txt",
}
"""Every file of the package, and the template that it is made from."""


def skeleton(name: str) -> dict[str, str]:
    """The files of a new ruleset package: their text by their path.

    Raises UsageError for a name that is no ruleset name, or that an installed module has.
    """
    if not (name.isascii() and name.isidentifier() and name.islower()) or keyword.iskeyword(name):
        raise UsageError(f"A ruleset name is lower case letters, digits and underscores, not {name!r}.")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise UsageError(f"The name {name} is taken: there is a module of that name already.")
    words = name.split("_")
    values = {
        "name": name,
        "distribution": "-".join(filter(None, words)),
        "class_name": "".join(word.capitalize() for word in words),
        "title": " ".join(filter(None, words)).capitalize(),
    }
    texts = {path: (TEMPLATES / template).read_text("utf-8") if template else "" for path, template in _LAYOUT.items()}
    return {Template(path).substitute(values): Template(text).substitute(values) for path, text in texts.items()}


def write_skeleton(name: str, directory: Path) -> list[Path]:
    """Write a new ruleset package into `directory`/`name`; gives the files written.

    Raises UsageError for a bad name or when there is something at that place already, OSError when it cannot be
    written.
    """
    files = skeleton(name)
    root = directory / name
    if root.exists():
        raise UsageError(f"{root} exists already; nothing was written.")
    written = []
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        written.append(file)
    return written
