"""Listing plugins imports none of them; what takes long says so on a terminal."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import time

import pytest

from mantlet.cli import progress as progress_module
from mantlet.cli.progress import progress


def modules_after(line: str) -> set[str]:
    """The modules that a command has loaded when it ends."""
    code = (
        "import sys\nfrom mantlet.cli.app import cli\n"
        f"try: cli.main({line.split()!r})\nexcept SystemExit as end: assert not end.code, end.code\n"
        "print(sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ast.literal_eval(done.stderr.splitlines()[-1]))


def test_listing_plugins_imports_none() -> None:
    loaded = modules_after("rulesets")
    assert not {module for module in loaded if module.split(".")[0] in ("d100_wwii", "facing_armor", "gurps_vehicle")}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_takes_long_shows_a_sign_of_life_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "PATIENCE_S", 0.02)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress("something long"):
        time.sleep(0.2)
    assert "Working out something long: 0 s" in sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert sys.stderr.getvalue().endswith("\r\x1b[K")  # type: ignore[attr-defined]


def test_what_is_quick_or_not_on_a_terminal_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress("something quick"):
        pass
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
    monkeypatch.setattr(progress_module, "PATIENCE_S", 0.01)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("something long"):
        time.sleep(0.05)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
