"""One round of a burst against the armor, by itself (A64): what the tolls of bursts are added up from."""

from __future__ import annotations

from typing import NamedTuple

from d100_wwii.rolls import beaten
from d100_wwii.shot import Shot
from mantlet import Dice

STOPPED = -1


class Blow(NamedTuple):
    """A round against the armor: the armor left after it, its damage, and what of that gets through (or STOPPED)."""

    armor: int
    damage: int
    through: int


def blow(dice: Dice, shot: Shot, passenger_armor: int, armor: int, impale: bool) -> Blow:
    """Damage against the armor (R3, R4), and what it leaves of that (A1)."""
    if shot.plain and not impale:
        beats = dice.pick(beaten(shot.damage, armor, shot.halves), "damage", "A64")
        return Blow(armor, armor + beats, beats or STOPPED)
    total = dice.roll(shot.impaled, "damage, impaling", "A21") if impale else dice.roll(shot.damage, "damage", "A64")
    damage = shot.brings(total)
    facing = shot.facing(passenger_armor, armor)
    after = shot.armor_left(armor, damage)
    if not shot.through(damage, facing):
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
        return Blow(after, 0, STOPPED)
    dice.note("R4", "{} - armor {} = {} through", damage, facing, damage - facing)
    return Blow(after, damage, damage - facing)


def no_blow(dice: Dice) -> None:
    """A round that no longer matters: nobody rolls for it."""
