"""The wheel: everything that is tracked is in it, and it works as installed, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def built(project: Path, directory: Path) -> Path:
    """The wheel of a project."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(directory)]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = directory.glob("*.whl")
    return wheel


def install(wheel: Path, directory: Path) -> None:
    """Install a wheel for real, asking no index."""
    words = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(directory)]
    subprocess.run([*words, str(wheel)], check=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel installed in a directory of its own."""
    directory = tmp_path_factory.mktemp("site")
    install(wheel, directory)
    return directory


def as_installed(site: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, *words], cwd=site, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked() -> set[str]:
    """The files under version control that belong into the wheel, by their name there."""
    words = ["git", "ls-files", "-z", "core/mantlet", "plugins"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    return {name.partition("/")[2] for name in names}


def test_every_tracked_file_is_in_the_wheel_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert tracked() - names == set()
    packages = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert packages == {"mantlet", "d100_wwii", "facing_armor", "gurps_vehicle"}
    for package in packages:
        assert f"{package}/py.typed" in names


def test_entry_points_and_licence(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    info = next(name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name)
    points = archive.read(f"{info}/entry_points.txt").decode()
    for line in ("[console_scripts]", "mantlet = mantlet.cli:main", "[mantlet]", "facing_armor = facing_armor.plugin"):
        assert line in points
    assert f"{info}/licenses/LICENSE" in archive.namelist()


def test_it_works_as_installed(site: Path) -> None:
    where = as_installed(site, "-c", "import mantlet, facing_armor; print(mantlet.__file__, facing_armor.__file__)")
    assert where.count(str(site)) == 2
    assert as_installed(site, "-m", "mantlet", "--version").startswith("mantlet ")
    rulesets = as_installed(site, "-m", "mantlet", "rulesets")
    assert "Broken" not in rulesets
    odds = as_installed(
        site, *("-m", "mantlet", "odds", "--ruleset", "facing_armor"), *("--weapon", "pak40", "--target", "m4a1_75_dry")
    )
    assert "hit" in odds


def test_the_skeleton_and_the_example_work_as_installed(site: Path, tmp_path: Path) -> None:
    as_installed(site, "-m", "mantlet", "new-ruleset", "wheel_dice", "--directory", str(tmp_path))
    for project in (tmp_path / "wheel_dice", ROOT / "examples" / "skirmish_d6"):
        (tmp_path / f"dist_{project.name}").mkdir()
        install(built(project, tmp_path / f"dist_{project.name}"), site)
    listed = as_installed(site, "-m", "mantlet", "rulesets")
    assert "wheel_dice 0.1.0, from wheel-dice 0.1.0" in listed
    assert "skirmish_d6 1.0.0, from skirmish-d6 1.0.0" in listed
    assert "Broken" not in listed
    code = (
        "from mantlet import load_plugins\n"
        "from mantlet.testing import check_ruleset\n"
        "for name in ('wheel_dice', 'skirmish_d6'):\n"
        "    check_ruleset(load_plugins().ruleset_class(name), effort=0.3)\n"
    )
    as_installed(site, "-c", code)
