"""What every attack comes to before any die is rolled: the shot, the effective skill, how many rounds can strike."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from gurps_vehicle.attack_roll import (
    MISS,
    ONE,
    Strikes,
    attack_check,
    range_penalty,
    rapid_fire_bonus,
    skill_from_percent,
    skill_words,
    yards,
)
from gurps_vehicle.bodies import BodyPlan, aimed_table, check_parts, find_aim, is_near, shipped_plan
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.deriving_weapons import Shot
from gurps_vehicle.detail import NAME
from gurps_vehicle.files import read
from gurps_vehicle.health import Health
from gurps_vehicle.options import Options
from gurps_vehicle.person import Folk
from gurps_vehicle.reach import by_hand
from gurps_vehicle.tables import ORDINARY, CriticalEffect, critical_rolls
from mantlet import Attack, Check, Dice, InputName, Modifier, Plan, Target, ignored_inputs, shooter_skill

USED: tuple[InputName, ...] = ("range", "skill", "aim", "rounds", "shooter_speed", "target_speed", "dark")
"""The inputs of an attack that every plan uses."""


class Facts(NamedTuple):
    """All that an attack on a target is worked out from."""

    attack: Attack
    target: Target
    block: Block
    shot: Shot
    options: Options

    def worked_out(self, used: set[InputName], aim: Aim, notes: tuple[str, ...]) -> dict[str, Any]:
        """What the plans of all kinds of targets have in common; `used` are the inputs that count."""
        roll = aiming(self, aim)
        return {
            **self._asdict(),
            "derived": (*self.shot.derived, *self.block.derived),
            "ignored": ignored_inputs(self.attack, used),
            "notes": (*roll.notes, *notes),
            "check": roll.check,
            "yards_off": self.yards_off,
            "felt_all_over": self.felt_all_over,
        }

    @property
    def yards_off(self) -> Fraction:
        """How many yards off an explosion goes off, to a hundredth, one at least; 0 where the round strikes."""
        meters = self.attack.miss_distance_m if self.attack.delivery in ("fired", "thrown") else 0
        return (
            max(Fraction(1), Fraction(round(100 * yards(meters)), 100))
            if meters and self.shot.explosive
            else Fraction(0)
        )

    @property
    def divisor(self) -> float:
        """The armor divisor that counts."""
        return self.shot.divisor_of(blast_part(self.yards_off))

    @property
    def felt_all_over(self) -> bool:
        """Whether it strikes no place in particular (G26)."""
        return self.shot.large_area or self.yards_off > 0


@dataclass(frozen=True, eq=False, kw_only=True)
class GurpsPlan(Plan):
    """An attack under these rules.

    `check` is None where there is nothing to roll for: a given hit, or a skill below 3.
    """

    shot: Shot
    block: Block
    options: Options
    check: Check[Strikes] | None
    yards_off: Fraction = Fraction(0)
    """How far off it goes off; 0 where it strikes."""
    felt_all_over: bool = False

    @cached_property
    def health(self) -> Health:
        """HP and HT of the target."""
        return Health(self.block.hp, self.block.ht)

    @property
    def blast_part(self) -> Fraction:
        """What its damage to the target is divided by: more than 1 where an explosion goes off some way off."""
        return blast_part(self.yards_off)


def blast_part(yards_off: Fraction) -> Fraction:
    """What the damage of an explosion so far off is divided by: 3 x yards; 1 where it strikes."""
    return int(read("attack")["explosion"]["yards_factor"]) * yards_off or Fraction(1)


def blast_yd(shot: Shot) -> int:
    """How far an explosion is felt: two yards for each of its dice, adds not counted."""
    dice = sum(count for count, _ in shot.dice.terms) * shot.dice.multiplier * shot.scale
    return int(read("attack")["explosion"]["yards_a_die"] * dice)


def attack_roll(dice: Dice, plan: GurpsPlan, rule: str) -> Strikes:
    """How many rounds strike: one of a given hit or of what goes off within reach, else by the attack roll."""
    if plan.yards_off > blast_yd(plan.shot):
        return MISS
    if plan.attack.given_hit or plan.yards_off:
        return ONE
    return MISS if plan.check is None else dice.check(plan.check, "attack", rule)


def critical_effect(dice: Dice, plan: GurpsPlan, strikes: Strikes, *, head: bool = False) -> CriticalEffect:
    """What a critical success changes (CRIT): a roll on the table of critical hits, or on that of blows to the head."""
    if not (strikes.critical and plan.options.criticals):
        return ORDINARY
    name = "critical_head_blow" if head else "critical_hit"
    return dice.pick(critical_rolls(name), name.replace("_", " "), "CRIT")


class Aiming(NamedTuple):
    """The attack roll (None where there is nothing to roll for), and what a reader should know."""

    check: Check[Strikes] | None
    notes: tuple[str, ...] = ()


class Aim(NamedTuple):
    """What is aimed at, the penalty of the place, and the size modifier that counts (a draft animal's own)."""

    at: Any = None
    name: str = ""
    penalty: int = 0
    sm: int | None = None


def aim_at(body: BodyPlan, name: str, target: str) -> Aim:
    """An aim at a part of a body (G10). Raises UnknownNameError for an aim at no part of it."""
    name, penalty = find_aim(body, name, target)
    return Aim(aimed_table(body, name), name, penalty)


def bearing(attack: Attack) -> str:
    """From where the target is struck: `front`, `side` or `rear`."""
    off = abs((attack.aspect_deg + 180) % 360 - 180)
    return "front" if off <= 45 else "side" if off < 135 else "rear"


def aiming(facts: Facts, aim: Aim) -> Aiming:
    """The effective skill and its reasons."""
    attack, shot, options = facts.attack, facts.shot, facts.options
    if attack.given_hit:
        return Aiming(None, ("One round strikes as an ordinary success.",))
    shots = min(attack.rounds, shot.rof)
    own = shooter_skill(attack, NAME, skill_words(), unit="", from_percent=skill_from_percent)
    skill = int(own.value)
    # Whoever places a charge is there, whatever range the attack names; hand to hand neither range nor speed counts.
    close = by_hand(attack.weapon, attack.ammunition)
    reach = 0.0 if close or attack.delivery.startswith("placed") else yards(attack.range_m)
    speed = 0.0 if close else yards(attack.target_speed_kph / 3.6)
    aiming_data = read("attack")["aiming"]
    steady = options.aim_turns and not attack.shooter_speed_kph
    bonus = shot.acc + aiming_data["turns"][options.aim_turns] if steady else 0
    reasons = [
        Modifier(skill, "skill"),
        Modifier(facts.block.sm if aim.sm is None else aim.sm, "size of the target"),
        Modifier(range_penalty(reach, speed), f"range {reach:.0f} yd" + (f", speed {speed:.0f} yd/s" if speed else "")),
        Modifier(bonus, f"aim of {options.aim_turns} turn{'s' * (options.aim_turns > 1)} (Acc {shot.acc})"),
        Modifier(rapid_fire_bonus(shots), f"rapid fire, {shots} rounds"),
        Modifier(aim.penalty, f"aimed at {aim.name}"),
        Modifier(aiming_data["moving_shooter"] if attack.shooter_speed_kph else 0, "shooter on the move"),
        Modifier(aiming_data["dark"] if attack.dark else 0, "in the dark"),
    ]
    kept = tuple(m for m in reasons if m.value or m.reason == "skill")
    effective = int(sum(m.value for m in kept))
    told = "".join(f" {'-' if m.value < 0 else '+'} {abs(m.value)} {m.reason}" for m in kept[1:])
    notes = [own.note, *([f"Effective skill {effective} = {skill} skill{told}."] if told else [])]
    if attack.rounds > shots:
        notes.append(f"Only {shots} of {attack.rounds} rounds are fired in one turn (RoF {shot.rof}).")
    check = attack_check(effective, shots, shot.rcl, kept, near=is_near(aim.at))
    if check is None:
        notes.append(f"Effective skill {effective} is below 3: the attack cannot hit.")
    return Aiming(check, tuple(notes))


@lru_cache(maxsize=1024)
def folk_of(noun: str, health: Health, body: BodyPlan, dr: tuple[tuple[str, int], ...], points: bool = False) -> Folk:
    """One Folk for one kind of people, so that what was worked out for them is shared between plans."""
    return Folk(noun, health, body, dict(dr), points)


def people_of(block: Block, options: Options) -> Folk:
    """The people aboard, or of a team. Raises CatalogError for DR of a part that nobody has."""
    body = shipped_plan("humanoid")
    check_parts(block.person_dr, body, "stats.gurps_vehicle.person_dr")
    dr = tuple(sorted(block.person_dr.items()))
    return folk_of("person", Health(block.person_hp, block.person_ht), body, dr, options.wounds == "points")


def notes_all_over(facts: Facts, used: set[InputName], *, each: bool = False) -> tuple[str, ...]:
    """Notes on what is felt all over (G26), for which an aim is of no use. Of men `each` has his own DR."""
    aim, off = facts.attack.aim, facts.yards_off
    dr = "the torso's" if each else "the mean of the whole and of the least protected place, rounded up"
    notes = [f"G26: felt all over, so DR is {dr}."]
    if off:
        used.add("miss_distance")
        felt, part = blast_yd(facts.shot), float(blast_part(off))
        worth = f"the blast ends at {felt} yd" if off > felt else f"no attack roll asked: damage / {part:g}"
        notes.insert(0, f"It goes off {float(off):g} yd away, {worth}.")
    if aim is not None:
        used.discard("aim")
        notes.append(f"G26: what is felt all over is not aimed at {aim}.")
    return tuple(notes)


def seat_names(target: Target) -> tuple[str, ...]:
    """Everybody by role, with a number where a role comes more than once."""
    roles = [seat.role.replace("_", " ") for seat in target.crew]
    return tuple(f"{r} {roles[: i + 1].count(r)}" if roles.count(r) > 1 else r for i, r in enumerate(roles))
