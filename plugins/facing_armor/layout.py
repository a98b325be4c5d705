"""What a vehicle is to these rules: its plates by location, who sits where, and what a hit inside puts at risk.

Worked out once a target. What the catalog lacks the core derives, and it is said so.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from facing_armor.design import design
from facing_armor.locations import GUN, HULLS, MANTLET, NOTHING, TRACKS, TURRETS
from mantlet import CatalogError, CompleteTarget, Derived, Plate, Target, complete_target

SOFT: Final = ("car", "truck", "motorcycle", "wagon")
"""Bodies that may have no plates at all: they are of sheet steel, or of nothing that stops a shot."""
ARMORED: Final = ("tank", "tank_destroyer", "armored_car", "half_track", "carrier")
PASSENGERS: Final = ("passenger", "rifleman", "sidecar_passenger", "front_passenger")
"""Seats whose men are no crew: they do not count towards a knock-out (F19)."""

# Effects of a row inside, as bits of the state that a hit hands on.
GUN_OUT: Final = 1
TRAVERSE_OUT: Final = 2
IMMOBILE: Final = 4
AMMUNITION_FIRE: Final = 8
FUEL_FIRE: Final = 16

_BITS: Final = {
    "gun": GUN_OUT,
    "traverse": TRAVERSE_OUT,
    "transmission": IMMOBILE,
    "engine": IMMOBILE,
    "running_gear": IMMOBILE,
    "ammunition_fire": AMMUNITION_FIRE,
    "fuel_fire": FUEL_FIRE,
}
_SEATS: Final = ("commander", "gunner", "loader", "driver", "bow_gunner", "one_hull_seat", "one_turret_seat")
_RULES: Final = {
    "turret": "F11",
    "hull_front": "F12",
    "hull_side": "F13",
    "hull_rear": "F14",
    "tracks": "F15",
    "gun": "F15",
}


class InsideRow(NamedTuple):
    """One row of an internal-effects table as this vehicle has it: a chance, and what it puts at risk."""

    label: str
    rule: str
    percent: int
    bit: int
    seats: tuple[int, ...]


class Risk(NamedTuple):
    """What a location puts at risk: seats, effects as bits, and the first location with the same rows."""

    key: str
    seats: frozenset[int]
    bits: int


class PlateAt(NamedTuple):
    """A plate that stands at a location. `resistance` goes by caliber where a source says so, and stands for thickness
    and slope together; a `curved` plate is met at any of the published angles."""

    name: str
    thickness_mm: float
    slope_deg: float
    undercut: bool
    face: str
    curved: bool = False
    resistance: tuple[tuple[float, float], ...] = ()

    def against(self, caliber_mm: float) -> PlateAt:
        """This plate as a shot of this caliber meets it: between two published calibers linear, else the nearest's."""
        if not self.resistance:
            return self
        calibers = [caliber for caliber, _ in self.resistance]
        i = min(max(bisect_right(calibers, caliber_mm), 1), len(calibers) - 1)
        (low, below), (high, above) = self.resistance[i - 1], self.resistance[i]
        part = min(1.0, max(0.0, (caliber_mm - low) / (high - low)))
        return self._replace(thickness_mm=below + part * (above - below), slope_deg=0.0, curved=False)


@dataclass(frozen=True, eq=False)
class Layout:
    """A vehicle. Seats are indices into `Target.crew`; `titles` names the man in each.

    `plates` goes by plate name; `rows` by location key. `crew` are the seats that count for a knock-out, which
    `seats_lost` empty ones of them bring about. `kinds` tells by seat who is alike: men of one `Seat`, but for a man
    whom a row names by his role.
    """

    target: Target
    titles: tuple[str, ...]
    plates: dict[str, PlateAt]
    derived: tuple[Derived, ...]
    has_turret: bool
    has_upper: bool
    has_gun: bool
    roles: dict[str, int]
    turret_seats: tuple[int, ...]
    hull_seats: tuple[int, ...]
    crew: tuple[int, ...]
    seats_lost: int
    kinds: tuple[int, ...]
    rows: dict[str, tuple[InsideRow, ...]]
    risks: dict[str, Risk]
    abandon_percent: float = 0.0
    """The usual chance that the crew abandons after a penetration: of armored vehicles alone, see `under_fire_of`."""

    @property
    def by_caliber(self) -> bool:
        """Whether the caliber of the shot matters to any of its plates."""
        return any(plate.resistance for plate in self.plates.values())

    def location(self, key: str) -> str:
        """The location a row of the printed table means on this vehicle.

        A vehicle without a gun has nothing there, and no mantlet without a turret or a main gun.
        """
        if key == GUN and not self.has_gun:
            return NOTHING
        if key == MANTLET and not self.has_upper:
            return TURRETS["front"]
        return key


def uncovered_body(target: Target) -> str | None:
    """Why these rules know nothing of a vehicle, if they do not."""
    if not target.crew:
        return f"F19: target {target.id} has nothing under seats, and a vehicle is knocked out by its empty seats."
    if target.body not in SOFT and target.body not in ARMORED:
        return f"F1: hit locations are those of ground vehicles; {target.id} is of the kind {target.body}."
    if target.body in ARMORED and not any(p.where.startswith("hull_") and p.slope_deg < 90 for p in target.plates):
        return f"F5: {target.id} is an armored vehicle without armor plates, so there is no thickness to work with."
    return None


@lru_cache(maxsize=1024)
def layout(target: Target) -> Layout:
    """The layout of a vehicle. Raises CatalogError for one without seats."""
    complete = complete_target(target)
    target, crew = complete.target, complete.target.crew
    if not crew:
        raise CatalogError(f"Target {target.id}: seats is empty; facing_armor needs at least one seat in a vehicle.")
    has_turret = target.has_turret
    has_gun = "main_gun" in target.aboard or "hull_gun" in target.aboard
    has_upper = has_turret or "main_gun" in target.aboard
    roles, turret_seats = _seats(target, has_upper)
    hull_seats = tuple(i for i in range(len(crew)) if i not in turret_seats)
    men = tuple(i for i, seat in enumerate(crew) if seat.role not in PASSENGERS) or tuple(range(len(crew)))
    plates, derived = _plates(complete, has_upper)
    rows = {
        location: tuple(_rows(target, location, roles, turret_seats, hull_seats, has_turret, has_gun))
        for location in design().internal
    }
    by_location = {key: rows[_INSIDE[key]] for key in _INSIDE}
    if not has_upper:
        # A body without turret or main gun: above or below, the same people and things are behind the sides.
        by_location |= {TURRETS[face]: rows[hull] for face, hull in HULLS.items()}
    return Layout(
        target=target,
        titles=tuple([seat.role.replace("_", " ") for seat in crew]),
        plates=plates,
        derived=derived,
        has_turret=has_turret,
        has_upper=has_upper,
        has_gun=has_gun,
        roles=roles,
        turret_seats=turret_seats,
        hull_seats=hull_seats,
        crew=men,
        seats_lost=min(design().casualties.seats_empty, len(men)),
        kinds=_kinds(target, roles),
        rows=by_location,
        risks=_risks(by_location),
    )


def _risks(rows: dict[str, tuple[InsideRow, ...]]) -> dict[str, Risk]:
    found: dict[str, Risk] = {}
    for key, table in rows.items():
        first = next(other for other in rows if rows[other] is table)
        seats = frozenset([seat for row in table for seat in row.seats])
        bits = 0
        for row in table:
            bits |= row.bit
        found[key] = Risk(first, seats, bits)
    return found


_INSIDE: Final = {
    "turret_front": "turret",
    "turret_side": "turret",
    "turret_rear": "turret",
    MANTLET: "turret",
    "hull_front": "hull_front",
    "hull_side": "hull_side",
    "hull_rear": "hull_rear",
    TRACKS: "tracks",
    GUN: "gun",
}
"""Which internal-effects table a location has."""


def _kinds(target: Target, roles: dict[str, int]) -> tuple[int, ...]:
    """By seat a number that those who are alike share."""
    places = [place for place, seat in enumerate(target.seats or ()) for _ in range(seat.count)]
    named = frozenset(roles.values())
    return tuple([-1 - i if i in named else place for i, place in enumerate(places)])


def _seats(target: Target, has_upper: bool) -> tuple[dict[str, int], tuple[int, ...]]:
    """Who holds each role of the tables, and which seats belong to the turret (or superstructure)."""
    roles: dict[str, int] = {}
    turret = []
    for i, seat in enumerate(target.crew):
        parts = seat.role.split("_")
        # A man with two jobs (commander_gunner) answers for the first that nobody has: no man is rolled for twice.
        jobs = [job for job in ("commander", "gunner", "loader") if job in parts and "bow" not in parts]
        if seat.role in PASSENGERS:
            jobs = []
        if jobs:
            roles.setdefault(next((job for job in jobs if job not in roles), jobs[0]), i)
            if has_upper:
                turret.append(i)
        elif seat.role == "driver":
            roles.setdefault("driver", i)
        elif "bow" in parts:
            roles.setdefault("bow_gunner", i)
    if not has_upper:
        for job in ("commander", "gunner", "loader"):
            roles.pop(job, None)
    if "bow_gunner" not in roles:
        beside = _beside_driver(target, turret)
        if beside is not None:
            roles["beside_driver"] = beside
    return roles, tuple(turret)


def _beside_driver(target: Target, turret: list[int]) -> int | None:
    """Without a bow gunner, whoever sits beside the driver is at risk in his place."""
    for i, seat in enumerate(target.crew):
        if seat.role != "driver" and i not in turret and seat.compartment in ("front", "front_cab", "hull", "sidecar"):
            return i
    return None


def _rows(
    target: Target,
    location: str,
    roles: dict[str, int],
    turret_seats: tuple[int, ...],
    hull_seats: tuple[int, ...],
    has_turret: bool,
    has_gun: bool,
) -> list[InsideRow]:
    rule = _RULES[location]
    found = []
    for entry in design().internal[location]["rows"]:
        effect = entry["effect"]
        percent = int(entry["percent"] if "percent" in entry else entry[target.stowage])
        seats: tuple[int, ...] = ()
        if effect == "one_hull_seat":
            seats = hull_seats
        elif effect == "one_turret_seat":
            seats = turret_seats
        elif effect == "bow_gunner" and "bow_gunner" not in roles:
            seats = (roles["beside_driver"],) if "beside_driver" in roles else ()
        elif effect in _SEATS:
            seats = (roles[effect],) if effect in roles else ()
        missing = (effect in _SEATS and not seats) or percent == 0
        missing = missing or (effect == "traverse" and not has_turret) or (effect == "gun" and not has_gun)
        if not missing:
            stands_in = effect == "bow_gunner" and effect not in roles
            label = target.crew[seats[0]].role if stands_in else effect
            found.append(InsideRow(label.replace("_", " "), rule, percent, _BITS.get(effect, 0), seats))
    return found


def bullet_share(caliber_mm: float) -> float:
    """The share of a shell's chances that a round of this caliber has of stopping machinery or lighting a fire."""
    numbers = design().small_caliber
    if not 0 < caliber_mm < numbers.below_mm:
        return 1.0  # things without a bore are charges, and no bullets
    return float((caliber_mm / numbers.below_mm) ** numbers.exponent)


@lru_cache(maxsize=1024)
def under_fire_of(vehicle: Layout, caliber_mm: float, abandon_percent: float = 0.0) -> Layout:
    """The same vehicle under fire of this caliber: what bullets do inside is less, shells leave it the very object.

    Men are at risk as in the tables: a bullet that reaches a man is as good as a splinter. `abandon_percent` is that of
    an armored vehicle under fire of shells; nobody has a crew of others decide, and bullets have their share here too.
    """
    share = bullet_share(caliber_mm)
    abandon_percent = share * abandon_percent if vehicle.target.body in ARMORED else 0.0
    if share == 1.0 and abandon_percent == vehicle.abandon_percent:
        return vehicle
    least = design().small_caliber.least_percent
    return replace(
        vehicle,
        rows={
            key: tuple([r if r.seats else r._replace(percent=max(least, round(r.percent * share))) for r in rows])
            for key, rows in vehicle.rows.items()
        },
        abandon_percent=abandon_percent,
    )


# -- plates ---------------------------------------------------------------------------------------------------------

_UNDERCUT: Final = ("hull_front_lower", "hull_side_lower")


def _plates(complete: CompleteTarget, has_upper: bool) -> tuple[dict[str, PlateAt], tuple[Derived, ...]]:
    """The plates by name, those that the core derived among them, and what was derived."""
    target = complete.target
    plates = {plate.where: plate for plate in target.plates}
    if not any(name.startswith("hull_") and plate.slope_deg < 90 for name, plate in plates.items()):
        found, sheet = _sheet_steel(target)
        return found, complete.usual + sheet
    used = [name for name in plates if name != MANTLET or has_upper]
    found = {name: _at(name, complete.stands_in.get(name, name), plate) for name, plate in plates.items()}
    return found, complete.usual + complete.plates_among(used)


def _at(name: str, shown: str, plate: Plate) -> PlateAt:
    """A plate at a location; `shown` is the name in the account, of the plate that stands in for it."""
    face = "front" if "front" in name or name == MANTLET else ("rear" if name.endswith("rear") else "side")
    undercut = name in _UNDERCUT
    return PlateAt(
        shown, plate.thickness_mm, plate.slope_deg, undercut, face, plate.curved, plate.resistance_by_caliber_mm
    )


def _sheet_steel(target: Target) -> tuple[dict[str, PlateAt], tuple[Derived, ...]]:
    """A target without plates: sheet steel all round."""
    mm = design().sheet_steel[target.body]
    faces = {"hull_front_upper": "front", "hull_side_upper": "side", "hull_rear": "rear"}
    faces |= {"turret_front": "front", "mantlet": "front", "turret_side": "side", "turret_rear": "rear"}
    plates = {name: PlateAt("sheet steel" if mm else "no armor", mm, 0.0, False, face) for name, face in faces.items()}
    formula = f"no plates in the catalog: sheet steel of a {target.body}, upright (a design choice)"
    return plates, (Derived("hull_mm", mm, formula, {"body": target.body}),)
