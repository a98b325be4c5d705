"""What has happened to a target: neutral facts every ruleset reads and writes, and one ruleset's own detail."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from mantlet.errors import CatalogError
from mantlet.game.effects import (
    CREW_HIT,
    CREW_KILLED,
    DESTROYED,
    FIREPOWER_LOST,
    FIREPOWER_REDUCED,
    IMMOBILIZED,
    KNOCKED_OUT,
    MOBILITY_REDUCED,
    ON_FIRE,
)

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


class Changes(NamedTuple):
    """What lies between two conditions: neutral effects, and how many people were newly wounded (alive) or killed."""

    effects: int = 0
    wounded: int = 0
    killed: int = 0


_MOBILITY: Final = (0, MOBILITY_REDUCED, IMMOBILIZED)
_FIREPOWER: Final = (0, FIREPOWER_REDUCED, FIREPOWER_LOST)
_FACTS: Final = Condition._fields.index("ruleset")
"""How many neutral facts a condition begins with."""


def changes(before: Condition, after: Condition) -> Changes:
    """What has come about between two conditions of one target, seat by seat.

    What no condition shows (a penetration, an explosion, damage in a ruleset's own points) is for the ruleset to add.
    Somebody who has left is not hit; somebody wounded who is now out of action is not wounded again.
    """
    return _changes(before[:_FACTS], after[:_FACTS])


@lru_cache(maxsize=8192)
def _changes(before: tuple[Any, ...], after: tuple[Any, ...]) -> Changes:
    """The same of the neutral facts: many conditions differ in a ruleset's detail alone."""
    was, now = Condition(*before), Condition(*after)
    effects = wounded = killed = 0
    if now.mobility > was.mobility:
        effects |= _MOBILITY[now.mobility]
    if now.firepower > was.firepower:
        effects |= _FIREPOWER[now.firepower]
    if now.on_fire and not was.on_fire:
        effects |= ON_FIRE
    if now.knocked_out and not was.knocked_out:
        effects |= KNOCKED_OUT
    if now.destroyed and not was.destroyed:
        effects |= DESTROYED
    for old, new in zip(was.people, now.people, strict=True):
        if new in (WOUNDED, OUT, DEAD) and new > old:
            effects |= CREW_HIT
            killed += new == DEAD
            wounded += old == FIT and new != DEAD
    return Changes(effects | (CREW_KILLED if killed else 0), wounded, killed)


def check_agreement(
    condition: Condition, people: Sequence[int], *, destroyed: bool | None = None, on_fire: bool | None = None
) -> None:
    """Whether the neutral facts of a condition are those that its detail comes to, as far as they decide who acts.

    `people` are the states by seat that the detail comes to (wounds a ruleset may count in other grades), `destroyed`
    and `on_fire` what it says of the target, where it says that. For `Ruleset.adopt`. Raises CatalogError.
    """
    for seat, (told, own) in enumerate(zip(condition.people, people)):
        if told != own and (told in (DEAD, GONE) or own in (DEAD, GONE)):
            raise CatalogError(
                f"condition.people[{seat}] is {PERSON_STATES[told]}, and by condition.detail {PERSON_STATES[own]}."
            )
    for name, fact, by_detail in (
        ("destroyed", condition.destroyed, destroyed),
        ("on_fire", condition.on_fire, on_fire),
    ):
        if by_detail is not None and fact != by_detail:
            said, other = ("true", "false") if fact else ("false", "true")
            raise CatalogError(f"condition.{name} is {said}, and by condition.detail {other}.")


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
