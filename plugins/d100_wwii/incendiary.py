"""Bottles and jets of flame: whether the vehicle catches fire, and whether the fire gets through its armor."""

from __future__ import annotations

from d100_wwii.consequences import ignite
from d100_wwii.rolls import DRIVE_DIE
from d100_wwii.shot import Shot
from d100_wwii.state import Fire
from d100_wwii.work import Work
from mantlet import Dice, Modifier, effects, under


def catch_fire(dice: Dice, work: Work, shot: Shot, damage: int) -> None:
    """An incendiary that hit sets fire on a Luck roll (R23, R24, A31); once through the armor, the fire table (A33).

    `damage` is what the attack itself did; it begins the fire's running total.
    """
    options = shot.options
    if options.fire_luck == "attacker":
        lucky = dice.check(
            under(DRIVE_DIE, shot.luck, (Modifier(shot.luck, "the attacker's POW x 5"),)),
            "Luck: it catches fire",
            "R23",
        )
    else:
        theirs = options.person_pow * 5
        lucky = not dice.check(
            under(DRIVE_DIE, theirs, (Modifier(theirs, "the target's POW x 5"),)), "the target's Luck", "A31"
        )
    if not lucky:
        dice.note("R23", "it does not catch fire")
        return
    old = work.fire
    total = damage + (old.total if old is not None and old.hot else 0)
    cap = max(work.armor, work.vehicle.stats.armor) + 1
    # Beyond the armor the total makes no difference: keep states few.
    fire = Fire(old.row if old is not None else "", shot.burn, min(total, cap), 0, True)
    work.effects |= effects.ON_FIRE
    dice.note("R23", "the vehicle is on fire; {} of fire damage so far against armor {}", total, work.armor)
    if (total if options.fire_against_armor == "running_total" else damage) > work.armor:
        dice.note("A33", "the fire is through: a roll on the fire table now and every round until it is put out")
        ignite(dice, work, fire)
    else:
        dice.note(
            "R23",
            "each round it burns on does {} more; more than the armor in all, and the fire table is rolled",
            shot.burn,
        )
        work.fire = fire
