"""Exact odds of an attack in the neutral vocabulary, one ruleset or several side by side, and shots to an end state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from typing import Any

from mantlet.dice.dice import Stage, run
from mantlet.dice.sources import Seeded
from mantlet.errors import NotCoveredError, UsageError
from mantlet.game.attack import Attack
from mantlet.game.condition import Condition
from mantlet.game.effects import DESTROYED, EFFECTS, KNOCKED_OUT
from mantlet.game.outcome import ZONES, Outcome
from mantlet.game.target import Target
from mantlet.probability.collector import uncollected
from mantlet.probability.distributions import Distribution
from mantlet.probability.exact import Exact
from mantlet.ruleset import Derived, Plan, Ruleset

EXPECTED = ("people_wounded", "people_killed", "damage")
"""The expected numbers reported beside the odds."""
FEATURES = (*EFFECTS, *EXPECTED, *ZONES)
"""The names of the numbers that `features` gives, in its order."""


@dataclass(frozen=True)
class Odds:
    """Exact odds of one attack under one ruleset.

    `odds` has the probability of every neutral effect, `expected` the mean numbers, `locations` the probability that
    a round strikes each zone (a burst may strike several). `reason` says why when `covers` is false; `failed` then
    tells odds that could not be worked out from an attack that the ruleset has no rule for.
    """

    ruleset: str
    covers: bool
    reason: str | None = None
    odds: Mapping[str, Any] = field(default_factory=dict)
    expected: Mapping[str, Any] = field(default_factory=dict)
    locations: Mapping[str, Any] = field(default_factory=dict)
    derived: tuple[Derived, ...] = ()
    ignored: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    damage_unit: str = ""
    failed: bool = False

    @property
    def why_not(self) -> str:
        """Why there are no odds, in one sentence."""
        return f"{'No odds' if self.failed else 'Not covered'}: {self.reason}"


def features(outcome: Outcome) -> tuple[float, ...]:
    """An outcome as numbers whose means are the odds: every effect, the expected numbers, every zone."""
    effects = outcome.effects
    zones = {location.zone for location in outcome.locations}
    return (
        *(1.0 if effects & bit else 0.0 for bit in EFFECTS.values()),
        outcome.wounded,
        outcome.killed,
        outcome.damage,
        *(1.0 if zone in zones else 0.0 for zone in ZONES),
    )


def covered_plan(ruleset: Ruleset[Any], attack: Attack, target: Target) -> Plan:
    """The plan of an attack. Raises NotCoveredError with the ruleset's reason when it has no rule for it."""
    reason = ruleset.covers(attack, target)
    if reason is not None:
        raise NotCoveredError(f"{ruleset.name} has no rule for this attack: {reason}")
    return ruleset.plan(attack, target)


def distribution(
    ruleset: Ruleset[Any], plan: Plan, condition: Condition | None = None, exact: Exact | None = None
) -> Distribution[Outcome]:
    """The full distribution of outcomes of a planned attack, on a fresh target or one in the given condition."""
    start = ruleset.fresh(plan.target) if condition is None else ruleset.adopt(plan.target, condition)
    return (exact or Exact()).distribution(ruleset.resolve, plan, start)


@uncollected
def odds(
    ruleset: Ruleset[Any],
    attack: Attack,
    target: Target,
    condition: Condition | None = None,
    exact: Exact | None = None,
) -> Odds:
    """Exact odds of one attack under one ruleset; an attack it has no rule for gives `covers=False`."""
    reason = ruleset.covers(attack, target)
    if reason is not None:
        return Odds(ruleset.name, False, reason, options=ruleset.option_values())
    plan = ruleset.plan(attack, target)
    engine = exact or Exact()
    chances: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    locations: dict[str, Any] = {}
    for part in ruleset.projections(plan):
        found = summarize(ruleset, plan, distribution(ruleset, part.plan, condition, engine))
        chances.update({name: p for name, p in found.odds.items() if name in part.answers})
        expected.update({name: mean for name, mean in found.expected.items() if name in part.answers})
        locations.update(found.locations if "locations" in part.answers else {})
    return replace(
        found,
        odds={name: chances[name] for name in EFFECTS},
        expected={name: expected[name] for name in EXPECTED},
        locations=locations,
    )


def summarize(ruleset: Ruleset[Any], plan: Plan, outcomes: Distribution[Outcome]) -> Odds:
    """The odds in the neutral vocabulary, from a full distribution."""
    # Outcomes fall into few kinds as far as effects and zones go: count those first.
    kinds = outcomes.map(_effects_and_zones)
    chances = {name: kinds.probability(lambda k, bit=bit: bool(k[0] & bit)) for name, bit in EFFECTS.items()}  # type: ignore[misc]
    zones = {zone: kinds.probability(lambda k, zone=zone: zone in k[1]) for zone in ZONES}  # type: ignore[misc]
    numbers = outcomes.map(lambda outcome: (outcome.wounded, outcome.killed, outcome.damage))
    expected = {name: numbers.mean(lambda n, i=i: n[i]) for i, name in enumerate(EXPECTED)}  # type: ignore[misc]
    return Odds(
        ruleset.name,
        True,
        None,
        chances,
        expected,
        {zone: p for zone, p in zones.items() if p},
        plan.derived,
        plan.ignored,
        ruleset.option_values(),
        plan.notes,
        ruleset.damage_unit,
    )


def _effects_and_zones(outcome: Outcome) -> tuple[int, frozenset[str]]:
    return (outcome.effects, frozenset([location.zone for location in outcome.locations]))


def quick_odds(
    ruleset: Ruleset[Any], attack: Attack, target: Target, exact: Exact, condition: Condition | None = None
) -> dict[str, float]:
    """The odds alone, by the form that shares work between attacks: for sweeps. Keep one `exact` for the sweep.

    Raises NotCoveredError when the ruleset has no rule for the attack.
    """
    plan = covered_plan(ruleset, attack, target)
    start = ruleset.fresh(target) if condition is None else ruleset.adopt(target, condition)
    parts = ruleset.projections(plan)
    if len(parts) == 1:
        return dict(zip(FEATURES, exact.mean(features, ruleset.resolve, parts[0].plan, start)))
    result: dict[str, float] = {}
    for part in parts:
        means = dict(zip(FEATURES, exact.mean(features, ruleset.resolve, part.plan, start)))
        names = {*part.answers, *(ZONES if "locations" in part.answers else ())}
        result.update({name: mean for name, mean in means.items() if name in names})
    return {name: result[name] for name in FEATURES}


@uncollected
def compare(
    rulesets: Iterable[Ruleset[Any]],
    attack: Attack,
    target: Target,
    conditions: Mapping[str, Condition] | None = None,
    exact: Exact | None = None,
) -> list[Odds]:
    """The same attack through several rulesets."""
    known = conditions or {}
    shared = exact or Exact()
    return [odds(ruleset, attack, target, known.get(ruleset.name), shared) for ruleset in rulesets]


@dataclass(frozen=True)
class Shots:
    """Chances of an end state within 1, 2, ... shots. `within[n-1]` is the chance by shot n; `left` has not ended."""

    within: tuple[Any, ...]
    left: Any
    states: int
    """The number of live conditions after the last shot, as far as they are told apart (`Ruleset.bearing`)."""
    sampled: int = 0
    """How many targets an estimate was made with (`sampled_shots`); 0 for exact chances."""

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
    exact: Exact | None = None,
) -> Shots:
    """How likely an end state is within each number of shots, the condition carried from shot to shot.

    A Markov step on the condition: equal conditions merge after every shot, and for the usual end state those that
    differ in nothing that bears on it. A sequence of plans is fired in turn.
    Raises WorkLimitError over the work limit of `exact`, UsageError for plans without a common target.
    """
    plans = [attacks] if isinstance(attacks, Plan) else list(attacks)
    if not plans or any(plan.target is not plans[0].target for plan in plans):
        raise UsageError("Shots until an end state need at least one attack, and one target for all of them.")
    target = plans[0].target
    start = ruleset.fresh(target) if condition is None else ruleset.adopt(target, condition)
    bearing = partial(ruleset.bearing, target) if ended is is_knocked_out else None
    return chain(exact or Exact(), ruleset.resolve, plans, start, shots, ended, bearing)


def sampled_shots(
    ruleset: Ruleset[Any],
    plan: Plan,
    shots: int,
    targets: int,
    seed: int,
    ended: Callable[[Outcome], bool] = is_knocked_out,
    condition: Condition | None = None,
) -> Shots:
    """The same as `shots_until`, estimated: so many targets, each shot at with seeded dice until it ends.

    For rules whose conditions are too many to follow exactly. `Shots.sampled` says how many targets were shot at;
    a share p of them has a standard error of sqrt(p (1 - p) / targets). Raises UsageError without a target.
    """
    if targets < 1:
        raise UsageError("At least one target has to be shot at.")
    start = ruleset.fresh(plan.target) if condition is None else ruleset.adopt(plan.target, condition)
    source = Seeded(seed)
    ends = [0] * shots
    for _ in range(targets):
        now = start
        for shot in range(shots):
            outcome = run(source.dice, ruleset.resolve, plan, now)
            source.account.entries.clear()
            if ended(outcome):
                ends[shot] += 1
                break
            now = outcome.condition
    within = tuple(count / targets for count in accumulate(ends))
    return Shots(within, 1 - within[-1] if within else 1.0, targets - sum(ends), targets)


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
