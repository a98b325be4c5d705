"""An attack on a vehicle before any die is rolled: the face struck, its locations, what is aimed at, who is where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gurps_vehicle.bodies import shipped_plan
from gurps_vehicle.codes import Fitted, parse_codes
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.health import Health
from gurps_vehicle.options import Options
from gurps_vehicle.person import Folk
from gurps_vehicle.planning import (
    USED,
    Aim,
    Facts,
    GurpsPlan,
    blast_part,
    folk_of,
    notes_all_over,
    people_of,
    seat_names,
)
from gurps_vehicle.vehicle.slots import (
    Slot,
    SlotMaker,
    aim_modifier,
    aimed_code,
    random_table,
    seats_of,
)
from mantlet import InputName, Table


@dataclass(frozen=True, eq=False, kw_only=True)
class VehiclePlan(GurpsPlan):
    """An attack on a vehicle. `table` gives a Slot or a Choice for a random hit, `aimed` the slot aimed at.

    `kinds` tells by seat who can be struck through the same places, `inside` and `exposed` are seats.
    """

    face: str
    table: Table[Any]
    aimed: Slot | None
    body: Slot
    slots: tuple[Slot, ...]
    parts: tuple[Fitted, ...]
    seat_names: tuple[str, ...]
    kinds: tuple[int, ...]
    inside: tuple[int, ...]
    exposed: tuple[int, ...]
    folk: Folk
    animals: Folk

    @property
    def around(self) -> Fraction:
        """What those around a round that strikes feel: damage / this; 0: nothing."""
        if self.shot.large_area:
            return Fraction(1)
        return blast_part(Fraction(1)) if self.shot.explosive else Fraction(0)


def vehicle_plan(facts: Facts) -> VehiclePlan:
    """Work out an attack on a vehicle. Raises UnknownNameError for an aim that is no location."""
    attack, target, block, _, options = facts
    seats = seats_of(target, out_of_hatch=not attack.buttoned)
    maker = SlotMaker(facts, seats)
    table, notes, slots = random_table(maker)
    aim = Aim()
    if attack.delivery == "placed_in_running_gear":
        aim = Aim(next((s for s in map(maker.slot, ("C", "W", "R", "L", "D")) if s is not None), maker.body))
    elif attack.delivery in ("placed_under", "lobbed_inside"):
        aim = Aim(maker.body)
    elif attack.aim is not None:
        code = aimed_code(attack.aim, maker, target)
        found = maker.slot(code.code)
        if found is None:
            notes = (*notes, f"G12: no {code.name} can be struck from here: the body is.")
        aim = Aim(found or maker.body, code.name, *aim_modifier(code, block))
    used: set[InputName] = {*USED, "aspect", "elevation", "unbuttoned"}
    if attack.delivery.startswith("placed"):
        used.discard("range")
    if facts.felt_all_over and attack.delivery in ("fired", "thrown"):
        aim, notes = Aim(maker.body), (*notes, *notes_all_over(facts, used))
    if aim.at is not None:
        slots = tuple(dict.fromkeys((*slots, aim.at)))
    return VehiclePlan(
        **facts.worked_out(used, aim, (*notes, _facing(maker.face, block, options))),
        folk=people_of(block, options),
        face=maker.face, table=table, aimed=aim.at, body=maker.body, slots=slots, parts=maker.parts,
        seat_names=seat_names(target), kinds=kinds_of([*seats, *(s.seats for s in slots)], len(target.crew)),
        inside=tuple(sorted({*seats[0], *seats[1]})), exposed=seats[2], animals=animals_of(block),
    )  # fmt: skip


def kinds_of(groups: Iterable[Sequence[int]], crew: int) -> tuple[int, ...]:
    """A number by seat, the same for seats that no rule tells apart: those in the same groups of seats."""
    sets = [frozenset(group) for group in groups]
    marks = [tuple(seat in group for group in sets) for seat in range(crew)]
    return tuple([marks.index(mark) for mark in marks])


def animals_of(block: Block) -> Folk:
    """The draft animals of a vehicle, all alike."""
    animals = block.animals
    body = shipped_plan(animals.body if draft_animals(block) else "humanoid")
    return folk_of("draft animal", Health(animals.hp, animals.ht), body, (("torso", animals.dr),))


def draft_animals(block: Block) -> int:
    """How many draft animals a vehicle has."""
    return sum(f.count for f in parse_codes(block.locations) if f.code.acts == "animal")


def running_gear(block: Block) -> tuple[str, ...]:
    """The codes of its tracks, wheels and runners, once each."""
    parts = [f for f in parse_codes(block.locations) if f.code.code in ("C", "W", "R")]
    return tuple(sorted(f.code.code for f in parts for _ in range(f.count)))


def _facing(face: str, block: Block, options: Options) -> str:
    where = f"locations {block.locations}" if block.locations else "no locations but the body"
    return f"The {'underside' if face == 'under' else face} is struck; {where}, windows {options.windows}."
