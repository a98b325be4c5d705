"""Several attackers: the highest DEX acts first (R1), each on the condition the one before him left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from d100_wwii.plan import D100Plan
from d100_wwii.ruleset import D100Wwii
from mantlet import Condition, Dice, Outcome, Then, run


class Attacker(NamedTuple):
    """Somebody who attacks: a name, DEX and the planned attack."""

    name: str
    dex: int
    plan: D100Plan


def in_order(attackers: Iterable[Attacker]) -> tuple[Attacker, ...]:
    """The order they act in: DEX descending; equal DEX keeps the order given (R1)."""
    return tuple(sorted(attackers, key=lambda a: -a.dex))


def all_attack(dice: Dice, ruleset: D100Wwii, attackers: tuple[Attacker, ...], condition: Condition) -> Outcome | Then:
    """The rule body of a round in which all of them attack one target; the result is the last one's outcome.

    `attackers` is what `in_order` gives. Every attack is a stage of its own, so that equal conditions merge.
    """
    first, *others = attackers
    dice.note("R1", "{} acts with DEX {}", first.name, first.dex)
    outcome: Outcome = run(dice, ruleset.resolve, first.plan, condition)
    if not others:
        return outcome
    return dice.then(all_attack, ruleset, tuple(others), outcome.condition)
