"""Says which plugin a command waits for while it is imported or at work, and which one ended the process by that.

A forked process watches: it is there when the interpreter hangs or crashes, and nothing about the process of the
command changes, neither its terminal nor its signals. It is started for the first plugin that is not mantlet's own,
and told of each line by line. Where there is no fork, `mantlet rulesets` alone tells, and of imports alone.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, Final

from mantlet.plugins.discovery import Origin

PATIENCE_S: Final = 1.5
"""How long a plugin may take before it is named."""
_APART: Final = "\t"

_under_way: Final[list[str]] = []
"""What plugins are doing, the innermost last."""


@contextmanager
def watched(origin: Origin, doing: str) -> Iterator[None]:
    """Around everything that imports this plugin, or calls it; `doing` says which it is."""
    if sys.stderr is None or not hasattr(os, "fork"):
        yield
        return
    writing = _watcher()
    way_out = f"MANTLET_SKIP_PLUGINS={origin.plugin} leaves it out."
    _under_way.append(_APART.join([f"plugin {origin.plugin} ({origin})", doing, way_out]))
    _tell(writing)
    try:
        with _no_success_by_leaving(), _output_kept_clean():
            yield
    finally:
        _under_way.pop()
        _tell(writing)


def _tell(writing: int) -> None:
    """Let the watcher know what is under way: an empty line for nothing."""
    text = _under_way[-1].replace("\n", " ") if _under_way else ""
    with suppress(OSError):
        os.write(writing, f"{text}\n".encode(errors="backslashreplace"))


@cache
def _watcher() -> int:
    """Start the process that watches; gives the end of the pipe to tell it by."""
    reading, writing = os.pipe()
    with suppress(OSError, ValueError):
        sys.stderr.flush()  # what is not written yet would be written twice
    if os.fork() == 0:
        try:
            os.close(writing)
            _watch(reading)
        finally:
            os._exit(0)
    os.close(reading)
    return writing


def _watch(reading: int) -> None:
    """Until the other end of the pipe is closed, because its process has ended."""
    for name in ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"):  # meant for the command, which takes this process with it
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    for stream in (0, 1):  # whoever reads the output must not wait for this process
        with suppress(OSError):
            os.close(stream)
    doing, rest = b"", b""
    while True:
        if doing and not select.select([reading], [], [], PATIENCE_S)[0]:
            _say("Waiting for {}, which is still {}; {}", doing)
        told = os.read(reading, 65536)
        if not told:
            break
        *lines, rest = (rest + told).split(b"\n")
        doing = lines[-1] if lines else doing
    if doing:
        _say("Error: mantlet ended while {} was {}; {}", doing)


def _say(text: str, doing: bytes) -> None:
    if os.isatty(2):
        os.write(2, b"\r\x1b[K")  # a progress bar may stand there
    with suppress(OSError, ValueError):
        # Through whatever the command prints through: names may hold what a terminal obeys.
        sys.stderr.write(text.format(*doing.decode(errors="replace").split(_APART)) + "\n")
        sys.stderr.flush()


@contextmanager
def _no_success_by_leaving() -> Iterator[None]:
    """A plugin that ends the process, or puts another program in its place, must not make the command look well."""
    process, leave = os.getpid(), os._exit
    watching = True

    def failing(call: Callable[..., Any]) -> Callable[..., Any]:
        def left(*given: Any, **named: Any) -> Any:
            # A process that the plugin forked may end as it likes.
            if not watching or os.getpid() != process:
                return call(*given, **named)
            status = [*given, *named.values()][0] if call is leave else 1
            return leave(status or 1)

        return left

    before = {name: getattr(os, name) for name in ("_exit", "execv", "execve")}
    for name, call in before.items():
        setattr(os, name, failing(call))
    try:
        yield
    finally:
        watching = False
        for name, call in before.items():
            setattr(os, name, call)


@contextmanager
def _output_kept_clean() -> Iterator[None]:
    """What a plugin writes to the output past Python, as the programs that it runs do, goes to stderr as well."""
    try:
        before = os.dup(1)
    except OSError:  # there is none
        yield
        return
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(before, 1)
        os.close(before)
