"""Distributions and entry points are found as `importlib.metadata` finds them, without loading it."""

import os.path
import sys
import zipfile
from importlib import metadata

import pytest

from mantlet.plugins.entry_points import EntryPoint, distributions, entry_points, name_and_version


def distribution(place, name, version="1.0", kind="dist-info"):
    folder = place / f"{name.lower()}-{version}.{kind}"
    folder.mkdir(parents=True)
    headers = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: not this one\n"
    (folder / ("METADATA" if kind == "dist-info" else "PKG-INFO")).write_text(headers)
    (folder / "entry_points.txt").write_text(f"[mantlet]\n{name.lower()} = {name.lower()}_module\n")


def found():
    return [
        (*name_and_version(d), entry_points(d.read_text("entry_points.txt") or "", "mantlet")) for d in distributions()
    ]


@pytest.mark.parametrize("group", ["console_scripts", "mantlet", "pytest11", "nobody"])
def test_the_same_as_importlib_metadata_on_this_machine(group):
    ours = [(*name_and_version(d), entry_points(d.read_text("entry_points.txt") or "", group)) for d in distributions()]
    theirs = [
        (d.name, d.version, [EntryPoint(p.name, p.value) for p in d.entry_points if p.group == group])
        for d in metadata.distributions()
    ]
    assert sorted(ours) == sorted(theirs)


def test_directories_of_the_path_in_order_with_missing_ones_passed_over(tmp_path, monkeypatch):
    distribution(tmp_path / "a", "Guest", "2.0")
    distribution(tmp_path / "b", "Guest", "1.0")
    distribution(tmp_path / "b", "old", kind="egg-info")
    monkeypatch.setattr(sys, "path", [str(tmp_path / p) for p in ("a", "missing", "b")])
    assert found() == [
        ("Guest", "2.0", [EntryPoint("guest", "guest_module")]),
        ("Guest", "1.0", [EntryPoint("guest", "guest_module")]),
        ("old", "1.0", [EntryPoint("old", "old_module")]),
    ]


def test_a_zip_file_on_the_path_is_searched_too(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "guests.zip", "w") as archive:
        archive.writestr("zipped-3.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: zipped\nVersion: 3.0\n")
        archive.writestr("zipped-3.0.dist-info/entry_points.txt", "[mantlet]\nzipped = zipped_module\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "guests.zip")])
    assert found() == [("zipped", "3.0", [EntryPoint("zipped", "zipped_module")])]


def test_lines_of_a_group():
    text = "[other]\nx = y\n[mantlet]\n# comment\n\nguest = guest.plugin:it [extra]\n[more]\nz\n"
    assert entry_points(text, "mantlet") == [EntryPoint("guest", "guest.plugin:it")]


@pytest.mark.parametrize("line", ["guest", "= module", "guest ="])
def test_a_line_that_is_no_entry_point_is_refused(line):
    with pytest.raises(ValueError, match="is not written name = module"):
        entry_points(f"[mantlet]\n{line}\n", "mantlet")


def test_a_distribution_without_metadata_has_no_name(tmp_path, monkeypatch):
    (tmp_path / "bare-1.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert found() == [("", "", [])]


def test_loading_follows_attributes_and_lets_errors_through():
    assert EntryPoint("x", "os:path.join").load() is os.path.join
    with pytest.raises(ModuleNotFoundError):
        EntryPoint("x", "no_such_module_at_all").load()
