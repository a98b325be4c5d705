"""A sign of life on stderr for what takes more than two seconds, on a terminal alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_S = 2.0


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show that `what` is being worked out, and for how long already."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    import threading

    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(what, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(what: str, done: object) -> None:
    import threading

    assert isinstance(done, threading.Event)
    begun = time.monotonic()
    shown = False
    while not done.wait(PATIENCE_S if not shown else 1.0):
        shown = True
        sys.stderr.write(f"\rWorking out {what}: {time.monotonic() - begun:.0f} s ... ")
        sys.stderr.flush()
    if shown:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
