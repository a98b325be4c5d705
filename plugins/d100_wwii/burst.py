"""From the rounds that strike to the outcome: damage against armor, location, and every further round of a burst.

Each stage takes one round and hands on to the next, so that equal states merge. A burst has one location (R18); each
round meets the armor alone (A64). The vehicle's effects are settled when the last round has struck.
"""

from __future__ import annotations

from typing import Any

from d100_wwii.consequences import run
from d100_wwii.incendiary import catch_fire
from d100_wwii.people import destruction, driver_lost, one_hit
from d100_wwii.people_burst import people_burst
from d100_wwii.rolls import half, times
from d100_wwii.shot import Shot
from d100_wwii.vehicle import Part, Place
from d100_wwii.work import Start, Work
from mantlet import ArmorResult, Dice, Outcome, Then, effects

Result = Outcome | Then
UNIT = "AV"


def strike(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool) -> Result:
    """So many rounds strike; the first alone may impale."""
    if hits > 1 and shot.options.burst_armor == "total":
        return dice.then(all_at_once, shot, start, hits)
    return dice.then(against_armor, shot, start, start.detail.armor, hits, hits, impale)


def all_at_once(dice: Dice, shot: Shot, start: Start, hits: int) -> Result:
    """The whole burst's damage against the armor once (option burst_armor)."""
    return _against(dice, shot, start, start.detail.armor, 1, hits, dice.roll(times(shot.damage, hits), "damage of the burst", "A64"))


def against_armor(dice: Dice, shot: Shot, start: Start, armor: int, left: int, hits: int, impale: bool) -> Result:
    """A round strikes before any has penetrated."""
    if impale:
        total = dice.roll(shot.impaled, "damage, impaling (two rolls)", "A21")
    else:
        total = dice.roll(shot.damage, "damage", "R2")
    return _against(dice, shot, start, armor, left, hits, total)


def _against(dice: Dice, shot: Shot, start: Start, armor: int, left: int, hits: int, total: int) -> Result:
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
        _tell_armor(dice, shot, armor, after)
        if left > 1:
            return dice.then(against_armor, shot, start, after, left - 1, hits, False)
        work = Work(start)
        work.armor = after
        if shot.kind == "fire":
            catch_fire(dice, work, shot, damage)
        return work.close(hits=hits, armor=ArmorResult(facing, damage, UNIT) if shot.lowers else None)
    dice.note("R4", "{} - armor {} = {} through", damage, facing, damage - facing)
    _tell_armor(dice, shot, armor, after)
    beyond = max(0, damage - armor) if shot.bare else damage - facing
    return dice.then(located, shot, start, facing, after, damage - facing, beyond, left - 1, hits)


def _tell_armor(dice: Dice, shot: Shot, armor: int, after: int) -> None:
    if after != armor:
        dice.note("A1", "armor falls from {} to {} until repaired", armor, after)


def located(
    dice: Dice, shot: Shot, start: Start, facing: int, armor: int, damage: int, beyond: int, left: int, hits: int
) -> Result:
    """The first round through: where the burst strikes, and what this round does there.

    `damage` is what is through, `beyond` what step 6 takes off the Base HP, `left` the rounds still to strike.
    """
    work = Work(start)
    work.armor = armor
    work.effects = effects.PENETRATED
    row = location(dice, work, shot)
    if isinstance(row, Part):
        if not row.pools:
            dice.note("A7", "no {} aboard: no effect there", row.label.lower())
            if start.vehicle.options.absent_component == "no_damage":
                beyond = 0
            return part_hit(dice, work, shot, row, -1, damage, beyond, facing, left, hits)
        index = instance(dice, work, row)
        return part_hit(dice, work, shot, row, index, damage, beyond, facing, left, hits)
    if shot.options.occupant_hit_spares_base_hp:
        beyond = 0
    if left and not (shot.area or (row.afv and shot.inside)):
        return people_burst(dice, work, shot, row, damage, beyond, left + 1, hits)
    was_able, before = work.driver_able, work.people
    base = work.base_hp = max(0, start.detail.base_hp - beyond)
    _tell_base(dice, start.detail.base_hp, base)
    if left:
        return dice.then(area_burst, shot, start, row, _with_everyone(dice, work, shot, row, damage), left, hits)
    if start.detail.base_hp > 0 >= base and shot.options.destroyed_and_struck == "larger":
        destruction(dice, work, damage)
    else:
        one_hit(dice, work, shot, row, damage)
        if start.detail.base_hp > 0 >= base:
            destruction(dice, work, damage)
    driver_lost(dice, work, row, was_able, work.people != before)
    return finish(dice, work, shot, row, hits, facing, damage)


def location(dice: Dice, work: Work, shot: Shot) -> Part | Place:
    """The row struck: the one aimed at, or the location table's; rerolled where an option says so (A6, A7, A8)."""
    vehicle = work.vehicle
    options = vehicle.options
    if shot.aim:
        return vehicle.rows[shot.aim]
    absent_again = options.absent_component == "reroll"
    spent_again = options.destroyed_component == "reroll"
    if not (absent_again or spent_again or options.absent_applies_to == "starred_rows"):
        return vehicle.rows[dice.pick(vehicle.table, vehicle.table.title, "R19")]

    def stands(component: str) -> bool:
        row = vehicle.rows[component]
        if not vehicle.aboard(component):
            return not (absent_again or (options.absent_applies_to == "starred_rows" and not row.starred))
        return not (spent_again and isinstance(row, Part) and work.gone(component))

    rows = [r for r in vehicle.table.rows if stands(r.value)]
    numbers = tuple(r.value for r in rows for _ in range(r.low, r.high + 1))
    return vehicle.rows[dice.one_of(numbers, "hit location, rows that do not count left out", "A7")]


def instance(dice: Dice, work: Work, part: Part) -> int:
    """Which instance of a component is struck, at even odds (A45): its index in the pools."""
    if len(part.pools) == 1:
        return part.pools[0]
    standing = tuple(work.pools[i] for i in part.pools)
    hp = dice.one_of(standing, f"which {part.label.lower()}", "A45")
    return part.pools[standing.index(hp)]


def _tell_base(dice: Dice, before: int, after: int) -> None:
    if after != before:
        dice.note("R5", "Base HP falls from {} to {}", before, after)


def part_hit(
    dice: Dice,
    work: Work,
    shot: Shot,
    part: Part,
    index: int,
    damage: int,
    beyond: int,
    facing: int,
    left: int,
    hits: int,
) -> Result:
    """The first round in a component row; index -1 where it is not aboard."""
    start = work.start
    pool = work.pools[index] if index >= 0 else 0
    base, pool, kill = part_damage(shot, start.detail.base_hp, pool, damage, beyond, facing, 0)
    if left:
        return dice.then(into_part, shot, start, part, index, work.armor, left, hits, base, pool, kill)
    return part_done(dice, shot, start, part, index, work.armor, hits, base, pool, kill, facing, damage)


def part_damage(
    shot: Shot, base: int, pool: int, damage: int, beyond: int, facing: int, kill: int
) -> tuple[int, int, int]:
    """Base HP, pool and destroying damage after a round in a component (R5, R6, A3, A4, A5)."""
    options = shot.options
    takes = damage + facing if options.component_takes == "damage" else damage
    if pool > 0 and options.component_absorbs_base_hp:
        beyond = 0
    if pool > 0 and options.component_overflow:
        beyond += max(0, takes - pool)
    after = max(0, base - beyond)
    if base > 0 >= after:
        kill = damage
    return after, max(0, pool - takes), kill


def into_part(
    dice: Dice,
    shot: Shot,
    start: Start,
    part: Part,
    index: int,
    armor: int,
    left: int,
    hits: int,
    base: int,
    pool: int,
    kill: int,
) -> Result:
    """A further round of a burst in a component."""
    if left == 0 or (base <= 0 and pool <= 0 and not shot.lowers):
        return part_done(dice, shot, start, part, index, armor, hits, base, pool, kill, 0, 0)
    total = dice.roll(shot.damage, "damage of a further round", "A64")
    damage = shot.brings(total)
    facing = shot.facing(start.vehicle.stats.passenger_armor, armor)
    after = shot.armor_left(armor, damage)
    if shot.through(damage, facing):
        beyond = max(0, damage - armor) if shot.bare else damage - facing
        base, pool, kill = part_damage(shot, base, pool, damage - facing, beyond, facing, kill)
        dice.note("A64", "{} - armor {} = {} through; Base HP {}, {} {}", damage, facing, damage - facing, base, part.label, pool)
    else:
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
    return dice.then(into_part, shot, start, part, index, after, left - 1, hits, base, pool, kill)


def part_done(
    dice: Dice,
    shot: Shot,
    start: Start,
    part: Part,
    index: int,
    armor: int,
    hits: int,
    base: int,
    pool: int,
    kill: int,
    facing: int,
    damage: int,
) -> Outcome:
    """The last round has struck a component: its effect when it is destroyed, and the vehicle's end (R6)."""
    work = Work(start)
    work.armor = armor
    work.effects = effects.PENETRATED
    _tell_base(dice, start.detail.base_hp, base)
    work.base_hp = base
    if kill:
        destruction(dice, work, kill)
    if index >= 0:
        before = work.pools[index]
        work.set_pool(index, pool)
        if before > 0 >= pool:
            dice.note("A3", "{} destroyed", part.label)
            run(dice, work, part.effects, damage)
        elif before > 0:
            dice.note("A3", "{}: {} of {} hit points left", part.label, pool, part.hp)
        else:
            dice.note("A6", "{} was destroyed before: no further effect", part.label)
    return finish(dice, work, shot, part, hits, facing, damage)


def _with_everyone(dice: Dice, work: Work, shot: Shot, place: Place, damage: int) -> Any:
    if work.start.detail.base_hp > 0 >= work.base_hp:
        destruction(dice, work, damage)
    else:
        one_hit(dice, work, shot, place, damage)
    return work.detail


def area_burst(dice: Dice, shot: Shot, start: Start, place: Place, detail: Any, left: int, hits: int) -> Result:
    """A further shell of a burst that everyone in the place feels."""
    work = Work(start, detail)
    work.effects = effects.PENETRATED
    if left == 0:
        driver_lost(dice, work, place, Work(start).driver_able, True)
        return finish(dice, work, shot, place, hits, 0, 0)
    damage = shot.brings(dice.roll(shot.damage, "damage of a further round", "A64"))
    facing = shot.facing(start.vehicle.stats.passenger_armor, work.armor)
    work.armor = shot.armor_left(work.armor, damage)
    if shot.through(damage, facing):
        before = work.base_hp
        if not shot.options.occupant_hit_spares_base_hp:
            work.base_hp = max(0, before - (damage - facing))
        if before > 0 >= work.base_hp:
            destruction(dice, work, damage - facing)
        else:
            one_hit(dice, work, shot, place, damage - facing)
    return dice.then(area_burst, shot, start, place, work.detail, left - 1, hits)


def finish(dice: Dice, work: Work, shot: Shot, row: Part | Place, hits: int, facing: int, damage: int) -> Outcome:
    """The outcome, once an incendiary has had its chance to set the vehicle on fire (R23, R24)."""
    armor = ArmorResult(facing, facing + damage, UNIT) if hits == 1 and damage else None
    if shot.kind == "fire":
        catch_fire(dice, work, shot, damage + facing)
    return work.close(hits=hits, locations=(row.location,), armor=armor)
