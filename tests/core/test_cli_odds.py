"""`mantlet odds` and `mantlet compare`: exact odds, and the JSON that scripts rely on."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cli_guest import install_guest
from cli_run import COIN_SHOT, data, fail, mantlet, succeed
from mantlet import ZONES
from mantlet.game.effects import EFFECTS

ODDS = f"odds --ruleset coins {COIN_SHOT}"
COMPARE = f"compare {COIN_SHOT}"

PENETRATES = Fraction(15, 36)
"""2d6 over 7."""
HIT = Fraction(1, 2)


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


def check_contract(result: dict[str, Any]) -> None:
    """One element of `results`, to the letter."""
    assert list(result)[:9] == [
        "ruleset", "covers", "reason", "odds", "expected", "locations", "derived", "ignored", "options",
    ]  # fmt: skip
    assert set(result) - {"notes", "damage_unit", "failed", "attack", "shots", "outcomes", "fractions"} == set(
        list(result)[:9]
    )
    assert isinstance(result["ruleset"], str)
    assert isinstance(result["options"], dict)
    if not result["covers"]:
        assert result["covers"] is False
        assert isinstance(result["reason"], str)
        assert result["reason"]
        return
    assert result["covers"] is True
    assert result["reason"] is None
    assert list(result["odds"]) == list(EFFECTS)
    assert list(result["expected"]) == ["people_wounded", "people_killed", "damage"]
    assert set(result["locations"]) <= set(ZONES)
    numbers = [*result["odds"].values(), *result["locations"].values()]
    assert all(type(p) is float and 0 <= p <= 1 + 1e-12 for p in numbers)
    assert all(type(value) is float and value >= 0 for value in result["expected"].values())
    assert all(set(d) == {"stat", "value", "formula", "inputs"} for d in result["derived"])
    assert all(isinstance(name, str) for name in result["ignored"])


def test_the_contract_of_compare() -> None:
    told = data(COMPARE)
    assert list(told) == ["attack", "results"]
    assert [result["ruleset"] for result in told["results"]] == ["coins", "pennies"]
    for result in told["results"]:
        check_contract(result)
    coins = told["results"][0]
    assert coins["odds"]["hit"] == pytest.approx(float(HIT))
    assert coins["odds"]["penetrated"] == pytest.approx(float(HIT * PENETRATES))
    assert coins["odds"]["immobilized"] == pytest.approx(float(HIT * PENETRATES / 3))
    assert coins["odds"]["no_effect"] == pytest.approx(float(1 - HIT * PENETRATES))
    assert coins["expected"]["people_killed"] == pytest.approx(float(HIT * Fraction(2, 3) * Fraction(3, 36)))
    assert coins["locations"] == {"hull": pytest.approx(1 / 3), "running_gear": pytest.approx(1 / 6)}
    assert coins["derived"] == [
        {"stat": "toughness", "value": 7, "formula": "as the option says", "inputs": {"mass_kg": 30300}}
    ]
    assert coins["ignored"] == ["range", "aspect", "elevation"]
    assert coins["options"] == {"edge": "heads", "toughness": 7, "fault": ""}


def test_the_contract_of_what_is_not_covered() -> None:
    told = data("compare --weapon us_75_m3 --target m4a1_75_dry --delivery rammed")
    for result in told["results"]:
        check_contract(result)
    assert told["results"][0]["reason"] == "C1 knows no ramming"
    assert told["results"][1]["covers"] is True


def test_nothing_covered_ends_with_1() -> None:
    result = mantlet(f"{COMPARE} --ruleset coins --delivery rammed --format json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["results"][0]["covers"] is False
    result = mantlet(f"{ODDS} --delivery rammed")
    assert result.exit_code == 1
    assert "Not covered: C1 knows no ramming" in result.stdout
    assert fail(f"attack --ruleset coins {COIN_SHOT} --delivery rammed", 1).startswith(
        "Error: coins has no rule for this attack: C1 knows no ramming"
    )


def test_compare_takes_some_rulesets_in_the_order_given() -> None:
    told = data(f"{COMPARE} --ruleset pennies --ruleset coins --ruleset pennies")
    assert [result["ruleset"] for result in told["results"]] == ["pennies", "coins"]


def test_options_and_skills_go_to_their_ruleset() -> None:
    told = data(f"{COMPARE} --option coins.toughness=12 --skill 80 --skill pennies=20")
    coins, pennies = told["results"]
    assert coins["odds"]["penetrated"] == 0
    assert (coins["odds"]["hit"], pennies["odds"]["hit"]) == (pytest.approx(0.8), pytest.approx(0.2))
    assert pennies["odds"]["penetrated"] > 0


def test_an_aim_that_one_ruleset_lacks_does_not_keep_the_others_back() -> None:
    told = data(f"{COMPARE} --aim tracks --given-hit")
    assert told["results"][0]["locations"] == {"running_gear": 1.0}
    assert told["results"][1]["covers"] is False
    assert told["results"][1]["reason"] == "No location is called 'tracks' in m4a1_75_dry."
    assert "Did you mean tracks?" in fail(f"{ODDS} --aim track", 1)


@pytest.mark.parametrize("fault", ["covers", "plan", "resolve", "exit", "rule"])
def test_a_ruleset_that_fails_is_named_and_the_others_are_told(fault: str) -> None:
    result = mantlet(f"{COMPARE} --option coins.fault={fault} --format json")
    assert result.exit_code == 1
    assert "Warning: Ruleset coins (plugin coin, coin-rules 1.0) failed: " in result.stderr
    assert "Traceback" not in result.stderr
    coins, pennies = json.loads(result.stdout)["results"]
    assert coins["covers"] is False
    assert "failed" in coins["reason"]
    assert pennies["covers"] is True


def test_odds_that_fail_are_not_called_a_lack_of_cover() -> None:
    result = mantlet(f"{COMPARE} --work-limit 3 --format json")
    assert [found["failed"] for found in json.loads(result.stdout)["results"]] == [True, True]
    for form in ("text", "md"):
        result = mantlet(f"{COMPARE} --work-limit 3 --format {form}")
        assert result.exit_code == 1
        assert result.stdout.count("No odds: Exact odds for this need more than 3 steps") == 2
        assert "Not covered" not in result.stdout
    told = data("compare --weapon us_75_m3 --target m4a1_75_dry --delivery rammed")
    assert [found["failed"] for found in told["results"]] == [False, False]


def test_the_refusal_of_shots_has_the_command_line_of_an_estimate() -> None:
    needed = 400  # enough for the odds of one attack
    command = f"{ODDS} --shots 200 --work-limit {needed}"
    told = fail(command, 1)
    *_, line = told.rstrip().splitlines()
    assert line == f"  mantlet {command} --sample 2000"
    assert "Estimated by firing at 2000 targets" in succeed(line.strip().removeprefix("mantlet "))


def test_text_of_compare_has_a_row_an_effect_and_a_column_a_ruleset() -> None:
    told = mantlet(f"{COMPARE} --delivery rammed").stdout
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert lines[0] == "75 mm M2/M3 (M61 APC) at M4A1 (75) Sherman, dry: 100 m, front, skill 50% (usual), rammed"
    assert "coins pennies" in lines
    assert "hit - 50.0%" in lines
    assert "people wounded - 0.11" in lines
    assert "strikes running gear - 16.7%" in lines
    assert "Not covered: C1 knows no ramming" in lines
    assert "Not used by these rules: range, aspect, elevation." in lines
    assert max(map(len, told.splitlines())) <= 100


def test_markdown_of_compare_is_a_table() -> None:
    told = succeed(f"{COMPARE} --format md").splitlines()
    assert "|  | coins | pennies |" in told
    assert "| --- | ---: | ---: |" in told
    assert "| penetrated | 20.8% | 20.8% |" in told


def test_odds_as_data_are_an_element_of_the_results() -> None:
    told = data(ODDS)
    check_contract(told)
    assert told["odds"] == data(f"{COMPARE} --ruleset coins")["results"][0]["odds"]
    assert told["attack"]["target"] == "m4a1_75_dry"


def test_fractions_are_exact() -> None:
    told = data(f"{ODDS} --fractions --skill 33")
    assert told["fractions"]["penetrated"] == str(Fraction(33, 100) * PENETRATES)
    assert told["odds"]["penetrated"] == float(Fraction(33, 100) * PENETRATES)
    assert ["penetrated", "13.8%", "11/80"] in [
        line.split() for line in succeed(f"{ODDS} --fractions --skill 33").splitlines()
    ]


def test_shots_until_knocked_out() -> None:
    told = data(f"{ODDS} --shots 4 --given-hit --skill 50")
    shots = told["shots"]
    assert shots["within"][:2] == [0, 0]
    third = float(PENETRATES)
    assert shots["within"][2] == pytest.approx(third)
    assert shots["within"][3] == pytest.approx(1 - (1 - third) ** 2)
    assert shots["left"] == pytest.approx((1 - third) ** 2)
    text = succeed(f"{ODDS} --shots 4 --given-hit")
    assert "        3               41.7%" in text
    assert "Not knocked out after 4 attacks: 34.0%." in text


def test_the_full_distribution_is_ranked_and_says_what_it_leaves_out() -> None:
    text = succeed(f"{ODDS} --full 2")
    assert "50.0%" in text
    assert "further outcomes hold" in text
    told = data(f"{ODDS} --full 1000")
    assert sum(outcome["probability"] for outcome in told["outcomes"]) == pytest.approx(1)
    assert told["outcomes"][0]["effects"] == ["no_effect"]
    assert len(data(f"{ODDS} --full")["outcomes"]) == len(told["outcomes"])


def test_a_work_limit_is_stated_where_it_is_hit() -> None:
    assert "5 steps" in fail(f"{ODDS} --work-limit 5", 1)
    result = mantlet(f"{COMPARE} --work-limit 5 --format json")
    assert result.exit_code == 1
    assert all("5 steps" in r["reason"] and not r["covers"] for r in json.loads(result.stdout)["results"])


def test_near_to_never_is_not_never() -> None:
    told = [line.split() for line in succeed(f"{ODDS} --option coins.toughness=11 --skill 1").splitlines()]
    assert ["penetrated", "<0.1%"] in told
    assert ["hit", "1.0%"] in told
    assert ["exploded", "0.0%"] in told
