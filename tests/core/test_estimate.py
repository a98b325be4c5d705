"""Estimates: calibrated against exact odds, the same digits for a seed, bounded, and honest about what was not seen."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from statistics import mean, stdev
from typing import Any

import pytest

from mantlet import Check, Contestant, Crowd, Dice, Effort, Exact, Row, RuleError, Table, Then, UsageError, under
from mantlet.probability import effort as efforts
from mantlet.probability.estimate import Estimate, Figure, estimate, near_enough
from mantlet.probability.sampler import Sampler

PLACES = Table("places", "1d6", [Row(1, 3, 0), Row(4, 5, 4), Row(6, 6, 9)])
WOUND = Check("3d6", ((8, 0), (14, 1), (18, 2)))


def burst(dice: Dice, left: int, men: Crowd[int], armor: int) -> object:
    """Rounds at six men behind armor that wears off: a few thousand states, one place of them rare."""
    if not left or dice.chance(0.05, "jams"):
        return (tuple(men), armor)
    if not dice.check(under("3d6", 12), "hit"):
        return dice.then(burst, left - 1, men, armor)
    return dice.then(strike, left - 1, men, armor, dice.pick(PLACES, "where"))


def strike(dice: Dice, left: int, men: Crowd[int], armor: int, cover: int) -> Then:
    if dice.roll("2d6", "damage") <= armor // 2 + cover:
        return dice.then(burst, left, men, max(0, armor - 1))
    fit = [i for i, state in enumerate(men) if state < 3]
    if fit:
        who = men.one_of(dice, fit, "who")
        men = men.put(who, min(3, men[who] + dice.settle(wounded, cover)))
    return dice.then(burst, left, men.in_order(dice), armor)


def wounded(dice: Dice, cover: int) -> int:
    return dice.check(WOUND, "how bad") + dice.chance(0.01 * cover, "worse")


BODY: tuple[Any, ...] = (burst, 5, Crowd([0, 0, 0, 0, 0, 0], "aaabbc"), 9)


def told(result: tuple[tuple[int, ...], int]) -> tuple[int, ...]:
    men, armor = result
    return (sum(men), men.count(3), armor, armor < 5, men.count(0) == 6, men[5] > 1)


def never(found: Estimate[Any]) -> bool:
    return False


def value(i: int) -> Callable[[tuple[int, ...]], int]:
    return lambda seen: seen[i]


WHOLE = Exact(merge_alike=True).distribution(*BODY)
EXACT = {i: WHOLE.map(told).mean(value(i)) for i in range(6)}


@pytest.fixture(name="small")
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is allowed, so that a small body has to be sampled."""
    monkeypatch.setattr(efforts, "EXACT_STEPS", 1_500)
    monkeypatch.setattr(efforts, "ESTIMATE_STEPS", 60_000)


@pytest.mark.usefixtures("small")
def test_errors_are_what_they_say() -> None:
    _calibrated(25)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_errors_are_what_they_say_over_many_seeds() -> None:
    _calibrated(400)


def _calibrated(seeds: int) -> None:
    squares: dict[int, list[float]] = {i: [] for i in EXACT}
    off: dict[int, list[float]] = {i: [] for i in EXACT}
    for seed in range(seeds):
        found = estimate(told, never, Effort(seed=seed), *BODY)
        assert found.samples > 300
        for i, expected in EXACT.items():
            figure = found.figure(value(i))
            off[i].append(figure.value - expected)
            squares[i].append((off[i][-1] / figure.standard_error) ** 2)
    everything = [z for of in squares.values() for z in of]
    spread = 6 * (2 / seeds / len(EXACT)) ** 0.5  # figures of one seed hang together
    assert abs(sum(everything) / len(everything) - 1) < min(spread, 0.7)
    assert max(everything) < 5**2
    for i, of in squares.items():
        assert abs(mean(off[i])) < 4 * stdev(off[i]) / seeds**0.5, f"figure {i} leans to one side"
        assert sum(of) / seeds < 1 + 5 * (2 / seeds) ** 0.5


@pytest.mark.usefixtures("small")
def test_what_is_followed_to_its_end_is_exact() -> None:
    found = estimate(told, never, Effort(), *BODY)
    assert found.known
    left = sum(stratum.weight for stratum in found.strata)
    assert sum(found.known.values()) + left == pytest.approx(1, abs=1e-12)
    assert found.distribution().total() == pytest.approx(1, abs=1e-12)


def test_what_is_small_is_exact() -> None:
    two = (burst, 2, *BODY[2:])
    found = estimate(told, never, Effort(), *two)
    assert (found.samples, found.strata) == (0, ())
    expected = Exact(merge_alike=True).distribution(*two).map(told).mean(value(0))
    assert found.figure(value(0)) == Figure(pytest.approx(expected, abs=1e-12), 0.0)
    thirds = estimate(lambda n: n, never, Effort(fractions=True), lambda dice: dice.roll("1d3", "x"))
    assert thirds.figure(lambda n: n == 2) == (Fraction(1, 3), 0.0)


@pytest.mark.usefixtures("small")
def test_a_number_of_samples_is_kept_to() -> None:
    for samples in (1, 7, 450):
        found = estimate(told, lambda found: True, Effort(samples=samples), *BODY)
        # Each stratum has two at least, and a whole number of them.
        assert abs(found.samples - samples) <= 2 * len(found.strata)
        assert found.figure(value(0)).standard_error > 0
    with pytest.raises(UsageError, match="at least one sample"):
        Effort(samples=0)
    with pytest.raises(UsageError, match="no samples"):
        Effort(samples=5, fractions=True)


@pytest.mark.usefixtures("small")
def test_progress_rises_to_the_end() -> None:
    shares: list[float] = []
    estimate(told, never, Effort(progress=shares.append), *BODY)
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    shares.clear()
    estimate(told, never, Effort(progress=shares.append, exact=True), *BODY[:1], 4, *BODY[2:])
    assert shares
    assert shares == sorted(shares)
    assert shares[-1] < 1


def test_it_stops_where_it_is_sure_enough() -> None:
    assert near_enough([Figure(0.5, 0.0009), Figure(0.2, 0.0)], [Figure(3.0, 0.029), Figure(0.1, 0.009)])
    assert not near_enough([Figure(0.5, 0.0011)])
    assert not near_enough([], [Figure(3.0, 0.031)])


def _rare(dice: Dice, rounds: int, seen: int) -> object:
    seen = min(9, seen + dice.roll("1d1000", "one of many") // 1000)
    for i in range(2):
        dice.roll("1d100", f"in vain {i}")
    return dice.then(_rare, rounds - 1, seen) if rounds else seen


def test_what_was_never_seen_is_not_certain() -> None:
    found = estimate(lambda n: n, never, Effort(samples=1_000), _rare, 2, 0)
    assert found.samples >= 1_000
    for happens in (lambda n: n >= 3, lambda n: n < 3):
        chance, error = found.figure(happens)
        assert chance in (pytest.approx(0, abs=1e-12), pytest.approx(1, abs=1e-12))
        assert error == pytest.approx(1 / found.samples, rel=0.01)  # as if it had been seen once


SCRIPT = """
import sys
from mantlet.probability import effort, estimate
effort.EXACT_STEPS, estimate.ESTIMATE_STEPS = 1_500, 60_000
sys.path.insert(0, sys.argv[1])
import test_estimate as t
found = t.estimate(t.told, t.never, t.Effort(seed=7), *t.BODY)
print(found.samples, [found.figure(t.value(i)) for i in range(6)])
"""


def test_equal_seeds_give_equal_digits_in_any_process() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, os.path.dirname(__file__)],
            env={**os.environ, "PYTHONHASHSEED": salt},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for salt in ("1", "2")
    }
    assert len(said) == 1


@pytest.mark.usefixtures("small")
def test_another_seed_gives_another_estimate() -> None:
    one, other = (estimate(told, never, Effort(seed=seed), *BODY).figure(value(0)) for seed in (1, 2))
    assert one != other


# The sampler


def _frequencies(body: Callable[..., Any], *arguments: Any, n: int = 4000) -> dict[Any, float]:
    engine = Exact(merge_alike=True)
    sampler = Sampler(engine, 5)
    node = engine.root(body, *arguments)
    seen: dict[Any, int] = {}
    for _ in range(n):
        result = sampler.draw(node)
        seen[result] = seen.get(result, 0) + 1
    return {result: count / n for result, count in seen.items()}


def _agree(seen: dict[Any, float], expected: dict[Any, float], n: int = 4000) -> None:
    assert seen.keys() <= expected.keys()
    for result, p in expected.items():
        assert abs(seen.get(result, 0.0) - p) < 4.5 * (p * (1 - p) / n) ** 0.5 + 3 / n, result


def test_draws_have_the_exact_odds() -> None:
    _agree(_frequencies(*BODY), WHOLE.weights)


def _shelled(dice: Dice, men: Crowd[int]) -> tuple[int, ...]:
    return tuple(men.each(dice, range(len(men)), _hurt, 2).in_order(dice))


def _hurt(dice: Dice, state: int, more: int) -> int:
    return state + dice.check(WOUND, "how bad") * more


def test_a_crowd_is_drawn_as_it_is_worked_out() -> None:
    men = Crowd([0, 0, 1, 1], "aabb")
    expected = Exact(merge_alike=True).distribution(_shelled, men).weights
    _agree(_frequencies(_shelled, men), expected)


@pytest.mark.parametrize("steps", [5_000, 0])
def test_a_contest_too_big_for_a_table_is_thrown(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mantlet.probability.sampler.TABLE_STEPS", steps)
    rolling = [Contestant(str(i), 2 + i % 3, i % 2, "1d6") for i in range(5)]

    def body(dice: Dice) -> object:
        return dice.worst_failures(rolling, 2, "luck")

    _agree(_frequencies(body), Exact().distribution(body).weights)


def test_shots_without_effect_are_drawn_at_once() -> None:
    engine = Exact()
    sampler = Sampler(engine, 3)

    def body(dice: Dice) -> int:
        return min(3, dice.roll("1d10", "x"))

    node = engine.root(body)
    for _ in range(20):
        sampler.settled(node)
    repeats = [sampler.repeats(node, 3) for _ in range(4000)]
    assert sum(repeats) / 4000 == pytest.approx(4, abs=0.3)  # 8 in 10 again: four times in the mean
    others = [sampler.other(node, 3) for _ in range(4000)]
    assert set(others) == {1, 2}
    assert others.count(1) / 4000 == pytest.approx(0.5, abs=0.04)


def test_tables_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mantlet.probability.sampler.HELD_LIMIT", 300)
    engine = Exact(merge_alike=True)
    sampler = Sampler(engine, 5)
    node = engine.root(*BODY)
    for _ in range(300):
        sampler.draw(node)
        assert len(engine.nodes) < 500


def _endless(dice: Dice) -> object:
    return dice.then(_endless) if dice.chance(1, "always") else 0


def test_mistakes_of_a_rule_are_found_in_samples_too() -> None:
    def inside(dice: Dice) -> object:
        return (dice.then(_endless), 1)

    engine = Exact()
    sampler = Sampler(engine, 1)
    with pytest.raises(RuleError, match="inside its result"):
        sampler.draw(engine.root(inside))
    with pytest.raises(RuleError, match="did not end"):
        sampler.draw(engine.root(_endless))
    with pytest.raises(RuleError, match="cannot be merged"):
        sampler.draw(engine.root(lambda dice: dice.settle(_endless, [1])))
