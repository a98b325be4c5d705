"""One round of a burst against the armor, by itself (A64): what the tolls of bursts are added up from."""

from __future__ import annotations

from typing import NamedTuple

from d100_wwii.people import lethal
from d100_wwii.rolls import beaten
from d100_wwii.shot import Shot
from mantlet import Dice

STOPPED = -1


class Blow(NamedTuple):
    """A round against the armor: the armor left after it, what gets through (or STOPPED), and what of that a component
    takes, a person, and the Base HP."""

    armor: int
    through: int
    takes: int = 0
    hurts: int = 0
    beyond: int = 0


def blow(dice: Dice, shot: Shot, passenger_armor: int, armor: int, impale: bool) -> Blow:
    """Damage against the armor (R3, R4), and what it leaves of that (A1)."""
    if shot.plain and not impale:
        beats = dice.pick(beaten(shot.damage, armor, shot.halves), "damage", "A64")
        return Blow(armor, beats, beats, beats, beats) if beats else Blow(armor, STOPPED)
    total = dice.roll(shot.impaled, "damage, impaling", "A21") if impale else dice.roll(shot.damage, "damage", "A64")
    damage = shot.brings(total)
    facing = shot.facing(passenger_armor, armor)
    after = shot.armor_left(armor, damage)
    if after != armor:
        dice.note("A1", "armor falls from {} to {} until repaired", armor, after)
    if not shot.through(damage, facing):
        dice.note("R3", "{} does not beat armor {}: no effect", damage, facing)
        return Blow(after, STOPPED)
    beats = damage - facing
    dice.note("R4", "{} - armor {} = {} through", damage, facing, beats)
    takes = damage if shot.options.component_takes == "damage" else beats
    beyond = max(0, damage - armor) if shot.bare else beats
    return Blow(after, beats, takes, lethal(shot.options, beats), beyond)


def no_blow(dice: Dice) -> None:
    """A round that no longer matters: nobody rolls for it."""
