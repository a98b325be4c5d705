"""What people do between attacks: put out a fire, take the wheel, repair, get out. Rule bodies, like an attack."""

from __future__ import annotations

from typing import Final, NamedTuple

from d100_wwii.driving import can_drive, change_places
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
    """One occupant's action against the fire, one a round: a Luck roll (house), 10 less for each round it has burned,
    twice the chance with an extinguisher; Mechanical Repair in its place under the option.

    Raises UnknownNameError for a name nobody aboard has, UsageError when there is nobody who can act, or who has not
    tried this round.
    """
    status = Status(ruleset.start(target, condition))
    if status.fire is None:
        dice.note("R19", "nothing burns")
        return status.passage(dice, NOTHING)
    options = ruleset.options
    seat = _fire_fighter(status, how.who)
    person = status.vehicle.person(seat, status.seating)
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
        status.fire, status.tried = None, ()
        dice.note("R23", "the fire is out")
    else:
        status.tried = (*status.tried, _number(status, seat))
        dice.note("R23", "it burns on; the next round it is 10 harder")
    return status.passage(dice, "it burns on" if status.fire else "fire out")


def _fire_fighter(status: Status, who: str | None) -> int:
    """The seat of the one named, else of the luckiest, of those aboard who can act and have not tried this round."""
    vehicle = status.vehicle
    able = [seat for seat, hp in enumerate(status.people) if status.able(hp)]
    if not able:
        raise UsageError(f"R23: it takes an occupant to put out a fire, and nobody aboard {vehicle.target.id} can act.")
    named = able if who is None else _called(status, able, who)
    left = [seat for seat in named if _number(status, seat) not in status.tried]
    if not left:
        whose = "everyone who can act" if who is None else who
        raise UsageError(f"R23: {whose} has tried this round; let the round pass with mantlet time.")
    return max(left, key=lambda seat: vehicle.person(seat, status.seating).pow)


def _number(status: Status, seat: int) -> int:
    """Who sits there, by the number of the seat he came from."""
    return status.seating[seat] if status.seating else seat


def _called(status: Status, seats: list[int], who: str) -> list[int]:
    """Those of these seats who bear a name. Raises UnknownNameError where nobody does."""
    names = {seat: status.vehicle.person(seat, status.seating).name for seat in seats}
    found = [seat for seat, name in names.items() if name.lower() == who.lower()]
    if not found:
        raise UnknownNameError("person who can act", who, dict.fromkeys(names.values()), status.vehicle.target.id)
    return found


def take_wheel(
    dice: Dice, ruleset: D100Wwii, target: Target, condition: Condition, *, who: str | None = None
) -> Passage:
    """Somebody takes the wheel of a vehicle that stands still: it takes no roll and brings no trouble (A56).

    The best driver of those aboard who can, wherever they sit, or the one named. Raises UsageError while it moves and
    where nobody can, UnknownNameError for a name nobody who can has.
    """
    status = Status(ruleset.start(target, condition))
    vehicle = status.vehicle
    if status.speed > 0:
        raise UsageError(
            f"A14: {target.id} moves; whoever can reach the wheel tries for it in the rounds of mantlet time."
        )
    if who is None and vehicle.driver >= 0 and status.driver_able:
        dice.note("A56", "{} has the wheel", vehicle.person(vehicle.driver, status.seating).name)
        return status.passage(dice, NOTHING)
    able = [seat for seat, hp in enumerate(status.people) if seat != vehicle.driver and can_drive(status, seat)]
    if vehicle.driver < 0 or not able:
        raise UsageError(f"A56: nobody else aboard {target.id} can take the wheel.")
    named = able if who is None else _called(status, able, who)
    seat = max(named, key=lambda seat: (vehicle.person(seat, status.seating).drive, status.people[seat]))
    name = vehicle.person(seat, status.seating).name
    change_places(status, seat)
    dice.note("A56", "it stands still: {} takes the wheel without a roll", name)
    return status.passage(dice, f"{name} has the wheel")


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
