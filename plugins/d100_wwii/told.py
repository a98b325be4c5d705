"""Attacks told in fewer words, for when only odds are wanted: the effects alone, or the damage alone.

The rules are those of `burst`; what is left out is how many hit points are left of what. That lets outcomes merge.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from d100_wwii.consequences import kept
from d100_wwii.people import at_risk, destruction
from d100_wwii.people_burst import (
    Line,
    Visit,
    dealt_out,
    down_the_line,
    meaning,
    most_of,
    one_stands_for_all,
    others_able,
    people_done,
    same_kill,
    visit,
    watched,
)
from d100_wwii.rows import Toll, by_person, location, places_of, rounds, row_hit
from d100_wwii.shot import DAMAGE, FLAGS, PEOPLE
from d100_wwii.vehicle import Part, Place
from d100_wwii.work import Work
from mantlet import Condition, Dice, Location, Outcome, Then, effects

if TYPE_CHECKING:
    from d100_wwii.attack import D100Plan
    from d100_wwii.shot import Shot
    from d100_wwii.vehicle import Vehicle
    from d100_wwii.work import After, Start


NOTHING = Condition()
ALL = 1_000_000
"""More than any Base HP."""


CROWD = 5


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


def crowded(vehicle: Vehicle) -> bool:
    """Whether so many sit in one place that a burst among them is better asked about twice: once for the effects, once
    for the people, where one of them stands for all."""
    return any(sum([vehicle.groups[g].size for g in place.groups]) >= CROWD for place in vehicle.places)


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
    lost = ALL if after.condition.destroyed else start.detail.base_hp - after.detail.base_hp
    if shot.told == DAMAGE:
        return Told(0, 0, 0, lost, ())
    if shot.told == PEOPLE:
        return Told(0, after.wounded, after.killed, 0, ())
    bits = effects.complete(after.bits | more)
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
    bits = told.bits if base else effects.complete(told.bits | effects.DESTROYED)
    return Outcome(bits, NOTHING, 1, told.locations, told.wounded, told.killed)


def located_told(
    dice: Dice, shot: Shot, start: Start, damage: int, takes: int, kill: int, heat: int, base: int
) -> Outcome:
    """A single round through the armor: like `burst.located`."""
    told = dice.settle(told_hit, shot, start, damage, takes, kill, heat)
    return outcome_of(shot, start, told, base)


def several(dice: Dice, fired: int) -> int:
    """How many rounds strike, when it is known that more than one does."""
    return dice.one_of(range(2, fired + 1), "how many of the rounds strike, more than one", "R18")


def any_rounds(dice: Dice, shot: Shot, start: Start, fired: int, impale: bool) -> Then:
    """All rounds of a burst that strike, however many: like `burst.rounds`."""
    hits = several(dice, fired)
    return dice.then(in_step, shot, start, fired - hits, hits, impale)


def in_step(dice: Dice, shot: Shot, start: Start, wait: int, hits: int, impale: bool) -> Toll | Then:
    """Let a burst that strikes with fewer rounds begin later: with as many left, all bursts are then one."""
    if wait:
        return dice.then(in_step, shot, start, wait - 1, hits, impale)
    first = Toll(start.detail.armor, start.detail.base_hp, 0, 0, False)
    return rounds(dice, shot, start, None, first, hits, impale)


def rounds_told(dice: Dice, shot: Shot, start: Start, fired: int, impale: bool, gentle: bool, most: int) -> Toll:
    """All rounds of a burst, however many strike, told by what counts for components.

    `gentle`: nothing that the component brings about hurts anybody further (see `is_gentle`). No component has more
    than `most` hit points.
    """
    detail = start.detail
    toll: Toll = dice.settle(any_rounds, shot.whole, start, fired, impale)
    exact = shot.told == DAMAGE
    base = toll.base if exact else kept(start, toll.base)
    kill = min(1, toll.kill) if exact else same_kill(detail.people, toll.kill) if gentle else toll.kill
    return Toll(int(toll.armor < detail.armor), base, min(most, toll.taken), kill, toll.through)


def burst_told(dice: Dice, shot: Shot, start: Start, fired: int, impale: bool) -> Outcome | Then:
    """A burst that strikes with more than one of its rounds, like `burst.burst`; how many is asked last."""
    row = location(dice, start, shot)
    people = by_person(shot, row)
    if shot.told == DAMAGE and not start.detail.speed and (isinstance(row, Place) or is_gentle(start, row)):
        return dice.then(base_hp_alone, shot, start, fired, impale)
    if shot.told == PEOPLE and is_gentle(start, row):
        return dice.then(wreck_alone, shot, start, fired, impale)
    return dice.then(people_told if people else row_burst, shot, start, row, fired, impale)


def base_hp_alone(dice: Dice, shot: Shot, start: Start, fired: int, impale: bool) -> Outcome:
    """A burst where only what is through counts, told by its damage."""
    toll: Toll = dice.settle(rounds_told, shot, start, fired, impale, True, 0)
    return Outcome(0, NOTHING, damage=start.detail.base_hp - toll.base)


def wreck_alone(dice: Dice, shot: Shot, start: Start, fired: int, impale: bool) -> Outcome:
    """A burst that hurts people by destroying the vehicle or not at all, told by the people."""
    toll: Toll = dice.settle(rounds_told, shot, start, fired, impale, True, 0)
    work = Work(start)
    if toll.kill:
        work.base_hp = 0
        destruction(dice, work, toll.kill)
    return outcome_of(shot, start, told_of(shot, start, work.after(), ()), toll.base)


def is_gentle(start: Start, row: Part | Place) -> bool:
    """Whether nothing that a row brings about hurts anybody beyond the damage itself: no fire, no crash."""
    if isinstance(row, Place) or start.detail.speed:
        return False
    return start.vehicle.gentle[row.component]


def row_burst(dice: Dice, shot: Shot, start: Start, row: Part | Place, fired: int, impale: bool) -> Outcome:
    """A burst into a component, or a place that every round fills."""
    vehicle = start.vehicle
    most = vehicle.toughest if isinstance(row, Part) else vehicle.cap
    toll: Toll = dice.settle(rounds_told, shot, start, fired, impale, is_gentle(start, row), most)
    if not toll.through:
        return stopped_told(shot, bool(toll.armor))
    taken = toll.taken
    if isinstance(row, Part) and len(pools := {start.detail.pools[i] for i in row.pools}) < 2:
        # Whether the component is gone: to the odds it is whole until then.
        pool = max(pools, default=0)
        taken = pool if taken >= pool else 0
    told = settled_row(dice, shot, start, row, taken, taken, toll.kill, 0)
    return outcome_of(shot, start, told, toll.base)


def people_told(dice: Dice, shot: Shot, start: Start, place: Place, fired: int, impale: bool) -> Then:
    """A burst among people: like `people_burst.people_burst`, where one of them may stand for all."""
    if shot.told != DAMAGE and start.detail.base_hp > 0 and start.vehicle.options.extra_hits == "round_robin":
        people = at_risk(Work(start), place)
        if len(people) == 1:
            return dice.then(alone_told, shot, start, place, people[0], fired, impale)
    line_up, spare = dealt_out(dice, start, place, several(dice, fired))
    worst_only, for_all = False, 0
    if len(line_up) > 1 and one_stands_for_all(shot, start):
        if shot.told == PEOPLE:
            for_all = len(line_up)
            line_up, spare = watched(line_up, spare, dice.one_of(range(for_all), "whom to watch"))
        elif shot.told == FLAGS:
            worst_only = others_able(Work(start), place)
    line = Line(start.detail.armor, start.detail.base_hp, 0, line_up, (), spare, False)
    return dice.then(line_told, shot, start, place, line, impale, worst_only, for_all)


def alone_told(
    dice: Dice, shot: Shot, start: Start, place: Place, person: tuple[int, int], fired: int, impale: bool
) -> Outcome:
    """A burst into a place with one person in it, who takes all the rounds that strike."""
    detail = start.detail
    group, before = place.groups.index(person[0]), detail.people[person[0]][person[1]]
    begun = Visit(detail.armor, detail.base_hp, before, 0, 0, False)
    most = 0 if detail.speed else most_of(shot, start, detail.armor)
    struck: Visit = dice.settle(any_visit, shot, start.vehicle.stats.passenger_armor, begun, fired, impale, most)
    if not struck.through:
        return stopped_told(shot, struck.armor < detail.armor)
    done = meaning(((group, before, struck.hp),)) if most else ((group, before, struck.hp),)
    told = dice.settle(people_done_told, shot, start, place, same_kill(detail.people, struck.kill), done, 0)
    return outcome_of(shot, start, told, kept(start, struck.base))


def any_visit(dice: Dice, shot: Shot, passenger_armor: int, begun: Visit, fired: int, impale: bool, last: int) -> Then:
    """All rounds of a burst that strike, however many, for one person: like `people_burst.visit`."""
    hits = several(dice, fired)
    return dice.then(visit_in_step, shot, passenger_armor, begun._replace(left=hits), fired - hits, impale, last)


def visit_in_step(
    dice: Dice, shot: Shot, passenger_armor: int, begun: Visit, wait: int, impale: bool, last: int
) -> Visit | Then:
    """Let a burst that strikes with fewer rounds begin later, as in `in_step`."""
    if wait:
        return dice.then(visit_in_step, shot, passenger_armor, begun, wait - 1, impale, last)
    return visit(dice, shot, passenger_armor, begun, impale, last)


def line_told(
    dice: Dice, shot: Shot, start: Start, place: Place, line: Line, impale: bool, worst_only: bool, for_all: int
) -> Outcome:
    """What the rounds do to those struck: like `people_burst.people_struck`."""
    line = dice.settle(down_the_line, shot, start, line, impale, worst_only)
    if not line.through:
        return stopped_told(shot, line.armor < start.detail.armor)
    told = dice.settle(people_done_told, shot, start, place, line.kill, line.done, for_all)
    return outcome_of(shot, start, told, line.base)


def people_done_told(
    dice: Dice, shot: Shot, start: Start, place: Place, kill: int, done: tuple[tuple[int, int, int], ...], for_all: int
) -> Told:
    """The end of a burst among people. One who is watched stands `for_all`: what he adds to the wreck's toll counts
    once for each of them."""
    after = people_done(dice, start, place, kill, done)
    told = told_of(shot, start, after, (place.location,), effects.DAMAGED)
    if not for_all:
        return told
    wreck = people_done(dice, start, place, kill, ())
    return told._replace(
        wounded=wreck.wounded + for_all * (after.wounded - wreck.wounded),
        killed=wreck.killed + for_all * (after.killed - wreck.killed),
    )


def stopped_told(shot: Shot, armor_lost: bool) -> Outcome:
    """Nothing penetrated."""
    if shot.told in (DAMAGE, PEOPLE):
        return Outcome(0, NOTHING)
    return Outcome(effects.complete(effects.HIT | (effects.DAMAGED if armor_lost else 0)), NOTHING, 1)
