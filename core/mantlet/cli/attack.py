"""`mantlet attack`: one attack at the table, with an account of every roll."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mantlet.campaign import state as states
from mantlet.cli import attack_text
from mantlet.cli.dice_source import dice_options, finish, source_for
from mantlet.cli.json_data import account_data, attack_data, derived_data, outcome_data, print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import FILE, attack_options, format_option, make_attack, ruleset_option
from mantlet.cli.session import Session
from mantlet.cli.words import plain
from mantlet.dice.dice import run
from mantlet.errors import CatalogError, NotCoveredError, PluginError
from mantlet.game.condition import condition_to_data
from mantlet.game.outcome import Outcome


@click.command(short_help="Resolve one attack and tell every roll.")
@ruleset_option
@attack_options
@dice_options
@click.option("--state", "state_file", type=FILE, metavar="FILE", help="Carry the target's condition in this file.")
@format_option()
def attack(
    ruleset: str | None,
    options: tuple[str, ...],
    catalog: tuple[Path, ...],
    seed: int | None,
    dice: str | None,
    state_file: Path | None,
    form: str,
    **given: Any,
) -> None:
    """Resolve one attack: every roll with its reason, the armor arithmetic and what it did.

    Dice come from a seed, which is printed, so that --seed repeats the attack. With --dice typed you roll your own and
    type what they show; with --dice and values you give them all at once. --state keeps the target's condition (and
    the dice) from attack to attack.

    \b
    Examples:
      mantlet attack --ruleset facing_armor --weapon de_75_pak40 --target m4a1_75_dry --range 500 --seed 1
      mantlet attack --ruleset gurps_vehicle --weapon m1_garand --target jeep --range 100yd --skill gurps_vehicle=14
      mantlet attack --ruleset d100_wwii --weapon mg42 --target kubelwagen --rounds 10 --state car.json
    """
    session = Session(catalog, options)
    saved = None
    if state_file is not None:
        saved = states.read_state(state_file)
        states.check_writable(state_file)
    name = session.the_one(ruleset or (saved.ruleset if saved else None))
    rules = session.ruleset(name, saved.options if saved and saved.ruleset == name else None)
    shot, target = make_attack(given, session.catalog, session.plugins, saved.target if saved else None)
    with session.guest(rules):
        reason = rules.covers(shot, target)
        if reason is not None:
            raise NotCoveredError(f"{name} has no rule for this attack: {reason}")
        plan = rules.plan(shot, target)
    remarks: list[str] = []
    if state_file is not None and saved is not None:
        states.check_target(saved, target, state_file)
        with session.guest(rules):
            before = states.condition_of(saved, rules, target, state_file)
        remarks += filter(None, [states.differences(saved, rules)])
    else:
        with session.guest(rules):
            before = rules.fresh(target)

    source = source_for(dice, seed, saved.dice if saved else None)
    with session.guest(rules):
        outcome = run(source.dice, rules.resolve, plan, before)
    if not isinstance(outcome, Outcome):
        raise PluginError(f"Ruleset {name} is broken: its attack ended in {type(outcome).__name__}, not in an Outcome.")
    finish(source)
    session.observe(outcome, source.account)

    unsaved: CatalogError | None = None
    generator: dict[str, int] | None = getattr(source, "state", None)
    if state_file is not None:
        try:
            with session.guest(rules):
                states.write_state(state_file, target, rules, outcome.condition, generator, saved)
        except CatalogError as error:  # the dice have been rolled: tell what they did first
            unsaved = error
    if form == "json":
        with session.guest(rules):
            detail = rules.dump_detail(outcome.condition.detail) if outcome.condition.detail is not None else None
        print_json(
            {
                "attack": attack_data(shot, target),
                "ruleset": rules.name,
                "version": rules.version,
                "options": plain(rules.option_values()),
                "seed": generator["seed"] if generator else None,
                "dice": source.account.script,
                "account": account_data(source.account),
                "outcome": outcome_data(outcome, rules.damage_unit),
                "condition": plain(condition_to_data(outcome.condition, detail)),
                "derived": derived_data(plan.derived),
                "ignored": list(plan.ignored),
                "notes": [*remarks, *plan.notes],
            }
        )
    else:
        report = attack_text.Report(rules, plan, outcome, source, before, remarks, generator)
        echo(attack_text.markdown(report) if form == "md" else attack_text.text(report))
    if unsaved is not None:
        raise unsaved
