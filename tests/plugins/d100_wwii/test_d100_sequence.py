"""The attack sequence: to hit, damage against armor, location, Base HP, components."""

from __future__ import annotations

from typing import Any

import pytest

from d100_wwii.order import Attacker, all_attack, in_order
from d100_wwii.plan import no_table_for
from d100_wwii.vehicle_stats import vehicle_stats
from mantlet import Scripted, UnknownNameError, run
from mantlet.catalog import Catalog

KPH = 1.609344
HEADLAMPS, MAGAZINE = 90, 75  # rolls on the armored vehicles' table


@pytest.mark.rule("R1")
def test_the_highest_dex_acts_first_on_what_is_left(kit: Any, ruleset: Any) -> None:
    plan = kit.plan("de_75_pak40", "m4a1_75_dry", range_m=500.0)
    four = [Attacker(name, dex, plan) for name, dex in (("Ann", 9), ("Bob", 14), ("Cid", 14), ("Dee", 11))]
    assert [a.name for a in in_order(four)] == ["Bob", "Cid", "Dee", "Ann"]
    target = kit.find("m4a1_75_dry")
    order = in_order([Attacker("slow", 8, plan), Attacker("quick", 13, plan)])
    assert [a.name for a in order] == ["quick", "slow"]
    # The first shot (30) is stopped and takes 30 of 33 armor; the second (30) meets the 3 that are left.
    dice = Scripted([50, 30, 50, 30, HEADLAMPS])
    last = run(dice.dice, all_attack, ruleset, order, ruleset.fresh(target))
    assert (last.condition.detail.armor, last.condition.detail.base_hp) == (0, 100 - 27)
    assert dice.account.entries[0].text == "quick acts with DEX 13"


@pytest.mark.rule("R2")
def test_to_hit_first_then_damage(kit: Any) -> None:
    assert kit.shoot("kar98k", "opel_blitz", [51]).outcome.hits == 0
    assert kit.shoot("kar98k", "opel_blitz", [50, 10, 1]).reasons[:2] == ["attack with Karabiner 98k", "damage"]
    # A malfunction is a miss even where the skill would hit: the rifle's number is 100.
    jam = kit.shoot("kar98k", "opel_blitz", [100], skill_percent=300)
    assert jam.outcome.hits == 0
    assert "malfunction" in jam.text


@pytest.mark.rule("R3", "A2")
def test_damage_below_or_equal_to_the_armor_does_nothing(kit: Any) -> None:
    for damage in (14, 15):
        shot = kit.shoot("kar98k", "sdkfz_251", [50, damage])
        assert shot.outcome.condition == kit.shoot("kar98k", "sdkfz_251", [99]).outcome.condition
        assert shot.outcome.effects & 0b111 == 0b101  # hit, not penetrated, no effect
    equal = kit.shoot("kar98k", "sdkfz_251", [50, 15, HEADLAMPS], {"equal_damage": "penetrates"})
    assert equal.outcome.locations[0].path == "headlamps"


@pytest.mark.rule("R4", "R5")
def test_damage_over_the_armor_penetrates_and_base_hp_falls_by_the_rest(kit: Any) -> None:
    shot = kit.shoot("kar98k", "sdkfz_251", [50, 16, HEADLAMPS])
    assert shot.outcome.locations[0].path == "headlamps"
    assert (shot.detail.base_hp, shot.hp("headlamps", kit.find("sdkfz_251"))) == (74, 1)
    assert kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 40, HEADLAMPS], range_m=500.0).detail.base_hp == 93


@pytest.mark.rule("R6")
def test_base_hp_gone_destroys_and_everyone_takes_the_damage(kit: Any) -> None:
    weak = kit.vehicle_with("kubelwagen", id="weak", aliases=("kubelwagen",), stats={"base_hp": 5})
    shot = kit.shoot("kar98k", weak, [50, 10, 1])
    assert shot.outcome.condition.destroyed
    assert shot.people == ((5,), (5,), (5, 5))  # 12 less 7 each
    assert (shot.outcome.wounded, shot.outcome.killed) == (4, 0)


@pytest.mark.rule("R7")
def test_armored_means_built_with_armor(kit: Any, ruleset: Any) -> None:
    armored = {
        name: ruleset.vehicle(kit.find(name)).stats.armored for name in ("kubelwagen", "opel_blitz", "sdkfz_251")
    }
    assert armored == {"kubelwagen": False, "opel_blitz": False, "sdkfz_251": True}
    carrier = vehicle_stats(kit.find("universal_carrier"), ruleset.options)
    assert (carrier.armored, carrier.armor) == (True, 15)  # thin plate, but never below 15


@pytest.mark.rule("A3")
def test_a_component_takes_what_came_through(kit: Any) -> None:
    shot = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 39, 5], range_m=500.0)
    assert shot.hp("engine", kit.find("m4a1_75_dry")) == 9
    whole = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 39, 5, 21], {"component_takes": "damage"}, range_m=500.0)
    assert whole.hp("engine", kit.find("m4a1_75_dry")) == 0
    # Kept between hits: 9 left, 9 more destroys it.
    worn = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 11, 5, 21], condition=shot.outcome.condition, range_m=500.0)
    assert worn.hp("engine", kit.find("m4a1_75_dry")) == 0
    assert worn.outcome.condition.mobility == 2


@pytest.mark.rule("A3", "A4", "A5", "A64", "R18")
def test_a_component_under_a_burst_takes_what_every_round_brings_through(kit: Any) -> None:
    car = kit.find("kubelwagen")

    def engine(script: list[int], options: dict[str, Any] | None = None) -> tuple[int, int]:
        shot = kit.shoot("mg42", car, [*script], options, rounds=4)
        return shot.hp("engine", car), shot.detail.base_hp

    plain, impaling = [50, 2, 25, 6, 7], [10, 2, 25, 12, 6]  # armor 3: 3 + 4 through, 9 + 3 through
    assert engine(plain) == (15 - 7, 30 - 7)
    assert engine(impaling) == (15 - 12, 30 - 12)
    assert engine(plain, {"component_takes": "damage"}) == (15 - 13, 30 - 7)
    assert engine(plain, {"component_absorbs_base_hp": True}) == (15 - 7, 30)
    gone = [50, 2, 25, 16, 13, 21]  # 13 + 10 through: 8 more than the engine has
    assert engine(gone) == (0, 30 - 23)
    assert engine(gone, {"component_overflow": True}) == (0, 0)


@pytest.mark.rule("A4")
def test_base_hp_falls_whatever_is_struck(kit: Any) -> None:
    driver = [50, 10, 70]
    assert kit.shoot("kar98k", "kubelwagen", driver).detail.base_hp == 23
    assert kit.shoot("kar98k", "kubelwagen", driver, {"occupant_hit_spares_base_hp": True}).detail.base_hp == 30
    absorbed = kit.shoot("kar98k", "kubelwagen", [50, 10, 25], {"component_absorbs_base_hp": True})
    assert (absorbed.detail.base_hp, absorbed.hp("engine", kit.find("kubelwagen"))) == (30, 8)


@pytest.mark.rule("A5")
def test_the_overflow_of_a_component_goes_nowhere(kit: Any) -> None:
    assert kit.shoot("kar98k", "kubelwagen", [50, 10, 1]).detail.base_hp == 23
    assert kit.shoot("kar98k", "kubelwagen", [50, 10, 1], {"component_overflow": True}).detail.base_hp == 18
    whole = {"component_overflow": True, "component_takes": "damage"}
    assert kit.shoot("kar98k", "kubelwagen", [50, 10, 1], whole).detail.base_hp == 30 - 7 - (10 - 2)
    absorbs = {"component_absorbs_base_hp": True}
    assert kit.shoot("kar98k", "kubelwagen", [50, 10, 1], absorbs).detail.base_hp == 30  # what is too much is lost


@pytest.mark.rule("A6")
def test_a_destroyed_component_has_no_further_effect(kit: Any) -> None:
    wreck = kit.with_detail("kubelwagen", pools={"engine": 0})
    shot = kit.shoot("kar98k", "kubelwagen", [50, 10, 25], condition=wreck)
    assert shot.detail.base_hp == 23
    assert "no further effect" in shot.text
    reroll = {"destroyed_component": "reroll"}
    again = kit.shoot("kar98k", "kubelwagen", [50, 10, 25, 1], reroll, condition=wreck)
    assert again.reasons[-2] == "hit location, rows that do not count left out"
    assert again.outcome.locations[0].path == "front_tire"  # 25-49 are out: the 25th number left is 50
    absent = kit.shoot("kar98k", "kubelwagen", [50, 10, 15], reroll, condition=wreck)
    assert absent.outcome.locations[0].zone == "nothing"  # the radiator that is not there is another question (A7, A8)
    spent = kit.shoot("kar98k", "kubelwagen", [50, 10, 15], {"absent_component": "reroll"}, condition=wreck)
    assert "no further effect" in spent.text


@pytest.mark.rule("A7")
def test_what_is_not_aboard_has_no_effect_but_costs_base_hp(kit: Any) -> None:
    radiator = [50, 10, 15]  # an air-cooled engine has none
    shot = kit.shoot("kar98k", "kubelwagen", radiator)
    assert (shot.detail.base_hp, shot.outcome.locations[0].zone) == (23, "nothing")
    assert kit.shoot("kar98k", "kubelwagen", radiator, {"absent_component": "no_damage"}).detail.base_hp == 30
    again = kit.shoot("kar98k", "kubelwagen", radiator, {"absent_component": "reroll"})
    assert again.outcome.locations[0].path == "engine"  # rows 15-24 are out: the fifteenth number left is 25


@pytest.mark.rule("A8")
def test_every_row_may_stand_for_nothing(kit: Any) -> None:
    starred = {"absent_applies_to": "starred_rows"}
    radiator = kit.shoot("kar98k", "kubelwagen", [50, 10, 15], starred)  # not starred: rolled again, out of 90 numbers
    assert radiator.outcome.locations[0].path == "engine"
    gun = kit.shoot("uk_boys", "sdkfz_251", [50, 20, 50], starred)  # starred and not aboard: ignored as ever
    assert gun.outcome.locations[0].zone == "nothing"


@pytest.mark.rule("R15", "A22")
def test_guns_are_doubled_to_100_yards_and_impale_at_a_fifth_of_that(kit: Any) -> None:
    near = kit.plan("us_75_m3", "pz4_h", skill_percent=40, range_m=80 * 0.9144)
    assert near.to_hit.target == 80
    assert near.to_hit.grades[0] == (16, "impale")
    assert kit.plan("us_75_m3", "pz4_h", skill_percent=40, range_m=101 * 0.9144).to_hit.target == 40
    close = {"skill_percent": 45, "range_m": 91.0}
    assert "impaling" in kit.shoot("us_75_m3", "pz4_h", [18, 20], **close).reasons[1]
    assert kit.shoot("us_75_m3", "pz4_h", [19, 20], **close).reasons[1] == "damage"
    assert kit.plan("us_75_m3", "pz4_h", {"impale_of": "base"}, **close).to_hit.grades[0] == (9, "impale")


def test_a_skill_word_is_a_percent(kit: Any) -> None:
    for word, percent in {"green": 30, "trained": 50, "veteran": 70, "ace": 90}.items():
        plan = kit.plan("kar98k", "jeep", skill=word)
        assert (plan.to_hit.target, plan.notes[0]) == (percent, f"skill: {word} = {percent}%")
    assert kit.plan("kar98k", "jeep").notes[0] == "skill: trained = 50%, where none is given"
    assert kit.plan("kar98k", "jeep", skill="ace", skills={"d100_wwii": 35}).to_hit.target == 35
    ram = {"delivery": "rammed", "shooter_speed_kph": 40.0}
    assert kit.plan("ram", "opel_blitz", {"ram_skill_percent": 60}, **ram).to_hit.target == 60
    veteran = kit.plan("ram", "opel_blitz", {"ram_skill_percent": 60}, skill="veteran", **ram)
    assert (veteran.to_hit.target, veteran.notes[0]) == (70, "skill: veteran = 70% (Drive Auto, R28)")


@pytest.mark.rule("R16", "A26")
def test_firearms_are_doubled_within_dex_in_feet(kit: Any) -> None:
    dex = {"shooter_dex": 12}
    assert kit.plan("uk_boys", "sdkfz_251", dex, skill_percent=40, range_m=12 * 0.3048).to_hit.target == 80
    assert kit.plan("uk_boys", "sdkfz_251", dex, skill_percent=40, range_m=13 * 0.3048).to_hit.target == 40
    high_explosive = {"skill_percent": 40, "range_m": 80.0}
    assert kit.plan("us_75_m3/M48_HE", "pz4_h", **high_explosive).to_hit.target == 80
    far = kit.plan("us_75_m3/M48_HE", "pz4_h", {"artillery_point_blank": False}, **high_explosive)
    assert far.to_hit.target == 40


@pytest.mark.rule("R2")
def test_the_chance_falls_by_halves_beyond_the_base_range(kit: Any) -> None:
    chances = [kit.plan("kar98k", "jeep", range_m=r * 0.9144).to_hit.target for r in (110, 220, 330, 440)]
    assert chances == [50, 25, 12, 6]
    assert "four times" in (kit.refusal("kar98k", "jeep", range_m=441 * 0.9144) or "")


@pytest.mark.rule("R18")
def test_a_burst_has_a_better_chance_and_one_location(kit: Any) -> None:
    assert kit.plan("mp40", "kubelwagen", rounds=4, range_m=15.0).to_hit.target == 70
    assert kit.plan("mp40", "kubelwagen", rounds=20, range_m=15.0).to_hit.target == 100  # at most doubled
    shot = kit.shoot("mp40", "kubelwagen", [30, 2, 99, 8, 8], rounds=10, range_m=15.0)
    assert shot.reasons == [
        "attack with MP 40",
        "how many of the 10 rounds strike",
        "Hit location: automobile and truck",
        "damage",
        "damage",
    ]
    assert shot.outcome.hits == 2
    assert shot.detail.base_hp == 30 - 5 - 5
    first = kit.shoot("mp40", "kubelwagen", [10, 2, 1, 18, 8], rounds=10, range_m=15.0)  # only the first may impale
    assert first.reasons[3:] == ["damage, impaling", "damage"]
    stopped = kit.shoot("mp40", "kubelwagen", [10, 2, 1, 2, 8], rounds=10, range_m=15.0)  # nor when it is stopped
    assert stopped.reasons[3:] == ["damage, impaling", "damage"]


@pytest.mark.rule("R31", "A57", "A58", "A59")
def test_shooting_from_a_moving_vehicle(kit: Any) -> None:
    for shooter, target, worse in ((36, 48, 12), (50, 48, 2), (48, 48, 0)):
        speeds = {"shooter_speed_kph": shooter * KPH, "target_speed_kph": target * KPH}
        assert kit.plan("kar98k", "kubelwagen", **speeds).to_hit.target == 50 - worse
    passing = {"target_speed_kph": 48 * KPH}
    assert kit.plan("kar98k", "kubelwagen", **passing).to_hit.target == 50  # the shooter stands
    assert kit.plan("kar98k", "kubelwagen", {"moving_fire": "always"}, **passing).to_hit.target == 2
    near = {"shooter_speed_kph": 36 * KPH, "target_speed_kph": 48 * KPH, "range_m": 3.0, "skill_percent": 40}
    assert kit.plan("kar98k", "kubelwagen", **near).to_hit.target == 80 - 12
    assert kit.plan("kar98k", "kubelwagen", {"moving_fire_order": "before"}, **near).to_hit.target == 2 * (40 - 12)
    metric = kit.plan("kar98k", "kubelwagen", {"kph_per_move": 1.0}, shooter_speed_kph=20, target_speed_kph=30)
    assert metric.to_hit.target == 40


@pytest.mark.rule("R32", "A63")
def test_a_called_shot_takes_a_fifth_and_must_still_beat_the_armor(kit: Any) -> None:
    shot = kit.shoot("kar98k", "pz4_h", [10, 16], aim="tread")
    assert shot.target_number == 10
    assert "does not beat armor 41" in shot.text
    exposed = kit.shoot("kar98k", "sdkfz_222", [10, 8, 99, 98], aim="turret_or_front_cab")
    assert "8 - armor 0 = 8 through" in exposed.text
    assert exposed.detail.base_hp == 75  # step 6 knows the vehicle's own armor
    assert sum(map(sum, exposed.people)) == 3 * 12 - 8
    shut = kit.shoot("kar98k", "sdkfz_222", [10, 8], {"exposed_armor": "vehicle"}, aim="turret_or_front_cab")
    assert "does not beat armor 15" in shut.text
    hatch = kit.shoot("kar98k", "pz4_h", [10, 8, 99, 98], aim="hull_or_bed", buttoned=False)
    assert "armor 0" in hatch.text
    rider = kit.shoot("kar98k", "bmw_r75_sidecar", [10, 8], aim="driver")
    assert rider.people[0] == (4,)
    clad = kit.vehicle_with("bmw_r75_sidecar", id="clad", aliases=("bmw_r75_sidecar",), stats={"passenger_armor": 2})
    assert kit.shoot("kar98k", clad, [10, 8], aim="driver").people[0] == (6,)


@pytest.mark.rule("A63", "R32")
@pytest.mark.parametrize(
    ("target", "aim", "is_open"),
    [
        # An open top is that of the turret; the driver's hull and the cab of a Sd.Kfz. 251 have a roof.
        ("m8_greyhound", "turret_or_front_cab", True),
        ("m8_greyhound", "hull_or_bed", False),
        ("sdkfz_222", "hull_or_bed", False),
        ("sdkfz_251", "turret_or_front_cab", False),
        ("sdkfz_251", "hull_or_bed", True),
        ("m3_halftrack", "turret_or_front_cab", True),
        ("universal_carrier", "turret_or_front_cab", True),
        ("m4a1_75_dry", "turret_or_front_cab", False),
    ],
)
def test_open_is_a_matter_of_a_compartment_and_its_hatches(kit: Any, target: str, aim: str, is_open: bool) -> None:
    shut = kit.plan("kar98k", target, aim=aim)
    assert shut.shot.bare is is_open
    assert kit.plan("kar98k", target, aim=aim, buttoned=False).shot.bare
    assert not kit.plan("kar98k", target, {"exposed_armor": "vehicle"}, aim=aim, buttoned=False).shot.bare


@pytest.mark.rule("A63")
def test_under_a_roof_the_armor_counts(kit: Any) -> None:
    # 10 does not beat the 15 of an M8; with hatches up all 10 are through: 12 - 10 = 2 hit points left.
    shut = kit.shoot("kar98k", "m8_greyhound", [10, 10], aim="driver")
    assert "10 does not beat armor 15" in shut.text
    assert kit.shoot("kar98k", "m8_greyhound", [10, 10], aim="driver", buttoned=False).people[1] == (2,)


@pytest.mark.rule("A63")
def test_a_stat_block_says_which_rows_are_open(kit: Any) -> None:
    cab = kit.vehicle_with("sdkfz_251", id="cut", aliases=("sdkfz_251",), stats={"open_rows": ["turret_or_front_cab"]})
    assert kit.plan("kar98k", cab, aim="turret_or_front_cab").shot.bare
    assert not kit.plan("kar98k", cab, aim="hull_or_bed").shot.bare
    wrong = kit.vehicle_with("sdkfz_251", id="wrong", aliases=("sdkfz_251",), stats={"open_rows": ["hull_or_bde"]})
    with pytest.raises(UnknownNameError, match=r"open_rows\. Did you mean hull_or_bed"):
        kit.plan("kar98k", wrong)


@pytest.mark.rule("R32")
def test_the_driver_of_an_armored_vehicle_can_be_called_at(kit: Any) -> None:
    # A fifth of 50 is 10. The Boys rifle's 34 less 33 is 1: the driver's alone, and nobody rolls Luck.
    bullet = kit.shoot("uk_boys", "m4a1_75_dry", [10, 34], aim="driver")
    assert bullet.people == ((12, 12, 12), (11,), (12,))
    assert [place.path for place in bullet.outcome.locations] == ["hull_or_bed/driver"]
    # 44 less 33 is 11 of a shell to everyone in his compartment, 6 in the other (A9, A10).
    shell = kit.shoot("de_75_pak40", "m4a1_75_dry", [10, 44], aim="driver", range_m=500.0)
    assert shell.people == ((6, 6, 6), (1,), (1,))
    assert [place.path for place in shell.outcome.locations] == ["hull_or_bed"]
    # All five rounds of a burst are his: 8 - 0 each of five, and he has 12. 1/5 of 50 + 25.
    burst = kit.shoot("mg42", "m8_greyhound", [15, 5, 8, 8, 8, 8, 8], aim="driver", rounds=5, buttoned=False)
    assert burst.people[1:] == ((0,), (12,))


@pytest.mark.rule("R32")
def test_every_driver_is_an_aim(kit: Any, ruleset: Any) -> None:
    for target in Catalog().targets():
        if no_table_for(target) is None and any(seat.role in ("driver", "rider") for seat in target.crew):
            assert "driver" in ruleset.aims(target)
            assert kit.refusal("kar98k", target, aim="driver") is None
