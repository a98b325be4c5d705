"""Contests: exact odds against every throw and every way to break a tie."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mantlet import Contestant, Exact, Seeded, WorkLimitError, parse_dice
from mantlet.dice.contest import Contest, contest_odds, contest_steps, order_failures

Odds = dict[tuple[int, ...], Fraction]


def by_every_throw(contest: Contest) -> Odds:
    """The odds by enumerating every throw of everyone and every order in which ties may be broken."""
    people = contest.contestants
    orders = list(permutations(range(len(people))))
    odds: Odds = {}
    for throw in product(*(parse_dice(c.dice).ways for c in people)):
        weight = Fraction(1)
        for (_, n), c in zip(throw, people):
            weight *= Fraction(n, parse_dice(c.dice).combinations)
        failed = [i for i, ((total, _), c) in enumerate(zip(throw, people)) if total > c.target]
        for order in orders:
            ranked = sorted(failed, key=lambda i: (people[i].target - throw[i][0], people[i].tiebreak, order[i]))
            taken = tuple(sorted(ranked[: contest.take]))
            odds[taken] = odds.get(taken, Fraction(0)) + weight / len(orders)
    return odds


def by_kind(contest: Contest, odds: Odds) -> dict[tuple[tuple[object, int], ...], Fraction]:
    """How many of each kind are taken, where interchangeable ones count as one kind."""
    merged: dict[tuple[tuple[object, int], ...], Fraction] = {}
    for taken, p in odds.items():
        counts: dict[object, int] = {}
        for i in taken:
            c = contest.contestants[i]
            key = i if c.alike is None else (c.alike, c.target, c.tiebreak, c.dice)
            counts[key] = counts.get(key, 0) + 1
        lot = tuple(sorted(counts.items(), key=repr))
        merged[lot] = merged.get(lot, Fraction(0)) + p
    return merged


people = st.builds(
    Contestant,
    st.just("x"),
    st.integers(0, 7),
    st.integers(0, 2),
    st.sampled_from(["1d4", "1d6", "1d4+1", "1d2", "1d2x2"]),
    st.sampled_from([None, None, "a", "b"]),
)
contests = st.builds(lambda c, n: Contest(tuple(c), n), st.lists(people, min_size=1, max_size=4), st.integers(1, 5))


@given(contests)
@settings(max_examples=80)
def test_contest_odds_are_those_of_every_throw(contest: Contest) -> None:
    results, weights = contest_odds(contest, True)
    assert len(set(results)) == len(results)
    found = dict(zip(results, weights))
    assert sum(found.values()) == 1
    assert by_kind(contest, found) == by_kind(contest, by_every_throw(contest))
    floats = dict(zip(*contest_odds(contest, False)))
    assert floats.keys() == found.keys()
    assert all(abs(floats[k] - float(p)) < 1e-14 for k, p in found.items())


@given(contests)
def test_interchangeable_people_are_named_first_to_last(contest: Contest) -> None:
    for taken in contest_odds(contest, False)[0]:
        for i in taken:
            c = contest.contestants[i]
            earlier = [j for j in range(i) if c.alike is not None and contest.contestants[j]._replace() == c]
            assert set(earlier) <= set(taken)


def test_a_contest_by_hand() -> None:
    # Two on a d2 against 1: both fail 1/4, one fails 1/2, none 1/4; a tie is broken evenly.
    pair = (Contestant("A", 1, dice="1d2"), Contestant("B", 1, dice="1d2"))
    assert dict(zip(*contest_odds(Contest(pair, 1), True))) == {
        (): Fraction(1, 4),
        (0,): Fraction(3, 8),
        (1,): Fraction(3, 8),
    }
    tied = (pair[0], pair[1]._replace(tiebreak=1))
    assert dict(zip(*contest_odds(Contest(tied, 1), True))) == {
        (): Fraction(1, 4),
        (0,): Fraction(1, 2),
        (1,): Fraction(1, 4),
    }


def test_more_wanted_than_there_are() -> None:
    crowd = tuple(Contestant(str(i), 70, alike="man") for i in range(5))
    odds = dict(zip(*contest_odds(Contest(crowd, 99), True)))
    assert odds == {tuple(range(k)): comb(5, k) * Fraction(3, 10) ** k * Fraction(7, 10) ** (5 - k) for k in range(6)}


def test_those_who_cannot_fail_and_those_who_must() -> None:
    sure, lost = Contestant("sure", 100), Contestant("lost", 0)
    assert dict(zip(*contest_odds(Contest((sure, lost), 2), True))) == {(1,): 1}
    assert dict(zip(*contest_odds(Contest((sure, sure), 2), True))) == {(): 1}
    assert dict(zip(*contest_odds(Contest((lost, lost), 2), True))) == {(0, 1): 1}


def test_a_truck_full_of_people_is_quick() -> None:
    crowd = tuple(Contestant(str(i), 45, alike="man") for i in range(30))
    results, weights = contest_odds(Contest(crowd, 10), False)
    assert results == tuple(tuple(range(k)) for k in range(11))
    assert sum(weights) == pytest.approx(1, abs=1e-12)
    assert contest_steps(Contest(crowd, 10)) < 500_000


def test_a_crowd_of_named_people_is_refused_and_does_not_hang() -> None:
    crowd = tuple(Contestant(str(i), i + 30) for i in range(60))
    with pytest.raises(WorkLimitError, match="2,000,000 steps"):
        Exact().distribution(lambda dice: dice.worst_failures(crowd, 30, "luck"))


def test_groups_of_failures_worst_first() -> None:
    people = (Contestant("A", 50), Contestant("B", 40), Contestant("C", 30, 1), Contestant("D", 99))
    contest = Contest(people, 2)
    assert order_failures(contest, (60, 50, 40, 99)) == [[0, 1], [2]]
    assert order_failures(contest, (60, 55, 40, 100)) == [[1], [0], [2], [3]]


def test_the_contest_at_the_table_has_the_exact_odds() -> None:
    crowd = (Contestant("A", 60), Contestant("B", 50), Contestant("C", 50, tiebreak=1))
    expected = dict(zip(*contest_odds(Contest(crowd, 2), False)))
    dice, n = Seeded(99).dice, 8000
    counts = dict.fromkeys(expected, 0)
    for _ in range(n):
        counts[dice.worst_failures(crowd, 2, "luck")] += 1
    # Chi-square with 6 degrees of freedom at one in a thousand.
    assert len(expected) == 7
    assert sum((counts[k] - n * p) ** 2 / (n * p) for k, p in expected.items()) < 22.5
