"""`mantlet compare`: the same attack through several rulesets, their odds side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mantlet.cli.compare_text import comparison_page
from mantlet.cli.effort import effort_options, read_effort, tell_fewer, way_out
from mantlet.cli.json_data import attack_data, odds_data, print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import USUAL, attack_options, attacked_target, format_option, make_attack, state_option
from mantlet.cli.progress import progress_bar
from mantlet.cli.session import Session, show_traceback
from mantlet.errors import MantletError, PluginError, UnknownNameError, WorkLimitError
from mantlet.game.attack import Attack
from mantlet.game.condition import Condition
from mantlet.game.target import Target
from mantlet.probability import comparison
from mantlet.probability.comparison import Odds
from mantlet.probability.effort import Effort
from mantlet.ruleset import Ruleset


@click.command(short_help="Odds of one attack under several rulesets, side by side.")
@click.option(
    "--ruleset", "rulesets", multiple=True, metavar="NAME", help="A ruleset to compare; all by default. Repeatable."
)
@attack_options
@effort_options
@state_option("Begin from the condition and situation saved in this file; its neutral facts count for other rulesets.")
@format_option()
def compare(rulesets: tuple[str, ...], state_file: Path | None, form: str, **given: Any) -> int:
    """The same attack through several rulesets: the probability of each effect under each.

    They are exact where that takes about a second; beyond that some are estimated, and each of those has its standard
    error beside it: 12.3% +/-0.2. The same seed gives the same figures.

    A ruleset that has no rule for the attack says why; numbers that a ruleset had to derive are named with their
    formula, and so are the inputs it has no use for.

    \b
    Examples:
      mantlet compare --weapon de_75_pak40 --target m4a1_75_dry --range 500 --given-hit
      mantlet compare --weapon kar98k --target gmc_cckw --skill 60 --skill gurps_vehicle=13
      mantlet compare --ruleset d100_wwii --ruleset facing_armor --weapon us_bazooka_m1a1 --target pz4_h --format md
    """
    effort = read_effort(given)
    session = Session(given.pop("catalog"), given.pop("options"))
    saved = session.saved(state_file) if state_file is not None else None
    chosen = session.rulesets(rulesets, saved, state_file)
    target = attacked_target(given, session.catalog, saved, state_file)
    situation = USUAL
    if saved is not None and state_file is not None:
        situation = session.situation(saved, target, state_file)
        others = [rules.name for rules in chosen if rules.name != saved.ruleset]
        if others:
            take = f"{' and '.join(others)} take{'' if len(others) > 1 else 's'}"
            click.echo(f"The state is one of {saved.ruleset}: {take} over its neutral facts.", err=True)
    shot = make_attack(given, session.catalog, session.plugins, situation)

    def start(rules: Ruleset[Any, Any]) -> Condition | None:
        return session.taken_over(saved, rules, target, state_file)[0] if saved and state_file else None

    results: list[Odds] = []
    failed = False
    for rules in chosen:
        with progress_bar(rules.name) as show:
            result, fault = _odds(session, rules, shot, target, start, replace(effort, progress=show))
        tell_fewer(rules.name, effort, result)
        results.append(result)
        failed |= fault
    if form == "json":
        print_json({"attack": attack_data(shot, target), "results": [odds_data(result) for result in results]})
    else:
        echo(comparison_page(form, shot, target, results))
    return 1 if failed or not any(result.covers for result in results) else 0


def _odds(
    session: Session,
    rules: Ruleset[Any, Any],
    shot: Attack,
    target: Target,
    start: Callable[[Ruleset[Any, Any]], Condition | None],
    effort: Effort,
) -> tuple[Odds, bool]:
    """The odds under one ruleset, and whether it failed; a failure is told and does not keep the others back."""
    try:
        with session.guest(rules):
            return comparison.odds(rules, shot, target, start(rules), effort), False
    except UnknownNameError as error:  # an aim that this ruleset does not know: another may
        return Odds(rules.name, False, str(error), options=rules.option_values(), failed=True), False
    except MantletError as error:
        if isinstance(error, PluginError):
            click.echo(f"Warning: {error}", err=True)
            show_traceback()
        hint = way_out(effort) if isinstance(error, WorkLimitError) else ""
        return Odds(rules.name, False, f"{error} {hint}".strip(), options=rules.option_values(), failed=True), True
