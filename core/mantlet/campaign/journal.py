"""The journal of a campaign: every event in one SQLite file, appended and never changed, in a chain of checksums.

Who copies the folder has all of it: no other file stands beside the journal after a command (a rollback journal, and
nothing of SQLite's own left open). What an event refers to (states, targets, weapons, accounts) stands once, under the
hash of its text. An undone event stays: `undo` and `redo` are events that say of which.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from mantlet.catalog.user_files import check_file
from mantlet.errors import CatalogError, UsageError, sentence

FORMAT: Final = 1
"""The version of the file's form; a newer mantlet's is refused."""
APPLICATION: Final = 0x4D4E544C
"""What SQLite files of this kind carry in their header: `MNTL`."""
MAX_BYTES: Final = 2_000_000_000
PATIENCE_S: Final = 20.0
"""How long to wait for another user or machine that writes; commands of one user wait for each other before that."""

UNDO: Final = "undo"
REDO: Final = "redo"
SWITCH: Final = "switch"
"""The kind of an event that takes everybody to another ruleset; its body says `from` which."""

_MAGIC: Final = b"SQLite format 3\0"
_HEADER: Final = struct.Struct(">16s2xBB40xI4xI")
"""Of a SQLite file: the magic text, how it is written and read (1: with a rollback journal), the user's version of the
form, and the application's number."""

_SCHEMA: Final = f"""
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {FORMAT};
    CREATE TABLE fact (hash TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE event (
        number INTEGER PRIMARY KEY,
        time TEXT NOT NULL,
        kind TEXT NOT NULL,
        of INTEGER,
        body TEXT NOT NULL,
        checksum TEXT NOT NULL
    );
    CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events stay as they are'); END;
    CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are kept'); END;
    CREATE TRIGGER fact_stays BEFORE UPDATE ON fact BEGIN SELECT RAISE(ABORT, 'facts stay as they are'); END;
    CREATE TRIGGER fact_kept BEFORE DELETE ON fact BEGIN SELECT RAISE(ABORT, 'facts are kept'); END;
"""


class Event(NamedTuple):
    """One row: its number from 1, when (UTC), what kind, of which event (undo and redo), and the rest as JSON text."""

    number: int
    time: str
    kind: str
    of: int | None
    text: str
    checksum: str

    @property
    def body(self) -> dict[str, Any]:
        """The rest as plain data."""
        found: dict[str, Any] = json.loads(self.text)
        return found


class Journal:
    """The events of a campaign as they were read, and what may be appended to them.

    `active` are the events that hold, oldest first, `undone` those that `redo` would bring back, the next one last.
    """

    def __init__(self, path: Path, events: Iterable[Event]) -> None:
        self.path = path
        self.events = list(events)
        self.active: list[Event] = []
        self.undone: list[Event] = []
        for event in self.events:
            self._follow(event)

    def _follow(self, event: Event) -> None:
        if event.kind == UNDO:
            self.undone.append(self.active.pop())
        elif event.kind == REDO:
            self.active.append(self.undone.pop())
        else:
            self.active.append(event)
            self.undone.clear()

    def append(self, kind: str, body: Mapping[str, Any], facts: Mapping[str, str] | None = None) -> Event:
        """Put an event behind the last one; when this returns, it is on the disk.

        `facts` are texts by their hash (`fact_of`). Raises CatalogError, with the journal as it was, where something
        else has written since it was read, or where it cannot be written. The caller holds the campaign.
        """
        return self._write(kind, None, body, facts or {})

    def undo(self) -> Event:
        """Take back the last event that holds; gives it. Raises UsageError where there is none."""
        if not self.active:
            raise UsageError("There is nothing to undo.")
        event = self.active[-1]
        self._write(UNDO, event.number, {}, {})
        return event

    def redo(self) -> Event:
        """Let the event that was undone last hold again; gives it. Raises UsageError where there is none."""
        if not self.undone:
            raise UsageError("There is nothing to redo.")
        event = self.undone[-1]
        self._write(REDO, event.number, {}, {})
        return event

    def latest(self) -> dict[str, str]:
        """The state of everybody in the roster whom an event has changed, as the hash of a fact by name."""
        found: dict[str, str] = {}
        for event in self.active:
            found.update(event.body.get("after_facts", {}))
        return found

    def last(self, key: str) -> Any:
        """What the last event that holds and says it has under this key; None where there is none."""
        return next((event.body[key] for event in reversed(self.active) if event.body.get(key) is not None), None)

    def fact(self, key: str) -> Any:
        """What stands under a hash. Raises CatalogError where it is missing or is not what it was."""
        with _opened(self.path) as connection:
            row = connection.execute("SELECT data FROM fact WHERE hash = ?", (key,)).fetchone()
        if row is None or not isinstance(row[0], str) or _hash(row[0]) != key:
            what = "is missing" if row is None else "is damaged"
            raise CatalogError(
                f"{self.path} is damaged: what an event refers to ({key[:12]}) {what}. It is left as it is."
            )
        return json.loads(row[0])

    def check(self) -> list[str]:
        """Read all of it: a sentence for each thing that is wrong and that reading the events does not find."""
        faults = []
        with _opened(self.path) as connection:
            for (told,) in connection.execute("PRAGMA integrity_check"):
                if told != "ok":
                    faults.append(f"SQLite says: {sentence(told)}")
            there = set()
            for key, text in connection.execute("SELECT hash, data FROM fact"):
                there.add(key)
                if not isinstance(text, str) or _hash(text) != key:
                    faults.append(f"what stands under {str(key)[:12]} is damaged.")
        for event in self.events:
            for key in _referred(event.body):
                if key not in there:
                    faults.append(f"event {event.number} refers to {key[:12]}, which is missing.")
        return faults

    def _write(self, kind: str, of: int | None, body: Mapping[str, Any], facts: Mapping[str, str]) -> Event:
        last = self.events[-1] if self.events else None
        before = last.checksum if last else ""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        text = _text(body)
        number = len(self.events) + 1
        event = Event(number, now, kind, of, text, _chained(before, number, now, kind, of, text))
        if not self.path.exists():
            if last is not None:
                raise CatalogError(f"{self.path} is gone since it was read. Nothing was saved.")
            _create(self.path)
        with _opened(self.path) as connection:
            connection.execute("BEGIN IMMEDIATE")
            found = connection.execute("SELECT checksum FROM event ORDER BY number DESC LIMIT 1").fetchone()
            if (found[0] if found else "") != before:
                raise CatalogError(
                    f"{self.path} has changed since it was read: something else wrote it. Nothing was saved."
                )
            connection.executemany("INSERT OR IGNORE INTO fact VALUES (?, ?)", list(facts.items()))
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", event)
            connection.execute("COMMIT")
        self.events.append(event)
        self._follow(event)
        return event


def read_journal(path: Path) -> Journal:
    """The journal in a file, or an empty one where there is no file yet; the whole chain is checked.

    Raises CatalogError, and leaves the file as it is, for what is no journal, damaged, or a newer mantlet's.
    """
    if not path.exists():
        return Journal(path, ())
    _check_header(path)
    with _opened(path) as connection:
        connection.execute("BEGIN")  # until the connection closes, nobody writes to the file
        rows = connection.execute("SELECT number, time, kind, of, body, checksum FROM event ORDER BY number").fetchall()
        (pages,), (page_bytes,) = (connection.execute(f"PRAGMA {of}").fetchone() for of in ("page_count", "page_size"))
        if path.stat().st_size != pages * page_bytes:
            raise CatalogError(f"{path} is damaged: it is not as long as it says. It is left as it is.")
    try:
        return Journal(path, _checked(path, rows))
    except IndexError:  # a chain that holds, of an undo without anything to undo
        raise CatalogError(f"{path} is damaged: it undoes what is not there. It is left as it is.") from None


def _check_header(path: Path) -> None:
    """Refuse what is no journal before SQLite opens it. Raises CatalogError."""
    check_file(path, "journal", MAX_BYTES)
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEADER.size)
    except OSError as error:
        raise CatalogError(f"{path} cannot be read: {sentence(error.strerror or error)}") from None
    if not head:
        raise CatalogError(f"{path} is damaged: it is empty. It is left as it is.")
    magic, write_mode, read_mode, form, application = _HEADER.unpack(head.ljust(_HEADER.size, b"\0"))
    if magic != _MAGIC or application != APPLICATION or (write_mode, read_mode) != (1, 1):
        raise CatalogError(f"{path} is no journal of mantlet, or damaged at its beginning. It is left as it is.")
    if not 1 <= form <= FORMAT:
        raise CatalogError(
            f"{path} is of a newer mantlet: its format is {form}, and this one reads up to {FORMAT}. "
            "It is left as it is."
        )


def _checked(path: Path, rows: Iterable[tuple[Any, ...]]) -> Iterator[Event]:
    before = ""
    for at, row in enumerate(rows, start=1):
        number, time, kind, of, text, checksum = row
        sound = number == at and isinstance(text, str)
        if not sound or _chained(before, number, time, kind, of, text) != checksum:
            raise CatalogError(f"{path} is damaged: event {at} is not what was written. It is left as it is.")
        before = checksum
        yield Event(*row)


def fact_of(data: Any) -> tuple[str, str]:
    """Plain data as a fact: the hash that an event refers to it by, and its text."""
    text = _text(data)
    return _hash(text), text


def hold_name(folder: Path) -> Path:
    """What to hold (`mantlet.campaign.lock`) between reading a campaign and writing to it."""
    return folder / "journal"


def _referred(data: Any) -> Iterator[str]:
    """The hashes that an event refers to: what stands under keys that end in `_fact`, and in tables named `_facts`."""
    waiting = [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            for key, value in part.items():
                if key.endswith("_fact") and isinstance(value, str):
                    yield value
                elif key.endswith("_facts") and isinstance(value, dict):
                    yield from value.values()
                else:
                    waiting.append(value)
        elif isinstance(part, list):
            waiting += part


def _text(data: Any) -> str:
    return json.dumps(data, allow_nan=False, separators=(",", ":"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _chained(before: str, *parts: Any) -> str:
    return _hash(_text([before, *parts]))


def _create(path: Path) -> None:
    """Make an empty journal, whole or not at all."""
    new = path.with_name(f".mantlet-new-{path.name}")
    try:
        with suppress(FileNotFoundError):  # what a killed process left; the campaign is held
            new.unlink()
        with closing(sqlite3.connect(new, isolation_level=None)) as connection:
            connection.executescript("PRAGMA synchronous = FULL;" + _SCHEMA)
        os.replace(new, path)
    except (OSError, sqlite3.Error) as error:
        raise CatalogError(f"{path} cannot be written: {sentence(getattr(error, 'strerror', None) or error)}") from None


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection, closed in the end; what SQLite refuses is a CatalogError."""
    try:
        # Not read-only: after a kill the next one to open it rolls back what was half written.
        with closing(sqlite3.connect(path, timeout=PATIENCE_S, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA synchronous = FULL")
            yield connection
    except sqlite3.OperationalError as error:
        raise CatalogError(f"{path} cannot be used: {sentence(error)} Nothing was saved.") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise CatalogError(f"{path} is damaged: {sentence(error)} It is left as it is.") from None
