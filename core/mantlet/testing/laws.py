"""What has to hold of a ruleset's conditions, plans and outcomes: each function lists what is wrong, in sentences.

`mantlet.testing` puts a ruleset through these; nothing here rolls dice.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from typing import Any

from mantlet import results
from mantlet.game.attack import Attack
from mantlet.game.condition import (
    DEAD,
    FIT,
    OUT,
    WOUNDED,
    Condition,
    changes,
    condition_from_data,
    condition_to_data,
)
from mantlet.game.effects import CREW_HIT, CREW_KILLED, HIT, PENETRATED, complete, effect_bits, names
from mantlet.game.outcome import Outcome
from mantlet.game.shares import Shares
from mantlet.game.target import Target
from mantlet.ruleset import Passage, Ruleset

_SHOWN = effect_bits(
    "mobility_reduced", "immobilized", "firepower_reduced", "firepower_lost", "on_fire", "knocked_out", "destroyed"
)
"""The effects that a condition shows, people apart."""
_LOST = effect_bits("knocked_out", "destroyed")


def condition_faults(condition: object, target: Target, ruleset: Ruleset[Any, Any]) -> list[str]:
    """What is wrong with a condition as this ruleset gave it."""
    faults = results.condition_faults(condition, target)
    if not isinstance(condition, Condition):
        return faults
    if condition.detail is not None and condition.ruleset != ruleset.name:
        faults.append(f"the condition has detail, and its ruleset is {condition.ruleset!r} instead of {ruleset.name!r}")
    if condition.ruleset not in ("", ruleset.name):
        faults.append(f"the condition belongs to {condition.ruleset!r}")
    faults += _hash_faults("condition", condition)
    return faults or saving_faults(condition, ruleset)


def _hash_faults(name: str, thing: Hashable) -> list[str]:
    try:
        hash(thing)
    except TypeError as error:
        return [f"the {name} cannot be hashed ({error})"]
    return []


def saving_faults(condition: Condition, ruleset: Ruleset[Any, Any]) -> list[str]:
    """What is lost when the condition goes through a file and back."""
    try:
        text = json.dumps(condition_to_data(condition, ruleset.dump_detail(condition.detail)), allow_nan=False)
    except (TypeError, ValueError) as error:
        return [f"dump_detail gives what JSON cannot hold ({error})"]
    data = json.loads(text)
    back = condition_from_data(data, ruleset.load_detail(data["detail"]))
    if back != condition:
        return [f"load_detail(dump_detail(detail)) gave {back.detail!r:.70} for {condition.detail!r:.70}"]
    return []


def outcome_faults(
    outcome: object, attack: Attack, target: Target, before: Condition, ruleset: Ruleset[Any, Any]
) -> list[str]:
    """What is wrong with the outcome of an attack on a target in the condition `before`."""
    faults = results.outcome_faults(outcome)
    if not isinstance(outcome, Outcome) or faults:
        return faults
    faults = condition_faults(outcome.condition, target, ruleset)
    faults += [*_hash_faults("outcome", outcome), *_effect_faults(outcome.effects)]
    if faults:
        return faults
    after, effects = outcome.condition, outcome.effects
    if attack.given_hit and not effects & HIT:
        faults.append("an attack with given_hit did not hit")
    if attack.given_hit and outcome.hits != 1:
        faults.append(f"an attack with given_hit has hits={outcome.hits}; exactly one round strikes")
    if not effects & HIT:
        if effects & PENETRATED:
            faults.append("it penetrated without a hit")
        if outcome.hits:
            faults.append(f"hits={outcome.hits} without the effect hit")
        if outcome.locations:
            faults.append(f"it struck {outcome.locations[0].path} without the effect hit")
    faults += _people_faults(outcome, before)
    return faults + _agreement_faults(effects, before, after) + reversal_faults(before, after)


def _effect_faults(effects: int) -> list[str]:
    if complete(effects) != effects:
        missing = ", ".join(names(complete(effects) ^ effects))
        return [f"effects {', '.join(names(effects))} are not complete (differing in {missing}); use mantlet.outcome"]
    return []


def _people_faults(outcome: Outcome, before: Condition) -> Iterator[str]:
    was, now = before.people, outcome.condition.people
    killed = now.count(DEAD) - was.count(DEAD)
    if killed != outcome.killed:
        yield f"killed is {outcome.killed}, but {killed} more people are dead in the condition"
    # States say who is worse off, not who was wounded twice or lost his nerve: a range is all that can be held.
    least = now.count(WOUNDED) - was.count(WOUNDED)
    most = sum(was.count(state) for state in (FIT, WOUNDED, OUT)) - now.count(FIT) - killed
    if not least <= outcome.wounded <= max(most, 0):
        yield f"wounded is {outcome.wounded}, and people went from {was} to {now}"
    effects = outcome.effects
    if bool(effects & CREW_KILLED) != bool(outcome.killed):
        yield f"killed is {outcome.killed}, and the effect crew_killed says otherwise"
    hurt = bool(outcome.wounded or outcome.killed)
    untouched = not any(was)
    if (hurt and not effects & CREW_HIT) or (untouched and effects & CREW_HIT and not hurt):
        yield f"wounded is {outcome.wounded}, killed {outcome.killed}, and the effect crew_hit says otherwise"


def _agreement_faults(effects: int, before: Condition, after: Condition) -> list[str]:
    """Effects and condition have to tell the same story; what is destroyed need not list what else is lost."""
    shown = _LOST if after.destroyed else _SHOWN
    now, was = _standing(after), _standing(before)
    faults = [f"the effect {name} is set, and the condition does not show it" for name in names(effects & ~now & shown)]
    came = names(now & ~was & ~effects & shown)
    return faults + [f"the condition became {name}, and the effect is not set" for name in came]


def _standing(condition: Condition) -> int:
    """The effects that lie between full order and this condition, people apart."""
    return complete(changes(Condition(people=condition.people), condition).effects)


def reversal_faults(before: Condition, after: Condition, *, repairs: bool = False) -> list[str]:
    """What came back that cannot: the dead, the destroyed, and (unless `repairs`) mobility, firepower and the fight."""
    faults = []
    if after.people.count(DEAD) < before.people.count(DEAD):
        faults.append(f"somebody came back to life: people went from {before.people} to {after.people}")
    if before.destroyed and not after.destroyed:
        faults.append("a destroyed target is whole again")
    if not repairs:
        if before.knocked_out and not after.knocked_out:
            faults.append("the attack put a knocked-out target back into the fight")
        for name in ("mobility", "firepower"):
            if getattr(after, name) < getattr(before, name) and not after.destroyed:
                faults.append(f"the attack gave the target {name} back")
    return faults


def passage_faults(passage: object, target: Target, before: Condition, ruleset: Ruleset[Any, Any]) -> list[str]:
    """What is wrong with what a span of time did."""
    faults = results.passage_faults(passage, target)
    if not isinstance(passage, Passage) or faults:
        return faults
    faults = condition_faults(passage.condition, target, ruleset)
    if faults:
        return faults
    killed = passage.condition.people.count(DEAD) - before.people.count(DEAD)
    if passage.killed != killed:
        faults.append(f"pass_time says that {passage.killed} died, and {killed} more people are dead in the condition")
    return faults + reversal_faults(before, passage.condition, repairs=True)


def share_faults(shares: object, *, fresh: bool = False) -> list[str]:
    """What is wrong with the shares a ruleset states of a condition; of an untouched target nothing may be missing."""
    if not isinstance(shares, Shares):
        return [f"shares gave a {type(shares).__name__} and no mantlet.Shares"]
    out = shares.components_out
    if out is not None and not (isinstance(out, frozenset) and all(isinstance(part, str) and part for part in out)):
        return [f"components_out is {out!r}, not a frozenset of component ids"]
    if fresh and not shares.whole:
        return [f"an untouched target has shares of 1 and no component out, not {shares!r}"]
    return []


def adoption_faults(adopted: object, given: Condition, target: Target, ruleset: Ruleset[Any, Any]) -> list[str]:
    """What is wrong with how a ruleset took over another's condition."""
    faults = condition_faults(adopted, target, ruleset)
    if faults or not isinstance(adopted, Condition):
        return faults
    for name in ("mobility", "firepower", "on_fire", "knocked_out", "destroyed", "people"):
        if getattr(adopted, name) != getattr(given, name):
            faults.append(f"adopt changed {name} from {getattr(given, name)!r} to {getattr(adopted, name)!r}")
    return faults
