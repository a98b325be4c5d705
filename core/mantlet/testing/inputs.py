"""Inputs of an attack that a plan says it has no use for: whatever they are changed to, the odds stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from mantlet.errors import UnknownNameError
from mantlet.game.attack import SKILL_WORDS, Attack
from mantlet.game.inputs import InputName
from mantlet.game.shooter import Shooter
from mantlet.game.target import Target
from mantlet.probability.comparison import features
from mantlet.ruleset import Plan, Ruleset
from mantlet.testing.cases import from_elsewhere
from mantlet.testing.exact_odds import engine
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
        "turret": [{"turret_deg": float(deg)} for deg in _ASPECTS_DEG],
        "shooter": _shooters(ruleset, target),
    }


def _shooters(ruleset: Ruleset[Any, Any], target: Target) -> list[dict[str, Any]]:
    found = []
    for condition in from_elsewhere(target):
        with suppress(Exception):  # what is wrong with `adopt` is told elsewhere
            found.append({"shooter": Shooter(target=target, condition=ruleset.adopt(target, condition))})
    return found


def ignored(ruleset: Ruleset[Any, Any], cases: list[tuple[Case, Plan]], report: Report) -> None:
    """Change every input over its whole span: wherever a plan lists it as ignored, the odds have to stay.

    `cases` are a few attacks with their plans; the aspects all round are shared out among them.
    """
    all_round = [{"aspect_deg": float(deg)} for deg in range(0, 360, STEP_DEG)]
    for n, (case, plan) in enumerate(cases):
        usual = _odds(ruleset, case, plan, report)
        if usual is FAILED:
            continue
        for name, values in spans(ruleset, case.attack, case.target).items():
            for value in [*values, *(all_round[n :: len(cases)] if name == "aspect" else ())]:
                told = ", ".join(f"{field} {new}" for field, new in value.items() if new not in (None, {}))
                where = f"{case.name}, {told or f'without {name}'}"
                changed = Case(where, replace(case.attack, **value), case.target)
                if changed.attack != case.attack and not _stays(ruleset, changed, plan, usual, name, report):
                    break


def skill_words(ruleset: Ruleset[Any, Any], cases: list[Case], report: Report) -> None:
    """A word for the shooter's skill does what the number does that the skill table gives for it."""

    def odds_with(case: Case, **skill: Any) -> Any:
        attack = replace(case.attack, skill_percent=None, **skill)
        if report.attempt("skill_table", case.name, ruleset.covers, attack, case.target) is not None:
            return FAILED
        plan = report.attempt("skill_table", case.name, ruleset.plan, attack, case.target)
        return FAILED if plan is FAILED else _odds(ruleset, case, plan, report)

    for case in cases:
        for word, number in ruleset.skill_table.items():
            by_word = odds_with(case, skill=word, skills={})
            by_number = odds_with(case, skill=None, skills={ruleset.name: number})
            if not _equal(by_word, by_number):
                text = f"a skill of {word} gives other odds than {number:g} on its own scale, which the table gives it"
                report.fault("skill_table", case.name, [text])
                return


def _equal(some: Any, others: Any) -> bool:
    """Whether two results of `_odds` are the same, or one cannot be told."""
    if some is FAILED or others is FAILED:
        return True
    return all(abs(one - other) <= 1e-9 * max(1.0, one) for one, other in zip(some, others))


def _stays(
    ruleset: Ruleset[Any, Any], changed: Case, plan: Plan, usual: Sequence[float], name: InputName, report: Report
) -> bool:
    """Whether the odds stay with the input changed, or need not; if not, that is taken down."""
    reason = report.attempt("ignored", changed.name, ruleset.covers, changed.attack, changed.target)
    if reason is not None:
        return True
    try:
        other = ruleset.plan(changed.attack, changed.target)
    except UnknownNameError:
        return True  # a place that cannot be aimed at from here
    except Exception as error:
        report.fault("ignored", changed.name, [f"plan raised {type(error).__name__}: {error}"])
        return True
    if name not in plan.ignored and name not in other.ignored:
        return True
    if _equal(usual, _odds(ruleset, changed, other, report)):
        return True
    report.fault("ignored", changed.name, [f"{name} is listed as ignored, and changing it changes the odds"])
    return False


def _odds(ruleset: Ruleset[Any, Any], case: Case, plan: Plan, report: Report) -> Any:
    start = ruleset.fresh(case.target)
    return report.attempt("exact odds", case.name, engine(report).mean, features, ruleset.resolve, plan, start)
