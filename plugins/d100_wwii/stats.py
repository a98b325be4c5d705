"""Stat blocks of weapons and vehicles: shipped ones by catalog id, a user's own, and formulas for all others.

A user's block wins over the shipped one, key by key, and both over derivation; what is derived is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from d100_wwii.options import Options
from d100_wwii.tables import data
from mantlet import Ammunition, Derived, DiceExpr, Target, Weapon, build, parse_dice, validate
from mantlet.units import KPH_PER_MPH, M_PER_YD

NAME: Final = "d100_wwii"
AttackKind = Literal["bullet", "at_rifle", "ap_shell", "hollow_charge", "explosive", "fire", "ram"]
AP_KINDS: Final = frozenset(("AP", "APC", "APBC", "APCBC", "APCR", "HVAP", "APDS"))
TUNGSTEN: Final = frozenset(("APCR", "HVAP", "APDS"))
SHELL_MM: Final = 20.0
HEAVY_BULLET_MM: Final = 12.7
STEEL_PER_MM: Final = 0.75
"""Armor points a mm of steel plate (one inch is worth 19)."""
ARMORED_FROM: Final = 15
NEVER: Final = 101


@dataclass(frozen=True, kw_only=True)
class WeaponBlock:
    """A weapon's stat block; what is left out is derived. Ranges in yards, `thrown` in feet for each point of STR.

    `malfunction`: this roll or higher is a dud or jam. `burn`: dice of the fire's damage a round. `placed`: may be
    put under a vehicle or in its running gear, `placing_bonus` percent to hit then. `melee`: used hand to hand at
    DEX x 5. `hp`: the gun's own hit points. `rammer_base_hp` and `tank` describe the vehicle that rams.
    """

    id: str = ""
    aliases: tuple[str, ...] = ()
    kind: AttackKind | None = None
    damage: str | None = None
    range_yd: float | None = None
    thrown: float | None = None
    malfunction: int | None = None
    hp: int | None = None
    burn: str | None = None
    placed: bool | None = None
    placing_bonus: int | None = None
    melee: bool | None = None
    rammer_base_hp: int | None = None
    tank: bool | None = None
    source: str = ""

    def __post_init__(self) -> None:
        for dice in (self.damage, self.burn):
            if dice is not None:
                parse_dice(dice)


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody aboard with a name: hit points, DEX, POW (Luck is POW x 5) and the percentage to drive."""

    name: str
    hp: int
    dex: int
    pow: int
    drive: int = 25

    def __post_init__(self) -> None:
        if not (1 <= self.hp <= 200 and 0 <= self.dex <= 100 and 0 <= self.pow <= 100 and 0 <= self.drive <= 1000):
            raise ValueError(f"{self.name} needs hp 1-200, dex and pow 0-100, drive 0-1000")


@dataclass(frozen=True, kw_only=True)
class VehicleBlock:
    """A vehicle's stat block; what is left out is derived.

    `move` is its MOVE (mph), `absent` the rows of its location table with nothing aboard, `passenger_armor` what an
    exposed person has, `people` those in the seats, in the order of the target's seats. `treads` and `wheels` are the
    instances the tread row stands for, `size` the class of trouble table column.
    """

    id: str = ""
    aliases: tuple[str, ...] = ()
    hit_table: Literal["auto_truck", "motorcycle", "afv"] | None = None
    armor: int | None = None
    base_hp: int | None = None
    move: int | None = None
    armored: bool | None = None
    absent: tuple[str, ...] | None = None
    passenger_armor: int | None = None
    front_tires: int | None = None
    rear_tires: int | None = None
    treads: int | None = None
    wheels: int | None = None
    drive_skill: str | None = None
    drive_percent: int | None = None
    people: tuple[Person, ...] = ()
    source: str = ""
    confidence: str = ""

    def __post_init__(self) -> None:
        if self.armor is not None and self.armor < 0:
            raise ValueError(f"armor has to be at least 0, not {self.armor}")
        if self.base_hp is not None and self.base_hp < 1:
            raise ValueError(f"base_hp has to be at least 1, not {self.base_hp}")


@cache
def _blocks(file: str) -> Mapping[str, Any]:
    kind: type[Any] = WeaponBlock if file == "weapons" else VehicleBlock
    found: dict[str, Any] = {}
    for raw in data(file)[file[:-1]]:
        block = build(kind, raw)
        for name in (block.id, *block.aliases):
            found[name] = block
    return found


def shipped_weapon(weapon: Weapon) -> WeaponBlock | None:
    """The shipped stat block of a weapon, by its id or an alias."""
    blocks = _blocks("weapons")
    return next((blocks[name] for name in (weapon.id, *weapon.aliases) if name in blocks), None)


def shipped_vehicle(target: Target) -> VehicleBlock | None:
    """The shipped stat block of a vehicle, by its id or an alias."""
    blocks = _blocks("vehicles")
    return next((blocks[name] for name in (target.id, *target.aliases) if name in blocks), None)


class WeaponStats(NamedTuple):
    """A weapon with one of its rounds in this ruleset's terms, complete."""

    kind: AttackKind
    damage: DiceExpr
    range_yd: float
    thrown: float | None
    malfunction: int
    burn: str
    placed: bool
    placing_bonus: int
    melee: bool
    gun: bool
    caliber_mm: float
    armor_piercing: bool
    rammer_base_hp: int
    tank: bool
    derived: tuple[Derived, ...]
    notes: tuple[str, ...]


def round_kind(weapon: Weapon, ammunition: Ammunition, twenty_mm: str = "ap_shell") -> AttackKind | None:
    """What a round counts as; None for what has no rule (blades, smoke). A23: 12.7 mm AP as an AT rifle, 20 mm a shell."""
    kind = ammunition.kind
    if weapon.kind == "ram":
        return "ram"
    if kind in ("smoke", "blade") or weapon.kind in ("melee", "natural"):
        return None
    if kind == "HEAT":
        return "hollow_charge"
    if kind == "HE":
        return "explosive"
    if kind in ("incendiary", "flame"):
        return "fire"
    if weapon.kind == "anti_tank_rifle":
        return "at_rifle"
    if weapon.caliber_mm >= SHELL_MM:
        if twenty_mm == "at_rifle" and weapon.caliber_mm == SHELL_MM and kind in AP_KINDS:
            return "at_rifle"
        return "ap_shell"
    return "at_rifle" if weapon.caliber_mm >= HEAVY_BULLET_MM and kind in AP_KINDS else "bullet"


def weapon_stats(weapon: Weapon, ammunition: Ammunition, options: Options) -> WeaponStats | None:
    """The complete block of a weapon with this round; None where the rules have nothing to say about it.

    Raises CatalogError for a user's block that is wrong.
    """
    shipped = shipped_weapon(weapon) or WeaponBlock()
    mine = [
        validate(WeaponBlock, dict(raw), f"{where}.stats.{NAME}")
        for raw, where in (
            (ammunition.stats.get(NAME), f"round {weapon.id}/{ammunition.id}"),
            (weapon.stats.get(NAME), f"weapon {weapon.id}"),
        )
        if raw is not None
    ]
    kind = _first("kind", *mine) or round_kind(weapon, ammunition, options.twenty_mm_ap)
    if kind is None:
        return None
    derived: list[Derived] = []
    damage = _first("damage", *mine)
    if damage is None:
        damage = _damage(weapon, ammunition, kind, shipped, derived)
    range_yd = _first("range_yd", *mine, shipped)
    thrown = _first("thrown", *mine, shipped)
    if thrown is None and weapon.kind in ("grenade", "charge", "incendiary"):
        thrown = 0.5 if weapon.kind == "charge" else 1.0
        derived.append(Derived("thrown", thrown, "feet a point of STR: 1, half for a charge", {"kind": weapon.kind}))
    if range_yd is None and thrown is None:
        range_yd = _range(weapon, ammunition, kind, derived)
    if thrown is not None:
        range_yd = thrown * options.shooter_str / 3
    burn = _first("burn", *mine, shipped)
    if burn is None:
        burn = "1d6+2" if weapon.kind == "flamethrower" or kind != "fire" else "1d6"
        if kind == "fire":
            derived.append(Derived("burn", burn, "1d6+2 for a jet of flame, 1d6 for a bottle", {"kind": weapon.kind}))
    placed = _first("placed", *mine, shipped)
    rammer = _first("rammer_base_hp", *mine, shipped)
    if kind == "ram" and rammer is None:
        rammer = 75 if weapon.mass_kg is None else base_hp_of_mass(weapon.mass_kg)
        derived.append(
            Derived("rammer_base_hp", rammer, "class row by mass; 75 where no mass is known", {"mass_kg": weapon.mass_kg or 0})
        )
    source = f"{weapon.id}: stat block, {shipped.source}" if shipped.id else ""
    return WeaponStats(
        kind,
        parse_dice(damage),
        float(range_yd or 0),
        thrown,
        _first("malfunction", *mine, shipped) or NEVER,
        burn,
        weapon.kind == "charge" if placed is None else placed,
        _first("placing_bonus", *mine, shipped) or 0,
        bool(_first("melee", *mine, shipped)),
        weapon.kind in ("gun", "autocannon"),
        weapon.caliber_mm,
        ammunition.kind in AP_KINDS,
        rammer or 0,
        bool(_first("tank", *mine, shipped)),
        tuple(derived),
        (source,) if source else (),
    )


def _first(name: str, *blocks: Any) -> Any:
    return next((value for value in (getattr(block, name) for block in blocks) if value is not None), None)


def _damage(
    weapon: Weapon, ammunition: Ammunition, kind: AttackKind, shipped: WeaponBlock, derived: list[Derived]
) -> str:
    small = ("bullet", "at_rifle")
    fits = shipped.damage is not None and (shipped.kind == kind or (shipped.kind in small and kind in small))
    if fits and not (kind == "ap_shell" and ammunition.kind in TUNGSTEN):
        assert shipped.damage is not None
        return shipped.damage
    caliber, speed = weapon.caliber_mm, ammunition.muzzle_velocity_mps or 0.0
    inputs: dict[str, float | str] = {"caliber_mm": caliber, "round": ammunition.kind}
    if kind in small:
        damage, formula = _small_arm(weapon, kind)
        inputs["weapon"] = weapon.kind
    elif kind == "ap_shell":
        if fits:
            count = parse_dice(shipped.damage or "").terms[0][0] + 1
            formula = "the usual round's dice and 1d6 more for a tungsten core"
        else:
            count = round(10 + (caliber - 75) / 9) + (speed >= 740) + (speed >= 850)
            formula = "10d6 at 75 mm, 1d6 for every 9 mm, +1d6 from 740 m/s and again from 850"
            inputs["muzzle_velocity_mps"] = speed
        damage = f"{max(3, count)}d6"
    elif kind == "hollow_charge":
        damage = "8d6" if caliber and caliber <= 83 else "10d6"
        formula = "8d6 up to 83 mm, 10d6 above and for a charge placed by hand"
    elif kind == "explosive":
        damage, formula = _explosive(weapon, ammunition)
    elif kind == "fire":
        damage, formula = "2d6", "the row of bottles and flamethrowers"
    else:
        damage, formula = "1d6", "the collision table says; see collision_table"
    derived.append(Derived("damage", damage, formula, inputs))
    return damage


def _small_arm(weapon: Weapon, kind: AttackKind) -> tuple[str, str]:
    if weapon.caliber_mm >= HEAVY_BULLET_MM:
        dice = "3d10+1d8+6" if weapon.caliber_mm >= 14.5 else "2d10+1d8+6"
        return dice, "class row: .50 heavy rifle, one more d10 from 14.5 mm"
    if weapon.kind in ("pistol", "submachine_gun"):
        return ("1d10+2" if weapon.caliber_mm >= 11 else "1d10"), "class row: pistol cartridge, +2 from 11 mm"
    if kind == "at_rifle":
        return "3d6+4", "class row: elephant gun, for a rifle-caliber anti-tank rifle"
    return "2d6+4", "class row: full-power rifle cartridge"


def _explosive(weapon: Weapon, ammunition: Ammunition) -> tuple[str, str]:
    if weapon.kind in ("gun", "autocannon", "anti_tank_launcher", "heavy_machine_gun") and weapon.caliber_mm:
        return f"{max(2, round(10 + (weapon.caliber_mm - 75) / 9))}d6", "10d6 at 75 mm (field gun row), 1d6 for every 9 mm"
    if weapon.kind == "charge":
        return "10d6", "the satchel charge's row, for any charge laid by hand"
    return "4d6", "the hand grenade's row"


def _range(weapon: Weapon, ammunition: Ammunition, kind: AttackKind, derived: list[Derived]) -> float:
    speed = ammunition.muzzle_velocity_mps or 0.0
    if weapon.kind in ("gun", "autocannon"):
        value = 500.0 if speed < 740 or weapon.caliber_mm < 57 else (1200.0 if weapon.caliber_mm >= 85 else 1000.0)
        formula = "500 yd for medium velocity or a small bore, 1000 from 740 m/s, 1200 from 85 mm"
    elif weapon.kind in ("pistol", "submachine_gun"):
        value, formula = (15.0 if weapon.kind == "pistol" else 20.0), "class row"
    elif kind == "at_rifle" or weapon.kind in ("heavy_machine_gun", "anti_tank_rifle"):
        value, formula = 250.0, "class row: .50 heavy rifle"
    elif weapon.kind in ("rifle", "machine_gun"):
        value, formula = 110.0, "class row: rifle cartridge"
    elif weapon.kind == "anti_tank_launcher":
        value, formula = 100.0, "class row: light rocket launcher"
    elif weapon.effective_range_m is not None:
        value, formula = weapon.effective_range_m / M_PER_YD, "the catalog's effective range"
    else:
        value, formula = 25.0, "class row: flamethrower"
    derived.append(Derived("range_yd", value, formula, {"weapon": weapon.kind, "muzzle_velocity_mps": speed}))
    return value


class VehicleStats(NamedTuple):
    """A vehicle in this ruleset's terms, complete."""

    hit_table: str
    armor: int
    base_hp: int
    move: int
    armored: bool
    absent: frozenset[str]
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
SOFT_BODIES: Final = ("motorcycle", "car", "truck")
OPTIONAL: Final = frozenset(("main_gun", "coaxial_gun", "hull_gun", "magazine", "gun_laying", "radio", "radiator"))
"""Components that are aboard only where the catalog lists them; all others every vehicle has."""


def base_hp_of_mass(mass_kg: float) -> int:
    """Base HP by class: 30 motorcycle or light car, 60 car, 75 truck or light armor, 100 medium, 125 heavy."""
    for limit, hp in ((900, 30), (2000, 60), (18_000, 75), (36_000, 100)):
        if mass_kg < limit:
            return hp
    return 125


def vehicle_stats(target: Target, options: Options) -> VehicleStats:
    """The complete block of a ground vehicle. Raises CatalogError for a user's block that is wrong."""
    shipped = shipped_vehicle(target) or VehicleBlock()
    raw = target.stats.get(NAME)
    mine = VehicleBlock() if raw is None else validate(VehicleBlock, dict(raw), f"target {target.id}.stats.{NAME}")
    derived: list[Derived] = []

    def given(name: str) -> Any:
        return _first(name, mine, shipped)

    def derive(stat: str, value: Any, formula: str, **inputs: float | str) -> Any:
        derived.append(Derived(stat, value, formula, inputs))
        return value

    table = given("hit_table")
    if table is None:
        table = derive("hit_table", hit_table_of(target), "by the body of the vehicle", body=target.body)
    armored = given("armored")
    if armored is None:
        armored = derive("armored", table == "afv", "purpose-built armor: the table of armored vehicles", hit_table=table)
    armor = given("armor")
    if armor is None:
        armor = _armor(target, table, derive)
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
        absent = tuple(sorted(OPTIONAL - set(target.components))) if target.components else ()
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
    notes = (f"{target.id}: stat block, {shipped.source}",) if shipped.id else ()
    return VehicleStats(
        table,
        armor,
        base_hp,
        move,
        armored,
        frozenset(absent),
        given("passenger_armor") or 0,
        given("front_tires") or (2 if table != "motorcycle" else 1),
        rear,
        (treads or 0) or (wheels or 0) or 2,
        skill,
        given("drive_percent") or options.driver_skill_percent,
        mine.people,
        tuple(derived),
        notes,
    )


def hit_table_of(target: Target) -> str:
    """The location table a body of this kind uses; "" where there is none."""
    if target.body in ARMORED_BODIES:
        return "afv"
    if target.body == "motorcycle":
        return "motorcycle"
    return "auto_truck" if target.body in ("car", "truck") else ""


def _armor(target: Target, table: str, derive: Any) -> int:
    if table != "afv":
        light = (target.mass_kg or 0) < 900
        classes = {"motorcycle": 2, "car": 3 if light else 4, "truck": 5}
        value: int = derive("armor", classes.get(target.body, 3), "class row: 2 motorcycle, 3 light car, 4 car, 5 truck", body=target.body)
        return value
    front = _thickness(target, "hull_front_upper", "hull_front_driver", "hull_front_lower")
    side = _thickness(target, "hull_side_upper", "hull_side_lower")
    worth = max(ARMORED_FROM, round(STEEL_PER_MM * (front + side) / 2))
    value = derive("armor", worth, "0.75 a mm of the mean of hull front and side, at least 15", front_mm=front, side_mm=side)
    return value


def _thickness(target: Target, *names: str) -> float:
    """The thickest of these plates: the armor value is one number for the whole vehicle."""
    return max((plate.thickness_mm for name in names if (plate := target.plate(name)) is not None), default=0.0)
