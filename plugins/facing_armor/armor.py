"""F5, F6: what a plate is worth at an angle: thickness over cosine, or the published slope multiplier."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from facing_armor.design import between, published
from facing_armor.options import SlopeModel

SECANT_KINDS = ("HEAT", "HE")
"""Rounds that follow the line of sight under either model."""


class SlopeCurve(NamedTuple):
    """Multiplier f x (T/D)^g at each of `deg`."""

    family: str
    deg: tuple[float, ...]
    f: tuple[float, ...]
    g: tuple[float, ...]


@cache
def slope_curve(kind: str) -> SlopeCurve | None:
    """The published curve for a kind of round; None for kinds that have none."""
    for entry in published()["slope_effect"]:
        if kind in entry["kinds"]:
            # At 0 degrees every curve begins at 1, whatever the caliber.
            return SlopeCurve(entry["family"], (0.0, *entry["deg"]), (1.0, *entry["f"]), (0.0, *entry["g"]))
    return None


def slope_multiplier(kind: str, angle_deg: float, thickness_mm: float, caliber_mm: float) -> float:
    """The published multiplier of a plate's thickness; 1 / cosine for kinds without one.

    Never below 1: a slope does not make a plate weaker, which the tables' shallow end would let thin plates be.
    """
    curve = slope_curve(kind)
    if curve is not None and caliber_mm > 0 and thickness_mm > 0:
        at = min(angle_deg, curve.deg[-1])
        f, g = between(at, curve.deg, curve.f), between(at, curve.deg, curve.g)
        return max(1.0, f * math.pow(thickness_mm / caliber_mm, g))
    tungsten = published()["tungsten"]
    if kind in tungsten["kinds"]:
        return math.exp(float(tungsten["coefficient"]) * angle_deg ** float(tungsten["exponent"]))
    return line_of_sight(angle_deg)


def line_of_sight(angle_deg: float) -> float:
    """1 / cos(angle): how much longer the way through a plate is than its thickness."""
    cosine = math.cos(math.radians(angle_deg))
    return 1.0 / cosine if cosine > 1e-12 else math.inf


def effective_mm(model: SlopeModel, kind: str, thickness_mm: float, angle_deg: float, caliber_mm: float) -> float:
    """F5: effective armor in mm at this combined angle: thickness over cosine, under `tables` and `cosine` alike."""
    if thickness_mm <= 0:
        return 0.0
    if model == "multiplier" and kind not in SECANT_KINDS:
        return thickness_mm * slope_multiplier(kind, angle_deg, thickness_mm, caliber_mm)
    return thickness_mm * line_of_sight(angle_deg)


def ricochets(angle_deg: float, threshold_deg: float) -> bool:
    """F6: whether so steep a shot glances off without a roll; at the threshold it does."""
    return angle_deg >= threshold_deg - 1e-9
