"""Location codes (G14): `2CX`, `G4W`, `2CT(X)`, `g3WrWi`, `GH3Wr`, `2DE4W`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from gurps_vehicle.files import read
from mantlet import CatalogError, nearest


@dataclass(frozen=True, eq=False, kw_only=True)
class Code:
    """What a location code means.

    `acts` says how a hit is worked out: body, vital, turret, part, window, person or animal. Damage over HP/`threshold`
    cripples a part (`each`: HP/(threshold x number)). `unseen` faces have no such thing in view.
    """

    code: str
    name: str
    zone: str
    acts: str
    threshold: int = 0
    each: bool = False
    loses: str = ""
    occupied: bool = False
    bare: bool = False
    tire: bool = False
    pair: bool = False
    unseen: tuple[str, ...] = ()

    @property
    def written(self) -> bool:
        """Whether it stands in location strings, as all but the body and the vital area do."""
        return self.acts not in ("body", "vital")

    @property
    def label(self) -> str:
        """Its name, with the code where it has one to be written: `main turret (T)`."""
        return f"{self.name} ({self.code})" if self.written else self.name


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """One entry of a location string: how many of what, and whether it can be drawn in or is only sometimes there."""

    code: Code
    count: int
    retractable: bool = False
    optional: bool = False


@lru_cache(maxsize=1)
def all_codes() -> dict[str, Code]:
    """Every code by its letters, `body` and `vital` among them."""
    data: dict[str, dict[str, Any]] = read("vehicle")["code"]
    return {c: Code(code=c, **{**row, "unseen": tuple(row.get("unseen", ()))}) for c, row in data.items()}


@lru_cache(maxsize=256)
def parse_codes(text: str) -> tuple[Fitted, ...]:
    """Read a location string (G14). A number before a code counts, `r` after it: retractable, brackets: optional.

    Raises CatalogError naming the code nobody knows, or the place where the string goes wrong.
    """
    codes = {c: code for c, code in all_codes().items() if code.written}
    found: list[Fitted] = []
    at, optional = 0, False
    while at < len(text):
        char = text[at]
        if char in " ,":
            at += 1
            continue
        if char in "()":
            if optional == (char == "("):
                raise CatalogError(f"Location string {text!r}: unexpected {char!r} at character {at + 1}.")
            optional = char == "("
            at += 1
            continue
        start = at
        while at < len(text) and text[at].isdigit():
            at += 1
        number = text[start:at]
        letters = text[at : at + 2] if text[at : at + 2] in codes else text[at : at + 1]
        if letters not in codes:
            near = nearest(letters, codes) if letters.strip() else ()
            hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(codes)}."
            raise CatalogError(f"Location string {text!r}: no location code {letters!r} at character {at + 1}{hint}")
        at += len(letters)
        count = int(number) if number else 1
        if not 1 <= count <= 100:
            raise CatalogError(f"Location string {text!r}: {count} of {letters} is not 1 to 100.")
        retractable = text[at : at + 1] == "r"
        at += retractable
        found.append(Fitted(code=codes[letters], count=count, retractable=retractable, optional=optional))
    if optional:
        raise CatalogError(f"Location string {text!r}: a bracket is not closed.")
    merged: dict[tuple[str, bool, bool], Fitted] = {}
    for item in found:
        key = (item.code.code, item.retractable, item.optional)
        merged[key] = replace(item, count=item.count + (merged[key].count if key in merged else 0))
    for item in merged.values():
        if item.count > 100:
            raise CatalogError(f"Location string {text[:60]!r}: {item.count} of {item.code.code} is not 1 to 100.")
    return tuple(merged.values())
