"""A saved state that does not fit its target is refused before any die is rolled."""

from __future__ import annotations

import json
from pathlib import Path

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
