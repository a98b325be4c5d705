"""Attacks and conditions to try a ruleset on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import zip_longest
from typing import Any, Final

from mantlet.catalog import Catalog
from mantlet.game.attack import Attack
from mantlet.game.condition import DEAD, FIT, FULL, NONE, REDUCED, WOUNDED, Condition
from mantlet.game.target import Target
from mantlet.game.weapon import Weapon
from mantlet.testing.report import Case

_NEAR_M: Final = {"grenade": 5.0, "charge": 3.0, "incendiary": 5.0, "melee": 0.9, "natural": 0.9}
"""The range of what is thrown, placed or strikes hand to hand: all else would be out of reach."""


def catalog_cases(most: int) -> list[Case]:
    """A spread over the shipped catalog: every kind of weapon against every body, from all sides and ranges.

    The same cases every time.
    """
    weapons, targets = _shipped()
    cases = []
    for n in range(most):
        weapon = weapons[n % len(weapons)]
        target = targets[(n + 7 * (n // len(weapons))) % len(targets)]
        fast = weapon.kind in ("machine_gun", "heavy_machine_gun", "submachine_gun", "autocannon")
        attack = Attack(
            weapon=weapon,
            ammunition=weapon.ammunition[n % len(weapon.ammunition)],
            range_m=_NEAR_M.get(weapon.kind, (20.0, 150.0, 400.0, 900.0)[n % 4]),
            aspect_deg=(0.0, 35.0, 90.0, 150.0, 180.0, 270.0)[n % 6],
            rounds=3 if fast and n % 2 else 1,
            hull_down=n % 11 == 0,
            skill_percent=None if n % 5 else 65.0,
        )
        cases.append(Case(f"{weapon.id}/{attack.ammunition.id} at {target.id}", attack, target))
    return cases


@cache
def _shipped() -> tuple[list[Weapon], list[Target]]:
    """The catalog, its kinds in turn, so that a few cases already meet many of them."""
    catalog = Catalog()
    weapons = _in_turn(catalog.weapons(), lambda weapon: weapon.kind)
    targets = _in_turn(catalog.targets(), lambda target: target.body)
    return weapons, targets


def _in_turn(things: list[Any], kind: Callable[[Any], str]) -> list[Any]:
    groups: dict[str, list[Any]] = {}
    for thing in things:
        groups.setdefault(kind(thing), []).append(thing)
    return [thing for turn in zip_longest(*groups.values()) for thing in turn if thing is not None]


def from_elsewhere(target: Target) -> list[Condition]:
    """Neutral facts as another ruleset may hand them over."""
    fit = (FIT,) * len(target.crew)
    hurt = tuple((WOUNDED, DEAD, FIT)[i % 3] for i in range(len(fit)))
    other: dict[str, Any] = {"ruleset": "another_ruleset", "detail": ("hull", 3)}
    return [
        Condition(people=fit),
        Condition(people=hurt, mobility=REDUCED, firepower=REDUCED, **other),
        Condition(people=hurt, mobility=NONE, **other),
        Condition(people=fit, firepower=NONE, mobility=FULL),
        Condition(people=hurt, mobility=NONE, on_fire=True, knocked_out=True, **other),
        Condition(people=(DEAD,) * len(fit), mobility=NONE, firepower=NONE, knocked_out=True, destroyed=True, **other),
    ]
