"""Every number of the source's tables and lists, written out here a second time and held against what the rules use."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from d100_wwii.options import Options
from d100_wwii.tables import collision_table, location_rows
from d100_wwii.weapon_stats import weapon_stats
from mantlet import Attack
from mantlet.catalog import Catalog

CATALOG = Catalog()
DELIVERIES = ["fired", "thrown", "placed_under", "placed_in_running_gear", "lobbed_inside", "rammed", "assaulted"]

VEHICLES = [
    # id, location table, armor, Base HP, MOVE, armored, people by seats, rows with nothing aboard
    ("bmw_r75_sidecar", "motorcycle", 2, 30, 59, False, 2, []),
    ("kubelwagen", "auto_truck", 3, 30, 48, False, 4, ["radiator"]),
    ("jeep", "auto_truck", 3, 30, 65, False, 4, []),
    ("opel_blitz", "auto_truck", 5, 75, 50, False, 14, []),
    ("gmc_cckw", "auto_truck", 5, 75, 45, False, 18, []),
    ("sdkfz_251", "afv", 15, 75, 33, True, 12, ["main_gun", "coaxial_gun", "magazine", "gun_laying"]),
    ("m3_halftrack", "afv", 15, 75, 45, True, 13, ["main_gun", "coaxial_gun", "magazine", "gun_laying"]),
    ("m8_greyhound", "afv", 15, 75, 55, True, 4, ["hull_gun"]),
    ("m5_stuart", "afv", 26, 75, 36, True, 4, []),
    ("m4a1_75_dry", "afv", 33, 100, 25, True, 5, []),
    ("t34_76_1942", "afv", 34, 100, 33, True, 4, []),
    ("pz3_j", "afv", 30, 100, 25, True, 5, []),
    ("pz4_h", "afv", 41, 100, 24, True, 5, []),
    ("stug3_g", "afv", 41, 100, 25, True, 4, ["coaxial_gun"]),
    ("panther_g", "afv", 49, 125, 34, True, 5, []),
    ("tiger_1e", "afv", 68, 125, 28, True, 5, []),
]

WEAPONS = [
    # id, kind, dice, base range (yards, or None where STR throws it), feet thrown a point of STR, malfunction, burn
    ("kar98k", "bullet", "2d6+4", 110, None, 100, None),
    ("m1_garand", "bullet", "2d6+4", 110, None, 100, None),
    ("mp40", "bullet", "1d10", 20, None, 96, None),
    ("thompson", "bullet", "1d10+2", 20, None, 96, None),
    ("mg42", "bullet", "2d6+4", 110, None, 96, None),
    ("us_50_m2", "at_rifle", "2d10+1d8+6", 250, None, 96, None),
    ("uk_boys", "at_rifle", "2d10+1d8+6", 200, None, 98, None),
    ("su_145_ptrs", "at_rifle", "3d10+1d8+6", 250, None, 97, None),
    ("de_37_pak36", "ap_shell", "7d6", 500, None, None, None),
    ("de_50_pak38", "ap_shell", "8d6", 600, None, None, None),
    ("us_75_m3", "ap_shell", "10d6", 500, None, None, None),
    ("de_75_pak40", "ap_shell", "11d6", 1000, None, None, None),
    ("su_76_f34", "ap_shell", "10d6", 500, None, None, None),
    ("uk_17pdr", "ap_shell", "12d6", 1000, None, None, None),
    ("de_75_kwk42", "ap_shell", "12d6", 1000, None, None, None),
    ("de_88_kwk36", "ap_shell", "13d6", 1200, None, None, None),
    ("de_88_kwk43", "ap_shell", "14d6", 1500, None, None, None),
    ("he_shell_75mm", "explosive", "10d6", 500, None, None, None),
    ("us_bazooka_m1a1", "hollow_charge", "8d6", 100, None, 97, None),
    ("de_pzfaust60", "hollow_charge", "10d6", 30, None, 97, None),
    ("de_pzschreck", "hollow_charge", "10d6", 150, None, 97, None),
    ("uk_piat", "hollow_charge", "8d6", 100, None, 95, None),
    ("hand_grenade", "explosive", "4d6", None, 1.0, None, None),
    ("satchel_charge", "explosive", "10d6", None, 0.5, None, None),
    ("sticky_grenade", "explosive", "5d6", None, 1.0, None, None),
    ("molotov", "fire", "2d6", None, 1.0, 95, "1d6"),
    ("flamethrower", "fire", "2d6", 25, None, 93, "1d6+2"),
]

LOCATIONS = {
    "auto_truck": [
        (1, 2, "headlamps", 2, False, ""),
        (3, 4, "suspension", 10, False, "move 1/2"),
        (5, 14, "fuel_tank", 5, False, "d100 1-35 fire, 36-100 stop 4d6+4"),
        (15, 24, "radiator", 10, False, "overheat 4d6+4"),
        (25, 49, "engine", 15, False, "d100 1-20 fire, 21-100 stop at once"),
        (50, 64, "front_tire", 10, False, "drive -15, fail trouble+4, ok move 1/2"),
        (65, 69, "rear_tire", 10, False, "drive -20, fail trouble+4, ok move 1/4"),
        (70, 79, "driver", "people", False, "trouble+5; wheel or trouble+10"),
        (80, 89, "front_seat", "people", False, ""),
        (90, 96, "back_seat_or_bed", "people", False, ""),
        (97, 98, "brakes", 6, False, ""),
        (99, 100, "steering", 10, False, "trouble+0"),
    ],
    "motorcycle": [
        (1, 2, "headlamps", 2, False, ""),
        (3, 4, "suspension", 10, False, "move 1/2"),
        (5, 19, "fuel_tank", 5, False, "d100 1-35 fire, 36-100 stop 4d6+4"),
        (20, 49, "engine", 15, False, "d100 1-20 fire, 21-100 stop at once"),
        (50, 64, "tire", 10, False, "drive -30, fail trouble+4, ok move 1/4"),
        (65, 89, "driver", "people", False, "trouble+10"),
        (90, 96, "sidecar", "people", False, ""),
        (97, 98, "brakes", 6, False, ""),
        (99, 100, "steering", 10, False, "trouble+0"),
    ],
    "afv": [
        (1, 4, "fuel_tank", 5, False, "d100 1-35 fire, 36-100 stop 4d6+4"),
        (5, 14, "engine", 15, False, "d100 1-20 fire, 21-100 stop at once"),
        (15, 29, "tread", 10, False, "drive -20, fail trouble+4, ok move 1/4"),
        (30, 49, "turret_or_front_cab", "people", False, "trouble+5; wheel or trouble+10"),
        (50, 51, "main_gun", 15, True, ""),
        (52, 52, "coaxial_gun", "gun", True, ""),
        (53, 54, "hull_gun", "gun", True, ""),
        (55, 74, "hull_or_bed", "people", False, "trouble+5; wheel or trouble+10"),
        (75, 89, "magazine", 10, True, "explodes 12d6"),
        (90, 90, "headlamps", 2, False, ""),
        (91, 92, "suspension", 10, False, "move 1/2"),
        (93, 94, "gun_laying", 5, True, ""),
        (95, 96, "radio", 2, True, ""),
        (97, 98, "brakes", 6, False, ""),
        (99, 100, "steering", 10, False, "trouble+0"),
    ],
}

D20 = "1-3 move 1/4|4-6 stop|7-9 drive -15|10-12 drive -20, again at +10|13-15 collision, halt"
D20 += "|16-17 collision, stop, halt|18-19 collision, stop, halt|20-20 collision, stop, halt, fire"
CRASH = "collision, thrown out over 30: 1d6, stop, halt"
D12 = "1-1 move 1/4|2-2 stop|3-3 stop (engine_damage)|4-6 drive -20|7-7 drive -10|8-8 drive -15, again at +2"
D12 += f"|9-9 drive -30, again at +4|10-10 {CRASH}"
TROUBLE = {
    "d20_landrules": D20,
    "d12_groundmove.wheels": f"{D12}|11-11 {CRASH}|12-12 {CRASH}, fire",
    "d12_groundmove.motorcycle": f"{D12}|11-11 {CRASH}|12-12 {CRASH}, fire",
    "d12_groundmove.tracks": D12.replace("10-10", "10-12"),
}
FIRE = [  # low, high, name, dice to occupants ("" for the fire's own less armor), once, inoperable, explodes
    (1, 5, "minor_fire", "", "", "", False),
    (6, 7, "minor_engine_fire", "", "", "until_repaired", False),
    (8, 9, "major_engine_fire", "1d6+2", "", "for_good", False),
    (10, 10, "explosion", "1d6+2", "3d6", "for_good", True),
]


def said(op: Any) -> str:
    """An effect in a few words, as it is written above."""
    if op.kind == "d100":
        return "d100 " + ", ".join(f"{r.low}-{r.high} {'; '.join(said(o) for o in r.value)}" for r in op.table.rows)
    if op.kind == "drive_check":
        return f"drive {op.value}, fail {said(op.fail[0])}, ok {said(op.ok[0])}"
    if op.kind == "stop" and op.reason in ("fuel", "engine"):
        return f"stop {op.dice or 'at once'}"
    return {
        "move_lost": f"move 1/{op.value}",
        "move_becomes": f"move 1/{op.value}",
        "overheat": f"overheat {op.dice}",
        "trouble": f"trouble+{op.value}",
        "take_wheel": f"wheel or trouble+{op.value}",
        "explosion": f"explodes {op.dice}",
        "stop": "stop" if op.reason == "trouble" else f"stop ({op.reason})",
        "drive_next": f"drive {op.value}" + (f", again at +{op.reroll}" if op.reroll else ""),
        "thrown_out": f"thrown out over {op.value}: {op.dice}",
    }.get(op.kind, op.kind)


@pytest.mark.rule("R19")
@pytest.mark.parametrize("name", LOCATIONS)
def test_every_row_of_a_location_table(ruleset: Any, name: str) -> None:
    table = ruleset.tables()[name]
    got = []
    for band, row in zip(table.rows, location_rows(name), strict=True):
        assert band.value == row.component
        hp = "gun" if row.weapon_hp else row.hp or "people"
        effects = "; ".join(said(op) for op in row.effects if op.kind not in ("note", "no_brakes"))
        got.append((band.low, band.high, row.component, hp, row.starred, effects))
    assert got == LOCATIONS[name]


@pytest.mark.rule("A55")
@pytest.mark.parametrize("name", TROUBLE)
def test_every_row_of_a_trouble_table(ruleset: Any, name: str) -> None:
    rows = ruleset.tables()[f"trouble.{name}"].rows
    assert "|".join(f"{r.low}-{r.high} {', '.join(said(op) for op in r.value.effects)}" for r in rows) == TROUBLE[name]


@pytest.mark.rule("R19", "A37", "A38")
def test_every_row_of_the_fire_table(ruleset: Any) -> None:
    assert [
        (r.low, r.high, v.name, v.occupants, v.once, v.inoperable, v.explodes)
        for r in ruleset.tables()["fire"].rows
        for v in (r.value,)
    ] == FIRE


@pytest.mark.rule("A62")
def test_the_collision_tables() -> None:
    house, asmrb = collision_table("house"), collision_table("asmrb")
    assert [str(house.dice(move, larger=False)) for move in (1, 10, 11, 40, 60)] == ["1d6", "1d6", "2d6", "4d6", "6d6"]
    assert house.dice(0, larger=True) is None
    factors = {4.0: 2.0, 2.0: 2.0, 1.9: 1.0, 1.0: 1.0, 0.5: 1.0, 0.49: 0.5}
    assert {ratio: house.size_factor(ratio) for ratio in factors} == factors
    assert (house.occupants, asmrb.occupants, asmrb.belted) == (0.5, 0.5, 0.5)
    dice = [str(asmrb.dice(move, larger)) for move in (29, 30) for larger in (True, False)]
    assert dice == ["1d6", "1d6", "2d10", "4d10"]


@pytest.mark.rule("R7")
@pytest.mark.parametrize("row", VEHICLES, ids=lambda row: row[0])
def test_every_vehicle_of_the_list(ruleset: Any, row: Any) -> None:
    name, table, armor, base_hp, move, armored, people, absent = row
    vehicle = ruleset.vehicle(CATALOG.target(name))
    stats = vehicle.stats
    got = (stats.hit_table, stats.armor, stats.base_hp, stats.move, stats.armored)
    assert got == (table, armor, base_hp, move, armored)
    assert {d.stat for d in stats.derived} <= {"absent"}
    assert len(vehicle.occupants) == people
    guns = ("main_gun", "coaxial_gun", "hull_gun", "magazine", "gun_laying", "radio")
    nothing = [n for n in vehicle.rows if not vehicle.aboard(n) and (n in guns or n == "radiator")]
    assert sorted(nothing) == sorted(absent)
    assert "stat block" in stats.notes[0]


@pytest.mark.rule("R4", "R20")
@pytest.mark.parametrize("name", ["panther_a", "opel_blitz", "bmw_r75_sidecar", "horse", "infantry_squad"])
@pytest.mark.parametrize("delivery", DELIVERIES)
def test_every_weapon_of_the_catalog_has_a_plan_or_a_reason(ruleset: Any, name: str, delivery: Any) -> None:
    target = CATALOG.target(name)
    for weapon in map(CATALOG.weapon, CATALOG.weapon_ids()):
        for ammunition in weapon.ammunition:
            attack = Attack(weapon=weapon, ammunition=ammunition, range_m=2.0, delivery=delivery)
            reason = ruleset.covers(attack, target)
            if reason is None:
                assert ruleset.plan(attack, target).to_hit.target > 0
            else:
                assert re.fullmatch(r"[RA]\d+: .+\.", reason)


@pytest.mark.rule("R7")
def test_every_target_of_the_catalog_has_its_numbers_or_a_reason(ruleset: Any) -> None:
    rifle, ball = CATALOG.round("kar98k")
    for target in map(CATALOG.target, CATALOG.target_ids()):
        reason = ruleset.covers(Attack(weapon=rifle, ammunition=ball), target)
        if reason is None:
            plan = ruleset.plan(Attack(weapon=rifle, ammunition=ball), target)
            known = {d.stat for d in plan.derived}
            listed = any("stat block" in note and target.id in note for note in plan.notes)
            assert listed or {"hit_table", "armored", "armor", "base_hp", "move"} <= known
        else:
            assert target.kind != "vehicle" or target.body in reason


@pytest.mark.rule("R2")
@pytest.mark.parametrize("row", WEAPONS, ids=lambda row: row[0])
def test_every_weapon_of_the_list(row: Any) -> None:
    name, kind, dice, range_yd, thrown, malfunction, burn = row
    in_catalog = {"he_shell_75mm": "us_75_m3/M48_HE"}.get(name, name)
    stats = weapon_stats(*CATALOG.round(in_catalog), Options(shooter_str=12))
    assert stats is not None
    assert (stats.kind, str(stats.damage), stats.thrown) == (kind, dice, thrown)
    assert stats.range_yd == (range_yd if thrown is None else thrown * 12 / 3)
    assert stats.malfunction == (malfunction or 101)
    if burn:
        assert stats.burn == burn


def test_a_plan_tells_whose_stat_block_a_value_is_from(ruleset: Any) -> None:
    """What somebody states of a shipped thing is neither the shipped block's nor derived."""
    weapon, ammunition = CATALOG.round("de_75_pak40")
    target = CATALOG.target("m4a1_75_dry")
    shipped = ruleset.plan(Attack(weapon=weapon, ammunition=ammunition), target).notes
    assert "de_75_pak40: stat block, derived" in shipped
    weapon = replace(weapon, stats={"d100_wwii": {"damage": "12d6", "range_yd": 900.0}})
    target = replace(target, stats={"d100_wwii": {"armor": 40}})
    plan = ruleset.plan(Attack(weapon=weapon, ammunition=ammunition), target)
    assert "de_75_pak40: damage, range_yd as the catalog says; else stat block, derived" in plan.notes
    assert any(note.startswith("m4a1_75_dry: armor as the catalog says; else stat block, ") for note in plan.notes)
    assert not {"damage", "range_yd", "armor"} & {derived.stat for derived in plan.derived}
