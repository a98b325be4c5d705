"""`mantlet odds`: the odds of one attack under one ruleset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from mantlet.cli.effort import effort_options, read_effort, tell_fewer, way_out
from mantlet.cli.json_data import attack_data, odds_data, print_json
from mantlet.cli.layout import echo
from mantlet.cli.odds_text import tell_odds
from mantlet.cli.options import (
    USUAL,
    attack_options,
    attacked_target,
    format_option,
    make_attack,
    ruleset_option,
    state_option,
)
from mantlet.cli.outcomes_text import outcomes_data, seen_as, tell_outcomes
from mantlet.cli.page import Page
from mantlet.cli.progress import progress_bar
from mantlet.cli.session import Session
from mantlet.cli.shots_text import shots_data, tell_shots
from mantlet.cli.words import circumstances, foundations, title
from mantlet.errors import WorkLimitError
from mantlet.probability import comparison
from mantlet.probability.effort import Answer
from mantlet.probability.shots import shots_until

T = TypeVar("T", bound=Answer)

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
@state_option("Begin from the condition and situation saved in this file.")
@format_option()
def odds(
    ruleset: str | None, shots: int | None, full: int | None, state_file: Path | None, form: str, **given: Any
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
    effort = read_effort(given)
    session = Session(given.pop("catalog"), given.pop("options"))
    saved = session.saved(state_file) if state_file is not None else None
    rules = session.ruleset(ruleset, saved, state_file)
    target = attacked_target(given, session.catalog, saved, state_file)
    condition, situation = None, USUAL
    if state_file is not None and saved is not None:
        condition, situation, remarks = session.taken_over(saved, rules, target, state_file)
        for remark in remarks:
            click.echo(remark, err=True)
    shot = make_attack(given, session.catalog, session.plugins, situation)

    def worked_out(what: str, answer: Callable[..., T]) -> T:
        with progress_bar(what) as show, session.guest(rules):
            try:
                found = answer(effort=replace(effort, progress=show))
            except WorkLimitError as error:
                raise WorkLimitError(f"{error} {way_out(effort)}".strip()) from error
        tell_fewer(what, effort, found)
        return found

    name = rules.name
    result = worked_out(name, partial(comparison.odds, rules, shot, target, condition))
    later = found = None
    if result.covers and (shots or full):
        with session.guest(rules):
            plan = comparison.covered_plan(rules, shot, target)
        if shots:
            later = worked_out(f"{name}: shots", partial(shots_until, rules, plan, shots, condition=condition))
        if full:
            found = worked_out(f"{name}: outcomes", partial(comparison.outcomes, rules, plan, seen_as, condition))
    if form == "json":
        data = odds_data(result)
        if effort.fractions and result.covers:
            data["fractions"] = {key: str(value) for key, value in {**result.odds, **result.expected}.items()}
        if later is not None:
            data["shots"] = shots_data(later)
        if found is not None:
            data["outcomes"] = outcomes_data(found, full)
            data["outcomes_samples"] = found.samples
        print_json({**data, "attack": attack_data(shot, target)})
    else:
        page = Page(form)
        page.title(f"{title(shot, target)}: {circumstances(shot, name)}")
        tell_odds(page, rules, result, effort.fractions)
        if later is not None:
            tell_shots(page, later)
        if found is not None:
            tell_outcomes(page, found, full or USUAL_MOST)
        below = foundations(result)
        if below:
            page.gap()
            page.items(below)
        echo(page.lines)
    return 0 if result.covers else 1
