"""The command line: one attack, its exact odds, several rulesets side by side, and what helps to use them."""

from __future__ import annotations

import sys


def main() -> None:
    """The entry point of the `mantlet` command; ends the process with its exit code."""
    from mantlet.cli.app import cli

    try:
        cli.main(prog_name="mantlet")
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 0)


def _leave(code: int) -> None:
    """End the process at once: taking a whole interpreter down in good order costs more than an attack."""
    import atexit
    import os
    import threading

    if threading.active_count() > 1:  # somebody's thread is still at work
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)
