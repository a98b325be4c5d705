"""What people do between attacks: put out a fire, repair armor and components, get out. Rule bodies, like an attack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from d100_wwii.rolls import DRIVE_DIE
from d100_wwii.state import ENGINE, FIRE_DAMAGE, FUEL, LEFT, OVERHEATED, TROUBLE
from d100_wwii.vehicle import Part
from d100_wwii.work import Work
from mantlet import Condition, Dice, Modifier, Passage, Target, UnknownNameError, under

if TYPE_CHECKING:
    from d100_wwii.ruleset import D100Wwii

EACH_ROUND_BURNING = -10
EXTINGUISHER = 2
ARMOR_A_ROLL = "1d6"
"""Armor points a successful repair gives back under the option armor_repair = points (house)."""
REPAIRS = {"engine": ENGINE, "fuel_tank": FUEL, "radiator": OVERHEATED}
WORKS = {"fire_damage": FIRE_DAMAGE, "trouble": TROUBLE}
"""Damage that is no component's: what a fire or an accident left to be repaired."""


def put_out_fire(
    dice: Dice,
    ruleset: D100Wwii,
    target: Target,
    condition: Condition,
    *,
    extinguisher: bool = False,
    skill_percent: int | None = None,
) -> Passage:
    """One occupant's action against the fire: a Luck roll (house), 10 less for each round it has burned, twice the
    chance with an extinguisher; Mechanical Repair in its place under the option. `skill_percent` replaces the skill."""
    start = ruleset.start(target, condition)
    work = Work(start)
    if work.fire is None:
        dice.note("R19", "nothing burns")
        return work.passage()
    options = ruleset.options
    luck = options.extinguish == "luck"
    base = (
        skill_percent if skill_percent is not None else options.person_pow * 5 if luck else options.driver_skill_percent
    )
    name = "Luck" if luck else "Mechanical Repair"
    reasons = [Modifier(base, name)]
    if extinguisher:
        reasons.append(Modifier(base * (EXTINGUISHER - 1), "extinguisher: doubled"))
    if work.fire.rounds:
        reasons.append(Modifier(EACH_ROUND_BURNING * work.fire.rounds, f"has burned {work.fire.rounds} rounds"))
    if dice.check(
        under(DRIVE_DIE, int(sum(m.value for m in reasons)), tuple(reasons)), f"{name}: putting out the fire", "R23"
    ):
        work.fire = None
        dice.note("R23", "the fire is out")
    return work.passage()


def repair_armor(
    dice: Dice, ruleset: D100Wwii, target: Target, condition: Condition, *, skill_percent: int = 50
) -> Passage:
    """Mechanical Repair outside combat: armor that was shot away is whole again (A65)."""
    work = Work(ruleset.start(target, condition))
    reasons = (Modifier(skill_percent, "Mechanical Repair"),)
    if dice.check(under(DRIVE_DIE, skill_percent, reasons), "Mechanical Repair of the armor", "A65"):
        full = work.vehicle.stats.armor
        if ruleset.options.armor_repair == "points":
            full = min(full, work.armor + dice.roll(ARMOR_A_ROLL, "armor restored", "A65"))
        work.armor = full
        dice.note("A65", "armor is {} again", full)
    return work.passage()


def repair(
    dice: Dice, ruleset: D100Wwii, target: Target, condition: Condition, what: str, *, skill_percent: int = 50
) -> Passage:
    """Mechanical Repair of a component (every instance of it, refilled where it is the fuel tank), of `fire_damage` or
    of `trouble` (an axle, a crash). Raises UnknownNameError for what the vehicle does not have."""
    work = Work(ruleset.start(target, condition))
    part = work.vehicle.part(what)
    if what not in WORKS and (part is None or not part.pools):
        known = [name for name, row in work.vehicle.rows.items() if isinstance(row, Part) and row.pools]
        raise UnknownNameError("component", what, [*known, *WORKS], target.id)
    reasons = (Modifier(skill_percent, "Mechanical Repair"),)
    if dice.check(under(DRIVE_DIE, skill_percent, reasons), f"Mechanical Repair: {what.replace('_', ' ')}", "R19"):
        work.flags &= ~(REPAIRS.get(what, 0) | WORKS.get(what, 0))
        if part is not None:
            pools = list(work.pools)
            for i in part.pools:
                pools[i] = part.hp
            work.pools = tuple(pools)
            work.stop_in = 0 if what == "fuel_tank" else work.stop_in
            work.overheat_in = 0 if what == "radiator" else work.overheat_in
        if all(hp > 0 for hp in _running_gear(work)):
            work.move = 1.0
        dice.note("R19", "{} repaired", what.replace("_", " "))
    return work.passage()


def _running_gear(work: Work) -> list[int]:
    names = ("suspension", "front_tire", "rear_tire", "tire", "tread")
    parts = [part for name in names if (part := work.vehicle.part(name)) is not None]
    return [work.pools[i] for part in parts for i in part.pools]


def bail_out(dice: Dice, ruleset: D100Wwii, target: Target, condition: Condition) -> Passage:
    """Everyone who can act leaves the vehicle (it takes no roll; no rule of the source speaks against it)."""
    work = Work(ruleset.start(target, condition))
    for g, group in enumerate(work.people):
        work.set_group(g, [LEFT if work.able(hp) else hp for hp in group])
    dice.note("A38", "everyone who can act is out")
    return work.passage()
