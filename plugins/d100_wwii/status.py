"""The status of a vehicle while an attack, an action or a round changes it: made from a condition, closed into one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter, ge
from typing import Any, Final

from d100_wwii.rolls import left_of
from d100_wwii.state import (
    CONSCIOUS_ABOVE,
    EXPLODED,
    INOPERABLE,
    LEFT,
    LESS_FIREPOWER,
    NO_FIREPOWER,
    OUT_OF_ACTION,
    Detail,
    Fire,
)
from d100_wwii.vehicle import Part, Vehicle
from mantlet import (
    Condition,
    Crowd,
    Dice,
    Outcome,
    Passage,
    changes,
    effects,
    outcome_between,
)
from mantlet.game.condition import DEAD, FIT, FULL, GONE, NONE, OUT, REDUCED, WOUNDED


@dataclass(frozen=True, eq=False)
class Start:
    """A vehicle in the condition an attack finds it in. Compares by identity: equal ones are one (see `start_of`)."""

    vehicle: Vehicle
    condition: Condition
    detail: Detail


def as_found(dice: Dice, vehicle: Vehicle, condition: Condition, speed: int, dark: bool) -> Start:
    """The vehicle as an attack finds it, going at this MOVE by day or in the dark."""
    detail = condition.detail
    assert isinstance(detail, Detail)
    # Which of those alike sits where is of no account before an attack any more than after it.
    seating = detail.seating
    people = Crowd(detail.people, vehicle.alike(seating)).in_order(dice)
    if people != detail.people:
        condition = condition._replace(
            detail=detail._replace(people=vehicle.crowd(people, seating)),
            people=people_states(vehicle, people, seating),
        )
    return start_of(vehicle, condition, speed, dark)


@lru_cache(maxsize=8192)
def start_of(vehicle: Vehicle, condition: Condition, speed: int, dark: bool) -> Start:
    """The one Start of a vehicle in this condition, going at this MOVE, or as fast as it can, by day or in the dark."""
    detail = condition.detail
    assert isinstance(detail, Detail)
    speed = 0 if detail.flags & INOPERABLE or not detail.base_hp else min(speed, vehicle.top_speed(detail.move))
    detail = detail._replace(speed=speed, dark=dark, people=vehicle.crowd(detail.people, detail.seating))
    start = Start(vehicle, condition, detail)
    # What the dark makes of lamps lost before, or these rules of another ruleset's facts, no attack brings about.
    now = Status(start).condition()
    known = condition._replace(
        mobility=max(condition.mobility, now.mobility),
        firepower=max(condition.firepower, now.firepower),
        knocked_out=condition.knocked_out or now.knocked_out,
    )
    return Start(vehicle, known, detail)


class Status:
    """The mutable middle of one stage: made from a Start when the stage begins, closed when it ends.

    It has what a Detail has; `effects` gathers those neutral effects that no condition shows.
    """

    __slots__ = ("effects", "start", "vehicle", *Detail._fields)

    armor: int
    base_hp: int
    pools: tuple[int, ...]
    people: Crowd[int]
    move: float
    flags: int
    stop_in: int
    overheat_in: int
    fire: Fire | None
    speed: int
    drive_next: int
    reroll: int
    trouble_next: int
    seating: tuple[int, ...]
    drive_now: int
    dark: bool
    begun_s: float
    tried: tuple[int, ...]

    def __init__(self, start: Start, detail: Detail | None = None) -> None:
        self.start = start
        self.vehicle = start.vehicle
        self.effects = 0
        (
            self.armor, self.base_hp, self.pools, self.people, self.move, self.flags, self.stop_in, self.overheat_in,
            self.fire, self.speed, self.drive_next, self.reroll, self.trouble_next, self.seating, self.drive_now,
            self.dark, self.begun_s, self.tried,
        ) = start.detail if detail is None else detail  # fmt: skip

    @property
    def detail(self) -> Detail:
        """The state as it stands."""
        return Detail._make(_AS_IT_STANDS(self))

    def set_pool(self, part: Part, index: int, hp: int) -> None:
        """Set the hit points of one instance of a component; its instances are kept sorted."""
        pools = list(self.pools)
        pools[index] = hp
        if len(part.pools) > 1:
            first, last = part.pools[0], part.pools[-1] + 1
            pools[first:last] = sorted(pools[first:last])
        self.pools = tuple(pools)

    def hurt_everyone(self, damage: int) -> None:
        """Take damage off every person aboard."""
        self.set_people([left_of(damage, hp) for hp in self.people])

    def set_people(self, people: list[int]) -> None:
        """Set everybody's hit points, by seat."""
        self.people = Crowd(people, self.people.kinds)

    def keep_move(self, share: float) -> None:
        """This share of its full MOV is left: it slows down to that at once."""
        self.move = share
        self.speed = min(self.speed, self.vehicle.top_speed(share))

    @property
    def destroyed(self) -> bool:
        """Base HP gone."""
        return self.base_hp <= 0

    def gone(self, component: str) -> bool:
        """Whether every instance of a component that was aboard is destroyed."""
        return self.vehicle.lost(component, self.pools)

    def able(self, hp: int) -> bool:
        """Whether somebody with these hit points can act (A12)."""
        return hp > (CONSCIOUS_ABOVE if self.vehicle.options.driver_down == "unconscious" else 0)

    @property
    def driver_able(self) -> bool:
        """Whether somebody who can act sits at the wheel."""
        driver = self.vehicle.driver
        return driver < 0 or self.able(self.people[driver])

    def close(self, dice: Dice, **more: Any) -> Outcome:
        """The outcome of an attack: the condition now, and what came about since the start (see `outcome_between`)."""
        return outcome_of(self.start, self.final_condition(dice), self.effects, **more)

    def passage(self, dice: Dice, detail: Any = None) -> Passage:
        """What a span of time or an action came to."""
        before, now = self.start.condition, self.final_condition(dice)
        came = changes(before, now)
        bits = self.effects | came_about(self.start, now) | came.effects
        old = self.start.detail
        if self.base_hp >= old.base_hp and self.armor >= old.armor and all(map(ge, self.pools, old.pools)):
            bits &= ~effects.DAMAGED  # what is not the same is better
        return Passage(now, effects.complete(bits) & ~effects.NO_EFFECT, came.wounded, came.killed, detail)

    def final_condition(self, dice: Dice) -> Condition:
        """The condition when nothing more befalls anybody."""
        self.people = self.people.in_order(dice)
        return self.condition()

    def condition(self) -> Condition:
        """The condition as it stands, in the neutral words and with its detail."""
        vehicle = self.vehicle
        found, old = self.start.condition.people, self.start.detail
        same = (self.people, self.seating) == (old.people, old.seating)
        states = found if found and same else people_states(vehicle, self.people, self.seating)
        nobody = bool(states) and all(s in (OUT, DEAD, GONE) for s in states)
        if (
            self.destroyed
            or self.flags & INOPERABLE
            or self.move <= 0
            or nobody
            or not (self.driver_able or any(self.able(hp) for hp in self.people))
        ):
            mobility = NONE
        elif (
            self.move < 1
            or self.stop_in
            or self.overheat_in
            or not self.driver_able
            or self.gone("brakes")
            or self.gone("steering")
            or (self.dark and self.gone("headlamps"))
        ):
            mobility = REDUCED
        else:
            mobility = FULL
        firepower = self._firepower()
        out = self.destroyed or nobody or bool(self.flags & OUT_OF_ACTION)
        if vehicle.guns and mobility == NONE and firepower == NONE:
            out = True
        burns = self.fire is not None
        return Condition(mobility, firepower, burns, out, self.destroyed, states, "d100_wwii", self.detail)

    def _firepower(self) -> int:
        if self.destroyed or self.flags & NO_FIREPOWER:
            return NONE
        less = bool(self.flags & LESS_FIREPOWER)
        guns = self.vehicle.guns
        working = sum(self.pools[gun.pools[0]] > 0 for gun in guns)
        if guns and not working:
            return NONE
        return REDUCED if less or working < len(guns) or (guns and self.gone("gun_laying")) else FULL


def outcome_of(start: Start, now: Condition, noted: int, **more: Any) -> Outcome:
    """The outcome of an attack that comes to this condition; `noted` are effects that it does not show."""
    detail = now.detail
    assert isinstance(detail, Detail)
    damage = max(0, start.detail.base_hp - detail.base_hp)
    return outcome_between(start.condition, now, noted | came_about(start, now), damage=damage, **more)


def came_about(start: Start, now: Condition) -> int:
    """The neutral effects since the start that lie in this ruleset's own detail."""
    old, new, bits = start.detail, now.detail, 0
    assert isinstance(new, Detail)
    if new.base_hp < old.base_hp or new.pools != old.pools or new.armor < old.armor:
        bits |= effects.DAMAGED
    if new.move < old.move or (new.stop_in and not old.stop_in) or (new.overheat_in and not old.overheat_in):
        bits |= effects.MOBILITY_REDUCED
    if new.flags & EXPLODED and now.destroyed and not start.condition.destroyed:
        bits |= effects.EXPLODED
    if new.people != old.people and hit_points(new.people) < hit_points(old.people):
        bits |= effects.CREW_HIT
    return bits


_AS_IT_STANDS: Final = attrgetter(*Detail._fields)


def hit_points(people: Crowd[int]) -> int:
    """All hit points of the people aboard together."""
    return sum([hp for hp in people if hp > 0])


@lru_cache(maxsize=8192)
def people_states(vehicle: Vehicle, people: Crowd[int], seating: tuple[int, ...]) -> tuple[int, ...]:
    """The neutral state of everybody, by the seat of the catalog that is his, wherever he sits now."""
    states = [FIT] * len(vehicle.occupants)
    for seat, hp in enumerate(people):
        who = vehicle.occupant(seat, seating)
        states[who.seat] = _state(hp, who.person.hp)
    return tuple(states)


def _state(hp: int, full: int) -> int:
    if hp >= full:
        return FIT
    if hp > 0:
        return WOUNDED if hp > CONSCIOUS_ABOVE else OUT
    return GONE if hp == LEFT else DEAD
