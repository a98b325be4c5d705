"""The public names: each exists, is listed once, and comes from a module of the package that it belongs to."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import mantlet


def test_every_name_is_listed_once() -> None:
    assert sorted(set(mantlet.__all__)) == sorted(mantlet.__all__)


@pytest.mark.parametrize("name", mantlet.__all__)
def test_a_public_name_is_there(name: str) -> None:
    assert getattr(mantlet, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'artillery'"):
        _ = mantlet.artillery  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "module",
    [found.name for found in pkgutil.walk_packages(mantlet.__path__, "mantlet.") if "__main__" not in found.name],
)
def test_modules_import_one_by_one_and_say_what_they_are(module: str) -> None:
    assert (importlib.import_module(module).__doc__ or "").strip()
