"""What every attack comes to before any die is rolled: the shot, the effective skill, how many rounds can strike."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from gurps_vehicle.attack import (
    Strikes,
    attack_check,
    most_hits,
    range_penalty,
    rapid_fire_bonus,
    skill_from_percent,
    yards,
)
from gurps_vehicle.bodies import BodyPlan
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.deriving_weapons import Shot
from gurps_vehicle.files import read
from gurps_vehicle.health import Health
from gurps_vehicle.options import Options
from gurps_vehicle.people import Folk
from mantlet import Attack, Check, Modifier, Plan
from mantlet.ruleset import DEFAULT_SKILL_PERCENT

KPH_TO_YD_S = 1 / 3.6 / 0.9144
Keep = Literal["told", "joint", "vehicle", "out", "fire", "damage", "touched", "people", "places"]
"""How much of an outcome is kept: all that an account tells; what neutral effects need, people and vehicle together;
the vehicle; what puts it out of the fight; what sets it on fire; its damage; whether anything or anybody is hurt; what
becomes of the people; or the places struck.
"""


@dataclass(frozen=True, eq=False, kw_only=True)
class GurpsPlan(Plan):
    """An attack under these rules.

    `check` is None where there is nothing to roll for (a given hit, or a skill below 3: see `most`).
    """

    shot: Shot
    block: Block
    options: Options
    check: Check[Strikes] | None
    most: int
    health: Health
    folk: Folk
    most_lost: int
    """The injury at which nothing is left to lose."""
    keep: Keep = "told"
    yards_off: float = 0.0
    known: dict[Any, Any] = field(default_factory=dict)
    """Damage rolls already cut for this plan."""
    hits: dict[Any, Any] = field(default_factory=dict)
    """What totals of a damage roll mean, however much is told of it."""


def blast_part(yards_off: float) -> int:
    """What the damage of an explosion so far off is divided by: 3 x yards, a yard at least."""
    return int(read("attack")["explosion"]["yards_factor"]) * max(1, round(yards_off))


class Aiming(NamedTuple):
    """The attack roll: its check, the most rounds that can strike, and what a reader should know."""

    check: Check[Strikes] | None
    most: int
    notes: tuple[str, ...] = ()


def aiming(
    attack: Attack, shot: Shot, options: Options, sm: int, penalty: int, aim: str, *, near: bool = False
) -> Aiming:
    """The effective skill and its reasons.

    `sm` is the size modifier that counts (a draft animal's own), `penalty` that of the place aimed at; with `near` a
    roll missed by one strikes the torso.
    """
    if attack.given_hit:
        return Aiming(None, 1, ("One round strikes as an ordinary success.",))
    shots = min(attack.rounds, shot.rof)
    own = attack.skills.get("gurps_vehicle")
    if own is not None:
        skill, mapped = int(own), f"Skill {int(own)} as given."
    else:
        percent = DEFAULT_SKILL_PERCENT if attack.skill_percent is None else attack.skill_percent
        skill = skill_from_percent(percent)
        mapped = f"Skill {skill}: the 3d skill nearest to {percent:g}%."
    # Whoever places a charge is there, whatever range the attack names.
    reach = 0.0 if attack.delivery.startswith("placed") else yards(attack.range_m)
    if shot.max_range_yd is not None and reach > shot.max_range_yd:
        return Aiming(
            None, 0, (mapped, f"{reach:.0f} yd is beyond its range of {shot.max_range_yd:g} yd: it cannot hit.")
        )
    speed = attack.target_speed_kph * KPH_TO_YD_S
    aiming_data = read("attack")["aiming"]
    steady = options.aim_turns and not attack.shooter_speed_kph
    bonus = shot.acc + aiming_data["turns"][options.aim_turns] if steady else 0
    reasons = [
        Modifier(skill, "skill"),
        Modifier(sm, "size of the target"),
        Modifier(range_penalty(reach, speed), f"range {reach:.0f} yd" + (f", speed {speed:.0f} yd/s" if speed else "")),
        Modifier(bonus, f"aim of {options.aim_turns} turn{'s' * (options.aim_turns > 1)} (Acc {shot.acc})"),
        Modifier(rapid_fire_bonus(shots), f"rapid fire, {shots} rounds"),
        Modifier(penalty, f"aimed at {aim}"),
        Modifier(aiming_data["moving_shooter"] if attack.shooter_speed_kph else 0, "shooter on the move"),
        Modifier(aiming_data["dark"] if attack.dark else 0, "in the dark"),
    ]
    kept = tuple(m for m in reasons if m.value or m.reason == "skill")
    effective = int(sum(m.value for m in kept))
    told = "".join(f" {'-' if m.value < 0 else '+'} {abs(m.value)} {m.reason}" for m in kept[1:])
    notes = [mapped, *([f"Effective skill {effective} = {skill} skill{told}."] if told else [])]
    if attack.rounds > shots:
        notes.append(f"Only {shots} of {attack.rounds} rounds are fired in one turn (RoF {shot.rof}).")
    if effective < read("attack")["skill"]["lowest"]:
        notes.append(f"Effective skill {effective} is below 3: the attack cannot hit.")
    check = attack_check(effective, shots, shot.rcl, kept, near=near)
    most = most_hits(effective, shots, shot.rcl)
    return Aiming(check, most, tuple(notes))


@lru_cache(maxsize=1024)
def folk_of(
    noun: str, hp: int, ht: int, body: BodyPlan, dr: tuple[tuple[str, int], ...], points: bool, told: bool
) -> Folk:
    """One Folk for one kind of people, so that what was worked out for them is shared between plans."""
    return Folk(noun=noun, health=Health(hp, ht), body=body, dr=dict(dr), points=points, told=told)
