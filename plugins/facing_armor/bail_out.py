"""F18, F21 to F23: the brew-up clock, getting out in seat order, men killed inside, and the crew as a team."""

from __future__ import annotations

from typing import NamedTuple

from facing_armor.design import design
from facing_armor.layout import Layout
from facing_armor.state import NOT_ROLLED, ROUNDING, TeamState, VehicleState, came_about, vehicle_state, with_state
from facing_armor.suppression import COMPLETE, settled
from mantlet import Condition, Dice, Passage, Seat, Target, changes
from mantlet.game.condition import DEAD, FIT, GONE, NONE, OUT, WOUNDED


class BailedOut(NamedTuple):
    """The men who are out of a vehicle: `Passage.detail` of a span of time. `crew_team` makes them a team (F23)."""

    men: int
    wounded: int


def vehicle_time(dice: Dice, vehicle: Layout, condition: Condition, seconds: float) -> Passage:
    """A span of time for a vehicle: nothing, unless it is knocked out; then the crew gets out, and a fire burns on.

    F18: a burning vehicle brews up within seconds, rolled once. F22: whoever is inside then is killed.
    """
    state = vehicle_state(condition)
    if not (condition.knocked_out or condition.on_fire) or seconds <= 0:
        return Passage(condition)
    burning = condition.on_fire and not condition.destroyed
    left = state.brew_up_s
    if burning and left == NOT_ROLLED:
        left = float(dice.roll(design().bail_out.brew_up_dice, "seconds until the brew-up", "F18"))
    brews_up = burning and seconds >= left
    span = min(seconds, left) if burning else seconds
    people, turret_s, carried = _get_out(dice, vehicle, condition.people, vehicle.turret_seats, state.turret_s + span)
    people, hull_s, more = _get_out(dice, vehicle, people, vehicle.hull_seats, state.hull_s + span)
    wounded_out = state.wounded_out + carried + more
    if brews_up:
        return _brew_up(dice, condition, people, state._replace(wounded_out=wounded_out))
    left = round(left - seconds, ROUNDING) if burning else left
    detail = state._replace(brew_up_s=left, turret_s=turret_s, hull_s=hull_s, wounded_out=wounded_out)
    # A vehicle set on fire under other rules need not have been out of the fight.
    after = with_state(condition._replace(people=people, knocked_out=True), detail)
    return Passage(after, came_about(condition, after), detail=_bailed_out(dice, after))


def _bailed_out(dice: Dice, condition: Condition) -> BailedOut | None:
    """F23: who has got out so far, told."""
    out = _out(condition)
    if out is not None:
        dice.note("F23", "{} out, {} of them wounded: a team without weapons, suppression {:g}%", *out, COMPLETE)
    return out


def _out(condition: Condition) -> BailedOut | None:
    men = condition.people.count(GONE)
    return BailedOut(men, min(men, vehicle_state(condition).wounded_out)) if men else None


def _get_out(
    dice: Dice, vehicle: Layout, people: tuple[int, ...], seats: tuple[int, ...], seconds: float
) -> tuple[tuple[int, ...], float, int]:
    """F21: those of one compartment leave one after the other, in seat order.

    Gives the states, the seconds that the man now in the hatch has spent, and how many wounded were carried out.
    """
    times = design().bail_out
    changed = list(people)
    carried = 0
    for seat in seats:
        state = changed[seat]
        if state not in (FIT, WOUNDED, OUT):
            continue
        needed = times.seconds_unwounded if state == FIT else times.seconds_wounded
        if seconds < needed - 1e-9:
            return tuple(changed), round(seconds, ROUNDING), carried
        seconds -= needed
        changed[seat] = GONE
        carried += state != FIT
        verb = "gets out" if state == FIT else "is carried out"
        dice.note("F21", "{} {} ({:g} s)", vehicle.titles[seat], verb, needed)
    return tuple(changed), 0.0, carried


def _brew_up(dice: Dice, condition: Condition, people: tuple[int, ...], state: VehicleState) -> Passage:
    """F22: the brew-up completes; `condition` is the one before the span, `people` are those left inside then."""
    after = tuple([DEAD if p in (FIT, WOUNDED, OUT) else p for p in people])
    burnt = condition._replace(people=after, destroyed=True, knocked_out=True)
    killed = changes(condition, burnt).killed
    dice.note("F22", "It brews up; {} still inside and killed", killed)
    burnt = with_state(burnt, state._replace(brew_up_s=0.0, turret_s=0.0, hull_s=0.0))
    return Passage(burnt, came_about(condition, burnt), killed=killed, detail=_bailed_out(dice, burnt))


def crew_team(target: Target, condition: Condition) -> tuple[Target, Condition] | None:
    """F23: the men who got out of a vehicle, as an infantry team and its condition.

    None when nobody did, and while somebody alive is still inside. No weapons, strength equal to the
    survivors, full suppression.
    """
    out = _out(condition)
    if out is None or any(state in (FIT, WOUNDED, OUT) for state in condition.people):
        return None
    team = Target(
        id=f"{target.id}_crew_of_{out.men}",
        name=f"Bailed-out crew of {target.name}",
        kind="team",
        body="infantry",
        nation=target.nation,
        running_gear="legs",
        seats=(Seat(role="crewman", compartment="none", count=out.men, exposed=True),),
    )
    people = (FIT,) * (out.men - out.wounded) + (WOUNDED,) * out.wounded
    state = TeamState(suppression=COMPLETE, unarmed=True)
    return team, settled(Condition(people=people, firepower=NONE), people, state)
