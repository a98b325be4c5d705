"""Shots until an end state: how likely it is within 1, 2, ... shots, the condition carried from shot to shot.

A Markov chain on the condition, equal conditions merged after every shot. Where they become too many, targets are
sampled from the conditions that are alive by then, and shot at until they end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from mantlet.dice.dice import Dice, Stage
from mantlet.errors import UsageError, WorkLimitError
from mantlet.game.condition import Condition
from mantlet.game.effects import DESTROYED, KNOCKED_OUT
from mantlet.game.outcome import Outcome
from mantlet.probability.effort import USUAL, Answer, Effort, refused_in_words
from mantlet.probability.estimate import Estimate, Figure, Stratum, near_enough, packed, rounds
from mantlet.probability.exact import Exact
from mantlet.probability.sampler import Sampler
from mantlet.results import check_end, results_of, start_of
from mantlet.ruleset import Plan, Ruleset


@dataclass(frozen=True)
class Shots(Answer):
    """Chances of an end state within 1, 2, ... shots. `within[n-1]` is the chance by shot n; `left` has not ended.

    `standard_error` has those of the figures that are estimated, by name: `within` one for each shot (0.0 for what is
    exact), `left` and `mean_if_ended`. `samples` counts targets.
    """

    within: tuple[Any, ...]
    left: Any
    states: int
    """The number of live conditions after the last shot; of those seen, in an estimate."""
    standard_error: Mapping[str, Any] = field(default_factory=dict)

    @property
    def mean_if_ended(self) -> float | None:
        """The mean number of shots of those that ended within the span; None when none did."""
        if not self.within or not self.within[-1]:
            return None
        return float(sum(shot * p for shot, p in _ending(self.within).items()) / self.within[-1])


def _ending(within: Sequence[Any]) -> dict[int, Any]:
    """The chance that each shot is the one that ends it."""
    return {shot: after - before for shot, (before, after) in enumerate(pairwise((0, *within)), start=1)}


def is_knocked_out(outcome: Outcome) -> bool:
    """The usual end state."""
    return bool(outcome.effects & (KNOCKED_OUT | DESTROYED)) or outcome.condition.knocked_out


def shots_until(
    ruleset: Ruleset[Any, Any],
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
    start = start_of(ruleset, target, condition)
    engine = effort.engine()

    def ends(outcome: Outcome) -> bool:
        check_end(outcome, target)
        return ended(outcome)

    chain = Chain(engine, ruleset.resolve, plans, start, ends)
    with results_of(ruleset.resolve):
        try:
            return chain.shots(shots)
        except WorkLimitError:
            if effort.insists:
                with refused_in_words(plans[0], shots):
                    raise
            return _estimated(chain, shots, Sampler(engine, effort.seed), effort)


class Chain:
    """The Markov chain behind `shots_until`: `body(dice, plan, condition)` is fired with each plan in turn.

    `live` has the weight of every condition that has not ended, by number, so that a step costs no hashing; `within`
    has the chance of having ended for every shot so far.
    """

    def __init__(
        self,
        engine: Exact,
        body: Stage,
        plans: Sequence[Any],
        start: Condition,
        ended: Callable[[Outcome], bool] = is_knocked_out,
    ) -> None:
        self.engine = engine
        engine.spent = 0
        self.body = body
        self.plans = plans
        self.ended = ended
        self.zero = 0 * engine.one
        self.conditions: list[Condition] = []
        self._numbers: dict[Condition, int] = {}
        self._steps: list[dict[int, tuple[list[tuple[int, Any]], Any]]] = [{} for _ in plans]
        self.within: list[Any] = []
        self.live: dict[int, Any] = {self._number(start): engine.one}

    def shots(self, count: int) -> Shots:
        """The chances within so many shots. Raises WorkLimitError over the limit of the engine."""
        while len(self.within) < count:
            self.shoot()
        return Shots(tuple(self.within), sum(self.live.values(), self.zero), len(self.live))

    def shoot(self) -> None:
        """One more shot at all that live.

        Raises WorkLimitError over the limit of the engine: the chain then stands where it stood before the shot.
        """
        plan = len(self.within) % len(self.plans)
        known, zero = self._steps[plan], self.zero
        gone = self.within[-1] if self.within else zero
        upcoming: dict[int, Any] = {}
        for number, weight in self.live.items():
            if not weight:
                continue  # a float that has become nothing
            if number not in known:
                known[number] = self._step(self.plans[plan], self.conditions[number])
            onward, end = known[number]
            self.engine.spend(len(onward), self.body)
            gone += weight * end
            for after, p in onward:
                upcoming[after] = upcoming.get(after, zero) + weight * p
        self.live = upcoming
        self.within.append(gone)

    def _step(self, plan: Any, condition: Condition) -> tuple[list[tuple[int, Any]], Any]:
        """Where one shot leads from a condition: (number, probability) pairs, and the chance that it ends there."""
        onward: dict[int, Any] = {}
        end = zero = self.zero
        for outcome, p in self.engine.follow(self.body, plan, condition).items():
            if self.ended(outcome):
                end += p
                continue
            after = self._number(outcome.condition)
            onward[after] = onward.get(after, zero) + p
        return list(onward.items()), end

    def _number(self, condition: Condition) -> int:
        number = self._numbers.get(condition)
        if number is None:
            number = self._numbers[condition] = len(self.conditions)
            self.conditions.append(condition)
        return number


def _after_a_shot(dice: Dice, chain: Chain, plan: Any, condition: Condition) -> Condition | None:
    """The condition after one more shot; None for one that ends it."""
    outcome = dice.settle(chain.body, plan, condition)
    if chain.ended(outcome):
        return None
    after: Condition = outcome.condition
    return after


def _estimated(chain: Chain, shots: int, sampler: Sampler, effort: Effort) -> Shots:
    """The chances with what the chain could not follow sampled: targets in the conditions that live, until they end."""
    plans = chain.plans

    def ends_at(condition: Condition) -> int:
        """The shot that ends it; one more than all shots where none does."""
        fired = len(chain.within)
        while fired < shots:
            plan = plans[fired % len(plans)]
            node = sampler.node(_after_a_shot, chain, plan, condition)
            if len(plans) == 1:
                fired += sampler.repeats(node, condition)
                if fired >= shots:
                    break
                after = sampler.other(node, condition)
            else:
                after = sampler.settled(node)
            fired += 1
            if after is None:
                return fired
            condition = after
        return shots + 1

    live = [(chain.conditions[number], weight) for number, weight in chain.live.items() if weight]
    strata: list[Stratum[Condition, int]] = packed(live, ends_at, sampler, effort)
    for _ in rounds(strata, ends_at, sampler, effort):
        if near_enough(_sums(chain, strata, shots), _mean(chain, strata, shots)):
            break
    within = [*(Figure(p, 0.0) for p in chain.within), *_sums(chain, strata, shots)]
    errors: dict[str, Any] = {"within": tuple(error for _, error in within), "left": within[-1].standard_error}
    errors.update(("mean_if_ended", error) for _, error in _mean(chain, strata, shots))
    alive = [(stratum, stratum.counts.get(shots + 1, 0)) for stratum in strata]
    left = math.fsum(stratum.weight * count / stratum.n for stratum, count in alive)
    states, samples = sum(count for _, count in alive), sum(stratum.n for stratum in strata)
    return Shots(tuple(p for p, _ in within), left, states, errors, samples=samples, seed=effort.seed)


def _mean(chain: Chain, strata: Sequence[Stratum[Any, int]], shots: int) -> list[Figure]:
    """The mean number of shots of those that end within the span; none when none did.

    It is a ratio of two means, with the error of its linear approximation.
    """
    found = Estimate(_ending(chain.within), strata)
    ended = found.figure(lambda shot: shot <= shots).value
    if not ended:
        return []
    mean = found.figure(lambda shot: shot if shot <= shots else 0).value / ended
    return [Figure(mean, found.figure(lambda shot: (shot - mean) / ended if shot <= shots else 0).standard_error)]


def _sums(chain: Chain, strata: Sequence[Stratum[Any, int]], shots: int) -> Iterator[Figure]:
    """The chance of having ended, and its standard error, for every shot that is sampled."""
    ending: dict[int, list[tuple[Stratum[Any, int], int]]] = {}
    for stratum in strata:
        for shot, count in stratum.counts.items():
            ending.setdefault(shot, []).append((stratum, count))
    least = math.fsum(stratum.weight for stratum in strata) / sum(stratum.n for stratum in strata)
    ended: dict[Stratum[Any, int], int] = dict.fromkeys(strata, 0)
    gone, variance = chain.within[-1] if chain.within else 0.0, 0.0
    for shot in range(len(chain.within) + 1, shots + 1):
        for stratum, count in ending.get(shot, ()):
            before = ended[stratum]
            ended[stratum] = after = before + count
            gone += stratum.weight * count / stratum.n
            variance += stratum.weight**2 * (_spread(after, stratum.n) - _spread(before, stratum.n))
        yield Figure(gone, max(math.sqrt(max(variance, 0.0)), least))


def _spread(count: int, n: int) -> float:
    """The variance of the mean of n yes-or-no answers, so many of them yes."""
    return count * (n - count) / n / n / (n - 1)
