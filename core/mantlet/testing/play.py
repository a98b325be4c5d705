"""Play against odds: seeded attacks have to come out as the odds say.

Odds take people of a `Crowd` who are alike as one, play never does. This is the only thing in which the two differ, and
what stands guard over it: a crowd put in order too early, or people called alike who are not, show here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean, pvariance
from typing import Any, Final

from mantlet.dice.dice import run
from mantlet.dice.sources import Seeded
from mantlet.errors import NotCoveredError
from mantlet.game.attack import Attack
from mantlet.game.condition import Condition
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.probability.comparison import EXPECTED, FEATURES, features, odds
from mantlet.probability.effort import USUAL, Effort
from mantlet.ruleset import Plan, Ruleset
from mantlet.testing.report import FAILED, Case, Report

SIGMAS: Final = 5.0
"""How far a figure of play may lie from the odds; the seeds are fixed, so it is passed or failed for good."""
FEW: Final = 3
"""How often something rare may come up beside that."""
FIRST_SEED: Final = 1_000
BURSTS: Final = 2
"""How many bursts are played against the odds by the conformance kit, at effort 1; one at least."""
BURST_PLAYS: Final = 250
"""How often each of them is played, at effort 1."""
BURST_SAMPLES: Final = 2_000
"""How many attacks the odds of such a burst are estimated from, at effort 1, where they are not exact."""


def play_against_odds(
    ruleset: Ruleset[Any, Any],
    attack: Attack,
    target: Target,
    condition: Condition | None = None,
    *,
    attacks: int = 400,
    effort: Effort = USUAL,
) -> list[str]:
    """Where seeded attacks and odds disagree, a sentence for each figure; none where they agree.

    Args: `attacks` is how many are played; odds are worked out with `effort`, and may be estimated. Try it with a
    burst at several people who are alike. Raises NotCoveredError for an attack that the ruleset has no rule for.
    """
    found = odds(ruleset, attack, target, condition, effort)
    if not found.covers:
        raise NotCoveredError(f"{ruleset.name} has no rule for this attack: {found.reason}")
    start = ruleset.fresh(target) if condition is None else ruleset.adopt(target, condition)
    figures = {**found.odds, **found.expected, **found.locations}
    return differences(figures, played(ruleset, ruleset.plan(attack, target), start, attacks), found.standard_error)


def played(ruleset: Ruleset[Any, Any], plan: Plan, start: Condition, attacks: int) -> list[Outcome]:
    """The outcomes of so many attacks with seeded dice, one seed each."""
    seeds = range(FIRST_SEED, FIRST_SEED + attacks)
    return [run(Seeded(seed).dice, ruleset.resolve, plan, start) for seed in seeds]


def differences(
    figures: Mapping[str, Any], outcomes: Sequence[Outcome], errors: Mapping[str, float] | None = None
) -> list[str]:
    """Which figures (by name of effect, expected number or zone; 0 where one is missing) outcomes of play contradict.

    `errors` are the standard errors of the figures that are estimated.
    """
    n = len(outcomes)
    some_effect = 1 - float(figures.get("no_effect", 0))
    texts = []
    for name, numbers in zip(FEATURES, zip(*map(features, outcomes))):
        expected = float(figures.get(name, 0))
        mean = fmean(numbers)
        if 0 <= expected <= 1 and max(numbers) <= 1 and name not in EXPECTED:
            likely = expected * (1 - expected)
        else:  # as if it were the same whenever anything happens: of what is rare, plays alone show too little spread
            likely = expected * expected / max(some_effect, 1e-12)
        variance = max(pvariance(numbers), likely) / n + (errors or {}).get(name, 0.0) ** 2
        if abs(mean - expected) > SIGMAS * math.sqrt(variance) + FEW * max(1.0, *numbers) / n:
            texts.append(f"{name} is {mean:.4f} in {n} attacks, at odds of {expected:.4f}")
    return texts


def bursts(ruleset: Ruleset[Any, Any], planned: Sequence[tuple[Case, Plan]], report: Report) -> None:
    """Bursts at many people, whose odds are seldom exact, as they are played: those at the most people of all cases."""
    fired = [case for case, _ in planned if case.attack.rounds > 1]
    fired.sort(key=lambda case: -sum(seat.count for seat in case.target.seats or ()))
    how = Effort(samples=max(200, int(BURST_SAMPLES * report.effort)))
    play = partial(play_against_odds, ruleset, attacks=max(50, int(BURST_PLAYS * report.effort)), effort=how)
    for case in fired[: max(1, int(BURSTS * report.effort))]:
        texts = report.attempt("play", case.name, play, case.attack, case.target)
        if texts is not FAILED:
            report.fault("play", case.name, texts)
