"""Which attacks the reference holds, and how its accounts were chosen. Run once; what it wrote is the reference.

    python tests/reference/choose.py odds             # writes what is missing under odds/
    python tests/reference/choose.py accounts         # writes what is missing under accounts/
    python tests/reference/choose.py rules            # which rule ids show in the accounts

Attacks are listed by hand, to reach every rule. One file for every value of every option is chosen by trying: the first
cheap attack of the list whose odds change with it. Accounts are chosen from many attacks with many seeds, the one that
says most that none before it said first. Files that are there already are left alone: `freeze.py` renews those.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import reference
from by_reason import ByReason
from mantlet import Condition, Seeded, WorkLimitError, run
from mantlet.condition import DEAD, FULL, OUT, WOUNDED

RULESETS = ("d100_wwii", "facing_armor", "gurps_vehicle")
SLOWEST_S = 1.5
ACCOUNTS = 100
PASSAGES = 25
Data = dict[str, Any]

WANTED: dict[str, Callable[[Condition], bool]] = {
    "burning": lambda c: c.on_fire and not c.destroyed,
    "crew wounded": lambda c: WOUNDED in c.people and not c.knocked_out,
    "crew killed": lambda c: DEAD in c.people and not c.destroyed,
    "crew out": lambda c: OUT in c.people and not c.destroyed,
    "slowed": lambda c: c.mobility != FULL and not c.destroyed,
    "gun out": lambda c: c.firepower != FULL and not c.destroyed,
    "knocked out": lambda c: c.knocked_out and not c.destroyed,
    "fighting": lambda c: not c.knocked_out,
    "destroyed": lambda c: c.destroyed,
}
"""Conditions that a target can be brought into before the attack."""


def attack(
    ruleset: str,
    name: str,
    weapon: str,
    target: str,
    *,
    options: Data | None = None,
    after: tuple[str, ...] = (),
    want: str = "",
    seconds: float = 0.0,
    **fields: Any,
) -> Data:
    """The inputs of a file. `after` are shots (`weapon/round`) that strike before, until the target is as wanted."""
    id_, _, round_ = weapon.partition("/")
    found, ammunition = reference.catalog().round(f"{id_}/{round_}")
    own = {"hardened": "per layer"} if ruleset == "gurps_vehicle" else {}
    data: Data = {
        "ruleset": ruleset,
        "name": name,
        "attack": {
            **reference.ATTACK_FIELDS,
            "weapon": found.id,
            "ammunition": ammunition.id,
            "target": target,
            "skills": {},
            **fields,
        },
        "options": {**own, **(options or {})},
        "condition": None,
        "before": "fresh",
    }
    if after:
        _damage(data, after, want, seconds)
    return data


def _damage(data: Data, after: tuple[str, ...], want: str, seconds: float) -> None:
    ruleset = reference.ruleset_of(data)
    _, target = reference.attack_of(data)
    for seed in range(1, 3000):
        now = ruleset.fresh(target)
        source = Seeded(seed)
        for shot in after:
            shot, _, aim = shot.partition("#")
            weapon, _, more = shot.partition("@")
            fields = {"given_hit": True, **({"delivery": more} if more else {}), **({"aim": aim} if aim else {})}
            before = attack(data["ruleset"], "", weapon, target.id, options=data["options"], range_m=10.0, **fields)
            plan = ruleset.plan(*reference.attack_of(before))
            now = run(source.dice, ruleset.resolve, plan, now).condition
        if seconds:
            now = run(source.dice, ruleset.pass_time, target, now, seconds).condition
        if now != ruleset.fresh(target) and WANTED[want](now):
            data["condition"] = reference.condition_data(now, ruleset)
            text = f"struck by {', then '.join(after)}"
            data["before"] = f"{text}{f', then {seconds:g} s' if seconds else ''}; seed {seed}: {want}"
            return
    raise AssertionError(f"{data['name']}: no seed brings {want}")


# -- the lists -------------------------------------------------------------------------------------------------------


def d100() -> Iterator[Data]:
    """Percentile attacks: every location table, special attack and kind of damage."""

    def a(name: str, weapon: str, target: str, **more: Any) -> Data:
        return attack("d100_wwii", name, weapon, target, **more)

    yield a("rifle_at_parked_car", "ref_kar98k/ball", "ref_jeep", range_m=80.0)
    yield a("rifle_at_moving_car", "ref_kar98k/ball", "ref_jeep", range_m=80.0, target_speed_kph=40.0)
    yield a("rifle_far_off_at_closed_car", "ref_kar98k/ball", "ref_citroen_11", range_m=250.0, skill_percent=90.0)
    yield a("rifle_at_moving_car_at_night", "ref_kar98k/ball", "ref_kubelwagen", dark=True, target_speed_kph=50.0)
    yield a("rifle_at_truck_of_two", "ref_kar98k/SmK", "ref_truck_of_two", target_speed_kph=30.0)
    yield a("rifle_at_motorcycle", "ref_kar98k/ball", "ref_harley_wla", target_speed_kph=60.0, aspect_deg=90.0)
    yield a("pistol_point_blank_at_sidecar", "ref_m1911/ball", "ref_bmw_r75_sidecar", range_m=3.0)
    yield a("rifle_from_moving_car", "ref_kar98k/ball", "ref_jeep", shooter_speed_kph=50.0, target_speed_kph=60.0)
    yield a("rifle_at_driver", "ref_kar98k/ball", "ref_jeep", aim="driver", skill_percent=95.0, target_speed_kph=40.0)
    yield a("rifle_at_front_tire", "ref_kar98k/ball", "ref_truck_of_two", aim="front_tire", target_speed_kph=40.0)
    yield a("rifle_at_named_people", "ref_kar98k/ball", "ref_five_friends", range_m=50.0)
    yield a("burst_of_3_at_named_people", "ref_mp40/ball", "ref_five_friends", rounds=3, range_m=15.0)
    yield a("burst_of_2_at_parked_car", "ref_mg42/ball", "ref_jeep", rounds=2)
    yield a("burst_of_4_at_motorcycle", "ref_mg42/ball", "ref_harley_wla", rounds=4, range_m=60.0)
    yield a("burst_of_3_at_moving_sidecar", "ref_mg42/ball", "ref_bmw_r75_sidecar", rounds=3, target_speed_kph=40.0)
    yield a("burst_of_5_at_truck_of_two", "ref_mg42/SmK", "ref_truck_of_two", rounds=5)
    yield a("burst_of_3_of_heavy_machine_gun_at_carrier", "ref_us_50_m2/M2_AP", "ref_universal_carrier", rounds=3)
    yield a("burst_of_2_of_autocannon_at_armored_car", "ref_de_20_kwk38/Pzgr_20", "ref_m8_greyhound", rounds=2)
    yield a("machine_gun_at_half_track", "ref_mg42/SmK", "ref_m3_halftrack", aspect_deg=90.0)
    yield a("heavy_machine_gun_ball_at_half_track", "ref_us_50_m2/ball", "ref_m3_halftrack", range_m=200.0)
    yield a("anti_tank_rifle_at_carrier", "ref_uk_boys/Boys_Mk2", "ref_universal_carrier", range_m=150.0)
    yield a("anti_tank_rifle_at_tank", "ref_uk_boys/Boys_Mk1", "ref_m5_stuart", range_m=100.0, target_speed_kph=30.0)
    yield a("autocannon_shell_at_armored_car", "ref_de_20_kwk38/Pzgr_20", "ref_sdkfz_222", range_m=300.0)
    yield a("autocannon_high_explosive_at_car", "ref_de_20_kwk38/Sprgr_20", "ref_jeep", range_m=300.0)
    yield a("gun_point_blank_at_tank", "us_75_m3/M61_APC", "ref_pz4_h", range_m=80.0)
    yield a("gun_at_moving_tank", "de_75_pak40/Pzgr39_pak40", "ref_m4a1_75_dry", range_m=500.0, target_speed_kph=25.0)
    yield a("gun_at_tank_that_stands", "de_75_pak40/Pzgr40_pak40", "ref_m4a3_75w", range_m=500.0)
    yield a("gun_at_thick_tank", "ref_us_76_m1/M62_APC", "ref_tiger_1e", range_m=400.0, skill_percent=80.0)
    yield a("gun_high_explosive_at_tank", "us_75_m3/M48_HE", "ref_pz4_h", range_m=200.0, target_speed_kph=20.0)
    yield a("gun_high_explosive_at_truck_of_two", "us_75_m3/M48_HE", "ref_truck_of_two", range_m=200.0)
    yield a("artillery_point_blank_at_tank", "ref_uk_25pdr/HE_25pdr", "ref_m5_stuart", range_m=90.0)
    yield a("hollow_charge_at_tank", "ref_us_bazooka_m1a1/M6A1", "ref_pz4_h", range_m=60.0)
    yield a("large_hollow_charge_at_assault_gun", "ref_de_pzfaust60/Pzf60", "ref_stug3_g", range_m=30.0)
    yield a("gun_at_magazine", "ref_uk_17pdr/APCBC_17pdr", "ref_m4a1_75_dry", aim="magazine", skill_percent=95.0)
    yield a("rifle_at_open_bed", "ref_kar98k/ball", "ref_universal_carrier", aim="hull_or_bed", skill_percent=95.0)
    yield a(
        "rifle_at_commander_out_of_hatch", "ref_kar98k/ball", "ref_m5_stuart",
        aim="turret_or_front_cab", buttoned=False, skill_percent=90.0,
    )  # fmt: skip
    yield a("given_hit_on_tank", "ref_su_76_zis3/BR350B_zis3", "ref_panther_g", given_hit=True, range_m=300.0)
    yield a("grenade_thrown_at_car", "ref_hand_grenade/Mk2", "ref_jeep", range_m=3.0, delivery="thrown")
    yield a(
        "grenade_inside_half_track", "ref_hand_grenade/Mills", "ref_m3_halftrack", range_m=3.0, delivery="lobbed_inside"
    )
    yield a(
        "grenade_inside_tank_from_afar", "ref_hand_grenade/Mills", "ref_small_tank",
        range_m=6.0, delivery="lobbed_inside", buttoned=False, skill_percent=90.0,
    )  # fmt: skip
    yield a("charge_under_tank", "ref_satchel_charge/charge", "ref_m4a1_75_dry", range_m=2.0, delivery="placed_under")
    yield a(
        "charge_in_running_gear", "ref_satchel_charge/charge", "ref_pz4_h",
        range_m=2.0, delivery="placed_in_running_gear", target_speed_kph=15.0,
    )  # fmt: skip
    yield a(
        "sticky_grenade_under_tank", "ref_sticky_grenade/No74", "ref_m5_stuart", range_m=2.0, delivery="placed_under"
    )
    yield a("pole_charge_by_hand", "ref_pole_charge/charge", "ref_universal_carrier", range_m=2.0, delivery="assaulted")
    yield a("fire_bottle_at_tank", "ref_molotov/bottle", "ref_pz4_h", range_m=3.0, delivery="thrown")
    yield a("fire_bottle_at_car", "ref_molotov/bottle", "ref_kubelwagen", range_m=3.0, delivery="thrown")
    yield a("flamethrower_at_half_track", "ref_flamethrower/fuel", "ref_m3_halftrack", range_m=20.0)
    yield a("ram_of_moving_car", "ref_ram/ram", "ref_jeep", delivery="rammed", shooter_speed_kph=50.0, target_speed_kph=20.0, skill_percent=60.0)  # fmt: skip
    yield a("ram_of_tank_from_behind", "ref_ram/ram", "ref_m5_stuart", delivery="rammed", aspect_deg=180.0, shooter_speed_kph=60.0, target_speed_kph=30.0, skill_percent=60.0)  # fmt: skip
    yield a("ram_off_the_road", "ref_ram/ram", "ref_truck_of_two", delivery="rammed", aim="off_road", aspect_deg=90.0, shooter_speed_kph=50.0, target_speed_kph=45.0, skill_percent=60.0)  # fmt: skip
    yield a("rifle_at_burning_car", "ref_kar98k/ball", "ref_jeep", after=("ref_molotov/bottle@thrown",), want="burning")
    yield a("rifle_at_damaged_moving_car", "ref_kar98k/ball", "ref_kubelwagen", after=("ref_kar98k/ball",) * 4, want="slowed", target_speed_kph=30.0)  # fmt: skip
    yield a("burst_of_3_at_wounded_people", "ref_mg42/ball", "ref_five_friends", after=("ref_mp40/ball",) * 5, want="crew wounded", rounds=3)  # fmt: skip
    yield a("gun_at_worn_armor", "us_75_m3/M61_APC", "ref_tiger_1e", after=("us_75_m3/M61_APC",), want="fighting")
    yield a("machine_gun_at_armor_all_gone", "ref_mg42/ball", "ref_m8_greyhound", after=("us_75_m3/M61_APC",), want="fighting", rounds=2)  # fmt: skip
    yield a("gun_at_tank_without_driver", "us_75_m3/M61_APC", "ref_pz4_h", after=("ref_uk_17pdr/APDS_17pdr",), want="crew killed", target_speed_kph=20.0)  # fmt: skip
    yield a("hollow_charge_at_tank_without_gun", "ref_us_bazooka_m1a1/M6A1", "ref_stug3_g", after=("ref_uk_17pdr/APDS_17pdr",), want="gun out")  # fmt: skip
    yield a("rifle_at_destroyed_car", "ref_kar98k/ball", "ref_jeep", after=("us_75_m3/M48_HE",), want="destroyed")
    yield a("grenade_thrown_farther", "ref_hand_grenade/Mk2", "ref_jeep", range_m=4.0, delivery="thrown")
    yield a("ram_at_the_usual_skill", "ref_ram/ram", "ref_jeep", delivery="rammed", shooter_speed_kph=40.0, skill_percent=None)  # fmt: skip
    yield a("burst_of_3_at_people_of_whom_one_is_dead", "ref_mp40/ball", "ref_five_friends", after=("ref_kar98k/ball",) * 5, want="crew killed", rounds=3, range_m=15.0)  # fmt: skip
    yield a("burst_of_3_at_people_of_whom_one_is_out", "ref_mp40/ball", "ref_five_friends", after=("ref_mp40/ball",) * 6, want="crew out", rounds=3, range_m=15.0)  # fmt: skip
    yield a("gun_at_magazine_under_a_tough_crew", "us_75_m3/M61_APC", "ref_small_tank", aim="magazine", skill_percent=95.0, options={"person_hp": 42})  # fmt: skip
    yield a("fire_bottle_of_a_lucky_thrower", "ref_molotov/bottle", "ref_pz4_h", range_m=3.0, delivery="thrown", options={"shooter_pow": 14})  # fmt: skip
    yield a("autocannon_at_gun", "ref_de_20_kwk38/Pzgr_20", "ref_universal_carrier", aim="hull_gun", given_hit=True)
    yield a("grenade_inside_tank_whose_hatches_are_shut", "ref_hand_grenade/Mills", "ref_small_tank", range_m=3.0, delivery="lobbed_inside", options={"inside_needs_opening": False})  # fmt: skip
    yield a("rifle_at_moving_car_without_headlamps_at_night", "ref_kar98k/ball", "ref_kubelwagen", after=("ref_uk_boys/Boys_Mk2#headlamps",), want="fighting", dark=True, target_speed_kph=40.0, given_hit=True)  # fmt: skip
    yield a("rifle_at_fast_car_by_another_trouble_table", "ref_kar98k/ball", "ref_kubelwagen", target_speed_kph=80.0, given_hit=True, options={"trouble_table": "d12_groundmove"})  # fmt: skip
    yield a("rifle_at_fast_car_by_another_collision_table", "ref_kar98k/ball", "ref_kubelwagen", target_speed_kph=80.0, given_hit=True, options={"collision_table": "asmrb"})  # fmt: skip
    yield a("gun_point_blank_from_a_moving_tank", "us_75_m3/M61_APC", "ref_pz4_h", range_m=80.0, shooter_speed_kph=30.0)
    for part in ("steering", "radiator", "brakes", "fuel_tank", "engine", "suspension", "headlamps", "rear_tire"):
        yield a(f"hit_on_{part}_of_moving_truck", "ref_us_50_m2/ball", "ref_truck_of_two", aim=part, given_hit=True, target_speed_kph=40.0)  # fmt: skip
    yield a("hit_on_driver_of_moving_car", "ref_us_50_m2/ball", "ref_five_friends", aim="driver", given_hit=True, target_speed_kph=40.0)  # fmt: skip
    yield a("hit_on_driver_of_moving_half_track", "ref_us_50_m2/ball", "ref_m3_halftrack", aim="turret_or_front_cab", given_hit=True, target_speed_kph=40.0)  # fmt: skip
    yield a("flamethrower_at_worn_armor", "ref_flamethrower/fuel", "ref_m3_halftrack", after=("ref_de_20_kwk38/Pzgr_20",), want="fighting", given_hit=True, range_m=20.0)  # fmt: skip
    yield a("hit_on_hull_cannon", "ref_us_50_m2/M2_AP", "ref_hull_gun_tank", after=("us_75_m3/M61_APC",), want="fighting", aim="hull_gun", given_hit=True)  # fmt: skip
    yield a("gun_at_gun_of_half_track", "us_75_m3/M61_APC", "ref_stug3_g", aim="hull_gun", skill_percent=95.0)
    yield a(
        "machine_gun_at_gun_of_half_track", "ref_us_50_m2/M2_AP", "ref_m3_halftrack", aim="hull_gun", skill_percent=95.0
    )
    yield a("rifle_at_other_front_tire", "ref_kar98k/ball", "ref_truck_of_two", after=("ref_us_50_m2/ball#front_tire",), want="fighting", aim="front_tire", given_hit=True, target_speed_kph=40.0)  # fmt: skip
    yield a("rifle_at_other_front_tire_by_one_pool", "ref_kar98k/ball", "ref_truck_of_two", after=("ref_us_50_m2/ball#front_tire",), want="fighting", aim="front_tire", given_hit=True, target_speed_kph=40.0, options={"running_gear_pools": "one"})  # fmt: skip


def gurps() -> Iterator[Data]:
    """3d attacks: vehicles of every code, creatures of every body plan, teams, fires, layers, riders, animals."""

    def a(name: str, weapon: str, target: str, skill: float = 13, **more: Any) -> Data:
        own = {"skills": {"gurps_vehicle": skill}, "skill_percent": None}
        return attack("gurps_vehicle", name, weapon, target, **{**own, **more})

    yield a("rifle_at_open_car", "ref_kar98k/ball", "ref_jeep")
    yield a("rifle_at_window_of_car", "ref_kar98k/ball", "ref_closed_car", aim="G", skill=16, range_m=30.0)
    yield a("rifle_at_closed_car_skill_in_percent", "ref_kar98k/SmK", "ref_closed_car", skill_percent=70.0, skills={}, aspect_deg=90.0)  # fmt: skip
    yield a("rifle_beyond_half_damage", "ref_kar98k/ball", "ref_kubelwagen", range_m=600.0, skill=20)
    yield a(
        "rifle_at_moving_motorcycle", "ref_kar98k/ball", "ref_harley_wla", target_speed_kph=60.0, range_m=40.0, skill=16
    )
    yield a("rifle_at_rider", "ref_kar98k/ball", "ref_bmw_r75_sidecar", aim="E", range_m=50.0)
    yield a("rifle_at_wheel", "ref_kar98k/ball", "ref_jeep", aim="W", range_m=20.0)
    yield a("burst_of_2_at_open_car", "ref_mp40/ball", "ref_kubelwagen", rounds=2, range_m=20.0)
    yield a("burst_of_3_at_motorcycle", "ref_mg42/ball", "ref_harley_wla", rounds=3, range_m=80.0, skill=10)
    yield a("burst_of_2_at_motorcycle", "ref_mg42/SmK", "ref_harley_wla", rounds=2, range_m=60.0)
    yield a("burst_of_4_at_sled", "ref_mp40/ball", "ref_sled", rounds=4, range_m=10.0)
    yield a("burst_of_3_of_submachine_gun_at_truck_of_two", "ref_mp40/ball", "ref_truck_of_two", rounds=3, range_m=10.0)
    yield a("burst_of_5_at_horse", "ref_mp40/ball", "ref_horse", rounds=5, range_m=10.0)
    yield a("burst_of_3_at_wheel", "ref_mg42/ball", "ref_harley_wla", rounds=3, aim="W", range_m=30.0, skill=16)
    yield a("burst_of_2_at_closed_car", "ref_mg42/ball", "ref_closed_car", rounds=2, skill=15)
    yield a("burst_of_5_of_submachine_gun_at_rider", "ref_mp40/ball", "ref_harley_wla", rounds=5, range_m=10.0)
    yield a("gun_at_tank", "de_75_pak40/Pzgr39_pak40", "ref_m4a1_75_dry", range_m=500.0)
    yield a("gun_at_side_of_tank_from_a_moving_one", "us_75_m3/M61_APC", "ref_pz4_h", aspect_deg=90.0, shooter_speed_kph=20.0, range_m=200.0, skill=15)  # fmt: skip
    yield a("gun_at_rear_at_night", "ref_uk_6pdr/APCBC_6pdr", "ref_stug3_g", aspect_deg=180.0, dark=True, range_m=200.0, skill=16)  # fmt: skip
    yield a("gun_at_track", "us_75_m3/M61_APC", "ref_panther_g", aim="C", range_m=200.0)
    yield a("gun_at_turret", "ref_uk_17pdr/APCBC_17pdr", "ref_small_tank", aim="T", range_m=300.0)
    yield a("gun_at_vital_area", "ref_uk_6pdr/APDS_6pdr", "ref_small_tank", aim="vital area", aspect_deg=90.0)
    yield a("gun_high_explosive_at_closed_car", "us_75_m3/M48_HE", "ref_closed_car", range_m=200.0)
    yield a("large_gun_into_closed_car", "ref_uk_17pdr/AP_17pdr", "ref_closed_car", range_m=200.0, given_hit=True)
    yield a("shell_near_open_car", "us_75_m3/M48_HE", "ref_five_friends", miss_distance_m=3.0)
    yield a("shaped_charge_at_half_ablative_armor", "ref_us_bazooka_m1a1/M6A1", "ref_half_ablative_car", range_m=30.0)
    yield a("burst_of_2_at_ablative_armor", "ref_us_50_m2/ball", "ref_ablative_car", rounds=2, range_m=60.0)
    yield a("gun_at_hardened_layers", "ref_us_76_m1/M62_APC", "ref_layered_tank", range_m=300.0)
    yield a("shaped_charge_at_hardened_turret", "ref_de_pzfaust60/Pzf60", "ref_layered_tank", aim="T", range_m=30.0)
    yield a("anti_tank_rifle_at_carrier", "ref_uk_boys/Boys_Mk1", "ref_universal_carrier", aspect_deg=90.0)
    yield a("gun_at_roof", "ref_mg151_20/M_Geschoss", "ref_m5_stuart", elevation_deg=60.0, aspect_deg=180.0)
    yield a("charge_under_tank", "ref_satchel_charge/charge", "ref_small_tank", delivery="placed_under", range_m=1.0)
    yield a("charge_in_running_gear", "ref_satchel_charge/charge", "ref_pz4_h", delivery="placed_in_running_gear", range_m=1.0)  # fmt: skip
    yield a("grenade_inside_tank", "ref_hand_grenade/Mills", "ref_small_tank", delivery="lobbed_inside", range_m=3.0, buttoned=False)  # fmt: skip
    yield a("flamethrower_at_open_car", "ref_flamethrower/fuel", "ref_truck_of_two", range_m=15.0)
    yield a("fire_bottle_at_wagon", "ref_molotov/bottle", "ref_horse_wagon", delivery="thrown", range_m=8.0)
    yield a("rifle_at_wagon_and_its_animals", "ref_kar98k/ball", "ref_horse_wagon", aspect_deg=90.0)
    yield a("rifle_at_draft_animal", "ref_kar98k/ball", "ref_horse_wagon", aim="D")
    yield a("gun_at_sailing_ship", "us_75_m3/M61_APC", "ref_sailing_ship", range_m=400.0, aspect_deg=90.0)
    yield a("gun_at_mast", "us_75_m3/M72_AP", "ref_sailing_ship", aim="M", range_m=200.0)
    yield a("autocannon_at_superstructure", "ref_mg151_20/Pzgr_151", "ref_sailing_ship", aim="S", range_m=200.0)
    yield a("autocannon_at_boat", "ref_mg151_20/M_Geschoss", "ref_pt_boat", range_m=300.0)
    yield a("autocannon_at_rotor", "ref_mg151_20/Pzgr_151", "ref_helicopter", aim="H", range_m=100.0, skill=16)
    yield a("heavy_machine_gun_at_aircraft", "ref_us_50_m2/M2_AP", "ref_fi156_storch", range_m=150.0, target_speed_kph=100.0, skill=18)  # fmt: skip
    yield a("heavy_machine_gun_at_armored_aircraft", "ref_us_50_m2/M2_AP", "ref_il2", elevation_deg=-40.0, skill=16)
    yield a("rifle_at_sled", "ref_kar98k/ball", "ref_sled", range_m=50.0)
    yield a("heavy_machine_gun_at_runner", "ref_us_50_m2/ball", "ref_sled", aim="R", range_m=50.0)
    yield a("heavy_machine_gun_at_leg_of_vehicle", "ref_us_50_m2/ball", "ref_sled", aim="L", range_m=50.0)
    yield a(
        "rifle_at_commander_out_of_hatch", "ref_kar98k/ball", "ref_small_tank", aim="E", buttoned=False, range_m=50.0
    )
    yield a("heavy_machine_gun_at_weapon_mount", "ref_us_50_m2/M2_AP", "ref_retracting_tank", aim="X", range_m=60.0, skill=18)  # fmt: skip
    yield a("rifle_at_horse", "ref_kar98k/ball", "ref_horse")
    yield a("burst_of_2_at_horse", "ref_mg42/ball", "ref_horse", rounds=2)
    yield a("gun_at_dragon", "ref_us_50_m2/ball", "ref_dragon", range_m=60.0)
    yield a("autocannon_at_burning_beast", "ref_mg151_20/M_Geschoss", "ref_burning_beast", range_m=60.0)
    yield a("flame_at_dragon", "ref_dragon_fire/breath", "ref_dragon", range_m=10.0)
    yield a("bite_at_horse", "ref_claws_and_teeth/bite", "ref_horse", range_m=1.0)
    yield a("claws_at_wing", "ref_claws_and_teeth/claws", "ref_dragon", range_m=1.0, aim="wing", skill=15)
    yield a("bayonet_at_vitals", "ref_bayonet/thrust", "ref_humanoid", range_m=1.0, aim="vitals")
    yield a("pistol_at_skull_from_behind", "ref_m1911/ball", "ref_humanoid", range_m=5.0, aim="skull", aspect_deg=180.0, skill=15)  # fmt: skip
    yield a("rifle_at_eye", "ref_kar98k/ball", "ref_giant_spider", range_m=20.0, aim="eye", skill=18)
    yield a("pistol_at_arm_with_shield", "ref_m1911/ball", "ref_shield_bearer", range_m=5.0, aim="left arm")
    yield a("grenade_near_creature", "ref_hand_grenade/Mills", "ref_giant_octopus", miss_distance_m=4.0)
    yield a("claws_at_tail", "ref_claws_and_teeth/claws", "ref_striker", range_m=1.0, aim="tail", skill=15)
    yield a("rifle_at_beast_without_tail", "ref_kar98k/ball", "ref_tailless", range_m=30.0)
    for body in [
        "quadruped",
        "winged_quadruped",
        "hexapod",
        "winged_hexapod",
        "centaur",
        "avian",
        "vermiform",
        "octopod",
        "cancroid",
        "ichthyoid",
        "arachnoid",
        "winged_serpent",
        "snake_man",
        "squid",
        "scorpion",
        "humanoid",
    ]:
        yield a(f"pistol_at_{body}", "ref_m1911/ball", f"ref_{body}", range_m=10.0)
    yield a("rifle_at_three_men", "ref_kar98k/ball", "ref_three_men")
    yield a("burst_of_2_at_two_men", "ref_mg42/ball", "ref_two_men", rounds=2, range_m=50.0)
    yield a("grenade_among_two_men", "ref_hand_grenade/Mk2", "ref_two_men", delivery="thrown", range_m=10.0)
    yield a("shell_near_three_men", "us_75_m3/M48_HE", "ref_three_men", miss_distance_m=5.0)
    yield a("rifle_at_leg_of_a_man", "ref_kar98k/ball", "ref_two_men", aim="leg", range_m=40.0)
    yield a("rifle_at_damaged_open_car", "ref_kar98k/ball", "ref_jeep", after=("ref_us_50_m2/ball",) * 3, want="slowed")
    yield a(
        "rifle_at_burning_car", "ref_us_50_m2/ball", "ref_closed_car", after=("ref_us_50_m2/ball",) * 4, want="burning"
    )
    yield a("burst_of_3_at_wounded_car", "ref_mg42/ball", "ref_kubelwagen", after=("ref_mg42/ball",) * 5, want="crew wounded", rounds=3)  # fmt: skip
    yield a("gun_at_tank_with_crew_killed", "de_75_pak40/Pzgr39_pak40", "ref_small_tank", after=("ref_us_76_m1/M62_APC",) * 2, want="crew killed")  # fmt: skip
    yield a("gun_at_tank_without_gun", "us_75_m3/M61_APC", "ref_pz4_h", after=("ref_us_76_m1/M62_APC",) * 2, want="gun out", aspect_deg=90.0)  # fmt: skip
    yield a("rifle_at_wounded_horse", "ref_kar98k/ball", "ref_horse", after=("ref_m1911/ball",) * 3, want="slowed")
    yield a(
        "pistol_at_crippled_beast", "ref_us_50_m2/ball", "ref_dragon", after=("ref_us_50_m2/ball",) * 2, want="slowed"
    )
    yield a("rifle_at_wounded_men", "ref_kar98k/ball", "ref_three_men", after=("ref_m1911/ball",) * 3, want="crew out")
    yield a("burst_of_2_at_shot_off_armor", "ref_us_50_m2/ball", "ref_half_ablative_car", after=("ref_us_50_m2/M2_AP",) * 4, want="fighting", rounds=2)  # fmt: skip
    yield a("rifle_at_destroyed_car", "ref_kar98k/ball", "ref_jeep", after=("us_75_m3/M48_HE",) * 2, want="destroyed")
    yield a("rifle_into_small_cart", "ref_us_50_m2/ball", "ref_small_cart", range_m=30.0)
    yield a("rifle_at_car_with_a_mount", "ref_kar98k/ball", "ref_car_with_mount", range_m=50.0)
    # The same kinds of attack again, small enough to have all their outcomes listed.
    hit: Data = {"given_hit": True}
    plain: Data = {"options": {"criticals": False}}
    yield a("hit_on_tank", "de_75_pak40/Pzgr39_pak40", "ref_small_tank", **hit)
    yield a("hit_on_side_of_tank", "us_75_m3/M61_APC", "ref_pz4_h", aspect_deg=90.0, aim="C", **hit)
    yield a("hit_on_turret", "ref_uk_6pdr/APCBC_6pdr", "ref_small_tank", aim="T", **hit)
    yield a("hit_on_turret_side", "ref_de_20_kwk38/Pzgr_20", "ref_sdkfz_222", aim="T", aspect_deg=90.0, **hit)
    yield a("hit_on_vital_area", "ref_us_bazooka_m1a1/M6A1", "ref_small_tank", aim="vital area", **hit)
    yield a("hit_on_hardened_layers", "ref_us_76_m1/M62_APC", "ref_layered_tank", **hit)
    yield a("hit_on_armored_car", "ref_us_50_m2/M2_AP", "ref_sdkfz_222", **hit)
    yield a("hit_on_ablative_armor", "ref_us_50_m2/ball", "ref_ablative_car", **hit)
    yield a("hit_on_wagon", "ref_molotov/bottle", "ref_horse_wagon", **hit)
    yield a("hit_on_sailing_ship", "ref_mg151_20/Pzgr_151", "ref_sailing_ship", **hit)
    yield a("hit_on_boat", "ref_mg151_20/M_Geschoss", "ref_pt_boat", **hit)
    yield a("hit_on_small_cart", "ref_kar98k/ball", "ref_small_cart", **hit)
    yield a("hit_on_retracting_tank", "ref_us_50_m2/ball", "ref_retracting_tank", **hit)
    yield a("hit_on_aircraft_from_below", "ref_us_50_m2/ball", "ref_il2", elevation_deg=-60.0, **hit)
    yield a("hit_on_helicopter", "ref_mg42/SmK", "ref_helicopter", **hit)
    yield a(
        "hit_by_charge_under_tank", "ref_satchel_charge/charge", "ref_half_ablative_car", delivery="placed_under", **hit
    )
    yield a("hit_on_tank_with_crew_killed", "ref_uk_boys/Boys_Mk1", "ref_universal_carrier", after=("ref_uk_boys/Boys_Mk1",) * 3, want="crew killed", **hit)  # fmt: skip
    yield a("hit_on_tank_without_gun", "ref_us_bazooka_m1a1/M6A1", "ref_small_tank", after=("ref_us_76_m1/M62_APC",) * 2, want="gun out", **hit)  # fmt: skip
    yield a("hit_on_burning_car", "ref_kar98k/ball", "ref_closed_car", after=("ref_us_50_m2/ball",) * 4, want="burning", **hit)  # fmt: skip
    yield a("hit_on_knocked_out_car", "ref_us_50_m2/ball", "ref_truck_of_two", after=("ref_us_50_m2/ball",) * 6, want="knocked out", **hit)  # fmt: skip
    yield a("short_burst_at_truck_of_two", "ref_mp40/ball", "ref_truck_of_two", rounds=2, range_m=10.0, **plain)
    yield a("short_burst_at_open_car", "ref_mp40/ball", "ref_jeep", rounds=2, range_m=20.0, **plain)
    yield a("short_burst_at_wounded_car", "ref_mp40/ball", "ref_kubelwagen", after=("ref_mg42/ball",) * 5, want="crew wounded", rounds=2, range_m=20.0, **plain)  # fmt: skip
    yield a("short_burst_at_horse", "ref_mp40/ball", "ref_horse", rounds=2, range_m=20.0, **plain)
    yield a("short_burst_at_ablative_armor", "ref_mp40/ball", "ref_ablative_car", rounds=3, range_m=10.0, **plain)
    yield a("short_burst_at_shot_off_armor", "ref_mp40/ball", "ref_half_ablative_car", after=("ref_us_50_m2/M2_AP",) * 4, want="fighting", rounds=2, range_m=10.0, **plain)  # fmt: skip
    yield a("short_burst_at_motorcycle", "ref_mp40/ball", "ref_harley_wla", rounds=3, range_m=15.0, **plain)
    yield a("short_burst_at_closed_car", "ref_mp40/ball", "ref_closed_car", rounds=2, range_m=10.0, **plain)


def facing() -> Iterator[Data]:
    """Attacks by facing: every face, kind of round, effect inside, team and assault."""

    def a(name: str, weapon: str, target: str, **more: Any) -> Data:
        return attack("facing_armor", name, weapon, target, **more)

    for degrees in (0, 30, 60, 90, 135, 180, 225, 330):
        yield a(f"gun_at_tank_from_{degrees}_degrees", "us_75_m3/M61_APC", "ref_pz4_h", range_m=500.0, aspect_deg=float(degrees))  # fmt: skip
    yield a("gun_at_dry_tank", "de_75_pak40/Pzgr39_pak40", "ref_m4a1_75_dry", range_m=600.0, aspect_deg=20.0)
    yield a("gun_at_wet_tank", "de_75_pak40/Pzgr39_pak40", "ref_m4a3_75w", range_m=600.0, aspect_deg=90.0)
    yield a("gun_at_tank_hull_down", "ref_de_88_kwk36/Pzgr39_88_56", "ref_t34_76_1942", range_m=1000.0, hull_down=True)
    yield a("gun_at_moving_tank_from_a_moving_one", "ref_us_76_m1/M62_APC", "ref_panther_g", range_m=400.0, target_speed_kph=30.0, shooter_speed_kph=10.0)  # fmt: skip
    yield a(
        "gun_at_tank_at_night", "ref_uk_17pdr/APDS_17pdr", "ref_tiger_1e", range_m=800.0, dark=True, skill_percent=70.0
    )
    yield a("core_far_beyond_its_table", "ref_uk_6pdr/APDS_6pdr", "ref_panther_g", range_m=3000.0)
    yield a("gun_at_turret_alone", "ref_uk_17pdr/APCBC_17pdr", "ref_tiger_1e", range_m=500.0, aim="turret_front")
    yield a("gun_at_tracks_alone", "us_75_m3/M61_APC", "ref_panther_g", range_m=300.0, aim="tracks", aspect_deg=90.0)
    yield a("gun_at_lower_plate_alone", "us_75_m3/M72_AP", "ref_pz4_h", range_m=300.0, aim="hull_front_lower")
    yield a("gun_from_above", "us_75_m3/M61_APC", "ref_stug3_g", range_m=200.0, elevation_deg=20.0)
    yield a("shaped_charge_at_assault_gun", "ref_us_bazooka_m1a1/M6A1", "ref_stug3_g", range_m=50.0, aspect_deg=90.0)
    yield a("shaped_charge_at_tank", "ref_de_pzfaust60/Pzf60", "ref_m4a1_75_dry", range_m=30.0, aspect_deg=70.0)
    yield a(
        "grenade_of_shaped_charge_thrown", "ref_sticky_grenade/No74", "ref_m5_stuart", range_m=8.0, delivery="thrown"
    )
    yield a("rifle_at_car", "ref_kar98k/ball", "ref_kubelwagen", range_m=100.0)
    yield a("burst_of_3_at_car", "ref_mg42/ball", "ref_closed_car", range_m=100.0, rounds=3, aspect_deg=90.0)
    yield a("burst_of_2_at_motorcycle", "ref_mg42/SmK", "ref_harley_wla", range_m=100.0, rounds=2)
    yield a(
        "anti_tank_rifle_at_carrier", "ref_uk_boys/Boys_Mk1", "ref_universal_carrier", range_m=100.0, aspect_deg=120.0
    )
    yield a("burst_of_2_of_autocannon_at_armored_car", "ref_de_20_kwk38/Pzgr_20", "ref_m8_greyhound", range_m=200.0, rounds=2)  # fmt: skip
    yield a("machine_gun_at_half_track", "ref_us_50_m2/M2_AP", "ref_m3_halftrack", range_m=150.0, aspect_deg=90.0)
    yield a("two_shots_at_tank", "us_75_m3/M61_APC", "ref_small_tank", range_m=500.0, rounds=2, aspect_deg=60.0)
    yield a("given_hit_on_tank", "ref_su_76_zis3/BR350B_zis3", "ref_m5_stuart", range_m=500.0, given_hit=True)
    yield a("gun_at_tank_with_men_killed", "us_75_m3/M61_APC", "ref_m4a1_75_dry", after=("us_75_m3/M61_APC",), want="crew killed", range_m=300.0, aspect_deg=90.0)  # fmt: skip
    yield a("gun_at_tank_that_cannot_move", "us_75_m3/M61_APC", "ref_pz4_h", after=("us_75_m3/M61_APC",), want="slowed", range_m=300.0)  # fmt: skip
    yield a("gun_at_tank_without_gun", "us_75_m3/M61_APC", "ref_m4a1_75_dry", after=("us_75_m3/M61_APC",) * 2, want="gun out", range_m=300.0)  # fmt: skip
    yield a("gun_at_burning_tank", "us_75_m3/M61_APC", "ref_m4a1_75_dry", after=("us_75_m3/M61_APC",) * 2, want="burning", range_m=300.0)  # fmt: skip
    yield a("shell_at_team", "us_75_m3/M48_HE", "ref_three_men", range_m=400.0, cover=0.5)
    yield a("shell_near_team", "us_75_m3/M48_HE", "ref_two_men", range_m=400.0, miss_distance_m=20.0)
    yield a("shell_close_to_team", "ref_uk_25pdr/HE_25pdr", "ref_three_men", range_m=400.0, miss_distance_m=3.0)
    yield a("burst_of_5_at_team", "ref_mg42/ball", "ref_three_men", range_m=200.0, rounds=5)
    yield a("burst_of_10_at_gun_crew", "ref_mg42/ball", "ref_at_gun_crew", range_m=200.0, rounds=10, cover=0.25)
    yield a("solid_shot_at_gun_crew", "us_75_m3/M61_APC", "ref_at_gun_crew", range_m=200.0)
    yield a("tank_closing_on_team", "ref_ram/ram", "ref_infantry_squad", delivery="rammed", shooter_speed_kph=20.0, range_m=30.0)  # fmt: skip
    yield a("shell_at_shaken_team", "us_75_m3/M48_HE", "ref_three_men", after=("ref_mg42/ball",) * 3, want="fighting", range_m=300.0)  # fmt: skip
    yield a("assault_on_halted_tank", "ref_hand_grenade/Mk2", "ref_pz4_h", delivery="assaulted", range_m=5.0)
    yield a("assault_on_unbuttoned_tank", "ref_hand_grenade/Mk2", "ref_stug3_g", delivery="assaulted", range_m=5.0, buttoned=False)  # fmt: skip
    yield a("assault_on_tank_that_cannot_move", "ref_hand_grenade/Mk2", "ref_m4a1_75_dry", delivery="assaulted", range_m=5.0, buttoned=False, target_speed_kph=0.0, after=("us_75_m3/M61_APC",), want="slowed")  # fmt: skip


LISTS = {"d100_wwii": d100, "facing_armor": facing, "gurps_vehicle": gurps}


def listed(name: str) -> list[Data]:
    """The attacks of a ruleset's list."""
    return list(LISTS[name]())


# -- odds ------------------------------------------------------------------------------------------------------------


def frozen(data: Data, path: str) -> Data:
    """A file's inputs with the odds they come to."""
    return {**data, "command": reference.command_of(data, path), **reference.odds_data(data)}


def floats(data: Data) -> tuple[Any, float]:
    """The odds in floats, and how long they take."""
    begin = time.process_time()
    found = reference.exact_odds(data, fractions=False)
    took = time.process_time() - begin
    return {part: {k: float(v) for k, v in found[part].items()} for part in ("odds", "expected", "locations")}, took


def differs(one: Any, other: Any) -> bool:
    """Whether two sets of odds are different by more than floats are."""
    for part, numbers in one.items():
        names = {*numbers, *other[part]}
        if any(abs(numbers.get(name, 0.0) - other[part].get(name, 0.0)) > 1e-9 for name in names):
            return True
    return False


def keep_odds(data: Data) -> None:
    """Write the odds of an attack, unless they are there or would take the tests too long."""
    path = f"odds/{data['ruleset']}/{data['name']}.json"
    file = reference.REFERENCE / path
    if file.exists():
        return
    try:
        _, took = floats(data)
    except WorkLimitError:
        print(f"{path}: TOO MUCH WORK, left out", flush=True)
        return
    note = f"{path}: {took:.2f} s"
    if took > SLOWEST_S:
        print(f"{note}: TOO SLOW, left out")
        return
    begin = time.process_time()
    kept = frozen(data, path)
    reference.write(file, kept)
    print(
        f"{note}, fractions {time.process_time() - begin:.1f} s, {len(kept.get('joint', ()))} combinations", flush=True
    )


def option_values(name: str) -> Iterator[tuple[str, Any]]:
    """Every value of every option that is not its default."""
    kind = reference.load_plugins_once().ruleset(name).options_type
    base = {**reference.base_options(name), **({"hardened": "per layer"} if name == "gurps_vehicle" else {})}
    extra: Data = {
        "trouble_table": ["d12_groundmove"],
        "collision_table": ["asmrb"],
        "road": ["snow+oil_or_ice"],
        "attacker_picks": ["even", "X", "g"],
        "kph_per_move": [3.0],
        "ricochet_angle": [45.0],
    }
    for key, hint in get_type_hints(kind).items():
        if key in extra:
            values = extra[key]
        elif hint is bool:
            values = [True, False]
        elif hint is int:
            values = [base[key] + 5]
        elif get_origin(hint) is not None:
            values = list(get_args(hint))
        else:
            continue
        yield from ((key, value) for value in values if value != base[key])


def option_label(key: str, value: Any) -> str:
    """What the file of an option is called."""
    return re.sub(r"\W+", "_", f"option_{key}_{str(value).lower()}")


def keep_options(name: str) -> None:
    """For every option one file, of the first cheap attack whose odds it changes."""
    pool = []
    for data in listed(name):
        if not (reference.REFERENCE / f"odds/{name}/{data['name']}.json").exists():
            continue
        found, took = floats(data)
        if took < 0.4:
            pool.append((took, data, found))
    pool.sort(key=lambda entry: entry[0] > 0.1)
    for key, value in option_values(name):
        label = option_label(key, value)
        if (reference.REFERENCE / f"odds/{name}/{label}.json").exists():
            continue
        for _, data, found in pool:
            changed = {**data, "name": label, "options": {**data["options"], key: value}}
            if data["condition"] is not None and key.startswith(("person_", "running_gear")):
                continue  # the saved condition would not be one of such people
            try:
                other, took = floats(changed)
            except Exception as error:  # an attack that this reading refuses
                print(f"    {label} at {data['name']}: {error}")
                continue
            if took < 1.0 and differs(other, found):
                changed["before"] = f"{data['before']}; as {data['name']}, but for the option {key}"
                keep_odds(changed)
                break
        else:
            print(f"NO ATTACK of {name} changes with {key}={value}")


# -- accounts --------------------------------------------------------------------------------------------------------


def shape(line: str) -> str:
    """A line without its numbers and names: what it says, not of what."""
    return re.sub(r"\d+(\.\d+)?", "#", line)


def allowed(data: Data, found: Data) -> bool:
    """Whether an account may be kept: where the order of HT rolls is open, it is not (see README)."""
    if data["ruleset"] != "gurps_vehicle" or "seconds" in data or data["attack"]["rounds"] == 1:
        return True
    target = reference.catalog().target(data["attack"]["target"])
    if "x" in target.stats["gurps_vehicle"].get("fragile", ()):
        return False
    if any("multiple of -HP" in line or "beyond all help" in line for line in found["lines"]):
        return False
    return sum(1 for line in found["lines"] if "HT roll:" in line and "major" in line) <= 1


def candidates(name: str, kind: str) -> list[Data]:
    """The inputs that accounts are chosen from."""
    attacks = listed(name)
    if kind == "time":
        return list(passages(name, attacks))
    files = sorted((reference.REFERENCE / "odds" / name).glob("option_*.json"))
    for file in files:
        kept = reference.read(file)
        attacks.append({key: kept[key] for key in ("ruleset", "name", "attack", "options", "condition", "before")})
    return attacks


def passages(name: str, attacks: list[Data]) -> Iterator[Data]:
    """Spans of time for targets in many conditions."""
    spans = {
        "d100_wwii": (3.0, 9.0, 30.0, 90.0),
        "facing_armor": (5.0, 12.0, 20.0, 90.0),
        "gurps_vehicle": (1.0, 5.0, 30.0),
    }
    changed: list[Data] = [{}]
    if name == "d100_wwii":
        wanted = (
            "fire_",
            "major_fire",
            "overheated",
            "fuel_stop",
            "steering",
            "take_wheel",
            "wheel_reach",
            "round_seconds",
        )
        changed += [{key: value} for key, value in option_values(name) if key.startswith(wanted)]
    seen = set()
    for data in attacks:
        target = data["attack"]["target"]
        for options in changed:
            if options and not re.search("fire|moving|burning|flame|wheel|driver|parked", data["name"]):
                continue
            inputs = {**data, "options": {**data["options"], **options}}
            ruleset = reference.ruleset_of(inputs)
            shot, thing = reference.attack_of(inputs)
            if ruleset.covers(shot, thing) is not None:
                continue
            plan = ruleset.plan(shot, thing)
            begin = reference.condition_of(inputs, ruleset, thing)
            for seed in range(4 if options else 12):
                after = run(ByReason(seed).dice, ruleset.resolve, plan, begin).condition
                key = (target, str(options), str(after._replace(detail=None)), str(after.detail)[:90])
                if after == ruleset.fresh(thing) or key in seen:
                    continue
                seen.add(key)
                for seconds in spans[name] if not options else spans[name][:2]:
                    yield {
                        "ruleset": name,
                        "name": f"time_after_{data['name']}",
                        "target": target,
                        "seconds": seconds,
                        "options": inputs["options"],
                        "condition": reference.condition_data(after, ruleset),
                        "before": f"{data['before']}; then {data['name']}, seed {seed}",
                    }


def keep_accounts(name: str, kind: str, most: int, seeds: int) -> None:
    """Choose accounts, the one that says most new things first, and write them to one file."""
    file = reference.REFERENCE / "accounts" / name / f"{kind}.json"
    if file.exists():
        return
    made: list[tuple[Data, Data, set[str]]] = []
    for data in candidates(name, kind):
        for seed in range(1, seeds + 1):
            dice = ByReason(seed)
            found = reference.account_of(data, dice)
            if found["lines"] and allowed(data, found):
                kept = {**data, "seed": seed, "dice": dice.given, **found}
                made.append((data, kept, {shape(line) for line in found["lines"]} | {data["name"]}))
    known: set[str] = set()
    chosen = []
    for key, value in option_values(name):
        if (reference.REFERENCE / f"odds/{name}/{option_label(key, value)}.json").exists():
            continue
        for data, kept, _ in made[:: max(1, len(made) // 4000)]:
            if key in data["options"]:
                continue
            changed = {**data, "options": {**data["options"], key: value}, "name": f"{option_label(key, value)}"}
            try:
                dice = ByReason(kept["seed"])
                found = reference.account_of(changed, dice)
            except Exception:
                continue
            if found != {"lines": kept["lines"], "outcome": kept["outcome"]} and allowed(changed, found):
                chosen.append({**changed, "seed": kept["seed"], "dice": dice.given, **found})
                known |= {shape(line) for line in found["lines"]}
                break
        else:
            print(f"no {kind} of {name} is told otherwise with {key}={value}")
    said = set(known)
    while made and len(chosen) < most:
        at = max(range(len(made)), key=lambda i: (len(made[i][2] - known), len(made[i][2])))
        if not made[at][2] - known and known:
            known = set()  # everything has been said once: begin again with those that are left
            continue
        best = made.pop(at)
        known |= best[2]
        said |= best[2]
        chosen.append(best[1])
    for n, kept in zip(count(1), chosen):
        kept["name"] = f"{n:03} {kept['name']}"
    reference.write(file, chosen)
    print(f"{file}: {len(chosen)}, {len(said)} kinds of lines", flush=True)


def rules_told(inventories: Path | None) -> None:
    """Print which rule ids show in the accounts, and those of an inventory that do not."""
    for name in RULESETS:
        lines = [
            line
            for file in reference.account_files()
            for kept in reference.read(file)
            if kept["ruleset"] == name
            for line in kept["lines"]
        ]
        ids = {found for line in lines for found in re.findall(r"^\[([A-Z]+\d*)\]", line)}
        print(name, len(ids), *sorted(ids, key=lambda i: (i[0], int(re.sub(r"\D", "", i) or 0))))
        if inventories:
            text = (inventories / name / "inventory.md").read_text("utf-8")
            every = set(re.findall(r"^\| ([RAGF]\d+) \|", text, re.M))
            print("   not among them:", *sorted(every - ids, key=lambda i: (i[0], int(i[1:]))))


def main(words: list[str]) -> None:
    """Write what is missing."""
    what, names = words[0], words[1:] or list(RULESETS)
    if what == "odds":
        for name in names:
            for data in listed(name):
                keep_odds(data)
            keep_options(name)
    elif what == "accounts":
        for name in names:
            keep_accounts(name, "attacks", ACCOUNTS, 40)
            keep_accounts(name, "time", PASSAGES, 3)
    else:
        rules_told(Path(words[1]) if words[1:] else None)


if __name__ == "__main__":
    main(sys.argv[1:])
