"""Bulk samples agree with the distribution they are drawn from."""

from __future__ import annotations

import numpy as np
import pytest

from mantlet import Bulk, Exact
from mantlet.probability.distributions import Distribution


@pytest.fixture(name="two_dice", scope="module")
def _two_dice() -> Distribution[int]:
    return Exact().distribution(lambda dice: dice.roll("2d6", "x"))


def test_counts_agree_with_the_distribution(two_dice: Distribution[int]) -> None:
    bulk: Bulk[int] = Bulk(two_dice, seed=5)
    n = 100_000
    counts = bulk.counts(n)
    assert counts.sum() == n
    expected = np.array([n * two_dice[outcome] for outcome in bulk.outcomes])
    # Ten degrees of freedom at one in a thousand.
    assert ((counts - expected) ** 2 / expected).sum() < 29.6


def test_draws_agree_with_the_distribution_and_are_in_random_order(two_dice: Distribution[int]) -> None:
    bulk: Bulk[int] = Bulk(two_dice, seed=6)
    draws = bulk.draws(60_000)
    expected = np.array([two_dice[outcome] for outcome in bulk.outcomes])
    for part in (draws[:30_000], draws[30_000:], draws[::2]):
        counts = np.bincount(part, minlength=len(expected))
        assert ((counts - 30_000 * expected) ** 2 / (30_000 * expected)).sum() < 29.6
    pairs = np.mean(draws[:-1] == draws[1:])
    assert pairs == pytest.approx((expected**2).sum(), abs=0.008)


def test_equal_seeds_give_equal_samples(two_dice: Distribution[int]) -> None:
    assert (Bulk(two_dice, 1).draws(500) == Bulk(two_dice, 1).draws(500)).all()
    assert (Bulk(two_dice, 1).draws(500) != Bulk(two_dice, 2).draws(500)).any()


def test_fractions_and_certainties() -> None:
    thirds = Exact(fractions=True).distribution(lambda dice: dice.roll("1d3", "x"))
    assert Bulk(thirds, 1).counts(3000).sum() == 3000
    sure: Bulk[str] = Bulk(Exact().distribution(lambda dice: "always"), 1)
    assert sure.outcomes == ["always"]
    assert sure.counts(10).tolist() == [10]
    assert sure.draws(3).tolist() == [0, 0, 0]
    assert sure.draws(0).tolist() == []


def test_probabilities_that_do_not_sum_to_one_are_refused() -> None:
    with pytest.raises(ValueError, match=r"sum to 0\.5, not to 1"):
        Bulk(Distribution({"half": 0.5}), 1)
