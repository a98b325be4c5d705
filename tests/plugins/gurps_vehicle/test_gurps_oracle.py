"""A tank with its crew under a burst of autofire, against an oracle that shares no code with the plugin (G11-G31).

The rules are written here again, as plain sums over totals. Nothing of the plugin is used but the odds it gives.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from mantlet import Effort, Seat, Target, odds


def sums(dice: int, add: int = 0) -> dict[int, float]:
    counts = Counter(sum(faces) + add for faces in itertools.product(range(1, 7), repeat=dice))
    return {total: n / 6**dice for total, n in counts.items()}


THREE = sums(3)


def missed(target: int, least: int, most: int = 99) -> float:
    """The chance to miss a roll by so much; a critical miss counts as 10 at least."""
    chance = 0.0
    for roll, p in THREE.items():
        if roll <= 4 or (roll <= target and roll < 17):
            continue
        by = max(roll - target, 1)
        if roll == 18 or (roll == 17 and target <= 15) or by >= 10:
            by = max(by, 10)
        chance += p if least <= by <= most else 0.0
    return chance


def made(target: int) -> float:
    return 1 - missed(target, 0)


# -- somebody aboard: HP 10, HT 10 -----------------------------------------------------------------------------------

FINE, OUT, DEAD = "fine", "out", "dead"
Man = tuple[int, str]
"""Points lost, and how he is."""
PLACES = {
    "skull": (3, 4), "face": (5, 5), "groin": (11, 11), "neck": (17, 18), "torso": (9, 10),
    "limb": (6, 7, 8, 12, 13, 14), "extremity": (15, 16),
}  # fmt: skip


@functools.cache
def cut(lost: int, state: str, dice: int) -> tuple[tuple[Man, float], ...]:
    """What so many dice of cutting damage make of somebody."""
    found: dict[Man, float] = defaultdict(float)
    for man, p in wounds(lost, state, dice):
        found[man] += p
    return tuple(found.items())


def wounds(lost: int, state: str, dice: int) -> Iterator[tuple[Man, float]]:
    if state == DEAD:
        yield (lost, DEAD), 1.0
        return
    for place, rolls in PLACES.items():
        span = range(rolls[0], rolls[-1] + 1) if len(rolls) == 2 else rolls
        p_place = sum(THREE[roll] for roll in span)
        for total, p_total in sums(dice).items():
            p = p_place * p_total
            through = total - (2 if place == "skull" else 0)
            if through <= 0:
                yield (lost, state), p
                continue
            wound = max(1, int(through * {"skull": 4, "neck": 2}.get(place, 1.5)))
            limit = {"limb": 5, "extremity": 3}.get(place, 10**6)
            after = min(lost + min(wound, limit + 1), 60)
            knocked = 0.0
            if (wound > 5 or wound > limit) and state == FINE:
                knocked = missed(10 + {"skull": -10, "face": -5, "groin": -5}.get(place, 0), 5)
            for now, q in ((OUT, knocked), (state, 1 - knocked)):
                if q:
                    yield from thresholds(lost, after, now, p * q)


def thresholds(lost: int, after: int, state: str, p: float) -> Iterator[tuple[tuple[int, str], float]]:
    if after >= 60:
        yield (after, DEAD), p
        return
    asks = state == FINE and after >= 10
    states = {state: p}
    for multiple in range(1, 6):
        if lost < 10 * (multiple + 1) <= after:
            alive: dict[str, float] = defaultdict(float)
            for now, q in states.items():
                yield (after, DEAD), q * missed(10, 3)
                alive[OUT] += q * missed(10, 1, 2)
                alive[now] += q * made(10)
            states = alive
    for now, q in states.items():
        if asks and now == FINE:
            yield (after, OUT), q * (1 - made(10))
            yield (after, FINE), q * made(10)
        else:
            yield (after, now), q


# -- the tank: HP 12, HT 11, DR 4, tracks 3; crew of two -------------------------------------------------------------

HP, HT = 12, 11
WHERE = {"turret": 21 + 25, "track": 25 + 36, "vital": 4}


class State(NamedTuple):
    lost: int = 0
    tracks: int = 0
    majors: tuple[str, ...] = ()
    driver: Man = (0, FINE)
    gunner: Man = (0, FINE)
    dealt: int = 0


def round_at(state: State, damage: dict[int, float]) -> Iterator[tuple[State, float]]:
    places = {**WHERE, "body": 216 - sum(WHERE.values())}
    for place, ways in places.items():
        for total, p_total in damage.items():
            p = ways / 216 * p_total
            through = max(0, total - (3 if place == "track" else 4))
            injury = through * (3 if place == "vital" else 1)
            if place == "track":
                kept = min(injury, HP // 2 + 1) if state.tracks < 2 else 0
                gone = state.tracks + (injury > HP // 2 and state.tracks < 2)
                yield state._replace(lost=min(state.lost + kept, 6 * HP), tracks=gone, dealt=state.dealt + kept), p
                continue
            majors = tuple(sorted((*state.majors, place))) if injury > HP / 2 else state.majors
            after = state._replace(lost=min(state.lost + injury, 6 * HP), majors=majors, dealt=state.dealt + injury)
            dice = through // 5
            if not dice:
                yield after, p
                continue
            struck = sum(THREE[roll] for roll in range(3, 9))  # one person, SM +3: 8 or less
            yield after, p * (1 - struck)
            who = "gunner" if place == "turret" else "driver"
            for man, q in cut(*getattr(state, who), dice):
                yield after._replace(**{who: man}), p * struck * q


def merged(states: Iterator[tuple[State, float]]) -> dict[State, float]:
    found: dict[State, float] = defaultdict(float)
    for state, p in states:
        found[state] += p
    return found


def end_of(state: State) -> dict[str, float]:
    """The chance of what is true when all rounds have struck and the vehicle's own HT rolls are made."""
    power = 1 - made(HT) ** sum(1 for m in state.majors if m in ("body", "vital"))
    turrets = state.majors.count("turret")
    calm = 1.0
    for major in state.majors:
        calm *= made(HT - 3 if major == "vital" else HT)
    # A turret may fail several times; the weapon is out if one of the failures was that.
    gun = 1 - (1 - (1 - made(HT)) / 2) ** turrets
    fine = made(HT) ** turrets
    ends = {FINE: 1.0, OUT: 0.0, DEAD: 0.0}
    if state.lost >= 6 * HP:
        ends = {FINE: 0.0, OUT: 0.0, DEAD: 1.0}
    else:
        for multiple in range(1, 6):
            if state.lost >= HP * (multiple + 1):
                alive = ends[FINE] + ends[OUT]
                ends[DEAD] += alive * missed(HT, 3)
                ends[OUT] = ends[FINE] * missed(HT, 1, 2) + ends[OUT] * (1 - missed(HT, 3))
                ends[FINE] *= made(HT)
        if state.lost >= HP:
            ends[OUT] += ends[FINE] * (1 - made(HT))
            ends[FINE] *= made(HT)
    crewless = state.driver[1] != FINE and state.gunner[1] != FINE
    men, dead = (state.driver, state.gunner), ends[DEAD]
    return {
        "destroyed": dead,
        "knocked_out": 1.0 if crewless else ends[OUT] + dead,
        "on_fire": 1 - calm,
        # What is destroyed neither moves nor shoots.
        "immobilized": 1.0 if state.tracks else dead,
        "mobility_reduced": 1.0 if state.tracks else 1 - (1 - power) * (1 - dead),
        "firepower_lost": 1 - (1 - gun) * (1 - dead),
        "firepower_reduced": 1 - fine * (1 - dead),
        "crew_killed": float(any(m[1] == DEAD for m in men)),
        "people_killed": float(sum(m[1] == DEAD for m in men)),
        "people_wounded": float(sum(m[0] > 0 and m[1] != DEAD for m in men)),
        "damage": float(state.dealt),
        "damaged": float(state.dealt > 0),
    }


def expected(skill: int, rounds: int, recoil: int, damage: dict[int, float]) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for roll, p_roll in THREE.items():
        if roll >= 17 or (roll > skill and roll > 4):
            continue
        states = {State(): p_roll}
        for _ in range(min(rounds, 1 + max(0, skill - roll) // recoil)):
            states = merged((after, p * q) for state, p in states.items() for after, q in round_at(state, damage))
        for state, p in states.items():
            for name, value in end_of(state).items():
                found[name] += p * value
        found["hit"] += p_roll
    return found


@pytest.mark.rule("G11", "G15", "G16", "G21", "G23", "G24", "G25", "G27", "G28", "G30", "G31")
def test_brute_force_a_manned_tank_under_a_burst(shooting: Any) -> None:
    crew = (Seat(role="driver", compartment="front"), Seat(role="gunner", compartment="turret"))
    block = {
        "hp": HP, "ht": HT, "sm": 3, "dr": {"other": 4, "C": 3}, "fragile": ["f"], "locations": "2CT", "powered": True,
        "person_hp": 10, "person_ht": 10,
    }  # fmt: skip
    tank = Target(id="t", name="t", kind="vehicle", body="tank", seats=crew, stats={"gurps_vehicle": block})
    attack = shooting.attack("1d+6", "pi++", given_hit=False, rounds=4, skills={"gurps_vehicle": 8}, stats={"rcl": 5})
    rules = shooting.rules(wounds="points")
    assert shooting.most(rules.plan(attack, tank)) == 2
    found, wanted = odds(rules, attack, tank, effort=Effort(exact=True)), expected(8 + 3, 4, 5, sums(1, 6))
    for name in ("people_killed", "people_wounded", "damage"):
        assert found.expected[name] == pytest.approx(wanted.pop(name), abs=1e-9), name
    for name, chance in wanted.items():
        assert chance > 0, name
        assert found.odds[name] == pytest.approx(chance, abs=1e-10), name
