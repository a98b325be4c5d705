"""Files that users name: whatever they are, one sentence and no hanging."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli_run import fail
from mantlet import CatalogError, load_plugins, read_toml


def test_a_good_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("[x]\ny = 1\n")
    assert read_toml(file) == {"x": {"y": 1}}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"x = [1,,]\n", "line 1"),
        (b"\xff\xfe", "not UTF-8"),
        (b"x = " + b"[" * 5000, "nested too deeply"),
        (b"#" * 2_000_001, "too large"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: bytes, sentence: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with pytest.raises(CatalogError, match=sentence) as caught:
        read_toml(file)
    assert str(file) in str(caught.value)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="There is no file"):
        read_toml(tmp_path / "none.toml")
    with pytest.raises(CatalogError, match="is a directory; a data file was expected"):
        read_toml(tmp_path)
    with pytest.raises(CatalogError, match="cannot be read"):
        read_toml("a\0b")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A pipe into which nobody writes: whoever opens it waits for ever."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("no such pipes here")
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("kind", ["pipe", "device", "directory"])
@pytest.mark.parametrize(
    "command",
    [
        "show kar98k --catalog {}",
        "odds --ruleset gurps_vehicle --weapon kar98k --target horse --option gurps_vehicle.body_plans={}",
        "odds --ruleset d100_wwii --weapon kar98k --target kubelwagen --option d100_wwii.trouble_table={}",
        "odds --ruleset d100_wwii --weapon kar98k --target kubelwagen --option d100_wwii.collision_table={}",
        "attack --ruleset facing_armor --weapon kar98k --target kubelwagen --seed 1 --state {}",
        "time --seconds 5 --state {}",
        "d100 repair armor --state {}",
    ],
)
def test_no_command_opens_what_is_no_regular_file(kind: str, command: str, pipe: Path, tmp_path: Path) -> None:
    path = {"pipe": pipe, "device": Path("/dev/zero"), "directory": tmp_path / "folder.toml"}[kind]
    if kind == "directory":
        path.mkdir()
    elif kind == "device":  # under a name that every option takes for a file
        path = tmp_path / "device.toml"
        path.symlink_to("/dev/zero")
    said = "a directory" if kind == "directory" else "no ordinary file"
    assert f"{path} is {said}; a " in fail(command.format(path), 1)


def test_the_body_file_of_a_target_is_a_regular_file(pipe: Path, tmp_path: Path) -> None:
    catalog = tmp_path / "beasts.toml"
    catalog.write_text(
        '[[target]]\nid = "beast"\nname = "Beast"\nkind = "creature"\nbody = "monster"\n'
        f'[target.stats.gurps_vehicle]\nbody = "snail"\nbody_file = "{pipe}"\n',
        encoding="utf-8",
    )
    told = fail(f"odds --ruleset gurps_vehicle --weapon kar98k --target beast --catalog {catalog}", 1)
    assert f"{pipe} is no ordinary file; a data file was expected." in told


def test_an_option_that_names_an_endless_file_is_refused() -> None:
    from mantlet import Attack
    from mantlet.catalog import Catalog

    catalog = Catalog()
    weapon, ammunition = catalog.round("kar98k")
    rules = load_plugins().ruleset("gurps_vehicle", {"body_plans": "/dev/zero"})
    with pytest.raises(CatalogError, match="no ordinary file"):
        rules.plan(Attack(weapon=weapon, ammunition=ammunition), catalog.target("horse"))
