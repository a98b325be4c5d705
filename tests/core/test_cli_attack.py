"""`mantlet attack`: dice from every source, the account, the state of the target."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cli_guest import Coins, install_guest
from cli_run import COIN_SHOT, data, fail, mantlet, succeed
from mantlet import Report
from mantlet.cli.attack_text import tell_account, worst_words
from mantlet.cli.page import Page
from mantlet.dice.account import Account, Note, Roll
from mantlet.game.effects import EFFECTS, complete

ATTACK = f"attack --ruleset coins {COIN_SHOT}"


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


def test_a_seed_gives_the_same_attack_again() -> None:
    first = succeed(f"{ATTACK} --seed 5")
    assert first == succeed(f"{ATTACK} --seed 5")
    assert "Seed 5: repeat with --seed 5." in first


def test_without_a_seed_one_is_chosen_and_printed() -> None:
    told = succeed(ATTACK)
    seed = re.search(r"--seed (\d+)", told)
    assert seed is not None
    assert succeed(f"{ATTACK} --seed {seed[1]}") == told


def test_the_account_names_every_roll_its_reason_target_and_rule() -> None:
    told = succeed(f"{ATTACK} --dice 34,2,3+5 --skill 60")
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert lines[0] == "Damaged, 1 wounded. Hit (hull), penetrated."
    assert "to hit 34 on 1d100, target 60 success 60.0% C2" in lines
    assert "60 = 70 skill - 10 a coin is thin" in lines
    assert "where it hits 2 on 1d6 1-4 hull 66.7% C3" in lines
    assert "damage 8 on 2d6 (3 5) 8 13.9% C4" in lines
    assert "8 against 7 [C4]" in lines
    assert "Armor: 7 against 8 bruises, margin +1." in lines
    assert "Damage: 1 bruises." in lines
    assert "Now: in working order; wounded: commander." in lines
    assert "Derived: toughness = 7: as the option says (mass_kg 30300)" in lines
    assert "Not used by these rules: range, aspect, elevation." in lines


@pytest.mark.parametrize("form", ["text", "md"])
def test_notes_alike_in_a_row_are_one_with_their_number(form: str) -> None:
    """Five struck, then one more after something else: the order of what happened stays, and each throw is told."""
    account, page = Account(), Page(form)
    struck = Note("A17", "somebody is struck by {}", (1,))
    roll = Roll("fragments", "A17", "1d6", (5,), 5, "5", 1 / 6)
    account.entries += [roll, *[struck] * 5, Note("", "it burns", ()), struck, roll, roll]
    tell_account(page, account)
    told = re.findall("fragments|it burns|(?:5 x )?somebody is struck by 1", "\n".join(page.lines))
    assert told == [
        *("fragments", "5 x somebody is struck by 1", "it burns", "somebody is struck by 1"),
        *("fragments", "fragments"),
    ]


def test_typed_dice_are_asked_for_by_reason_and_again_when_impossible() -> None:
    result = mantlet(f"{ATTACK} --dice typed", typed="0x\n34\n7\n2\n3 9\n3 5\n")
    assert result.exit_code == 0
    assert "to hit (1d100): " in result.stderr
    assert "where it hits (1d6): " in result.stderr
    assert "a d6 shows 1 to 6, not 7" in result.stderr
    assert "damage (2d6: 2 faces, or the total, 2 to 12): " in result.stderr
    assert "to hit (1d100)" not in result.stdout
    assert "Repeat with --dice 34,2,8" in result.stdout


def test_typed_dice_that_end_early_are_an_error() -> None:
    assert "The typed dice ended where where it hits (1d6) was asked for" in fail(f"{ATTACK} --dice typed", 1, "34\n")


def test_too_few_and_too_many_given_dice_are_errors() -> None:
    assert "ran out after 1: the next roll is 'where it hits', a roll of 1d6" in fail(f"{ATTACK} --dice 34", 1)
    assert "2 scripted dice are left over (1, 2)" in fail(f"{ATTACK} --dice 99,1,2", 1)


def test_what_an_attack_prints_repeats_it() -> None:
    told = data(f"{ATTACK} --seed 11 --skill 99")
    again = data(f"{ATTACK} --dice {told['dice']} --skill 99")
    assert again["outcome"] == told["outcome"]
    assert again["condition"] == told["condition"]
    assert (told["seed"], again["seed"]) == (11, None)


def test_json_has_the_attack_the_account_and_the_condition() -> None:
    told = data(f"{ATTACK} --dice 34,5,=12 --range 100yd --moving 10mph --skill 60".replace("=12", "12"))
    assert list(told) == [
        "attack", "ruleset", "version", "options", "seed", "dice", "account", "outcome", "condition", "situation",
        "derived", "ignored", "notes",
    ]  # fmt: skip
    assert told["attack"]["range_m"] == pytest.approx(91.44)
    assert told["attack"]["shooter_speed_kph"] == pytest.approx(16.09344)
    assert told["account"][0] == {
        "type": "roll",
        "reason": "to hit",
        "rule": "C2",
        "dice": "1d100",
        "faces": [34],
        "total": 34,
        "target": 60,
        "modifiers": [{"value": 70, "reason": "skill"}, {"value": -10, "reason": "a coin is thin"}],
        "result": "True",
        "probability": 0.6,
    }
    assert told["account"][-1] == {"type": "note", "rule": "C4", "text": "12 against 7"}
    assert told["outcome"]["effects"] == [
        "hit", "penetrated", "damaged", "mobility_reduced", "immobilized", "on_fire",
    ]  # fmt: skip
    assert told["outcome"]["locations"] == [{"path": "hull/tracks", "zone": "running_gear"}]
    assert told["outcome"]["armor"] == {"effective": 7, "attack": 12, "margin": 5, "unit": "bruises"}
    assert told["condition"]["mobility"] == "none"
    assert told["condition"]["on_fire"] is True
    assert told["condition"]["detail"] == {"hits": 1}
    assert told["ignored"] == ["range", "aspect", "elevation", "shooter_speed"]


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ("--range 30ft", "range_m", 9.144),
        ("--aspect rear", "aspect_deg", 180.0),
        ("--aspect -90", "aspect_deg", 270.0),
        ("--elevation 30", "elevation_deg", 30.0),
        ("--skill 65", "skill_percent", 65.0),
        ("--skill Veteran", "skill", "veteran"),
        ("--skill pennies=12 --skill coins=3", "skills", {"pennies": 12.0, "coins": 3.0}),
        ("--rounds 10", "rounds", 10),
        ("--delivery thrown", "delivery", "thrown"),
        ("--hull-down", "hull_down", True),
        ("--moving", "shooter_speed_kph", 20.0),
        ("--moving 40", "shooter_speed_kph", 40.0),
        ("--target-speed 10m/s", "target_speed_kph", 36.0),
        ("--given-hit", "given_hit", True),
        ("--cover 50%", "cover", 0.5),
        ("--unbuttoned", "buttoned", False),
        ("--dark", "dark", True),
        ("--miss-distance 10m", "miss_distance_m", 10.0),
        ("--aim tracks", "aim", "tracks"),
        ("--weapon us_75_m3/HE", "ammunition", "M48_HE"),
    ],
)
def test_every_option_reaches_the_attack(options: str, field: str, value: object) -> None:
    told = data(f"{ATTACK} {options} --seed 1")["attack"]
    assert told[field] == (pytest.approx(value) if isinstance(value, float) else value)


def test_markdown_is_a_table() -> None:
    told = succeed(f"{ATTACK} --dice 34,2,3+5 --format md").splitlines()
    assert told[0] == "## Damaged, 1 wounded. Hit (hull), penetrated."
    assert "| Roll | Dice | Result | Chance | Rule |" in told
    assert "| where it hits | 2 on 1d6 | 1-4 hull | 66.7% | C3 |" in told


def test_an_option_changes_the_rules() -> None:
    assert "7 against 7" in succeed(f"{ATTACK} --dice 34,2,7")
    told = data(f"{ATTACK} --dice 34,2,7 --option coins.toughness=2")
    assert told["outcome"]["damage"] == 5
    assert told["options"] == {"edge": "heads", "toughness": 2, "fault": ""}


def test_an_observer_is_told_and_one_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COIN_LOG", str(tmp_path / "log"))
    succeed(f"{ATTACK} --dice 34,2,8")
    assert (tmp_path / "log").read_text("utf-8") == "1 3\n"
    monkeypatch.setenv("COIN_LOG", "raise")
    result = mantlet(f"{ATTACK} --dice 34,2,8")
    assert result.exit_code == 0
    assert "Warning: An observer of plugin coin (coin-rules 1.0) is left out: it raised ValueError" in result.stderr


def test_a_miss_says_so() -> None:
    assert succeed(f"{ATTACK} --dice 99").startswith("Miss.\n")


def test_no_color_codes_where_nobody_sees_them() -> None:
    assert "\x1b" not in succeed(f"{ATTACK} --seed 1")


@pytest.mark.parametrize(
    ("effects", "said"),
    [
        (["destroyed"], "destroyed"),
        (["exploded", "crew_killed"], "exploded, 2 killed"),
        (["knocked_out", "immobilized"], "knocked out, immobilized"),
        (["firepower_lost"], "firepower lost"),
        (["firepower_reduced", "on_fire"], "on fire, firepower reduced"),
        (["damaged", "hit"], "damaged"),
        (["hit"], ""),
    ],
)
def test_the_headline_leaves_out_what_goes_without_saying(effects: list[str], said: str) -> None:
    found = complete(sum(EFFECTS[name] for name in effects))
    assert worst_words(found, 0, 2 if "crew_killed" in effects else 0) == said


@pytest.mark.parametrize(
    ("options", "said"),
    [("", "skill trained (usual)"), ("--skill ace", "skill ace"), ("--skill ace --skill coins=3", "skill 3 (coins)")],
)
def test_the_attack_is_told_with_its_skill(options: str, said: str) -> None:
    line = next(line for line in succeed(f"{ATTACK} {options} --seed 1").splitlines() if "skill" in line)
    assert f", {said}" in line


def test_a_report_of_the_ruleset_stands_beside_the_neutral_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def report(self: Coins, target: object, before: object, result: object) -> Any:
        return Report("Bruised.", ("two bruises",), {"bruises": 2})

    monkeypatch.setattr(Coins, "report", report, raising=False)
    text = succeed(f"{ATTACK} --dice 34,2,3")
    assert text.splitlines()[0] == "Bruised."
    assert "Effects: hit.\n" in text  # the neutral "no effect" would deny it
    assert "two bruises." in text
    assert data(f"{ATTACK} --dice 34,2,3")["report"] == {"headline": "Bruised.", "now": ["two bruises"], "bruises": 2}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (None, "gave None"),
        (Report(3), "headline is 3"),
        (Report("", "now"), "now is 'now'"),
        (Report("", (), 1), "data is 1"),
    ],
)
def test_a_bad_report_is_told_of_the_ruleset(monkeypatch: pytest.MonkeyPatch, wrong: Any, said: str) -> None:
    monkeypatch.setattr(Coins, "report", lambda self, target, before, result: wrong)
    assert said in fail(f"{ATTACK} --dice 34,2,3", 1)
