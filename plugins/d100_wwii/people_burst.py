"""A burst among people: Luck once for the whole burst, then every round in turn, person by person."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from d100_wwii.blow import Blow, blow, no_blow
from d100_wwii.consequences import kept
from d100_wwii.people import Struck, at_risk, deal, driver_lost, luck
from d100_wwii.shot import DAMAGE, Shot
from d100_wwii.state import CONSCIOUS_ABOVE
from d100_wwii.vehicle import Place
from d100_wwii.work import After, Start, Work, composed
from mantlet import Dice, Outcome, Stage, Step, Then, effects

ENDLESS = 1 << 40
"""More than any Base HP: rounds take none off them."""


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


_Line = tuple[int, int, int, tuple[Struck, ...], tuple[tuple[int, int, int], ...], int, bool]
"""A Line as it goes from one to the next, bare: there are many."""


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
    line = down_the_line(dice, shot, start, line_up, spare, impale)
    dice.note("R5", "Base HP falls from {} to {}", start.detail.base_hp, line.base)
    if not line.through:
        work = Work(start)
        work.armor = line.armor
        return work.close(hits=hits)
    after: After = dice.settle(people_done, start, place, line.kill, line.done)
    return composed(start, after, line.armor, line.base, hits, (place.location,), None)


def down_the_line(dice: Dice, shot: Shot, start: Start, line_up: tuple[Struck, ...], spare: int, impale: bool) -> Line:
    """Each one struck takes all his rounds, one person after the other, and the vehicle those that strike nobody."""
    detail = start.detail
    first = (detail.armor, detail.base_hp, 0, line_up, (), spare, False)
    return Line(*dice.fold(first, _line_steps(shot, start, len(line_up) + (spare > 0), impale)))


@lru_cache(maxsize=256)
def _line_steps(shot: Shot, start: Start, visits: int, impale: bool) -> tuple[Step, ...]:
    # Only the first round of a burst may impale, and that one is struck first.
    return tuple([Step(_next, _visited, (shot, start, impale and not n)) for n in range(visits)])


class Visit(NamedTuple):
    """The rounds meant for one person: armor and Base HP left, his hit points, the damage that destroyed the vehicle
    (0: not with these), and whether any penetrated."""

    armor: int
    base: int
    hp: int
    kill: int
    through: bool


def visit(dice: Dice, shot: Shot, passenger_armor: int, begun: Visit, rounds: int, impale: bool, last: int) -> Visit:
    """So many rounds at one person, one after another.

    `last` is not 0 when afterwards only the state he is in matters and whether there are Base HP left: the most that a
    round takes.
    """
    end = Visit(*dice.fold(tuple(begun), _visit_steps(shot, passenger_armor, rounds, impale, last)))
    return end._replace(hp=state_of(end.hp)) if last and end.hp < begun.hp else end


@lru_cache(maxsize=256)
def _visit_steps(shot: Shot, passenger_armor: int, rounds: int, impale: bool, last: int) -> tuple[Step, ...]:
    # How many more there are to come is told where it matters alone, so that visits alike share their beginning.
    return tuple(
        [
            Step(_strikes, _hurt, (shot, passenger_armor, impale and not n, last, (rounds - n - 1) * last))
            for n in range(rounds)
        ]
    )


_Visit = tuple[int, int, int, int, bool]


def _strikes(
    so_far: _Visit, shot: Shot, passenger_armor: int, impale: bool, last: int, reach: int
) -> tuple[Stage, tuple[Any, ...]]:
    armor, base, hp, _, through = so_far
    if base <= 0 and hp <= 0 and through and not shot.lowers:
        return no_blow, ()
    return blow, (shot, passenger_armor, armor, impale)


def _hurt(
    so_far: _Visit, struck: Blow | None, shot: Shot, passenger_armor: int, impale: bool, last: int, reach: int
) -> _Visit:
    if struck is None:
        return so_far
    armor, beats, _, hurts, beyond = struck
    _, base, hp, kill, through = so_far
    if beats >= 0:
        through = True
        if not shot.plain and shot.options.occupant_hit_spares_base_hp:
            beyond = 0
        if base > 0 >= base - beyond:
            kill = beats
            if shot.options.destroyed_and_struck == "both":
                hurts += beats
        hp = hp - hurts if hp > hurts else 0
        if base < ENDLESS:
            base = base - beyond if base > beyond else 0
    # How far the Base HP are out of reach of the rounds left makes no difference.
    return armor, reach + 1 if last and base > reach else base, hp, kill, through


def _next(line: _Line, shot: Shot, start: Start, impale: bool) -> tuple[Stage, tuple[Any, ...]]:
    """The next one struck takes his rounds."""
    armor, base, _, waiting, _, spare, through = line
    if not waiting and not spare:
        return no_blow, ()
    hp, rounds = waiting[0][2:] if waiting else (0, spare)
    most = most_of(shot, start, armor)
    if not impale and base > rounds * most:
        # How far the Base HP are out of reach of these rounds makes no difference to them.
        base = rounds * most + 1
    begun = Visit(armor, base, hp, 0, through and base <= 0)
    last = most if _enough(line, shot, start, most) == 1 else 0
    return visit, (shot, start.vehicle.stats.passenger_armor, begun, rounds, impale, last)


def _enough(line: _Line, shot: Shot, start: Start, most: int) -> int:
    """More Base HP than this, after the next one's rounds, make no difference any more in the words asked for."""
    if not shot.told or shot.told == DAMAGE:
        return ENDLESS
    waiting, spare = line[3], line[5]
    others = sum([person.rounds for person in waiting[1:]]) + spare if waiting else 0
    return others * most + kept(start, ENDLESS)


def most_of(shot: Shot, start: Start, armor: int) -> int:
    """The most that a round takes off the Base HP, unless it impales."""
    facing = 0 if shot.lowers else shot.facing(start.vehicle.stats.passenger_armor, armor)
    return max(0, shot.brings(shot.damage.high) - facing)


def _visited(line: _Line, struck: Visit | None, shot: Shot, start: Start, impale: bool) -> _Line:
    """The first of the line has taken his rounds; where they destroy the vehicle everyone takes that damage (R6), the
    one struck by that very round once (A40)."""
    if struck is None:
        return line
    before, base, killed, waiting, done, spare, through = line
    armor, left, hp, kill, more = struck
    first, rest = (waiting[0], waiting[1:]) if waiting else (None, ())
    most = most_of(shot, start, before)
    if left:
        reach = (first.rounds if first else spare) * most
        if not impale and base > reach:
            left += base - reach - 1
    if kill:
        killed = killed or kill
        done = tuple(sorted([(g, was, now - kill if now > kill else 0) for g, was, now in done]))
        rest = tuple([Struck(g, was, now - kill if now > kill else 0, n) for g, was, now, n in rest])
    if first:
        done = tuple(sorted((*done, (first[0], first[1], hp)))) if done else ((first[0], first[1], hp),)
    if not first or (left <= 0 and not shot.lowers):
        spare = 0
    through = through or more
    if shot.told and shot.told != DAMAGE:
        return _in_few_words(start, (armor, left, killed, rest, done, spare, through), _enough(line, shot, start, most))
    return armor, left, killed, rest, done, spare, through


def _in_few_words(start: Start, line: _Line, enough: int) -> _Line:
    """Hit points that can no longer change are told by their meaning: nothing still to come destroys the vehicle where
    Base HP are `enough`."""
    armor, base, kill, waiting, done, spare, through = line
    if base <= 0:
        return armor, 0, same_kill(start.detail.people, kill), waiting, meaning(done), spare, through
    if base >= enough:
        base = enough
        done = done if start.detail.speed else meaning(done)
    return armor, base, kill, waiting, done, spare, through


@lru_cache(maxsize=65536)
def meaning(done: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, int, int], ...]:
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
