"""The ruleset gurps_vehicle: 3d hit locations for vehicles, creatures and people, and the attack around them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

from gurps_vehicle import team
from gurps_vehicle.attack_roll import skill_words
from gurps_vehicle.bodies import shipped_plan
from gurps_vehicle.burning import Burning, burn, burns_on
from gurps_vehicle.codes import parse_codes
from gurps_vehicle.creature import attack as creature_attack
from gurps_vehicle.creature.plan import CreaturePlan, body_of, creature_plan
from gurps_vehicle.deriving_targets import block_of
from gurps_vehicle.deriving_weapons import shot_of
from gurps_vehicle.detail import NAME, Detail, adopted, check_fits, from_data, to_data
from gurps_vehicle.health import Health
from gurps_vehicle.options import Options
from gurps_vehicle.person import UNHURT
from gurps_vehicle.planning import Facts, people_of
from gurps_vehicle.reach import beyond_reach
from gurps_vehicle.shares import shares_of
from gurps_vehicle.tables import all_grids, all_tables
from gurps_vehicle.vehicle import attack as vehicle_attack
from gurps_vehicle.vehicle.plan import VehiclePlan, draft_animals, running_gear, vehicle_plan
from gurps_vehicle.vehicle.slots import aim_names, parts_of, seats_of
from mantlet import (
    Attack,
    Condition,
    Dice,
    Grid,
    Outcome,
    Passage,
    Ruleset,
    Shares,
    SkillWord,
    Table,
    Target,
    Then,
    Weapon,
)
from mantlet.game.condition import FIT

_COVERED = ("fired", "thrown", "placed_under", "placed_in_running_gear", "lobbed_inside")


AnyPlan = VehiclePlan | CreaturePlan | team.TeamPlan


class GurpsVehicle(Ruleset[Options, AnyPlan]):
    """3d hit locations, location codes, DR by face, occupant hits, and body plans of sixteen kinds and one's own."""

    name: ClassVar[str] = NAME
    version: ClassVar[str] = "1.0.0"
    title: ClassVar[str] = "3d hit locations for vehicles and non-humanoid bodies"
    summary: ClassVar[str] = "Location codes, DR by face, occupant hits; the humanoid and 15 other body plans."
    damage_unit: ClassVar[str] = "HP"
    knocked_out: ClassVar[str] = (
        "HP down to where it no longer works or is destroyed, or a crash; or nobody aboard able to act. A creature: "
        "unconscious, incapacitated or dead."
    )
    options_type: ClassVar[type[Any]] = Options
    changing_options: ClassVar[frozenset[str]] = frozenset(("aim_turns", "windows", "retracted"))

    @property
    def skill_table(self) -> Mapping[SkillWord, float]:
        """The words as a skill on 3d: a design choice."""
        return skill_words()

    def check_stats(self, thing: Weapon | Target) -> None:
        """Refuse a stat block with a wrong value, an unknown code, place of armor or body plan, or a bad body file."""
        if isinstance(thing, Weapon):
            for ammunition in thing.ammunition:
                shot_of(thing, ammunition, 0.0)
            return
        block = block_of(thing)
        if thing.kind == "vehicle":
            parse_codes(block.locations)
        elif thing.kind == "creature" and block.stats.body_file:
            body_of(block, self.options)

    def covers(self, attack: Attack, target: Target) -> str | None:
        """Rams and close assaults have no rule here, and nothing strikes beyond its reach."""
        if attack.delivery not in _COVERED or attack.weapon.kind == "ram":
            return "G11-G31 know no ramming and no close assault; a collision needs rules of its own."
        if target.kind != "vehicle" and attack.delivery in ("placed_under", "placed_in_running_gear", "lobbed_inside"):
            return f"G1-G10: nothing can be {attack.delivery.replace('_', ' ')} a {target.kind}."
        return beyond_reach(attack, self.options)

    # -- planning ----------------------------------------------------------------------------------------------------

    def plan(self, attack: Attack, target: Target) -> AnyPlan:
        """Everything that needs no dice.

        Raises UnknownNameError for an aim that is no location, CatalogError for a bad stat block or body plan.
        """
        shot = shot_of(attack.weapon, attack.ammunition, attack.range_m)
        facts = Facts(attack, target, block_of(target), shot, self.options)
        if target.kind == "vehicle":
            return vehicle_plan(facts)
        return creature_plan(facts) if target.kind == "creature" else team.team_plan(facts)

    # -- rolling -----------------------------------------------------------------------------------------------------

    def resolve(self, dice: Dice, plan: AnyPlan, condition: Condition) -> Outcome | Then:
        """The rule body of one attack."""
        if isinstance(plan, VehiclePlan):
            return vehicle_attack.resolve(dice, plan, condition)
        if isinstance(plan, CreaturePlan):
            return creature_attack.resolve(dice, plan, condition)
        return team.resolve(dice, plan, condition)

    @property
    def round_s(self) -> float:
        """A turn is a second."""
        return 1.0

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        """A span of time, in whole seconds: what is flammable and burns goes on losing HP (G25)."""
        condition = self.adopt(target, condition)
        if target.kind != "vehicle" or not condition.on_fire or seconds < 1:
            return Passage(condition)
        if not burns_on(block_of(target), condition):
            return Passage(condition)
        detail = condition.detail
        return dice.then(burn, target, condition, Burning(int(seconds), detail.lost, detail.flags))  # type: ignore[attr-defined]

    # -- condition ---------------------------------------------------------------------------------------------------

    def fresh(self, target: Target) -> Condition:
        """An untouched target."""
        crew = len(target.crew)
        detail = Detail(people=(UNHURT,) * crew, animals=(UNHURT,) * draft_animals(block_of(target)))
        return Condition(people=(FIT,) * crew, ruleset=NAME, detail=detail)

    def adopt(self, target: Target, condition: Condition) -> Condition:
        """Another ruleset's neutral facts, with HP, flags and wounds that fit them.

        Raises CatalogError for a detail with more or fewer people or draft animals than the target has.
        """
        block = block_of(target)
        if condition.ruleset == NAME and isinstance(condition.detail, Detail):
            check_fits(condition, condition.detail, target, draft_animals(block))
            return condition
        gear = running_gear(block) if target.kind == "vehicle" else ()
        health = Health(block.hp, block.ht)
        detail = adopted(condition, health, people_of(block, self.options), draft_animals(block), gear)
        return condition._replace(ruleset=NAME, detail=detail)

    def shares(self, target: Target, condition: Condition) -> Shares:
        """HP; DR where it is ablative; the weapons, turret and wings that are out; the men of a team able to act."""
        return shares_of(target, block_of(target), condition)

    def dump_detail(self, detail: Any) -> Any:
        """Injury, crippled places, flags and everybody's state as plain data."""
        return None if detail is None else to_data(detail)

    def load_detail(self, data: Any) -> Hashable:
        """The reverse of `dump_detail`."""
        return None if data is None else from_data(data)

    # -- tables ------------------------------------------------------------------------------------------------------

    def tables(self) -> Mapping[str, Table[Any]]:
        """Vehicle, body plans, criticals, and every cell of the occupant table."""
        return all_tables()

    def grids(self) -> Mapping[str, Grid]:
        """The occupant table as printed."""
        return all_grids()

    def aims(self, target: Target) -> tuple[str, ...]:
        """What can be aimed at."""
        block = block_of(target)
        if target.kind == "vehicle":
            exposed = seats_of(target, out_of_hatch=False)[2]
            return aim_names(block, parts_of(block, self.options, len(exposed)))
        if target.kind == "team":
            return shipped_plan("humanoid").aims()
        return body_of(block, self.options).aims()
