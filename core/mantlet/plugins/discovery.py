"""Which plugins are installed: the entry points of the group `mantlet`, found without importing any of them.

Distributions are read one by one, so that one whose metadata cannot be read hides no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from typing import Final, NamedTuple

GROUP: Final = "mantlet"
"""The entry-point group."""


class Broken(NamedTuple):
    """A plugin that was left out, and why. `part` names the hook or ruleset when the rest of the plugin works."""

    plugin: str
    origin: str
    reason: str
    part: str = ""

    @property
    def text(self) -> str:
        """One sentence for people."""
        what = f"{self.part} of plugin {self.plugin}" if self.part else f"Plugin {self.plugin}"
        return f"{what} ({self.origin}) is left out: {self.reason}"


class Origin(NamedTuple):
    """Where a plugin comes from: its entry-point name, and its distribution with the version."""

    plugin: str
    distribution: str

    def __str__(self) -> str:
        return self.distribution

    def broken(self, reason: str, part: str = "") -> Broken:
        """This plugin, or that part of it, is left out for this reason."""
        return Broken(self.plugin, self.distribution, reason, part)


class Installed(NamedTuple):
    """An installed plugin that can be loaded: where it comes from, and its entry point."""

    origin: Origin
    entry_point: metadata.EntryPoint


def installed_plugins() -> tuple[list[Installed], list[Broken]]:
    """The plugins there are, in the order they are loaded, without importing any; and those that cannot be read.

    Mantlet's own come first, then the others by the name of their entry point.
    """
    found: list[tuple[bool, str, str, Installed]] = []
    unreadable: list[Broken] = []
    for key, name, version, distribution in _distributions():
        label = f"{name} {version}".strip()
        try:
            points = distribution.entry_points.select(group=GROUP)
        except Exception:  # its parser has an error of its own for every kind of nonsense
            reason = "its entry_points.txt cannot be read: a line of it is not written name = module"
            unreadable.append(Broken(name, label, reason))
            continue
        for point in points:
            if not point.name or point.pattern.match(point.value) is None:
                reason = f"its entry point {point.name!r} is {point.value!r}, which names no module"
                unreadable.append(Broken(point.name or name, label, reason))
                continue
            found.append((key != GROUP, point.name, key, Installed(Origin(point.name, label), point)))
    found.sort(key=lambda entry: entry[:3])
    return [entry[3] for entry in found], unreadable


def _distributions() -> Iterator[tuple[str, str, str, metadata.Distribution]]:
    """The distributions that have plugins, each with its normalized name, its name and its version."""
    seen: set[str] = set()
    for distribution in metadata.distributions():
        try:
            if f"[{GROUP}]" not in (distribution.read_text("entry_points.txt") or ""):
                continue
        except Exception:
            continue  # it cannot be told whether this is a plugin at all
        name, version = _name_and_version(distribution)
        key = name.lower().replace("_", "-").replace(".", "-")
        if key in seen:
            continue  # the same package further down the path, shadowed by the first
        seen.add(key)
        yield key, name, version, distribution


def _name_and_version(distribution: metadata.Distribution) -> tuple[str, str]:
    try:
        headers = distribution.metadata
        name, version = (str(headers[key]) if key in headers else "" for key in ("Name", "Version"))
    except Exception:
        return "a package without readable metadata", ""
    return name or "a package without a name", version
