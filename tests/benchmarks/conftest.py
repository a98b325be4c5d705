"""Benchmarks: `pytest tests/benchmarks --benchmark-only` measures, checks the limits and prints them in one table.

A peer is measured in the same run, turn by turn with ours, and the ratio is the median of the ratios of the turns:
what else the machine does then weighs on both alike. Limits in milliseconds are of processor time on one core.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest


class Line(NamedTuple):
    what: str
    limit: str
    measured: str
    peer: str
    met: bool


class Race(NamedTuple):
    """Medians in seconds, and the median of peer / ours over the turns."""

    ours: float
    peer: float
    ratio: float


LINES = pytest.StashKey[list[Line]]()


class Limits:
    """Takes down what was measured against which limit, and fails the benchmark where it is missed."""

    def __init__(self, benchmark: Any, lines: list[Line]) -> None:
        self._benchmark = benchmark
        self._lines = lines

    def most(self, what: str, limit: float, measured: float, unit: str, peer: str = "") -> None:
        """`measured` has to be at most `limit`."""
        self._take(what, f"<= {limit:g} {unit}", f"{measured:.3g} {unit}", peer, measured <= limit)

    def times_faster(self, what: str, limit: float, race: Race, peer: str) -> None:
        """Ours has to be at least `limit` times as fast as the peer."""
        measured = f"{race.ratio:.2f} times ({race.ours * 1e3:.3g} ms)"
        self._take(what, f">= {limit:g} times", measured, f"{peer} {race.peer * 1e3:.3g} ms", race.ratio >= limit)

    def _take(self, what: str, limit: str, measured: str, peer: str, met: bool) -> None:
        line = Line(what, limit, measured, peer, met)
        self._lines.append(line)
        self._benchmark.extra_info[what] = line._asdict()
        assert met, f"{what}: {measured}, limit {limit}"


@pytest.fixture
def limits(benchmark: Any, request: pytest.FixtureRequest) -> Limits:
    """The limits of the benchmark that is running."""
    return Limits(benchmark, request.config.stash.setdefault(LINES, []))


def seconds(call: Callable[[], object], times: int = 1) -> float:
    """The mean duration of some calls in a row."""
    began = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - began) / times


@pytest.fixture
def race() -> Callable[..., Race]:
    """Measure ours and a peer turn by turn."""

    def run(ours: Callable[[], object], peer: Callable[[], object], turns: int = 15, times: int = 1) -> Race:
        ours(), peer()
        pairs = [(seconds(ours, times), seconds(peer)) for _ in range(turns)]
        return Race(
            statistics.median(a for a, _ in pairs),
            statistics.median(b for _, b in pairs),
            statistics.median(b / a for a, b in pairs),
        )

    return run


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    lines = config.stash.get(LINES, [])
    if not lines:
        return
    terminalreporter.section("limits")
    rows = [
        ("what", "limit", "measured", "peer", ""),
        *((*line[:4], "met" if line.met else "MISSED") for line in lines),
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    for row in rows:
        terminalreporter.write_line("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
