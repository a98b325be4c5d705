"""What happens to a saved target between attacks: run by its dice, told like an attack, saved again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec

from mantlet.cli.attack_text import better_words, condition_words, repeat_lines, tell_account, worst_words
from mantlet.cli.crew_state import check_new, write_crew
from mantlet.cli.dice_source import dice_options, finish, source_for
from mantlet.cli.json_data import dice_data, picked, print_json, report_data
from mantlet.cli.layout import echo
from mantlet.cli.options import all_of, catalog_option, format_option, rule_option, state_option, target_of_state
from mantlet.cli.page import Page
from mantlet.cli.session import Session
from mantlet.cli.words import standing
from mantlet.dice.dice import Dice, Then, run
from mantlet.game.condition import Condition
from mantlet.game.effects import complete, names
from mantlet.game.target import Target
from mantlet.results import bailed_out_of, check_passage, results_of
from mantlet.ruleset import Passage

P = ParamSpec("P")

NOBODY: Final = "{} was not written: nobody has left, or somebody alive is still inside."

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
    def wrapped(**given: Any) -> None:
        action = Action(**{field.name: given.pop(field.name) for field in fields(Action)})
        command(action, **given)  # type: ignore[call-arg]  # click gives the command's own options by name

    saved = state_option("The saved condition; written again.", required=True)
    return all_of(saved, dice_options, rule_option, catalog_option, format_option())(wrapped)


def act(
    action: Action,
    what: ActionBody,
    done: str,
    *,
    ruleset: str | None = None,
    more: Mapping[str, Any] | None = None,
    method: str = "",
    crew_state: Path | None = None,
) -> None:
    """Do something to the target saved in a state file, tell every roll, and save what it came to.

    `what` is a rule body: it gets the dice, the ruleset, the target and its condition, and comes to a `Passage`. Its
    detail, if it is a text, is the headline where neither effects nor condition say anything. `done` says in the
    headline what was done (`after 30 s`); `more` are further keys for JSON. `ruleset` is the name of the one that the
    body is of, None for the one that wrote the state. `method` names the method of the ruleset that `what` calls, if it
    does nothing else: errors then name that. `crew_state` is
    the file of those who have left the target. The state is held from here until it is written; where nothing has
    changed and no die was rolled, it is not.

    Raises CatalogError for a state that is not there or cannot be used, held or saved, UsageError for one that belongs
    to another ruleset and for bad options, UnknownNameError, PluginError for a ruleset that fails.
    """
    session = Session(action.catalog, action.options)
    saved = session.saved(action.state_file, writes=True)
    assert saved is not None
    rules = session.ruleset(ruleset, saved, action.state_file, writes=True)
    target = target_of_state(session.catalog, saved.target)
    before, situation, remarks = session.taken_over(saved, rules, target, action.state_file)
    if crew_state is not None:
        check_new(crew_state)
        with session.guest(rules):
            bailed_out_of(rules, target, before)  # which says so where no rule makes them a target
    source = source_for(action.dice, action.seed, saved.dice)
    with session.guest(rules), results_of(getattr(rules, method) if method else what):
        result: Passage = run(source.dice, what, rules, target, before)
        check_passage(result, target)
        source.account.check()
        report = session.report(rules, target, before, result)
        crew = None if crew_state is None else bailed_out_of(rules, target, result.condition)
    finish(source)
    left = session.left_in(rules, target, result.condition, situation)
    unchanged = result.condition == before and left == situation
    with session.saving(action.state_file, target, rules, result.condition, left, source, saved, unchanged=unchanged):
        if crew_state is not None:
            remarks.append(write_crew(crew_state, session, rules, crew) if crew else NOBODY.format(crew_state))
        if action.form != "json":
            page = Page(action.form)
            page.title(f"{target.name} {done}: {report.headline or passage_headline(before, result)}.")
            tell_account(page, source.account)
            repeat = repeat_lines(source) if source.account.rolls else []
            now = "; ".join([condition_words(result.condition, target), *report.now, *standing(left)])
            page.items([f"Now: {now}.", *remarks, *repeat])
            echo(page.lines)
            return
        print_json(
            {
                "target": target.id,
                "ruleset": rules.name,
                "version": rules.version,
                **(more or {}),
                **dice_data(source),
                "effects": [effect for effect in names(complete(result.effects)) if effect != "no_effect"],
                **picked(result, "wounded", "killed"),
                **report_data(report),
                "condition": session.condition_data(rules, result.condition),
                "situation": left,
                "notes": remarks,
            }
        )


def passage_headline(before: Condition, result: Passage) -> str:
    """What a span of time or an action came to, in words."""
    worst = worst_words(complete(result.effects), result.wounded, result.killed)
    better = better_words(before, result.condition)
    of_rules = result.detail if isinstance(result.detail, str) else ""
    return ", ".join(filter(None, (worst, better))) or of_rules or "nothing new"
