"""F9, F16, F17, F19: how a man who is hit fares, what wounds and hits on the own tank do to those in their seats, and
whether they stay there."""

from __future__ import annotations

from facing_armor.design import design
from mantlet import Condition, Dice
from mantlet.game.condition import DEAD, FIT, NONE, WOUNDED

STOPPED = ("ricochet", "shatter")
"""The details of an outcome that are an own-tank hit without a penetration (F9)."""


def is_killed(dice: Dice, title: str = "") -> bool:
    """F16: whether a man who is hit is killed; more often he is wounded."""
    return dice.chance(design().casualties.killed_percent / 100, f"{title} killed".lstrip(), "F16")


def harm(state: int, killed: bool) -> int:
    """The state of a man who is hit. A wound changes nobody who was worse off."""
    return DEAD if killed else (WOUNDED if state == FIT else state)


def abandons(dice: Dice, condition: Condition, crew: tuple[int, ...], usual_percent: float) -> bool:
    """F19: whether a crew abandons its vehicle after a penetration; its seats are then as good as empty.

    `usual_percent` is the chance while nothing else has happened; each man dead or wounded, a gun out and immobility
    add to it. `crew` are the seats that count.
    """
    states = [condition.people[seat] for seat in crew]
    if not usual_percent or not (FIT in states or WOUNDED in states):
        return False
    numbers = design().abandon
    percent = usual_percent + numbers.casualty_percent * sum(state in (WOUNDED, DEAD) for state in states)
    percent += numbers.gun_out_percent * (condition.firepower == NONE)
    percent += numbers.immobilized_percent * (condition.mobility == NONE)
    return dice.chance(min(percent, numbers.highest_percent) / 100, "crew abandons", "F19")


def effective_skill(condition: Condition, seat: int, skill: float) -> float:
    """F17: what a man's skill comes to: half of it when wounded, nothing when he is out, dead or gone."""
    state = condition.people[seat]
    if state == FIT:
        return skill
    return skill * design().casualties.wounded_skill_factor if state == WOUNDED else 0.0


def added_stress(condition: Condition, seat: int, results: tuple[str, ...] = ()) -> float:
    """Stress from 0 to 1 that a wound (F17) and hits felt inside (F9) put on a man still in his seat.

    `results` are the details of the outcomes he has sat through.
    """
    numbers = design().casualties
    state = condition.people[seat]
    if state not in (FIT, WOUNDED):
        return 0.0
    felt = sum(result in STOPPED for result in results) * numbers.own_tank_hit_stress
    return min(1.0, felt + (numbers.wounded_stress if state == WOUNDED else 0.0))
