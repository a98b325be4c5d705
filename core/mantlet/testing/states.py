"""The same attack from every side: given a hit, on damaged and taken-over targets, as time passes, and aimed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mantlet.dice.dice import run
from mantlet.dice.sources import Seeded
from mantlet.errors import UnknownNameError
from mantlet.game.condition import DEAD, Condition
from mantlet.ruleset import Plan, Ruleset
from mantlet.testing import laws
from mantlet.testing.attacks import covers, plan_of, roll, shares_of
from mantlet.testing.cases import from_elsewhere
from mantlet.testing.report import FAILED, Case, Report


def from_every_side(ruleset: Ruleset[Any, Any], case: Case, plan: Plan, report: Report) -> None:
    """The same attack given a hit, on damaged and adopted targets, with time passing, and aimed."""
    start = ruleset.fresh(case.target)
    hit = Case(f"{case.name}, given a hit", replace(case.attack, given_hit=True), case.target)
    conditions = {o.condition: None for o in roll(ruleset, case, plan, start, range(10, 16), report)}
    if covers(ruleset, hit, report) and (hit_plan := plan_of(ruleset, hit, report)) is not None:
        conditions |= {o.condition: None for o in roll(ruleset, hit, hit_plan, start, range(16, 30), report)}
    worst = sorted(
        conditions, key=lambda c: (c.destroyed, c.knocked_out, c.on_fire, c.people.count(DEAD)), reverse=True
    )
    for condition in worst[:4]:
        where = Case(f"{case.name}, hit before", case.attack, case.target)
        roll(ruleset, where, plan, condition, range(3), report)
        if report.attempt("adopt", case.name, ruleset.adopt, case.target, condition) != condition:
            report.fault("adopt", case.name, ["its own condition is not taken over as it is"])
        _time(ruleset, case, condition, report)
    for given in from_elsewhere(case.target):
        adopted = report.attempt("adopt", case.name, ruleset.adopt, case.target, given)
        if adopted is FAILED:
            continue
        faults = laws.adoption_faults(adopted, given, case.target, ruleset)
        report.fault("adopt", case.name, faults)
        if not faults:
            shares_of(ruleset, case, adopted, report)
            where = Case(f"{case.name}, taken over from another ruleset", case.attack, case.target)
            roll(ruleset, where, plan, adopted, range(2), report)
            _time(ruleset, case, adopted, report)
    _aims(ruleset, case, report)


def _time(ruleset: Ruleset[Any, Any], case: Case, condition: Condition, report: Report) -> None:
    for seconds in (1.0, 60.0):
        for seed in range(2):
            where = f"{case.name}, {seconds:g} s, seed {seed}"
            dice = Seeded(seed).dice
            passage = report.attempt("pass_time", where, run, dice, ruleset.pass_time, case.target, condition, seconds)
            if passage is FAILED:
                return
            report.fault("pass_time", where, laws.passage_faults(passage, case.target, condition, ruleset))


def _aims(ruleset: Ruleset[Any, Any], case: Case, report: Report) -> None:
    aims = report.attempt("aims", case.name, ruleset.aims, case.target)
    if aims is FAILED:
        return
    if not isinstance(aims, tuple) or any(not isinstance(aim, str) or not aim for aim in aims):
        report.fault("aims", case.name, [f"it has to be a tuple of names, not {aims!r:.80}"])
        return
    for aim in aims[:: max(1, len(aims) // 3)]:
        sides = (case.attack.aspect_deg, 0.0, 90.0, 180.0)
        if not any(_aimed(ruleset, case, aim, side, report) for side in sides):
            report.fault("aims", case.name, [f"{aim} is listed, and can be aimed at from no side"])
    nowhere = replace(case.attack, aim="no_such_place_at_all")
    try:
        if ruleset.covers(nowhere, case.target) is None and "aim" not in ruleset.plan(nowhere, case.target).ignored:
            report.fault("aims", case.name, ["plan takes an aim that is no location; it has to raise UnknownNameError"])
    except UnknownNameError:
        pass
    except Exception as error:
        report.fault("aims", case.name, [f"an unknown aim raised {type(error).__name__} and not UnknownNameError"])


def _aimed(ruleset: Ruleset[Any, Any], case: Case, aim: str, aspect_deg: float, report: Report) -> bool:
    """Whether the place can be aimed at from this side: what is out of sight may be no location."""
    attack = replace(case.attack, aim=aim, aspect_deg=aspect_deg, hull_down=False)
    aimed = Case(f"{case.name}, aimed at {aim} from {aspect_deg:g} degrees", attack, case.target)
    if not covers(ruleset, aimed, report):
        return True
    try:
        ruleset.plan(attack, case.target)
    except UnknownNameError:
        return False
    except Exception:
        pass  # plan_of says so
    plan = plan_of(ruleset, aimed, report)
    if plan is not None:
        roll(ruleset, aimed, plan, ruleset.fresh(case.target), range(2), report)
    return True
