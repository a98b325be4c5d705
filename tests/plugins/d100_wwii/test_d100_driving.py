"""Driving rolls: weather, road, the dark, creeping along, the least skill; belts; engine damage at half skill."""

from __future__ import annotations

from typing import Any

import pytest

from d100_wwii.actions import Repair, repair
from d100_wwii.ruleset import D100Wwii
from mantlet import Scripted, UnknownNameError

KPH = 1.609344
MOVING = {"target_speed_kph": 40 * KPH}
CREEPING = {"target_speed_kph": 8 * KPH}
RAM = {"delivery": "rammed", "shooter_speed_kph": 40 * KPH, "aspect_deg": 90.0}
FRONT_TIRE = [50, 16, 50, 1, 1]  # a rifle takes it; Drive 50 - 15
D12 = {"trouble_table": "d12_groundmove"}


def needed(shot: Any, skill: str = "Drive Auto") -> float:
    """The target number of the driving roll."""
    return next(float(e.target) for e in shot.entries if getattr(e, "reason", "") == skill)


@pytest.mark.rule("R19")
@pytest.mark.parametrize(
    ("road", "worse"),
    [
        ("", 0),
        ("heavy_rain", 10),
        ("snow", 10),
        ("debris_on_road", 5),
        ("fog", 5),
        ("dirt_or_gravel", 5),
        ("back_street", 5),
        ("oil_or_ice", 10),
        ("steep_downhill", 5),
        ("high_wind", 5),
        ("heavy_rain+high_wind + dirt_or_gravel", 20),
        ("fog+fog", 5),
    ],
)
def test_weather_and_road_add_up(kit: Any, road: str, worse: int) -> None:
    shot = kit.shoot("kar98k", "opel_blitz", FRONT_TIRE, {"road": road}, **MOVING)
    assert needed(shot) == 50 - 15 - worse


@pytest.mark.rule("R19")
def test_the_reasons_are_told(kit: Any) -> None:
    shot = kit.shoot("kar98k", "opel_blitz", FRONT_TIRE, {"road": "heavy_rain"}, **MOVING, dark=True)
    roll = next(e for e in shot.entries if getattr(e, "reason", "") == "Drive Auto")
    assert [(m.value, m.reason) for m in roll.modifiers] == [
        (50, "Drive Auto"),
        (-15, "the hit"),
        (-10, "heavy rain"),
        (-5, "night"),
    ]


@pytest.mark.rule("R19")
def test_creeping_along_is_easy(kit: Any) -> None:
    assert needed(kit.shoot("kar98k", "opel_blitz", FRONT_TIRE, **CREEPING)) == 50 - 15 + 10
    nine = {"target_speed_kph": 9 * KPH}
    assert needed(kit.shoot("kar98k", "opel_blitz", FRONT_TIRE, **nine)) == 50 - 15


@pytest.mark.rule("R28", "R30", "R29")
def test_a_ram_is_a_driving_roll_too(kit: Any) -> None:
    icy = {"road": "oil_or_ice"}
    assert kit.plan("ram", "opel_blitz", **RAM).to_hit.target == 50
    assert kit.plan("ram", "opel_blitz", icy, **RAM).to_hit.target == 40
    assert kit.plan("ram", "opel_blitz", icy, **RAM, dark=True).to_hit.target == 35
    assert kit.plan("ram", "opel_blitz", **(RAM | {"shooter_speed_kph": 8 * KPH})).to_hit.target == 60
    failed = kit.shoot("ram", "opel_blitz", [41, 25], icy, **RAM)  # held: 50 - 15 - 10
    assert failed.outcome.detail == ("rammer_trouble", "")
    assert kit.shoot("ram", "opel_blitz", [41, 26, 8], icy, **RAM).outcome.detail == ("rammer_trouble", "skid")
    pushed = kit.shoot("ram", "opel_blitz", [40, 20], icy, aim="off_road", **RAM, **MOVING)  # 50 - 20 - 10
    assert needed(pushed) == 20


@pytest.mark.rule("R19")
def test_without_brakes_it_runs_away_downhill(kit: Any) -> None:
    brakes = [50, 16, 97]
    flat = kit.shoot("kar98k", "opel_blitz", brakes, **MOVING)
    assert "it coasts to a stop" in flat.text
    assert (flat.detail.speed, flat.outcome.condition.mobility) == (40, 1)
    downhill = {"road": "steep_downhill"}
    assert kit.shoot("kar98k", "opel_blitz", brakes, downhill, **MOVING).detail.speed == 50  # its full MOV
    assert kit.shoot("kar98k", "opel_blitz", brakes, downhill).detail.speed == 0
    lame = kit.with_detail("opel_blitz", move=0.5)
    assert kit.shoot("kar98k", "opel_blitz", brakes, downhill, lame, target_speed_kph=16 * KPH).detail.speed == 25


@pytest.mark.rule("R28", "A14")
def test_it_takes_25_percent_to_drive_at_all(kit: Any) -> None:
    assert kit.refusal("ram", "opel_blitz", skill_percent=25.0, **RAM) is None
    assert "with 24% in the skill nobody does; it takes 25%" in kit.refusal(
        "ram", "opel_blitz", skill_percent=24.0, **RAM
    )
    novice = kit.vehicle_with(
        "kubelwagen",
        id="novice",
        aliases=("kubelwagen",),
        stats={"people": kit.people(*[(name, 12, 10, 10, 24) for name in ("Ann", "Bob", "Cid", "Dee")])},
    )
    lost = kit.shoot("kar98k", novice, [50, 16, 50, 1, 8], **MOVING)  # the check fails unrolled; trouble 8 + 4
    assert "with 24% in Drive Auto nobody can drive it" in lost.text
    assert lost.detail.reroll == 10
    driver = kit.shoot("kar98k", novice, [50, 16, 70, 2], **MOVING)  # nobody else may take the wheel
    assert "nobody can reach the wheel" in driver.text


@pytest.mark.rule("A55")
def test_an_unknown_condition_is_named(kit: Any) -> None:
    with pytest.raises(UnknownNameError, match="No driving condition is called 'rain' in option road"):
        D100Wwii.with_options({"road": "fog+rain"})


@pytest.mark.rule("A55")
def test_engine_damage_of_the_d12_is_repaired_at_half_skill(kit: Any) -> None:
    rules: Any = D100Wwii.with_options(D12)
    truck = kit.find("opel_blitz")
    damaged = kit.shoot("kar98k", truck, [50, 16, 99, 3], D12, **MOVING).outcome.condition
    trouble = kit.shoot("kar98k", truck, [50, 16, 99, 2], D12, **MOVING).outcome.condition
    assert (damaged.mobility, trouble.mobility) == (2, 2)

    def mended(condition: Any, what: str, script: list[int]) -> int:
        dice = Scripted(script)
        after = repair(dice.dice, rules, truck, condition, Repair(what, 51)).condition
        dice.finish()
        return int(after.mobility)

    # The steering is gone all the same: mobility reduced (1) where the engine runs.
    assert (mended(damaged, "engine_damage", [25]), mended(damaged, "engine_damage", [26])) == (1, 2)
    assert (mended(trouble, "trouble", [51]), mended(trouble, "trouble", [52])) == (1, 2)
    assert mended(damaged, "trouble", []) == 2  # that is not what ails it
    assert mended(damaged, "engine", []) == 2
    d20 = kit.shoot("kar98k", truck, [50, 16, 99, 5], **MOVING).outcome.condition  # a broken axle
    assert mended(d20, "trouble", [51]) == 1


@pytest.mark.rule("A55", "A62")
def test_belts_hold(kit: Any) -> None:
    crash = [50, 16, 99, 10, 11]  # the d12's crash at MOVE 40; 11 to the truck, 6 to everyone
    thrown = kit.shoot("kar98k", "opel_blitz", [*crash, *[99] * 14, 4], D12, **MOVING)
    assert thrown.people[0] == (2,)
    belted = kit.shoot("kar98k", "opel_blitz", crash, D12 | {"belted": True}, **MOVING)
    assert belted.people[0] == (6,)
    rider = kit.shoot("kar98k", "bmw_r75_sidecar", [50, 16, 99, 10, 11, 26, 25, 4], D12 | {"belted": True}, **MOVING)
    assert rider.people[0] == (2,)  # half of Luck 50 on a motorcycle, and no belts there
    asmrb = {"collision_table": "asmrb"}
    half = kit.shoot("kar98k", "opel_blitz", [50, 16, 99, 13, 17], asmrb, **MOVING)
    assert half.people[0] == (12 - 9,)
    held = kit.shoot("kar98k", "opel_blitz", [50, 16, 99, 13, 17], asmrb | {"belted": True}, **MOVING)
    assert held.people[0] == (12 - 5,)
    house = kit.shoot("kar98k", "opel_blitz", [50, 16, 99, 13, 17], {"belted": True}, **MOVING)
    assert house.people[0] == (12 - 9,)


@pytest.mark.rule("A43", "A59")
def test_nobody_goes_faster_than_mov(kit: Any) -> None:
    # The MOV of a Kubelwagen is 48. A jeep at MOVE 36 that shoots at it has 12 off, however fast it is said to be.
    mph = {"target_speed_kph": 300 * KPH}
    plan = kit.plan("kar98k", "kubelwagen", shooter_speed_kph=36 * KPH, range_m=50.0, **mph)
    assert (plan.speed, plan.to_hit.target) == (48, 50 - 12)
    assert "kubelwagen goes no faster than its MOV, 48" in plan.notes
    assert kit.plan("ram", "kubelwagen", delivery="rammed", shooter_speed_kph=36 * KPH, **mph).closing == 36 + 48
    at_mov = kit.plan("kar98k", "kubelwagen", target_speed_kph=48 * KPH)
    assert (at_mov.speed, [note for note in at_mov.notes if "faster" in note]) == (48, [])


@pytest.mark.rule("A43", "A44", "R19")
def test_lost_mov_slows_at_once_and_for_good(kit: Any) -> None:
    # Drive 50 - 15 holds it: MOV 48 falls by half, so from 40 it slows to 24.
    front = kit.shoot("kar98k", "kubelwagen", [50, 16, 50, 1, 35], **MOVING)
    assert front.detail.speed == 24
    # The rear tire takes a quarter of that: 18; what is said of its speed changes nothing.
    rear = kit.shoot("kar98k", "kubelwagen", [50, 16, 65, 1, 30], condition=front.outcome.condition, **MOVING)
    assert rear.detail.speed == 18
    # The trouble table's flat tire: to a quarter of 48. A slower car than that goes on as it did.
    flat = kit.shoot("kar98k", "kubelwagen", [50, 16, 99, 1], **MOVING)
    assert flat.detail.speed == 12
    assert kit.shoot("kar98k", "kubelwagen", [50, 16, 99, 1], **CREEPING).detail.speed == 8
    missed = kit.shoot("kar98k", "kubelwagen", [99], condition=flat.outcome.condition, **MOVING)
    assert missed.detail.speed == 12


@pytest.mark.rule("A52", "R19")
@pytest.mark.parametrize("target", ["opel_blitz", "bmw_r75_sidecar", "m3_halftrack"])
@pytest.mark.parametrize(("aim", "rolls", "rounds"), [("engine", [20, 5], 1), ("fuel_tank", [35, 5, 8], 8)])
def test_what_burns_does_not_drive_on(kit: Any, target: str, aim: str, rolls: list[int], rounds: int) -> None:
    # A minor fire (5) stops nothing; the engine that is destroyed does, and the tank when its 8 rounds are over.
    shot = kit.shoot("us_50_m2/ap", target, [8, 31, *rolls], aim=aim, **MOVING)
    assert (shot.detail.fire.row, shot.detail.speed) == ("minor_fire", 40)
    unmanned = shot.outcome.condition._replace(detail=shot.detail._replace(fire=None), on_fire=False)
    rolling = kit.wait(target, unmanned, rounds - 1, [])[0].condition if rounds > 1 else unmanned
    assert rolling.detail.speed > 0
    after = kit.wait(target, unmanned, rounds, [])[0].condition
    assert (after.detail.speed, after.mobility) == (0, 2)
    driven = kit.shoot("kar98k", target, [99], condition=after, **MOVING)
    assert driven.detail.speed == 0


@pytest.mark.rule("R19")
def test_without_brakes_it_gains_full_mov_every_round_downhill(kit: Any) -> None:
    downhill = {"road": "steep_downhill"}
    slow = kit.with_detail("opel_blitz", pools={"brakes": 0}, speed=20)
    after, text = kit.wait("opel_blitz", slow, 1, [], downhill)
    assert after.condition.detail.speed == 50
    assert "downhill it runs away, at MOVE 50" in text
    lame = kit.with_detail("opel_blitz", pools={"brakes": 0}, speed=20, move=0.5)
    assert kit.wait("opel_blitz", lame, 3, [], downhill)[0].condition.detail.speed == 25
    assert kit.wait("opel_blitz", slow, 1, [])[0].condition.detail.speed == 20  # on the flat it is the driver's to say
    sound = kit.with_detail("opel_blitz", speed=20)
    assert kit.wait("opel_blitz", sound, 1, [], downhill)[0].condition.detail.speed == 20
    parked = kit.with_detail("opel_blitz", pools={"brakes": 0})
    assert kit.wait("opel_blitz", parked, 1, [], downhill)[0].condition.detail.speed == 0
