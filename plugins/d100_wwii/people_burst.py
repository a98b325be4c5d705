"""A burst among people: Luck once for the whole burst, then every round in turn, person by person."""

from __future__ import annotations

from typing import NamedTuple

from d100_wwii.options import Options
from d100_wwii.people import Struck, at_risk, deal, driver_lost, lethal, luck
from d100_wwii.rolls import left_after
from d100_wwii.shot import Shot
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


def down_the_line(dice: Dice, shot: Shot, start: Start, line: Line, impale: bool) -> Line | Then:
    """One round after another, to the people struck in turn."""
    if not line.waiting and not line.spare:
        return line
    options = shot.options
    facing = shot.facing(start.vehicle.stats.passenger_armor, line.armor)
    if line.base <= 0 and not (impale or shot.lowers) and options.occupant_rows == "damage":
        # In a wreck nothing matters any more but what the rounds leave of each of those they still strike.
        first, *rest = line.waiting
        hp = dice.settle(into_one, shot, facing, first.hp, first.rounds)
        done = tuple(sorted((*line.done, (first.group, first.before, hp))))
        line = Line(line.armor, 0, line.kill, tuple(rest), done, 0, True)
        return dice.then(down_the_line, shot, start, line, False) if rest else line
    total = dice.roll(shot.impaled, "damage, impaling", "A21") if impale else dice.roll(shot.damage, "damage", "A64")
    damage = shot.brings(total)
    after = shot.armor_left(line.armor, damage)
    if not shot.through(damage, facing):
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
        return dice.then(down_the_line, shot, start, taken(options, line, after, 0, 0, 0), False)
    through = damage - facing
    dice.note("R4", "{} - armor {} = {} through", damage, facing, through)
    beyond = 0 if options.occupant_hit_spares_base_hp else max(0, damage - line.armor) if shot.bare else through
    return dice.then(
        down_the_line, shot, start, taken(options, line, after, lethal(options, through), through, beyond), False
    )


def into_one(dice: Dice, shot: Shot, facing: int, hp: int, rounds: int) -> int | Then:
    """The hit points that so many rounds leave of one person."""
    left = left_after(shot.damage, hp, facing, shot.halves, shot.options.round_halves == "up")
    hp = dice.pick(left, "damage", "A64")
    return dice.then(into_one, shot, facing, hp, rounds - 1) if hp > 0 and rounds > 1 else hp


def taken(options: Options, line: Line, armor: int, hurt: int, damage: int, beyond: int) -> Line:
    """One round: the next person in line takes `hurt`, the Base HP loses `beyond`, and where that destroys the vehicle
    everyone takes `damage` (R6), the one struck by this very round once (A40)."""
    base = max(0, line.base - beyond)
    kills = line.base > 0 >= base
    waiting, done, kill = line.waiting, line.done, line.kill
    through = line.through or damage > 0 or hurt > 0
    if kills:
        kill = damage
        done = tuple(sorted([(g, before, max(0, hp - damage)) for g, before, hp in done]))
    if not waiting:
        return settled(Line(armor, base, kill, waiting, done, max(0, line.spare - 1), through))
    first, *rest = waiting
    hp = max(0, first.hp - hurt)
    if kills:
        rest = [person._replace(hp=max(0, person.hp - damage)) for person in rest]
        if options.destroyed_and_struck == "both":
            hp = max(0, hp - damage)
    first = Struck(first.group, first.before, hp, first.rounds - 1)
    return settled(Line(armor, base, kill, (first, *rest), done, line.spare, through))


def settled(line: Line) -> Line:
    """Leave out what no longer matters: people through with, and in a wreck the rounds into the dead and the void."""
    wreck = line.base <= 0
    waiting = line.waiting
    if not wreck and (not waiting or waiting[0].rounds):
        return line
    still, done = waiting, line.done
    while still and (not still[0].rounds or (wreck and not still[0].hp)):
        person, still = still[0], still[1:]
        done = tuple(sorted((*done, (person.group, person.before, person.hp))))
    return Line(line.armor, line.base, line.kill, still, done, 0 if wreck else line.spare, line.through)


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
