"""The facing_armor ruleset: facing, slope and penetration, effects inside, bail-out, suppression, close assault."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from facing_armor import state, vehicle
from facing_armor.design import design
from facing_armor.layout import layout, uncovered_body
from facing_armor.locations import all_tables
from facing_armor.options import Options
from mantlet import Attack, Condition, Dice, Outcome, Plan, Ruleset, Table, Target, Then


class FacingArmor(Ruleset[Options]):
    """Rules F1 to F32 of a simulation of tank crews.

    `Outcome.armor` stays empty: exact odds share what happens inside between attacks. The account has the arithmetic,
    and the plan of a shot at a vehicle has `armor(plate)` and `penetration_chance(plate)`.
    """

    name: ClassVar[str] = "facing_armor"
    version: ClassVar[str] = "1.0.0"
    title: ClassVar[str] = "Facing, slope and penetration"
    summary: ClassVar[str] = (
        "Hit location by facing, effective armor, penetration at range, effects inside, bail-out, suppression."
    )
    options_type: ClassVar[type[Any]] = Options

    def covers(self, attack: Attack, target: Target) -> str | None:
        """None, or which rule is missing and why."""
        if target.kind == "vehicle":
            return self._covers_vehicle(attack, target)
        return f"F1: locations are those of vehicles; {target.id} is a {target.kind}."

    def _covers_vehicle(self, attack: Attack, target: Target) -> str | None:
        reason = uncovered_body(target)
        if reason is not None:
            return reason
        if attack.delivery != "fired":
            return f"F7: penetration is that of a round fired at the target, and this one is {attack.delivery}."
        if not attack.ammunition.penetration:
            return f"F7: {attack.weapon.id}/{attack.ammunition.id} has no penetration data, and no rule derives it."
        if abs(attack.elevation_deg) > design().arcs.steepest_elevation_deg:
            return (
                f"F1: front, side and rear are faces around the horizon; fire at {attack.elevation_deg:g} degrees "
                "would meet the top or the floor."
            )
        return None

    def plan(self, attack: Attack, target: Target) -> Plan:
        """Everything that needs no dice."""
        return vehicle.make_plan(attack, target, self.options)

    def resolve(self, dice: Dice, plan: Any, condition: Condition) -> Outcome | Then:
        """One attack."""
        return vehicle.fire(dice, plan, condition)

    def fresh(self, target: Target) -> Condition:
        """An untouched target."""
        return _fresh(target)

    def dump_detail(self, detail: Any) -> Any:
        """Plain data of the detail."""
        return state.dump(detail)

    def load_detail(self, data: Any) -> Hashable:
        """The detail of plain data."""
        return state.load(data)

    def tables(self) -> Mapping[str, Table[Any]]:
        """All printed tables by name."""
        return all_tables()

    def aims(self, target: Target) -> tuple[str, ...]:
        """The locations and plates that can be picked out."""
        return vehicle.aims(layout(target)) if target.kind == "vehicle" and target.seats else ()


@lru_cache(maxsize=1024)
def _fresh(target: Target) -> Condition:
    return Condition(people=(0,) * len(target.crew))
