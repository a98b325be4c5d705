"""A burst among people: Luck once for the whole burst, then every round in turn, person by person."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from d100_wwii.people import Struck, at_risk, deal, driver_lost, lethal, luck
from d100_wwii.rolls import beaten, left_after
from d100_wwii.shot import EFFECTS, Shot
from d100_wwii.state import CONSCIOUS_ABOVE
from d100_wwii.vehicle import Place
from d100_wwii.work import After, Start, Work, composed
from mantlet import Dice, Outcome, Then, effects


class Line(NamedTuple):
    """A burst half done: armor and Base HP left, the damage that destroyed the vehicle (0: not yet), who still has
    rounds coming.

    `done` holds (group's number in its place, hit points before, hit points now) of those through with, in order;
    `spare` counts the rounds that strike the vehicle and nobody in it.
    """

    armor: int
    base: int
    kill: int
    waiting: tuple[Struck, ...]
    done: tuple[tuple[int, int, int], ...]
    spare: int
    through: bool


def people_burst(dice: Dice, shot: Shot, start: Start, place: Place, hits: int, impale: bool) -> Outcome:
    """So many rounds strike a place with people in it: who is struck (R17), and what every round does to them."""
    line = line_of(dice, shot, start, place, hits, impale)
    dice.note("R5", "Base HP falls from {} to {}", start.detail.base_hp, line.base)
    if not line.through:
        work = Work(start)
        work.armor = line.armor
        return work.close(hits=hits)
    after: After = dice.settle(people_done, start, place, line.kill, line.done)
    return composed(start, after, line.armor, line.base, hits, (place.location,), None)


def line_of(dice: Dice, shot: Shot, start: Start, place: Place, hits: int, impale: bool) -> Line:
    """Who is struck, and the whole burst dealt to them."""
    work = Work(start)
    people = at_risk(work, place)
    struck = people if hits >= len(people) else luck(dice, work, people, hits)
    if not struck:
        dice.note("A18", "the rounds strike nobody there")
    dealt, spare = deal(work, struck, hits)
    for person in dealt:
        name = work.vehicle.person(person.group, work.seating).name
        dice.note("A17", "{} is struck by {}", name, person.rounds)
    detail = start.detail
    # Counted within the place, so that places alike share the rounds' work.
    line_up = tuple([person._replace(group=place.groups.index(person.group)) for person in dealt])
    line = Line(detail.armor, detail.base_hp, 0, line_up, (), spare, False)
    settled_line: Line = dice.settle(down_the_line, shot, start, line, impale)
    return settled_line


class Visit(NamedTuple):
    """The rounds meant for one person: armor and Base HP left, his hit points, the damage that destroyed the vehicle
    (0: not with these), the rounds left, and whether any penetrated."""

    armor: int
    base: int
    hp: int
    kill: int
    left: int
    through: bool


def visit(dice: Dice, shot: Shot, passenger_armor: int, so_far: Visit, impale: bool) -> Visit | Then:
    """One round after another, until they are spent or the vehicle is destroyed."""
    armor, base, hp, kill, left, through = so_far
    if not left or kill:
        return so_far
    options = shot.options
    if shot.plain and not impale:
        beats = dice.pick(beaten(shot.damage, armor, shot.halves), "damage", "A64")
        if not beats:
            return dice.then(visit, shot, passenger_armor, Visit(armor, base, hp, 0, left - 1, through), False)
        hp = hp - beats if hp > beats else 0
        after = base - beats if base > beats else 0
        now = Visit(armor, after, hp, beats if base > 0 >= after else 0, left - 1, True)
        return dice.then(visit, shot, passenger_armor, now, False)
    total = dice.roll(shot.impaled, "damage, impaling", "A21") if impale else dice.roll(shot.damage, "damage", "A64")
    damage = shot.brings(total)
    facing = shot.facing(passenger_armor, armor)
    after = shot.armor_left(armor, damage)
    if not shot.through(damage, facing):
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
        return dice.then(visit, shot, passenger_armor, Visit(after, base, hp, kill, left - 1, through), False)
    beats = damage - facing
    dice.note("R4", "{} - armor {} = {} through", damage, facing, beats)
    beyond = 0 if options.occupant_hit_spares_base_hp else max(0, damage - armor) if shot.bare else beats
    hp = max(0, hp - lethal(options, beats))
    if base > 0 >= base - beyond:
        kill = beats
        if options.destroyed_and_struck == "both":
            hp = max(0, hp - beats)
    now = Visit(after, max(0, base - beyond), hp, kill, left - 1, True)
    return dice.then(visit, shot, passenger_armor, now, False)


def into_one(dice: Dice, shot: Shot, facing: int, hp: int, rounds: int) -> int | Then:
    """In a wreck all that matters is the hit points that so many rounds leave of one person."""
    left = left_after(shot.damage, hp, facing, shot.halves, shot.options.round_halves == "up")
    hp = dice.pick(left, "damage", "A64")
    return dice.then(into_one, shot, facing, hp, rounds - 1) if hp > 0 and rounds > 1 else hp


def down_the_line(dice: Dice, shot: Shot, start: Start, line: Line, impale: bool) -> Line | Then:
    """The next one struck takes all his rounds; where they destroy the vehicle everyone takes that damage (R6), the
    one struck by that very round once (A40)."""
    if not line.waiting and not line.spare:
        return line
    passenger_armor = start.vehicle.stats.passenger_armor
    armor, base, killed, waiting, done, spare, through = line
    if waiting:
        first, rest = waiting[0], waiting[1:]
    else:
        first, rest = Struck(-1, 0, 0, spare), ()
    group, before, hp, rounds = first
    if base <= 0 and not (impale or shot.lowers) and shot.options.occupant_rows == "damage":
        if hp > 0:
            left_of = into_one if shot.told != EFFECTS else state_after
            hp = dice.settle(left_of, shot, shot.facing(passenger_armor, armor), hp, rounds)
        return onward(dice, shot, start, Line(armor, 0, killed, rest, also(done, (group, before, hp)), 0, True))
    begun = Visit(armor, base, hp, 0, rounds, False)
    armor, base, hp, kill, left, more = dice.settle(visit, shot, passenger_armor, begun, impale)
    if kill:
        done = tuple(sorted([(g, was, now - kill if now > kill else 0) for g, was, now in done]))
        rest = tuple([Struck(g, was, now - kill if now > kill else 0, n) for g, was, now, n in rest])
    if left and hp > 0:
        rest = (Struck(group, before, hp, left), *rest)
    elif group >= 0:
        done = also(done, (group, before, hp))
    spare = 0 if base <= 0 or group < 0 else spare
    return onward(dice, shot, start, Line(armor, base, killed or kill, rest, done, spare, through or more))


Done = tuple[tuple[int, int, int], ...]


def also(done: Done, person: tuple[int, int, int]) -> Done:
    """One more person through with, in order."""
    return tuple(sorted((*done, person))) if done else (person,)


def onward(dice: Dice, shot: Shot, start: Start, line: Line) -> Line | Then:
    """Hand on to the next one, or end. In few words, hit points that can no longer change are told by their meaning."""
    armor, base, kill, waiting, done, spare, through = line
    if shot.told == EFFECTS:
        if base <= 0:
            kill = same_kill(start.detail.people, kill)
            line = Line(armor, 0, kill, waiting, meaning(done), spare, through)
        elif not start.detail.speed:
            coming = sum([person.rounds for person in waiting]) + spare
            # Only the first round of a burst may impale, and that one has struck.
            facing = shot.facing(start.vehicle.stats.passenger_armor, armor)
            if not shot.lowers and base > coming * max(0, shot.brings(shot.damage.high) - facing):
                line = Line(armor, start.detail.base_hp + 1_000_000, kill, waiting, meaning(done), spare, through)
    return dice.then(down_the_line, shot, start, line, False) if waiting or spare else line


def state_after(dice: Dice, shot: Shot, facing: int, hp: int, rounds: int) -> int:
    """The same as `into_one`, told by the state he is left in."""
    return state_of(dice.settle(into_one, shot, facing, hp, rounds))


@lru_cache(maxsize=65536)
def meaning(done: Done) -> Done:
    """Hit points by what they mean: unhurt, wounded, unconscious, dead."""
    return tuple(sorted([(g, before, hp if hp == before else state_of(hp)) for g, before, hp in done]))


def state_of(hp: int) -> int:
    """The least hit points of the same state: able, unconscious or dead."""
    return CONSCIOUS_ABOVE + 1 if hp > CONSCIOUS_ABOVE else 1 if hp > 0 else hp


@lru_cache(maxsize=4096)
def same_kill(people: tuple[tuple[int, ...], ...], kill: int) -> int:
    """The least damage that leaves everyone in the same state as this one."""
    all_hp = {hp for group in people for hp in group if hp > 0}
    after = [state_of(max(0, hp - kill)) for hp in all_hp]
    return next(k for k in range(1, kill + 1) if [state_of(max(0, hp - k)) for hp in all_hp] == after) if kill else 0


def people_done(dice: Dice, start: Start, place: Place, kill: int, done: tuple[tuple[int, int, int], ...]) -> After:
    """The burst is over: everybody's hit points, the wreck's toll on those it did not strike, and the driver."""
    work = Work(start)
    work.effects = effects.PENETRATED
    was_able = work.driver_able
    people = [list(group) for group in work.people]
    done = tuple([(place.groups[n], before, hp) for n, before, hp in done])
    for g, before, _ in done:
        people[g].remove(before)
    if kill:
        work.base_hp = 0
        dice.note("R6", "Base HP is gone: the vehicle is destroyed, everyone aboard takes {}", kill)
        people = [[hp if hp <= 0 else max(0, hp - kill) for hp in group] for group in people]
    for g, before, hp in done:
        people[g].append(hp)
        dice.note("R19", "{}: {} of {} hit points left", work.vehicle.person(g, work.seating).name, hp, before)
    for g, group in enumerate(people):
        work.set_group(g, group)
    driver_lost(dice, work, place, was_able, any(work.vehicle.groups[g].driver for g, _, _ in done))
    return work.after()
