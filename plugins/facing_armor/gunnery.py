"""The chance to hit: published first-shot figures by gun or flight time, scaled by skill and motion (design)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from facing_armor.design import between, design, published
from mantlet import Ammunition, Attack, Derived, Skill, UsageError, Weapon, shooter_skill
from mantlet.units import M_PER_YD

NAME = "facing_armor"
HIGHEST_SKILL_PERCENT = 1000
"""The same limit as for `Attack.skill_percent`."""
SLOWEST_MPS = 20.0
"""A thrown thing, and any round of unknown speed from a weapon that does not shoot."""


class HitCurve(NamedTuple):
    """First-shot hits in percent against range in m, and the muzzle velocity they belong to."""

    gun: str
    muzzle_velocity_mps: float
    range_m: tuple[float, ...]
    percent: tuple[float, ...]


@cache
def hit_curves() -> tuple[HitCurve, ...]:
    """The published curves; at the muzzle every shot hits."""
    return tuple(
        HitCurve(
            entry["gun"],
            entry["muzzle_velocity_mps"],
            (0.0, *(yd * M_PER_YD for yd in entry["range_yd"])),
            (100.0, *map(float, entry["hit_percent"])),
        )
        for entry in published()["first_shot_hit"]
    )


@cache
def _own_curve(weapon_id: str) -> HitCurve | None:
    for entry, curve in zip(published()["first_shot_hit"], hit_curves()):
        if weapon_id == entry["gun"] or weapon_id in entry["same"]:
            return curve
    return None


def muzzle_velocity(weapon: Weapon, ammunition: Ammunition) -> float:
    """The round's muzzle velocity in m/s; the weapon's fastest known one where the round has none."""
    if ammunition.muzzle_velocity_mps:
        return ammunition.muzzle_velocity_mps
    known = [a.muzzle_velocity_mps for a in weapon.ammunition if a.muzzle_velocity_mps]
    return max(known) if known else SLOWEST_MPS


@lru_cache(maxsize=1024)
def curve_for(weapon: Weapon, ammunition: Ammunition) -> tuple[HitCurve, float]:
    """The curve to use and the scale of its ranges: the gun's own, else the one nearest in flight time."""
    own = _own_curve(weapon.id)
    speed = muzzle_velocity(weapon, ammunition)
    if own is not None and abs(speed - own.muzzle_velocity_mps) < 1:
        return own, 1.0
    nearest = own or min(hit_curves(), key=lambda c: abs(1.0 / c.muzzle_velocity_mps - 1.0 / speed))
    return nearest, nearest.muzzle_velocity_mps / speed


def first_shot(curve: HitCurve, range_m: float) -> float:
    """The published chance at a range, 0..1: linear between ranges, beyond the last halving as its end does."""
    ranges, percent = curve.range_m, curve.percent
    if range_m >= ranges[-1]:
        step = percent[-1] / percent[-2]
        return float(percent[-1] * step ** ((range_m - ranges[-1]) / (ranges[-1] - ranges[-2]))) / 100.0
    return between(range_m, ranges, percent) / 100.0


def skill_of(attack: Attack) -> Skill:
    """The shooter's skill in percent: this ruleset's own scale is the same one. Raises UsageError for one beyond it."""
    skill = shooter_skill(attack, NAME, design().skill)
    if not 0 <= skill.value <= HIGHEST_SKILL_PERCENT:
        most = HIGHEST_SKILL_PERCENT
        raise UsageError(f"The skill for {NAME} has to be from 0 to {most} percent, not {skill.value:g}.")
    return skill


def chance_to_hit(attack: Attack) -> float:
    """The chance of one shot, 0..1. Skill multiplies the odds (50 percent leaves them), circumstances the chance."""
    numbers = design().gunnery
    curve, scale = curve_for(attack.weapon, attack.ammunition)
    p = min(numbers.highest, max(numbers.lowest, first_shot(curve, attack.range_m * scale)))
    skill = min(numbers.highest_skill_percent, max(numbers.lowest_skill_percent, skill_of(attack).value))
    odds = p / (1.0 - p) * skill / (100.0 - skill)
    p = odds / (1.0 + odds)
    if attack.shooter_speed_kph > 0:
        fast = attack.shooter_speed_kph > numbers.slow_kph
        p *= numbers.shooter_fast_factor if fast else numbers.shooter_slow_factor
    if attack.target_speed_kph > 0:
        fast = attack.target_speed_kph > numbers.slow_kph
        p *= numbers.target_fast_factor if fast else numbers.target_slow_factor
    if attack.hull_down:
        p *= numbers.hull_down_factor
    if attack.dark:
        p *= numbers.dark_factor
    if attack.aim is not None:
        p *= numbers.aimed_factor
    return p


@lru_cache(maxsize=1024)
def gunnery_note(weapon: Weapon, ammunition: Ammunition) -> str:
    """Which published curve stands behind the chance to hit."""
    curve, scale = curve_for(weapon, ammunition)
    text = f"Chance to hit: first-shot figures of {curve.gun}"
    if scale != 1.0:
        text += f", read at {scale:.3g} times the range (equal flight time)"
    return text + "; skill in percent multiplies the odds of a hit, 50 leaves them (a design choice)."


@lru_cache(maxsize=1024)
def derived_gunnery(weapon: Weapon, ammunition: Ammunition) -> tuple[Derived, ...]:
    """What stands in for first-shot figures of a gun that has none."""
    curve, scale = curve_for(weapon, ammunition)
    if scale == 1.0:
        return ()
    inputs = {
        "muzzle_velocity_mps": round(curve.muzzle_velocity_mps / scale, 3),
        "reference_muzzle_velocity_mps": curve.muzzle_velocity_mps,
    }
    formula = "the published figures nearest in flight time, read at the range of equal flight time"
    return (Derived("first_shot_hit", curve.gun, formula, inputs),)
