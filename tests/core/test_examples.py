"""The examples run, and the ruleset among them passes its own tests, installed for real."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mantlet import load_plugins
from mantlet.testing import check_ruleset

EXAMPLES = Path(__file__).parents[2] / "examples"
SKIRMISH = EXAMPLES / "skirmish_d6"


def run(*words: str, cwd: Path = EXAMPLES, path: Path | None = None) -> str:
    """The output of a Python command; a failure fails the test with all it said."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(path or "")}
    done = subprocess.run(
        [sys.executable, *words], cwd=cwd, env=environment, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory on the path with the example's source and the metadata that an installer makes."""
    site = tmp_path_factory.mktemp("site")
    project = tomllib.loads((SKIRMISH / "pyproject.toml").read_text("utf-8"))["project"]
    info = site / f"skirmish_d6-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n", "utf-8")
    points = [f"{name} = {where}" for name, where in project["entry-points"]["mantlet"].items()]
    (info / "entry_points.txt").write_text("\n".join(["[mantlet]", *points]), "utf-8")
    (site / "skirmish_d6").symlink_to(SKIRMISH / "src" / "skirmish_d6")
    return site


def test_the_example_ruleset_is_found_and_conforms(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(installed)
    plugins = load_plugins()
    assert not plugins.broken
    assert str(plugins.origins["skirmish_d6"]) == "skirmish-d6 1.0.0"
    check_ruleset(plugins.ruleset_class("skirmish_d6"))
    assert plugins.catalog().weapon("training_gun").stats["skirmish_d6"] == {"strength": 3}


def test_it_passes_its_own_tests(installed: Path) -> None:
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests", cwd=SKIRMISH, path=installed)


def test_it_stands_beside_the_shipped_ones(installed: Path) -> None:
    text = run(
        *("-m", "mantlet", "compare", "--weapon", "training_gun", "--target", "m4a1_75_dry"),
        *("--ruleset", "skirmish_d6", "--ruleset", "facing_armor", "--given-hit"),
        path=installed,
    )
    assert "skirmish_d6" in text


@pytest.mark.parametrize(
    ("script", "said"), [("compare_api.py", "knocked out"), ("sweep.py", "PaK 40 at")], ids=["compare_api", "sweep"]
)
def test_the_script_runs(script: str, said: str) -> None:
    assert said in run(script)
