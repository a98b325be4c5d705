"""Accounts as a referee reads them: every roll with its reason and target number, the arithmetic, what comes next."""

from __future__ import annotations

from typing import Any

import pytest

from cli_run import succeed
from golden import check_golden

STORIES = {
    "burst": "--weapon mp40 --target jeep --range 9 --rounds 8 --moving 9mph --target-speed 19mph --dice 5,3,90,15,5,7",
    "shell": "--weapon de_75_pak40 --target m4a1_75_dry --range 500 --target-speed 25kph --dice 9,60,60,5",
    "magazine": "--weapon de_88_kwk36 --target t34_76_1942 --range 900 --aim magazine --dice 2,90,40,13,30,45",
    "driver": "--weapon kar98k --target kubelwagen --range 50 --target-speed 40mph --dice 50,16,70,4,31,45",
    "fuel_tank": "--weapon kar98k --target opel_blitz --range 50 --aim fuel_tank --dice 8,14,20,10,9",
    "treads": "--weapon satchel_charge --target pz4_h --range 2 --delivery placed_in_running_gear"
    " --target-speed 20kph --dice 50,31,8",
    "molotov": "--weapon molotov --target sdkfz_251 --range 3 --dice 50,9,40",
    "inside": "--weapon hand_grenade --target sdkfz_251 --range 4 --delivery lobbed_inside --dice 4,7",
    "rider": "--weapon kar98k --target bmw_r75_sidecar --range 40 --aim driver --target-speed 30mph --dice 8,14,3,11",
    "ram": "--weapon ram --target jeep --delivery rammed --moving 64kph --target-speed 48kph --aspect 90 --dice 30,15",
    "ram_failed": "--weapon ram --target jeep --delivery rammed --moving 40mph --dice 60,50,14",
    "rifle_stopped": "--weapon kar98k --target sdkfz_251 --range 150 --dice 5,14",
}


@pytest.mark.rule("R2", "R18", "R19", "R23", "R26", "R28", "R30", "R32")
@pytest.mark.parametrize("name", STORIES)
def test_the_story_of_an_attack(name: str) -> None:
    command = f"attack --ruleset d100_wwii {STORIES[name]}"
    check_golden(f"d100/story_{name}.txt", f"$ mantlet {command}\n{succeed(command)}")


@pytest.mark.rule("R26", "A41")
def test_a_grenade_inside_a_car_is_not_doubled(kit: Any) -> None:
    # The rule speaks of armored vehicles; a car is one place, so that nobody is spared half.
    shot = kit.shoot("hand_grenade", "kubelwagen", [50, 5], delivery="lobbed_inside", range_m=3.0)
    assert (shot.people, shot.detail.base_hp) == (((7,), (7,), (7, 7)), 25)
    star = kit.shoot(
        "hand_grenade", "kubelwagen", [50, 5], {"starred_rules_for_all": True}, delivery="lobbed_inside", range_m=3.0
    )
    assert star.detail.base_hp == 20


@pytest.mark.rule("A9", "R6", "A11")
def test_no_damage_is_told_that_is_not_so(kit: Any) -> None:
    # 76 less armor 33 is 43 through, and half of it, rounded up, 22.
    shell = kit.shoot("de_88_kwk36", "m4a1_75_dry", [11, 76, 60], range_m=1000.0)
    assert shell.detail.armor == 0
    assert "half of it, 22, to each" in shell.text
    assert "Hull or bed: everyone there takes 43" in shell.text
    weak = kit.vehicle_with("kubelwagen", id="weak", aliases=("kubelwagen",), stats={"base_hp": 5})
    assert "everyone aboard takes 7" in kit.shoot("kar98k", weak, [50, 10, 1]).text
    wreck = kit.shoot("de_75_pak40", weak, [50, 60, 1], range_m=500.0)
    assert "everyone aboard takes 57" in wreck.text  # 60 less armor 3
    deadly = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 44, 55], {"occupant_rows": "kill"}, range_m=500.0)
    assert "Hull or bed: everyone there is killed" in deadly.text


@pytest.mark.rule("R6")
def test_a_wreck_that_costs_a_third_is_counted_from_the_whole_damage(kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # 57 through: a third is 19, more than the 12 hit points of anybody aboard.
    weak = kit.vehicle_with("kubelwagen", id="weak", aliases=("kubelwagen",), stats={"base_hp": 5})
    monkeypatch.setattr("d100_wwii.people.with_the_wreck", lambda options, damage, wreck: max(damage, wreck) // 3)
    wreck = kit.shoot("de_75_pak40", weak, [50, 60, 1], range_m=500.0)
    assert set(wreck.detail.people) == {0}
