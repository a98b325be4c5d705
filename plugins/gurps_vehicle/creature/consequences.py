"""What crippled limbs mean for a creature (G8, G9)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from gurps_vehicle.bodies import BodyPlan
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.detail import legs_level
from gurps_vehicle.files import read
from mantlet.game.condition import FULL, NONE, REDUCED


class Consequences(NamedTuple):
    """What crippled limbs mean for a creature: how it moves and fights, DX lost, and whether it cannot fly."""

    mobility: int
    firepower: int
    dx: int
    grounded: bool


@lru_cache(maxsize=4096)
def consequences_of(body: BodyPlan, block: Block, crippled: tuple[str, ...]) -> Consequences:
    """Legs stop or slow it, a wing grounds a flyer, a tail or fin costs DX (G8, G9), arms are its means to fight."""
    rules = read("wounding")["health"]
    uses = {spot.use for spot in body.spots() if spot.name in crippled}
    mobility, firepower, dx = FULL, FULL, 0
    legs, arms = body.limbs("leg"), body.limbs("arm")
    if "leg" in uses:
        mobility = legs_level(len(body.limbs("leg", crippled)), len(legs))
    if "wing" in uses:
        mobility = max(mobility, REDUCED)
    if "tail" in uses:
        airy = block.flyer or block.stats.swimmer
        dx += int(rules["dx_other_tail" if airy else "dx_ground_tail"])
        if airy:
            mobility = max(mobility, REDUCED)
    if "fin" in uses:
        dx += int(rules["dx_fin"])
        if not legs:
            mobility = max(mobility, REDUCED)
    if "arm" in uses:
        firepower = NONE if body.limbs("arm", crippled) == arms else REDUCED
    return Consequences(mobility, firepower, dx, block.flyer and "wing" in uses)
