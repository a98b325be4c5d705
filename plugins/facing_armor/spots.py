"""What each row of a location table comes to on one vehicle: its location, and the plate that stands there."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from facing_armor.geometry import FRONT, SIDE
from facing_armor.layout import Layout
from facing_armor.locations import GUN, HULLS, LABELS, MANTLET, MISS, NOTHING, TRACKS, TURRETS, place, plate_table
from mantlet import Location, Table

PLATES_OF = {
    FRONT: ("hull_front_upper", "hull_front_driver", "hull_front_lower"),
    SIDE: ("hull_side_upper", "hull_side_lower"),
}
"""The plates a hull face may have, by the names they can be aimed at."""


class Spot(NamedTuple):
    """Where a hit lands. `plate` is the plate there, None where none is in the way; `plates` rolls for it instead."""

    key: str
    location: Location
    plate: str | None
    plates: Table[str] | None


@lru_cache(maxsize=4096)
def spots(vehicle: Layout, face: str, hand: str, turret: str, turret_hand: str) -> dict[str, Spot]:
    """Every spot of a face by the key of its table row, and by the name of each of its hull plates.

    `turret` and `turret_hand` are the face of the turret that shows, and its side.
    """
    found = {}
    for key in LABELS:
        above = key == MANTLET or key in TURRETS.values()
        if key != MISS and (key == MANTLET or key.partition("_")[2] in ("", turret if above else face)):
            found[key] = _spot(vehicle, vehicle.location(key), turret_hand if above else hand)
    for plate in PLATES_OF.get(face, ()):
        if plate in vehicle.plates:
            found[plate] = Spot(HULLS[face], _place(vehicle, HULLS[face], hand), plate, None)
    return found


def _place(vehicle: Layout, key: str, hand: str) -> Location:
    return place(key, hand, vehicle.has_turret, vehicle.target.running_gear)


def _spot(vehicle: Layout, key: str, hand: str) -> Spot:
    location = _place(vehicle, key, hand)
    if key in (NOTHING, TRACKS, GUN):
        return Spot(key, location, None, None)
    table = _hull_plates(vehicle, key)
    if table is not None:
        return Spot(key, location, None, plate_table(table))
    upper = f"{key}_upper"
    return Spot(key, location, upper if key in HULLS.values() and upper in vehicle.plates else key, None)


def _hull_plates(vehicle: Layout, key: str) -> str | None:
    """The name of the plate table for a hull location, None where only one plate can be met there."""
    plates = vehicle.plates
    if key == HULLS[FRONT] and "hull_front_lower" in plates:
        return "hull_front_stepped" if "hull_front_driver" in plates else "hull_front"
    return "hull_side" if key == HULLS[SIDE] and "hull_side_lower" in plates else None
