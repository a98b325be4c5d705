"""The location a hit strikes, and all that comes of it there: Base HP, a component or people.

A single round meets the armor first, then finds its location (R2-R7). A burst has one location (R18), and then every
round meets the armor by itself (A64): the single round, again and again.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from d100_wwii.armor import STOPPED, Impact, burst_round, damage_roll, strikes_armor
from d100_wwii.components import part_hit
from d100_wwii.fire import catch_fire
from d100_wwii.options import Options
from d100_wwii.people import NOBODY, Blow, by_luck, driver_lost, hurt, one_struck, place_struck, whom_they_strike
from d100_wwii.shot import Shot
from d100_wwii.status import Start, Status, outcome_of
from d100_wwii.vehicle import Part, Place
from mantlet import ArmorResult, Condition, Crowd, Dice, Location, Outcome, Then, effects

Result = Outcome | Then
UNIT: Final = "AV"
NOWHERE: Final = Location("not_aboard", "nothing")
"""Where a row stands for nothing aboard."""


# Where it strikes, and what the Base HP lose


def location(dice: Dice, shot: Shot, start: Start) -> Part | Place:
    """The row struck: the one aimed at, or the location table's; rerolled where an option says so (A6, A7, A8).

    What strikes everyone in a compartment strikes the driver's, where he was aimed at.
    """
    vehicle = start.vehicle
    if shot.aim:
        row = vehicle.aims[shot.aim]
        return row if isinstance(row, Part) or by_luck(shot, row) else vehicle.place_of(row.seats[0])
    rows = vehicle.counting
    if vehicle.options.destroyed_component == "reroll":
        status = Status(start)
        rows = tuple(row for row in rows if vehicle.part(row.value) is None or not status.gone(row.value))
    if len(rows) == len(vehicle.table.rows):
        return vehicle.rows[dice.pick(vehicle.table, vehicle.table.title, "R19")]
    numbers = tuple(r.value for r in rows for _ in range(r.low, r.high + 1))
    return vehicle.rows[dice.one_of(numbers, "hit location, rows that do not count left out", "A7")]


class Spared(NamedTuple):
    """What a row keeps from the Base HP: all of it (`whole`), or what meets a component with so many hit points."""

    whole: bool = False
    pool: int | None = None


def spared(options: Options, start: Start, row: Part | Place) -> Spared:
    """How options let the row struck change what the Base HP lose (A4, A5, A7)."""
    if isinstance(row, Place):
        return Spared(options.occupant_hit_spares_base_hp and bool(row.seats))
    if not row.pools:
        return Spared(options.absent_component == "no_damage")
    if options.component_absorbs_base_hp or options.component_overflow:
        return Spared(pool=max(start.detail.pools[i] for i in row.pools))
    return Spared()


def base_hp_lost(options: Options, spares: Spared, impact: Impact, worn: int = 0) -> int:
    """What the Base HP lose to a round that is through: as much, unless options let the row change that (A4, A5).

    `worn` is what rounds before it have done to the component.
    """
    if spares.whole:
        return 0
    lost = impact.beyond
    if spares.pool is not None:
        pool = max(0, spares.pool - worn)
        if options.component_overflow:
            lost += max(0, impact.takes - pool)
        if options.component_absorbs_base_hp and pool > 0:
            lost -= impact.through
    return max(0, lost)


def base_hp_falls(dice: Dice, before: int, lost: int, through: int) -> tuple[int, int]:
    """The Base HP left (R5), and the damage that took the last of them: what is through, or 0 where some are left."""
    left = max(0, before - lost)
    if left != before:
        dice.note("R5", "Base HP falls from {} to {}", before, left)
    return left, through if before > 0 >= left else 0


# What comes of it


class Hit(NamedTuple):
    """Rounds that strike one location: what each brings, what they find, where, how many, what Base HP are spared.

    The rounds of a burst against the vehicle know no row: what it spares is all that they need of it.
    """

    shot: Shot
    start: Start
    row: Part | Place | None
    rounds: int
    spares: Spared = Spared()

    @property
    def by_luck(self) -> bool:
        """Whether they strike people one by one."""
        return isinstance(self.row, Place) and by_luck(self.shot, self.row)


class Left(NamedTuple):
    """What a hit leaves of the vehicle as a whole."""

    armor: int
    base_hp: int


class Struck(NamedTuple):
    """What rounds have done where they strike: people as they leave them, and whether the vehicle has Base HP left.

    `takes` is the damage to a component (A3), `heat` that which a fire goes on with.
    """

    people: Crowd[int]
    stands: bool
    heat: int
    takes: int = 0


def comes_to(dice: Dice, hit: Hit, blow: Blow, left: Left, met: ArmorResult | None) -> Then:
    """What a blow at the location comes to: people take theirs first, and what follows depends on it no further."""
    status = Status(hit.start)
    if isinstance(hit.row, Place):
        place_struck(dice, status, hit.shot, hit.row, blow)
    else:
        hurt(dice, status, {}, blow.wreck)
    done = Struck(status.people.in_order(dice), not blow.wreck, blow.heat, blow.takes)
    return dice.then(ends, hit, done, left, met)


def ends(dice: Dice, hit: Hit, done: Struck, left: Left, met: ArmorResult | None) -> Outcome:
    """What follows a hit, with the armor and the Base HP that it took on its way; an accident's loss is added to it."""
    found, row = hit.start.detail, hit.row
    assert row is not None
    now, noted = dice.settle(follows, hit.shot, hit.start, row, done)
    base_hp = max(0, left.base_hp - (found.base_hp - now.detail.base_hp))
    detail = now.detail._replace(armor=left.armor, base_hp=base_hp)
    # Neutral words say no more of armor and Base HP than whether the vehicle is destroyed.
    stays = base_hp > 0 or now.destroyed
    now = now._replace(detail=detail) if stays else Status(hit.start, detail).condition()
    where = row.location if isinstance(row, Place) or row.pools else NOWHERE
    return outcome_of(hit.start, now, noted, hits=hit.rounds, locations=(where,), armor=met)


def what_counts(hit: Hit, blow: Blow) -> Blow:
    """The blow as far as it makes a difference there: a component knows no more than its own hit points."""
    if isinstance(hit.row, Part):
        return Blow(0, min(blow.takes, hit.row.hp), blow.heat, blow.wreck)
    return blow._replace(takes=0)


def follows(dice: Dice, shot: Shot, start: Start, row: Part | Place, done: Struck) -> tuple[Condition, int]:
    """What follows where rounds have struck, whatever armor and Base HP they took: a condition, and unseen effects.

    A component breaks, the wheel is let go where nobody can hold it any more, an incendiary sets fire.
    """
    status = Status(start)
    status.effects = effects.PENETRATED
    status.people = done.people
    if not done.stands:
        status.base_hp = 0
    if isinstance(row, Part):
        part_hit(dice, status, row, done.takes, done.heat)
    if shot.kind == "fire":
        catch_fire(dice, status, shot, done.heat)
    driver_lost(dice, status, start.detail.people)
    return status.final_condition(dice), status.effects


def stopped(dice: Dice, shot: Shot, start: Start, left: Left, heat: int) -> Outcome:
    """Nothing penetrates. An incendiary may burn on the outside all the same."""
    status = Status(start)
    status.armor = left.armor
    if shot.kind == "fire":
        catch_fire(dice, status, shot, heat)
        driver_lost(dice, status, start.detail.people)
    return status.close(dice)


# A single hit


def strike(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool) -> Result:
    """So many rounds strike; the first alone may impale. Damage against the armor comes before the location (R4)."""
    if hits > 1 and shot.options.burst_armor == "each":
        return dice.then(burst, shot, start, hits, impale)
    roll = damage_roll(shot, hits, impale)
    impact = strikes_armor(dice, shot, roll, start.detail.armor, start.vehicle.stats.passenger_armor)
    if impact.through != STOPPED:
        return dice.then(located, shot, start, impact, hits)
    met = ArmorResult(impact.facing, impact.damage, UNIT) if shot.lowers and hits == 1 else None
    left = Left(impact.armor, start.detail.base_hp)
    return stopped(dice, shot, start, left, impact.heat)._replace(hits=hits, armor=met)


def located(dice: Dice, shot: Shot, start: Start, impact: Impact, hits: int) -> Then:
    """A round is through: where it strikes, and what it takes off the Base HP."""
    row = location(dice, shot, start)
    lost = base_hp_lost(shot.options, spared(shot.options, start, row), impact)
    base_hp, wreck = base_hp_falls(dice, start.detail.base_hp, lost, impact.beyond)
    hit, blow = Hit(shot, start, row, hits), Blow(impact.through, impact.takes, impact.heat, wreck)
    met = ArmorResult(impact.facing, impact.damage, UNIT) if hits == 1 else None
    return dice.then(comes_to, hit, what_counts(hit, blow), Left(impact.armor, base_hp), met)


# A burst


class Progress(NamedTuple):
    """What the rounds of a burst have done so far.

    `blow` is all that got to the location; of it people struck one by one have taken theirs already. `through`: whether
    any round has penetrated.
    """

    left: Left
    people: Crowd[int]
    blow: Blow = Blow()
    through: bool = False


def burst(dice: Dice, shot: Shot, start: Start, hits: int, impale: bool) -> Result:
    """Several rounds strike one location (R18): people one by one, anything else all together."""
    row = location(dice, shot, start)
    spares = spared(shot.options, start, row)
    begun = Progress(Left(start.detail.armor, start.detail.base_hp), start.detail.people)
    if isinstance(row, Place) and by_luck(shot, row):
        line = whom_they_strike(dice, Status(start), row, hits)
        return dice.then(by_person, Hit(shot, start, row, hits, spares), line, begun, impale)
    now: Progress = dice.settle(together, Hit(shot, start, None, hits, spares), hits, begun, impale)
    if not now.through:
        return stopped(dice, shot, start, now.left, now.blow.heat)._replace(hits=hits)
    hit, blow = Hit(shot, start, row, hits), now.blow
    if blow.wreck and shot.options.burst_wreck == "whole_burst":
        blow = blow._replace(wreck=blow.damage)
    return dice.then(comes_to, hit, what_counts(hit, blow), now.left, None)


def together(dice: Dice, hit: Hit, rounds: int, now: Progress, impale: bool) -> Progress | Then:
    """So many rounds one after the other, all of them on the same thing."""
    if not rounds:
        return now
    after = next_round(dice, hit, NOBODY, now, impale)
    return dice.then(together, hit, rounds - 1, after, False)


def by_person(dice: Dice, hit: Hit, line: tuple[int, ...], now: Progress, impale: bool) -> Result:
    """One round after the other strikes the first of the line; when all have, what they come to."""
    if line:
        after = next_round(dice, hit, line[0], now, impale)
        done = [seat for seat in range(len(after.people)) if seat not in line[1:]]
        return dice.then(by_person, hit, line[1:], after._replace(people=after.people.in_order(dice, done)), False)
    if not now.through:
        return stopped(dice, hit.shot, hit.start, now.left, now.blow.heat)._replace(hits=hit.rounds)
    stands = now.left.base_hp > 0
    people = now.people if stands else by_the_wreck(dice, hit, now)
    struck = Struck(people, stands, now.blow.heat)
    return dice.then(ends, hit, struck, now.left, None)


def by_the_wreck(dice: Dice, hit: Hit, now: Progress) -> Crowd[int]:
    """Everyone once a burst has destroyed the vehicle: the destroying round's damage, or the whole burst's (A69)."""
    if hit.shot.options.burst_wreck == "destroying_round" or not hit.start.detail.base_hp:
        return now.people
    status = Status(hit.start)
    hurt(dice, status, {seat: hp - now.people[seat] for seat, hp in enumerate(status.people)}, now.blow.damage)
    return status.people.in_order(dice)


def next_round(dice: Dice, hit: Hit, seat: int, now: Progress, impale: bool) -> Progress:
    """A round of a burst meets the armor by itself (A64); one that is through strikes the one in this seat, if any."""
    shot, start = hit.shot, hit.start
    (armor, base_hp), people, (damage, takes, heat, wreck), _ = now
    impact = strikes_armor(dice, shot, burst_round(shot, impale), armor, start.vehicle.stats.passenger_armor)
    heat += impact.heat
    if impact.through == STOPPED:
        return now._replace(left=Left(impact.armor, base_hp), blow=Blow(damage, takes, heat, wreck))
    lost = base_hp_lost(shot.options, hit.spares, impact, takes)
    base_hp, last = base_hp_falls(dice, base_hp, lost, impact.beyond)
    whole = shot.options.burst_wreck == "whole_burst"
    if hit.by_luck:
        status = Status(start, start.detail._replace(people=people))
        one_struck(dice, status, seat, impact.through, 0 if whole else last)
        people = status.people
        damage += impact.beyond if whole else 0
    else:
        damage, takes, wreck = damage + impact.through, takes + impact.takes, wreck or last
    return Progress(Left(impact.armor, base_hp), people, Blow(damage, takes, heat, wreck), True)
