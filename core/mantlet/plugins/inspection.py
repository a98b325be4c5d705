"""What every installed plugin brings and what is wrong with it, found out without importing any of them here.

Each plugin is loaded in a process of its own with a time limit, so that one which hangs, ends its process or crashes
the interpreter is reported like any other.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from mantlet.catalog.validation import validate
from mantlet.errors import MantletError
from mantlet.plugins.discovery import Origin, installed_plugins
from mantlet.plugins.loading import SKIP_VARIABLE, load_plugins
from mantlet.plugins.registry import why

PATIENCE_S: Final = 15.0
"""How long one plugin may take to load."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: with the whole plugin, or with the `part` named."""

    part: str
    reason: str


@dataclass
class InspectedRuleset:
    """A ruleset as its plugin registers it; `fault` says why it cannot be used, and is empty when it can."""

    name: str
    version: str
    title: str
    summary: str
    fault: str = ""


@dataclass(frozen=True)
class Inspected:
    """One plugin: where it comes from, what it brings by kind, and its faults. `skipped` was left alone on request."""

    plugin: str
    origin: str
    rulesets: tuple[InspectedRuleset, ...] = ()
    brings: tuple[tuple[str, tuple[str, ...]], ...] = ()
    faults: tuple[Fault, ...] = ()
    skipped: bool = False


def inspect_plugins(taken: Iterable[str] = (), patience_s: float = PATIENCE_S) -> list[Inspected]:
    """Every plugin that is installed, in the order they are loaded. `taken` are command names no plugin may use."""
    installed, unreadable = installed_plugins()
    origins = [plugin.origin for plugin in installed]
    skipped = set(os.environ.get(SKIP_VARIABLE, "").replace(",", " ").split())
    reserved = list(taken)
    with tempfile.TemporaryDirectory(prefix="mantlet-") as folder:
        visits = [
            None if origin.plugin in skipped else _Visit(origin, Path(folder, str(n)), reserved)
            for n, origin in enumerate(origins)
        ]
        deadline = time.monotonic() + patience_s
        found = [
            Inspected(*origin, skipped=True) if visit is None else visit.result(deadline, patience_s)
            for origin, visit in zip(origins, visits)
        ]
    found += [Inspected(fault.plugin, fault.origin, faults=(Fault("", fault.reason),)) for fault in unreadable]
    _note_clashes(found)
    return found


class _Visit:
    """The process that loads one plugin and writes what it found to a file."""

    def __init__(self, origin: Origin, report: Path, reserved: list[str]) -> None:
        self.origin = origin
        self.report = report
        self.errors = report.with_suffix(".err")
        paths = [place or os.getcwd() for place in sys.path]
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "mantlet.plugins.inspection", *origin, report, *reserved],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )

    def result(self, deadline: float, patience_s: float) -> Inspected:
        try:
            code = self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return self._failed(f"it did not finish loading within {patience_s:g} s")
        finally:
            self._end()
        try:
            return validate(Inspected, json.loads(self.report.read_text(encoding="utf-8")), str(self.report))
        except (OSError, ValueError, MantletError):
            ended = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
            lines = self.errors.read_text("utf-8", "replace").strip().splitlines()
            return self._failed(f"the process that loaded it {ended}" + (f" ({lines[-1][:200]})" if lines else ""))

    def _failed(self, reason: str) -> Inspected:
        return Inspected(*self.origin, faults=(Fault("", reason),))

    def _end(self) -> None:
        """End the process and whatever it started."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()


_CLAIMED: Final = {
    "commands": ("mantlet_commands", "the command name"),
    "formats": ("mantlet_exporters", "the format"),
    "readers": ("mantlet_importers", "the file suffix"),
}
"""What a plugin brings under a name that it alone may have: the hook, and what the name is."""


def _note_clashes(found: list[Inspected]) -> None:
    """A name that two plugins claim belongs to the first."""
    owners: dict[tuple[str, str], str] = {}

    def taken(what: str, name: str, plugin: Inspected) -> str:
        owner = owners.setdefault((what, name), plugin.origin)
        return "" if owner == plugin.origin else f"{what} {name} is taken by {owner}"

    for at, plugin in enumerate(found):
        for ruleset in plugin.rulesets:
            ruleset.fault = taken("the ruleset name", ruleset.name, plugin) or ruleset.fault
        brings, faults = [], [*plugin.faults]
        for kind, names in plugin.brings:
            hook, what = _CLAIMED.get(kind, ("", ""))
            refused = {name: why for name in names if what and (why := taken(what, name, plugin))}
            faults += [Fault(hook, why) for why in refused.values()]
            left = tuple(name for name in names if name not in refused)
            brings += [(kind, left)] if left else []
        found[at] = replace(plugin, brings=tuple(brings), faults=tuple(faults))


def _report(origin: Origin, reserved: list[str]) -> Inspected:
    """Load one plugin, here, and say what came of it."""
    loaded = load_plugins(only=origin, taken=reserved)
    rulesets = []
    for name, entry in loaded.rulesets.items():
        fault = ""
        try:
            ruleset = loaded.ruleset(name)
            ruleset.tables(), ruleset.grids()
        except MantletError as error:
            fault = str(error)
        except BaseException as error:
            fault = f"its tables cannot be read: {why(error)}"
        rulesets.append(InspectedRuleset(name, entry.version, entry.title, entry.summary, fault))
    faults = [Fault(fault.part, fault.reason) for fault in loaded.broken]
    if loaded.catalogs:
        catalog = loaded.catalog()
        catalog.weapons(), catalog.targets(), catalog.weapon_aliases()
        faults += [Fault("mantlet_catalogs", reason) for reason in catalog.left_out]
    brings = {
        "catalogs": [str(folder) for folder in loaded.catalogs],
        "commands": loaded.commands,
        "formats": loaded.exporters,
        "readers": loaded.importers,
        "observers": [getattr(observer, "__qualname__", "observer") for observer in loaded.observers],
    }
    return Inspected(
        *origin,
        rulesets=tuple(rulesets),
        brings=tuple([(kind, tuple(names)) for kind, names in brings.items() if names]),
        faults=tuple(faults),
    )


if __name__ == "__main__":
    name, distribution, report, *reserved = sys.argv[1:]
    inspected = _report(Origin(name, distribution), reserved)
    Path(report).write_text(json.dumps(asdict(inspected)), encoding="utf-8")
