"""An attack on a creature from the attack roll to what is left of it, in the order a referee goes (G1-G10, HP).

Each round strikes a part of the body. HT rolls wait until all of them have struck: those of major wounds, then those of
HP thresholds. In odds that comes to the same as after each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from gurps_vehicle.armor import damage_of
from gurps_vehicle.attack_roll import Strikes
from gurps_vehicle.bodies import HEAD, Spot
from gurps_vehicle.creature.consequences import consequences_of
from gurps_vehicle.creature.plan import CreaturePlan, location_rules
from gurps_vehicle.detail import Detail, Works, condition_of, effects_of
from gurps_vehicle.files import read
from gurps_vehicle.flags import BLIND, FIRE, STOPPED, STUNNED
from gurps_vehicle.health import Loss, Subject, catches_fire, ended, knockdown, sets_alight
from gurps_vehicle.person import read_damage, spot_struck
from gurps_vehicle.planning import attack_roll, critical_effect
from gurps_vehicle.tables import CriticalEffect
from mantlet import Dice, Location, Outcome, Then, outcome, outcome_between
from mantlet.game.condition import Condition


class Major(NamedTuple):
    """A major wound, whose HT rolls are still to come: their modifier by place, and whether it is one to the vitals."""

    knockdown: int
    vital: bool


@dataclass(frozen=True, slots=True)
class Wounds:
    """What the rounds of this attack have done to a creature: `injury` in HP, parts crippled by now, flags.

    The worst `shock` is only told and does not count when two are compared.
    """

    crippled: tuple[str, ...]
    injury: int = 0
    flags: int = 0
    hurts: bool = False
    majors: tuple[Major, ...] = ()
    struck: frozenset[Location] = frozenset()
    hits: int = 0
    shock: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class CreatureDetail:
    """What an attack leaves a creature with besides the neutral facts: DX, whether it can fly, whether it is stunned.

    `shock` (DX and IQ lost for its next turn) is only told: outcomes that differ in it alone are one in odds.
    """

    dx: int
    grounded: bool
    stunned: bool
    shock: int = field(compare=False)


def resolve(dice: Dice, plan: CreaturePlan, before: Condition) -> Outcome | Then:
    """One attack: the attack roll (none for what goes off some way away), then round after round."""
    strikes = attack_roll(dice, plan, "G10")
    if not strikes.hits:
        return outcome(0, before)
    was = before.detail
    assert isinstance(was, Detail)
    return dice.then(strike, plan, before, Wounds(was.crippled), strikes)


def strike(dice: Dice, plan: CreaturePlan, before: Condition, wounds: Wounds, strikes: Strikes) -> Then:
    """One round strikes, and then the others."""
    wounds = add_up(wounds, dice.settle(one_round, plan, strikes._replace(hits=1)))
    if strikes.hits > 1:
        return dice.then(strike, plan, before, wounds, Strikes(strikes.hits - 1))
    return dice.then(aftermath, plan, before, wounds)


# -- one round -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wound:
    """What a damage roll means for a part of the body. What is only told does not count when two are compared."""

    spot: Spot
    injury: int = 0
    hurts: bool = False
    crippled: bool = False
    major: Major | None = None
    flags: int = 0
    through: int = field(default=0, compare=False)
    shock: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.injury} injury" if self.hurts else "stopped"


def one_round(dice: Dice, plan: CreaturePlan, strikes: Strikes) -> Then:
    """One round: the part it strikes, and what a critical success does to it."""
    spot = plan.body.torso() if strikes.near else part_struck(dice, plan)
    effect = critical_effect(dice, plan, strikes, head=spot.kind in HEAD)
    if effect.eye:
        spot = next((s for s in plan.body.aimed if s.kind == "eye"), spot)
    return dice.then(strike_part, plan, spot, effect)


def part_struck(dice: Dice, plan: CreaturePlan) -> Spot:
    """The part a round strikes: a random one (G1), or what is aimed at (G10).

    From behind nobody strikes an eye, or a face without aiming at it: that is the skull.
    """
    spot = spot_struck(dice, plan.aimed, plan.body, "G1")
    if plan.skull is not None and (spot.kind == "eye" or (spot.kind == "face" and plan.aimed is None)):
        dice.note("G10", "From behind the {} is the {}.", spot.name, plan.skull.name)
        return plan.skull
    return spot


def strike_part(dice: Dice, plan: CreaturePlan, spot: Spot, effect: CriticalEffect) -> Wound:
    """What the round does to the part it strikes: armor, injury, what is crippled, fire."""
    shot = plan.shot
    damage = effect.damage(shot.dice)
    found = read_damage(dice, damage, wound_of, plan, spot, effect, reason=shot.roll_name, rule="DMG")
    dr = effect.armor(plan.parts[spot].dr)
    dice.note("G10", "{}: {} through DR {}, injury {}", spot.name, found.through, dr, found.injury)
    if found.crippled:
        dice.note("G8" if spot.use == "tail" else "G9", "The {} is crippled.", spot.name)
    elif found.hurts and effect.cripples_limb and spot.kind in ("limb", "extremity"):
        dice.note("CRIT", "The {} is of no use for {} s.", spot.name, max(1, effect.cripples_limb - plan.block.ht))
    if found.flags & FIRE:
        dice.note("G25", "It catches fire.")
    return found


def wound_of(rolled: int, plan: CreaturePlan, spot: Spot, effect: CriticalEffect) -> Wound:
    """What a total of the damage roll means for the part struck."""
    block, shot, rules = plan.block, plan.shot, location_rules(spot)
    dr, injury = plan.parts[spot]
    damage = damage_of(shot.kind, rolled, effect.times * shot.scale, plan.blast_part)
    through = damage - effect.armor(dr)
    full = injury.of(through)
    if not full:
        return Wound(spot, through=max(through, 0))
    crippled = injury.cripples(full)
    major = effect.major or injury.is_major(full, block.hp)
    flags = FIRE if sets_alight(block, shot.fiery, full) else 0
    if (crippled and spot.kind == "eye") or (major and shot.kind in rules.get("blinding", ())):
        flags |= BLIND
    twice = effect.cripples_limb or shot.kind in rules.get("double_shock", ())
    kept = injury.kept(full)
    return Wound(
        spot,
        kept,
        True,
        crippled,
        Major(injury.knockdown, spot.kind == "vitals") if major else None,
        flags,
        through,
        min(kept, int(read("wounding")["health"]["most_shock"])) * (2 if twice else 1),
    )


def add_up(wounds: Wounds, new: Wound) -> Wounds:
    """What one more round makes of it. What strikes a crippled limb is lost."""
    name, felt = new.spot.name, new.spot.name not in wounds.crippled
    return Wounds(
        tuple(sorted((*wounds.crippled, name))) if new.crippled and felt else wounds.crippled,
        wounds.injury + (new.injury if felt else 0),
        wounds.flags | new.flags,
        wounds.hurts or new.hurts,
        tuple(sorted((*wounds.majors, new.major))) if new.major else wounds.majors,
        wounds.struck | {new.spot.location},
        wounds.hits + 1,
        max(wounds.shock, new.shock if felt else 0),
    )


# -- what it comes to ------------------------------------------------------------------------------------------------


def aftermath(dice: Dice, plan: CreaturePlan, before: Condition, wounds: Wounds) -> Outcome:
    """The HT rolls once all rounds have struck, and what all of it means for the creature."""
    was = before.detail
    assert isinstance(was, Detail)
    loss = Loss(was.lost, plan.health.lost(was.lost, wounds.injury))
    flags = was.flags | wounds.flags
    if wounds.hurts:
        flags = dice.settle(ht_rolls, plan, loss, wounds.majors, flags)
    limbs = consequences_of(plan.body, plan.block, wounds.crippled)
    if wounds.shock:
        dice.note("HP", "Shock: DX and IQ -{} on its next turn.", wounds.shock)
    if limbs.dx:
        dice.note("G8", "Balance: DX {:+d}.", limbs.dx)
    if limbs.grounded:
        dice.note("G9", "It cannot fly.")
    detail = was._replace(lost=loss.after, crippled=wounds.crippled, flags=flags)
    return outcome_between(
        before,
        condition_of(before, detail, Works(limbs.mobility, limbs.firepower)),
        effects_of(was, detail, through=wounds.hurts, hurt=wounds.hurts),
        hits=wounds.hits,
        locations=tuple([place for place in plan.places if place in wounds.struck]),
        damage=wounds.injury,
        detail=CreatureDetail(limbs.dx, limbs.grounded, bool(flags & STUNNED), wounds.shock),
    )


def ht_rolls(dice: Dice, plan: CreaturePlan, loss: Loss, majors: tuple[Major, ...], flags: int) -> int | Then:
    """The HT rolls: of one major wound after the other, then of HP thresholds. Gives the flags after them.

    A major wound asks for knockdown (HP), and whether what is fragile catches fire (G25).
    """
    block = plan.block
    if majors:
        grade = knockdown(dice, block.ht, majors[0].knockdown, "HP")
        flags |= STUNNED if grade == "stunned" else STOPPED if grade == "unconscious" else 0
        if not flags & FIRE and catches_fire(dice, block, fire=plan.shot.fiery, vital=majors[0].vital):
            flags |= FIRE
        return dice.then(ht_rolls, plan, loss, majors[1:], flags)
    return ended(dice, block, Subject(plan.target.name, plan.health), loss, flags)
