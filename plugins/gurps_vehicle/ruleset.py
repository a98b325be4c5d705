"""The ruleset gurps_vehicle: 3d hit locations for vehicles, creatures and people, and the attack around them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from gurps_vehicle.bodies import BodyPlan, Spot, aimed_table, check_parts, find_aim, is_near, plans_of, shipped_plan
from gurps_vehicle.deriving_targets import Block, block_of
from gurps_vehicle.deriving_weapons import Shot, shot_of
from gurps_vehicle.detail import NAME, Detail, adopted, check_numbers, from_data, to_data
from gurps_vehicle.files import read
from gurps_vehicle.health import Health
from gurps_vehicle.options import Options
from gurps_vehicle.person import UNHURT
from gurps_vehicle.planning import USED, GurpsPlan, aiming, felt_all_over, people_of, seat_names
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
    Table,
    Target,
    Then,
    ignored_inputs,
)
from mantlet.condition import FIT

if TYPE_CHECKING:
    # Imported where they are used: most attacks meet a vehicle.
    from gurps_vehicle.creature_plan import CreaturePlan
    from gurps_vehicle.team_fight import TeamPlan

_COVERED = ("fired", "thrown", "placed_under", "placed_in_running_gear", "lobbed_inside")


class GurpsVehicle(Ruleset[Options]):
    """3d hit locations, location codes, DR by face, occupant hits, and body plans of sixteen kinds and one's own."""

    name: ClassVar[str] = NAME
    version: ClassVar[str] = "1.0.0"
    title: ClassVar[str] = "3d hit locations for vehicles and non-humanoid bodies"
    summary: ClassVar[str] = "Location codes, DR by face, occupant hits; the humanoid and 15 other body plans."
    damage_unit: ClassVar[str] = "HP"
    options_type: ClassVar[type[Any]] = Options

    def covers(self, attack: Attack, target: Target) -> str | None:
        """Rams and close assaults have no rule here."""
        if attack.delivery not in _COVERED or attack.weapon.kind == "ram":
            return "G11-G31 know no ramming and no close assault; a collision needs rules of its own."
        if target.kind != "vehicle" and attack.delivery in ("placed_under", "placed_in_running_gear", "lobbed_inside"):
            return f"G1-G10: nothing can be {attack.delivery.replace('_', ' ')} a {target.kind}."
        return None

    # -- planning ----------------------------------------------------------------------------------------------------

    def plan(self, attack: Attack, target: Target) -> GurpsPlan:
        """Everything that needs no dice.

        Raises UnknownNameError for an aim that is no location, CatalogError for a bad stat block or body plan.
        """
        block = block_of(target)
        shot = shot_of(attack.weapon, attack.ammunition, attack.range_m)
        if target.kind == "vehicle":
            return vehicle_plan(attack, block, shot, self.options, target)
        if target.kind == "creature":
            return self._creature(attack, target, block, shot)
        return self._team(attack, target, block, shot)

    def _creature(self, attack: Attack, target: Target, block: Block, shot: Shot) -> CreaturePlan:
        from gurps_vehicle.creature_plan import CreaturePlan

        body = self._body(block)
        check_parts(block.stats.creature_dr, body, f"stats.{NAME}.creature_dr of {target.id}")
        if block.stats.shield:
            find_aim(body, block.stats.shield, f"stats.{NAME}.shield of {target.id}")
        behind = 135 <= attack.aspect_deg <= 225
        aimed, penalty, aim = None, 0, attack.aim or ""
        if attack.aim is not None:
            aim, penalty = find_aim(body, attack.aim, target.id)
            aimed = aimed_table(body, aim)
            penalty = self._penalty(block, body, aim, penalty, aimed if behind else None)
        used = {*USED, "aspect"}
        off, notes = felt_all_over(attack, shot, used)
        if notes:
            aimed, penalty = body.torso(), 0
        roll = aiming(attack, shot, self.options, block.sm, penalty, aim, near=is_near(aimed))
        spots = body.spots()
        skull = next((s for s in spots if s.kind in ("skull", "brain")), None)
        return CreaturePlan(
            attack=attack, target=target, derived=(*shot.derived, *block.derived),
            ignored=ignored_inputs(attack, used),
            notes=(*roll.notes, *notes, f"Body plan {body.name}. {body.note}".strip()),
            shot=shot, block=block, options=self.options, check=roll.check,
            health=Health(block.hp, block.ht),
            folk=people_of(block, self.options), body=body, aimed=aimed, behind=behind,
            places=tuple(dict.fromkeys(s.location for s in spots)), skull=skull,
            yards_off=off,
        )  # fmt: skip

    def _body(self, block: Block) -> BodyPlan:
        """The body plan of a creature: the shipped humanoid, or one of its file's or option's, or of the shipped."""
        file = block.stats.body_file or self.options.body_plans
        if not file and not block.stats.tail:
            return shipped_plan(block.body)
        return plans_of(file).plan(block.body, block.stats.tail)

    def _penalty(self, block: Block, body: Any, aim: str, penalty: int, behind: Any) -> int:
        """G4: a limb with a shield is twice as hard to hit; face and skull, seen from `behind`, change places."""
        if block.stats.shield and aim == find_aim(body, block.stats.shield, "shield")[0]:
            return penalty * 2
        if isinstance(behind, Spot):
            return int(read("wounding")["location"][behind.kind].get("penalty_behind", penalty))
        return penalty

    def _team(self, attack: Attack, target: Target, block: Block, shot: Shot) -> TeamPlan:
        from gurps_vehicle.team_fight import TeamPlan

        body = shipped_plan("humanoid")
        aimed, penalty, aim = None, 0, attack.aim or ""
        if attack.aim is not None:
            aim, penalty = find_aim(body, attack.aim, target.id)
            aimed = aimed_table(body, aim)
        used = set(USED)
        off, notes = felt_all_over(attack, shot, used, each=True)
        if notes:
            aimed, penalty = body.torso(), 0
        roll = aiming(attack, shot, self.options, block.sm, penalty, aim, near=is_near(aimed))
        return TeamPlan(
            attack=attack, target=target, derived=(*shot.derived, *block.derived),
            ignored=ignored_inputs(attack, used), notes=(*roll.notes, *notes),
            shot=shot, block=block, options=self.options, check=roll.check,
            health=Health(block.hp, block.ht),
            folk=people_of(block, self.options), aimed=aimed,
            seat_names=seat_names(target),
            yards_off=off,
        )  # fmt: skip

    # -- rolling -----------------------------------------------------------------------------------------------------

    def resolve(self, dice: Dice, plan: Any, condition: Condition) -> Outcome | Then:
        """The rule body of one attack."""
        if isinstance(plan, VehiclePlan):
            return vehicle_attack.resolve(dice, plan, condition)
        if plan.target.kind == "creature":
            from gurps_vehicle.creature_fight import resolve

            return resolve(dice, plan, condition)
        from gurps_vehicle import team_fight

        return team_fight.resolve(dice, plan, condition)

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        """A span of time, in whole seconds: what is flammable and burns goes on losing HP (G25)."""
        condition = self.adopt(target, condition)
        if target.kind != "vehicle" or not condition.on_fire or seconds < 1:
            return Passage(condition)
        from gurps_vehicle.burning import Burning, burn, burns_on

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
            check_numbers(condition.detail, target, draft_animals(block))
            return condition
        gear = running_gear(block) if target.kind == "vehicle" else ()
        health = Health(block.hp, block.ht)
        detail = adopted(condition, health, people_of(block, self.options), draft_animals(block), gear)
        return condition._replace(ruleset=NAME, detail=detail)

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
        return self._body(block).aims()
