"""What happens to a saved target between attacks: run by its dice, told like an attack, saved again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from mantlet.cli.options import FILE, catalog_option, format_option, rule_option
from mantlet.cli.throw import dice_options
from mantlet.dice.dice import Then
from mantlet.game.condition import Condition
from mantlet.game.target import Target
from mantlet.ruleset import Passage, Ruleset

F = TypeVar("F", bound=Callable[..., Any])
Act = Callable[..., Passage | Then]
"""A rule body of dice, ruleset, target and condition."""


def action_options(command: F) -> F:
    """Give a command --state, --seed, --dice, --option, --catalog and --format: the keyword arguments of `act`."""
    for option in (format_option(), catalog_option, rule_option, dice_options):
        command = option(command)
    return click.option(
        "--state", "state_file", type=FILE, required=True, metavar="FILE", help="The saved condition; written again."
    )(command)


def act(
    what: Act,
    done: str,
    *,
    ruleset: str | None,
    state_file: Path,
    seed: int | None,
    dice: str | None,
    options: tuple[str, ...],
    catalog: tuple[Path, ...],
    form: str,
    more: Mapping[str, Any] | None = None,
) -> None:
    """Do something to the target saved in a state file, tell every roll, and save what it came to.

    `what` is a rule body: it gets the dice, the ruleset, the target and its condition, and comes to a `Passage`. Its
    detail, if it is a text, is the headline where neither effects nor condition say anything. `done` says in the
    headline what was done (`after 30 s`); `more` are further keys for JSON. `ruleset` is the name of the one to use,
    None for the one that wrote the state. The rest is what `action_options` reads.

    Raises CatalogError for a state that is not there or cannot be used or saved, UsageError and UnknownNameError for
    bad options, PluginError for a ruleset that fails.
    """
    from mantlet.campaign import state as states
    from mantlet.cli.options import target_of_state
    from mantlet.cli.session import Session
    from mantlet.cli.throw import finish, source_for
    from mantlet.dice.dice import run
    from mantlet.errors import CatalogError, PluginError

    session = Session(catalog, options)
    saved = states.read_state(state_file)
    if saved is None:
        raise CatalogError(f"There is no state file {state_file}; mantlet attack --state writes one.")
    states.check_writable(state_file)
    name = ruleset or saved.ruleset
    rules = session.ruleset(name, saved.options if saved.ruleset == name else None)
    target = target_of_state(session.catalog, saved.target)
    with session.guest(rules):
        before = states.condition_of(saved, rules, target, state_file)
    told = states.differences(saved, rules)
    source = source_for(dice, seed, saved.dice)
    with session.guest(rules):
        passage = run(source.dice, what, rules, target, before)
    if not isinstance(passage, Passage):
        raise PluginError(f"Ruleset {name} is broken: it ended in {type(passage).__name__}, not in a Passage.")
    finish(source)
    generator: dict[str, int] | None = getattr(source, "state", None)
    unsaved: CatalogError | None = None
    try:
        with session.guest(rules):
            states.write_state(state_file, target, rules, passage.condition, generator, saved)
    except CatalogError as error:  # the dice have been rolled: tell what they did first
        unsaved = error
    if form == "json":
        with session.guest(rules):
            detail = rules.dump_detail(passage.condition.detail) if passage.condition.detail is not None else None
        _as_json(rules, target, passage, detail, source, generator, more or {}, told)
    else:
        _as_text(target, before, passage, done, source, generator, told, form)
    if unsaved is not None:
        raise unsaved


def _as_json(
    rules: Ruleset[Any],
    target: Target,
    passage: Passage,
    detail: Any,
    source: Any,
    generator: dict[str, int] | None,
    more: Mapping[str, Any],
    told: str | None,
) -> None:
    from mantlet.cli.data import account_data, print_json
    from mantlet.cli.words import plain
    from mantlet.game.condition import condition_to_data
    from mantlet.game.effects import complete, names

    print_json(
        {
            "target": target.id,
            "ruleset": rules.name,
            "version": rules.version,
            **more,
            "seed": generator["seed"] if generator else None,
            "dice": source.account.script,
            "account": account_data(source.account),
            "effects": [effect for effect in names(complete(passage.effects)) if effect != "no_effect"],
            "wounded": passage.wounded,
            "killed": passage.killed,
            "condition": plain(condition_to_data(passage.condition, detail)),
            "notes": [told] if told else [],
        }
    )


def _as_text(
    target: Target,
    before: Condition,
    passage: Passage,
    done: str,
    source: Any,
    generator: dict[str, int] | None,
    told: str | None,
    form: str,
) -> None:
    from mantlet.cli.layout import echo, fold, strong
    from mantlet.cli.story import (
        account_markdown,
        account_text,
        better_words,
        condition_words,
        repeat_lines,
        worst_words,
    )
    from mantlet.game.effects import complete

    worst = worst_words(complete(passage.effects), passage.wounded, passage.killed)
    better = better_words(before, passage.condition)
    told_by_rules = passage.detail if isinstance(passage.detail, str) else ""
    head = f"{target.name} {done}: {', '.join(filter(None, (worst, better))) or told_by_rules or 'nothing new'}."
    after = [f"Now: {condition_words(passage.condition, target)}.", *filter(None, [told])]
    if source.account.rolls:
        after += repeat_lines(source, generator)
    if form == "md":
        echo([f"## {head}", "", *account_markdown(source.account), "", *(f"* {text}" for text in after)])
    else:
        lines = [*fold(strong(head)), "", *account_text(source.account), ""]
        echo([*lines, *(line for text in after for line in fold(text))])
