"""Says which plugin a command waits for while it is imported, and which one ended the process by being imported.

A forked process watches: it is there when the interpreter hangs or crashes, and nothing about the process of the
command changes, neither its terminal nor its signals. Where there is no fork, `mantlet rulesets` alone tells.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from mantlet.plugins.discovery import Origin

PATIENCE_S: Final = 1.0
"""How long a plugin may take before it is named."""
_DONE: Final = b"."


@contextmanager
def watched(origin: Origin) -> Iterator[None]:
    """Around everything that imports this plugin."""
    if sys.stderr is None or not hasattr(os, "fork"):
        yield
        return
    reading, writing = os.pipe()
    watcher = os.fork()
    if watcher == 0:
        try:
            os.close(writing)
            _watch(reading, origin)
        finally:
            os._exit(0)
    os.close(reading)
    try:
        with _no_success_by_exit():
            yield
    finally:
        with suppress(OSError):
            os.write(writing, _DONE)
        with suppress(OSError):
            os.close(writing)
        with suppress(OSError):
            os.waitpid(watcher, 0)


def _watch(reading: int, origin: Origin) -> None:
    """Until the other end of the pipe says that it is done, or is closed because its process has ended."""
    for name in ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"):  # meant for the command, which takes this process with it
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    for stream in (0, 1):  # whoever reads the output must not wait for this process
        with suppress(OSError):
            os.close(stream)
    who = f"plugin {origin.plugin} ({origin})"
    way_out = f"MANTLET_SKIP_PLUGINS={origin.plugin} leaves it out."
    if not select.select([reading], [], [], PATIENCE_S)[0]:
        _say(f"Waiting for {who}, which is still being imported; {way_out}")
    if os.read(reading, 1) != _DONE:
        _say(f"Error: mantlet ended while {who} was being imported; {way_out}")


def _say(text: str) -> None:
    with suppress(OSError):
        os.write(2, f"{text}\n".encode(errors="backslashreplace"))


@contextmanager
def _no_success_by_exit() -> Iterator[None]:
    """A plugin that ends the process at once while it is imported must not make the command look well."""
    leave, process = os._exit, os.getpid()
    importing = True

    def leave_with_failure(status: int) -> None:
        # A process that the plugin forked may end as it likes.
        leave(status or 1 if importing and os.getpid() == process else status)

    os._exit = leave_with_failure  # type: ignore[assignment]
    try:
        yield
    finally:
        importing = False
        os._exit = leave
