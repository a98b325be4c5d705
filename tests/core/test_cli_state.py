"""The saved state: carried from attack to attack and through time, never half written, left alone when corrupt."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cli_guest import Coins, install_guest
from cli_run import COIN_SHOT, data, fail, mantlet, succeed

ATTACK = f"attack --ruleset coins {COIN_SHOT}"


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A Sherman whose commander is wounded and which burns."""
    file = tmp_path / "tank.json"
    succeed(f"{ATTACK} --dice 34,2,9 --state {file}")
    state = json.loads(file.read_text("utf-8"))
    state["condition"]["on_fire"] = True
    file.write_text(json.dumps(state), "utf-8")
    return file


def test_a_state_is_written_and_carried_on(tmp_path: Path) -> None:
    file = tmp_path / "tank.json"
    first = data(f"{ATTACK} --dice 34,2,9 --state {file}")
    state = json.loads(file.read_text("utf-8"))
    assert state == {
        "mantlet_state": 2,
        "target": "m4a1_75_dry",
        "catalog": [],
        "ruleset": {"name": "coins", "version": "1.2", "options": {"edge": "heads", "toughness": 7, "fault": ""}},
        "dice": None,
        "situation": {
            "target_speed_kph": 0.0,
            "buttoned": True,
            "dark": False,
            "hull_down": False,
            "cover": 0.0,
        },
        "condition": first["condition"],
    }
    written = file.read_bytes()
    second = data(f"attack --weapon us_75_m3 --dice 34,2,11 --state {file}")
    assert second["ruleset"] == "coins"
    assert second["attack"]["target"] == "m4a1_75_dry"
    assert second["condition"]["people"] == ["wounded", "dead", "fit", "fit", "fit"]
    assert second["condition"]["detail"] == {"hits": 2}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["tank.json", "tank.json.bak"]
    assert (tmp_path / "tank.json.bak").read_bytes() == written


def test_the_dice_go_on_where_they_stopped(tmp_path: Path) -> None:
    file = tmp_path / "tank.json"
    one = data(f"{ATTACK} --given-hit --seed 3 --state {file}")
    two = data(f"{ATTACK} --given-hit --state {file}")
    assert two["seed"] == 3
    assert json.loads(file.read_text("utf-8"))["dice"] == {"seed": 3, "thrown": 6}
    assert one["dice"] != two["dice"]
    told = succeed(f"{ATTACK} --given-hit --state {file}")
    assert "Seed 3, after 6 dice of earlier attacks" in told


def test_another_version_is_told(saved: Path) -> None:
    saved.write_text(saved.read_text("utf-8").replace('"1.2"', '"0.9"'), "utf-8")
    assert "The state was written by coins 0.9; this is 1.2." in succeed(f"{ATTACK} --dice 99 --state {saved}")


def test_keys_of_a_newer_mantlet_are_kept(saved: Path) -> None:
    state = {**json.loads(saved.read_text("utf-8")), "campaign": {"day": 3}}
    saved.write_text(json.dumps(state), "utf-8")
    succeed(f"{ATTACK} --dice 99 --state {saved}")
    assert json.loads(saved.read_text("utf-8"))["campaign"] == {"day": 3}


def changed(**changes: Any) -> Any:
    def change(state: dict[str, Any]) -> str:
        for path, value in changes.items():
            inside, _, key = path.rpartition("__")
            target = state[inside] if inside else state
            if value is None:
                del target[key]
            else:
                target[key] = value
        return json.dumps(state)

    return change


CORRUPT = {
    "empty": (lambda s: "", "is no state file: Expecting value"),
    "cut": (lambda s: json.dumps(s)[:60], "is no state file: "),
    "deep": (lambda s: "[" * 100_000, "is no state file: "),
    "binary": (lambda s: b"\xff\xfe\x00", "is not UTF-8 text"),
    "list": (lambda s: "[]", "it has no key mantlet_state"),
    "other": (lambda s: "{}", "it has no key mantlet_state"),
    "digits": (lambda s: '{"mantlet_state": ' + "9" * 6000 + "}", "a number has too many digits"),
    "truth for a number": (changed(mantlet_state=True), "its format is true, and this mantlet reads 1 to 2"),
    "newer": (changed(mantlet_state=3), "its format is 3, and this mantlet reads 1 to 2"),
    "no target": (changed(target=None), "target is missing"),
    "bad ruleset": (changed(ruleset="coins"), "ruleset has to be an object"),
    "no version": (changed(ruleset__version=None), "ruleset.version is missing"),
    "thrown": (changed(dice={"seed": 1, "thrown": 10**12}), "dice has to hold a seed and 0 to 10000000 dice thrown"),
    "seed": (changed(dice={"seed": "x", "thrown": 1}), "dice has to hold a seed"),
    "truth": (changed(condition__on_fire="no"), "condition.on_fire has to be true or false"),
    "level": (changed(condition__mobility="half"), "condition.mobility has to be full, reduced, none, not 'half'"),
    "person": (changed(condition__people=["fit", 3]), "condition.people[1] has to be fit, wounded"),
    "crew": (changed(condition__people=["fit"]), "does not fit m4a1_75_dry: it has 1 people, and the target seats 5"),
    "detail": (changed(condition__detail={"hats": 1}), "its detail is not what coins writes"),
}


@pytest.mark.parametrize("kind", CORRUPT)
@pytest.mark.parametrize("command", [f"{ATTACK} --seed 1", "time --seconds 5", f"odds --ruleset coins {COIN_SHOT}"])
def test_a_corrupt_state_is_refused_and_left_as_it_is(kind: str, command: str, saved: Path) -> None:
    spoil, said = CORRUPT[kind]
    text = spoil(json.loads(saved.read_text("utf-8")))
    before = text if isinstance(text, bytes) else text.encode()
    saved.write_bytes(before)
    told = fail(f"{command} --state {saved}", 1)
    assert said in told
    assert "It is left as it is." in told
    assert saved.read_bytes() == before


def test_an_unknown_target_or_ruleset_of_a_state_is_named(saved: Path) -> None:
    text = saved.read_text("utf-8")
    saved.write_text(text.replace('"coins"', '"coinz"'), "utf-8")
    assert "No ruleset is called 'coinz'" in fail(f"attack --weapon us_75_m3 --state {saved}", 1)
    saved.write_text(text.replace("m4a1_75_dry", "m4a9"), "utf-8")
    told = fail(f"attack --weapon us_75_m3 --state {saved}", 1)
    assert "No target is called 'm4a9'" in told
    assert "name its file with --catalog" in told


def test_a_state_is_of_one_target(saved: Path) -> None:
    told = fail("attack --ruleset coins --weapon us_75_m3 --target pz4_h --seed 1 --state " + str(saved), 2)
    assert "is the state of m4a1_75_dry, and the attack is at pz4_h" in told


def test_a_directory_is_no_state(tmp_path: Path) -> None:
    assert "is a directory" in fail(f"{ATTACK} --seed 1 --state {tmp_path}", 1)


def test_a_device_is_no_state(tmp_path: Path) -> None:
    assert "is no ordinary file; a state file was expected" in fail(f"{ATTACK} --seed 1 --state {os.devnull}", 1)


def test_a_place_that_does_not_exist_is_found_out_before_any_die_is_rolled(tmp_path: Path) -> None:
    told = fail(f"{ATTACK} --dice typed --state {tmp_path / 'no' / 'tank.json'}", 1, typed="1\n")
    assert "there is no directory" in told
    assert "to hit" not in told


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_that_may_not_be_written_is_found_out_too(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "The state cannot be saved in" in fail(f"{ATTACK} --seed 1 --state {tmp_path / 'tank.json'}", 1)


def test_what_cannot_be_saved_in_the_end_is_told_after_the_story(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    result = mantlet(f"{ATTACK} --dice 34,2,9 --state {saved}")
    assert result.exit_code == 1
    assert "1 wounded. Hit (hull), penetrated." in result.stdout
    assert "Error: The state cannot be saved in" in result.stderr
    assert saved.read_bytes() == before
    assert [p.name for p in saved.parent.iterdir()] == ["tank.json"]


def test_a_detail_that_cannot_be_written_leaves_the_old_state(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()
    monkeypatch.setattr(Coins, "dump_detail", lambda rules, detail: 1 / 0)
    told = mantlet(f"{ATTACK} --dice 34,2,9 --state {saved}")
    assert told.exit_code == 1
    assert "Ruleset coins (plugin coin, coin-rules 1.0) failed: ZeroDivisionError" in told.stderr
    assert saved.read_bytes() == before


def test_a_link_stays_a_link_and_permissions_stay(saved: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(saved)
    saved.chmod(0o640)
    succeed(f"{ATTACK} --dice 34,2,11 --state {link}")
    assert link.is_symlink()
    assert json.loads(saved.read_text("utf-8"))["condition"]["people"][1] == "dead"
    assert saved.stat().st_mode & 0o777 == 0o640


def test_odds_begin_from_a_state_and_leave_it(saved: Path) -> None:
    before = saved.read_bytes()
    fresh = data(f"odds --ruleset coins {COIN_SHOT} --shots 4")
    told = data(f"odds --ruleset coins {COIN_SHOT} --shots 4 --state {saved}")
    assert told["shots"]["within"] > fresh["shots"]["within"]
    assert saved.read_bytes() == before
    assert "There is no state file" in fail(f"odds --ruleset coins {COIN_SHOT} --state {saved}x", 1)


def test_time_passes_for_a_saved_target(saved: Path) -> None:
    told = succeed(f"time --state {saved} --seconds 30 --dice 70")
    assert told.startswith("M4A1 (75) Sherman, dry after 30 s: on fire, 1 killed.")
    assert "the fire goes out  70.0 on d%, 50.0 or less  no" in told
    assert "Now: on fire; dead: commander." in told
    told = data(f"time --state {saved} --seconds 30 --dice 20")
    assert told["condition"]["on_fire"] is False
    assert told["effects"] == []
    assert "**" not in succeed(f"time --state {saved} --seconds 30 --format md")


def test_time_needs_a_state_and_a_span(saved: Path) -> None:
    assert "There is no state file" in fail(f"time --state {saved}x --seconds 3", 1)
    for span in ("-1", "0", "nan", "inf", "1e9"):
        assert "--seconds has to be more than 0" in fail(f"time --state {saved} --seconds {span}", 2)


def test_a_plugins_command_works_on_the_saved_target(saved: Path) -> None:
    told = data(f"douse --dice 4 --state {saved}")
    assert (told["blanket"], told["condition"]["on_fire"], told["seed"]) == (True, False, None)
    assert json.loads(saved.read_text("utf-8"))["condition"] == told["condition"]
    assert "Seed 5: repeat with --seed 5." in succeed(f"douse --seed 5 --state {saved}")
    assert json.loads(saved.read_text("utf-8"))["dice"] == {"seed": 5, "thrown": 1}
    assert "a blanket over the fire (1d6): " in mantlet(f"douse --dice typed --state {saved}", "3\n").stderr


def test_a_plugins_command_that_cannot_work_leaves_the_state(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_text("utf-8")
    assert "There is no state file" in fail(f"douse --state {saved}x", 1)
    assert "1 scripted die is left over" in fail(f"douse --dice 4,2 --state {saved}", 1)
    monkeypatch.setenv("COIN_DOUSE", "steam")
    assert "it gave a str and no mantlet.Passage (in smother, " in fail(f"douse --dice 4 --state {saved}", 1)
    assert saved.read_text("utf-8") == before
