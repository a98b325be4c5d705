"""What the tests of facing_armor share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from facing_armor.ruleset import FacingArmor
from mantlet import Attack
from mantlet.catalog import Catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The shipped catalog."""
    return Catalog()


@pytest.fixture(scope="session")
def rules() -> FacingArmor:
    """The ruleset under its default options."""
    return FacingArmor()


@pytest.fixture(scope="session")
def shot(catalog: Catalog) -> Callable[..., Attack]:
    """Make an attack: the weapon (or `weapon/round`), then any field of `Attack`."""

    def make(weapon: str = "de_75_pak40", **fields: Any) -> Attack:
        gun, ammunition = catalog.round(weapon)
        return Attack(weapon=gun, ammunition=ammunition, **fields)

    return make
