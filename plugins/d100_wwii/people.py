"""Who aboard is struck, and what it does to them: Luck by margin, both compartments, a vehicle that is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from d100_wwii.consequences import run
from d100_wwii.options import Options
from d100_wwii.rolls import half, left_of, percent_of
from d100_wwii.shot import Shot
from d100_wwii.state import CONSCIOUS_ABOVE, LEFT
from d100_wwii.status import Status
from d100_wwii.vehicle import Place
from mantlet import Contestant, Crowd, Dice, DiceExpr, parse_dice

LETHAL: Final = 1_000
"""Stands for all the hit points somebody has."""
NOBODY: Final = -1
"""In the place of a seat: the round strikes nobody."""


class Blow(NamedTuple):
    """What gets to a location, in points: to people, to a component, and the heat that a fire goes on with.

    `wreck` is the damage that took the last Base HP (R6), 0 where some are left or none were.
    """

    damage: int = 0
    takes: int = 0
    heat: int = 0
    wreck: int = 0


# Who is struck


def by_luck(shot: Shot, place: Place) -> bool:
    """Whether rounds there strike people one by one, by Luck, and not everyone with every round."""
    return not (shot.area or (place.afv and shot.inside))


def at_risk(status: Status, place: Place) -> list[int]:
    """The seats of a place whose people count (A20), those with higher DEX first; of people alike the worse off."""
    reading = status.vehicle.options.luck_counts
    least = {"living": 1, "conscious": CONSCIOUS_ABOVE + 1, "aboard": 0}[reading]
    seats = [seat for seat in place.seats if status.people[seat] >= least and status.people[seat] != LEFT]
    vehicle, people = status.vehicle, status.people
    return sorted(
        seats, key=lambda seat: (-vehicle.person(seat, status.seating).dex, vehicle.occupants[seat].group, people[seat])
    )


def luck(dice: Dice, status: Status, seats: Sequence[int], hits: int) -> list[int]:
    """Whom fewer hits than people strike: each rolls Luck, the worst failures are hit (R17, A18, A19)."""
    vehicle, options = status.vehicle, status.vehicle.options
    rolling = {}
    for n, seat in enumerate(seats, start=1):
        person = vehicle.person(seat, status.seating)
        label = person.name if vehicle.alone(seat, status.seating) else f"{person.name} {n}"
        tie = person.pow if options.luck_tie == "lower_pow" else 0
        rolling[seat] = Contestant(label, percent_of(person.pow), tie)
    chosen = status.people.worst_failures(dice, rolling, hits, "Luck", "R17")
    if options.lucky_misses != "someone_hit":
        return list(chosen)
    spared = [seat for seat in seats if seat not in chosen][: hits - len(chosen)]
    return [seat for seat in seats if seat in chosen or seat in spared]


def dealt(struck: Sequence[int], hits: int, shared: bool) -> list[int]:
    """How many rounds each of those struck gets: one, and of what is left his share where it is dealt round (A17)."""
    if not shared:
        return [1] * len(struck)
    return [hits // len(struck) + (n < hits % len(struck)) for n in range(len(struck))]


def whom_they_strike(dice: Dice, status: Status, place: Place, hits: int) -> tuple[int, ...]:
    """The seat that each of so many rounds strikes, one after the other; NOBODY for those that miss everybody.

    More rounds than people are dealt round (A17); of fewer, one strikes each whose Luck fails, and no more (A18).
    """
    options, people = status.vehicle.options, at_risk(status, place)
    if hits < len(people):
        struck, shared = luck(dice, status, people, hits), options.lucky_misses == "shared"
    else:
        struck, shared = people, options.extra_hits == "round_robin"
    each = dealt(struck, hits, shared)
    if hits > 1:
        for seat, rounds in zip(struck, each):
            dice.note("A17", "{} is struck by {}", status.vehicle.person(seat, status.seating).name, rounds)
    missed = hits - sum(each)
    if not people and (hits == 1 or not place.seats):
        dice.note("A7", "nobody is there")
    elif not struck:
        told = "everyone was lucky: the round strikes nobody" if hits == 1 else "the rounds strike nobody there"
        dice.note("A18", told)
    elif missed:
        dice.note("A18" if hits < len(people) else "A17", "rounds that strike nobody: {}", missed)
    seats = [seat for seat, rounds in zip(struck, each) for _ in range(rounds)]
    return (*seats, *[NOBODY] * missed)


# What it does to them


def lethal(options: Options, damage: int) -> int:
    """The damage a person takes: all they have, where a people row kills outright (A11)."""
    return damage if options.occupant_rows == "damage" else LETHAL


def with_the_wreck(options: Options, damage: int, wreck: int) -> int:
    """What somebody takes who is struck in a vehicle that is destroyed: the larger of the two damages, once (A40)."""
    return damage + wreck if options.destroyed_and_struck == "both" else max(damage, wreck)


def hurt(dice: Dice, status: Status, struck: Mapping[int, int], wreck: int = 0) -> None:
    """A hit takes hit points: `struck` is the damage by seat to those it strikes itself.

    `wreck` is the damage that took the last Base HP: the vehicle is destroyed and everyone aboard takes it (R6, A40).
    """
    options = status.vehicle.options
    if wreck:
        dice.note("R6", "Base HP is gone: the vehicle is destroyed, everyone aboard takes {}", wreck)
    people = list(status.people)
    for seat in range(len(people)) if wreck else struck:
        people[seat] = left_of(with_the_wreck(options, struck.get(seat, 0), wreck), people[seat])
    status.set_people(people)


def one_struck(dice: Dice, status: Status, seat: int, damage: int, wreck: int = 0) -> None:
    """A round strikes the one in this seat, or nobody."""
    if seat == NOBODY:
        hurt(dice, status, {}, wreck)
        return
    before = status.people[seat]
    hurt(dice, status, {seat: lethal(status.vehicle.options, damage)}, wreck)
    name = status.vehicle.person(seat, status.seating).name
    dice.note("R19", "{} takes {} of {} hit points: {} left", name, damage, before, status.people[seat])


def everyone_struck(dice: Dice, status: Status, damages: Mapping[Place, int], wreck: int = 0) -> None:
    """Everyone in these places takes the damage that is theirs."""
    hurt(dice, status, {seat: damage for place, damage in damages.items() for seat in place.seats}, wreck)
    for place, damage in damages.items():
        takes = with_the_wreck(status.vehicle.options, damage, wreck)
        if takes and place.seats:
            how = "is killed" if takes >= LETHAL else "takes {}"
            dice.note("R19", "{}: everyone there " + how, place.label, takes)


def place_struck(dice: Dice, status: Status, shot: Shot, place: Place, blow: Blow) -> None:
    """A hit on a people row: one by Luck, or everyone there and half for armor's other compartment (A9)."""
    options = shot.options
    damage, wreck = blow.damage, blow.wreck
    if by_luck(shot, place):
        if wreck and with_the_wreck(options, lethal(options, damage), wreck) == wreck:
            hurt(dice, status, {}, wreck)  # everyone takes as much: whom it strikes makes no difference
            return
        (seat,) = whom_they_strike(dice, status, place, 1)
        one_struck(dice, status, seat, damage, wreck)
        return
    damages = {}
    for other in status.vehicle.places:
        each = damage if other is place else half(damage, options.round_up) if place.afv else 0
        damages[other] = lethal(options, each) if each else 0
        if other is not place and each and other.seats:
            deadly = damages[other] >= LETHAL
            dice.note("A9", "{}: " + ("deadly there too" if deadly else "half of it, {}, to each"), other.label, each)
    everyone_struck(dice, status, damages, wreck)


def blast(dice: Dice, status: Status, damage: DiceExpr, reason: str) -> None:
    """One roll of damage that everyone aboard takes, without armor."""
    most = max(status.people, default=0)
    if most > 0:
        status.hurt_everyone(dice.read(damage, min, most, reason=reason, rule="A38"))


def each_rolls(dice: Dice, status: Status, damage: str, reason: str, rule: str) -> None:
    """Damage without armor, rolled for everyone aboard by himself."""
    expression = parse_dice(damage)
    people = list(status.people)
    for seat, hp in enumerate(people):
        if hp > 0:
            name = status.vehicle.person(seat, status.seating).name
            people[seat] = dice.read(expression, left_of, hp, reason=f"{reason}: {name}", rule=rule)
    status.set_people(people)


def driver_lost(dice: Dice, status: Status, before: Crowd[int]) -> None:
    """What follows when the one at the wheel can no longer act (A12), or is hit at all (A13), whatever has done it.

    What it is stands in his own row of the location table. `before`: the hit points of everybody until then.
    """
    vehicle = status.vehicle
    driver = vehicle.driver
    if driver < 0 or status.destroyed:
        return
    lost = status.able(before[driver]) and not status.driver_able
    if lost:
        dice.note("A12", "the driver can no longer act")
    if lost or (vehicle.options.surviving_driver_trouble and status.people[driver] < before[driver]):
        run(dice, status, vehicle.place_of(driver).effects)
