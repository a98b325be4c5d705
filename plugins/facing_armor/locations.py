"""F1 to F4: the hit-location tables of the three faces, hull-down, and which plate of the hull is met."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final

from facing_armor.design import design, published
from mantlet import Location, Row, Table, read_zone, table_from

NOTHING: Final = "nothing"
MISS: Final = "miss"
"""A hit on what a hull-down target hides, under the option that lets it go astray."""
TRACKS: Final = "tracks"
GUN: Final = "gun"
MANTLET: Final = "mantlet"
HULLS: Final = {"front": "hull_front", "side": "hull_side", "rear": "hull_rear"}
TURRETS: Final = {"front": "turret_front", "side": "turret_side", "rear": "turret_rear"}

LABELS: Final = {
    "hull_front": "hull front",
    "hull_side": "hull side",
    "hull_rear": "hull rear",
    "turret_front": "turret front",
    "turret_side": "turret side",
    "turret_rear": "turret rear",
    "mantlet": "mantlet",
    "tracks": "tracks",
    "gun": "gun",
    "nothing": "nothing",
    "miss": "miss (behind cover)",
}


def _table(name: str, data: Mapping[str, Any], key: str) -> Table[str]:
    return table_from(name, data, lambda row: str(row[key]), lambda row: _label(str(row[key])))


def _label(key: str) -> str:
    return LABELS.get(key, key.replace("_", " "))


@cache
def location_table(face: str) -> Table[str]:
    """The table of a face (`front`, `side`, `rear`); its values are keys of `LABELS`."""
    return _table(f"locations.{face}", design().locations[face], "location")


@cache
def hull_down_table(face: str, tracks: str) -> Table[str]:
    """F4: the same table where every hull location is the turret's; tracks are too, or go astray (`miss`)."""
    table = location_table(face)
    hidden = {HULLS[face]: TURRETS[face], TRACKS: TURRETS[face] if tracks == "turret" else MISS}
    rows = []
    for row in table.rows:
        value = hidden.get(row.value, row.value)
        label = row.label if value == row.value else f"{LABELS[value]} (hull down; else {row.label})"
        rows.append(Row(row.low, row.high, value, label))
    return Table(f"locations.{face}.hull_down", table.dice, rows, f"{table.title}, hull down")


@cache
def plate_table(name: str) -> Table[str]:
    """Which plate of a hull face is met (`hull_front`, `hull_front_stepped`, `hull_side`)."""
    return _table(f"plates.{name}", design().plates[name], "plate")


@cache
def curve_slopes() -> tuple[float, ...]:
    """The slopes in degrees of the parts of a cast, rounded mantlet, steepest first."""
    return tuple(published()["curved_mantlet"]["deg"])


@cache
def curve_table() -> Table[int]:
    """F5: which part of a rounded mantlet is met, as an index into `curve_slopes`."""
    rows, low = [], 1
    for i, (deg, percent) in enumerate(zip(curve_slopes(), published()["curved_mantlet"]["percent"])):
        rows.append(Row(low, low + percent - 1, i, f"{deg:g} degrees"))
        low += percent
    return Table("plates.rounded_mantlet", "1d100", rows, "Slope where a cast, rounded mantlet is met")


@lru_cache(maxsize=256)
def place(key: str, hand: str, has_turret: bool, running_gear: str) -> Location:
    """The neutral location of a hit. A vehicle without a turret has a superstructure in its place."""
    if key == NOTHING:
        return Location("nothing", "nothing")
    if key == GUN:
        return Location("gun", "armament")
    if key == TRACKS:
        return Location("wheels" if running_gear == "wheels" else "tracks", "running_gear")
    if key == MANTLET:
        return Location("turret/mantlet", "turret") if has_turret else Location("superstructure/mantlet", "hull")
    part, face = key.split("_")
    path = f"{part}/{hand} side" if face == "side" else f"{part}/{face}"
    if part == "turret" and not has_turret:
        return Location(path.replace("turret", "superstructure"), "hull")
    return Location(path, read_zone(part))
