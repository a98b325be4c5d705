"""What one command works with: the plugins, the catalog and the rulesets, each loaded when it is first needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from mantlet.catalog import Catalog
from mantlet.errors import MantletError, PluginError, RuleError, UnknownNameError, UsageError
from mantlet.plugins.loading import load_plugins
from mantlet.plugins.registry import Plugins, why
from mantlet.ruleset import Ruleset, parse_option

_PLUGINS = "mantlet.plugins"
_TOLD = "mantlet.told"


def own_commands(ctx: click.Context) -> list[str]:
    """The names of mantlet's own commands, which no plugin may use."""
    return list(getattr(ctx.find_root().command, "commands", ()))


def loaded_plugins(ctx: click.Context, *, commands: bool = False) -> Plugins:
    """The plugins, loaded once for a run; with the commands they bring when these are asked for first."""
    meta = ctx.find_root().meta
    if _PLUGINS not in meta:
        meta[_PLUGINS] = load_plugins(taken=own_commands(ctx), without=() if commands else ("mantlet_commands",))
    plugins: Plugins = meta[_PLUGINS]
    return plugins


def warn(ctx: click.Context) -> None:
    """Name every broken plugin on stderr, each once."""
    root = ctx.find_root()
    told: int = root.meta.get(_TOLD, 0)
    broken = loaded_plugins(ctx).broken
    for fault in broken[told:]:
        click.echo(f"Warning: {fault.text}", err=True)
    root.meta[_TOLD] = len(broken)


class Session:
    """One command's plugins, catalog and rulesets.

    Args: the user's catalog files, and options as typed (`ruleset.key=value`).
    """

    def __init__(self, catalog_files: Sequence[Path] = (), options: Sequence[str] = ()) -> None:
        self._context = click.get_current_context()
        self._files = catalog_files
        self._options: dict[str, dict[str, Any]] = {}
        for text in options:
            ruleset, key, value = parse_option(text)
            self._options.setdefault(ruleset, {})[key] = value

    @cached_property
    def plugins(self) -> Plugins:
        """The loaded plugins; the broken ones are named on stderr."""
        plugins = loaded_plugins(self._context)
        warn(self._context)
        return plugins

    @cached_property
    def catalog(self) -> Catalog:
        """The shipped catalog with the plugins' and the user's things. Raises CatalogError for a bad file."""
        return self.plugins.catalog(self._files)

    def ruleset(self, name: str, saved_options: dict[str, Any] | None = None) -> Ruleset[Any, Any]:
        """A ruleset under the options given, which win over those of a saved state.

        Raises UnknownNameError, CatalogError or PluginError.
        """
        self._known(name)
        for other in self._options:
            self._known(other)
            if other != name:
                raise UsageError(f"--option {other}.… is for {other}, and this command uses {name}.")
        return self.plugins.ruleset(name, {**(saved_options or {}), **self._options.get(name, {})})

    def rulesets(self, names: Sequence[str]) -> list[Ruleset[Any, Any]]:
        """The rulesets of these names, or every one that works when none is named.

        Raises UnknownNameError, CatalogError, and PluginError for a broken one that was asked for by name.
        """
        for name in (*names, *self._options):
            self._known(name)
        unused = [name for name in self._options if names and name not in names]
        if unused:
            raise UsageError(f"--option {unused[0]}.… is for {unused[0]}, which is not among the rulesets compared.")
        if names:
            return [self.plugins.ruleset(name, self._options.get(name)) for name in dict.fromkeys(names)]
        working = self.plugins.working_rulesets(self._options)
        warn(self._context)
        if not working:
            raise PluginError("No ruleset works; mantlet rulesets says why.")
        return working

    def the_one(self, name: str | None) -> str:
        """The name of the ruleset to use where one is wanted. Raises UsageError when that is not clear."""
        if name is not None:
            return name
        names = list(self.plugins.rulesets)
        if len(names) == 1:
            return names[0]
        if not names:
            raise PluginError("No ruleset is installed that works; mantlet rulesets says why.")
        raise UsageError(f"Say which ruleset with --ruleset: {', '.join(names)}.")

    def observe(self, outcome: Any, account: Any) -> None:
        """Tell the plugins that watch attacks; one that fails is named on stderr."""
        self.plugins.observe(outcome, account)
        warn(self._context)

    def _known(self, name: str) -> None:
        if name not in self.plugins.rulesets:
            raise UnknownNameError("ruleset", name, self.plugins.rulesets, f"this installation ({self._listed})")

    @property
    def _listed(self) -> str:
        return ", ".join(self.plugins.rulesets) or "it has none"

    @contextmanager
    def guest(self, ruleset: Ruleset[Any, Any]) -> Iterator[None]:
        """Around a call into a ruleset: what it did not foresee becomes a PluginError that names it."""
        try:
            yield
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except RuleError as error:
            raise PluginError(self._fault(ruleset, str(error))) from error
        except MantletError:
            raise
        except RecursionError as error:
            raise PluginError(self._fault(ruleset, "RecursionError: its rules call themselves without end")) from error
        except BaseException as error:
            raise PluginError(self._fault(ruleset, why(error))) from error

    def _fault(self, ruleset: Ruleset[Any, Any], reason: str) -> str:
        origin = self.plugins.origins.get(ruleset.name)
        whose = f"plugin {origin.plugin}, {origin}" if origin else "of unknown origin"
        return f"Ruleset {ruleset.name} ({whose}) failed: {reason}. Set MANTLET_DEBUG=1 to see where."
