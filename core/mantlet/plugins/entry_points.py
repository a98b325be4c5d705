"""What is installed, read without `importlib.metadata`: that loads an e-mail parser and costs more than an attack.

The same files by the same rules: every `*.dist-info` and `*.egg-info` directory along `sys.path`. Where distributions
may be found by other means (a zip file on the path, a finder of its own), `importlib.metadata` is asked after all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import PathFinder
from typing import Any, NamedTuple, Protocol


class Distribution(Protocol):
    """An installed distribution, as far as it matters here; those of `importlib.metadata` are such."""

    def read_text(self, filename: str) -> str | None:
        """The text of one of its metadata files; None when there is no such file."""


class EntryPoint(NamedTuple):
    """One line of a distribution's entry points: `name = module:attribute`."""

    name: str
    value: str

    def load(self) -> Any:
        """Import what it names. Raises whatever the import raises."""
        module, _, attributes = self.value.partition(":")
        found = import_module(module.strip())
        for attribute in filter(None, attributes.strip().split(".")):
            found = getattr(found, attribute)
        return found


class _Folder(NamedTuple):
    """A metadata directory on the path."""

    path: str

    def read_text(self, filename: str) -> str | None:
        try:
            with open(os.path.join(self.path, filename), encoding="utf-8") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None


def distributions() -> Iterator[Distribution]:
    """Every distribution in the order of the path, shadowed ones too."""
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        from importlib import metadata

        yield from metadata.distributions()
        return
    for place in dict.fromkeys(sys.path):
        if os.path.isfile(place):
            from importlib import metadata

            yield from metadata.distributions(path=[place])
        else:
            yield from map(_Folder, _metadata_folders(place))


def _metadata_folders(place: str) -> list[str]:
    try:
        with os.scandir(place or ".") as entries:
            return sorted(e.path for e in entries if e.name.endswith((".dist-info", ".egg-info")))
    except OSError:
        return []


def entry_points(text: str, group: str) -> list[EntryPoint]:
    """The entry points of one group in the text of an `entry_points.txt`.

    Raises ValueError for a line of the group that is none.
    """
    found = []
    inside = False
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and line and not line.startswith(("#", ";")):
            name, equals, value = line.partition("=")
            value = value.partition("[")[0].strip()
            if not (equals and name.strip() and value):
                raise ValueError(f"{line!r} is not written name = module")
            found.append(EntryPoint(name.strip(), value))
    return found


def name_and_version(distribution: Distribution) -> tuple[str, str]:
    """What a distribution calls itself; empty strings where it does not say."""
    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
    facts: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if not line.strip():
            break  # the headers end at the first blank line
        if colon:
            facts.setdefault(key.strip().lower(), value.strip())
    return facts.get("name", ""), facts.get("version", "")
