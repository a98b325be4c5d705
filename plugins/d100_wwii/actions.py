"""What people do between attacks: put out a fire, repair armor and components, get out. Rule bodies, like an attack."""

from __future__ import annotations

from typing import Final, NamedTuple

from d100_wwii.rolls import percent_of, skill_roll
from d100_wwii.ruleset import D100Wwii
from d100_wwii.state import (
    BURNED_OUT,
    ENGINE,
    ENGINE_DAMAGE,
    FIRE_DAMAGE,
    FOREIGN,
    FUEL,
    LEFT,
    LESS_FIREPOWER,
    NO_FIREPOWER,
    OVERHEATED,
    TROUBLE,
)
from d100_wwii.status import Status
from d100_wwii.vehicle import Part, Vehicle
from d100_wwii.vehicle_stats import Person
from mantlet import Condition, Dice, Modifier, Passage, Target, UnknownNameError, UsageError
from mantlet.game.effects import CREW_HIT

EACH_ROUND_BURNING = -10
EXTINGUISHER = 2
ARMOR_A_ROLL = "1d6"
"""Armor points a successful repair gives back under the option armor_repair = points (house)."""
REPAIRS = {"engine": ENGINE, "fuel_tank": FUEL, "radiator": OVERHEATED}
WORKS = {
    "fire_damage": FIRE_DAMAGE,
    "trouble": TROUBLE,
    "engine_damage": ENGINE_DAMAGE,
    "mobility": FOREIGN,
    "firepower": LESS_FIREPOWER | NO_FIREPOWER,
}
"""Damage that is no component's: what a fire or an accident left, and what another ruleset wrote."""
RUNNING_GEAR = ("suspension", "front_tire", "rear_tire", "tire", "tread")
NOTHING = "nothing to do"


class FireFighting(NamedTuple):
    """How somebody fights a fire: with what, at what skill (None: his own), and who (None: the luckiest)."""

    extinguisher: bool = False
    skill_percent: int | None = None
    who: str | None = None


BY_HAND: Final = FireFighting()


class Repair(NamedTuple):
    """What is to be repaired, and at what skill (None: that of the option)."""

    what: str
    skill_percent: int | None = None


def put_out_fire(
    dice: Dice, ruleset: D100Wwii, target: Target, condition: Condition, how: FireFighting = BY_HAND
) -> Passage:
    """One occupant's action against the fire: a Luck roll (house), 10 less for each round it has burned, twice the
    chance with an extinguisher; Mechanical Repair in its place under the option.

    Raises UnknownNameError for a name nobody aboard has, UsageError when there is nobody who can act.
    """
    status = Status(ruleset.start(target, condition))
    if status.fire is None:
        dice.note("R19", "nothing burns")
        return status.passage(dice, NOTHING)
    options = ruleset.options
    person = _somebody(status, how.who)
    luck = options.extinguish == "luck"
    base = percent_of(person.pow) if luck else options.repair_skill_percent
    if how.skill_percent is not None:
        base = how.skill_percent
    name = "Luck" if luck else "Mechanical Repair"
    reasons = [Modifier(base, f"{name} of {person.name}")]
    if how.extinguisher:
        reasons.append(Modifier(base * (EXTINGUISHER - 1), "extinguisher: doubled"))
    if status.fire.rounds:
        burned = f"has burned {status.fire.rounds} round{'' if status.fire.rounds == 1 else 's'}"
        reasons.append(Modifier(EACH_ROUND_BURNING * status.fire.rounds, burned))
    if dice.check(skill_roll(reasons), f"{name}: putting out the fire", "R23"):
        status.fire = None
        dice.note("R23", "the fire is out")
    else:
        dice.note("R23", "it burns on; the next round it is 10 harder")
    return status.passage(dice, "it burns on" if status.fire else "fire out")


def _somebody(status: Status, who: str | None) -> Person:
    """Who acts: the one named, else the luckiest of those aboard who can."""
    vehicle = status.vehicle
    able = [vehicle.person(seat, status.seating) for seat, hp in enumerate(status.people) if status.able(hp)]
    aboard = {person.name: person for person in able}
    if not aboard:
        raise UsageError(f"R23: it takes an occupant to put out a fire, and nobody aboard {vehicle.target.id} can act.")
    if who is None:
        return max(aboard.values(), key=lambda person: person.pow)
    found = next((person for name, person in aboard.items() if name.lower() == who.lower()), None)
    if found is None:
        raise UnknownNameError("person who can act", who, aboard, vehicle.target.id)
    return found


def repair_armor(
    dice: Dice, ruleset: D100Wwii, target: Target, condition: Condition, *, skill_percent: int | None = None
) -> Passage:
    """Mechanical Repair outside combat, and after a fire: armor that was shot away is whole again (A65)."""
    status = Status(ruleset.start(target, condition))
    full, before = status.vehicle.stats.armor, status.armor
    refused = _no_repair(dice, status)
    if refused:
        return status.passage(dice, refused)
    if before >= full:
        dice.note("A65", "armor is whole: {}", full)
        return status.passage(dice, NOTHING)
    if _mechanical_repair(dice, "the armor", "A65", _repair_skill(ruleset, skill_percent)):
        if ruleset.options.armor_repair == "points":
            full = min(full, before + dice.roll(ARMOR_A_ROLL, "armor restored", "A65"))
        status.armor = full
        dice.note("A65", "armor is {} again; it was {}", full, before)
    return status.passage(dice, "not repaired" if status.armor == before else f"armor {status.armor} again")


def repair(dice: Dice, ruleset: D100Wwii, target: Target, condition: Condition, wanted: Repair) -> Passage:
    """Mechanical Repair of a component (every instance of it, refilled where it is the fuel tank) or of one of WORKS.

    Engine damage from the d12 trouble table is repaired at half skill. Raises UnknownNameError for what the vehicle
    does not have.
    """
    status, what = Status(ruleset.start(target, condition)), wanted.what
    if what not in repairable(status.vehicle):
        raise UnknownNameError("component", what, ("armor", *repairable(status.vehicle)), target.id)
    name = what.replace("_", " ")
    refused = _no_repair(dice, status, WORKS.get(what, 0))
    if refused:
        return status.passage(dice, refused)
    if not _is_damaged(status, what):
        dice.note("R19", "{}: nothing to repair", name)
        return status.passage(dice, NOTHING)
    skill = _repair_skill(ruleset, wanted.skill_percent, half=what == "engine_damage")
    if not _mechanical_repair(dice, name, "R19", skill):
        return status.passage(dice, "not repaired")
    part = status.vehicle.part(what)
    status.flags &= ~(REPAIRS.get(what, 0) | WORKS.get(what, 0))
    if part is not None:
        pools = list(status.pools)
        for i in part.pools:
            pools[i] = part.hp
        status.pools = tuple(pools)
        status.stop_in = 0 if what == "fuel_tank" else status.stop_in
        status.overheat_in = 0 if what == "radiator" else status.overheat_in
    if (what in RUNNING_GEAR or what in WORKS) and all(hp > 0 for hp in _running_gear(status)):
        status.move = 1.0
    dice.note("R19", "{} repaired and refilled" if what == "fuel_tank" else "{} repaired", name)
    return status.passage(dice, f"{name} repaired")


def repairable(vehicle: Vehicle) -> tuple[str, ...]:
    """What `repair` takes for this vehicle: the components aboard, and the damage that is no component's."""
    return (*(n for n, row in vehicle.rows.items() if isinstance(row, Part) and row.pools), *WORKS)


def _is_damaged(status: Status, what: str) -> bool:
    part = status.vehicle.part(what)
    if status.flags & (REPAIRS.get(what, 0) | WORKS.get(what, 0)):
        return True
    slowed = status.move < 1 and (what in RUNNING_GEAR or what in ("trouble", "mobility"))
    return slowed or (part is not None and any(status.pools[i] < part.hp for i in part.pools))


def _no_repair(dice: Dice, status: Status, work: int = 0) -> str:
    """Why nothing can be repaired: it is destroyed, it burns, a major fire has left it inoperable for good; else ""."""
    if status.destroyed:
        dice.note("R6", "Base HP is gone: it is destroyed, and no rule repairs that")
        return "beyond repair"
    if status.fire is not None:
        dice.note("R19", "it burns: the fire has to be put out first (mantlet d100 extinguish)")
        return "it burns"
    if work & FIRE_DAMAGE and status.flags & BURNED_OUT:
        dice.note("R19", "after a major fire it is inoperable for good: a repair mends a minor engine fire alone")
        return "beyond repair"
    return ""


def _repair_skill(ruleset: D100Wwii, skill_percent: int | None, *, half: bool = False) -> tuple[Modifier, ...]:
    skill = ruleset.options.repair_skill_percent if skill_percent is None else skill_percent
    reasons = [Modifier(skill, "Mechanical Repair")]
    if half:
        reasons.append(Modifier(skill // 2 - skill, "engine damage: half skill"))
    return tuple(reasons)


def _mechanical_repair(dice: Dice, what: str, rule: str, reasons: tuple[Modifier, ...]) -> bool:
    return dice.check(skill_roll(reasons), f"Mechanical Repair: {what}", rule)


def _running_gear(status: Status) -> list[int]:
    parts = [part for name in RUNNING_GEAR if (part := status.vehicle.part(name)) is not None]
    return [status.pools[i] for part in parts for i in part.pools]


def bail_out(dice: Dice, ruleset: D100Wwii, target: Target, condition: Condition) -> Passage:
    """Everyone who can act leaves the vehicle (it takes no roll; no rule of the source speaks against it)."""
    status = Status(ruleset.start(target, condition))
    status.set_people([LEFT if status.able(hp) else hp for hp in status.people])
    dice.note("A38", "everyone who can act is out")
    passage = status.passage(dice, "everyone who can act is out")
    # They have no hit points here any more, and yet nobody was hit.
    return passage._replace(effects=passage.effects & ~CREW_HIT)
