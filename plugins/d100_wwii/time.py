"""Time in rounds: trouble carried over, the wheel, timers that run out, and fires (one stage a round)."""

from __future__ import annotations

from d100_wwii.driving import drive, moving, run_away, runs_away, take_wheel, trouble
from d100_wwii.fire import burn, burns
from d100_wwii.people import driver_lost
from d100_wwii.state import FUEL, INOPERABLE, OVERHEATED, Detail
from d100_wwii.status import Start, Status
from d100_wwii.tables import Op
from mantlet import Dice, Passage, Then


def pass_seconds(dice: Dice, start: Start, seconds: float) -> Passage | Then:
    """The rounds that end within so many seconds pass; what is left over has begun the next one."""
    length = start.vehicle.options.round_seconds
    so_far = start.detail.begun_s + seconds + 1e-9
    begun_s = round(so_far % length, 6)
    return pass_rounds(dice, start, start.detail._replace(begun_s=begun_s), int(so_far // length))


def pass_rounds(dice: Dice, start: Start, detail: Detail, left: int) -> Passage | Then:
    """So many rounds pass, one after the other, until nothing is pending any more."""
    status = Status(start, detail)
    if not pending(status):
        status.begun_s = 0.0  # no round runs where nothing is to come
        return status.passage(dice)
    if left <= 0:
        of = f"{status.begun_s:g} of the {status.vehicle.options.round_seconds} seconds of a round have passed"
        return status.passage(dice, of if status.begun_s else None)
    one_round(dice, status)
    return dice.then(pass_rounds, start, status.detail, left - 1)


def pending(status: Status) -> bool:
    """Whether anything would happen in the next round."""
    driverless = status.speed > 0 and not status.driver_able and bool(wheel_to_take(status))
    coasting = status.speed > 0 and bool(status.flags & INOPERABLE)
    timers = (
        status.stop_in
        or status.overheat_in
        or status.trouble_next
        or status.drive_next
        or status.drive_now
        or status.reroll
    )
    gains = runs_away(status) and status.speed < status.vehicle.top_speed(status.move)
    return bool(timers or driverless or gains or runs_off(status) or coasting or burns(status))


def wheel_to_take(status: Status) -> list[Op]:
    """What the driver's row says of those who can take the wheel; nothing on a motorcycle."""
    return [op for op in status.vehicle.place_of(status.vehicle.driver).effects if op.kind == "take_wheel"]


def runs_off(status: Status) -> bool:
    """Whether lost steering brings trouble every round (A53)."""
    return status.vehicle.options.steering == "each_round" and status.speed > 0 and status.gone("steering")


def one_round(dice: Dice, status: Status) -> None:
    """One round: trouble that was coming, the wheel, lost steering (A53), timers, brakes, the fire, a driver lost."""
    driven, people = status.driver_able, status.people
    status.tried = ()
    carried_trouble(dice, status, driven)
    if runs_off(status):
        dice.note("A53", "no steering")
        trouble(dice, status, 0, "A53")
    timers(dice, status)
    if runs_away(status):
        run_away(dice, status)
    if status.flags & INOPERABLE or status.destroyed:
        status.speed = 0
        status.trouble_next = 0
    if burns(status):
        burn(dice, status)
    if driven and not status.driver_able:
        driver_lost(dice, status, people)


def carried_trouble(dice: Dice, status: Status, driven: bool) -> None:
    """Trouble that last round left to this one, and a wheel that nobody has held since then (A14)."""
    status.drive_now, again = status.drive_next, status.reroll
    status.drive_next = status.reroll = 0
    if again and moving(status) and not drive(dice, status, rule="A55"):
        trouble(dice, status, again, "A55")
    coming = status.trouble_next
    status.trouble_next = 0
    if coming and not status.driver_able:
        trouble(dice, status, coming, "A14")
    if status.speed > 0 and not driven and not status.destroyed:
        for op in wheel_to_take(status):
            take_wheel(dice, status, op.value)


def timers(dice: Dice, status: Status) -> None:
    """An empty tank and a dry radiator: what happens when their time is up (A51, A52)."""
    if status.stop_in:
        status.stop_in -= 1
        if not status.stop_in:
            status.flags |= FUEL
            dice.note("A52", "out of fuel: it has stopped, inoperable until repaired and refilled")
    if status.overheat_in:
        status.overheat_in -= 1
        if not status.overheat_in:
            dice.note("A51", "the engine has overheated")
            if status.vehicle.options.overheated == "stops":
                status.flags |= OVERHEATED
