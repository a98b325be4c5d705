"""A burst among people: Luck once for the whole burst, then every round in turn, person by person."""

from __future__ import annotations

from typing import NamedTuple

from d100_wwii.people import Struck, at_risk, deal, driver_lost, lethal, luck
from d100_wwii.rolls import left_after
from d100_wwii.shot import Shot
from d100_wwii.vehicle import Place
from d100_wwii.work import Start, Work
from mantlet import Dice, Outcome, Then, effects


class Toll(NamedTuple):
    """A burst half done: Base HP, the damage that destroyed the vehicle (0: not yet), who still has rounds coming.

    `done` holds (group, hit points before, hit points now) of those through with, in order, and `spare` the rounds
    that strike the vehicle and nobody in it.
    """

    base: int
    kill: int
    waiting: tuple[Struck, ...]
    done: tuple[tuple[int, int, int], ...]
    spare: int


def people_burst(
    dice: Dice, work: Work, shot: Shot, place: Place, damage: int, beyond: int, coming: int, hits: int
) -> Then:
    """Deal the rounds from the first one through: `coming` of them. That one's damage is known, the others' is not."""
    people = at_risk(work, place)
    if not people:
        dice.note("A7", "nobody is there")
    struck = people if coming >= len(people) else luck(dice, work, people, coming)
    if people and not struck:
        dice.note("A18", "everyone was lucky: the rounds strike nobody")
    dealt, spare = deal(work, struck, coming)
    for person in dealt:
        name = work.vehicle.person(person.group, work.seating).name
        dice.note("A17", "{} is struck by {} of them", name, person.rounds)
    toll = Toll(work.start.detail.base_hp, 0, tuple(dealt), (), spare)
    toll = taken(work, toll, lethal(work, damage), damage, beyond)
    dice.note("R5", "{} through; Base HP {}", damage, toll.base)
    return dice.then(into_people, shot, work.start, place, work.armor, toll, hits)


def taken(work: Work, toll: Toll, hurt: int, damage: int, beyond: int) -> Toll:
    """One round: the next person in line takes `hurt`, the Base HP loses `beyond`, and where that destroys the vehicle
    everyone takes `damage` (R6), the one struck by this very round once (A40)."""
    base = max(0, toll.base - beyond)
    kills = toll.base > 0 >= base
    waiting, done, spare, kill = toll.waiting, toll.done, toll.spare, toll.kill
    if kills:
        kill = damage
        done = tuple(sorted([(g, before, max(0, hp - damage)) for g, before, hp in done]))
    if not waiting:
        return Toll(base, kill, waiting, done, max(0, spare - 1))
    first, *rest = waiting
    hp = max(0, first.hp - hurt)
    if kills:
        rest = [person._replace(hp=max(0, person.hp - damage)) for person in rest]
        if work.vehicle.options.destroyed_and_struck == "both":
            hp = max(0, hp - damage)
    return settled(Toll(base, kill, (first._replace(hp=hp, rounds=first.rounds - 1), *rest), done, spare))


def settled(toll: Toll) -> Toll:
    """Leave out what no longer matters: people through with, and in a wreck the rounds into the dead and the void."""
    waiting, done = list(toll.waiting), toll.done
    while waiting and (waiting[0].rounds <= 0 or (toll.base <= 0 and waiting[0].hp <= 0)):
        person = waiting.pop(0)
        done = tuple(sorted((*done, (person.group, person.before, person.hp))))
    return Toll(toll.base, toll.kill, tuple(waiting), done, 0 if toll.base <= 0 else toll.spare)


def into_people(dice: Dice, shot: Shot, start: Start, place: Place, armor: int, toll: Toll, hits: int) -> Outcome | Then:
    """A further round of the burst."""
    if not toll.waiting and not toll.spare:
        return people_done(dice, shot, start, place, armor, toll, hits)
    work = Work(start)
    facing = shot.facing(start.vehicle.stats.passenger_armor, armor)
    options = shot.options
    if toll.base <= 0 and toll.waiting and not shot.lowers and options.occupant_rows == "damage":
        # In a wreck all that matters is what the round leaves of the one it strikes.
        hp = toll.waiting[0].hp
        left = left_after(shot.damage, hp, facing, shot.halves, options.round_halves == "up")
        toll = taken(work, toll, hp - dice.pick(left, "damage of a further round", "A64"), 0, 0)
        return dice.then(into_people, shot, start, place, armor, toll, hits)
    damage = shot.brings(dice.roll(shot.damage, "damage of a further round", "A64"))
    after = shot.armor_left(armor, damage)
    if shot.through(damage, facing):
        through = damage - facing
        beyond = 0 if options.occupant_hit_spares_base_hp else max(0, damage - armor) if shot.bare else through
        toll = taken(work, toll, lethal(work, through), through, beyond)
        dice.note("R5", "{} - armor {} = {} through; Base HP {}", damage, facing, through, toll.base)
    else:
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
        toll = taken(work, toll, 0, 0, 0)
    return dice.then(into_people, shot, start, place, after, toll, hits)


def people_done(
    dice: Dice, shot: Shot, start: Start, place: Place, armor: int, toll: Toll, hits: int
) -> Outcome:
    """The burst is over: everybody's hit points, the wreck's toll on those it did not strike, and the driver."""
    work = Work(start)
    work.armor = armor
    work.effects = effects.PENETRATED
    was_able = work.driver_able
    work.base_hp = toll.base
    people = [list(group) for group in work.people]
    for g, before, _ in toll.done:
        people[g].remove(before)
    if toll.kill:
        dice.note("R6", "Base HP is gone: the vehicle is destroyed, everyone aboard takes {}", toll.kill)
        people = [[hp if hp <= 0 else max(0, hp - toll.kill) for hp in group] for group in people]
    for g, before, hp in toll.done:
        people[g].append(hp)
        dice.note("R19", "{}: {} of {} hit points left", work.vehicle.person(g, work.seating).name, hp, before)
    for g, group in enumerate(people):
        work.set_group(g, group)
    driver_lost(dice, work, place, was_able, any(work.vehicle.groups[g].driver for g, _, _ in toll.done))
    return work.close(hits=hits, locations=(place.location,))
