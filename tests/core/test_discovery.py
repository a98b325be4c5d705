"""Installed plugins are found without importing them: in order, shadowed ones left out, unreadable ones named."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import packaging.requirements  # noqa: F401  # `site` replaces the path it is found on
import pytest

from mantlet.plugins.discovery import Broken, installed_plugins


def distribution(place: Path, name: str, version: str = "1.0", kind: str = "dist-info", points: str = "") -> None:
    folder = place / f"{name.lower()}-{version}.{kind}"
    folder.mkdir(parents=True)
    headers = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: not this one\n"
    (folder / ("METADATA" if kind == "dist-info" else "PKG-INFO")).write_text(headers)
    text = points or f"{name.lower()} = {name.lower()}_module"
    (folder / "entry_points.txt").write_text(f"[other]\nx = y\n[mantlet]\n# comment\n\n{text}\n[more]\nz = z\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [str(tmp_path / name) for name in ("a", "missing", "b", "guests.zip")])
    return tmp_path


def found() -> list[tuple[str, str, str]]:
    return [(origin.plugin, origin.distribution, entry_point.value) for origin, entry_point in installed_plugins()[0]]


def test_the_first_on_the_path_shadows_the_others_and_missing_places_are_passed_over(site: Path) -> None:
    distribution(site / "a", "Guest", "2.0")
    distribution(site / "b", "guest", "1.0")
    distribution(site / "b", "old", kind="egg-info")
    assert found() == [("guest", "Guest 2.0", "guest_module"), ("old", "old 1.0", "old_module")]


def test_mantlet_comes_first_then_the_entry_points_by_name(site: Path) -> None:
    distribution(site / "a", "zoo", points="b = zoo.b\na = zoo.a:thing [extra]")
    distribution(site / "b", "mantlet", points="shipped = shipped")
    distribution(site / "b", "ark", points="c = ark")
    assert [plugin for plugin, _, _ in found()] == ["shipped", "a", "b", "c"]


def test_a_zip_file_on_the_path_is_searched_too(site: Path) -> None:
    with zipfile.ZipFile(site / "guests.zip", "w") as archive:
        archive.writestr("zipped-3.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: zipped\nVersion: 3.0\n")
        archive.writestr("zipped-3.0.dist-info/entry_points.txt", "[mantlet]\nzipped = zipped_module\n")
    assert found() == [("zipped", "zipped 3.0", "zipped_module")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("guest", "its entry_points.txt cannot be read: a line of it is not written name = module"),
        ("= module", "its entry point '' is 'module', which names no module"),
        ("guest =", "its entry point 'guest' is '', which names no module"),
        ("guest = not a module", "its entry point 'guest' is 'not a module', which names no module"),
    ],
)
def test_a_line_that_is_no_entry_point_is_named(site: Path, line: str, said: str) -> None:
    distribution(site / "a", "guest", points=line)
    distribution(site / "b", "sound")
    listed, unreadable = installed_plugins()
    assert [plugin.origin.plugin for plugin in listed] == ["sound"]
    assert unreadable == [Broken("guest", "guest 1.0", said)]


@pytest.mark.parametrize(
    ("required", "said"),
    [
        ("mantlet", ""),
        ("mantlet>=0.1", ""),
        ("Mantlet (>=0.0.1,<99)", ""),
        ("mantlet-extras>=99", ""),
        ("mantlet>=99; python_version < '3'", ""),
        ("mantlet>=99; extra == 'table'", ""),
        ("mantlet>=99", "it requires mantlet >=99, and this is mantlet 0.4"),
        ("mantlet[bulk]<0.0.1", "it requires mantlet <0.0.1, and this is mantlet 0.4"),
        ("mantlet is nice", "what it requires cannot be read: 'mantlet is nice'"),
    ],
)
def test_a_requirement_on_mantlet_has_to_be_met(site: Path, required: str, said: str) -> None:
    distribution(site / "a", "guest")
    distribution(site / "b", "mantlet", "0.4", points="shipped = shipped")
    headers = f"Metadata-Version: 2.1\nName: guest\nVersion: 1.0\nRequires-Dist: click\nRequires-Dist: {required}\n"
    (site / "a" / "guest-1.0.dist-info" / "METADATA").write_text(headers)
    listed, unreadable = installed_plugins()
    assert [plugin.origin.plugin for plugin in listed] == ["shipped", *([] if said else ["guest"])]
    assert unreadable == ([Broken("guest", "guest 1.0", said)] if said else [])


def test_a_distribution_without_metadata_has_no_name(site: Path) -> None:
    folder = site / "a" / "bare-1.dist-info"
    folder.mkdir(parents=True)
    (folder / "entry_points.txt").write_text("[mantlet]\nbare = bare\n")
    (plugin,) = installed_plugins()[0]
    assert plugin.origin.distribution.startswith("a package without")
