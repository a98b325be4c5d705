"""Inputs of an attack that a plan says it has no use for: whatever they are changed to, the odds stay as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from mantlet.errors import UnknownNameError
from mantlet.game.attack import SKILL_WORDS, Attack
from mantlet.game.effects import EFFECTS
from mantlet.game.inputs import InputName
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.probability.distributions import Distribution
from mantlet.probability.exact import Exact
from mantlet.ruleset import Plan, Ruleset
from mantlet.testing.exact_odds import WORK
from mantlet.testing.report import FAILED, Case, Report

STEP_DEG: Final = 5
"""How close together the aspects lie that are tried: no sector of twice this width is missed."""

_RANGES_M: Final = (0, 100_000, 1, 3, 10, 30, 100, 300, 600, 1_001, 2_000, 3_000, 10_000, 30_000)
_ASPECTS_DEG: Final = (0, 45, 90, 135, 180, 225, 270, 315, 359.9, 44.9, 45.1, 89.9, 90.1, 134.9, 135.1, 179.9, 180.1)
_ELEVATIONS_DEG: Final = (-90, 90, -60, 60, -30, 30, -15, 15, -5, 5, 0)
_SPEEDS_KPH: Final = (0, 2_000, 0.5, 2, 5, 10, 20, 40, 80, 200)
_SHARES: Final = (0, 1, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
_PERCENTS: Final = (0, 1_000, 1, 5, 20, 35, 50, 65, 80, 95, 99, 100, 200)
_ROUNDS: Final = (1, 1_000, 2, 3, 5, 10, 30, 100)
_DISTANCES_M: Final = (0, 100_000, 0.5, 2, 5, 10, 20, 50, 100, 1_000)


def spans(ruleset: Ruleset[Any, Any], attack: Attack, target: Target) -> Mapping[InputName, list[dict[str, Any]]]:
    """What each input is changed to, its edges first: over all that an attack allows."""
    no_skill: dict[str, Any] = {"skill": None, "skill_percent": None, "skills": {}}
    words = ruleset.skill_table
    skills = [{**no_skill, "skill_percent": percent} for percent in _PERCENTS]
    skills += [{**no_skill, "skill": word} for word in SKILL_WORDS]
    skills += [{**no_skill, "skills": {ruleset.name: own(words.values())}} for own in (min, max) if words]
    return {
        "range": [{"range_m": float(m)} for m in _RANGES_M],
        "aspect": [{"aspect_deg": float(deg)} for deg in _ASPECTS_DEG],
        "elevation": [{"elevation_deg": float(deg)} for deg in _ELEVATIONS_DEG],
        "skill": skills,
        "aim": [{"aim": aim} for aim in (None, *ruleset.aims(target))],
        "rounds": [{"rounds": n} for n in _ROUNDS],
        "hull_down": [{"hull_down": not attack.hull_down}],
        "shooter_speed": [{"shooter_speed_kph": float(kph)} for kph in _SPEEDS_KPH],
        "target_speed": [{"target_speed_kph": float(kph)} for kph in _SPEEDS_KPH],
        "unbuttoned": [{"buttoned": not attack.buttoned}],
        "dark": [{"dark": not attack.dark}],
        "cover": [{"cover": float(share)} for share in _SHARES],
        "miss_distance": [{"miss_distance_m": float(m)} for m in _DISTANCES_M],
    }


def ignored(
    ruleset: Ruleset[Any, Any], cases: list[tuple[Case, Plan, Distribution[Outcome]]], effort: float, report: Report
) -> None:
    """Change every input over its whole span: wherever a plan lists it as ignored, the odds have to stay.

    `cases` are a few attacks with their odds; the aspects all round are shared out among them.
    """
    all_round = [{"aspect_deg": float(deg)} for deg in range(0, 360, STEP_DEG)]
    for n, (case, plan, outcomes) in enumerate(cases):
        usual = _summary(outcomes)
        for name, values in spans(ruleset, case.attack, case.target).items():
            more = all_round[n :: len(cases)] if name == "aspect" else []
            for value in _changing(case.attack, [*values, *more]):
                if not _stays(ruleset, case, plan, usual, name, value, effort, report):
                    break


def skill_words(
    ruleset: Ruleset[Any, Any], cases: list[tuple[Case, Plan, Distribution[Outcome]]], effort: float, report: Report
) -> None:
    """A word for the shooter's skill does what the number does that the skill table gives for it."""

    def odds_with(case: Case, **skill: Any) -> list[float] | None:
        attack = replace(case.attack, skill_percent=None, **skill)
        if report.attempt("skill_table", case.name, ruleset.covers, attack, case.target) is not None:
            return None
        plan = report.attempt("skill_table", case.name, ruleset.plan, attack, case.target)
        return None if plan is FAILED else _odds(ruleset, case, plan, effort, report)

    for case, _, _ in cases:
        for word, number in ruleset.skill_table.items():
            by_word = odds_with(case, skill=word, skills={})
            by_number = odds_with(case, skill=None, skills={ruleset.name: number})
            if by_word and by_number and not _equal(by_word, by_number):
                text = f"a skill of {word} gives other odds than {number:g} on its own scale, which the table gives it"
                report.fault("skill_table", case.name, [text])
                return


def _odds(ruleset: Ruleset[Any, Any], case: Case, plan: Plan, effort: float, report: Report) -> list[float] | None:
    engine = Exact(limit=max(2_000, int(WORK * effort)))
    start = ruleset.fresh(case.target)
    odds = report.attempt("exact odds", case.name, engine.distribution, ruleset.resolve, plan, start)
    return None if odds is FAILED else _summary(odds)


def _equal(some: list[float], others: list[float]) -> bool:
    return all(abs(one - other) <= 1e-9 * max(1.0, one) for one, other in zip(some, others))


def _changing(attack: Attack, values: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for value in values:
        if any(getattr(attack, field) != new for field, new in value.items()):
            yield value


def _stays(
    ruleset: Ruleset[Any, Any],
    case: Case,
    plan: Plan,
    usual: list[float],
    name: InputName,
    value: dict[str, Any],
    effort: float,
    report: Report,
) -> bool:
    """Whether the odds stay with the input changed to this value, or need not; if not, that is taken down."""
    attack = replace(case.attack, **value)
    told = ", ".join(f"{field} {new}" for field, new in value.items() if new not in (None, {}))
    where = f"{case.name}, {told or f'without {name}'}"
    reason = report.attempt("ignored", where, ruleset.covers, attack, case.target)
    if reason is not None:
        return True
    try:
        other = ruleset.plan(attack, case.target)
    except UnknownNameError:
        return True  # a place that cannot be aimed at from here
    except Exception as error:
        report.fault("ignored", where, [f"plan raised {type(error).__name__}: {error}"])
        return True
    if name not in plan.ignored and name not in other.ignored:
        return True
    odds = _odds(ruleset, Case(where, attack, case.target), other, effort, report)
    if odds is None or _equal(usual, odds):
        return True
    report.fault("ignored", where, [f"{name} is listed as ignored, and changing it changes the odds"])
    return False


def _summary(outcomes: Distribution[Outcome]) -> list[float]:
    """The chance of every effect, and the expected hits, wounded, killed and damage."""
    totals = [0.0] * (len(EFFECTS) + 4)
    for outcome, p in outcomes.items():
        numbers = [bool(outcome.effects & bit) for bit in EFFECTS.values()]
        numbers += [outcome.hits, outcome.wounded, outcome.killed, outcome.damage]
        for n, number in enumerate(numbers):
            totals[n] += float(p) * number
    return totals
