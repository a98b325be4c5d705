"""Weapons and their rounds: physical facts first, then optional stat blocks, one a ruleset.

Things from a catalog compare by identity: there is one `Weapon` object for one weapon. Numbers have their unit in the
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from mantlet.game.checks import MOST_MM, FieldError, check_distinct, check_numbers, check_physical, check_range

Confidence = Literal["seed", "high", "medium", "low", "recalled", "derived", "design"]
# fmt: off
AmmunitionKind = Literal[
    "ball",
    "AP", "APC", "APBC", "APCBC", "APCR", "HVAP", "APDS", "HEAT",
    "HE", "smoke", "incendiary", "flame",
    "blade", "impact",
]
WeaponKind = Literal[
    "pistol", "rifle", "submachine_gun", "machine_gun", "heavy_machine_gun",
    "anti_tank_rifle", "autocannon", "gun", "anti_tank_launcher",
    "grenade", "charge", "incendiary", "flamethrower",
    "ram", "melee", "natural",
]
# fmt: on


MOST_RANGE_M: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Where a number comes from and how sure it is."""

    source: str
    confidence: Confidence
    note: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
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
        check_range(self.angle_deg, "angle_deg", 0, 90, open_high=True)
        if not self.range_m or len(self.range_m) != len(self.penetration_mm):
            raise FieldError("range_m and penetration_mm have to be of one length and not empty", "penetration_mm")
        for i, (r, p) in enumerate(zip(self.range_m, self.penetration_mm)):
            check_physical(r, "range_m", MOST_RANGE_M)
            check_physical(p, "penetration_mm", MOST_MM)
            if i and r <= self.range_m[i - 1]:
                raise FieldError(f"range_m has to rise, but {r:g} follows {self.range_m[i - 1]:g}", "range_m", i)
            if i and p > self.penetration_mm[i - 1]:
                raise FieldError(
                    f"penetration_mm must not rise with range, but {p:g} mm at {r:g} m "
                    f"follows {self.penetration_mm[i - 1]:g} mm",
                    "penetration_mm",
                    i,
                )


@dataclass(frozen=True, eq=False, kw_only=True)
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
        check_numbers(self, muzzle_velocity_mps=20_000, projectile_mass_kg=100_000, filler_kg=100_000)
        defaults = [i for i, table in enumerate(self.penetration) if table.default]
        if len(defaults) > 1:
            raise FieldError("two tables are marked default", "penetration", defaults[1], "default")

    @property
    def default_table(self) -> PenetrationTable | None:
        """The table used unless another is asked for: the one marked so, else the first."""
        return next((t for t in self.penetration if t.default), self.penetration[0] if self.penetration else None)


@dataclass(frozen=True, eq=False, kw_only=True)
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
        check_numbers(
            self,
            caliber_mm=2000,
            rate_of_fire_rpm=100_000,
            magazine=100_000,
            effective_range_m=MOST_RANGE_M,
            mass_kg=1_000_000_000,
        )
        if not self.ammunition:
            raise FieldError("at least one round is needed under ammunition", "ammunition")
        rounds = [ammunition.id for ammunition in self.ammunition]
        check_distinct(rounds, "two rounds are called", "ammunition", "id")
