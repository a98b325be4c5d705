"""Golden texts: what the commands print for two small rulesets, letter by letter (see `tests/support/golden.py`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_guest import install_guest
from cli_run import COIN_SHOT, mantlet
from golden import check_golden
from mantlet.probability import effort

SHOT = f"{COIN_SHOT} --range 500 --aspect 30 --skill 60 --hull-down"

COMMANDS = {
    "attack.txt": f"attack --ruleset coins {SHOT} --dice 34,2,3+5",
    "attack.md": f"attack --ruleset coins {SHOT} --dice 34,2,3+5 --format md",
    "attack.json": f"attack --ruleset coins {SHOT} --dice 34,2,3+5 --format json",
    "attack_miss.txt": f"attack --ruleset coins {SHOT} --dice 99",
    "odds.txt": f"odds --ruleset coins {SHOT} --shots 4 --full 4",
    "odds.md": f"odds --ruleset coins {SHOT} --shots 4 --full 4 --fractions --format md",
    "compare.txt": f"compare {SHOT}",
    "compare_partly.txt": f"compare {SHOT} --delivery rammed --option pennies.toughness=5",
    "compare.md": f"compare {SHOT} --format md",
    "compare.json": f"compare {SHOT} --skill coins=70 --format json",
    "table.txt": "table coins.places",
    "table.md": "table coins.places --format md",
    "table.json": "table coins.places --format json",
    "grid.txt": "table coins.people",
    "tables.txt": "table",
    "ruleset.txt": "show coins",
    "roll.txt": "roll 2d6+1 --odds",
}

BURNING = f"attack --ruleset coins {SHOT} --dice 34,2,6+6 --state tank.json"
AFTERWARDS = {
    "time.txt": "time --state tank.json --seconds 30 --seed 1",
    "time.md": "time --state tank.json --seconds 30 --seed 1 --format md",
    "time.json": "time --state tank.json --seconds 30 --seed 1 --format json",
    "act.txt": "douse --state tank.json --dice 4",
    "act.md": "douse --state tank.json --seed 2 --format md",
    "act.json": "douse --state tank.json --dice 5 --format json",
}

ESTIMATED = {
    "odds_estimated.txt": f"odds --ruleset coins {SHOT} --shots 4 --full 4 --samples 1000",
    "compare_estimated.txt": f"compare {SHOT} --samples 1000 --seed 2",
    "compare_estimated.md": f"compare {SHOT} --samples 1000 --seed 2 --format md",
}
"""With so few exact steps that even coins are too many: equal seeds give equal digits everywhere."""


@pytest.mark.parametrize("name", COMMANDS)
def test_golden(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_guest(tmp_path, monkeypatch)
    printed_as_kept(name, COMMANDS[name])


@pytest.mark.parametrize("name", ESTIMATED)
def test_golden_of_estimates(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_guest(tmp_path, monkeypatch)
    monkeypatch.setattr(effort, "EXACT_STEPS", 12)
    printed_as_kept(name, ESTIMATED[name])


@pytest.mark.parametrize("name", AFTERWARDS)
def test_golden_of_what_follows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_guest(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert mantlet(BURNING).exit_code == 0
    printed_as_kept(name, AFTERWARDS[name])


def printed_as_kept(name: str, command: str) -> None:
    """Run a command, and compare what it prints with the golden text of this name."""
    result = mantlet(command)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    text = result.stdout
    if name.endswith(".txt"):
        text = f"$ mantlet {command}\n{text}"
    elif name.endswith(".json"):
        # The last digits of a float are no matter of looks.
        text = json.dumps(json.loads(text, parse_float=lambda digits: float(f"{float(digits):.12g}")), indent=2) + "\n"
    check_golden(f"cli/{name}", text)
