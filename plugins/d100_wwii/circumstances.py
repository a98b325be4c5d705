"""What counts on every driving roll: weather and road, the dark, creeping along (`data/driving.toml`)."""

from __future__ import annotations

from functools import lru_cache

from d100_wwii.options import Options
from d100_wwii.tables import data
from mantlet import Modifier, UnknownNameError


def minimum_percent() -> int:
    """Who has less in the skill cannot operate the vehicle at all."""
    least: int = data("driving")["minimum_percent"]
    return least


@lru_cache(maxsize=64)
def road(conditions: str) -> tuple[Modifier, ...]:
    """The modifiers of conditions named in one text, joined by `+`. Raises UnknownNameError for one nobody knows."""
    known = data("driving")["conditions"]
    found = []
    for name in dict.fromkeys(part.strip() for part in conditions.split("+") if part.strip()):
        if name not in known:
            raise UnknownNameError("driving condition", name, known, "option road")
        found.append(Modifier(known[name], name.replace("_", " ")))
    return tuple(found)


def circumstances(options: Options, move: int, dark: bool, lamps_out: bool) -> tuple[Modifier, ...]:
    """All that counts on a driving roll at this MOVE, beside the skill and the rule that asks for the roll."""
    found = road(options.road)
    slow = data("driving")["slow"]
    if move <= slow["up_to_move"]:
        found += (Modifier(slow["modifier"], f"MOVE {slow['up_to_move']} or less"),)
    return found + darkness(options, lamps_out) if dark else found


def darkness(options: Options, lamps_out: bool) -> tuple[Modifier, ...]:
    """What night and lost headlamps take off (A50)."""
    dark = data("driving")["dark"]
    night, out = Modifier(dark["night"], "night"), Modifier(dark["headlamps_out"], "headlamps out")
    if options.headlamps == "seed_alone":
        return (out,) if lamps_out else ()
    if options.headlamps == "flat_20":
        return (Modifier(dark["night_without_headlamps"], "night without headlamps"),) if lamps_out else (night,)
    return (night, out) if lamps_out else (night,)
