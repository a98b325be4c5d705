"""Driving and trouble: Drive checks, the trouble table, collisions, and a wheel that nobody holds."""

from __future__ import annotations

from d100_wwii.circumstances import circumstances, minimum_percent
from d100_wwii.consequences import effect, run
from d100_wwii.rolls import left_of, percent_of, share, skill_roll, times
from d100_wwii.status import Status
from d100_wwii.tables import CollisionData, Op, collision_table
from d100_wwii.vehicle import Vehicle
from mantlet import Contestant, Crowd, Dice, Modifier, parse_dice

TAKE_WHEEL = -20
DOWNHILL = "steep_downhill"
"""The condition of the road under which a vehicle without brakes runs away."""


def moving(status: Status) -> bool:
    """Whether trouble rolls are due at all (A56)."""
    return status.speed > 0 or status.vehicle.options.parked_trouble


def drive(
    dice: Dice, status: Status, modifier: Modifier | None = None, rule: str = "R19", percent: int | None = None
) -> bool:
    """A Drive check by whoever is at the wheel (or by a person of the given skill); nobody fails."""
    vehicle = status.vehicle
    if percent is None:
        if not status.driver_able or vehicle.driver < 0:
            dice.note(rule, "nobody at the wheel: the {} check fails", vehicle.stats.drive_skill)
            return False
        percent = vehicle.person(vehicle.driver, status.seating).drive
    if percent < minimum_percent():
        dice.note(rule, "with {}% in {} nobody can drive it: the check fails", percent, vehicle.stats.drive_skill)
        return False
    reasons = [Modifier(percent, vehicle.stats.drive_skill)]
    if modifier is not None and modifier.value:
        reasons.append(modifier)
    if status.drive_now:
        reasons.append(Modifier(status.drive_now, "skidding since last round"))
    reasons.extend(circumstances(vehicle.options, status.speed, status.dark, status.dark and status.gone("headlamps")))
    return dice.check(skill_roll(reasons), vehicle.stats.drive_skill, rule)


@effect("drive_check")
def drive_check(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """A Drive check that a row asks for, and what the row says of success and failure."""
    if status.destroyed:
        return
    if not moving(status):
        dice.note("A56", "it stands still: no Drive check")
        run(dice, status, op.ok, damage)
    elif drive(dice, status, Modifier(op.value, "the hit")):
        run(dice, status, op.ok, damage)
    else:
        run(dice, status, op.fail, damage)


def trouble(dice: Dice, status: Status, modifier: int, rule: str) -> None:
    """A roll on the vehicle trouble table with this on the die; totals over the top row count as it (A54)."""
    table = status.vehicle.trouble
    if status.destroyed or table is None:
        return
    if not moving(status):
        dice.note("A56", "it stands still: no roll for trouble")
        return
    row = dice.pick(table, f"{table.title}, +{modifier} on the die" if modifier else table.title, rule, modifier)
    run(dice, status, row.effects)


@effect("trouble")
def _trouble(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """A row brings trouble."""
    trouble(dice, status, op.value, "R19")


@effect("drive_next")
def next_round_at(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """The next round's Drive checks are harder, and may bring trouble again (A55)."""
    status.drive_next = min(status.drive_next, op.value)
    status.reroll = max(status.reroll, op.reroll)
    if op.reroll:
        dice.note("A55", "next round a Drive check at {}, or trouble again at +{}", op.value, op.reroll)
    else:
        dice.note("A55", "Drive at {} next round", op.value)


@effect("halt")
def halt(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """The vehicle stands still."""
    status.speed = 0


@effect("collision")
def collision(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """It runs into something at its own MOVE."""
    options = status.vehicle.options
    book = collision_table(options.collision_table)
    expression = book.dice(status.speed, larger=False)
    if expression is None:
        return
    total = dice.roll(expression, f"collision at MOVE {status.speed}", "A62")
    crash(dice, status, total, book)


def crash(dice: Dice, status: Status, total: int, book: CollisionData) -> None:
    """Collision damage to a vehicle and its people; armor counts only under the option (A62)."""
    options = status.vehicle.options
    if not options.collision_ignores_armor:
        total = max(0, total - status.armor)
    each = share(total, book.occupants * (book.belted if belted(status.vehicle) else 1), options.round_up)
    status.base_hp = max(0, status.base_hp - total)
    status.hurt_everyone(each)
    dice.note("A62", "collision: Base HP loses {}, everyone aboard takes {}", total, each)


def belted(vehicle: Vehicle) -> bool:
    """Whether those aboard are held by belts; nobody is on a motorcycle."""
    return vehicle.options.belted and vehicle.stats.hit_table != "motorcycle"


@effect("no_brakes")
def no_brakes(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """Without brakes it coasts to a stop on the flat, at a rate that the rules leave to the referee."""
    if runs_away(status):
        run_away(dice, status)
    else:
        dice.note("R19", "no brakes: on the flat it coasts to a stop, downhill it runs away to full MOV")


def runs_away(status: Status) -> bool:
    """Whether it goes downhill without brakes."""
    return status.speed > 0 and DOWNHILL in status.vehicle.options.road and status.gone("brakes")


def run_away(dice: Dice, status: Status) -> None:
    """Without brakes it gains its full MOV on an incline, or what is left of it."""
    status.speed = status.vehicle.top_speed(status.move)
    dice.note("R19", "no brakes: downhill it runs away, at MOVE {}", status.speed)


@effect("thrown_out")
def thrown_out(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """Over this MOVE everyone rolls Luck or is thrown out (A55)."""
    if status.speed <= op.value:
        return
    if belted(status.vehicle):
        dice.note("A55", "belted: nobody is thrown out")
        return
    cycle = status.vehicle.stats.hit_table == "motorcycle"
    rolling = {}
    for seat, hp in enumerate(status.people):
        if hp > 0:
            person = status.vehicle.person(seat, status.seating)
            rolling[seat] = Contestant(person.name, percent_of(person.pow) // (2 if cycle else 1))
    out = status.people.worst_failures(dice, rolling, len(rolling), "Luck against being thrown out", "A55")
    if not out:
        return
    steps = -(-status.speed // 10)
    expression = times(parse_dice(op.dice), steps)
    fall = dice.read(expression, min, max(status.people), reason="thrown out of the vehicle", rule="A55")
    status.set_people([left_of(fall, hp) if seat in out else hp for seat, hp in enumerate(status.people)])


def take_wheel(dice: Dice, status: Status, penalty: int) -> None:
    """Somebody in reach tries to take the wheel this round, or trouble with `penalty` comes next round (A14, A15)."""
    if status.destroyed:
        return
    if not moving(status):
        dice.note("A56", "it stands still: nobody need take the wheel in a hurry")
        return
    status.trouble_next = penalty
    found = successor(status)
    if found is None:
        dice.note("A14", "nobody can reach the wheel: trouble at +{} next round", penalty)
        return
    seat, dex = found
    person = status.vehicle.person(seat, status.seating)
    if status.vehicle.options.take_wheel == "two_rolls":
        reach = Modifier(dex, f"DEX check of {person.name}")
        if not dice.check(skill_roll([reach]), "reaching for the wheel", "A14"):
            dice.note("A14", "not reached: trouble at +{} next round", penalty)
            return
    if not drive(dice, status, Modifier(TAKE_WHEEL, "taking the wheel"), "A14", person.drive):
        dice.note("A14", "no control: trouble at +{} next round", penalty)
        return
    status.trouble_next = 0
    change_places(status, seat)
    dice.note("A14", "{} has the wheel", person.name)


@effect("take_wheel")
def _take_wheel(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """A row leaves the wheel to whoever can reach it."""
    take_wheel(dice, status, op.value)


def successor(status: Status) -> tuple[int, int] | None:
    """Who tries for the wheel: the seat and the DEX percentage; None when nobody can (A15)."""
    vehicle = status.vehicle
    if vehicle.driver < 0:
        return None
    anyone = vehicle.options.wheel_reach == "anyone"
    found: list[tuple[int, int, int, int, int]] = []
    for n, place in enumerate(vehicle.places):
        if place.afv or anyone:
            factor = 2 if anyone or vehicle.driver in place.seats else 0
        else:
            factor = 2 if place.component == "front_seat" else 1
        for seat in place.seats:
            person, hp = vehicle.person(seat, status.seating), status.people[seat]
            if seat != vehicle.driver and factor and can_drive(status, seat):
                # Best DEX, then the nearer place; of people alike the one in the best shape.
                found.append((percent_of(person.dex) * factor // 2, -n, -vehicle.occupants[seat].group, hp, seat))
    if not found:
        return None
    dex, _, _, _, seat = max(found)
    return seat, dex


def can_drive(status: Status, seat: int) -> bool:
    """Whether the one in this seat can act, and has the skill that it takes to drive."""
    person = status.vehicle.person(seat, status.seating)
    return status.able(status.people[seat]) and person.drive >= minimum_percent()


def change_places(status: Status, seat: int) -> None:
    """The one in this seat takes the driver's; whoever was in it takes his. Neither is like his neighbors any more."""
    vehicle, driver = status.vehicle, status.vehicle.driver
    people, kinds = list(status.people), list(status.people.kinds)
    seating = list(status.seating or range(len(people)))
    for order in (people, seating):
        order[driver], order[seat] = order[seat], order[driver]
    for place in (driver, seat):
        kinds[place] = (vehicle.occupants[place].group, "changed places", place)
    status.people, status.seating = Crowd(people, kinds), tuple(seating)
