"""What is left of a target in neutral shares: HP, DR shot away, what is out of action, the men of a team."""

from __future__ import annotations

from typing import Final

from gurps_vehicle.codes import parse_codes
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.detail import Detail
from gurps_vehicle.flags import GUN, JAM
from mantlet import FACES, Condition, Face, Shares, Target
from mantlet.game.condition import FIT, WOUNDED

MOUNTED: Final = {"T": "turret_{}", "S": "turret_{}"}
"""Large turrets and superstructures by code, and the key of their DR on a face."""


def shares_of(target: Target, block: Block, condition: Condition) -> Shares:
    """The shares of a target. Armor is stated only where shots wear it down."""
    if target.kind == "team":
        able = sum(1 for state in condition.people if state in (FIT, WOUNDED))
        return Shares(integrity=able / len(target.crew)) if target.crew else Shares()
    detail = condition.detail
    assert isinstance(detail, Detail)
    integrity = max(0, block.hp - detail.lost) / block.hp
    if target.kind == "creature":
        return Shares(integrity=integrity)
    lost = dict(detail.ablated)
    return Shares(
        integrity=integrity,
        armor={face: armor_left(block, face, lost) for face in FACES} if block.stats.ablative else None,
        components_out=frozenset(components_out(target, block, detail)),
    )


def armor_left(block: Block, face: Face, lost: dict[str, int]) -> float:
    """The share of DR left on a face: that of the body, and of large turrets and superstructures, added up."""
    mounted = {f.code.code for f in parse_codes(block.locations)} & MOUNTED.keys()
    full = left = 0
    for place in ("body", *sorted({MOUNTED[code].format(face) for code in mounted})):
        key, outer, inner = dr_of(block, place, face)
        full += outer + inner
        left += max(0, outer - lost.get(key, 0)) + inner
    return left / full if full else 1.0


def dr_of(block: Block, place: str, face: Face) -> tuple[str, int, int]:
    """The key that DR at a place goes by, the DR of its outer layer, which is shot away, and that of all others."""
    for key in (place, face, "other"):
        if key in block.stats.layers:
            outer, *inner = block.stats.layers[key]
            return key, outer.dr, sum(layer.dr for layer in inner)
    key = next((key for key in (place, face, "other") if key in block.dr), "other")
    return key, block.dr.get(key, 0), 0


def components_out(target: Target, block: Block, detail: Detail) -> list[str]:
    """The components aboard that are out: the main weapon, a turret that cannot turn, wings, what is small on top.

    The first wing is enough, of small turrets and superstructures it takes all. Running gear, masts and mounts are no
    neutral component, and damaged power is no engine that is out.
    """
    fitted = {f.code.code: f.count for f in parse_codes(block.locations)}
    gone = {code for code, count in fitted.items() if detail.crippled.count(code) >= count}
    out: list[str] = []
    if detail.flags & GUN:
        out += [gun for gun in ("main_gun", "hull_gun") if gun in target.aboard][:1]
    if detail.flags & JAM:
        out.append("turret")
    if "Wi" in detail.crippled:
        out.append("wings")
    if "t" in gone:
        out.append("turret_gun")
    if "s" in gone:
        out.append("superstructure")
    return [name for name in out if name in target.aboard]
