"""The ruleset gurps_vehicle: 3d hit locations for vehicles, creatures and people, and the attack around them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from gurps_vehicle import vehicle_fight
from gurps_vehicle.attack import yards
from gurps_vehicle.bodies import BodyPlan, Spot, aimed_table, check_parts, find_aim, is_near, plans_of, shipped_plan
from gurps_vehicle.deriving_targets import Block, block_of
from gurps_vehicle.deriving_weapons import Shot, shot_of
from gurps_vehicle.detail import NAME, Detail, adopted, check_numbers, from_data, to_data
from gurps_vehicle.files import read
from gurps_vehicle.health import Health
from gurps_vehicle.options import Options
from gurps_vehicle.people import Folk
from gurps_vehicle.planning import GurpsPlan, Keep, aiming, blast_part, folk_of
from gurps_vehicle.tables import all_grids, all_tables
from gurps_vehicle.vehicle_plan import VehiclePlan, groups_of, projected
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
    InputName,
    Outcome,
    Passage,
    Projection,
    Ruleset,
    Table,
    Target,
    Then,
    ignored_inputs,
)
from mantlet.game.condition import FIT
from mantlet.ruleset import ANSWERS

if TYPE_CHECKING:
    # Imported where they are used: most attacks meet a vehicle.
    from gurps_vehicle.creature_plan import CreaturePlan
    from gurps_vehicle.team_fight import TeamPlan

_USED: tuple[InputName, ...] = ("range", "skill", "aim", "rounds", "shooter_speed", "target_speed", "dark")
_COVERED = ("fired", "thrown", "placed_under", "placed_in_running_gear", "lobbed_inside")


_PLACES: frozenset[str] = frozenset({"locations"})
_PEOPLE: frozenset[str] = frozenset(
    ("hit", "penetrated", "no_effect", "damaged", "crew_hit", "crew_killed", "people_wounded", "people_killed")
)
_DAMAGE: frozenset[str] = frozenset({"damage"})
_APART: tuple[tuple[Keep, frozenset[str]], ...] = (
    ("people", _PEOPLE),
    ("vehicle", ANSWERS - _PEOPLE - _PLACES - _DAMAGE),
    ("damage", _DAMAGE),
    ("places", _PLACES),
)
_LOSSES: frozenset[str] = frozenset({"crew_killed", "people_wounded", "people_killed"})
_FIRE: frozenset[str] = frozenset({"on_fire"})
_OUT: frozenset[str] = frozenset({"knocked_out"})
_SPLIT: tuple[tuple[Keep, frozenset[str]], ...] = (
    ("touched", _PEOPLE - _LOSSES),
    ("people", _LOSSES),
    ("vehicle", ANSWERS - _PEOPLE - _PLACES - _DAMAGE - _FIRE),
    ("fire", _FIRE),
    ("damage", _DAMAGE),
    ("places", _PLACES),
)
_CROWDED: tuple[tuple[Keep, frozenset[str]], ...] = (
    *[(keep, answers - _OUT) for keep, answers in _SPLIT],
    ("out", _OUT),
)
_JOINT: tuple[tuple[Keep, frozenset[str]], ...] = (
    ("joint", ANSWERS - _DAMAGE - _PLACES),
    ("damage", _DAMAGE),
    ("places", _PLACES),
)


def _together(plan: VehiclePlan) -> bool:
    """Whether people and vehicle hang together: it may blow up with all aboard, or be drawn by animals that are hit."""
    return "x" in plan.block.fragile or _animals_of(plan.block) > 0


class GurpsVehicle(Ruleset[Options, GurpsPlan]):
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
            return self._creature(attack, target, block, shot)
        return self._team(attack, target, block, shot)

    def _folk(self, block: Block, told: bool = True) -> Folk:
        dr = tuple(sorted(block.person_dr.items()))
        body = shipped_plan("humanoid")
        check_parts(block.person_dr, body, f"stats.{NAME}.person_dr")
        return folk_of("person", block.person_hp, block.person_ht, body, dr, self.options.wounds == "points", told)

    def _animals(self, block: Block, told: bool = True) -> Folk:
        animals = block.animals
        body = shipped_plan(animals.body if _animals_of(block) else "humanoid")
        return folk_of("draft animal", animals.hp, animals.ht, body, (("torso", animals.dr),), False, told)

    def _vehicle(self, attack: Attack, target: Target, block: Block, shot: Shot) -> VehiclePlan:
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
        used: set[InputName] = {*_USED, "aspect", "elevation", "unbuttoned"}
        if attack.delivery.startswith("placed"):
            used.discard("range")
        off, wide = _all_over(attack, shot, used) if attack.delivery in ("fired", "thrown") else (0.0, ())
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
            folk=self._folk(block), face=face, table=table, aimed=aimed,
            body=maker.body, slots=slots, places=tuple(dict.fromkeys(s.location for s in slots)),
            seat_names=_seat_names(target), groups=groups,
            inside=tuple(sorted({*seats[0], *seats[1]})), exposed=seats[2], animals=self._animals(block),
            most_injury=tuple((most_of(s, most), most_of(s, most * 3)) for s in slots), parts=maker.parts,
            each=crew if shot.explosive or shot.large_area or options.divide_occupant_damage else 1,
            yards_off=off,
        )  # fmt: skip

    def _facing(self, face: str, block: Block) -> tuple[str, ...]:
        where = f"locations {block.locations}" if block.locations else "no locations but the body"
        return (f"The {'underside' if face == 'under' else face} is struck; {where}, windows {self.options.windows}.",)

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
        used: set[InputName] = {*_USED, "aspect"}
        off, notes = _all_over(attack, shot, used)
        if notes:
            aimed, penalty = body.torso(), 0
        roll = aiming(attack, shot, self.options, block.sm, penalty, aim, near=is_near(aimed))
        spots = body.spots()
        skull = next((s for s in spots if s.kind in ("skull", "brain")), None)
        return CreaturePlan(
            attack=attack, target=target, derived=(*shot.derived, *block.derived),
            ignored=ignored_inputs(attack, used),
            notes=(*roll.notes, *notes, f"Body plan {body.name}. {body.note}".strip()),
            shot=shot, block=block, options=self.options, check=roll.check, most=roll.most,
            health=Health(block.hp, block.ht), most_lost=Health(block.hp, block.ht).most,
            folk=self._folk(block), body=body, aimed=aimed, behind=behind,
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
        used: set[InputName] = set(_USED)
        off, notes = _all_over(attack, shot, used, each=True)
        if notes:
            aimed, penalty = body.torso(), 0
        roll = aiming(attack, shot, self.options, block.sm, penalty, aim, near=is_near(aimed))
        return TeamPlan(
            attack=attack, target=target, derived=(*shot.derived, *block.derived),
            ignored=ignored_inputs(attack, used), notes=(*roll.notes, *notes),
            shot=shot, block=block, options=self.options, check=roll.check, most=roll.most,
            health=Health(block.hp, block.ht), most_lost=Health(block.hp, block.ht).most,
            folk=self._folk(block), aimed=aimed,
            seat_names=_seat_names(target),
            yards_off=off,
        )  # fmt: skip

    # -- rolling -----------------------------------------------------------------------------------------------------

    def resolve(self, dice: Dice, plan: Any, condition: Condition) -> Outcome | Then:
        """The rule body of one attack."""
        if isinstance(plan, VehiclePlan):
            return vehicle_fight.resolve(dice, plan, condition)
        if plan.target.kind == "creature":
            from gurps_vehicle.creature_fight import resolve

            return resolve(dice, plan, condition)
        from gurps_vehicle import team_fight

        return team_fight.resolve(dice, plan, condition)

    def projections(self, plan: Any) -> tuple[Projection, ...]:
        """The attack told in the few words that odds need: the vehicle, the people and the places apart where they are.

        Vehicle and people have to be told together where it may blow up with all aboard.
        """
        folk = self._folk(plan.block, told=False)
        if isinstance(plan, VehiclePlan):
            animals = self._animals(plan.block, told=False)
            views = _JOINT if _together(plan) else _CROWDED if plan.crowded else _SPLIT if plan.split else _APART
            return tuple(Projection(projected(plan, keep, folk, animals), answers) for keep, answers in views)
        if plan.target.kind == "creature":
            parts = (("vehicle", ANSWERS - _PLACES - _DAMAGE), ("damage", _DAMAGE), ("places", _PLACES))
            return tuple(Projection(replace(plan, keep=keep, folk=folk, known={}), a) for keep, a in parts)
        return (Projection(replace(plan, keep="joint", folk=folk, known={})),)

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
        detail = Detail(people=(0,) * crew, animals=(0,) * _animals_of(block_of(target)))
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
        detail = adopted(condition, health, self._folk(block), _animals_of(block), gear)
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


def _all_over(attack: Attack, shot: Shot, used: set[InputName], *, each: bool = False) -> tuple[float, tuple[str, ...]]:
    """How many yards away it goes off (0: it does not), and notes on what is felt all over (G26), which strikes no
    place in particular, so that an aim is of no use. Of men `each` has his own DR.
    """
    off = yards(attack.miss_distance_m) if shot.explosive else 0.0
    if not off and not shot.large_area:
        return 0.0, ()
    dr = "the torso's" if each else "the mean of the whole and of the least protected place, rounded up"
    notes = [f"G26: felt all over, so DR is {dr}."]
    if off:
        used.add("miss_distance")
        notes.insert(0, f"It goes off {max(1, round(off))} yd away, no attack roll asked: damage / {blast_part(off)}.")
    if attack.aim is not None:
        used.discard("aim")
        notes.append(f"G26: what is felt all over is not aimed at {attack.aim}.")
    return off, tuple(notes)


def _seat_names(target: Target) -> tuple[str, ...]:
    """Everybody by role, with a number where a role comes more than once."""
    roles = [seat.role.replace("_", " ") for seat in target.crew]
    return tuple(f"{r} {roles[: i + 1].count(r)}" if roles.count(r) > 1 else r for i, r in enumerate(roles))


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
