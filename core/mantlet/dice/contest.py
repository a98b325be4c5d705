"""Several people roll at once and the worst failures are wanted: who is hit when Luck decides.

Rolled one by one at the table; in exact odds the answer is found by going down the margins, never face by face
through every throw of every person.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, Final, NamedTuple

from mantlet.dice.notation import as_dice


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


def order_failures(contest: Contest, totals: Sequence[int]) -> list[list[int]]:
    """The failures, worst first, in groups: within a group margin and tiebreak are equal and a die has to decide."""
    keyed: dict[tuple[int, int], list[int]] = {}
    for i, (c, total) in enumerate(zip(contest.contestants, totals)):
        if total > c.target:
            keyed.setdefault((c.target - total, c.tiebreak), []).append(i)
    return [keyed[key] for key in sorted(keyed)]


class _Kind(NamedTuple):
    """Interchangeable contestants: their indices, and in how many of `combinations` throws one fails by each margin."""

    members: tuple[int, ...]
    tiebreak: int
    ways: dict[int, int]
    combinations: int


_SUMS_A_STEP: Final = 3
"""How many terms are added up in the time that one step of a rule body takes, about."""


def contest_steps(contest: Contest) -> int:
    """How long `contest_odds` takes, in steps of a rule body, about."""
    kinds = _kinds(contest)
    lots = [1]
    for kind in kinds:
        most = min(len(kind.members), contest.take)
        lots = [sum(lots[max(0, i - most) : i + 1]) for i in range(min(contest.take, len(lots) - 1 + most) + 1)]
    ties = 1 + len(contest.contestants) ** 2 // 4
    return 1 + sum(lots) * (1 + len(_places(kinds))) * ties // _SUMS_A_STEP


@lru_cache(maxsize=512)
def contest_odds(contest: Contest, exact: bool) -> tuple[tuple[tuple[int, ...], ...], tuple[Any, ...]]:
    """Every possible result with its probability, as (results, weights); a result lists indices in rising order.

    `exact` gives fractions, otherwise floats.
    """
    kinds = _kinds(contest)
    odds: dict[tuple[int, ...], Any] = {}
    # Fewer fail than are wanted: they are the ones, and all others pass.
    for lot, by_ties in _lots(kinds, contest.take - 1, None, exact).items():
        odds[lot] = by_ties[0, 0]
    # Enough fail: go through the places the last one taken may have in the order.
    for place in _places(kinds):
        for lot, by_ties in _lots(kinds, contest.take, place, exact).items():
            if sum(lot) == contest.take:
                for (taken, passed_over), p in by_ties.items():
                    if taken:
                        odds[lot] = odds.get(lot, 0) + p / comb(taken + passed_over, taken)
    named = {tuple(sorted(i for kind, n in zip(kinds, lot) for i in kind.members[:n])): p for lot, p in odds.items()}
    return tuple(named), tuple(named.values())


def _places(kinds: list[_Kind]) -> list[tuple[int, int]]:
    """Every (margin, tiebreak) a contestant can fail with."""
    return sorted({(margin, kind.tiebreak) for kind in kinds for margin in kind.ways})


def _kinds(contest: Contest) -> list[_Kind]:
    groups: dict[Hashable, list[int]] = {}
    for i, c in enumerate(contest.contestants):
        key: Hashable = i if c.alike is None else (c.alike, c.target, c.tiebreak, c.dice)
        groups.setdefault(key, []).append(i)
    kinds = []
    for members in groups.values():
        c = contest.contestants[members[0]]
        dice = as_dice(c.dice)
        ways = {total - c.target: n for total, n in dice.ways if total > c.target}
        kinds.append(_Kind(tuple(members), c.tiebreak, ways, dice.combinations))
    return kinds


Lots = dict[tuple[int, ...], dict[tuple[int, int], Any]]


def _lots(kinds: list[_Kind], most: int, place: tuple[int, int] | None, exact: bool) -> Lots:
    """The chance of each lot (how many of each kind, at most `most`): no one else comes before the place.

    Told apart by how many inside the lot and outside it stand exactly at the place. Without a place, those of the lot
    fail and all others pass.
    """
    lots: Lots = {(): {(0, 0): Fraction(1) if exact else 1.0}}
    for kind in kinds:
        before, at, after = _split(kind, place, exact)
        size = len(kind.members)
        terms: list[tuple[int, int, int, Any]] = []
        for n in range(min(size, most) + 1):
            for taken in range(n + 1 if at else 1):
                for passed_over in range(size - n + 1 if at else 1):
                    p = comb(size, n) * comb(n, taken) * comb(size - n, passed_over)
                    p *= before ** (n - taken) * at ** (taken + passed_over) * after ** (size - n - passed_over)
                    if p:
                        terms.append((n, taken, passed_over, p))
        grown: Lots = {}
        for lot, by_ties in lots.items():
            room = most - sum(lot)
            for n, taken, passed_over, p in terms:
                if n <= room:
                    into = grown.setdefault((*lot, n), {})
                    for (a, b), q in by_ties.items():
                        key = (a + taken, b + passed_over)
                        into[key] = into.get(key, 0) + p * q
        lots = grown
    return lots


def _split(kind: _Kind, place: tuple[int, int] | None, exact: bool) -> tuple[Any, Any, Any]:
    """One's chances to stand before, at and after a place in the order of failures."""
    if place is None:
        before, at = sum(kind.ways.values()), 0
    else:
        margin, tiebreak = place
        here = kind.ways.get(margin, 0)
        before = sum(n for m, n in kind.ways.items() if m > margin) + (here if kind.tiebreak < tiebreak else 0)
        at = here if kind.tiebreak == tiebreak else 0
    counts = (before, at, kind.combinations - before - at)
    return tuple([Fraction(n, kind.combinations) if exact else n / kind.combinations for n in counts])  # type: ignore[return-value]
