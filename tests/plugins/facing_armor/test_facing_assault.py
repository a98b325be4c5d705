"""F30 to F32: close assault."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_run import data
from facing_armor.assault import Assaulters, Tank, assault
from facing_armor.layout import layout
from facing_armor.state import TeamState, VehicleState, team_state, with_state
from facing_armor.suppression import settled, strength
from mantlet import Condition, Exact, NotCoveredError, Scripted, Shooter, covered_plan, distribution, run
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


def beaten_off(bursts: int, on_team: float = 0.6) -> float:
    """By hand: a burst is on the team with 60 percent, adds 30, and 35 for each of eight men hit (1 - 0.99^10).

    A wounded man's burst is on it half as often.
    """
    hit = 1 - 0.99**10
    if bursts == 1:
        return on_team * (1 - (1 - hit) ** 8)  # one casualty makes 65
    # Both on the team make 60 at least. Otherwise as above.
    return 0.6 * 0.6 + 2 * 0.6 * 0.4 * (1 - (1 - hit) ** 8)


@pytest.mark.rule("F30", "F31")
def test_a_success_immobilizes_at_the_chance_of_the_period() -> None:
    found = fought(STUG)  # no bow gunner: no fire, and likelier
    assert chance_of(found, "immobilized") == pytest.approx(0.5)
    assert found.probability(lambda o: bool(o.effects & IMMOBILIZED)) == pytest.approx(0.5)
    assert not any(o.effects & KNOCKED_OUT for o in found)


@pytest.mark.rule("F17", "F30", "F32")
@pytest.mark.parametrize(("state", "active"), [(FIT, True), (WOUNDED, True), (OUT, False), (DEAD, False)])
def test_an_active_bow_gunner_fires_first_and_makes_success_rarer(state: int, active: bool) -> None:
    found = fought(people=(FIT, FIT, FIT, FIT, state))
    if active:
        off = beaten_off(1, 0.3 if state == WOUNDED else 0.6)
        assert chance_of(found, "beaten_off") == pytest.approx(off)
        assert chance_of(found, "immobilized") == pytest.approx(0.3 * (1 - off))
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
    off = beaten_off(1, 0.3 if state == WOUNDED else 0.6)
    assert chance_of(found, "beaten_off") == pytest.approx(off if acts else 0)
    assert chance_of(found, "immobilized") == pytest.approx(0.3 * (1 - off) if acts else 0.5)


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


def squad(suppression: float = 0.0, men: int = 10, **more) -> Shooter:
    """The rifle squad with so many of its ten men and this suppression."""
    people = (FIT,) * men + (OUT,) * (10 - men)
    return Shooter(target=SQUAD, condition=settled(Condition(people=people), people, TeamState(suppression, **more)))


def assault_by(rules, shot, who: Shooter, **fields):
    attack = shot("satchel_charge", range_m=5, delivery="assaulted", shooter=who, **fields)
    return covered_plan(rules, attack, PANTHER)


@pytest.mark.rule("F30", "F32")
def test_a_team_with_a_state_goes_in_and_comes_back(rules, shot) -> None:
    plan = assault_by(rules, shot, squad(20.0))
    dice = Scripted("10, 5, " + ", ".join(["99"] * 9))  # on the team; the first man hit
    outcome = run(dice.dice, rules.resolve, plan, rules.fresh(PANTHER))
    dice.finish()
    assert outcome.detail.result == "beaten_off"
    after = outcome.shooter
    assert strength(after.condition) == 9
    assert team_state(after.condition).suppression == 20 + 30 + 35
    assert (after.wounded, after.killed) == (1, 0)
    assert after.effects & KNOCKED_OUT  # broken


@pytest.mark.rule("F30")
def test_a_team_that_nothing_happens_to_is_left_as_it_was(rules, shot) -> None:
    outcome = run(Scripted("99, 99").dice, rules.resolve, assault_by(rules, shot, squad(20.0)), rules.fresh(PANTHER))
    assert (outcome.detail.result, outcome.shooter) == ("failed", None)


@pytest.mark.rule("F30")
def test_its_own_suppression_and_losses_count(rules, shot) -> None:
    def result(who: Shooter) -> dict[str, float]:
        found = distribution(rules, assault_by(rules, shot, who))
        return {name: chance_of(found, name) for name in ("no_chance", "beaten_off", "immobilized")}

    # Pinned from 50; of ten men the last three are no team. Neither goes in.
    assert result(squad(50.0))["no_chance"] == result(squad(men=3))["no_chance"] == 1
    # At 20 the burst alone pins: 20 + 30.
    assert result(squad(20.0))["beaten_off"] == pytest.approx(0.6)
    assert result(squad(20.0))["immobilized"] == pytest.approx(0.4 * 0.3)
    # Of four men, each at risk with 1 - 0.99^10: nobody is hit by 0.99^40, and 30 does not pin.
    assert result(squad(men=4))["beaten_off"] == pytest.approx(0.6 * (1 - 0.99**40))


@pytest.mark.rule("F23", "F30")
def test_who_does_not_assault(rules, shot) -> None:
    gun_crew = CATALOG.target("at_gun_crew")
    for who in (
        Shooter(target=gun_crew, condition=rules.fresh(gun_crew)),
        Shooter(target=STUG, condition=rules.fresh(STUG)),
        squad(unarmed=True),
    ):
        with pytest.raises(NotCoveredError, match=r"F30: infantry teams|F23"):
            assault_by(rules, shot, who)


@pytest.mark.rule("F30", "F31")
def test_an_assault_in_two_periods_by_the_same_team(tmp_path: Path) -> None:
    """The first period costs the squad a man and pins it; half a minute later it goes in again."""
    tank, team = tmp_path / "tank.json", tmp_path / "squad.json"
    assault = f"attack --ruleset facing_armor --weapon satchel_charge --delivery assaulted --range 5 --state {tank}"
    mine = f"--target panther_g --shooter infantry_squad --shooter-state {team}"
    first = data(f"{assault} {mine} --dice 10,{','.join(['99'] * 9)},5")
    assert first["report"]["result"] == "beaten_off"
    assert first["report"]["team"] == {"men": 9, "size": 10, "suppression": 65}
    assert data(f"{assault} {mine}")["report"]["result"] == "no_chance"  # pinned
    assert data(f"time --state {team} --seconds 60")["report"]["suppression"] == 35
    again = data(f"{assault} {mine} --dice 99,20")  # the burst is off, and 20 is a success
    assert again["report"]["result"] == "immobilized"
    assert again["report"]["team"] == {"men": 9, "size": 10, "suppression": 35}
    last = data(f"{assault} {mine} --dice 99,20,99,99,99,99,99")
    assert last["report"]["result"] == "knocked_out"
