"""The facing_armor ruleset: facing, slope and penetration, effects inside, bail-out, suppression, close assault."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from facing_armor import assault, state, suppression, team, vehicle, words
from facing_armor.bail_out import crew_team, vehicle_time
from facing_armor.design import design
from facing_armor.layout import layout, uncovered_body
from facing_armor.options import Options
from facing_armor.sheets import all_tables
from facing_armor.suppression import adopted, strength, team_time
from mantlet import (
    Attack,
    CatalogError,
    Condition,
    Dice,
    NotCoveredError,
    Outcome,
    Passage,
    Report,
    Ruleset,
    Shares,
    SkillWord,
    Table,
    Target,
    Then,
    Threat,
    Weapon,
)
from mantlet.game.condition import NONE, REDUCED

FacingPlan = vehicle.VehiclePlan | team.TeamPlan | assault.AssaultPlan


class FacingArmor(Ruleset[Options, FacingPlan]):
    """Rules F1 to F32 of a simulation of tank crews.

    `Outcome.armor` stays empty: exact odds share what happens inside between attacks. The account has the arithmetic,
    and the plan of a shot at a vehicle has `armor(plate)` and `penetration_chance(plate)`.
    """

    name: ClassVar[str] = "facing_armor"
    version: ClassVar[str] = "1.0.0"
    title: ClassVar[str] = "Facing, slope and penetration"
    damage_unit: ClassVar[str] = ""
    knocked_out: ClassVar[str] = (
        "On fire; or two or more seats empty; or gun disabled and immobilized at once; or so by a close assault. "
        "A team: broken, or its last few men."
    )
    summary: ClassVar[str] = (
        "Hit location by facing, effective armor, penetration at range, effects inside, bail-out, suppression."
    )
    options_type: ClassVar[type[Any]] = Options

    @property
    def skill_table(self) -> Mapping[SkillWord, float]:
        """Skill in percent, which multiplies the odds of a hit: a design choice."""
        return design().skill

    def check_stats(self, thing: Weapon | Target) -> None:
        """These rules have no stat blocks."""
        raise CatalogError(
            f"stats.{self.name} of {thing.id}: {self.name} reads no stat block but plates, seats and penetration."
        )

    def covers(self, attack: Attack, target: Target) -> str | None:
        """None, or which rule is missing and why."""
        if target.kind == "vehicle":
            return self._covers_vehicle(attack, target)
        if target.kind == "team":
            return team.uncovered(attack, target)
        return f"F1: hit locations are those of vehicles, and F24 speaks of teams; {target.id} is a {target.kind}."

    def _covers_vehicle(self, attack: Attack, target: Target) -> str | None:
        reason = uncovered_body(target)
        if reason is not None:
            return reason
        if attack.delivery == "assaulted":
            return assault.uncovered(attack, target)
        if attack.delivery not in ("fired", "thrown"):
            how = attack.delivery.replace("_", " ")
            return f"F7: penetration is that of a round fired or thrown at the target, and this one is {how}."
        if not attack.ammunition.penetration:
            return f"F7: {attack.weapon.id}/{attack.ammunition.id} has no penetration data, and no rule derives it."
        if abs(attack.elevation_deg) > design().arcs.steepest_elevation_deg:
            return (
                f"F1: front, side and rear are faces around the horizon; fire at {attack.elevation_deg:g} degrees "
                "would meet the top or the floor."
            )
        return None

    def plan(self, attack: Attack, target: Target) -> FacingPlan:
        """Everything that needs no dice."""
        if target.kind == "team":
            return team.make_plan(attack, target)
        if attack.delivery == "assaulted":
            return assault.make_plan(attack, target)
        return vehicle.make_plan(attack, target, self.options)

    def resolve(self, dice: Dice, plan: FacingPlan, condition: Condition) -> Outcome | Then:
        """One attack."""
        if isinstance(plan, vehicle.VehiclePlan):
            return vehicle.fire(dice, plan, condition)
        if isinstance(plan, team.TeamPlan):
            return team.fire(dice, plan, condition)
        return assault.attack_of_a_team(dice, plan, condition)

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        """A span of time: fires, bail-out (F18, F21, F22), decay of suppression, leaving (F24, F25, F27)."""
        if target.kind == "vehicle" and target.crew:
            return vehicle_time(dice, layout(target), condition, seconds)
        if target.kind == "team":
            return team_time(dice, target, condition, seconds)
        return Passage(condition)

    def fresh(self, target: Target) -> Condition:
        """An untouched target."""
        return _fresh(target)

    def adopt(self, target: Target, condition: Condition) -> Condition:
        """A condition of any ruleset: a team's suppression follows from its neutral facts.

        Raises CatalogError for a detail of a vehicle on a team, or of a team on anything else.
        """
        if condition.ruleset == self.name:
            state.check_fits(target, condition)
        if condition.ruleset in ("", self.name) and (condition.detail is not None or target.kind != "team"):
            return condition
        if target.kind == "team":
            return adopted(target, condition)
        return condition.neutral

    def shares(self, target: Target, condition: Condition) -> Shares:
        """A team's strength (F29); the gun and the turret of a vehicle. Plates are not worn, so no armor is stated."""
        if target.kind == "team":
            return Shares(integrity=strength(condition) / len(target.crew)) if target.crew else Shares()
        if target.kind == "vehicle":
            return Shares(components_out=frozenset(out_of_action(target, condition)))
        return Shares()

    def bailed_out(self, target: Target, condition: Condition) -> tuple[Target, Condition] | None:
        """F23: the crew that got out of a vehicle, as a team."""
        if target.kind != "vehicle":
            raise NotCoveredError(f"F23: crews get out of vehicles, and {target.id} is a {target.kind}.")
        return crew_team(target, condition)

    def threatened(self, target: Target, condition: Condition, threat: Threat) -> Condition:
        """F24, F28: enemy vehicles about a team."""
        if target.kind != "team":
            raise NotCoveredError(f"F24: enemy vehicles close on teams, and {target.id} is a {target.kind}.")
        return suppression.threatened(condition, threat)

    def report(self, target: Target, before: Condition, result: Outcome | Passage) -> Report:
        """What came about in words of these rules: suppression and strength, hits felt inside, men who got out."""
        return words.report_of(target, before, result)

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
        known = target.kind == "vehicle" and uncovered_body(target) is None
        return vehicle.aims(layout(target)) if known else ()


def out_of_action(target: Target, condition: Condition) -> Iterator[str]:
    """F11, F15: the components that a condition says are out: the gun, or the turret that no longer traverses."""
    if condition.firepower == NONE:
        yield from [gun for gun in ("main_gun", "hull_gun") if gun in target.aboard][:1]
    elif condition.firepower == REDUCED and target.has_turret:
        yield "turret"


@lru_cache(maxsize=1024)
def _fresh(target: Target) -> Condition:
    return Condition(people=(0,) * len(target.crew))
