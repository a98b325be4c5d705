"""From the rounds that strike to the outcome.

A single round: damage against armor, then the location (R2-R7). A burst: one location for all of it (R18), then every
round's damage against the armor by itself (A64).
"""

from __future__ import annotations

from typing import Any

from d100_wwii.consequences import kept
from d100_wwii.incendiary import catch_fire
from d100_wwii.people_burst import people_burst
from d100_wwii.rolls import times
from d100_wwii.rows import Toll, by_person, location, places_of, rounds, row_hit, step_six
from d100_wwii.shot import DAMAGE, Shot
from d100_wwii.told import located_told, outcome_of, stopped_told, told_of
from d100_wwii.vehicle import Part, Place
from d100_wwii.work import After, Start, Work, composed
from mantlet import ArmorResult, Dice, Location, Outcome, Then

Result = Outcome | Then
UNIT = "AV"


def strike(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool) -> Result:
    """So many rounds strike; the first alone may impale."""
    if hits > 1:
        return dice.then(burst, shot, start, hits, impale)
    if impale:
        total = dice.roll(shot.impaled, "damage, impaling (two rolls)", "A21")
    else:
        total = dice.roll(shot.damage, "damage", "R2")
    return against_armor(dice, shot, start, total, 1)


def against_armor(dice: Dice, shot: Shot, start: Start, total: int, hits: int) -> Result:
    """Damage against the armor (R3, R4)."""
    armor = start.detail.armor
    damage = shot.brings(total)
    facing = shot.facing(start.vehicle.stats.passenger_armor, armor)
    if shot.halves:
        dice.note("R8", "half against an armored vehicle: {}", damage)
    if shot.half_armor:
        dice.note("R20", "under the vehicle its armor counts half: {}", facing)
    after = shot.armor_left(armor, damage)
    if shot.half_armor and shot.options.halved_armor_lasts:
        after = min(after, facing)
    if not shot.through(damage, facing):
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
        _tell_armor(dice, armor, after)
        if shot.told and shot.kind != "fire":
            return stopped_told(shot, after < armor)
        return stopped(dice, shot, start, after, hits, damage, facing)
    dice.note("R4", "{} - armor {} = {} through", damage, facing, damage - facing)
    _tell_armor(dice, armor, after)
    beyond = max(0, damage - armor) if shot.bare else damage - facing
    if shot.told:
        return in_few_words(dice, shot, start, facing, damage - facing)
    return dice.then(located, shot, start, facing, after, damage - facing, beyond, hits)


def in_few_words(dice: Dice, shot: Shot, start: Start, facing: int, damage: int) -> Result:
    """The rest of a round through the armor, told by its effects or its damage alone."""
    old, cap = start.detail.base_hp, start.vehicle.cap
    base = max(0, old - damage)
    exact = shot.told == DAMAGE
    kill = 0 if base or not old else 1 if exact else min(damage, cap)
    takes = min(damage + facing if shot.options.component_takes == "damage" else damage, cap)
    heat = _heat(shot, damage + facing)
    return dice.then(
        located_told, shot, start, min(damage, cap), takes, kill, heat, base if exact else kept(start, base)
    )


def _heat(shot: Shot, damage: int) -> int:
    """The damage a fire goes on with, where it matters."""
    return damage if shot.kind == "fire" or shot.options.fire_damage == "attack" else 0


def stopped(dice: Dice, shot: Shot, start: Start, armor: int, hits: int, damage: int, facing: int) -> Outcome:
    """Nothing penetrates. An incendiary may burn on the outside all the same."""
    work = Work(start)
    work.armor = armor
    if shot.kind == "fire":
        catch_fire(dice, work, shot, damage)
        if shot.told:
            return outcome_of(shot, start, told_of(shot, start, work.after(), ()), work.base_hp)
    return work.close(hits=hits, armor=ArmorResult(facing, damage, UNIT) if shot.lowers and hits == 1 else None)


def _tell_armor(dice: Dice, armor: int, after: int) -> None:
    if after != armor:
        dice.note("A1", "armor falls from {} to {} until repaired", armor, after)


def located(
    dice: Dice, shot: Shot, start: Start, facing: int, armor: int, damage: int, beyond: int, hits: int
) -> Outcome:
    """A round is through: where it strikes and what it does there.

    `damage` is what is through, `beyond` what step 6 takes off the Base HP.
    """
    row = location(dice, start, shot)
    beyond = step_six(shot, start, row, damage, damage + facing, beyond)
    old = start.detail.base_hp
    base = max(0, old - beyond)
    if base != old:
        dice.note("R5", "Base HP falls from {} to {}", old, base)
    kill = damage if old > 0 >= base else 0
    takes = damage + facing if shot.options.component_takes == "damage" else damage
    after: After = dice.settle(row_hit, *what_hits(shot, start, row, damage, takes, kill, damage + facing))
    locations = places_of(row)
    result = ArmorResult(facing, facing + damage, UNIT) if hits == 1 else None
    return composed(start, after, armor, base, hits, locations, result)


def what_hits(
    shot: Shot, start: Start, row: Part | Place, damage: int, takes: int, kill: int, heat: int
) -> tuple[Shot, Start, Part | Place, int, int, int, int]:
    """What a row is hit with, for `row_hit`: more damage than anything there has makes no difference."""
    cap = start.vehicle.cap
    if isinstance(row, Part):
        damage, takes = 0, min(takes, row.hp)
    return shot, start, row, min(damage, cap), min(takes, cap), min(kill, cap), _heat(shot, heat)


def burst(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool) -> Result:
    """Several rounds strike one place (R18)."""
    if shot.options.burst_armor == "total":
        return against_armor(dice, shot, start, dice.roll(times(shot.damage, hits), "damage of the burst", "A64"), hits)
    row = location(dice, start, shot)
    if by_person(shot, row):
        assert isinstance(row, Place)
        return people_burst(dice, shot, start, row, hits, impale)
    return dice.then(row_burst, shot, start, row, hits, impale)


def row_burst(dice: Dice, shot: Shot, start: Start, row: Part | Place, hits: int, impale: bool) -> Result:
    """Several rounds strike a component, or a place that every round fills."""
    # Which of the rounds still matter to Base HP does not depend on the row, unless the row may change what it loses.
    changed = row if shot.options.rows_change_base_hp else None
    toll: Toll = dice.settle(rounds, shot, start, changed, hits, impale)
    if not toll.through:
        return stopped(dice, shot, start, toll.armor, hits, 0, 0)
    dice.note("R5", "Base HP falls from {} to {}", start.detail.base_hp, toll.base)
    hit = what_hits(shot, start, row, toll.taken, toll.taken, toll.kill, toll.taken)
    return dice.then(row_struck, start, hit, toll.armor, toll.base, hits, places_of(row))


def row_struck(
    dice: Dice, start: Start, hit: tuple[Any, ...], armor: int, base: int, hits: int, locations: tuple[Location, ...]
) -> Outcome:
    """All rounds of a burst have struck: what they do there."""
    return composed(start, dice.settle(row_hit, *hit), armor, base, hits, locations, None)
