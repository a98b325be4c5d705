"""Fire: what sets a vehicle on fire, the fire table, and what a fire does as it burns on."""

from __future__ import annotations

from d100_wwii.consequences import effect
from d100_wwii.people import blast
from d100_wwii.rolls import percent_of, skill_roll
from d100_wwii.shot import Shot
from d100_wwii.state import BURNED_OUT, EXPLODED, FIRE_DAMAGE, Fire
from d100_wwii.status import Status
from d100_wwii.tables import FireRow, Op, fire_rows, fire_table
from mantlet import Dice, Modifier, effects, parse_dice

FIRE_ORDER = ("", "minor_fire", "minor_engine_fire", "major_engine_fire", "explosion")


def catch_fire(dice: Dice, status: Status, shot: Shot, damage: int) -> None:
    """An incendiary that hit sets fire on a Luck roll (R23, R24, A31); once through the armor, the fire table (A33).

    `damage` is what the attack itself did; it begins the fire's running total.
    """
    options = shot.options
    if options.fire_luck == "attacker":
        luck = Modifier(shot.luck, "the attacker's POW x 5")
        lucky = dice.check(skill_roll([luck]), "Luck: it catches fire", "R23")
    else:
        luck = Modifier(percent_of(options.person_pow), "the target's POW x 5")
        lucky = not dice.check(skill_roll([luck]), "the target's Luck", "A31")
    if not lucky:
        dice.note("R23", "it does not catch fire")
        return
    old = status.fire
    total = damage + (old.total if old is not None and old.hot else 0)
    fire = Fire(old.row if old is not None else "", shot.burn, counts_so_far(status, total), 0, True)
    status.effects |= effects.ON_FIRE
    dice.note("R23", "the vehicle is on fire; {} of fire damage so far against armor {}", total, status.armor)
    if burns_through(fire, damage, status.armor, options.fire_against_armor):
        dice.note("A33", "the fire is through: a roll on the fire table now and every round until it is put out")
        ignite(dice, status, fire)
    else:
        dice.note(
            "R23",
            "each round it burns on does {} more; more than the armor in all, and the fire table is rolled",
            shot.burn,
        )
        status.fire = fire


@effect("fire")
def component_burns(dice: Dice, status: Status, op: Op, damage: int) -> None:
    """A component that is destroyed has set the vehicle on fire."""
    ignite(dice, status, Fire("", fixed=status.vehicle.options.goes_on(damage)))


def ignite(dice: Dice, status: Status, fire: Fire) -> None:
    """A roll on the fire table for this fire."""
    row = dice.pick(fire_table(), "Vehicle fire", "R19")
    fire_row(dice, status, fire, row)


def fire_row(dice: Dice, status: Status, fire: Fire, row: FireRow) -> None:
    """What a row of the fire table does at once, an explosion too (A38); its damage a round comes later (A34).

    Where there was a row already the worse one stays, or under the option the last one counts (A70).
    """
    old = status.fire
    last = status.vehicle.options.fire_row_stays == "last"
    counts = last or old is None or FIRE_ORDER.index(row.name) >= FIRE_ORDER.index(old.row)
    status.fire = fire._replace(
        row=row.name if counts or old is None else old.row, hot=fire.hot or (old is not None and old.hot)
    )
    if row.inoperable:
        status.flags |= BURNED_OUT if row.inoperable == "for_good" else FIRE_DAMAGE
    if row.once:
        blast(dice, status, parse_dice(row.once), "concussion of the explosion")
    if row.explodes and status.vehicle.options.fire_explosion_destroys:
        status.base_hp = 0
        status.flags |= EXPLODED
        dice.note("A38", "the explosion destroys the vehicle")
    stays = fire_rows()[status.fire.row]
    each = stays.occupants or f"{fire.burn} less armor"
    dice.note("A34", "each round until it is put out: {} to everyone aboard", each)


def burns(status: Status) -> bool:
    """Whether a fire has anything left to do."""
    fire = status.fire
    return fire is not None and (any(hp > 0 for hp in status.people) or (fire.hot and not status.destroyed))


def burn(dice: Dice, status: Status) -> None:
    """A round of fire: what it does to everyone aboard, and whether an incendiary gets through (R19, R23, A33).

    How often the table is rolled (A34), which damage (A35) meets which armor (A36), in a major fire too (A37).
    """
    options = status.vehicle.options
    fire = status.fire
    assert fire is not None
    original = status.vehicle.stats.armor
    armor = original if options.fire_armor == "original" else status.armor
    row = fire_rows().get(fire.row)
    most = max(status.people, default=0)
    once_more = fire._replace(rounds=min(99, fire.rounds + 1))
    damage = 0
    if fire.fixed:
        damage = fire.fixed
    elif fire.hot or (row is not None and not row.occupants):
        counts = max(most, original) + armor + 1
        damage = dice.read(parse_dice(fire.burn), min, counts, reason="the fire's damage this round", rule="A35")
    if fire.hot:
        total = counts_so_far(status, fire.total + damage)
        once_more = once_more._replace(total=total)
        if total > armor:
            dice.note("R23", "all fire damage so far is more than armor {}", armor)
        else:
            dice.note("R23", "{} of fire damage so far against armor {}", total, armor)
    status.fire = once_more
    if row is not None and row.occupants:
        if options.major_fire_armor:
            damage = dice.roll(row.occupants, "fire, to everyone aboard", "A37")
            scorch(dice, status, max(0, damage - armor))
        else:
            blast(dice, status, parse_dice(row.occupants), "fire, to everyone aboard")
    elif row is not None:
        scorch(dice, status, max(0, damage - armor))
    if (fire.hot and not status.destroyed and burns_through(once_more, damage, armor, options.fire_against_armor)) or (
        options.fire_row_repeats == "table" and row is not None and not status.destroyed
    ):
        ignite(dice, status, once_more)


def counts_so_far(status: Status, total: int) -> int:
    """An incendiary's damage so far as far as it counts (A33): once it beats the whole armor it does so for good."""
    return min(total, max(status.armor, status.vehicle.stats.armor) + 1)


def burns_through(fire: Fire, damage: int, armor: int, reading: str) -> bool:
    """Whether an incendiary's fire beats the armor: all its damage so far, or this round's alone (A33)."""
    return (fire.total if reading == "running_total" else damage) > armor


def scorch(dice: Dice, status: Status, damage: int) -> None:
    """Everyone aboard takes what the armor lets through of a fire."""
    if damage:
        status.hurt_everyone(damage)
        dice.note("A35", "the fire does {} to everyone aboard", damage)
    else:
        dice.note("A35", "the armor keeps the fire out")
