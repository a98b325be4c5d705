"""A campaign's journal of 10,000 events: read with its whole chain, and appended to, against plain SQLite."""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mantlet.campaign.journal import fact_of, read_journal

EVENTS = 10_000


def event(n: int) -> tuple[dict[str, Any], dict[str, str]]:
    """An event as long as an attack's, with a state and an account of usual length."""
    state, account = (fact_of({"n": n, "text": "x" * length}) for length in (900, 2500))
    steps = [{"what": "attack", "text": "y" * 900, "after_fact": state[0], "account_fact": account[0]}]
    body = {"text": f"shot {n}", "dice": {"seed": 1, "thrown": n}, "steps": steps}
    return {**body, "after_facts": {f"tank {n % 7}": state[0]}}, dict([state, account])


def test_ten_thousand_events(benchmark: Any, limits: Any, race: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = read_journal(path)
    for n in range(EVENTS):
        journal.append("attack", *event(n))
    spent = []

    def opened() -> None:
        began = time.process_time()
        read_journal(path).latest()
        spent.append(time.process_time() - began)

    benchmark.pedantic(opened, rounds=5)
    limits.most("10,000 events opened, the chain checked", 1.0, statistics.median(spent), "s")

    plain = sqlite3.connect(tmp_path / "plain.sqlite", isolation_level=None)
    plain.execute("PRAGMA synchronous = FULL")
    plain.execute("CREATE TABLE event (body TEXT)")
    found = race(
        lambda: journal.append("attack", *event(len(journal.events))),
        lambda: plain.execute("INSERT INTO event VALUES (?)", (str(event(1)),)),
        turns=100,
    )
    plain.close()
    # Against its peer, for both wait for the disk: 10 ms at most where a plain insertion takes 2.5 ms.
    limits.times_faster("an event appended, on the disk", 0.25, found, "plain SQLite")
