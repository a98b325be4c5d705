"""Damage to a vehicle: armor, injury, what is crippled, the HT rolls of a major wound (G15-G25), what still works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple

from gurps_vehicle.armor import ablation, average_dr, damage_of, effective_dr
from gurps_vehicle.codes import all_codes
from gurps_vehicle.detail import Works, legs_level
from gurps_vehicle.files import read
from gurps_vehicle.flags import BLOWN_UP, CRASH, FIRE, GUN, ITEM, JAM, POWER, SPILLED, STOPPED, WRECKED
from gurps_vehicle.health import CRITICAL, FAILED, catches_fire, explodes, makes_ht, sets_alight, wound_roll
from gurps_vehicle.person import Person, read_damage
from gurps_vehicle.stats import Layer
from gurps_vehicle.tables import CriticalEffect
from gurps_vehicle.vehicle.plan import VehiclePlan
from gurps_vehicle.vehicle.slots import Slot
from mantlet import Dice, rising
from mantlet.game.condition import FULL, NONE, REDUCED

BLAST: Final = BLOWN_UP | WRECKED | STOPPED
_MAJOR: Final = {"vital": "vital", "T": "turret", "S": "superstructure"}
"""Where a major wound is to something else than the body."""


class Strike(NamedTuple):
    """A round that strikes the vehicle: where, what a critical adds, and DR shot away there before.

    Where it goes through somebody first, `cover` is what he is worth and `rolled` the damage roll made for both.
    """

    slot: Slot
    effect: CriticalEffect
    dr_lost: int = 0
    cover: int = 0
    rolled: int | None = None


@dataclass(frozen=True, slots=True)
class Impact:
    """What a damage roll means for a location. What is only told takes no part in comparison.

    `injury` is what the whole loses, `dice_inside` the dice of damage for people behind it, `dr_lost` DR shot away.
    """

    injury: int = 0
    cripples: bool = False
    major: bool = False
    burns: bool = False
    dice_inside: int = 0
    dr_lost: int = 0
    damage: int = field(default=0, compare=False)
    through: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.injury} injury" if self.injury else "stopped"


NO_IMPACT: Final = Impact()


# -- one round -------------------------------------------------------------------------------------------------------


def strike_vehicle(dice: Dice, plan: VehiclePlan, strike: Strike) -> Impact:
    """One round against a location of the vehicle: armor, injury, and what is crippled; tires may go flat (G19).

    The threshold of each part is a number in data/vehicle.toml; `Injury.enough` says how much injury passes it.
    """
    slot, effect, shot = strike.slot, strike.effect, plan.shot
    dr = armor_of(plan, strike)
    damage = effect.damage(shot.dice, strike.rolled)
    impact = read_damage(dice, damage, impact_of, plan, slot, effect, dr, reason=shot.roll_name, rule="DMG")
    dice.note(
        "G15" if slot.code.acts == "body" else "G11",
        "{}: {} damage {}, DR {} counts {}: {} through, injury {}",
        slot.name, impact.damage, shot.kind, slot.raw, dr, max(impact.through, 0), impact.injury,
    )  # fmt: skip
    if impact.cripples:
        dice.note("G19", "The {} is crippled.", slot.name)
    elif impact.injury and slot.code.tire and plan.block.tires and not makes_ht(dice, plan.block.ht, "tire", "G19"):
        dice.note("G19", "The tire is flat: the wheel is crippled until it is changed.")
        impact = replace(impact, cripples=True)
    if impact.burns:
        dice.note("G25", "It catches fire.")
    return impact


def armor_of(plan: VehiclePlan, strike: Strike) -> int:
    """DR that counts: less what was shot away, more for a body in the way, the mean for what is felt all over (G26)."""
    slot, dr = strike.slot, strike.slot.dr
    if strike.dr_lost:
        first = slot.parts[0]
        parts = (Layer(dr=max(0, first.dr - strike.dr_lost), hardened=first.hardened), *slot.parts[1:])
        divisor = plan.shot.divisor_of(plan.blast_part)
        dr = effective_dr(parts, divisor, best_for_all=plan.options.hardened == "best for all")
    dr += strike.cover
    if plan.felt_all_over:
        dr = average_dr(dr, 0 if plan.exposed else min(s.dr for s in plan.slots))
    if plan.attack.delivery == "lobbed_inside":
        dr = 0
    return strike.effect.armor(dr)


@rising
def impact_of(rolled: int, plan: VehiclePlan, slot: Slot, effect: CriticalEffect, dr: int) -> Impact:
    """What a total of the damage roll means for a location whose DR counts so much.

    G16: over half the HP cripples a track, and the excess is lost; other parts have thresholds of their own.
    """
    damage = damage_of(plan.shot.kind, rolled, effect.times * plan.shot.scale, plan.blast_part)
    through = damage - dr
    ablative = plan.block.stats.ablative
    dr_lost = ablation(ablative, min(damage, dr)) if ablative else 0
    injury = slot.injury.of(through)
    if not injury:
        return Impact(dr_lost=dr_lost, damage=damage, through=through)
    return Impact(
        slot.injury.kept(injury),
        slot.injury.cripples(injury),
        slot.code.acts != "part" and (effect.major or slot.injury.is_major(injury, plan.block.hp)),
        sets_alight(plan.block, plan.shot.fiery, injury),
        dice_inside(slot, through),
        dr_lost,
        damage,
        through,
    )


def dice_inside(slot: Slot, through: int) -> int:
    """The dice of damage for somebody behind an occupied place: one for so many full points through it (G28).

    How many is `damage_per_die` in data/occupants.toml.
    """
    return through // int(read("occupants")["damage_per_die"]) if slot.seats else 0


# -- HT rolls of a major wound ---------------------------------------------------------------------------------------


def major_wound(dice: Dice, plan: VehiclePlan, slot: Slot, flags: int) -> int:
    """The HT rolls of a major wound at a location: the flags they add to these (G15, G21, G25).

    Nothing more is rolled for what has blown up.
    """
    if flags & BLOWN_UP:
        return 0
    where, block, added = _MAJOR.get(slot.code.code, "body"), plan.block, 0
    if where in ("turret", "superstructure"):
        added = fittings(dice, plan, where)
    elif block.powered:
        added = power(dice, plan)
    elif explodes(dice, block):
        added = BLAST
    if (flags | added) & (FIRE | BLOWN_UP):
        return added
    return added | (FIRE if catches_fire(dice, block, fire=plan.shot.fiery, vital=where == "vital") else 0)


def power(dice: Dice, plan: VehiclePlan) -> int:
    """A major wound to a powered vehicle: HT, or power or propulsion is damaged (G15)."""
    grade = wound_roll(dice, plan.block, "major wound: HT roll", "G15")
    if grade != FAILED:
        return BLAST if grade == CRITICAL else 0
    dice.note("G15", "Power or propulsion is damaged: half Move.")
    return POWER


def fittings(dice: Dice, plan: VehiclePlan, where: str) -> int:
    """A major wound to a main turret or large superstructure: HT, or something in it is out (G21)."""
    grade = wound_roll(dice, plan.block, f"{where}: HT roll", "G21")
    if grade != FAILED:
        return BLAST if grade == CRITICAL else 0
    if where == "superstructure":
        dice.note("G21", "A major item in the superstructure is out.")
        return ITEM
    pick = plan.options.turret
    gun = pick == "gun" or (pick == "random" and dice.one_of((True, False), "main weapon out, else jammed", "G21"))
    dice.note("G21", "The main weapon is out." if gun else "The turret is jammed.")
    return GUN if gun else JAM


# -- what still works ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def works_of(plan: VehiclePlan, crippled: tuple[str, ...], flags: int, animals: tuple[Person, ...] = ()) -> Works:
    """How far the vehicle still moves and shoots, by what of it is crippled or damaged (G15-G22)."""
    return Works(mobility(plan, crippled, flags, animals), firepower(plan, crippled, flags))


def mobility(plan: VehiclePlan, crippled: Sequence[str], flags: int, animals: Sequence[Person] = ()) -> int:
    """Mobility by what is crippled: tracks and runners stop it, wheels count as legs, masts and power slow it."""
    counts = {f.code.code: f.count for f in plan.parts}
    level = REDUCED if flags & POWER else FULL
    for code in dict.fromkeys(crippled):
        gone = crippled.count(code)
        loses = next((f.code.loses for f in plan.parts if f.code.code == code), "")
        if loses == "all mobility":
            return NONE
        if loses == "legs":
            level = max(level, legs_level(gone, counts[code]))
        elif loses == "masts":
            level = max(level, NONE if gone >= counts[code] else REDUCED)
        elif loses == "flight":
            level = max(level, NONE if plan.block.flying else REDUCED)
    fallen = [animal for animal in animals if not animal.acts]
    if fallen:
        level = max(level, NONE if len(fallen) == len(animals) else REDUCED)
    return level


def firepower(plan: VehiclePlan, crippled: Sequence[str], flags: int) -> int:
    """Firepower by what is out: the main weapon, a jammed turret, a superstructure, mounts and small turrets."""
    if flags & GUN:
        return NONE
    armed = {f.code.code: f.count for f in plan.parts if f.code.loses == "firepower"}
    gone = sum(1 for code in crippled if code in armed)
    if gone and gone >= sum(armed.values()) and "main_gun" not in plan.target.aboard:
        return NONE
    return REDUCED if gone or flags & (JAM | ITEM) else FULL


def move_left(masts: int, lost: int) -> tuple[int, int]:
    """Move left to a sailing vessel as a fraction: each mast lost takes 1/masts (G22)."""
    return max(0, masts - lost), masts


def falls(plan: VehiclePlan, before: Sequence[str], after: Sequence[str]) -> int:
    """The flags of what comes down as places are crippled: an aircraft by wings or rotors, what stands on runners by
    one of them (G19).
    """
    wings = [code.code for code in all_codes().values() if code.loses == "flight"]
    crashes = plan.block.flying and any(after.count(code) > before.count(code) for code in wings)
    spills = "R" in after and "R" not in before
    return (CRASH if crashes else 0) | (SPILLED if spills else 0)
