"""`mantlet time --crew-state`: people who have left a target, as a target of their own in files of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_guest import Coins, install_guest
from cli_run import COIN_SHOT, fail, succeed
from mantlet import Condition, NotCoveredError, Seat, Target
from mantlet.catalog import Catalog
from mantlet.catalog.writing import target_toml
from mantlet.cli.words import plain

CREW = Target(
    id="crew_1",
    name='A "crew" of \\ Škoda',
    kind="team",
    body="infantry",
    seats=(Seat(role="crewman", compartment="none", count=2, exposed=True),),
)


@pytest.mark.parametrize("target", [*Catalog().targets(), CREW], ids=lambda target: target.id)
def test_a_target_written_is_read_as_the_same(tmp_path: Path, target: Target) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(target_toml(target), "utf-8")
    assert plain(Catalog(files=[file]).target(target.id)) == plain(target)


@pytest.fixture
def saved(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    install_guest(tmp_path_factory.mktemp("site"), monkeypatch)
    file = tmp_path / "tank.json"
    succeed(f"attack --ruleset coins {COIN_SHOT} --dice 34,2,9 --state {file}")
    return file


def test_by_default_no_rule_makes_them_a_target(saved: Path) -> None:
    with pytest.raises(NotCoveredError, match="coins has no rule"):
        Coins().bailed_out(CREW, Condition(people=(0, 0)))
    told = fail(f"time --state {saved} --seconds 3 --crew-state {saved.parent / 'crew.json'}", 1)
    assert "coins has no rule for people who have left m4a1_75_dry" in told
    assert not (saved.parent / "crew.json").exists()


def test_a_crew_goes_on_by_itself(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coins, "bailed_out", lambda self, target, condition: (CREW, Condition(people=(0, 1))))
    crew = saved.parent / "crew.json"
    told = succeed(f"time --state {saved} --seconds 3 --crew-state {crew}")
    assert f"its state is {crew}" in " ".join(told.split())
    state = json.loads(crew.read_text("utf-8"))
    assert (state["target"], state["catalog"], state["condition"]["people"]) == (
        "crew_1",
        ["crew.toml"],
        ["fit", "wounded"],
    )
    assert "Škoda" in succeed(f"time --state {crew} --seconds 3")


@pytest.mark.parametrize("there", ["crew.json", "crew.toml"])
def test_no_file_is_written_over(saved: Path, monkeypatch: pytest.MonkeyPatch, there: str) -> None:
    monkeypatch.setattr(Coins, "bailed_out", lambda self, target, condition: (CREW, Condition(people=(0, 1))))
    before = saved.read_bytes()
    (saved.parent / there).write_text("mine", "utf-8")
    told = fail(f"time --state {saved} --seconds 3 --crew-state {saved.parent / 'crew.json'}", 2)
    assert f"{there} is there already" in told
    assert (saved.read_bytes(), (saved.parent / there).read_text("utf-8")) == (before, "mine")


def test_while_somebody_is_inside_nothing_is_written(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coins, "bailed_out", lambda self, target, condition: None)
    told = succeed(f"time --state {saved} --seconds 3 --crew-state {saved.parent / 'crew.json'}")
    assert "was not written" in " ".join(told.split())
    assert not (saved.parent / "crew.toml").exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [(3, "it gave 3, not None"), ((CREW, Condition()), "0 states for the 2 seats"), (("crew", Condition()), "it gave")],
)
def test_what_is_no_target_is_told(saved: Path, monkeypatch: pytest.MonkeyPatch, wrong: object, said: str) -> None:
    monkeypatch.setattr(Coins, "bailed_out", lambda self, target, condition: wrong)
    assert said in fail(f"time --state {saved} --seconds 3 --crew-state {saved.parent / 'crew.json'}", 1)
