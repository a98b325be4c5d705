"""What one round does where it lands: to the vehicle, to somebody in its way, to people behind it."""

from __future__ import annotations

from typing import NamedTuple

from gurps_vehicle.detail import neutral_people
from gurps_vehicle.exactness import NOT, Exactness
from gurps_vehicle.health import DEAD, DOWN
from gurps_vehicle.people import Blow, state_of, wound
from gurps_vehicle.tables import HIT, ORDINARY, CriticalEffect, critical_rolls, occupant_check
from gurps_vehicle.vehicle_impact import Impact, major_wounds, strike_vehicle
from gurps_vehicle.vehicle_people import (
    NOBODY_COUNTS,
    blow_at,
    blows_inside,
    body_as_cover,
    in_order,
    number_inside,
    pick_who,
    strike_animal,
    strike_around,
    strike_inside,
    strike_person,
)
from gurps_vehicle.vehicle_plan import Stratum, VehiclePlan
from gurps_vehicle.vehicle_slots import Choice, Slot
from mantlet import Dice, Then


class Strike(NamedTuple):
    """What one round does in all: to the vehicle, to everybody aboard, to draft animals.

    `place` is where it landed, as the bit of the place, where that is told.
    """

    impact: Impact
    people: tuple[int, ...]
    animals: tuple[int, ...]
    place: int = 0


def one_round(
    dice: Dice,
    plan: VehiclePlan,
    stratum: Stratum,
    people: tuple[int, ...],
    animals: tuple[int, ...],
    ablated: tuple[tuple[str, int], ...],
    critical: bool,
    exact: Exactness,
    left: int | None,
) -> Then:
    """What one round does where it lands; to people only where their state is kept, with so many rounds `left`."""
    slot = land(dice, plan, stratum, people)
    return dice.then(strike_first, plan, slot, effect_of(dice, plan, critical), people, animals, ablated, exact, left)


def strike_first(
    dice: Dice,
    plan: VehiclePlan,
    slot: Slot,
    effect: CriticalEffect,
    people: tuple[int, ...],
    animals: tuple[int, ...],
    ablated: tuple[tuple[str, int], ...],
    exact: Exactness,
    left: int | None,
) -> Then:
    """What a round comes upon first, known as much as what follows depends on it."""
    place = plan.place_bit(slot) if plan.keep == "told" else 0
    if slot.code.acts == "animal":
        if plan.keep not in ("damage", "touched", "people"):
            animals = strike_animal(dice, plan, effect, animals)
        return dice.then(strike_people, plan, Impact(slot, through=True), None, (), people, animals, left, place)
    present = tuple([i for i in slot.seats if people[i] >= 0])
    number = number_inside(plan, present)
    impact, blow = first_struck(dice, plan, slot, effect, number, ablated, exact, inside=left is not None)
    if left is None:
        blow = None
    if left is None or (blow is None and (slot.code.acts == "window" or not impact.dice_inside)):
        present = ()  # at a window, whether somebody is in the way has been asked
    impact = _seen(plan, impact, inside=bool(present))
    return dice.then(strike_people, plan, impact, blow, present, people, animals, left, place)


def strike_people(
    dice: Dice,
    plan: VehiclePlan,
    impact: Impact,
    blow: Blow | None,
    present: tuple[int, ...],
    people: tuple[int, ...],
    animals: tuple[int, ...],
    left: int | None,
    place: int,
) -> Strike:
    """What a round does to people: the `blow` at somebody in its way, or the dice of its impact for those inside."""
    after = people
    if blow is not None:
        after = strike_person(dice, plan, people, present, blow, last=left == 0)
    elif present:
        after = strike_inside(dice, plan, people, present, impact.dice_inside)
    if plan.wide and blow is None and left is not None and impact.slot.code.acts != "animal":
        after = strike_around(dice, plan, after, last=left == 0)
    return Strike(_kept(dice, plan, impact), _counted(plan, people, after, left), animals, place)


def first_struck(
    dice: Dice,
    plan: VehiclePlan,
    slot: Slot,
    effect: CriticalEffect,
    number: int,
    ablated: tuple[tuple[str, int], ...],
    exact: Exactness,
    inside: bool = True,
) -> tuple[Impact, Blow | None]:
    """What a round comes upon first: the vehicle, or somebody in the open or behind a window, and what it is to him.

    `number` is that of the occupant table for those there; `inside` whether people behind it may be hit.
    """
    window = slot.code.acts == "window" and number > 0
    if slot.code.acts != "person" and not (
        window and dice.check(occupant_check(number), "somebody behind the window", "G20") == HIT
    ):
        worn = _worn(plan, slot, ablated)
        return strike_vehicle(dice, plan, slot, effect, worn, exact, None, inside and slot.code.acts != "window"), None
    cover = body_as_cover(plan) if slot.code.acts == "person" else None
    if cover is None:
        return Impact(slot, through=True), blow_at(plan, slot, effect, None)
    # One roll serves for him and for what is behind him.
    rolled = dice.roll(plan.shot.dice, plan.shot.roll_name, "DMG")
    behind = strike_vehicle(dice, plan, plan.body, effect, -cover, exact, rolled)
    return behind._replace(dice_inside=0, through=True), blow_at(plan, slot, effect, rolled)


def somebody(
    dice: Dice,
    plan: VehiclePlan,
    stratum: Stratum,
    people: tuple[int, ...],
    aboard: tuple[int, ...],
    critical: bool,
) -> tuple[int, ...]:
    """What one round does to people, of whom it strikes one at most: who it would be comes first, then whether it does.

    `aboard` are those who were there at first, as good for who is there as `people`.
    """
    if any(slot.seats != stratum[0].seats for slot in stratum):
        stratum = (land(dice, plan, stratum, aboard),)
    present = [i for i in stratum[0].seats if people[i] >= 0]
    if not present:
        return people
    who = pick_who(dice, plan, people, present)
    code: int = dice.settle(becomes, plan, stratum, aboard, critical, people[who])
    return in_order(plan, (*people[:who], code, *people[who + 1 :]))


def becomes(
    dice: Dice, plan: VehiclePlan, stratum: Stratum, aboard: tuple[int, ...], critical: bool, code: int
) -> int | Then:
    """What becomes of the one whom a round would strike."""
    blow: Blow | None = dice.settle(blow_of_round, plan, stratum, aboard, critical)
    return code if blow is None else dice.then(wound, plan.folk, code, blow)


def blow_of_round(
    dice: Dice, plan: VehiclePlan, stratum: Stratum, aboard: tuple[int, ...], critical: bool
) -> Blow | None:
    """What one round is to the one whom it would strike: None where it strikes nobody."""
    slot = land(dice, plan, stratum, aboard)
    effect = effect_of(dice, plan, critical)
    if slot.code.acts == "animal":
        return None
    number = number_inside(plan, [i for i in slot.seats if aboard[i] >= 0])
    impact, blow = first_struck(dice, plan, slot, effect, number, (), NOT)
    if blow is not None or slot.code.acts == "window":
        return blow
    return next(iter(blows_inside(dice, plan, number, impact.dice_inside)), None)


def effect_of(dice: Dice, plan: VehiclePlan, critical: bool) -> CriticalEffect:
    """What a critical hit does besides."""
    if not critical or not plan.options.criticals:
        return ORDINARY
    return dice.pick(critical_rolls("critical_hit"), "critical hit", "CRIT")


def land(dice: Dice, plan: VehiclePlan, stratum: Stratum, people: tuple[int, ...]) -> Slot:
    """Where a round lands (G11-G13), or where in its stratum."""
    if len(stratum) < len(plan.slots):
        for slot, chance in plan.chances(stratum, people) if len(stratum) > 1 else ():
            if dice.chance(chance, "which location"):
                return slot
        return stratum[-1]
    if plan.aimed is not None:
        slot = plan.aimed
    else:
        picked = dice.pick(plan.table, "hit location", "G11")
        slot = dice.one_of(picked.slots, "which location", "G13") if isinstance(picked, Choice) else picked
    if slot.code.acts == "person" and not any(people[i] >= 0 for i in slot.seats):
        dice.note("G18", "Nobody is there: the body is struck.")
        slot = plan.body
    return slot


def _worn(plan: VehiclePlan, slot: Slot, ablated: tuple[tuple[str, int], ...]) -> int:
    return dict(ablated).get(slot.dr_key, 0) if plan.block.stats.ablative else 0


def _seen(plan: VehiclePlan, impact: Impact, *, inside: bool) -> Impact:
    """What of an impact still matters: where nothing more is told, like impacts are one. `inside` may people be hit."""
    keep = plan.keep
    if keep == "told":
        return impact
    dice_inside = impact.dice_inside if inside else 0
    matters = impact.slot.code.acts in ("part", "animal") or impact.stopped
    slot = impact.slot if matters else plan.body
    if plan.people_alone:
        return Impact(slot if impact.stopped else plan.body, dice_inside=dice_inside, stopped=impact.stopped)
    if not plan.lean:
        return impact._replace(dice_inside=dice_inside, slot=slot, through=impact.through and keep != "damage")
    if not impact.hurts:
        return Impact(slot if impact.stopped else plan.body, dice_inside=dice_inside, stopped=impact.stopped)
    return Impact(
        slot, impact.injury, impact.crippled, impact.flags & plan.told_flags, impact.major, False, True,
        dice_inside, impact.stopped,
    )  # fmt: skip


def _kept(dice: Dice, plan: VehiclePlan, impact: Impact) -> Impact:
    """What of an impact the state goes on with, once people are hit."""
    if not plan.lean:
        return impact._replace(dice_inside=0)
    if not impact.hurts:
        return Impact(impact.slot, stopped=impact.stopped)
    flags, major = impact.flags, impact.major
    if major and plan.majors_apart:
        # Without explosives HT rolls of major wounds do not depend on each other, nor on what else happens.
        flags, major = dice.settle(major_wounds, plan, (major,), flags), ""
    if plan.keep == "fire":
        return Impact(impact.slot if impact.stopped else plan.body, flags=flags, stopped=impact.stopped)
    return Impact(impact.slot, impact.injury, impact.crippled, flags, major, hurts=True, stopped=impact.stopped)


def _counted(plan: VehiclePlan, before: tuple[int, ...], people: tuple[int, ...], left: int | None) -> tuple[int, ...]:
    """People as far as they count: where it only matters if all are out of action, told only whether each of them is,
    and not at all once they can no longer all be. Where it matters if anybody is hurt, not at all once somebody is.
    """
    if plan.keep == "touched":
        untouched = left is not None and neutral_people(people) == neutral_people(before)
        return people if untouched else NOBODY_COUNTS
    if not plan.counts_people:
        return people
    if left is None or not plan.can_end(people, left):
        return NOBODY_COUNTS
    return tuple([DEAD if code >= 0 and state_of(code) >= DOWN else code for code in people])
