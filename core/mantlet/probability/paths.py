"""One stage followed along every path it has: its choices fixed in advance, then the stage run, then the next path.

So an ordinary Python function is all that a rule needs to be. A choice is whatever has several values with weights: a
roll cut into bands, a contest, the results of a body settled inside the stage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from mantlet.dice.contest import Contest, contest_odds, contest_steps
from mantlet.dice.dice import Dice, Stage, Then, check_result
from mantlet.dice.notation import DiceExpr
from mantlet.dice.tables import Bands, read_bands
from mantlet.errors import RuleError, WorkLimitError, sentence

if TYPE_CHECKING:
    from mantlet.probability.exact import Exact

MEANINGS_LIMIT = 50_000
"""How many readings of a roll are remembered before they are worked out anew."""
MAX_ROLLS = 10_000
"""How many rolls a stage may ask for along one path: more is a loop that does not end."""

PEOPLE_A_STEP: Final = 32
"""How many people are copied in the time that one step takes, about."""
LONG: Final = 12
"""Longer tuples are of things alike: people."""

_NOTHING: Final[dict[Any, Any]] = {}
_FAILED: Final = -(1 << 60)  # where a path stands after an error: no honest stage can come out even with it


class Node(Then):
    """A stage with its arguments, one object for equal ones, and what it leads to once that has been explored.

    `ends` has its results, `onward` the nodes that follow, each with its weight; weights are over `scale`, which is 1
    for floats. `size` counts both, and is 0 before the stage is explored.
    """

    __slots__ = ("ends", "onward", "scale", "size")

    def __init__(self, stage: Stage, arguments: tuple[Any, ...]) -> None:
        self.stage = stage
        self.arguments = arguments
        self.ends: dict[Any, Any] = _NOTHING
        self.onward: dict[Node, Any] = _NOTHING
        self.scale = 1
        self.size = 0

    def fill(self, ends: dict[Any, Any], onward: dict[Node, Any], fractions: bool) -> None:
        """Take in what the stage leads to."""
        if fractions:
            scale = self.scale = math.lcm(*(w.denominator for w in (*ends.values(), *onward.values())))
            ends = {r: w.numerator * (scale // w.denominator) for r, w in ends.items()}
            onward = {r: w.numerator * (scale // w.denominator) for r, w in onward.items()}
        self.ends = ends or _NOTHING
        self.onward = onward or _NOTHING
        self.size = len(ends) + len(onward)

    def share_out(self, weight: Any, done: dict[Any, Any], upcoming: dict[Node, Any]) -> None:
        """Add what comes of a weight that has come to this node: to the results, and to the nodes that follow."""
        size = len(done)
        for result, p in self.ends.items():
            known = done.setdefault(result, p := weight * p)
            if len(done) > size:
                size += 1  # it is new
            else:
                done[result] = known + p
        for after, p in self.onward.items():
            upcoming[after] = weight * p + upcoming[after] if after in upcoming else weight * p

    def forget(self) -> int:
        """Give back the memory: the stage is explored again when it is needed. Returns the branches given back."""
        size, self.size, self.scale = self.size, 0, 1
        self.ends = self.onward = _NOTHING
        return size


class Nodes(dict[tuple[Stage, tuple[Any, ...]], Node]):
    """The node of every stage and its arguments, made when it is first asked for."""

    def __missing__(self, key: tuple[Stage, tuple[Any, ...]]) -> Node:
        made = self[key] = Node(*key)
        return made


def bulk(arguments: tuple[Any, ...]) -> int:
    """How much a stage carries with it: the length of every tuple among its arguments, and of those in these.

    Of a long one the first part stands for all: they are alike, and counting must not take longer than copying. Long
    ones of plain values take a quarter.
    """
    size = 0
    for argument in arguments:
        if isinstance(argument, tuple) and argument:
            size += len(argument)
            if len(argument) > LONG:
                first = argument[0]
                size += len(argument) * len(first) if isinstance(first, tuple) else -len(argument) * 3 // 4
                continue
            for part in argument:
                if isinstance(part, tuple):
                    size += len(part)
    return size


class Path:
    """The path that is being followed through a stage, and the choices on it that have other values left.

    A body that is settled inside the stage is followed on a path of its own. `engine` and `node` are set while it is
    under way alone, so that nothing here leads in a circle: memory is freed without the garbage collector.
    """

    __slots__ = ("asked", "at", "broken", "engine", "handed", "node", "nodes", "values", "waiting", "weight", "weights")

    def __init__(self, fractions: bool, nodes: Nodes) -> None:
        self.nodes = nodes
        self.weights: Callable[[Bands[Any]], tuple[Any, Any]] = attrgetter("exact" if fractions else "merged")
        self.asked: list[Any] = []
        """What was asked for at each choice."""
        self.values: list[Any] = []
        """The value it has on this path."""
        self.waiting: list[Iterator[tuple[Any, Any]]] = []
        """The other values it may have, each with the weight of the path up to there."""
        self.at = 0
        """How many of the choices the stage has come to."""
        self.weight: Any = 1
        self.handed = False
        """Whether a hand-over was made; it has to be returned alone."""
        self.broken: Exception | None = None
        """An error, in case the rule body swallows it."""
        self.engine: Exact
        self.node: Node

    def dice(self, merge_alike: bool) -> Dice:
        """The dice for the stages that are followed on this path."""
        return Dice(self.choose, self.arrange, silent, self.then, self.settle, self.read, merge_alike)

    def explore(self, node: Node, dice: Dice, engine: Exact) -> None:
        """Follow every path of a node's stage, and fill in what it leads to."""
        self.engine, self.node, self.weight, self.handed, self.broken = engine, node, engine.one, False, None
        try:
            self._explore(node.stage, (dice, *node.arguments))
        finally:
            del self.engine, self.node
            self.asked.clear()
            self.values.clear()
            self.waiting.clear()

    def _explore(self, stage: Stage, arguments: tuple[Any, ...]) -> None:
        node, engine, asked = self.node, self.engine, self.asked
        ends: dict[Any, Any] = {}
        onward: dict[Node, Any] = {}
        size, more, carried = 0, True, 1 + bulk(node.arguments) // PEOPLE_A_STEP
        allowed = left = engine.limit - engine.spent
        try:
            while more:
                self.at = 0
                result = stage(*arguments)
                if self.at != len(asked):
                    raise self.broken or self.fail("fewer dice")
                left -= self.at + carried
                if left < 0:
                    raise engine.over(stage)
                weight = self.weight
                kind = type(result)
                if kind is Node or kind is Then:
                    if kind is Then:
                        result = self.then(result.stage, *result.arguments)
                    onward[result] = onward[result] + weight if result in onward else weight
                else:
                    if self.handed:
                        check_result(stage, result)
                        self.handed = False
                    try:
                        known = ends.setdefault(result, weight)
                    except TypeError as error:
                        raise unmergeable(stage, "gave a result", error) from None
                    if len(ends) > size:
                        size += 1  # it is new
                    else:
                        ends[result] = known + weight
                more = self.next()
        finally:
            engine.spent += allowed - left  # also where it is too much: it was spent
        node.fill(ends, onward, engine.fractions)

    def next(self) -> bool:
        """Go to the next path: the last choice that has another value left takes it. False: there is none."""
        waiting = self.waiting
        while waiting:
            for self.values[-1], self.weight in waiting[-1]:
                return True
            waiting.pop()
            self.values.pop()
            self.asked.pop()
        return False

    def begin(self, thing: Any, values: Any, weights: Any) -> Any:
        """A new choice on the path: it takes its first value."""
        asked = self.asked
        others = zip(values, map(self.weight.__mul__, weights) if asked else weights)
        value, self.weight = next(others)
        asked.append(thing)
        self.values.append(value)
        self.waiting.append(others)
        if len(asked) > MAX_ROLLS:
            raise self.fail("", self.engine.over(self.node.stage, f"{MAX_ROLLS:,} rolls in one stage"))
        return value

    def choose(self, bands: Bands[Any], reason: str, rule: str) -> Any:
        """A roll cut into bands: the value it has on this path."""
        at = self.at
        self.at = at + 1
        asked = self.asked
        if at < len(asked):
            first = asked[at]
            # One made anew is the same roll where its values have the same weights.
            if first is not bands and not (isinstance(first, Bands) and self.weights(first) == self.weights(bands)):
                raise self.fail(reason)
            return self.values[at]
        return self.begin(bands, *self.weights(bands))

    def read(
        self, dice: DiceExpr, meaning: Callable[..., Any], given: tuple[Any, ...], reason: str, rule: str, label: object
    ) -> Any:
        """A roll of which only the meaning counts: totals that mean the same are one value."""
        meanings = self.engine.meanings
        try:
            bands = meanings.get((dice, meaning, given))
        except TypeError as error:
            raise self.fail("", unmergeable(self.node.stage, f"gave for {reason!r} arguments", error)) from None
        if bands is None:
            if len(meanings) > MEANINGS_LIMIT:
                meanings.clear()
            self._spend((dice.high - dice.low) // dice.multiplier // 8, reason)
            bands = meanings[dice, meaning, given] = read_bands(dice, meaning, given)
        return self.choose(bands, reason, rule)

    def arrange(self, contest: Contest, reason: str, rule: str) -> Any:
        """A contest: who is taken on this path."""
        at = self.at
        self.at = at + 1
        if at < len(self.asked):
            if self.asked[at] != contest:
                raise self.fail(reason)
            return self.values[at]
        self._spend(contest_steps(contest), reason)
        return self.begin(contest, *contest_odds(contest, self.engine.fractions))

    def settle(self, stage: Stage, arguments: tuple[Any, ...]) -> Any:
        """A body of its own: the result it has on this path."""
        at = self.at
        self.at = at + 1
        asked = self.asked
        if at < len(asked) and asked[at] == (stage, arguments):
            return self.values[at]
        try:
            results, weights = self.engine.settled(stage, arguments)
        except Exception as error:
            raise self.fail("", error) from None
        if len(results) == 1:
            self.at = at  # no other path leads on from here
            return results[0]
        if at < len(asked):
            raise self.fail(f"settled {name_of(stage)}")
        return self.begin((stage, arguments), results, weights)

    def then(self, stage: Stage, *arguments: Any) -> Node:
        """The node of the stage that follows."""
        self.handed = True
        try:
            return self.nodes[stage, arguments]
        except TypeError as error:
            raise self.fail("", unmergeable(stage, "was given arguments", error)) from None

    def fail(self, reason: str, error: Exception | None = None) -> Exception:
        """The error to raise, which comes through even where the rule body swallows it."""
        self.at = _FAILED
        self.broken = error or RuleError(
            f"{name_of(self.node.stage)} asked for {reason!r} where it first asked for another roll: "
            "it is not a pure function of its arguments and its dice."
        )
        return self.broken

    def _spend(self, steps: int, reason: str) -> None:
        try:
            self.engine.spend(steps, self.node.stage)
        except WorkLimitError as error:
            raise self.fail(reason, error) from None


def silent(rule: str, template: str, *values: Any) -> None:
    """Dice for odds have no account."""


def unmergeable(stage: Stage, did: str, error: TypeError) -> RuleError:
    """The error for something that is not hashable."""
    return RuleError(f"{name_of(stage)} {did} that cannot be merged: {sentence(error)}")


def name_of(stage: Stage) -> str:
    """A stage as error messages name it."""
    return getattr(stage, "__qualname__", repr(stage))
