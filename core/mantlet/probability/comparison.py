"""Odds of an attack in the neutral vocabulary, one ruleset or several side by side."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from mantlet.errors import NotCoveredError
from mantlet.game.attack import Attack
from mantlet.game.condition import Condition
from mantlet.game.derived import Derived
from mantlet.game.effects import EFFECTS
from mantlet.game.outcome import ZONES, Location, Outcome
from mantlet.game.target import Target
from mantlet.probability.distributions import Distribution
from mantlet.probability.effort import USUAL, Answer, Effort, refused_in_words
from mantlet.probability.estimate import Estimate, Figure, estimate, near_enough
from mantlet.probability.exact import Exact
from mantlet.results import check_outcome, plan_of, results_of, start_of, why_not_covered
from mantlet.ruleset import P, Plan, Ruleset

T = TypeVar("T", bound=Hashable)

EXPECTED = ("people_wounded", "people_killed", "damage")
"""The expected numbers reported beside the odds."""
FEATURES = (*EFFECTS, *EXPECTED, *ZONES)
"""The names of the numbers that `features` gives, in its order."""


@dataclass(frozen=True)
class Odds(Answer):
    """Odds of one attack under one ruleset.

    `odds` has the probability of every neutral effect, `expected` the mean numbers, `locations` the probability that
    a round strikes each zone (a burst may strike several). `standard_error` has those of the figures that are
    estimated, by name of effect, expected number or zone; all others are exact. `reason` says why when `covers` is
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

    @property
    def why_not(self) -> str:
        """Why there are no odds, in one sentence."""
        return f"{'No odds' if self.failed else 'Not covered'}: {self.reason}"


def features(outcome: Outcome) -> tuple[float, ...]:
    """An outcome as numbers whose means are the odds: every effect, the expected numbers, every zone.

    Raises RuleError for one that has not the form of an outcome.
    """
    check_outcome(outcome)
    effects = outcome.effects
    zones = {location.zone for location in outcome.locations}
    return (
        *(1.0 if effects & bit else 0.0 for bit in EFFECTS.values()),
        outcome.wounded,
        outcome.killed,
        outcome.damage,
        *(1.0 if zone in zones else 0.0 for zone in ZONES),
    )


def covered_plan(ruleset: Ruleset[Any, P], attack: Attack, target: Target) -> P:
    """The plan of an attack. Raises NotCoveredError with the ruleset's reason when it has no rule for it."""
    reason = why_not_covered(ruleset, attack, target)
    if reason is not None:
        raise NotCoveredError(f"{ruleset.name} has no rule for this attack: {reason}")
    return plan_of(ruleset, attack, target)


def distribution(
    ruleset: Ruleset[Any, Any], plan: Plan, condition: Condition | None = None, exact: Exact | None = None
) -> Distribution[Outcome]:
    """The full distribution of outcomes of a planned attack, on a fresh target or one in the given condition."""
    start = start_of(ruleset, plan.target, condition)
    return (exact or Exact()).distribution(ruleset.resolve, plan, start)


def odds(
    ruleset: Ruleset[Any, Any],
    attack: Attack,
    target: Target,
    condition: Condition | None = None,
    effort: Effort = USUAL,
) -> Odds:
    """Odds of one attack under one ruleset; an attack it has no rule for gives `covers=False`.

    Exact where that takes little, otherwise estimated where it has to be (`Odds.standard_error`). Raises
    WorkLimitError where `effort` insists on exact odds that take too much.
    """
    reason = why_not_covered(ruleset, attack, target)
    if reason is not None:
        return Odds(ruleset.name, False, reason, options=ruleset.option_values())
    plan = plan_of(ruleset, attack, target)
    start = start_of(ruleset, target, condition)
    with refused_in_words(plan), results_of(ruleset.resolve):
        seen = estimate(_seen, _near_enough, effort, ruleset.resolve, plan, start)
    return _figures(ruleset, plan, seen, effort)


@dataclass(frozen=True)
class Outcomes(Answer, Generic[T]):
    """Outcomes with their chances: all there are where `samples` is 0, otherwise those seen, each as it was estimated.

    An estimate lists what its `samples` attacks came to, with the dice of `seed`: seen, not likeliest.
    """

    chances: Distribution[T]


def outcomes(
    ruleset: Ruleset[Any, Any],
    plan: Plan,
    view: Callable[[Outcome], T],
    condition: Condition | None = None,
    effort: Effort = USUAL,
) -> Outcomes[T]:
    """What a planned attack comes to, as `view` sees each outcome (hashable; what is the same to it is one).

    Exact where that takes little, otherwise estimated. Raises WorkLimitError where `effort` insists on exact chances
    that take too much.
    """

    def checked(outcome: Outcome) -> T:
        check_outcome(outcome)
        return view(outcome)

    start = start_of(ruleset, plan.target, condition)
    # Never enough: a list of outcomes takes the steps it is allowed.
    with refused_in_words(plan), results_of(ruleset.resolve):
        found = estimate(checked, lambda found: False, effort, ruleset.resolve, plan, start)
    return Outcomes(found.distribution(), samples=found.samples, seed=effort.seed if found.samples else None)


def summarize(ruleset: Ruleset[Any, Any], plan: Plan, outcomes: Distribution[Outcome]) -> Odds:
    """The odds in the neutral vocabulary, from a full distribution."""
    return _figures(ruleset, plan, Estimate(outcomes.map(_seen).weights), USUAL)


class _Kind(NamedTuple):
    effects: int
    zones: frozenset[str]


_Seen = tuple[_Kind, tuple[int, int, int]]
"""Effects and zones, and the numbers of EXPECTED."""


def _seen(outcome: Outcome) -> _Seen:
    """As much of an outcome as the odds speak of."""
    check_outcome(outcome)
    return _kind(outcome.effects, outcome.locations), (outcome.wounded, outcome.killed, outcome.damage)


@lru_cache(maxsize=4096)
def _kind(effects: int, locations: tuple[Location, ...]) -> _Kind:
    return _Kind(effects, frozenset([location.zone for location in locations]))


def _figures(ruleset: Ruleset[Any, Any], plan: Plan, found: Estimate[_Seen], effort: Effort) -> Odds:
    """The odds, each with its standard error where it has one."""
    chances, zones, numbers = (dict(each) for each in _named(found))
    zones = {name: figure for name, figure in zones.items() if figure.value}
    errors = {
        name: figure.standard_error
        for name, figure in (*chances.items(), *numbers.items(), *zones.items())
        if figure.standard_error
    }
    return Odds(
        ruleset.name,
        True,
        None,
        {name: figure.value for name, figure in chances.items()},
        {name: figure.value for name, figure in numbers.items()},
        {name: figure.value for name, figure in zones.items()},
        plan.derived,
        plan.ignored,
        ruleset.option_values(),
        plan.notes,
        ruleset.damage_unit,
        standard_error=errors,
        samples=found.samples,
        seed=effort.seed if found.samples else None,
    )


_Named = Iterator[tuple[str, Figure]]


def _named(found: Estimate[_Seen]) -> tuple[_Named, _Named, _Named]:
    """The figures of effects, zones and expected numbers, by name; each is worked out when it is come to."""
    # Outcomes fall into few kinds as far as effects and zones go, and into few as far as numbers go: count those first.
    kinds, numbers = found.map(itemgetter(0)), found.map(itemgetter(1))

    def effect(bit: int) -> Figure:
        return kinds.figure(lambda kind: kind.effects & bit != 0)

    def zone(name: str) -> Figure:
        return kinds.figure(lambda kind: name in kind.zones)

    return (
        ((name, effect(bit)) for name, bit in EFFECTS.items()),
        ((name, zone(name)) for name in ZONES),
        ((name, numbers.figure(itemgetter(i))) for i, name in enumerate(EXPECTED)),
    )


def _near_enough(found: Estimate[_Seen]) -> bool:
    chances, zones, numbers = _named(found)
    return near_enough((figure for _, figure in chain(chances, zones)), (figure for _, figure in numbers))


def quick_odds(
    ruleset: Ruleset[Any, Any], attack: Attack, target: Target, exact: Exact, condition: Condition | None = None
) -> dict[str, float]:
    """The odds alone, by the form that shares work between attacks: for sweeps. Keep one `exact` for the sweep.

    Raises NotCoveredError when the ruleset has no rule for the attack.
    """
    plan = covered_plan(ruleset, attack, target)
    start = start_of(ruleset, target, condition)
    with results_of(ruleset.resolve):
        return dict(zip(FEATURES, exact.mean(features, ruleset.resolve, plan, start)))


def compare(
    rulesets: Iterable[Ruleset[Any, Any]],
    attack: Attack,
    target: Target,
    conditions: Mapping[str, Condition] | None = None,
    effort: Effort = USUAL,
) -> list[Odds]:
    """The same attack through several rulesets: the odds under each, in their order."""
    known = conditions or {}
    return [odds(ruleset, attack, target, known.get(ruleset.name), effort) for ruleset in rulesets]
