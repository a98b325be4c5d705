"""The generated package: installed for real, it conforms, gives odds as a command, and passes its own tests."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mantlet import UsageError, load_plugins
from mantlet.plugins.skeleton import skeleton, write_skeleton
from mantlet.testing import check_ruleset


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated package and the metadata an installer makes of its pyproject."""
    root = tmp_path_factory.mktemp("new")
    write_skeleton("brass_dice", root)
    project = tomllib.loads((root / "brass_dice" / "pyproject.toml").read_text("utf-8"))["project"]
    info = root / "brass_dice" / "src" / f"brass_dice-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n", "utf-8")
    lines = [f"{name} = {module}" for name, module in project["entry-points"]["mantlet"].items()]
    (info / "entry_points.txt").write_text("\n".join(["[mantlet]", *lines]), "utf-8")
    return root / "brass_dice"


@pytest.fixture
def environment(package: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(package / "src"), "PYTHONDONTWRITEBYTECODE": "1"}


def test_it_conforms_as_it_is(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(package / "src")
    plugins = load_plugins()
    assert not plugins.broken
    entry = plugins.rulesets["brass_dice"]
    assert (entry.title, str(plugins.origins["brass_dice"])) == ("Brass dice", "brass-dice 0.1.0")
    check_ruleset(plugins.ruleset_class("brass_dice"))


def test_its_own_tests_pass(package: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=package,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "tool",
    [
        ["ruff", "check", "--isolated", "--line-length=120", "--select=E,F,W,I,UP,B,C4,SIM,RET,PT"],
        ["ruff", "format", "--isolated", "--line-length=120", "--check"],
        pytest.param(["mypy", "--strict", f"--config-file={os.devnull}"], marks=pytest.mark.slow),
    ],
    ids=["check", "format", "types"],
)
def test_it_is_clean_under_common_tools(tool: list[str], package: Path) -> None:
    core = Path(__file__).parents[2] / "core"
    done = subprocess.run(
        [sys.executable, "-m", *tool, "src", "tests"],
        cwd=package,
        env={**os.environ, "MYPYPATH": f"{package / 'src'}:{core}"},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_is_listed_and_no_placeholder_is_left() -> None:
    files = skeleton("two_words")
    assert set(files) == {
        "pyproject.toml",
        "README.md",
        "src/two_words/__init__.py",
        "src/two_words/py.typed",
        "src/two_words/plugin.py",
        "src/two_words/ruleset.py",
        "src/two_words/data/tables.toml",
        "tests/test_two_words.py",
    }
    assert "$" not in "".join(files.values())
    assert "class TwoWords(Ruleset[Options, ThePlan])" in files["src/two_words/ruleset.py"]


@pytest.mark.parametrize("name", ["", "Iron", "iron-dice", "1iron", "class", "../up", "json", "mantlet", "é"])
def test_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"ruleset name|is taken"):
        skeleton(name)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "other_dice").mkdir()
    with pytest.raises(UsageError, match=r"exists already; nothing was written"):
        write_skeleton("other_dice", tmp_path)
    assert list((tmp_path / "other_dice").iterdir()) == []
