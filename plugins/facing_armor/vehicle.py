"""F1 to F20: a shot at a vehicle, from the chance to hit to what it does inside.

The stages after a penetration know the vehicle and its condition but not the attack, so that exact odds share them
between attacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

from facing_armor import geometry
from facing_armor.armor import effective_mm, ricochets
from facing_armor.design import design
from facing_armor.gunnery import chance_to_hit, derived_gunnery, gunnery_note, skill_of
from facing_armor.inside import Struck, Tail, begin, felt, stopped
from facing_armor.layout import Layout, PlateAt, bullet_share, layout, under_fire_of
from facing_armor.locations import (
    GUN,
    HULLS,
    LABELS,
    MANTLET,
    MISS,
    NOTHING,
    TRACKS,
    TURRETS,
    curve_slopes,
    curve_table,
    hull_down_table,
    location_table,
)
from facing_armor.options import Options, SlopeModel
from facing_armor.penetration import Penetration, chance, failure, penetration_of
from facing_armor.spots import PLATES_OF, Spot, spots
from mantlet import (
    ArmorResult,
    Attack,
    Condition,
    Dice,
    InputName,
    Outcome,
    Plan,
    Table,
    Target,
    Then,
    UnknownNameError,
    ignored_inputs,
)

AUTOMATIC: Final = ("machine_gun", "heavy_machine_gun", "submachine_gun", "autocannon")


class Meeting(NamedTuple):
    """How a shot meets a plate: the angles in degrees, and the effective armor in mm there."""

    plate: PlateAt
    horizontal_deg: float
    combined_deg: float
    effective_mm: float
    glances: bool
    """Whether it ricochets without a roll (F6)."""
    shown: tuple[str | float, ...]
    """The values of its line in the account."""


class Contest(NamedTuple):
    """A shot against a plate: how it meets it, the penetration in mm along the line of fire there, and the chance."""

    meeting: Meeting
    penetration_mm: float
    chance: float


class Face(NamedTuple):
    """A face that a shot may meet: its share, its location table, its plates, and what the table's rows come to."""

    name: str
    share: float
    table: Table[str]
    contests: dict[str, tuple[Contest, ...]]
    """By plate name: one for a flat plate; for a curved one as many as `curve_table` has angles."""
    spots: dict[str, Spot]

    def chance(self, plate: str) -> float:
        """The chance to penetrate a plate, over the angles at which it may be met."""
        found = self.contests[plate]
        if len(found) == 1:
            return found[0].chance
        return sum(float(share) * one.chance for share, one in zip(curve_table().probabilities(), found))

    def contest(self, plate: str) -> Contest:
        """How a plate is met; for a curved one at the middle of its angles."""
        found = self.contests[plate]
        if len(found) == 1:
            return found[0]
        return next(one for one, below in zip(found, accumulate(curve_table().probabilities())) if below >= 0.5)


@dataclass(frozen=True, eq=False, kw_only=True)
class VehiclePlan(Plan):
    """A shot at a vehicle worked out. `shots` are fired in turn; `penetration` is that of the round at any angle."""

    layout: Layout
    hit_chance: float
    shots: int
    faces: tuple[Face, ...]
    penetration: Penetration
    aimed: str | None

    def armor(self, plate: str) -> ArmorResult:
        """Effective armor and penetration in mm at a plate that this shot can meet. Raises KeyError for another."""
        face = self._met(plate)
        found = face.contest(plate)
        return ArmorResult(found.meeting.effective_mm, found.penetration_mm, "mm")

    def penetration_chance(self, plate: str) -> float:
        """The chance to penetrate a plate that this shot can meet. Raises KeyError for another."""
        return self._met(plate).chance(plate)

    def _met(self, plate: str) -> Face:
        return {name: face for face in reversed(self.faces) for name in face.contests}[plate]


# -- planning -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def meetings(
    vehicle: Layout,
    face: str,
    aspect_deg: float,
    elevation_deg: float,
    slope_model: SlopeModel,
    ricochet_angle: float,
    kind: str,
    caliber_mm: float,
) -> tuple[tuple[str, tuple[Meeting, ...]], ...]:
    """How a shot from this bearing meets every plate of a face, by plate name: a curved one at each of its angles."""
    names = [TURRETS[face], *PLATES_OF.get(face, (HULLS[face],))]
    if face == geometry.FRONT:
        names.append(MANTLET)
    found = []
    for name in names:
        plate = vehicle.plates.get(name)
        if plate is None:
            continue
        plate = plate.against(caliber_mm)
        horizontal = geometry.horizontal_angle(face, aspect_deg)
        ways = []
        for slope in curve_slopes() if plate.curved else (plate.slope_deg,):
            combined = geometry.combined_angle(slope, horizontal, elevation_deg, plate.undercut)
            effective = effective_mm(slope_model, kind, plate.thickness_mm, combined, caliber_mm)
            glances = plate.thickness_mm > 0 and ricochets(combined, ricochet_angle)
            shown = (plate.name, plate.thickness_mm, slope, horizontal, combined, effective)
            ways.append(Meeting(plate, horizontal, combined, effective, glances, shown))
        found.append((name, tuple(ways)))
    return tuple(found)


def make_plan(attack: Attack, target: Target, options: Options) -> VehiclePlan:
    """Everything about a shot at a vehicle that needs no dice."""
    weapon, ammunition = attack.weapon, attack.ammunition
    vehicle = under_fire_of(layout(target), weapon.caliber_mm, options.abandon_percent)
    model = options.slope_model
    found = penetration_of(ammunition, options.penetration_table, model, weapon.caliber_mm)
    assert found is not None, "covers() asks for penetration data first"
    # The cosine does not care which round it is: one cache entry serves all.
    kind = ammunition.kind if model == "multiplier" else ""
    caliber = weapon.caliber_mm if model == "multiplier" or vehicle.by_caliber else 0.0
    hand = geometry.hand(attack.aspect_deg)
    faces = []
    for name, share in _shares(attack, target, options):
        met = {}
        for plate, ways in meetings(
            vehicle, name, attack.aspect_deg, attack.elevation_deg, model, options.ricochet_angle, kind, caliber
        ):
            met[plate] = tuple([_contest(found, attack.range_m, meeting) for meeting in ways])
        table = hull_down_table(name, options.hull_down_tracks) if attack.hull_down else location_table(name)
        faces.append(Face(name, share, table, met, spots(vehicle, name, hand)))
    aimed = _aimed(attack, vehicle, faces)
    if aimed is not None and aimed != TRACKS:
        faces = [face._replace(share=1.0) for face in faces if _shows(aimed, face)]
    return VehiclePlan(
        attack=attack,
        target=target,
        derived=vehicle.derived + found.derived + (() if attack.given_hit else derived_gunnery(weapon, ammunition)),
        ignored=_ignored(attack),
        notes=_notes(found, attack, options),
        layout=vehicle,
        hit_chance=1.0 if attack.given_hit else chance_to_hit(attack),
        shots=shots_of(attack),
        faces=tuple(faces),
        penetration=found,
        aimed=aimed,
    )


def _contest(penetration: Penetration, range_m: float, meeting: Meeting) -> Contest:
    mm = penetration.at(range_m, meeting.combined_deg)
    return Contest(meeting, mm, 0.0 if meeting.glances else chance(mm, meeting.effective_mm))


def _shares(attack: Attack, target: Target, options: Options) -> tuple[tuple[str, float], ...]:
    if not options.facing_blend:
        return ((geometry.facing(attack.aspect_deg), 1.0),)
    width = target.width_m or 1.0
    length = target.length_m or width * design().arcs.length_to_width
    return geometry.blended_faces(attack.aspect_deg, length, width)


def shots_of(attack: Attack) -> int:
    """How many shots the rounds come to: several rounds of a burst make one, and a gun fires one an attack."""
    if attack.given_hit or attack.weapon.kind not in AUTOMATIC:
        return 1
    burst = design().burst
    return min(burst.most_shots, -(-attack.rounds // burst.rounds_a_shot))


_USED: Final[frozenset[InputName]] = frozenset(
    ("range", "aspect", "elevation", "skill", "aim", "hull_down", "shooter_speed", "target_speed", "dark")
)
_USED_IN_BURSTS: Final[frozenset[InputName]] = _USED | {"rounds"}


def _ignored(attack: Attack) -> tuple[InputName, ...]:
    if attack.buttoned and not attack.cover and not attack.miss_distance_m and attack.rounds == 1:
        return ()
    return ignored_inputs(attack, _USED_IN_BURSTS if attack.weapon.kind in AUTOMATIC else _USED)


def _notes(found: Penetration, attack: Attack, options: Options) -> tuple[str, ...]:
    skill = None if attack.given_hit else skill_of(attack).note
    notes = _noted(found, attack.weapon, attack.ammunition, skill, attack.rounds, attack.aim)
    edge = None if options.facing_blend else geometry.near_edge(attack.aspect_deg)
    if edge is None:
        return notes
    off = geometry.off_nose(attack.aspect_deg)
    return (
        *notes,
        f"At {off:g} degrees off the nose the shot is near the edge at {edge:g}, where one face gives way to the next "
        "at once; the option facing_blend shares the hits between both.",
    )


@lru_cache(maxsize=1024)
def _noted(
    found: Penetration, weapon: Any, ammunition: Any, skill: str | None, rounds: int, aim: str | None
) -> tuple[str, ...]:
    """The notes of a plan. `skill` is that on the skill, None given a hit: nobody rolls for it, one round strikes."""
    notes = [found.note]
    if skill is not None:
        notes += [gunnery_note(weapon, ammunition), skill]
    if skill is None or rounds == 1:
        pass
    elif weapon.kind in AUTOMATIC:
        burst = design().burst
        notes.append(
            f"The source fires single shots at vehicles: every {burst.rounds_a_shot} rounds of a burst count as one, "
            f"{burst.most_shots} at most, and fire ends when the target is knocked out (a design choice)."
        )
    else:
        notes.append("One attack is one shot of this weapon: fire again, carrying the condition, for more.")
    share = bullet_share(weapon.caliber_mm)
    if share < 1.0:
        notes.append(
            f"The tables inside are of shells: below {design().small_caliber.below_mm:g} mm the chances of stopping "
            f"machinery or lighting a fire are {share:.0%} of theirs, those of men as they are (a design choice)."
        )
    if aim is not None:
        factor = design().gunnery.aimed_factor
        harder = "" if skill is None else f"the chance to hit is times {factor:g}, "
        notes.append(f"Aimed at {aim}: {harder}a hit is there (a design choice).")
    return tuple(notes)


def aims(vehicle: Layout) -> tuple[str, ...]:
    """The locations and plates of a vehicle that can be picked out."""
    names = [*HULLS.values(), TRACKS]
    if vehicle.has_upper:
        names += [*TURRETS.values(), MANTLET]
    if vehicle.has_gun:
        names.append(GUN)
    names += [plate for plates in PLATES_OF.values() for plate in plates if plate in vehicle.plates]
    return tuple(names)


def _aimed(attack: Attack, vehicle: Layout, faces: list[Face]) -> str | None:
    aim = attack.aim
    if aim is None:
        return None
    key = aim.strip().lower().replace(" ", "_").replace("-", "_")
    showing = [name for name in aims(vehicle) if name == TRACKS or any(_shows(name, face) for face in faces)]
    if attack.hull_down:
        showing = [name for name in showing if not name.startswith("hull_") and name != TRACKS]
    if key not in showing:
        where = f"{vehicle.target.id} as seen from {attack.aspect_deg:g} degrees"
        raise UnknownNameError("location", aim, showing, where)
    return key


def _shows(name: str, face: Face) -> bool:
    return name in face.contests or name == HULLS[face.name] or (name == GUN and face.name == geometry.FRONT)


# -- the shot -------------------------------------------------------------------------------------------------------


def fire(dice: Dice, plan: VehiclePlan, condition: Condition) -> Outcome | Then:
    """F1 to F9: one shot, to the point where it is inside, or has failed."""
    tail = Tail(condition, (shoot, plan), plan.shots - 1) if plan.shots > 1 else None
    return shoot(dice, plan, condition, tail)


def shoot(dice: Dice, plan: VehiclePlan, condition: Condition, tail: Tail | None) -> Outcome | Then:
    """One shot of one or several; `tail` is what they have come to so far.

    F15: a hit on tracks or gun needs no penetration; what it does there is a row of the internal effects.
    """
    if plan.hit_chance < 1.0 and not dice.chance(plan.hit_chance, "hit"):
        return dice.then(stopped, condition, tail, None, "miss")
    faces = plan.faces
    face = faces[0]
    if len(faces) > 1 and not dice.chance(face.share, f"{face.name} rather than side", "F1"):
        face = faces[1]
    key = plan.aimed
    if key is None:
        dice.note("F1", "Shot from {:g} degrees off the nose: it meets the {}", plan.attack.aspect_deg, face.name)
        key = dice.pick(face.table, "hit location", _RULE[face.name])
        if key == MISS:
            if not plan.attack.given_hit:
                dice.note("F4", "The track is behind cover: the shot goes astray.")
                return dice.then(stopped, condition, tail, None, "miss")
            key = NOTHING
    spot = face.spots[key]
    struck = Struck(plan.layout, spot.key, spot.location, condition, tail)
    if spot.plate is not None or spot.plates is not None:
        return _at_plate(dice, plan, face, spot, struck)
    if spot.key == NOTHING:
        return dice.then(stopped, condition, tail, spot.location, "nothing")
    dice.note("F15", "A hit on the {} needs no penetration.", LABELS[spot.key])
    return dice.then(begin, struck)


_RULE: Final = {"front": "F2", "side": "F3", "rear": "F3"}


def _at_plate(dice: Dice, plan: VehiclePlan, face: Face, spot: Spot, struck: Struck) -> Outcome | Then:
    """F5 to F9 at a spot behind armor."""
    plate = spot.plate if spot.plates is None else dice.pick(spot.plates, "plate", "F5")
    assert plate is not None, "a spot behind armor has a plate or a table of plates"
    ways = face.contests[plate]
    met = ways[0] if len(ways) == 1 else ways[dice.pick(curve_table(), "where on the curve", "F5")]
    meeting, penetration, p = met
    dice.note("F5", _EFFECTIVE, *meeting.shown)
    if meeting.glances:
        dice.note("F6", "Too steep, {:.1f} degrees: it ricochets without a roll.", meeting.combined_deg)
        return dice.then(felt, struck.before, struck.tail, spot.location, "ricochet")
    effective = meeting.effective_mm
    attack = plan.attack
    how = _How(plan.penetration, attack.range_m, meeting.combined_deg)
    dice.note("F7", "{} penetrates {:.1f} mm at {:g} m: {}", attack.ammunition.id, penetration, attack.range_m, how)
    dice.note("F8", "Margin {:+.1f} mm: chance to penetrate {:.1%}", penetration - effective, p)
    if dice.chance(p, "penetrates", "F8"):
        return dice.then(begin, struck)
    result = failure(attack.ammunition.kind, penetration, effective)
    dice.note("F9", "A {}: an own-tank hit, heard and felt inside.", result)
    return dice.then(felt, struck.before, struck.tail, spot.location, result)


_EFFECTIVE: Final = (
    "{}: {:g} mm, slope {:g} degrees, shot from {:.0f} degrees off its face: combined {:.1f} degrees, "
    "effective {:.1f} mm"
)


class _How(NamedTuple):
    """How a penetration was read off its tables, in words when it is read."""

    penetration: Penetration
    range_m: float
    angle_deg: float

    def __format__(self, spec: str) -> str:
        return self.penetration.how(self.range_m, self.angle_deg)
