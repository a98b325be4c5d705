"""The attacking vehicle's own state: lost gear and guns, who serves them, and its half of a ram."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli_run import data, succeed
from d100_wwii.ruleset import D100Wwii
from d100_wwii.state import by_group
from mantlet import Condition, Shooter, effects, odds
from mantlet.game.condition import DEAD, OUT

KPH = 1.609344
YD = 0.9144
RULES: Any = D100Wwii()
RAM = {"delivery": "rammed", "shooter_speed_kph": 40 * KPH, "aspect_deg": 90.0}


def shooter(kit: Any, target: str, *lost: str, **neutral: Any) -> Shooter:
    """A vehicle of the catalog that has lost all of these components; `neutral` are facts of another ruleset."""
    who = kit.find(target)
    condition = RULES.adopt(who, Condition(people=(0,) * len(who.crew))._replace(**neutral))
    vehicle = RULES.vehicle(who)
    gone = {i for name in lost for i in vehicle.part(name).pools}
    assert len(gone) >= len(lost)
    pools = tuple(0 if i in gone else hp for i, hp in enumerate(condition.detail.pools))
    return Shooter(target=who, condition=condition._replace(detail=condition.detail._replace(pools=pools)))


@pytest.mark.rule("R19", "A58")
@pytest.mark.parametrize(
    ("weapon", "yards", "whole", "without"),
    [
        ("us_37_m6", 200, 50, 25),
        ("us_37_m6", 80, 100, 75),  # 50 x 2 - 25, not (50 - 25) x 2
        ("us_37_m6", 800, 25, 0),  # beyond 500 yd: 50 / 2 - 25
        ("m1919", 80, 50, 50),  # "all attacks with main gun": not the machine gun's
        ("us_75_m3", 200, 50, 50),  # nor a gun that is not its own
    ],
)
def test_without_gun_laying_gear_the_main_gun_loses_25(
    kit: Any, weapon: str, yards: float, whole: int, without: int
) -> None:
    for lost, chance in (((), whole), (("gun_laying",), without)):
        who = shooter(kit, "m8_greyhound", *lost)
        assert kit.plan(weapon, "kubelwagen", range_m=yards * YD, shooter=who).to_hit.target == chance


@pytest.mark.rule("R19", "A12")
def test_a_gun_that_is_gone_or_has_nobody_left_does_not_fire(kit: Any) -> None:
    at = ("us_37_m6", "kubelwagen")
    gone = shooter(kit, "m8_greyhound", "main_gun")
    assert kit.refusal(*at, shooter=gone) == "R19: us_37_m6 does not fire, for m8_greyhound has lost its main gun."
    assert kit.refusal("m1919", "kubelwagen", shooter=gone) is None
    assert kit.refusal("us_75_m3", "kubelwagen", shooter=gone) is None
    hull = shooter(kit, "m8_greyhound", people=(OUT, DEAD, 0, 0))  # commander and gunner sit in the turret
    assert "A12: us_37_m6 does not fire, for nobody at the main gun" in kit.refusal(*at, shooter=hull)
    assert kit.refusal(*at, shooter=shooter(kit, "m8_greyhound", people=(0, DEAD, 0, 0))) is None


@pytest.mark.rule("R28")
def test_a_ram_takes_a_quarter_of_the_rammer_and_its_people(kit: Any) -> None:
    shot = kit.shoot("ram", "opel_blitz", [50, 14], shooter=shooter(kit, "opel_blitz"), **RAM)
    assert shot.detail.base_hp == 75 - 14
    after = shot.outcome.shooter
    assert after.condition.detail.base_hp == 75 - 4  # a quarter of 14, rounded up
    assert {hp for group in by_group(after.condition.detail.people) for hp in group} == {12 - 2}  # half of 4
    assert after.effects & effects.DAMAGED
    assert after.effects & effects.CREW_HIT


@pytest.mark.rule("R28", "A62")
def test_base_hp_and_skill_of_a_ram_are_those_of_the_rammer(kit: Any) -> None:
    light = shooter(kit, "kubelwagen")  # Base HP 30 against 75: half of 14
    shot = kit.shoot("ram", "opel_blitz", [50, 14], shooter=light, **RAM)
    assert shot.detail.base_hp == 75 - 7
    assert shot.outcome.shooter.condition.detail.base_hp == 30 - 4
    tank = kit.plan("ram", "opel_blitz", shooter=shooter(kit, "m4a1_75_dry"), **(RAM | {"shooter_speed_kph": 30.0}))
    assert "Operate Heavy Machinery" in tank.to_hit.modifiers[0].reason
    options = {"driver_skill_percent": 70, "ram_skill_percent": 20}
    assert kit.plan("ram", "opel_blitz", options, shooter=shooter(kit, "gmc_cckw"), **RAM).to_hit.target == 70
    assert kit.plan("ram", "opel_blitz", options, **RAM).to_hit.target == 20
    named = kit.plan("ram", "opel_blitz", options, shooter=light, skill_percent=45.0, **RAM)
    assert named.to_hit.target == 45


@pytest.mark.rule("R30")
def test_a_failed_ram_is_trouble_of_the_rammer(kit: Any) -> None:
    who = shooter(kit, "opel_blitz")
    held = kit.shoot("ram", "opel_blitz", [51, 35], shooter=who, **RAM)  # his own Drive 50 - 15
    assert held.outcome.shooter is None
    lost = kit.shoot("ram", "opel_blitz", [51, 36, 8], shooter=who, **RAM)
    assert lost.outcome.shooter.condition.detail.drive_next == -15  # a skid, as it is for the target of R29
    assert lost.detail.drive_next == 0
    crash = kit.shoot("ram", "opel_blitz", [51, 36, 14, 13], shooter=who, **RAM)  # minor crash at MOVE 40: 4d6
    assert crash.outcome.shooter.condition.detail.base_hp == 75 - 13
    assert crash.detail.base_hp == 75


@pytest.mark.rule("R28", "R31")
def test_what_it_has_lost_counts_in_a_ram(kit: Any) -> None:
    dark = kit.plan("ram", "opel_blitz", shooter=shooter(kit, "opel_blitz", "headlamps"), dark=True, **RAM)
    assert dark.to_hit.target == 50 - 5 - 10  # night, lamps out (A50)
    still = shooter(kit, "opel_blitz", mobility=2)
    assert "R28: opel_blitz cannot move" in kit.refusal("ram", "kubelwagen", shooter=still, **RAM)
    assert "nobody at the wheel of m8_greyhound" in kit.refusal(
        "ram", "kubelwagen", shooter=shooter(kit, "m8_greyhound", people=(0, 0, DEAD, 0)), **RAM
    )
    half = shooter(kit, "kubelwagen", mobility=1)  # half of MOV 50 is left
    plan = kit.plan("ram", "opel_blitz", shooter=half, **RAM)
    assert plan.rammer_speed == plan.closing == RULES.vehicle(kit.find("kubelwagen")).top_speed(0.5)
    fire = kit.plan("mg42", "opel_blitz", shooter=half, shooter_speed_kph=40 * KPH, range_m=50.0)
    assert [m.value for m in fire.to_hit.modifiers if m.reason == "moving fire"] == [-plan.rammer_speed]


@pytest.mark.rule("R28")
def test_whoever_has_no_vehicle_of_these_rules_is_not_read(kit: Any) -> None:
    men = kit.find("infantry_squad")
    squad = Shooter(target=men, condition=RULES.fresh(men))
    assert "shooter" in odds(RULES, kit.attack("kar98k", shooter=squad), kit.find("kubelwagen")).ignored
    assert "shooter" not in odds(RULES, kit.attack("kar98k"), kit.find("kubelwagen")).ignored


@pytest.mark.rule("R28", "R30")
def test_a_ram_from_the_command_line_keeps_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    both = "--state car.json --shooter-state truck.json"
    who = "--ruleset d100_wwii --target opel_blitz --shooter gmc_cckw --moving 40mph --aspect right"
    succeed(f"attack {who} --weapon ram {both} --dice 50,14")

    def detail(file: str) -> Any:
        return json.loads(Path(file).read_text("utf-8"))["condition"]["detail"]

    first = detail("truck.json")
    assert (detail("car.json")["base_hp"], first["base_hp"]) == (75 - 14, 75 - 4)
    assert first["speed"] == 40
    succeed(f"attack --weapon ram --aspect right {both} --dice 51,36,8")  # who and how fast: the states know
    assert detail("truck.json")["drive_next"] == -15
    assert detail("car.json")["base_hp"] == 75 - 14
    succeed("time --seconds 3 --state truck.json")  # the skid is now this round's: 50 - 15
    assert data(f"attack --weapon ram --aspect right {both} --dice 99,1")["account"][0]["target"] == 35


@pytest.mark.rule("R28", "R30")
def test_odds_count_the_rammer_by_names_of_their_own(kit: Any) -> None:
    """Half of the rams succeed: a quarter of 4d6 damages the rammer, and half of that hits its people.

    Of the other half 65% fail Drive 50 - 15: rows 1-6 of 20 (tire, axle) and 13-20 (crashes) damage, 13-20 hit people.
    """
    told = odds(RULES, kit.attack("ram", shooter=shooter(kit, "opel_blitz"), **RAM), kit.find("opel_blitz"))
    assert told.exact
    assert told.odds["damaged"] == pytest.approx(0.5)
    assert told.shooter["shooter_damaged"] == pytest.approx(0.5 + 0.5 * 0.65 * 14 / 20)
    assert told.shooter["shooter_crew_hit"] == pytest.approx(0.5 + 0.5 * 0.65 * 8 / 20)
    assert "shooter_penetrated" not in told.shooter
    assert odds(RULES, kit.attack("ram", **RAM), kit.find("opel_blitz")).shooter == {}
    assert told.odds == pytest.approx(odds(RULES, kit.attack("ram", **RAM), kit.find("opel_blitz")).odds)


@pytest.mark.rule("R29")
def test_a_push_off_the_road_is_named_where_one_looks_for_it(kit: Any) -> None:
    assert kit.refusal("ram", "opel_blitz", aim="off_road", **RAM) is None
    assert "off_road pushes it off" in kit.refusal("ram", "opel_blitz", aim="engine", **RAM)
    assert "R29: only a ram" in kit.refusal("kar98k", "opel_blitz", aim="off_road")
    assert "--aim off_road" in " ".join(succeed("show ram").split())
    pushed = kit.shoot("ram", "opel_blitz", [50, 30], shooter=shooter(kit, "opel_blitz"), aim="off_road", **RAM)
    assert pushed.outcome.shooter is None  # "a successful ram causes no damage"; the other held at 50 - 20
    assert pushed.detail.base_hp == 75
