"""Attacks told in fewer words, for when only odds are wanted: the effects alone, or the damage alone.

The rules are those of `burst`; what is left out is how many hit points are left of what. That lets outcomes merge.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from d100_wwii.people_burst import line_of, people_done, same_kill
from d100_wwii.shot import DAMAGE
from d100_wwii.tables import collision_table
from d100_wwii.vehicle import Part, Place
from mantlet import Condition, Dice, Location, Outcome, Then, effects

if TYPE_CHECKING:
    from d100_wwii.attack import D100Plan
    from d100_wwii.shot import Shot
    from d100_wwii.work import After, Start


NOTHING = Condition()
ALL = 1_000_000
"""More than any Base HP."""


class Told(NamedTuple):
    """What a hit brings about, in few words: effects, people wounded and killed, and the Base HP that go beside it."""

    bits: int
    wounded: int
    killed: int
    lost: int
    locations: tuple[Location, ...]


@lru_cache(maxsize=2048)
def retold(shot: Shot, words: str) -> Shot:
    """The one Shot that is told in these words."""
    return replace(shot, told=words, whole=shot)


def can_be_told(plan: D100Plan) -> bool:
    """Whether effects and damage of an attack can be told apart: not under options that make what the Base HP loses
    depend on the row."""
    options = plan.vehicle.options
    return (
        plan.delivery in ("fired", "thrown", "placed_under")
        and not plan.shot.bare
        and options.armored_for_good
        and not options.rows_change_base_hp
        and options.equal_damage == "nothing"
        and options.burst_armor == "each"
    )


def told_hit(dice: Dice, shot: Shot, start: Start, damage: int, takes: int, kill: int, heat: int) -> Told:
    """A single round through the armor, wherever it strikes."""
    from d100_wwii.burst import location

    return settled_row(dice, shot, start, location(dice, start, shot), damage, takes, kill, heat)


def settled_row(
    dice: Dice, shot: Shot, start: Start, row: Part | Place, damage: int, takes: int, kill: int, heat: int
) -> Told:
    """What a row brings about, settled by itself: a component knows no more than its own hit points."""
    if isinstance(row, Part):
        damage, takes = 0, min(takes, row.hp)
    told: Told = dice.settle(row_told, shot, start, row, damage, takes, kill, heat)
    return told


def row_told(
    dice: Dice, shot: Shot, start: Start, row: Part | Place, damage: int, takes: int, kill: int, heat: int
) -> Told:
    """What a row brings about."""
    from d100_wwii.burst import places_of, row_hit

    after = row_hit(dice, shot, start, row, damage, takes, kill, heat)
    return told_of(shot, start, after, places_of(row), effects.DAMAGED)


def told_of(shot: Shot, start: Start, after: After, locations: tuple[Location, ...], more: int = 0) -> Told:
    """What came about, in the words asked for."""
    lost = ALL if after.condition.destroyed else start.detail.base_hp - after.detail.base_hp
    if shot.told == DAMAGE:
        return Told(0, 0, 0, lost, ())
    return Told(effects.complete(after.bits | more), after.wounded, after.killed, lost, locations)


def outcome_of(shot: Shot, start: Start, told: Told, base: int, hits: int) -> Outcome:
    """The outcome in the words asked for."""
    base = max(0, base - told.lost)
    if shot.told == DAMAGE:
        return Outcome(0, NOTHING, damage=start.detail.base_hp - base)
    bits = told.bits if base else effects.complete(told.bits | effects.DESTROYED)
    return Outcome(bits, NOTHING, hits, told.locations, told.wounded, told.killed)


def kept(start: Start, base: int) -> int:
    """Base HP by what they mean for the effects: none, so many that an accident may end them, or more than that."""
    speed = start.detail.speed
    if not base or not speed:
        return min(1, base)
    worst = collision_table(start.vehicle.options.collision_table).dice(speed, larger=False)
    return min(base, 2 * worst.high + 1) if worst is not None else 1


def located_told(
    dice: Dice, shot: Shot, start: Start, damage: int, takes: int, kill: int, heat: int, base: int, hits: int
) -> Outcome:
    """A single round through the armor: like `burst.located`."""
    told = dice.settle(told_hit, shot, start, damage, takes, kill, heat)
    return outcome_of(shot, start, told, base, hits)


class Few(NamedTuple):
    """A burst in few words: Base HP (1: some), whether the component is gone (its hit points, else 0), the destroying
    damage, and whether anything penetrated."""

    base: int
    taken: int
    kill: int
    through: bool
    armor_lost: bool


def rounds_told(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool, pool: int, gentle: bool) -> Few:
    """All rounds of a burst, told by what counts for a component with that many hit points left.

    `gentle`: nothing that the component brings about hurts anybody further (see `is_gentle`).
    """
    from d100_wwii.burst import Toll, rounds

    detail = start.detail
    first = Toll(detail.armor, detail.base_hp, 0, 0, False)
    toll: Toll = dice.settle(rounds, shot.whole, start, None, first, hits, impale)
    exact = shot.told == DAMAGE
    base = toll.base if exact else kept(start, toll.base)
    taken = toll.taken if pool < 0 else pool if toll.taken >= pool else 0
    kill = min(1, toll.kill) if exact else same_kill(detail.people, toll.kill) if gentle else toll.kill
    return Few(base, taken, kill, toll.through, toll.armor < detail.armor)


def burst_told(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool) -> Outcome | Then:
    """A burst, like `burst.burst`."""
    from d100_wwii.burst import by_person, location

    row = location(dice, start, shot)
    if shot.told == DAMAGE and not start.detail.speed and (isinstance(row, Place) or is_gentle(start, row)):
        return dice.then(base_hp_alone, shot, start, hits, impale)
    return dice.then(people_told if by_person(shot, row) else row_burst, shot, start, row, hits, impale)


def base_hp_alone(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool) -> Outcome:
    """A burst where only what is through counts, told by its damage."""
    few: Few = dice.settle(rounds_told, shot, start, hits, impale, 0, True)
    return Outcome(0, NOTHING, damage=start.detail.base_hp - few.base)


def is_gentle(start: Start, row: Part | Place) -> bool:
    """Whether nothing that a row brings about hurts anybody beyond the damage itself: no fire, no crash."""
    if isinstance(row, Place) or start.detail.speed:
        return False
    return start.vehicle.gentle[row.component]


def row_burst(dice: Dice, shot: Shot, start: Start, row: Part | Place, hits: int, impale: bool) -> Outcome:
    """A burst into a component, or a place that every round fills."""
    pool = max((start.detail.pools[i] for i in row.pools), default=0) if isinstance(row, Part) else -1
    alike = isinstance(row, Place) or len({start.detail.pools[i] for i in row.pools}) < 2
    gentle = is_gentle(start, row)
    few: Few = dice.settle(rounds_told, shot, start, hits, impale, pool if alike else -1, gentle)
    if not few.through:
        return stopped_told(shot, few.armor_lost, hits)
    told = settled_row(dice, shot, start, row, few.taken, few.taken, few.kill, 0)
    return outcome_of(shot, start, told, few.base, hits)


def people_told(dice: Dice, shot: Shot, start: Start, place: Place, hits: int, impale: bool) -> Outcome:
    """A burst among people: like `people_burst.people_burst`."""
    line = line_of(dice, shot, start, place, hits, impale)
    if not line.through:
        return stopped_told(shot, line.armor < start.detail.armor, hits)
    told = dice.settle(people_done_told, shot, start, place, line.kill, line.done)
    return outcome_of(shot, start, told, line.base, hits)


def people_done_told(
    dice: Dice, shot: Shot, start: Start, place: Place, kill: int, done: tuple[tuple[int, int, int], ...]
) -> Told:
    """The end of a burst among people."""
    after = people_done(dice, start, place, kill, done)
    return told_of(shot, start, after, (place.location,), effects.DAMAGED)


def stopped_told(shot: Shot, armor_lost: bool, hits: int) -> Outcome:
    """Nothing penetrated."""
    if shot.told == DAMAGE:
        return Outcome(0, NOTHING)
    return Outcome(effects.complete(effects.HIT | (effects.DAMAGED if armor_lost else 0)), NOTHING, hits)
