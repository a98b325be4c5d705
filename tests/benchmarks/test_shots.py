"""Shots until knocked out, 20 shots, the condition carried: ours against icepool's `map_and_time` and NumPy.

The vehicle has hit points, a mobility, a gun and a crew of five; about a thousand live states come up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import icepool
import pytest

from mantlet import Check, Condition, Dice, Exact, Outcome, Row, Table, outcome
from mantlet.game.condition import DEAD, FIT
from mantlet.game.effects import CREW_KILLED, DAMAGED, FIREPOWER_LOST, FIREPOWER_REDUCED, HIT, IMMOBILIZED, KNOCKED_OUT
from mantlet.game.effects import MOBILITY_REDUCED as SLOWED
from mantlet.probability.shots import Chain

SHOTS = 20
MILLION = 1_000_000
HIT_POINTS, CREW, ARMOR = 25, 5, 5

TO_HIT = Check("3d6", ((11, True), (18, False)))
PLACES = Table("places", "1d6", [Row(1, 3, "hull"), Row(4, 4, "running gear"), Row(5, 5, "gun"), Row(6, 6, "crew")])
DAMAGE = "2d6"
HURT = Check("1d6", ((3, 1), (6, 2)))


class Effect(NamedTuple):
    """What one shot does, whatever it strikes: hit points, steps of mobility and gun, people."""

    points: int = 0
    mobility: int = 0
    gun: int = 0
    people: int = 0


NOTHING = Effect()


def shot(dice: Dice, plan: str, condition: Condition) -> Outcome:
    """The rule body of one shot. What it does is settled first, for it does not depend on the condition."""
    effect = dice.settle(strike, plan)
    if effect is NOTHING or effect == NOTHING:
        return outcome(0, condition)
    left = max(0, condition.detail - effect.points)  # type: ignore[operator]
    dead = min(CREW, condition.people.count(DEAD) + effect.people)
    after = Condition(
        min(2, condition.mobility + effect.mobility),
        min(2, condition.firepower + effect.gun),
        people=(FIT,) * (CREW - dead) + (DEAD,) * dead,
        detail=left,
    )
    effects = HIT | (DAMAGED if effect.points else 0) | (CREW_KILLED if effect.people else 0)
    effects |= (0, SLOWED, IMMOBILIZED)[after.mobility] | (0, FIREPOWER_REDUCED, FIREPOWER_LOST)[after.firepower]
    if not left or dead == CREW:
        effects |= KNOCKED_OUT
        after = after._replace(knocked_out=True)
    return outcome(effects, after, hits=1, damage=effect.points, killed=effect.people)


def strike(dice: Dice, plan: str) -> object:
    return dice.then(place, plan) if dice.check(TO_HIT, "to hit") else NOTHING


def place(dice: Dice, plan: str) -> object:
    return dice.then(wound, dice.pick(PLACES, "hit location"))


def wound(dice: Dice, where: str) -> Effect:
    through = max(0, dice.roll(DAMAGE, "damage") - ARMOR)
    if not through:
        return NOTHING
    if where == "hull":
        return Effect(through)
    if where == "running gear":
        return Effect(through // 2, mobility=1 if through < 4 else 2)
    if where == "gun":
        return Effect(through // 2, gun=1 if through < 5 else 2)
    return Effect(1, people=dice.check(HURT, "people hit"))


Vehicle = tuple[int, int, int, int]
"""Hit points, mobility, gun, people dead: the state of the peers."""

FRESH: Vehicle = (HIT_POINTS, 0, 0, 0)
OUT: Vehicle = (0, 0, 0, 0)


@cache
def effects() -> tuple[tuple[Effect, int], ...]:
    """What one shot does, with the ways in a common denominator, grouped: the peers get it for nothing."""
    odds = Exact(fractions=True).distribution(strike, "").weights
    common = 216 * 6 * 36 * 6
    return tuple((effect, int(p * common)) for effect, p in odds.items())


def after_shot(vehicle: Vehicle, effect: Effect) -> Vehicle:
    left = max(0, vehicle[0] - effect.points)
    dead = min(CREW, vehicle[3] + effect.people)
    if not left or dead == CREW:
        return OUT
    return (left, min(2, vehicle[1] + effect.mobility), min(2, vehicle[2] + effect.gun), dead)


def with_icepool() -> Any:
    effect: Any = icepool.Die(dict(effects()))

    def step(vehicle: Any, effect: Any) -> Any:
        return vehicle if vehicle == OUT else after_shot(vehicle, effect)

    start: Any = icepool.Die([FRESH])
    return start.map_and_time(step, effect, star=False, time_limit=SHOTS)


def with_numpy(seed: int = 1) -> float:
    """The share of a million vehicles knocked out within all shots."""
    import numpy as np

    random = np.random.default_rng(seed)
    known = effects()
    edges = np.cumsum([n for _, n in known]) / sum(n for _, n in known)
    points, mobility, gun, people = (np.array(column, dtype=np.int8) for column in zip(*(e for e, _ in known)))
    left = np.full(MILLION, HIT_POINTS, dtype=np.int8)
    moves, fires, dead = (np.zeros(MILLION, dtype=np.int8) for _ in range(3))
    gone = np.zeros(MILLION, dtype=bool)
    for _ in range(SHOTS):
        which = np.searchsorted(edges, random.random(MILLION), side="right")
        live = ~gone
        left -= points[which] * live
        moves = np.minimum(2, moves + mobility[which] * live)
        fires = np.minimum(2, fires + gun[which] * live)
        dead = np.minimum(CREW, dead + people[which] * live)
        gone |= (left <= 0) | (dead == CREW)
    return float(gone.mean())


def ours() -> Any:
    start = Condition(people=(FIT,) * CREW, detail=HIT_POINTS)
    return Chain(Exact(), shot, ["plan"], start).shots(SHOTS)


def test_all_three_agree(benchmark: Any) -> None:
    found = benchmark.pedantic(ours, rounds=1)
    pool = with_icepool()
    gone = [0] * (SHOTS + 1)
    for (vehicle, time), n in pool.items():
        if vehicle == OUT:
            gone[time] += n
    total = 0
    for within, n in zip(found.within, gone[1:]):
        total += n
        assert within == pytest.approx(total / pool.denominator(), abs=1e-12)
    assert 700 < found.states < 1500
    assert found.within[-1] == pytest.approx(with_numpy(), abs=0.003)
    assert abs(found.within[-1] + found.left - 1) < 1e-12


def test_against_icepool(benchmark: Any, limits: Any, race: Callable[..., Any]) -> None:
    effects()
    result = race(ours, with_icepool, turns=1, times=3)
    benchmark.pedantic(ours, rounds=3)
    limits.times_faster("20 shots until knocked out", 10, result, "icepool")


def test_against_a_monte_carlo(benchmark: Any, limits: Any, race: Callable[..., Any]) -> None:
    effects()
    result = race(ours, with_numpy, turns=7)
    benchmark.pedantic(ours, rounds=3)
    limits.times_faster("20 shots until knocked out", 0.5, result, "NumPy, a million vehicles")
