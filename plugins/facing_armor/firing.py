"""F17, F23, F26, F27: what the own state of a tank or team that attacks does to its attack."""

from __future__ import annotations

from typing import NamedTuple

from facing_armor.crew import effective_skill
from facing_armor.design import design
from facing_armor.layout import layout, uncovered_body
from facing_armor.state import team_state
from facing_armor.suppression import BROKEN, STEADY, fire_rate, lay_time_factor, level
from mantlet import Attack, Shooter
from mantlet.game.condition import FIT, WOUNDED

PLACES = ("gunner", "commander", "loader")
"""Who fires the gun of a tank: the gunner, else the first of these who can."""


class Layer(NamedTuple):
    """Who lays and fires the gun, and the share of the skill that he has."""

    title: str
    share: float


def uncovered(attack: Attack) -> str | None:
    """F17, F23, F27: why whoever attacks does not fire, if he does not."""
    who = attack.shooter
    if who is None:
        return None
    if attack.weapon.kind == "gun" and _at_the_gun(who) and layer(who) is None:
        return f"F17: nobody is left at the gun of {who} who could fire it."
    if who.target.kind != "team":
        return None
    state = team_state(who.condition)
    if state.unarmed:
        return f"F23: {who} has got out of its vehicle without weapons."
    if attack.delivery != "assaulted" and level(state.suppression) == BROKEN:
        return f"F27: {who} is broken, at a suppression of {state.suppression:g}%, and does not fire."
    return None


def layer(shooter: Shooter) -> Layer | None:
    """F17: the man at the gun of a vehicle: a wounded one has half his skill; None where nobody is at it.

    Whoever takes the gunner's place has the share of the skill that a design choice gives him.
    """
    for place, seat in enumerate(_at_the_gun(shooter)):
        if shooter.condition.people[seat] in (FIT, WOUNDED):
            share = effective_skill(shooter.condition, seat, 1.0)
            stand_in = design().casualties.stand_in_skill_factor if place else 1.0
            return Layer(layout(shooter.target).titles[seat], share * stand_in)
    return None


def _at_the_gun(shooter: Shooter) -> list[int]:
    """The seats from which the gun of a vehicle is fired, its gunner's first; none of what is no such vehicle."""
    if shooter.target.kind != "vehicle" or uncovered_body(shooter.target) is not None:
        return []
    roles = layout(shooter.target).roles
    return [roles[role] for role in PLACES if role in roles]


def skill_share(attack: Attack) -> Layer | None:
    """F17: who fires and at what share of the skill, where that is not the whole of it."""
    found = None if attack.shooter is None else layer(attack.shooter)
    return None if found is None or found.share == 1.0 else found


def pinned_notes(attack: Attack) -> tuple[str, ...]:
    """F26: what a pinned team that fires should be told."""
    who = attack.shooter
    if who is None or who.target.kind != "team" or level(team_state(who.condition).suppression) == STEADY:
        return ()
    rate, laying = fire_rate(who.condition), lay_time_factor(who.target, who.condition)
    text = f"{who} is pinned: it fires at {rate:.0%} of its rate, so make that share of the attacks it would (F26)."
    return (text if laying == 1 else f"{text} Laying its gun takes {laying:g} times as long.",)
