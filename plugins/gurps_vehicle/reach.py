"""How far an attack reaches: rounds by drag, flames by their effective range, throws by ST, melee by its reach."""

from __future__ import annotations

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
    return f"REACH: {attack.weapon.id} reaches {reach.yd:.0f} yd ({reach.rule}), and the range is {range_yd:.0f} yd."


def reach_of(attack: Attack, options: Options) -> Reach:
    """How far the weapon of an attack reaches, in yards: what its stat block says, else derived."""
    shot = shot_of(attack.weapon, attack.ammunition, attack.range_m)
    if shot.max_range_yd is not None:
        formula = next((d.formula for d in shot.derived if d.stat == "max_range_yd"), "its stat block")
        return Reach(shot.max_range_yd, formula)
    return throw(attack.weapon, attack.ammunition, options.thrower_st)


def throw(weapon: Weapon, ammunition: Ammunition, st: int) -> Reach:
    """How far somebody of a ST throws a thing, by its weight in parts of his basic lift (ST x ST / 5 lb)."""
    data: dict[str, Any] = read("attack")["throwing"]
    kg = ammunition.projectile_mass_kg or weapon.mass_kg or data["usual_kg"]
    pounds, lift = kg * read("derivation")["target"]["lb_per_kg"], st * st / 5
    times = next((times for most, times in data["ratios"] if pounds / lift <= most), 0.0)
    return Reach(st * times, f"{pounds:.1f} lb thrown by ST {st}")
