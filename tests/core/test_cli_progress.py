"""What takes long shows how far it is, on a terminal; listing plugins imports none of them."""

from __future__ import annotations

import ast
import io
import subprocess
import sys

import pytest

from mantlet import Attack, Effort, load_plugins, odds
from mantlet.catalog import Catalog
from mantlet.cli import progress


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


def test_what_takes_long_shows_a_bar_on_a_terminal_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_S", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress.progress_bar("coins") as show:
        assert show is not None
        show(0.5)
        show(0.5001)  # nothing new to draw
        show(1.2)
    told = sys.stderr.getvalue()  # type: ignore[attr-defined]
    erase = progress.ERASE_LINE
    assert told == f"{erase}coins [{'#' * 15}{'-' * 15}]{erase}coins [{'#' * 30}]{erase}"


def test_what_is_quick_or_not_on_a_terminal_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress.progress_bar("coins") as show:
        assert show is not None
        show(0.5)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.progress_bar("coins") as show:
        assert show is None


def test_exact_odds_that_are_insisted_on_tell_how_far_they_are() -> None:
    catalog, shares = Catalog(), []
    weapon, ammunition = catalog.round("us_75_m3")
    attack = Attack(weapon=weapon, ammunition=ammunition)
    odds(
        load_plugins().ruleset("facing_armor"),
        attack,
        catalog.target("pz4_h"),
        effort=Effort(exact=True, progress=shares.append),
    )
    assert shares
    assert shares == sorted(shares)
    assert 0 < shares[-1] < 1
