"""What plugins brought: what is taken of it, and how it is used. Rulesets are imported when they are wanted.

A fault ends up in `Plugins.broken` or in a PluginError that names the plugin, never in a traceback.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from mantlet.catalog import Catalog
from mantlet.catalog.user_files import check_file
from mantlet.dice.account import Account
from mantlet.dice.tables import Table
from mantlet.errors import MantletError, PluginError, UnknownNameError, line_of, line_raised, sentence
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.game.weapon import Weapon
from mantlet.plugins.discovery import Broken, Origin
from mantlet.ruleset import Ruleset

MOST_IMPORTED: Final = 50_000_000
"""The largest file, in bytes, that is handed to an importer."""

Watch = Callable[[Origin, str], AbstractContextManager[None]]
"""What is put around everything that imports a plugin or calls it, and which of the two it is."""
IMPORTED: Final = "being imported"
AT_WORK: Final = "at work"


def unwatched(origin: Origin, doing: str) -> AbstractContextManager[None]:
    """For programs: a library starts no processes."""
    return nullcontext()


def watched(origin: Origin, doing: str) -> AbstractContextManager[None]:
    """For the command: `mantlet.plugins.watch` around all plugins but mantlet's own, for which it is not imported."""
    if origin.shipped:
        return nullcontext()
    from mantlet.plugins import watch

    return watch.watched(origin, doing)


class RulesetEntry(NamedTuple):
    """A ruleset as a plugin registers it: what a listing says, and `load`, `module:Class` to import when it is used."""

    name: str
    version: str
    title: str
    summary: str
    load: str


class Plugins:
    """Everything the plugins brought, and what was left out.

    `owners` says where a command, exporter, importer or observer came from.
    """

    def __init__(self, watch: Watch = unwatched) -> None:
        self.watch = watch
        self.rulesets: dict[str, RulesetEntry] = {}
        self.origins: dict[str, Origin] = {}
        self.catalogs: list[Any] = []
        self.commands: dict[str, Any] = {}
        self.exporters: dict[str, Callable[[Any], str]] = {}
        self.importers: dict[str, Callable[[Any], Any]] = {}
        self.observers: list[Callable[[Any, Any], None]] = []
        self.owners: dict[Any, Origin] = {}
        self.broken: list[Broken] = []

    def ruleset_class(self, name: str) -> type[Ruleset[Any, Any]]:
        """Import a ruleset's class.

        Raises UnknownNameError for a name nobody registered, PluginError when it cannot be imported or is no Ruleset.
        """
        entry = self.rulesets.get(name)
        if entry is None:
            raise UnknownNameError("ruleset", name, self.rulesets)
        module, _, attribute = entry.load.partition(":")
        told = f"Ruleset {name} cannot be loaded from {entry.load}: "
        with self.watch(self.origins[name], IMPORTED), guest(told), output_kept_clean():
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
        with self.at_work(self.origins[name], f"Ruleset {name} cannot be set up: ", MantletError):
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
        blocks = {name: partial(self._check_stats, name) for name in self.rulesets}
        return Catalog(plain, self.catalogs, imported, blocks)

    def _check_stats(self, name: str, thing: Weapon | Target) -> None:
        """Let a ruleset check its stat block of a thing; one that does not load is told of where it is used."""
        try:
            rules = self.ruleset(name)
        except PluginError:
            return
        origin = self.origins[name]
        with self.at_work(origin, f"Ruleset {name} of plugin {origin.plugin} failed on stat blocks: ", MantletError):
            rules.check_stats(thing)

    def observe(self, outcome: Outcome, account: Account) -> None:
        """Tell every observer of an attack. One that raises is added to `broken` and not called again."""
        for observer in list(self.observers):
            try:
                with self.at_work(self.owners[observer], "it raised "):
                    observer(outcome, account)
            except PluginError as error:
                self.observers.remove(observer)
                self.broken.append(self.owners[observer].broken(str(error), "An observer"))

    def export(self, name: str, table: Table[Any]) -> str:
        """A table in a plugin's format. Raises UnknownNameError for an unknown format, PluginError when it fails."""
        if name not in self.exporters:
            raise UnknownNameError("format", name, ("text", "json", "md", *self.exporters))
        function = self.exporters[name]
        what = f"The format {name} of {self.owner_of(function)}"
        with self.at_work(self.owners[function], f"{what} raised ", MantletError):
            text: Any = function(table)
        if not isinstance(text, str):
            raise PluginError(f"{what} gave {type(text).__name__} and not text{line_of(function)}.")
        return text

    def import_file(self, path: Path) -> Any:
        """The plain data of a catalog file in a plugin's format. Raises PluginError when there is none or it fails."""
        from mantlet.plugins.plain_data import NotPlainError, plain_copy  # for who has such a file alone

        if path.exists():
            check_file(path, most=MOST_IMPORTED)
        function = self.importers.get(path.suffix)
        if function is None:
            raise PluginError(f"No plugin reads files that end in {path.suffix or 'nothing'} ({path}).")
        what = f"The reader of {path.suffix} files, given {path}, of {self.owner_of(function)}"
        with self.at_work(self.owners[function], f"{what} raised ", MantletError):
            try:
                return plain_copy(function(path))
            except NotPlainError as error:
                raise PluginError(f"{what} gave {error}{line_of(function)}.") from None

    @contextmanager
    def at_work(self, origin: Origin, told: str, *passing: type[BaseException], after: str = "") -> Iterator[None]:
        """Around every call into a plugin, as `guest`; the plugin is watched, and what it prints goes to stderr."""
        with self.watch(origin, AT_WORK), guest(told, *passing, after=after), output_kept_clean():
            yield

    def owner_of(self, thing: Any) -> str:
        """The plugin that brought a command, exporter, importer or observer, in words."""
        origin = self.owners[thing]
        return f"plugin {origin.plugin} ({origin})"


@contextmanager
def guest(told: str, *passing: type[BaseException], after: str = "") -> Iterator[None]:
    """Whatever a guest raises becomes a PluginError: `told`, why, at which line of the guest, and `after`.

    Errors in `passing` go through, and so does the user's interrupt.
    """
    try:
        yield
    except (KeyboardInterrupt, *passing):  # type: ignore[misc]
        raise
    except BaseException as error:
        what = why(error) + line_raised(error)
        raise PluginError(f"{told}{sentence(what) if after.startswith(' ') else what}{after}") from error


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
    _check_free(loaded, f"the command name {name}", loaded.commands.get(name))
    loaded.owners[item] = origin
    loaded.commands[name] = item


def _check_free(loaded: Plugins, what: str, taken_by: Any) -> None:
    if taken_by is not None:
        raise PluginError(f"{what} is taken by {loaded.owners[taken_by]}")


def _named_function(item: Any, name: str) -> tuple[str, Callable[..., Any]]:
    if not (isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) and callable(item[1])):
        raise PluginError(f"expected a pair of {name} and function, not {item!r:.60}")
    return item


def _accept_exporter(loaded: Plugins, item: Any, origin: Origin) -> None:
    name, function = _named_function(item, "format name")
    if name in ("text", "json", "md"):
        raise PluginError(f"the format {name} is taken by mantlet itself")
    _check_free(loaded, f"the format {name}", loaded.exporters.get(name))
    loaded.owners[function] = origin
    loaded.exporters[name] = function


def _accept_importer(loaded: Plugins, item: Any, origin: Origin) -> None:
    suffix, function = _named_function(item, "file suffix")
    if not suffix.startswith("."):
        raise PluginError(f"the file suffix {suffix!r} has to begin with a dot")
    if suffix == ".toml":
        raise PluginError(f"the file suffix {suffix} is taken by mantlet itself")
    _check_free(loaded, f"the file suffix {suffix}", loaded.importers.get(suffix))
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
