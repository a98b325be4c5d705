"""What this ruleset keeps of a target between attacks: armor left, hit points, fire, timers and trouble to come."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final, NamedTuple

from mantlet import CatalogError, Crowd, parse_dice

ENGINE: Final = 1
FUEL: Final = 2
OVERHEATED: Final = 4
FIRE_DAMAGE: Final = 8
TROUBLE: Final = 16
FOREIGN: Final = 32
"""Immobile for a reason that another ruleset knew."""
ENGINE_DAMAGE: Final = 1024
"""What the d12 trouble table calls engine damage: repaired at half skill."""
BURNED_OUT: Final = 2048
"""What a major fire has made of it: no rule repairs that."""
INOPERABLE: Final = ENGINE | FUEL | OVERHEATED | FIRE_DAMAGE | TROUBLE | FOREIGN | ENGINE_DAMAGE | BURNED_OUT
"""Any of these flags and the vehicle does not move under its own power until repaired."""
EXPLODED: Final = 64
OUT_OF_ACTION: Final = 128
"""Knocked out for a reason that another ruleset knew."""

LESS_FIREPOWER: Final = 256
NO_FIREPOWER: Final = 512
"""Firepower lost for a reason that another ruleset knew and this one has no gun for."""

REASONS: Final = {
    "engine": ENGINE,
    "fuel": FUEL,
    "overheated": OVERHEATED,
    "fire": FIRE_DAMAGE,
    "trouble": TROUBLE,
    "engine_damage": ENGINE_DAMAGE,
}
"""Why a vehicle stands still, as tables name it."""

CONSCIOUS_ABOVE: Final = 2
"""A person at this many hit points or fewer is unconscious."""
MOST: Final = 10**12
"""No number of a saved state is larger."""
LATER: Final = ("dark", "begun_s", "tried")
"""Fields of a saved detail that came later than the others."""
LEFT: Final = -1
"""Stands for the hit points of someone who is no longer aboard."""


class Fire(NamedTuple):
    """A fire aboard. `row` is the last row of the fire table ("" when only the outside burns).

    `burn` is the dice of the fire's own damage a round, `total` what it has done since it caught (points, counted for
    incendiaries alone), `rounds` how long it has burned, `hot` whether an incendiary feeds it. `fixed` is the damage a
    round where the attack's own damage goes on (option fire_damage), else 0.
    """

    row: str
    burn: str = "1d6+2"
    total: int = 0
    rounds: int = 0
    hot: bool = False
    fixed: int = 0


class Detail(NamedTuple):
    """The ruleset's own part of a condition.

    `armor` is the armor value left, `pools` the hit points of every component instance, `people` those of everybody by
    seat, group after group (see `crowd_of`), `move` the share of full MOV left, `flags` the bits above, `stop_in` and
    `overheat_in` rounds until it stops (0: not going to), `speed` the MOVE it is going at, `dark` whether it is
    night.
    `drive_now` is the modifier on this round's Drive checks, `drive_next` next round's, and `reroll` the trouble that
    failing next round's check brings.
    `trouble_next` is the trouble modifier nobody at the wheel brings next round (0: somebody is).
    `seating` tells who sits on each seat when people have changed places: the number of the seat he came from.
    `tried` are those who have tried to put out the fire this round, each by the number of the seat he came from.
    `begun_s` are the seconds that have passed of a round that has begun.
    """

    armor: int
    base_hp: int
    pools: tuple[int, ...]
    people: Crowd[int]
    move: float = 1.0
    flags: int = 0
    stop_in: int = 0
    overheat_in: int = 0
    fire: Fire | None = None
    speed: int = 0
    drive_next: int = 0
    reroll: int = 0
    trouble_next: int = 0
    seating: tuple[int, ...] = ()
    drive_now: int = 0
    dark: bool = False
    begun_s: float = 0.0
    tried: tuple[int, ...] = ()


def crowd_of(groups: Iterable[Iterable[int]]) -> Crowd[int]:
    """People by seat, from hit points group by group: those of one group with as many hit points are alike."""
    people = [(group, hp) for group, members in enumerate(groups) for hp in members]
    return Crowd([hp for _, hp in people], people)


def by_group(people: Crowd[int]) -> tuple[tuple[int, ...], ...]:
    """The hit points of people group by group: the reverse of `crowd_of`."""
    groups: dict[int, list[int]] = {}
    for kind, hp in zip(people.kinds, people):
        assert isinstance(kind, tuple)
        groups.setdefault(kind[0], []).append(hp)
    return tuple(map(tuple, groups.values()))


def detail_to_data(detail: Detail) -> dict[str, Any]:
    """Plain data for a saved state; LATER fields are left out while nothing is to be said, as in earlier versions."""
    data: dict[str, Any] = detail._asdict()
    data["tried"] = list(detail.tried)
    for name in LATER:
        if not data[name]:
            del data[name]
    data["pools"] = list(detail.pools)
    data["people"] = [list(group) for group in by_group(detail.people)]
    data["seating"] = list(detail.seating)
    data["fire"] = None if detail.fire is None else detail.fire._asdict()
    return data


def detail_from_data(data: Any) -> Detail:
    """The reverse of `detail_to_data`. Raises KeyError, TypeError or ValueError for data that is no detail."""
    fire = data["fire"]
    return Detail(
        armor=_whole(data["armor"]),
        base_hp=_whole(data["base_hp"]),
        pools=tuple(_whole(hp) for hp in data["pools"]),
        people=crowd_of([_whole(hp) for hp in group] for group in data["people"]),
        move=_share(data["move"]),
        flags=_whole(data["flags"]),
        stop_in=_whole(data["stop_in"]),
        overheat_in=_whole(data["overheat_in"]),
        fire=None if fire is None else _fire(Fire(**fire)),
        speed=_whole(data["speed"]),
        drive_next=_whole(data["drive_next"]),
        reroll=_whole(data["reroll"]),
        trouble_next=_whole(data["trouble_next"]),
        seating=tuple(_whole(who) for who in data["seating"]),
        drive_now=_whole(data["drive_now"]),
        dark=data.get("dark", False) is True,
        begun_s=_seconds(data.get("begun_s", 0.0)),
        tried=tuple(_whole(who) for who in data.get("tried", ())),
    )


def check_fits(detail: Detail, full: Detail, target: str, fires: Collection[str]) -> None:
    """Whether a detail is one of the target whose untouched detail is `full`. Raises CatalogError naming the key.

    `fires` are the rows of the fire table.
    """
    aboard, seats = by_group(detail.people), by_group(full.people)
    groups = len(seats)
    numbers = [
        ("pools", len(detail.pools), len(full.pools), "components"),
        ("people", len(aboard), groups, "seats"),
    ]
    numbers += [
        (f"people[{n}]", len(there), len(meant), "people there") for n, (there, meant) in enumerate(zip(aboard, seats))
    ]
    for key, found, meant, what in numbers:
        if found != meant:
            raise CatalogError(f"condition.detail.{key} has {found} entries, and {target} has {meant} {what}.")
    many = len(full.people)
    if detail.seating and sorted(detail.seating) != list(range(many)):
        raise CatalogError(f"condition.detail.seating has to name each of the seats 0 to {many - 1} of {target} once.")
    if not set(detail.tried) <= set(range(many)):
        raise CatalogError(f"condition.detail.tried has to name seats 0 to {many - 1} of {target}.")
    if detail.fire is not None and detail.fire.row not in ("", *fires):
        raise CatalogError(
            f"condition.detail.fire.row has to be one of {', '.join(fires)}, or empty, not {detail.fire.row!r}."
        )
    if detail.armor < 0:
        raise CatalogError(f"condition.detail.armor has to be 0 or more, not {detail.armor}.")


def _whole(value: Any) -> int:
    """A whole number of a saved state. Raises ValueError for anything else, and for more than any table brings."""
    if type(value) is not int or abs(value) > MOST:
        raise ValueError(f"expected a whole number of at most {MOST}, not {value!r}")
    return value


def _fire(fire: Fire) -> Fire:
    """A fire of a saved state. Raises ValueError or DiceSyntaxError for what is none."""
    if not isinstance(fire.row, str) or not isinstance(fire.burn, str) or type(fire.hot) is not bool:
        raise ValueError("expected a row, the dice it burns with, and whether it is hot")
    parse_dice(fire.burn)
    for number in (fire.total, fire.rounds, fire.fixed):
        _whole(number)
    return fire


def _seconds(value: Any) -> float:
    """Seconds of a round that has begun, of a saved state. Raises ValueError for what is no part of a minute."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 60:
        raise ValueError(f"expected 0 to 60 seconds, not {value!r}")
    return float(value)


def _share(value: Any) -> float:
    """A share from 0 to 1 of a saved state. Raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError(f"expected 0 to 1, not {value!r}")
    return float(value)
