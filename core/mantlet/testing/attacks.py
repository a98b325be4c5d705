"""One attack with seeded dice: whether it is covered, its plan, its outcome, and the same again from its script."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mantlet.dice.account import Account, Note
from mantlet.dice.dice import run
from mantlet.dice.sources import Scripted, Seeded
from mantlet.game.condition import FIT, Condition
from mantlet.game.outcome import Outcome
from mantlet.results import plan_faults
from mantlet.ruleset import Plan, Ruleset
from mantlet.testing import laws
from mantlet.testing.report import FAILED, Case, Report


def covers(ruleset: Ruleset[Any, Any], case: Case, report: Report) -> bool:
    """Whether the ruleset has a rule for the case; its answer has to be sound and steady."""
    reason = report.attempt("covers", case.name, ruleset.covers, case.attack, case.target)
    if reason is FAILED:
        return False
    if reason is not None and not (isinstance(reason, str) and reason.strip() and "\n" not in reason):
        report.fault("covers", case.name, [f"it has to give None or one sentence, not {reason!r:.80}"])
        return False
    if reason != ruleset.covers(case.attack, case.target):
        report.fault("covers", case.name, ["asked again, it gives another answer"])
    return reason is None


def plan_of(ruleset: Ruleset[Any, Any], case: Case, report: Report) -> Plan | None:
    """The plan of a case and an untouched target, or None when either is unsound."""
    plan = report.attempt("plan", case.name, ruleset.plan, case.attack, case.target)
    if plan is FAILED:
        return None
    faults = plan_faults(plan, case.attack, case.target)
    fresh = report.attempt("fresh", case.name, ruleset.fresh, case.target)
    if fresh is not FAILED:
        wrong = laws.condition_faults(fresh, case.target, ruleset)
        if not wrong and fresh.neutral != Condition(people=(FIT,) * len(case.target.crew)):
            wrong = ["an untouched target has to be in full order, with everybody fit"]
        report.fault("fresh", case.name, wrong)
        shares_of(ruleset, case, fresh, report, fresh=True)
    report.fault("plan", case.name, faults)
    return plan if not faults and fresh is not FAILED else None


def shares_of(
    ruleset: Ruleset[Any, Any], case: Case, condition: Condition, report: Report, *, fresh: bool = False
) -> None:
    """The neutral shares of a condition: sound, and whole for an untouched target."""
    shares = report.attempt("shares", case.name, ruleset.shares, case.target, condition)
    if shares is not FAILED:
        report.fault("shares", case.name, laws.share_faults(shares, fresh=fresh))


def roll(
    ruleset: Ruleset[Any, Any], case: Case, plan: Plan, condition: Condition, seeds: Iterable[int], report: Report
) -> list[Outcome]:
    """Seeded attacks: sound outcomes, an account that reads, and the same again from its script."""
    outcomes = []
    for seed in seeds:
        source = Seeded(seed)
        where = f"{case.name}, seed {seed}"
        outcome = report.attempt("resolve", where, run, source.dice, ruleset.resolve, plan, condition)
        if outcome is FAILED:
            break
        faults = laws.outcome_faults(outcome, case.attack, case.target, condition, ruleset)
        report.fault("outcome", where, faults)
        report.fault("account", where, _account_faults(source.account))
        if faults:
            break
        outcomes.append(outcome)
        shares_of(ruleset, case, outcome.condition, report)
        replan = report.attempt("plan", case.name, ruleset.plan, case.attack, case.target)
        script = Scripted(source.account.script)
        again = report.attempt("replay", where, run, script.dice, ruleset.resolve, replan, condition)
        if again is FAILED:
            break
        report.attempt("replay", where, script.finish)
        if again != outcome:
            report.fault(
                "replay", where, [f"the same dice on a new plan gave another outcome: {_difference(outcome, again)}"]
            )
    return outcomes


def _account_faults(account: Account) -> list[str]:
    faults = []
    for entry in account.entries:
        if isinstance(entry, Note):
            try:
                empty = not entry.text.strip()
            except Exception as error:
                faults.append(f"the note {entry.template!r} cannot be written ({type(error).__name__}: {error})")
                continue
            if empty:
                faults.append(f"a note of rule {entry.rule!r} is empty")
        elif not entry.reason.strip():
            faults.append(f"a roll of {entry.dice} gives no reason")
    return faults


def _difference(one: Outcome, other: object) -> str:
    if not isinstance(other, Outcome):
        return f"a {type(other).__name__}"
    names = [name for name in Outcome._fields if getattr(one, name) != getattr(other, name)]
    return f"they differ in {', '.join(names)}"
