"""How far a vehicle still moves and shoots, by what of it is crippled or damaged (G15-G22)."""

from __future__ import annotations

from gurps_vehicle.detail import GUN, ITEM, JAM, POWER, legs_level
from gurps_vehicle.health import DOWN
from gurps_vehicle.people import state_of
from gurps_vehicle.vehicle_plan import VehiclePlan
from mantlet.game.condition import FULL, NONE, REDUCED


def mobility(plan: VehiclePlan, crippled: tuple[str, ...], flags: int, animals: tuple[int, ...] = ()) -> int:
    """Mobility by what is crippled: tracks and runners stop it, wheels count as legs, masts and power slow it."""
    counts = {f.code.code: f.count for f in plan.parts}
    level = REDUCED if flags & POWER else FULL
    for code in dict.fromkeys(crippled):
        gone = crippled.count(code)
        loses = next((f.code.loses for f in plan.parts if f.code.code == code), "")
        if loses == "all mobility":
            return NONE
        if loses == "legs":
            level = max(level, legs_level(gone, counts[code]))
        elif loses == "masts":
            level = max(level, NONE if gone >= counts[code] else REDUCED)
        elif loses == "flight":
            level = max(level, NONE if plan.block.flying else REDUCED)
    if animals and all(state_of(a) >= DOWN for a in animals):
        return NONE
    if any(state_of(a) >= DOWN for a in animals):
        level = max(level, REDUCED)
    return level


def move_left(masts: int, lost: int) -> tuple[int, int]:
    """Move left to a sailing vessel as a fraction: each mast lost takes 1/masts (G22)."""
    return max(0, masts - lost), masts


def firepower(plan: VehiclePlan, crippled: tuple[str, ...], flags: int) -> int:
    """Firepower by what is out: the main weapon, a jammed turret, a superstructure, mounts and small turrets."""
    if flags & GUN:
        return NONE
    armed = {f.code.code: f.count for f in plan.parts if f.code.loses == "firepower"}
    gone = sum(1 for code in crippled if code in armed)
    if gone and gone >= sum(armed.values()) and "main_gun" not in plan.target.aboard:
        return NONE
    return REDUCED if gone or flags & (JAM | ITEM) else FULL
