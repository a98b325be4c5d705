"""`mantlet time`: time passes for a saved target: fires burn, crews bail out, nerves settle."""

from __future__ import annotations

import math
from pathlib import Path

import click

from mantlet.cli import state as states
from mantlet.cli.data import account_data, print_json
from mantlet.cli.layout import echo, fold, strong
from mantlet.cli.options import FILE, catalog_option, format_option, rule_option, ruleset_option
from mantlet.cli.session import Session
from mantlet.cli.story import account_markdown, account_text, condition_words, worst_words
from mantlet.cli.throw import dice_options, finish, source_for
from mantlet.cli.words import number, plain
from mantlet.condition import condition_to_data
from mantlet.dice import run
from mantlet.effects import complete, names
from mantlet.errors import CatalogError, PluginError, UsageError
from mantlet.ruleset import Passage

LONGEST_S = 1_000_000.0


@click.command(short_help="Let time pass for a saved target.")
@click.option("--state", "state_file", type=FILE, required=True, metavar="FILE", help="The saved condition.")
@click.option("--seconds", type=float, required=True, metavar="N", help="How long.")
@ruleset_option
@dice_options
@rule_option
@catalog_option
@format_option()
def time(
    state_file: Path,
    seconds: float,
    ruleset: str | None,
    seed: int | None,
    dice: str | None,
    options: tuple[str, ...],
    catalog: tuple[Path, ...],
    form: str,
) -> None:
    """Let time pass for the target saved in a state file, and save what it came to.

    \b
    Examples:
      mantlet time --state car.json --seconds 30
      mantlet time --state car.json --seconds 3 --seed 1 --format json
    """
    if not (math.isfinite(seconds) and 0 < seconds <= LONGEST_S):
        raise UsageError(f"--seconds has to be more than 0 and at most {LONGEST_S:.0f}, not {seconds:g}.")
    session = Session(catalog, options)
    saved = states.read_state(state_file)
    if saved is None:
        raise CatalogError(f"There is no state file {state_file}; mantlet attack --state writes one.")
    states.check_writable(state_file)
    name = ruleset or saved.ruleset
    rules = session.ruleset(name, saved.options if saved.ruleset == name else None)
    target = session.catalog.target(saved.target)
    before = states.condition_of(saved, rules, target, state_file, session)
    told = states.differences(saved, rules)
    source = source_for(dice, seed, saved.dice)
    with session.guest(rules):
        passage = run(source.dice, rules.pass_time, target, before, seconds)
    if not isinstance(passage, Passage):
        raise PluginError(f"Ruleset {name} is broken: time ended in {type(passage).__name__}, not in a Passage.")
    finish(source)
    generator: dict[str, int] | None = getattr(source, "state", None)
    unsaved: CatalogError | None = None
    try:
        states.write_state(state_file, target, rules, passage.condition, generator, session, saved)
    except CatalogError as error:  # the dice have been rolled: tell what they did first
        unsaved = error
    came_about = complete(passage.effects)
    effects = [effect for effect in names(came_about) if effect != "no_effect"]
    if form == "json":
        with session.guest(rules):
            detail = rules.dump_detail(passage.condition.detail) if passage.condition.detail is not None else None
        print_json(
            {
                "target": target.id,
                "ruleset": rules.name,
                "version": rules.version,
                "seconds": seconds,
                "seed": generator["seed"] if generator else None,
                "dice": source.account.script,
                "account": account_data(source.account),
                "effects": effects,
                "wounded": passage.wounded,
                "killed": passage.killed,
                "condition": plain(condition_to_data(passage.condition, detail)),
                "notes": [told] if told else [],
            }
        )
    else:
        answer = worst_words(came_about, passage.wounded, passage.killed) or "nothing new"
        head = f"{target.name} after {number(seconds)} s: {answer}."
        now = f"Now: {condition_words(passage.condition, target)}."
        after = [now, told] if told else [now]
        if form == "md":
            lines = [f"## {head}", "", *account_markdown(source.account), "", *(f"* {text}" for text in after)]
        else:
            lines = [*fold(strong(head)), "", *account_text(source.account), ""]
            lines += [line for text in after for line in fold(text)]
        echo(lines)
    if unsaved is not None:
        raise unsaved
