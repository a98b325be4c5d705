"""The kinds of body a target may have, its seats, and what a vehicle of a kind usually has aboard (`bodies.toml`)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from mantlet.game.checks import check_range

# fmt: off
Body = Literal[
    "motorcycle", "car", "truck", "half_track", "armored_car", "carrier", "tank", "tank_destroyer",
    "aircraft", "boat", "ship", "wagon",
    "infantry", "gun_crew", "animal", "monster",
]
# fmt: on
Compartment = Literal[
    "turret", "hull", "front_cab", "bed", "front", "back", "saddle", "sidecar", "cabin", "deck", "none"
]

MOST_PEOPLE: Final = 1000

# fmt: off
COMPONENTS: Final = frozenset((
    "engine", "fuel_tank", "radiator", "suspension", "brakes", "steering", "headlamps", "windows", "radio",
    "turret", "main_gun", "coaxial_gun", "hull_gun", "turret_gun", "roof_gun", "magazine", "gun_laying", "torpedoes",
    "propeller", "wings", "tail", "rudder", "superstructure", "sidecar", "draft_animals",
))
# fmt: on
"""The components that the shipped catalog has and the shipped rulesets ask about; another ruleset may know more."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Seat:
    """A place for one person (or `count` alike): the role, the compartment, and whether it is out in the open."""

    role: str
    compartment: Compartment
    count: int = 1
    exposed: bool = False

    def __post_init__(self) -> None:
        check_range(self.count, f"count of seat {self.role}", 1, MOST_PEOPLE)


@dataclass(frozen=True, eq=False, kw_only=True)
class UsualBody:
    """What a vehicle of one body usually has: components by id, the seats of its crew.

    `plated` says whether armor, where there is some, is armor all round.
    """

    components: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    plated: bool = False


@lru_cache(maxsize=1)
def bodies_file() -> dict[str, Any]:
    """The data of `bodies.toml`: `body` by name, and the plates that stand in for others."""
    return tomllib.loads((Path(__file__).parent / "bodies.toml").read_text("utf-8"))


@lru_cache(maxsize=32)
def usual_body(body: Body) -> UsualBody:
    """What a vehicle of this body usually has; nothing for bodies of creatures and teams."""
    data = bodies_file()["body"].get(body)
    if data is None:
        return UsualBody()
    seats = tuple([Seat(**seat) for seat in data["seats"]])
    return UsualBody(components=tuple(data["components"]), seats=seats, plated=data["plated"])
