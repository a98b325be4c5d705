"""A million samples once the exact distribution is known."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mantlet import Bulk, Exact
from mantlet.probability.distributions import Distribution

MILLION = 1_000_000


@pytest.fixture(name="known", scope="module")
def _known() -> Distribution[Any]:
    # As many outcomes as a detailed attack has.
    return Exact().distribution(lambda dice: (dice.roll("6d6x2", "damage"), dice.roll("1d30", "place")))


@pytest.mark.benchmark(timer=time.process_time)
def test_counts(benchmark: Any, limits: Any, known: Distribution[Any]) -> None:
    counts = benchmark(lambda: Bulk(known, 1).counts(MILLION))
    assert counts.sum() == MILLION
    limits.most("a million samples, counts", 30, benchmark.stats["median"] * 1e3, "ms")


@pytest.mark.benchmark(timer=time.process_time)
def test_draws(benchmark: Any, limits: Any, known: Distribution[Any]) -> None:
    draws = benchmark(lambda: Bulk(known, 1).draws(MILLION))
    assert len(draws) == MILLION
    limits.most("a million samples, single draws", 150, benchmark.stats["median"] * 1e3, "ms")
