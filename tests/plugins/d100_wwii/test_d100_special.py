"""Charges, sticky grenades, grenades inside, fire bottles and jets, and ramming."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from d100_wwii.ruleset import D100Wwii
from d100_wwii.state import by_group
from mantlet import Scripted, effects, run

KPH = 1.609344
CLOSE = {"range_m": 3.0}
UNDER = {"delivery": "placed_under"}
TREADS = {"delivery": "placed_in_running_gear"}
MOVING = {"target_speed_kph": 20 * KPH}


@pytest.mark.rule("R20", "A27", "A28")
def test_a_satchel_charge_under_the_vehicle_meets_half_the_armor(kit: Any) -> None:
    shot = kit.shoot("satchel_charge", "m4a1_75_dry", [50, 35, 90], **CLOSE, **UNDER)
    assert "18 - armor 17 = 1 through" in shot.text  # 35 halved, against 33 halved, both rounded up
    assert (shot.detail.armor, shot.detail.base_hp) == (33, 99)
    full = kit.shoot(
        "satchel_charge", "m4a1_75_dry", [50, 35, 90], {"placed_charge_full_damage": True}, **CLOSE, **UNDER
    )
    assert full.detail.base_hp == 100 - (35 - 17)
    down = kit.shoot("satchel_charge", "m4a1_75_dry", [50, 35, 90], {"round_halves": "down"}, **CLOSE, **UNDER)
    assert "17 - armor 16 = 1 through" in down.text
    lasting = kit.shoot("satchel_charge", "m4a1_75_dry", [50, 20], {"halved_armor_lasts": True}, **CLOSE, **UNDER)
    assert lasting.detail.armor == 17
    beside = kit.shoot("satchel_charge", "m4a1_75_dry", [50, 60], **CLOSE)  # merely thrown: 30 against 33
    assert "30 does not beat armor 33" in beside.text


@pytest.mark.rule("R20", "A30")
def test_placing_is_a_called_shot_except_point_blank(kit: Any) -> None:
    def chance(metres: float, options: dict[str, Any] | None = None, **how: Any) -> float:
        return float(kit.plan("satchel_charge", "m4a1_75_dry", options, range_m=metres, **how).to_hit.target)

    assert chance(3.04, **UNDER) == 100  # within DEX 10 in feet: doubled, no Called Shot
    assert chance(3.1, **UNDER) == 2  # 3.1 m is over twice the base range of 5 ft: 1/4, then 1/5
    assert chance(3.1, **TREADS) == 2
    assert chance(3.1) == 12
    assert chance(5.0, {"thrown_point_blank": "100_yards"}, **UNDER) == 100


@pytest.mark.rule("R20", "A29")
def test_a_charge_in_the_treads_destroys_the_tread(kit: Any) -> None:
    shot = kit.shoot("satchel_charge", "m4a1_75_dry", [50, 30], **CLOSE, **TREADS, **MOVING)  # Drive 50 - 20
    assert shot.outcome.locations[0].path == "tread"
    assert (shot.detail.move, shot.detail.base_hp) == (0.75, 100)
    second = kit.shoot("satchel_charge", "m4a1_75_dry", [50], condition=shot.outcome.condition, **CLOSE, **TREADS)
    assert second.detail.move == 0.5625
    third = kit.shoot("satchel_charge", "m4a1_75_dry", [50], condition=second.outcome.condition, **CLOSE, **TREADS)
    assert "no further effect" in third.text
    strict = {"charge_in_treads": "must_penetrate"}
    stopped = kit.shoot("satchel_charge", "m4a1_75_dry", [50, 60], strict, **CLOSE, **TREADS)
    assert "does not beat armor 33" in stopped.text


@pytest.mark.rule("R21")
def test_a_pole_charge_is_used_hand_to_hand_at_dex_times_five(kit: Any) -> None:
    plan = kit.plan("pole_charge", "m4a1_75_dry", {"shooter_dex": 13}, skill_percent=10, range_m=2.0, **UNDER)
    assert plan.to_hit.target == 65
    assert plan.notes[0] == "skill: 65%, DEX x 5 hand to hand (R21)"
    assert "skill" in plan.ignored
    shot = kit.shoot("pole_charge", "m4a1_75_dry", [50, 35, 90], range_m=2.0, **UNDER)
    assert "18 - armor 17 = 1 through" in shot.text
    assert "hand to hand, within 3 m" in (kit.refusal("pole_charge", "m4a1_75_dry", range_m=20.0, **UNDER) or "")


@pytest.mark.rule("R22")
def test_a_sticky_grenade_is_good_against_treads(kit: Any) -> None:
    def chance(**how: Any) -> float:
        return float(kit.plan("sticky_grenade", "pz4_h", skill_percent=30, range_m=2.0, **how).to_hit.target)

    assert (chance(), chance(**UNDER), chance(**TREADS)) == (60, 70, 70)
    assert kit.shoot("sticky_grenade", "pz4_h", [50], range_m=2.0, **TREADS).detail.move == 0.75
    assert "15 does not beat armor 41" in kit.shoot("sticky_grenade", "pz4_h", [50, 30], range_m=2.0).text


@pytest.mark.rule("R23", "A31", "A32", "A33")
def test_a_molotov_needs_a_throw_and_luck(kit: Any) -> None:
    burning = kit.shoot("molotov", "pz4_h", [50, 8, 50], **CLOSE)
    assert burning.outcome.condition.on_fire
    assert "8 of fire damage so far against armor 41" in burning.text
    assert not kit.shoot("molotov", "pz4_h", [50, 8, 51], **CLOSE).outcome.condition.on_fire
    theirs = kit.shoot("molotov", "pz4_h", [50, 8, 51], {"fire_luck": "target"}, **CLOSE)
    assert theirs.outcome.condition.on_fire  # the target failed its Luck
    assert kit.shoot("molotov", "pz4_h", [8, 50], {"molotov_needs_throw": False}, **CLOSE).outcome.hits == 1
    through = kit.shoot("molotov", "kubelwagen", [50, 8, 1, 50, 7], **CLOSE)
    assert through.detail.fire.row == "minor_engine_fire"
    assert through.outcome.condition.mobility == 2


@pytest.mark.rule("R24")
def test_a_flamethrower_hits_and_needs_luck_as_well(kit: Any) -> None:
    shot = kit.shoot("flamethrower", "pz4_h", [50, 8, 50], range_m=20.0)
    assert shot.outcome.condition.on_fire
    assert shot.detail.fire.burn == "1d6+2"
    assert shot.detail.fire.hot
    assert kit.shoot("flamethrower", "pz4_h", [93], range_m=20.0, skill_percent=99).outcome.hits == 0  # malfunction


@pytest.mark.rule("R26", "A41")
def test_a_grenade_inside_is_doubled_and_meets_no_armor(kit: Any) -> None:
    inside = {"delivery": "lobbed_inside", **CLOSE}
    shot = kit.shoot("hand_grenade", "sdkfz_251", [50, 5], aim="hull_or_bed", **inside)
    assert shot.people == ((7,), (7,), (2,) * 10)  # the cab takes half of 10
    assert (shot.detail.base_hp, shot.detail.armor) == (65, 15)
    everyone = kit.shoot(
        "hand_grenade", "sdkfz_251", [50, 5], {"grenade_inside": "everyone"}, aim="hull_or_bed", **inside
    )
    assert everyone.people == ((2,), (2,), (2,) * 10)


@pytest.mark.rule("A42")
def test_a_grenade_needs_a_way_in(kit: Any) -> None:
    inside = {"delivery": "lobbed_inside"}
    assert "hatches are shut" in (kit.refusal("hand_grenade", "pz4_h", **inside, **CLOSE) or "")
    assert kit.refusal("hand_grenade", "pz4_h", buttoned=False, **inside, **CLOSE) is None
    assert kit.refusal("hand_grenade", "pz4_h", {"inside_needs_opening": False}, **inside, **CLOSE) is None
    assert kit.plan("hand_grenade", "sdkfz_251", **inside, **CLOSE).to_hit.target == 100
    # The bed is open and the cab is not: it lands in the bed, and can be lobbed into the cab by a hatch alone.
    assert kit.shoot("hand_grenade", "sdkfz_251", [50, 5], **inside, **CLOSE).people == ((7,), (7,), (2,) * 10)
    cab = {**inside, **CLOSE, "aim": "turret_or_front_cab"}
    assert "into turret_or_front_cab of sdkfz_251 while" in (kit.refusal("hand_grenade", "sdkfz_251", **cab) or "")
    assert kit.refusal("hand_grenade", "sdkfz_251", **cab, buttoned=False) is None
    assert kit.plan("hand_grenade", "sdkfz_251", range_m=4.0, **inside).to_hit.target == 5  # 1/2, then 1/5


RAM = {"delivery": "rammed", "shooter_speed_kph": 40 * KPH, "aspect_deg": 90.0}


@pytest.mark.rule("R28", "A62")
def test_a_ram_damages_the_target_and_a_quarter_the_rammer(kit: Any) -> None:
    shot = kit.shoot("ram", "opel_blitz", [50, 14], **RAM)  # 4d6 at MOVE 40, even size
    assert shot.detail.base_hp == 75 - 14
    assert shot.people[0] == (12 - 7,)  # occupants half
    assert shot.outcome.detail == ("rammer_damage", 4)  # a quarter of 14, rounded up
    small = kit.shoot("ram", "kubelwagen", [50, 10], **RAM)
    assert small.detail.base_hp == 30 - 20  # Base HP 75 against 30: twice
    level = kit.shoot("ram", "kubelwagen", [50, 10], {"collision_size_factor": False}, **RAM)
    assert level.detail.base_hp == 20
    armor = kit.shoot("ram", "opel_blitz", [50, 14], {"collision_ignores_armor": False}, **RAM)
    assert armor.detail.base_hp == 75 - 9
    assert kit.plan("ram", "opel_blitz", **RAM).notes[0] == "skill: 50%, where none is given (Drive Auto, R28)"


@pytest.mark.rule("A10", "A62", "R28")
@pytest.mark.parametrize(("halves", "base_hp", "person", "rammer"), [("up", 92, 8, 4), ("down", 93, 9, 3)])
def test_halves_and_quarters_of_a_collision_are_rounded_one_way(
    kit: Any, halves: str, base_hp: int, person: int, rammer: int
) -> None:
    # Base HP 30 against 100: half of 15; the people half of that; the rammer a quarter of 15.
    light = kit.attack("ram", **RAM)
    light = replace(light, weapon=replace(light.weapon, stats={"d100_wwii": {"rammer_base_hp": 30}}))
    rules: Any = D100Wwii.with_options({"round_halves": halves})
    tank = kit.find("m4a1_75_dry")
    outcome = run(Scripted([50, 15]).dice, rules.resolve, rules.plan(light, tank), rules.fresh(tank))
    assert outcome.condition.detail.base_hp == base_hp
    assert by_group(outcome.condition.detail.people)[1] == (person,)
    assert outcome.detail == ("rammer_damage", rammer)


@pytest.mark.rule("A62")
@pytest.mark.parametrize(("aspect", "closing"), [(0.0, 60), (90.0, 40), (180.0, 20)])
def test_the_speed_of_a_ram_goes_by_the_side(kit: Any, aspect: float, closing: int) -> None:
    plan = kit.plan("ram", "opel_blitz", **(RAM | {"aspect_deg": aspect}), **MOVING)
    assert plan.closing == closing


@pytest.mark.rule("R29")
def test_a_push_off_the_road_does_no_damage(kit: Any) -> None:
    push = {"aim": "off_road", **RAM, **MOVING}
    held = kit.shoot("ram", "opel_blitz", [50, 30], **push)  # Drive 50 - 20
    assert held.detail.base_hp == 75
    assert held.outcome.effects & effects.HIT
    lost = kit.shoot("ram", "opel_blitz", [50, 31, 8], **push)
    assert lost.detail.drive_next == -15


@pytest.mark.rule("R30")
def test_a_failed_ram_puts_the_rammer_in_trouble(kit: Any) -> None:
    held = kit.shoot("ram", "opel_blitz", [51, 35], **RAM)  # his own Drive 50 - 15
    assert held.outcome.detail == ("rammer_trouble", "")
    lost = kit.shoot("ram", "opel_blitz", [51, 36, 8], **RAM)
    assert lost.outcome.detail == ("rammer_trouble", "skid")
    assert lost.detail.base_hp == 75


@pytest.mark.rule("R20", "R18", "R28", "R32", "R4", "R21", "R26")
@pytest.mark.parametrize(
    ("weapon", "target", "fields", "words"),
    [
        ("satchel_charge", "pz4_h", {"range_m": 200.0, **UNDER}, "R20: satchel_charge cannot be thrown 200 m"),
        ("ram", "horse", RAM, "R28: ramming is a driver's maneuver against another vehicle, and horse is an animal"),
        ("kar98k", "horse", {}, "R4: there are location tables for automobiles"),
        ("kar98k", "infantry_squad", {}, "infantry_squad is men on foot"),
        ("kar98k", "bf109_g", {}, "R4: there is no location table for an aircraft"),
        (
            "kar98k",
            "kubelwagen",
            {"aim": "radiator"},
            "R32: a Called Shot needs something to aim at, and kubelwagen has no",
        ),
        ("kar98k", "kubelwagen", {"rounds": 3}, "R18: only automatic weapons fire bursts"),
        ("bayonet", "kubelwagen", {"range_m": 1.0}, "R2: these rules give bayonet"),
        ("hand_grenade", "pz4_h", {**UNDER, **CLOSE}, "R20: only satchel and pole charges"),
        ("satchel_charge", "kubelwagen", {**TREADS, **CLOSE}, "kubelwagen has no treads"),
        ("kar98k", "pz4_h", {"delivery": "assaulted"}, "R21: hand to hand the rules know the pole charge alone"),
        ("kar98k", "pz4_h", {"delivery": "rammed", "shooter_speed_kph": 9.0}, "R28: only a vehicle rams"),
        ("ram", "pz4_h", {"delivery": "rammed"}, "R28: a ram needs a moving vehicle"),
        ("kar98k", "pz4_h", {"delivery": "lobbed_inside"}, "R26: a hand grenade or other area-effect weapon"),
        ("kar98k", "pz4_h", {"delivery": "thrown"}, "R20: kar98k is not thrown"),
        (
            "satchel_charge",
            "pz4_h",
            {"aim": "engine", **UNDER, **CLOSE},
            "where a charge or a ram strikes is not aimed",
        ),
    ],
)
def test_what_the_rules_cannot_mean_is_refused(
    kit: Any, weapon: str, target: str, fields: dict[str, Any], words: str
) -> None:
    reason = kit.refusal(weapon, target, **fields)
    assert reason is not None
    assert words in reason
    assert reason.endswith(".")


@pytest.mark.rule("R32")
def test_an_aim_that_no_table_has_is_named(kit: Any) -> None:
    with pytest.raises(Exception, match=r"No location is called 'engin' in pz4_h\. Did you mean engine"):
        kit.plan("kar98k", "pz4_h", aim="engin")


OPEN_HATCH = {"aim": "driver", "buttoned": False}


@pytest.mark.rule("A66", "R9")
def test_somebody_exposed_is_impaled_and_the_armor_is_not(kit: Any) -> None:
    # A fifth of 50 is 10, of which a fifth impales: 2. 16 and 7 are 23 to the driver; the armor meets the 16 alone.
    shot = kit.shoot("kar98k", "m8_greyhound", [2, 16, 7], **OPEN_HATCH)
    assert (shot.people[1], shot.detail.base_hp) == ((0,), 75 - 1)
    tough = {"person_hp": 20}
    assert kit.shoot("kar98k", "m8_greyhound", [2, 6, 7], tough, **OPEN_HATCH).people[1] == (20 - 13,)
    assert kit.shoot("kar98k", "m8_greyhound", [3, 8], **OPEN_HATCH).people[1] == (12 - 8,)
    plain = kit.shoot("kar98k", "m8_greyhound", [2, 8], {"exposed_impale": False}, **OPEN_HATCH)
    assert plain.people[1] == (12 - 8,)
    most = kit.shoot("kar98k", "m8_greyhound", [2, 8], {"impale_damage": "max_plus_roll"}, **OPEN_HATCH)
    assert most.people[1] == (0,)  # 8 and the 16 that 2d6+4 can come to
    shut = kit.shoot("kar98k", "m8_greyhound", [2, 16], aim="driver")
    assert (shut.people[1], shut.detail.base_hp) == ((11,), 74)


@pytest.mark.rule("A66", "A64")
def test_the_first_round_of_a_burst_impales_somebody_exposed(kit: Any) -> None:
    # A fifth of 50 + 25 is 15, of which 3 impales. One round strikes: 6 and 6 on top are his 12.
    shot = kit.shoot("mg42", "m8_greyhound", [3, 1, 6, 6], rounds=5, **OPEN_HATCH)
    assert shot.people[1] == (0,)
    once = kit.shoot("mg42", "m8_greyhound", [3, 1, 6], {"exposed_impale": False}, rounds=5, **OPEN_HATCH)
    assert once.people[1] == (6,)


@pytest.mark.rule("A67", "R8", "A9")
@pytest.mark.parametrize(("reading", "turret", "hull"), [("full", 10, 5), ("half", 5, 3)])
def test_a_grenade_at_somebody_exposed(kit: Any, reading: str, turret: int, hull: int) -> None:
    # 10 to the two in the open turret, or half; half of that below, rounded up. 5 does not beat the armor of 15.
    how = {"aim": "turret_or_front_cab", **CLOSE}
    shot = kit.shoot("hand_grenade", "sdkfz_222", [20, 10], {"exposed_blast": reading}, **how)
    assert shot.people == ((12 - turret,) * 2, (12 - hull,))
    assert shot.detail.base_hp == 75
    # At armor it is half under both readings: 24 comes to 12.
    under = kit.shoot("hand_grenade", "sdkfz_222", [50, 24], {"exposed_blast": reading}, **CLOSE)
    assert "12 does not beat armor 15" in under.text


@pytest.mark.rule("A68", "R26", "R8")
@pytest.mark.parametrize(("reading", "bed", "cab", "base_hp"), [("full", 10, 5, 65), ("half", 6, 3, 69)])
def test_what_a_grenade_inside_doubles(kit: Any, reading: str, bed: int, cab: int, base_hp: int) -> None:
    # 5 twice is 10; half of 5 is 3, rounded up, and twice that is 6. The other compartment takes half.
    how = {"delivery": "lobbed_inside", **CLOSE}
    shot = kit.shoot("hand_grenade", "sdkfz_251", [50, 5], {"inside_doubles": reading}, **how)
    assert shot.people == ((12 - cab,), (12 - cab,), (12 - bed,) * 10)
    assert shot.detail.base_hp == base_hp
    bottle = kit.shoot("molotov", "sdkfz_251", [50, 5, 99], {"inside_doubles": reading}, **how)
    assert bottle.people[2] == (12 - 10,) * 10  # no explosive, and never halved
