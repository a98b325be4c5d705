"""Every table of this ruleset as people print it, made from the same data the rules read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import MappingProxyType
from typing import Any

from facing_armor.design import design
from facing_armor.geometry import FACES
from facing_armor.locations import curve_table, hull_down_table, location_table, plate_table
from mantlet import Row, Table

DICE = "1d100"


@cache
def all_tables() -> MappingProxyType[str, Table[Any]]:
    """Every table by name. `locations` alone is the one of the front; `internal.*` has a table for each row.

    The rows of an internal-effects table roll on their own (F10), so each is a table of two bands.
    """
    found: dict[str, Table[Any]] = {}
    front = location_table("front")
    title = f"{front.title} (locations.side and locations.rear for the other faces)"
    found["locations"] = Table("locations", front.dice, front.rows, title)
    for table in _tables():
        found[table.name] = table
    return MappingProxyType(found)


def _tables() -> Iterator[Table[Any]]:
    for face in FACES:
        yield location_table(face)
    for face in FACES:
        yield hull_down_table(face, "turret")
    for name in design().plates:
        yield plate_table(name)
    yield curve_table()
    for location, data in design().internal.items():
        for row in data["rows"]:
            effect = row["effect"]
            title = f"{data['title']}: {effect.replace('_', ' ')}"
            if "percent" in row:
                yield _chance(f"internal.{location}.{effect}", title, row["percent"], "yes", "no")
                continue
            for stowage in ("dry", "wet"):
                name = f"internal.{location}.{effect}.{stowage}"
                yield _chance(name, f"{title}, {stowage} stowage", row[stowage], "yes", "no")
    yield _chance("casualties", "How a casualty fares", design().casualties.killed_percent, "killed", "wounded")
    numbers = design().suppression
    for name, percent in (
        ("infantry", numbers.leave_infantry_percent),
        ("gun_crew", numbers.leave_gun_crew_percent),
    ):
        yield _chance(
            f"leave.{name}", f"Whether a broken team leaves: {name.replace('_', ' ')}", percent, "leaves", "stays"
        )


def _chance(name: str, title: str, percent: int, happens: str, else_: str) -> Table[str]:
    return Table(name, DICE, (Row(1, percent, happens, happens), Row(percent + 1, 100, else_, else_)), title)
