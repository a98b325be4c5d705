"""A progress bar on stderr for odds that take more than a second or two, on a terminal alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mantlet.cli.gate import behind, visible

PATIENCE_S = 1.5
"""What takes no longer shows no bar."""
BAR_WIDTH = 30
ERASE_LINE = "\r\x1b[K"


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float], None] | None]:
    """A function that shows which share of the work is done; None where stderr is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    begun = time.monotonic()
    shown = ""

    def show(share: float) -> None:
        nonlocal shown
        if time.monotonic() - begun < PATIENCE_S:
            return
        filled = round(min(max(share, 0.0), 1.0) * BAR_WIDTH)
        line = f"{what} [{'#' * filled}{'-' * (BAR_WIDTH - filled)}]"
        if line != shown:
            _write(ERASE_LINE, line)
            shown = line

    try:
        yield show
    finally:
        if shown:
            _write(ERASE_LINE)


def _write(code: str, text: str = "") -> None:
    stream = behind(sys.stderr)
    stream.write(code + visible(text))
    stream.flush()
