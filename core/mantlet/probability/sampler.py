"""Seeded draws of what a rule body comes to, by the shortest way: what comes up often is drawn from a table.

A body that is settled often is worked out exactly, a stage that is come to often is explored: from then on a draw is
one look-up. That changes how long a draw takes and not its odds. All is counted in steps and bounded in memory.
"""

from __future__ import annotations

import math
import random
from bisect import bisect
from collections.abc import Callable, Collection, Iterable
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, Final

from mantlet.dice.contest import Contest, contest_odds, contest_steps, order_failures
from mantlet.dice.dice import MAX_STAGES, Dice, Stage, Then, check_result
from mantlet.dice.tables import Bands, roll_bands
from mantlet.errors import RuleError, WorkLimitError
from mantlet.probability.exact import Exact
from mantlet.probability.paths import PEOPLE_A_STEP, Node, bulk, name_of, silent

OFTEN: Final = 12
"""How often a body is settled, or a stage come to, before it is worked out."""
TABLE_STEPS: Final = 5_000
"""How many steps the table of one body may take."""
TABLES_SHARE: Final = 8
"""Tables of stages, and those of bodies, may each take this part of the steps that draws have taken."""
STAGE_STEPS: Final = 4
"""How many look-ups take as long as a stage that is run, about, beside what it carries with it and what it rolls."""
ROLL_STEPS: Final = 4
"""The same of a roll, with what a rule makes of it."""
HELD_LIMIT: Final = 1_000_000
"""How many results, counts and people all tables may hold before they are made anew."""
NEVER: Final = 1 << 60
"""More often in a row than anybody asks for."""
CONTESTS_LIMIT: Final = 500
"""How many contests are remembered."""

Table = tuple[list[Any], list[float]]
"""Results, and where in 0..1 the next one begins."""


def table(results: Collection[Any], weights: Iterable[float]) -> Table:
    """A table to draw from."""
    return list(results), list(accumulate(weights))[:-1]


class _Tables:
    """The tables of nodes, each made once its node has been come to often and where it takes few steps."""

    def __init__(self, exact: Exact, work_out: Callable[[Node], Table]) -> None:
        self.exact = exact
        self.work_out = work_out
        self.known: dict[Node, Table] = {}
        self.visits: dict[Node, int] = {}
        self.spent = 0
        """How many steps making them took."""
        self.held = 0
        """How many results and people they hold, and what is counted."""

    def come_to(self, node: Node, at_once: bool, allowed: int) -> Table | None:
        """Count a visit to a node without a table. Its table, where there is one now."""
        visits = self.visits.get(node)
        if visits is None:
            visits = 0
            self.held += 1 + bulk(node.arguments)
        if visits < 0:
            return None
        self.visits[node] = visits + 1
        if not at_once and (visits < OFTEN or self.spent > allowed):
            return None
        before = self.exact.spent
        self.exact.limit = before + TABLE_STEPS
        try:
            found = self.known[node] = self.work_out(node)
            self.held += len(found[0])
            return found
        except WorkLimitError:
            self.visits[node] = -1
            return None
        finally:
            self.spent += self.exact.spent - before

    def clear(self) -> None:
        """Give back the memory."""
        self.known.clear()
        self.visits.clear()
        self.held = 0


class Sampler:
    """Dice that draw, with the exact engine for what is worth a table. Draws are the same for equal seeds.

    The engine has to work with floats; what it has explored already is drawn from at once.
    """

    def __init__(self, exact: Exact, seed: int) -> None:
        self.exact = exact
        exact.progress = None  # from here on it is the samples that are shown
        self.random: Callable[[], float] = random.Random(seed).random
        merges, settler = exact.merge_alike, self._settler
        self.node = exact.root
        """`node(stage, *arguments)` gives the node of a stage and its arguments."""
        self.dice = Dice(self._choose, self._arrange, silent, self.node, self._settle, merges=merges, settler=settler)
        self._drawn = 0
        self._stages = _Tables(exact, self._explored)
        self._bodies = _Tables(exact, self._settled)
        self._leavings: dict[Node, tuple[float, Table]] = {}
        self._contests: dict[Contest, Table] = {}
        self._owed: dict[Contest, int] = {}

    @property
    def spent(self) -> int:
        """How many steps the draws have taken so far."""
        return self._drawn + self._stages.spent + self._bodies.spent

    def pick(self, known: Table) -> Any:
        """One of the results of a table, by its weight."""
        results, cuts = known
        return results[bisect(cuts, self.random())]

    def draw(self, node: Node) -> Any:
        """One result of the body that begins with this node. Raises RuleError for a chain of stages without end."""
        if self._stages.held + self._bodies.held > HELD_LIMIT:
            self._stages.clear()
            self._bodies.clear()
            self._leavings.clear()
            self.exact.forget()
        stages = self._stages
        for _ in range(MAX_STAGES):
            self._drawn += 1
            known = stages.known.get(node) or stages.come_to(node, node.size > 0, self._drawn // TABLES_SHARE)
            if known:
                result = known[0][bisect(known[1], self.random())]
            else:
                self._drawn += STAGE_STEPS + bulk(node.arguments) // PEOPLE_A_STEP
                result = node.stage(self.dice, *node.arguments)
            if type(result) is Then:
                result = self.node(result.stage, *result.arguments)
            if type(result) is not Node:
                if not known:
                    check_result(node.stage, result)
                return result
            node = result
        raise RuleError(f"{name_of(node.stage)} ran through {MAX_STAGES:,} stages and did not end.")

    def settled(self, node: Node) -> Any:
        """The same for a body that is settled inside another, or asked for again and again: drawn at once if it can."""
        self._drawn += 1
        bodies = self._bodies
        known = bodies.known.get(node) or bodies.come_to(node, False, self._drawn // TABLES_SHARE)
        return self.pick(known) if known else self.draw(node)

    def repeats(self, node: Node, result: Any) -> int:
        """How often in a row the body gives this result before another: drawn at once where there is a table."""
        leaving = self._leaving(node, result)
        if leaving is None:
            return 0
        again = leaving[0]
        self._drawn += 1
        if again >= 1.0:
            return NEVER
        return int(math.log(1.0 - self.random()) / math.log(again)) if again > 0.0 else 0

    def other(self, node: Node, result: Any) -> Any:
        """A result of the body after `repeats`: another one where there is a table, else any."""
        leaving = self._leaving(node, result)
        return self.settled(node) if leaving is None else self.pick(leaving[1])

    def _leaving(self, node: Node, result: Any) -> tuple[float, Table] | None:
        """The chance that a body gives this result, and the table of all others."""
        found = self._leavings.get(node)
        if found is None and (known := self._bodies.known.get(node)) is not None:
            results, cuts = known
            weights = [b - a for a, b in pairwise([0.0, *cuts, 1.0])]
            again = math.fsum(weight for other, weight in zip(results, weights) if other == result)
            left = [(other, weight / (1 - again)) for other, weight in zip(results, weights) if other != result]
            others = table([other for other, _ in left], [weight for _, weight in left])
            found = self._leavings[node] = (again if left else 1.0, others)
        return found

    def _choose(self, bands: Bands[Any], reason: str, rule: str) -> Any:
        self._drawn += ROLL_STEPS
        values, cuts = bands.cuts
        return values[bisect(cuts, self.random())]

    def _arrange(self, contest: Contest, reason: str, rule: str) -> Any:
        """Who is taken: thrown until the throws have taken as many steps as a table of it, then drawn from that."""
        known = self._contests.get(contest)
        if known is not None:
            self._drawn += 1
            return self.pick(known)
        before, owed = self._drawn, self._owed.get(contest)
        if owed is None:
            owed = contest_steps(contest)
            if len(self._owed) >= CONTESTS_LIMIT:
                self._owed.clear()
                self._contests.clear()
        if owed > 0 or contest_steps(contest) > TABLE_STEPS:
            taken = self._thrown(contest)
            self._owed[contest] = owed - (self._drawn - before)
            return taken
        self._drawn += contest_steps(contest)
        known = self._contests[contest] = table(*contest_odds(contest, False))
        return self.pick(known)

    def _thrown(self, contest: Contest) -> tuple[int, ...]:
        """A contest thrown by everybody in it, as at the table."""
        self._drawn += len(contest.contestants)
        totals = [self._choose(roll_bands(c.dice), c.label, "") for c in contest.contestants]
        chosen: list[int] = []
        for group in order_failures(contest, totals):
            while group and len(chosen) < contest.take:
                chosen.append(group.pop(int(self.random() * len(group))))
        return tuple(sorted(chosen))

    def _settle(self, stage: Stage, arguments: tuple[Any, ...]) -> Any:
        return self.settled(self.node(stage, *arguments))

    def _settler(self, stage: Stage, arguments: tuple[Any, ...]) -> Callable[[], Any]:
        return partial(self.settled, self.node(stage, *arguments))

    def _explored(self, node: Node) -> Table:
        self.exact.explored(node)
        return table([*node.ends, *node.onward], [*node.ends.values(), *node.onward.values()])

    def _settled(self, node: Node) -> Table:
        return table(*self.exact.settled(node.stage, node.arguments))
