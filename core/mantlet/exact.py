"""Exact odds of any rule body: every path of every stage, equal states merged, nothing sampled and nothing dropped.

A stage is replayed along each of its paths with the choices fixed in advance, so an ordinary Python function is all
a rule needs to be. What one stage can lead to is remembered per (stage, arguments); a whole body is a pass over the
frontier of distinct states. Weights are floats, or fractions for proofs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any, Generic, TypeVar

from mantlet.contest import Contest, contest_odds
from mantlet.dice import Dice, Stage, Then
from mantlet.errors import RuleError, WorkLimitError
from mantlet.tables import Bands

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)

DEFAULT_LIMIT = 20_000_000
MEMO_LIMIT = 400_000
"""How many branches are remembered before the memory is emptied, to bound what a long sweep holds."""


class Distribution(Generic[T]):
    """Outcomes with their probabilities. Reads like a mapping; probabilities sum to 1."""

    __slots__ = ("weights",)

    def __init__(self, weights: dict[T, Any]) -> None:
        self.weights = weights

    def __len__(self) -> int:
        return len(self.weights)

    def __iter__(self) -> Iterator[T]:
        return iter(self.weights)

    def __getitem__(self, outcome: T) -> Any:
        return self.weights.get(outcome, 0)

    def items(self) -> Any:
        """Pairs of outcome and probability."""
        return self.weights.items()

    def total(self) -> Any:
        """The sum of all probabilities: 1 up to rounding, exactly 1 with fractions."""
        values = self.weights.values()
        return math.fsum(values) if all(type(v) is float for v in values) else sum(values)

    def probability(self, holds: Callable[[T], bool]) -> Any:
        """The probability of all outcomes for which `holds` is true."""
        return _sum([w for outcome, w in self.weights.items() if holds(outcome)])

    def mean(self, value: Callable[[T], Any]) -> Any:
        """The expected value of a number read off the outcome."""
        return _sum([w * value(outcome) for outcome, w in self.weights.items()])

    def map(self, change: Callable[[T], U]) -> Distribution[U]:
        """The distribution of what `change` makes of each outcome; equal results are merged."""
        merged: dict[U, Any] = {}
        for outcome, w in self.weights.items():
            key = change(outcome)
            merged[key] = merged[key] + w if key in merged else w
        return Distribution(merged)

    def ranked(self) -> list[tuple[T, Any]]:
        """Pairs of outcome and probability, likeliest first."""
        return sorted(self.weights.items(), key=lambda pair: -pair[1])


def _sum(values: list[Any]) -> Any:
    return math.fsum(values) if all(type(v) is float for v in values) else sum(values)


class Exact:
    """Computes exact odds and remembers what each stage leads to. Keep one for a sweep; make a new one to start cold.

    Args: `fractions` gives weights as `Fraction`; `limit` is the work allowed a question, in branches followed.
    Raises WorkLimitError when a question would take more, RuleError for a body that is not a pure function of its
    arguments and its dice.
    """

    def __init__(self, *, fractions: bool = False, limit: int = DEFAULT_LIMIT) -> None:
        self.fractions = fractions
        self.limit = limit
        self.one: Any = Fraction(1) if fractions else 1.0
        self._steps: dict[Then, tuple[tuple[Any, Any], ...]] = {}
        self._means: dict[tuple[Any, Then], tuple[float, ...]] = {}
        self._held = 0
        self._work = 0
        self._explore = _explorer(fractions, self.one)

    def distribution(self, stage: Stage, *arguments: Any) -> Distribution[Any]:
        """The distribution of the result of a whole rule body."""
        self._work = 0
        return Distribution(self._forward(stage, arguments))

    def _forward(self, stage: Stage, arguments: tuple[Any, ...]) -> dict[Any, Any]:
        done: dict[Any, Any] = {}
        frontier: dict[Then, Any] = {Then(stage, arguments): self.one}
        while frontier:
            upcoming: dict[Then, Any] = {}
            for node, weight in frontier.items():
                for result, p in self._step(node):
                    into = upcoming if type(result) is Then else done
                    if result in into:
                        into[result] += weight * p
                    else:
                        into[result] = weight * p
            frontier = upcoming
        return done

    def mean(self, features: Callable[[Any], tuple[float, ...]], stage: Stage, *arguments: Any) -> tuple[float, ...]:
        """The expected value of several numbers read off the outcome, remembered stage by stage.

        The form for sweeps: attacks that meet in a state share everything that follows it. `features` must be one
        function object for all questions that are to share.
        """
        self._work = 0
        root = Then(stage, arguments)
        known = self._means
        waiting = [root]
        while waiting:
            node = waiting[-1]
            if (features, node) in known:
                waiting.pop()
                continue
            steps = self._step(node)
            missing = [r for r, _ in steps if type(r) is Then and (features, r) not in known]
            if missing:
                waiting.extend(missing)
                continue
            total: list[float] = []
            for result, p in steps:
                vector = known[features, result] if type(result) is Then else features(result)
                total = [t + p * v for t, v in zip(total, vector)] if total else [p * v for v in vector]
            known[features, node] = tuple(total)
            waiting.pop()
        answer = known[features, root]
        if len(known) > MEMO_LIMIT:
            known.clear()
        return answer

    def _step(self, node: Then) -> tuple[tuple[Any, Any], ...]:
        """What one stage leads to: pairs of result (or the next stage) and probability."""
        steps = self._steps.get(node)
        if steps is None:
            steps = self._explore(node.stage, node.arguments, self.limit - self._work)
            if steps is None:
                raise self._over(node.stage)
            self._held += len(steps)
            if self._held > MEMO_LIMIT:
                self._steps.clear()
                self._held = len(steps)
            self._steps[node] = steps
        self._work += len(steps)
        if self._work > self.limit:
            raise self._over(node.stage)
        return steps

    def _over(self, stage: Stage) -> WorkLimitError:
        return WorkLimitError(
            f"Exact odds for this need more than {self.limit:,} steps (stopped in {_name(stage)}). "
            "Fire fewer rounds, ask for fewer shots, raise the limit, or sample instead."
        )


# One choice on the path being replayed is a list of these.
_VALUES, _INDEX, _WEIGHT, _WEIGHTS, _BEFORE, _COUNT, _ASKED = range(7)

Steps = tuple[tuple[Any, Any], ...]


def _explorer(fractions: bool, one: Any) -> Callable[[Stage, tuple[Any, ...], int], Steps | None]:
    """Make the function that follows every path of one stage: pairs of result and weight, or None over `allowed`.

    Its parts share variables instead of attributes: they run once a branch, which is where exact odds spend their time.
    """
    trail: list[list[Any]] = []
    at = 0

    def choose(bands: Bands[Any], reason: str, rule: str) -> Any:
        nonlocal at
        here = at
        at = here + 1
        if here < len(trail):
            frame = trail[here]
            if frame[_ASKED] is not bands and not same(frame, bands):
                raise RuleError(f"A rule body asked for {reason!r} where it first asked for another roll.")
            return frame[_VALUES][frame[_INDEX]]
        values, weights = bands.exact() if fractions else bands.merged()
        return begin(values, weights, bands)

    def arrange(contest: Contest, reason: str, rule: str) -> Any:
        nonlocal at
        here = at
        at = here + 1
        if here < len(trail):
            frame = trail[here]
            if frame[_ASKED] != contest:
                raise RuleError(f"A rule body asked for {reason!r} where it first asked for another roll.")
            return frame[_VALUES][frame[_INDEX]]
        values, weights = contest_odds(contest, fractions)
        return begin(values, weights, contest)

    def begin(values: Any, weights: Any, asked: Any) -> Any:
        before = trail[-1][_WEIGHT] if trail else one
        trail.append([values, 0, before * weights[0], weights, before, len(values), asked])
        return values[0]

    def same(frame: list[Any], bands: Bands[Any]) -> bool:
        if not isinstance(frame[_ASKED], Bands):
            return False
        values, weights = bands.exact() if fractions else bands.merged()
        return bool(frame[_VALUES] == values and frame[_WEIGHTS] == weights)

    dice = Dice(choose, arrange, _silent)

    def explore(stage: Stage, arguments: tuple[Any, ...], allowed: int) -> Steps | None:
        nonlocal at
        trail.clear()
        found: list[tuple[Any, Any]] = []
        while True:
            at = 0
            result = stage(dice, *arguments)
            if at != len(trail):
                raise RuleError(f"{_name(stage)} asked for fewer dice on the same path: it is not a pure function.")
            if not trail:
                return ((result, one),)
            frame = trail[-1]
            found.append((result, frame[_WEIGHT]))
            # Go to the next path: the last choice that has another value left takes it.
            while True:
                i = frame[_INDEX] + 1
                if i < frame[_COUNT]:
                    frame[_INDEX] = i
                    frame[_WEIGHT] = frame[_BEFORE] * frame[_WEIGHTS][i]
                    break
                trail.pop()
                if not trail:
                    return _merge(found) if len(found) > _WORTH_MERGING else tuple(found)
                frame = trail[-1]
            if len(found) > allowed:
                return None

    return explore


_WORTH_MERGING = 3
"""Fewer results than this are left for the frontier to merge."""


def _merge(found: list[tuple[Any, Any]]) -> Steps:
    merged: dict[Any, Any] = {}
    for result, weight in found:
        if result in merged:
            merged[result] += weight
        else:
            merged[result] = weight
    return tuple(merged.items())


def _silent(rule: str, template: str, *values: Any) -> None:
    """Exact dice keep no account."""


def _name(stage: Stage) -> str:
    return getattr(stage, "__qualname__", repr(stage))
