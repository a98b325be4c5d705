"""Finding and loading plugins. Third-party code is a guest: one that breaks is named and left out, the rest runs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING, Any

import pluggy

from mantlet import hookspecs
from mantlet.errors import PluginError, UnknownNameError, UsageError
from mantlet.ruleset import API_VERSION, Ruleset

if TYPE_CHECKING:
    from mantlet.catalog import Catalog

GROUP = "mantlet"
"""The entry-point group."""


@dataclass(frozen=True, kw_only=True)
class RulesetEntry:
    """A ruleset as a plugin registers it: what a listing says, and `load`, `module:Class` to import when it is used."""

    name: str
    version: str
    title: str
    summary: str
    load: str


@dataclass(frozen=True)
class Broken:
    """A plugin (or a part of one) that was left out, and why."""

    plugin: str
    origin: str
    reason: str

    @property
    def text(self) -> str:
        """One sentence for people."""
        return f"Plugin {self.plugin} ({self.origin}) is left out: {self.reason}"


@dataclass(frozen=True)
class Origin:
    """Where a plugin comes from: its entry-point name, distribution and version."""

    plugin: str
    distribution: str

    def __str__(self) -> str:
        return self.distribution


@dataclass
class Plugins:
    """Everything the plugins brought, and what was left out."""

    rulesets: dict[str, RulesetEntry] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    catalogs: list[Any] = field(default_factory=list)
    commands: dict[str, Any] = field(default_factory=dict)
    exporters: dict[str, Callable[[Any], str]] = field(default_factory=dict)
    importers: dict[str, Callable[[Any], Any]] = field(default_factory=dict)
    observers: list[Callable[[Any, Any], None]] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)

    def ruleset_class(self, name: str) -> type[Ruleset[Any]]:
        """Import a ruleset's class.

        Raises UnknownNameError for a name nobody registered, PluginError when it cannot be imported or is no Ruleset.
        """
        entry = self.rulesets.get(name)
        if entry is None:
            raise UnknownNameError("ruleset", name, self.rulesets)
        module, _, attribute = entry.load.partition(":")
        try:
            found = getattr(importlib.import_module(module), attribute)
        except Exception as error:
            raise PluginError(f"Ruleset {name} cannot be loaded from {entry.load}: {_why(error)}") from error
        if not (isinstance(found, type) and issubclass(found, Ruleset)):
            raise PluginError(f"Ruleset {name}: {entry.load} is no subclass of mantlet.Ruleset.")
        if (found.name, found.version) != (entry.name, entry.version):
            raise PluginError(
                f"Ruleset {name}: {entry.load} calls itself {found.name} {found.version}, "
                f"but is registered as {entry.name} {entry.version}."
            )
        return found

    def ruleset(self, name: str, options: dict[str, Any] | None = None) -> Ruleset[Any]:
        """A ruleset under the given options."""
        return self.ruleset_class(name).with_options(options or {})

    def catalog(self, files: Sequence[Any] = ()) -> Catalog:
        """The shipped catalog with the plugins' and the user's files beside it."""
        from mantlet.catalog import Catalog

        return Catalog(files=files, extra=self.catalogs)


def load_plugins(extra: Iterable[tuple[str, Any]] = (), *, skip: Iterable[str] = ()) -> Plugins:
    """Load every plugin of the entry-point group, one by one.

    `extra` adds (name, module or object) pairs that are not installed, for tests and notebooks; `skip` names plugins
    to leave alone. Never raises for a plugin's fault: see `Plugins.broken`.
    """
    loaded = Plugins()
    skipped = set(skip)
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda p: (not _ours(p), p.name)):
        if point.name in skipped:
            continue
        origin = Origin(point.name, _distribution(point))
        try:
            plugin = point.load()
        except (Exception, SystemExit) as error:
            loaded.broken.append(Broken(point.name, str(origin), f"import failed: {_why(error)}"))
            continue
        _add(loaded, plugin, origin)
    for name, plugin in extra:
        _add(loaded, plugin, Origin(name, "given directly"))
    return loaded


def _ours(point: metadata.EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == "mantlet"


def _distribution(point: metadata.EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "unknown origin"


def _why(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def _add(loaded: Plugins, plugin: Any, origin: Origin) -> None:
    def broken(reason: str) -> None:
        loaded.broken.append(Broken(origin.plugin, str(origin), reason))

    version = getattr(plugin, "mantlet_api", None)
    if version != API_VERSION:
        broken(f"it is written for plugin API {version!r}; this is {API_VERSION} (set mantlet_api).")
        return
    # A manager of its own: a bad plugin cannot spoil the registration of another.
    manager = pluggy.PluginManager("mantlet")
    manager.add_hookspecs(hookspecs)
    try:
        manager.register(plugin, origin.plugin)
        manager.check_pending()
    except Exception as error:
        broken(_why(error))
        return
    for hook, accept in _ACCEPT.items():
        if not getattr(manager.hook, hook).get_hookimpls():
            continue
        try:
            results = getattr(manager.hook, hook)()
            items = [item for result in results for item in _listed(hook, result)]
        except (Exception, SystemExit) as error:
            broken(f"{hook} raised {_why(error)}")
            continue
        for item in items:
            try:
                accept(loaded, item, origin)
            except (PluginError, UsageError) as error:
                broken(f"{hook}: {error}")


def _listed(hook: str, result: Any) -> list[Any]:
    if isinstance(result, (str, bytes)) or not isinstance(result, Iterable):
        raise PluginError(f"{hook} has to return a list, not {type(result).__name__}")
    return list(result)


def _accept_ruleset(loaded: Plugins, item: Any, origin: Origin) -> None:
    if not isinstance(item, RulesetEntry):
        raise PluginError(f"expected a mantlet.RulesetEntry, not {type(item).__name__}")
    if not (item.name.isidentifier() and item.name.islower()):
        raise PluginError(f"{item.name!r} is no ruleset name: use lower case and underscores")
    if item.name in loaded.rulesets:
        raise PluginError(f"the name {item.name} is taken by {loaded.origins[item.name].distribution}")
    loaded.rulesets[item.name] = item
    loaded.origins[item.name] = origin


def _accept_catalog(loaded: Plugins, item: Any, origin: Origin) -> None:
    if not hasattr(item, "joinpath"):
        raise PluginError(f"expected a directory (a Path or Traversable), not {type(item).__name__}")
    loaded.catalogs.append(item)


def _accept_command(loaded: Plugins, item: Any, origin: Origin) -> None:
    name = getattr(item, "name", None)
    if not (isinstance(name, str) and hasattr(item, "main")):
        raise PluginError(f"expected a click command, not {type(item).__name__}")
    if name in loaded.commands:
        raise PluginError(f"the command name {name} is taken")
    loaded.commands[name] = item


def _named_function(item: Any) -> tuple[str, Callable[..., Any]]:
    if not (isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) and callable(item[1])):
        raise PluginError("expected a pair of name and function")
    return item


def _accept_exporter(loaded: Plugins, item: Any, origin: Origin) -> None:
    name, function = _named_function(item)
    if name in loaded.exporters or name in ("text", "json", "md"):
        raise PluginError(f"the format {name} is taken")
    loaded.exporters[name] = function


def _accept_importer(loaded: Plugins, item: Any, origin: Origin) -> None:
    suffix, function = _named_function(item)
    if suffix in loaded.importers or suffix == ".toml" or not suffix.startswith("."):
        raise PluginError(f"the file suffix {suffix!r} is taken or does not begin with a dot")
    loaded.importers[suffix] = function


def _accept_observer(loaded: Plugins, item: Any, origin: Origin) -> None:
    if not callable(item):
        raise PluginError(f"expected a function, not {type(item).__name__}")
    loaded.observers.append(item)


_ACCEPT: dict[str, Callable[[Plugins, Any, Origin], None]] = {
    "mantlet_rulesets": _accept_ruleset,
    "mantlet_catalogs": _accept_catalog,
    "mantlet_commands": _accept_command,
    "mantlet_exporters": _accept_exporter,
    "mantlet_importers": _accept_importer,
    "mantlet_observers": _accept_observer,
}
