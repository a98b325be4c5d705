"""The attack roll, armor and wounding, health: the rules around the hit location tables."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gurps_vehicle.armor import (
    Injury,
    Matter,
    ablation,
    average_dr,
    cover_dr,
    damage_of,
    effective_dr,
    hardened,
    location_injury,
    matter_factor,
)
from gurps_vehicle.attack_roll import (
    attack_check,
    chance,
    hits_of,
    is_critical_miss,
    range_penalty,
    rapid_fire_bonus,
    size_modifier,
    skill_from_percent,
)
from gurps_vehicle.flags import BLIND
from gurps_vehicle.health import crossings
from gurps_vehicle.stats import Layer
from gurps_vehicle.tables import critical_table

WAYS = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=3))


def test_criticals_of_the_attack_roll() -> None:
    def grades(skill: int) -> dict[int, Any]:
        check = attack_check(skill, 1, 1)
        assert check is not None
        return {roll: next(v for top, v in check.grades if roll <= top) for roll in range(3, 19)}

    def critical(skill: int) -> list[int]:
        return [roll for roll, v in grades(skill).items() if v.hits and v.critical]

    assert critical(10) == [3, 4]
    assert critical(3) == [3, 4]
    assert critical(15) == [3, 4, 5]
    assert critical(16) == [3, 4, 5, 6]
    assert not grades(18)[17].hits
    assert [r for r, v in grades(15).items() if not v.hits and v.critical] == [17, 18]
    assert [r for r, v in grades(16).items() if not v.hits and v.critical] == [18]
    assert [r for r, v in grades(5).items() if not v.hits and v.critical] == [15, 16, 17, 18]
    assert attack_check(2, 1, 1) is None
    assert is_critical_miss(14, 4)
    assert not is_critical_miss(13, 4)


@pytest.mark.parametrize("skill", range(3, 20))
def test_the_exact_chance_of_a_hit(skill: int) -> None:
    hits = sum(n for roll, n in WAYS.items() if roll <= 4 or (roll <= skill and roll <= 16))
    assert chance(skill) == Fraction(hits, 216)


@pytest.mark.parametrize(
    ("percent", "skill"), [(50, 10), (0.5, 3), (25.9, 8), (62.5, 11), (74, 12), (90.7, 14), (100, 16)]
)
def test_percent_becomes_the_skill_of_nearest_chance(percent: float, skill: int) -> None:
    assert skill_from_percent(percent) == skill


@given(st.floats(0, 100))
def test_no_other_skill_is_nearer(percent: float) -> None:
    mine = abs(float(chance(skill_from_percent(percent))) - percent / 100)
    assert all(mine <= abs(float(chance(s)) - percent / 100) + 1e-12 for s in range(3, 17))


@pytest.mark.parametrize(
    ("yards", "sm"),
    [(1, -2), (1.5, -1), (2, 0), (2.1, 1), (3, 1), (5, 2), (7, 3), (8.6, 4), (10, 4), (15, 5), (100, 10)],
)
def test_size_and_range_share_a_ladder(yards: float, sm: int) -> None:
    assert size_modifier(yards) == sm
    assert range_penalty(yards) == min(0, -sm)


def test_speed_counts_with_range() -> None:
    assert range_penalty(50, 20) == -9
    assert range_penalty(50) == -8


@pytest.mark.parametrize(
    ("shots", "bonus"),
    [(1, 0), (4, 0), (5, 1), (10, 2), (16, 3), (24, 4), (25, 5), (99, 6), (199, 7), (399, 8), (400, 9), (800, 10)],
)
def test_rapid_fire_bonus(shots: int, bonus: int) -> None:
    assert rapid_fire_bonus(shots) == bonus


def test_rounds_that_strike() -> None:
    assert [hits_of(10, margin, 2) for margin in range(8)] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert hits_of(3, 12, 1) == 3


def test_ranges_of_a_stat_block(shooting: Any) -> None:
    near = shooting.attack("4d", range_m=90.0, given_hit=False, stats={"half_damage_yd": 100, "max_range_yd": 500})
    half = shooting.attack("4d", range_m=100.0, given_hit=False, stats={"half_damage_yd": 100, "max_range_yd": 500})
    far = shooting.attack("4d", range_m=500.0, given_hit=False, stats={"half_damage_yd": 100, "max_range_yd": 500})
    plans = [shooting.rules().plan(attack, shooting.vehicle()) for attack in (near, half, far)]
    assert [str(plan.shot.dice) for plan in plans] == ["4d6", "2d6", "2d6"]
    assert shooting.rules().covers(far, shooting.vehicle()) == (
        "REACH: test reaches 500 yd (its stat block), and the range is 546.8 yd."
    )


def test_several_rounds_each_have_their_own_place(shooting: Any) -> None:
    attack = shooting.attack("1d", given_hit=False, rounds=10, skills={"gurps_vehicle": 12})
    outcome, _ = shooting.script("8,15,1,10,2,10,5,16,6,9,6", attack, shooting.vehicle(locations="4W", tires=False))
    # Skill 12, size +3, 10 rounds +2: 17, made by 9, so at Rcl 2 five rounds strike: three the body, two wheels.
    assert outcome.hits == 5
    assert {location.path for location in outcome.locations} == {"body", "wheel"}
    assert outcome.damage == 0 + 0 + 1 + 1 + 1


def test_hardened_armor() -> None:
    assert [hardened(d, 1) for d in (100, 10, 5, 3, 2, 1)] == [10, 5, 3, 2, 1, 1]
    assert hardened(10, 2) == 3
    assert (hardened(50, 1), hardened(100, 1), hardened(200, 1)) == (5, 10, 10)
    assert hardened(2, 5) == 1
    assert hardened(0.5, 3) == 0.5


def test_armor_divisors() -> None:
    plain = (Layer(dr=25),)
    assert effective_dr(plain, 1) == 25
    assert effective_dr(plain, 2) == 12
    assert effective_dr(plain, 0.5) == 50
    assert effective_dr((Layer(dr=0),), 0.5) == 2
    assert effective_dr((Layer(dr=0),), 0.2) == 5
    assert effective_dr((Layer(dr=25, hardened=1),), 2) == 25


def test_layered_armor_per_layer_or_with_the_best_for_all() -> None:
    layers = (Layer(dr=30, hardened=1), Layer(dr=25))
    assert effective_dr(layers, 3) == int(Fraction(30, 2) + Fraction(25, 3))
    assert effective_dr(layers, 3, best_for_all=True) == 55 // 2


def test_layers_and_damage_kinds_in_a_stat_block(shooting: Any) -> None:
    layered = shooting.vehicle(layers={"front": [{"dr": 30, "hardened": 1}, {"dr": 25}]})
    plan = shooting.rules().plan(shooting.attack(divisor=3), layered)
    assert plan.body.dr == 23
    plan = shooting.rules(hardened="best for all").plan(shooting.attack(divisor=3), layered)
    assert plan.body.dr == 27
    kinds = shooting.vehicle(dr={"front": 10}, dr_against={"burn": {"front": 3}}, dr_times={"shaped": 1.5})
    assert shooting.rules().plan(shooting.attack(kind="burn"), kinds).body.dr == 3
    assert shooting.rules().plan(shooting.attack(kind="pi"), kinds).body.dr == 10
    heat = shooting.attack(kind="cr", stats={"shaped": True})
    assert shooting.rules().plan(heat, kinds).body.dr == 15


def test_ablative_armor(shooting: Any) -> None:
    assert ablation("ablative", 13) == 13
    assert ablation("semi-ablative", 29) == 2
    assert ablation("", 29) == 0
    target = shooting.vehicle(ablative="ablative", dr={"other": 10}, powered=False)
    outcome, _ = shooting.script("10,4", shooting.attack("1d"), target)
    assert outcome.condition.detail.ablated == (("other", 4),)
    rules = shooting.rules()
    from mantlet import Scripted, run

    source = Scripted("10,12")
    after = run(source.dice, rules.resolve, rules.plan(shooting.attack("2d", "cr"), target), outcome.condition)
    assert after.damage == 12 - (10 - 4)


def test_minimum_damage(shooting: Any) -> None:
    assert (damage_of("cr", -2), damage_of("pi", -2)) == (0, 1)
    bare = shooting.vehicle(dr={"other": 0})
    assert shooting.script("10,-3", shooting.attack("1d-4", "cut"), bare)[0].damage == 1
    assert shooting.script("10,-3", shooting.attack("1d-4", "cr"), bare)[0].damage == 0


@pytest.mark.rule("G24")
def test_matter() -> None:
    table = {
        "living": {
            "pi-": "1/2",
            "pi": "1",
            "pi+": "3/2",
            "pi++": "2",
            "imp": "2",
            "cut": "3/2",
            "cr": "1",
            "burn": "1",
        },
        "unliving": {
            "pi-": "1/5",
            "pi": "1/3",
            "pi+": "1/2",
            "pi++": "1",
            "imp": "1",
            "cut": "3/2",
            "cr": "1",
            "burn": "1",
        },
        "homogenous": {"pi-": "1/10", "pi": "1/5", "pi+": "1/3", "pi++": "1/2", "imp": "1/2", "cut": "3/2", "cr": "1"},
    }
    for tissue, kinds in table.items():
        for kind, factor in kinds.items():
            assert matter_factor(kind, tissue) == Fraction(factor)
    assert location_injury("pi", "torso", Matter(60, "unliving")).of(12) == 4
    assert location_injury("pi", "torso", Matter(60, "unliving")).of(1) == 1
    assert matter_factor("pi", "unliving", 9, large=True) == Fraction(1, 20)
    assert matter_factor("pi", "homogenous", 9, large=True) == Fraction(1, 50)
    assert location_injury("pi", "torso", Matter(10, "diffuse")).of(30) == 1
    assert location_injury("cr", "torso", Matter(10, "diffuse")).of(30) == 2


@pytest.mark.rule("G24")
def test_powered_vehicles_are_unliving_and_others_homogenous(shooting: Any) -> None:
    powered, _ = shooting.script("10,12", shooting.attack("2d"), shooting.vehicle(dr={"other": 0}))
    wagon, _ = shooting.script("10,12", shooting.attack("2d"), shooting.vehicle(dr={"other": 0}, powered=False))
    assert (powered.damage, wagon.damage) == (4, 2)


def test_locations_of_the_body_and_their_wounds() -> None:
    def injury(kind: str, place: str, through: int = 10) -> int:
        return location_injury(kind, place, Matter(20)).of(through)

    assert injury("cut", "skull") == 40
    assert injury("tox", "skull") == 10
    assert injury("pi", "vitals") == 30
    assert injury("tight-beam burn", "vitals") == 20
    assert injury("burn", "vitals") == 10
    assert injury("cut", "neck") == 20
    assert injury("cr", "neck") == 15
    assert injury("imp", "limb") == 10
    assert injury("pi++", "extremity") == 10
    assert injury("cut", "limb") == 15
    limb = location_injury("cut", "limb", Matter(20))
    assert not limb.cripples(10)
    assert limb.cripples(11)
    assert limb.kept(30) == 11
    hand = location_injury("cut", "extremity", Matter(10))
    assert not hand.cripples(3)
    assert hand.cripples(4)
    assert location_injury("imp", "eye", Matter(20)).cripples(3)


@pytest.mark.rule("G16", "G19")
def test_what_cripples_is_also_all_that_the_whole_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the threshold itself were enough, 10 of 20 HP would cripple a limb, and the excess would begin there."""
    limb = location_injury("cut", "limb", Matter(20))
    monkeypatch.setattr(Injury, "enough", property(lambda injury: injury.limit))
    assert [limb.cripples(n) for n in (9, 10)] == [False, True]
    assert [limb.kept(n) for n in (9, 10, 30)] == [9, 10, 10]


@pytest.mark.parametrize(("turns", "bonus"), [(0, 0), (1, 5), (2, 6), (3, 7)])
def test_turns_of_aim(shooting: Any, turns: int, bonus: int) -> None:
    attack = shooting.attack(given_hit=False, skills={"gurps_vehicle": 10}, stats={"acc": 5})
    plan = shooting.rules(aim_turns=turns).plan(attack, shooting.vehicle(sm=0))
    assert plan.check.target == 10 + bonus


def test_what_makes_it_harder_to_hit(shooting: Any) -> None:
    def target(**fields: Any) -> int:
        attack = shooting.attack(given_hit=False, skills={"gurps_vehicle": 20}, stats={"acc": 5}, **fields)
        effective: int = shooting.rules().plan(attack, shooting.vehicle(sm=0)).check.target
        return effective

    assert target() == 25
    assert target(dark=True) == 20
    assert target(shooter_speed_kph=20.0) == 18  # no aim, -2
    assert target(range_m=100.0) == 25 - 11  # 109 yd
    # 54.7 yd and 40 km/h (12.2 yd/s) are 66.8: -9, where the range alone is -9 as well; 60 km/h makes 72.9: -10.
    assert [target(range_m=50.0, target_speed_kph=v) for v in (0.0, 40.0, 60.0)] == [16, 16, 15]


def test_limbs_of_many(shooting: Any) -> None:
    spider = shooting.creature("arachnoid", hp=24, ht=10)
    for many, crippled in ((True, ("leg 1",)), (False, ())):
        rolls = "7,1,4,10" if many else "7,1,4"
        outcome, _ = shooting.script(rolls, shooting.attack(), spider, many_limbs=many)  # 24 HP / 8 legs is 3
        assert outcome.condition.detail.crippled == crippled
    crab = location_injury("pi", "extremity", Matter(24, limbs=8))  # 24 / 12
    assert not crab.cripples(2)
    assert crab.cripples(3)


def test_very_large_things_are_hurt_less(shooting: Any) -> None:
    ship = shooting.vehicle(dr={"other": 0}, sm=9, hp=500)
    for large, injury in ((False, 12), (True, 1)):
        outcome, _ = shooting.script("10,36", shooting.attack("6d"), ship, large_targets=large)  # 1/3, or 1/20
        assert outcome.damage == injury


def test_an_eye_is_blinded_and_stops_nothing(shooting: Any) -> None:
    outcome, _ = shooting.script("4,10", shooting.attack("1d", aim="eye"), shooting.creature("humanoid"))
    assert outcome.damage == 16  # 4 x 4, though 3 points blind an eye of 20 HP
    assert outcome.condition.detail.lost == 16
    assert outcome.condition.detail.flags & BLIND


def test_a_miss_by_one_at_a_small_place_strikes_the_torso(shooting: Any) -> None:
    man = shooting.creature("humanoid")

    def at(aim: str, rolls: str, skill: int = 14, rounds: int = 1) -> Any:
        attack = shooting.attack("1d", aim=aim, given_hit=False, skills={"gurps_vehicle": skill}, rounds=rounds)
        outcome = shooting.script(rolls, attack, man)[0]
        return outcome.hits, [place.path for place in outcome.locations], outcome.damage

    assert at("neck", "10,2") == (1, ["torso"], 2)  # 14 - 5 is 9
    assert at("neck", "9,2") == (1, ["neck"], 2)
    assert at("neck", "11") == (0, [], 0)
    assert at("vitals", "12,2") == (1, ["torso"], 2)
    assert at("right arm", "13") == (0, [], 0)  # a limb is no small place
    assert at("neck", "17,2", 21) == (1, ["torso"], 2)  # 16
    assert at("neck", "17", 20) == (0, [], 0)  # 15: a critical miss


def test_hp_thresholds() -> None:
    assert crossings(0, 19, 10) == 0
    assert crossings(0, 20, 10) == 1
    assert crossings(0, 59, 10) == 4
    assert crossings(25, 29, 10) == 0
    assert crossings(25, 30, 10) == 1


def test_thresholds_in_an_attack(shooting: Any) -> None:
    wagon = shooting.vehicle(hp=10, dr={"other": 0}, powered=False)

    def end(damage: str, rolls: str) -> Any:
        return shooting.script(f"10,{damage}{rolls}", shooting.attack("1dx10", "cr"), wagon)[0].condition

    assert end("10", ",10").knocked_out is False  # 0 HP, HT made
    assert end("10", ",11").knocked_out is True  # 0 HP, HT failed
    assert end("20", ",10,10").knocked_out is False
    dying = end("20", ",12")  # -HP, missed by 2
    assert (dying.knocked_out, dying.destroyed) == (True, False)
    assert end("20", ",13").destroyed
    assert end("30", ",10,13").destroyed  # two multiples, two rolls
    assert end("60", "").destroyed  # -5 x HP: no roll


def test_shock_and_knockdown(shooting: Any) -> None:
    horse = shooting.creature("quadruped")
    outcome, _ = shooting.script("10,6", shooting.attack("1d", "cr"), horse)
    assert (outcome.detail.shock, outcome.detail.stunned) == (4, False)
    outcome, _ = shooting.script("10,12,12", shooting.attack("2d", "cr"), horse)
    assert outcome.detail.stunned
    outcome, _ = shooting.script("10,12,15", shooting.attack("2d", "cr"), horse)
    assert outcome.condition.knocked_out


@pytest.mark.parametrize(
    ("name", "effects"),
    [
        (
            "critical_hit",
            ["triple damage", "half DR", "double damage", "maximum damage", "major wound", "double shock", "normal",
             "normal",
             "normal", "drops what is held", "major wound", "major wound", "maximum damage", "double damage", "half DR",
             "triple damage"],
        ),
        (
            "critical_head_blow",
            ["maximum damage, no DR", "half DR rounded up, major wound", "half DR rounded up, major wound",
             "as an eye hit",
             "as an eye hit", "off balance", "normal", "normal", "normal", "deafened or scarred", "deafened or scarred",
             "drops what is held", "maximum damage", "double damage", "half DR rounded up", "triple damage"],
        ),
    ],
)  # fmt: skip
def test_critical_tables(name: str, effects: list[str]) -> None:
    table = critical_table(name)
    assert [table.row_for(total).value for total in range(3, 19)] == effects
    assert sum(table.probabilities()) == 1


def test_criticals_in_an_attack(shooting: Any) -> None:
    car = shooting.vehicle(dr={"other": 5})

    def damage(critical: str, roll: str = ",6") -> int:
        attack = shooting.attack("1d+9", "cr", given_hit=False, skills={"gurps_vehicle": 10})
        outcome, _ = shooting.script(f"3,10,{critical}{roll}", attack, car, criticals=True)
        return outcome.damage

    def attack_of(total: str) -> str:
        return "," + total

    assert damage("10", attack_of("12")) == 7
    assert damage("5", attack_of("12")) == 19
    assert damage("4", attack_of("12")) == 10
    assert damage("6", "") == 10


@pytest.mark.rule("G26")
def test_cover_and_areas() -> None:
    assert average_dr(10, 3) == 7
    assert cover_dr("living", 8, 12, 2) == 14  # the printed example: 20 damage at a divisor of 2
    assert cover_dr("unliving", 8, 12) == 14
    assert cover_dr("homogenous", 8, 12) == 11


def test_overpenetration_goes_on_into_the_vehicle(shooting: Any) -> None:
    bike = shooting.vehicle(1, True, "saddle", locations="E", dr={"other": 2}, person_hp=10)
    shot = shooting.attack("4d", "pi")
    inside, _ = shooting.script("9,24,10,10,10,10", shot, bike, overpenetration=True)
    assert inside.damage == (24 - 10 - 2) // 3
    kept, _ = shooting.script("9,10,4", shot, bike)
    assert kept.damage == 0


@pytest.mark.rule("G26")
def test_a_flame_takes_hold_of_a_whole_creature(shooting: Any) -> None:
    beast = shooting.creature("humanoid", creature_dr={"torso": 8, "skull": 4})
    flame = shooting.attack("3d", "burn", stats={"large_area": True})
    outcome, _ = shooting.script("12", flame, beast)  # torso 8, skull 4 + 2: DR 7
    assert outcome.damage == 5


def test_explosions_by_distance(shooting: Any) -> None:
    wagon = shooting.vehicle(dr={"other": 2}, powered=False)
    shell = shooting.attack("6dx4", "cr", stats={"explosive": True}, miss_distance_m=3 * 0.9144)
    outcome, _ = shooting.script("84", shell, wagon)
    assert outcome.damage == 84 // 9 - 2
    assert outcome.condition.detail.lost == 7
    heat = shooting.attack("6dx4", "cr", 10, stats={"explosive": True}, miss_distance_m=3 * 0.9144)
    outcome, _ = shooting.script("84", heat, wagon)
    assert outcome.damage == 84 // 9 - 2  # the divisor is for what it strikes
    beast = shooting.creature("humanoid", creature_dr={"torso": 8, "skull": 1})
    outcome, _ = shooting.script("84", heat, beast)  # mean of torso 8 and skull 1 + 2, rounded up, is 6
    assert outcome.damage == 84 // 9 - 6
    assert [place.path for place in outcome.locations] == ["torso"]


@given(st.integers(0, 60), st.integers(1, 40))
def test_more_damage_is_never_less_injury(through: int, hp: int) -> None:
    for kind in ("pi-", "pi", "cut", "imp"):
        for place in ("torso", "limb", "skull"):
            rule = location_injury(kind, place, Matter(hp))
            assert rule.of(through) <= rule.of(through + 1)
            assert rule.kept(rule.of(through)) <= rule.of(through)
