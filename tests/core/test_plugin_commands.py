"""The commands beside plugins broken in every way, as processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from broken_plugins import KINDS, SHIPPED, SOUND_PLUGIN, SOUND_RULES, install

CROWD = KINDS[::3]


def command(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The mantlet command as a process of its own, with the directory on its path."""
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", "mantlet", *arguments], env=environment, text=True, capture_output=True, check=False
    )


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A third of the kinds of broken plugins in one place, and a sound one."""
    site = tmp_path_factory.mktemp("crowd")
    for kind in CROWD:
        install(site, f"dist-{kind.name}", **{f"{kind.name}_plugin": kind.source})
    return install(site, "sound", sound_plugin=SOUND_PLUGIN, sound_rules=SOUND_RULES)


def test_rulesets_lists_what_works_and_names_what_is_broken(crowd: Path) -> None:
    done = command(crowd, "rulesets")
    assert done.returncode == 0
    assert "Traceback" not in done.stdout + done.stderr
    for name in (*SHIPPED, "sound", "sound 1.0"):
        assert name in done.stdout
    told = " ".join((done.stdout + done.stderr).split())
    for kind in CROWD:
        assert f"{kind.name} (dist-{kind.name} 1.0): " in told


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_plainest_commands_work_whatever_is_installed(option: str, crowd: Path) -> None:
    done = command(crowd, option)
    assert done.returncode == 0
    assert "Traceback" not in done.stdout + done.stderr
    assert ("rulesets" if option == "--help" else "mantlet 0") in done.stdout


def test_the_ruleset_of_a_stranger_gives_odds_beside_broken_ones(crowd: Path) -> None:
    done = command(crowd, "odds", "--ruleset", "sound", "--weapon", "de_75_pak40", "--target", "m4a1_75_dry")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("where", "instead", "said"),
    [
        ("return outcome(0, condition)", "return 1 / 0", "ZeroDivisionError: division by zero"),
        ("return None", "raise SystemExit(2)", "SystemExit: 2"),
        ("return Plan(attack=attack, target=target)", "return self.plan(attack, target)", "RecursionError"),
        ("return outcome(0, condition)", "return dice.then(self.resolve, plan, [])", "sound"),
    ],
    ids=["resolve_raises", "covers_exits", "plan_without_end", "unhashable_state"],
)
def test_a_ruleset_that_fails_while_it_works_is_named_and_the_others_compare(
    where: str, instead: str, said: str, tmp_path: Path
) -> None:
    install(tmp_path, "bad", sound_plugin=SOUND_PLUGIN, sound_rules=SOUND_RULES.replace(where, instead))
    shot = ("--weapon", "de_75_pak40", "--target", "m4a1_75_dry")
    done = command(tmp_path, "compare", *shot, "--ruleset", "sound", "--ruleset", "facing_armor", "--format", "json")
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == 1, "it was asked for by name"
    broken, whole = json.loads(done.stdout)["results"]
    assert not broken["covers"]
    assert said in broken["reason"]
    assert "bad 1.0" in done.stderr
    assert whole["covers"]
    alone = command(tmp_path, "odds", *shot, "--ruleset", "sound")
    assert alone.returncode == 1
    assert "Traceback" not in alone.stderr
