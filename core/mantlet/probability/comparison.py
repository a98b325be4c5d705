"""Odds of an attack in the neutral vocabulary, one ruleset or several side by side."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from mantlet.errors import NotCoveredError
from mantlet.game.attack import Attack
from mantlet.game.condition import Condition
from mantlet.game.effects import EFFECTS
from mantlet.game.outcome import ZONES, Outcome
from mantlet.game.target import Target
from mantlet.probability.collector import uncollected
from mantlet.probability.distributions import Distribution
from mantlet.probability.estimate import USUAL, Effort
from mantlet.probability.exact import Exact
from mantlet.ruleset import Derived, Plan, Ruleset

T = TypeVar("T", bound=Hashable)

EXPECTED = ("people_wounded", "people_killed", "damage")
"""The expected numbers reported beside the odds."""
FEATURES = (*EFFECTS, *EXPECTED, *ZONES)
"""The names of the numbers that `features` gives, in its order."""


@dataclass(frozen=True)
class Odds:
    """Odds of one attack under one ruleset.

    `odds` has the probability of every neutral effect, `expected` the mean numbers, `locations` the probability that
    a round strikes each zone (a burst may strike several). `standard_error` has those of the figures that are
    estimated, by name of effect, expected number or zone; all others are exact. `samples` says how many attacks the
    estimate was made from (0 where everything is exact) and `seed` with which dice. `reason` says why when `covers` is
    false; `failed` then tells odds that could not be worked out from an attack that the ruleset has no rule for.
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
    standard_error: Mapping[str, float] = field(default_factory=dict)
    samples: int = 0
    seed: int | None = None

    @property
    def exact(self) -> bool:
        """Whether every figure is exact."""
        return not self.samples

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
    effort: Effort = USUAL,
) -> Odds:
    """Odds of one attack under one ruleset; an attack it has no rule for gives `covers=False`.

    Exact where that takes little, otherwise estimated where it has to be (`Odds.standard_error`). Raises
    WorkLimitError where `effort` insists on exact odds that take too much.
    """
    reason = ruleset.covers(attack, target)
    if reason is not None:
        return Odds(ruleset.name, False, reason, options=ruleset.option_values())
    plan = ruleset.plan(attack, target)
    engine = effort.engine()
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


@dataclass(frozen=True)
class Outcomes(Generic[T]):
    """Outcomes with their chances: all there are where `samples` is 0, otherwise those seen, each as it was estimated.

    An estimate lists what its `samples` attacks came to, with the dice of `seed`: seen, not likeliest.
    """

    chances: Distribution[T]
    samples: int = 0
    seed: int | None = None

    @property
    def exact(self) -> bool:
        """Whether these are all outcomes, each with its exact chance."""
        return not self.samples


def outcomes(
    ruleset: Ruleset[Any],
    plan: Plan,
    view: Callable[[Outcome], T],
    condition: Condition | None = None,
    effort: Effort = USUAL,
) -> Outcomes[T]:
    """What a planned attack comes to, as `view` sees each outcome (hashable; what is the same to it is one).

    Exact where that takes little, otherwise estimated. Raises WorkLimitError where `effort` insists on exact chances
    that take too much.
    """
    return Outcomes(distribution(ruleset, plan, condition, effort.engine()).map(view))


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
    effort: Effort = USUAL,
) -> list[Odds]:
    """The same attack through several rulesets: the odds under each, in their order."""
    known = conditions or {}
    return [odds(ruleset, attack, target, known.get(ruleset.name), effort) for ruleset in rulesets]
