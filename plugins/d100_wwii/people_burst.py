"""A burst among people: Luck once for the whole burst, then every round in turn, person by person."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from d100_wwii.blow import Blow, blow, no_blow
from d100_wwii.consequences import kept, quiet
from d100_wwii.people import Struck, at_risk, deal, driver_lost, luck
from d100_wwii.shot import DAMAGE, Shot
from d100_wwii.state import CONSCIOUS_ABOVE
from d100_wwii.vehicle import Place
from d100_wwii.work import After, Start, Work, composed
from mantlet import Dice, Outcome, Stage, Step, Then, effects

ENDLESS = 1 << 40
"""More than any Base HP: rounds take none off them."""


MOST_HP = 1 << 40
"""More than anybody's hit points."""
Persons = tuple[int, ...]
"""People in order, each as one number (see `numbered`): a burst has tens of thousands of states with people in them."""
Line = tuple[int, int, int, Persons, Persons, bool]
"""A burst half done: armor and Base HP left, the damage that destroyed the vehicle (0: not yet), who still has rounds
coming, who is through with them, in order, and whether any round has penetrated. A bare tuple, for there are many."""


def numbered(group: int, before: int, hp: int) -> int:
    """Somebody as one number: the group's number in its place, hit points before and hit points now."""
    return (group * MOST_HP + before) * MOST_HP + hp


def told_apart(number: int) -> tuple[int, int, int]:
    """The group's number, hit points before and hit points now of somebody."""
    known, hp = divmod(number, MOST_HP)
    return *divmod(known, MOST_HP), hp


def people_burst(dice: Dice, shot: Shot, start: Start, place: Place, hits: int, impale: bool) -> Then:
    """So many rounds strike a place with people in it."""
    line_up, spare = dealt_out(dice, start, place, hits)
    return dice.then(people_struck, start, place, hits, *in_line(shot, start, line_up, spare, impale))


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


def people_struck(dice: Dice, start: Start, place: Place, hits: int, line: Line, turns: tuple[Step, ...]) -> Outcome:
    """What the rounds do to each of those struck, one person after the other."""
    armor, base, kill, _, done, through = dice.fold(line, turns)
    dice.note("R5", "Base HP falls from {} to {}", start.detail.base_hp, base)
    if not through:
        work = Work(start)
        work.armor = armor
        return work.close(hits=hits)
    after: After = dice.settle(people_done, start, place, kill, done)
    return composed(start, after, armor, base, hits, (place.location,), None)


def in_line(
    shot: Shot, start: Start, line_up: tuple[Struck, ...], spare: int, impale: bool
) -> tuple[Line, tuple[Step, ...]]:
    """The line before the burst, and everybody's turn: those struck, and the vehicle where rounds strike nobody."""
    waiting = tuple([numbered(group, before, hp) for group, before, hp, _ in line_up])
    turns = _turns(shot, start, tuple([person.rounds for person in line_up]), spare, impale)
    return (start.detail.armor, start.detail.base_hp, 0, waiting, (), False), turns


class Turn(NamedTuple):
    """The rounds meant for one of the line, or for the vehicle alone.

    Base HP over `reach` are out of their reach; more than `enough` make no difference after them. `last` is not 0 where
    the state he is in is all that matters then (see `visit`).
    """

    somebody: bool
    rounds: int
    impale: bool
    reach: int
    enough: int
    last: int


@lru_cache(maxsize=256)
def _turns(shot: Shot, start: Start, each: tuple[int, ...], spare: int, impale: bool) -> tuple[Step, ...]:
    most = most_of(shot, start, start.detail.armor)
    steps = []
    for n, rounds in enumerate((*each, spare) if spare else each):
        # Only the first round of a burst may impale, and that one is struck first.
        impales = impale and not n
        enough = ENDLESS
        if shot.told and shot.told != DAMAGE:
            enough = (sum(each[n + 1 :]) + (spare if n < len(each) else 0)) * most + kept(start, ENDLESS)
        last = most if enough == 1 and quiet(start) else 0
        turn = Turn(n < len(each), rounds, impales, ENDLESS if impales else rounds * most, enough, last)
        steps.append(Step(_next, _visited, (shot, start, turn), at_once=True))
    return tuple(steps)


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


def most_of(shot: Shot, start: Start, armor: int) -> int:
    """The most that a round takes off the Base HP, unless it impales."""
    facing = 0 if shot.lowers else shot.facing(start.vehicle.stats.passenger_armor, armor)
    return max(0, shot.brings(shot.damage.high) - facing)


def _next(line: Line, shot: Shot, start: Start, turn: Turn) -> tuple[Stage, tuple[Any, ...]]:
    """The next one struck takes his rounds. How far Base HP are out of their reach makes no difference to them."""
    armor, base, _, waiting, _, through = line
    hp = waiting[0] % MOST_HP if turn.somebody else 0
    begun = Visit(armor, min(base, turn.reach + 1), hp, 0, through and base <= 0)
    return visit, (shot, start.vehicle.stats.passenger_armor, begun, turn.rounds, turn.impale, turn.last)


def _visited(line: Line, visits: tuple[Visit, ...], shot: Shot, start: Start, turn: Turn) -> list[Line]:
    """The first of the line has taken his rounds; where they destroy the vehicle everyone takes that damage (R6), the
    one struck by that very round once (A40)."""
    _, before, killed, waiting, done, through = line
    out_of_reach = max(0, before - turn.reach - 1)
    in_few_words = turn.enough < ENDLESS
    first, rest = waiting[:1], waiting[1:]
    joined = _joined(done, first)
    lines: list[Line] = []
    for armor, base, hp, kill, more in visits:
        base += out_of_reach
        if kill:
            those = _joined(_all_take(done, kill), first)[hp]
            after = armor, base, kill, _all_take(rest, kill), those, through or more
        else:
            after = armor, base, killed, rest, joined[hp], through or more
        lines.append(_in_few_words(after, start, turn) if in_few_words else after)
    return lines


class _Joined(dict[int, Persons]):
    """Those who are through with the first of the line among them, if any, by the hit points he has left."""

    def __init__(self, done: Persons, first: Persons) -> None:
        self.done = done
        self.first = first

    def __missing__(self, hp: int) -> Persons:
        found = self[hp] = tuple(sorted([*self.done, *[number - number % MOST_HP + hp for number in self.first]]))
        return found


_joined = lru_cache(maxsize=4096)(_Joined)


@lru_cache(maxsize=4096)
def _all_take(persons: Persons, damage: int) -> Persons:
    return tuple([number - min(number % MOST_HP, damage) for number in persons])


def _in_few_words(line: Line, start: Start, turn: Turn) -> Line:
    """Hit points that can no longer change are told by their meaning."""
    armor, base, killed, rest, done, through = line
    if base <= 0:
        return armor, base, same_kill(start.detail.people, killed), rest, meaning(done), through
    if base >= turn.enough:
        return armor, turn.enough, killed, rest, meaning(done) if quiet(start) else done, through
    return line


@lru_cache(maxsize=65536)
def meaning(done: Persons) -> Persons:
    """Hit points by what they mean: unhurt, wounded, unconscious, dead."""
    persons = map(told_apart, done)
    return tuple(sorted([numbered(g, before, hp if hp == before else state_of(hp)) for g, before, hp in persons]))


def state_of(hp: int) -> int:
    """The least hit points of the same state: able, unconscious or dead."""
    return CONSCIOUS_ABOVE + 1 if hp > CONSCIOUS_ABOVE else 1 if hp > 0 else hp


@lru_cache(maxsize=4096)
def same_kill(people: tuple[tuple[int, ...], ...], kill: int) -> int:
    """The least damage that leaves everyone in the same state as this one."""
    all_hp = {hp for group in people for hp in group if hp > 0}
    after = [state_of(max(0, hp - kill)) for hp in all_hp]
    return next(k for k in range(1, kill + 1) if [state_of(max(0, hp - k)) for hp in all_hp] == after) if kill else 0


def people_done(dice: Dice, start: Start, place: Place, kill: int, done: Persons) -> After:
    """The burst is over: everybody's hit points, the wreck's toll on those it did not strike, and the driver."""
    work = Work(start)
    work.effects = effects.PENETRATED
    was_able = work.driver_able
    people = [list(group) for group in work.people]
    struck = [(place.groups[n], before, hp) for n, before, hp in map(told_apart, done)]
    for g, before, _ in struck:
        people[g].remove(before)
    if kill:
        work.base_hp = 0
        dice.note("R6", "Base HP is gone: the vehicle is destroyed, everyone aboard takes {}", kill)
        people = [[hp if hp <= 0 else max(0, hp - kill) for hp in group] for group in people]
    for g, before, hp in struck:
        people[g].append(hp)
        dice.note("R19", "{}: {} of {} hit points left", work.vehicle.person(g, work.seating).name, hp, before)
    for g, group in enumerate(people):
        work.set_group(g, group)
    driver_lost(dice, work, place, was_able, any(work.vehicle.groups[g].driver for g, _, _ in struck))
    return work.after()
