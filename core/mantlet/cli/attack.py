"""`mantlet attack`: one attack at the table, with an account of every roll."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mantlet.cli.attack_text import attack_page
from mantlet.cli.dice_source import dice_options, finish, source_for
from mantlet.cli.json_data import attack_data, dice_data, outcome_data, print_json, report_data
from mantlet.cli.layout import echo
from mantlet.cli.options import (
    USUAL,
    attack_options,
    attacked_target,
    format_option,
    make_attack,
    ruleset_option,
    state_option,
)
from mantlet.cli.session import Session
from mantlet.dice.dice import run
from mantlet.probability.comparison import covered_plan
from mantlet.results import check_end, results_of, start_of


@click.command(short_help="Resolve one attack and tell every roll.")
@ruleset_option
@attack_options
@dice_options
@state_option("Carry the target's condition and situation in this file.")
@format_option()
def attack(
    ruleset: str | None, seed: int | None, dice: str | None, state_file: Path | None, form: str, **given: Any
) -> None:
    """Resolve one attack: every roll with its reason, the armor arithmetic and what it did.

    Dice come from a seed, which is printed, so that --seed repeats the attack. With --dice typed you roll your own and
    type what they show; with --dice and values you give them all at once. --state keeps the target, its condition and
    situation (speed, hatches, the dark, cover), the ruleset and the dice from attack to attack: none of it has to be
    typed again, and what is typed changes the situation.

    \b
    Examples:
      mantlet attack --ruleset facing_armor --weapon de_75_pak40 --target m4a1_75_dry --range 500 --seed 1
      mantlet attack --ruleset gurps_vehicle --weapon m1_garand --target jeep --range 100yd --skill gurps_vehicle=14
      mantlet attack --ruleset d100_wwii --weapon mg42 --target kubelwagen --rounds 10 --state car.json
    """
    session = Session(given.pop("catalog"), given.pop("options"))
    saved = session.saved(state_file, writes=True, new=True) if state_file is not None else None
    rules = session.ruleset(ruleset, saved, state_file, writes=True)
    target = attacked_target(given, session.catalog, saved, state_file)
    situation = USUAL
    remarks: list[str] = []
    if state_file is not None and saved is not None:
        before, situation, remarks = session.taken_over(saved, rules, target, state_file)
    else:
        with session.guest(rules):
            before = start_of(rules, target, None)
    shot = make_attack(given, session.catalog, session.plugins, situation)
    with session.guest(rules):
        plan = covered_plan(rules, shot, target)

    source = source_for(dice, seed, saved.dice if saved else None)
    with session.guest(rules), results_of(rules.resolve):
        outcome = run(source.dice, rules.resolve, plan, before)
        check_end(outcome, target)
        source.account.check()
        report = session.report(rules, target, before, outcome)
    finish(source)
    session.observe(outcome, source.account)

    left = session.left_in(rules, target, outcome.condition, shot.situation)
    unchanged = outcome.condition == before and left == situation
    with session.saving(state_file, target, rules, outcome.condition, left, source, saved, unchanged=unchanged):
        if form != "json":
            echo(attack_page(form, rules, plan, outcome, report, source, remarks))
            return
        print_json(
            {
                "attack": attack_data(shot, target),
                "ruleset": rules.name,
                "version": rules.version,
                "options": rules.option_values(),
                **dice_data(source),
                "outcome": outcome_data(outcome, rules.damage_unit),
                **report_data(report),
                "condition": session.condition_data(rules, outcome.condition),
                "situation": left,
                "derived": plan.derived,
                "ignored": plan.ignored,
                "notes": [*remarks, *plan.notes],
            }
        )
