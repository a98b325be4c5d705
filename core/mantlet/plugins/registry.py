"""What plugins brought: what is taken of it, and how it is used. Rulesets are imported when they are wanted.

A fault ends up in `Plugins.broken` or in a PluginError that names the plugin, never in a traceback.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from mantlet.catalog import Catalog
from mantlet.dice.account import Account
from mantlet.dice.tables import Table
from mantlet.errors import MantletError, PluginError, UnknownNameError, sentence
from mantlet.game.outcome import Outcome
from mantlet.plugins.discovery import Broken, Origin
from mantlet.ruleset import Ruleset


class RulesetEntry(NamedTuple):
    """A ruleset as a plugin registers it: what a listing says, and `load`, `module:Class` to import when it is used."""

    name: str
    version: str
    title: str
    summary: str
    load: str


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

    def ruleset_class(self, name: str) -> type[Ruleset[Any, Any]]:
        """Import a ruleset's class.

        Raises UnknownNameError for a name nobody registered, PluginError when it cannot be imported or is no Ruleset.
        """
        entry = self.rulesets.get(name)
        if entry is None:
            raise UnknownNameError("ruleset", name, self.rulesets)
        module, _, attribute = entry.load.partition(":")
        with guest(f"Ruleset {name} cannot be loaded from {entry.load}: "), output_kept_clean():
            found = getattr(importlib.import_module(module), attribute)
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

    def ruleset(self, name: str, options: Mapping[str, Any] | None = None) -> Ruleset[Any, Any]:
        """A ruleset under the given options.

        Raises what `ruleset_class` raises, and UnknownNameError or CatalogError for an option it refuses.
        """
        found = self.ruleset_class(name)
        with guest(f"Ruleset {name} cannot be set up: ", MantletError):
            return found.with_options(options or {})

    def working_rulesets(self, options: Mapping[str, Mapping[str, Any]] | None = None) -> list[Ruleset[Any, Any]]:
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
                fault = self.origins[name].broken(str(error), f"Ruleset {name}")
                if fault not in self.broken:
                    self.broken.append(fault)
        return working

    def catalog(self, files: Sequence[Path] = ()) -> Catalog:
        """The shipped catalog with the plugins' and the user's files beside it; importers read what is not TOML.

        Raises CatalogError for a bad file of the user, PluginError for an importer that fails.
        """
        plain = [file for file in files if file.suffix not in self.importers]
        imported = [(str(file), self.import_file(file)) for file in files if file.suffix in self.importers]
        return Catalog(plain, self.catalogs, imported)

    def observe(self, outcome: Outcome, account: Account) -> None:
        """Tell every observer of an attack. One that raises is added to `broken` and not called again."""
        for observer in list(self.observers):
            try:
                with guest("it raised "):
                    observer(outcome, account)
            except PluginError as error:
                self.observers.remove(observer)
                self.broken.append(self.owners[observer].broken(str(error), "An observer"))

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
        with guest(f"The {what} of {self._of(function)} raised ", MantletError):
            return function(argument)

    def _of(self, function: Callable[..., Any]) -> str:
        origin = self.owners[function]
        return f"plugin {origin.plugin} ({origin})"


@contextmanager
def guest(told: str, *passing: type[BaseException], after: str = "") -> Iterator[None]:
    """Whatever a guest raises becomes a PluginError: `told`, why, and `after`.

    Errors in `passing` go through, and so does the user's interrupt.
    """
    try:
        yield
    except (KeyboardInterrupt, *passing):  # type: ignore[misc]
        raise
    except BaseException as error:
        raise PluginError(f"{told}{sentence(why(error)) if after else why(error)}{after}") from error


def output_kept_clean() -> redirect_stdout[TextIO]:
    """What a guest prints goes to stderr: scripts read stdout."""
    return redirect_stdout(sys.stderr)


def why(error: BaseException) -> str:
    """An error as one line: its kind and the first line of its text, whatever state it is in."""
    try:
        text = str(error).strip().splitlines()
    except Exception:
        text = []
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


# -- taking what a hook brings -----------------------------------------------------------------------------------------


def _accept_ruleset(loaded: Plugins, item: Any, origin: Origin) -> None:
    if not isinstance(item, RulesetEntry):
        raise PluginError(f"expected a mantlet.RulesetEntry, not {type(item).__name__}")
    for key in ("name", "version", "title", "summary", "load"):
        value = getattr(item, key)
        if not (isinstance(value, str) and value.strip()):
            raise PluginError(f"the {key} of a ruleset has to be a text, not {value!r}")
    if not (item.name.isascii() and item.name.isidentifier() and item.name.islower()):
        raise PluginError(f"{item.name!r} is no ruleset name: use lower case and underscores")
    module, colon, attribute = item.load.partition(":")
    if not (colon and attribute.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise PluginError(f"load of ruleset {item.name} has to be written module:Class, not {item.load!r}")
    if item.name in loaded.rulesets:
        raise PluginError(f"the ruleset name {item.name} is taken by {loaded.origins[item.name]}")
    loaded.rulesets[item.name] = item
    loaded.origins[item.name] = origin


def _accept_catalog(loaded: Plugins, item: Any, origin: Origin) -> None:
    if not (hasattr(item, "joinpath") and hasattr(item, "is_dir")):
        raise PluginError(f"expected a directory (a Path or Traversable), not {type(item).__name__}")
    if not item.is_dir():
        raise PluginError(f"{item} is no directory")
    loaded.catalogs.append(item)


def _accept_command(loaded: Plugins, item: Any, origin: Origin) -> None:
    name = getattr(item, "name", None)
    if not (isinstance(name, str) and name and hasattr(item, "main")):
        raise PluginError(f"expected a click command, not {type(item).__name__}")
    if name in loaded.commands:
        raise PluginError(f"the command name {name} is taken")
    loaded.commands[name] = item


def _named_function(item: Any, name: str) -> tuple[str, Callable[..., Any]]:
    if not (isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) and callable(item[1])):
        raise PluginError(f"expected a pair of {name} and function, not {item!r:.60}")
    return item


def _accept_exporter(loaded: Plugins, item: Any, origin: Origin) -> None:
    name, function = _named_function(item, "format name")
    if name in loaded.exporters or name in ("text", "json", "md"):
        raise PluginError(f"the format {name} is taken")
    loaded.owners[function] = origin
    loaded.exporters[name] = function


def _accept_importer(loaded: Plugins, item: Any, origin: Origin) -> None:
    suffix, function = _named_function(item, "file suffix")
    if not suffix.startswith("."):
        raise PluginError(f"the file suffix {suffix!r} has to begin with a dot")
    if suffix in loaded.importers or suffix == ".toml":
        raise PluginError(f"the file suffix {suffix} is taken")
    loaded.owners[function] = origin
    loaded.importers[suffix] = function


def _accept_observer(loaded: Plugins, item: Any, origin: Origin) -> None:
    if not callable(item):
        raise PluginError(f"expected a function, not {type(item).__name__}")
    loaded.owners[item] = origin
    loaded.observers.append(item)


HOOKS: Final[Mapping[str, Callable[[Plugins, Any, Origin], None]]] = {
    "mantlet_rulesets": _accept_ruleset,
    "mantlet_catalogs": _accept_catalog,
    "mantlet_commands": _accept_command,
    "mantlet_exporters": _accept_exporter,
    "mantlet_importers": _accept_importer,
    "mantlet_observers": _accept_observer,
}
"""Every hook, and what takes one thing that it brings. Each raises PluginError for what cannot be used."""
