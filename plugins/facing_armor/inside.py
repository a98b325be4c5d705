"""F10 to F20: what a hit does inside, row by row, each on its own, and whether it knocks the vehicle out."""

from __future__ import annotations

from typing import Any, NamedTuple

from facing_armor.design import design
from facing_armor.layout import AMMUNITION_FIRE, FUEL_FIRE, GUN_OUT, IMMOBILE, TRAVERSE_OUT, InsideRow, Layout
from facing_armor.locations import GUN, TRACKS
from facing_armor.state import AMMUNITION, FUEL, NAME, empty_seats, vehicle_state
from mantlet import Condition, Dice, Location, Outcome, Then, outcome
from mantlet.game.condition import DEAD, FIT, GONE, NONE, REDUCED, WOUNDED
from mantlet.game.effects import (
    CREW_HIT,
    CREW_KILLED,
    DAMAGED,
    FIREPOWER_LOST,
    FIREPOWER_REDUCED,
    HIT,
    IMMOBILIZED,
    KNOCKED_OUT,
    ON_FIRE,
    PENETRATED,
)


class Tail(NamedTuple):
    """What the shots of one attack have come to before this one; an attack of a single shot has None in its place.

    `start` is the condition before the first shot; `onward` the function and plan that fire the next, `left` times.
    """

    start: Condition
    onward: Any
    left: int
    effects: int = 0
    hits: int = 0
    locations: tuple[Location, ...] = ()


def inside(
    dice: Dice,
    vehicle: Layout,
    key: str,
    location: Location,
    row: int,
    before: Condition,
    people: tuple[int, ...],
    bits: int,
    tail: Tail | None,
) -> Outcome | Then:
    """F10: the next rows of the location's table: one man's, or all that are left after the men.

    `people` and `bits` are what the rows so far have done.
    """
    rows = vehicle.rows[key]
    held = _held(before)
    while row < len(rows):
        entry = rows[row]
        row += 1
        if not entry.seats:
            if not entry.bit & held and dice.chance(entry.percent / 100, entry.label, entry.rule):
                bits |= entry.bit
            continue
        at_risk = [i for i in entry.seats if people[i] != DEAD and people[i] != GONE]
        if at_risk:
            if dice.chance(entry.percent / 100, f"{entry.label} hit", entry.rule):
                people = _casualty(dice, vehicle, entry, at_risk, people)
            if row < len(rows):
                return dice.then(inside, vehicle, key, location, row, before, people, bits, tail)
    after = _after(dice, vehicle, before, people, bits)
    effects = HIT if key in (TRACKS, GUN) else HIT | PENETRATED
    result = "penetrated" if effects & PENETRATED else "hit"
    return settle(dice, before, after, tail, effects, location, result, vehicle.groups)


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


def _casualty(
    dice: Dice, vehicle: Layout, entry: InsideRow, at_risk: list[int], people: tuple[int, ...]
) -> tuple[int, ...]:
    """F16: one man of these is hit: wounded more often than killed. F17: a wounded man stays in his seat."""
    seat = dice.one_of(at_risk, f"who is hit ({entry.label})", entry.rule)
    title = vehicle.titles[seat]
    killed = dice.chance(design().casualties.killed_percent / 100, f"{title} killed", "F16")
    if not killed:
        dice.note("F17", "{} wounded: he stays in his seat, at half his skill", title)
    return harm(people, seat, killed, vehicle.groups)


def harm(people: tuple[int, ...], seat: int, killed: bool, groups: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The states after one man is hit. A wound changes nobody who was worse off; alike seats are kept sorted."""
    state = people[seat]
    new = DEAD if killed else (WOUNDED if state == FIT else state)
    if new == state:
        return people
    changed = list(people)
    changed[seat] = new
    for start, end in groups:
        if start <= seat < end:
            changed[start:end] = sorted(changed[start:end])
    return tuple(changed)


def _after(dice: Dice, vehicle: Layout, before: Condition, people: tuple[int, ...], bits: int) -> Condition:
    """F18, F19: the condition that the rows come to."""
    if not bits and people == before.people:
        return before
    mobility = NONE if bits & IMMOBILE else before.mobility
    firepower = NONE if bits & GUN_OUT else (REDUCED if bits & TRAVERSE_OUT else before.firepower)
    on_fire, ruleset, detail = before.on_fire, before.ruleset, before.detail
    if bits & (AMMUNITION_FIRE | FUEL_FIRE):
        on_fire, ruleset = True, NAME
        detail = vehicle_state(before)._replace(fire=AMMUNITION if bits & AMMUNITION_FIRE else FUEL)
    out = before.knocked_out or falls(dice, vehicle, mobility, firepower, on_fire, people)
    return Condition(mobility, firepower, on_fire, out, before.destroyed, people, ruleset, detail)


def falls(dice: Dice, vehicle: Layout, mobility: int, firepower: int, on_fire: bool, people: tuple[int, ...]) -> bool:
    """F18, F19: whether this knocks out: fire, two or more empty seats, or gun and mobility lost together."""
    if on_fire:
        dice.note("F18", "Fire: knocked out, and it brews up within seconds")
        return True
    empty = empty_seats(people, vehicle.crew)
    if empty >= vehicle.seats_lost:
        dice.note("F19", "{} seats empty: knocked out", empty)
        return True
    if mobility == NONE == firepower:
        dice.note("F19", "Gun disabled and immobilized: knocked out")
        return True
    return False


def settle(
    dice: Dice,
    before: Condition,
    after: Condition,
    tail: Tail | None,
    effects: int,
    location: Location | None,
    result: str,
    groups: tuple[tuple[int, int], ...] = (),
) -> Outcome | Then:
    """The end of one shot: the next one of the attack, or its outcome."""
    if tail is None:
        struck = (location,) if location is not None else ()
        return finish(before, after, effects, len(struck), struck, result, groups)
    effects |= tail.effects
    hits = tail.hits + (location is not None)
    locations = tail.locations
    if location is not None and location not in locations:
        locations = tuple(sorted((*locations, location))) if locations else (location,)
    stage, plan = tail.onward
    if tail.left and not after.knocked_out:
        following = Tail(tail.start, tail.onward, tail.left - 1, effects, hits, locations)
        return dice.then(stage, plan, after, following)
    return finish(tail.start, after, effects, hits, locations, None, plan.layout.groups)


def stopped(
    dice: Dice, condition: Condition, tail: Tail | None, effects: int, location: Location | None, result: str
) -> Outcome | Then:
    """A shot that changed nothing. A stage of its own, so that exact odds work it out once for all attacks."""
    return settle(dice, condition, condition, tail, effects, location, result)


def finish(
    start: Condition,
    after: Condition,
    effects: int,
    hits: int,
    locations: tuple[Location, ...],
    result: str | None,
    groups: tuple[tuple[int, int], ...] = (),
) -> Outcome:
    """The outcome of an attack, its effects read off what changed. `groups` are the alike seats kept sorted."""
    if after is start:
        return outcome(effects, after, hits=hits, locations=locations, detail=result)
    wounded = killed = 0
    if after.people != start.people:
        wounded, killed = newly_hurt(start.people, after.people, groups)
        effects |= CREW_HIT | CREW_KILLED if killed else CREW_HIT
    if after.mobility == NONE != start.mobility:
        effects |= IMMOBILIZED | DAMAGED
    if after.firepower != start.firepower:
        effects |= FIREPOWER_LOST if after.firepower == NONE else FIREPOWER_REDUCED
    if after.on_fire and not start.on_fire:
        effects |= ON_FIRE
    if after.knocked_out and not start.knocked_out:
        effects |= KNOCKED_OUT
    return outcome(effects, after, hits=hits, locations=locations, wounded=wounded, killed=killed, detail=result)


def newly_hurt(before: tuple[int, ...], after: tuple[int, ...], groups: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """How many men were wounded, and how many killed, between two states of the same seats.

    In a group of alike seats the states are sorted, so its men are told apart by numbers alone: of a wounded man
    killed and a fit one wounded in his place, the wound is then not counted.
    """
    wounded = killed = 0
    for was, now in zip(before, after):
        if now != was:
            if now == DEAD:
                killed += 1
            elif now == WOUNDED:
                wounded += 1
    for start, end in groups:
        was_in, now_in = before[start:end], after[start:end]
        if was_in != now_in:
            dead = now_in.count(DEAD) - was_in.count(DEAD)
            more = now_in.count(WOUNDED) - was_in.count(WOUNDED)
            fewer_fit = was_in.count(FIT) - now_in.count(FIT)
            seen = sum([now == WOUNDED != was for was, now in zip(was_in, now_in)])
            killed += dead - sum([now == DEAD != was for was, now in zip(was_in, now_in)])
            wounded += max(0, more, fewer_fit - dead) - seen
    return wounded, killed
