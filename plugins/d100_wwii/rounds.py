"""Time in rounds: trouble carried over, the wheel, timers that run out, and fires (one stage a round)."""

from __future__ import annotations

from d100_wwii.consequences import blast, drive, ignite, moving, take_wheel, trouble
from d100_wwii.rolls import up_to
from d100_wwii.state import FUEL, INOPERABLE, OVERHEATED, Detail, Fire
from d100_wwii.tables import fire_rows
from d100_wwii.work import Start, Work
from mantlet import Dice, Passage, Then, parse_dice

WHEEL_TROUBLE = 10


def pass_rounds(dice: Dice, start: Start, detail: Detail, left: int) -> Passage | Then:
    """So many rounds pass, one after the other, until nothing is pending any more."""
    work = Work(start, detail)
    if left <= 0 or not pending(work):
        return work.passage()
    one_round(dice, work)
    return dice.then(pass_rounds, start, work.detail, left - 1)


def pending(work: Work) -> bool:
    """Whether anything would happen in the next round."""
    driverless = work.speed > 0 and not work.driver_able
    steering = work.vehicle.options.steering == "each_round" and work.speed > 0 and work.gone("steering")
    coasting = work.speed > 0 and bool(work.flags & INOPERABLE)
    timers = work.stop_in or work.overheat_in or work.trouble_next or work.drive_next or work.drive_now or work.reroll
    return bool(timers or driverless or steering or coasting or _burns(work))


def _burns(work: Work) -> bool:
    fire = work.fire
    if fire is None:
        return False
    alive = any(hp > 0 for group in work.people for hp in group)
    return alive or (fire.hot and not work.destroyed)


def one_round(dice: Dice, work: Work) -> None:
    """One round: trouble that was coming, the wheel, the timers, the fire."""
    _carried_trouble(dice, work)
    if work.vehicle.options.steering == "each_round" and work.gone("steering") and work.speed > 0:
        dice.note("A53", "no steering")
        trouble(dice, work, 0, "A53")
    _timers(dice, work)
    if work.flags & INOPERABLE or work.destroyed:
        work.speed = 0
        work.trouble_next = 0
    if _burns(work):
        burn(dice, work)


def _carried_trouble(dice: Dice, work: Work) -> None:
    work.drive_now, again = work.drive_next, work.reroll
    work.drive_next = work.reroll = 0
    if again and moving(work) and not drive(dice, work, 0, "", "A55"):
        trouble(dice, work, again, "A55")
    coming = work.trouble_next
    work.trouble_next = 0
    if coming and not work.driver_able:
        trouble(dice, work, coming, "A14")
    if work.speed > 0 and not work.driver_able and not work.destroyed:
        take_wheel(dice, work, WHEEL_TROUBLE)


def _timers(dice: Dice, work: Work) -> None:
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


def burn(dice: Dice, work: Work) -> None:
    """A round of fire: what it does to everyone aboard, and whether an incendiary gets through (R19, R23, A33-A37)."""
    options = work.vehicle.options
    fire = work.fire
    assert fire is not None
    original = work.vehicle.stats.armor
    armor = original if options.fire_armor == "original" else work.armor
    row = fire_rows().get(fire.row)
    most = max((hp for group in work.people for hp in group), default=0)
    once_more = fire._replace(rounds=min(99, fire.rounds + 1))
    damage = 0
    if fire.fixed:
        damage = fire.fixed
    elif fire.hot or (row is not None and not row.occupants):
        damage = dice.pick(
            up_to(parse_dice(fire.burn), max(most, original) + armor + 1), "the fire's damage this round", "A35"
        )
    if fire.hot:
        total = min(fire.total + damage, max(armor, original) + 1)
        once_more = once_more._replace(total=total)
        if total > armor:
            dice.note("R23", "all fire damage so far is more than armor {}", armor)
        else:
            dice.note("R23", "{} of fire damage so far against armor {}", total, armor)
    work.fire = once_more
    if row is not None and row.occupants:
        if options.major_fire_armor:
            damage = dice.roll(row.occupants, "fire, to everyone aboard", "A37")
            _scorch(dice, work, max(0, damage - armor))
        else:
            blast(dice, work, parse_dice(row.occupants), "fire, to everyone aboard")
    elif row is not None:
        _scorch(dice, work, max(0, damage - armor))
    if (fire.hot and not work.destroyed and _through(once_more, damage, armor, options.fire_against_armor)) or (
        options.fire_row_repeats == "table" and row is not None and not work.destroyed
    ):
        ignite(dice, work, once_more)


def _through(fire: Fire, damage: int, armor: int, reading: str) -> bool:
    return (fire.total if reading == "running_total" else damage) > armor


def _scorch(dice: Dice, work: Work, damage: int) -> None:
    if damage:
        work.hurt_everyone(damage)
        dice.note("A35", "the fire does {} to everyone aboard", damage)
    else:
        dice.note("A35", "the armor keeps the fire out")
