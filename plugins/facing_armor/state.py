"""What this ruleset keeps of a target beside the neutral facts: fires and bail-out, suppression of teams."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mantlet import CatalogError, Crowd, Dice, Outcome, Sighting, Target, UnknownNameError, changes
from mantlet.game.condition import DEAD, GONE, Condition, check_agreement
from mantlet.game.effects import complete

NAME: Final = "facing_armor"

NO_FIRE: Final = 0
AMMUNITION: Final = 1
FUEL: Final = 2
UNKNOWN_FIRE: Final = 3
"""A fire taken over from another ruleset."""
FIRES: Final = ("none", "ammunition", "fuel", "unknown")
NOT_ROLLED: Final = -1.0

ROUNDING: Final = 6
"""Decimals kept of seconds and suppression, so that what is reached in other steps is the same state."""
MOST: Final = 1e12
"""No number of a saved state is larger."""


class VehicleState(NamedTuple):
    """A vehicle that burns, whose crew bails out, or has felt hits.

    `brew_up_s` is the time left until the brew-up completes, NOT_ROLLED before its dice are thrown. `turret_s` and
    `hull_s` are how long the man now in the turret's or the hull's hatches has been at it. `wounded_out` counts the
    wounded who got out: their seats only say that they are gone. `felt` counts the own-tank hits that the crew has
    heard and felt without being penetrated (F9).
    """

    fire: int = NO_FIRE
    brew_up_s: float = NOT_ROLLED
    turret_s: float = 0.0
    hull_s: float = 0.0
    wounded_out: int = 0
    felt: int = 0


class TeamState(NamedTuple):
    """A team under fire: suppression in hundredths (0 none, 100 complete), and seconds into the present period.

    `closing` says that a tank is closing on the team; it adds suppression every period while it does. `unarmed` teams
    (a bailed-out crew) have no weapons, whatever their suppression. `enemies` are the enemy vehicles it knows of, each
    with its distance in m and its bearing in degrees; `fell_back_m` is how far it has run from them (F28).
    """

    suppression: float = 0.0
    clock_s: float = 0.0
    closing: bool = False
    unarmed: bool = False
    enemies: tuple[Sighting, ...] = ()
    fell_back_m: float = 0.0


def vehicle_state(condition: Condition) -> VehicleState:
    """The vehicle detail of a condition, or the one its neutral facts come to."""
    detail = condition.detail
    if isinstance(detail, VehicleState):
        return detail
    return VehicleState(fire=UNKNOWN_FIRE) if condition.on_fire else VehicleState()


def team_state(condition: Condition) -> TeamState:
    """The team detail of a condition, or none."""
    detail = condition.detail
    return detail if isinstance(detail, TeamState) else TeamState()


def with_state(condition: Condition, state: VehicleState | TeamState) -> Condition:
    """A condition with this detail; an empty detail is left out, so that equal conditions are equal."""
    if state in (VehicleState(), TeamState()):
        return condition._replace(ruleset="", detail=None)
    return condition._replace(ruleset=NAME, detail=state)


def dump(detail: Any) -> Any:
    """Plain data for a file."""
    if isinstance(detail, VehicleState):
        return {"vehicle": {**detail._asdict(), "fire": FIRES[detail.fire]}}
    if isinstance(detail, TeamState):
        return {"team": {**detail._asdict(), "enemies": [list(place) for place in detail.enemies]}}
    return None


def load(data: Any) -> VehicleState | TeamState | None:
    """The reverse of `dump`. Raises CatalogError, KeyError, ValueError or TypeError for what is none of ours."""
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise TypeError(f"expected the detail of {NAME}, not {type(data).__name__}")
    if "vehicle" in data:
        fields = dict(data["vehicle"])
        return VehicleState(**_sound({**fields, "fire": FIRES.index(fields["fire"])}, VehicleState()))
    return TeamState(**_with_places(_sound(data["team"], TeamState())))


def _with_places(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The saved fields of a team with its enemies' places. Raises CatalogError for what is none."""
    places = fields.get("enemies", ())
    for place in places:
        if not (isinstance(place, Sequence) and len(place) == 2 and all(type(n) in (int, float) for n in place)):
            raise CatalogError(
                f"condition.detail.team.enemies has to hold a distance and a bearing each, not {place!r}"
            )
        if not (0 <= place[0] <= MOST and 0 <= place[1] <= 360):
            raise CatalogError(f"condition.detail.team.enemies has no place {place!r}: meters, and degrees up to 360")
    return {**fields, "enemies": tuple([Sighting(*place) for place in places])}


def _sound(fields: Mapping[str, Any], usual: VehicleState | TeamState) -> Mapping[str, Any]:
    """Saved fields, each of the kind that the state has. Raises CatalogError for others."""
    where = f"condition.detail.{'vehicle' if isinstance(usual, VehicleState) else 'team'}"
    for name, value in fields.items():
        if name not in usual._fields:
            raise UnknownNameError("key", name, usual._fields, where)
        kind = type(getattr(usual, name))
        if type(value) is not kind and (kind, type(value)) not in ((float, int), (tuple, list)):
            raise CatalogError(f"{where}.{name} has to be {_KIND[kind]}, not {value!r}")
        least = NOT_ROLLED if name == "brew_up_s" else 0
        most = 100 if name == "suppression" else MOST
        if kind in (int, float) and not least <= value <= most:
            raise CatalogError(f"{where}.{name} has to be from {least:g} to {most:g}, not {value!r}")
    return fields


_KIND = {bool: "true or false", int: "a whole number", float: "a number", tuple: "a list"}


def check_fits(target: Target, condition: Condition) -> None:
    """Whether a condition's own detail is one of such a target. Raises CatalogError where it is not."""
    detail = condition.detail
    if detail is None:
        return
    has, needs = ("team", target.kind) if isinstance(detail, TeamState) else ("vehicle", target.kind)
    if has != needs:
        raise CatalogError(f"condition.detail.{has} is of a {has}, and {target.id} is a {needs}.")
    if isinstance(detail, VehicleState):
        check_agreement(condition, condition.people, on_fire=detail.fire != NO_FIRE or None)
    gone = condition.people.count(GONE)
    if isinstance(detail, VehicleState) and detail.wounded_out > gone:
        raise CatalogError(
            f"condition.detail.vehicle.wounded_out is {detail.wounded_out}, and {gone} of condition.people are gone."
        )


def empty_seats(people: tuple[int, ...], seats: tuple[int, ...]) -> int:
    """F19: how many of these seats hold nobody: a dead man, or one who has got out. The wounded fill theirs."""
    return sum([people[i] == DEAD or people[i] == GONE for i in seats])


def crowd_of(people: tuple[int, ...], kinds: Sequence[Hashable], start: tuple[int, ...]) -> Crowd[int]:
    """Everybody by seat, while an attack goes on.

    Alike are those of one kind who were in the same state at its start: put in order, they can still be counted seat by
    seat against it.
    """
    return Crowd(people, tuple(zip(kinds, start)))


def alike_in_order(dice: Dice, outcome: Outcome, kinds: Sequence[Hashable]) -> Outcome:
    """The outcome when everything is counted: in odds, the men of one kind in one order, so that more are equal."""
    condition = outcome.condition
    people = Crowd(condition.people, kinds).in_order(dice)
    if people == condition.people:
        return outcome
    return outcome._replace(condition=condition._replace(people=tuple(people)))


def came_about(start: Condition, after: Condition) -> int:
    """The neutral effects of a span of time; none where nothing changed that they speak of."""
    effects = changes(start, after).effects
    return complete(effects) if effects else 0
