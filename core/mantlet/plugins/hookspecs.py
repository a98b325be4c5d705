"""The hooks a plugin may implement. Hooks register things; they do no work inside an attack.

A plugin is a module (or object) named in the entry-point group `mantlet`. It states `mantlet_api = 2` (or the
first and the last version it was written for, as in `(2, 3)`), and implements any of these with `@mantlet.hookimpl`.
Hook implementations take no default arguments.
"""

# mypy: disable-error-code="empty-body"

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

from mantlet.plugins.registry import RulesetEntry

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

hookspec = pluggy.HookspecMarker("mantlet")
hookimpl = pluggy.HookimplMarker("mantlet")


@hookspec
def mantlet_rulesets() -> Sequence[RulesetEntry]:
    """Rulesets this plugin brings: entries with the name, version, title, summary and how to load the class.

    The class itself is imported only when the ruleset is used, so keep its import out of the plugin module.
    """


@hookspec
def mantlet_catalogs() -> Sequence[Path | Traversable]:
    """Directories of weapons and targets, laid out like the shipped catalog.

    That is `weapons/<id>.toml`, `targets/<id>.toml`, and perhaps `aliases.toml`. They add things, and replace none.
    """


@hookspec
def mantlet_commands() -> Sequence[Any]:
    """click commands (or groups) to add to `mantlet`. A name already taken is refused and reported."""


@hookspec
def mantlet_exporters() -> Sequence[tuple[str, Callable[[Any], str]]]:
    """Ways to write a table: pairs of format name and a function from `mantlet.Table` to text, for `mantlet table`."""


@hookspec
def mantlet_importers() -> Sequence[tuple[str, Callable[[Path], Any]]]:
    """Ways to read a user's catalog file: pairs of file suffix (`.json`) and a function from a path to plain data.

    The data is what a TOML catalog would hold (`{"weapon": [...], "target": [...]}`), and is validated like one.
    """


@hookspec
def mantlet_observers() -> Sequence[Callable[[Any, Any], None]]:
    """Functions called after a seeded, typed or scripted attack, with its outcome and its account.

    Exact odds call none.
    """
