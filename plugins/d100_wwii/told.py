"""Attacks told in fewer words, for when only odds are wanted: the effects alone, or the damage alone.

The rules are those of `burst`; what is left out is how many hit points are left of what. That lets outcomes merge.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from d100_wwii.consequences import kept, quiet
from d100_wwii.crowd import anybody_dead, at_first, one_for_all, strikes
from d100_wwii.people import at_risk, destruction
from d100_wwii.people_burst import Line, Persons, dealt_out, in_line, meaning, numbered, people_done, same_kill
from d100_wwii.rows import Toll, by_person, location, places_of, rounds, row_hit
from d100_wwii.shot import CREW, DAMAGE, EFFECTS, FLAGS, PEOPLE
from d100_wwii.vehicle import Part, Place
from d100_wwii.work import Work
from mantlet import Condition, Dice, Location, Outcome, Step, Then, effects

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
    depend on the row, nor for bursts of what may burn on outside the armor."""
    options = plan.vehicle.options
    return (
        plan.delivery in ("fired", "thrown", "placed_under")
        and not plan.shot.bare
        and not (plan.shot.kind == "fire" and plan.attack.rounds > 1)
        and options.armored_for_good
        and not options.rows_change_base_hp
        and options.equal_damage == "nothing"
        and options.burst_armor == "each"
    )


def asked_apart(plan: D100Plan) -> bool:
    """Whether a burst among people is better asked about in parts, each of which needs little of what they have left:
    the effects on the vehicle, whether anybody is killed, and how many."""
    if plan.attack.rounds == 1 or plan.attack.given_hit or plan.speed or plan.vehicle.options.parked_trouble:
        return False
    sizes = [sum([plan.vehicle.groups[g].size for g in place.groups]) for place in plan.vehicle.places]
    return plan.shot.plain and max(sizes, default=0) > 1


def joint(shot: Shot) -> Shot:
    """The same round told by all effects and people at once, unless it is told by the damage."""
    return shot if shot.told == DAMAGE else retold(shot.whole or shot, EFFECTS)


def fitting(shot: Shot, start: Start) -> Shot:
    """The round in words that fit the condition it meets: parts add up only where nobody was hurt before, and of a
    wreck everything is told."""
    if not start.detail.base_hp:
        return shot.whole or shot
    return joint(shot) if start.detail.people != start.vehicle.full.people else shot


def told_hit(dice: Dice, shot: Shot, start: Start, damage: int, takes: int, kill: int, heat: int) -> Told:
    """A single round through the armor, wherever it strikes."""
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
    after = row_hit(dice, shot, start, row, damage, takes, kill, heat)
    return told_of(shot, start, after, places_of(row), effects.DAMAGED)


def told_of(shot: Shot, start: Start, after: After, locations: tuple[Location, ...], more: int = 0) -> Told:
    """What came about, in the words asked for."""
    lost = start.detail.base_hp - after.base_hp if after.base_hp > 0 else ALL
    if shot.told == DAMAGE:
        return Told(0, 0, 0, lost, ())
    if shot.told == PEOPLE:
        return Told(0, after.wounded, after.killed, 0, ())
    bits = effects.complete(after.bits | more)
    if shot.told == CREW:
        return Told(bits & (effects.CREW_HIT | effects.CREW_KILLED), 0, 0, 0, ())
    if shot.told == FLAGS:
        return Told(bits, 0, 0, lost, locations)
    return Told(bits, after.wounded, after.killed, lost, locations)


def outcome_of(shot: Shot, start: Start, told: Told, base: int) -> Outcome:
    """The outcome in the words asked for."""
    base = max(0, base - told.lost)
    if shot.told == DAMAGE:
        return Outcome(0, NOTHING, damage=start.detail.base_hp - base)
    if shot.told == PEOPLE:
        return Outcome(0, NOTHING, wounded=told.wounded, killed=told.killed)
    if shot.told == CREW:
        return Outcome(told.bits, NOTHING)
    bits = told.bits if base else effects.complete(told.bits | effects.DESTROYED)
    return Outcome(bits, NOTHING, 1, told.locations, told.wounded, told.killed)


def located_told(
    dice: Dice, shot: Shot, start: Start, damage: int, takes: int, kill: int, heat: int, base: int
) -> Outcome:
    """A single round through the armor: like `burst.located`."""
    told = dice.settle(told_hit, shot, start, damage, takes, kill, heat)
    return outcome_of(shot, start, told, base)


def any_rounds(dice: Dice, shot: Shot, start: Start, fired: int, least: int, impaling: Fraction) -> Toll:
    """All rounds of a burst that strike, however many: like `burst.rounds`."""
    hits, impale = strikes(dice, fired, least, impaling)
    return rounds(dice, shot, start, None, hits, impale)


def rounds_told(
    dice: Dice, shot: Shot, start: Start, fired: int, least: int, impaling: Fraction, gentle: bool, most: int
) -> Toll:
    """All rounds of a burst, however many strike, told by what counts for what is struck.

    `gentle`: nothing that follows hurts anybody further (see `is_gentle`). Nothing there has more than `most` hit
    points.
    """
    detail = start.detail
    toll: Toll = dice.settle(any_rounds, shot.whole, start, fired, least, impaling)
    base = toll.base if shot.told == DAMAGE else kept(start, toll.base)
    kill = toll.kill
    if shot.told in (DAMAGE, FLAGS):
        kill = min(1, kill)
    elif gentle:
        kill = same_kill(detail.people, kill)
    return Toll(int(toll.armor < detail.armor), base, min(most, toll.taken), kill, toll.through)


def burst_told(dice: Dice, shot: Shot, start: Start, fired: int, least: int, impaling: Fraction) -> Then:
    """A burst that strikes with `least` of its rounds or more, like `burst.burst`; how many,
    and whether the first impales (`impaling` is the chance of it), is asked last."""
    row = location(dice, start, shot)
    if shot.told == DAMAGE and quiet(start) and (isinstance(row, Place) or is_gentle(start, row)):
        return dice.then(base_hp_alone, shot, start, fired, least, impaling)
    if shot.told in (PEOPLE, CREW) and is_gentle(start, row):
        return dice.then(wreck_alone, shot, start, (), fired, least, impaling)
    told = people_told if by_person(shot, row) else row_burst
    return dice.then(told, shot, start, row, fired, least, impaling)


def base_hp_alone(dice: Dice, shot: Shot, start: Start, fired: int, least: int, impaling: Fraction) -> Outcome:
    """A burst where only what is through counts, told by its damage."""
    toll: Toll = dice.settle(rounds_told, shot, start, fired, least, impaling, True, 0)
    return Outcome(0, NOTHING, damage=start.detail.base_hp - toll.base)


def wreck_alone(
    dice: Dice, shot: Shot, start: Start, locations: tuple[Location, ...], fired: int, least: int, impaling: Fraction
) -> Outcome:
    """A burst that changes what is asked about by destroying the vehicle or not at all."""
    toll: Toll = dice.settle(rounds_told, shot, start, fired, least, impaling, True, 0)
    if not toll.through:
        return stopped_told(shot, bool(toll.armor))
    work = Work(start)
    work.effects = effects.PENETRATED
    if toll.kill:
        work.base_hp = 0
        destruction(dice, work, toll.kill)
    return outcome_of(shot, start, told_of(shot, start, work.after(), locations, effects.DAMAGED), toll.base)


def is_gentle(start: Start, row: Part | Place) -> bool:
    """Whether nothing that a row brings about hurts anybody beyond the damage itself: no fire, no crash."""
    return isinstance(row, Part) and not start.detail.speed and start.vehicle.gentle[row.component]


def row_burst(
    dice: Dice, shot: Shot, start: Start, row: Part | Place, fired: int, least: int, impaling: Fraction
) -> Outcome:
    """A burst into a component, or a place that every round fills."""
    vehicle = start.vehicle
    most = vehicle.toughest if isinstance(row, Part) else vehicle.cap
    toll: Toll = dice.settle(rounds_told, shot, start, fired, least, impaling, is_gentle(start, row), most)
    if not toll.through:
        return stopped_told(shot, bool(toll.armor))
    taken = toll.taken
    if isinstance(row, Part) and len(pools := {start.detail.pools[i] for i in row.pools}) < 2:
        # Whether the component is gone: to the odds it is whole until then.
        pool = max(pools, default=0)
        taken = pool if taken >= pool else 0
    told = settled_row(dice, shot, start, row, taken, taken, toll.kill, 0)
    return outcome_of(shot, start, told, toll.base)


def people_told(
    dice: Dice, shot: Shot, start: Start, place: Place, fired: int, least: int, impaling: Fraction
) -> Outcome | Then:
    """A burst among people: like `people_burst.people_burst`, in the fewest words that the question allows."""
    work = Work(start)
    people = at_risk(work, place)
    if len(people) == 1 and shot.plain and shot.told != DAMAGE and shot.options.extra_hits == "round_robin":
        return dice.then(alone_told, shot, start, place, people[0], fired, least, impaling)
    if shot.told == FLAGS and others_able(work, place):
        return dice.then(wreck_alone, shot, start, (place.location,), fired, least, impaling)
    if shot.told == PEOPLE:
        return dice.then(one_for_all, shot, start, place, fired, least, impaling)
    hits, impale = strikes(dice, fired, least, impaling)
    line_up, spare = dealt_out(dice, start, place, hits)
    if shot.told == CREW and not spare:
        return dice.then(anybody_dead, shot, start, line_up, at_first(start, line_up), impale, False)
    shot = joint(shot)
    return dice.then(line_told, shot, start, place, *in_line(shot, start, line_up, spare, impale))


def others_able(work: Work, place: Place) -> bool:
    """Whether somebody elsewhere aboard can act, and nobody in this place drives."""
    elsewhere = [hp for g, group in enumerate(work.people) if g not in place.groups for hp in group]
    return work.vehicle.driver not in place.groups and any(work.able(hp) for hp in elsewhere)


def alone_told(
    dice: Dice,
    shot: Shot,
    start: Start,
    place: Place,
    person: tuple[int, int],
    fired: int,
    least: int,
    impaling: Fraction,
) -> Outcome:
    """A burst into a place with one person in it, who takes all the rounds that strike, as a component would."""
    people = start.detail.people
    before = people[person[0]][person[1]]
    toll: Toll = dice.settle(rounds_told, joint(shot), start, fired, least, impaling, quiet(start), before)
    if not toll.through:
        return stopped_told(shot, bool(toll.armor))
    done: Persons = (numbered(place.groups.index(person[0]), before, before - toll.taken),)
    told = dice.settle(people_done_told, shot, start, place, toll.kill, meaning(done) if quiet(start) else done)
    return outcome_of(shot, start, told, toll.base)


def line_told(dice: Dice, shot: Shot, start: Start, place: Place, line: Line, turns: tuple[Step, ...]) -> Outcome:
    """What the rounds do to those struck: like `people_burst.people_struck`."""
    armor, base, kill, _, done, through = dice.fold(line, turns)
    if not through:
        return stopped_told(shot, armor < start.detail.armor)
    told = dice.settle(people_done_told, shot, start, place, kill, done)
    return outcome_of(shot, start, told, base)


def people_done_told(dice: Dice, shot: Shot, start: Start, place: Place, kill: int, done: Persons) -> Told:
    """The end of a burst among people."""
    return told_of(shot, start, people_done(dice, start, place, kill, done), (place.location,), effects.DAMAGED)


def stopped_told(shot: Shot, armor_lost: bool) -> Outcome:
    """Nothing penetrated."""
    if shot.told in (DAMAGE, PEOPLE, CREW):
        return Outcome(0, NOTHING)
    return Outcome(effects.complete(effects.HIT | (effects.DAMAGED if armor_lost else 0)), NOTHING, 1)
