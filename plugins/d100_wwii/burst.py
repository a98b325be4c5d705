"""From the rounds that strike to the outcome.

A single round: damage against armor, then the location (R2-R7). A burst: one location for all of it (R18), then every
round's damage against the armor by itself (A64). What a row brings about is settled by itself (`row_hit`), since it
does not depend on how much Base HP is left.
"""

from __future__ import annotations

from typing import NamedTuple

from d100_wwii.consequences import kept, run
from d100_wwii.incendiary import catch_fire
from d100_wwii.people import destruction, driver_lost, one_hit
from d100_wwii.people_burst import people_burst
from d100_wwii.rolls import beaten, times
from d100_wwii.shot import DAMAGE, Shot
from d100_wwii.state import Detail
from d100_wwii.told import located_told, outcome_of, stopped_told, told_of
from d100_wwii.vehicle import Part, Place
from d100_wwii.work import After, Start, Work, composed
from mantlet import ArmorResult, Dice, Location, Outcome, Then, effects

Result = Outcome | Then
UNIT = "AV"


class Toll(NamedTuple):
    """What a burst has done so far: armor and Base HP left, the damage a component has taken, the damage that brought
    the Base HP to nothing (0: not yet), and whether anything has penetrated."""

    armor: int
    base: int
    taken: int
    kill: int
    through: bool


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
    beyond = _step_six(shot, start, row, damage, damage + facing, beyond)
    old = start.detail.base_hp
    base = max(0, old - beyond)
    if base != old:
        dice.note("R5", "Base HP falls from {} to {}", old, base)
    kill = damage if old > 0 >= base else 0
    takes = damage + facing if shot.options.component_takes == "damage" else damage
    after = settle_row(dice, shot, start, row, damage, takes, kill, damage + facing)
    locations = places_of(row)
    result = ArmorResult(facing, facing + damage, UNIT) if hits == 1 else None
    return composed(start, after, armor, base, hits, locations, result)


NOWHERE = Location("not_aboard", "nothing")
"""Where a row stands for nothing aboard."""


def places_of(row: Part | Place) -> tuple[Location, ...]:
    """The location struck, for the outcome."""
    return (row.location,) if isinstance(row, Place) or row.pools else (NOWHERE,)


def by_person(shot: Shot, row: Part | Place) -> bool:
    """Whether a burst there strikes people one by one, by Luck, and not everyone with every round."""
    return isinstance(row, Place) and bool(row.groups) and not (shot.area or (row.afv and shot.inside))


def settle_row(
    dice: Dice, shot: Shot, start: Start, row: Part | Place, damage: int, takes: int, kill: int, heat: int
) -> After:
    """What the row brings about, settled by itself: more damage than anything there has makes no difference."""
    cap = start.vehicle.cap
    if isinstance(row, Part):
        damage, takes = 0, min(takes, row.hp)
    after: After = dice.settle(
        row_hit, shot, start, row, min(damage, cap), min(takes, cap), min(kill, cap), _heat(shot, heat)
    )
    return after


def _step_six(shot: Shot, start: Start, row: Part | Place, damage: int, whole: int, beyond: int) -> int:
    """What the Base HP loses (R5), where options let the row change it (A4, A5, A7)."""
    options = shot.options
    if isinstance(row, Place):
        return 0 if options.occupant_hit_spares_base_hp and row.groups else beyond
    if not row.pools:
        return 0 if options.absent_component == "no_damage" else beyond
    if options.component_absorbs_base_hp or options.component_overflow:
        pool = max(start.detail.pools[i] for i in row.pools)
        takes = whole if options.component_takes == "damage" else damage
        if options.component_overflow:
            beyond += max(0, takes - pool)
        if options.component_absorbs_base_hp and pool > 0:
            beyond -= damage
    return max(0, beyond)


def row_hit(
    dice: Dice, shot: Shot, start: Start, row: Part | Place, damage: int, takes: int, kill: int, heat: int
) -> After:
    """What a row brings about, whatever Base HP is left: `kill` is the damage that brought it to nothing, else 0."""
    work = Work(start)
    work.effects = effects.PENETRATED
    if kill:
        work.base_hp = 0
    if isinstance(row, Part):
        if kill:
            destruction(dice, work, kill)
        part_hit(dice, work, row, takes, heat)
    else:
        was_able, before = work.driver_able, work.people
        one_hit(dice, work, shot, row, damage, kill)
        driver_lost(dice, work, row, was_able, work.people != before)
    if shot.kind == "fire":
        catch_fire(dice, work, shot, heat)
    return work.after()


def part_hit(dice: Dice, work: Work, part: Part, takes: int, heat: int) -> None:
    """Damage to a component's own hit points; its effect when they are gone (A3)."""
    if not part.pools:
        dice.note("A7", "no {} aboard: no effect there", part.label.lower())
        return
    index = instance(dice, work, part)
    before = work.pools[index]
    if before <= 0:
        dice.note("A6", "{} was destroyed before: no further effect", part.label)
        return
    left = max(0, before - takes)
    work.set_pool(part, index, left)
    if left:
        dice.note("A3", "{}: {} of {} hit points left", part.label, left, part.hp)
        return
    dice.note("A3", "{} destroyed", part.label)
    run(dice, work, part.effects, heat)


def instance(dice: Dice, work: Work, part: Part) -> int:
    """Which instance of a component is struck, at even odds (A45): its index in the pools."""
    if len(part.pools) == 1:
        return part.pools[0]
    standing = tuple([work.pools[i] for i in part.pools])
    hp = dice.one_of(standing, f"which {part.label.lower()}", "A45")
    return part.pools[standing.index(hp)]


def location(dice: Dice, start: Start, shot: Shot) -> Part | Place:
    """The row struck: the one aimed at, or the location table's; rerolled where an option says so (A6, A7, A8)."""
    vehicle = start.vehicle
    if shot.aim:
        return vehicle.rows[shot.aim]
    if not vehicle.rerolls:
        return vehicle.rows[dice.pick(vehicle.table, vehicle.table.title, "R19")]
    options = vehicle.options
    absent_again = options.absent_component == "reroll"
    spent_again = options.destroyed_component == "reroll"
    work = Work(start)

    def stands(component: str) -> bool:
        row = vehicle.rows[component]
        if not vehicle.aboard(component):
            return not (absent_again or (options.absent_applies_to == "starred_rows" and not row.starred))
        return not (spent_again and isinstance(row, Part) and work.gone(component))

    rows = [r for r in vehicle.table.rows if stands(r.value)]
    numbers = tuple(r.value for r in rows for _ in range(r.low, r.high + 1))
    return vehicle.rows[dice.one_of(numbers, "hit location, rows that do not count left out", "A7")]


def burst(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool) -> Result:
    """Several rounds strike one place (R18)."""
    if shot.options.burst_armor == "total":
        return against_armor(dice, shot, start, dice.roll(times(shot.damage, hits), "damage of the burst", "A64"), hits)
    row = location(dice, start, shot)
    if by_person(shot, row):
        assert isinstance(row, Place)
        return people_burst(dice, shot, start, row, hits, impale)
    detail = start.detail
    # Which of the rounds still matter to Base HP does not depend on the row, unless the row may change what it loses.
    changed = row if shot.options.rows_change_base_hp else None
    first = Toll(detail.armor, detail.base_hp, 0, 0, False)
    toll: Toll = dice.settle(rounds, shot, start, changed, first, hits, impale)
    if not toll.through:
        return stopped(dice, shot, start, toll.armor, hits, 0, 0)
    dice.note("R5", "Base HP falls from {} to {}", detail.base_hp, toll.base)
    after = settle_row(dice, shot, start, row, toll.taken, toll.taken, toll.kill, toll.taken)
    locations = places_of(row)
    return composed(start, after, toll.armor, toll.base, hits, locations, None)


def rounds(
    dice: Dice, shot: Shot, start: Start, row: Part | Place | None, toll: Toll, left: int, impale: bool
) -> Toll | Then:
    """One round after another of a burst against the armor, as far as they still matter."""
    if left == 0 or (toll.base <= 0 and toll.taken >= start.vehicle.cap and not shot.lowers):
        return toll
    armor, base, taken, kill, through = toll
    if shot.plain and not impale and row is None:
        beats = dice.pick(beaten(shot.damage, armor, shot.halves), "damage", "A64")
        if not beats:
            return dice.then(rounds, shot, start, row, toll, left - 1, False)
        cap = start.vehicle.cap
        after = base - beats if base > beats else 0
        if base > 0 >= after:
            kill = beats if beats < cap else cap
        now = Toll(armor, after, taken + beats if taken + beats < cap else cap, kill, True)
        return dice.then(rounds, shot, start, row, now, left - 1, False)
    total = dice.roll(shot.impaled, "damage, impaling", "A21") if impale else dice.roll(shot.damage, "damage", "A64")
    damage = shot.brings(total)
    facing = shot.facing(start.vehicle.stats.passenger_armor, armor)
    after = shot.armor_left(armor, damage)
    if not shot.through(damage, facing):
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
        return dice.then(rounds, shot, start, row, Toll(after, base, taken, kill, through), left - 1, False)
    dice.note("R4", "{} - armor {} = {} through", damage, facing, damage - facing)
    beyond = max(0, damage - armor) if shot.bare else damage - facing
    if row is not None:
        spent = start.detail if not taken else _worn(start.detail, row, taken)
        beyond = _step_six(
            shot, Start(start.vehicle, start.condition, spent, start.dark), row, damage - facing, damage, beyond
        )
    if base > 0 >= base - beyond:
        kill = damage - facing
    takes = damage if shot.options.component_takes == "damage" else damage - facing
    now = Toll(after, max(0, base - beyond), min(taken + takes, start.vehicle.cap), kill, True)
    if now.base <= 0:
        # In a wreck only whether the component is gone still counts.
        now = now._replace(kill=min(kill, start.vehicle.cap))
    return dice.then(rounds, shot, start, row, now, left - 1, False)


def _worn(detail: Detail, row: Part | Place, taken: int) -> Detail:
    if isinstance(row, Place) or not row.pools:
        return detail
    return detail._replace(
        pools=tuple([max(0, hp - taken) if i in row.pools else hp for i, hp in enumerate(detail.pools)])
    )
