"""Files that users name: whatever they are, one sentence and no hanging."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    with pytest.raises(CatalogError, match="is a directory"):
        read_toml(tmp_path)
    with pytest.raises(CatalogError, match="too large"):
        read_toml("/dev/zero")


def test_an_option_that_names_an_endless_file_is_refused() -> None:
    from mantlet import Attack
    from mantlet.catalog import Catalog

    catalog = Catalog()
    weapon, ammunition = catalog.round("kar98k")
    rules = load_plugins().ruleset("gurps_vehicle", {"body_plans": "/dev/zero"})
    with pytest.raises(CatalogError, match="too large"):
        rules.plan(Attack(weapon=weapon, ammunition=ammunition), catalog.target("horse"))
