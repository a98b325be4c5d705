"""Which row of a location table is struck, and what a row and the rounds of a burst bring about there.

What a row brings about does not depend on how much Base HP is left, so it can be settled by itself (`row_hit`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from d100_wwii.blow import Blow, blow, no_blow
from d100_wwii.consequences import run
from d100_wwii.incendiary import catch_fire
from d100_wwii.people import destruction, driver_lost, one_hit
from d100_wwii.shot import Shot
from d100_wwii.state import Detail
from d100_wwii.vehicle import Part, Place
from d100_wwii.work import After, Start, Work
from mantlet import Dice, Location, Stage, Step, effects


class Toll(NamedTuple):
    """What a burst has done so far: armor and Base HP left, the damage a component has taken, the damage that brought
    the Base HP to nothing (0: not yet), and whether anything has penetrated."""

    armor: int
    base: int
    taken: int
    kill: int
    through: bool


NOWHERE = Location("not_aboard", "nothing")
"""Where a row stands for nothing aboard."""


def places_of(row: Part | Place) -> tuple[Location, ...]:
    """The location struck, for the outcome."""
    return (row.location,) if isinstance(row, Place) or row.pools else (NOWHERE,)


def by_person(shot: Shot, row: Part | Place) -> bool:
    """Whether a burst there strikes people one by one, by Luck, and not everyone with every round."""
    return isinstance(row, Place) and bool(row.groups) and not (shot.area or (row.afv and shot.inside))


def row_hit(
    dice: Dice, shot: Shot, start: Start, row: Part | Place, damage: int, takes: int, kill: int, heat: int
) -> After:
    """What a row brings about, whatever Base HP is left: `kill` is the damage that brought it to nothing, else 0."""
    work = Work(start)
    work.effects = effects.PENETRATED
    if kill:
        work.base_hp = 0
    if isinstance(row, Part):
        if kill:
            destruction(dice, work, kill)
        part_hit(dice, work, row, takes, heat)
    else:
        was_able, before = work.driver_able, work.people
        one_hit(dice, work, shot, row, damage, kill)
        driver_lost(dice, work, row, was_able, work.people != before)
    if shot.kind == "fire":
        catch_fire(dice, work, shot, heat)
    return work.after()


def part_hit(dice: Dice, work: Work, part: Part, takes: int, heat: int) -> None:
    """Damage to a component's own hit points; its effect when they are gone (A3)."""
    if not part.pools:
        dice.note("A7", "no {} aboard: no effect there", part.label.lower())
        return
    index = instance(dice, work, part)
    before = work.pools[index]
    if before <= 0:
        dice.note("A6", "{} was destroyed before: no further effect", part.label)
        return
    left = max(0, before - takes)
    work.set_pool(part, index, left)
    if left:
        dice.note("A3", "{}: {} of {} hit points left", part.label, left, part.hp)
        return
    dice.note("A3", "{} destroyed", part.label)
    run(dice, work, part.effects, heat)


def instance(dice: Dice, work: Work, part: Part) -> int:
    """Which instance of a component is struck, at even odds (A45): its index in the pools."""
    if len(part.pools) == 1:
        return part.pools[0]
    standing = tuple([work.pools[i] for i in part.pools])
    hp = dice.one_of(standing, f"which {part.label.lower()}", "A45")
    return part.pools[standing.index(hp)]


def location(dice: Dice, start: Start, shot: Shot) -> Part | Place:
    """The row struck: the one aimed at, or the location table's; rerolled where an option says so (A6, A7, A8)."""
    vehicle = start.vehicle
    if shot.aim:
        return vehicle.rows[shot.aim]
    if not vehicle.rerolls:
        return vehicle.rows[dice.pick(vehicle.table, vehicle.table.title, "R19")]
    options = vehicle.options
    absent_again = options.absent_component == "reroll"
    spent_again = options.destroyed_component == "reroll"
    work = Work(start)

    def stands(component: str) -> bool:
        row = vehicle.rows[component]
        if not vehicle.aboard(component):
            return not (absent_again or (options.absent_applies_to == "starred_rows" and not row.starred))
        return not (spent_again and isinstance(row, Part) and work.gone(component))

    rows = [r for r in vehicle.table.rows if stands(r.value)]
    numbers = tuple(r.value for r in rows for _ in range(r.low, r.high + 1))
    return vehicle.rows[dice.one_of(numbers, "hit location, rows that do not count left out", "A7")]


def step_six(shot: Shot, start: Start, row: Part | Place, damage: int, whole: int, beyond: int) -> int:
    """What the Base HP loses (R5), where options let the row change it (A4, A5, A7)."""
    options = shot.options
    if isinstance(row, Place):
        return 0 if options.occupant_hit_spares_base_hp and row.groups else beyond
    if not row.pools:
        return 0 if options.absent_component == "no_damage" else beyond
    if options.component_absorbs_base_hp or options.component_overflow:
        pool = max(start.detail.pools[i] for i in row.pools)
        takes = whole if options.component_takes == "damage" else damage
        if options.component_overflow:
            beyond += max(0, takes - pool)
        if options.component_absorbs_base_hp and pool > 0:
            beyond -= damage
    return max(0, beyond)


def rounds(dice: Dice, shot: Shot, start: Start, row: Part | Place | None, hits: int, impale: bool) -> Toll:
    """One round after another of a burst against the armor, as far as they still matter.

    `row` is given where options let it change what the Base HP loses.
    """
    detail = start.detail
    return Toll(*dice.fold((detail.armor, detail.base_hp, 0, 0, False), _steps(shot, start, row, hits, impale)))


@lru_cache(maxsize=256)
def _steps(shot: Shot, start: Start, row: Part | Place | None, hits: int, impale: bool) -> tuple[Step, ...]:
    # A burst's rounds are many: on the way a toll is a bare tuple.
    cap = start.vehicle.cap
    return tuple([Step(_strikes, _taken, (shot, start, row, cap, impale and not n)) for n in range(hits)])


_Toll = tuple[int, int, int, int, bool]


def _strikes(
    toll: _Toll, shot: Shot, start: Start, row: Part | Place | None, cap: int, impale: bool
) -> tuple[Stage, tuple[Any, ...]]:
    armor, base, taken, _, _ = toll
    if base <= 0 and taken >= cap and not shot.lowers:
        return no_blow, ()
    return blow, (shot, start.vehicle.stats.passenger_armor, armor, impale)


def _taken(
    toll: _Toll, struck: Blow | None, shot: Shot, start: Start, row: Part | Place | None, cap: int, impale: bool
) -> _Toll:
    if struck is None:
        return toll
    armor, through, takes, _, beyond = struck
    _, base, taken, kill, already = toll
    if through < 0:
        return armor, base, taken, kill, already
    if row is not None:
        spent = start.detail if not taken else _worn(start.detail, row, taken)
        now = Start(start.vehicle, start.condition, spent, start.dark)
        beyond = step_six(shot, now, row, through, through + toll[0], beyond)
    taken += takes
    if base > 0 >= base - beyond:
        # In a wreck only whether the component is gone still counts.
        kill = through if through < cap else cap
    return armor, base - beyond if base > beyond else 0, taken if taken < cap else cap, kill, True


def _worn(detail: Detail, row: Part | Place, taken: int) -> Detail:
    if isinstance(row, Place) or not row.pools:
        return detail
    return detail._replace(
        pools=tuple([max(0, hp - taken) if i in row.pools else hp for i, hp in enumerate(detail.pools)])
    )
