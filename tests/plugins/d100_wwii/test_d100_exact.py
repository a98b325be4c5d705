"""Exact odds against enumerations written out here, with dice and tables of their own."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from mantlet import Exact, distribution, summarize

AFV = {  # component -> (lowest, highest, hit points); people rows have none
    "fuel_tank": (1, 4, 5),
    "engine": (5, 14, 15),
    "tread": (15, 29, 10),
    "turret_or_front_cab": (30, 49, 0),
    "main_gun": (50, 51, 15),
    "coaxial_gun": (52, 52, 11),
    "hull_gun": (53, 54, 11),
    "hull_or_bed": (55, 74, 0),
    "magazine": (75, 89, 10),
    "headlamps": (90, 90, 2),
    "suspension": (91, 92, 10),
    "gun_laying": (93, 94, 5),
    "radio": (95, 96, 2),
    "brakes": (97, 98, 6),
    "steering": (99, 100, 10),
}


def total(count: int, sides: int = 6, plus: int = 0) -> dict[int, Fraction]:
    """A sum of dice, added up die by die."""
    ways: dict[int, Fraction] = {plus: Fraction(1)}
    for _ in range(count):
        upcoming: dict[int, Fraction] = defaultdict(Fraction)
        for value, p in ways.items():
            for face in range(1, sides + 1):
                upcoming[value + face] += p / sides
        ways = dict(upcoming)
    return ways


@pytest.mark.rule("R3", "R4", "R9")
def test_rifle_against_armor_15(kit: Any, ruleset: Any) -> None:
    plan = kit.plan("kar98k", "sdkfz_251")
    got = distribution(ruleset, plan, exact=Exact(fractions=True)).map(
        lambda o: (o.hits, o.condition.detail.base_hp, o.locations[0].path if o.locations else "")
    )
    want: dict[Any, Fraction] = defaultdict(Fraction)
    absent = ("main_gun", "coaxial_gun", "magazine", "gun_laying")
    for attack in range(1, 101):
        if attack > 50:
            want[0, 75, ""] += Fraction(1, 100)
            continue
        for a, b in product(range(1, 7), repeat=2):
            through = a + b + 4 - 15
            share = Fraction(1, 100 * 36)
            if through <= 0:
                want[1, 75, ""] += share
                continue
            for roll in range(1, 101):
                name = next(n for n, (low, high, _) in AFV.items() if low <= roll <= high)
                want[1, 75 - through, "not_aboard" if name in absent else name] += share / 100
    assert dict(got.items()) == dict(want)
    assert sum(p for key, p in want.items() if key[2]) == Fraction(1, 72)


@pytest.mark.rule("R12", "A1", "R5", "A3")
def test_ap_against_a_tank_over_three_shots(kit: Any, ruleset: Any) -> None:
    target = kit.find("m4a1_75_dry")  # armor 33, Base HP 100
    base = kit.attack("de_75_pak40", given_hit=True)
    attack = replace(base, ammunition=replace(base.ammunition, stats={"d100_wwii": {"damage": "1d4+14"}}))
    plan = ruleset.plan(attack, target)
    engine = Exact(fractions=True)
    live: dict[Any, Fraction] = {ruleset.fresh(target): Fraction(1)}
    gone = Fraction(0)
    for _ in range(3):
        upcoming: dict[Any, Fraction] = defaultdict(Fraction)
        for condition, weight in live.items():
            for outcome, p in engine.distribution(ruleset.resolve, plan, condition).items():
                if outcome.condition.destroyed:
                    gone += weight * p
                else:
                    upcoming[outcome.condition] += weight * p
        live = dict(upcoming)
    got: dict[Any, Fraction] = defaultdict(Fraction)
    for condition, weight in live.items():
        got[condition.detail.armor, condition.detail.base_hp] += weight

    # By hand: (armor, Base HP, fuel tank, engine, magazine); 35 % and 20 % of 10 % blow up with fuel and engine.
    states: dict[Any, Fraction] = {(33, 100, 5, 15, 10): Fraction(1)}
    lost = Fraction(0)
    for _ in range(3):
        after: dict[Any, Fraction] = defaultdict(Fraction)
        for (armor, hp, fuel, motor, shells), weight in states.items():
            for damage in (15, 16, 17, 18):
                w = weight / 4
                left, through = max(0, armor - damage), damage - armor
                if through <= 0:
                    after[left, hp, fuel, motor, shells] += w
                    continue
                hurt = hp - through
                burst = {"fuel_tank": Fraction(35, 1000), "engine": Fraction(20, 1000), "magazine": Fraction(1)}
                rest = Fraction(1)
                for name, pool in (("fuel_tank", fuel), ("engine", motor), ("magazine", shells)):
                    low, high, _ = AFV[name]
                    chance = Fraction(high - low + 1, 100)
                    rest -= chance
                    worn = max(0, pool - through)
                    dies = burst[name] if pool > 0 >= worn else Fraction(0)
                    lost += w * chance * dies
                    pools = {"fuel_tank": fuel, "engine": motor, "magazine": shells} | {name: worn}
                    after[(left, hurt, *pools.values())] += w * chance * (1 - dies)
                after[left, hurt, fuel, motor, shells] += w * rest
        states = dict(after)
    want: dict[Any, Fraction] = defaultdict(Fraction)
    for (armor, hp, *_), weight in states.items():
        want[armor, hp] += weight
    assert gone == lost
    assert dict(got) == dict(want)


ROWS_OF_THE_CAR = (("fuel_tank", 10, 5), ("engine", 25, 15), ("driver", 10, 0), ("back", 7, 0), ("other", 48, 0))
"""Name, percent and hit points. The front seat is empty, the engine air-cooled; nothing else hurts anybody."""


@pytest.mark.rule("R17", "R18", "A17", "A18", "A40", "A64", "R6")
@pytest.mark.parametrize(
    ("rounds", "impales", "hits_without"), [(5, 0.15, 0.60), pytest.param(10, 0.20, 0.75, marks=pytest.mark.slow)]
)
def test_a_burst_at_a_car_with_five_people(
    kit: Any, ruleset: Any, rounds: int, impales: float, hits_without: float
) -> None:
    """Every round of the burst one after another, the whole state kept: Base HP and the hit points of all five."""
    plan = kit.plan("mg42", kit.car, rounds=rounds)
    got = distribution(ruleset, plan, exact=Exact(merge_alike=True))
    killed: dict[int, float] = defaultdict(float)
    wrecked = 0.0
    single, double = _floats(total(2, 6, 4)), _floats(total(4, 6, 8))
    concussion = _floats(total(3))
    # 5 rounds: 75 % to hit, impale to 15; 10 rounds: 100 % to hit, impale to 20, a malfunction from 96.
    for impale, chance in ((True, impales), (False, hits_without)):
        for hits in range(1, rounds + 1):
            for row, percent, pool in ROWS_OF_THE_CAR:
                weight = chance / rounds * percent / 100
                for order, p_order in _struck(row, hits):
                    state = {(30, (12,) * 5, 0): weight * p_order}
                    for n in range(hits):
                        who = order[n] if n < len(order) else None
                        state = _round(state, double if impale and n == 0 else single, who)
                    for (base, hps, lost), p in state.items():
                        burns = {"fuel_tank": 0.35, "engine": 0.20}.get(row, 0.0) if pool and lost >= pool else 0.0
                        wrecked += p * ((base <= 0) + (base > 0) * burns * 0.1)
                        killed[sum(hp <= 0 for hp in hps)] += p * (1 - burns * 0.1)
                        for blast, p_blast in concussion.items():
                            killed[sum(hp - blast <= 0 for hp in hps)] += p * burns * 0.1 * p_blast if burns else 0.0
    killed[0] += 1 - impales - hits_without
    assert sum(killed.values()) == pytest.approx(1, abs=1e-12)
    assert got.probability(lambda o: o.condition.destroyed) == pytest.approx(wrecked, abs=1e-12)
    for n in range(6):
        assert got.probability(lambda o, n=n: o.killed == n) == pytest.approx(killed[n], abs=1e-12)
    told = summarize(ruleset, plan, got)
    assert told.expected["people_killed"] == pytest.approx(sum(n * p for n, p in killed.items()), abs=1e-12)
    assert told.odds["destroyed"] == pytest.approx(wrecked, abs=1e-12)


def _floats(ways: dict[int, Fraction]) -> dict[int, float]:
    return {value: float(p) for value, p in ways.items()}


def _struck(row: str, hits: int) -> list[tuple[list[int], float]]:
    """Whom each round strikes, the first ones first, with the probability: 0 drives, 1 to 4 sit behind; Luck is 50."""
    if row == "driver":
        return [([0] * hits, 1.0)]
    if row != "back":
        return [([], 1.0)]
    if hits >= 4:
        each, extra = divmod(hits, 4)
        return [([who for n, who in enumerate((1, 2, 3, 4)) for _ in range(each + (n < extra))], 1.0)]
    found = []
    for unlucky in range(5):
        found.append(([n + 1 for n in range(min(unlucky, hits))], comb(4, unlucky) / 16))
    return found


def _round(state: dict[Any, float], damage: dict[int, float], who: int | None) -> dict[Any, float]:
    after: dict[Any, float] = defaultdict(float)
    for (base, hps, lost), p in state.items():
        for rolled, q in damage.items():
            through = rolled - 3
            people = list(hps)
            if who is not None:
                people[who] = max(0, people[who] - through)
            if base > 0 >= base - through:  # the round that destroys: everyone else takes it too
                people = [hp if i == who else max(0, hp - through) for i, hp in enumerate(people)]
            after[max(0, base - through), tuple(people), min(15, lost + through)] += p * q
    return dict(after)


@pytest.mark.rule("R19", "A38")
def test_a_fuel_tank_hit_through_to_the_fire(kit: Any, ruleset: Any) -> None:
    plan = kit.plan("kar98k", "opel_blitz", aim="fuel_tank", given_hit=True)
    got = distribution(ruleset, plan, exact=Exact(fractions=True)).map(
        lambda o: (o.condition.detail.fire and o.condition.detail.fire.row, o.condition.detail.stop_in, o.killed)
    )
    want: dict[Any, Fraction] = defaultdict(Fraction)
    fires = {"minor_fire": 5, "minor_engine_fire": 2, "major_engine_fire": 2, "explosion": 1}
    for damage, p in total(2, 6, 4).items():
        if damage - 5 < 5:
            want[None, 0, 0] += p
            continue
        for rounds, q in total(4, 6, 4).items():
            want[None, rounds, 0] += p * Fraction(65, 100) * q
        for name, tenths in fires.items():
            share = p * Fraction(35, 100) * Fraction(tenths, 10)
            if name != "explosion":
                for rounds, q in total(4, 6, 4).items():
                    want[name, rounds, 0] += share * q
                continue
            for blast, q in total(3).items():
                want[name, 0, 14 if blast >= 12 else 0] += share * q
    assert dict(got.items()) == dict(want)


@pytest.mark.rule("A39", "R12")
def test_a_magazine_and_five_tough_people(kit: Any, ruleset: Any) -> None:
    tough = [(name, 14, 10, 10, 50) for name in ("Ann", "Bob", "Cid", "Dee", "Eve")]
    target = kit.vehicle_with("m4a1_75_dry", id="tough", aliases=("m4a1_75_dry",), stats={"people": kit.people(*tough)})
    plan = kit.plan("de_75_pak40", target, aim="magazine", given_hit=True)
    got = distribution(ruleset, plan, exact=Exact(fractions=True))
    dies = sum(p for blast, p in total(12).items() if blast >= 14)
    reached = sum(p for damage, p in total(11).items() if damage - 33 >= 10)
    for n in range(6):
        chance = reached * comb(5, n) * dies**n * (1 - dies) ** (5 - n) + (1 - reached if n == 0 else 0)
        assert got.probability(lambda o, n=n: o.killed == n) == chance
    assert got.probability(lambda o: o.condition.destroyed) == reached
