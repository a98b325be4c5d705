"""What one command works with: the plugins, the catalog and the rulesets, each loaded when it is first needed."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from mantlet.campaign import state as states
from mantlet.campaign.state import State
from mantlet.catalog import Catalog
from mantlet.cli.dice_source import generator_of
from mantlet.dice.sources import Source
from mantlet.errors import CatalogError, MantletError, PluginError, RuleError, UnknownNameError, UsageError, sentence
from mantlet.game.condition import Condition, condition_to_data
from mantlet.game.target import Target
from mantlet.plugins.loading import load_plugins
from mantlet.plugins.registry import Plugins, guest
from mantlet.ruleset import Ruleset, parse_option

DEBUG_VARIABLE = "MANTLET_DEBUG"
"""Environment variable: with any value, an unforeseen error shows its traceback."""

_PLUGINS = "mantlet.plugins"
_TOLD = "mantlet.told"


def own_commands(ctx: click.Context) -> list[str]:
    """The names of mantlet's own commands, which no plugin may use."""
    return list(getattr(ctx.find_root().command, "commands", ()))


def loaded_plugins(ctx: click.Context, *, commands: bool = False) -> Plugins:
    """The plugins, loaded once for a run; with the commands they bring when these are asked for first."""
    if _PLUGINS not in ctx.meta:
        ctx.meta[_PLUGINS] = load_plugins(taken=own_commands(ctx), without=() if commands else ("mantlet_commands",))
    plugins: Plugins = ctx.meta[_PLUGINS]
    return plugins


def warn(ctx: click.Context) -> None:
    """Name every broken plugin on stderr, each once."""
    told: int = ctx.meta.get(_TOLD, 0)
    broken = loaded_plugins(ctx).broken
    for fault in broken[told:]:
        click.echo(f"Warning: {fault.text}", err=True)
    ctx.meta[_TOLD] = len(broken)


def show_traceback() -> None:
    """The traceback of the error being handled, for whoever asked for it."""
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exc()


def saved_state(path: Path) -> State:
    """The state in a file that has to be there. Raises CatalogError."""
    saved = states.read_state(path)
    if saved is None:
        raise CatalogError(f"There is no state file {path}; mantlet attack --state writes one.")
    return saved


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

    def ruleset(self, name: str | None, saved: State | None = None) -> Ruleset[Any, Any]:
        """The ruleset of this name, else that of a saved state, else the only one there is.

        It comes under the options given, which win over those of a state that it wrote itself. Raises UsageError when
        it is not clear which ruleset is wanted, and UnknownNameError, CatalogError or PluginError.
        """
        name = name or (saved.ruleset if saved else self._only_one())
        self._known(name)
        for other in self._options:
            self._known(other)
            if other != name:
                raise UsageError(f"--option {other}.… is for {other}, and this command uses {name}.")
        before = saved.options if saved and saved.ruleset == name else {}
        return self.plugins.ruleset(name, {**before, **self._options.get(name, {})})

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

    def _only_one(self) -> str:
        names = list(self.plugins.rulesets)
        if len(names) == 1:
            return names[0]
        if not names:
            raise PluginError("No ruleset is installed that works; mantlet rulesets says why.")
        raise UsageError(f"Say which ruleset with --ruleset: {', '.join(names)}.")

    def taken_over(
        self, saved: State, rules: Ruleset[Any, Any], target: Target, path: Path
    ) -> tuple[Condition, list[str]]:
        """The condition that a state holds, and what differs from the ruleset that wrote it."""
        with self.guest(rules):
            condition = states.condition_of(saved, rules, target, path)
        return condition, list(filter(None, [states.differences(saved, rules)]))

    @contextmanager
    def saving(
        self,
        path: Path | None,
        target: Target,
        rules: Ruleset[Any, Any],
        condition: Condition,
        source: Source,
        saved: State | None,
    ) -> Iterator[None]:
        """Save a condition. An error of that is raised at the end: dice have been rolled, tell first what they did."""
        try:
            if path is not None:
                with self.guest(rules):
                    states.write_state(path, target, rules, condition, generator_of(source), saved)
        except CatalogError:
            yield  # what the dice did is told first
            raise
        yield

    def condition_data(self, rules: Ruleset[Any, Any], condition: Condition) -> dict[str, Any]:
        """A condition as plain data, with the ruleset's detail."""
        with self.guest(rules):
            detail = None if condition.detail is None else rules.dump_detail(condition.detail)
        return condition_to_data(condition, detail)

    def observe(self, outcome: Any, account: Any) -> None:
        """Tell the plugins that watch attacks; one that fails is named on stderr."""
        self.plugins.observe(outcome, account)
        warn(self._context)

    def _known(self, name: str) -> None:
        known = self.plugins.rulesets
        if name not in known:
            there = ", ".join(known) or "it has none"
            raise UnknownNameError("ruleset", name, known, f"this installation ({there})")

    @contextmanager
    def guest(self, ruleset: Ruleset[Any, Any]) -> Iterator[None]:
        """Around a call into a ruleset: what it did not foresee becomes a PluginError that names it."""
        origin = self.plugins.origins.get(ruleset.name)
        whose = f"plugin {origin.plugin}, {origin}" if origin else "of unknown origin"
        failed, after = f"Ruleset {ruleset.name} ({whose}) failed: ", f" Set {DEBUG_VARIABLE}=1 to see where."
        with guest(failed, MantletError, GeneratorExit, after=after):
            try:
                yield
            except RuleError as error:
                raise PluginError(f"{failed}{sentence(error)}{after}") from error
            except RecursionError as error:
                endless = "RecursionError: its rules call themselves without end"
                raise PluginError(f"{failed}{sentence(endless)}{after}") from error
