"""A saved state that does not fit its target is refused before any die is rolled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli_run import fail, succeed


def test_gurps_tells_the_file_and_the_key_as_well(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    attack = f"attack --ruleset gurps_vehicle --weapon mg42 --target kubelwagen --state {file} --seed 3"
    succeed(attack)
    state = json.loads(file.read_text("utf-8"))
    state["condition"]["detail"]["people"].pop()
    file.write_text(json.dumps(state), "utf-8")
    told = fail(attack, 1)
    assert (
        f"{file} does not fit kubelwagen: condition.detail.people has 3 entries, and kubelwagen has 4 people." in told
    )


@pytest.mark.parametrize(
    ("facts", "detail", "said"),
    [
        ({"people": ["dead", "fit", "fit", "fit"]}, {}, "condition.people[0] is dead, and by condition.detail fit."),
        ({}, {"people": [[0, 3], [0, 0], [0, 0], [0, 0]]}, "condition.people[0] is fit, and by condition.detail dead."),
        ({}, {"flags": ["wrecked"]}, "condition.destroyed is false, and by condition.detail true."),
        ({}, {"flags": ["burning"]}, "condition.on_fire is false, and by condition.detail true."),
    ],
)
def test_a_state_that_contradicts_itself_is_refused(
    tmp_path: Path, facts: dict[str, Any], detail: dict[str, Any], said: str
) -> None:
    file = tmp_path / "state.json"
    attack = f"attack --ruleset gurps_vehicle --weapon mg42 --target kubelwagen --state {file} --seed 3"
    succeed(attack)
    state = json.loads(file.read_text("utf-8"))
    untouched = {"injury": 0, "crippled": [], "flags": [], "people": [[0, 0]] * 4, "animals": [], "dr_lost": []}
    people = {"people": ["fit"] * 4, "destroyed": False, "knocked_out": False, "on_fire": False}
    state["condition"].update({**people, **facts}, ruleset="gurps_vehicle", detail={**untouched, **detail})
    file.write_text(json.dumps(state), "utf-8")
    assert said in fail(attack, 1)
