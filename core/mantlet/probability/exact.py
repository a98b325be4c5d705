"""Exact odds of any rule body: every path of every stage, equal states merged, nothing sampled and nothing dropped.

A stage is replayed along each of its paths with the choices fixed in advance, so an ordinary Python function is all
a rule needs to be. What one stage can lead to is remembered per (stage, arguments); a whole body is a pass over the
frontier of distinct states. Weights are floats, or whole numbers over a common denominator for proofs.

Equal means what Python means by it: a rule body must not tell 1 from True or 1.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from mantlet.dice.dice import MAX_STAGES, Dice, Stage
from mantlet.dice.notation import DiceExpr
from mantlet.dice.tables import Bands
from mantlet.errors import WorkLimitError
from mantlet.probability.distributions import Distribution
from mantlet.probability.paths import Node, Nodes, Path, name_of, unmergeable

_Sparse = tuple[tuple[int, ...], tuple[Any, ...]]

DEFAULT_LIMIT = 2_000_000
"""Some ten to thirty seconds, at what a step of a ruleset takes: past that, people take it for hanging."""
MEMO_LIMIT = 400_000
"""How many branches are remembered before the memory is emptied, to bound what a long sweep holds."""
SHOWN_EVERY = 10_000
"""After how many steps progress is shown."""
MEANS_LIMIT = 100_000
"""How many states a sweep remembers the means of."""


class Exact:
    """Computes exact odds and remembers what each stage leads to. Keep one for a sweep; make a new one to start cold.

    Args: `fractions` gives weights as `Fraction`; `limit` is how many steps a question may take;
    `merge_alike` takes people of a `Crowd` who are alike as one, which keeps every number of the odds and loses who of
    them it was; `progress` is called now and then with the share (0..1) of the limit that is spent.
    Raises WorkLimitError when a question would take more, RuleError for a body that is not a pure function of its
    arguments and its dice.
    """

    def __init__(
        self,
        *,
        fractions: bool = False,
        limit: int = DEFAULT_LIMIT,
        merge_alike: bool = False,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.fractions = fractions
        self.progress = progress
        self.limit = limit
        self.merge_alike = merge_alike
        self.one: Any = Fraction(1) if fractions else 1.0
        self.spent = 0
        """How many steps the question has taken so far; a longer one is asked in parts with `follow` and `spend`."""
        self._whole = limit  # of a question; `limit` may be set lower for a part of it
        self._shown = 0
        self.meanings: dict[tuple[DiceExpr, Callable[..., Any], tuple[Any, ...]], Bands[Any]] = {}
        self.nodes = Nodes()
        # Means by node as places and values, without the zeros: most are. `_width` is how many there are in all.
        self._means: dict[Callable[[Any], tuple[float, ...]], dict[Node, _Sparse]] = {}
        self._width: dict[Callable[[Any], tuple[float, ...]], int] = {}
        self._settled: dict[tuple[Stage, tuple[Any, ...]], tuple[tuple[Any, ...], tuple[Any, ...]]] = {}
        self._held = 0
        # Paths that are not under way; a body settled inside a stage takes one of its own.
        self._idle: list[tuple[Path, Dice]] = []

    def distribution(self, stage: Stage, *arguments: Any) -> Distribution[Any]:
        """The distribution of the result of a whole rule body."""
        self.spent = 0
        return self.follow(stage, *arguments)

    def follow(self, stage: Stage, *arguments: Any) -> Distribution[Any]:
        """The same as a part of a longer question: its steps count on from where the question stands."""
        done: dict[Any, Any] = {}
        scale = 1
        frontier: dict[Node, Any] = {self.root(stage, *arguments): 1 if self.fractions else 1.0}
        for _ in range(MAX_STAGES):
            upcoming: dict[Node, Any] = {}
            if self.fractions:
                # Whole weights: bring this step's to one denominator, and what is done already with them.
                common = math.lcm(*(self.explored(node).scale for node in frontier))
                scale *= common
                frontier = {node: weight * (common // node.scale) for node, weight in frontier.items()}
                done = {outcome: weight * common for outcome, weight in done.items()}
            for node, weight in frontier.items():
                self.spend(self.explored(node).size, node.stage)
                node.share_out(weight, done, upcoming)
                if self._held > MEMO_LIMIT:
                    self._held -= node.forget()
            if not upcoming:
                return Distribution({o: Fraction(n, scale) for o, n in done.items()} if self.fractions else done)
            frontier = upcoming
            if len(self.nodes) > MEMO_LIMIT:
                self.forget(keep=frontier)
        raise self.over(stage, f"{MAX_STAGES:,} stages in a row")

    def mean(self, features: Callable[[Any], tuple[float, ...]], stage: Stage, *arguments: Any) -> tuple[Any, ...]:
        """The expected value of several numbers read off the outcome, remembered stage by stage.

        The form for sweeps: attacks that meet in a state share everything that follows it. `features` must be one
        function object for all questions that are to share.
        """
        self.spent = 0
        if sum(map(len, self._means.values())) > MEANS_LIMIT:
            self.forget()
        known = self._means.setdefault(features, {})
        root = self.root(stage, *arguments)
        waiting = [root]
        opened: set[Node] = set()
        while waiting:
            node = waiting[-1]
            if node in known:
                waiting.pop()
                continue
            missing = [after for after in self.explored(node).onward if after not in known]
            if missing:
                if node in opened:
                    raise self.over(node.stage, "stages without end: it leads back to itself")
                opened.add(node)
                waiting.extend(missing)
                continue
            self.spend(node.size, node.stage)
            known[node] = self._mean(node, features, known)
            waiting.pop()
            if self._held > MEMO_LIMIT:
                self._held -= node.forget()
        found = [0 * self.one] * self._width[features]
        for place, value in zip(*known[root]):
            found[place] = value
        return tuple(found)

    def _mean(self, node: Node, features: Callable[[Any], tuple[float, ...]], known: Mapping[Node, _Sparse]) -> _Sparse:
        """The means of a node, from its results and from the means of the nodes that follow it."""
        total: dict[int, Any] = {}
        for outcome, p in node.ends.items():
            vector = features(outcome)
            self._width[features] = len(vector)
            for place, value in enumerate(vector):
                if value:
                    total[place] = total.get(place, 0) + p * (Fraction(value) if self.fractions else value)
        for after, p in node.onward.items():
            for place, value in zip(*known[after]):
                total[place] = total.get(place, 0) + p * value
        values = total.values() if node.scale == 1 else [value / node.scale for value in total.values()]
        return tuple(total), tuple(values)

    def spend(self, steps: int, stage: Stage) -> None:
        """Count steps of the question. Raises WorkLimitError over the limit."""
        self.spent += steps
        if self.spent > self.limit:
            raise self.over(stage)
        if self.progress is not None and self.spent >= self._shown:
            self._shown = self.spent + SHOWN_EVERY
            self.progress(min(1.0, self.spent / self._whole))

    def settled(self, stage: Stage, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The results of a body settled inside another, and their weights."""
        try:
            known = self._settled.get((stage, arguments))
        except TypeError as error:
            raise unmergeable(stage, "was given arguments", error) from None
        if known is None:
            weights = self.follow(stage, *arguments).weights
            known = self._settled[stage, arguments] = (tuple(weights), tuple(weights.values()))
            self._held += len(weights)
        return known

    def root(self, stage: Stage, *arguments: Any) -> Node:
        """The node a body begins with. Raises RuleError for arguments that cannot be merged."""
        try:
            return self.nodes[stage, arguments]
        except TypeError as error:
            raise unmergeable(stage, "was given arguments", error) from None

    def explored(self, node: Node) -> Node:
        """The node, with what it leads to worked out."""
        if not node.size:
            path, dice = self._idle.pop() if self._idle else self._path()
            try:
                path.explore(node, dice, self)
            finally:
                self._idle.append((path, dice))
            self._held += node.size
        return node

    def _path(self) -> tuple[Path, Dice]:
        path = Path(self.fractions, self.nodes)
        return path, path.dice(self.merge_alike)

    def forget(self, keep: Iterable[Node] = ()) -> None:
        """Give back the memory, but for some nodes."""
        self.nodes.clear()
        self._means.clear()
        self._settled.clear()
        self.nodes.update({(node.stage, node.arguments): node for node in keep})
        self._held = sum(node.size for node in self.nodes.values())

    def over(self, stage: Stage, what: str = "") -> WorkLimitError:
        """The error for a question that takes too much."""
        return WorkLimitError(
            f"Exact odds for this need more than {what or f'{self.limit:,} steps'} (stopped in {name_of(stage)}). "
            "Give fewer rounds, shots or people, or take an estimate."
        )
