"""`mantlet d100`: fires put out, repairs, getting out, on the state that `mantlet attack --state` keeps."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli_run import data, fail, mantlet, succeed
from golden import check_golden

MOLOTOV = "attack --ruleset d100_wwii --weapon molotov --target kubelwagen --range 2 --dice 50,8,2,40,3 --state s.json"
FRONT_TIRE = (
    "attack --ruleset d100_wwii --weapon kar98k --target kubelwagen --range 50 --dice 50,16,50,1 --state s.json"
)
SHERMAN = "attack --ruleset d100_wwii --weapon de_75_pak40 --target m4a1_75_dry --range 500 --dice 50,30 --state s.json"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def saved() -> Any:
    return json.loads(Path("s.json").read_text("utf-8"))


GOLDEN = {
    "extinguish.txt": (MOLOTOV, "d100 extinguish --extinguisher --state s.json --dice 100"),
    "extinguish.md": (MOLOTOV, "d100 extinguish --state s.json --seed 1 --format md"),
    "extinguish.json": (MOLOTOV, "d100 extinguish --state s.json --dice 50 --format json"),
    "repair_armor.txt": (SHERMAN, "d100 repair armor --skill 40 --state s.json --seed 7"),
    "repair_component.txt": (FRONT_TIRE, "d100 repair front_tire --state s.json --dice 34"),
}


@pytest.mark.rule("R23", "A65", "R19")
@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    before, command = GOLDEN[name]
    assert mantlet(before).exit_code == 0
    result = mantlet(command)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    text = result.stdout
    if name.endswith(".txt"):
        text = f"$ mantlet {before}\n$ mantlet {command}\n{text}"
    check_golden(f"d100/{name}", text)


@pytest.mark.rule("R23")
def test_a_fire_is_put_out_in_the_saved_state() -> None:
    succeed(MOLOTOV)
    assert saved()["condition"]["on_fire"] is True
    missed = data("d100 extinguish --state s.json --dice 51")
    assert (missed["action"], missed["condition"]["on_fire"], missed["account"][0]["target"]) == (
        "extinguish",
        True,
        50,
    )
    succeed("time --state s.json --seconds 6 --dice 1,1,1,1")  # two rounds: the fire's damage, the fire table
    harder = data("d100 extinguish --state s.json --dice 30")
    assert harder["account"][0]["target"] == 30
    assert harder["condition"]["on_fire"] is False
    assert saved()["condition"] == harder["condition"]
    assert "nothing burns" in succeed("d100 extinguish --state s.json")


@pytest.mark.rule("A65")
def test_armor_is_repaired_in_the_saved_state() -> None:
    succeed(SHERMAN)
    assert saved()["condition"]["detail"]["armor"] == 3
    assert "not repaired" in succeed("d100 repair armor --state s.json --skill 40 --dice 41")
    succeed("state convert s.json --to d100_wwii --option d100_wwii.armor_repair=points")
    assert data("d100 repair armor --state s.json --skill 40 --dice 40,4")["condition"]["detail"]["armor"] == 7
    succeed("state convert s.json --to d100_wwii --option d100_wwii.armor_repair=full")
    told = succeed("d100 repair armor --state s.json --dice 50")
    assert "M4A1 (75) Sherman, dry in repair (armor): armor 33 again." in told
    assert "armor is whole: 33" in succeed("d100 repair armor --state s.json")


def test_dice_are_typed_given_or_seeded_as_for_an_attack() -> None:
    succeed(FRONT_TIRE)
    repair = "d100 repair front_tire --state s.json"
    assert "Mechanical Repair: front tire (1d100): " in mantlet(f"{repair} --dice typed", "99\n").stderr
    assert "Dice come from --seed or from --dice" in fail(f"{repair} --seed 1 --dice 4", 2)
    before = saved()
    assert "left over" in fail(f"{repair} --dice 34,5", 1)
    assert saved() == before
    one = data(f"{repair} --seed 2")
    assert one["seed"] == 2
    assert saved()["dice"] == {"seed": 2, "thrown": 1}


@pytest.mark.rule("R19")
def test_what_cannot_be_repaired_is_named() -> None:
    succeed(FRONT_TIRE)
    told = fail("d100 repair radiator --state s.json", 1)  # air-cooled
    assert "No component is called 'radiator' in kubelwagen" in told
    assert "nothing to repair" in succeed("d100 repair brakes --state s.json")
    assert "There is no state file t.json" in fail("d100 repair brakes --state t.json", 1)
    state = saved()
    state["condition"].update(destroyed=True, knocked_out=True)
    state["condition"]["detail"]["base_hp"] = 0
    Path("s.json").write_text(json.dumps(state), "utf-8")
    assert "it is destroyed, and no rule repairs that [R6]" in succeed("d100 repair front_tire --state s.json")


@pytest.mark.rule("R23")
def test_it_takes_somebody_to_put_out_a_fire() -> None:
    succeed(MOLOTOV)
    assert "No person who can act is called 'Hans'" in fail("d100 extinguish --who Hans --state s.json", 1)
    assert "everyone who can act is out" in succeed("d100 bail-out --state s.json")
    assert set(saved()["condition"]["people"]) == {"gone"}
    told = fail("d100 extinguish --state s.json", 2)
    assert "R23: it takes an occupant to put out a fire, and nobody aboard kubelwagen can act." in told


@pytest.mark.rule("R4")
@pytest.mark.parametrize("action", ["extinguish", "repair armor", "repair engine", "bail-out"])
def test_what_has_no_location_table_is_refused(action: str) -> None:
    succeed("attack --ruleset gurps_vehicle --weapon kar98k --target horse --seed 1 --state s.json")
    succeed("state convert s.json --to d100_wwii")
    before = saved()
    assert "and horse is an animal." in fail(f"d100 {action} --state s.json", 1)
    assert saved() == before


@pytest.mark.rule("A65")
def test_the_state_of_another_ruleset_is_left_alone() -> None:
    other = SHERMAN.replace("d100_wwii", "facing_armor").replace("--dice 50,30", "--seed 3")
    succeed(other)
    before = Path("s.json").read_bytes()
    told = fail("d100 repair armor --state s.json", 2)
    assert "s.json is a state of facing_armor, and d100_wwii would write it." in told
    assert "mantlet state convert s.json --to d100_wwii" in told
    assert Path("s.json").read_bytes() == before


def test_the_plugin_stays_small_until_its_command_is_asked_for() -> None:
    code = (
        "import sys, d100_wwii.plugin; print([m for m in sys.modules if m.startswith(('mantlet.cli', 'd100_wwii.'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['d100_wwii.plugin']"


@pytest.mark.rule("R19", "A50", "A55")
def test_night_and_weather_count_in_the_rounds_that_follow() -> None:
    # Steering destroyed, a fishtail (10). Next round: 50 - 20 for it, - 10 snow, - 5 fog, - 5 night.
    car = "attack --ruleset d100_wwii --weapon kar98k --target kubelwagen --range 100 --target-speed 40mph"
    succeed(f"{car} --dark --option d100_wwii.road=snow+fog --dice 30,16,99,10 --state s.json")
    again = "time --seconds 3 --state s.json --dice 100,1 --format json"
    assert json.loads(succeed(again))["account"][0]["target"] == 10
    # The next attack says nothing of it either: a front tire, 50 - 15 for it, - 20 for the fishtail, - 20.
    hit = "attack --weapon kar98k --range 100 --ruleset d100_wwii --state s.json --dice 30,16,50,1,1,3 --format json"
    drive = [roll for roll in json.loads(succeed(hit))["account"] if roll.get("reason") == "Drive Auto"]
    assert [roll["target"] for roll in drive] == [50 - 15 - 20 - 20]


@pytest.mark.rule("A56")
def test_the_wheel_is_taken_in_the_saved_state() -> None:
    succeed("attack --ruleset d100_wwii --weapon kar98k --target kubelwagen --range 50 --dice 50,16,70 --state s.json")
    told = succeed("d100 take-wheel --state s.json")
    assert "it stands still: front passenger takes the wheel without a roll [A56]" in told
    assert "dead: driver" in told  # the man, not the seat he lies in
    assert saved()["condition"]["detail"]["seating"] == [1, 0, 2, 3]


@pytest.mark.rule("R21")
def test_a_pole_charge_says_that_the_skill_given_does_not_count() -> None:
    told = succeed(
        "attack --ruleset d100_wwii --weapon pole_charge --target m4a1_75_dry --range 2 --skill 70 --dice 99"
    )
    assert "skill: 50%, DEX x 5 hand to hand (R21)" in told
    assert "Not used by these rules: aspect, elevation, skill." in told
