"""Attack, weapon, ammunition and target: physical facts first, then optional stat blocks, one a ruleset.

Frozen records (`mantlet.records`): what files and users give is validated against them by pydantic
(`mantlet.structure`), the shipped catalog, proven by the tests, is built straight into them. Things from a catalog
compare by identity: there is one `Weapon` object for one weapon. Numbers have their unit in the name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final, Literal

from mantlet.records import record

Confidence = Literal["seed", "high", "medium", "low", "recalled", "derived", "design"]
AmmunitionKind = Literal[
    "ball",
    "AP",
    "APC",
    "APBC",
    "APCBC",
    "APCR",
    "HVAP",
    "APDS",
    "HEAT",
    "HE",
    "smoke",
    "incendiary",
    "flame",
    "blade",
    "impact",
]
WeaponKind = Literal[
    "pistol",
    "rifle",
    "submachine_gun",
    "machine_gun",
    "heavy_machine_gun",
    "anti_tank_rifle",
    "autocannon",
    "gun",
    "anti_tank_launcher",
    "grenade",
    "charge",
    "incendiary",
    "flamethrower",
    "ram",
    "melee",
    "natural",
]
TargetKind = Literal["vehicle", "creature", "team"]
Body = Literal[
    "motorcycle",
    "car",
    "truck",
    "half_track",
    "armored_car",
    "carrier",
    "tank",
    "tank_destroyer",
    "aircraft",
    "boat",
    "ship",
    "wagon",
    "infantry",
    "gun_crew",
    "animal",
    "monster",
]
Face = Literal["front", "side", "rear", "top", "under"]
PlateName = Literal[
    "hull_front_upper",
    "hull_front_driver",
    "hull_front_lower",
    "hull_side_upper",
    "hull_side_lower",
    "hull_rear",
    "turret_front",
    "mantlet",
    "turret_side",
    "turret_rear",
    "hull_roof",
    "turret_roof",
    "floor",
]
Compartment = Literal[
    "turret", "hull", "front_cab", "bed", "front", "back", "saddle", "sidecar", "cabin", "deck", "none"
]
Delivery = Literal["fired", "thrown", "placed_under", "placed_in_running_gear", "lobbed_inside", "rammed", "assaulted"]


class FieldError(ValueError):
    """A value that cannot be; `path` is where it is inside the thing, so that a file's line can be named."""

    def __init__(self, message: str, *path: str | int) -> None:
        self.path = path
        super().__init__(message)


def _finite(value: float, name: str, low: float = 0.0, high: float = math.inf, *, open_high: bool = False) -> None:
    """Check one number; `name` begins with the name of its field."""
    if not (isinstance(value, (int, float)) and math.isfinite(value)):
        raise FieldError(f"{name} has to be a finite number, not {value!r}", name.partition(" ")[0])
    if value < low or value > high or (open_high and value == high):
        most = "" if high == math.inf else (f" and below {high:g}" if open_high else f" and at most {high:g}")
        raise FieldError(f"{name} has to be at least {low:g}{most}, not {value:g}", name.partition(" ")[0])


MOST: Final = 1e9
"""No mass, length, speed or count of a thing is larger: what is worked out from it stays a finite number."""
MOST_MM: Final = 1e5
"""No plate is thicker, and nothing pierces more."""
MOST_WHEELS: Final = 100
MOST_PEOPLE: Final = 1000


def _finite_fields(thing: object, *names: str) -> None:
    """Check the numbers of these fields that are given: finite, 0 or more and no nonsense."""
    for name in names:
        value = getattr(thing, name)
        if value is not None:
            _physical(value, name)


def _physical(value: float, name: str, most: float = MOST) -> None:
    """Check one number of a thing; `name` begins with the name of its field."""
    _finite(value, name)
    if value > most:
        raise FieldError(f"{name} has to be at most {most:g}, not {value:g}", name.partition(" ")[0])


def _distinct(names: Sequence[str], message: str, field_name: str, key: str) -> None:
    """Refuse two items of a list under the same name (letter case aside), pointing at the second."""
    seen: set[str] = set()
    for i, name in enumerate(names):
        if name.lower() in seen:
            raise FieldError(f"{message} {name}", field_name, i, key)
        seen.add(name.lower())


@record(eq=True)
class Provenance:
    """Where a number comes from and how sure it is."""

    source: str
    confidence: Confidence
    note: str = ""


@record
class PenetrationTable:
    """Penetration in mm against range, for one angle (degrees from the plate's normal), plate and success criterion.

    `default` marks the table used when nothing else is asked for. Raises ValueError for a table that rises with
    range, is empty, or whose ranges do not rise.
    """

    angle_deg: float
    plate: Literal["RHA", "FHA", "unspecified"]
    criterion: str
    range_m: tuple[float, ...]
    penetration_mm: tuple[float, ...]
    source: str
    confidence: Confidence
    default: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        _finite(self.angle_deg, "angle_deg", 0, 90, open_high=True)
        if not self.range_m or len(self.range_m) != len(self.penetration_mm):
            raise FieldError("range_m and penetration_mm have to be of one length and not empty", "penetration_mm")
        for i, (r, p) in enumerate(zip(self.range_m, self.penetration_mm)):
            _physical(r, "range_m")
            _physical(p, "penetration_mm", MOST_MM)
            if i and r <= self.range_m[i - 1]:
                raise FieldError(f"range_m has to rise, but {r:g} follows {self.range_m[i - 1]:g}", "range_m", i)
            if i and p > self.penetration_mm[i - 1]:
                raise FieldError(
                    f"penetration_mm must not rise with range, but {p:g} mm at {r:g} m "
                    f"follows {self.penetration_mm[i - 1]:g} mm",
                    "penetration_mm",
                    i,
                )


@record
class Ammunition:
    """One round. `penetration` lists all published tables; stat blocks go by ruleset name.

    `projectile_mass_kg` is the mass of what flies, `filler_kg` that of the explosive or fuel in it. A round that hits
    with the mass of the weapon itself (ramming) is of kind `impact`.
    """

    id: str
    kind: AmmunitionKind
    name: str = ""
    muzzle_velocity_mps: float | None = None
    projectile_mass_kg: float | None = None
    filler_kg: float | None = None
    shatter_prone: bool | None = None
    penetration: tuple[PenetrationTable, ...] = ()
    stats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    provenance: Mapping[str, Provenance] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        _finite_fields(self, "muzzle_velocity_mps", "projectile_mass_kg", "filler_kg")
        defaults = [i for i, table in enumerate(self.penetration) if table.default]
        if len(defaults) > 1:
            raise FieldError("two tables are marked default", "penetration", defaults[1], "default")

    @property
    def default_table(self) -> PenetrationTable | None:
        """The table used unless another is asked for: the one marked so, else the first."""
        return next((t for t in self.penetration if t.default), self.penetration[0] if self.penetration else None)


@record
class Weapon:
    """A weapon with its rounds; the first round is the usual one.

    `caliber_mm` is the bore (0 for charges and blades); `rate_of_fire_rpm` the cyclic or practical rate.
    """

    id: str
    name: str
    kind: WeaponKind
    caliber_mm: float = 0.0
    nation: str = ""
    aliases: tuple[str, ...] = ()
    ammunition: tuple[Ammunition, ...] = ()
    rate_of_fire_rpm: float | None = None
    magazine: int | None = None
    effective_range_m: float | None = None
    mass_kg: float | None = None
    stats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    provenance: Mapping[str, Provenance] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        _finite_fields(self, "caliber_mm", "rate_of_fire_rpm", "magazine", "effective_range_m", "mass_kg")
        if not self.ammunition:
            raise FieldError("at least one round is needed under ammunition", "ammunition")
        rounds = [ammunition.id for ammunition in self.ammunition]
        _distinct(rounds, "two rounds are called", "ammunition", "id")


@record
class Plate:
    """An armor plate: `thickness_mm`, and `slope_deg` from the vertical (0 upright, roofs and floors are 90)."""

    where: PlateName
    thickness_mm: float
    slope_deg: float = 0.0
    cast: bool = False
    source: str = ""
    confidence: Confidence = "derived"
    note: str = ""

    def __post_init__(self) -> None:
        _physical(self.thickness_mm, f"thickness_mm of {self.where}", MOST_MM)
        level = self.where in ("hull_roof", "turret_roof", "floor")
        _finite(self.slope_deg, f"slope_deg of {self.where}", 0, 90, open_high=not level)


@record
class Seat:
    """A place for one person (or `count` alike): the role, the compartment, and whether it is out in the open."""

    role: str
    compartment: Compartment
    count: int = 1
    exposed: bool = False

    def __post_init__(self) -> None:
        if self.count < 1 or self.count > MOST_PEOPLE:
            raise FieldError(f"count of seat {self.role} has to be 1 to {MOST_PEOPLE}, not {self.count}", "count")


@record
class Target:
    """A vehicle, creature or team. Dimensions in meters, speeds in km/h, mass in kg; a team's are those of one man.

    `components` are ids of what is aboard (engine, fuel_tank, radiator, magazine, main_gun, coaxial_gun, hull_gun,
    radio, headlamps, suspension, brakes, steering, gun_laying, turret ...). `running_gear` tells wheels from tracks.
    """

    id: str
    name: str
    kind: TargetKind
    body: Body
    nation: str = ""
    aliases: tuple[str, ...] = ()
    mass_kg: float | None = None
    length_m: float | None = None
    width_m: float | None = None
    height_m: float | None = None
    top_speed_kph: float | None = None
    running_gear: Literal["wheels", "tracks", "half_track", "legs", "none"] = "none"
    wheels: int = 0
    plates: tuple[Plate, ...] = ()
    seats: tuple[Seat, ...] = ()
    components: tuple[str, ...] = ()
    armament: tuple[str, ...] = ()
    open_topped: bool = False
    stowage: Literal["dry", "wet", "none"] = "none"
    main_gun_rounds: int = 0
    stats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    provenance: Mapping[str, Provenance] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        _finite_fields(self, "mass_kg", "length_m", "width_m", "height_m", "top_speed_kph", "main_gun_rounds")
        _physical(self.wheels, "wheels", MOST_WHEELS)
        people = sum(seat.count for seat in self.seats)
        if people > MOST_PEOPLE:
            raise FieldError(f"seats hold {people} people, and {MOST_PEOPLE} are the most", "seats")
        places = [plate.where for plate in self.plates]
        _distinct(places, "two plates are called", "plates", "where")

    def plate(self, where: str) -> Plate | None:
        """The plate of this name, if there is one."""
        return next((plate for plate in self.plates if plate.where == where), None)

    @property
    def crew(self) -> tuple[Seat, ...]:
        """Every single seat in order: a seat of count 3 comes three times. `Condition.people` follows this order."""
        return tuple(seat for seat in self.seats for _ in range(seat.count))

    @property
    def has_turret(self) -> bool:
        """Whether a turret is aboard."""
        return "turret" in self.components


@record(eq=True)
class Attack:
    """One attack: this weapon, fired like this, at that target's state of affairs (the target is given beside it).

    `aspect_deg` is the bearing of the shooter from the target's nose: 0 front, 90 its right side, 180 rear.
    `elevation_deg` is positive from above. `skill_percent` None means the ruleset's default; `skills` gives a value on
    a ruleset's own scale by its name. `given_hit` leaves the chance to hit out. `cover` is 0 (open) to 1.
    `miss_distance_m` is how far from a team the shot lands (0: on it). `buttoned` and `dark` describe the target.
    """

    weapon: Weapon
    ammunition: Ammunition
    range_m: float = 100.0
    aspect_deg: float = 0.0
    elevation_deg: float = 0.0
    skill_percent: float | None = None
    skills: Mapping[str, float] = field(default_factory=dict)
    aim: str | None = None
    rounds: int = 1
    delivery: Delivery = "fired"
    hull_down: bool = False
    shooter_speed_kph: float = 0.0
    target_speed_kph: float = 0.0
    given_hit: bool = False
    buttoned: bool = True
    dark: bool = False
    cover: float = 0.0
    miss_distance_m: float = 0.0

    def __post_init__(self) -> None:
        _finite(self.range_m, "range_m", 0, 100_000)
        _finite(self.aspect_deg, "aspect_deg", -360, 720)
        _finite(self.elevation_deg, "elevation_deg", -90, 90)
        if self.skill_percent is not None:
            _finite(self.skill_percent, "skill_percent", 0, 1000)
        _finite(self.rounds, "rounds", 1, 1000)
        _finite(self.shooter_speed_kph, "shooter_speed_kph", 0, 2000)
        _finite(self.target_speed_kph, "target_speed_kph", 0, 2000)
        _finite(self.cover, "cover", 0, 1)
        _finite(self.miss_distance_m, "miss_distance_m", 0, 100_000)
        object.__setattr__(self, "aspect_deg", self.aspect_deg % 360.0)
