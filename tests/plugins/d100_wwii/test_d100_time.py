"""Time: fires round by round, trouble carried over, timers; and what people do about it."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from d100_wwii.actions import FireFighting, Repair, bail_out, put_out_fire, repair, repair_armor, take_wheel
from d100_wwii.options import Options
from d100_wwii.ruleset import D100Wwii
from d100_wwii.state import ENGINE, FIRE_DAMAGE, Detail, Fire, by_group
from mantlet import CatalogError, Condition, Exact, Scripted, Situation, UnknownNameError, UsageError, run
from mantlet.game.condition import FULL, NONE
from mantlet.game.effects import CREW_HIT, CREW_KILLED

KPH = 1.609344
MINOR = Fire("minor_fire")


def burning(kit: Any, target: str, fire: Fire, **changes: Any) -> Condition:
    condition: Condition = kit.with_detail(target, fire=fire, **changes)
    return condition


@pytest.mark.rule("A35")
def test_minor_fires_do_their_own_damage_less_armor(kit: Any) -> None:
    after, text = kit.wait("kubelwagen", burning(kit, "kubelwagen", MINOR), 1, [8])
    assert by_group(after.condition.detail.people) == ((7,), (7,), (7, 7))
    assert "the fire does 5" in text
    assert (after.wounded, after.killed) == (4, 0)
    shielded, told = kit.wait("pz4_h", burning(kit, "pz4_h", MINOR), 1, [8])
    assert shielded.wounded == 0
    assert "keeps the fire out" in told
    usual = kit.shoot("kar98k", "opel_blitz", [50, 14, 5, 35, 5, 18])
    assert usual.detail.fire.fixed == 0  # not the 14 of the shot: 1d6+2 a round, here 8 less 5
    assert by_group(kit.wait("opel_blitz", usual.outcome.condition, 1, [8])[0].condition.detail.people)[0] == (9,)
    attack = {"fire_damage": "attack"}
    shot = kit.shoot("kar98k", "opel_blitz", [50, 14, 5, 35, 5, 18], attack)
    assert shot.detail.fire.fixed == 14  # the attack's damage goes on every round
    assert by_group(kit.wait("opel_blitz", shot.outcome.condition, 1, [], attack)[0].condition.detail.people)[0] == (3,)


@pytest.mark.rule("A36")
def test_armor_shot_away_lets_the_fire_in(kit: Any) -> None:
    worn = burning(kit, "pz4_h", MINOR, armor=2)
    assert by_group(kit.wait("pz4_h", worn, 1, [8])[0].condition.detail.people)[0] == (6, 6, 6)
    assert kit.wait("pz4_h", worn, 1, [8], {"fire_armor": "original"})[0].wounded == 0


@pytest.mark.rule("A37", "A34")
def test_major_fires_know_no_armor_and_go_on(kit: Any) -> None:
    major = burning(kit, "pz4_h", Fire("major_engine_fire"))
    after = kit.wait("pz4_h", major, 2, [5, 5])[0]
    assert by_group(after.condition.detail.people)[0] == (2, 2, 2)
    assert kit.wait("pz4_h", major, 1, [5], {"major_fire_armor": True})[0].wounded == 0
    again = kit.wait("pz4_h", burning(kit, "pz4_h", MINOR), 1, [5, 8], {"fire_row_repeats": "table"})[0]
    assert again.condition.detail.fire.row == "major_engine_fire"


@pytest.mark.rule("A70", "R23")
@pytest.mark.parametrize(
    ("reading", "row", "next_round"), [("worst", "major_engine_fire", [3, 4, 10]), ("last", "minor_fire", [6, 10])]
)
def test_a_fire_that_is_rolled_again(kit: Any, reading: str, row: str, next_round: list[int]) -> None:
    # A bottle's fire through armor 5: its own damage (3), 5 to everyone, and the fire table again: a minor fire (3).
    option = {"fire_row_stays": reading, "fire_explosion_destroys": False}
    lit = kit.with_detail("opel_blitz", option, fire=Fire("major_engine_fire", "1d6", 9, 1, True))
    after = kit.wait("opel_blitz", lit, 1, [3, 5, 3], option)[0].condition
    assert after.detail.fire.row == row
    # The next round: 4 to everyone, or 6 less armor 5. What comes after that is an explosion (10), and stays.
    then = kit.wait("opel_blitz", after, 1, [*next_round, 3], option)[0].condition
    assert then.detail.fire.row == "explosion"
    assert by_group(then.detail.people)[0] == (12 - 5 - (4 if reading == "worst" else 1) - 3,)


@pytest.mark.rule("A38")
def test_an_explosion_destroys_and_concusses_once(kit: Any) -> None:
    shot = kit.shoot("kar98k", "opel_blitz", [50, 16, 5, 1, 10, 9])
    assert shot.outcome.condition.destroyed
    assert shot.people[0] == (3,)
    after = kit.wait("opel_blitz", shot.outcome.condition, 1, [8])[0]  # 1d6+2 for each round inside
    assert after.killed == 14
    lasting = kit.shoot("kar98k", "opel_blitz", [50, 16, 5, 1, 10, 9, 18], {"fire_explosion_destroys": False})
    assert not lasting.outcome.condition.destroyed
    assert lasting.outcome.condition.mobility == 2


@pytest.mark.rule("A33", "R23")
def test_incendiary_damage_adds_up_until_it_is_through(kit: Any) -> None:
    bottle = Fire("", "1d6", 10, 0, True)
    halftrack = burning(kit, "sdkfz_251", bottle)
    first, told = kit.wait("sdkfz_251", halftrack, 1, [5])
    assert (first.condition.detail.fire.total, first.condition.detail.fire.row) == (15, "")  # 15 does not beat 15
    assert "15 of fire damage so far against armor 15" in told
    second = kit.wait("sdkfz_251", halftrack, 2, [5, 1, 8])[0]
    assert second.condition.detail.fire.row == "major_engine_fire"
    third = kit.wait("sdkfz_251", halftrack, 3, [5, 1, 8, 1, 4, 9])[0]  # and again each round: fire, occupants, table
    assert third.wounded == 12
    never = kit.wait("sdkfz_251", halftrack, 3, [5, 6, 6], {"fire_against_armor": "each_round"})[0]
    assert never.condition.detail.fire.row == ""


@pytest.mark.rule("A14", "R19")
def test_without_a_driver_trouble_comes_next_round(kit: Any) -> None:
    shot = kit.shoot("kar98k", "kubelwagen", [50, 16, 70, 2, 51], target_speed_kph=40 * KPH)
    assert shot.detail.trouble_next == 10
    after, text = kit.wait("kubelwagen", shot.outcome.condition, 1, [3, 12])  # 3 + 10: a minor crash, 4d6
    assert "Vehicle trouble (d20), +10 on the die" in text
    assert (after.condition.detail.base_hp, after.condition.detail.speed) == (30 - 13 - 12, 0)
    saved = kit.wait("kubelwagen", shot.outcome.condition, 1, [1, 50, 15])[0]  # a fishtail, then the wheel is taken
    assert (saved.condition.detail.trouble_next, by_group(saved.condition.detail.people)[0]) == (0, (12,))


@pytest.mark.rule("A33")
def test_a_second_bottle_adds_to_the_first(kit: Any) -> None:
    first = kit.shoot("molotov", "sdkfz_251", [50, 9, 40], range_m=2.0)
    assert first.detail.fire.total == 9
    same = kit.shoot("molotov", "sdkfz_251", [50, 6, 40], condition=first.outcome.condition, range_m=2.0)
    assert (same.detail.fire.total, same.detail.fire.row) == (15, "")  # 15 does not beat 15
    more = kit.shoot("molotov", "sdkfz_251", [50, 7, 40, 3], condition=first.outcome.condition, range_m=2.0)
    assert more.detail.fire.row == "minor_fire"
    lone = {"fire_against_armor": "each_round"}
    assert (
        kit.shoot("molotov", "sdkfz_251", [50, 9, 40], lone, first.outcome.condition, range_m=2.0).detail.fire.row == ""
    )


@pytest.mark.rule("A14")
def test_trouble_comes_every_round_until_somebody_has_the_wheel(kit: Any) -> None:
    lone = kit.with_detail("kubelwagen", people=((0,), (0,), (12, 12)), speed=40, trouble_next=10)
    # 2 + 10: a fishtail; from the back seat at half DEX x 5, 26 misses. Next round the fishtail has to be caught, and
    # nobody drives: 1 + 10, another; then for the wheel again: 2 + 10, a third.
    after, text = kit.wait("kubelwagen", lone, 2, [2, 26, 1, 2, 26])
    assert text.count("Vehicle trouble (d20), +10 on the die") == 3
    assert after.condition.detail.trouble_next == 10


@pytest.mark.rule("A55")
def test_a_skid_hampers_next_round_and_a_fishtail_has_to_be_caught(kit: Any) -> None:
    skid = kit.with_detail("opel_blitz", drive_next=-15, speed=40)
    after = kit.wait("opel_blitz", skid, 1, [])[0].condition
    assert (after.detail.drive_now, after.detail.drive_next) == (-15, 0)
    shot = kit.shoot("kar98k", "opel_blitz", [50, 16, 50, 1, 21, 3], condition=after, target_speed_kph=40 * KPH)
    assert next(e.target for e in shot.entries if getattr(e, "reason", "") == "Drive Auto") == 50 - 15 - 15
    assert kit.wait("opel_blitz", after, 1, [])[0].condition.detail.drive_now == 0
    fishtail = kit.with_detail("opel_blitz", drive_next=-20, reroll=10, speed=40)
    assert kit.wait("opel_blitz", fishtail, 1, [30])[0].condition.mobility == 0
    assert kit.wait("opel_blitz", fishtail, 1, [31, 6, 10])[0].condition.detail.base_hp == 65  # 6 + 10: a crash


@pytest.mark.rule("R23", "A34")
def test_putting_out_a_fire_gets_harder(kit: Any, ruleset: Any) -> None:
    target = kit.find("pz4_h")
    condition = burning(kit, "pz4_h", MINOR._replace(rounds=2))

    def tries(roll: int, rules: Any = ruleset, **how: Any) -> bool:
        dice = Scripted([roll])
        return not put_out_fire(dice.dice, rules, target, condition, FireFighting(**how)).condition.on_fire

    assert (tries(30), tries(31)) == (True, False)  # Luck 50, 10 less for each of two rounds
    assert (tries(80, extinguisher=True), tries(81, extinguisher=True)) == (True, False)
    mechanic = D100Wwii.with_options({"extinguish": "mechanical_repair", "repair_skill_percent": 70})
    assert (tries(50, mechanic), tries(51, mechanic)) == (True, False)
    assert tries(20, skill_percent=40)
    out = put_out_fire(Scripted([]).dice, ruleset, target, ruleset.fresh(target))
    assert out.condition == ruleset.fresh(target)


@pytest.mark.rule("R19", "A65")
@pytest.mark.parametrize("what", ["armor", "engine", "fire_damage", "front_tire"])
def test_nothing_is_repaired_while_it_burns(kit: Any, ruleset: Any, what: str) -> None:
    target = kit.find("opel_blitz")
    pools = {"engine": 0, "front_tire": 0}
    fire = MINOR._replace(row="minor_engine_fire")
    alight = burning(kit, target, fire, pools=pools, flags=ENGINE | FIRE_DAMAGE, armor=1)

    def tries(condition: Condition, script: list[int]) -> Any:
        dice = Scripted(script)
        if what == "armor":
            done = repair_armor(dice.dice, ruleset, target, condition)
        else:
            done = repair(dice.dice, ruleset, target, condition, Repair(what))
        dice.finish()
        return done

    assert tries(alight, []).detail == "it burns"
    assert tries(alight, []).condition.detail == alight.detail
    out = kit.with_detail(target, pools=pools, flags=ENGINE | FIRE_DAMAGE, armor=1)
    assert "again" in tries(out, [50]).detail or "repaired" in tries(out, [50]).detail


@pytest.mark.rule("R19")
@pytest.mark.parametrize(("rolled", "mends"), [(6, True), (7, True), (8, False), (9, False), (10, False)])
def test_a_repair_mends_a_minor_engine_fire_alone(kit: Any, ruleset: Any, rolled: int, mends: bool) -> None:
    # The fire table says "until a successful Mechanical Repair roll" of rows 6-7; of 8-9 it says "inoperable".
    lasting = {"fire_explosion_destroys": False}
    blast = [3] if rolled == 10 else []
    lit = kit.shoot("molotov", "opel_blitz", [50, 8, 2, 40, rolled, *blast], lasting, range_m=2.0).outcome.condition
    assert lit.mobility == NONE
    target = kit.find("opel_blitz")
    out = put_out_fire(Scripted([1]).dice, ruleset, target, lit).condition
    assert not out.on_fire
    dice = Scripted([50] if mends else [])
    after = repair(dice.dice, ruleset, target, out, Repair("fire_damage"))
    dice.finish()
    assert (after.condition.mobility == NONE) is not mends
    assert after.detail == ("fire damage repaired" if mends else "beyond repair")


@pytest.mark.rule("R23")
def test_the_luckiest_who_can_act_fights_the_fire(kit: Any, ruleset: Any) -> None:
    names = (("Ann", 12, 10, 9, 50), ("Bob", 12, 10, 15, 50), ("Cid", 12, 10, 11, 50), ("Dee", 12, 10, 7, 50))
    car = kit.vehicle_with("kubelwagen", id="four", aliases=("kubelwagen",), stats={"people": kit.people(*names)})

    def needs(who: str | None = None, **changes: Any) -> float:
        dice = Scripted([100])
        put_out_fire(dice.dice, ruleset, car, burning(kit, car, MINOR, **changes), FireFighting(who=who))
        return float(dice.account.rolls[0].target or 0)

    assert (needs(), needs("dee")) == (75, 35)
    out_cold = ((12,), (2,), (12,), (12,))
    assert needs(people=out_cold) == 55
    with pytest.raises(UnknownNameError, match="No person who can act is called 'Bob'"):
        needs("Bob", people=out_cold)
    with pytest.raises(UsageError, match="R23: it takes an occupant"):
        needs(people=((0,), (2,), (-1,), (1,)))


@pytest.mark.rule("R23")
def test_everybody_tries_once_a_round(kit: Any, ruleset: Any) -> None:
    # A Kubelwagen's four, all of Luck 50; each tries once, and in the next round they may again, 10 harder.
    target = kit.find("kubelwagen")
    now = burning(kit, target, MINOR)

    def tries(roll: int, who: str | None = None) -> Condition:
        dice = Scripted([roll])
        after: Condition = put_out_fire(dice.dice, ruleset, target, now, FireFighting(who=who)).condition
        return ruleset.adopt(target, after)

    now = tries(51, "driver")
    with pytest.raises(UsageError, match="R23: driver has tried this round; let the round pass with mantlet time"):
        tries(50, "driver")
    for _ in range(3):  # the front passenger and two behind
        now = tries(51)
    with pytest.raises(UsageError, match="R23: everyone who can act has tried this round"):
        tries(50)
    now = run(Scripted([3]).dice, ruleset.pass_time, target, now, 3.0).condition
    assert not tries(40, "driver").on_fire
    now = tries(41, "driver")
    assert not tries(40, "front passenger").on_fire


@pytest.mark.rule("A56", "A14")
def test_at_rest_the_wheel_is_taken_without_a_roll(kit: Any, ruleset: Any) -> None:
    target = kit.find("kubelwagen")
    dead = kit.with_detail(target, people=((0,), (12,), (12, 12)))
    at_rest = take_wheel(Scripted([]).dice, ruleset, target, dead)
    assert at_rest.detail == "front passenger has the wheel"
    assert (at_rest.wounded, at_rest.killed) == (0, 0)
    # It drives off, a round passes, and there is nothing to scramble for.
    off = ruleset.put_into(target, at_rest.condition, Situation(target_speed_kph=64.4))
    assert kit.wait(target, off, 1, [])[0].condition.mobility == FULL
    chosen = take_wheel(Scripted([]).dice, ruleset, target, ruleset.fresh(target), who="occupant")
    assert chosen.condition.detail.seating == (2, 1, 0, 3)
    again = take_wheel(Scripted([]).dice, ruleset, target, chosen.condition, who="driver")  # back to his own seat
    assert again.condition.detail.seating == (0, 1, 2, 3)
    assert take_wheel(Scripted([]).dice, ruleset, target, ruleset.fresh(target)).condition == ruleset.fresh(target)
    with pytest.raises(UsageError, match="A14: kubelwagen moves"):
        take_wheel(Scripted([]).dice, ruleset, target, dead._replace(detail=dead.detail._replace(speed=40)))
    with pytest.raises(UsageError, match="A56: nobody else aboard kubelwagen can take the wheel"):
        take_wheel(Scripted([]).dice, ruleset, target, kit.with_detail(target, people=((0,), (2,), (0, -1))))
    with pytest.raises(UnknownNameError, match="No person who can act is called 'Ann'"):
        take_wheel(Scripted([]).dice, ruleset, target, dead, who="Ann")


@pytest.mark.rule("A38")
def test_those_who_leave_burn_no_more(kit: Any, ruleset: Any) -> None:
    target = kit.find("pz4_h")
    out = bail_out(Scripted([]).dice, ruleset, target, burning(kit, "pz4_h", Fire("explosion")))
    left = out.condition
    assert (out.wounded, out.killed, out.effects & (CREW_HIT | CREW_KILLED)) == (0, 0, 0)
    assert set(left.people) == {4}
    assert left.knocked_out
    assert kit.wait("pz4_h", left, 3, [])[0].killed == 0


def test_time_stops_when_nothing_is_pending(kit: Any, ruleset: Any) -> None:
    target = kit.find("pz4_h")
    fresh = ruleset.fresh(target)
    assert kit.wait("pz4_h", fresh, 100, [])[0].condition == fresh
    assert run(Scripted([]).dice, ruleset.pass_time, target, burning(kit, "pz4_h", MINOR), 2.9).killed == 0
    twelve = D100Wwii.with_options({"round_seconds": 12})
    assert run(Scripted([5]).dice, twelve.pass_time, target, burning(kit, "pz4_h", MINOR), 12.0).killed == 0


@pytest.mark.parametrize(
    ("spans", "rounds"),
    [([2, 2], 1), ([2, 1], 1), ([2.9], 0), ([1] * 6, 2), ([0.1] * 30, 1), ([4, 4, 4], 4), ([6, 5, 1], 4)],
)
def test_a_round_that_has_begun_is_carried(kit: Any, ruleset: Any, spans: list[float], rounds: int) -> None:
    # A round is 3 seconds, and each round the fire throws once: 3 does nothing against the armor of a Panzer IV.
    target = kit.find("pz4_h")
    now = burning(kit, target, MINOR)
    dice = Scripted([3] * rounds)
    for seconds in spans:
        now = run(dice.dice, ruleset.pass_time, target, now, float(seconds)).condition
        now = now._replace(detail=ruleset.load_detail(json.loads(json.dumps(ruleset.dump_detail(now.detail)))))
    dice.finish()
    assert now.detail.fire.rounds == rounds
    assert now.detail.begun_s == pytest.approx(sum(spans) - 3 * rounds)


def test_where_nothing_is_to_come_no_round_begins(kit: Any, ruleset: Any) -> None:
    target = kit.find("pz4_h")
    fresh = ruleset.fresh(target)
    assert run(Scripted([]).dice, ruleset.pass_time, target, fresh, 2.0).condition == fresh
    half = run(Scripted([]).dice, ruleset.pass_time, target, burning(kit, target, MINOR), 2.0)
    assert half.detail == "2 of the 3 seconds of a round have passed"
    twelve: Any = D100Wwii.with_options({"round_seconds": 12})
    assert run(Scripted([]).dice, twelve.pass_time, target, half.condition, 9.9).condition.detail.begun_s == 11.9
    out = half.condition._replace(on_fire=False, detail=half.condition.detail._replace(fire=None))
    assert run(Scripted([]).dice, ruleset.pass_time, target, out, 2.0).condition.detail.begun_s == 0


def test_a_minute_of_fire_has_exact_odds(kit: Any, ruleset: Any) -> None:
    target = kit.find("kubelwagen")
    after = Exact().distribution(ruleset.pass_time, target, burning(kit, "kubelwagen", MINOR), 60.0)
    assert after.total() == pytest.approx(1, abs=1e-12)
    # Each round 1d6+2 less 3: 0 to 5 points; 12 hit points are gone within 20 rounds but for a thin tail.
    ways = {12: 1.0}
    for _ in range(20):
        upcoming: dict[int, float] = {}
        for hp, p in ways.items():
            for face in range(1, 7):
                left = max(0, hp - max(0, face + 2 - 3)) if hp else 0
                upcoming[left] = upcoming.get(left, 0) + p / 6
        ways = upcoming
    assert after.probability(lambda p: p.killed == 4) == pytest.approx(ways[0], abs=1e-12)


def test_a_condition_survives_being_saved(kit: Any, ruleset: Any) -> None:
    detail = kit.with_detail(
        "kubelwagen",
        fire=Fire("", "1d6", 9, 2, True),
        stop_in=4,
        move=0.375,
        trouble_next=10,
        seating=(1, 0, 2, 3),
        dark=True,
        begun_s=1.5,
        tried=(3,),
    ).detail
    assert ruleset.load_detail(json.loads(json.dumps(ruleset.dump_detail(detail)))) == detail
    assert set(ruleset.dump_detail(detail)) == set(Detail._fields)
    assert ruleset.load_detail(ruleset.dump_detail(None)) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("armor", 1e308),
        ("armor", "7"),
        ("armor", True),
        ("base_hp", 10**30),
        ("move", 2),
        ("pools", [None]),
        ("fire", 3),
        ("begun_s", -1),
        ("begun_s", "2"),
    ],
)
def test_a_saved_detail_is_read_with_care(kit: Any, ruleset: Any, key: str, value: Any) -> None:
    saved = ruleset.dump_detail(kit.with_detail("kubelwagen").detail)
    assert ruleset.load_detail(saved)
    with pytest.raises((TypeError, ValueError)):
        ruleset.load_detail({**saved, key: value})


def test_another_rulesets_facts_are_taken_over(kit: Any, ruleset: Any) -> None:
    target = kit.find("m4a1_75_dry")
    foreign = Condition(2, 2, True, True, False, (3, 2, 1, 4, 0), "other", ("anything",))
    known = ruleset.adopt(target, foreign)
    assert known.people == foreign.people
    assert by_group(known.detail.people) == ((0, 2, 6), (-1,), (12,))
    assert known.detail.fire.row == "minor_fire"
    assert ruleset.adopt(target, known) is known
    hit = kit.shoot("de_75_pak40", target, [50, 40, 90], condition=foreign, range_m=500.0)
    assert (hit.outcome.condition.mobility, hit.outcome.condition.firepower) == (2, 2)


def test_every_option_is_typed_and_refuses_nonsense() -> None:
    for option in fields(Options):
        if option.type == "bool" or str(option.type).startswith("Literal"):
            with pytest.raises(Exception, match=option.name):
                D100Wwii.with_options({option.name: "nonsense"})
    for name, value in (("kph_per_move", 0), ("person_hp", 0), ("shooter_dex", -1), ("ram_skill_percent", 10**9)):
        with pytest.raises(CatalogError, match=f"{name} has to be"):
            D100Wwii.with_options({name: value})
    with pytest.raises(Exception, match="Did you mean ap_armor_loss"):
        D100Wwii.with_options({"ap_armour_loss": "one"})


@pytest.mark.rule("R23", "A33", "A62")
def test_the_account_says_no_number_that_is_not_so(kit: Any) -> None:
    # 8 through armor 3, headlamps, Luck made, a minor fire. The total is not kept beyond what it takes.
    lit = kit.shoot("molotov", "kubelwagen", [50, 8, 2, 40, 3], range_m=2.0)
    assert "8 of fire damage so far against armor 3" in lit.text
    passage, told = kit.wait("kubelwagen", lit.outcome.condition, 1, [6, 9])
    assert "all fire damage so far is more than armor 3" in told
    assert passage.condition.people == (1, 1, 1, 1)  # 6 - 3 off 12 each: wounded
    # A called shot at an exposed rider: 14 - 0 to him, 14 - 2 off Base HP 30; 3 + 10 on the trouble table is a minor
    # crash at MOVE 30, 11 more.
    crash = kit.shoot("kar98k", "bmw_r75_sidecar", [5, 14, 3, 11], aim="driver", target_speed_kph=48.28)
    assert crash.outcome.damage == 12 + 11
    assert "Base HP falls from 30 to 18" in crash.text
    assert "collision: Base HP loses 11, everyone aboard takes 6" in crash.text
