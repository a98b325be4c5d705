"""The commands with the rulesets that come with mantlet: the contract of compare holds, and a story fits its page."""

from __future__ import annotations

import pytest

from cli_run import data, mantlet, succeed
from mantlet import ZONES
from mantlet.game.effects import EFFECTS

RULESETS = ["d100_wwii", "facing_armor", "gurps_vehicle"]
ATTACKS = [
    "--weapon kar98k --target gmc_cckw --range 100yd",
    "--weapon mg42 --target kubelwagen --rounds 10",
    "--weapon us_bazooka_m1a1 --target pz4_h --range 50 --aspect side",
    "--weapon de_75_pak40 --target m4a1_75_dry --range 500 --hull-down",
    "--weapon de_88_kwk36 --target t34_76_1942 --range 1000 --given-hit",
    "--weapon kar98k --target dragon --range 50",
    "--weapon de_75_pak40/HE --target infantry_squad --miss-distance 5m --cover 50%",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_contract_of_compare(attack: str) -> None:
    told = data(f"compare {attack}")
    assert [result["ruleset"] for result in told["results"]] == RULESETS
    assert any(result["covers"] for result in told["results"])
    for result in told["results"]:
        assert isinstance(result["options"], dict)
        if not result["covers"]:
            assert result["reason"]
            assert result["odds"] == result["expected"] == result["locations"] == {}
            continue
        odds = result["odds"]
        assert list(odds) == list(EFFECTS)
        assert all(type(p) is float and 0 <= p <= 1 + 1e-9 for p in odds.values())
        assert odds["exploded"] <= odds["destroyed"] + 1e-12 <= odds["knocked_out"] + 2e-12
        assert odds["immobilized"] <= odds["mobility_reduced"] + 1e-12
        assert odds["firepower_lost"] <= odds["firepower_reduced"] + 1e-12
        assert odds["crew_killed"] <= odds["crew_hit"] + 1e-12
        assert list(result["expected"]) == ["people_wounded", "people_killed", "damage"]
        assert set(result["locations"]) <= set(ZONES)
        assert set(result["ignored"]) <= {
            "range", "aspect", "elevation", "skill", "aim", "rounds", "hull_down", "shooter_speed", "target_speed",
            "unbuttoned", "dark", "cover", "miss_distance",
        }  # fmt: skip
        assert all(list(derived) == ["stat", "value", "formula", "inputs"] for derived in result["derived"])


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_story_fits_its_page_and_its_dice_repeat_it(ruleset: str, attack: str) -> None:
    result = mantlet(f"attack --ruleset {ruleset} {attack} --seed 12")
    if result.exit_code == 1:
        assert result.stderr.startswith(f"Error: {ruleset} has no rule for this attack: ")
        return
    assert result.exit_code == 0, result.output
    assert all(len(line) <= 100 for line in result.stdout.splitlines() if "--dice" not in line)
    told = data(f"attack --ruleset {ruleset} {attack} --seed 12")
    if told["dice"]:
        again = data(f"attack --ruleset {ruleset} {attack} --dice {told['dice']}")
        assert again["outcome"] == told["outcome"]
        assert again["condition"] == told["condition"]


def test_every_table_prints_in_every_format() -> None:
    for table in data("table"):
        printed = data(f"table {table['name']}")
        if "cells" not in printed:  # every cell of a grid is a roll of its own
            assert sum(row["probability"] for row in printed["rows"]) == pytest.approx(1)
        assert succeed(f"table {table['name']}")
        assert succeed(f"table {table['name']} --format md")


def test_every_weapon_and_target_can_be_shown() -> None:
    for name in [thing["id"] for kind in ("weapons", "targets") for thing in data(kind)]:
        assert all(len(line) <= 110 for line in succeed(f"show {name}").splitlines() if "http" not in line)
