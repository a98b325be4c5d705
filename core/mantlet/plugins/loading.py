"""Finding and loading plugins. Third-party code is a guest: one that breaks is named and left out, the rest runs.

Nothing here trusts a plugin: not that it imports, that its metadata reads, that it returns what it should, or that
its errors can be printed. A fault ends up in `Plugins.broken`, never in a traceback.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pluggy

from mantlet.errors import PluginError, nearest
from mantlet.plugins import hookspecs
from mantlet.plugins.entry_points import Distribution, distributions, entry_points, name_and_version
from mantlet.plugins.registry import Broken, Origin, Plugins, RulesetEntry, output_kept_clean, why
from mantlet.ruleset import API_VERSION

__all__ = ["SKIP_VARIABLE", "Broken", "Origin", "Plugins", "RulesetEntry", "installed_plugins", "load_plugins", "why"]

GROUP = "mantlet"
"""The entry-point group."""

SKIP_VARIABLE = "MANTLET_SKIP_PLUGINS"
"""Environment variable: entry-point names, separated by commas, of plugins to leave alone (one that hangs, say)."""


def load_plugins(
    extra: Iterable[tuple[str, Any]] = (),
    *,
    skip: Iterable[str] = (),
    taken: Iterable[str] = (),
    only: Origin | None = None,
    without: Iterable[str] = (),
) -> Plugins:
    """Load every plugin of the entry-point group, one by one; the ones that come with mantlet first.

    `extra` adds (name, module or object) pairs that are not installed, for tests and notebooks. `skip` names plugins
    to leave alone, as does the environment variable MANTLET_SKIP_PLUGINS. `taken` are command names that no plugin
    may use. `only` loads one of `installed_plugins` and no other. Hooks named in `without` are not called, for whoever
    has no use for what they bring. Never raises for a plugin's fault: see `Plugins.broken`.
    """
    loaded = Plugins()
    skipped = {*skip, *filter(None, os.environ.get(SKIP_VARIABLE, "").replace(",", " ").split())}
    reserved = frozenset(taken)
    uncalled = frozenset(without)
    for name, load, origin in _installed(loaded):
        if name in skipped or only not in (None, origin):
            continue
        try:
            with output_kept_clean():
                plugin = load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            loaded.broken.append(Broken(name, str(origin), f"importing it raised {why(error)}"))
            continue
        _add(loaded, plugin, origin, reserved, uncalled)
    for name, plugin in extra:
        if name not in skipped:
            _add(loaded, plugin, Origin(name, "given directly"), reserved, uncalled)
    return loaded


def installed_plugins() -> tuple[list[Origin], list[Broken]]:
    """The plugins there are, in the order they are loaded, without importing any; and those that cannot be read."""
    listing = Plugins()
    return [origin for _, _, origin in _installed(listing)], listing.broken


def _installed(loaded: Plugins) -> Iterator[tuple[str, Callable[[], Any], Origin]]:
    """Every entry point of the group, mantlet's own first, then by name.

    Distributions are read one by one: a broken one must not hide the others.
    """
    found: list[tuple[bool, str, str, Callable[[], Any], Origin]] = []
    seen: set[str] = set()
    for distribution in distributions():
        try:
            text = distribution.read_text("entry_points.txt") or ""
        except Exception:
            continue  # it cannot be told whether this is a plugin at all
        if f"[{GROUP}]" not in text:
            continue
        name, version = _name_and_version(distribution)
        key = name.lower().replace("_", "-").replace(".", "-")
        if key in seen:
            continue  # the same package further down the path, shadowed by the first
        seen.add(key)
        distribution_text = f"{name} {version}".strip()
        try:
            points = entry_points(text, GROUP)
        except Exception as error:
            reason = f"its entry_points.txt cannot be read ({why(error)})"
            loaded.broken.append(Broken(name, distribution_text, reason))
            continue
        for point in points:
            origin = Origin(point.name, distribution_text)
            found.append((key != GROUP, point.name, key, point.load, origin))
    for _, point_name, _, load, origin in sorted(found, key=lambda f: f[:3]):
        yield point_name, load, origin


def _name_and_version(distribution: Distribution) -> tuple[str, str]:
    try:
        name, version = name_and_version(distribution)
    except Exception:
        return "a package without readable metadata", ""
    return name or "a package without a name", version


def _add(
    loaded: Plugins, plugin: Any, origin: Origin, reserved: frozenset[str], uncalled: frozenset[str] = frozenset()
) -> None:
    """Check one plugin and take what it registers; whatever is wrong goes to `loaded.broken`."""

    def broken(reason: str, part: str = "") -> None:
        loaded.broken.append(Broken(origin.plugin, str(origin), reason, part))

    try:
        fault, hooks = _hooks_of(plugin, origin.plugin)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        fault, hooks = why(error), {}
    if fault:
        broken(fault)
        return
    for hook, call in hooks.items():
        if hook in uncalled:
            continue
        try:
            with output_kept_clean():
                items = [item for result in call() for item in _listed(result)]
        except PluginError as error:
            broken(str(error), hook)
            continue
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            broken(f"it raised {why(error)}", hook)
            continue
        for item in items:
            try:
                if hook == "mantlet_commands" and getattr(item, "name", None) in reserved:
                    raise PluginError(f"the command name {item.name} is taken by mantlet itself")
                _ACCEPT[hook](loaded, item, origin)
            except PluginError as error:
                broken(str(error), hook)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                broken(f"an entry cannot be used ({why(error)})", hook)


def _hooks_of(plugin: Any, name: str) -> tuple[str, dict[str, Callable[[], Any]]]:
    """What is wrong with a plugin as a whole ("" for nothing), and the hooks it implements, ready to call."""
    version = getattr(plugin, "mantlet_api", None)
    if version is None:
        return f"it does not say which plugin API it is written for (set mantlet_api = {API_VERSION})", {}
    if type(version) is not int or version != API_VERSION:
        return f"it is written for plugin API {version!r}, and this mantlet has {API_VERSION}", {}
    # A manager of its own: a bad plugin cannot spoil the registration of another.
    manager = pluggy.PluginManager("mantlet")
    manager.add_hookspecs(hookspecs)
    manager.register(plugin, name)
    callers = {caller.name: caller for caller in manager.get_hookcallers(plugin) or ()}
    for hook, caller in callers.items():
        implementations = caller.get_hookimpls()
        if not caller.has_spec() and not all(i.optionalhook for i in implementations):
            close = nearest(hook, _ACCEPT)
            return f"there is no hook {hook}" + (f"; did you mean {close[0]}?" if close else ""), {}
        arguments = [a for i in implementations for a in (*i.argnames, *i.kwargnames)]
        if caller.has_spec() and arguments:
            return f"{hook} must take no arguments, and it has {', '.join(arguments)}", {}
    unmarked = [hook for hook in _ACCEPT if hook not in callers and hasattr(plugin, hook)]
    if unmarked:
        return f"{unmarked[0]} is not marked with @mantlet.hookimpl", {}
    hooks: dict[str, Callable[[], Any]] = {hook: callers[hook] for hook in _ACCEPT if hook in callers}
    return ("" if hooks else "it implements no hook"), hooks


def _listed(result: Any) -> list[Any]:
    if isinstance(result, (str, bytes, Mapping, RulesetEntry)) or not isinstance(result, Iterable):
        raise PluginError(f"it has to return a list, not {type(result).__name__}")
    return list(result)


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


_ACCEPT: dict[str, Callable[[Plugins, Any, Origin], None]] = {
    "mantlet_rulesets": _accept_ruleset,
    "mantlet_catalogs": _accept_catalog,
    "mantlet_commands": _accept_command,
    "mantlet_exporters": _accept_exporter,
    "mantlet_importers": _accept_importer,
    "mantlet_observers": _accept_observer,
}
