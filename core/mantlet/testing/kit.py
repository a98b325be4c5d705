"""The conformance kit: `check_ruleset` puts a ruleset through everything that mantlet relies on.

It needs no test framework: call it from a test of your own, or from a prompt. The shipped rulesets, the example and
the generated skeleton pass it in CI. It is made of plain asks: the same attack seeded, scripted and exact, the same
target fresh, hit, wrecked and taken over from another ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from mantlet.game.attack import Attack
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.probability.distributions import Distribution
from mantlet.ruleset import Plan, Ruleset
from mantlet.testing.attacks import covers, plan_of, roll
from mantlet.testing.cases import catalog_cases
from mantlet.testing.exact_odds import WORK, exact, fractions
from mantlet.testing.inputs import ignored, skill_words
from mantlet.testing.interface import instance, options, skills, tables
from mantlet.testing.report import Case, Report
from mantlet.testing.states import from_every_side

SPREAD: Final = 60
"""How many of the shipped weapons' attacks are planned and rolled, at effort 1."""
DEEP: Final = 10
"""How many of them are worked out exactly and looked at from every side, at effort 1."""


class ConformanceError(AssertionError):
    """A ruleset breaks what mantlet relies on; `violations` lists every case of it in plain sentences."""

    def __init__(self, ruleset: str, violations: Sequence[str]) -> None:
        self.violations = tuple(violations)
        many = f"{len(violations)} violation{'' if len(violations) == 1 else 's'}"
        super().__init__(f"{ruleset} does not conform, {many}:\n" + "\n".join(f"- {v}" for v in violations))


def check_ruleset(
    ruleset: Ruleset[Any, Any] | type[Ruleset[Any, Any]],
    cases: Iterable[Case | tuple[Attack, Target]] | None = None,
    *,
    effort: float = 1.0,
) -> None:
    """Put a ruleset through everything mantlet relies on.

    Args: `ruleset` is a class, or an instance to check it under its options. `cases` are attacks of your own, tried
    beside a spread of attacks from the shipped catalog; give some if the ruleset covers nothing shipped. `effort`
    multiplies the number of cases, samples and the work allowed (1 takes a few seconds; 0.2 is a smoke test).

    Raises ConformanceError listing every violation.
    """
    report = Report(effort)
    made = instance(ruleset, report)
    if made is not None:
        given = [_named(n, case) for n, case in enumerate(cases or (), start=1)]
        _check(made, given, [*given, *catalog_cases(max(8, int(SPREAD * effort)))], report)
    if report.violations:
        name = getattr(ruleset, "name", getattr(ruleset, "__name__", repr(ruleset)))
        raise ConformanceError(f"Ruleset {name}", report.listed())


def _named(n: int, case: Case | tuple[Attack, Target]) -> Case:
    if isinstance(case, Case):
        return case
    attack, target = case
    return Case(f"case {n}, {attack.weapon.id} at {target.id}", attack, target)


def _check(ruleset: Ruleset[Any, Any], given: list[Case], cases: list[Case], report: Report) -> None:
    covered = [case for case in cases if covers(ruleset, case, report)]
    if not covered:
        report.fault("covers", "", ["it covers none of the cases; give check_ruleset cases of your own"])
        return
    planned = [(case, plan) for case in covered if (plan := plan_of(ruleset, case, report)) is not None]
    for case, plan in planned:
        roll(ruleset, case, plan, ruleset.fresh(case.target), range(3), report)
    own = [pair for pair in planned if pair[0] in given]
    others = [pair for pair in planned if pair[0] not in given]
    many = max(2, int(DEEP * report.effort))
    deep = own + others[:: max(1, len(others) // many)][:many]
    done: list[tuple[Case, Plan, Distribution[Outcome]]] = []
    for case, plan in deep:
        outcomes = exact(ruleset, case, plan, report)
        if outcomes is not None:
            done.append((case, plan, outcomes))
        from_every_side(ruleset, case, plan, report)
    if not done and not report.violations:
        steps = int(WORK * report.effort)
        report.fault("exact odds", "", [f"no case could be worked out exactly within {steps:,} steps"])
    small = sorted(done, key=lambda entry: len(entry[2]))[:4]
    fractions(ruleset, small, report)
    ignored(ruleset, [(case, plan) for case, plan, _ in small], report)
    if skills(ruleset, report):
        skill_words(ruleset, [case for case, _, _ in small], report)
    options(ruleset, [case for case, _ in deep[:2]], report)
    tables(ruleset, report)
    for case, plan in planned[:3]:  # nothing of all this may have left a trace in the ruleset
        roll(ruleset, case, plan, ruleset.fresh(case.target), range(3), report)
