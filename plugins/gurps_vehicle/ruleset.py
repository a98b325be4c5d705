"""The ruleset gurps_vehicle: 3d hit locations for vehicles, creatures and people, and the attack around them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

from gurps_vehicle.bodies import shipped_plan
from gurps_vehicle.deriving_targets import Block, block_of
from gurps_vehicle.deriving_weapons import Shot, shot_of
from gurps_vehicle.detail import NAME, Detail, adopted, check_numbers, from_data, to_data
from gurps_vehicle.health import Health
from gurps_vehicle.options import Options
from gurps_vehicle.person import UNHURT, Folk
from gurps_vehicle.planning import USED, GurpsPlan, aiming, felt_all_over, folk_of, people_of, seat_names
from gurps_vehicle.tables import all_grids, all_tables
from gurps_vehicle.vehicle_slots import (
    Slot,
    SlotMaker,
    aim_modifier,
    aim_names,
    aimed_code,
    face_of,
    parts_of,
    random_table,
    seats_of,
)
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
            return self._vehicle(attack, target, block, shot)
        if target.kind == "creature":
            from gurps_vehicle.creature.plan import creature_plan

            return creature_plan(attack, target, block, shot, self.options)
        from gurps_vehicle.team import team_plan

        return team_plan(attack, target, block, shot, self.options)

    def _animals(self, block: Block, told: bool = True) -> Folk:
        animals = block.animals
        body = shipped_plan(animals.body if _animals_of(block) else "humanoid")
        return folk_of("draft animal", animals.hp, animals.ht, body, (("torso", animals.dr),), False, told)

    def _vehicle(self, attack: Attack, target: Target, block: Block, shot: Shot) -> VehiclePlan:
        from gurps_vehicle.vehicle_plan import VehiclePlan, groups_of

        options = self.options
        face = face_of(attack)
        seats = seats_of(target, out_of_hatch=not attack.buttoned)
        maker = SlotMaker(target, block, shot, face, options, seats)
        table, notes, slots = random_table(maker)
        aimed, sm, penalty, aim = None, block.sm, 0, attack.aim or ""
        if attack.delivery == "placed_in_running_gear":
            aimed = next((s for s in map(maker.slot, ("C", "W", "R", "L", "D")) if s is not None), maker.body)
        elif attack.delivery in ("placed_under", "lobbed_inside"):
            aimed = maker.body
        elif attack.aim is not None:
            code = aimed_code(attack.aim, maker, target)
            sm, penalty = aim_modifier(code, block)
            found = maker.slot(code.code)
            if found is None:
                notes = (*notes, f"G12: no {code.name} can be struck from here: the body is.")
            aimed, aim = found or maker.body, code.name
        used = {*USED, "aspect", "elevation", "unbuttoned"}
        if attack.delivery.startswith("placed"):
            used.discard("range")
        off, wide = felt_all_over(attack, shot, used) if attack.delivery in ("fired", "thrown") else (0.0, ())
        if wide:
            aimed, sm, penalty, notes = maker.body, block.sm, 0, (*notes, *wide)
        if aimed is not None:
            slots = tuple(dict.fromkeys((*slots, aimed)))
        roll = aiming(attack, shot, options, sm, penalty, aim)
        most = shot.dice.high

        def most_of(slot: Slot, damage: int) -> int:
            if slot.code.acts in ("person", "animal"):
                slot = maker.body
            return slot.injury.kept(slot.injury.of(damage))

        # What can do most comes first: once it is known, less can happen.
        slots = tuple(sorted(slots, key=lambda slot: -most_of(slot, most)))
        crew = len(target.crew)
        groups = groups_of([*seats, *(s.seats for s in slots)], crew)
        return VehiclePlan(
            attack=attack, target=target, derived=(*shot.derived, *block.derived),
            ignored=ignored_inputs(attack, used), notes=(*roll.notes, *notes, *self._facing(face, block)),
            shot=shot, block=block, options=options, check=roll.check, most=roll.most,
            health=Health(block.hp, block.ht), most_lost=Health(block.hp, block.ht).most,
            folk=people_of(block, self.options), face=face, table=table, aimed=aimed,
            body=maker.body, slots=slots, places=tuple(dict.fromkeys(s.location for s in slots)),
            seat_names=seat_names(target), groups=groups,
            inside=tuple(sorted({*seats[0], *seats[1]})), exposed=seats[2], animals=self._animals(block),
            most_injury=tuple((most_of(s, most), most_of(s, most * 3)) for s in slots), parts=maker.parts,
            each=crew if shot.explosive or shot.large_area or options.divide_occupant_damage else 1,
            yards_off=off,
        )  # fmt: skip

    def _facing(self, face: str, block: Block) -> tuple[str, ...]:
        where = f"locations {block.locations}" if block.locations else "no locations but the body"
        return (f"The {'underside' if face == 'under' else face} is struck; {where}, windows {self.options.windows}.",)

    # -- rolling -----------------------------------------------------------------------------------------------------

    def resolve(self, dice: Dice, plan: Any, condition: Condition) -> Outcome | Then:
        """The rule body of one attack."""
        if plan.target.kind == "vehicle":
            from gurps_vehicle import vehicle_fight

            return vehicle_fight.resolve(dice, plan, condition)
        if plan.target.kind == "creature":
            from gurps_vehicle.creature.attack import resolve

            return resolve(dice, plan, condition)
        from gurps_vehicle import team

        return team.resolve(dice, plan, condition)

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        """A span of time, in whole seconds: what is flammable and burns goes on losing HP (G25)."""
        condition = self.adopt(target, condition)
        if target.kind != "vehicle" or not condition.on_fire or seconds < 1:
            return Passage(condition)
        from gurps_vehicle.burning import burn, burns_on

        if not burns_on(block_of(target), condition):
            return Passage(condition)
        detail = condition.detail
        return dice.then(burn, target, condition, int(seconds), detail.lost, detail.flags)  # type: ignore[attr-defined]

    # -- condition ---------------------------------------------------------------------------------------------------

    def fresh(self, target: Target) -> Condition:
        """An untouched target."""
        crew = len(target.crew)
        detail = Detail(people=(UNHURT,) * crew, animals=(UNHURT,) * _animals_of(block_of(target)))
        return Condition(people=(FIT,) * crew, ruleset=NAME, detail=detail)

    def adopt(self, target: Target, condition: Condition) -> Condition:
        """Another ruleset's neutral facts, with HP, flags and wounds that fit them.

        Raises CatalogError for a detail with more or fewer people or draft animals than the target has.
        """
        block = block_of(target)
        if condition.ruleset == NAME and isinstance(condition.detail, Detail):
            check_numbers(condition.detail, target, _animals_of(block))
            return condition
        gear = _running_gear(block) if target.kind == "vehicle" else ()
        health = Health(block.hp, block.ht)
        detail = adopted(condition, health, people_of(block, self.options), _animals_of(block), gear)
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
        from gurps_vehicle.creature.plan import body_of

        return body_of(block, self.options).aims()


def _animals_of(block: Block) -> int:
    from gurps_vehicle.codes import parse_codes

    return sum(f.count for f in parse_codes(block.locations) if f.code.acts == "animal")


def _running_gear(block: Block) -> tuple[str, ...]:
    from gurps_vehicle.codes import parse_codes

    return tuple(
        sorted(
            f.code.code for f in parse_codes(block.locations) for _ in range(f.count) if f.code.code in ("C", "W", "R")
        )
    )
