"""What has happened to a target: neutral facts every ruleset reads and writes, and one ruleset's own detail."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final, NamedTuple

FULL: Final = 0
REDUCED: Final = 1
NONE: Final = 2

FIT: Final = 0
WOUNDED: Final = 1
OUT: Final = 2
"""Alive but unable to act."""
DEAD: Final = 3
GONE: Final = 4
"""Has left: bailed out, fled or been carried away."""

LEVELS: Final = ("full", "reduced", "none")
PERSON_STATES: Final = ("fit", "wounded", "out", "dead", "gone")


class Condition(NamedTuple):
    """The state of a target. `people` has one state a seat, in the order of the target's seats.

    `detail` belongs to the ruleset named in `ruleset` (hit points, armor shot away, suppression ...) and is hashable.
    """

    mobility: int = FULL
    firepower: int = FULL
    on_fire: bool = False
    knocked_out: bool = False
    destroyed: bool = False
    people: tuple[int, ...] = ()
    ruleset: str = ""
    detail: Hashable = None

    @property
    def neutral(self) -> Condition:
        """The same without any ruleset's detail: what another ruleset takes over."""
        return self._replace(ruleset="", detail=None)


def condition_to_data(condition: Condition, detail: Any = None) -> dict[str, Any]:
    """Plain data for a file; `detail` is the ruleset's own part already made plain."""
    return {
        "mobility": LEVELS[condition.mobility],
        "firepower": LEVELS[condition.firepower],
        "on_fire": condition.on_fire,
        "knocked_out": condition.knocked_out,
        "destroyed": condition.destroyed,
        "people": [PERSON_STATES[p] for p in condition.people],
        "ruleset": condition.ruleset,
        "detail": detail,
    }


def condition_from_data(data: Mapping[str, Any], detail: Hashable = None) -> Condition:
    """The reverse of `condition_to_data`. Raises KeyError, ValueError or TypeError for data that is not one."""
    return Condition(
        mobility=LEVELS.index(data["mobility"]),
        firepower=LEVELS.index(data["firepower"]),
        on_fire=bool(data["on_fire"]),
        knocked_out=bool(data["knocked_out"]),
        destroyed=bool(data["destroyed"]),
        people=tuple(PERSON_STATES.index(p) for p in data["people"]),
        ruleset=str(data["ruleset"]),
        detail=detail,
    )
