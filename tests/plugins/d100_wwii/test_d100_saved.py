"""A saved state that does not fit its target is refused before any die is rolled; one that fits drives on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli_run import data, fail, succeed

GROUPS = "has 2 entries, and kubelwagen has 3 seats"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["pools"].pop(), "condition.detail.pools has 9 entries, and kubelwagen has 10 components"),
        (lambda d: d["pools"].append(3), "condition.detail.pools has 11 entries"),
        (lambda d: d["people"].pop(), f"condition.detail.people {GROUPS}"),
        (lambda d: d["people"][2].pop(), "condition.detail.people[2] has 1 entries, and kubelwagen has 2 people there"),
        (lambda d: d.update(seating=[7, 9]), "condition.detail.seating has to name each of the seats 0 to 3"),
        (lambda d: d.update(fire={"row": "blaze"}), "condition.detail.fire.row has to be one of minor_fire"),
        (lambda d: d.update(fire={"row": "", "burn": "zz"}), "its detail is not what d100_wwii writes"),
        (lambda d: d.update(armor=-1), "condition.detail.armor has to be 0 or more, not -1"),
        (lambda d: d.pop("armor"), "condition.detail.armor is missing"),
    ],
)
@pytest.mark.parametrize("command", ["attack --weapon mg42 --seed 1", "time --seconds 30", "odds --weapon mg42"])
def test_a_state_that_does_not_fit_is_refused(
    tmp_path: Path, command: str, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    file = tmp_path / "car.json"
    succeed(f"attack --ruleset d100_wwii --weapon mg42 --target kubelwagen --seed 5 --state {file}")
    state = json.loads(file.read_text("utf-8"))
    change(state["condition"]["detail"])
    text = json.dumps(state)
    file.write_text(text, "utf-8")
    told = fail(f"{command} --state {file}", 1)
    assert told.startswith(f"Error: {file} ")
    assert said in told
    assert "It is left as it is." in told
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c["people"].__setitem__(0, "dead"), "condition.people[0] is dead, and by condition.detail fit."),
        (
            lambda c: c["detail"]["people"].__setitem__(0, [0]),
            "condition.people[0] is fit, and by condition.detail dead.",
        ),
        (lambda c: c["people"].__setitem__(3, "gone"), "condition.people[3] is gone, and by condition.detail fit."),
        (lambda c: c["detail"].update(base_hp=0), "condition.destroyed is false, and by condition.detail true."),
        (lambda c: c.update(destroyed=True, knocked_out=True), "condition.destroyed is true, and by condition.detail"),
        (lambda c: c.update(on_fire=True), "condition.on_fire is true, and by condition.detail false."),
    ],
)
def test_a_state_that_contradicts_itself_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    file = tmp_path / "car.json"
    succeed(f"attack --ruleset d100_wwii --weapon kar98k --target kubelwagen --dice 99 --state {file}")
    state = json.loads(file.read_text("utf-8"))
    change(state["condition"])
    file.write_text(json.dumps(state), "utf-8")
    assert said in fail(f"odds --weapon mg42 --state {file}", 1)


KILLS_THE_DRIVER = "attack --ruleset d100_wwii --weapon kar98k --target kubelwagen --dice 30,6+6,75,2,90"
"""At 48 mph: nobody takes the wheel, so there is trouble at +10 in the next round."""


@pytest.mark.rule("A14", "A59")
def test_a_moving_car_drives_on_with_what_is_coming(tmp_path: Path) -> None:
    file = tmp_path / "car.json"
    succeed(f"{KILLS_THE_DRIVER} --target-speed 48mph --state {file}")
    missed = data(f"attack --weapon kar98k --dice 99 --state {file}")
    assert missed["situation"]["target_speed_kph"] == pytest.approx(48 * 1.609344)
    detail = json.loads(file.read_text("utf-8"))["condition"]["detail"]
    assert (detail["speed"], detail["trouble_next"], detail["drive_next"]) == (48, 10, -15)
    told = succeed(f"time --seconds 3 --state {file} --dice 3,19")  # 3 + 10: a minor crash at 48
    assert "collision at MOVE 48" in told
    assert data(f"attack --weapon kar98k --dice 99 --state {file}")["attack"]["target_speed_kph"] == 0  # it lies there


@pytest.mark.rule("A14")
def test_a_car_that_a_flag_stops_is_in_no_trouble(tmp_path: Path) -> None:
    file = tmp_path / "car.json"
    succeed(f"{KILLS_THE_DRIVER} --target-speed 48mph --state {file}")
    succeed(f"attack --weapon kar98k --dice 99 --target-speed 0 --state {file}")
    assert "it stands still: no roll for trouble" in succeed(f"time --seconds 3 --state {file}")


@pytest.mark.rule("A50")
def test_night_and_road_count_in_the_rounds_that_follow(tmp_path: Path) -> None:
    """The front passenger takes the wheel at 50, -20 for taking it, -15 skidding, -10 snow, -5 night: 0."""
    file = tmp_path / "car.json"
    succeed(f"{KILLS_THE_DRIVER} --target-speed 48mph --dark --option d100_wwii.road=snow --state {file}")
    told = data(f"time --seconds 3 --state {file} --dice 1,1,99")
    (drive,) = (entry for entry in told["account"] if entry.get("reason") == "Drive Auto")
    assert {(m["reason"], m["value"]) for m in drive["modifiers"]} >= {("night", -5), ("snow", -10)}
    assert drive["target"] == 0


def test_the_first_format_has_its_speed_in_the_detail(tmp_path: Path) -> None:
    file = tmp_path / "car.json"
    succeed(f"{KILLS_THE_DRIVER} --target-speed 48mph --state {file}")
    state = json.loads(file.read_text("utf-8"))
    del state["situation"], state["catalog"]
    file.write_text(json.dumps({**state, "mantlet_state": 1}), "utf-8")
    for command in ("attack", "odds", "compare"):
        told = data(f"{command} --weapon kar98k --state {file}" + (" --dice 99" if command == "attack" else ""))
        assert told["attack"]["target_speed_kph"] == pytest.approx(48 * 1.609344)


def test_a_state_is_shown_with_all_that_it_knows(tmp_path: Path) -> None:
    file = tmp_path / "car.json"
    succeed(f"{KILLS_THE_DRIVER} --target-speed 48mph --option d100_wwii.luck_tie=die --state {file}")
    before = file.read_bytes()
    told = succeed(f"show {file}")
    for line in (
        "VW Type 82 Kübelwagen (kubelwagen): a state of d100_wwii 1.0.0",
        "  Now: mobility reduced; dead: driver.",
        "  Situation: target at 77.25 km/h.",
        "  base hp: 17",
        "  trouble next: 10",
        "  luck tie: die",
    ):
        assert line in told.splitlines()
    assert data(f"show {file}")["condition"]["detail"]["base_hp"] == 17
    assert file.read_bytes() == before
    assert "There is no state file" in fail(f"show {file}.json", 1)
