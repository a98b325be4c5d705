"""F10 to F20: what a hit does inside, row by row, each on its own, and whether it knocks the vehicle out."""

from __future__ import annotations

from typing import Any, NamedTuple

from facing_armor.crew import abandons, feel, harm, is_killed
from facing_armor.layout import AMMUNITION_FIRE, FUEL_FIRE, GUN_OUT, IMMOBILE, TRAVERSE_OUT, InsideRow, Layout
from facing_armor.locations import GUN, TRACKS
from facing_armor.state import AMMUNITION, FUEL, NAME, alike_in_order, crowd_of, empty_seats, vehicle_state
from mantlet import Condition, Crowd, Dice, Location, Outcome, Then, outcome_between
from mantlet.game.condition import DEAD, GONE, NONE, REDUCED
from mantlet.game.effects import PENETRATED


class Tail(NamedTuple):
    """What the shots of one attack have come to before this one; an attack of a single shot has None in its place.

    `start` is the condition before the first shot; `onward` the function and plan that fire the next, `left` times;
    `noted` are effects that no condition shows.
    """

    start: Condition
    onward: Any
    left: int
    noted: int = 0
    hits: int = 0
    locations: tuple[Location, ...] = ()


class Struck(NamedTuple):
    """A hit that has got inside, or needs no penetration: the location's key, the place, and how things stood before.

    `tail` is what earlier shots of the attack have come to.
    """

    vehicle: Layout
    key: str
    location: Location
    before: Condition
    tail: Tail | None


class Rows(NamedTuple):
    """The internal effects of a location, and as bits what of them cannot happen again."""

    vehicle: Layout
    key: str
    held: int


def begin(dice: Dice, struck: Struck) -> Outcome | Then:
    """F10: the location's table, and what it comes to.

    The rows know nothing of the vehicle but what they put at risk, so that odds share them between conditions.
    """
    vehicle, before, tail = struck.vehicle, struck.before, struck.tail
    risk = vehicle.risks[struck.key]
    start = before if tail is None else tail.start
    there = tuple([state if i in risk.seats else GONE for i, state in enumerate(before.people)])
    crowd = crowd_of(there, vehicle.kinds, start.people)
    crowd, bits = dice.settle(inside, Rows(vehicle, risk.key, _held(before) & risk.bits), 0, crowd, 0)
    people = tuple([crowd[i] if i in risk.seats else state for i, state in enumerate(before.people)])
    after = _after(dice, struck, people, bits)
    if struck.key in (TRACKS, GUN):
        return settle(dice, struck, after, 0, "hit")
    if not after.knocked_out and abandons(dice, after, vehicle.crew, vehicle.abandon_percent):
        dice.note("F19", "The crew abandons the vehicle: knocked out")
        after = after._replace(knocked_out=True)
    return settle(dice, struck, after, PENETRATED, "penetrated")


def inside(dice: Dice, at_risk: Rows, row: int, people: Crowd[int], bits: int) -> tuple[Crowd[int], int] | Then:
    """F10: the next rows of the table: one man's, or all that are left after the men.

    `people` and `bits` are what the rows so far have done; who is not at risk here counts as gone.
    """
    vehicle, key, held = at_risk
    rows = vehicle.rows[key]
    while row < len(rows):
        entry = rows[row]
        row += 1
        if not entry.seats:
            if not entry.bit & held and dice.chance(entry.percent / 100, entry.label, entry.rule):
                bits |= entry.bit
            continue
        there = [i for i in entry.seats if people[i] != DEAD and people[i] != GONE]
        if there:
            if dice.chance(entry.percent / 100, f"{entry.label} hit", entry.rule):
                people = _casualty(dice, vehicle, entry, there, people)
            if row < len(rows):
                return dice.then(inside, at_risk, row, people, bits)
    return people, bits


def _held(condition: Condition) -> int:
    """What cannot happen again, as bits: a gun already lost, a vehicle already burning."""
    held = 0
    if condition.mobility == NONE:
        held |= IMMOBILE
    if condition.firepower == NONE:
        held |= GUN_OUT | TRAVERSE_OUT
    elif condition.firepower == REDUCED:
        held |= TRAVERSE_OUT
    if condition.on_fire or condition.destroyed:
        held |= AMMUNITION_FIRE | FUEL_FIRE
    return held


def _casualty(dice: Dice, vehicle: Layout, entry: InsideRow, at_risk: list[int], people: Crowd[int]) -> Crowd[int]:
    """F16: one man of these is hit: wounded more often than killed. F17: a wounded man stays in his seat."""
    seat = people.one_of(dice, at_risk, f"who is hit ({entry.label})", entry.rule)
    title = vehicle.titles[seat]
    killed = is_killed(dice, title)
    if not killed:
        dice.note("F17", "{} wounded: he stays in his seat, at half his skill", title)
    return people.put(seat, harm(people[seat], killed))


def _after(dice: Dice, struck: Struck, people: tuple[int, ...], bits: int) -> Condition:
    """F18, F19: the condition that the rows come to."""
    before, vehicle = struck.before, struck.vehicle
    if not bits and people == before.people:
        return before
    mobility = NONE if bits & IMMOBILE else before.mobility
    firepower = NONE if bits & GUN_OUT else REDUCED if bits & TRAVERSE_OUT else before.firepower
    on_fire, ruleset, detail = before.on_fire, before.ruleset, before.detail
    if bits & (AMMUNITION_FIRE | FUEL_FIRE):
        on_fire, ruleset = True, NAME
        detail = vehicle_state(before)._replace(fire=AMMUNITION if bits & AMMUNITION_FIRE else FUEL)
    out, destroyed = before.knocked_out, before.destroyed
    after = Condition(mobility, firepower, on_fire, out, destroyed, people, ruleset, detail)
    return after if out or not falls(dice, vehicle, after) else after._replace(knocked_out=True)


def falls(dice: Dice, vehicle: Layout, condition: Condition) -> bool:
    """F18, F19: whether this knocks out: fire, two or more empty seats, or gun and mobility lost together."""
    if condition.on_fire:
        dice.note("F18", "Fire: knocked out, and it brews up within seconds")
        return True
    empty = empty_seats(condition.people, vehicle.crew)
    if empty >= vehicle.seats_lost:
        dice.note("F19", "{} seats empty: knocked out", empty)
        return True
    if condition.mobility == NONE == condition.firepower:
        dice.note("F19", "Gun disabled and immobilized: knocked out")
        return True
    return False


def settle(dice: Dice, struck: Struck, after: Condition, noted: int, result: str) -> Outcome | Then:
    """The end of a shot that did something: the next one of the attack, or its outcome."""
    kinds, tail = struck.vehicle.kinds, struck.tail
    if tail is None:
        outcome = outcome_between(struck.before, after, noted, locations=(struck.location,), detail=result)
        return alike_in_order(dice, outcome, kinds)
    if after.people != struck.before.people:
        people = crowd_of(after.people, kinds, tail.start.people).in_order(dice)
        after = after._replace(people=tuple(people))
    return next_shot(dice, after, tail._replace(noted=tail.noted | noted), struck.location)


def stopped(
    dice: Dice, condition: Condition, tail: Tail | None, location: Location | None, result: str
) -> Outcome | Then:
    """A shot that changed nothing; `location` is None for a miss.

    A stage of its own, so that exact odds work it out once for all attacks.
    """
    if tail is not None:
        return next_shot(dice, condition, tail, location)
    locations = () if location is None else (location,)
    return outcome_between(condition, condition, hits=len(locations), locations=locations, detail=result)


def felt(dice: Dice, condition: Condition, tail: Tail | None, location: Location, result: str) -> Outcome | Then:
    """F9: a shot that armor stopped: an own-tank hit, which the crew has felt."""
    after = feel(condition)
    if tail is not None:
        return next_shot(dice, after, tail, location)
    return outcome_between(condition, after, locations=(location,), detail=result)


def next_shot(dice: Dice, condition: Condition, tail: Tail, location: Location | None) -> Outcome | Then:
    """After a shot of several: the next, or the outcome of all of them. A vehicle knocked out is fired at no more."""
    hits, locations = tail.hits, tail.locations
    if location is not None:
        hits += 1
        locations = tuple(sorted({*locations, location}))
    stage, plan = tail.onward
    if tail.left and not condition.knocked_out:
        return dice.then(stage, plan, condition, tail._replace(left=tail.left - 1, hits=hits, locations=locations))
    outcome = outcome_between(tail.start, condition, tail.noted, hits=hits, locations=locations)
    return alike_in_order(dice, outcome, plan.layout.kinds)
