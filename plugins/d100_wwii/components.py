"""Components: their own hit points, what follows when one is destroyed, and what else a row of a table may say."""

from __future__ import annotations

from d100_wwii.consequences import effect, run
from d100_wwii.people import blast, each_rolls
from d100_wwii.state import EXPLODED, FUEL, OVERHEATED, REASONS
from d100_wwii.status import Status
from d100_wwii.tables import Op
from d100_wwii.vehicle import Part
from mantlet import Dice, parse_dice


def part_hit(dice: Dice, status: Status, part: Part, takes: int, heat: int) -> None:
    """Damage to a component's own hit points; its effect when they are gone (A3).

    Nothing happens where there is none aboard (A7), or where it was destroyed before (A6).
    """
    if not part.pools:
        dice.note("A7", "no {} aboard: no effect there", part.label.lower())
        return
    index = instance(dice, status, part)
    before = status.pools[index]
    if before <= 0:
        dice.note("A6", "{} was destroyed before: no further effect", part.label)
        return
    left = max(0, before - takes)
    status.set_pool(part, index, left)
    if left:
        dice.note("A3", "{}: {} of {} hit points left", part.label, left, part.hp)
        return
    dice.note("A3", "{} destroyed", part.label)
    run(dice, status, part.effects, heat)


def instance(dice: Dice, status: Status, part: Part) -> int:
    """Which instance of a component is struck, at even odds (A45): its index in the pools."""
    if len(part.pools) == 1:
        return part.pools[0]
    standing = tuple([status.pools[i] for i in part.pools])
    hp = dice.one_of(standing, f"which {part.label.lower()}", "A45")
    return part.pools[standing.index(hp)]


@effect("d100")
def sub_roll(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """A row has a table of its own. What burns is destroyed too: the vehicle stops as that table has it (A52)."""
    assert op.table is not None
    run(dice, status, dice.pick(op.table, op.table.title, "R19"), damage)
    run(dice, status, (op for row in op.table.rows for op in row.value if op.kind == "stop"))


@effect("note")
def note(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """A row leaves the rest to the referee."""
    dice.note("R19", "{}", op.text)


@effect("move_lost")
def move_lost(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """A share of MOV is lost (A43); several losses multiply, or come off the full MOV (A44)."""
    options = status.vehicle.options
    kept = 1 / op.value if options.move_loss == "drop_to_share" else 1 - 1 / op.value
    vehicle = status.vehicle
    status.keep_move(status.move * kept if options.several_losses == "multiply" else max(0.0, status.move - (1 - kept)))
    top = vehicle.top_speed(status.move)
    dice.note("A43", "MOV falls to {:g} of full: {} of {}", status.move, top, vehicle.stats.move)


@effect("move_becomes")
def move_becomes(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """MOV falls to a share of full, unless it is lower already."""
    status.keep_move(min(status.move, 1 / op.value))
    dice.note("A43", "MOV falls to {:g} of full until repaired", status.move)


@effect("stop")
def stop(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """Out of fuel it rolls on until the timer ends; with a dead engine it slows at once (A52). Twice is once."""
    flag = REASONS[op.reason]
    if status.destroyed or status.flags & flag:
        return
    if op.dice and status.vehicle.options.fuel_stop == "timer":
        if status.stop_in:
            return
        status.stop_in = dice.roll(op.dice, "rounds until it stops", "A52")
        dice.note("A52", "rolls on and stops in {} rounds, inoperable until repaired and refilled", status.stop_in)
        return
    status.flags |= flag
    status.stop_in = 0 if flag == FUEL else status.stop_in
    dice.note("A52", "slows at once and stops; inoperable until repaired")


@effect("overheat")
def overheat(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """The engine runs on without its radiator, for a while."""
    if status.destroyed or status.overheat_in or status.flags & OVERHEATED:
        return
    status.overheat_in = dice.roll(op.dice, "rounds until the engine overheats", "R19")
    dice.note("A51", "the engine overheats in {} rounds", status.overheat_in)


@effect("explosion")
def magazine_explodes(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """The magazine: the vehicle is destroyed and everyone takes the dice, rolled for each, without armor (A39)."""
    status.base_hp = 0
    status.flags |= EXPLODED
    dice.note("A39", "the magazine blows up: the vehicle is destroyed, {} to everyone aboard", op.dice)
    if status.vehicle.options.magazine_damage == "one_roll":
        blast(dice, status, parse_dice(op.dice), "magazine explosion")
    else:
        each_rolls(dice, status, op.dice, "magazine explosion", "A39")
