"""What a rule body comes to: exact where that takes little, the rest of it sampled, with the error that this leaves.

The first stages are followed exactly for as long as the steps allowed last. The states that are left by then are the
strata of a stratified sample: each is sampled in proportion to its weight, which is fixed before the first draw, so
that no choice made on the way can lean on the result. What was followed to its end is exact and adds no error.

All is counted in steps, never by the clock: equal seeds give equal digits on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from mantlet.dice.dice import Stage
from mantlet.errors import WorkLimitError
from mantlet.probability.distributions import Distribution
from mantlet.probability.effort import EXACT_SHARE, Effort
from mantlet.probability.exact import Exact
from mantlet.probability.paths import Node
from mantlet.probability.sampler import Sampler, Table, table

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
S = TypeVar("S")

STRATA: Final = 200
"""Into how many strata the states left are packed, at most about."""
TRIED: Final = 3
"""How many samples are drawn and thrown away to see what one takes: fewer strata are sampled where it takes much."""
FIRST_SHARE: Final = 4
"""What samples the strata need at least may take this part of all steps, about."""
NODE_SHARE: Final = 4
"""No single stage may take more than this part of the steps for what is exact."""
FEWEST: Final = 2
"""How often each stratum is sampled at least: fewer have no variance."""
ROUND: Final = 200
"""How many samples are drawn at most before the steps are looked at; fewer at first, in case a sample takes many."""
CHANCE_ERROR: Final = 0.001
"""The standard error at which a chance is known well enough."""
NUMBER_ERROR: Final = 0.01
"""The same of an expected number: so much, or so much of its value."""


class Stratum(Generic[S, T]):
    """A part of what is left: states with their weights, and what samples that began in them came to."""

    __slots__ = ("counts", "n", "starts", "weight")

    def __init__(self, states: Sequence[tuple[S, float]]) -> None:
        self.weight = math.fsum(weight for _, weight in states)
        self.starts: Table = table([state for state, _ in states], [weight / self.weight for _, weight in states])
        self.counts: dict[T, int] = {}
        self.n = 0

    def map(self, change: Callable[[T], U]) -> Stratum[S, U]:
        """The stratum with what `change` makes of each result."""
        changed: Stratum[S, U] = Stratum.__new__(Stratum)
        changed.weight, changed.starts, changed.n = self.weight, self.starts, self.n
        changed.counts = Distribution(self.counts).map(change).weights
        return changed


class Figure(NamedTuple):
    """A chance or a mean, and its standard error: 0.0 for an exact one."""

    value: Any
    standard_error: float


class Estimate(Generic[T]):
    """What a body comes to: the weights of what is exact, and the strata of what is sampled."""

    def __init__(self, known: dict[T, Any], strata: Sequence[Stratum[Any, T]] = ()) -> None:
        self.known = known
        self.strata = strata
        self.samples = sum(stratum.n for stratum in strata)
        self._left = math.fsum(stratum.weight for stratum in strata)

    def figure(self, value: Callable[[T], Any]) -> Figure:
        """The mean of a number read off each result, with its standard error.

        The error is at least that of something seen once: what no sample has shown, or all of them, is not certain.
        """
        exact = Distribution(self.known).mean(value) if self.known else 0.0
        if not self.strata:
            return Figure(exact, 0.0)
        means, variance = [exact], 0.0
        for stratum in self.strata:
            pairs = [(value(result), count) for result, count in stratum.counts.items()]
            mean = sum([x * count for x, count in pairs]) / stratum.n
            square = sum([(x - mean) ** 2 * count for x, count in pairs]) / (stratum.n - 1)
            means.append(stratum.weight * mean)
            variance += stratum.weight**2 * square / stratum.n
        return Figure(math.fsum(means), math.sqrt(max(variance, (self._left / self.samples) ** 2)))

    def map(self, change: Callable[[T], U]) -> Estimate[U]:
        """The estimate of what `change` makes of each result."""
        return Estimate(Distribution(self.known).map(change).weights, [stratum.map(change) for stratum in self.strata])

    def distribution(self) -> Distribution[T]:
        """The results with their chances: of those sampled, those that were seen."""
        chances = dict(self.known)
        for stratum in self.strata:
            for result, count in stratum.counts.items():
                chances[result] = chances.get(result, 0.0) + stratum.weight * count / stratum.n
        return Distribution(chances)


def estimate(
    view: Callable[[Any], T],
    enough: Callable[[Estimate[T]], bool],
    effort: Effort,
    stage: Stage,
    *arguments: Any,
) -> Estimate[T]:
    """What a body comes to, as `view` sees each result: exact where that takes little, else with the rest sampled.

    Samples are drawn until `enough` is content, or there are as many as `effort` asks for, or the steps are spent.
    Raises WorkLimitError where `effort` insists on exact figures that take too much.
    """
    engine = effort.engine()
    if effort.insists:
        return Estimate(engine.distribution(stage, *arguments).map(view).weights)
    done, left = front(engine, engine.root(stage, *arguments))
    known = Distribution(done).map(view).weights
    if not left:
        return Estimate(known)
    sampler = Sampler(engine, effort.seed)
    strata: list[Stratum[Node, T]] = packed(left.items(), sampler.draw, sampler, effort)
    for _ in rounds(strata, lambda node: view(sampler.draw(node)), sampler, effort):
        if enough(Estimate(known, strata)):
            break
    return Estimate(known, strata)


def front(engine: Exact, root: Node) -> tuple[dict[Any, float], dict[Node, float]]:
    """Follow a body exactly while the engine's steps last: the results, and the states that are left."""
    limit = engine.limit
    done: dict[Any, float] = {}
    left: dict[Node, float] = {}
    frontier = {root: 1.0}
    while frontier:
        upcoming: dict[Node, float] = {}
        for node, weight in frontier.items():
            if engine.spent >= limit and not node.size:
                left[node] = left.get(node, 0.0) + weight
                continue
            engine.limit = min(limit, engine.spent + limit // NODE_SHARE)
            try:
                engine.spend(engine.explored(node).size, node.stage)
            except WorkLimitError:
                left[node] = left.get(node, 0.0) + weight
                continue
            node.share_out(weight, done, upcoming)
        frontier = upcoming
    return done, left


def packed(
    states: Iterable[tuple[S, float]], draw: Callable[[S], object], sampler: Sampler, effort: Effort
) -> list[Stratum[S, T]]:
    """The strata of what is left: states that follow each other in one, until it has its share of the weight."""
    pairs = list(states)
    share = math.fsum(weight for _, weight in pairs) / _how_many(pairs, draw, sampler, effort)
    strata: list[Stratum[S, T]] = []
    pack: list[tuple[S, float]] = []
    weight = 0.0
    for pair in pairs:
        pack.append(pair)
        weight += pair[1]
        if weight >= share:
            strata.append(Stratum(pack))
            pack, weight = [], 0.0
    if pack:
        strata.append(Stratum(pack))
    return strata


def _how_many(pairs: list[tuple[S, float]], draw: Callable[[S], object], sampler: Sampler, effort: Effort) -> int:
    """How many strata: each has to be sampled twice at least, whatever a sample takes."""
    if effort.samples is not None:
        return max(1, min(STRATA, effort.samples // FEWEST))
    everything: Stratum[S, Any] = Stratum(pairs)
    before = sampler.spent
    for _ in range(TRIED):
        draw(sampler.pick(everything.starts))
    took = max(1, (sampler.spent - before) // TRIED)
    return max(1, min(STRATA, effort.sampling_steps // FIRST_SHARE // FEWEST // took))


def rounds(strata: Sequence[Stratum[S, T]], draw: Callable[[S], T], sampler: Sampler, effort: Effort) -> Iterator[int]:
    """Sample the strata by their weights, round after round, and yield how many samples there are by now.

    How many a round has is settled before it begins, by what the samples before it took, and a round that has begun is
    ended: to stop in the middle of it would favor what takes few steps.
    """
    whole = math.fsum(stratum.weight for stratum in strata)
    most = effort.samples
    wanted, look = FEWEST, ROUND
    while True:
        _sample(strata, whole, wanted, draw, sampler)
        total = sum(stratum.n for stratum in strata)
        spent = max(sampler.spent / effort.sampling_steps, 0 if most is None else total / most)
        if effort.progress is not None:
            effort.progress(EXACT_SHARE + (1 - EXACT_SHARE) * min(1.0, spent))
        affordable = int(total * (1 - spent) / spent + 1e-6)  # what is asked for comes out whole
        if affordable < 1:
            return
        if most is None and total >= look:
            yield total
            look += look // 2
        wanted = total + min(total, ROUND, affordable)


def _sample(
    strata: Sequence[Stratum[S, T]], whole: float, wanted: int, draw: Callable[[S], T], sampler: Sampler
) -> None:
    """Bring the samples up to so many in all, shared out by weight, with no stratum left without a variance."""
    reached, before = 0.0, 0
    for stratum in strata:
        reached += stratum.weight
        after = round(wanted * reached / whole)
        n = max(FEWEST, after - before, stratum.n)
        before = after
        counts = stratum.counts
        for _ in range(n - stratum.n):
            result = draw(sampler.pick(stratum.starts))
            counts[result] = counts.get(result, 0) + 1
        stratum.n = n


def near_enough(chances: Iterable[Figure], numbers: Iterable[Figure] = ()) -> bool:
    """Whether every error is small enough: that of a chance, or of an expected number."""
    return all(figure.standard_error <= CHANCE_ERROR for figure in chances) and all(
        error <= max(NUMBER_ERROR, NUMBER_ERROR * abs(value)) for value, error in numbers
    )
