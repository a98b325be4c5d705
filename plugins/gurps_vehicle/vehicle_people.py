"""What one round does to those aboard a vehicle: riders, people inside, draft animals (G17, G18, G20, G26-G31)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gurps_vehicle.armor import cover_dr
from gurps_vehicle.files import read
from gurps_vehicle.health import DEAD, DOWN
from gurps_vehicle.people import Blow, lots_of, occupant_dice, person, state_of, who_table, wound
from gurps_vehicle.planning import blast_part
from gurps_vehicle.tables import HIT, ORDINARY, CriticalEffect, occupant_check, occupant_number
from gurps_vehicle.vehicle_plan import VehiclePlan
from gurps_vehicle.vehicle_slots import Slot
from mantlet import Dice, Stage, Step, Then

TORSO_ROW = 10
"""The row of the humanoid table whose place stands for the body as a whole."""

People = tuple[int, ...]

NOBODY_COUNTS: Final[People] = ()
"""Stands for people whose state has no further use: some are sure to stay in action, or somebody is hurt already."""


def number_inside(plan: VehiclePlan, present: Sequence[int]) -> int:
    """The number on the occupant table for those present, 0 where nobody is."""
    if not present:
        return 0
    return occupant_number(len(present), plan.block.sm, plan.options.occupants_outside)


def blow_of(plan: VehiclePlan, effect: CriticalEffect, cover: int = 0, part: int = 1) -> Blow:
    """The round as it strikes somebody: a critical's worth of damage, armor in the way, a part of an explosion."""
    shot = plan.shot
    dice = shot.dice.high if effect.maximum else shot.dice
    divisor = shot.divisor if part == 1 else 1.0
    return Blow(dice, shot.kind, divisor, cover, shot.tight_beam, effect.times, part, effect.dr, effect.major)


def blow_at(plan: VehiclePlan, slot: Slot, effect: CriticalEffect, rolled: int | None) -> Blow:
    """The round as it strikes somebody in the open, or behind a window; `rolled` is a damage roll already made."""
    blow = blow_of(plan, effect, slot.raw if slot.code.acts == "window" else 0)
    return blow if rolled is None or effect.maximum else blow._replace(dice=rolled)


def blows_inside(dice: Dice, plan: VehiclePlan, number: int, count: int) -> tuple[Blow, ...]:
    """Five or more points through an occupied place, `count` dice: is somebody hit (G27), and how hard is everyone who
    is (G28, G29)? `number` is that of the occupant table.
    """
    if not count or not number or dice.check(occupant_check(number), "an occupant is hit", "G27") != HIT:
        return ()
    lots = lots_of(count, plan.options.divide_occupant_damage)
    return tuple([Blow(occupant_dice(lot), "cut") for lot in lots])


def strike_person(
    dice: Dice, plan: VehiclePlan, people: People, present: Sequence[int], blow: Blow, *, last: bool
) -> People:
    """Somebody in the open, or behind a window, is struck instead of the vehicle (G18, G20)."""
    who = pick_who(dice, plan, people, present)
    code = dice.settle(wound, plan.folk, people[who], blow)
    people = (*people[:who], code, *people[who + 1 :])
    if plan.wide:
        return strike_around(dice, plan, people, besides=who, last=last)
    return in_order(plan, people)


def body_as_cover(plan: VehiclePlan) -> int | None:
    """What somebody is worth as cover for the vehicle behind him; None where nothing goes through people."""
    if not plan.options.overpenetration or plan.shot.named not in read("wounding")["overpenetration"]["kinds"]:
        return None
    folk = plan.folk
    return cover_dr("living", folk.dr.get("torso", 0), folk.health.hp, plan.shot.divisor)


def pick_who(dice: Dice, plan: VehiclePlan, people: People, present: Sequence[int]) -> int:
    """Who of those that can be is struck (G31)."""
    called = plan.seat_names if plan.keep == "told" else plan.kin
    names = tuple([called[i] for i in present])
    table = who_table(tuple([people[i] for i in present]), names)
    index = 0 if len(table.rows) == 1 else dice.pick(table, "who is hit", "G31")
    return present[index]


def strike_inside(dice: Dice, plan: VehiclePlan, people: People, present: Sequence[int], count: int) -> People:
    """Five or more points through an occupied place: who is hit (G31), and how badly."""
    for blow in blows_inside(dice, plan, number_inside(plan, present), count)[: len(present)]:
        who = pick_who(dice, plan, people, present)
        present = [i for i in present if i != who]
        code = dice.settle(wound, plan.folk, people[who], blow)
        people = (*people[:who], code, *people[who + 1 :])
    return in_order(plan, people)


def strike_around(dice: Dice, plan: VehiclePlan, people: People, besides: int = -1, *, last: bool) -> People:
    """Everybody in the open feels an explosion or large-area attack (G26): a yard off, or all over.

    With the `last` round nobody counts any more where it only matters if all are out of action, and one is not.
    """
    inside = plan.attack.delivery == "lobbed_inside"
    factor = 1 if plan.shot.large_area else blast_part(1)
    seats = [i for i in (plan.inside if inside else plan.exposed) if i != besides]
    return _all_feel(dice, plan, people, seats, factor, last)


def strike_everybody(dice: Dice, plan: VehiclePlan, people: People) -> People:
    """Those in the open, when an explosion goes off some way away."""
    factor = blast_part(plan.yards_off)
    return _all_feel(dice, plan, people, plan.exposed, factor, last=False)


class Felt:
    """What somebody feels of an explosion. Compares by identity: one object for equal ones of a plan.

    `alike` are those in like seats who have felt it by then, him included: they are put in order.
    """

    __slots__ = ("alike", "blow", "last", "plan", "seat", "spot")

    def __init__(self, plan: VehiclePlan, seat: int, alike: tuple[int, ...], factor: int, last: bool) -> None:
        self.plan, self.seat, self.alike = plan, seat, alike
        self.blow = blow_of(plan, ORDINARY, part=factor)
        self.spot: Any = plan.folk.body.table.row_for(TORSO_ROW).value
        self.last = last and plan.counts_people


def _all_feel(dice: Dice, plan: VehiclePlan, people: People, seats: Sequence[int], factor: int, last: bool) -> People:
    """Everybody in these seats feels a part of the damage, one after the other."""
    there = tuple([i for i in seats if people[i] >= 0])
    key = ("felt", there, factor, last)
    steps = plan.known.get(key)
    if steps is None:
        made = []
        for at, i in enumerate(there):
            group = next((group for group in plan.groups if i in group), ()) if plan.keep != "told" else ()
            alike = tuple(sorted([j for j in there[: at + 1] if j in group]))
            made.append(Step(_ask_wound, _add_wound, (Felt(plan, i, alike, factor, last),)))
        steps = plan.known[key] = tuple(made)
    after: People = dice.fold(people, steps) if steps else people
    return in_order(plan, after) if after else after


def _ask_wound(people: People, felt: Felt) -> tuple[Stage, tuple[Any, ...]]:
    if felt.plan.keep == "told":
        return told_wound, (felt, people[felt.seat])
    return wound, (felt.plan.folk, people[felt.seat] if people else person(0, DEAD), felt.blow, felt.spot)


def told_wound(dice: Dice, felt: Felt, code: int) -> int | Then:
    """What somebody feels of it, and who that is."""
    name, part = felt.plan.seat_names[felt.seat], felt.blow.part
    if part > 1:
        dice.note("G26", "{} feels damage / {}.", name, part)
    else:
        dice.note("G26", "{} feels all of it.", name)
    return wound(dice, felt.plan.folk, code, felt.blow, felt.spot)


def _add_wound(people: People, code: int, felt: Felt) -> People:
    if not people or (felt.last and state_of(code) < DOWN):
        return NOBODY_COUNTS
    after = list(people)
    after[felt.seat] = code
    for i, state in zip(felt.alike, sorted([after[i] for i in felt.alike])):
        after[i] = state
    return tuple(after)


def in_order(plan: VehiclePlan, people: People) -> People:
    """Everybody; where nothing is told, people in like seats are put in order, so that equal states merge."""
    if plan.keep == "told":
        return people
    after = list(people)
    for group in plan.groups:
        if len(group) > 1:
            for i, state in zip(group, sorted([after[i] for i in group])):
                after[i] = state
    return tuple(after)


def strike_animal(dice: Dice, plan: VehiclePlan, effect: CriticalEffect, animals: People) -> People:
    """A draft animal is struck; the vehicle takes nothing and gives it no armor (G17)."""
    table = who_table(animals, ("draft animal",) * len(animals))
    who = 0 if len(table.rows) == 1 else dice.pick(table, "which animal", "G17")
    code = dice.settle(wound, plan.animals, animals[who], blow_of(plan, effect))
    return tuple(sorted((*animals[:who], code, *animals[who + 1 :])))
