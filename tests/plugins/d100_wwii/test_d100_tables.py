"""The printed tables, row by row, and what their rows bring about."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from d100_wwii.ruleset import D100Wwii
from d100_wwii.tables import trouble_tables
from mantlet import CatalogError, UnknownNameError

KPH = 1.609344
MOVING = {"target_speed_kph": 40 * KPH}
FAR = {"range_m": 500.0}
NIGHT = {"dark": True}


def widths(ruleset: Any, name: str) -> list[int]:
    return [row.high - row.low + 1 for row in ruleset.tables()[name].rows]


@pytest.mark.rule("R19")
def test_the_three_location_tables_have_their_printed_widths(ruleset: Any) -> None:
    assert widths(ruleset, "auto_truck") == [2, 2, 10, 10, 25, 15, 5, 10, 10, 7, 2, 2]
    assert widths(ruleset, "motorcycle") == [2, 2, 15, 30, 15, 25, 7, 2, 2]
    assert widths(ruleset, "afv") == [4, 10, 15, 20, 2, 1, 2, 20, 15, 1, 2, 2, 2, 2, 2]
    for name in ("auto_truck", "motorcycle", "afv"):
        assert sum(ruleset.tables()[name].probabilities()) == 1
    assert widths(ruleset, "fire") == [5, 2, 2, 1]
    assert widths(ruleset, "auto_truck.fuel_tank") == [35, 65]
    assert widths(ruleset, "afv.engine") == [20, 80]


@pytest.mark.rule("R19")
def test_every_row_has_its_printed_hit_points(ruleset: Any, kit: Any) -> None:
    def hp(target: str) -> dict[str, int]:
        rows = ruleset.vehicle(kit.find(target)).rows
        return {name: row.hp for name, row in rows.items() if hasattr(row, "hp")}

    basic = {"headlamps": 2, "suspension": 10, "fuel_tank": 5, "engine": 15, "brakes": 6, "steering": 10}
    assert hp("opel_blitz") == basic | {"radiator": 10, "front_tire": 10, "rear_tire": 10}
    assert hp("bmw_r75_sidecar") == basic | {"tire": 10}
    guns = {"main_gun": 15, "coaxial_gun": 11, "hull_gun": 11, "magazine": 10, "gun_laying": 5, "radio": 2}
    assert hp("m4a1_75_dry") == basic | guns | {"tread": 10}


@pytest.mark.rule("R19")
@pytest.mark.parametrize(("roll", "on_fire"), [(35, True), (36, False)])
def test_a_fuel_tank_burns_to_35_and_runs_dry_after(kit: Any, roll: int, on_fire: bool) -> None:
    shot = kit.shoot("kar98k", "opel_blitz", [50, 16, 5, roll, *([5] if on_fire else []), 18])
    assert shot.outcome.condition.on_fire is on_fire
    assert shot.detail.stop_in == 18  # a tank that burns is destroyed too


@pytest.mark.rule("R19")
@pytest.mark.parametrize(("roll", "on_fire"), [(20, True), (21, False)])
def test_an_engine_burns_to_20_and_stops_after(kit: Any, roll: int, on_fire: bool) -> None:
    shot = kit.shoot("us_50_m2", "opel_blitz", [50, 20, 25, roll, *([5] if on_fire else [])])
    assert shot.outcome.condition.on_fire is on_fire
    assert shot.outcome.condition.mobility == 2  # an engine that burns is destroyed too


@pytest.mark.rule("R19", "A44", "A43")
def test_tires_and_suspension_take_their_share_of_mov(kit: Any) -> None:
    front = kit.shoot("kar98k", "opel_blitz", [50, 16, 50, 1, 35], **MOVING)  # Drive 50 - 15
    assert (front.reasons[-1], front.detail.move) == ("Drive Auto", 0.5)
    rear = kit.shoot("kar98k", "opel_blitz", [50, 16, 65, 1, 30], **MOVING)
    assert rear.detail.move == 0.75
    skid = kit.shoot("kar98k", "opel_blitz", [50, 16, 65, 1, 31, 3], **MOVING)  # 3 + 4: skid
    assert (skid.detail.move, skid.detail.drive_next) == (1.0, -15)
    cycle = kit.shoot("kar98k", "bmw_r75_sidecar", [50, 16, 50, 1, 20], **MOVING)
    assert cycle.detail.move == 0.75
    both = kit.shoot("kar98k", "opel_blitz", [50, 16, 3], condition=rear.outcome.condition)
    assert both.detail.move == 0.375
    from_full = {"several_losses": "from_full"}
    assert kit.shoot("kar98k", "opel_blitz", [50, 16, 3], from_full, rear.outcome.condition).detail.move == 0.25
    drop = kit.shoot("kar98k", "opel_blitz", [50, 16, 65, 1, 30], {"move_loss": "drop_to_share"}, **MOVING)
    assert drop.detail.move == 0.25


@pytest.mark.rule("A56")
def test_a_parked_vehicle_rolls_for_nothing(kit: Any) -> None:
    parked = kit.shoot("kar98k", "opel_blitz", [50, 16, 50, 1])
    assert parked.detail.move == 0.5
    assert "no Drive check" in parked.text
    assert "no roll for trouble" in kit.shoot("kar98k", "opel_blitz", [50, 16, 99]).text
    asked = kit.shoot("kar98k", "opel_blitz", [50, 16, 99, 7], {"parked_trouble": True})
    assert asked.reasons[-1] == "Vehicle trouble (d20)"


@pytest.mark.rule("A45")
def test_every_tire_and_tread_has_its_own_hit_points(kit: Any) -> None:
    first = kit.shoot("kar98k", "opel_blitz", [50, 16, 50, 2])
    pools = kit.plan("kar98k", "opel_blitz").vehicle.part("front_tire").pools
    assert [first.detail.pools[i] for i in pools] == [0, 10]
    other = kit.shoot("kar98k", "opel_blitz", [50, 14, 50, 2], condition=first.outcome.condition)
    assert [other.detail.pools[i] for i in pools] == [0, 1]
    same = kit.shoot("kar98k", "opel_blitz", [50, 14, 50, 1], condition=first.outcome.condition)
    assert "no further effect" in same.text
    counts = {
        name: len(kit.plan("kar98k", target).vehicle.part(name).pools)
        for target, name in (("opel_blitz", "rear_tire"), ("jeep", "rear_tire"), ("sdkfz_251", "tread"))
    }
    assert counts == {"rear_tire": 2, "tread": 2}
    assert len(kit.plan("kar98k", "opel_blitz").vehicle.part("rear_tire").pools) == 4
    for body, tires in (("truck", 4), ("car", 2)):  # derived, where there is no stat block
        unlisted = kit.vehicle_with("opel_blitz", id=f"unlisted_{body}", aliases=(), body=body, wheels=4)
        assert len(kit.plan("kar98k", unlisted).vehicle.part("rear_tire").pools) == tires
        assert len(kit.plan("kar98k", unlisted).vehicle.part("front_tire").pools) == 2
    assert len(kit.plan("kar98k", "jeep", {"running_gear_pools": "one"}).vehicle.part("rear_tire").pools) == 1


@pytest.mark.rule("A46")
def test_a_wheeled_armored_cars_running_gear_is_the_tread_row(kit: Any) -> None:
    tread = [50, 26, 15, 3]
    shot = kit.shoot("uk_boys", "m8_greyhound", tread)
    assert shot.outcome.locations[0].path == "tread"
    assert shot.detail.move == 0.75
    absent = kit.shoot("uk_boys", "m8_greyhound", tread[:3], {"wheeled_afv_tread": "absent"})
    assert absent.outcome.locations[0].zone == "nothing"


@pytest.mark.rule("A47")
def test_the_vehicles_own_skill_is_rolled(kit: Any) -> None:
    steering = [50, 50, 15, 1, 30]
    tank = kit.shoot("de_75_pak40", "m4a1_75_dry", steering, **FAR, **MOVING)
    assert tank.reasons[-1] == "Operate Heavy Machinery"
    auto = kit.shoot("de_75_pak40", "m4a1_75_dry", steering, {"afv_drive_skill": "drive_auto"}, **FAR, **MOVING)
    assert auto.reasons[-1] == "Drive Auto"


@pytest.mark.rule("A48")
def test_without_a_turret_the_row_is_the_fighting_compartment_or_the_cab(kit: Any) -> None:
    gun = kit.shoot("de_75_pak40", "stug3_g", [50, 52, 30], **FAR)  # 11 through
    assert sorted(gun.people) == [(1, 1, 1), (6,)]  # the gun's three there, the driver in the hull
    empty = kit.shoot("de_75_pak40", "stug3_g", [50, 52, 30], {"turretless_row": "absent"}, **FAR)
    assert sorted(empty.people) == [(6,), (6, 6, 6)]
    cab = kit.shoot("us_bazooka_m1a1", "sdkfz_251", [50, 20, 30])
    assert cab.people[0] == (7,)  # the half-track's driver sits in the cab


@pytest.mark.rule("A49")
def test_a_gun_has_its_own_hit_points(kit: Any) -> None:
    def gun(options: dict[str, Any] | None = None, target: Any = "sdkfz_251") -> int:
        return int(kit.plan("kar98k", target, options).vehicle.part("hull_gun").hp)

    assert (gun(), gun({"machine_gun_hp": 8})) == (11, 8)
    cannon = kit.vehicle_with("churchill_4", id="cannon", aliases=(), components=("engine", "hull_gun"))
    assert (gun(None, cannon), gun({"hull_cannon_hp": 20}, cannon)) == (15, 20)


@pytest.mark.rule("A50")
@pytest.mark.parametrize(
    ("reading", "target"), [("stacked", 50 - 5 - 10 - 15), ("seed_alone", 50 - 10 - 15), ("flat_20", 15)]
)
def test_headlamps_count_in_the_dark(kit: Any, reading: str, target: int) -> None:
    dark = kit.with_detail("opel_blitz", pools={"headlamps": 0})
    tire = [50, 16, 50, 1, 1]
    options = {"headlamps": reading}

    def drive(**where: Any) -> float:
        entries = kit.shoot("kar98k", "opel_blitz", tire, options, dark, **MOVING, **where).entries
        return next(float(e.target) for e in entries if getattr(e, "reason", "") == "Drive Auto")

    assert drive(**NIGHT) == target
    assert drive() == 35  # nothing by day


@pytest.mark.rule("A50")
def test_headlamps_and_night_are_added_up_unless_said_otherwise(kit: Any) -> None:
    dark = kit.with_detail("opel_blitz", pools={"headlamps": 0})
    shot = kit.shoot("kar98k", "opel_blitz", [50, 16, 50, 1, 20], None, dark, **MOVING, **NIGHT)
    assert next(e.target for e in shot.entries if getattr(e, "reason", "") == "Drive Auto") == 50 - 15 - 5 - 10


@pytest.mark.rule("A51")
def test_an_overheated_engine_stops(kit: Any) -> None:
    shot = kit.shoot("kar98k", "opel_blitz", [50, 16, 15, 8])
    assert shot.detail.overheat_in == 8
    after, text = kit.wait("opel_blitz", shot.outcome.condition, 8, [])
    assert (after.condition.mobility, "overheated" in text) == (2, True)
    assert kit.wait("opel_blitz", shot.outcome.condition, 7, [])[0].condition.mobility == 1
    lax = kit.wait("opel_blitz", shot.outcome.condition, 9, [], {"overheated": "no_effect"})[0]
    assert lax.condition.mobility == 0


@pytest.mark.rule("A52")
def test_without_fuel_it_runs_on_for_a_while(kit: Any) -> None:
    shot = kit.shoot("kar98k", "opel_blitz", [50, 16, 5, 36, 18])
    assert (shot.detail.stop_in, shot.outcome.condition.mobility) == (18, 1)
    assert kit.wait("opel_blitz", shot.outcome.condition, 17, [])[0].condition.mobility == 1
    assert kit.wait("opel_blitz", shot.outcome.condition, 18, [])[0].condition.mobility == 2
    at_once = kit.shoot("kar98k", "opel_blitz", [50, 16, 5, 36], {"fuel_stop": "at_once"})
    assert at_once.outcome.condition.mobility == 2
    assert kit.shoot("us_50_m2", "opel_blitz", [50, 20, 25, 21]).outcome.condition.mobility == 2  # the engine: at once


@pytest.mark.rule("A53")
def test_steering_rolls_for_trouble_once(kit: Any) -> None:
    shot = kit.shoot("kar98k", "opel_blitz", [50, 16, 99, 8], **MOVING)  # a skid
    assert shot.outcome.condition.mobility == 1
    assert kit.wait("opel_blitz", shot.outcome.condition, 3, [])[0].condition.mobility == 1
    each = kit.wait("opel_blitz", shot.outcome.condition, 2, [8, 8], {"steering": "each_round"})
    assert "no steering" in each[1]
    calm = kit.with_detail("opel_blitz", pools={"steering": 0}, speed=40)
    again = kit.wait("opel_blitz", calm, 1, [8], {"steering": "each_round"})[0]
    assert again.condition.detail.drive_next == -15
    assert kit.wait("opel_blitz", calm, 1, [])[0].condition.detail == calm.detail


@pytest.mark.rule("A54", "A55")
def test_the_trouble_table_stops_at_its_top_row(ruleset: Any) -> None:
    table = ruleset.tables()["trouble.d20_landrules"]
    assert [str(p) for p in table.probabilities(10)][-1] == "11/20"  # 10 to 20 on the die
    assert table.row_for(30).value.name == "rollover_and_fire"
    names = [row.value.name for row in table.rows]
    assert names == [
        "flat_tire_or_thrown_tread",
        "broken_axle_or_tread",
        "skid",
        "fishtail",
        "minor_crash",
        "major_crash",
        "rollover",
        "rollover_and_fire",
    ]
    assert [row.high for row in table.rows] == [3, 6, 9, 12, 15, 17, 19, 20]


@pytest.mark.rule("A55")
def test_every_row_of_the_d20_does_what_it_says(kit: Any) -> None:
    def trouble(roll: int, *more: int) -> Any:
        return kit.shoot("kar98k", "opel_blitz", [50, 16, 99, roll, *more], **MOVING)

    assert trouble(1).detail.move == 0.25
    assert trouble(4).outcome.condition.mobility == 2
    assert (trouble(7).detail.drive_next, trouble(7).detail.reroll) == (-15, 0)
    assert (trouble(10).detail.drive_next, trouble(10).detail.reroll) == (-20, 10)
    crash = trouble(13, 11)  # 4d6 at MOVE 40: 11 to the truck, 6 to everyone aboard
    assert (crash.detail.base_hp, crash.people[0], crash.detail.speed) == (75 - 11 - 11, (6,), 0)
    assert crash.outcome.condition.mobility == 1  # still operable
    assert trouble(16, 11).outcome.condition.mobility == 2
    assert trouble(18, 11).outcome.condition.mobility == 2
    assert trouble(20, 11, 5).outcome.condition.on_fire


@pytest.mark.rule("A55")
def test_the_d12_goes_by_the_class_of_vehicle(kit: Any, ruleset: Any) -> None:
    d12 = {"trouble_table": "d12_groundmove"}
    for name in ("wheels", "motorcycle", "tracks"):
        assert ruleset.tables()[f"trouble.d12_groundmove.{name}"].dice.high == 12

    def trouble(target: str, script: list[int], weapon: str = "kar98k", **more: Any) -> Any:
        return kit.shoot(weapon, target, script, d12, **MOVING, **more)

    assert trouble("opel_blitz", [50, 16, 99, 1]).detail.move == 0.25
    assert trouble("opel_blitz", [50, 16, 99, 4]).detail.drive_next == -20
    severe = trouble("opel_blitz", [50, 16, 99, 8]).detail
    assert (severe.drive_next, severe.reroll) == (-15, 2)
    luck = [*[99] * 14, 12]  # everyone is thrown out: 4d6 each
    burning = trouble("opel_blitz", [50, 16, 99, 12, 11, *luck, 5])
    assert burning.outcome.killed == 14
    tank = trouble("m5_stuart", [50, 50, 99, 12, 11, *[1] * 4], "de_75_pak40", **FAR)
    assert tank.outcome.condition.on_fire is False  # tracks crash, they do not roll over


@pytest.mark.rule("A55", "A62")
def test_a_campaign_puts_its_own_table_in_place(kit: Any, tmp_path: Path) -> None:
    house = tmp_path / "trouble.toml"
    house.write_text(
        '[short]\ndice = "1d4"\ncolumns = { any = [[1, 2, "bump"], [3, 4, "halt"]] }\n'
        '[short.effects]\nbump = [{ op = "drive_next", value = -5 }]\nhalt = [{ op = "stop", reason = "trouble" }]\n'
    )
    shot = kit.shoot("kar98k", "opel_blitz", [50, 16, 99, 2], {"trouble_table": str(house)}, **MOVING)
    assert shot.detail.drive_next == -5
    gap = tmp_path / "gap.toml"
    gap.write_text(house.read_text().replace("[3, 4", "[4, 4"))
    with pytest.raises(CatalogError, match=r"gap\.toml: Table trouble\.short\.any: no row for 3"):
        D100Wwii.with_options({"trouble_table": str(gap)})
    house = tmp_path / "lacking.toml"
    house.write_text('[short]\ndice = "1d4"\ncolumns = { any = [] }\n')
    with pytest.raises(CatalogError, match="effects is missing"):
        D100Wwii.with_options({"trouble_table": str(house)})
    for bad, said in (
        ('op = "stop"', "stop needs a reason, one of engine, fuel"),
        ('op = "stop", reason = "magic"', "stop needs a reason"),
        ('op = "stop", reason = ["fuel"]', "stop needs a reason"),
        ('op = ["stop"]', "op has to be one of"),
        ('op = "note", text = 5', "note needs a text in quotes"),
        ('op = "drive_next", value = 1000000', "drive_next needs a value of at most 1000"),
        ('op = "move_becomes"', "move_becomes needs a whole number as value, the n of 1/n, not 0"),
        ('op = "drive_next", value = -1.5', "drive_next needs a whole number"),
        ('op = "drive_next", value = -5, reroll = "x"', "drive_next needs a whole number as reroll"),
        ('op = "thrown_out", value = 30', "thrown_out needs dice"),
        ('op = "thrown_out", value = 30, dice = "many"', "thrown_out needs dice"),
        ('op = "halt", value = 3', "halt has no value; it takes nothing more"),
        ('op = "explode"', "op has to be one of"),
    ):
        wrong = tmp_path / "wrong.toml"
        wrong.write_text(
            f'[short]\ndice = "1d4"\ncolumns = {{ any = [[1, 4, "x"]] }}\n[short.effects]\nx = [{{ {bad} }}]\n'
        )
        trouble_tables.cache_clear()
        with pytest.raises(CatalogError, match=re.escape(said)):
            D100Wwii.with_options({"trouble_table": str(wrong)})
    with pytest.raises(UnknownNameError, match="Did you mean d20_landrules"):
        D100Wwii.with_options({"trouble_table": "d20_landrule"})
    collision = tmp_path / "collision.toml"
    collision.write_text('[soft]\nper_move = 20\ndice_per_step = "1d4"\n')
    crash = kit.shoot("kar98k", "opel_blitz", [50, 16, 99, 13, 4], {"collision_table": str(collision)}, **MOVING)
    assert crash.detail.base_hp == 75 - 11 - 4  # 2d4 at MOVE 40
    asmrb = kit.shoot("kar98k", "opel_blitz", [50, 16, 99, 13, 20], {"collision_table": "asmrb"}, **MOVING)
    assert asmrb.detail.base_hp == 75 - 11 - 20  # 4d10 to the smaller at speed
    collision = tmp_path / "both.toml"
    bands = 'bands = [{low = 1, high = 2, larger = "1d6", smaller = "1d6"}]'
    collision.write_text(f'[soft]\nper_move = 20\ndice_per_step = "1d4"\n{bands}\n')
    with pytest.raises(CatalogError, match="either bands, or per_move"):
        D100Wwii.with_options({"collision_table": str(collision)})
