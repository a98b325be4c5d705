"""What the tests of gurps_vehicle share: hand-made weapons and targets, whose numbers can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gurps_vehicle.options import Options
from gurps_vehicle.planning import GurpsPlan
from gurps_vehicle.ruleset import GurpsVehicle
from mantlet import Ammunition, Attack, Distribution, Exact, Outcome, Scripted, Seat, Target, Weapon, distribution, run
from mantlet.catalog import Catalog

NAME = "gurps_vehicle"


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The shipped catalog."""
    return Catalog()


class Range:
    """A place to shoot: makes weapons and targets with stat blocks of their own, and fires."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def rules(self, **options: Any) -> GurpsVehicle:
        """The ruleset, critical tables left out unless asked for."""
        return GurpsVehicle(Options(**{"criticals": False, **options}))

    def attack(self, damage: str = "1d", kind: str = "pi", divisor: float = 1.0, **fields: Any) -> Attack:
        """One round of a weapon of this damage; a given hit unless the fields say otherwise."""
        stats = {"damage": damage, "type": kind, "divisor": divisor, "acc": 0, "rcl": 2, "rof": 30}
        stats.update(fields.pop("stats", {}))
        ammunition = Ammunition(id="test", kind="ball", stats={NAME: stats})
        weapon = Weapon(id="test", name="test", kind="rifle", ammunition=(ammunition,))
        return Attack(weapon=weapon, ammunition=ammunition, **{"given_hit": True, "range_m": 1.0, **fields})

    def vehicle(self, seats: int = 0, exposed: bool = False, compartment: Any = "front", **stats: Any) -> Target:
        """A vehicle of 60 HP, HT 10, SM +3, DR 4 all round."""
        block = {"hp": 60, "ht": 10, "sm": 3, "dr": {"other": 4}, "fragile": [], "locations": "", "powered": True}
        block.update(stats)
        crew = (Seat(role="crew", compartment=compartment, count=seats, exposed=exposed),) if seats else ()
        return Target(id="box", name="box", kind="vehicle", body="car", seats=crew, stats={NAME: block})

    def creature(self, body: str, **stats: Any) -> Target:
        """A creature of 20 HP, HT 10, SM 0 and no DR."""
        block = {"hp": 20, "ht": 10, "sm": 0, "body": body, **stats}
        return Target(id="beast", name="beast", kind="creature", body="animal", stats={NAME: block})

    def most(self, plan: GurpsPlan) -> int:
        """The most rounds of the attack that can strike."""
        return max(strikes.hits for strikes in plan.check.bands.values) if plan.check else 0

    def exact(self, attack: Attack, target: Target, **options: Any) -> Distribution[Outcome]:
        """The whole distribution in fractions."""
        rules = self.rules(**options)
        return distribution(rules, rules.plan(attack, target), None, Exact(fractions=True))

    def script(self, values: str, attack: Attack, target: Target, **options: Any) -> tuple[Outcome, list[str]]:
        """One attack with these dice, and the account's notes."""
        rules = self.rules(**options)
        source = Scripted(values)
        outcome = run(source.dice, rules.resolve, rules.plan(attack, target), rules.fresh(target))
        source.finish()
        return outcome, [entry.text for entry in source.account.entries if hasattr(entry, "template")]


@pytest.fixture(scope="session")
def shooting(catalog: Catalog) -> Range:
    """The range."""
    return Range(catalog)


@pytest.fixture(scope="session")
def shot(catalog: Catalog) -> Callable[..., Attack]:
    """Make an attack with a weapon of the catalog."""

    def make(weapon: str, **fields: Any) -> Attack:
        found, ammunition = catalog.round(weapon)
        return Attack(weapon=found, ammunition=ammunition, **fields)

    return make
