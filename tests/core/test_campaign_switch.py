"""A campaign goes over to another ruleset and back: what is carried over, what is remembered, and what is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_guest import install_guest
from cli_run import data, fail, succeed

FILE = """\
# By hand.
title = "Ardennes"
ruleset = "coins"  # for now

[options.pennies]
toughness = 5

[roster.Greta]  # a Sherman, really
target = "m4a1_75_dry"
weapon = "us_75_m3"

[roster.tiger]
target = "tiger_1e"
weapon = "de_88_kwk36"

[roster.jeep]
target = "jeep"
weapon = "us_75_m3"
"""
WOUND = "fire Greta tiger --range 500 --aspect left --dice 34,2,9"


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "campaign.toml").write_text(FILE, "utf-8")
    monkeypatch.chdir(tmp_path)
    succeed(WOUND)
    succeed('set tiger --speed 20kph --reason "it rolls"')
    return tmp_path


def test_a_dry_run_shows_everybody_and_writes_nothing(folder: Path) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    told = succeed("campaign switch pennies --dry-run")
    rows = {line.split()[0]: line for line in told.splitlines() if line.startswith("  ")}
    assert "untouched" in rows["Greta"]
    assert "wounded: commander; target at 20 km/h" in rows["tiger"]
    assert "hits: 1" in rows["tiger"]
    assert told.endswith("Nothing was written.\n")
    tiger = data("campaign switch pennies --dry-run")["roster"][1]
    assert tiger["carried_over"]["people"][0] == "wounded"
    assert tiger["carried_over"]["target_speed_kph"] == 20
    assert tiger["left_behind"] == {"hits": 1}
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_switch_is_an_event_and_changes_one_word_of_the_file(folder: Path) -> None:
    assert "Event 3; mantlet undo takes it back." in succeed("campaign switch pennies")
    assert (folder / "campaign.toml").read_text("utf-8") == FILE.replace('ruleset = "coins"', 'ruleset = "pennies"')
    assert succeed("log").splitlines()[-1] == "3. switched from coins to pennies"
    tiger = data("status tiger")[0]
    assert tiger["condition"]["people"][0] == "wounded"
    assert tiger["condition"]["detail"] is None
    assert tiger["situation"]["target_speed_kph"] == 20
    shot = data("fire Greta tiger --range 500 --aspect left --dice 34,2,6")
    assert (shot["ruleset"], shot["options"]["toughness"]) == ("pennies", 5)  # the file has options for it


def test_who_switches_back_with_nothing_between_has_exactly_what_was(folder: Path) -> None:
    before = data("status")
    succeed("campaign switch pennies")
    succeed("fire tiger Greta --range 500 --aspect left --dice 34,2,9")  # this is Greta's, and not the tiger's
    told = data("campaign switch coins")
    assert [row["restored"] for row in told["roster"]] == [False, True, False]
    assert data("status tiger") == before[1:2]
    assert data("status Greta")[0]["condition"]["people"][0] == "wounded"
    assert (folder / "campaign.toml").read_text("utf-8") == FILE


def test_what_happened_in_between_goes_before_what_is_remembered(folder: Path) -> None:
    succeed("campaign switch pennies")
    succeed('set tiger --on-fire --reason "a torch"')
    assert data("campaign switch coins")["roster"][1]["restored"] is False
    tiger = data("status tiger")[0]["condition"]
    assert (tiger["on_fire"], tiger["people"][0]) == (True, "wounded")
    assert tiger["detail"] is None


def test_undo_and_redo_of_a_switch_change_the_file_as_well(folder: Path) -> None:
    before = data("status")
    succeed("campaign switch pennies")
    after = data("status")
    succeed("undo")
    assert (folder / "campaign.toml").read_text("utf-8") == FILE
    assert data("status") == before
    succeed("redo")
    assert 'ruleset = "pennies"' in (folder / "campaign.toml").read_text("utf-8")
    assert data("status") == after
    assert "all as they were" in succeed("replay")  # the attack under coins, though pennies hold now


def test_whom_the_new_rules_do_not_cover_is_marked_and_stays(folder: Path) -> None:
    text = FILE.replace('"us_75_m3"', '"sword"').replace('"de_88_kwk36"', '"sword"')
    (folder / "house.toml").write_text(
        '[[weapon]]\nid = "sword"\nname = "Sword"\nkind = "melee"\n[[weapon.ammunition]]\nid = "cut"\nkind = "blade"\n',
        "utf-8",
    )
    (folder / "campaign.toml").write_text(text.replace("title", 'catalogs = ["house.toml"]\ntitle'), "utf-8")
    rows = succeed("campaign switch pennies --dry-run").splitlines()
    assert [line.split("  ")[1] for line in rows if "not covered" in line] == [
        f"{name} (not covered)" for name in ("Greta", "tiger", "jeep")
    ]
    told = data("campaign switch pennies")["roster"]
    assert [(row["covered"], row["reason"]) for row in told] == [(False, "P1 knows no blades")] * 3
    assert "not covered" not in succeed("campaign switch coins --dry-run")
    assert data("status tiger")[0]["condition"]["people"][0] == "wounded"


def test_a_switch_that_cannot_be_is_refused(folder: Path) -> None:
    before = (folder / "journal.sqlite").read_bytes()
    assert "is played under coins already" in fail("campaign switch coins", 2)
    assert "Did you mean pennies?" in fail("campaign switch penies", 1)
    assert (folder / "journal.sqlite").read_bytes() == before


def test_a_ruleset_written_into_the_file_is_gone_over_to_by_the_switch(folder: Path) -> None:
    (folder / "campaign.toml").write_text(FILE.replace('ruleset = "coins"', 'ruleset = "pennies"'), "utf-8")
    assert "mantlet campaign switch pennies goes over to it" in fail(WOUND, 2)
    assert data("campaign switch pennies")["roster"][1]["left_behind"] == {"hits": 1}
    assert data("status tiger")[0]["condition"]["people"][0] == "wounded"
