"""Weapons in these rules' terms: shipped stat blocks by catalog id, a user's own, and formulas for all others.

A user's block wins over the shipped one, key by key, and both over derivation; what is derived is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple

from d100_wwii.blocks import NAME, base_hp_of_mass, first, shipped_block, shipped_notes
from d100_wwii.options import Options
from mantlet import Ammunition, Between, Derived, DiceExpr, DiceText, Weapon, parse_dice, validate
from mantlet.units import M_PER_YD

AttackKind = Literal["bullet", "at_rifle", "ap_shell", "hollow_charge", "explosive", "fire", "ram"]
SMALL: Final[tuple[AttackKind, ...]] = ("bullet", "at_rifle")
AP_KINDS: Final = frozenset(("AP", "APC", "APBC", "APCBC", "APCR", "HVAP", "APDS"))
TUNGSTEN: Final = frozenset(("APCR", "HVAP", "APDS"))
SHELL_MM: Final = 20.0
HEAVY_BULLET_MM: Final = 12.7
NEVER: Final = 101


@dataclass(frozen=True, eq=False, kw_only=True)
class WeaponBlock:
    """A weapon's stat block; what is left out is derived. Ranges in yards, `thrown` in feet for each point of STR.

    `malfunction`: this roll or higher is a dud or jam. `burn`: dice of the fire's damage a round. `placed`: may be
    put under a vehicle or in its running gear, `placing_bonus` percent to hit then. `melee`: used hand to hand at
    DEX x 5. `hp`: the gun's own hit points. `rammer_base_hp` and `tank` describe the vehicle that rams.
    """

    id: str = ""
    aliases: tuple[str, ...] = ()
    kind: AttackKind | None = None
    damage: Annotated[str, DiceText()] | None = None
    range_yd: Annotated[float, Between(0, 100_000)] | None = None
    thrown: Annotated[float, Between(0, 1000)] | None = None
    malfunction: Annotated[int, Between(1, NEVER)] | None = None
    hp: Annotated[int, Between(1, 10_000)] | None = None
    burn: Annotated[str, DiceText()] | None = None
    placed: bool | None = None
    placing_bonus: Annotated[int, Between(-1000, 1000)] | None = None
    melee: bool | None = None
    rammer_base_hp: Annotated[int, Between(1, 100_000)] | None = None
    tank: bool | None = None
    source: str = ""


def shipped_weapon(weapon: Weapon) -> WeaponBlock | None:
    """The shipped stat block of a weapon, by its id or an alias."""
    return shipped_block(WeaponBlock, "weapon", weapon)


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
    """What a round counts as; None for what has no rule. A23: 12.7 mm AP as an AT rifle, 20 mm as a shell."""
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
        validate(WeaponBlock, dict(raw), f"stats.{NAME} of {where}")
        for raw, where in (
            (ammunition.stats.get(NAME), f"{weapon.id}/{ammunition.id}"),
            (weapon.stats.get(NAME), weapon.id),
        )
        if raw is not None
    ]
    kind = first("kind", *mine) or round_kind(weapon, ammunition, options.twenty_mm_ap)
    if kind is None:
        return None
    if kind == "ram":
        return _ram(weapon, shipped, mine)
    derived: list[Derived] = []
    damage = first("damage", *mine)
    if damage is None:
        damage = _damage(weapon, ammunition, kind, shipped, derived)
    range_yd = first("range_yd", *mine, shipped)
    thrown = first("thrown", *mine, shipped)
    if thrown is None and weapon.kind in ("grenade", "charge", "incendiary"):
        thrown = 0.5 if weapon.kind == "charge" else 1.0
        derived.append(Derived("thrown", thrown, "feet a point of STR: 1, half for a charge", {"kind": weapon.kind}))
    if range_yd is None and thrown is None:
        range_yd = _range(weapon, ammunition, kind, derived)
    if thrown is not None:
        range_yd = thrown * options.shooter_str / 3
    burn = first("burn", *mine, shipped)
    if burn is None and kind == "fire":
        burn = "1d6+2" if weapon.kind == "flamethrower" else "1d6"
        derived.append(Derived("burn", burn, "1d6+2 for a jet of flame, 1d6 for a bottle", {"kind": weapon.kind}))
    placed = first("placed", *mine, shipped)
    own = dict.fromkeys([*weapon.stats.get(NAME, ()), *ammunition.stats.get(NAME, ())])
    return WeaponStats(
        kind,
        parse_dice(damage),
        float(range_yd or 0),
        thrown,
        first("malfunction", *mine, shipped) or NEVER,
        burn or "",
        weapon.kind == "charge" if placed is None else placed,
        first("placing_bonus", *mine, shipped) or 0,
        bool(first("melee", *mine, shipped)),
        weapon.kind in ("gun", "autocannon"),
        weapon.caliber_mm,
        ammunition.kind in AP_KINDS,
        0,
        False,
        tuple(derived),
        shipped_notes(weapon, shipped, own),
    )


def _ram(weapon: Weapon, shipped: WeaponBlock, mine: list[WeaponBlock]) -> WeaponStats:
    """A vehicle as a weapon: its damage is the collision table's (R28)."""
    base_hp = first("rammer_base_hp", *mine, shipped)
    derived: tuple[Derived, ...] = ()
    if base_hp is None:
        base_hp = 75 if weapon.mass_kg is None else base_hp_of_mass(weapon.mass_kg)
        formula = "class row by mass; 75 where no mass is known"
        derived = (Derived("rammer_base_hp", base_hp, formula, {"mass_kg": weapon.mass_kg or 0}),)
    tank = bool(first("tank", *mine, shipped))
    nothing = parse_dice("0")
    return WeaponStats(
        "ram", nothing, 0.0, None, NEVER, "", False, 0, False, False, 0.0, False, base_hp, tank, derived, ()
    )


def _damage(
    weapon: Weapon, ammunition: Ammunition, kind: AttackKind, shipped: WeaponBlock, derived: list[Derived]
) -> str:
    fits = shipped.damage is not None and (shipped.kind == kind or (shipped.kind in SMALL and kind in SMALL))
    if fits and not (kind == "ap_shell" and ammunition.kind in TUNGSTEN):
        assert shipped.damage is not None
        return shipped.damage
    caliber, speed = weapon.caliber_mm, ammunition.muzzle_velocity_mps or 0.0
    inputs: dict[str, float | str] = {"caliber_mm": caliber, "round": ammunition.kind}
    if kind in SMALL:
        damage, formula = _small_arm(weapon, kind)
        inputs["weapon"] = weapon.kind
    elif kind == "ap_shell":
        if fits:
            count = parse_dice(shipped.damage or "").terms[0][0] + 1
            formula = "the usual round's dice and 1d6 more for a tungsten core"
        else:
            count = _dice_of_caliber(caliber) + (speed >= 740) + (speed >= 850)
            formula = "10d6 at 75 mm, 1d6 for every 9 mm, +1d6 from 740 m/s and again from 850"
            inputs["muzzle_velocity_mps"] = speed
        damage = f"{max(3, count)}d6"
    elif kind == "hollow_charge":
        damage = "8d6" if caliber and caliber <= 83 else "10d6"
        formula = "8d6 up to 83 mm, 10d6 above and for a charge placed by hand"
    elif kind == "explosive":
        damage, formula = _explosive(weapon, ammunition)
    else:
        damage, formula = "2d6", "the row of bottles and flamethrowers"
    derived.append(Derived("damage", damage, formula, inputs))
    return damage


def _dice_of_caliber(caliber_mm: float) -> int:
    return round(10 + (caliber_mm - 75) / 9)


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
        return (
            f"{max(2, _dice_of_caliber(weapon.caliber_mm))}d6",
            "10d6 at 75 mm (field gun row), 1d6 for every 9 mm",
        )
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
