"""Stat blocks of targets from physical facts: HP from weight, SM from length, DR from plates, codes from components.

Fitted to printed vehicles: HP = 4 x cube root of lb gives the jeep 53.6 (52) and the wagon 35.2 (35); SM by the length
in yards alone gives a luxury car of 5.7 yd +3, a main battle tank of 8.7 yd +4, a heavy motorcycle of 2.4 yd +1, as
printed.
Armor counts along the line of flight, so slope is in the DR, and penetration is taken the same way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gurps_vehicle.attack_roll import size_modifier, yards
from gurps_vehicle.codes import all_codes, parse_codes
from gurps_vehicle.files import read
from gurps_vehicle.stats import AnimalStats, TargetStats
from mantlet import (
    FACES,
    CatalogError,
    CompleteTarget,
    Derived,
    Plate,
    Target,
    UnknownNameError,
    build,
    complete_target,
    validate,
)

PLACES = (*FACES, "other", *(f"turret_{face}" for face in FACES))
_FOR = {
    "vehicle": ("locations", "dr", "layers", "ablative", "dr_against", "powered", "flying", "animals"),
    "creature": ("body", "body_file", "tail", "shield", "flyer", "swimmer", "creature_dr"),
}
# Which plate gives the DR of a face: the first that is stated.
_PLATES: dict[str, tuple[str, ...]] = {
    "front": ("hull_front_driver", "hull_front_upper", "hull_front_lower"),
    "side": ("hull_side_upper", "hull_side_lower"),
    "rear": ("hull_rear",),
    "top": ("hull_roof",),
    "under": ("floor",),
    "turret_front": ("turret_front", "mantlet"),
    "turret_side": ("turret_side",),
    "turret_rear": ("turret_rear", "turret_side"),
    "turret_top": ("turret_roof",),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Block:
    """A whole stat block: everything the rules ask about a target, and which numbers were derived."""

    stats: TargetStats
    hp: int
    ht: int
    fragile: frozenset[str]
    sm: int
    powered: bool
    tissue: str
    locations: str
    dr: Mapping[str, int]
    tires: bool
    flying: bool
    animals: AnimalStats
    person_hp: int
    person_ht: int
    person_dr: Mapping[str, int]
    body: str
    flyer: bool
    derived: tuple[Derived, ...]


def given_stats(target: Target) -> TargetStats:
    """The stat block a target brings, over the one shipped for it. Raises CatalogError for one that cannot be."""
    shipped: dict[str, Any] = read("stats")["target"].get(target.id, {})
    own = target.stats.get("gurps_vehicle", {})
    if own:
        # A table that is given in part leaves the rest of the shipped one.
        tables = {k: {**shipped[k], **v} for k, v in own.items() if isinstance(v, dict) and k in shipped}
        return validate(TargetStats, {**shipped, **own, **tables}, f"stats.gurps_vehicle of {target.id}")
    return build(TargetStats, shipped)


@lru_cache(maxsize=512)
def block_of(target: Target) -> Block:
    """The stat block of a target: what it brings, the rest derived."""
    given = given_stats(target)
    _check_kind(given, target)
    _check_places(given, target)
    data: dict[str, Any] = read("derivation")["target"]
    complete = complete_target(target)
    target = complete.target
    made = [*complete.usual]

    def fill(stat: str, value: Any, formula: str, **inputs: float | str) -> Any:
        stated = getattr(given, stat)
        if stated is not None:
            return stated
        shown = value
        if isinstance(value, bool):
            shown = "yes" if value else "no"
        elif isinstance(value, tuple):
            shown = ", ".join(value) or "none"
        elif value == "":
            shown = "none"
        made.append(Derived(stat, shown, formula, inputs))
        return value

    living = target.kind != "vehicle"
    powered = not living and bool(fill("powered", "engine" in target.aboard, "what has an engine", body=target.body))
    tissue = given.tissue or ("living" if living else "unliving" if powered else "homogenous")
    mass = target.mass_kg
    factor = data["living_factor" if living else "hp_factor"]
    if target.kind == "team":
        hp = data["person_hp"] if given.hp is None else given.hp
    elif mass is None and given.hp is None:
        hp = fill("hp", 10 if living else 40, "a guess: no weight is known")
    else:
        value = max(1, round(factor * math.cbrt((mass or 0) * data["lb_per_kg"])))
        hp = fill("hp", value, f"{factor} x cube root of weight in lb", mass_kg=mass or 0)
    length = max(target.length_m or 0, target.height_m or 0, target.width_m or 0)
    sm_formula = "first length of the size ladder not below the longest dimension"
    if not length:
        length = data["usual_length_m"][target.body]
        sm_formula += f": the usual one of a {target.body.replace('_', ' ')}, as none is known"
    sm = fill("sm", size_modifier(yards(length)), sm_formula, length_yd=round(yards(length), 2))
    ht_data = data["ht_creature" if living else "ht_powered" if powered else "ht_unpowered"]
    ht = data["person_ht"] if target.kind == "team" else fill("ht", ht_data, "HT by kind of target", kind=target.kind)
    fragile = _fragile(target, powered, fill) if not living else frozenset(given.fragile or ())
    dr: dict[str, int] = {}
    locations, tires = "", False
    if not living:
        locations = fill("locations", _codes(target), "codes of what is aboard", body=target.body)
        if any(f.code.tire for f in parse_codes(locations)):
            tires = bool(fill("tires", target.body in data["tires"], "tires by body", body=target.body))
        dr = _armor(complete, given.dr or {}, data, made)
    folk = given.person_dr if given.person_dr is not None else data["person_dr"]
    person_dr = dict(folk) if isinstance(folk, Mapping) else {"torso": folk}
    body = _body(target, given, made)
    return Block(
        stats=given,
        hp=int(hp),
        ht=int(ht),
        fragile=fragile,
        sm=int(sm),
        powered=powered,
        tissue=tissue,
        locations=locations,
        dr=dr,
        tires=tires,
        flying=given.flying if given.flying is not None else target.body == "aircraft",
        animals=given.animals or AnimalStats(),
        person_hp=given.person_hp or data["person_hp"],
        person_ht=given.person_ht or data["person_ht"],
        person_dr=person_dr,
        body=body,
        flyer=given.flyer if given.flyer is not None else "wings" in target.aboard,
        derived=tuple(made),
    )


def _check_kind(given: TargetStats, target: Target) -> None:
    """Whether everything given is of use for such a target. Raises CatalogError for what would be ignored."""
    usual = TargetStats()
    for kind, names in _FOR.items():
        for name in names:
            if kind != target.kind and getattr(given, name) != getattr(usual, name):
                raise CatalogError(
                    f"stats.gurps_vehicle of {target.id}: {name} is for a {kind}, and {target.id} is a {target.kind}."
                )


def _check_places(given: TargetStats, target: Target) -> None:
    """Whether all armor is at a place that there is. Raises UnknownNameError for any other."""
    tables = {"dr": given.dr or {}, "layers": given.layers}
    tables |= {f"dr_against.{kind}": table for kind, table in given.dr_against.items()}
    for stat, table in tables.items():
        for place in table:
            if place not in PLACES and place not in all_codes():
                known = (*PLACES, *all_codes())
                raise UnknownNameError("place of armor", place, known, f"stats.gurps_vehicle.{stat} of {target.id}")


def _body(target: Target, given: TargetStats, made: list[Derived]) -> str:
    if given.body is not None:
        return given.body
    if target.kind == "creature":
        body = "winged_quadruped" if "wings" in target.aboard else "quadruped"
        made.append(Derived("body", body, "winged if it has wings, on four legs", {"body": target.body}))
        return body
    return "humanoid"


def _fragile(target: Target, powered: bool, fill: Any) -> frozenset[str]:
    found = {
        "c": not powered and target.body in read("derivation")["target"]["wooden"],
        "f": "fuel_tank" in target.aboard,
        "x": "magazine" in target.aboard or target.main_gun_rounds > 0,
    }
    letters = tuple(letter for letter, there in found.items() if there)
    return frozenset(fill("fragile", letters, "f with a fuel tank, x with a magazine, c of wood"))


_FLAT = ("hull_roof", "turret_roof", "floor")
"""Roofs and floors are struck from above and below: their slope says only that they lie flat."""


def _dr_of(plate: Plate, per_mm: float) -> tuple[int, str, dict[str, float | str]]:
    """The DR of a plate, the formula, and what went into it."""
    facts: dict[str, float | str] = {"plate": plate.where, "mm": plate.thickness_mm}
    if plate.where in _FLAT:
        return round(plate.thickness_mm * per_mm), "thickness x 70/25.4, struck square", facts
    cosine = math.cos(math.radians(plate.slope_deg))
    formula = "thickness / cos slope x 70/25.4"
    return round(plate.thickness_mm / cosine * per_mm), formula, {**facts, "slope_deg": plate.slope_deg}


def _plate_of(complete: CompleteTarget, face: str, names: tuple[str, ...]) -> Plate | None:
    """The plate of a face: the first that is stated, else the derived one (of a turret only where there is one)."""
    plates = [plate for plate in map(complete.target.plate, names) if plate is not None]
    stated = [plate for plate in plates if plate.where not in complete.stands_in]
    if not complete.target.has_turret and face.startswith("turret_"):
        plates = stated
    return next(iter(stated or plates), None)


def _armor(
    complete: CompleteTarget, given: Mapping[str, int], data: dict[str, Any], made: list[Derived]
) -> dict[str, int]:
    """DR by face and place: what is given, the rest from the plates, stated or derived; sheet metal without plates.

    `other`, where given, is for all that is not. A turret's faces are derived where `T` does not tell them all.
    """
    if "other" in given:
        return dict(given)
    target = complete.target
    per_mm: float = read("derivation")["weapon"]["dr_per_mm"]
    sheet: int = data["sheet"][target.body]
    dr: dict[str, int] = {}
    for face, names in _PLATES.items():
        plate = _plate_of(complete, face, names)
        if plate is not None:
            dr[face], formula, facts = _dr_of(plate, per_mm)
            if face not in given and not ("T" in given and face.startswith("turret_")):
                made += complete.plates_among((plate.where,))
                made.append(Derived(f"dr.{face}", dr[face], formula, facts))
    others = [dr[face] for face in FACES if face in dr]
    for face in FACES:
        if face not in dr:
            # Thin armor all round leaves nothing better than its thinnest plate where the catalog is silent.
            value = min(others) if others and face in ("side", "rear", "front") else sheet
            if target.open_topped and face == "top":
                value = 0
            dr[face] = value
            if face not in given:
                made.append(
                    Derived(f"dr.{face}", value, "sheet metal, or the thinnest known plate", {"body": target.body})
                )
    if "T" in given:
        dr = {face: value for face, value in dr.items() if not face.startswith("turret_")}
    dr |= given
    dr["other"] = dr["side"]
    made.append(Derived("dr.other", dr["other"], "as the side", {"side": dr["side"]}))
    return dr


def _codes(target: Target) -> str:
    """The location string of what is aboard."""
    aboard = set(target.aboard)
    text = ""
    if "wings" in aboard:
        text += "g" if "windows" in aboard else ""
        text += f"{target.wheels}Wr" if target.wheels else ""
        text += "Wi" + ("t" if "turret_gun" in aboard else "")
        return text
    if "windows" in aboard:
        text += "G"
    if "draft_animals" in aboard:
        text += "2D"
    exposed = [seat.compartment for seat in target.crew if seat.exposed]
    riders = sum(place in ("saddle", "sidecar") for place in exposed)
    if riders:
        text += f"{riders}E" if riders > 1 else "E"
    if riders < len(exposed) or target.open_topped:
        text += "O"
    if target.running_gear in ("tracks", "half_track"):
        text += "2C"
    if target.wheels and target.running_gear != "tracks":
        text += f"{target.wheels}W"
    if target.has_turret:
        text += "T"
    if "superstructure" in aboard:
        text += "S" if (target.length_m or 0) >= 30 else "s"
    inside = sum(1 for gun in ("main_gun", "coaxial_gun", "hull_gun", "turret_gun") if gun in aboard)
    if "turret_gun" in aboard:
        text += "t"
    outside = len(target.armament) - inside
    if target.open_topped and "hull_gun" in aboard and not target.has_turret:
        outside += 1
    if target.body == "motorcycle" and "hull_gun" in aboard:
        outside += 1
    if outside > 0:
        text += f"{outside}X" if outside > 1 else "X"
    return text
