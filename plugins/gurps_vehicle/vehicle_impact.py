"""What one round does to a vehicle: armor, injury, what is crippled, the HT rolls of a major wound (G15-G25)."""

from __future__ import annotations

from typing import Final, NamedTuple

from gurps_vehicle.armor import ablation, average_dr, effective_dr, least_damage
from gurps_vehicle.detail import BLOWN_UP, FIRE, GUN, ITEM, JAM, POWER, STOPPED, WRECKED
from gurps_vehicle.exactness import Exactness, as_exact
from gurps_vehicle.files import read
from gurps_vehicle.fragile import CRITICAL, catches_fire, explodes, sets_alight, wound_roll
from gurps_vehicle.health import MADE, makes_ht
from gurps_vehicle.stats import Layer
from gurps_vehicle.tables import CriticalEffect
from gurps_vehicle.vehicle_plan import VehiclePlan
from gurps_vehicle.vehicle_slots import Slot
from mantlet import Check, Dice, Then

_BLAST: Final = BLOWN_UP | WRECKED | STOPPED
_MAJOR: Final = {"vital": "vital", "T": "turret", "S": "superstructure"}
"""Where a major wound is to something else than the body."""


class Hit(NamedTuple):
    """What a damage roll means for a location. Numbers that nothing depends on are 0 where nothing is told."""

    through: int
    injury: int
    hurts: bool
    major: bool
    cripples: bool
    dice_inside: int
    burns: bool = False
    stopped: int = 0
    damage: int = 0

    def __str__(self) -> str:
        return f"{self.injury} injury" if self.hurts else "stopped"


class Impact(NamedTuple):
    """What one round does to the vehicle itself, and the dice of damage it has for people inside."""

    slot: Slot
    injury: int = 0
    crippled: str = ""
    flags: int = 0
    major: str = ""
    """A major wound: to the `body`, a `vital` area, a `turret` or a `superstructure`. Its HT rolls come when all rounds
    have struck.
    """
    through: bool = False
    hurts: bool = False
    dice_inside: int = 0
    stopped: int = 0


def strike_vehicle(
    dice: Dice,
    plan: VehiclePlan,
    slot: Slot,
    effect: CriticalEffect,
    worn: int,
    exact: Exactness,
    rolled: int | None = None,
    inside: bool = True,
) -> Impact:
    """One round against a location of the vehicle: armor, injury, and what is crippled.

    `worn` is DR shot away (below 0: what is in the way besides), `exact` how exact the injury has to be,
    `rolled` a damage roll already made, `inside` whether people may be hit behind it.
    """
    hit = _damage(dice, plan, slot, effect, worn, exact, rolled, inside)
    if plan.keep == "told":
        dice.note(
            "G15" if slot.code.acts == "body" else "G11",
            "{}: {} damage {}, DR {} counts {}: {} through, injury {}",
            slot.name, hit.damage, plan.shot.kind, slot.raw, hit.damage - hit.through, max(hit.through, 0), hit.injury,
        )  # fmt: skip
    through = hit.hurts or hit.dice_inside > 0
    if not hit.hurts or plan.keep in ("touched", "people"):
        # A part of which nothing is left may burn all the same: that too is damage.
        flags = FIRE if hit.burns and slot.code.acts == "part" else 0
        return Impact(slot, 0, "", flags, "", through, hit.hurts, hit.dice_inside, hit.stopped)
    flags, crippled = 0, ""
    block, code = plan.block, slot.code
    if hit.cripples:
        dice.note("G19", "The {} is crippled.", slot.name)
        crippled = code.code
    elif code.tire and block.stats.tires and not makes_ht(dice, block.ht, "tire", "G19"):
        dice.note("G19", "The tire is flat: the wheel is crippled until it is changed.")
        crippled = code.code
    if plan.keep == "damage":
        return Impact(slot, hit.injury, crippled, hurts=True, stopped=hit.stopped)
    major = ""
    if hit.major:
        major = _MAJOR.get(code.code, "body")
    if hit.burns:
        dice.note("G25", "It catches fire.")
        flags |= FIRE
    return Impact(slot, hit.injury, crippled, flags, major, through, True, hit.dice_inside, hit.stopped)


def major_wounds(dice: Dice, plan: VehiclePlan, majors: tuple[str, ...], flags: int) -> int | Then:
    """The HT rolls of every major wound, one after the other: the flags after them (G15, G21, G25).

    Where a view of the odds has no use for what a roll decides, it is left out.
    """
    if not majors:
        return flags
    where, block = majors[0], plan.block
    if where in ("turret", "superstructure"):
        if plan.told_flags & (GUN | JAM | ITEM):
            flags |= _fittings(dice, plan, where)
    elif block.powered:
        if plan.told_flags & POWER:
            flags |= _power(dice, plan)
    elif explodes(dice, block.fragile, block.ht, block.hp):
        flags |= _BLAST
    if (
        plan.told_flags & FIRE
        and not flags & (BLOWN_UP | FIRE)
        and catches_fire(dice, block.fragile, block.ht, fire=plan.shot.fiery, vital=where == "vital")
    ):
        flags |= FIRE
    return dice.then(major_wounds, plan, majors[1:], flags)


def _damage(
    dice: Dice,
    plan: VehiclePlan,
    slot: Slot,
    effect: CriticalEffect,
    worn: int,
    exact: Exactness,
    rolled: int | None,
    inside: bool,
) -> Hit:
    if rolled is not None or effect.maximum:
        damage = plan.shot.dice.high if effect.maximum else rolled
        assert damage is not None
        return _told_of(plan, _hit(plan, slot, effect, _dr(plan, slot, worn), damage), exact, inside)
    key = (slot, effect, worn, exact, inside)
    check = plan.known.get(key)
    if check is None:
        hits = _hits(plan, slot, effect, worn)
        check = plan.known[key] = Check(
            plan.shot.dice, _graded([(total, _told_of(plan, hit, exact, inside)) for total, hit in hits])
        )
    return dice.check(check, plan.shot.roll_name, "DMG")  # type: ignore[no-any-return]


def _hits(plan: VehiclePlan, slot: Slot, effect: CriticalEffect, worn: int) -> list[tuple[int, Hit]]:
    """What the totals of the damage roll mean for a location, up to each: worked out once for all views of an attack.

    Where it is not told, what of the damage gets through is left out, so that totals with like injuries are one.
    """
    told = plan.keep == "told"
    key = (slot, effect, worn, told)
    found: list[tuple[int, Hit]] | None = plan.hits.get(key)
    if found is None:
        dr = _dr(plan, slot, worn)
        found = [(total, _hit(plan, slot, effect, dr, total)) for total, _ in plan.shot.dice.ways]
        found = plan.hits[key] = found if told else _graded(found)
    return found


def _graded(hits: list[tuple[int, Hit]]) -> list[tuple[int, Hit]]:
    """Hits by the highest total that gives them."""
    return [(total, hit) for at, (total, hit) in enumerate(hits) if at + 1 == len(hits) or hits[at + 1][1] != hit]


def _dr(plan: VehiclePlan, slot: Slot, worn: int) -> int:
    """DR that counts: less what was shot away, more (a negative number) for a body in the way, the mean for areas."""
    dr = slot.dr
    if worn > 0:
        first = slot.parts[0]
        parts = (Layer(dr=max(0, first.dr - worn), hardened=first.hardened), *slot.parts[1:])
        dr = effective_dr(parts, plan.shot.divisor, best_for_all=plan.options.hardened == "best for all")
    elif worn < 0:
        dr -= worn
    if plan.shot.large_area or plan.yards_off:
        # A divisor counts where the round strikes, not for a blast some way off.
        own, others = (slot.raw, [s.raw for s in plan.slots]) if plan.yards_off else (dr, [s.dr for s in plan.slots])
        dr = average_dr(own, 0 if plan.exposed else min(others))
    return 0 if plan.attack.delivery == "lobbed_inside" else dr


def _hit(plan: VehiclePlan, slot: Slot, effect: CriticalEffect, dr: int, total: int) -> Hit:
    """What a total of the damage roll means."""
    damage = least_damage(plan.shot.kind, total) * effect.times // plan.felt
    dr = effect.armor(dr)
    through = damage - dr
    stopped = ablation(plan.block.stats.ablative, min(damage, dr)) if plan.block.stats.ablative else 0
    injury = slot.injury.of(through)
    told = plan.keep == "told"
    if not injury:
        return Hit(through if told else 0, 0, False, False, False, 0, False, stopped, damage if told else 0)
    return Hit(
        through if told else 0,
        slot.injury.kept(injury),
        True,
        (effect.major or injury * 2 > plan.block.hp) and slot.code.acts != "part",
        slot.injury.cripples(injury),
        _dice_inside(slot, through),
        sets_alight(plan.block.fragile, plan.shot.fiery, injury),
        stopped,
        damage if told else 0,
    )


def _told_of(plan: VehiclePlan, hit: Hit, exact: Exactness, inside: bool) -> Hit:
    """A hit as far as it matters: where less is told, hits that differ in the rest are one."""
    keep = plan.keep
    if keep == "told":
        return hit
    _, injury, hurts, major, cripples, dice_inside, burns, stopped, _ = hit
    if not inside:
        dice_inside = 0
    if keep in ("touched", "people"):
        seen = not plan.people_alone
        return Hit(0, 0, hurts and seen, False, False, dice_inside, burns and seen, stopped)
    if not hurts:
        return Hit(0, 0, False, False, False, 0, False, stopped)
    return Hit(
        0, as_exact(plan.block.hp, exact, injury), True, major, cripples and keep != "fire", dice_inside, burns, stopped
    )


def _dice_inside(slot: Slot, through: int) -> int:
    """The dice of damage that go through an occupied place to those inside (G28)."""
    if through <= 0 or not slot.seats or (slot.code.acts == "part" and slot.code.code != "t"):
        return 0
    return through // int(read("occupants")["damage_per_die"])


def _power(dice: Dice, plan: VehiclePlan) -> int:
    """A major wound to a powered vehicle: HT, or power or propulsion is damaged (G15)."""
    block = plan.block
    grade = wound_roll(dice, block.fragile, block.ht, block.hp, "major wound: HT roll", "G15")
    if grade == MADE:
        return 0
    if grade == CRITICAL:
        return _BLAST
    dice.note("G15", "Power or propulsion is damaged: half Move.")
    return POWER


def _fittings(dice: Dice, plan: VehiclePlan, where: str) -> int:
    """A major wound to a main turret or large superstructure: HT, or something in it is out (G21)."""
    block, choice = plan.block, plan.options.turret
    grade = wound_roll(dice, block.fragile, block.ht, block.hp, f"{where}: HT roll", "G21")
    if grade == MADE:
        return 0
    if grade == CRITICAL:
        return _BLAST
    if where == "superstructure":
        dice.note("G21", "A major item in the superstructure is out.")
        return ITEM
    gun = choice == "gun" or (choice == "random" and dice.one_of((True, False), "main weapon out, else jammed", "G21"))
    dice.note("G21", "The main weapon is out." if gun else "The turret is jammed.")
    return GUN if gun else JAM
