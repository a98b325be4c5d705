"""F24 to F29: suppression and strength of teams and gun crews, and what both come to."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

from facing_armor.design import design
from facing_armor.state import ROUNDING, TeamState, came_about, team_state, with_state
from mantlet import Condition, Dice, Passage, Sighting, Target, Then, Threat
from mantlet.game.condition import DEAD, FIT, FULL, GONE, NONE, REDUCED, WOUNDED

COMPLETE: Final = 100.0
STEADY, PINNED, BROKEN = "steady", "pinned", "broken"
INEFFECTIVE, GONE_AWAY, WIPED_OUT = "ineffective", "gone", "destroyed"


def raised(suppression: float, by: float) -> float:
    """Suppression raised, never above complete (F25)."""
    return min(COMPLETE, round(suppression + by, ROUNDING))


def level(suppression: float) -> str:
    """F26, F27: `steady`, `pinned` or `broken`."""
    numbers = design().suppression
    if suppression >= numbers.broken:
        return BROKEN
    return PINNED if suppression >= numbers.pinned else STEADY


def strength(condition: Condition) -> int:
    """F29: the men still in it; the lightly wounded of a bailed-out crew count."""
    return condition.people.count(FIT) + condition.people.count(WOUNDED)


@lru_cache(maxsize=1024)
def last_few(size: int) -> int:
    """F29: at this strength or below, a team of this size is combat-ineffective."""
    numbers = design().team
    return min(numbers.last_few_men, int(size * numbers.last_few_share))


def burst_hits_man(rounds: int) -> float:
    """F29: the chance that a burst of so many rounds, on the team, hits a given man in the open."""
    return 1.0 - (1.0 - design().team.burst_man_percent_a_round / 100) ** rounds


def standing(condition: Condition) -> str:
    """What a team is worth: steady, pinned, broken, ineffective, gone or destroyed."""
    people = condition.people
    if condition.destroyed:
        return WIPED_OUT
    able = strength(condition)
    if able == 0 and people.count(GONE):
        return GONE_AWAY
    if able <= last_few(len(people)):
        return INEFFECTIVE
    return level(team_state(condition).suppression)


def settled(before: Condition, people: tuple[int, ...], state: TeamState, *, recovers: bool = False) -> Condition:
    """The condition of a team with these men and this suppression.

    Only time lets a team recover: under fire nothing that it had lost comes back.
    """
    able = strength(before._replace(people=people))
    now = level(state.suppression)
    pinned, broken = now != STEADY, now == BROKEN
    spent = able <= last_few(len(people))
    mobility = NONE if pinned or able == 0 else FULL
    firepower = NONE if broken or state.unarmed or able == 0 else (REDUCED if pinned else FULL)
    out = broken or spent
    if not recovers:
        mobility, firepower = max(mobility, before.mobility), max(firepower, before.firepower)
        out = out or before.knocked_out
    after = before._replace(
        mobility=mobility,
        firepower=firepower,
        knocked_out=out or before.destroyed,
        destroyed=before.destroyed or (bool(people) and all(p == DEAD for p in people)),
        people=people,
    )
    return with_state(after, state)


def adopted(target: Target, condition: Condition) -> Condition:
    """A team's condition under another ruleset, with the suppression that its neutral facts come to."""
    if strength(condition) == 0:
        return condition.neutral
    numbers = design().suppression
    suppression = 0.0
    if condition.knocked_out and strength(condition) > last_few(len(condition.people)):
        suppression = float(numbers.broken)
    elif condition.mobility == NONE:
        suppression = float(numbers.pinned)
    unarmed = condition.firepower == NONE and suppression < numbers.broken
    return with_state(condition.neutral, TeamState(suppression=suppression, unarmed=unarmed))


class TeamReport(NamedTuple):
    """What a team can do now: `Passage.detail` of a span of time.

    `fire_rate` is the share of its usual rate (F26, F27), `lay_time_factor` how many times as long laying a gun takes
    (F26), `runs` whether it has left and falls back (F28).
    """

    standing: str
    fire_rate: float
    lay_time_factor: float
    moves: bool
    runs: bool


# -- what suppression does ------------------------------------------------------------------------------------------


def fire_rate(condition: Condition) -> float:
    """F26, F27: the share of its usual rate at which a team fires: half when pinned, not at all when broken."""
    now = standing(condition)
    if now == STEADY:
        return 0.0 if team_state(condition).unarmed else 1.0
    return design().suppression.pinned_fire_rate if now == PINNED and condition.firepower != NONE else 0.0


def can_move(condition: Condition) -> bool:
    """F26: a pinned team does not move; a broken one moves only to leave."""
    return standing(condition) == STEADY


def lay_time_factor(target: Target, condition: Condition) -> float:
    """F26: how many times as long laying the gun takes: twice for a pinned gun crew."""
    pinned = target.body == "gun_crew" and level(team_state(condition).suppression) != STEADY
    return design().suppression.pinned_lay_time if pinned else 1.0


def report(target: Target, condition: Condition) -> TeamReport:
    """F26: what this team can do in this condition: pinned, it stays where it is and fires at half the rate."""
    now = standing(condition)
    return TeamReport(
        now, fire_rate(condition), lay_time_factor(target, condition), can_move(condition), now == GONE_AWAY
    )


def threatened(condition: Condition, threat: Threat) -> Condition:
    """A team with enemy vehicles about: one that closes suppresses it (F24), and it runs from the nearest (F28)."""
    state = team_state(condition)
    if threat.closing is not None:
        state = state._replace(closing=threat.closing)
    return with_state(condition, state._replace(enemies=threat.vehicles or state.enemies))


def falls_back(dice: Dice, state: TeamState) -> TeamState:
    """F28: a running team replans: it goes straight away from the nearest enemy vehicle that it knows of.

    With one on the very spot it has no way to prefer, and runs the way that the bearing says.
    """
    if not state.enemies:
        dice.note("F28", "It runs; no enemy vehicle is known that it would run from")
        return state
    step = design().suppression.fall_back_m
    away = (min(state.enemies).bearing_deg + 180) % 360
    after = tuple([_seen_from(enemy, step, away) for enemy in state.enemies])
    dice.note("F28", "It falls back {:g} m on bearing {:g}: nearest enemy {:.0f} m", step, away, min(after).distance_m)
    return state._replace(enemies=after, fell_back_m=round(state.fell_back_m + step, ROUNDING))


def _seen_from(enemy: Sighting, step_m: float, course_deg: float) -> Sighting:
    """Where an enemy is as seen by a team that has gone this far on this course."""
    angle, course = math.radians(enemy.bearing_deg), math.radians(course_deg)
    east = enemy.distance_m * math.sin(angle) - step_m * math.sin(course)
    north = enemy.distance_m * math.cos(angle) - step_m * math.cos(course)
    bearing = round(math.degrees(math.atan2(east, north)) % 360, PLACE_DECIMALS) % 360
    return Sighting(round(math.hypot(east, north), PLACE_DECIMALS), bearing)


PLACE_DECIMALS: Final = 3
"""Decimals kept of meters and degrees."""


# -- time -----------------------------------------------------------------------------------------------------------


def team_time(dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
    """F24, F25, F27: a span of time for a team. Suppression decays; broken teams may leave at the end of a period."""
    return periods(dice, target, condition, condition, seconds)


def periods(dice: Dice, target: Target, start: Condition, condition: Condition, seconds: float) -> Passage | Then:
    """F25: suppression decays, as far as the next roll to leave or to the end of the span."""
    numbers = design().suppression
    state = team_state(condition)
    while seconds > 0 and not condition.destroyed:
        if state.suppression == 0 and not state.closing:
            clock = (state.clock_s + seconds) % numbers.period_seconds
            state = state._replace(clock_s=_clean(clock, numbers.period_seconds))
            break
        step = min(seconds, numbers.period_seconds - state.clock_s)
        seconds = round(seconds - step, ROUNDING)
        suppression = max(0.0, round(state.suppression - numbers.decay_per_second * step, ROUNDING))
        state = state._replace(suppression=suppression, clock_s=round(state.clock_s + step, ROUNDING))
        if state.clock_s >= numbers.period_seconds - 1e-9:
            state = state._replace(clock_s=0.0)
            if state.closing:
                state = state._replace(suppression=raised(state.suppression, numbers.tank_closing))
                dice.note("F24", "A tank closes on the team: suppression {:g}%", state.suppression)
            condition = settled(condition, condition.people, state, recovers=True)
            if strength(condition) and level(state.suppression) == BROKEN:
                return dice.then(rolls_to_leave, target, start, condition, seconds)
            if standing(condition) == GONE_AWAY and state.enemies:
                state = falls_back(dice, state)
    after = settled(condition, condition.people, state, recovers=True)
    told = report(target, after)
    dice.note("F25", "Suppression {:g}%: {}", state.suppression, told.standing)
    return Passage(after, came_about(start, after), detail=told)


def _clean(seconds: float, period: float) -> float:
    rounded = round(seconds, ROUNDING)
    return 0.0 if rounded >= period else rounded


def rolls_to_leave(
    dice: Dice, target: Target, start: Condition, condition: Condition, seconds: float
) -> Passage | Then:
    """F27: at the end of a period a broken team may leave; a gun crew half as often."""
    numbers = design().suppression
    gun_crew = target.body == "gun_crew"
    percent = numbers.leave_gun_crew_percent if gun_crew else numbers.leave_infantry_percent
    if dice.chance(percent / 100, "the broken team leaves", "F27"):
        people = tuple([GONE if p in (FIT, WOUNDED) else p for p in condition.people])
        condition = settled(condition, people, falls_back(dice, team_state(condition)), recovers=True)
    return dice.then(periods, target, start, condition, seconds)
