"""Vehicles in these rules' terms: shipped stat blocks by catalog id, a user's own, and formulas for all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

from d100_wwii.blocks import NAME, base_hp_of_mass, first, shipped_block, shipped_notes
from d100_wwii.options import Options
from mantlet import Between, CompleteTarget, Derived, Target, complete_target, validate
from mantlet.units import KPH_PER_MPH

STEEL_PER_MM: Final = 0.75
"""Armor points a mm of steel plate (one inch is worth 19)."""
ARMORED_FROM: Final = 15


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody aboard with a name: hit points, DEX, POW (Luck is POW x 5) and the percentage to drive."""

    name: str
    hp: Annotated[int, Between(1, 200)]
    dex: Annotated[int, Between(0, 100)]
    pow: Annotated[int, Between(0, 100)]
    drive: Annotated[int, Between(0, 1000)] = 25


@dataclass(frozen=True, eq=False, kw_only=True)
class VehicleBlock:
    """A vehicle's stat block; what is left out is derived.

    `move` is its MOVE (mph), `absent` the rows of its location table with nothing aboard, `passenger_armor` what an
    exposed person has, `people` those in the seats, in the order of the target's seats. `treads` and `wheels` are the
    instances the tread row stands for, `open_rows` the people rows without a roof, whatever the hatches (A63).
    """

    id: str = ""
    aliases: tuple[str, ...] = ()
    hit_table: Literal["auto_truck", "motorcycle", "afv"] | None = None
    armor: Annotated[int, Between(0, 10_000)] | None = None
    base_hp: Annotated[int, Between(1, 100_000)] | None = None
    move: Annotated[int, Between(0, 10_000)] | None = None
    armored: bool | None = None
    absent: tuple[str, ...] | None = None
    open_rows: tuple[str, ...] | None = None
    passenger_armor: Annotated[int, Between(0, 10_000)] | None = None
    front_tires: Annotated[int, Between(1, 100)] | None = None
    rear_tires: Annotated[int, Between(0, 100)] | None = None
    treads: Annotated[int, Between(0, 100)] | None = None
    wheels: Annotated[int, Between(0, 100)] | None = None
    drive_skill: str | None = None
    drive_percent: Annotated[int, Between(1, 1000)] | None = None
    people: tuple[Person, ...] = ()
    source: str = ""
    confidence: str = ""


def shipped_vehicle(target: Target) -> VehicleBlock | None:
    """The shipped stat block of a vehicle, by its id or an alias."""
    return shipped_block(VehicleBlock, "vehicle", target)


class VehicleStats(NamedTuple):
    """A vehicle in this ruleset's terms, complete."""

    hit_table: str
    armor: int
    base_hp: int
    move: int
    armored: bool
    absent: frozenset[str]
    open_rows: tuple[str, ...] | None
    passenger_armor: int
    front_tires: int
    rear_tires: int
    running_gear: int
    drive_skill: str
    drive_percent: int
    people: tuple[Person, ...]
    derived: tuple[Derived, ...]
    notes: tuple[str, ...]


ARMORED_BODIES: Final = ("half_track", "armored_car", "carrier", "tank", "tank_destroyer")
OPTIONAL: Final = frozenset(("main_gun", "coaxial_gun", "hull_gun", "magazine", "gun_laying", "radio", "radiator"))
"""Components that are aboard only where the catalog lists them; all others every vehicle has."""


def given_block(target: Target) -> VehicleBlock:
    """The stat block that a target brings. Raises CatalogError for one that is wrong."""
    raw = target.stats.get(NAME)
    return VehicleBlock() if raw is None else validate(VehicleBlock, dict(raw), f"stats.{NAME} of {target.id}")


def vehicle_stats(target: Target, options: Options) -> VehicleStats:
    """The complete block of a ground vehicle: whether it is armored (R7), and the skill it is driven with (A47).

    Raises CatalogError for a user's block that is wrong.
    """
    shipped = shipped_vehicle(target) or VehicleBlock()
    mine = given_block(target)
    complete = complete_target(target)
    derived = [*complete.usual]

    def given(name: str) -> Any:
        return first(name, mine, shipped)

    def derive(stat: str, value: Any, formula: str, **inputs: float | str) -> Any:
        derived.append(Derived(stat, value, formula, inputs))
        return value

    table = given("hit_table")
    if table is None:
        table = derive("hit_table", hit_table_of(target), "by the body of the vehicle", body=target.body)
    armored = given("armored")
    if armored is None:
        armored = derive(
            "armored", table == "afv", "purpose-built armor: the table of armored vehicles", hit_table=table
        )
    armor = given("armor")
    if armor is None:
        armor = _armor(complete, table, derived, derive)
    base_hp = given("base_hp")
    if base_hp is None:
        if table == "motorcycle" or target.mass_kg is None:
            base_hp = derive("base_hp", 30 if table == "motorcycle" else 75, "class row", body=target.body)
        else:
            base_hp = base_hp_of_mass(target.mass_kg)
            if target.body in ("truck", *ARMORED_BODIES):
                base_hp = max(75, base_hp)
            formula = "class row by mass: 30, 60, 75 (trucks, light armor), 100 from 18 t, 125 from 36 t"
            derive("base_hp", base_hp, formula, mass_kg=target.mass_kg, body=target.body)
    move = given("move")
    if move is None:
        speed = target.top_speed_kph or 40.0
        move = derive("move", round(speed / KPH_PER_MPH), "top road speed in mph", top_speed_kph=speed)
    absent = given("absent")
    if absent is None:
        absent = tuple(sorted(OPTIONAL - set(target.aboard)))
    treads, wheels = given("treads"), given("wheels")
    if treads is None:
        treads = 0 if target.running_gear == "wheels" else 2
    if wheels is None:
        wheels = target.wheels if target.running_gear == "wheels" else 0
    rear = given("rear_tires")
    if rear is None:
        rear = 4 if target.body == "truck" or target.wheels >= 6 else 2
    skill = given("drive_skill")
    if skill is None:
        skill = {"afv": "Operate Heavy Machinery", "motorcycle": "Drive Motorcycle"}.get(table, "Drive Auto")
        if target.body == "half_track":
            skill = "Drive Auto"
    if table == "afv" and options.afv_drive_skill == "drive_auto":
        skill = "Drive Auto"
    return VehicleStats(
        table,
        armor,
        base_hp,
        move,
        armored,
        frozenset(absent),
        given("open_rows"),
        given("passenger_armor") or 0,
        given("front_tires") or (2 if table != "motorcycle" else 1),
        rear,
        (treads or 0) or (wheels or 0) or 2,
        skill,
        given("drive_percent") or options.driver_skill_percent,
        mine.people,
        tuple(derived),
        shipped_notes(target, shipped, target.stats.get(NAME, ())),
    )


def hit_table_of(target: Target) -> str:
    """The location table a body of this kind uses; "" where there is none."""
    if target.body in ARMORED_BODIES:
        return "afv"
    if target.body == "motorcycle":
        return "motorcycle"
    return "auto_truck" if target.body in ("car", "truck") else ""


def _armor(complete: CompleteTarget, table: str, derived: list[Derived], derive: Any) -> int:
    target = complete.target
    if table != "afv":
        light = (target.mass_kg or 0) < 900
        classes = {"motorcycle": 2, "car": 3 if light else 4, "truck": 5}
        value: int = derive(
            "armor",
            classes.get(target.body, 3),
            "class row: 2 motorcycle, 3 light car, 4 car, 5 truck",
            body=target.body,
        )
        return value
    derived += complete.plates_among((*FRONT, *SIDE))
    front, side = _thickness(target, FRONT), _thickness(target, SIDE)
    worth = max(ARMORED_FROM, round(STEEL_PER_MM * (front + side) / 2))
    formula = "0.75 a mm of the mean of hull front and side, at least 15"
    derive("armor", worth, formula, front_mm=front, side_mm=side)
    return worth


FRONT: Final = ("hull_front_upper", "hull_front_driver", "hull_front_lower")
SIDE: Final = ("hull_side_upper", "hull_side_lower")


def _thickness(target: Target, names: tuple[str, ...]) -> float:
    """The thickest of these plates: the armor value is one number for the whole vehicle."""
    return max((plate.thickness_mm for name in names if (plate := target.plate(name)) is not None), default=0.0)
