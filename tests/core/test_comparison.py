"""Odds in the neutral words and shots to an end state, under a small ruleset made for the purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mantlet import (
    ZONES,
    Ammunition,
    Attack,
    Condition,
    Dice,
    Effort,
    Exact,
    Location,
    NoOptions,
    NotCoveredError,
    Outcome,
    Plan,
    Ruleset,
    Seat,
    Seeded,
    Target,
    Then,
    UsageError,
    Weapon,
    WorkLimitError,
    compare,
    covered_plan,
    distribution,
    odds,
    outcome,
    quick_odds,
    run,
    shots_until,
    under,
)
from mantlet.game.condition import DEAD, FIT
from mantlet.game.effects import CREW_KILLED, DAMAGED, EFFECTS, HIT, IMMOBILIZED, KNOCKED_OUT, PENETRATED
from mantlet.probability.shots import Chain

HULL, TRACKS = Location("hull", "hull"), Location("tracks", "running_gear")
GUN = Weapon(id="gun", name="Gun", kind="gun", ammunition=(Ammunition(id="ap", kind="AP"),))
TANK = Target(id="tank", name="Tank", kind="vehicle", body="tank", seats=(Seat(role="driver", compartment="hull"),))
FORT = Target(id="fort", name="Fort", kind="team", body="infantry")


@dataclass(frozen=True, eq=False, kw_only=True)
class SmallPlan(Plan):
    target_number: int


class Small(Ruleset[NoOptions, Plan]):
    """Hit on 3d6; hull or tracks; the hull has hit points and a driver."""

    name = "small"
    version = "1"
    title = "Small"
    summary = "A ruleset for tests"
    hit_points = 6

    def covers(self, attack: Attack, target: Target) -> str | None:
        return None if target.kind == "vehicle" else "Rule S1 covers vehicles alone."

    def plan(self, attack: Attack, target: Target) -> SmallPlan:
        return SmallPlan(attack=attack, target=target, target_number=int(attack.range_m), ignored=("aspect",))

    def fresh(self, target: Target) -> Condition:
        return super().fresh(target)._replace(ruleset=self.name, detail=self.hit_points)

    def adopt(self, target: Target, condition: Condition) -> Condition:
        return condition if condition.ruleset == self.name else condition._replace(ruleset=self.name, detail=2)

    def resolve(self, dice: Dice, plan: SmallPlan, condition: Condition) -> Outcome | Then:
        if not dice.check(under("3d6", plan.target_number), "to hit"):
            return outcome(0, condition)
        return dice.then(_strike, condition)


def _strike(dice: Dice, condition: Condition) -> Outcome | Then:
    if dice.roll("1d6", "where") <= 2:
        stuck = condition._replace(mobility=2)
        return outcome(HIT | PENETRATED | IMMOBILIZED, stuck, hits=1, locations=(TRACKS,))
    return dice.then(_hull, condition)


def _hull(dice: Dice, condition: Condition) -> Outcome:
    damage = dice.roll("1d6-2", "damage")
    if damage <= 0:
        return outcome(HIT, condition, hits=1, locations=(HULL,))
    left = max(0, condition.detail - damage)  # type: ignore[operator]
    effects, killed = HIT | PENETRATED | DAMAGED, 0
    after = condition._replace(detail=left)
    if condition.people[0] == FIT and dice.chance(Fraction(1, 4), "driver"):
        effects, killed = effects | CREW_KILLED, 1
        after = after._replace(people=(DEAD,))
    if not left:
        effects |= KNOCKED_OUT
        after = after._replace(knocked_out=True)
    return outcome(effects, after, hits=1, locations=(HULL,), killed=killed, damage=damage)


SMALL = Small()
ATTACK = Attack(weapon=GUN, ammunition=GUN.ammunition[0], range_m=10)
HALF = Fraction(1, 2)  # 3d6 comes to 10 or less


@pytest.fixture(name="effort")
def _effort(exact: Exact) -> Effort:
    return Effort(fractions=exact.fractions)


@pytest.fixture(name="exact", params=[False, True], ids=["floats", "fractions"])
def _exact(request: pytest.FixtureRequest) -> Exact:
    return Exact(fractions=request.param)


def test_odds_by_hand(exact: Exact, effort: Effort) -> None:
    found = odds(SMALL, ATTACK, TANK, effort=effort)
    hull = HALF * Fraction(2, 3)
    through = hull * Fraction(2, 3)
    by_hand = {
        "hit": HALF,
        "penetrated": HALF / 3 + through,
        "damaged": HALF / 3 + through,
        "no_effect": HALF + hull / 3,
        "mobility_reduced": HALF / 3,
        "immobilized": HALF / 3,
        "crew_hit": through / 4,
        "crew_killed": through / 4,
    }
    assert found.odds == {name: pytest.approx(by_hand.get(name, 0), abs=1e-15) for name in EFFECTS}
    assert found.locations == {"hull": pytest.approx(hull), "running_gear": pytest.approx(HALF / 3)}
    # Damage 1 to 4 at one in six each.
    assert found.expected == {
        "people_wounded": 0,
        "people_killed": pytest.approx(through / 4),
        "damage": pytest.approx(hull * 10 / 6),
    }
    assert (found.ruleset, found.covers, found.reason, found.ignored) == ("small", True, None, ("aspect",))
    if exact.fractions:
        assert found.odds["crew_killed"] == through / 4
        assert all(type(p) is Fraction for p in found.odds.values())


def test_quick_odds_are_the_same_numbers(exact: Exact, effort: Effort) -> None:
    slow = odds(SMALL, ATTACK, TANK, effort=effort)
    quick = quick_odds(SMALL, ATTACK, TANK, exact)
    assert list(quick) == [*EFFECTS, "people_wounded", "people_killed", "damage", *ZONES]
    for name, p in (slow.odds | slow.expected).items():
        assert quick[name] == pytest.approx(p, abs=1e-14)
    assert {zone: quick[zone] for zone in ZONES if quick[zone]} == {
        zone: pytest.approx(p) for zone, p in slow.locations.items()
    }


def test_what_a_ruleset_does_not_cover_says_why() -> None:
    found = odds(SMALL, ATTACK, FORT)
    assert (found.covers, found.reason, found.odds) == (False, "Rule S1 covers vehicles alone.", {})
    with pytest.raises(NotCoveredError, match="small has no rule for this attack: Rule S1"):
        covered_plan(SMALL, ATTACK, FORT)
    with pytest.raises(NotCoveredError):
        quick_odds(SMALL, ATTACK, FORT, Exact())


def test_compare_keeps_the_order_and_takes_a_condition_each() -> None:
    worn = SMALL.fresh(TANK)._replace(detail=1)
    fresh, again = compare([SMALL, SMALL], ATTACK, TANK)
    assert fresh == again
    (hurt,) = compare([SMALL], ATTACK, TANK, {"small": worn, "other": SMALL.fresh(TANK)})
    assert hurt.odds["knocked_out"] == pytest.approx(HALF * 4 / 9)
    assert fresh.odds["knocked_out"] == 0


def test_a_condition_of_another_ruleset_is_taken_over() -> None:
    foreign = Condition(people=(FIT,), ruleset="other", detail=("anything", 1))
    found = odds(SMALL, ATTACK, TANK, foreign, Effort(fractions=True))
    # Taken over with 2 hit points: damage of 2, 3 or 4 of 6 knocks out.
    assert found.odds["knocked_out"] == HALF * Fraction(2, 3) * HALF


def test_the_full_distribution_sums_to_one(exact: Exact) -> None:
    found = distribution(SMALL, covered_plan(SMALL, ATTACK, TANK), exact=exact)
    assert abs(found.total() - 1) < 1e-12
    assert all(o.condition.ruleset == "small" for o in found)


# Shots until an end state


Live = dict[Condition, Fraction]


def _unrolled(plans: list[SmallPlan], start: Condition, shots: int) -> Iterator[tuple[Fraction, Live]]:
    """By hand, shot by shot: the chance of having ended, and the live conditions."""
    live, gone = {start: Fraction(1)}, Fraction(0)
    for shot in range(shots):
        hit = Fraction(sum(1 for a in range(6) for b in range(6) for c in range(6)
                           if a + b + c + 3 <= plans[shot % len(plans)].target_number), 216)  # fmt: skip
        after: dict[Condition, Fraction] = {}

        def add(condition: Condition, p: Fraction, into: dict[Condition, Fraction] = after) -> None:
            into[condition] = into.get(condition, Fraction(0)) + p

        for condition, weight in live.items():
            add(condition, weight * (1 - hit))
            add(condition._replace(mobility=2), weight * hit / 3)
            for damage in range(-1, 5):
                p = weight * hit * Fraction(2, 3) / 6
                if damage <= 0:
                    add(condition, p)
                    continue
                left: int = max(0, condition.detail - damage)  # type: ignore[operator]
                if not left:
                    gone += p
                elif condition.people == (FIT,):
                    add(condition._replace(detail=left), p * 3 / 4)
                    add(condition._replace(detail=left, people=(DEAD,)), p / 4)
                else:
                    add(condition._replace(detail=left), p)
        live = after
        yield gone, {c: p for c, p in live.items() if p}


@pytest.mark.parametrize("numbers", [(10,), (10, 7), (3, 18, 9)])
def test_shots_equal_an_unrolling_by_hand(exact: Exact, effort: Effort, numbers: tuple[int, ...]) -> None:
    plans = [SMALL.plan(Attack(weapon=GUN, ammunition=GUN.ammunition[0], range_m=n), TANK) for n in numbers]
    found = shots_until(SMALL, plans if len(plans) > 1 else plans[0], 9, effort=effort)
    by_hand = list(_unrolled(plans, SMALL.fresh(TANK), 9))
    assert len(found.within) == 9
    for within, (gone, _) in zip(found.within, by_hand):
        assert within == (gone if exact.fractions else pytest.approx(float(gone), abs=1e-14))
    assert found.states == len(by_hand[-1][1])
    assert abs(found.left - (1 - by_hand[-1][0])) < 1e-14
    assert abs(found.within[-1] + found.left - 1) < 1e-12
    steps = [b[0] - (a[0] if a else 0) for a, b in zip([None, *by_hand], by_hand)]
    mean = sum(i * p for i, p in enumerate(steps, start=1)) / by_hand[-1][0]
    assert found.mean_if_ended == pytest.approx(float(mean))


@given(st.fractions(Fraction(1, 50), 1, max_denominator=50))
def test_a_chance_a_shot_is_geometric(p: Fraction) -> None:
    def body(dice: Dice, plan: str, condition: Condition) -> Outcome:
        done = dice.chance(p, plan)
        return outcome(KNOCKED_OUT if done else 0, condition._replace(knocked_out=done))

    engine = Exact(fractions=True)
    found = Chain(engine, body, ["plan"], Condition()).shots(30)
    assert found.within == tuple(1 - (1 - p) ** n for n in range(1, 31))
    assert found.left == (1 - p) ** 30
    assert found.states == (1 if p < 1 else 0)
    floats = Chain(Exact(), body, ["plan"], Condition()).shots(30)
    assert floats.within == pytest.approx([float(w) for w in found.within], abs=1e-14)
    assert type(floats.left) is float


def test_an_end_state_of_ones_own() -> None:
    plan = SMALL.plan(ATTACK, TANK)
    found = shots_until(SMALL, plan, 5, ended=lambda o: o.condition.mobility == 2, effort=Effort(fractions=True))
    # A shot takes the tracks at one in six; one that is out of hit points is still shot at.
    assert found.within == tuple(1 - Fraction(5, 6) ** n for n in range(1, 6))


def test_no_shots_end_nothing(exact: Exact, effort: Effort) -> None:
    found = shots_until(SMALL, SMALL.plan(ATTACK, TANK), 0, effort=effort)
    assert (found.within, found.left, found.states, found.mean_if_ended) == ((), 1, 1, None)
    never = shots_until(SMALL, SMALL.plan(Attack(weapon=GUN, ammunition=GUN.ammunition[0], range_m=0), TANK), 3)
    assert (never.within, never.left, never.mean_if_ended) == ((0.0, 0.0, 0.0), 1.0, None)


def test_shots_go_at_one_target() -> None:
    other = Target(id="other", name="Other", kind="vehicle", body="tank")
    with pytest.raises(UsageError, match="one target"):
        shots_until(SMALL, [], 3)
    with pytest.raises(UsageError, match="one target"):
        shots_until(SMALL, [SMALL.plan(ATTACK, TANK), SMALL.plan(ATTACK, other)], 3)


def test_shots_have_one_work_limit_for_all_of_them() -> None:
    def counts_up(dice: Dice, plan: Any, condition: Condition) -> Outcome:
        number: Any = condition.detail
        return outcome(0, condition._replace(detail=number + dice.roll("1d20", "x")))

    with pytest.raises(WorkLimitError, match="30,000 steps"):
        Chain(Exact(limit=30_000), counts_up, ["plan"], Condition(detail=0)).shots(100_000)


def test_seeded_campaigns_agree_with_the_chain() -> None:
    plan = SMALL.plan(ATTACK, TANK)
    expected = shots_until(SMALL, plan, 12)
    source, n, ended = Seeded(2024), 4000, 0
    for _ in range(n):
        condition = SMALL.fresh(TANK)
        for _ in range(12):
            condition = run(source.dice, SMALL.resolve, plan, condition).condition
            if condition.knocked_out:
                ended += 1
                break
        source.account.entries.clear()
    p = expected.within[-1]
    assert abs(ended - n * p) < 3.3 * (n * p * (1 - p)) ** 0.5
