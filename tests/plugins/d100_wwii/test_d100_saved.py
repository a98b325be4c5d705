"""A saved state that does not fit its target is refused before any die is rolled."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli_run import fail, succeed

GROUPS = "has 2 entries, and kubelwagen has 3 seats"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["pools"].pop(), "condition.detail.pools has 9 entries, and kubelwagen has 10 components"),
        (lambda d: d["pools"].append(3), "condition.detail.pools has 11 entries"),
        (lambda d: d["people"].pop(), f"condition.detail.people {GROUPS}"),
        (lambda d: d["people"][2].pop(), "condition.detail.people[2] has 1 entries, and kubelwagen has 2 people there"),
        (lambda d: d.update(seating=[7, 9]), "condition.detail.seating has to name each of the seats 0 to 2"),
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
