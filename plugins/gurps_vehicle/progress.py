"""The state of a target while the rounds of one attack strike it, and the outcome it ends in."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from gurps_vehicle.detail import BLOWN_UP, FIRE, NAME, STOPPED, WRECKED, Detail, neutral_people
from mantlet import Location, Outcome, outcome
from mantlet.game.condition import DEAD, FIT, Condition
from mantlet.game.effects import (
    CREW_HIT,
    CREW_KILLED,
    DAMAGED,
    DESTROYED,
    EXPLODED,
    FIREPOWER_LOST,
    FIREPOWER_REDUCED,
    HIT,
    IMMOBILIZED,
    KNOCKED_OUT,
    MOBILITY_REDUCED,
    ON_FIRE,
)


class Progress(NamedTuple):
    """Detail, flat, with the effects so far and a bit for every place struck."""

    lost: int
    crippled: tuple[str, ...]
    flags: int
    people: tuple[int, ...]
    animals: tuple[int, ...]
    ablated: tuple[tuple[str, int], ...]
    effects: int = 0
    places: int = 0
    majors: tuple[str, ...] = ()
    """Major wounds whose HT rolls are still to come."""
    dealt: int = 0
    """All injury of this attack, what lies beyond the last HP included."""

    @property
    def detail(self) -> Detail:
        """What is kept of it."""
        return Detail(*self[:6])


class Start:
    """The condition an attack begins in. Compares by identity: one object for one condition."""

    __slots__ = ("condition", "detail", "hits")

    def __init__(self, condition: Condition, detail: Detail, hits: int) -> None:
        self.condition = condition
        self.detail = detail
        self.hits = hits

    @property
    def progress(self) -> Progress:
        """Where the first round finds the target."""
        return Progress(*self.detail)


@lru_cache(maxsize=100_000)
def start_of(condition: Condition, hits: int) -> Start:
    """The one Start for a condition and a number of rounds that strike."""
    detail = condition.detail
    assert isinstance(detail, Detail)
    return Start(condition, detail, hits)


def miss(condition: Condition) -> Outcome:
    """Nothing struck."""
    return outcome(0, condition)


@lru_cache(maxsize=4096)
def places_of(known: tuple[Location, ...], bits: int) -> tuple[Location, ...]:
    """The places whose bits are set."""
    return tuple(place for i, place in enumerate(known) if bits >> i & 1)


def finish(
    start: Start,
    progress: Progress,
    places: tuple[Location, ...],
    mobility: int,
    firepower: int,
    *,
    out: bool,
    hurt: bool = False,
    detail: object = None,
) -> Outcome:
    """The outcome: neutral facts never better than before, and the effects that are new with this attack.

    `mobility` and `firepower` are levels as they are now, `out` whether the target is out of the fight,
    `hurt` whether it took any injury.
    """
    before = start.condition
    flags = progress.flags
    destroyed = before.destroyed or bool(flags & (WRECKED | BLOWN_UP))
    stopped = before.knocked_out or destroyed or out or bool(flags & STOPPED)
    people = neutral_people(progress.people)
    after = Condition(
        max(before.mobility, mobility),
        max(before.firepower, firepower),
        before.on_fire or bool(flags & FIRE),
        stopped,
        destroyed,
        people,
        NAME,
        progress.detail,
    )
    effects = progress.effects | HIT
    if (
        hurt
        or progress.lost > start.detail.lost
        or flags != start.detail.flags
        or progress.crippled != start.detail.crippled
    ):
        effects |= DAMAGED
    if destroyed and not before.destroyed:
        effects |= DESTROYED
    if stopped and not before.knocked_out:
        effects |= KNOCKED_OUT
    if flags & BLOWN_UP and not start.detail.flags & BLOWN_UP:
        effects |= EXPLODED
    if after.on_fire and not before.on_fire:
        effects |= ON_FIRE
    if after.mobility > before.mobility:
        effects |= IMMOBILIZED if after.mobility == 2 else MOBILITY_REDUCED
    if after.firepower > before.firepower:
        effects |= FIREPOWER_LOST if after.firepower == 2 else FIREPOWER_REDUCED
    was = before.people
    killed = people.count(DEAD) - was.count(DEAD)
    wounded = was.count(FIT) - people.count(FIT) - (killed if not any(was) else _fit_killed(was, people))
    if killed:
        effects |= CREW_KILLED
    if wounded or killed or people != was:
        effects |= CREW_HIT
    return outcome(
        effects,
        after,
        hits=start.hits,
        locations=places_of(places, progress.places),
        wounded=wounded,
        killed=killed,
        damage=progress.dealt,
        detail=detail,
    )


def _fit_killed(was: tuple[int, ...], people: tuple[int, ...]) -> int:
    return sum(1 for a, b in zip(was, people) if a == FIT and b == DEAD)
