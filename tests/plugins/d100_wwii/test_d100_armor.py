"""What every kind of round does to armor: halves, impaling, armor shot away, bursts, repair."""

from __future__ import annotations

from typing import Any

import pytest

from d100_wwii.actions import Repair, repair, repair_armor
from d100_wwii.ruleset import D100Wwii
from mantlet import Scripted, UnknownNameError, odds

FAR = {"range_m": 500.0}
NEAR = {"range_m": 3.0}


@pytest.mark.rule("A1", "R12")
def test_ap_damage_is_taken_off_the_armor_even_when_it_fails(kit: Any) -> None:
    first = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 30], **FAR)
    assert (first.detail.armor, first.detail.base_hp) == (3, 100)
    second = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 30, 90], condition=first.outcome.condition, **FAR)
    assert (second.detail.armor, second.detail.base_hp) == (0, 73)


@pytest.mark.rule("A1", "A64")
def test_a_burst_tells_how_the_armor_falls(kit: Any) -> None:
    shot = kit.shoot("de_20_kwk38", "m3_halftrack", [90, 2, 90, 14, 20], rounds=2, skill_percent=60.0)
    told = shot.text.splitlines()
    falls = [line for line in told if line.startswith("armor falls")]
    assert falls == ["armor falls from 15 to 1 until repaired", "armor falls from 1 to 0 until repaired"]
    assert "14 does not beat armor 15: no effect" in told
    assert shot.detail.base_hp == 75 - 19


@pytest.mark.rule("A1")
@pytest.mark.parametrize(("reading", "stopped", "through"), [("damage", 3, 0), ("excess", 33, 26), ("one", 32, 32)])
def test_three_readings_of_armor_lost(kit: Any, reading: str, stopped: int, through: int) -> None:
    options = {"ap_armor_loss": reading}
    assert kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 30], options, **FAR).detail.armor == stopped
    assert kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 40, 90], options, **FAR).detail.armor == through


@pytest.mark.rule("R8")
def test_explosives_do_half_to_armored_vehicles(kit: Any) -> None:
    shot = kit.shoot("hand_grenade", "sdkfz_251", [50, 24], **NEAR)
    assert "half against an armored vehicle: 12" in shot.text
    assert shot.outcome.condition.detail.base_hp == 75
    # 4d6 never hurts armor 15 from outside: at best 24, halved to 12.
    assert odds(D100Wwii(), kit.attack("hand_grenade", **NEAR), kit.find("sdkfz_251")).odds["penetrated"] == 0


@pytest.mark.rule("A61")
def test_the_starred_rules_are_for_armored_vehicles_alone(kit: Any) -> None:
    grenade = kit.shoot("hand_grenade", "kubelwagen", [50, 20, 1], **NEAR)
    assert grenade.detail.base_hp == 30 - (20 - 3)  # not halved
    assert kit.shoot("de_75_pak40", "kubelwagen", [50, 20, 1], **FAR).detail.armor == 3  # armor constant
    assert "impaling" in kit.shoot("kar98k", "kubelwagen", [10, 12, 1]).reasons[1]
    star = {"starred_rules_for_all": True}
    assert kit.shoot("hand_grenade", "kubelwagen", [50, 20, 1], star, **NEAR).detail.base_hp == 30 - (10 - 3)
    assert kit.shoot("de_75_pak40", "kubelwagen", [50, 20, 1], star, **FAR).detail.armor == 0
    assert kit.shoot("kar98k", "kubelwagen", [10, 12, 1], star).reasons[1] == "damage"


@pytest.mark.rule("R9", "A23")
def test_small_arms_do_not_impale_armored_vehicles(kit: Any) -> None:
    assert kit.shoot("kar98k", "sdkfz_251", [10, 14]).reasons[1] == "damage"
    assert kit.shoot("mg42", "sdkfz_251", [10, 14]).reasons[1] == "damage"  # rifle-caliber machine guns too
    assert kit.shoot("us_50_m2/ball", "sdkfz_251", [10, 14]).reasons[1] == "damage"  # ball is no AT rifle
    impaling = kit.shoot("mg42", "sdkfz_251", [10, 14], {"small_machine_guns_impale_armor": True})
    assert "impaling" in impaling.reasons[1]


@pytest.mark.rule("R10", "A23")
def test_heavy_at_rifles_with_ap_impale(kit: Any) -> None:
    assert "impaling" in kit.shoot("uk_boys", "sdkfz_251", [10, 18, 90]).reasons[1]
    assert "impaling" in kit.shoot("us_50_m2", "sdkfz_251", [10, 18, 90]).reasons[1]
    assert kit.shoot("de_pzb39", "sdkfz_251", [10, 14]).reasons[1] == "damage"  # 7.92 mm is under .50


@pytest.mark.rule("R11")
def test_at_rifles_never_lower_the_armor(kit: Any) -> None:
    one = kit.shoot("uk_boys", "sdkfz_251", [50, 14])
    two = kit.shoot("uk_boys", "sdkfz_251", [50, 14], condition=one.outcome.condition)
    assert (two.detail.armor, two.detail.base_hp) == (15, 75)
    tank = kit.shoot("uk_boys", "m4a1_75_dry", [50, 30])
    assert kit.shoot("uk_boys", "m4a1_75_dry", [50, 30], condition=tank.outcome.condition).detail.armor == 33


@pytest.mark.rule("A23")
def test_from_20_mm_an_ap_round_is_a_shell(kit: Any) -> None:
    assert kit.shoot("de_20_kwk38", "m4a1_75_dry", [50, 20], range_m=300.0).detail.armor == 13
    as_rifle = kit.shoot("de_20_kwk38", "m4a1_75_dry", [50, 20], {"twenty_mm_ap": "at_rifle"}, range_m=300.0)
    assert as_rifle.detail.armor == 33


@pytest.mark.rule("R13")
def test_explosives_never_impale(kit: Any) -> None:
    assert kit.shoot("hand_grenade", "kubelwagen", [1, 10, 1], **NEAR).reasons[1] == "damage"
    assert kit.shoot("us_75_m3/M48_HE", "kubelwagen", [1, 20, 1], **FAR).reasons[1] == "damage"


@pytest.mark.rule("R14", "A21")
def test_ap_shells_impale_by_rolling_twice(kit: Any) -> None:
    shot = kit.shoot("de_75_pak40", "m4a1_75_dry", [10, 22], **FAR)
    assert shot.reasons[1] == "damage, impaling (two rolls)"
    assert next(e.dice for e in shot.entries if getattr(e, "reason", "") == shot.reasons[1]) == "22d6"
    most = kit.shoot("de_75_pak40", "m4a1_75_dry", [10, 77, 90], {"impale_damage": "max_plus_roll"}, **FAR)
    assert next(e.dice for e in most.entries if getattr(e, "reason", "") == most.reasons[1]) == "11d6+66"


@pytest.mark.rule("R25", "R27", "A24")
def test_at_guns_and_hollow_charges_do_standard_damage(kit: Any) -> None:
    gun = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 40, 90], **FAR)
    assert gun.detail.base_hp == 93
    bazooka = kit.shoot("us_bazooka_m1a1", "pz4_h", [50, 30])
    assert bazooka.detail.armor == 11  # not halved, and lowers the armor as an AP shell
    assert "impaling" in kit.shoot("us_bazooka_m1a1", "pz4_h", [10, 40]).reasons[1]
    explosive = kit.shoot("us_bazooka_m1a1", "pz4_h", [10, 30], {"hollow_charge": "explosive"})
    assert (explosive.detail.armor, explosive.reasons[1]) == (41, "damage")
    assert "half against an armored vehicle: 15" in explosive.text


@pytest.mark.rule("A25")
def test_a_gun_with_high_explosive_is_halved_and_leaves_the_armor(kit: Any) -> None:
    shot = kit.shoot("us_75_m3/M48_HE", "pz4_h", [10, 50], **FAR)
    assert shot.reasons[1] == "damage"
    assert (shot.detail.armor, shot.detail.base_hp) == (41, 100)
    standard = kit.shoot("us_75_m3/M48_HE", "pz4_h", [10, 50, 90], {"gun_high_explosive": "standard"}, **FAR)
    assert standard.detail.base_hp == 91


@pytest.mark.rule("A10")
def test_halves_are_rounded_up(kit: Any) -> None:
    assert "vehicle: 12" in kit.shoot("hand_grenade", "sdkfz_251", [50, 23], **NEAR).text
    assert "vehicle: 11" in kit.shoot("hand_grenade", "sdkfz_251", [50, 23], {"round_halves": "down"}, **NEAR).text


@pytest.mark.rule("A60")
def test_an_armored_vehicle_stays_one_when_its_armor_is_shot_away(kit: Any) -> None:
    bare = kit.with_detail("m4a1_75_dry", armor=3)
    shot = kit.shoot("kar98k", "m4a1_75_dry", [10, 12, 90], condition=bare)
    assert (shot.reasons[1], shot.detail.base_hp) == ("damage", 91)
    soft = kit.shoot("kar98k", "m4a1_75_dry", [10, 12, 90], {"armored_for_good": False}, condition=bare)
    assert "impaling" in soft.reasons[1]


@pytest.mark.rule("A64")
def test_each_bullet_meets_the_armor_alone(kit: Any) -> None:
    each = kit.shoot("mg42", "sdkfz_251", [50, 2, 90, 14, 16], rounds=4)
    assert each.detail.base_hp == 74
    total = kit.shoot("mg42", "sdkfz_251", [50, 2, 30, 90], {"burst_armor": "total"}, rounds=4)
    assert total.detail.base_hp == 75 - 15


@pytest.mark.rule("A65")
def test_armor_is_made_whole_by_mechanical_repair(kit: Any, ruleset: Any) -> None:
    target, worn = kit.find("pz4_h"), kit.with_detail("pz4_h", armor=5)
    dice = Scripted([40])
    mended = repair_armor(dice.dice, ruleset, target, worn, skill_percent=40)
    assert mended.condition.detail.armor == 41
    assert repair_armor(Scripted([41]).dice, ruleset, target, worn, skill_percent=40).condition.detail.armor == 5
    by_points = type(ruleset).with_options({"armor_repair": "points"})
    assert repair_armor(Scripted([40, 4]).dice, by_points, target, worn, skill_percent=40).condition.detail.armor == 9


@pytest.mark.rule("R19", "A43")
def test_components_are_repaired_too(kit: Any, ruleset: Any) -> None:
    target = kit.find("kubelwagen")
    broken = kit.shoot("kar98k", target, [50, 16, 50, 1], skill_percent=50).outcome.condition  # a front tire
    assert broken.detail.move == 0.5
    mended = repair(Scripted([30]).dice, ruleset, target, broken, Repair("front_tire", 40)).condition
    assert (mended.detail.move, mended.mobility) == (1.0, 0)
    dead = kit.shoot("us_50_m2", target, [50, 20, 25, 50]).outcome.condition
    assert dead.mobility == 2
    assert repair(Scripted([30]).dice, ruleset, target, dead, Repair("engine")).condition.mobility == 0
    with pytest.raises(UnknownNameError, match="No component is called 'engin'"):
        repair(Scripted([30]).dice, ruleset, target, dead, Repair("engin"))
