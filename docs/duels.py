"""Known duels under the three slope models of facing_armor, and the two published forms of the slope multiplier.

    python docs/duels.py

The chance is given a hit on that plate. `docs/facing_armor.md` shows what this prints.
"""

from __future__ import annotations

import math
from typing import get_args

from facing_armor.armor import slope_multiplier
from facing_armor.options import Options, SlopeModel
from facing_armor.ruleset import FacingArmor
from mantlet import Attack
from mantlet.catalog import Catalog
from mantlet.commands import columns

DUELS = (
    ("us_75_m3", "panther_g", "hull_front_upper", 0, (100, 500)),
    ("us_76_m1", "panther_g", "hull_front_upper", 0, (100,)),
    ("uk_17pdr", "panther_g", "hull_front_upper", 0, (500, 1000)),
    ("de_75_kwk40", "m4a3_75w", "hull_front_upper", 0, (1000, 1500)),
    ("de_50_pak38", "t34_76_1942", "hull_front_upper", 0, (100, 500)),
    ("us_76_m1", "tiger_1e", "turret_front", 0, (500,)),
    ("uk_6pdr", "tiger_1e", "turret_front", 0, (500,)),
    ("uk_6pdr", "tiger_1e", "hull_front_driver", 0, (300, 500)),
    ("su_85_d5t", "tiger_1e", "hull_front_driver", 0, (1000,)),
    ("su_76_f34", "tiger_1e", "hull_side_upper", 90, (200,)),
    ("de_75_pak40", "churchill_7", "hull_front_driver", 0, (100,)),
    ("de_75_kwk42", "churchill_7", "hull_front_driver", 0, (500,)),
)
"""Weapon, target, plate, the shooter's bearing in degrees, and ranges in m."""
ANGLES = (30, 45, 50, 55)
"""Where the two forms of the multiplier are compared, in degrees: the equation ends at 55."""


def equation(angle_deg: float) -> float:
    """The other form, for capped shot up to 55 degrees: ln F = 4.08e-5 deg^2.5 (after spugnoid/wdr-wargame)."""
    return math.exp(4.08e-5 * angle_deg**2.5)


def main() -> None:
    """Print both tables."""
    catalog = Catalog()
    models: tuple[SlopeModel, ...] = get_args(SlopeModel)
    rulesets = [FacingArmor(Options(slope_model=model)) for model in models]
    rows = [["round", "plate", "m", *models]]
    for weapon, name, plate, aspect, ranges in DUELS:
        gun, ammunition = catalog.round(weapon)
        target = catalog.target(name)
        for range_m in ranges:
            attack = Attack(weapon=gun, ammunition=ammunition, range_m=range_m, aspect_deg=aspect, given_hit=True)
            plans = [ruleset.plan(attack, target) for ruleset in rulesets]
            chances = [f"{plan.penetration_chance(plate):.0%}" for plan in plans]  # type: ignore[union-attr]
            rows.append([f"{weapon}/{ammunition.id}", f"{name} {plate}", f"{range_m}", *chances])
    print("\n".join(columns(rows, "<<>>>>", folds=0)))
    print()
    rows = [["capped shot, plate as thick as its caliber", *(f"{angle} deg" for angle in ANGLES)]]
    rows.append(["table (used)", *(f"{slope_multiplier('APCBC', angle, 75, 75):.2f}" for angle in ANGLES)])
    rows.append(["equation", *(f"{equation(angle):.2f}" for angle in ANGLES)])
    rows.append(["1 / cosine", *(f"{1 / math.cos(math.radians(angle)):.2f}" for angle in ANGLES)])
    print("\n".join(columns(rows, "<" + ">" * len(ANGLES), folds=0)))


if __name__ == "__main__":
    main()
