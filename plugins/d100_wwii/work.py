"""A target while an attack works on it: `Work` unpacks a condition, takes damage, and is closed into an outcome."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import ge
from typing import Any

from d100_wwii.state import (
    CONSCIOUS_ABOVE,
    EXPLODED,
    INOPERABLE,
    LEFT,
    LESS_FIREPOWER,
    NO_FIREPOWER,
    OUT_OF_ACTION,
    Detail,
)
from d100_wwii.vehicle import Part, Vehicle
from mantlet import ArmorResult, Condition, Location, Outcome, Passage, effects, outcome
from mantlet.game.condition import DEAD, FIT, FULL, GONE, NONE, OUT, REDUCED, WOUNDED


@dataclass(frozen=True, eq=False)
class Start:
    """A vehicle in the condition an attack finds it in. Compares by identity: equal ones are one (see `start_of`)."""

    vehicle: Vehicle
    condition: Condition
    detail: Detail
    dark: bool


@lru_cache(maxsize=8192)
def start_of(vehicle: Vehicle, condition: Condition, speed: int, dark: bool) -> Start:
    """The one Start of a vehicle in this condition, going at this MOVE."""
    detail = condition.detail
    assert isinstance(detail, Detail)
    if detail.flags & INOPERABLE or not detail.base_hp:
        speed = 0
    start = Start(vehicle, condition, detail if detail.speed == speed else detail._replace(speed=speed), dark)
    # What the dark makes of lamps lost before, or these rules of another ruleset's facts, no attack brings about.
    now = Work(start).condition(start.detail, condition.people)
    found = condition._replace(
        mobility=max(condition.mobility, now.mobility),
        firepower=max(condition.firepower, now.firepower),
        knocked_out=condition.knocked_out or now.knocked_out,
    )
    return start if found == condition else Start(vehicle, found, start.detail, dark)


@dataclass(frozen=True, eq=False, slots=True)
class After:
    """What a part of an attack brought about, with the armor and Base HP the attack found. Compares by identity: equal
    ones are one (see `after_of`).

    `rest` is the detail without armor and Base HP, `neutral` the condition without its detail, `bits` the effects and
    `whole` the same made complete, as they are and with damage to the vehicle among them: many outcomes are made of
    one of these (see `composed`).
    """

    base_hp: int
    rest: tuple[Any, ...]
    neutral: tuple[Any, ...]
    bits: int
    whole: tuple[int, int]
    wounded: int
    killed: int


@lru_cache(maxsize=16384)
def after_of(
    base_hp: int, rest: tuple[Any, ...], neutral: tuple[Any, ...], bits: int, wounded: int, killed: int
) -> After:
    """The one After that says this."""
    whole = (effects.complete(bits), effects.complete(bits | effects.DAMAGED))
    return After(base_hp, rest, neutral, bits, whole, wounded, killed)


@lru_cache(maxsize=16384)
def _condition(after: After, armor: int, base: int) -> Condition:
    # A burst has ten times as many outcomes: they share these.
    return Condition._make((*after.neutral, Detail(armor, base, *after.rest)))


def composed(
    start: Start,
    after: After,
    armor: int,
    base: int,
    hits: int,
    locations: tuple[Location, ...],
    result: ArmorResult | None,
) -> Outcome:
    """The outcome of an attack that leaves this armor and Base HP beside what `after` brought about."""
    found = start.detail.base_hp
    if after.base_hp != found:
        base = base - found + after.base_hp if after.base_hp > 0 else 0
        if base <= 0 < after.base_hp:
            # A collision has finished what the hit began.
            work = Work(start, Detail(armor, 0, *after.rest))
            work.effects = after.bits
            return work.close(hits=hits, locations=locations, armor=result)
    now = _condition(after, armor, base)
    whole = after.whole[base < found or armor < start.detail.armor]
    # Made without the detour over its own __new__: a burst has tens of thousands of outcomes.
    return _made(Outcome, (whole, now, hits, locations, after.wounded, after.killed, found - base, result, None))


_made = tuple.__new__


class Work:
    """The mutable middle of one stage: made from a Start when the stage begins, closed when it ends.

    People go by group; a group without names is kept sorted. `effects` gathers neutral effects as they come.
    """

    __slots__ = (
        "armor",
        "base_hp",
        "dark",
        "drive_next",
        "drive_now",
        "effects",
        "fire",
        "flags",
        "move",
        "overheat_in",
        "people",
        "pools",
        "reroll",
        "seating",
        "speed",
        "start",
        "stop_in",
        "trouble_next",
        "vehicle",
    )

    def __init__(self, start: Start, detail: Detail | None = None) -> None:
        self.start = start
        self.vehicle = start.vehicle
        self.dark = start.dark
        self.effects = 0
        (
            self.armor,
            self.base_hp,
            self.pools,
            self.people,
            self.move,
            self.flags,
            self.stop_in,
            self.overheat_in,
            self.fire,
            self.speed,
            self.drive_next,
            self.reroll,
            self.trouble_next,
            self.seating,
            self.drive_now,
        ) = start.detail if detail is None else detail

    @property
    def detail(self) -> Detail:
        """The state as it stands."""
        return Detail(
            self.armor,
            self.base_hp,
            self.pools,
            self.people,
            self.move,
            self.flags,
            self.stop_in,
            self.overheat_in,
            self.fire,
            self.speed,
            self.drive_next,
            self.reroll,
            self.trouble_next,
            self.seating,
            self.drive_now,
        )

    def set_pool(self, part: Part, index: int, hp: int) -> None:
        """Set the hit points of one instance of a component; its instances are kept sorted."""
        pools = list(self.pools)
        pools[index] = hp
        if len(part.pools) > 1:
            first, last = part.pools[0], part.pools[-1] + 1
            pools[first:last] = sorted(pools[first:last])
        self.pools = tuple(pools)

    def hurt(self, group: int, which: int, damage: int) -> int:
        """Take damage off one person; the hit points left. The dead and those gone take none."""
        members = list(self.people[group])
        if members[which] <= 0:
            return members[which]
        left = members[which] = max(0, members[which] - damage)
        self.set_group(group, members)
        return left

    def hurt_everyone(self, damage: int) -> None:
        """Take damage off every person aboard."""
        self.people = tuple([tuple([hp if hp <= 0 else max(0, hp - damage) for hp in group]) for group in self.people])

    def set_group(self, group: int, members: list[int]) -> None:
        """Set the hit points of a group, in order where nobody has a name."""
        members.sort()
        self.people = (*self.people[:group], tuple(members), *self.people[group + 1 :])

    @property
    def destroyed(self) -> bool:
        """Base HP gone."""
        return self.base_hp <= 0

    def gone(self, component: str) -> bool:
        """Whether every instance of a component that was aboard is destroyed."""
        part = self.vehicle.rows.get(component)
        return isinstance(part, Part) and bool(part.pools) and all(self.pools[i] <= 0 for i in part.pools)

    def able(self, hp: int) -> bool:
        """Whether somebody with these hit points can act (A12)."""
        return hp > (CONSCIOUS_ABOVE if self.vehicle.options.driver_down == "unconscious" else 0)

    @property
    def driver_able(self) -> bool:
        """Whether somebody who can act sits at the wheel."""
        driver = self.vehicle.driver
        return driver < 0 or self.able(self.people[driver][0])

    def close(
        self,
        *,
        hits: int = 1,
        locations: tuple[Location, ...] = (),
        armor: ArmorResult | None = None,
        told: Any = None,
    ) -> Outcome:
        """The outcome of an attack: the condition now, and what came about since the start."""
        now, bits, wounded, killed = self.settle()
        return outcome(
            bits | (effects.HIT if hits else 0),
            now,
            hits=hits,
            locations=locations,
            wounded=wounded,
            killed=killed,
            damage=max(0, self.start.detail.base_hp - self.base_hp),
            armor=armor,
            detail=told,
        )

    def after(self) -> After:
        """What came about, for a part of an attack that is settled by itself (see `composed`)."""
        now, bits, wounded, killed = self.settle()
        return after_of(self.base_hp, self.detail[2:], now[:-1], bits | effects.HIT, wounded, killed)

    def passage(self, told: Any = None) -> Passage:
        """What a span of time or an action came to."""
        now, bits, wounded, killed = self.settle()
        new, old = self, self.start.detail
        if new.base_hp >= old.base_hp and new.armor >= old.armor and all(map(ge, new.pools, old.pools)):
            bits &= ~effects.DAMAGED  # what is not the same is better
        return Passage(now, effects.complete(bits) & ~effects.NO_EFFECT, wounded, killed, told)

    def settle(self) -> tuple[Condition, int, int, int]:
        """The condition now, the neutral effects since the start, and how many people were wounded and killed."""
        before, old = self.start.condition, self.start.detail
        detail = self.detail
        states = before.people if self.people is old.people else people_states(self.vehicle, self.people)
        now = self.condition(detail, states)
        bits = self.effects | changes(before, now)
        if detail.base_hp < old.base_hp or detail.pools != old.pools or detail.armor < old.armor:
            bits |= effects.DAMAGED
        if (
            detail.move < old.move
            or (detail.stop_in and not old.stop_in)
            or (detail.overheat_in and not old.overheat_in)
        ):
            bits |= effects.MOBILITY_REDUCED
        killed = wounded = 0
        if states is not before.people and hit_points(self.people) < hit_points(old.people):
            killed = states.count(DEAD) - before.people.count(DEAD)
            no_longer_fit = before.people.count(FIT) - states.count(FIT)
            # Where names are not kept, those killed are taken to be the ones already wounded.
            already = before.people.count(WOUNDED) + before.people.count(OUT)
            wounded = max(0, no_longer_fit - killed + min(killed, already))
            bits |= effects.CREW_KILLED if killed else effects.CREW_HIT
        return now, bits, wounded, killed

    def condition(self, detail: Detail, states: tuple[int, ...]) -> Condition:
        """The condition with this detail, in the neutral words."""
        vehicle = self.vehicle
        nobody = bool(states) and all(s in (OUT, DEAD, GONE) for s in states)
        destroyed = detail.base_hp <= 0
        if destroyed or detail.flags & INOPERABLE or detail.move <= 0 or nobody or not self._can_be_driven(detail):
            mobility = NONE
        elif (
            detail.move < 1
            or detail.stop_in
            or detail.overheat_in
            or not self.driver_able
            or self.gone("brakes")
            or self.gone("steering")
            or (self.dark and self.gone("headlamps"))
        ):
            mobility = REDUCED
        else:
            mobility = FULL
        firepower = self._firepower(destroyed)
        out = destroyed or nobody or bool(detail.flags & OUT_OF_ACTION)
        if vehicle.guns and mobility == NONE and firepower == NONE:
            out = True
        return Condition(mobility, firepower, detail.fire is not None, out, destroyed, states, "d100_wwii", detail)

    def _can_be_driven(self, detail: Detail) -> bool:
        if self.driver_able:
            return True
        return any(self.able(hp) for group in detail.people for hp in group)

    def _firepower(self, destroyed: bool) -> int:
        known = NONE if destroyed or self.flags & NO_FIREPOWER else REDUCED if self.flags & LESS_FIREPOWER else FULL
        guns = self.vehicle.guns
        if not guns or known == NONE:
            return known
        working = [gun for gun in guns if self.pools[gun.pools[0]] > 0]
        if not working:
            return NONE
        return REDUCED if known or len(working) < len(guns) or self.gone("gun_laying") else FULL


def changes(before: Condition, now: Condition) -> int:
    """The neutral effects that lie between two conditions."""
    bits = 0
    if now.mobility > before.mobility:
        bits |= effects.IMMOBILIZED if now.mobility == NONE else effects.MOBILITY_REDUCED
    if now.firepower > before.firepower:
        bits |= effects.FIREPOWER_LOST if now.firepower == NONE else effects.FIREPOWER_REDUCED
    if now.on_fire and not before.on_fire:
        bits |= effects.ON_FIRE
    if now.knocked_out and not before.knocked_out:
        bits |= effects.KNOCKED_OUT
    if now.destroyed and not before.destroyed:
        bits |= effects.DESTROYED
        flags = now.detail.flags if isinstance(now.detail, Detail) else 0
        if flags & EXPLODED:
            bits |= effects.EXPLODED
    return bits


def hit_points(people: tuple[tuple[int, ...], ...]) -> int:
    """All hit points of the people aboard together."""
    return sum([hp for group in people for hp in group if hp > 0])


def people_states(vehicle: Vehicle, people: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The neutral state of every seat."""
    states = [FIT] * len(vehicle.target.crew)
    for group in vehicle.groups:
        full = group.person.hp
        for seat, hp in zip(group.seats, people[group.index]):
            states[seat] = (
                FIT
                if hp >= full
                else WOUNDED
                if hp > CONSCIOUS_ABOVE
                else OUT
                if hp > 0
                else GONE
                if hp == LEFT
                else DEAD
            )
    return tuple(states)
