"""What is left of a target in neutral shares: HP, DR shot away, what is out of action, the men of a team."""

from __future__ import annotations

from typing import Final

from gurps_vehicle.codes import parse_codes
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.detail import Detail
from gurps_vehicle.flags import GUN, JAM
from gurps_vehicle.vehicle.slots import layers_of
from mantlet import FACES, Condition, Face, Shares, Target
from mantlet.game.condition import FIT, WOUNDED

MOUNTED: Final = {"T", "S"}
"""The codes of large turrets and superstructures."""


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
    mounted = {f.code.code for f in parse_codes(block.locations)} & MOUNTED
    full = left = 0
    # One and the same armor is counted once.
    for key, (outer, *inner) in {layers_of(block, code, face) for code in ("body", *mounted)}:
        within = sum(layer.dr for layer in inner)
        full += outer.dr + within
        left += max(0, outer.dr - lost.get(key, 0)) + within
    return left / full if full else 1.0


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
