"""What happens to a saved target between attacks: run by its dice, told like an attack, saved again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec

import click

from mantlet.campaign import state as states
from mantlet.cli.attack_text import (
    account_markdown,
    account_text,
    better_words,
    condition_words,
    repeat_lines,
    worst_words,
)
from mantlet.cli.dice_source import dice_options, finish, source_for
from mantlet.cli.json_data import account_data, print_json
from mantlet.cli.layout import echo, fold, strong
from mantlet.cli.options import FILE, catalog_option, format_option, rule_option, target_of_state
from mantlet.cli.session import Session
from mantlet.cli.words import plain
from mantlet.dice.dice import Dice, Then, run
from mantlet.dice.sources import Source
from mantlet.errors import CatalogError, PluginError
from mantlet.game.condition import Condition, condition_to_data
from mantlet.game.effects import complete, names
from mantlet.game.target import Target
from mantlet.ruleset import Passage, Ruleset

P = ParamSpec("P")

ActionBody = Callable[[Dice, Any, Target, Condition], Passage | Then]
"""A rule body of dice, ruleset, target and condition."""


@dataclass(frozen=True, kw_only=True)
class Action:
    """How something is to be done to a saved target: what the options of `action_options` say."""

    state_file: Path
    """The saved condition; it is written again."""
    seed: int | None = None
    """None goes on with the saved dice."""
    dice: str | None = None
    """As typed after --dice."""
    options: tuple[str, ...] = ()
    """Options of the ruleset as typed: `ruleset.key=value`."""
    catalog: tuple[Path, ...] = ()
    """The user's own catalog files."""
    form: str = "text"
    """How to print it: text, json or md."""


def action_options(command: Callable[Concatenate[Action, P], None]) -> Callable[..., None]:
    """Give a command --state, --seed, --dice, --option, --catalog and --format: it gets them as one `Action`, first."""

    @functools.wraps(command)
    def wrapped(
        *,
        state_file: Path,
        seed: int | None,
        dice: str | None,
        options: tuple[str, ...],
        catalog: tuple[Path, ...],
        form: str,
        **own: Any,
    ) -> None:
        action = Action(state_file=state_file, seed=seed, dice=dice, options=options, catalog=catalog, form=form)
        command(action, **own)  # type: ignore[call-arg]  # click gives the command's own options by name

    state_option = click.option(
        "--state", "state_file", type=FILE, required=True, metavar="FILE", help="The saved condition; written again."
    )
    for option in (format_option(), catalog_option, rule_option, dice_options, state_option):
        wrapped = option(wrapped)
    return wrapped


class _Report(NamedTuple):
    """An action that was carried out, and all that is told about it."""

    rules: Ruleset[Any, Any]
    target: Target
    before: Condition
    result: Passage
    source: Source
    generator: dict[str, int] | None
    remark: str | None
    """What differs from the ruleset and options that wrote the state."""


def act(
    action: Action, what: ActionBody, done: str, *, ruleset: str | None = None, more: Mapping[str, Any] | None = None
) -> None:
    """Do something to the target saved in a state file, tell every roll, and save what it came to.

    `what` is a rule body: it gets the dice, the ruleset, the target and its condition, and comes to a `Passage`. Its
    detail, if it is a text, is the headline where neither effects nor condition say anything. `done` says in the
    headline what was done (`after 30 s`); `more` are further keys for JSON. `ruleset` is the name of the one to use,
    None for the one that wrote the state.

    Raises CatalogError for a state that is not there or cannot be used or saved, UsageError and UnknownNameError for
    bad options, PluginError for a ruleset that fails.
    """
    session = Session(action.catalog, action.options)
    saved = states.read_state(action.state_file)
    if saved is None:
        raise CatalogError(f"There is no state file {action.state_file}; mantlet attack --state writes one.")
    states.check_writable(action.state_file)
    name = ruleset or saved.ruleset
    rules = session.ruleset(name, saved.options if saved.ruleset == name else None)
    target = target_of_state(session.catalog, saved.target)
    with session.guest(rules):
        before = states.condition_of(saved, rules, target, action.state_file)
    remark = states.differences(saved, rules)
    source = source_for(action.dice, action.seed, saved.dice)
    with session.guest(rules):
        result = run(source.dice, what, rules, target, before)
    if not isinstance(result, Passage):
        raise PluginError(f"Ruleset {name} is broken: it ended in {type(result).__name__}, not in a Passage.")
    finish(source)
    generator: dict[str, int] | None = getattr(source, "state", None)
    unsaved: CatalogError | None = None
    try:
        with session.guest(rules):
            states.write_state(action.state_file, target, rules, result.condition, generator, saved)
    except CatalogError as error:  # the dice have been rolled: tell what they did first
        unsaved = error
    report = _Report(rules, target, before, result, source, generator, remark)
    if action.form == "json":
        with session.guest(rules):
            detail = rules.dump_detail(result.condition.detail) if result.condition.detail is not None else None
        print_json(_data(report, detail, more or {}))
    else:
        echo(_markdown(report, done) if action.form == "md" else _text(report, done))
    if unsaved is not None:
        raise unsaved


def _data(report: _Report, detail: Any, more: Mapping[str, Any]) -> dict[str, Any]:
    result, account = report.result, report.source.account
    return {
        "target": report.target.id,
        "ruleset": report.rules.name,
        "version": report.rules.version,
        **more,
        "seed": report.generator["seed"] if report.generator else None,
        "dice": account.script,
        "account": account_data(account),
        "effects": [effect for effect in names(complete(result.effects)) if effect != "no_effect"],
        "wounded": result.wounded,
        "killed": result.killed,
        "condition": plain(condition_to_data(result.condition, detail)),
        "notes": [report.remark] if report.remark else [],
    }


def _text(report: _Report, done: str) -> list[str]:
    lines = [*fold(strong(_headline(report, done))), "", *account_text(report.source.account), ""]
    return [*lines, *(line for text in _afterwards(report) for line in fold(text))]


def _markdown(report: _Report, done: str) -> list[str]:
    account = account_markdown(report.source.account)
    return [f"## {_headline(report, done)}", "", *account, "", *(f"* {text}" for text in _afterwards(report))]


def _headline(report: _Report, done: str) -> str:
    result = report.result
    worst = worst_words(complete(result.effects), result.wounded, result.killed)
    better = better_words(report.before, result.condition)
    of_rules = result.detail if isinstance(result.detail, str) else ""
    return f"{report.target.name} {done}: {', '.join(filter(None, (worst, better))) or of_rules or 'nothing new'}."


def _afterwards(report: _Report) -> list[str]:
    now = f"Now: {condition_words(report.result.condition, report.target)}."
    repeat = repeat_lines(report.source, report.generator) if report.source.account.rolls else []
    return [now, *filter(None, [report.remark]), *repeat]
