"""The journal: what was acknowledged is there, whole, in order; what is damaged is found and left alone."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mantlet.campaign import journal as journals
from mantlet.campaign.journal import Journal, fact_of, read_journal
from mantlet.errors import CatalogError, UsageError


def body(text: str, **after: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """An event that leaves these states, and its facts."""
    facts = {name: fact_of(state) for name, state in after.items()}
    told = {"text": text, "dice": {"seed": 1, "thrown": len(text)}, "after_facts": {n: f[0] for n, f in facts.items()}}
    return told, dict(facts.values())


def played(path: Path, count: int = 5) -> Journal:
    """A journal of so many events, each of which hurts one of three once more."""
    journal = read_journal(path)
    for n in range(count):
        journal.append("attack", *body(f"shot {n}", **{"abc"[n % 3]: {"hits": n // 3 + 1}}))
    return journal


def seen(path: Path) -> list[Any]:
    """All that a journal says, read from its file."""
    journal = read_journal(path)
    states = {name: journal.fact(key) for name, key in journal.latest().items()}
    return [journal.events, journal.active, journal.undone, states, journal.check()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_a_journal_that_is_not_there_is_empty_and_made_by_the_first_event(path: Path) -> None:
    journal = read_journal(path)
    assert journal.events == []
    assert not path.exists()
    journal.append("attack", *body("one", a={"hits": 1}))
    assert read_journal(path).events == journal.events
    assert [file.name for file in path.parent.iterdir()] == ["journal.sqlite"]


def test_events_are_numbered_and_chained(path: Path) -> None:
    journal = played(path, 5)
    assert [event.number for event in journal.events] == [1, 2, 3, 4, 5]
    assert len({event.checksum for event in journal.events}) == 5
    # a: shots 0 and 3; b: 1 and 4; c: 2
    assert {n: journal.fact(key)["hits"] for n, key in journal.latest().items()} == {"a": 2, "b": 2, "c": 1}


def test_what_is_referred_to_twice_stands_once(path: Path) -> None:
    journal = read_journal(path)
    for _ in range(3):
        journal.append("attack", *body("again", a={"hits": 1}))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM fact").fetchone() == (1,)
    connection.close()


def test_undo_and_redo_are_events_and_change_none(path: Path) -> None:
    journal = played(path, 3)
    texts = [event.text for event in journal.events]
    assert journal.undo().number == 3
    assert journal.undo().number == 2
    assert journal.redo().number == 2
    assert [event.text for event in journal.events[:3]] == texts
    assert [(e.kind, e.of) for e in journal.events[3:]] == [("undo", 3), ("undo", 2), ("redo", 2)]
    assert [e.number for e in read_journal(path).active] == [1, 2]
    assert [e.number for e in read_journal(path).undone] == [3]


def test_something_else_after_undo_leaves_nothing_to_redo(path: Path) -> None:
    journal = played(path, 2)
    journal.undo()
    journal.append("attack", *body("other", b={"hits": 9}))
    with pytest.raises(UsageError, match="nothing to redo"):
        journal.redo()
    assert [event.number for event in journal.active] == [1, 4]


def test_nothing_to_undo_is_said_and_writes_nothing(path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to undo"):
        read_journal(path).undo()
    assert not path.exists()


def test_rows_cannot_be_changed_or_removed(path: Path) -> None:
    played(path, 2)
    connection = sqlite3.connect(path)
    for order in (
        "UPDATE event SET body = '{}'",
        "DELETE FROM event WHERE number = 2",
        "UPDATE fact SET data = '{}'",
        "DELETE FROM fact",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(order)
    connection.close()


def test_who_read_before_another_wrote_overwrites_nothing(path: Path) -> None:
    played(path, 2)
    one, two = read_journal(path), read_journal(path)
    one.append("attack", *body("one", a={"hits": 7}))
    with pytest.raises(CatalogError, match="has changed since it was read"):
        two.append("attack", *body("two", a={"hits": 8}))
    assert [event.body["text"] for event in read_journal(path).events] == ["shot 0", "shot 1", "one"]


def test_a_journal_that_went_away_is_not_begun_anew(path: Path) -> None:
    journal = played(path, 2)
    path.unlink()
    with pytest.raises(CatalogError, match="is gone since it was read"):
        journal.append("attack", *body("one", a={"hits": 7}))
    assert not path.exists()


# -- a plain model -------------------------------------------------------------------------------------------------


class AgainstAModel(RuleBasedStateMachine):
    """Events, undo and redo, in any order, against two lists of states."""

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "journal.sqlite"
        self.past: list[dict[str, int]] = [{}]
        self.future: list[dict[str, int]] = []

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @rule(name=st.sampled_from("abc"), hits=st.integers(0, 3))
    def event(self, name: str, hits: int) -> None:
        read_journal(self.path).append("attack", *body("x", **{name: {"hits": hits}}))
        self.past.append({**self.past[-1], name: hits})
        self.future.clear()

    @precondition(lambda self: len(self.past) > 1)
    @rule()
    def undo(self) -> None:
        read_journal(self.path).undo()
        self.future.append(self.past.pop())

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        read_journal(self.path).redo()
        self.past.append(self.future.pop())

    @invariant()
    def the_same(self) -> None:
        journal = read_journal(self.path)
        assert {name: journal.fact(key)["hits"] for name, key in journal.latest().items()} == self.past[-1]
        assert (len(journal.active), len(journal.undone)) == (len(self.past) - 1, len(self.future))
        assert not self.path.exists() or journal.check() == []


AgainstAModel.TestCase.settings = settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestAgainstAModel = AgainstAModel.TestCase


# -- damage --------------------------------------------------------------------------------------------------------


def damaged(path: Path, content: bytes, before: list[Any]) -> None:
    """A damaged journal is refused, says what is wrong, or says just what it did; and nothing touches the file."""
    path.write_bytes(content)
    try:
        now = seen(path)
    except CatalogError:
        pass
    else:
        assert now[-1] or now == before
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_flipped_bits_are_found_or_do_no_harm(path: Path) -> None:
    played(path, 30)
    content, before = path.read_bytes(), seen(path)
    assert before[-1] == []
    chance = random.Random(14)
    for at in [*range(100), *chance.sample(range(100, len(content)), 300)]:
        flipped = bytearray(content)
        flipped[at] ^= 1 << chance.randrange(8)
        damaged(path, bytes(flipped), before)


def test_a_truncated_journal_is_refused(path: Path) -> None:
    played(path, 30)
    content, before = path.read_bytes(), seen(path)
    for length in [0, 1, 15, 16, 72, 99, 100, 4095, *range(4096, len(content), 1531)]:
        damaged(path, content[:length], before)
        with pytest.raises(CatalogError):
            seen(path)


def test_a_changed_row_breaks_the_chain_though_sqlite_has_nothing_against_it(path: Path) -> None:
    played(path, 5)
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER event_stays")
    connection.execute("UPDATE event SET body = replace(body, 'shot 2', 'shot 9') WHERE number = 3")
    connection.commit()
    connection.close()
    with pytest.raises(CatalogError, match=r"is damaged: event 3 is not what was written\. It is left as it is\."):
        read_journal(path)


def test_a_changed_state_is_found_when_it_is_needed_and_by_check(path: Path) -> None:
    journal = played(path, 1)
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER fact_stays")
    connection.execute("UPDATE fact SET data = '{\"hits\":0}'")
    connection.commit()
    connection.close()
    assert read_journal(path).check() == [f"what stands under {journal.latest()['a'][:12]} is damaged."]
    with pytest.raises(CatalogError, match="is damaged"):
        read_journal(path).fact(journal.latest()["a"])


def test_a_newer_journal_and_what_is_none_are_refused(path: Path) -> None:
    played(path, 1)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {journals.FORMAT + 1}")
    connection.close()
    with pytest.raises(CatalogError, match=r"of a newer mantlet: its format is 2, and this one reads up to 1\."):
        read_journal(path)
    path.write_text(json.dumps({"mantlet_state": 2}), "utf-8")
    with pytest.raises(CatalogError, match="is no journal of mantlet"):
        read_journal(path)
    path.unlink()
    sqlite3.connect(path).executescript("CREATE TABLE other (x)").connection.close()
    with pytest.raises(CatalogError, match="is no journal of mantlet"):
        read_journal(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(CatalogError, match="is a directory"):
        read_journal(path)


# -- two processes, and kills --------------------------------------------------------------------------------------

WRITER = textwrap.dedent(
    """
    import random
    import sys
    from pathlib import Path
    from mantlet.campaign.journal import fact_of, hold_name, read_journal
    from mantlet.campaign.lock import hold

    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    for _ in range(count):
        with hold(hold_name(folder), lambda text: print(text, file=sys.stderr)):
            journal = read_journal(folder / "journal.sqlite")
            number = len(journal.events) + 1
            key, text = fact_of({"hits": number, "more": "x" * random.randrange(9000)})
            journal.append("attack", {"text": str(number), "after_facts": {"a": key}}, {key: text})
        print(number, flush=True)  # acknowledged
    """
)


def writer(folder: Path, count: int, told: Path) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with told.open("ab") as out:
        return subprocess.Popen([sys.executable, "-c", WRITER, str(folder), str(count)], stdout=out, env=env)


def numbers(told: Path) -> list[int]:
    return [int(line) for line in told.read_text("ascii").splitlines(keepends=True) if line.endswith("\n")]


def test_two_writers_lose_no_event(tmp_path: Path) -> None:
    told = [tmp_path / "one", tmp_path / "two"]
    folder = tmp_path / "game"
    folder.mkdir()
    processes = [writer(folder, 25, out) for out in told]
    seen_so_far = 0
    while any(process.poll() is None for process in processes):  # who only reads waits for nobody, and sees it whole
        events = read_journal(folder / "journal.sqlite").events
        assert len(events) >= seen_so_far
        seen_so_far = len(events)
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    assert sorted([*numbers(told[0]), *numbers(told[1])]) == list(range(1, 51))
    journal = read_journal(folder / "journal.sqlite")
    assert [event.body["text"] for event in journal.events] == [str(n) for n in range(1, 51)]
    assert journal.check() == []


def kill_writers(tmp_path: Path, kills: int) -> None:
    """Two writers killed in the midst of it: each time everything acknowledged is there, and no half event.

    The one that held the journal may have written one event more than it could tell.
    """
    folder = tmp_path / "game"
    folder.mkdir()
    file, chance, before = folder / "journal.sqlite", random.Random(kills), 0
    for turn in range(kills):
        told = [tmp_path / f"{turn}-{n}" for n in (1, 2)]
        processes = [writer(folder, 10_000, out) for out in told]
        while not any(map(numbers, told)):
            assert all(process.poll() is None for process in processes)
            time.sleep(0.001)
        time.sleep(chance.random() * 0.03)
        for process in processes:
            process.kill()
        for process in processes:
            process.wait(timeout=60)
        acknowledged = sorted([*numbers(told[0]), *numbers(told[1])])
        journal = read_journal(file)
        assert len(set(acknowledged)) == len(acknowledged)
        assert acknowledged[0] > before
        assert acknowledged[-1] <= len(journal.events) <= acknowledged[-1] + 2
        assert [event.body["text"] for event in journal.events] == [str(n + 1) for n in range(len(journal.events))]
        assert journal.check() == []
        before = len(journal.events)
    read_journal(file).append("attack", *body("the last"))  # removes what SQLite had hardly begun when it was killed
    assert [entry.name for entry in folder.iterdir()] == ["journal.sqlite"]


def test_a_kill_while_two_write_loses_nothing_that_was_told(tmp_path: Path) -> None:
    kill_writers(tmp_path, 3)


@pytest.mark.slow
def test_hundreds_of_kills_lose_nothing_that_was_told(tmp_path: Path) -> None:
    kill_writers(tmp_path, 200)
