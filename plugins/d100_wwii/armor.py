"""A round against the armor: what it brings, what is through, and what is left of the armor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from d100_wwii.rolls import half, times
from d100_wwii.shot import Shot
from mantlet import Dice, DiceExpr

STOPPED: Final = -1
"""In the place of what is through: nothing penetrates."""


@dataclass(frozen=True, slots=True)
class Impact:
    """A round against the armor: the armor left after it, and what is `through` (or STOPPED).

    `takes` is what a component takes of it (A3), `beyond` what the Base HP take unless the row changes that (R5),
    `heat` the damage that a fire goes on with. All are points. The damage it brings and the armor it met are told: they
    make no difference to what follows.
    """

    armor: int
    through: int
    takes: int
    beyond: int
    heat: int
    damage: int = field(compare=False)
    facing: int = field(compare=False)


class Roll(NamedTuple):
    """A damage roll: its dice, what for, the rule that asks for it; `more`: an impale on top for one exposed (A66)."""

    dice: DiceExpr
    reason: str
    rule: str
    more: bool = False


def damage_roll(shot: Shot, hits: int, impale: bool) -> Roll:
    """The damage of a single hit (R2), or of all rounds of a burst in one total (option burst_armor, A64)."""
    if hits > 1:
        return Roll(times(shot.damage, hits), "damage of the burst", "A64")
    if impale and not shot.his_alone:
        return Roll(shot.impaled, "damage, impaling (two rolls)", "A21")
    return Roll(shot.damage, "damage", "R2", impale)


def burst_round(shot: Shot, impale: bool) -> Roll:
    """The damage of one round of a burst; the first may impale (A21, A64)."""
    if impale and not shot.his_alone:
        return Roll(shot.impaled, "damage, impaling", "A21")
    return Roll(shot.damage, "damage", "A64", impale)


def strikes_armor(dice: Dice, shot: Shot, roll: Roll, armor: int, passenger_armor: int) -> Impact:
    """A round's damage is rolled and meets the armor; an impale that is the exposed one's alone comes on top (A66)."""
    if roll.more:
        total = dice.roll(roll.dice, roll.reason, roll.rule)
        impact = against_armor(total, shot, armor, passenger_armor, impale_more(dice, shot))
    else:
        impact = dice.read(roll.dice, against_armor, shot, armor, passenger_armor, reason=roll.reason, rule=roll.rule)
    if shot.halves and shot.bare and shot.options.exposed_blast == "full":
        dice.note("A67", "half is against the armor: who is in the open takes all, {}", impact.damage)
    elif shot.halves:
        dice.note("R8", "half against an armored vehicle: {}", impact.damage)
    if shot.half_armor:
        dice.note("R20", "under the vehicle its armor counts half: {}", impact.facing)
    if impact.through == STOPPED:
        dice.note("R3", "{} does not beat armor {}: no effect", impact.damage, impact.facing)
    else:
        dice.note("R4", "{} - armor {} = {} through", impact.damage, impact.facing, impact.through)
    if impact.armor != armor:
        dice.note("A1", "armor falls from {} to {} until repaired", armor, impact.armor)
    return impact


def impale_more(dice: Dice, shot: Shot) -> int:
    """What an impale adds for somebody exposed: a second roll, or the maximum (A21, A66)."""
    if shot.options.impale_damage == "max_plus_roll":
        return shot.damage.high
    return dice.roll(shot.damage, "damage, impaling: the second roll, for him alone", "A66")


def against_armor(total: int, shot: Shot, armor: int, passenger_armor: int, more: int = 0) -> Impact:
    """What a damage total does against this armor: it penetrates if it is more (R3, R4; equal damage: A2).

    Explosives do half to armored vehicles (R8), all of it to somebody exposed (A67). The armor a round meets is the
    vehicle's, half of it underneath (R20), a person's own where what it is aimed at is exposed (R32, A63): he takes
    `more` on top. An option keeps the halved armor (A28); another lets a component take all of the damage (A3).
    """
    options = shot.options
    round_up = options.round_up
    of_vehicle = half(total, round_up) if shot.halves else total
    damage = (total if shot.bare and options.exposed_blast == "full" else of_vehicle) + more
    facing = passenger_armor if shot.bare else half(armor, round_up) if shot.half_armor else armor
    left = armor_left(shot, armor, of_vehicle)
    if shot.half_armor and options.halved_armor_lasts:
        left = min(left, facing)
    if damage < facing or (damage == facing and options.equal_damage == "nothing"):
        return Impact(left, STOPPED, 0, 0, damage if shot.kind == "fire" else 0, damage, facing)
    through = damage - facing
    takes = damage if options.component_takes == "damage" else through
    beyond = max(0, of_vehicle - armor) if shot.bare else through
    heat = damage if shot.kind == "fire" else options.goes_on(damage)
    return Impact(left, through, takes, beyond, heat, damage, facing)


def armor_left(shot: Shot, armor: int, damage: int) -> int:
    """The armor value after this damage has struck it: AP shells shoot it away, others do not (R11, R12, A1)."""
    if not shot.lowers or not armor:
        return armor
    reading = shot.options.ap_armor_loss
    if reading == "damage":
        return max(0, armor - damage)
    if reading == "excess":
        return max(0, armor - max(0, damage - armor))
    return armor - 1
