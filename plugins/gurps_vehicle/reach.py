"""How far an attack reaches: rounds by drag, flames by their effective range, throws by ST, melee by its reach."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from gurps_vehicle.attack_roll import yards
from gurps_vehicle.deriving_weapons import shot_of
from gurps_vehicle.files import read
from gurps_vehicle.options import Options
from mantlet import Ammunition, Attack, Weapon


class Reach(NamedTuple):
    """The farthest range in yards, and by what rule."""

    yd: float
    rule: str


def beyond_reach(attack: Attack, options: Options) -> str | None:
    """Why the attack does not reach, in numbers; None where it does.

    What is placed is there whatever range the attack names; a given hit, or an explosion so far off, has come there.
    """
    if attack.given_hit or attack.miss_distance_m or attack.delivery.startswith("placed"):
        return None
    reach, range_yd = reach_of(attack, options), yards(attack.range_m)
    if range_yd <= reach.yd + 1e-9:
        return None
    return f"REACH: {attack.weapon.id} reaches {reach.yd:.4g} yd ({reach.rule}), and the range is {range_yd:.4g} yd."


def reach_of(attack: Attack, options: Options) -> Reach:
    """How far the weapon of an attack reaches: what its stat block says, else by thrower, hand, flame or flight."""
    weapon, ammunition = attack.weapon, attack.ammunition
    stated = shot_of(weapon, ammunition, attack.range_m).max_range_yd
    if stated is not None:
        return Reach(stated, "its stat block")
    data: dict[str, Any] = read("derivation")["weapon"]["reach"]
    if weapon.kind in data["by_thrower"]:
        return throw(weapon, ammunition, options.thrower_st)
    if by_hand(weapon, ammunition):
        return Reach(data["hand_to_hand_yd"][weapon.kind], "reach of such things")
    if ammunition.kind == "flame" and weapon.effective_range_m:
        factor = data["flame_factor"]
        return Reach(yards(factor * weapon.effective_range_m), f"{factor} x its effective range")
    return flight(weapon, ammunition, data)


def flight(weapon: Weapon, ammunition: Ammunition, data: dict[str, Any]) -> Reach:
    """How far a round flies: at 45 degrees under drag, or as usual where mass, speed or caliber is not known.

    L x ln(1 + v x v / (g x L)), with L = 5.5 x mass / caliber squared in meters. That gives 9 mm 1.8, a 7.92 mm rifle
    4.5, .50 6.2, a 75 mm M3 12.8 and a bazooka 0.6 km, as they have.
    """
    mass, velocity, caliber = ammunition.projectile_mass_kg, ammunition.muzzle_velocity_mps, weapon.caliber_mm
    if not (mass and velocity and caliber):
        return Reach(yards(data["usual_m"][weapon.kind]), f"usual for a {weapon.kind.replace('_', ' ')}")
    length = data["drag_length"] * mass / (caliber / 1000) ** 2
    far = length * math.log1p(velocity**2 / (data["gravity_mps2"] * length))
    return Reach(yards(far), f"L x ln(1 + v^2 / (g x L)), L = {data['drag_length']} x mass / caliber^2")


def throw(weapon: Weapon, ammunition: Ammunition, st: int) -> Reach:
    """How far somebody of a ST throws a thing, by its weight in parts of his basic lift (ST x ST / 5 lb)."""
    data: dict[str, Any] = read("attack")["throwing"]
    kg = ammunition.projectile_mass_kg or weapon.mass_kg or data["usual_kg"]
    pounds, lift = kg * read("derivation")["target"]["lb_per_kg"], st * st / 5
    times = next((times for most, times in data["ratios"] if pounds / lift <= most), 0.0)
    return Reach(st * times, f"{pounds:.1f} lb thrown by ST {st}")


def by_hand(weapon: Weapon, ammunition: Ammunition) -> bool:
    """Whether it strikes hand to hand: neither range nor speed counts."""
    return weapon.kind in read("derivation")["weapon"]["reach"]["hand_to_hand_yd"] and ammunition.kind != "flame"
