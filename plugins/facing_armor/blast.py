"""F33: high explosive at a vehicle: a burst on it or beside it, and whether that gets through.

The source has HE at teams alone. All of this is a design choice of low confidence; `data/design.toml` has its bounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from facing_armor import geometry
from facing_armor.design import design
from facing_armor.gunnery import chance_to_hit, derived_gunnery, gunnery_note, skill_of
from facing_armor.inside import Struck, Tail, begin, stopped
from facing_armor.layout import BLAST, SOFT, Layout, layout, under_blast_of
from facing_armor.locations import (
    GUN,
    HULLS,
    MANTLET,
    MISS,
    NOTHING,
    TRACKS,
    TURRETS,
    place,
    table_for,
)
from facing_armor.options import Options
from facing_armor.penetration import chance
from facing_armor.vehicle import AUTOMATIC, HIT_RULE, shots_of
from mantlet import Attack, Condition, Dice, InputName, Location, Outcome, Plan, Table, Target, Then, ignored_inputs


class Exposed(NamedTuple):
    """What a burst at a location has to beat: its name, its resistance in mm, and the chance that it is beaten."""

    location: Location
    thinnest: str
    resistance_mm: float
    chance: float
    key: str
    """The effects that follow: those of tracks or gun, or of blast inside."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BlastPlan(Plan):
    """A burst at a vehicle. `hit_chance` is None where the attack says how far off it lands; `reached` is the chance
    that it reaches the vehicle from there. `blast_mm` is the armor that it beats at even odds."""

    layout: Layout
    hit_chance: float | None
    reached: float
    shots: int
    blast_mm: float
    face: str
    table: Table[str]
    exposed: dict[str, Exposed]


def is_blast(attack: Attack) -> bool:
    """Whether an attack on a vehicle works by blast: HE, unless its round has a penetration table (F7)."""
    return attack.ammunition.kind == "HE" and not attack.ammunition.penetration


def uncovered(attack: Attack) -> str | None:
    """Why these rules know nothing of a burst at a vehicle, if they do not."""
    if not attack.ammunition.filler_kg:
        return f"F33: blast goes by the mass of filler, and {attack.weapon.id}/{attack.ammunition.id} states none."
    if attack.weapon.kind == "charge" and attack.delivery == "fired":
        return f"F33: {attack.weapon.id} is not fired: it is thrown, or a team assaults with it."
    if attack.elevation_deg < -design().arcs.steepest_elevation_deg:
        return f"F33: a burst comes from a side or from above; at {attack.elevation_deg:g} degrees it would be below."
    return None


_USED: Final[frozenset[InputName]] = frozenset(
    ("range", "aspect", "elevation", "skill", "hull_down", "shooter_speed", "target_speed", "dark", "miss_distance")
)


def make_plan(attack: Attack, target: Target, options: Options) -> BlastPlan:
    """Everything about a burst at a vehicle that needs no dice."""
    numbers = design().blast
    filler_kg = attack.ammunition.filler_kg
    assert filler_kg, "covers() asks first"
    vehicle = under_blast_of(layout(target), filler_kg, options.abandon_percent)
    distance_m = 0.0 if attack.given_hit else attack.miss_distance_m
    reach_m = numbers.reach_m * math.cbrt(filler_kg / numbers.reference_filler_kg)
    # Splinters thin out with the square of the distance, and what they beat falls with the distance.
    reached = 1.0 / (1.0 + (distance_m / reach_m) ** 2)
    blast_mm = numbers.mm_per_root_kg * math.sqrt(filler_kg * reached)
    hull = geometry.Bearing(geometry.facing(attack.aspect_deg), attack.aspect_deg)
    turret = hull.turned(attack.turret_deg if vehicle.has_turret else 0.0)
    table = table_for(hull.face, turret.face, attack.hull_down, options.hull_down_tracks)
    keys = dict.fromkeys([row.value for row in table.rows])
    unaimed = attack if attack.aim is None else replace(attack, aim=None)
    fired = not attack.given_hit and not distance_m
    return BlastPlan(
        attack=attack,
        target=target,
        derived=derived_gunnery(attack.weapon, attack.ammunition) if fired else (),
        ignored=_ignored(attack, vehicle.has_turret),
        notes=_notes(attack, filler_kg, distance_m, fired),
        layout=vehicle,
        hit_chance=None if distance_m else 1.0 if attack.given_hit else chance_to_hit(unaimed),
        reached=reached,
        shots=shots_of(attack),
        blast_mm=blast_mm,
        face=hull.face,
        table=table,
        exposed={key: _exposed(vehicle, attack, (hull, turret), key, blast_mm) for key in keys},
    )


def _ignored(attack: Attack, has_turret: bool) -> tuple[InputName, ...]:
    used: set[InputName] = {*_USED}
    if attack.weapon.kind in AUTOMATIC:
        used.add("rounds")
    if has_turret:
        used.add("turret")
    return ignored_inputs(attack, used)


def _notes(attack: Attack, filler_kg: float, distance_m: float, fired: bool) -> tuple[str, ...]:
    notes = [
        f"High explosive, {filler_kg:g} kg of filler: blast against the thinnest plate exposed (a design choice of low "
        "confidence)."
    ]
    if distance_m:
        notes.append(f"It bursts {distance_m:g} m from the vehicle: no roll to hit.")
    if fired:
        notes += [gunnery_note(attack.weapon, attack.ammunition), skill_of(attack).note]
    return tuple(notes)


def _exposed(
    vehicle: Layout, attack: Attack, met: tuple[geometry.Bearing, geometry.Bearing], key: str, blast_mm: float
) -> Exposed:
    """What stands between a burst at a row of the location table and what is behind.

    A burst does not pass by: where a shot would find nothing or a gun that is not there, it is on the hull, or what
    shows of the vehicle. `met` is how it meets hull and turret.
    """
    hull, turret = met
    if vehicle.location(key) in (NOTHING, MISS):
        key = TURRETS[turret.face] if attack.hull_down else HULLS[hull.face]
    key = vehicle.location(key)
    bearing = turret if key in TURRETS.values() else hull
    location = place(key, geometry.hand(bearing.aspect_deg), vehicle.has_turret, vehicle.target.running_gear)
    name, mm = min(_in_the_way(vehicle, attack, key), key=lambda found: found[1])
    return Exposed(location, name, mm, chance(blast_mm, mm), key if key in (TRACKS, GUN) else BLAST)


def _in_the_way(vehicle: Layout, attack: Attack, key: str) -> Iterator[tuple[str, float]]:
    """What is exposed at a location, with its resistance in mm: plates count upright, blast follows no line."""
    numbers, target = design().blast, vehicle.target
    if key == GUN:
        yield "gun", numbers.gun_mm
    elif key == TRACKS:
        gear = {"tracks": numbers.tracks_mm, "half_track": numbers.half_track_mm}
        yield "running gear", gear.get(target.running_gear, numbers.wheels_mm)
    else:
        part = "turret" if key == MANTLET or key in TURRETS.values() else "hull"
        open_here = target.open_topped and (part == "turret" or not vehicle.has_turret)
        if attack.elevation_deg >= numbers.roof_from_deg and target.body not in SOFT:
            yield ("open top", 0.0) if open_here else _roof(vehicle, part)
        elif open_here:
            yield "open top", numbers.open_top_mm
        if attack.elevation_deg <= design().arcs.steepest_elevation_deg or target.body in SOFT:
            names = (TURRETS[geometry.FRONT], MANTLET) if key in (MANTLET, TURRETS[geometry.FRONT]) else (key,)
            yield from [(p.name, p.thickness_mm) for name, p in vehicle.plates.items() if name.startswith(names)]


def _roof(vehicle: Layout, part: str) -> tuple[str, float]:
    """The roof of turret or hull; where the catalog has none, the thinnest plate that it has."""
    plates = vehicle.plates
    named = [plates[name] for name in (f"{part}_roof", "hull_roof", "turret_roof") if name in plates]
    roof = named[0] if named else min(plates.values(), key=lambda plate: plate.thickness_mm)
    return roof.name, roof.thickness_mm


# -- the burst ------------------------------------------------------------------------------------------------------


def fire(dice: Dice, plan: BlastPlan, condition: Condition) -> Outcome | Then:
    """F33: one burst of one or several."""
    tail = Tail(condition, (burst, plan), plan.shots - 1) if plan.shots > 1 else None
    return burst(dice, plan, condition, tail)


def burst(dice: Dice, plan: BlastPlan, condition: Condition, tail: Tail | None) -> Outcome | Then:
    """F33: where it bursts, and whether it beats the thinnest of what is exposed there."""
    if plan.hit_chance is None:
        if not dice.chance(plan.reached, "the burst reaches the vehicle", "F33"):
            return dice.then(stopped, condition, tail, None, "miss")
    elif plan.hit_chance < 1.0 and not dice.chance(plan.hit_chance, "hit"):
        return dice.then(stopped, condition, tail, None, "miss")
    key = dice.pick(plan.table, "hit location", HIT_RULE[plan.face])
    location, thinnest, mm, p, effects = plan.exposed[key]
    dice.note("F33", "Blast beats {:.1f} mm; thinnest exposed is {}, {:g} mm", plan.blast_mm, thinnest, mm)
    if dice.chance(p, "blast gets through", "F33"):
        return dice.then(begin, Struck(plan.layout, effects, location, condition, tail))
    return dice.then(stopped, condition, tail, location, "burst outside")
