"""`mantlet odds`: the exact odds of one attack under one ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mantlet.cli.data import attack_data, odds_data, print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import (
    FILE,
    attack_options,
    format_option,
    make_attack,
    ruleset_option,
    work_limit_option,
)
from mantlet.cli.progress import progress
from mantlet.cli.session import Session

if TYPE_CHECKING:
    from mantlet.game.attack import Attack
    from mantlet.game.condition import Condition
    from mantlet.game.target import Target
    from mantlet.probability.comparison import Shots
    from mantlet.probability.exact import Exact
    from mantlet.ruleset import Ruleset

USUAL_MOST = 40
"""How many outcomes --full prints unless told otherwise."""


@click.command(short_help="Exact odds of one attack under one ruleset.")
@ruleset_option
@attack_options
@click.option("--shots", type=click.IntRange(1, 10_000), metavar="N", help="Also: knocked out within 1 to N attacks.")
@click.option(
    "--sample",
    type=click.IntRange(1, 1_000_000),
    metavar="TARGETS",
    help="With --shots: estimate it by firing at so many targets, where exact odds are refused.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="With --sample: the seed of its dice.")
@click.option(
    "--full",
    type=click.IntRange(1),
    is_flag=False,
    flag_value=USUAL_MOST,
    metavar="[N]",
    help=f"Also: the N likeliest outcomes ({USUAL_MOST} if no N).",
)
@click.option("--fractions", is_flag=True, help="Work in fractions, and print them (long ones in json and md alone).")
@click.option("--state", "state_file", type=FILE, metavar="FILE", help="Begin from the condition saved in this file.")
@work_limit_option
@format_option()
def odds(
    ruleset: str | None,
    options: tuple[str, ...],
    catalog: tuple[Path, ...],
    shots: int | None,
    sample: int | None,
    seed: int,
    full: int | None,
    fractions: bool,
    state_file: Path | None,
    work_limit: int | None,
    form: str,
    **given: Any,
) -> int:
    """Exact odds of one attack: every neutral effect, people hit, damage, and where it strikes.

    Nothing is sampled unless --sample asks for it.

    \b
    Examples:
      mantlet odds --ruleset facing_armor --weapon us_75_m3 --target pz4_h --range 500
      mantlet odds --ruleset facing_armor --weapon us_75_m3 --target pz4_h --range 500 --shots 5
      mantlet odds --ruleset d100_wwii --weapon bazooka --target pz4_h --range 50 --shots 6 --sample 2000
      mantlet odds --ruleset gurps_vehicle --weapon kar98k --target gmc_cckw --skill 70 --full 10
    """
    from mantlet.cli import odds_text
    from mantlet.probability.comparison import Odds
    from mantlet.probability.comparison import odds as exact_odds

    if sample and not shots:
        raise click.UsageError("--sample goes with --shots: it says how many targets to fire at.")
    session = Session(catalog, options)
    saved = _saved(state_file)
    name = session.the_one(ruleset or (saved.ruleset if saved else None))
    rules = session.ruleset(name, saved.options if saved and saved.ruleset == name else None)
    shot, target = make_attack(given, session.catalog, session.plugins, saved.target if saved else None)
    condition = _condition(saved, rules, target, state_file, session)
    engine = engine_for(fractions, work_limit)
    with progress(name), session.guest(rules):
        result: Odds = exact_odds(rules, shot, target, condition, engine)
        later = None
        if result.covers and shots:
            later = _shots(rules, shot, target, condition, engine, shots, sample, seed)
        outcomes = odds_text.outcomes(rules, shot, target, condition, engine) if result.covers and full else None
    if form == "json":
        data = odds_data(result)
        if fractions and result.covers:
            data["fractions"] = {key: str(value) for key, value in {**result.odds, **result.expected}.items()}
        if later is not None:
            data["shots"] = odds_text.shots_data(later)
        if outcomes is not None:
            data["outcomes"] = odds_text.outcomes_data(outcomes, full)
        print_json({**data, "attack": attack_data(shot, target)})
    else:
        report = odds_text.OddsReport(rules, shot, target, result, later, outcomes, full or USUAL_MOST, fractions)
        echo(odds_text.markdown(report) if form == "md" else odds_text.text(report))
    return 0 if result.covers else 1


def engine_for(fractions: bool, work_limit: int | None) -> Exact:
    """The engine of exact odds as the options ask for it."""
    from mantlet.probability.exact import DEFAULT_LIMIT, Exact

    return Exact(fractions=fractions, limit=work_limit or DEFAULT_LIMIT)


def _saved(state_file: Path | None) -> Any:
    if state_file is None:
        return None
    from mantlet.campaign.state import read_state
    from mantlet.errors import CatalogError

    saved = read_state(state_file)
    if saved is None:
        raise CatalogError(f"There is no state file {state_file}; mantlet attack --state writes one.")
    return saved


def _condition(
    saved: Any, rules: Ruleset[Any], target: Target, state_file: Path | None, session: Session
) -> Condition | None:
    if saved is None or state_file is None:
        return None
    from mantlet.campaign import state as states

    states.check_target(saved, target, state_file)
    told = states.differences(saved, rules)
    if told:
        click.echo(told, err=True)
    with session.guest(rules):
        return states.condition_of(saved, rules, target, state_file)


def _shots(
    rules: Ruleset[Any],
    shot: Attack,
    target: Target,
    condition: Condition | None,
    engine: Exact,
    shots: int,
    sample: int | None,
    seed: int,
) -> Shots:
    from mantlet.cli.app import typed_line
    from mantlet.errors import WorkLimitError
    from mantlet.probability.comparison import covered_plan, sampled_shots, shots_until

    plan = covered_plan(rules, shot, target)
    if sample:
        return sampled_shots(rules, plan, shots, sample, seed, condition=condition)
    try:
        return shots_until(rules, plan, shots, condition=condition, exact=engine)
    except WorkLimitError as error:
        again = typed_line(click.get_current_context(), "--sample", "2000")
        raise WorkLimitError(f"{error} For an estimate:\n  {again}") from None
