"""Where the source can be read two ways."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

SlopeModel = Literal["tables", "cosine", "multiplier"]
TableChoice = Literal["default", "0_degrees", "30_degrees"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of facing_armor.

    `slope_model`: what an angle does. `tables` takes penetration from the round's tables at the angles that were
    measured and goes on with the source's cosine beyond; `cosine` takes one table and the cosine alone; `multiplier`
    the published slope multiplier with its caliber term (F5).
    `ricochet_angle`: combined angle in degrees from which a shot ricochets without a roll (F6).
    `facing_blend`: False takes one facing as the source says; True shares hits between the two faces that show, by
    their projected width, which takes away the cliffs at the edges between two faces.
    `hull_down_tracks`: what a hit on the tracks of a hull-down target becomes (F4).
    `abandon_percent`: how often the crew of an armored vehicle abandons it after a penetration that has done nothing
    else, from 0 (never) to 100; casualties, a gun out and immobility add to it (F19).
    `penetration_table`: the table of the round marked as default (under `tables` with its tables at other angles), or
    its table at 0 or 30 degrees alone, where it has one.
    """

    slope_model: SlopeModel = "tables"
    ricochet_angle: float = 70.0
    facing_blend: bool = False
    hull_down_tracks: Literal["turret", "miss"] = "turret"
    abandon_percent: int = 42
    penetration_table: TableChoice = "default"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.ricochet_angle) and 0 < self.ricochet_angle <= 90):
            raise ValueError(f"ricochet_angle has to be above 0 and at most 90 degrees, not {self.ricochet_angle:g}")
        if not 0 <= self.abandon_percent <= 100:
            raise ValueError(f"abandon_percent has to be from 0 to 100, not {self.abandon_percent}")
