"""The attack roll, and the chance to hit as a list of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from d100_wwii.blocks import NAME
from d100_wwii.circumstances import circumstances
from d100_wwii.location import strike
from d100_wwii.options import Options
from d100_wwii.rolls import percent_of
from d100_wwii.shot import Shot
from d100_wwii.special import compartment_of, in_running_gear, inside, ram, ram_failed
from d100_wwii.status import Status, as_found
from d100_wwii.vehicle_stats import ARMORED_FROM
from d100_wwii.weapon_stats import WeaponStats
from mantlet import Attack, Check, Condition, Dice, Modifier, Outcome, Skill, Then, shooter_skill
from mantlet.units import M_PER_FT, M_PER_YD

if TYPE_CHECKING:
    from d100_wwii.plan import D100Plan

POINT_BLANK_YD: Final = 100
PERCENT_PER_ROUND: Final = 5
CALLED_SHOT: Final = 5
"""A Called Shot succeeds at this fraction of the chance."""
IMPALE: Final = 5
IMPALES, HITS, MISSES, JAMS = "impale", "hit", "miss", "malfunction"


def attack_roll(dice: Dice, plan: D100Plan, condition: Condition) -> Outcome | Then:
    """Roll to hit (R2); a hit goes on by the way it is delivered. Worn armor may make a vehicle a soft one (A60)."""
    attack = plan.attack
    start = as_found(dice, plan.vehicle, condition, plan.speed, attack.dark)
    shot, to_hit = plan.shot, plan.to_hit
    if plan.worn is not None and start.detail.armor < ARMORED_FROM:
        shot, to_hit = plan.worn
    grade = HITS
    if not (attack.given_hit or (shot.kind == "fire" and plan.delivery == "thrown" and needs_no_throw(shot))):
        how = "ram" if plan.delivery == "rammed" else f"attack with {attack.weapon.name}"
        grade = dice.check(to_hit, how, "R28" if plan.delivery == "rammed" else "R2")
    if grade == JAMS:
        dice.note("R2", "a malfunction: the shot fails")
    if plan.delivery == "rammed":
        return ram(dice, plan, start) if grade == HITS else ram_failed(dice, plan, start)
    if grade not in (HITS, IMPALES):
        return Status(start).close(dice, hits=0)
    if shot.bare:
        dice.note("A63", "what it is aimed at is out in the open: the vehicle's armor does not cover it")
    if plan.delivery == "lobbed_inside":
        return inside(dice, shot, start, compartment_of(attack.aim, start))
    if plan.delivery == "placed_in_running_gear":
        return in_running_gear(dice, shot, start)
    hits = 1 if attack.given_hit else rounds_that_strike(dice, attack.rounds)
    return strike(dice, shot, start, hits, grade == IMPALES)


def rounds_that_strike(dice: Dice, fired: int) -> int:
    """How many rounds of a burst strike: one die as big as the burst (R18)."""
    return dice.roll(f"1d{fired}", f"how many of the {fired} rounds strike", "R18") if fired > 1 else 1


def needs_no_throw(shot: Shot) -> bool:
    """Whether a bottle needs no throw (A32)."""
    return not shot.options.molotov_needs_throw


def base_chance(attack: Attack, stats: WeaponStats, delivery: str, options: Options) -> Skill:
    """The skill before anything changes it: DEX x 5 hand to hand (R21), else the shooter's."""
    if delivery == "rammed":
        return shooter_skill(attack, NAME, usual=options.ram_skill_percent)
    if stats.melee:
        percent = percent_of(options.shooter_dex)
        return Skill(percent, f"skill: {percent:g}%, DEX x 5 hand to hand (R21)")
    return shooter_skill(attack, NAME)


def chance(attack: Attack, stats: WeaponStats, delivery: str, options: Options) -> tuple[tuple[Modifier, ...], str]:
    """The chance to hit as a list of reasons, each with what it adds, and a note on where the skill comes from.

    Moving fire comes before or after what multiplies (A58); what sticks has a bonus on treads and underside (R22).
    """
    skill = base_chance(attack, stats, delivery, options)
    if delivery == "rammed":
        drives = "Operate Heavy Machinery" if stats.tank else "Drive Auto"
        driving = circumstances(options, round(options.move(attack.shooter_speed_kph)), attack.dark, False)
        return (Modifier(skill.value, f"{drives} of the ramming driver"), *driving), f"{skill.note} ({drives}, R28)"
    label = "DEX x 5, hand to hand" if stats.melee else "skill"
    reasons = [Modifier(skill.value, label)]
    now = float(skill.value)

    def change(value: float, reason: str) -> None:
        nonlocal now
        if value:
            reasons.append(Modifier(value, reason))
            now += value

    moving = moving_fire(attack, options) if delivery == "fired" else 0
    if options.moving_fire_order == "before":
        change(moving, "moving fire")
    if attack.rounds > 1:
        change(min(PERCENT_PER_ROUND * attack.rounds, now), f"burst of {attack.rounds}")
    near = False
    if not stats.melee:
        near = is_point_blank(attack, stats, options)
        if near:
            change(now, "point-blank: doubled")
        else:
            divisor = range_divisor(attack.range_m / M_PER_YD, stats.range_yd)
            change(now / divisor - now, f"beyond base range: 1/{divisor}")
    if needs_called_shot(attack, delivery, near, stats):
        change(now / CALLED_SHOT - now, "Called Shot: 1/5")
    if options.moving_fire_order == "after":
        change(moving, "moving fire")
    if delivery in ("placed_under", "placed_in_running_gear"):
        change(stats.placing_bonus, "treads or underside")
    return tuple(reasons), skill.note


def moving_fire(attack: Attack, options: Options) -> int:
    """-1% a MOVE of difference (R31), only for a shooter who rides (A57)."""
    if attack.shooter_speed_kph <= 0 and options.moving_fire == "shooter_moving":
        return 0
    shooter = round(options.move(attack.shooter_speed_kph))
    return -abs(shooter - round(options.move(attack.target_speed_kph)))


def is_point_blank(attack: Attack, stats: WeaponStats, options: Options) -> bool:
    """100 yards for guns (R15; high explosive: A26), DEX in feet for firearms and what is thrown (R16, A30)."""
    yards = attack.range_m / M_PER_YD
    if stats.gun and (stats.kind != "explosive" or options.artillery_point_blank):
        return yards <= POINT_BLANK_YD
    if stats.thrown is not None and options.thrown_point_blank == "100_yards":
        return yards <= POINT_BLANK_YD
    return attack.range_m <= options.shooter_dex * M_PER_FT + 1e-9


def range_divisor(yards: float, base: float) -> int:
    """1 within the base range, then 2, 4 and 8 for each further base range."""
    return next((divisor for reach, divisor in ((1, 1), (2, 2), (3, 4)) if yards <= reach * base + 1e-9), 8)


def needs_called_shot(attack: Attack, delivery: str, near: bool, stats: WeaponStats) -> bool:
    """Whether it takes a Called Shot: a chosen location (R32), or placing from beyond point-blank (R20, A42)."""
    if delivery in ("placed_under", "placed_in_running_gear", "lobbed_inside"):
        return not near and not stats.melee
    return attack.aim is not None


def roll_to_hit(
    reasons: tuple[Modifier, ...], shot: Shot, stats: WeaponStats, options: Options, base: float
) -> Check[str]:
    """The attack roll: impale at a fifth of the chance (A22), hit, miss, and a malfunction at the top."""
    target = int(sum(m.value for m in reasons) + 1e-9)
    hit = min(target, stats.malfunction - 1)
    grades: list[tuple[int, str]] = []
    if shot.can_impale:
        grades.append((min(hit, int((target if options.impale_of == "modified" else base) // IMPALE)), IMPALES))
    grades.append((hit, HITS))
    if stats.malfunction <= 100:
        grades += [(stats.malfunction - 1, MISSES), (10**9, JAMS)]
    else:
        grades.append((10**9, MISSES))
    return Check("1d100", grades, target, reasons)
