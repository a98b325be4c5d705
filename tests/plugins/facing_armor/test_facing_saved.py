"""A saved state that does not fit its target is refused before any die is rolled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli_run import fail, succeed


@pytest.mark.parametrize(
    ("shot", "detail", "said"),
    [
        ("us_75_m3/HE --target infantry_squad", {"vehicle": {"fire": "fuel"}}, "is of a vehicle, and infantry_squad"),
        ("us_75_m3 --target pz4_h", {"team": {"suppression": 40.0}}, "condition.detail.team is of a team, and pz4_h"),
        ("us_75_m3 --target pz4_h", {"vehicle": {"fire": "fuel"}}, "condition.on_fire is false, and by"),
        ("us_75_m3 --target pz4_h", {"vehicle": {"fire": "none", "wounded_out": 9}}, "wounded_out is 9, and 0"),
        ("us_75_m3 --target pz4_h", {"vehicle": {"fire": "fuel", "turret_s": -4.0}}, "turret_s has to be from 0"),
        ("us_75_m3/HE --target infantry_squad", {"team": {"suppression": 101.0}}, "suppression has to be from 0 to"),
    ],
)  # fmt: skip
def test_a_state_that_does_not_fit_is_refused(tmp_path: Path, shot: str, detail: dict[str, Any], said: str) -> None:
    file = tmp_path / "state.json"
    attack = f"attack --ruleset facing_armor --weapon {shot} --range 50 --state {file} --seed 3"
    succeed(attack)
    state = json.loads(file.read_text("utf-8"))
    state["condition"].update(ruleset="facing_armor", detail=detail)
    file.write_text(json.dumps(state), "utf-8")
    told = fail(attack, 1)
    assert told.startswith(f"Error: {file} ")
    assert said in told
