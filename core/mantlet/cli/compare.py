"""`mantlet compare`: the same attack through several rulesets, their odds side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

import click

from mantlet.cli.compare_rows import Block
from mantlet.cli.compare_text import Compared, comparison_csv, comparison_data, comparison_line, comparison_page
from mantlet.cli.effort import effort_options, read_effort, tell_fewer, way_out
from mantlet.cli.json_data import print_json
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
from mantlet.probability.shots import Shots, shots_until
from mantlet.ruleset import Ruleset


@click.command(short_help="Odds of one attack under several rulesets, side by side.")
@click.option(
    "--ruleset", "rulesets", multiple=True, metavar="NAME", help="A ruleset to compare; all by default. Repeatable."
)
@attack_options
@effort_options
@state_option("Begin from the condition and situation saved in this file; its neutral facts count for other rulesets.")
@click.option("--shots", type=click.IntRange(1, 10_000), metavar="N", help="Also: knocked out within 1 to N attacks.")
@click.option("--all", "everything", is_flag=True, help="Every row: those of zeros, those like the one above, zones.")
@click.option("--explain", is_flag=True, help="What the figures rest on: every derived number, note, and meaning.")
@format_option("csv", "html", "line")
def compare(
    rulesets: tuple[str, ...],
    state_file: Path | None,
    shots: int | None,
    everything: bool,
    explain: bool,
    form: str,
    **given: Any,
) -> int:
    """The same attack through several rulesets: the probability of each effect under each.

    First of the attack as it is, then given a hit: one ordinary round strikes, whatever the chance to hit. A row is
    marked * where two rulesets differ by 10 points or a factor of two.

    They are exact where that takes about a second; beyond that some are estimated, and each of those has its standard
    error beside it: 12.3% +/-0.2. The same seed gives the same figures.

    A ruleset that has no rule for the attack says why; numbers that a ruleset had to derive are named with their
    formula, and so are the inputs it has no use for.

    \b
    Examples:
      mantlet compare --weapon de_75_pak40 --target m4a1_75_dry --range 500 --given-hit
      mantlet compare --weapon kar98k --target gmc_cckw --skill 60 --skill gurps_vehicle=13
      mantlet compare --ruleset d100_wwii --ruleset facing_armor --weapon us_bazooka_m1a1 --target pz4_h --format md
      mantlet compare --weapon de_75_pak40 --target m4a1_75_dry --range 500 --shots 5 --format line
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

    given_hit = {"given a hit": replace(shot, given_hit=True)}
    questions = given_hit if shot.given_hit else {"of the attack": shot, **given_hit}
    given_to_all = _Asked(list(questions.values()), target, shots, effort)
    blocks: dict[str, list[Odds]] = {question: [] for question in questions}
    later: dict[str, Shots] = {}
    failed = False
    for rules in chosen:
        answers = _answers(session, rules, given_to_all, partial(start, rules))
        for results, result in zip(blocks.values(), answers.odds):
            tell_fewer(rules.name, effort, result)
            results.append(result)
        if answers.shots is not None:
            later[rules.name] = answers.shots
        failed |= answers.failed
    meanings = {rules.name: rules.knocked_out for rules in chosen}
    compared = Compared(shot, target, list(starmap(Block, blocks.items())), later, meanings)
    if form == "json":
        print_json(comparison_data(compared))
    elif form == "csv":
        click.echo(comparison_csv(compared, everything))
    elif form == "line":
        echo([comparison_line(compared)])
    else:
        echo(comparison_page(form, compared, everything, explain))
    return 1 if failed or not any(odds.covers for odds in compared.blocks[0].results) else 0


class _Asked(NamedTuple):
    """What every ruleset is asked: the attack, the same given a hit, and how many attacks to a knock-out."""

    attacks: Sequence[Attack]
    target: Target
    shots: int | None
    effort: Effort


class _Answers(NamedTuple):
    """What one ruleset answers: odds of each attack, odds of several, and whether it failed."""

    odds: Sequence[Odds]
    shots: Shots | None = None
    failed: bool = False


def _answers(
    session: Session, rules: Ruleset[Any, Any], asked: _Asked, start: Callable[[], Condition | None]
) -> _Answers:
    """The answers of one ruleset; a failure is told and does not keep the others back."""
    parts = len(asked.attacks) + bool(asked.shots)
    try:
        with progress_bar(rules.name) as show, session.guest(rules):

            def effort(part: int) -> Effort:
                return replace(asked.effort, progress=show and (lambda share: show((part + share) / parts)))

            condition = start()
            found = [
                comparison.odds(rules, attack, asked.target, condition, effort(part))
                for part, attack in enumerate(asked.attacks)
            ]
            if not asked.shots or not found[0].covers:
                return _Answers(found)
            plan = comparison.covered_plan(rules, asked.attacks[0], asked.target)
            return _Answers(found, shots_until(rules, plan, asked.shots, condition=condition, effort=effort(parts - 1)))
    except UnknownNameError as error:  # an aim that this ruleset does not know: another may
        return _Answers([_refused(rules, str(error))] * len(asked.attacks))
    except MantletError as error:
        if isinstance(error, PluginError):
            click.echo(f"Warning: {error}", err=True)
            show_traceback()
        hint = way_out(asked.effort) if isinstance(error, WorkLimitError) else ""
        return _Answers([_refused(rules, f"{error} {hint}".strip())] * len(asked.attacks), failed=True)


def _refused(rules: Ruleset[Any, Any], reason: str) -> Odds:
    return Odds(rules.name, False, reason, options=rules.option_values(), failed=True)
