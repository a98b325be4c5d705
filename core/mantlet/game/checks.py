"""Checks of single fields of weapons, targets and attacks: what is refused, and which field it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mantlet.dice.notation import parse_dice
from mantlet.errors import DiceSyntaxError


class FieldError(ValueError):
    """A value that cannot be; `path` is where it is inside the thing, so that a file's line can be named."""

    def __init__(self, message: str, *path: str | int) -> None:
        self.path = path
        super().__init__(message)


@dataclass(frozen=True)
class Between:
    """The least and the most that a number of a file may be: `armor: Annotated[int, Between(0, 1000)]`.

    It holds wherever data is put through `mantlet.validate`; NaN and infinity are refused as well.
    """

    low: float
    high: float

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        # Said in pydantic's own terms, without importing it: commands that read no data of a user do without.
        return {**handler(source), "ge": self.low, "le": self.high}


@dataclass(frozen=True)
class DiceText:
    """A text of a file that holds dice: `damage: Annotated[str, DiceText()]`; what they come to at most is 0 or more.

    It holds wherever data is put through `mantlet.validate`.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        checking = {"type": "no-info", "function": self._check}
        return {"type": "function-after", "function": checking, "schema": handler(source)}

    @staticmethod
    def _check(text: str) -> str:
        try:
            dice = parse_dice(text)
        except DiceSyntaxError as error:
            raise ValueError(f"{error.message.rstrip('.')}; it is {text[:60]!r}") from None
        if dice.high < 0:
            raise ValueError(f"{text!r} comes to {dice.high} at most, and has to come to 0 or more")
        return text


def check_range(value: float, name: str, low: float = 0.0, high: float = math.inf, *, open_high: bool = False) -> None:
    """Check one number; `name` begins with the name of its field."""
    field = name.partition(" ")[0]
    if not isinstance(value, (int, float)) or (isinstance(value, float) and not math.isfinite(value)):
        raise FieldError(f"{name} has to be a finite number, not {value!r}", field)
    if value < low or value > high or (open_high and value == high):
        most = "" if high == math.inf else (f" and below {high:g}" if open_high else f" and at most {high:g}")
        raise FieldError(f"{name} has to be at least {low:g}{most}, not {_shown(value)}", field)


MOST_MM: Final = 100_000
"""No plate is thicker, and nothing pierces more."""


def check_numbers(thing: object, **most: float) -> None:
    """Check the numbers of these fields that are given: finite, from 0 to the most that such a thing has."""
    for name, high in most.items():
        value = getattr(thing, name)
        if value is not None:
            check_physical(value, name, high)


def check_physical(value: float, name: str, most: float) -> None:
    """Check one number of a thing, 0 to `most`; `name` begins with the name of its field."""
    check_range(value, name)
    if value > most:
        raise FieldError(f"{name} has to be at most {most:,}, not {_shown(value)}", name.partition(" ")[0])


def _shown(value: float) -> str:
    """A number in a sentence; a whole number may be too large for any other way."""
    return f"{value:g}" if abs(value) < 1e15 else "a number of more than 15 digits"


def check_distinct(names: Sequence[str], message: str, field_name: str, key: str) -> None:
    """Refuse two items of a list under the same name (letter case aside), pointing at the second."""
    seen: set[str] = set()
    for i, name in enumerate(names):
        if name.lower() in seen:
            raise FieldError(f"{message} {name}", field_name, i, key)
        seen.add(name.lower())
