"""What one command works with: the plugins, the catalog and the rulesets, each loaded when it is first needed."""

from __future__ import annotations

import os
import shlex
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from mantlet.campaign import state as states
from mantlet.campaign.lock import Hold, hold
from mantlet.campaign.state import State
from mantlet.catalog import Catalog
from mantlet.cli.dice_source import generator_of
from mantlet.cli.startup import COMMANDS
from mantlet.cli.words import number, plain
from mantlet.dice.sources import Source
from mantlet.errors import (
    CatalogError,
    MantletError,
    PluginError,
    RuleError,
    TableError,
    UnknownNameError,
    UsageError,
    line_raised,
    sentence,
)
from mantlet.game.condition import Condition, condition_to_data
from mantlet.game.outcome import Outcome
from mantlet.game.situation import Situation
from mantlet.game.target import Target
from mantlet.plugins.loading import load_plugins
from mantlet.plugins.registry import Plugins, Watch, unwatched
from mantlet.results import report_of
from mantlet.ruleset import Passage, Report, Ruleset, parse_option

DEBUG_VARIABLE = "MANTLET_DEBUG"
"""Environment variable: with any value, an unforeseen error shows its traceback."""

_PLUGINS = "mantlet.plugins"
_TOLD = "mantlet.told"


def loaded_plugins(ctx: click.Context, *, commands: bool = False) -> Plugins:
    """The plugins, loaded once for a run; with the commands they bring when these are asked for first."""
    if _PLUGINS not in ctx.meta:
        watch: Watch = getattr(ctx.find_root().command, "watch", unwatched)
        without = () if commands else ("mantlet_commands",)
        ctx.meta[_PLUGINS] = load_plugins(taken=COMMANDS, without=without, watch=watch)
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


class Session:
    """One command's plugins, catalog and rulesets.

    Args: the user's catalog files, and options as typed (`ruleset.key=value`).
    """

    def __init__(self, catalog_files: Sequence[Path] = (), options: Sequence[str] = ()) -> None:
        self._context = click.get_current_context()
        self._files = tuple(catalog_files)
        self._hold: Hold | None = None
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
        found = self.plugins.catalog(self._files)
        for note in found.notes:
            click.echo(f"Note: {note}", err=True)
        return found

    def saved(self, path: Path, *, writes: bool = False, new: bool = False) -> State | None:
        """The state in a file, with its catalog files beside those given; None where `new` says there need be none.

        A command that `writes` holds the file from here until `saving`, so that no other process gets between. Raises
        CatalogError for a state that cannot be used, held or written, or whose catalog files are gone; UsageError where
        a catalog file given has another target under the name.
        """
        if writes:
            self._hold = self._context.with_resource(hold(path, lambda text: click.echo(text, err=True)))
        saved = states.read_state(path)
        if saved is None and not new:
            raise CatalogError(f"There is no state file {path}; mantlet attack --state writes one.")
        if writes:
            states.check_writable(path)
        if saved is not None:
            self._add_catalog(saved, path)
        return saved

    def _add_catalog(self, saved: State, path: Path) -> None:
        """Take the catalog files of a state first; those given may add to them, or stand for ones that are gone."""
        before = states.catalog_files(saved, path)
        there = tuple(file for file in before if file.exists())
        known = {os.path.realpath(file) for file in there}
        added = tuple(file for file in self._files if os.path.realpath(file) not in known)
        if len(there) < len(before) and not added:
            gone = next(file for file in before if file not in there)
            raise CatalogError(f"{path} takes the catalog file {gone}, which is gone: say where it is with --catalog.")
        self._files = (*there, *added)
        if added and there == before and saved.catalog is not None:
            with suppress(UnknownNameError):
                target = self.plugins.catalog(there).target(saved.target)
                if plain(target) != plain(self.catalog.target(saved.target)):
                    raise UsageError(f"{path} is the state of {saved.target}, and --catalog has another of that name.")

    def ruleset(
        self, name: str | None, saved: State | None = None, path: Path | None = None, *, writes: bool = False
    ) -> Ruleset[Any, Any]:
        """The ruleset of this name, else that of the state saved in `path`, else the only one there is.

        It comes under the options given and those of a state that it wrote itself. Raises UsageError when it is not
        clear which ruleset is wanted, when an option contradicts the state, and when a command `writes` a state that
        belongs to another ruleset; UnknownNameError, CatalogError or PluginError.
        """
        name = name or (saved.ruleset if saved else self._only_one())
        self._known(name)
        for other in self._options:
            self._known(other)
            if other != name:
                raise UsageError(f"--option {other}.… is for {other}, and this command uses {name}.")
        if saved is not None and saved.ruleset != name and writes:
            convert = f"mantlet state convert {shlex.quote(str(path))} --to {name}"
            raise UsageError(
                f"{path} is a state of {saved.ruleset}, and {name} would write it. {convert} takes over its neutral "
                "facts; with --dry-run it lists what is not taken over."
            )
        return self._under_options(name, saved, path)

    def _under_options(self, name: str, saved: State | None, path: Path | None) -> Ruleset[Any, Any]:
        """A ruleset under the options given and those of a state of its own, which they may not contradict."""
        given = self._options.get(name, {})
        if saved is None or saved.ruleset != name:
            return self.plugins.ruleset(name, given)
        rules = self.plugins.ruleset(name, {**saved.options, **given})
        if given:
            before = self.plugins.ruleset(name, saved.options).option_values()
            for key, value in rules.option_values().items():
                if value != before[key] and key not in rules.changing_options:
                    option = f"--option {name}.{key}={number(value)}"
                    raise UsageError(
                        f"{path} is played with {name}.{key}={number(before[key])}, and {option} contradicts it. "
                        f"To change it: mantlet state convert {shlex.quote(str(path))} --to {name} {option}."
                    )
        return rules

    def rulesets(
        self, names: Sequence[str], saved: State | None = None, path: Path | None = None
    ) -> list[Ruleset[Any, Any]]:
        """The rulesets of these names, or every one that works when none is named; that of a state under its options.

        Raises UnknownNameError, CatalogError, and PluginError for a broken one that was asked for by name.
        """
        for name in (*names, *self._options):
            self._known(name)
        unused = [name for name in self._options if names and name not in names]
        if unused:
            raise UsageError(f"--option {unused[0]}.… is for {unused[0]}, which is not among the rulesets compared.")
        if names:
            return [self._under_options(name, saved, path) for name in dict.fromkeys(names)]
        if saved is not None and saved.ruleset in self.plugins.rulesets:
            self._under_options(saved.ruleset, saved, path)  # which an option may not contradict
            own = {saved.ruleset: {**saved.options, **self._options.get(saved.ruleset, {})}}
            working = self.plugins.working_rulesets({**self._options, **own})
        else:
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
    ) -> tuple[Condition, Situation, list[str]]:
        """The condition and situation that a state holds, and what differs from the ruleset that wrote it."""
        with self.guest(rules):
            condition = states.condition_of(saved, rules, target, path)
            situation = saved.situation or rules.situation_after(target, condition, Situation())
            condition = rules.put_into(target, condition, situation)
        return condition, situation, list(filter(None, [states.differences(saved, rules)]))

    def converting(self, saved: State, to: str) -> Ruleset[Any, Any]:
        """The ruleset that a state is to be handed to, under the options given, which win over those of the state."""
        self.ruleset(to)  # raises where options or name are none
        kept = saved.options if saved.ruleset == to else {}
        return self.plugins.ruleset(to, {**kept, **self._options.get(to, {})})

    def untouched(self, saved: State, target: Target) -> Any:
        """The detail that the ruleset which wrote a state gives an untouched target; None where it does not work."""
        with suppress(MantletError):
            rules = self.plugins.ruleset(saved.ruleset, saved.options)
            with self.guest(rules):
                return self.condition_data(rules, rules.fresh(target))["detail"]
        return None

    def situation(self, saved: State, target: Target, path: Path) -> Situation:
        """The situation that a state holds; one of format 1 has what its ruleset knows of it."""
        if saved.situation is not None:
            return saved.situation
        with suppress(UnknownNameError, PluginError):  # a ruleset that is not there, or does not work
            return self.taken_over(saved, self.plugins.ruleset(saved.ruleset, saved.options), target, path)[1]
        return Situation()

    def left_in(self, rules: Ruleset[Any, Any], target: Target, condition: Condition, before: Situation) -> Situation:
        """The situation in which a target is left that was in the situation `before`."""
        with self.guest(rules):
            return rules.situation_after(target, condition, before)

    @contextmanager
    def saving(
        self,
        path: Path | None,
        target: Target,
        rules: Ruleset[Any, Any],
        condition: Condition,
        situation: Situation,
        source: Source | None,
        saved: State | None,
        *,
        unchanged: bool = False,
    ) -> Iterator[None]:
        """Save a condition, and let other processes go on. What is `unchanged` is not written.

        An error of that is raised at the end: dice have been rolled, tell first what they did.
        """
        error: MantletError | None = None
        if path is not None and not (unchanged and self._as_saved(saved, rules, source, path)):
            dice = generator_of(source) if source else None
            try:
                with self.guest(rules):
                    remarks = states.write_state(
                        path, target, rules, condition, dice, saved, situation=situation, catalog=self._files
                    )
                for remark in remarks:
                    click.echo(remark, err=True)
            except (CatalogError, PluginError) as failure:
                error = failure
        if self._hold is not None:
            self._hold.release()
        yield
        if error is not None:
            raise error

    def _as_saved(self, saved: State | None, rules: Ruleset[Any, Any], source: Source | None, path: Path) -> bool:
        """Whether a state whose condition and situation are unchanged would be written as it stands there."""
        if saved is None or saved.ruleset != rules.name:
            return False
        if rules.option_values() != self.plugins.ruleset(rules.name, saved.options).option_values():
            return False
        if [*map(os.path.realpath, self._files)] != [*map(os.path.realpath, states.catalog_files(saved, path))]:
            return False
        generator = generator_of(source) if source else None
        return generator is None or generator == saved.dice or (source is not None and not source.account.rolls)

    def condition_data(self, rules: Ruleset[Any, Any], condition: Condition) -> dict[str, Any]:
        """A condition as plain data, with the ruleset's detail."""
        with self.guest(rules):
            detail = None if condition.detail is None else plain(rules.dump_detail(condition.detail))
        return condition_to_data(condition, detail)

    def report(self, rules: Ruleset[Any, Any], target: Target, before: Condition, result: Outcome | Passage) -> Report:
        """What a ruleset says of a result in its own words."""
        with self.guest(rules):
            return report_of(rules, target, before, result)

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
        """Around a call into a ruleset: what it did not foresee becomes a PluginError that names it.

        What it prints goes to stderr.
        """
        origin = self.plugins.origins[ruleset.name]
        failed = f"Ruleset {ruleset.name} (plugin {origin.plugin}, {origin}) failed: "
        after = f" Set {DEBUG_VARIABLE}=1 to see where."
        with self.plugins.at_work(origin, failed, MantletError, GeneratorExit, after=after):
            try:
                yield
            except (RuleError, TableError) as error:
                raise PluginError(f"{failed}{sentence(str(error).rstrip('.') + line_raised(error))}{after}") from error
            except RecursionError as error:
                endless = f"RecursionError: its rules call themselves without end{line_raised(error)}"
                raise PluginError(f"{failed}{sentence(endless)}{after}") from error
