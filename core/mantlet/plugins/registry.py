"""What plugins brought, and how it is used: rulesets imported when they are wanted, functions called at arm's length.

A fault ends up in `Plugins.broken` or in a PluginError that names the plugin, never in a traceback.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from mantlet.errors import MantletError, PluginError, UnknownNameError
from mantlet.ruleset import Ruleset

if TYPE_CHECKING:
    from pathlib import Path

    from mantlet.catalog import Catalog
    from mantlet.dice.account import Account
    from mantlet.dice.tables import Table
    from mantlet.game.outcome import Outcome


class RulesetEntry(NamedTuple):
    """A ruleset as a plugin registers it: what a listing says, and `load`, `module:Class` to import when it is used."""

    name: str
    version: str
    title: str
    summary: str
    load: str


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


class Plugins:
    """Everything the plugins brought, and what was left out.

    `owners` says where an exporter, importer or observer came from.
    """

    def __init__(self) -> None:
        self.rulesets: dict[str, RulesetEntry] = {}
        self.origins: dict[str, Origin] = {}
        self.catalogs: list[Any] = []
        self.commands: dict[str, Any] = {}
        self.exporters: dict[str, Callable[[Any], str]] = {}
        self.importers: dict[str, Callable[[Any], Any]] = {}
        self.observers: list[Callable[[Any, Any], None]] = []
        self.owners: dict[Callable[..., Any], Origin] = {}
        self.broken: list[Broken] = []

    def ruleset_class(self, name: str) -> type[Ruleset[Any]]:
        """Import a ruleset's class.

        Raises UnknownNameError for a name nobody registered, PluginError when it cannot be imported or is no Ruleset.
        """
        entry = self.rulesets.get(name)
        if entry is None:
            raise UnknownNameError("ruleset", name, self.rulesets)
        module, _, attribute = entry.load.partition(":")
        try:
            with output_kept_clean():
                found = getattr(importlib.import_module(module), attribute)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise PluginError(f"Ruleset {name} cannot be loaded from {entry.load}: {why(error)}") from error
        if not (isinstance(found, type) and issubclass(found, Ruleset)):
            raise PluginError(f"Ruleset {name}: {entry.load} is no subclass of mantlet.Ruleset.")
        missing = sorted(getattr(found, "__abstractmethods__", ()))
        if missing:
            raise PluginError(f"Ruleset {name}: {entry.load} does not define {', '.join(missing)}.")
        stated = (getattr(found, "name", None), getattr(found, "version", None))
        if stated != (entry.name, entry.version):
            raise PluginError(
                f"Ruleset {name}: {entry.load} calls itself {stated[0]} {stated[1]}, "
                f"but is registered as {entry.name} {entry.version}."
            )
        return found

    def ruleset(self, name: str, options: Mapping[str, Any] | None = None) -> Ruleset[Any]:
        """A ruleset under the given options.

        Raises what `ruleset_class` raises, and UnknownNameError or CatalogError for an option it refuses.
        """
        found = self.ruleset_class(name)
        try:
            return found.with_options(options or {})
        except (MantletError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise PluginError(f"Ruleset {name} cannot be set up: {why(error)}") from error

    def working_rulesets(self, options: Mapping[str, Mapping[str, Any]] | None = None) -> list[Ruleset[Any]]:
        """Every ruleset that loads, in the order of registration; those that do not are added to `broken`.

        `options` holds the options of each ruleset by its name. An option that a ruleset refuses is the user's mistake
        and is raised.
        """
        chosen = options or {}
        working = []
        for name in self.rulesets:
            try:
                working.append(self.ruleset(name, chosen.get(name)))
            except PluginError as error:
                origin = self.origins[name]
                fault = Broken(origin.plugin, str(origin), str(error), f"Ruleset {name}")
                if fault not in self.broken:
                    self.broken.append(fault)
        return working

    def catalog(self, files: Sequence[Path] = ()) -> Catalog:
        """The shipped catalog with the plugins' and the user's files beside it; importers read what is not TOML.

        Raises CatalogError for a bad file of the user, PluginError for an importer that fails.
        """
        from mantlet.catalog import Catalog

        plain = [file for file in files if file.suffix not in self.importers]
        imported = [(str(file), self.import_file(file)) for file in files if file.suffix in self.importers]
        return Catalog(plain, self.catalogs, imported)

    def observe(self, outcome: Outcome, account: Account) -> None:
        """Tell every observer of an attack. One that raises is added to `broken` and not called again."""
        for observer in list(self.observers):
            try:
                observer(outcome, account)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                origin = self.owners[observer]
                self.observers.remove(observer)
                self.broken.append(Broken(origin.plugin, str(origin), f"it raised {why(error)}", "An observer"))

    def export(self, name: str, table: Table[Any]) -> str:
        """A table in a plugin's format. Raises UnknownNameError for an unknown format, PluginError when it fails."""
        if name not in self.exporters:
            raise UnknownNameError("format", name, ("text", "json", "md", *self.exporters))
        function = self.exporters[name]
        text = self._call(f"format {name}", function, table)
        if not isinstance(text, str):
            raise PluginError(f"The format {name} of {self._of(function)} gave {type(text).__name__} and not text.")
        return text

    def import_file(self, path: Path) -> Any:
        """The plain data of a catalog file in a plugin's format. Raises PluginError when there is none or it fails."""
        function = self.importers.get(path.suffix)
        if function is None:
            raise PluginError(f"No plugin reads files that end in {path.suffix or 'nothing'} ({path}).")
        return self._call(f"reader of {path.suffix} files, given {path},", function, path)

    def _call(self, what: str, function: Callable[[Any], Any], argument: Any) -> Any:
        try:
            return function(argument)
        except (MantletError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise PluginError(f"The {what} of {self._of(function)} raised {why(error)}") from error

    def _of(self, function: Callable[..., Any]) -> str:
        origin = self.owners[function]
        return f"plugin {origin.plugin} ({origin})"


@contextmanager
def output_kept_clean() -> Iterator[None]:
    """What a guest prints goes to stderr: scripts read stdout."""
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout = stdout


def why(error: BaseException) -> str:
    """An error as one line: its kind and the first line of its text, whatever state it is in."""
    try:
        text = str(error).strip().splitlines()
    except Exception:
        text = []
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
