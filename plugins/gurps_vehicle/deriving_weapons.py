"""Stat blocks of weapons from physical facts. Every number says by what formula, and the formulas what they fit.

Bullets: mean damage = 1.13 x sqrt(muzzle energy in J / caliber in mm). Against printed dice (mean): 7.92 mm rifle 24.1
(7d: 24.5), 9 mm 9.1 (2d+2: 9), .45 7.3 (2d: 7), .50 41.4 (13d+1: 46.5), 7.62x39 18.4 (5d+1: 18.5), 5.56 mm 19.5
(5d: 17.5). The printed figures are recalled.
Armor-piercing: penetration in mm x 70/25.4 is what the divisor times the mean has to come to; the same energy formula
gives the 75 mm PaK 40 190 and the 88 mm KwK 36 210 points, half of what they get through, hence their divisor of 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal

from gurps_vehicle.attack_roll import yards
from gurps_vehicle.files import read
from gurps_vehicle.stats import WeaponStats
from mantlet import (
    Ammunition,
    CatalogError,
    Derived,
    DiceExpr,
    DiceSyntaxError,
    PenetrationTable,
    Weapon,
    parse_dice,
    validate,
)

AP_KINDS = ("AP", "APC", "APBC", "APCBC", "APCR", "HVAP", "APDS")
ONE = Fraction(1)
SUBCALIBER = ("APCR", "HVAP", "APDS")
_SIZES = ("pi-", "pi", "pi+", "pi++")


@dataclass(frozen=True, eq=False, kw_only=True)
class Shot:
    """A weapon with its round at one range: all that the rules want to know of it.

    A damage roll is that of `dice`, times `scale`.
    `max_range_yd` is what the stat block says; see `reach_of` for where it says nothing.
    """

    dice: DiceExpr
    scale: Fraction
    kind: str
    divisor: float
    explosive: bool
    large_area: bool
    shaped: bool
    tight_beam: bool
    acc: int
    rof: int
    rcl: int
    max_range_yd: float | None
    derived: tuple[Derived, ...]

    @property
    def named(self) -> str:
        """The kind of damage, tight beams apart."""
        return "tight-beam burn" if self.tight_beam and self.kind == "burn" else self.kind

    @property
    def fiery(self) -> bool:
        """Whether it burns or explodes, which what is fragile minds."""
        return self.kind == "burn" or self.explosive

    def divisor_of(self, part: Fraction | int) -> float:
        """The armor divisor of damage divided by `part`: it counts where the round strikes, not for a blast around."""
        return self.divisor if part == 1 else 1.0

    @cached_property
    def text(self) -> str:
        """As a weapon table prints it: `6dx9(2) pi++`."""
        divisor = f"({self.divisor:g})" if self.divisor != 1 else ""
        return f"{_short(self.dice, self.scale)}{divisor} {self.kind}{' ex' if self.explosive else ''}"

    @cached_property
    def roll_name(self) -> str:
        """What a damage roll is called."""
        return f"damage {self.text}"


def _short(dice: DiceExpr, scale: Fraction = ONE) -> str:
    return str(dice).replace("d6", "d") + (f"x{float(scale):g}" if scale != 1 else "")


def penetration_mm(table: PenetrationTable, range_m: float) -> float:
    """Penetration at a range: straight between the table's ranges, level before the first and after the last."""
    ranges, values = table.range_m, table.penetration_mm
    if range_m <= ranges[0]:
        return float(values[0])
    for (r0, r1), (v0, v1) in zip(pairwise(ranges), pairwise(values)):
        if range_m <= r1:
            return v0 + (v1 - v0) * (range_m - r0) / (r1 - r0)
    return float(values[-1])


@lru_cache(maxsize=1024)
def dice_of_mean(mean: float) -> DiceExpr:
    """The dice whose mean is nearest: `7d`, `2d+2`; from 12 dice on 5d, 6d or 7d times a number, 6d before others."""
    most: int = read("derivation")["weapon"]["most_dice"]
    if mean < 3.5 * most:
        best = min(
            ((n, add) for n in range(1, most + 1) for add in (-1, 0, 1, 2)),
            key=lambda c: (abs(3.5 * c[0] + c[1] - mean), abs(c[1]), c[0]),
        )
        n, add = best
        return parse_dice(f"{n}d{add:+d}" if add else f"{n}d")
    choices = [(n, max(1, round(mean / (3.5 * n)))) for n in (6, 5, 7)]
    n, times = min(choices, key=lambda c: (round(abs(3.5 * c[0] * c[1] - mean) / mean, 2), c[0] != 6))
    return parse_dice(f"{n}dx{times}")


def scaled_dice(most: float, mean: float) -> tuple[DiceExpr, Fraction]:
    """The dice of a round whose mean is `most` at its first range, and what they are multiplied by where it is `mean`.

    Six dice, fewer for a small mean. From range to range and from round to round nothing changes but what they are
    multiplied by (to a hundredth): whatever penetrates less beats no armor more often.
    """
    count = min(read("derivation")["weapon"]["penetrating_dice"], max(1, round(most / 3.5)))
    return parse_dice(f"{count}d"), max(Fraction(1, 100), Fraction(round(100 * mean / (3.5 * count)), 100))


def energy_damage(caliber_mm: float, mass_kg: float, velocity_mps: float) -> float:
    """Mean damage of a bullet or shell by its muzzle energy and caliber."""
    energy = mass_kg * velocity_mps**2 / 2
    return float(read("derivation")["weapon"]["ball_factor"]) * math.sqrt(energy / caliber_mm)


def wound_class(caliber_mm: float, smaller: bool = False) -> Any:
    """Small, ordinary, large or huge piercing by caliber; one step smaller for cores and small armor-piercing."""
    sizes: dict[str, float] = read("derivation")["weapon"]["sizes"]
    at = next((i for i, size in enumerate(_SIZES) if caliber_mm < sizes[size]), len(_SIZES) - 1)
    return _SIZES[max(0, at - smaller)]


@lru_cache(maxsize=2048)
def shot_of(weapon: Weapon, ammunition: Ammunition, range_m: float) -> Shot:
    """The shot a weapon and its round make at a range: what the stat blocks say, the rest derived.

    Raises CatalogError for a stat block that cannot be.
    """
    given = _given(weapon, ammunition)
    made: list[Derived] = []

    def fill(stat: str, value: Any, formula: str, **inputs: float | str) -> Any:
        stated = getattr(given, stat)
        if stated is not None:
            return stated
        made.append(Derived(stat, value if isinstance(value, (int, float)) else str(value), formula, inputs))
        return value

    klass: dict[str, Any] = read("derivation")["weapon"]["class"][weapon.kind]
    per_second = round(weapon.rate_of_fire_rpm / 60) if weapon.rate_of_fire_rpm else 1
    acc = fill("acc", klass["acc"], "Acc by kind of weapon", kind=weapon.kind)
    rcl = fill("rcl", klass["rcl"], "Rcl by kind of weapon", kind=weapon.kind)
    rof = fill(
        "rof",
        max(1, klass.get("rof", per_second)),
        "most shots a turn by kind of weapon" if "rof" in klass else "rounds a second, 1 at least",
        kind=weapon.kind,
        rpm=weapon.rate_of_fire_rpm or "unknown",
    )
    # A range of half damage that is given takes the place of all that a formula has to say of ranges.
    limit = given.half_damage_yd
    try:
        rule = _damage(weapon, ammunition, range_m if limit is None else 0.0)
    except DiceSyntaxError as error:
        told = f"the damage derived for it cannot be rolled ({error.message.rstrip('.')}); state it"
        raise CatalogError(f"{_where(weapon, ammunition)}: {told}.") from error
    dice, scale = rule.dice, rule.scale
    most: int = read("derivation")["weapon"]["most_times"]
    if given.damage is not None:
        dice, scale = _dice(given.damage, weapon, ammunition), ONE
    elif scale > most:
        told = f"the damage derived for it is {_short(dice)} times {float(scale):g}, and {most} times is the most"
        raise CatalogError(f"{_where(weapon, ammunition)}: {told}; state it.")
    far = limit is not None and yards(range_m) > limit
    if far:
        dice, scale = (dice_of_mean(dice.mean / 2), ONE) if scale == 1 else (dice, scale / 2)
    if given.damage is None:
        formula = f"{rule.formula}, halved beyond half_damage_yd" if far else rule.formula
        made.append(Derived("damage", _short(dice, scale), formula, rule.inputs))
    kind = fill("type", rule.kind, rule.kind_formula, kind=ammunition.kind, caliber_mm=weapon.caliber_mm)
    divisor = rule.divisor if given.damage is None else 1.0
    if given.divisor is not None:
        divisor = given.divisor
    elif given.damage is None and divisor != 1:
        made.append(Derived("divisor", divisor, rule.divisor_formula, {"round": ammunition.kind}))
    return Shot(
        dice=dice,
        scale=scale,
        kind=str(kind),
        divisor=float(divisor),
        explosive=rule.explosive if given.explosive is None else given.explosive,
        large_area=rule.large_area if given.large_area is None else given.large_area,
        shaped=given.shaped or ammunition.kind == "HEAT",
        tight_beam=given.tight_beam,
        acc=int(acc),
        rof=int(rof),
        rcl=int(rcl),
        max_range_yd=given.max_range_yd,
        derived=tuple(made),
    )


def _dice(text: str, weapon: Weapon, ammunition: Ammunition) -> DiceExpr:
    try:
        return parse_dice(text)
    except DiceSyntaxError as error:
        raise CatalogError(f"{_where(weapon, ammunition)}.damage: {error}") from error


def _where(weapon: Weapon, ammunition: Ammunition) -> str:
    return f"stats.gurps_vehicle of {weapon.id}/{ammunition.id}"


@lru_cache(maxsize=512)
def _given(weapon: Weapon, ammunition: Ammunition) -> WeaponStats:
    data = {**weapon.stats.get("gurps_vehicle", {}), **ammunition.stats.get("gurps_vehicle", {})}
    if not data:
        return WeaponStats()
    return validate(WeaponStats, data, _where(weapon, ammunition))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Rule:
    """Damage as derived: dice, wound kind, divisor, and by which formula from what."""

    dice: DiceExpr
    kind: str
    formula: str
    inputs: dict[str, float | str]
    scale: Fraction = ONE
    kind_formula: str = "by kind of round"
    divisor: float = 1.0
    divisor_formula: str = ""
    explosive: bool = False
    large_area: bool = False


def _damage(weapon: Weapon, ammunition: Ammunition, range_m: float) -> _Rule:
    data: dict[str, Any] = read("derivation")["weapon"]
    kind = ammunition.kind
    flat = data["flat"].get(ammunition.id) or data["flat"].get(kind)
    if flat is not None:
        return _Rule(
            dice=parse_dice(flat["damage"]),
            kind=flat["type"],
            formula="a flat choice for such things",
            inputs={"round": ammunition.id},
            large_area=flat.get("large_area", False),
        )
    table = ammunition.default_table
    if kind == "HEAT" and table is not None:
        return _shaped(table, range_m, data)
    if kind in ("HE", "HEAT", "smoke"):
        return _explosion(weapon, ammunition, data)
    if kind in AP_KINDS and table is not None:
        return _piercing(weapon, ammunition, table, range_m, data)
    return _bullet(weapon, ammunition, range_m, data)


def _as_upright(table: PenetrationTable) -> float:
    """Penetration tables for sloped plate count along the line of flight, as sloped armor does."""
    return 1 / math.cos(math.radians(table.angle_deg))


def _shaped(table: PenetrationTable, range_m: float, data: dict[str, Any]) -> _Rule:
    mm = penetration_mm(table, range_m) * _as_upright(table)
    divisor = float(data["heat_divisor"])
    most = penetration_mm(table, 0) * _as_upright(table) * data["dr_per_mm"] / divisor
    dice, scale = scaled_dice(most, mm * data["dr_per_mm"] / divisor)
    return _Rule(
        dice=dice,
        scale=scale,
        kind="cr",
        formula="mean damage x divisor = penetration along the line of flight x 70/25.4",
        inputs={"penetration_mm": round(mm, 1), "divisor": divisor},
        divisor=divisor,
        divisor_formula=f"shaped charges have {divisor:g}",
        explosive=True,
    )


def _explosion(weapon: Weapon, ammunition: Ammunition, data: dict[str, Any]) -> _Rule:
    filler = ammunition.filler_kg
    if filler is None:
        filler = data["filler_per_mm3"] * max(weapon.caliber_mm, 20) ** 3
    pounds = filler * read("derivation")["target"]["lb_per_kg"] * data["filler_factor"]
    mean = 21 * math.sqrt(data["explosion_factor"] * pounds)
    return _Rule(
        dice=dice_of_mean(mean),
        kind="cr",
        formula=f"6d x sqrt({data['explosion_factor']} x lb of TNT)",
        inputs={"filler_kg": round(filler, 4), "tnt_lb": round(pounds, 3)},
        explosive=True,
    )


def _energy(weapon: Weapon, ammunition: Ammunition) -> float | None:
    mass, velocity = ammunition.projectile_mass_kg, ammunition.muzzle_velocity_mps
    if mass is None or velocity is None or not weapon.caliber_mm:
        return None
    return energy_damage(weapon.caliber_mm, mass, velocity)


def _piercing(
    weapon: Weapon, ammunition: Ammunition, table: PenetrationTable, range_m: float, data: dict[str, Any]
) -> _Rule:
    mm = penetration_mm(table, range_m) * _as_upright(table)
    most = penetration_mm(table, 0) * _as_upright(table) * data["dr_per_mm"]
    energy = _energy(weapon, ammunition) or most / 2
    ratio = most / energy
    divisor: Literal[1, 2, 3] = 3 if ratio >= data["divisor_3_from"] else 2 if ratio >= data["divisor_2_from"] else 1
    dice, scale = scaled_dice(most / divisor, mm * data["dr_per_mm"] / divisor)
    return _Rule(
        dice=dice,
        scale=scale,
        kind=wound_class(weapon.caliber_mm, ammunition.kind in SUBCALIBER or (divisor > 1 and weapon.caliber_mm < 20)),
        formula="mean damage x divisor = penetration at this range along the line of flight x 70/25.4",
        inputs={"penetration_mm": round(mm, 1), "range_m": range_m, "divisor": divisor},
        kind_formula="piercing class by caliber; cores and small armor-piercing one step less",
        divisor=float(divisor),
        divisor_formula="by penetration in DR over 1.13 x sqrt(J/mm): under 1.4: 1, under 2.6: 2, else 3",
    )


def _bullet(weapon: Weapon, ammunition: Ammunition, range_m: float, data: dict[str, Any]) -> _Rule:
    mean = _energy(weapon, ammunition)
    caliber = weapon.caliber_mm or 8.0
    inputs: dict[str, float | str] = {"caliber_mm": caliber}
    if mean is None:
        mean, formula = 3.0 * caliber, "3 x caliber in mm: neither mass nor speed is known"
    else:
        formula = "1.13 x sqrt(muzzle energy in J / caliber in mm)"
        inputs["projectile_g"] = round(1000 * (ammunition.projectile_mass_kg or 0), 2)
        inputs["muzzle_mps"] = ammunition.muzzle_velocity_mps or 0
    half = (weapon.effective_range_m or 500) * data["half_range_factor"]
    if range_m > half:
        mean /= 2
        formula += ", halved beyond twice the effective range"
        inputs["range_m"] = range_m
    return _Rule(
        dice=dice_of_mean(mean),
        kind=wound_class(caliber),
        formula=formula,
        inputs=inputs,
        kind_formula="piercing class by caliber",
    )
