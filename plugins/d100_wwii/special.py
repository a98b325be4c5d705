"""Attacks with rules of their own: charges in the running gear, grenades inside, ramming."""

from __future__ import annotations

from typing import Any

from d100_wwii.consequences import run
from d100_wwii.driving import crash, drive, trouble
from d100_wwii.fire import catch_fire
from d100_wwii.location import UNIT, base_hp_falls, strike
from d100_wwii.options import Options
from d100_wwii.people import driver_lost, everyone_struck, lethal
from d100_wwii.rolls import half, share, skill_roll
from d100_wwii.shot import Shot
from d100_wwii.status import Start, Status
from d100_wwii.tables import Op, collision_table, trouble_tables
from d100_wwii.vehicle import Part, Place
from mantlet import ArmorResult, Dice, Modifier, Outcome, Then, effects

RAM_PUSH = -20
RAM_FAILED = -15
RAMMER_SHARE = 0.25


def in_running_gear(dice: Dice, shot: Shot, start: Start) -> Outcome | Then:
    """A charge in the treads has the Tread row's result: the tread is destroyed, Base HP is spared (R20, A29)."""
    if shot.options.charge_in_treads == "must_penetrate":
        return strike(dice, shot, start, 1, False)
    status = Status(start)
    status.effects = effects.PENETRATED
    part = start.vehicle.rows["tread"]
    assert isinstance(part, Part)
    standing = [i for i in part.pools if status.pools[i] > 0]
    if not standing:
        dice.note("A6", "{} was destroyed before: no further effect", part.label)
    else:
        dice.note("A29", "{} destroyed", part.label)
        status.set_pool(part, standing[-1], 0)
        run(dice, status, part.effects)
        driver_lost(dice, status, start.detail.people)
    return status.close(dice, locations=(part.location,))


def inside(dice: Dice, shot: Shot, start: Start, place: Place) -> Outcome:
    """A grenade goes off inside: no armor, no location roll; double damage in an armored vehicle (R26, A41).

    What is doubled is the full damage, or under the option the half that explosives do to armored vehicles (A68).
    """
    options = shot.options
    damage = dice.roll(shot.damage, "damage", "R26")
    if options.starred(start.vehicle.stats.armored):
        if shot.halves and options.inside_doubles == "half":
            damage = half(damage, options.round_up)
            dice.note("A68", "half against an armored vehicle: {}", damage)
        damage *= 2
        dice.note("R26", "inside an armored vehicle it is doubled: {}", damage)
    status = Status(start)
    status.effects = effects.PENETRATED
    status.base_hp, wreck = base_hp_falls(dice, status.base_hp, damage, damage)
    damages = {}
    for other in start.vehicle.places:
        whole = other is place or not place.afv or options.grenade_inside == "everyone"
        if not whole and other.seats:
            dice.note("A41", "{}: half of it", other.label)
        damages[other] = lethal(options, damage if whole else half(damage, options.round_up))
    everyone_struck(dice, status, damages, wreck)
    if shot.kind == "fire":
        catch_fire(dice, status, shot, damage)
    driver_lost(dice, status, start.detail.people)
    return status.close(dice, locations=(place.location,), armor=ArmorResult(0, damage, UNIT))


def compartment_of(aim: str | None, start: Start) -> Place:
    """The compartment a grenade lands in: the one chosen, else the first with people in it, in armor an open one."""
    vehicle = start.vehicle
    row = vehicle.aims.get(aim or "")
    if isinstance(row, Place):
        return vehicle.place_of(row.seats[0])
    manned = [place for place in vehicle.places if place.seats] or [vehicle.places[0]]
    return next((place for place in manned if place.afv and place.exposed), manned[0])


def ram(dice: Dice, plan: Any, start: Start) -> Outcome:
    """A ram that succeeded: collision damage to the target, a quarter to the rammer (R28), or off the road (R29)."""
    status = Status(start)
    vehicle = start.vehicle
    if plan.push:
        dice.note("R29", "a push off the road: no damage, but the other driver must hold his vehicle")
        if not drive(dice, status, Modifier(RAM_PUSH, "pushed off the road"), "R29"):
            trouble(dice, status, 0, "R29")
            driver_lost(dice, status, start.detail.people)
        return status.close(dice)
    options = vehicle.options
    book = collision_table(options.collision_table)
    stats = vehicle.stats
    expression = book.dice(plan.closing, larger=stats.base_hp > plan.weapon.rammer_base_hp)
    total = 0 if expression is None else dice.roll(expression, f"collision at closing MOVE {plan.closing}", "R28")
    factor = book.size_factor(plan.weapon.rammer_base_hp / stats.base_hp) if options.collision_size_factor else 1.0
    status.effects = effects.PENETRATED if total else 0
    dice.note("A62", "size: Base HP {} against {} makes x{:g}", plan.weapon.rammer_base_hp, stats.base_hp, factor)
    crash(dice, status, share(total, factor, options.round_up), book)
    driver_lost(dice, status, start.detail.people)
    own = share(total, RAMMER_SHARE, options.round_up)
    theirs = share(own, book.occupants, options.round_up)
    dice.note("R28", "the ramming vehicle takes a quarter, {}; everyone aboard it {}", own, theirs)
    return status.close(dice, detail=("rammer_damage", own))


def ram_failed(dice: Dice, plan: Any, start: Start) -> Outcome:
    """A ram that failed: the ramming driver must hold his own vehicle (R30)."""
    skill, *circumstances = plan.to_hit.modifiers
    reasons = (skill, Modifier(RAM_FAILED, "the ram failed"), *circumstances)
    if dice.check(skill_roll(reasons), skill.reason, "R30"):
        return Status(start).close(dice, hits=0, detail=("rammer_trouble", ""))
    tables = trouble_tables(start.vehicle.options.trouble_table)
    row = dice.pick(tables["tracks" if plan.weapon.tank else "wheels"], "Vehicle trouble of the ramming vehicle", "R30")
    for op in row.effects:
        dice.note("R30", "the ramming vehicle: {}", in_words(op, plan.rammer_speed, start.vehicle.options))
    return Status(start).close(dice, hits=0, detail=("rammer_trouble", row.name))


def in_words(op: Op, move: int, options: Options) -> str:
    """What a row of the trouble table means for a vehicle at this MOVE that is not the target: the referee's to do."""
    book = collision_table(options.collision_table)
    if op.kind == "collision":
        return f"a collision at MOVE {move}, {book.dice(move, larger=False)}, x{book.occupants:g} to everyone aboard"
    if op.kind == "drive_next":
        return f"Drive at {op.value} next round" + (f", or trouble again at +{op.reroll}" if op.reroll else "")
    if op.kind in ("move_becomes", "move_lost"):
        return f"MOV falls {'to' if op.kind == 'move_becomes' else 'by'} 1/{op.value} until repaired"
    if op.kind == "thrown_out":
        return f"over MOVE {op.value} everyone rolls Luck or is thrown out, {op.dice} for every 10 MOVE"
    return {
        "stop": "stops and is inoperable until repaired",
        "halt": "stands still",
        "fire": "a roll on the fire table",
    }.get(op.kind, op.text)
