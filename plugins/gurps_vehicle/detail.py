"""What this ruleset keeps of a target between attacks, and how it reads and writes the neutral facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from gurps_vehicle.flags import BLOWN_UP, FIRE, FLAG_NAMES, GUN, JAM, POWER, STOPPED, WRECKED
from gurps_vehicle.health import DEAD as LOST
from gurps_vehicle.health import DOWN, HURT, Health
from gurps_vehicle.person import KILLED, UNHURT, Folk, Person
from mantlet import CatalogError, Target
from mantlet.game.condition import DEAD, FIT, FULL, GONE, NONE, OUT, REDUCED, WOUNDED, Condition, check_agreement
from mantlet.game.effects import DAMAGED, EXPLODED, PENETRATED

NAME: Final = "gurps_vehicle"
MOST: Final = 10**9
"""No number of a saved state is larger."""


class Detail(NamedTuple):
    """Injury taken, crippled places by name (once each time), flags, everybody's state, draft animals, DR shot away.

    `people` are by seat, None where somebody has left.
    """

    lost: int = 0
    crippled: tuple[str, ...] = ()
    flags: int = 0
    people: tuple[Person | None, ...] = ()
    animals: tuple[Person, ...] = ()
    ablated: tuple[tuple[str, int], ...] = ()


def legs_level(gone: int, legs: int) -> int:
    """Mobility with so many of so many legs (or wheels) gone: two-legged things fall at the first, others at half."""
    if not gone:
        return FULL
    return NONE if legs <= 2 or gone * 2 >= legs else REDUCED


class Works(NamedTuple):
    """How far a target still moves and shoots: FULL, REDUCED or NONE."""

    mobility: int = FULL
    firepower: int = FULL


_TO_NEUTRAL: Final = (FIT, WOUNDED, OUT, DEAD)


@lru_cache(maxsize=4096)
def neutral_people(people: tuple[Person | None, ...]) -> tuple[int, ...]:
    """Everybody's state in the neutral words."""
    return tuple([GONE if p is None else _TO_NEUTRAL[p.state] for p in people])


def condition_of(before: Condition, detail: Detail, works: Works, *, out: bool = False) -> Condition:
    """The condition that a detail comes to: neutral facts never better than before. `out` is out of the fight."""
    flags = detail.flags
    destroyed = before.destroyed or bool(flags & (WRECKED | BLOWN_UP))
    return Condition(
        max(before.mobility, works.mobility),
        max(before.firepower, works.firepower),
        before.on_fire or bool(flags & FIRE),
        before.knocked_out or destroyed or out or bool(flags & STOPPED),
        destroyed,
        neutral_people(detail.people),
        NAME,
        detail,
    )


def effects_of(before: Detail, after: Detail, *, through: bool = False, hurt: bool = False) -> int:
    """The neutral effects that no neutral condition shows: penetrated, damaged, exploded.

    `through`: something was penetrated; `hurt`: the target took injury, even if it had nothing left to lose.
    """
    effects = PENETRATED if through else 0
    if hurt or (after.lost, after.crippled, after.flags) != (before.lost, before.crippled, before.flags):
        effects |= DAMAGED
    if after.flags & ~before.flags & BLOWN_UP:
        effects |= EXPLODED
    return effects


def person_from_neutral(state: int, folk: Folk) -> Person | None:
    """The state of somebody of whom only the neutral word is known."""
    if state == GONE:
        return None
    if state == DEAD:
        return KILLED
    levels = replace(folk, points=False)
    if state == OUT:
        return levels.state(folk.health.hp * 2, DOWN)
    return levels.state(1, HURT) if state == WOUNDED else UNHURT


def to_data(detail: Detail) -> dict[str, Any]:
    """Plain data for a saved state."""
    return {
        "injury": detail.lost,
        "crippled": list(detail.crippled),
        "flags": [name for i, name in enumerate(FLAG_NAMES) if detail.flags >> i & 1],
        "people": [None if p is None else list(p) for p in detail.people],
        "animals": [list(animal) for animal in detail.animals],
        "dr_lost": [list(pair) for pair in detail.ablated],
    }


def from_data(data: Mapping[str, Any]) -> Detail:
    """The reverse of `to_data`. Raises CatalogError, KeyError or TypeError for data that is not one."""
    return Detail(
        _count(data["injury"], "injury"),
        tuple(_name(name, "crippled") for name in data["crippled"]),
        _flags(data["flags"]),
        tuple(None if p is None else _state(p, f"people[{i}]") for i, p in enumerate(data["people"])),
        tuple(_state(p, f"animals[{i}]") for i, p in enumerate(data["animals"])),
        tuple((_name(key, "dr_lost"), _count(lost, f"dr_lost of {key}")) for key, lost in data["dr_lost"]),
    )


def check_fits(condition: Condition, detail: Detail, target: Target, animals: int) -> None:
    """Whether a detail has everybody aboard and every draft animal, and agrees with the neutral facts beside it.

    Raises CatalogError where it does not.
    """
    wanted = (
        ("people", detail.people, len(target.crew), "people"),
        ("animals", detail.animals, animals, "draft animals"),
    )
    for key, found, there, what in wanted:
        if len(found) != there:
            raise CatalogError(f"condition.detail.{key} has {len(found)} entries, and {target.id} has {there} {what}.")
    wrecked, burning = bool(detail.flags & (WRECKED | BLOWN_UP)), bool(detail.flags & FIRE)
    check_agreement(
        condition, neutral_people(detail.people), destroyed=wrecked or None, on_fire=burning or None
    )  # what was adopted may say more than the flags


def _count(value: Any, where: str) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        raise CatalogError(f"{where} has to be a whole number from 0 to {MOST}, not {value!r}")
    return value


def _name(value: Any, where: str) -> str:
    if type(value) is not str:
        raise CatalogError(f"{where} has to hold texts, not {value!r}")
    return value


def _flags(names: Any) -> int:
    for name in names:
        if name not in FLAG_NAMES:
            raise CatalogError(f"flags has to hold {', '.join(FLAG_NAMES)}, not {name!r}")
    return sum(1 << FLAG_NAMES.index(name) for name in dict.fromkeys(names))


def _state(value: Any, where: str) -> Person:
    if type(value) is not list or len(value) != 2:
        raise CatalogError(f"{where} has to be null or points lost and a state, not {value!r}")
    lost = _count(value[0], where)
    if type(value[1]) is not int or not 0 <= value[1] <= LOST:
        raise CatalogError(f"{where} has to be in a state from 0 to {LOST}, not {value[1]!r}")
    return Person(lost, value[1])


def adopted(condition: Condition, health: Health, folk: Folk, animals: int, wheels: tuple[str, ...]) -> Detail:
    """A detail that fits another ruleset's neutral facts.

    A knocked-out target has lost its HP, a destroyed one six times that. Reduced mobility counts as damaged power, none
    as all running gear crippled; reduced firepower as a jammed turret, none as a gun that is out.
    """
    flags = 0
    lost = 0
    crippled: tuple[str, ...] = ()
    if condition.knocked_out:
        flags, lost = flags | STOPPED, health.hp
    if condition.destroyed:
        flags, lost = flags | WRECKED | STOPPED, health.most
    if condition.on_fire:
        flags |= FIRE
    if condition.mobility == REDUCED:
        flags |= POWER
    elif condition.mobility == NONE:
        flags, crippled = flags | POWER, wheels
    if condition.firepower == REDUCED:
        flags |= JAM
    elif condition.firepower == NONE:
        flags |= GUN
    people = tuple(person_from_neutral(state, folk) for state in condition.people)
    return Detail(lost, crippled, flags, people, (UNHURT,) * animals)
