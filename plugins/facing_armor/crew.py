"""F9, F16, F17, F19: how a man who is hit fares, what wounds and hits on the own tank do to those in their seats, and
whether they stay there."""

from __future__ import annotations

import math

from facing_armor.design import design
from facing_armor.state import vehicle_state, with_state
from mantlet import Condition, Dice
from mantlet.game.condition import DEAD, FIT, NONE, WOUNDED


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


def feel(condition: Condition) -> Condition:
    """F9: an own-tank hit that did not penetrate: whoever still fights inside has heard and felt one more."""
    if condition.knocked_out or not (FIT in condition.people or WOUNDED in condition.people):
        return condition
    state = vehicle_state(condition)
    return with_state(condition, state._replace(felt=min(state.felt + 1, most_felt())))


def most_felt() -> int:
    """F9: the own-tank hits after which stress is complete, so that one more tells nobody anything."""
    return math.ceil(1 / design().casualties.own_tank_hit_stress)


def frozen(condition: Condition, seat: int) -> bool:
    """F30: whether a man in his seat is so shaken by hits and wounds that he does not act."""
    return stress(condition, seat) >= design().casualties.frozen_stress


def stress(condition: Condition, seat: int) -> float:
    """Stress from 0 to 1 of a man still in his seat: from a wound (F17), and from own-tank hits felt inside (F9)."""
    numbers = design().casualties
    state = condition.people[seat]
    if state not in (FIT, WOUNDED):
        return 0.0
    felt = vehicle_state(condition).felt * numbers.own_tank_hit_stress
    return min(1.0, felt + (numbers.wounded_stress if state == WOUNDED else 0.0))
