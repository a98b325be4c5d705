"""Checks of single fields of weapons, targets and attacks: what is refused, and which field it is."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Final


class FieldError(ValueError):
    """A value that cannot be; `path` is where it is inside the thing, so that a file's line can be named."""

    def __init__(self, message: str, *path: str | int) -> None:
        self.path = path
        super().__init__(message)


def check_range(value: float, name: str, low: float = 0.0, high: float = math.inf, *, open_high: bool = False) -> None:
    """Check one number; `name` begins with the name of its field."""
    if not (isinstance(value, (int, float)) and abs(value) <= sys.float_info.max):  # a whole number may be more
        raise FieldError(f"{name} has to be a finite number, not {value!r:.40}", name.partition(" ")[0])
    if value < low or value > high or (open_high and value == high):
        most = "" if high == math.inf else (f" and below {high:g}" if open_high else f" and at most {high:g}")
        raise FieldError(f"{name} has to be at least {low:g}{most}, not {value:g}", name.partition(" ")[0])


MOST: Final = 1e9
"""No mass, length, speed or count of a thing is larger: what is worked out from it stays a finite number."""
MOST_MM: Final = 1e5
"""No plate is thicker, and nothing pierces more."""


def check_numbers(thing: object, *names: str) -> None:
    """Check the numbers of these fields that are given: finite, 0 or more and no nonsense."""
    for name in names:
        value = getattr(thing, name)
        if value is not None:
            check_physical(value, name)


def check_physical(value: float, name: str, most: float = MOST) -> None:
    """Check one number of a thing; `name` begins with the name of its field."""
    check_range(value, name)
    if value > most:
        raise FieldError(f"{name} has to be at most {most:g}, not {value:g}", name.partition(" ")[0])


def check_distinct(names: Sequence[str], message: str, field_name: str, key: str) -> None:
    """Refuse two items of a list under the same name (letter case aside), pointing at the second."""
    seen: set[str] = set()
    for i, name in enumerate(names):
        if name.lower() in seen:
            raise FieldError(f"{message} {name}", field_name, i, key)
        seen.add(name.lower())
