"""A burst among people: Luck once for the whole burst, then every round in turn, person by person."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from d100_wwii.consequences import kept
from d100_wwii.people import Struck, at_risk, deal, driver_lost, lethal, luck
from d100_wwii.rolls import beaten, left_after
from d100_wwii.shot import DAMAGE, Shot
from d100_wwii.state import CONSCIOUS_ABOVE
from d100_wwii.vehicle import Place
from d100_wwii.work import After, Start, Work, composed
from mantlet import Dice, Outcome, Stage, Then, effects

ENDLESS = 1 << 40
"""More than any Base HP."""
NOBODY = -1
"""The group of rounds that strike nobody who counts."""


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


def people_burst(dice: Dice, shot: Shot, start: Start, place: Place, hits: int, impale: bool) -> Then:
    """So many rounds strike a place with people in it."""
    line_up, spare = dealt_out(dice, start, place, hits)
    return dice.then(people_struck, shot, start, place, hits, line_up, spare, impale)


def dealt_out(dice: Dice, start: Start, place: Place, hits: int) -> tuple[tuple[Struck, ...], int]:
    """Who is struck (R17) and how many rounds each gets (A17), and how many strike nobody."""
    work = Work(start)
    people = at_risk(work, place)
    struck = people if hits >= len(people) else luck(dice, work, people, hits)
    if not struck:
        dice.note("A18", "the rounds strike nobody there")
    dealt, spare = deal(work, struck, hits)
    for person in dealt:
        name = work.vehicle.person(person.group, work.seating).name
        dice.note("A17", "{} is struck by {}", name, person.rounds)
    # Counted within the place, so that places alike share the rounds' work.
    return tuple([person._replace(group=place.groups.index(person.group)) for person in dealt]), spare


def people_struck(
    dice: Dice, shot: Shot, start: Start, place: Place, hits: int, line_up: tuple[Struck, ...], spare: int, impale: bool
) -> Outcome:
    """What the rounds do to each of those struck."""
    detail = start.detail
    line = Line(detail.armor, detail.base_hp, 0, line_up, (), spare, False)
    line = dice.settle(down_the_line, shot, start, line, impale, False)
    dice.note("R5", "Base HP falls from {} to {}", detail.base_hp, line.base)
    if not line.through:
        work = Work(start)
        work.armor = line.armor
        return work.close(hits=hits)
    after: After = dice.settle(people_done, start, place, line.kill, line.done)
    return composed(start, after, line.armor, line.base, hits, (place.location,), None)


def one_stands_for_all(shot: Shot, start: Start) -> bool:
    """Whether those struck can be told by one of them: nobody was hurt before, and nothing further hurts anybody."""
    if start.detail.speed or start.vehicle.options.parked_trouble:
        return False
    return start.detail.people == start.vehicle.full.people


def others_able(work: Work, place: Place) -> bool:
    """Whether somebody elsewhere aboard can act, and nobody in this place drives."""
    elsewhere = [hp for g, group in enumerate(work.people) if g not in place.groups for hp in group]
    return work.vehicle.driver not in place.groups and any(work.able(hp) for hp in elsewhere)


def watched(line_up: tuple[Struck, ...], spare: int, who: int) -> tuple[tuple[Struck, ...], int]:
    """The line when one of them alone is watched: what strikes the others before and after him is told by its rounds.

    Expected numbers add up, so that one of n, taken at even odds, stands for all (see `told.people_done_told`).
    """
    before = sum([person.rounds for person in line_up[:who]])
    after = sum([person.rounds for person in line_up[who + 1 :]]) + spare
    head = (Struck(NOBODY, 0, 0, before),) if before else ()
    return (*head, line_up[who]), after


class Visit(NamedTuple):
    """The rounds meant for one person: armor and Base HP left, his hit points, the damage that destroyed the vehicle
    (0: not with these), the rounds left, and whether any penetrated."""

    armor: int
    base: int
    hp: int
    kill: int
    left: int
    through: bool


def visit(dice: Dice, shot: Shot, passenger_armor: int, so_far: Visit, impale: bool, last: int) -> Visit | Then:
    """One round after another, until they are spent.

    `last` is not 0 when afterwards only the state he is in matters and whether there are Base HP left: the most that a
    round takes.
    """
    armor, base, hp, kill, left, through = so_far
    if not left:
        return so_far._replace(hp=state_of(hp)) if last and through else so_far
    if kill and hp <= 0 and not shot.lowers:
        return Visit(armor, 0, hp, kill, 0, through)
    options = shot.options
    if shot.plain and not impale:
        if kill:
            return Visit(armor, 0, dice.settle(left_of(shot), shot, armor, hp, left), kill, 0, True)
        beats = dice.pick(beaten(shot.damage, armor, shot.halves), "damage", "A64")
        left -= 1
        after = base - beats if base > beats else 0
        if last and after > left * last:
            after = left * last + 1
        if not beats:
            now = Visit(armor, after, hp, 0, left, through)
        else:
            now = Visit(armor, after, hp - beats if hp > beats else 0, beats if base > 0 >= after else 0, left, True)
        return dice.then(visit, shot, passenger_armor, now, False, last)
    total = dice.roll(shot.impaled, "damage, impaling", "A21") if impale else dice.roll(shot.damage, "damage", "A64")
    damage = shot.brings(total)
    facing = shot.facing(passenger_armor, armor)
    after = shot.armor_left(armor, damage)
    if not shot.through(damage, facing):
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
        now = Visit(after, _within(base, left - 1, last), hp, kill, left - 1, through)
        return dice.then(visit, shot, passenger_armor, now, False, last)
    beats = damage - facing
    dice.note("R4", "{} - armor {} = {} through", damage, facing, beats)
    beyond = 0 if options.occupant_hit_spares_base_hp else max(0, damage - armor) if shot.bare else beats
    hp = max(0, hp - lethal(options, beats))
    if base > 0 >= base - beyond:
        kill = beats
        if options.destroyed_and_struck == "both":
            hp = max(0, hp - beats)
    now = Visit(after, _within(max(0, base - beyond), left - 1, last), hp, kill, left - 1, True)
    return dice.then(visit, shot, passenger_armor, now, False, last)


def _within(base: int, left: int, last: int) -> int:
    """Base HP, where those out of reach of the rounds left are told alike."""
    return min(base, left * last + 1) if last else base


def left_of(shot: Shot) -> Stage:
    """What a wreck's rounds leave of one person, in the words asked for."""
    return state_after if shot.told and shot.told != DAMAGE else into_one


def into_one(dice: Dice, shot: Shot, facing: int, hp: int, rounds: int) -> int | Then:
    """In a wreck all that matters is the hit points that so many rounds leave of one person."""
    left = left_after(shot.damage, hp, facing, shot.halves, shot.options.round_halves == "up")
    hp = dice.pick(left, "damage", "A64")
    return dice.then(into_one, shot, facing, hp, rounds - 1) if hp > 0 and rounds > 1 else hp


def down_the_line(dice: Dice, shot: Shot, start: Start, line: Line, impale: bool, worst_only: bool) -> Line | Then:
    """The next one struck takes all his rounds; where they destroy the vehicle everyone takes that damage (R6), the
    one struck by that very round once (A40). `worst_only` keeps of those through with none but the worst off."""
    if not line.waiting and not line.spare:
        return line
    passenger_armor = start.vehicle.stats.passenger_armor
    armor, base, killed, waiting, done, spare, through = line
    if waiting:
        first, rest = waiting[0], waiting[1:]
    else:
        first, rest, spare = Struck(NOBODY, 0, 0, spare), (), 0
    group, before, hp, rounds = first
    in_words = bool(shot.told) and shot.told != DAMAGE
    if base <= 0 and not (impale or shot.lowers) and shot.options.occupant_rows == "damage":
        if hp > 0:
            hp = dice.settle(left_of(shot), shot, shot.facing(passenger_armor, armor), hp, rounds)
        if group != NOBODY:
            done = also(done, (group, before, hp), worst_only)
        return onward(dice, shot, start, Line(armor, 0, killed, rest, done, 0, True), worst_only, False)
    # Only the first round of a burst may impale, and that one is struck first.
    most = most_of(shot, start, armor)
    enough = (sum([person.rounds for person in rest]) + spare) * most + kept(start, ENDLESS) if in_words else ENDLESS
    # How far the Base HP is out of reach of these rounds makes no difference to them.
    beyond = 0 if impale or base <= rounds * most else base - rounds * most - 1
    begun = Visit(armor, base - beyond, hp, 0, rounds, False)
    line = Line(armor, beyond, killed, rest, done, spare, through)
    return dice.then(visited, shot, start, line, first, begun, impale, most if enough == 1 else 0, enough, worst_only)


def most_of(shot: Shot, start: Start, armor: int) -> int:
    """The most that a round takes off the Base HP, unless it impales."""
    facing = 0 if shot.lowers else shot.facing(start.vehicle.stats.passenger_armor, armor)
    return max(0, shot.brings(shot.damage.high) - facing)


def visited(
    dice: Dice,
    shot: Shot,
    start: Start,
    line: Line,
    first: Struck,
    begun: Visit,
    impale: bool,
    last: int,
    enough: int,
    worst_only: bool,
) -> Line | Then:
    """The first of the line takes his rounds. `line` has the others, and the Base HP that are out of reach; more than
    `enough` of them make no difference any more."""
    armor, base, hp, kill, _, more = dice.settle(visit, shot, start.vehicle.stats.passenger_armor, begun, impale, last)
    _, beyond, killed, rest, done, spare, through = line
    if base:
        base += beyond
        if base > enough:
            base = enough
    group, before = first[:2]
    if kill:
        done = tuple(sorted([(g, was, now - kill if now > kill else 0) for g, was, now in done]))
        rest = tuple([Struck(g, was, now - kill if now > kill else 0, n) for g, was, now, n in rest])
    if group != NOBODY:
        done = also(done, (group, before, hp), worst_only)
    if base <= 0:
        spare = 0
    line = Line(armor, base, killed or kill, rest, done, spare, through or more)
    return onward(dice, shot, start, line, worst_only, base >= enough)


Done = tuple[tuple[int, int, int], ...]


def also(done: Done, person: tuple[int, int, int], worst_only: bool) -> Done:
    """One more person through with, in order; or the one of them who is worst off."""
    if not done:
        return (person,)
    if worst_only:
        return done if done[0][2] <= person[2] else (person,)
    return tuple(sorted((*done, person)))


def onward(dice: Dice, shot: Shot, start: Start, line: Line, worst_only: bool, out_of_reach: bool) -> Line | Then:
    """Hand on to the next one, or end. In few words, hit points that can no longer change are told by their meaning.

    `out_of_reach`: nothing still to come destroys the vehicle.
    """
    armor, base, kill, waiting, done, spare, through = line
    if shot.told and shot.told != DAMAGE:
        if base <= 0:
            kill = same_kill(start.detail.people, kill)
            line = Line(armor, 0, kill, waiting, meaning(done), spare, through)
        elif out_of_reach and not start.detail.speed:
            line = Line(armor, base, kill, waiting, meaning(done), spare, through)
        if worst_only and done and done[0][2] <= 0 and waiting:
            # Somebody is dead; of the others nothing more is told.
            spare += sum([person.rounds for person in waiting]) if base > 0 else 0
            line = line._replace(waiting=(), spare=spare)
            waiting = ()
    return dice.then(down_the_line, shot, start, line, False, worst_only) if waiting or spare else line


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
