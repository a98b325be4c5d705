"""What a ruleset gives, checked where it enters: its answers, plans, conditions and outcomes.

The `..._faults` list what is wrong with the form of a thing, in sentences; the conformance kit asks them too. The
other functions call a ruleset and raise a RuleError that names the method and its line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from mantlet.errors import RuleError, line_of
from mantlet.game.attack import Attack
from mantlet.game.condition import LEVELS, PERSON_STATES, Condition
from mantlet.game.derived import Derived
from mantlet.game.effects import EFFECTS
from mantlet.game.inputs import INPUTS
from mantlet.game.outcome import ZONES, ArmorResult, Location, Outcome
from mantlet.game.target import Target
from mantlet.game.threat import Threat
from mantlet.ruleset import P, Passage, Plan, Report, Ruleset

ALL_EFFECTS: Final = sum(EFFECTS.values())
"""The bits of the whole vocabulary."""


class ResultError(RuleError):
    """A result that no rule body may give; `results_of` adds which one gave it."""


# -- asking a ruleset --------------------------------------------------------------------------------------------------


def why_not_covered(ruleset: Ruleset[Any, Any], attack: Attack, target: Target) -> str | None:
    """What `covers` says. Raises RuleError for an answer that is neither None nor a sentence."""
    with results_of(ruleset.covers):
        reason: Any = ruleset.covers(attack, target)
        if reason is not None and not (isinstance(reason, str) and reason.strip()):
            raise ResultError(f"it gave {reason!r:.80}, and has to give None or one sentence")
    return reason


def plan_of(ruleset: Ruleset[Any, P], attack: Attack, target: Target) -> P:
    """The plan of an attack that is covered. Raises RuleError for what is no sound plan."""
    with results_of(ruleset.plan):
        plan = ruleset.plan(attack, target)
        _refuse(plan_faults(plan, attack, target))
    return plan


def start_of(ruleset: Ruleset[Any, Any], target: Target, condition: Condition | None) -> Condition:
    """The condition an attack begins with: fresh, or one taken over. Raises RuleError for what is no condition."""
    if condition is None:
        with results_of(ruleset.fresh):
            start = ruleset.fresh(target)
            _refuse(condition_faults(start, target))
        return start
    with results_of(ruleset.adopt):
        start = ruleset.adopt(target, condition)
        _refuse(condition_faults(start, target))
    return start


def threatened_by(ruleset: Ruleset[Any, Any], target: Target, condition: Condition, threat: Threat) -> Condition:
    """The condition of a target with enemy vehicles about. Raises NotCoveredError, RuleError for what is none."""
    with results_of(ruleset.threatened):
        found = ruleset.threatened(target, condition, threat)
        _refuse(condition_faults(found, target))
    return found


def bailed_out_of(ruleset: Ruleset[Any, Any], target: Target, condition: Condition) -> tuple[Target, Condition] | None:
    """Who has left a target, as a target of their own. Raises NotCoveredError, RuleError for what is none."""
    with results_of(ruleset.bailed_out):
        found: Any = ruleset.bailed_out(target, condition)
        if found is None:
            return None
        if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[0], Target)):
            raise ResultError(f"it gave {found!r:.80}, not None or a mantlet.Target and its condition")
        _refuse(condition_faults(found[1], found[0]))
    return found[0], found[1]


def report_of(ruleset: Ruleset[Any, Any], target: Target, before: Condition, result: Outcome | Passage) -> Report:
    """What a ruleset says of a result in its own words. Raises RuleError for what is no sound report."""
    with results_of(ruleset.report):
        report = ruleset.report(target, before, result)
        _refuse(report_faults(report))
    return report


@contextmanager
def results_of(method: Callable[..., Any]) -> Iterator[None]:
    """Around the use of what a method of a ruleset gives: an unsound result becomes a RuleError that names it."""
    try:
        yield
    except ResultError as error:
        raise RuleError(f"{error}{line_of(method)}") from None


def check_outcome(outcome: object) -> None:
    """Raise ResultError for the outcome of an attack that has not the form of one; its condition is not looked at."""
    _refuse(outcome_faults(outcome))


def check_end(outcome: object, target: Target) -> None:
    """The same for one that is told or saved, with its condition."""
    check_outcome(outcome)
    assert isinstance(outcome, Outcome)
    _refuse(condition_faults(outcome.condition, target))


def check_passage(passage: object, target: Target) -> None:
    """Raise ResultError for what a span of time or an action came to that has not the form of it."""
    _refuse(passage_faults(passage, target))


def _refuse(faults: Sequence[str]) -> None:
    if faults:
        raise ResultError(faults[0])


# -- what is wrong -----------------------------------------------------------------------------------------------------


def condition_faults(condition: object, target: Target) -> list[str]:
    """What is wrong with the form of a condition."""
    if not isinstance(condition, Condition):
        return [_no(condition, "Condition")]
    if _sound(condition, target):
        return []
    faults = []
    for name in ("mobility", "firepower"):
        if getattr(condition, name) not in range(len(LEVELS)):
            faults.append(f"condition.{name} is {getattr(condition, name)!r:.80}, not FULL, REDUCED or NONE")
    for name in ("on_fire", "knocked_out", "destroyed"):
        if not isinstance(getattr(condition, name), bool):
            faults.append(f"condition.{name} is {getattr(condition, name)!r:.80}, not True or False")
    people = condition.people
    if not isinstance(people, tuple) or any(state not in range(len(PERSON_STATES)) for state in people):
        faults.append(f"condition.people is {people!r:.80}, not a tuple of person states")
    elif len(people) != len(target.crew):
        faults.append(f"condition.people has {len(people)} states for the {len(target.crew)} seats of {target.id}")
    if condition.destroyed and not condition.knocked_out:
        faults.append("condition.destroyed is set without condition.knocked_out")
    if not isinstance(condition.ruleset, str):
        faults.append(f"condition.ruleset is {condition.ruleset!r:.80}, not a text")
    return faults


def _sound(condition: Condition, target: Target) -> bool:
    """Whether nothing at all is wrong with the form of it: odds ask this of very many."""
    mobility, firepower, on_fire, knocked_out, destroyed, people, ruleset, _ = condition
    return (
        mobility in range(len(LEVELS))
        and firepower in range(len(LEVELS))
        and type(on_fire) is bool
        and type(knocked_out) is bool
        and type(destroyed) is bool
        and knocked_out >= destroyed
        and isinstance(people, tuple)
        and len(people) == len(target.crew)
        and _INT.issuperset(map(type, people))
        and _PEOPLE.issuperset(people)
        and type(ruleset) is str
    )


_INT: Final = frozenset([int])
_PEOPLE: Final = frozenset(range(len(PERSON_STATES)))


def plan_faults(plan: object, attack: Attack, target: Target) -> list[str]:
    """What is wrong with a plan."""
    if not isinstance(plan, Plan):
        return [_no(plan, "Plan")]
    faults = []
    if plan.attack is not attack or plan.target is not target:
        faults.append("the plan does not hold the attack and the target it was made for")
    for name in ("derived", "ignored", "notes"):
        if not isinstance(getattr(plan, name), tuple):
            faults.append(f"plan.{name} is {getattr(plan, name)!r:.80}, not a tuple")
    if faults:
        return faults
    for derived in plan.derived:
        faults += _derived_faults(derived)
    for ignored in plan.ignored:
        if ignored not in INPUTS:
            faults.append(f"plan.ignored names {ignored!r:.80}; the names are those of mantlet.ignored_inputs")
    for note in plan.notes:
        if not (isinstance(note, str) and note.strip()):
            faults.append(f"plan.notes holds {note!r:.80}, which is no text")
    return faults


def _derived_faults(derived: object) -> Iterator[str]:
    if not isinstance(derived, Derived):
        yield f"plan.derived holds a {type(derived).__name__} and no mantlet.Derived"
        return
    if not (isinstance(derived.stat, str) and derived.stat and isinstance(derived.formula, str) and derived.formula):
        yield f"a derived number needs a stat and a formula: {derived!r:.80}"
    values = [derived.value]
    if isinstance(derived.inputs, Mapping):
        values += derived.inputs.values()
    else:
        yield f"the inputs of derived {derived.stat} are no mapping"
    for value in values:
        if not isinstance(value, (int, float, str)) or (isinstance(value, float) and not math.isfinite(value)):
            yield f"derived {derived.stat} holds {value!r:.80}, which is no finite number or text"


_COUNTS: Final = ("effects", "hits", "wounded", "killed", "damage")


def outcome_faults(outcome: object) -> list[str]:
    """What is wrong with the form of an outcome; its condition is not looked at.

    Odds ask this of every outcome, so that what is as it should be is passed quickly.
    """
    if not isinstance(outcome, Outcome):
        return [_no(outcome, "Outcome")]
    effects, _, hits, locations, wounded, killed, damage, armor, _ = outcome
    whole = type(effects) is type(hits) is type(wounded) is type(killed) is type(damage) is int
    sound = whole and hits >= 0 and wounded >= 0 and killed >= 0 and damage >= 0 and 0 <= effects <= ALL_EFFECTS
    if sound and armor is None and locations == ():
        return []
    faults = [] if sound else [*_number_faults(outcome)]
    if not isinstance(locations, tuple):
        faults.append(f"locations is {locations!r:.80}, not a tuple")
    else:
        for location in locations:
            if not isinstance(location, Location) or not isinstance(location.path, str) or not location.path:
                faults.append(f"locations holds {location!r:.80}, not a mantlet.Location with a path")
            elif location.zone not in ZONES:
                faults.append(f"location {location.path} is in zone {location.zone!r}, which is none of mantlet.ZONES")
    if armor is not None:
        faults += _armor_faults(armor)
    return faults


def _number_faults(outcome: Outcome) -> Iterator[str]:
    for name in _COUNTS:
        value = getattr(outcome, name)
        if not isinstance(value, int) or value < 0:
            yield f"{name} is {value!r:.80}, not a whole number of at least 0"
        elif name == "effects" and value & ~ALL_EFFECTS:
            yield f"effects has bits outside the vocabulary: {value & ~ALL_EFFECTS:#x}"


def _armor_faults(armor: object) -> Iterator[str]:
    if (
        not isinstance(armor, ArmorResult)
        or any(not isinstance(v, (int, float)) or math.isnan(v) for v in (armor.effective, armor.attack))
        or not (isinstance(armor.unit, str) and armor.unit)
    ):
        yield f"armor is {armor!r:.80}, not a mantlet.ArmorResult of two numbers and a unit"


def passage_faults(passage: object, target: Target) -> list[str]:
    """What is wrong with the form of what a span of time did."""
    if not isinstance(passage, Passage):
        return [_no(passage, "Passage")]
    faults = condition_faults(passage.condition, target)
    for name in ("effects", "wounded", "killed"):
        value = getattr(passage, name)
        if not isinstance(value, int) or value < 0:
            faults.append(f"{name} is {value!r:.80}, not a whole number of at least 0")
    if not faults and passage.effects & ~ALL_EFFECTS:
        faults.append(f"effects has bits outside the vocabulary: {passage.effects & ~ALL_EFFECTS:#x}")
    return faults


def report_faults(report: object) -> list[str]:
    """What is wrong with the form of a report."""
    if not isinstance(report, Report):
        return [_no(report, "Report")]
    if not isinstance(report.headline, str):
        return [f"headline is {report.headline!r:.80}, not a text"]
    if not isinstance(report.now, tuple) or not all(isinstance(text, str) and text for text in report.now):
        return [f"now is {report.now!r:.80}, not a tuple of texts"]
    if not isinstance(report.data, Mapping):
        return [f"data is {report.data!r:.80}, not a mapping"]
    return []


def _no(thing: object, kind: str) -> str:
    if thing is None:
        return f"it gave None and no mantlet.{kind}: is a return missing?"
    return f"it gave a {type(thing).__name__} and no mantlet.{kind}"
