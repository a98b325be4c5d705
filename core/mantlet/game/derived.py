"""What a ruleset needs and nobody stated: one derivation of it for all rulesets, and how it is told.

Left out, components and seats are those that a vehicle of its body usually has, and a plate is as thick and as sloped
as the nearest that is stated. Everything taken so is told as a `Derived`. A target that states these things is left as
it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple, cast

from mantlet.game.bodies import bodies_file, usual_body
from mantlet.game.target import Plate, PlateName, Target


class Derived(NamedTuple):
    """A number a ruleset needed and the catalog lacked: which, its value, by what formula, from what."""

    stat: str
    value: float | str
    formula: str
    inputs: Mapping[str, float | str]


@dataclass(frozen=True, eq=False, kw_only=True)
class CompleteTarget:
    """A target with everything that was not stated filled in.

    `target` has `components`, `seats` and the derived plates (thickness in mm, slope in degrees) added; it is the very
    object where nothing was missing. `stands_in` names for each derived plate the stated one it was taken from.
    `usual` tells components and seats where they are those of the body, for every plan; `plates` each derived plate.
    """

    target: Target
    stands_in: Mapping[PlateName, PlateName]
    usual: tuple[Derived, ...]
    plates: Mapping[PlateName, Derived]

    def plates_among(self, used: Iterable[str]) -> tuple[Derived, ...]:
        """The derived ones of the plates that a ruleset uses."""
        names = frozenset(used)
        return tuple([derived for name, derived in self.plates.items() if name in names])


BODY_PLATES: Final[tuple[PlateName, ...]] = (
    "hull_front_upper",
    "hull_side_upper",
    "hull_rear",
    "turret_front",
    "mantlet",
    "turret_side",
    "turret_rear",
)
"""The plates that an armored vehicle is taken to have; roofs, floors and a second plate of a face only where stated."""


@lru_cache(maxsize=1024)
def complete_target(target: Target) -> CompleteTarget:
    """Fill in what a vehicle does not state. Creatures and teams have what they state and no more.

    Plates are derived only for a vehicle with at least one upright hull plate, of a body whose armor is armor all round
    (no aircraft, boats or ships).
    """
    usual: list[Derived] = []
    if target.kind == "vehicle":
        body = target.body.replace("_", " ")
        inputs: dict[str, float | str] = {"body": target.body}
        if target.components is None:
            listed = ", ".join(target.aboard) or "none"
            usual.append(Derived("components", listed, f"not stated: what a {body} usually has aboard", inputs))
        if target.seats is None:
            listed = ", ".join([f"{seat.role} ({seat.compartment})" for seat in target.crew]) or "none"
            usual.append(Derived("seats", listed, f"not stated: the crew that a {body} usually has", inputs))
    stands_in = _stand_ins(target)
    if target.components is not None and target.seats is not None and not stands_in:
        return CompleteTarget(target=target, stands_in={}, usual=(), plates={})
    plates = []
    told: dict[PlateName, Derived] = {}
    for name, source in stands_in.items():
        plate = cast(Plate, target.plate(source))
        plates.append(replace(plate, where=name, confidence="derived"))
        inputs = {source: plate.thickness_mm, "slope_deg": plate.slope_deg}
        formula = f"the catalog has no {name}: the plate {source} stands in"
        told[name] = Derived(f"{name}_mm", plate.thickness_mm, formula, inputs)
    complete = replace(
        target,
        components=target.aboard,
        seats=usual_body(target.body).seats if target.seats is None else target.seats,
        plates=(*target.plates, *plates),
    )
    return CompleteTarget(target=complete, stands_in=stands_in, usual=tuple(usual), plates=told)


def _stand_ins(target: Target) -> dict[PlateName, PlateName]:
    """For each plate that is not stated, the stated one nearest to it."""
    upright = {plate.where: plate for plate in target.plates if plate.slope_deg < 90}
    stated = {plate.where for plate in target.plates}
    missing = [name for name in BODY_PLATES if name not in stated]
    if not missing or not any(name.startswith("hull_") for name in upright) or not usual_body(target.body).plated:
        return {}
    nearest = dict(bodies_file()["stand_ins"])
    if not target.has_turret:
        nearest |= bodies_file()["stand_ins_without_turret"]
    return {name: next(n for n in (*nearest[name], *BODY_PLATES, *upright) if n in upright) for name in missing}
