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

    @property
    def shipped(self) -> bool:
        """Whether it comes with mantlet."""
        return self.distribution.partition(" ")[0] == GROUP

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
    found: list[tuple[str, Installed]] = []
    unreadable: list[Broken] = []
    for name, label, distribution in _distributions():
        try:
            points = distribution.entry_points.select(group=GROUP)
        except Exception:  # its parser has an error of its own for every kind of nonsense
            reason = "its entry_points.txt cannot be read: a line of it is not written name = module"
            unreadable.append(Broken(name, label, reason))
            continue
        unmet = "" if _normalized(name) == GROUP or not points else _unmet_requirement(distribution)
        for point in points:
            if unmet:
                unreadable.append(Broken(point.name, label, unmet))
            elif point.name and point.pattern.match(point.value):
                found.append((_normalized(name), Installed(Origin(point.name, label), point)))
            else:
                reason = f"its entry point {point.name!r} is {point.value!r}, which names no module"
                unreadable.append(Broken(point.name or name, label, reason))
    found.sort(key=lambda entry: (entry[0] != GROUP, entry[1].origin.plugin, entry[0]))
    return [plugin for _, plugin in found], unreadable


def _distributions() -> Iterator[tuple[str, str, metadata.Distribution]]:
    """The distributions that have plugins, each with its name, and its name and version."""
    seen: set[str] = set()
    for distribution in metadata.distributions():
        try:
            if f"[{GROUP}]" not in (distribution.read_text("entry_points.txt") or ""):
                continue
        except Exception:
            continue  # it cannot be told whether this is a plugin at all
        try:
            headers = distribution.metadata
            name, version = (str(headers[key]) if key in headers else "" for key in ("Name", "Version"))
            name = name or "a package without a name"
        except Exception:
            name, version = "a package without readable metadata", ""
        if _normalized(name) not in seen:  # else it is shadowed by the same package earlier on the path
            seen.add(_normalized(name))
            yield name, f"{name} {version}".strip(), distribution


def _unmet_requirement(distribution: metadata.Distribution) -> str:
    """Why this mantlet is not the one that a distribution requires; empty where it is, or where it asks for none."""
    try:
        stated = [text for text in distribution.requires or () if _normalized(text).startswith(GROUP)]
        installed = metadata.version(GROUP) if stated else ""
    except Exception:
        return ""  # its metadata cannot be read, or there is no mantlet but its source
    if not stated:
        return ""
    from packaging.requirements import InvalidRequirement, Requirement  # for plugins of others alone

    for text in stated:
        try:
            required = Requirement(text)
        except InvalidRequirement:
            return f"what it requires cannot be read: {text!r}"
        asked = required.marker is None or required.marker.evaluate({"extra": ""})
        met = required.specifier.contains(installed, prereleases=True)
        if _normalized(required.name) == GROUP and asked and not met:
            return f"it requires mantlet {required.specifier}, and this is mantlet {installed}"
    return ""


def _normalized(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
