"""The rule body of an attack on a vehicle: the attack roll, then round by round where it lands and what it does.

Where odds do not depend on the order of rounds, it is counted first how many land where: once that is known, so is what
can still happen, and states that can no longer differ merge.
"""

from __future__ import annotations

from typing import Any

from gurps_vehicle.attack import MISS, Strikes
from gurps_vehicle.detail import BLOWN_UP, CRASH, SPILLED, WRECKED, Detail
from gurps_vehicle.exactness import WHOLLY
from gurps_vehicle.fragile import ended, may_burst
from gurps_vehicle.health import DEAD, DOWN, survives
from gurps_vehicle.people import person, state_of
from gurps_vehicle.progress import Progress, Start, finish, miss, start_of
from gurps_vehicle.tables import ORDINARY
from gurps_vehicle.vehicle_impact import Impact, major_wounds, strike_vehicle
from gurps_vehicle.vehicle_people import strike_everybody
from gurps_vehicle.vehicle_plan import Stratum, VehiclePlan
from gurps_vehicle.vehicle_rounds import (
    HURT_BIT,
    NO_ROUND,
    add_round,
    all_of,
    ask_wear,
    feels,
    round_of,
    steps_of,
)
from gurps_vehicle.vehicle_slots import Slot
from gurps_vehicle.vehicle_strike import Strike, land
from gurps_vehicle.vehicle_working import firepower, mobility, move_left
from mantlet import Dice, Outcome, Stage, Step, Then
from mantlet.game.condition import FULL, Condition

# -- where they land -------------------------------------------------------------------------------------------------


def resolve(dice: Dice, plan: VehiclePlan, condition: Condition) -> Outcome | Then:
    """One attack: the attack roll, then where every round lands."""
    if plan.keep not in ("told", "damage", "places") and may_burst(plan.block.fragile, _flags(condition)):
        plan = plan.whole()
    if plan.keep != "told" and any(condition.people):
        plan = plan.by_name(condition.people)
    if plan.yards_off:
        return dice.then(near_miss, plan, start_of(condition, 1))
    strikes = Strikes(1)
    if not plan.attack.given_hit:
        strikes = MISS if plan.check is None else dice.check(plan.check, "attack", "G11")
    if not strikes.hits:
        return miss(condition)
    if plan.keep == "damage" and plan.wears:
        return dice.then(one_of_many, plan, start_of(condition, strikes.hits), strikes.critical)
    # How many rounds struck is told alone: attacks of any length meet in the same states.
    start = start_of(condition, strikes.hits if plan.keep in ("told", "damage") else 1)
    if plan.keep == "places":
        return dice.then(only_places, plan, start, strikes.hits)
    strata = plan.strata(start.detail, strikes.hits)
    if len(strata) == 1:
        ordinary, special = (strikes.hits - 1, 0) if strikes.critical else (strikes.hits, NO_ROUND)
        return dice.then(strike_all, plan, start, strata, (ordinary,), special)
    none = (0,) * len(strata)
    return dice.then(locate, plan, start, strata, none, strikes.hits, strikes.critical, NO_ROUND)


def _flags(condition: Condition) -> int:
    detail = condition.detail
    return detail.flags if isinstance(detail, Detail) else 0


def only_places(dice: Dice, plan: VehiclePlan, start: Start, hits: int) -> Outcome:
    """Where all rounds land, and no more."""
    places = dice.fold(0, (Step(ask_place, add_place, (plan, start)),) * hits)
    return aftermath(dice, plan, start, start.progress._replace(places=places))


def ask_place(places: int, plan: VehiclePlan, start: Start) -> tuple[Stage, tuple[Any, ...]]:
    """The body of one round's landing."""
    return land, (plan, plan.slots, start.detail.people)


def add_place(places: int, slot: Slot, plan: VehiclePlan, start: Start) -> int:
    """The bits of places struck, with one more."""
    return places | plan.place_bit(slot)


def locate(
    dice: Dice,
    plan: VehiclePlan,
    start: Start,
    strata: tuple[Stratum, ...],
    counts: tuple[int, ...],
    left: int,
    critical: bool,
    special: int,
) -> Outcome | Then:
    """Where one more round lands. `counts` has the rounds by stratum, `special` the stratum of a critical one."""
    landed = land(dice, plan, plan.slots, start.detail.people)
    at = next(i for i, stratum in enumerate(strata) if landed in stratum)
    if critical:
        special = at
    else:
        counts = (*counts[:at], counts[at] + 1, *counts[at + 1 :])
    if left > 1:
        return dice.then(locate, plan, start, strata, counts, left - 1, False, special)
    return dice.then(strike_all, plan, start, strata, counts, special)


# -- what they do ----------------------------------------------------------------------------------------------------


def strike_all(
    dice: Dice,
    plan: VehiclePlan,
    start: Start,
    strata: tuple[Stratum, ...],
    counts: tuple[int, ...],
    special: int,
) -> Then:
    """All rounds strike, one after the other: what each does is worked out apart and added to the state."""
    key = (start, strata, counts, special)
    steps = plan.known.get(key)
    if steps is None:
        steps = plan.known[key] = steps_of(plan, start, strata, counts, special)
    state = start.progress
    if plan.wears:
        wear = (state.lost, state.crippled, state.flags, state.people, state.majors)
        lost, crippled, flags, people, majors = dice.fold(wear, steps)
        state = state._replace(lost=lost, crippled=crippled, flags=flags, people=people, majors=majors)
    elif plan.one_by_one:
        state = state._replace(people=dice.fold(state.people, steps))
    else:
        state = dice.fold(state, steps)
    return dice.then(aftermath, plan, start, state)


def near_miss(dice: Dice, plan: VehiclePlan, start: Start) -> Then:
    """An explosion some way off (G26): the body by the mean of its DR and the least exposed, people in the open."""
    impact: Impact = dice.settle(strike_vehicle, plan, plan.body, ORDINARY, 0, WHOLLY)
    people = start.detail.people
    if plan.keep not in ("damage", "fire"):
        people = dice.settle(strike_everybody, plan, people)
    state = start.progress._replace(places=plan.place_bit(plan.body))
    strike = Strike(impact, people, state.animals)
    state = add_round(state, strike, round_of(plan, start, (plan.body,), False))
    return dice.then(aftermath, plan, start, state)


def one_of_many(dice: Dice, plan: VehiclePlan, start: Start, critical: bool) -> Outcome:
    """Expected damage where no armor is shot away: one round at even odds, counted for all of them."""
    dealt = dice.settle(one_of_them, plan, start, critical) * start.hits
    return finish(start, start.progress._replace(dealt=dealt), (), FULL, FULL, out=False)


def one_of_them(dice: Dice, plan: VehiclePlan, start: Start, critical: bool) -> int:
    """What one round takes. Of those before it, it matters what they cripple, if they can shoot away a part."""
    detail, crippled = start.detail, start.detail.crippled
    before = dice.one_of(range(start.hits), "which round")
    critical, special = critical and not before, 0 if critical and before else NO_ROUND
    if before and any(
        slot.code.acts == "part" and crippled.count(slot.code.code) + before >= slot.count for slot in plan.slots
    ):
        steps = steps_of(plan, start, (plan.slots,), (before - (special != NO_ROUND),), special)
        _, crippled, _, _, _ = dice.fold((0, crippled, 0, detail.people, ()), steps)
    this = round_of(plan, start, plan.slots, critical)
    stage, arguments = ask_wear((0, crippled, 0, detail.people, ()), this)
    impact: Impact = dice.settle(stage, *arguments).impact
    return impact.injury if feels(impact, crippled) else 0


# -- what it comes to ------------------------------------------------------------------------------------------------


def aftermath(dice: Dice, plan: VehiclePlan, start: Start, state: Progress) -> Outcome:
    """HP thresholds, an explosion aboard, and what all of it comes to."""
    block = plan.block
    hurt = bool(state.effects & HURT_BIT)
    if plan.keep in ("touched", "people", "places", "damage"):
        state = state._replace(effects=state.effects & ~HURT_BIT, people=all_of(state.people, start))
        return finish(start, state, plan.places, FULL, FULL, out=False, hurt=hurt)
    flags = state.flags
    if state.majors:
        flags = dice.settle(major_wounds, plan, state.majors, flags)
    people = state.people
    if (hurt or state.lost > start.detail.lost) and state.lost >= block.hp and not flags & WRECKED:
        bursts = may_burst(block.fragile, start.detail.flags)
        end = survives(dice, plan.health, start.detail.lost, state.lost, plan.target.name, bursts=bursts)
        flags |= ended(dice, block.fragile, block.hp, end)
    if flags & BLOWN_UP and not start.detail.flags & BLOWN_UP:
        dead = person(0, DEAD)
        people = tuple([dead if code >= 0 and i in plan.inside else code for i, code in enumerate(people)])
    flags |= _falls(plan, start, state)
    masts_lost = state.crippled.count("M")
    if masts_lost > start.detail.crippled.count("M"):
        masts = sum(f.count for f in plan.parts if f.code.code == "M")
        dice.note("G22", "Move is {}/{} of what it was.", *move_left(masts, masts_lost))
    state = state._replace(flags=flags, people=people, effects=state.effects & ~HURT_BIT, majors=())
    aboard = [code for code in people if code >= 0]
    out = bool(flags & CRASH) or (bool(aboard) and not any(state_of(code) < DOWN for code in aboard))
    moves = mobility(plan, state.crippled, flags, state.animals)
    shoots = firepower(plan, state.crippled, flags)
    return finish(start, state, plan.places, moves, shoots, out=out, hurt=hurt)


def _falls(plan: VehiclePlan, start: Start, state: Progress) -> int:
    """What this attack brings down: an aircraft by wings or rotors, what stands on runners by one of them."""
    flags = 0
    before = start.detail.crippled
    if plan.block.flying and any(state.crippled.count(code) > before.count(code) for code in ("H", "Wi")):
        flags |= CRASH
    if "R" in state.crippled and "R" not in before:
        flags |= SPILLED
    return flags
