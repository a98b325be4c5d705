"""A burst into a crowd, told in few words: by the expected people, where one stands for all, and by whether anybody
dies.

Nobody was hurt before, and the vehicle stands still (see `told.asked_apart` and `told.fitting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from d100_wwii.blow import Blow, blow, no_blow
from d100_wwii.people import Struck
from d100_wwii.people_burst import ENDLESS, Visit, dealt_out, most_of, visit
from d100_wwii.shot import Shot
from d100_wwii.vehicle import Place
from d100_wwii.work import Start
from mantlet import Condition, Dice, Outcome, Stage, Step, Then, effects

NOTHING = Condition()


def strikes(dice: Dice, fired: int, least: int, impaling: Fraction) -> tuple[int, bool]:
    """How many rounds of a burst strike, at least so many, and whether the first of them impales."""
    if least > 1:
        hits = dice.one_of(range(least, fired + 1), "how many of the rounds strike, more than one", "R18")
    else:
        hits = dice.roll(f"1d{fired}", f"how many of the {fired} rounds strike", "R18")
    return hits, dice.chance(impaling, "whether the first impales", "A21")


Watched = tuple[int, int, int, bool, int, int, int]
"""One of those aboard while a burst goes on: the rounds still to come before his, his own, and those after them;
whether the first of them impales; Base HP left (0 too when no round can change that any more), his hit points, and
what he had. A bare tuple, for there are many."""


def one_for_all(
    dice: Dice, shot: Shot, start: Start, place: Place, fired: int, least: int, impaling: Fraction
) -> Outcome:
    """Expected numbers add up, so that one of all those aboard, taken at even odds, counts for all of them."""
    *_, hp, full = dice.fold((), _watching(shot, start, place, fired, least, impaling))
    aboard = sum([len(group) for group in start.detail.people])
    return Outcome(0, NOTHING, wounded=aboard if 0 < hp < full else 0, killed=0 if hp else aboard)


@lru_cache(maxsize=256)
def _watching(shot: Shot, start: Start, place: Place, fired: int, least: int, impaling: Fraction) -> tuple[Step, ...]:
    # A burst that strikes with fewer rounds begins later: with as many left, all bursts are then one.
    most = most_of(shot, start, start.detail.armor)
    begin = Step(_whom, _begun, (start, place, fired, least, impaling, most))
    return (begin, *[Step(_strikes, _on, (shot, start, left, most)) for left in range(fired, 0, -1)])


def _whom(
    _: tuple[()], start: Start, place: Place, fired: int, least: int, impaling: Fraction, most: int
) -> tuple[Stage, tuple[Any, ...]]:
    return whom_to_watch, (start, place, fired, least, impaling)


def whom_to_watch(
    dice: Dice, start: Start, place: Place, fired: int, least: int, impaling: Fraction
) -> tuple[int, int, int, bool, int]:
    """One of those aboard: the rounds before his, his own and those after them, whether the first of them all impales,
    and his hit points."""
    everyone = sorted([hp for group in start.detail.people for hp in group])
    who = dice.one_of(range(len(everyone)), "whom to watch")
    hits, impale = strikes(dice, fired, least, impaling)
    line, _ = dealt_out(dice, start, place, hits)
    if who < len(line):
        before = sum([person.rounds for person in line[:who]])
        return before, line[who].rounds, hits - before - line[who].rounds, impale, line[who].hp
    for person in line:
        everyone.remove(person.hp)
    return hits, 0, 0, impale, everyone[who - len(line)]


def _begun(
    _: tuple[()],
    begun: tuple[int, int, int, bool, int],
    start: Start,
    place: Place,
    fired: int,
    least: int,
    impaling: Fraction,
    most: int,
) -> Watched:
    before, own, after, impale, hp = begun
    return _so_far(before, own, after, impale, start.detail.base_hp, hp, hp, most)


def _so_far(before: int, own: int, after: int, impale: bool, base: int, hp: int, full: int, most: int) -> Watched:
    """The one watched, in the fewest words: what can do him no harm does not count."""
    if hp <= 0:
        return 0, 0, 0, False, 0, 0, full
    reach = (before + own + after if after else before) * most
    if base <= 0 or (base > reach and not (impale and (before or reach))):
        # The vehicle is destroyed, or will not be by rounds that strike others: only his own count.
        base = before = after = 0
        if not own and hp < full:
            hp = 1
    return before, own, after, impale, base, hp, full


def _strikes(now: Watched, shot: Shot, start: Start, left: int, most: int) -> tuple[Stage, tuple[Any, ...]]:
    """The next round that strikes somebody else, or all of his own at once."""
    before, own, after, impale, _, hp, _ = now
    if before + own + after < left:
        return no_blow, ()
    armor, facing = start.detail.armor, start.vehicle.stats.passenger_armor
    if own and not before:
        return visit, (shot.whole, facing, Visit(armor, ENDLESS, hp, 0, False), own, impale, 0)
    return blow, (shot.whole, facing, armor, impale)


def _on(now: Watched, struck: Blow | Visit | None, shot: Shot, start: Start, left: int, most: int) -> Watched:
    if struck is None:
        return now
    before, own, after, _, base, hp, full = now
    if isinstance(struck, Visit):
        # Where one of these destroys the vehicle it does him no further harm (A40).
        return _so_far(0, 0, after, False, base - hp + struck.hp, struck.hp, full, most)
    beats = struck.through
    if beats >= base:
        hp -= beats
    if beats > 0:
        base -= beats
    if before:
        return _so_far(before - 1, own, after, False, base, hp, full, most)
    return _so_far(0, own, after - 1, False, base, hp, full, most)


def anybody_dead(
    dice: Dice, shot: Shot, start: Start, line: tuple[Struck, ...], risk: Risk, impale: bool, hit: bool
) -> Outcome | Then:
    """Whether those struck are hit and whether any dies, one after the other, or all others by the vehicle's end (R6).

    Nobody has died so far.
    """
    if not line:
        return Outcome(effects.CREW_HIT if hit else 0, NOTHING)
    first, *rest = line
    armor = start.detail.armor
    reach = ENDLESS if impale else first.rounds * most_of(shot, start, armor)
    begun = Visit(armor, min(risk.base, reach + 1), first.hp - risk.taken, 0, False)
    struck: Visit = dice.settle(visit, shot.whole, start.vehicle.stats.passenger_armor, begun, first.rounds, impale, 0)
    weakest = min([risk.weakest, *[person.hp for person in rest]])
    if struck.hp <= 0 or struck.kill >= weakest:
        return Outcome(effects.CREW_HIT | effects.CREW_KILLED, NOTHING)
    if struck.kill:
        risk = Risk(0, ENDLESS, struck.kill)
    else:
        risk = risk._replace(base=risk.base - begun.base + struck.base, weakest=min(risk.weakest, struck.hp))
    hit = hit or struck.through
    return dice.then(anybody_dead, shot, start, tuple(rest), risk.as_far_as_it_matters(rest), False, hit)


class Risk(NamedTuple):
    """What threatens those whose turn is over: Base HP left (0 once the vehicle is destroyed), the fewest hit points of
    them, and what everyone has taken by its destruction."""

    base: int
    weakest: int
    taken: int = 0

    def as_far_as_it_matters(self, line: Sequence[Struck]) -> Risk:
        """Rounds that take Base HP no fewer than all the hit points of the line have killed somebody in it."""
        return Risk(ENDLESS, ENDLESS) if self.base >= sum([person.hp for person in line]) else self


def at_first(start: Start, line: Sequence[Struck]) -> Risk:
    """Before the burst."""
    others = [hp for group in start.detail.people for hp in group]
    for person in line:
        others.remove(person.hp)
    return Risk(start.detail.base_hp, min(others, default=ENDLESS)).as_far_as_it_matters(line)
