"""F30 to F32: close assault."""

from __future__ import annotations

import math

import pytest

from facing_armor.assault import Assaulters, Tank, after_assault, assault, assaulters
from facing_armor.layout import layout
from facing_armor.state import TeamState, VehicleState, team_state, with_state
from facing_armor.suppression import settled, strength
from mantlet import Condition, Exact, NotCoveredError, Scripted, covered_plan, distribution, run
from mantlet.catalog import Catalog
from mantlet.game.condition import DEAD, FIT, NONE, OUT, WOUNDED
from mantlet.game.effects import HIT, IMMOBILIZED, KNOCKED_OUT

CATALOG = Catalog()
PANTHER, STUG, SQUAD = CATALOG.target("panther_g"), CATALOG.target("stug3_g"), CATALOG.target("infantry_squad")
TEAM = Assaulters(8, 8)
BOW_GUNNER = 4


def fought(target=PANTHER, people=None, team=TEAM, halted=True, buttoned=True, **facts):
    condition = Condition(people=people or (FIT,) * len(target.crew), **facts)
    return Exact().distribution(assault, Tank(layout(target), condition, halted, buttoned), team)


def chance_of(found, result: str) -> float:
    return found.probability(lambda o: o.detail.result == result)


def beaten_off(bursts: int) -> float:
    """By hand: a burst is on the team with 60 percent, adds 30, and 35 for each of eight men hit (1 - 0.99^10)."""
    hit = 1 - 0.99**10
    if bursts == 1:
        return 0.6 * (1 - (1 - hit) ** 8)  # one casualty makes 65
    # Both on the team make 60 at least. Otherwise as above.
    return 0.6 * 0.6 + 2 * 0.6 * 0.4 * (1 - (1 - hit) ** 8)


@pytest.mark.rule("F30", "F31")
def test_a_success_immobilizes_at_the_chance_of_the_period() -> None:
    found = fought(STUG)  # no bow gunner: no fire, and likelier
    assert chance_of(found, "immobilized") == pytest.approx(0.5)
    assert found.probability(lambda o: bool(o.effects & IMMOBILIZED)) == pytest.approx(0.5)
    assert not any(o.effects & KNOCKED_OUT for o in found)


@pytest.mark.rule("F30", "F32")
@pytest.mark.parametrize(("state", "active"), [(FIT, True), (WOUNDED, True), (OUT, False), (DEAD, False)])
def test_an_active_bow_gunner_fires_first_and_makes_success_rarer(state: int, active: bool) -> None:
    found = fought(people=(FIT, FIT, FIT, FIT, state))
    if active:
        assert chance_of(found, "beaten_off") == pytest.approx(beaten_off(1))
        assert chance_of(found, "immobilized") == pytest.approx(0.3 * (1 - beaten_off(1)))
    else:
        assert chance_of(found, "beaten_off") == 0
        assert chance_of(found, "immobilized") == pytest.approx(0.5)


@pytest.mark.rule("F30", "F32")
@pytest.mark.parametrize(
    ("felt", "state", "acts"), [(7, FIT, True), (8, FIT, False), (4, WOUNDED, True), (5, WOUNDED, False)]
)
def test_a_bow_gunner_freezes_under_stress(felt: int, state: int, acts: bool) -> None:
    """10 hundredths for an own-tank hit, 25 for a wound, frozen from 75: 8 hits, or 5 and a wound."""
    shaken = with_state(Condition(people=(FIT, FIT, FIT, FIT, state)), VehicleState(felt=felt))
    found = Exact().distribution(assault, Tank(layout(PANTHER), shaken), TEAM)
    assert chance_of(found, "beaten_off") == pytest.approx(beaten_off(1) if acts else 0)
    assert chance_of(found, "immobilized") == pytest.approx(0.3 * (1 - beaten_off(1)) if acts else 0.5)


@pytest.mark.rule("F32")
def test_an_unbuttoned_commander_fires_as_well() -> None:
    found = fought(mobility=NONE, buttoned=False)
    # The second burst finds a team already pinned where the first cost it a man: it then does not come on.
    first = 0.6 * (1 - 0.99**80)
    second_after_calm = 0.6 * 0.99**80 * 0.6 + 0.4 * 0.6 * (1 - 0.99**80)
    assert chance_of(found, "beaten_off") == pytest.approx(first + second_after_calm)
    dead_commander = fought(mobility=NONE, buttoned=False, people=(DEAD, FIT, FIT, FIT, FIT))
    assert chance_of(dead_commander, "beaten_off") == pytest.approx(beaten_off(1))


@pytest.mark.rule("F32")
def test_the_defenders_suppress_the_team_and_cost_it_men() -> None:
    found = fought()
    mean = found.mean(lambda o: 8 - o.detail.assaulters.men)
    assert mean == pytest.approx(0.6 * 8 * (1 - 0.99**10))
    assert all(o.detail.assaulters.suppression >= 30 for o in found if o.detail.assaulters.men < 8)


@pytest.mark.rule("F31")
def test_of_an_immobilized_tank_it_makes_a_knock_out_with_a_casualty_likely_in_each_seat() -> None:
    found = fought(STUG, mobility=NONE)
    assert chance_of(found, "knocked_out") == pytest.approx(0.5)
    for seat in range(4):
        hurt = found.probability(lambda o, s=seat: o.condition.people[s] != FIT)
        assert hurt == pytest.approx(0.5 * 0.6)
        assert hurt / 0.5 > 0.5
    assert found.mean(lambda o: o.wounded) > found.mean(lambda o: o.killed) > 0


@pytest.mark.rule("F30")
def test_when_there_is_no_assault() -> None:
    assert chance_of(fought(halted=False), "no_chance") == 1
    assert chance_of(fought(buttoned=False), "no_chance") == 1
    assert chance_of(fought(halted=False, buttoned=False, mobility=NONE), "no_chance") == 0
    assert chance_of(fought(team=Assaulters(8, 8, 50.0)), "no_chance") == 1
    assert chance_of(fought(team=Assaulters(2, 8)), "no_chance") == 1


@pytest.mark.rule("F30")
def test_an_assault_is_an_attack_like_any_other(rules, shot) -> None:
    attack = shot("satchel_charge", range_m=5, delivery="assaulted")
    found = distribution(rules, covered_plan(rules, attack, STUG))
    assert found.probability(lambda o: bool(o.effects & HIT)) == pytest.approx(0.5)
    given = shot("satchel_charge", range_m=5, delivery="assaulted", given_hit=True)
    assert distribution(rules, rules.plan(given, STUG)).probability(lambda o: bool(o.effects & IMMOBILIZED)) == 1
    for bad, target in (
        (shot("satchel_charge", range_m=200, delivery="assaulted"), PANTHER),
        (shot("satchel_charge", range_m=5, delivery="assaulted"), CATALOG.target("jeep")),
    ):
        with pytest.raises(NotCoveredError, match="F30"):
            covered_plan(rules, bad, target)


@pytest.mark.rule("F30")
def test_what_the_team_carries_plays_no_part_and_the_plan_says_so(rules, shot) -> None:
    plans = [
        covered_plan(rules, shot(weapon, range_m=5, delivery="assaulted"), PANTHER)
        for weapon in ("satchel_charge", "hafthohlladung", "m1911")
    ]
    first, *others = [dict(distribution(rules, plan).items()) for plan in plans]
    assert all(other == first for other in others)
    assert all("what the team carries" in " ".join(plan.notes) for plan in plans)


@pytest.mark.rule("F30", "F32")
def test_the_team_of_a_campaign_goes_in_and_comes_back() -> None:
    people = (FIT,) * 10
    before = settled(Condition(people=people), people, TeamState(20.0))
    team = assaulters(SQUAD, before)
    assert team == Assaulters(10, 10, 20.0)
    dice = Scripted("10, 5, " + ", ".join(["99"] * 9))  # on the team; the first man hit
    outcome = run(dice.dice, assault, Tank(layout(PANTHER), Condition(people=(FIT,) * 5)), team)
    dice.finish()
    assert outcome.detail.result == "beaten_off"
    after = after_assault(SQUAD, before, outcome.detail)
    assert strength(after) == 9
    assert team_state(after).suppression == 20 + 30 + 35
    assert math.isclose(team_state(before).suppression, 20)
