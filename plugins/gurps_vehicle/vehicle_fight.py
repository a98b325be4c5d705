"""The rule body of an attack on a vehicle: the attack roll, where every round lands, then what one by one they do.

Locations of all rounds come first: once they are known, so is what can still happen, and states that can no longer
differ merge.
"""

from __future__ import annotations

from gurps_vehicle.attack import MISS, Strikes
from gurps_vehicle.detail import BLOWN_UP, CRASH, GUN, JAM, POWER, SPILLED, STOPPED, WRECKED, legs_level
from gurps_vehicle.health import DEAD, DOWN, survives
from gurps_vehicle.people import person, state_of
from gurps_vehicle.progress import Progress, Start, finish, miss, start_of
from gurps_vehicle.tables import ORDINARY
from gurps_vehicle.vehicle_impact import Impact, major_wounds, strike_vehicle
from gurps_vehicle.vehicle_people import strike_everybody
from gurps_vehicle.vehicle_plan import Choice, Slot, Stratum, VehiclePlan
from gurps_vehicle.vehicle_rounds import HURT_BIT, NO_ROUND, Strike, add_round, ask_wear, feels, round_of, steps_of
from mantlet import Dice, Outcome, Then
from mantlet.condition import FULL, NONE, REDUCED, Condition

# -- where they land -------------------------------------------------------------------------------------------------


def resolve(dice: Dice, plan: VehiclePlan, condition: Condition) -> Outcome | Then:
    """One attack: the attack roll, then where every round lands."""
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
    strata = plan.strata(start.detail, strikes.hits)
    none = (0,) * len(strata)
    return dice.then(locate, plan, start, strata, none, strikes.hits, strikes.critical, NO_ROUND)


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
    landed = land(dice, plan, start)
    at = next(i for i, stratum in enumerate(strata) if landed in stratum)
    if critical:
        special = at
    else:
        counts = (*counts[:at], counts[at] + 1, *counts[at + 1 :])
    if left > 1:
        return dice.then(locate, plan, start, strata, counts, left - 1, False, special)
    places = 0
    if plan.keep in ("told", "places"):
        for i, count in enumerate(counts):
            if count or i == special:
                places |= plan.place_bit(strata[i][0])
    state = start.progress._replace(places=places)
    if plan.keep == "places":
        return aftermath(dice, plan, start, state)
    return dice.then(strike_all, plan, start, state, strata, counts, special)


def land(dice: Dice, plan: VehiclePlan, start: Start) -> Slot:
    """Where a round lands (G11-G13)."""
    slot = plan.aimed
    if slot is None:
        picked = dice.pick(plan.table, "hit location", "G11")
        slot = dice.one_of(picked.slots, "which location", "G13") if isinstance(picked, Choice) else picked
        assert slot is not None
    if slot.code.acts == "person" and not any(start.detail.people[i] >= 0 for i in slot.seats):
        dice.note("G18", "Nobody is there: the body is struck.")
        slot = plan.body
    return slot


# -- what they do ----------------------------------------------------------------------------------------------------


def strike_all(
    dice: Dice,
    plan: VehiclePlan,
    start: Start,
    state: Progress,
    strata: tuple[Stratum, ...],
    counts: tuple[int, ...],
    special: int,
) -> Then:
    """All rounds strike, one after the other: what each does is worked out apart and added to the state."""
    key = (start, strata, counts, special)
    steps = plan.known.get(key)
    if steps is None:
        steps = plan.known[key] = steps_of(plan, start, strata, counts, special)
    if plan.wears:
        lost, crippled, flags, people = dice.fold((state.lost, state.crippled, state.flags, state.people), steps)
        state = state._replace(lost=lost, crippled=crippled, flags=flags, people=people)
    else:
        state = dice.fold(state, steps)
    return dice.then(aftermath, plan, start, state)


def near_miss(dice: Dice, plan: VehiclePlan, start: Start) -> Then:
    """An explosion some way off (G26): the body by the mean of its DR and the least exposed, people in the open."""
    impact: Impact = dice.settle(strike_vehicle, plan, plan.body, ORDINARY, 0, True)
    people = start.detail.people
    if plan.keep not in ("damage", "fire"):
        people = dice.settle(strike_everybody, plan, people)
    state = start.progress._replace(places=plan.place_bit(plan.body))
    state = add_round(state, Strike(impact, people, state.animals), round_of(plan, start, (plan.body,), False))
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
        _, crippled, _, _ = dice.fold((0, crippled, 0, detail.people), steps)
    this = round_of(plan, start, plan.slots, critical)
    stage, arguments = ask_wear((0, crippled, 0, detail.people), this)
    impact: Impact = dice.settle(stage, *arguments).impact
    return impact.injury if feels(impact, crippled) else 0


# -- what it comes to ------------------------------------------------------------------------------------------------


def aftermath(dice: Dice, plan: VehiclePlan, start: Start, state: Progress) -> Outcome:
    """HP thresholds, an explosion aboard, and what all of it comes to."""
    block = plan.block
    hurt = bool(state.effects & HURT_BIT)
    if plan.keep in ("people", "places", "damage"):
        state = state._replace(effects=state.effects & ~HURT_BIT)
        return finish(start, state, plan.places, FULL, FULL, out=False, hurt=hurt)
    flags = state.flags
    if state.majors:
        flags = dice.settle(major_wounds, plan, state.majors, flags)
    people = state.people
    if (hurt or state.lost > start.detail.lost) and state.lost >= block.hp and not flags & WRECKED:
        end = survives(dice, plan.health, start.detail.lost, state.lost, plan.target.name)
        if end == DEAD:
            flags |= WRECKED | STOPPED
            if "x" in block.fragile:
                dice.note("G25", "What is explosive aboard goes up.")
                flags |= BLOWN_UP
        elif end == DOWN:
            flags |= STOPPED
    if flags & BLOWN_UP and not start.detail.flags & BLOWN_UP:
        dead = person(0, DEAD)
        people = tuple([dead if code >= 0 and i in plan.inside else code for i, code in enumerate(people)])
    flags |= _falls(plan, state)
    masts_lost = state.crippled.count("M")
    if masts_lost > start.detail.crippled.count("M"):
        masts = sum(f.count for f in plan.parts if f.code.code == "M")
        dice.note("G22", "Move is {}/{} of what it was.", *move_left(masts, masts_lost))
    state = state._replace(flags=flags, people=people, effects=state.effects & ~HURT_BIT, majors=())
    aboard = [code for code in people if code >= 0]
    out = bool(flags & CRASH) or (bool(aboard) and not any(state_of(code) < DOWN for code in aboard))
    return finish(start, state, plan.places, mobility(plan, state), firepower(plan, state), out=out, hurt=hurt)


def _falls(plan: VehiclePlan, state: Progress) -> int:
    flags = 0
    if plan.block.flying and any(code in ("H", "Wi") for code in state.crippled):
        flags |= CRASH
    if "R" in state.crippled:
        flags |= SPILLED
    return flags


def mobility(plan: VehiclePlan, state: Progress) -> int:
    """Mobility by what is crippled: tracks and runners stop it, wheels count as legs, masts and power slow it."""
    counts = {f.code.code: f.count for f in plan.parts}
    level = REDUCED if state.flags & POWER else FULL
    for code in dict.fromkeys(state.crippled):
        gone = state.crippled.count(code)
        loses = next((f.code.loses for f in plan.parts if f.code.code == code), "")
        if loses == "all mobility":
            return NONE
        if loses == "legs":
            level = max(level, legs_level(gone, counts[code]))
        elif loses == "masts":
            level = max(level, NONE if gone >= counts[code] else REDUCED)
        elif loses == "flight":
            level = max(level, NONE if plan.block.flying else REDUCED)
    if state.animals and all(state_of(a) >= DOWN for a in state.animals):
        return NONE
    if any(state_of(a) >= DOWN for a in state.animals):
        level = max(level, REDUCED)
    return level


def move_left(masts: int, lost: int) -> tuple[int, int]:
    """Move left to a sailing vessel as a fraction: each mast lost takes 1/masts (G22)."""
    return max(0, masts - lost), masts


def firepower(plan: VehiclePlan, state: Progress) -> int:
    """Firepower by what is out: the main weapon, a jammed turret, mounts and small turrets."""
    if state.flags & GUN:
        return NONE
    armed = {f.code.code: f.count for f in plan.parts if f.code.loses == "firepower"}
    gone = sum(1 for code in state.crippled if code in armed)
    if gone and gone >= sum(armed.values()) and "main_gun" not in plan.target.components:
        return NONE
    return REDUCED if gone or state.flags & JAM else FULL
