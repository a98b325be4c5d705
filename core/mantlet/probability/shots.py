"""Shots until an end state: how likely it is within 1, 2, ... shots, the condition carried from shot to shot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import sqrt
from typing import Any

from mantlet.dice.dice import Stage, run
from mantlet.dice.sources import Seeded
from mantlet.errors import UsageError, WorkLimitError
from mantlet.game.condition import Condition
from mantlet.game.effects import DESTROYED, KNOCKED_OUT
from mantlet.game.outcome import Outcome
from mantlet.probability.collector import uncollected
from mantlet.probability.effort import USUAL, Effort
from mantlet.probability.exact import Exact
from mantlet.ruleset import Plan, Ruleset


@dataclass(frozen=True)
class Shots:
    """Chances of an end state within 1, 2, ... shots. `within[n-1]` is the chance by shot n; `left` has not ended.

    `standard_error` stands beside `within`, 0.0 for what is exact; `samples` says how many targets the estimate was
    made with (0 where everything is exact) and `seed` with which dice.
    """

    within: tuple[Any, ...]
    left: Any
    states: int
    """The number of live conditions after the last shot; of those seen, in an estimate."""
    standard_error: tuple[float, ...] = ()
    samples: int = 0
    seed: int | None = None

    @property
    def exact(self) -> bool:
        """Whether every figure is exact."""
        return not self.samples

    @property
    def mean_if_ended(self) -> float | None:
        """The mean number of shots of those that ended within the span; None when none did."""
        if not self.within or not self.within[-1]:
            return None
        steps = [self.within[0], *(b - a for a, b in zip(self.within, self.within[1:]))]
        return float(sum((i + 1) * p for i, p in enumerate(steps)) / self.within[-1])


def is_knocked_out(outcome: Outcome) -> bool:
    """The usual end state."""
    return bool(outcome.effects & (KNOCKED_OUT | DESTROYED)) or outcome.condition.knocked_out


def shots_until(
    ruleset: Ruleset[Any],
    attacks: Plan | Sequence[Plan],
    shots: int,
    ended: Callable[[Outcome], bool] = is_knocked_out,
    condition: Condition | None = None,
    effort: Effort = USUAL,
) -> Shots:
    """How likely an end state is within each number of shots, the condition carried from shot to shot.

    A Markov step on the condition, equal conditions merged after every shot; estimated where that takes too much. A
    sequence of plans is fired in turn. Raises UsageError for plans without a common target, WorkLimitError where
    `effort` insists on exact chances that take too much.
    """
    plans = [attacks] if isinstance(attacks, Plan) else list(attacks)
    if not plans or any(plan.target is not plans[0].target for plan in plans):
        raise UsageError("Shots until an end state need at least one attack, and one target for all of them.")
    target = plans[0].target
    start = ruleset.fresh(target) if condition is None else ruleset.adopt(target, condition)
    bearing = partial(ruleset.bearing, target) if ended is is_knocked_out else None
    if effort.samples is None:
        try:
            return chain(effort.engine(), ruleset.resolve, plans, start, shots, ended, bearing)
        except WorkLimitError:
            if effort.insists:
                raise
    source, targets = Seeded(effort.seed), effort.samples or 2_000
    ends = [0] * shots
    for _ in range(targets):
        now = start
        for shot in range(shots):
            outcome = run(source.dice, ruleset.resolve, plans[shot % len(plans)], now)
            source.account.entries.clear()
            if ended(outcome):
                ends[shot] += 1
                break
            now = outcome.condition
    within = tuple([count / targets for count in accumulate(ends)])
    errors = tuple([max(sqrt(p * (1 - p) / targets), 1 / targets) for p in within])
    left = 1 - within[-1] if within else 1.0
    return Shots(within, left, targets - sum(ends), errors, targets, effort.seed)


@uncollected
def chain(
    engine: Exact,
    body: Stage,
    plans: Sequence[Any],
    start: Condition,
    shots: int,
    ended: Callable[[Outcome], bool] = is_knocked_out,
    bearing: Callable[[Condition], Condition] | None = None,
) -> Shots:
    """The Markov chain behind `shots_until`: `body(dice, plan, condition)` is fired with each plan in turn.

    `bearing` gives what matters of a condition, which is all that goes on to the next shot; None keeps everything.
    """
    engine.begin()
    zero = 0 * engine.one
    numbers: dict[Condition, int] = {}  # conditions go by number, so that a step costs no hashing
    conditions: list[Condition] = []

    def number_of(condition: Condition) -> int:
        number = numbers.get(condition)
        if number is None:
            kept = condition if bearing is None else bearing(condition)
            number = numbers[condition] = numbers.setdefault(kept, len(conditions))
            if number == len(conditions):
                conditions.append(kept)
        return number

    steps: list[dict[int, tuple[list[tuple[int, Any]], Any]]] = [{} for _ in plans]

    def step(plan: int, number: int) -> tuple[list[tuple[int, Any]], Any]:
        """Where one shot leads from a condition: (number, probability) pairs, and the chance that it ends there."""
        onward: dict[int, Any] = {}
        end = zero
        for outcome, p in engine.follow(body, plans[plan], conditions[number]).items():
            if ended(outcome):
                end += p
                continue
            after = number_of(outcome.condition)
            onward[after] = onward.get(after, zero) + p
        return list(onward.items()), end

    live: dict[int, Any] = {number_of(start): engine.one}
    gone = zero
    within = []
    for shot in range(shots):
        plan = shot % len(plans)
        known = steps[plan]
        upcoming: dict[int, Any] = {}
        for number, weight in live.items():
            if number not in known:
                known[number] = step(plan, number)
            onward, end = known[number]
            engine.spend(len(onward), body)
            gone += weight * end
            for after, p in onward:
                upcoming[after] = upcoming.get(after, zero) + weight * p
        live = upcoming
        within.append(gone)
    return Shots(tuple(within), sum(live.values(), zero), len(live))
