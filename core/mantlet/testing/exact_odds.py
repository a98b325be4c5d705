"""Exact odds of one attack: sound outcomes that sum to 1, the same in fractions, and what seeded dice give."""

from __future__ import annotations

import math
from typing import Any, Final

from mantlet.game.outcome import Outcome
from mantlet.probability.comparison import FEATURES, features
from mantlet.probability.distributions import Distribution
from mantlet.probability.exact import Exact
from mantlet.ruleset import Plan, Ruleset
from mantlet.testing import laws
from mantlet.testing.play import FIRST_SEED, differences, played
from mantlet.testing.report import FAILED, Case, Report

SAMPLES: Final = 250
"""How many seeded attacks stand against the exact odds, at effort 1."""
WORK: Final = 100_000
"""The work limit of one exact question, at effort 1; a case that needs more is only rolled."""
LOOKED_AT: Final = 2_000
"""How many outcomes of one distribution are looked at one by one."""


def engine(report: Report, *, fractions: bool = False, merge_alike: bool = False) -> Exact:
    """What works out one exact question, up to the work limit."""
    return Exact(fractions=fractions, limit=max(2_000, int(WORK * report.effort)), merge_alike=merge_alike)


def exact(ruleset: Ruleset[Any, Any], case: Case, plan: Plan, report: Report) -> Distribution[Outcome] | None:
    """The whole distribution: sound outcomes, summing to 1, and what seeded dice give."""
    floats = engine(report)
    start = ruleset.fresh(case.target)
    outcomes = report.attempt("exact odds", case.name, floats.distribution, ruleset.resolve, plan, start)
    if outcomes is FAILED:
        return None
    total = outcomes.total()
    if not abs(total - 1) <= 1e-12:
        report.fault("exact odds", case.name, [f"the probabilities sum to {total!r}"])
    for outcome, p in list(outcomes.items())[:: 1 + len(outcomes) // LOOKED_AT]:
        faults = laws.outcome_faults(outcome, case.attack, case.target, start, ruleset)
        report.fault("outcome", f"{case.name}, probability {p:.2g}", faults)
        if faults:
            return None
    means = report.attempt("exact odds", case.name, floats.mean, features, ruleset.resolve, plan, start)
    if means is not FAILED:
        rows = [[p * number for number in features(outcome)] for outcome, p in outcomes.items()]
        listed = [math.fsum(column) for column in zip(*rows)]
        if any(abs(a - b) > 1e-9 * max(1, abs(b)) for a, b in zip(means, listed)):
            report.fault("exact odds", case.name, ["the means of the odds differ from those of the distribution"])
    _sampled(ruleset, case, plan, outcomes, report)
    return outcomes  # type: ignore[no-any-return]


def _sampled(
    ruleset: Ruleset[Any, Any], case: Case, plan: Plan, outcomes: Distribution[Outcome], report: Report
) -> None:
    """Seeded attacks against the exact odds: nothing impossible, and nothing too often, people alike taken as one."""
    start = ruleset.fresh(case.target)
    plays = played(ruleset, plan, start, max(50, int(SAMPLES * report.effort)))
    for seed, outcome in enumerate(plays, start=FIRST_SEED):
        if not outcomes[outcome]:
            report.fault("play", f"{case.name}, seed {seed}", ["it is not among the exact outcomes"])
            return
    alike = engine(report, merge_alike=True)
    means = report.attempt("play", case.name, alike.mean, features, ruleset.resolve, plan, start)
    if means is not FAILED:
        report.fault("play", case.name, differences(dict(zip(FEATURES, means)), plays))


def fractions(
    ruleset: Ruleset[Any, Any], cases: list[tuple[Case, Plan, Distribution[Outcome]]], report: Report
) -> None:
    """The first small case that fractions can do: exactly 1 in all, and what floats said."""
    for case, plan, floats in cases:
        whole = engine(report, fractions=True).distribution
        outcomes = report.attempt("exact odds", case.name, whole, ruleset.resolve, plan, ruleset.fresh(case.target))
        if outcomes is FAILED:
            continue
        if outcomes.total() != 1:
            report.fault("exact odds", case.name, [f"in fractions the probabilities sum to {outcomes.total()}"])
        if any(abs(floats[o] - float(p)) > 1e-9 for o, p in outcomes.items()):
            report.fault("exact odds", case.name, ["floats and fractions disagree"])
        return
