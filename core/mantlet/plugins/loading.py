"""Loading plugins, one by one. Third-party code is a guest: one that breaks is named and left out, the rest runs.

Nothing here trusts a plugin: not that it imports, that its metadata reads, that it returns what it should, or that
its errors can be printed. A fault ends up in `Plugins.broken`, never in a traceback.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import pluggy

from mantlet.errors import PluginError, line_of, nearest
from mantlet.plugins.discovery import Origin, installed_plugins
from mantlet.plugins.registry import HOOKS, IMPORTED, Plugins, RulesetEntry, Watch, guest, output_kept_clean, unwatched
from mantlet.ruleset import API_VERSION, OLDEST_API

SKIP_VARIABLE: Final = "MANTLET_SKIP_PLUGINS"
"""Environment variable: entry-point names, separated by commas, of plugins to leave alone (one that hangs, say)."""


def load_plugins(
    extra: Iterable[tuple[str, Any]] = (),
    *,
    skip: Iterable[str] = (),
    taken: Iterable[str] = (),
    only: Origin | None = None,
    without: Iterable[str] = (),
    watch: Watch = unwatched,
) -> Plugins:
    """Load every plugin of the entry-point group, one by one; the ones that come with mantlet first.

    `extra` adds (name, module or object) pairs that are not installed, for tests and notebooks. `skip` names plugins
    to leave alone, as does the environment variable MANTLET_SKIP_PLUGINS. `taken` are command names that no plugin
    may use. `only` loads one of `installed_plugins` and no other. Hooks named in `without` are not called, for whoever
    has no use for what they bring. `watch` is put around everything that imports a plugin or calls it. Never raises for
    a plugin's fault: see `Plugins.broken`.
    """
    loaded = Plugins(watch)
    installed, loaded.broken = installed_plugins()
    skipped = {*skip, *os.environ.get(SKIP_VARIABLE, "").replace(",", " ").split()}
    reserved = frozenset(taken)
    uncalled = frozenset(without)
    for origin, entry_point in installed:
        if origin.plugin in skipped or only not in (None, origin):
            continue
        with _faults_noted(loaded, origin), watch(origin, IMPORTED), output_kept_clean():
            with guest("importing it raised "):
                plugin = entry_point.load()
            _add(loaded, plugin, origin, reserved, uncalled)
    for name, plugin in extra:
        if name not in skipped:
            origin = Origin(name, "given directly")
            with _faults_noted(loaded, origin), output_kept_clean():
                _add(loaded, plugin, origin, reserved, uncalled)
    return loaded


@contextmanager
def _faults_noted(loaded: Plugins, origin: Origin, part: str = "", line: str = "") -> Iterator[None]:
    """Whatever is wrong with a plugin, or with this part of it at this line, goes to `loaded.broken`."""
    try:
        yield
    except PluginError as error:
        loaded.broken.append(origin.broken(f"{error}{line}", part))


def _add(loaded: Plugins, plugin: Any, origin: Origin, reserved: frozenset[str], uncalled: frozenset[str]) -> None:
    """Check one plugin and take what it registers. Raises PluginError for what is wrong with it as a whole."""
    with guest("", PluginError):
        hooks = _hooks_of(plugin, origin.plugin)
    for hook, call in hooks.items():
        if hook in uncalled:
            continue
        items: list[Any] = []
        with _faults_noted(loaded, origin, hook), guest("it raised ", PluginError):
            items = _listed(call(), call)
        for item in items:
            with (
                _faults_noted(loaded, origin, hook, line_of(call)),
                guest("an entry cannot be used (", PluginError, after=")"),
            ):
                if hook == "mantlet_commands" and getattr(item, "name", None) in reserved:
                    raise PluginError(f"the command name {item.name} is taken by mantlet itself")
                HOOKS[hook](loaded, item, origin)


def _hooks_of(plugin: Any, name: str) -> dict[str, Callable[[], Any]]:
    """The hooks a plugin implements, ready to call. Raises PluginError for what is wrong with it as a whole."""
    _check_api(getattr(plugin, "mantlet_api", None))
    # A manager of its own: a bad plugin cannot spoil the registration of another.
    manager = pluggy.PluginManager("mantlet")
    manager.register(plugin, name)
    found: dict[str, Callable[[], Any]] = {}
    for caller in manager.get_hookcallers(plugin) or ():
        hook = caller.name
        written, *others = caller.get_hookimpls()
        if others:
            raise PluginError(f"it implements {hook} twice{line_of(others[0].function)}")
        if hook not in HOOKS:
            if written.optionalhook:
                continue
            close = nearest(hook, HOOKS)
            near = f"; did you mean {close[0]}?" if close else ""
            raise PluginError(f"there is no hook {hook}{near}{line_of(written.function)}")
        arguments = (*written.argnames, *written.kwargnames)
        if arguments:
            has = ", ".join(arguments)
            raise PluginError(f"{hook} must take no arguments, and it has {has}{line_of(written.function)}")
        found[hook] = written.function
    unmarked = [hook for hook in HOOKS if hook not in found and hasattr(plugin, hook)]
    if unmarked:
        line = line_of(getattr(plugin, unmarked[0]))
        raise PluginError(f"{unmarked[0]} is not marked with @mantlet.hookimpl{line}")
    hooks = {hook: found[hook] for hook in HOOKS if hook in found}
    if not hooks:
        raise PluginError("it implements no hook")
    return hooks


def _check_api(stated: Any) -> None:
    """Raise PluginError for a plugin that states a `mantlet_api` with which it cannot be used.

    It states the version it was written for, or the first and the last one.
    """
    if stated is None:
        raise PluginError(f"it does not say which plugin API it is written for (set mantlet_api = {API_VERSION})")
    versions = stated if type(stated) is tuple else (stated, stated)
    if len(versions) != 2 or any(type(version) is not int for version in versions) or versions[0] > versions[1]:
        raise PluginError(
            f"its mantlet_api is {stated!r}, and it has to be a version such as {API_VERSION}, "
            f"or the first and the last one such as ({API_VERSION}, {API_VERSION + 1})"
        )
    first, last = versions
    if last < OLDEST_API or first > API_VERSION:
        written, supported = _span(first, last), _span(OLDEST_API, API_VERSION)
        raise PluginError(f"it is written for plugin API {written}, and this mantlet supports {supported}")


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _listed(result: Any, hook: Callable[[], Any]) -> list[Any]:
    if isinstance(result, (str, bytes, Mapping, RulesetEntry)) or not isinstance(result, Iterable):
        given = "nothing: is its return missing?" if result is None else type(result).__name__
        raise PluginError(f"it has to return a list, not {given}{line_of(hook)}")
    return list(result)
