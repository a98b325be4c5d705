"""Time in rounds: trouble carried over, the wheel, timers that run out, and fires (one stage a round)."""

from __future__ import annotations

from d100_wwii.driving import drive, moving, take_wheel, trouble
from d100_wwii.fire import burn, burns
from d100_wwii.state import FUEL, INOPERABLE, OVERHEATED, Detail
from d100_wwii.work import Start, Work
from mantlet import Dice, Passage, Then

WHEEL_TROUBLE = 10


def pass_rounds(dice: Dice, start: Start, detail: Detail, left: int) -> Passage | Then:
    """So many rounds pass, one after the other, until nothing is pending any more."""
    work = Work(start, detail)
    if left <= 0 or not pending(work):
        return work.passage(dice)
    one_round(dice, work)
    return dice.then(pass_rounds, start, work.detail, left - 1)


def pending(work: Work) -> bool:
    """Whether anything would happen in the next round."""
    driverless = work.speed > 0 and not work.driver_able
    steering = work.vehicle.options.steering == "each_round" and work.speed > 0 and work.gone("steering")
    coasting = work.speed > 0 and bool(work.flags & INOPERABLE)
    timers = work.stop_in or work.overheat_in or work.trouble_next or work.drive_next or work.drive_now or work.reroll
    return bool(timers or driverless or steering or coasting or burns(work))


def one_round(dice: Dice, work: Work) -> None:
    """One round: trouble that was coming, the wheel, lost steering (A53), the timers, the fire."""
    carried_trouble(dice, work)
    if work.vehicle.options.steering == "each_round" and work.gone("steering") and work.speed > 0:
        dice.note("A53", "no steering")
        trouble(dice, work, 0, "A53")
    timers(dice, work)
    if work.flags & INOPERABLE or work.destroyed:
        work.speed = 0
        work.trouble_next = 0
    if burns(work):
        burn(dice, work)


def carried_trouble(dice: Dice, work: Work) -> None:
    """Trouble that last round left to this one, and a wheel that nobody holds (A14)."""
    work.drive_now, again = work.drive_next, work.reroll
    work.drive_next = work.reroll = 0
    if again and moving(work) and not drive(dice, work, rule="A55"):
        trouble(dice, work, again, "A55")
    coming = work.trouble_next
    work.trouble_next = 0
    if coming and not work.driver_able:
        trouble(dice, work, coming, "A14")
    if work.speed > 0 and not work.driver_able and not work.destroyed:
        take_wheel(dice, work, WHEEL_TROUBLE)


def timers(dice: Dice, work: Work) -> None:
    """An empty tank and a dry radiator: what happens when their time is up (A51, A52)."""
    if work.stop_in:
        work.stop_in -= 1
        if not work.stop_in:
            work.flags |= FUEL
            dice.note("A52", "out of fuel: it has stopped, inoperable until repaired and refilled")
    if work.overheat_in:
        work.overheat_in -= 1
        if not work.overheat_in:
            dice.note("A51", "the engine has overheated")
            if work.vehicle.options.overheated == "stops":
                work.flags |= OVERHEATED
