"""What is right and must stay so: frozen odds of attacks, and accounts with dice by reason (see README.md here)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reference
from by_reason import ByReason

CLOSE = 1e-12

ODDS = reference.odds_files()
ACCOUNTS = [(file, n) for file in reference.account_files() for n in range(len(reference.read(file)))]


def odds_name(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def account_name(account: Any) -> str:
    return f"{account[0].parent.name}/{account[0].stem}/{account[1] + 1:03}" if isinstance(account, tuple) else ""


def close(found: Any, kept: str) -> bool:
    """Whether a number agrees with a kept fraction."""
    value = float(Fraction(kept))
    return abs(float(found) - value) <= CLOSE * max(1.0, abs(value))


@pytest.mark.parametrize("file", ODDS, ids=odds_name)
def test_odds_are_those_of_the_reference(file: Path) -> None:
    kept = reference.read(file)
    found = reference.exact_odds(kept, fractions=False)
    for part in ("odds", "expected", "locations"):
        assert sorted(found[part]) == sorted(kept[part])
        wrong = {
            name: (float(found[part][name]), p) for name, p in kept[part].items() if not close(found[part][name], p)
        }
        assert not wrong
    if "joint" in kept:
        listed = {
            (tuple(o["effects"]), o["wounded"], o["killed"], o["damage"]): o["probability"] for o in kept["joint"]
        }
        assert sorted(found["joint"]) == sorted(listed)
        assert not {key: p for key, p in listed.items() if not close(found["joint"][key], p)}


@pytest.mark.parametrize("account", ACCOUNTS, ids=account_name)
def test_accounts_are_those_of_the_reference(account: tuple[Path, int]) -> None:
    file, n = account
    kept = reference.read(file)[n]
    dice = ByReason(kept["seed"], kept["dice"])
    found = reference.account_of(kept, dice)
    assert found["outcome"] == kept["outcome"]
    assert set(found["lines"]) == set(kept["lines"])
    assert not dice.left


@pytest.mark.parametrize("ruleset", ["d100_wwii", "gurps_vehicle"])
def test_every_number_of_the_reference_stands_in_a_stat_block(ruleset: str) -> None:
    files = [file for file in ODDS if file.parent.name == ruleset]
    assert {file.stem: made for file in files if (made := reference.derived_of(reference.read(file)))} == {}


def test_the_reference_is_as_large_as_it_says() -> None:
    many = {
        name: sum(file.parent.name == name for file in ODDS) for name in ("d100_wwii", "facing_armor", "gurps_vehicle")
    }
    least = {"d100_wwii": 40, "facing_armor": 25, "gurps_vehicle": 40}
    assert all(many[name] >= count for name, count in least.items())
    for name in many:
        assert sum(file.parent.name == name for file, _ in ACCOUNTS) >= 100
