"""`mantlet odds`: the odds of one attack under one ruleset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from mantlet.campaign import state as states
from mantlet.cli import odds_text
from mantlet.cli.effort import effort_options, read_effort, way_out
from mantlet.cli.json_data import attack_data, odds_data, print_json
from mantlet.cli.layout import echo
from mantlet.cli.odds_text import OddsReport
from mantlet.cli.options import FILE, attack_options, format_option, make_attack, ruleset_option
from mantlet.cli.outcomes_text import outcomes_data, seen_as
from mantlet.cli.progress import progress_bar
from mantlet.cli.session import Session
from mantlet.cli.shots_text import shots_data
from mantlet.errors import CatalogError, WorkLimitError
from mantlet.game.condition import Condition
from mantlet.game.target import Target
from mantlet.probability import comparison
from mantlet.probability.effort import Effort
from mantlet.probability.shots import shots_until
from mantlet.ruleset import Ruleset

T = TypeVar("T")

USUAL_MOST = 40
"""How many outcomes --full prints unless told otherwise."""


@click.command(short_help="Odds of one attack under one ruleset.")
@ruleset_option
@attack_options
@click.option("--shots", type=click.IntRange(1, 10_000), metavar="N", help="Also: knocked out within 1 to N attacks.")
@click.option(
    "--full",
    type=click.IntRange(1),
    is_flag=False,
    flag_value=USUAL_MOST,
    metavar="[N]",
    help=f"Also: the N likeliest outcomes ({USUAL_MOST} if no N); of those seen, in an estimate.",
)
@effort_options
@click.option(
    "--fractions", is_flag=True, help="Exact odds as fractions (long ones in json and md alone). Implies --exact."
)
@click.option("--state", "state_file", type=FILE, metavar="FILE", help="Begin from the condition saved in this file.")
@format_option()
def odds(
    ruleset: str | None,
    options: tuple[str, ...],
    catalog: tuple[Path, ...],
    shots: int | None,
    full: int | None,
    exact: bool,
    samples: int | None,
    seed: int | None,
    fractions: bool,
    state_file: Path | None,
    form: str,
    **given: Any,
) -> int:
    """Odds of one attack: every neutral effect, people hit, damage, and where it strikes.

    They are exact where that takes about a second; beyond that some are estimated, and each of those has its standard
    error beside it: 12.3% +/-0.2. The same seed gives the same figures.

    \b
    Examples:
      mantlet odds --ruleset facing_armor --weapon us_75_m3 --target pz4_h --range 500
      mantlet odds --ruleset facing_armor --weapon us_75_m3 --target pz4_h --range 500 --shots 5
      mantlet odds --ruleset d100_wwii --weapon bazooka --target pz4_h --range 50 --shots 6 --samples 2000
      mantlet odds --ruleset gurps_vehicle --weapon kar98k --target gmc_cckw --skill 70 --full 10
    """
    effort = read_effort(exact, samples, seed, fractions)
    session = Session(catalog, options)
    saved = _saved(state_file)
    name = session.the_one(ruleset or (saved.ruleset if saved else None))
    rules = session.ruleset(name, saved.options if saved and saved.ruleset == name else None)
    shot, target = make_attack(given, session.catalog, session.plugins, saved.target if saved else None)
    condition = _condition(saved, rules, target, state_file, session)

    def worked_out(what: str, answer: Callable[[Effort], T]) -> T:
        with progress_bar(what) as show, session.guest(rules):
            try:
                return answer(replace(effort, progress=show))
            except WorkLimitError as error:
                raise WorkLimitError(f"{error} {way_out(effort)}".strip()) from None

    result = worked_out(name, lambda effort: comparison.odds(rules, shot, target, condition, effort))
    later = found = None
    if result.covers and (shots or full):
        with session.guest(rules):
            plan = comparison.covered_plan(rules, shot, target)
        if shots:
            count = shots
            later = worked_out(
                f"{name}: shots", lambda effort: shots_until(rules, plan, count, condition=condition, effort=effort)
            )
        if full:
            found = worked_out(
                f"{name}: outcomes", lambda effort: comparison.outcomes(rules, plan, seen_as, condition, effort)
            )
    if form == "json":
        data = odds_data(result)
        if fractions and result.covers:
            data["fractions"] = {key: str(value) for key, value in {**result.odds, **result.expected}.items()}
        if later is not None:
            data["shots"] = shots_data(later)
        if found is not None:
            data["outcomes"] = outcomes_data(found, full)
            data["outcomes_samples"] = found.samples
        print_json({**data, "attack": attack_data(shot, target)})
    else:
        report = OddsReport(rules, shot, target, result, later, found, full or USUAL_MOST, fractions)
        echo(odds_text.markdown(report) if form == "md" else odds_text.text(report))
    return 0 if result.covers else 1


def _saved(state_file: Path | None) -> states.State | None:
    if state_file is None:
        return None
    saved = states.read_state(state_file)
    if saved is None:
        raise CatalogError(f"There is no state file {state_file}; mantlet attack --state writes one.")
    return saved


def _condition(
    saved: states.State | None, rules: Ruleset[Any, Any], target: Target, state_file: Path | None, session: Session
) -> Condition | None:
    if saved is None or state_file is None:
        return None
    states.check_target(saved, target, state_file)
    told = states.differences(saved, rules)
    if told:
        click.echo(told, err=True)
    with session.guest(rules):
        return states.condition_of(saved, rules, target, state_file)
