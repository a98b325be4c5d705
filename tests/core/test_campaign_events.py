"""Rounds that pass for everybody, hand edits, and any order of events against a plain model."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cli_guest import install_guest
from cli_run import data, fail, succeed

FILE = """\
title = "Ardennes"
ruleset = "coins"

[roster.Greta]
target = "m4a1_75_dry"
weapon = "us_75_m3"
seats = { commander = "Ilse" }

[roster.tiger]
target = "tiger_1e"
"""
AT_TIGER = "fire Greta tiger --range 500 --aspect left"


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "campaign.toml").write_text(FILE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def condition(name: str) -> Any:
    return data(f"status {name}")[0]["condition"]


# -- rounds --------------------------------------------------------------------------------------------------------


def test_a_round_passes_for_everybody_and_is_one_event(folder: Path) -> None:
    succeed('set Greta --on-fire --reason "a shell"')
    succeed('set tiger --on-fire --reason "another"')
    # A fire goes out at 50 or less: Greta's at 50, the tiger's burns on at 51.
    told = succeed("next --seconds 3 --dice 50,51")
    assert (condition("Greta")["on_fire"], condition("tiger")["on_fire"]) == (False, True)
    assert "Greta: fire out" in told
    assert succeed("log").splitlines()[-1].startswith("3. 3 s pass: Greta: fire out, tiger: on fire")
    assert succeed("replay") == "2 parts of 3 events worked out again: all as they were.\n"
    succeed("undo")
    assert (condition("Greta")["on_fire"], condition("tiger")["on_fire"]) == (True, True)


def test_a_ruleset_without_rounds_wants_seconds(folder: Path) -> None:
    assert "coins has no rounds: say how long with --seconds." in fail("next", 2)
    assert "--seconds has to be more than 0" in fail("next --seconds 0", 2)
    assert succeed("next --seconds 5") == "5 s pass: nothing new.\n"


def test_dice_that_are_left_over_let_no_time_pass(folder: Path) -> None:
    assert "left over" in fail("next --seconds 3 --dice 4", 1)
    assert not (folder / "journal.sqlite").exists()


# -- by hand -------------------------------------------------------------------------------------------------------


def test_a_hand_edit_changes_what_it_names_and_stands_in_the_log(folder: Path) -> None:
    succeed(f"{AT_TIGER} --dice 34,2,9")  # wounds the commander, its first hit
    succeed('set tiger --speed 20kph --mobility reduced --person 2=dead --points hits=4 --reason "a mine"')
    status = data("status tiger")[0]
    assert status["situation"]["target_speed_kph"] == 20
    assert status["condition"]["mobility"] == "reduced"
    assert status["condition"]["people"][:3] == ["wounded", "dead", "fit"]
    assert status["condition"]["detail"] == {"hits": 4}
    assert succeed("log").splitlines()[-1].startswith("2. tiger by hand (target_speed_kph 20")
    assert succeed("log").splitlines()[-1].endswith("): a mine")
    succeed("undo")
    assert condition("tiger")["people"][:3] == ["wounded", "fit", "fit"]


def test_somebody_is_named_by_name_role_or_number(folder: Path) -> None:
    for n, who in enumerate(("Ilse", "gunner", "3")):
        succeed(f'set Greta --person {who}=wounded --reason "x{n}"')
    assert condition("Greta")["people"][:3] == ["wounded"] * 3


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("set Greta --speed 5", 2, "Missing option '--reason'"),
        ("set Greta --reason x", 2, "Say what to change"),
        ("set Greta --light --reason x", 2, "Greta is like that already"),
        ("set Greta --person Ilsa=dead --reason x", 1, "No one is called 'Ilsa' in Greta. Did you mean Ilse?"),
        ("set Greta --person Ilse=tired --reason x", 2, "a state is fit, wounded, out, dead, gone"),
        ("set Greta --cover 3 --reason x", 2, "cover has to be at least 0 and at most 1"),
        ("set Greta --points hits=4 --reason x", 2, "coins has no points of its own here."),
        ("set Gerta --light --reason x", 1, "Did you mean Greta or tiger?"),
    ],
)
def test_a_hand_edit_that_cannot_be_is_refused(folder: Path, line: str, code: int, text: str) -> None:
    assert text in fail(line, code)
    assert not (folder / "journal.sqlite").exists()


# -- against a plain model -----------------------------------------------------------------------------------------

ORDER = {
    "wound": f"{AT_TIGER} --dice 34,2,9",
    "miss": f"{AT_TIGER} --dice 99",
    "burn": "set tiger --on-fire --reason x",
    "drive": "set tiger --speed 20 --reason x",
    "douse": "next --seconds 1 --dice 50",
    "switch": "campaign switch pennies",
    "switch back": "campaign switch coins",
}


def expected(event: str, before: dict[str, Any]) -> dict[str, Any]:
    """What an event does to the tiger: worked out without mantlet."""
    after = {**before, "people": list(before["people"])}
    if event == "wound":
        if "fit" in after["people"]:
            after["people"][after["people"].index("fit")] = "wounded"
        after["hits"] = min(before["hits"] + 1, 5)
        after["knocked_out"] = before["knocked_out"] or before["hits"] + 1 >= 3
    elif event == "burn":
        after["on_fire"] = True
    elif event == "drive":
        after["speed"] = 20.0
    elif event == "douse":
        after["on_fire"] = False
    elif event == "switch":  # what only coins know is remembered with all else that was so
        after.update(rules="pennies", hits=0, kept={**before, "rules": "pennies", "hits": 0, "kept": before["hits"]})
    elif event == "switch back":
        same = before["kept"] == {**before, "kept": before["kept"]["kept"]}
        after.update(rules="coins", hits=before["kept"]["kept"] if same else 0, kept=None)
    return after


class AgainstAModel(RuleBasedStateMachine):
    """Fire, set, next, switch, undo and redo in any order: the tiger is as a list of plain states says."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        (self.folder / "campaign.toml").write_text(FILE, "utf-8")
        start = {"people": ["fit"] * 5, "hits": 0, "on_fire": False, "knocked_out": False, "speed": 0.0}
        start |= {"rules": "coins", "kept": None}
        self.past: list[dict[str, Any]] = [start]
        self.future: list[dict[str, Any]] = []
        self.rows = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def order(self, line: str) -> None:
        succeed(f"{line} --campaign {self.folder}")
        self.rows += 1

    @rule(event=st.sampled_from(sorted(ORDER)))
    def event(self, event: str) -> None:
        now = self.past[-1]
        if (now["rules"] == "pennies") == (event in ("switch", "wound", "miss")):
            event = "switch back" if now["rules"] == "pennies" else event
        if now["rules"] == "coins" and event == "switch back":
            fail(f"{ORDER[event]} --campaign {self.folder}", 2)  # is played under it already
            return
        after = expected(event, now)
        if event in ("burn", "drive") and after == now:
            fail(f"{ORDER[event]} --campaign {self.folder}", 2)  # is like that already
            return
        if event == "douse" and not now["on_fire"]:
            self.order("next --seconds 1")
        else:
            self.order(ORDER[event])
        self.past.append(after)
        self.future.clear()

    @precondition(lambda self: len(self.past) > 1)
    @rule()
    def undo(self) -> None:
        self.order("undo")
        self.future.append(self.past.pop())

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        self.order("redo")
        self.past.append(self.future.pop())

    @invariant()
    def the_same(self) -> None:
        status = data(f"status tiger --campaign {self.folder}")[0]
        now = status["condition"]
        found = {key: now[key] for key in ("people", "on_fire", "knocked_out")}
        found["hits"] = (now["detail"] or {"hits": 0})["hits"]
        found["speed"] = status["situation"]["target_speed_kph"]
        assert found == {key: self.past[-1][key] for key in found}
        assert f'ruleset = "{self.past[-1]["rules"]}"' in (self.folder / "campaign.toml").read_text("utf-8")
        log = data(f"log --campaign {self.folder}")
        assert len(log) == self.rows
        assert sum(not row["undone"] and row["kind"] not in ("undo", "redo") for row in log) == len(self.past) - 1


def test_any_order_of_events_is_as_a_plain_model_says() -> None:
    run_state_machine_as_test(
        AgainstAModel,
        settings=settings(
            max_examples=8,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
        ),
    )
