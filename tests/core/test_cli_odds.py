"""`mantlet odds` and `mantlet compare`: exact odds, estimates, and the JSON that scripts rely on."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cli_guest import install_guest
from cli_run import COIN_SHOT, data, fail, mantlet, succeed
from mantlet import ZONES
from mantlet.cli.compare_rows import far_apart
from mantlet.game.effects import EFFECTS
from mantlet.probability import effort

ODDS = f"odds --ruleset coins {COIN_SHOT}"
COMPARE = f"compare {COIN_SHOT}"

PENETRATES = Fraction(15, 36)
"""2d6 over 7."""
HIT = Fraction(1, 2)


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


MORE = ("attack", "shots", "outcomes", "outcomes_samples", "fractions", "given_hit", "knocked_out_means")


def check_contract(result: dict[str, Any]) -> None:
    """One element of `results`, to the letter."""
    assert list(result)[:9] == [
        "ruleset", "covers", "reason", "odds", "expected", "locations", "derived", "ignored", "options",
    ]  # fmt: skip
    assert list(result)[9:16] == ["notes", "damage_unit", "failed", "exact", "samples", "standard_error", "seed"]
    assert set(result) - {*MORE} == set(list(result)[:16])
    assert result["exact"] == (result["samples"] == 0) == (result["seed"] is None)
    assert set(result["standard_error"]) <= {*EFFECTS, *result["expected"], *ZONES}
    assert not (result["exact"] and result["standard_error"])
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


@pytest.fixture
def low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "INSISTED_STEPS", 5)


@pytest.mark.usefixtures("low_limit")
def test_a_refusal_of_exact_odds_is_told_as_what_it_is() -> None:
    result = mantlet(f"{COMPARE} --exact --format json")
    assert [found["failed"] for found in json.loads(result.stdout)["results"]] == [True, True]
    for form in ("text", "md"):
        result = mantlet(f"{COMPARE} --exact --format {form}")
        assert result.exit_code == 1
        assert " ".join(result.stdout.split()).count("No odds: Too much can happen in an attack at a vehicle") == 2
        assert "Not covered" not in result.stdout
    assert "Leave out --exact: they are then estimated." in fail(f"{ODDS} --exact", 1)
    assert "Leave out --fractions: they are then estimated." in fail(f"{ODDS} --fractions --shots 4", 1)
    told = data("compare --weapon us_75_m3 --target m4a1_75_dry --delivery rammed")
    assert [found["failed"] for found in told["results"]] == [False, False]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--exact --samples 100", "--exact asks for exact odds and --samples for an estimate: give one of them."),
        ("--fractions --samples 100", "--fractions asks for exact odds and --samples for an estimate"),
        ("--exact --seed 3", "--exact asks for exact odds, which need no --seed: it is for an estimate."),
        ("--samples 0", "Invalid value for '--samples'"),
        ("--sample 100", "No such option"),
        ("--work-limit 100", "No such option"),
    ],
)
def test_options_that_contradict_each_other_or_are_gone(options: str, said: str) -> None:
    assert said in fail(f"{ODDS} {options}", 2)


def test_exact_odds_may_be_insisted_on() -> None:
    assert data(f"{ODDS} --exact") == data(ODDS)


@pytest.fixture
def little_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first stage is exact, what follows is sampled."""
    monkeypatch.setattr(effort, "EXACT_STEPS", 12)


@pytest.mark.usefixtures("little_exact")
def test_an_estimate_says_so_figure_by_figure() -> None:
    told = data(f"{ODDS} --samples 400 --seed 7")
    check_contract(told)
    assert (told["samples"], told["seed"]) == (400, 7)
    assert told["standard_error"]["penetrated"] == pytest.approx((0.2 * 0.8 / 400) ** 0.5, rel=0.3)
    assert abs(told["odds"]["penetrated"] - HIT * PENETRATES) < 4 * told["standard_error"]["penetrated"]
    assert data(f"{ODDS} --samples 400 --seed 7") == told
    assert data(f"{ODDS} --samples 400 --seed 8")["odds"] != told["odds"]
    text = succeed(f"{ODDS} --samples 400 --seed 7")
    assert "coins 1.2, odds, partly estimated" in text
    assert re.search(r"^  penetrated +\d\d\.\d% \+/-\d\.\d$", text, re.MULTILINE)
    assert "estimated from 400 attacks, seed 7" in " ".join(text.split())
    assert re.search(r"^\| penetrated \| \d\d\.\d% \+/-\d\.\d \|$", succeed(f"{ODDS} --samples 400 --format md"), re.M)


@pytest.mark.usefixtures("little_exact")
def test_a_comparison_says_which_rulesets_are_estimated() -> None:
    told = " ".join(succeed(f"{COMPARE} --samples 400").split())
    line = "coins estimated from 400 attacks, seed 1; pennies estimated from 400 attacks, seed 1."
    assert f"Figures with +/- (one standard error): {line}" in told


@pytest.mark.usefixtures("little_exact")
def test_estimated_shots_and_outcomes_say_so() -> None:
    command = f"{ODDS} --given-hit --samples 400 --shots 3 --full 3"
    told = data(command)
    shots = told["shots"]
    assert (shots["exact"], shots["samples"], shots["seed"]) == (False, 400, 1)
    errors = shots["standard_error"]
    assert (list(errors), len(errors["within"])) == (["within", "left", "mean_if_ended"], 3)
    assert abs(shots["within"][2] - PENETRATES) < 4 * errors["within"][2]
    assert told["outcomes_samples"] == 400
    text = succeed(command)
    assert re.search(r"^ +3 +\d\d\.\d% \+/-\d\.\d$", text, re.MULTILINE)
    assert "Estimated from 400 targets, seed 1." in text
    assert re.search(r"^ +seen +damage +people +what happens$", text, re.MULTILINE)
    assert "further outcomes seen hold" in text


def test_text_of_compare_has_a_row_an_effect_and_a_column_a_ruleset() -> None:
    told = mantlet(f"{COMPARE} --delivery rammed").stdout
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert lines[0] == "75 mm M2/M3 (M61 APC) at M4A1 (75) Sherman, dry"
    assert lines[1] == "100 m, front, skill trained (usual), rammed"
    assert lines[3:6] == ["of the attack given a hit", "coins pennies coins pennies", "hit - 50.0% - 100.0%"]
    # Half of the hits penetrate or not by 2d6; of the six places one is the running gear.
    assert "people wounded - 0.11 - 0.22" in lines
    assert "strikes running gear" not in told
    assert "coins: Not covered: C1 knows no ramming" in lines
    assert max(map(len, told.splitlines())) <= 100
    everything = succeed(f"{COMPARE} --delivery rammed --all --explain")
    lines = [" ".join(line.split()) for line in everything.splitlines()]
    assert "strikes running gear - 16.7% - 33.3%" in lines
    assert "Not used by these rules: range, aspect, elevation." in lines


def test_markdown_of_compare_is_a_table_for_each_question() -> None:
    told = succeed(f"{COMPARE} --format md").splitlines()
    assert told.count("|  | coins | pennies |") == 2
    assert told.count("| --- | ---: | ---: |") == 2
    assert told.index("### of the attack") < told.index("| penetrated | 20.8% | 20.8% |")
    assert told.index("### given a hit") < told.index("| penetrated | 41.7% | 41.7% |")


def test_given_a_hit_is_what_the_option_gives() -> None:
    both = data(COMPARE)["results"]
    given = data(f"{COMPARE} --given-hit")["results"]
    for of_both, alone in zip(both, given):
        assert of_both["given_hit"]["odds"] == alone["odds"]
        assert "given_hit" not in alone
        assert of_both["given_hit"]["odds"]["penetrated"] == pytest.approx(float(PENETRATES))


def test_csv_has_a_line_a_figure() -> None:
    rows = list(csv.DictReader(io.StringIO(succeed(f"{COMPARE} --format csv --shots 2"))))
    found = {(row["ruleset"], row["of"], row["figure"]): float(row["value"]) for row in rows}
    assert found["coins", "of the attack", "penetrated"] == pytest.approx(float(HIT * PENETRATES))
    assert found["pennies", "given a hit", "penetrated"] == pytest.approx(float(PENETRATES))
    assert found["coins", "within 2 attacks", "knocked_out"] == 0
    assert all(row["standard_error"] == "" for row in rows)


def test_one_line_for_a_chat() -> None:
    told = succeed(f"{COMPARE} --format line")
    assert told.count("\n") == 1
    assert "100 m, front" in told
    assert "| coins: hit 50.0%, penetrated 20.8%, knocked out 0.0% | pennies: hit 50.0%" in told


def test_html_stands_by_itself_and_shows_names_as_they_are() -> None:
    told = succeed(f"{COMPARE} --format html")
    assert told.startswith("<!doctype html>")
    assert "<script" not in told
    assert '<th scope="row">penetrated</th><td class="number">20.8%</td>' in told


def test_several_attacks_under_every_ruleset() -> None:
    told = data(f"{COMPARE} --shots 3 --given-hit")["results"]
    alone = data(f"{ODDS} --shots 3 --given-hit")
    assert told[0]["shots"]["within"] == alone["shots"]["within"]
    text = succeed(f"{COMPARE} --shots 3 --given-hit")
    assert "Knocked out within so many attacks" in text
    assert re.search(r"^ +attacks +coins +pennies$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("values", "numbers", "expected"),
    [
        ((0.30, 0.40), False, True),  # ten points
        ((0.30, 0.399), False, False),
        ((0.04, 0.08), False, True),  # a factor of two
        ((0.04, 0.079), False, False),
        ((0.0004, 0.0009), False, False),  # not seen in the digits printed
        ((0.0, 0.002), False, True),
        ((None, 0.9), False, False),  # nothing to compare with
        ((1.0, 1.5, None, 2.0), True, True),
        ((1.0, 1.9), True, False),
        ((), False, False),
    ],
)
def test_what_is_marked_as_far_apart(values: tuple[float | None, ...], numbers: bool, expected: bool) -> None:
    assert far_apart(values, numbers) is expected


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"{COMPARE} --range 5 --range 7", "--range is given 2 times, and takes one value."),
        (f"{ODDS} --dark --light", "--dark/--light is given 2 times"),
        (f"attack --ruleset coins {COIN_SHOT} --seed 1 --seed 2 --seed 3", "--seed is given 3 times"),
    ],
)
def test_an_option_of_one_value_is_not_given_twice(command: str, said: str) -> None:
    assert said in fail(command, 2)


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


def test_many_shots_have_a_row_where_the_chance_still_changes() -> None:
    shots = f"{ODDS} --given-hit --shots"
    text = succeed(f"{shots} 10000")
    rows = [line.split() for line in text.splitlines() if re.match(r" +\d+ ", line)]
    # From the third on 15/36 each; (21/36)**52 is the first below 1e-12, which is told as none.
    assert [row[0] for row in rows] == [*map(str, range(1, 11)), "20", "50", "54"]
    assert [row[1] for row in rows[-3:]] == [">99.9%", ">99.9%", "100.0%"]
    told = " ".join(text.split())
    assert "From 54 attacks on nothing changes in these digits; --format json has all 10,000." in told
    assert len(data(f"{shots} 10000")["shots"]["within"]) == 10_000
    assert "Some rows are left out; --format json has all 40." in succeed(f"{ODDS} --skill 20 --shots 40")
    assert "left out" not in succeed(f"{ODDS} --skill 1 --shots 20")


@pytest.mark.usefixtures("little_exact")
def test_fewer_samples_than_asked_for_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "ASKED_STEPS", 20_000)
    told = mantlet(f"{COMPARE} --samples 1000000").stderr
    assert re.match(r"coins: 1\d,\d{3} of the 1,000,000 samples asked for; more would .* 20,000 steps", told)
    told = mantlet(f"{ODDS} --samples 1000000 --format json")
    assert f"{json.loads(told.stdout)['samples']:,} of the 1,000,000 samples asked for" in told.stderr


@pytest.mark.parametrize("digits", [4, 30, 310])
@pytest.mark.parametrize("option", ["--shots", "--samples", "--rounds", "--range", "--target-speed"])
def test_numbers_have_a_bound(option: str, digits: int) -> None:
    assert option in fail(f"{ODDS} {option} {'9' * (digits + 4)}", 2)


def test_the_full_distribution_is_ranked_and_says_what_it_leaves_out() -> None:
    text = succeed(f"{ODDS} --full 2")
    assert "50.0%" in text
    assert "further outcomes hold" in text
    told = data(f"{ODDS} --full 1000")
    assert sum(outcome["probability"] for outcome in told["outcomes"]) == pytest.approx(1)
    assert told["outcomes"][0]["effects"] == ["no_effect"]
    assert len(data(f"{ODDS} --full")["outcomes"]) == len(told["outcomes"])


def test_near_to_never_is_not_never() -> None:
    told = [line.split() for line in succeed(f"{ODDS} --option coins.toughness=11 --skill 1").splitlines()]
    assert ["penetrated", "<0.1%"] in told
    assert ["hit", "1.0%"] in told
    assert ["exploded", "0.0%"] in told
