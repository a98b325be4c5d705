"""What table rows bring about: sub-rolls, Drive checks, vehicle trouble, fire, a lost driver, an exploding magazine.

Every function works on a `Work` and asks the dice; `run` reads the effects of a row one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from d100_wwii.driving import circumstances, minimum_percent
from d100_wwii.rolls import DRIVE_DIE, left_after, share, times, up_to
from d100_wwii.state import EXPLODED, FIRE_DAMAGE, FUEL, OVERHEATED, REASONS, Fire
from d100_wwii.tables import CollisionData, FireRow, Op, collision_table, fire_table
from d100_wwii.vehicle import Vehicle
from d100_wwii.work import Start, Work
from mantlet import Contestant, Dice, DiceExpr, Modifier, parse_dice, under

TAKE_WHEEL = -20
DOWNHILL = "steep_downhill"
"""The condition of the road under which a vehicle without brakes runs away."""
FIRE_ORDER = ("", "minor_fire", "minor_engine_fire", "major_engine_fire", "explosion")


def run(dice: Dice, work: Work, ops: Iterable[Op], damage: int = 0) -> None:
    """Bring about the effects of a row, in order. `damage` is the attack's, for fires that go on with it."""
    for op in ops:
        _HANDLERS[op.kind](dice, work, op, damage)


def _sub_roll(dice: Dice, work: Work, op: Op, damage: int) -> None:
    assert op.table is not None
    run(dice, work, dice.pick(op.table, op.table.title, "R19"), damage)


def _note(dice: Dice, work: Work, op: Op, damage: int) -> None:
    dice.note("R19", "{}", op.text)


def _move_lost(dice: Dice, work: Work, op: Op, damage: int) -> None:
    options = work.vehicle.options
    kept = 1 / op.value if options.move_loss == "drop_to_share" else 1 - 1 / op.value
    work.move = work.move * kept if options.several_losses == "multiply" else max(0.0, work.move - (1 - kept))
    dice.note(
        "A43",
        "MOV falls to {:g} of full: {:.0f} of {}",
        work.move,
        work.move * work.vehicle.stats.move,
        work.vehicle.stats.move,
    )


def _move_becomes(dice: Dice, work: Work, op: Op, damage: int) -> None:
    work.move = min(work.move, 1 / op.value)
    dice.note("A43", "MOV falls to {:g} of full until repaired", work.move)


def _stop(dice: Dice, work: Work, op: Op, damage: int) -> None:
    flag = REASONS[op.reason]
    if work.destroyed or work.flags & flag:
        return
    if op.dice and work.vehicle.options.fuel_stop == "timer":
        if work.stop_in:
            return
        work.stop_in = dice.roll(op.dice, "rounds until it stops", "A52")
        dice.note("A52", "rolls on and stops in {} rounds, inoperable until repaired and refilled", work.stop_in)
        return
    work.flags |= flag
    work.stop_in = 0 if flag == FUEL else work.stop_in
    dice.note("A52", "slows at once and stops; inoperable until repaired")


def _overheat(dice: Dice, work: Work, op: Op, damage: int) -> None:
    if work.destroyed or work.overheat_in or work.flags & OVERHEATED:
        return
    work.overheat_in = dice.roll(op.dice, "rounds until the engine overheats", "R19")
    dice.note("A51", "the engine overheats in {} rounds", work.overheat_in)


def _drive_check(dice: Dice, work: Work, op: Op, damage: int) -> None:
    if work.destroyed:
        return
    if not moving(work):
        dice.note("A56", "it stands still: no Drive check")
        run(dice, work, op.ok, damage)
    elif drive(dice, work, op.value, "the hit"):
        run(dice, work, op.ok, damage)
    else:
        run(dice, work, op.fail, damage)


def moving(work: Work) -> bool:
    """Whether trouble rolls are due at all (A56)."""
    return work.speed > 0 or work.vehicle.options.parked_trouble


def drive(dice: Dice, work: Work, modifier: int, why: str, rule: str = "R19", percent: int | None = None) -> bool:
    """A Drive check by whoever is at the wheel (or by a person of the given skill); nobody fails."""
    vehicle = work.vehicle
    if percent is None:
        if not work.driver_able or vehicle.driver < 0:
            dice.note(rule, "nobody at the wheel: the {} check fails", vehicle.stats.drive_skill)
            return False
        percent = vehicle.person(vehicle.driver, work.seating).drive
    if percent < minimum_percent():
        dice.note(rule, "with {}% in {} nobody can drive it: the check fails", percent, vehicle.stats.drive_skill)
        return False
    reasons = [Modifier(percent, vehicle.stats.drive_skill)]
    if modifier:
        reasons.append(Modifier(modifier, why))
    if work.drive_now:
        reasons.append(Modifier(work.drive_now, "skidding since last round"))
    reasons.extend(circumstances(vehicle.options, work.speed, work.dark, work.dark and work.gone("headlamps")))
    target = int(sum(m.value for m in reasons))
    return dice.check(under(DRIVE_DIE, target, tuple(reasons)), vehicle.stats.drive_skill, rule)


def _trouble(dice: Dice, work: Work, op: Op, damage: int) -> None:
    trouble(dice, work, op.value, "R19")


def trouble(dice: Dice, work: Work, modifier: int, rule: str) -> None:
    """A roll on the vehicle trouble table with this on the die; totals over the top row count as it (A54)."""
    table = work.vehicle.trouble
    if work.destroyed or table is None:
        return
    if not moving(work):
        dice.note("A56", "it stands still: no roll for trouble")
        return
    row = dice.pick(table, f"{table.title}, +{modifier} on the die" if modifier else table.title, rule, modifier)
    run(dice, work, row.effects)


def _drive_next(dice: Dice, work: Work, op: Op, damage: int) -> None:
    work.drive_next = min(work.drive_next, op.value)
    work.reroll = max(work.reroll, op.reroll)
    if op.reroll:
        dice.note("A55", "next round a Drive check at {}, or trouble again at +{}", op.value, op.reroll)
    else:
        dice.note("A55", "Drive at {} next round", op.value)


def _halt(dice: Dice, work: Work, op: Op, damage: int) -> None:
    work.speed = 0


def _collision(dice: Dice, work: Work, op: Op, damage: int) -> None:
    options = work.vehicle.options
    book = collision_table(options.collision_table)
    expression = book.dice(work.speed, larger=False)
    if expression is None:
        return
    total = dice.roll(expression, f"collision at MOVE {work.speed}", "A62")
    crash(dice, work, total, book)


def crash(dice: Dice, work: Work, total: int, book: CollisionData) -> None:
    """Collision damage to a vehicle and its people; armor counts only under the option (A62)."""
    options = work.vehicle.options
    if not options.collision_ignores_armor:
        total = max(0, total - work.armor)
    each = share(total, book.occupants * (book.belted if belted(work.vehicle) else 1), options.round_halves == "up")
    work.base_hp = max(0, work.base_hp - total)
    work.hurt_everyone(each)
    dice.note("A62", "collision: Base HP loses {}, everyone aboard takes {}", total, each)


def belted(vehicle: Vehicle) -> bool:
    """Whether those aboard are held by belts; nobody is on a motorcycle."""
    return vehicle.options.belted and vehicle.stats.hit_table != "motorcycle"


def kept(start: Start, base: int) -> int:
    """Base HP by what they mean for the effects: none, so many that an accident may end them, or more than that."""
    speed = start.detail.speed
    if not base or not speed:
        return min(1, base)
    worst = collision_table(start.vehicle.options.collision_table).dice(speed, larger=False)
    return min(base, 2 * worst.high + 1) if worst is not None else 1


def quiet(start: Start) -> bool:
    """Whether nothing goes off the road: it stands still, and what stands still is in no trouble."""
    return not start.detail.speed and not start.vehicle.options.parked_trouble


def _no_brakes(dice: Dice, work: Work, op: Op, damage: int) -> None:
    if DOWNHILL in work.vehicle.options.road and work.speed > 0:
        work.speed = max(work.speed, int(work.vehicle.stats.move * work.move))
        dice.note("R19", "no brakes: downhill it runs away, at MOVE {}", work.speed)
    else:
        dice.note("R19", "no brakes: on the flat it coasts to a stop, downhill it runs away to full MOV")


def _thrown_out(dice: Dice, work: Work, op: Op, damage: int) -> None:
    if work.speed <= op.value:
        return
    if belted(work.vehicle):
        dice.note("A55", "belted: nobody is thrown out")
        return
    cycle = work.vehicle.stats.hit_table == "motorcycle"
    aboard = [(g, i) for g, group in enumerate(work.people) for i, hp in enumerate(group) if hp > 0]
    rolling = []
    for g, i in aboard:
        person = work.vehicle.person(g, work.seating)
        luck = person.pow * 5 // (2 if cycle else 1)
        rolling.append(Contestant(person.name, luck, alike=None if work.vehicle.named else (g, work.people[g][i])))
    out = dice.worst_failures(rolling, len(rolling), "Luck against being thrown out", "A55")
    if not out:
        return
    steps = -(-work.speed // 10)
    most = max(hp for group in work.people for hp in group)
    fall = dice.pick(up_to(times(parse_dice(op.dice), steps), most), "thrown out of the vehicle", "A55")
    chosen: dict[int, list[int]] = {}
    for n in out:
        chosen.setdefault(aboard[n][0], []).append(aboard[n][1])
    for g, indices in chosen.items():
        work.set_group(g, [max(0, hp - fall) if i in indices else hp for i, hp in enumerate(work.people[g])])


def _take_wheel(dice: Dice, work: Work, op: Op, damage: int) -> None:
    take_wheel(dice, work, op.value)


def take_wheel(dice: Dice, work: Work, penalty: int) -> None:
    """Somebody in reach tries to take the wheel this round, or trouble with `penalty` comes next round (A14, A15)."""
    if work.destroyed:
        return
    if not moving(work):
        dice.note("A56", "it stands still: nobody need take the wheel in a hurry")
        return
    work.trouble_next = penalty
    found = successor(work)
    if found is None:
        dice.note("A14", "nobody can reach the wheel: trouble at +{} next round", penalty)
        return
    group, index, dex = found
    person = work.vehicle.person(group, work.seating)
    if work.vehicle.options.take_wheel == "two_rolls":
        reach = under(DRIVE_DIE, dex, (Modifier(dex, f"DEX check of {person.name}"),))
        if not dice.check(reach, "reaching for the wheel", "A14"):
            dice.note("A14", "not reached: trouble at +{} next round", penalty)
            return
    if not drive(dice, work, TAKE_WHEEL, "taking the wheel", "A14", person.drive):
        dice.note("A14", "no control: trouble at +{} next round", penalty)
        return
    work.trouble_next = 0
    change_places(work, group, index)
    dice.note("A14", "{} has the wheel", person.name)


def successor(work: Work) -> tuple[int, int, int] | None:
    """Who tries for the wheel: group, index in it and the DEX percentage; None when nobody can."""
    vehicle = work.vehicle
    if vehicle.driver < 0:
        return None
    home = vehicle.place_of(vehicle.driver)
    anyone = vehicle.options.wheel_reach == "anyone"
    found: list[tuple[int, int, int]] = []
    for place in vehicle.places:
        if place.afv or anyone:
            factor = 2 if anyone or place is home else 0
        else:
            factor = 2 if place.component == "front_seat" else 1
        for g in place.groups:
            person = vehicle.person(g, work.seating)
            if g == vehicle.driver or not factor or person.drive < minimum_percent():
                continue
            best = len(work.people[g]) - 1
            if work.able(work.people[g][best]):
                found.append((g, best, person.dex * 5 * factor // 2))
    return max(found, key=lambda entry: entry[2]) if found else None


def change_places(work: Work, group: int, index: int) -> None:
    """The person takes the driver's seat; whoever was in it takes his."""
    vehicle = work.vehicle
    driver = vehicle.driver
    old = work.people[driver][0]
    new = work.people[group][index]
    members = list(work.people[group])
    members[index] = old
    work.set_group(group, members)
    work.set_group(driver, [new])
    if vehicle.named:
        seating = list(work.seating or range(len(vehicle.groups)))
        seating[driver], seating[group] = seating[group], seating[driver]
        work.seating = tuple(seating)


def _fire(dice: Dice, work: Work, op: Op, damage: int) -> None:
    ignite(dice, work, Fire("", "1d6+2", fixed=damage if work.vehicle.options.fire_damage == "attack" else 0))


def ignite(dice: Dice, work: Work, fire: Fire) -> None:
    """A roll on the fire table for this fire; of two fires the worse one counts on."""
    row = dice.pick(fire_table(), "Vehicle fire", "R19")
    fire_row(dice, work, fire, row)


def fire_row(dice: Dice, work: Work, fire: Fire, row: FireRow) -> None:
    """What a row of the fire table does at once; its damage a round follows as time passes (A34)."""
    old = work.fire
    worse = row.name if old is None or FIRE_ORDER.index(row.name) >= FIRE_ORDER.index(old.row) else old.row
    work.fire = fire._replace(row=worse, hot=fire.hot or (old is not None and old.hot))
    if row.inoperable:
        work.flags |= FIRE_DAMAGE
    if row.once:
        blast(dice, work, parse_dice(row.once), "concussion of the explosion")
    if row.explodes and work.vehicle.options.fire_explosion_destroys:
        work.base_hp = 0
        work.flags |= EXPLODED
        dice.note("A38", "the explosion destroys the vehicle")
    each = row.occupants or f"{fire.burn} less armor"
    dice.note("A34", "each round until it is put out: {} to everyone aboard", each)


def blast(dice: Dice, work: Work, expression: DiceExpr, reason: str) -> None:
    """One roll of damage that everyone aboard takes, without armor."""
    most = max((hp for group in work.people for hp in group), default=0)
    if most <= 0:
        return
    damage = dice.pick(up_to(expression, most), reason, "A38")
    work.hurt_everyone(damage)


def _explosion(dice: Dice, work: Work, op: Op, damage: int) -> None:
    """The magazine: the vehicle is destroyed and everyone takes the dice, rolled for each, without armor (A39)."""
    work.base_hp = 0
    work.flags |= EXPLODED
    expression = parse_dice(op.dice)
    dice.note("A39", "the magazine blows up: the vehicle is destroyed, {} to everyone aboard", op.dice)
    if work.vehicle.options.magazine_damage == "one_roll":
        blast(dice, work, expression, "magazine explosion")
        return
    for g, group in enumerate(work.people):
        name = work.vehicle.person(g, work.seating).name
        left = [
            hp if hp <= 0 else dice.pick(left_after(expression, hp), f"magazine explosion: {name}", "A39")
            for hp in group
        ]
        work.set_group(g, left)


_HANDLERS: dict[str, Callable[[Dice, Work, Op, int], Any]] = {
    "d100": _sub_roll,
    "note": _note,
    "move_lost": _move_lost,
    "move_becomes": _move_becomes,
    "stop": _stop,
    "overheat": _overheat,
    "drive_check": _drive_check,
    "trouble": _trouble,
    "drive_next": _drive_next,
    "halt": _halt,
    "collision": _collision,
    "no_brakes": _no_brakes,
    "thrown_out": _thrown_out,
    "take_wheel": _take_wheel,
    "fire": _fire,
    "explosion": _explosion,
}
