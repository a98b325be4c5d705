"""Exact odds of any rule body: every path of every stage, equal states merged, nothing sampled and nothing dropped.

A stage is replayed along each of its paths with the choices fixed in advance, so an ordinary Python function is all
a rule needs to be. What one stage can lead to is remembered per (stage, arguments); a whole body is a pass over the
frontier of distinct states. Weights are floats, or whole numbers over a common denominator for proofs.

Equal means what Python means by it: a rule body must not tell 1 from True or 1.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from mantlet.dice.contest import Contest, contest_odds, contest_work
from mantlet.dice.dice import MAX_STAGES, Dice, Stage, Step, Then, check_result
from mantlet.dice.notation import DiceExpr
from mantlet.dice.tables import Bands, read_bands
from mantlet.errors import RuleError, WorkLimitError
from mantlet.probability.collector import uncollected
from mantlet.probability.distributions import Distribution

_Sparse = tuple[tuple[int, ...], tuple[Any, ...]]

DEFAULT_LIMIT = 2_000_000
"""Some ten to thirty seconds, at what a step of a ruleset takes: past that, people take it for hanging."""
MEMO_LIMIT = 400_000
"""How many branches are remembered before the memory is emptied, to bound what a long sweep holds."""
MEANS_LIMIT = 100_000
"""How many states a sweep remembers the means of."""
MEANINGS_LIMIT = 50_000
"""How many readings of a roll are remembered before they are worked out anew."""
MAX_ROLLS = 10_000
"""How many rolls a stage may ask for along one path: more is a loop that does not end."""


class _Node(Then):
    """A stage with its arguments, one object for equal ones, and what it leads to once that has been explored.

    `ends` has its results, `onward` the nodes that follow, each with its weight; weights are over `scale`, which is 1
    for floats. `size` counts both, and is 0 before the stage is explored.
    """

    __slots__ = ("ends", "onward", "scale", "size")

    def __init__(self, stage: Stage, arguments: tuple[Any, ...]) -> None:
        self.stage = stage
        self.arguments = arguments
        self.ends: dict[Any, Any] = _NOTHING
        self.onward: dict[_Node, Any] = _NOTHING
        self.scale = 1
        self.size = 0

    def fill(self, ends: dict[Any, Any], onward: dict[_Node, Any], fractions: bool) -> None:
        """Take in what the stage leads to."""
        if fractions:
            scale = self.scale = math.lcm(*(w.denominator for w in (*ends.values(), *onward.values())))
            ends = {r: w.numerator * (scale // w.denominator) for r, w in ends.items()}
            onward = {r: w.numerator * (scale // w.denominator) for r, w in onward.items()}
        self.ends = ends or _NOTHING
        self.onward = onward or _NOTHING
        self.size = len(ends) + len(onward)

    def forget(self) -> int:
        """Give back the memory: the stage is explored again when it is needed. Returns the branches given back."""
        size, self.size, self.scale = self.size, 0, 1
        self.ends = self.onward = _NOTHING
        return size


_NOTHING: Final[dict[Any, Any]] = {}


class Exact:
    """Computes exact odds and remembers what each stage leads to. Keep one for a sweep; make a new one to start cold.

    Args: `fractions` gives weights as `Fraction`; `limit` is the work allowed a question, in steps followed;
    `merge_alike` takes people of a `Crowd` who are alike as one, which keeps every number of the odds and loses who of
    them it was.
    Raises WorkLimitError when a question would take more, RuleError for a body that is not a pure function of its
    arguments and its dice.
    """

    def __init__(self, *, fractions: bool = False, limit: int = DEFAULT_LIMIT, merge_alike: bool = False) -> None:
        self.fractions = fractions
        self.limit = limit
        self.one: Any = Fraction(1) if fractions else 1.0
        self._nodes: dict[tuple[Stage, tuple[Any, ...]], _Node] = {}
        # Means by node as places and values, without the zeros: most are. `_width` is how many there are in all.
        self._means: dict[Callable[[Any], tuple[float, ...]], dict[_Node, _Sparse]] = {}
        self._width: dict[Callable[[Any], tuple[float, ...]], int] = {}
        self._held = 0
        self.work = 0
        self._settled: dict[tuple[Stage, tuple[Any, ...]], tuple[tuple[Any, ...], tuple[Any, ...]]] = {}
        self._folded: dict[tuple[Any, tuple[Step, ...]], dict[Any, Any]] = {}
        self._then, self._explore = _explorer(fractions, merge_alike, self._nodes)

    @uncollected
    def distribution(self, stage: Stage, *arguments: Any) -> Distribution[Any]:
        """The distribution of the result of a whole rule body."""
        self.work = 0
        return self.follow(stage, *arguments)

    def follow(self, stage: Stage, *arguments: Any) -> Distribution[Any]:
        """The same as a part of a longer question: its work counts on from where the question stands."""
        done: dict[Any, Any] = {}
        scale = 1
        frontier: dict[_Node, Any] = {self._then(stage, *arguments): 1 if self.fractions else 1.0}
        for _ in range(MAX_STAGES):
            upcoming: dict[_Node, Any] = {}
            if self.fractions:
                # Whole weights: bring this step's to one denominator, and what is done already with them.
                common = math.lcm(*(self._explored(node).scale for node in frontier))
                scale *= common
                frontier = {node: weight * (common // node.scale) for node, weight in frontier.items()}
                done = {outcome: weight * common for outcome, weight in done.items()}
            size = len(done)
            for node, weight in frontier.items():
                self.spend(self._explored(node).size, node.stage)
                for outcome, p in node.ends.items():
                    known = done.setdefault(outcome, p := weight * p)
                    if len(done) > size:
                        size += 1  # it is new
                    else:
                        done[outcome] = known + p
                for after, p in node.onward.items():
                    upcoming[after] = weight * p + upcoming[after] if after in upcoming else weight * p
                if self._held > MEMO_LIMIT:
                    self._held -= node.forget()
            if not upcoming:
                return Distribution({o: Fraction(n, scale) for o, n in done.items()} if self.fractions else done)
            frontier = upcoming
            if len(self._nodes) > MEMO_LIMIT:
                self._forget(keep=frontier)
        raise self.over(stage, f"{MAX_STAGES:,} stages in a row")

    def mean(self, features: Callable[[Any], tuple[float, ...]], stage: Stage, *arguments: Any) -> tuple[Any, ...]:
        """The expected value of several numbers read off the outcome, remembered stage by stage.

        The form for sweeps: attacks that meet in a state share everything that follows it. `features` must be one
        function object for all questions that are to share.
        """
        self.work = 0
        if sum(map(len, self._means.values())) > MEANS_LIMIT:
            self._forget()
        known = self._means.setdefault(features, {})
        root = self._then(stage, *arguments)
        waiting = [root]
        opened: set[_Node] = set()
        while waiting:
            node = waiting[-1]
            if node in known:
                waiting.pop()
                continue
            missing = [after for after in self._explored(node).onward if after not in known]
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

    def _mean(
        self, node: _Node, features: Callable[[Any], tuple[float, ...]], known: Mapping[_Node, _Sparse]
    ) -> _Sparse:
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

    def begin(self) -> None:
        """Begin a longer question, asked in parts with `follow` and `spend`."""
        self.work = 0

    def spend(self, steps: int, stage: Stage) -> None:
        """Count work of the question. Raises WorkLimitError over the limit."""
        self.work += steps
        if self.work > self.limit:
            raise self.over(stage)

    def settled(self, stage: Stage, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The results of a body settled inside another, and their weights."""
        try:
            known = self._settled.get((stage, arguments))
        except TypeError as error:
            raise _unmergeable(stage, "was given arguments", error) from None
        if known is None:
            weights = self.follow(stage, *arguments).weights
            known = self._settled[stage, arguments] = (tuple(weights), tuple(weights.values()))
            self._held += len(weights)
        return known

    def folded(self, start: Any, steps: tuple[Step, ...]) -> dict[Any, Any]:
        """The states after all steps of a fold, with their weights."""
        states, done = dict[Any, Any](), len(steps)
        try:
            while done and not (states := self._folded.get((start, steps[:done]), _NOTHING)):
                done -= 1
        except TypeError as error:
            raise _unmergeable(steps[-1].ask, "was given a state or a step", error) from None
        states = states or {start: self.one}
        for i, (ask, add, extra, at_once) in enumerate(steps[done:], start=done + 1):
            after: dict[Any, Any] = {}
            get, zero = after.get, 0 * self.one
            for state, weight in states.items():
                stage, arguments = ask(state, *extra)
                results, weights = self.settled(stage, arguments)
                self.spend(len(results), stage)
                for result, p in zip(add(state, results, *extra) if at_once else results, weights, strict=True):
                    new = result if at_once else add(state, result, *extra)
                    try:
                        after[new] = get(new, zero) + weight * p
                    except TypeError as error:
                        raise _unmergeable(add, "gave a state", error) from None
            states = self._folded[start, steps[:i]] = after
            self._held += len(after)
        return states

    def _explored(self, node: _Node) -> _Node:
        if not node.size:
            self._explore(node, self)
            self._held += node.size
        return node

    def _forget(self, keep: Iterable[_Node] = ()) -> None:
        self._nodes.clear()
        self._means.clear()
        self._settled.clear()
        self._folded.clear()
        self._nodes.update({(node.stage, node.arguments): node for node in keep})
        self._held = sum(node.size for node in self._nodes.values())

    def over(self, stage: Stage, what: str = "") -> WorkLimitError:
        """The error for a question that takes too much work."""
        return WorkLimitError(
            f"Exact odds for this need more than {what or f'{self.limit:,} steps'} (stopped in {_name(stage)}). "
            "Fire fewer rounds, ask for fewer shots, raise the limit, or sample instead."
        )


def _explorer(
    fractions: bool, merge_alike: bool, nodes: dict[tuple[Stage, tuple[Any, ...]], _Node]
) -> tuple[Callable[..., _Node], Callable[[_Node, Exact], None]]:
    """Make two functions: `then` gives the node of a stage and its arguments, `explore` follows every path of a node.

    Their parts share variables instead of attributes: they run once a branch, where exact odds spend their time.
    """
    one: Any = Fraction(1) if fractions else 1.0
    # The path being replayed: what was asked for, the value it has now, and the (value, weight) pairs still to follow.
    asked: list[Any] = []
    now: list[Any] = []
    waiting: list[Iterator[tuple[Any, Any]]] = []
    weight = one
    at = 0  # how many of them the stage has come to
    broken: Exception | None = None  # an error, in case the rule body swallows it
    handed = False  # whether a hand-over was made that has not been returned
    node: Any = None  # what is being explored, and for whom; nothing in between
    engine: Any = None

    def choose(bands: Bands[Any], reason: str, rule: str) -> Any:
        nonlocal at
        here = at
        at = here + 1
        if here < len(asked):
            if asked[here] is not bands and not same(asked[here], bands):
                raise fail(reason)
            return now[here]
        return begin(bands, *(bands.exact() if fractions else bands.merged()))

    meanings: dict[tuple[DiceExpr, Callable[..., Any], tuple[Any, ...]], Bands[Any]] = {}

    def read(dice: DiceExpr, meaning: Callable[..., Any], given: tuple[Any, ...], reason: str, rule: str) -> Any:
        key = (dice, meaning, given)
        try:
            bands = meanings.get(key)
        except TypeError as error:
            raise fail("", _unmergeable(node.stage, f"gave for {reason!r} arguments", error)) from None
        if bands is None:
            if len(meanings) > MEANINGS_LIMIT:
                meanings.clear()
            bands = meanings[key] = read_bands(dice, meaning, given)
        return choose(bands, reason, rule)

    def arrange(contest: Contest, reason: str, rule: str) -> Any:
        nonlocal at
        here = at
        at = here + 1
        if here < len(asked):
            if asked[here] != contest:
                raise fail(reason)
            return now[here]
        try:
            engine.spend(contest_work(contest), node.stage)
        except WorkLimitError as error:
            raise fail(reason, error) from None
        return begin(contest, *contest_odds(contest, fractions))

    def settle(stage: Stage, arguments: tuple[Any, ...]) -> Any:
        nonlocal at
        here = at
        at = here + 1
        if here < len(asked) and asked[here] == (stage, arguments):
            return now[here]
        try:
            results, weights = engine.settled(stage, arguments)
        except Exception as error:
            raise fail("", error) from None
        if len(results) == 1:
            at = here  # no other path leads on from here
            return results[0]
        if here < len(asked):
            raise fail(f"settled {_name(stage)}")
        return begin((stage, arguments), results, weights)

    def fold(state: Any, steps: tuple[Step, ...]) -> Any:
        nonlocal at
        here = at
        at = here + 1
        if here < len(asked):
            if asked[here] != (state, steps):
                raise fail("a fold")
            return now[here]
        try:
            states = engine.folded(state, steps)
            return begin((state, steps), states, states.values())
        except Exception as error:
            raise fail("", error) from None

    def begin(thing: Any, values: Any, weights: Any) -> Any:
        nonlocal weight
        if len(asked) >= MAX_ROLLS:
            raise fail("", engine.over(node.stage, f"{MAX_ROLLS:,} rolls in one stage"))
        pairs = zip(values, map(weight.__mul__, weights) if asked else weights)
        value, weight = next(pairs)
        asked.append(thing)
        now.append(value)
        waiting.append(pairs)
        return value

    def same(first: Any, bands: Bands[Any]) -> bool:
        """Whether a roll made anew is the one asked for before."""
        if not isinstance(first, Bands):
            return False
        return (first.exact() == bands.exact()) if fractions else (first.merged() == bands.merged())

    def fail(reason: str, error: Exception | None = None) -> Exception:
        nonlocal broken, at
        at = _FAILED
        broken = error or RuleError(
            f"{_name(node.stage)} asked for {reason!r} where it first asked for another roll: "
            "it is not a pure function of its arguments and its dice."
        )
        return broken

    def then(stage: Stage, *arguments: Any) -> _Node:
        nonlocal handed
        handed = True
        key = (stage, arguments)
        try:
            found = nodes.get(key)
        except TypeError as error:
            raise fail("", _unmergeable(stage, "was given arguments", error)) from None
        if found is None:
            found = nodes[key] = _Node(stage, arguments)
        return found

    dice = Dice(choose, arrange, _silent, then, settle, fold, read, merge_alike)

    def explore(of: _Node, by: Exact) -> None:
        nonlocal asked, now, waiting, weight, at, broken, handed, node, engine
        # A body settled inside another is explored in between: what is under way is put aside.
        outer = asked, now, waiting, weight, at, handed, node, engine
        asked, now, waiting, weight, broken, node, engine = [], [], [], one, None, of, by
        try:
            paths(of, by)
        finally:
            asked, now, waiting, weight, at, handed, node, engine = outer

    def paths(of: _Node, by: Exact) -> None:
        nonlocal at, weight, handed
        stage, arguments = of.stage, (dice, *of.arguments)
        ends: dict[Any, Any] = {}
        onward: dict[_Node, Any] = {}
        size, handed = 0, False
        allowed = left = by.limit - by.work
        while True:
            at = 0
            result = stage(*arguments)
            if at != len(asked):
                raise broken or fail("fewer dice")
            left -= at + 1
            if left < 0:
                raise by.over(stage)
            kind = type(result)
            if kind is _Node:
                onward[result] = onward.get(result, 0) + weight
            elif kind is Then:
                result = then(result.stage, *result.arguments)
                onward[result] = onward.get(result, 0) + weight
            else:
                if handed:
                    check_result(stage, result)
                    handed = False
                try:
                    known = ends.setdefault(result, weight)
                except TypeError as error:
                    raise _unmergeable(stage, "gave a result", error) from None
                if len(ends) > size:
                    size += 1
                else:
                    ends[result] = known + weight
            # Go to the next path: the last choice that has another value left takes it.
            while waiting:
                pair = next(waiting[-1], None)
                if pair is not None:
                    now[-1], weight = pair
                    break
                waiting.pop()
                now.pop()
                asked.pop()
            else:
                break
        of.fill(ends, onward, fractions)
        by.work += allowed - left

    return then, explore


_FAILED: Final = -(1 << 60)  # where the path stands after an error: no honest stage can come out even with it


def _silent(rule: str, template: str, *values: Any) -> None:
    """Exact dice keep no account."""


def _unmergeable(stage: Stage, did: str, error: TypeError) -> RuleError:
    return RuleError(f"{_name(stage)} {did} that cannot be merged: {error}.")


def _name(stage: Stage) -> str:
    return getattr(stage, "__qualname__", repr(stage))
