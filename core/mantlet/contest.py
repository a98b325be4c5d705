"""Several people roll at once and the worst failures are wanted: who is hit when Luck decides.

Rolled one by one at the table; in exact odds the answer is found by going down the margins, never face by face
through every throw of every person.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from typing import Any, NamedTuple

from mantlet.notation import DiceExpr, as_dice


class Contestant(NamedTuple):
    """One who rolls: fails by rolling over `target`; among equal margins the lower `tiebreak` comes first.

    Contestants with equal `alike` (not None), target, tiebreak and dice are interchangeable: exact odds then say how
    many of them are taken, and name the first ones. Leave it None for people who matter by name.
    """

    label: str
    target: int
    tiebreak: int = 0
    dice: str = "1d100"
    alike: Hashable = None


class Contest(NamedTuple):
    """A roll by several: the `take` worst failures are wanted."""

    contestants: tuple[Contestant, ...]
    take: int

    def margins(self, totals: Sequence[int]) -> list[int]:
        """By how much each one failed; zero or less is a pass."""
        return [total - c.target for c, total in zip(self.contestants, totals)]


def order_failures(contest: Contest, totals: Sequence[int]) -> list[list[int]]:
    """The failures, worst first, in groups: within a group margin and tiebreak are equal and a die has to decide."""
    keyed: dict[tuple[int, int], list[int]] = {}
    for i, margin in enumerate(contest.margins(totals)):
        if margin > 0:
            keyed.setdefault((-margin, contest.contestants[i].tiebreak), []).append(i)
    return [keyed[key] for key in sorted(keyed)]


class _Kind(NamedTuple):
    """Interchangeable contestants: their indices, and their chance of each margin given that none larger came up."""

    members: tuple[int, ...]
    tiebreak: int
    given: dict[int, Any]


@lru_cache(maxsize=512)
def contest_odds(contest: Contest, exact: bool) -> tuple[tuple[tuple[int, ...], ...], tuple[Any, ...]]:
    """Every possible result with its probability, as (results, weights); a result lists indices in rising order.

    `exact` gives fractions, otherwise floats.
    """
    one: Any = Fraction(1) if exact else 1.0
    kinds = _kinds(contest, exact)
    margins = sorted({m for kind in kinds for m in kind.given}, reverse=True)
    # A state is how many of each kind have been taken; all others can still have any smaller margin.
    states: dict[tuple[int, ...], Any] = {(0,) * len(kinds): one}
    full: dict[tuple[int, ...], Any] = {}
    for margin in margins:
        upcoming: dict[tuple[int, ...], Any] = {}
        for taken, weight in states.items():
            room = contest.take - sum(taken)
            for here, p in _who_has(kinds, taken, margin, one):
                for lot, share in _cut(kinds, here, room, one):
                    now = tuple(a + b for a, b in zip(taken, lot))
                    into = full if sum(now) == contest.take else upcoming
                    into[now] = into.get(now, 0 * one) + weight * p * share
        states = upcoming
    for taken, weight in states.items():
        full[taken] = full.get(taken, 0 * one) + weight
    named = {
        tuple(sorted(i for kind, n in zip(kinds, taken) for i in kind.members[:n])): w for taken, w in full.items()
    }
    return tuple(named), tuple(named.values())


def _kinds(contest: Contest, exact: bool) -> list[_Kind]:
    groups: dict[Hashable, list[int]] = {}
    for i, c in enumerate(contest.contestants):
        key: Hashable = i if c.alike is None else (c.alike, c.target, c.tiebreak, c.dice)
        groups.setdefault(key, []).append(i)
    kinds = []
    for members in groups.values():
        c = contest.contestants[members[0]]
        kinds.append(_Kind(tuple(members), c.tiebreak, _given(as_dice(c.dice), c.target, exact)))
    return kinds


def _given(dice: DiceExpr, target: int, exact: bool) -> dict[int, Any]:
    """For each margin of failure, its chance given that no larger one came up."""
    given: dict[int, Any] = {}
    left = dice.combinations
    for total, n in reversed(dice.ways):
        if total > target:
            given[total - target] = Fraction(n, left) if exact else n / left
            left -= n
    return given


def _who_has(
    kinds: list[_Kind], taken: tuple[int, ...], margin: int, one: Any
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """How many of each kind not yet taken have exactly this margin, with the probability."""
    choices = []
    for kind, gone in zip(kinds, taken):
        waiting = len(kind.members) - gone
        p = kind.given.get(margin, 0)
        if not p or not waiting:
            choices.append([(0, one)])
        else:
            choices.append(
                [(n, comb(waiting, n) * p**n * (1 - p) ** (waiting - n)) for n in range(waiting + 1)]
            )
    for picks in product(*choices):
        weight = one
        for _, p in picks:
            weight = weight * p
        if weight:
            yield tuple(n for n, _ in picks), weight


def _cut(
    kinds: list[_Kind], here: tuple[int, ...], room: int, one: Any
) -> list[tuple[tuple[int, ...], Any]]:
    """Who of those with one margin is taken when there may be room for only some: (counts, share) pairs."""
    if sum(here) <= room:
        return [(here, one)]
    lots: list[tuple[tuple[int, ...], Any]] = [((0,) * len(kinds), one)]
    for tiebreak in sorted({kind.tiebreak for kind, n in zip(kinds, here) if n}):
        group = [i for i, kind in enumerate(kinds) if here[i] and kind.tiebreak == tiebreak]
        extended: list[tuple[tuple[int, ...], Any]] = []
        for lot, share in lots:
            left = room - sum(lot)
            size = sum(here[i] for i in group)
            take = min(left, size)
            for counts in product(*(range(here[i] + 1) for i in group)):
                if sum(counts) == take:
                    ways = 1
                    for i, n in zip(group, counts):
                        ways *= comb(here[i], n)
                    grown = list(lot)
                    for i, n in zip(group, counts):
                        grown[i] += n
                    extended.append((tuple(grown), share * ways / comb(size, take)))
        lots = extended
    return lots
