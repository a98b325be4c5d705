"""A campaign's folder at the table: its file, an attack by names, undo, redo, the log, and all worked out again."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli_guest import Coins, install_guest
from cli_run import data, fail, mantlet, succeed
from mantlet import Report

FILE = """\
# Kept by hand.
title = "Ardennes"
ruleset = "coins"  # for now
options = { coins = { toughness = 7 } }

[roster.Greta]
target = "m4a1_75_dry"
side = "ours"
weapon = "us_75_m3"
skill_percent = 60
seats = { commander = "Ilse", driver = "Otto" }

[roster.tiger]
target = "tiger_1e"
side = "theirs"
"""
WOUND = "--dice 34,2,9"
"""Hits the hull and wounds the next man: 34 is below any skill here, 2 is the hull, 9 damage beats a toughness of 7."""
KILL = "--dice 34,2,11"
MISS = "--dice 99"


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign, in which everything below happens."""
    game = tmp_path / "game"
    game.mkdir()
    (game / "campaign.toml").write_text(FILE, "utf-8")
    monkeypatch.chdir(game)
    return game


def people(name: str) -> Any:
    return data(f"status {name}")[0]["condition"]["people"]


FIT = ["fit"] * 5
AT_GRETA = "fire tiger Greta --range 500 --aspect front"
AT_TIGER = "fire Greta tiger --range 500 --aspect left"


# -- the folder ----------------------------------------------------------------------------------------------------


def test_a_new_campaign_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "a" / "winter"
    told = succeed(f"campaign new {game}")
    monkeypatch.chdir(game)
    assert "winter, under coins, 3 in the roster. Nothing is wrong." in succeed("campaign check")
    command = told.splitlines()[-1].strip().removeprefix("mantlet ")
    assert command.startswith("fire ")
    succeed(f"{command} {MISS}")
    assert sorted(file.name for file in game.iterdir()) == [".gitignore", "campaign.toml", "journal.sqlite"]
    assert "/journal.sqlite\n" in (game / ".gitignore").read_text("utf-8")


def test_a_campaign_is_not_made_twice(tmp_path: Path) -> None:
    succeed(f"campaign new {tmp_path / 'x'} --ruleset pennies --title 'A \"fine\" one'")
    file = tmp_path / "x" / "campaign.toml"
    assert 'ruleset = "pennies"' in file.read_text("utf-8")
    before = file.read_bytes()
    assert "is a campaign already. It is left as it is." in fail(f"campaign new {tmp_path / 'x'}", 1)
    assert file.read_bytes() == before
    assert "Did you mean pennies?" in fail(f"campaign new {tmp_path / 'y'} --ruleset penies", 1)
    assert not (tmp_path / "y").exists()


def test_it_is_found_from_below_and_by_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    below = folder / "maps" / "old"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    succeed(f"{AT_GRETA} {WOUND}")
    monkeypatch.chdir(tmp_path)
    assert "wounded: Ilse" in succeed("status --campaign game")
    assert "there is no campaign.toml here or above. mantlet campaign new FOLDER" in fail("status", 1)
    assert "maps is no campaign: it has no campaign.toml." in fail("status --campaign game/maps", 1)


def test_all_that_is_wrong_with_a_file_is_said_at_once_with_lines(folder: Path) -> None:
    (folder / "campaign.toml").write_text(
        FILE.replace("title =", "titel =")  # line 2
        .replace("toughness = 7", 'edge = "rim"')  # line 4
        .replace('"us_75_m3"', '"us_75_m33"')  # line 9
        .replace("skill_percent = 60", 'skill = "veterann"')  # line 10
        .replace('"tiger_1e"', '"tigerr_1e"')  # line 14
        .replace('side = "theirs"', "side = 3\nskills = { coin = 3 }\nseats = { driver = 4 }")  # lines 15 to 17
        + '\n[roster."two words"]\ntarget = "jeep"\nseats = { pilot = "X" }\n',  # lines 19 and 21
        "utf-8",
    )
    told = fail("status", 1).removeprefix("Error: ").splitlines()
    lines = [line.partition(": ")[0] for line in told]
    assert all(where.startswith("campaign.toml, line ") for where in lines)
    said = {(int(where.rpartition(" ")[2]), text) for where, _, text in (line.partition(": ") for line in told)}
    assert (1, "title is missing.") in said
    assert (2, "titel is not a known key; did you mean title?") in said
    assert (10, "roster.Greta: skill cannot be 'veterann'; did you mean 'veteran'?") in said
    assert (15, "roster.tiger: side has to be text in quotes, not 3.") in said
    assert any(number == 19 and "'two words' cannot be a name in the roster" in text for number, text in said)
    assert any(number == 21 and "No seat is called 'pilot' in jeep" in text for number, text in said)


@pytest.mark.parametrize(
    ("old", "new", "line", "text"),
    [
        ('"coins"  #', '"coinz"  #', 3, "No ruleset is called 'coinz'. Did you mean coins?"),
        ("toughness = 7", 'edge = "rim"', 4, "edge has to be 'heads' or 'tails', not 'rim'."),
        ("toughness = 7", "toughnes = 7", 4, "No option is called 'toughnes' in coins. Did you mean toughness?"),
        ('"us_75_m3"', '"us_75_m33"', 9, "roster.Greta.weapon: No weapon is called 'us_75_m33'."),
        ('"tiger_1e"', '"tigerr_1e"', 14, "roster.tiger.target: No target is called 'tigerr_1e'."),
        ("skill_percent = 60", "skill_percent = 6000", 10, "skill_percent has to be at least 0 and at most 1000"),
        ("driver =", "pilot =", 11, "roster.Greta.seats: No seat is called 'pilot' in m4a1_75_dry."),
        ('"Otto"', '"Ilse"', 11, "Ilse cannot sit in two seats."),
        ('"Otto"', '["Otto", "Emil"]', 11, "has 2 names, and m4a1_75_dry has 1 of that role."),
        ("skill_percent = 60", "skills = { coin = 3 }", 10, "No ruleset is called 'coin'. Did you mean coins?"),
        ("title =", 'catalogs = ["x.toml"]\ntitle =', 2, "There is no file x.toml."),
        ("[roster.tiger]", "[roster.greta]", 13, "differs from another name of the roster in its letter case alone."),
    ],
)
def test_a_fault_of_a_file_has_its_line(folder: Path, old: str, new: str, line: int, text: str) -> None:
    assert FILE.count(old) == 1
    (folder / "campaign.toml").write_text(FILE.replace(old, new), "utf-8")
    for command in ("status", "campaign check", f"{AT_GRETA} {MISS}"):
        told = fail(command, 1)
        assert f"campaign.toml, line {line}: " in told
        assert text in told
    assert not (folder / "journal.sqlite").exists()


def test_what_is_left_out_is_derived_and_told(folder: Path) -> None:
    assert "tiger has no weapon named and fires the first of its armament, de_88_kwk36." in succeed("campaign check")
    assert data(f"{AT_GRETA} {MISS}")["attack"]["weapon"] == "de_88_kwk36"


def test_own_things_come_from_the_catalogs_of_the_file(folder: Path) -> None:
    (folder / "house.toml").write_text(
        '[[target]]\nid = "box"\nname = "Box"\nkind = "vehicle"\nbody = "tank"\n', "utf-8"
    )
    text = FILE.replace("title =", 'catalogs = ["house.toml"]\ntitle =').replace('"tiger_1e"', '"box"')
    (folder / "campaign.toml").write_text(text, "utf-8")
    assert data("status tiger")[0]["target"] == "box"


# -- an attack -----------------------------------------------------------------------------------------------------


def test_an_attack_takes_weapon_skill_and_state_from_the_campaign(folder: Path) -> None:
    shot = data(f"{AT_TIGER} {WOUND}")
    assert (shot["attack"]["weapon"], shot["attack"]["skill_percent"]) == ("us_75_m3", 60)
    assert shot["attack"]["aspect_deg"] == 270
    assert shot["account"][0]["target"] == 60  # the roll to hit, by the skill of the roster
    again = data(f"{AT_TIGER} {KILL}")
    assert again["condition"]["people"] == ["wounded", "dead", "fit", "fit", "fit"]
    assert again["condition"]["detail"] == {"hits": 2}
    assert people("tiger") == again["condition"]["people"]
    assert people("Greta") == FIT
    assert [shot["event"], again["event"]] == [1, 2]


def test_what_is_typed_goes_before_what_the_roster_says(folder: Path) -> None:
    shot = data(f"{AT_TIGER} --weapon us_75_m3/HE --skill 35 {MISS}")
    assert (shot["attack"]["ammunition"], shot["attack"]["skill_percent"]) == ("M48_HE", 35)


def test_the_situation_is_kept_and_a_moving_shooter_fires_on_the_move(folder: Path) -> None:
    data(f"{AT_TIGER} --target-speed 20kph --dark {MISS}")
    assert data("status tiger")[0]["situation"]["target_speed_kph"] == 20
    assert data(f"{AT_GRETA} {MISS}")["attack"]["shooter_speed_kph"] == 20
    assert data(f"{AT_GRETA} --moving 0 {MISS}")["attack"]["shooter_speed_kph"] == 0
    assert data(f"{AT_TIGER} {MISS}")["attack"]["dark"] is True


def test_people_are_told_by_name(folder: Path) -> None:
    succeed(f"{AT_GRETA} {WOUND}")
    assert "wounded: Ilse" in succeed("status")


def test_the_dice_go_on_from_event_to_event(folder: Path) -> None:
    one = data(f"{AT_TIGER} --given-hit --seed 3")
    two = data(f"{AT_GRETA} --given-hit")
    assert one["seed"] == two["seed"] == 3
    assert one["dice"] != two["dice"]


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("fire tigr Greta --range 5 --aspect 0", 1, "No one in the roster is called 'tigr'. Did you mean tiger?"),
        ("fire Greta greta --range 5 --aspect 0", 2, "Greta cannot fire at Greta."),
        ("fire Greta tiger --aspect 0", 2, "mantlet fire needs --range"),
        ("fire Greta tiger --range 5", 2, "mantlet fire needs --aspect"),
        ("fire Greta", 2, "mantlet fire needs TARGET"),
        ("fire Greta tiger --range 5 --aspect 0 --dice 34", 1, "ran out"),
        ("fire Greta tiger --range 5 --aspect 0 --delivery rammed", 1, "C1 knows no ramming"),
        ("undo", 2, "There is nothing to undo."),
        ("redo", 2, "There is nothing to redo."),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_no_event(folder: Path, line: str, code: int, text: str) -> None:
    assert text in fail(line, code)
    assert not (folder / "journal.sqlite").exists()


def test_nobody_fires_from_where_nobody_is_left(folder: Path) -> None:
    for _ in range(5):
        succeed(f"{AT_GRETA} {KILL}")
    assert people("Greta") == ["dead"] * 5
    assert "Greta cannot fire: Greta has nobody left who can act." in fail(f"{AT_TIGER} {MISS}", 2)


def test_an_empty_seat_holds_nobody(folder: Path) -> None:
    (folder / "campaign.toml").write_text(FILE.replace('"Ilse"', '""'), "utf-8")
    assert people("Greta") == ["gone", *FIT[1:]]
    succeed(f"{AT_GRETA} {WOUND}")
    assert people("Greta") == ["gone", "wounded", "fit", "fit", "fit"]


def test_what_has_happened_to_one_does_not_go_on_with_another(folder: Path) -> None:
    succeed(f"{AT_TIGER} {WOUND}")
    (folder / "campaign.toml").write_text(FILE.replace("tiger_1e", "tiger_2"), "utf-8")
    assert "in the journal tiger is tiger_1e" in fail("status", 1)


def test_another_ruleset_in_the_file_is_no_switch(folder: Path) -> None:
    succeed(f"{AT_TIGER} {WOUND}")
    (folder / "campaign.toml").write_text(FILE.replace('ruleset = "coins"', 'ruleset = "pennies"'), "utf-8")
    told = fail(f"{AT_TIGER} {MISS}", 2)
    assert "campaign.toml says pennies, and the journal is played under coins." in told
    assert "mantlet campaign switch pennies" in told
    assert "ruleset is pennies, and the journal's is coins" in fail("campaign check", 1)


# -- undo, redo, log, replay ---------------------------------------------------------------------------------------


def test_undo_takes_states_and_dice_back_and_redo_brings_them_to_the_byte(folder: Path) -> None:
    succeed(f"{AT_TIGER} --given-hit --seed 3")
    before = data("status")
    second = data(f"{AT_TIGER} --given-hit")
    after = data("status")
    assert succeed("undo").startswith("Undone: 2. Greta at tiger: ")
    assert data("status") == before
    assert succeed("redo").startswith("Done again: 2. Greta at tiger: ")
    assert data("status") == after
    third = data(f"{AT_TIGER} --given-hit")
    succeed("undo")
    succeed("undo")
    assert data(f"{AT_TIGER} --given-hit")["dice"] == second["dice"]  # the dice fall as they fell
    assert data(f"{AT_TIGER} --given-hit")["dice"] == third["dice"]


def test_the_log_tells_what_happened_in_every_form(folder: Path) -> None:
    assert succeed("log") == "Nothing has happened yet.\n"
    succeed(f"{AT_TIGER} {WOUND}")
    succeed(f"{AT_GRETA} {MISS}")
    succeed("undo")
    assert succeed("log").splitlines() == [
        "1. Greta at tiger: Damaged, 1 wounded. Hit (hull), penetrated.",
        "2. tiger at Greta: Miss. (undone)",
        "3. undo of event 2",
    ]
    assert (
        succeed("log --format md").splitlines()[0] == "* 1: Greta at tiger: Damaged, 1 wounded. Hit (hull), penetrated."
    )
    rows = list(csv.DictReader(io.StringIO(succeed("log --format csv"))))
    assert [(row["kind"], row["names"], row["undone"]) for row in rows] == [
        ("attack", "Greta tiger", "0"),
        ("attack", "Greta tiger", "1"),
        ("undo", "Greta tiger", "0"),
    ]
    assert [line[0] for line in succeed("log --kind attack --last 1").splitlines()] == ["2"]
    first = data("log")[0]
    assert first["steps"][0]["facts"]["target"]["id"] == "tiger_1e"
    assert first["after"]["tiger"]["condition"]["people"][0] == "wounded"
    assert first["steps"][0]["facts"]["account"][0]["total"] == 34


def test_everything_is_worked_out_again_and_nothing_differs(folder: Path) -> None:
    for shot in (WOUND, KILL, MISS, "--seed 5"):
        succeed(f"{AT_TIGER} {shot}")
    succeed(f"{AT_GRETA} --given-hit")
    before = (folder / "journal.sqlite").read_bytes()
    assert succeed("replay") == "5 parts of 5 events worked out again: all as they were.\n"
    assert (folder / "journal.sqlite").read_bytes() == before


def test_a_house_rule_that_changes_an_event_is_told(folder: Path) -> None:
    succeed(f"{AT_TIGER} {WOUND}")  # damage 9 against a toughness of 7
    succeed(f"{AT_TIGER} {KILL}")  # 11
    (folder / "campaign.toml").write_text(FILE.replace("toughness = 7", "toughness = 9"), "utf-8")
    told = data("replay")["differences"]
    assert [found["event"] for found in told if "comes out otherwise" in found["text"]] == [1, 2]
    assert "comes out otherwise (coins 1.2): Hit (hull), without effect." in told[0]["text"]  # 9 does not beat 9
    assert "Different: damage, armor." in told[1]["text"]  # 11 - 9 = 2 instead of 11 - 7 = 4


def test_a_catalog_that_has_changed_is_told_and_the_old_numbers_used(folder: Path) -> None:
    box = '[[target]]\nid = "box"\nname = "Box"\nkind = "vehicle"\nbody = "tank"\nmass_kg = 5\n'
    (folder / "house.toml").write_text(box, "utf-8")
    text = FILE.replace("title =", 'catalogs = ["house.toml"]\ntitle =').replace('"tiger_1e"', '"box"')
    (folder / "campaign.toml").write_text(text, "utf-8")
    succeed(f"{AT_TIGER} {WOUND}")
    (folder / "house.toml").write_text(box.replace("mass_kg = 5", "mass_kg = 6"), "utf-8")
    assert [found["text"] for found in data("replay")["differences"]] == [
        "Greta at tiger: the target box has other numbers in the catalog today."
    ]


def test_a_copied_folder_is_whole(folder: Path, tmp_path: Path) -> None:
    succeed(f"{AT_TIGER} {WOUND}")
    shutil.copytree(folder, tmp_path / "copy")
    assert data(f"status --campaign {tmp_path / 'copy'}") == data("status")
    assert data(f"log --campaign {tmp_path / 'copy'}") == data("log")


def test_a_damaged_journal_is_refused_by_every_command_and_left_alone(folder: Path) -> None:
    succeed(f"{AT_TIGER} {WOUND}")
    file = folder / "journal.sqlite"
    content = file.read_bytes()[:-3000]
    file.write_bytes(content)
    for command in ("status", "log", "undo", "replay", "campaign check", f"{AT_TIGER} {MISS}"):
        assert "journal.sqlite is damaged" in fail(command, 1)
    assert file.read_bytes() == content


def test_what_could_not_be_saved_is_told_all_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mantlet.campaign.journal import Journal
    from mantlet.errors import CatalogError

    def full(*args: Any) -> None:
        raise CatalogError("The disk is full.")

    monkeypatch.setattr(Journal, "append", full)
    result = mantlet(f"{AT_TIGER} {WOUND}")
    assert result.exit_code == 1
    assert "1 wounded." in result.stdout
    assert result.stderr.endswith("Error: The disk is full.\n")
    assert json.loads(succeed("log --format json")) == []


def test_the_ruleset_s_own_words_are_told_and_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report("Bruised.", ("two bruises",), {"bruises": 2})
    monkeypatch.setattr(Coins, "report", lambda self, target, before, result: report)
    told = data(f"{AT_GRETA} {WOUND}")
    assert told["report"] == {"headline": "Bruised.", "now": ["two bruises"], "bruises": 2}
    assert "Bruised." in succeed("log")
    assert "two bruises" in succeed("status Greta")
    assert data("status Greta")[0]["report"]["bruises"] == 2
