"""`mantlet fire`: one attack of a campaign; weapon and skill come from the roster, the state from the journal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mantlet.campaign.journal import fact_of
from mantlet.campaign.settings import Member
from mantlet.cli.attack_text import attack_page, headline
from mantlet.cli.dice_source import dice_options, finish, source_for
from mantlet.cli.json_data import attack_data, dice_data, outcome_data, print_json, report_data
from mantlet.cli.layout import echo
from mantlet.cli.options import ASPECT, LENGTH, campaign_option, format_option, make_attack, shot_options
from mantlet.cli.playing import Play
from mantlet.cli.words import circumstances, plain
from mantlet.dice.dice import run
from mantlet.errors import UsageError
from mantlet.game.condition import FIT, NONE, WOUNDED, Condition
from mantlet.probability.comparison import covered_plan
from mantlet.results import check_end, results_of


@click.command(short_help="One attack of a campaign: ATTACKER at TARGET, both of the roster.")
@click.argument("attacker", required=False)
@click.argument("target", required=False)
@click.option("--range", "range_m", type=LENGTH, metavar="LENGTH", help="300, 300m, 100yd, 30ft.")
@click.option(
    "--aspect", "aspect_deg", type=ASPECT, help="Where the shooter is: 0 front, 90 its right, 180 rear; or a word."
)
@click.option("--weapon", metavar="W[/AMMO]", help="Another weapon or round than the roster says.")
@shot_options
@dice_options
@campaign_option
@format_option()
def fire(
    attacker: str | None,
    target: str | None,
    folder: Path | None,
    seed: int | None,
    dice: str | None,
    form: str,
    **given: Any,
) -> None:
    """Resolve one attack in a campaign's folder, and write it into the journal.

    Weapon and skill come from the roster, what has happened to both from the journal; a moving shooter fires on the
    move. In a terminal, mantlet asks for what it has to know and was not told. mantlet undo takes the attack back.

    \b
    Examples:
      mantlet fire Berta sherman_1 --range 300 --aspect left
      mantlet fire sherman_1 Greta --range 250yd --aspect rear --seed 4
      mantlet fire Berta sherman_1 --range 300 --aspect front --weapon mg34 --rounds 10
    """
    play = Play(folder, writes=True)
    shooter, struck = _who(play, attacker, target)
    _ask_where(struck, given)
    shooter_now, shooter_situation, _ = play.now(shooter)
    before, situation, remarks = play.now(struck)
    remarks += _of_shooter(shooter, shooter_now)
    given["weapon"] = given["weapon"] or shooter.weapon
    if not given["weapon"]:
        raise UsageError(f"{shooter.name} has no weapon: name one with --weapon, or in the roster.")
    given["skills"] = given["skills"] or shooter.entry.skill_texts
    if click.get_current_context().get_parameter_source("shooter_speed_kph") is ParameterSource.DEFAULT:
        given["shooter_speed_kph"] = shooter_situation.target_speed_kph
    session, rules = play.session, play.rules
    shot = make_attack(given, play.campaign.catalog, session.plugins, situation)
    with session.guest(rules):
        plan = covered_plan(rules, shot, struck.target)

    source = source_for(dice, seed, play.generator)
    with session.guest(rules), results_of(rules.resolve):
        outcome = run(source.dice, rules.resolve, plan, before)
        check_end(outcome, struck.target)
        source.account.check()
        report = session.report(rules, struck.target, before, outcome)
    finish(source)
    session.observe(outcome, source.account)

    left = session.left_in(rules, struck.target, outcome.condition, shot.situation)
    told = f"{shooter.name} at {struck.name}: {report.headline or headline(outcome)}"
    step = {
        "what": "attack",
        "attacker": shooter.name,
        "target": struck.name,
        "attack": attack_data(shot, struck.target),
        "circumstances": circumstances(shot, rules.name),
        "dice": source.account.script,
        "outcome": outcome_data(outcome, rules.damage_unit),
    }
    facts = {
        "target_fact": fact_of(plain(struck.target)),
        "weapon_fact": fact_of(plain(shot.weapon)),
        "before_fact": play.state_fact(struck, before, situation),
        "after_fact": play.state_fact(struck, outcome.condition, left),
        "account_fact": fact_of(plain(dice_data(source)["account"])),
    }
    body = {"steps": [plain({**step, **{key: fact[0] for key, fact in facts.items()}})]}
    after = {struck.name: facts["after_fact"]}
    with play.recording("attack", told, body, after, list(facts.values()), source) as event:
        number = None if event is None else event.number
        if form != "json":
            done = [] if number is None else [f"Event {number}: {shooter.name} at {struck.name}."]
            echo(attack_page(form, rules, plan, outcome, report, source, [*done, *remarks]))
            return
        print_json(
            {
                "event": number,
                **step,
                **report_data(report),
                "ruleset": rules.name,
                "version": rules.version,
                "options": rules.option_values(),
                **dice_data(source),
                "condition": session.condition_data(rules, outcome.condition),
                "situation": left,
                "derived": plan.derived,
                "ignored": plan.ignored,
                "notes": [*remarks, *plan.notes],
            }
        )


def _who(play: Play, attacker: str | None, target: str | None) -> tuple[Member, Member]:
    names = ", ".join(play.campaign.roster)
    shooter = play.campaign.member(attacker or _asked("ATTACKER", f"who fires ({names})"))
    struck = play.campaign.member(target or _asked("TARGET", f"at whom ({names})"))
    if shooter is struck:
        raise UsageError(f"{shooter.name} cannot fire at {shooter.name}.")
    return shooter, struck


def _ask_where(struck: Member, given: dict[str, Any]) -> None:
    """Range, and the aspect of what has one, where they were not given."""
    if given["range_m"] is None:
        given["range_m"] = LENGTH.convert(_asked("--range", "range"), None, None)
    if given["aspect_deg"] is None:
        given["aspect_deg"] = (
            ASPECT.convert(_asked("--aspect", "aspect (front, right, rear, left, or degrees)"), None, None)
            if struck.target.kind == "vehicle"
            else 0.0
        )


def _asked(option: str, what: str) -> str:
    """What the game master types when asked in a terminal. Raises UsageError where there is none."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(f"mantlet fire needs {option}, as in mantlet fire Berta sherman_1 --range 300 --aspect left.")
    click.echo(f"{what}: ", nl=False, err=True)
    line = sys.stdin.readline()
    if not line.strip():
        raise UsageError(f"{option} was not given.")
    return line.strip()


def _of_shooter(shooter: Member, now: Condition) -> Sequence[str]:
    """What of the shooter's own state a reader should know. Raises UsageError where nobody is left to fire."""
    able = [state for state in now.people if state in (FIT, WOUNDED)]
    if now.destroyed or (now.people and not able):
        why = "is destroyed" if now.destroyed else "has nobody left who can act"
        raise UsageError(f"{shooter.name} cannot fire: {shooter.name} {why}.")
    if now.firepower == NONE:
        return [f"{shooter.name} has lost its firepower; this is fired all the same."]
    return []
