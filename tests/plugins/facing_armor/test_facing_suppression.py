"""F24 to F29: suppression, pinned, broken, leaving, running, and strength of teams and gun crews."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli_run import data, succeed
from facing_armor.design import design
from facing_armor.state import TeamState, team_state, with_state
from facing_armor.suppression import (
    TeamReport,
    can_move,
    falls_back,
    fire_rate,
    last_few,
    lay_time_factor,
    level,
    settled,
    standing,
    strength,
    team_time,
    threatened,
)
from facing_armor.team import fallen
from mantlet import Condition, Exact, NotCoveredError, Scripted, Sighting, Threat, covered_plan, distribution, run
from mantlet.catalog import Catalog
from mantlet.game.condition import DEAD, FIT, GONE, NONE, OUT, REDUCED, WOUNDED
from mantlet.game.effects import CREW_HIT, FIREPOWER_LOST, FIREPOWER_REDUCED, HIT, IMMOBILIZED, KNOCKED_OUT

SQUAD, GUN_CREW = Catalog().target("infantry_squad"), Catalog().target("at_gun_crew")


def under(suppression: float, target=SQUAD, **more) -> Condition:
    people = (FIT,) * len(target.crew)
    return settled(Condition(people=people), people, TeamState(suppression, **more))


def added(rules, attack, target=SQUAD) -> float:
    """The suppression of the likeliest outcome without casualties."""
    calm = [o for o in distribution(rules, rules.plan(attack, target)) if not o.effects & CREW_HIT]
    return max(team_state(o.condition).suppression for o in calm)


@pytest.mark.rule("F24")
def test_what_suppresses_more(rules, shot) -> None:
    close = added(rules, shot("us_75_m3/HE", given_hit=True))
    far = added(rules, shot("us_75_m3/HE", miss_distance_m=20))
    burst = added(rules, shot("mg42", rounds=10, range_m=50))
    ap = added(rules, shot("us_75_m3/M61_APC", given_hit=True))
    numbers = design().suppression
    assert close > numbers.casualty >= burst > far > numbers.tank_closing >= ap > 0
    assert (close, burst, far, ap) == (60, 30, 20, 8)


@pytest.mark.rule("F24")
def test_cover_scales_he_and_bursts_but_not_ap(rules, shot) -> None:
    assert added(rules, shot("us_75_m3/HE", given_hit=True, cover=0.5)) == 30
    assert added(rules, shot("us_75_m3/HE", miss_distance_m=20, cover=0.5)) == 10
    assert added(rules, shot("mg42", rounds=10, range_m=50, cover=0.5)) == 15
    assert added(rules, shot("us_75_m3/M61_APC", given_hit=True, cover=0.5)) == 8


@pytest.mark.rule("F24")
def test_bigger_shells_reach_farther(rules, shot) -> None:
    assert added(rules, shot("us_75_m3/HE", miss_distance_m=15)) == 20
    assert added(rules, shot("su_152_ml20/HE", miss_distance_m=15)) == 60
    assert added(rules, shot("us_75_m3/HE", miss_distance_m=60)) == 0


@pytest.mark.rule("F24", "F29")
def test_a_stated_distance_asks_for_no_roll_to_hit(rules, shot) -> None:
    plan = rules.plan(shot("us_75_m3/HE", miss_distance_m=20), SQUAD)
    dice = Scripted("")
    outcome = run(dice.dice, rules.resolve, plan, rules.fresh(SQUAD))
    assert not outcome.effects & HIT
    assert team_state(outcome.condition).suppression == 20


@pytest.mark.rule("F24")
def test_a_tank_closing_adds_some_every_period() -> None:
    start = threatened(under(0), Threat(True))
    after = run(Scripted("").dice, team_time, SQUAD, start, 30.0).condition
    # Three periods of 10 s: +12 at each end, -5 in the second and the third.
    assert team_state(after).suppression == 26
    calm = threatened(after, Threat(False))
    assert team_state(run(Scripted("").dice, team_time, SQUAD, calm, 10.0).condition).suppression == 21


@pytest.mark.rule("F24")
def test_a_period_of_a_tank_closing_is_an_attack_too(rules, shot) -> None:
    closing = shot("ram", delivery="rammed", cover=0.9)
    plan = covered_plan(rules, closing, SQUAD)
    dice = Scripted("")
    outcome = run(dice.dice, rules.resolve, plan, under(40))
    assert team_state(outcome.condition).suppression == 52
    assert outcome.detail == "pinned"
    assert outcome.effects & IMMOBILIZED
    assert not outcome.effects & HIT
    assert "cover" in plan.ignored


@pytest.mark.rule("F25")
def test_suppression_decays_steadily_to_nothing() -> None:
    values = [
        team_state(run(Scripted("").dice, team_time, SQUAD, under(40), float(s)).condition).suppression
        for s in (0, 10, 20, 80, 500)
    ]
    assert values == [40, 35, 30, 0, 0]


@pytest.mark.rule("F25")
@given(
    st.floats(0, 100),
    st.sampled_from(["us_75_m3/HE", "mg42", "us_75_m3/M61_APC"]),
    st.integers(1, 3),
    st.floats(0, 1),
    st.floats(0, 200),
)
def test_suppression_stays_between_none_and_complete(before, weapon, rounds, cover, seconds) -> None:
    from facing_armor.ruleset import FacingArmor
    from mantlet import Attack, Seeded

    rules = FacingArmor()
    gun, ammunition = Catalog().round(weapon)
    attack = Attack(weapon=gun, ammunition=ammunition, range_m=300, rounds=rounds, cover=cover)
    dice = Seeded(1).dice
    start = under(before)
    outcome = run(dice, rules.resolve, rules.plan(attack, SQUAD), start)
    hit = team_state(outcome.condition).suppression
    assert before <= hit + 1e-9 <= 100 + 1e-9
    later = team_state(run(dice, rules.pass_time, SQUAD, outcome.condition, seconds).condition).suppression
    assert 0 <= later <= hit
    assert outcome.killed == outcome.condition.people.count(DEAD)


@pytest.mark.rule("F26")
def test_a_pinned_team_stays_put_and_fires_half_as_fast() -> None:
    assert [level(s) for s in (0, 49.9, 50, 74.9, 75, 100)] == [
        "steady",
        "steady",
        "pinned",
        "pinned",
        "broken",
        "broken",
    ]
    pinned = under(50)
    assert (pinned.mobility, pinned.firepower, pinned.knocked_out) == (NONE, REDUCED, False)
    assert not can_move(pinned)
    assert can_move(under(49))
    assert (fire_rate(under(0)), fire_rate(pinned)) == (1.0, 0.5)


@pytest.mark.rule("F26")
def test_a_pinned_gun_crew_lays_in_twice_the_time() -> None:
    assert lay_time_factor(GUN_CREW, under(49, GUN_CREW)) == 1
    assert lay_time_factor(GUN_CREW, under(50, GUN_CREW)) == 2
    assert lay_time_factor(SQUAD, under(50)) == 1


@pytest.mark.rule("F27")
def test_a_broken_team_does_not_fire() -> None:
    broken = under(75)
    assert (broken.firepower, broken.knocked_out) == (NONE, True)
    assert fire_rate(broken) == 0


@pytest.mark.rule("F27")
def test_each_period_a_broken_team_rolls_to_leave_a_gun_crew_half_as_often() -> None:
    gone = {}
    for target in (SQUAD, GUN_CREW):
        passages = Exact().distribution(team_time, target, under(100, target), 10.0)
        gone[target.id] = passages.probability(lambda p: p.condition.people.count(GONE) > 0)
    assert gone["infantry_squad"] == pytest.approx(0.30)
    assert gone["at_gun_crew"] == pytest.approx(gone["infantry_squad"] / 2)
    # From 100, it is broken at the end of five periods (95, 90, 85, 80, 75) and no longer at the sixth.
    for seconds in (50.0, 300.0):
        passages = Exact().distribution(team_time, SQUAD, under(100), seconds)
        assert passages.probability(lambda p: p.condition.people.count(GONE) > 0) == pytest.approx(1 - 0.7**5)


@pytest.mark.rule("F25", "F27")
@given(st.integers(0, 400), st.integers(0, 400), st.floats(0, 100))
def test_time_in_two_spans_is_time_in_one(first: int, second: int, suppression: float) -> None:
    engine, start = Exact(), under(round(suppression, 1))
    once = engine.distribution(team_time, SQUAD, start, (first + second) / 10).map(lambda p: p.condition)
    twice: dict[Condition, float] = {}
    for middle, p in engine.distribution(team_time, SQUAD, start, first / 10).items():
        for end, q in engine.distribution(team_time, SQUAD, middle.condition, second / 10).items():
            twice[end.condition] = twice.get(end.condition, 0) + p * q

    def shape(conditions) -> list[tuple[object, ...]]:
        return sorted((round(team_state(c).suppression, 4), standing(c), round(p, 9)) for c, p in conditions.items())

    assert shape(once) == shape(twice)


@pytest.mark.rule("F28")
def test_a_running_team_falls_back_from_the_nearest_enemy_vehicle() -> None:
    """50 m straight away from the nearer of two, which stands due north: 100 m become 150.

    The other one, 500 m due east, is then seen from 50 m farther south: sqrt(500^2 + 50^2) = 502.494 m, and
    atan(50 / 500) = 5.711 degrees ahead of east.
    """
    known = TeamState(enemies=(Sighting(500, 90), Sighting(100, 0)))
    dice = Scripted("")
    after = falls_back(dice.dice, known)
    assert after == TeamState(enemies=(Sighting(502.494, 84.289), Sighting(150, 0)), fell_back_m=50)
    assert "on bearing 180: nearest enemy 150 m" in dice.account.entries[0].text
    assert falls_back(Scripted("").dice, TeamState()) == TeamState()  # away from whom?
    assert falls_back(Scripted("").dice, TeamState(enemies=(Sighting(0, 30),))).enemies == (Sighting(50, 30),)


@pytest.mark.rule("F28")
def test_it_falls_back_again_each_period() -> None:
    start = threatened(under(100), Threat(vehicles=(Sighting(40, 270),)))
    # The first period ends with the roll to leave and 50 m, the next two with 50 m each; half a point goes a second.
    after = run(Scripted("1").dice, team_time, SQUAD, start, 30.0).condition
    assert standing(after) == "gone"
    assert team_state(after).enemies == (Sighting(190, 270),)
    assert (team_state(after).fell_back_m, team_state(after).suppression) == (150, 85)
    # Calm after 200 s in all, it runs no more: 20 periods.
    calm = run(Scripted("1").dice, team_time, SQUAD, start, 5000.0).condition
    assert 900 <= team_state(calm).fell_back_m <= 1000


@pytest.mark.rule("F24", "F28")
def test_an_enemy_about_is_kept_until_it_is_said_otherwise() -> None:
    first = threatened(under(40), Threat(True, (Sighting(80, 10),)))
    assert threatened(first, Threat()) == first
    assert team_state(threatened(first, Threat(False))) == TeamState(40, enemies=(Sighting(80, 10),))
    assert team_state(threatened(first, Threat(vehicles=(Sighting(9, 0),)))).enemies == (Sighting(9, 0),)


@pytest.mark.rule("F24")
def test_no_vehicle_is_closed_on(rules, catalog) -> None:
    tank = catalog.target("panther_g")
    with pytest.raises(NotCoveredError, match="F24"):
        rules.threatened(tank, rules.fresh(tank), Threat(True))


@pytest.mark.rule("F24", "F28")
def test_time_with_an_enemy_about(tmp_path: Path) -> None:
    file = tmp_path / "squad.json"
    shell = "attack --ruleset facing_armor --weapon us_75_m3/M48_HE --target infantry_squad --miss-distance 5"
    succeed(f"{shell} --dice {','.join(['99'] * 10)} --state {file}")  # 60
    told = succeed(f"time --state {file} --seconds 20 --closing --enemy-at 100yd@-90")
    assert "pinned, suppression 60% to 74%" in told.splitlines()[0]  # 60 - 5 + 12 - 5 + 12
    assert "enemy vehicles at 91 m@270" in told
    # It closes still: 74 - 5 + 12 = 81, broken, and the roll comes up.
    found = data(f"time --state {file} --seconds 10 --dice 30")
    assert found["report"]["runs"]
    assert found["report"]["enemies"] == [{"distance_m": 141.44, "bearing_deg": 270.0}]
    assert "a tank is closing on it" not in succeed(f"time --state {file} --seconds 1 --not-closing")


@pytest.mark.rule("F28")
def test_the_account_says_that_it_runs() -> None:
    dice = Scripted("1")
    after = run(dice.dice, team_time, SQUAD, under(100), 10.0).condition
    assert standing(after) == "gone"
    assert any(entry.rule == "F28" for entry in dice.account.entries)


@pytest.mark.rule("F26", "F27", "F28")
def test_a_span_of_time_says_what_the_team_can_do(rules) -> None:
    pinned = run(Scripted("").dice, rules.pass_time, GUN_CREW, under(60, GUN_CREW), 1.0).detail
    assert pinned == TeamReport("pinned", 0.5, 2.0, False, False)
    ran = run(Scripted("1").dice, rules.pass_time, SQUAD, under(100), 10.0).detail
    assert (ran.standing, ran.runs, ran.fire_rate) == ("gone", True, 0.0)


@pytest.mark.rule("F29")
def test_each_man_near_a_shell_is_at_risk_on_his_own(rules, shot) -> None:
    """Exact odds of men lost are binomial: ten men at 15 percent, and half of that in half cover."""
    for cover in (0.0, 0.5):
        p = 0.15 * (1 - cover)
        found = distribution(rules, rules.plan(shot("us_75_m3/HE", given_hit=True, cover=cover), SQUAD))
        lost = found.map(lambda o: 10 - strength(o.condition))
        for n in range(11):
            assert lost[n] == pytest.approx(math.comb(10, n) * p**n * (1 - p) ** (10 - n), abs=1e-12)


@pytest.mark.rule("F29")
def test_sustained_fire_costs_more_men(rules, shot) -> None:
    losses = [
        distribution(rules, rules.plan(shot("mg42", rounds=rounds, range_m=50), SQUAD)).mean(
            lambda o: o.killed + o.wounded
        )
        for rounds in (1, 5, 10, 50)
    ]
    assert losses == sorted(losses)
    # 98 percent of the bursts are on the team; each of ten men is hit by 10 rounds with 1 - 0.99^10.
    assert losses[2] == pytest.approx(0.98 * 10 * (1 - 0.99**10))


@pytest.mark.rule("F24", "F26", "F27", "F29")
def test_exact_odds_of_pinned_and_broken(rules, shot) -> None:
    """A burst of ten at a gun crew, by hand: 30, and 35 more for each casualty."""
    found = distribution(rules, rules.plan(shot("mg42", rounds=10, given_hit=True), GUN_CREW))
    q = 1 - 0.99  # given a hit, one round strikes and the rest of the burst misses
    men = [math.comb(5, n) * q**n * (1 - q) ** (5 - n) for n in range(6)]
    # One round is a fifth of a full burst: 6; with one casualty 41, with two 76.
    assert found.probability(lambda o: bool(o.effects & IMMOBILIZED)) == pytest.approx(1 - men[0] - men[1])
    assert found.probability(lambda o: bool(o.effects & FIREPOWER_LOST)) == pytest.approx(1 - men[0] - men[1])
    assert found.probability(lambda o: bool(o.effects & KNOCKED_OUT)) == pytest.approx(1 - men[0] - men[1])


@pytest.mark.rule("F29")
def test_the_last_few_men_are_ineffective() -> None:
    assert [last_few(size) for size in (10, 9, 5, 3, 2, 1)] == [3, 3, 1, 1, 0, 0]
    people = fallen((FIT,) * 10, ((FIT, DEAD),) * 4 + ((FIT, OUT),) * 3 + ((FIT, FIT),) * 3)
    assert people == (FIT,) * 3 + (OUT,) * 3 + (DEAD,) * 4
    spent = settled(Condition(people=(FIT,) * 10), people, TeamState())
    assert standing(spent) == "ineffective"
    assert spent.knocked_out
    assert not settled(Condition(), (FIT,) * 4 + (DEAD,) * 6, TeamState()).knocked_out


@pytest.mark.rule("F29")
@given(st.lists(st.sampled_from([FIT, WOUNDED, OUT, DEAD, GONE]), min_size=10, max_size=10), st.data())
def test_strength_never_falls_below_nothing_and_nobody_dies_twice(states, data) -> None:
    able = [state for state in states if state in (FIT, WOUNDED)]
    fates = tuple([(state, data.draw(st.sampled_from([state, OUT, DEAD]))) for state in able])
    after = fallen(tuple(states), fates)
    assert after.count(DEAD) == states.count(DEAD) + fates.count((FIT, DEAD)) + fates.count((WOUNDED, DEAD))
    assert after.count(FIT) == fates.count((FIT, FIT))
    assert after.count(WOUNDED) == fates.count((WOUNDED, WOUNDED))
    assert after.count(GONE) == states.count(GONE)


@pytest.mark.rule("F16", "F29")
@pytest.mark.parametrize("rounds", [5, 15])
def test_a_wounded_man_hit_again_is_not_newly_wounded(rules, shot, rounds: int) -> None:
    """Six fit men and four wounded: each is hit alike, and those newly wounded are of the six."""
    plan = rules.plan(shot("mg42", range_m=100, rounds=rounds, miss_distance_m=1), SQUAD)
    start = Condition(people=(FIT,) * 6 + (WOUNDED,) * 4)
    found = distribution(rules, plan, start)
    hit, killed = plan.man_chance, design().casualties.killed_percent / 100
    assert found.mean(lambda o: o.killed) == pytest.approx(10 * hit * killed)
    assert found.mean(lambda o: o.wounded) == pytest.approx(6 * hit * (1 - killed))
    merged = Exact(merge_alike=True).distribution(rules.resolve, plan, start)
    assert merged.mean(lambda o: o.wounded) == pytest.approx(6 * hit * (1 - killed))


@pytest.mark.rule("F24", "F26")
def test_a_tank_that_closes_on_a_team_pins_it_and_the_time_says_so(rules) -> None:
    """49 decays by 5 in a period and gains 12 from the tank: 56, above the 50 of a pinned team."""
    state = TeamState(suppression=49.0, closing=True)
    start = settled(Condition(people=(FIT,) * 10), (FIT,) * 10, state)
    seconds = design().suppression.period_seconds
    after = run(Scripted("").dice, rules.pass_time, SQUAD, start, seconds)
    assert team_state(after.condition).suppression >= design().suppression.pinned
    assert after.effects & IMMOBILIZED
    assert after.effects & FIREPOWER_REDUCED


@pytest.mark.rule("F29")
def test_all_dead_is_destroyed(rules) -> None:
    dead = settled(Condition(), (DEAD,) * 10, TeamState())
    assert dead.destroyed
    assert standing(dead) == "destroyed"
    assert run(Scripted("").dice, rules.pass_time, SQUAD, dead, 100.0).condition.destroyed


@pytest.mark.rule("F24")
def test_two_shells_are_one_shell_and_then_another(rules, shot) -> None:
    one, two = (rules.plan(shot("us_75_m3/HE", range_m=400, rounds=n), GUN_CREW) for n in (1, 2))
    engine = Exact()
    chained: dict[Condition, float] = {}
    for first, p in distribution(rules, one, exact=engine).items():
        for second, q in distribution(rules, one, first.condition, exact=engine).items():
            chained[second.condition] = chained.get(second.condition, 0) + p * q
    both = distribution(rules, two, exact=engine).map(lambda o: o.condition)
    assert set(both) == set(chained)
    assert all(both[c] == pytest.approx(p, abs=1e-12) for c, p in chained.items())


@pytest.mark.rule("F24")
def test_what_does_not_suppress_is_not_covered(rules, shot, catalog) -> None:
    for weapon in ("kar98k", "us_bazooka_m1a1", "flamethrower"):
        with pytest.raises(NotCoveredError, match="F24"):
            covered_plan(rules, shot(weapon), SQUAD)
    assert rules.covers(shot("hand_grenade", delivery="thrown", range_m=20), SQUAD) is None


@pytest.mark.rule("F24")
def test_a_team_taken_over_from_another_ruleset_is_as_suppressed_as_it_looks(rules) -> None:
    people = (FIT,) * 10
    for facts, expected in (
        ({}, "steady"),
        ({"mobility": NONE}, "pinned"),
        ({"mobility": NONE, "firepower": NONE, "knocked_out": True}, "broken"),
    ):
        taken = rules.adopt(SQUAD, Condition(people=people, ruleset="other", detail=(1,), **facts))
        assert standing(taken) == expected
        assert taken.people == people


@pytest.mark.rule("F26", "F27")
def test_levels_are_ordered() -> None:
    numbers = design().suppression
    assert 0 < numbers.pinned < numbers.broken < 100
    assert numbers.leave_gun_crew_percent * 2 == numbers.leave_infantry_percent
    for a, b in product(range(0, 101, 5), repeat=2):
        if a <= b:
            assert fire_rate(under(a)) >= fire_rate(under(b))
    assert with_state(Condition(), TeamState()) == Condition()
