"""The rule body of an attack on a vehicle: the attack roll, where every round lands, then what one by one they do.

Locations of all rounds come first: once they are known, so is what can still happen, and states that can no longer
differ merge.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from gurps_vehicle.attack import MISS, Strikes
from gurps_vehicle.detail import BLOWN_UP, CRASH, GUN, JAM, POWER, SPILLED, STOPPED, WRECKED
from gurps_vehicle.health import DEAD, DOWN, survives
from gurps_vehicle.people import person, state_of
from gurps_vehicle.progress import Progress, Start, finish, miss, start_of
from gurps_vehicle.tables import HIT, ORDINARY, critical_rolls, occupant_check
from gurps_vehicle.vehicle_impact import Exactness, Impact, major_wounds, passed, strike_vehicle
from gurps_vehicle.vehicle_people import (
    body_as_cover,
    number_inside,
    strike_animal,
    strike_around,
    strike_everybody,
    strike_inside,
    strike_person,
)
from gurps_vehicle.vehicle_plan import Choice, Slot, VehiclePlan
from mantlet import Dice, Outcome, Then
from mantlet.condition import FULL, NONE, REDUCED, Condition
from mantlet.effects import PENETRATED

HURT_BIT: Final = 1 << 20
"""Set among the effects while rounds strike: the vehicle has taken injury, however much."""
NO_ROUND: Final = -1


class Strike(NamedTuple):
    """What one round does in all: to the vehicle, to everybody aboard, to draft animals."""

    impact: Impact
    people: tuple[int, ...]
    animals: tuple[int, ...]


# -- where they land -------------------------------------------------------------------------------------------------


def resolve(dice: Dice, plan: VehiclePlan, condition: Condition) -> Outcome | Then:
    """One attack: the attack roll, then where every round lands."""
    if plan.keep != "told" and any(condition.people):
        plan = plan.by_name()
    if plan.yards_off:
        return dice.then(near_miss, plan, start_of(condition, 1))
    strikes = Strikes(1)
    if not plan.attack.given_hit:
        strikes = MISS if plan.check is None else dice.check(plan.check, "attack", "G11")
    if not strikes.hits:
        return miss(condition)
    if plan.keep == "damage" and adds_up(plan, condition, strikes.hits):
        return dice.then(one_of_many, plan, start_of(condition, strikes.hits), strikes.critical)
    none = (0,) * len(plan.slots)
    return dice.then(locate, plan, start_of(condition, strikes.hits), none, strikes.hits, strikes.critical, NO_ROUND)


def locate(
    dice: Dice, plan: VehiclePlan, start: Start, counts: tuple[int, ...], left: int, critical: bool, special: int
) -> Outcome | Then:
    """Where one more round lands. `counts` has the rounds by slot, `special` the slot of a critical one."""
    at = plan.slots.index(land(dice, plan, start))
    if critical:
        special = at
    else:
        counts = (*counts[:at], counts[at] + 1, *counts[at + 1 :])
    if left > 1:
        return dice.then(locate, plan, start, counts, left - 1, False, special)
    places = 0
    if plan.keep in ("told", "places"):
        for i, count in enumerate(counts):
            if count or i == special:
                places |= plan.place_bit(plan.slots[i])
    state = start.progress._replace(places=places)
    if plan.keep == "places":
        return aftermath(dice, plan, start, state)
    return dice.then(next_round, plan, start, state, counts, special)


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


def next_round(
    dice: Dice, plan: VehiclePlan, start: Start, state: Progress, counts: tuple[int, ...], special: int
) -> Then:
    """The next round strikes; what it does is worked out apart and added to the state. A critical one goes first."""
    critical = special != NO_ROUND and (plan.keep != "damage" or not any(counts))
    at, rest, to_come = (special, counts, plan.to_come(counts)) if critical else plan.next_of(counts)
    if critical:
        special = NO_ROUND
    left = sum(rest) + (special != NO_ROUND)
    with_people = plan.keep in ("told", "joint", "people") or (
        plan.keep == "vehicle" and plan.can_end(state.people, left + 1)
    )
    # Whether the size of an injury can still make a difference: a threshold has to be in reach.
    exact: Exactness = plan.keep in ("told", "damage")
    if plan.keep in ("vehicle", "joint"):
        hp = plan.block.hp
        exact = state.lost + plan.most_injury[at][critical] + to_come >= (state.lost // hp + 1) * hp
        if exact and not left:
            exact = (start.detail.lost, state.lost)
    strike = dice.settle(
        one_round, plan, plan.slots[at], state.people, state.animals, state.ablated, critical, exact, with_people
    )
    state = _add(plan, start, state, strike, left, to_come)
    if left:
        return dice.then(next_round, plan, start, state, rest, special)
    return dice.then(aftermath, plan, start, state)


def one_round(
    dice: Dice,
    plan: VehiclePlan,
    slot: Slot,
    people: tuple[int, ...],
    animals: tuple[int, ...],
    ablated: tuple[tuple[str, int], ...],
    critical: bool,
    exact: Exactness,
    with_people: bool,
) -> Strike:
    """What one round does where it lands; to people only where their state is kept."""
    effect = ORDINARY
    if critical and plan.options.criticals:
        effect = dice.pick(critical_rolls("critical_hit"), "critical hit", "CRIT")
    if slot.code.acts == "animal":
        if plan.keep not in ("damage", "people"):
            animals = strike_animal(dice, plan, effect, animals)
        return Strike(Impact(slot, through=True), people, animals)
    present = [i for i in slot.seats if people[i] >= 0]
    number = number_inside(plan, present) if slot.code.acts == "window" else 0
    if slot.code.acts == "person" or (
        number and dice.check(occupant_check(number), "somebody behind the window", "G20") == HIT
    ):
        impact = Impact(slot, through=True)
        cover = body_as_cover(plan) if slot.code.acts == "person" else None
        rolled = None
        if cover is not None:
            # One roll serves for him and for what is behind him.
            rolled = dice.roll(plan.shot.dice, f"damage {plan.shot.text}", "DMG")
            behind: Impact = dice.settle(strike_vehicle, plan, plan.body, effect, -cover, exact, rolled)
            impact = behind._replace(dice_inside=0, through=True)
        if with_people:
            people = strike_person(dice, plan, slot, effect, people, present, rolled)
        return Strike(_kept(plan, impact), people, animals)
    if number:
        present = []  # whether somebody is in the way has been asked
    impact = dice.settle(strike_vehicle, plan, slot, effect, _worn(plan, slot, ablated), exact)
    if with_people:
        people = strike_inside(dice, plan, people, present, impact.dice_inside)
        if plan.wide:
            people = strike_around(dice, plan, people)
    return Strike(_kept(plan, impact), people, animals)


def _worn(plan: VehiclePlan, slot: Slot, ablated: tuple[tuple[str, int], ...]) -> int:
    return dict(ablated).get(slot.dr_key, 0) if plan.block.stats.ablative else 0


def _kept(plan: VehiclePlan, impact: Impact) -> Impact:
    """What of an impact the state goes on with: where nothing more is told, like results are one."""
    if plan.keep == "told":
        return impact._replace(dice_inside=0)
    matters = impact.slot.code.acts == "part" or impact.stopped
    slot = impact.slot if matters else plan.body
    return impact._replace(dice_inside=0, slot=slot, through=impact.through and plan.keep not in ("vehicle", "damage"))


def _add(plan: VehiclePlan, start: Start, state: Progress, strike: Strike, left: int, to_come: int) -> Progress:
    """The state after one more round. Excess damage to what is already crippled is lost."""
    impact, keep = strike.impact, plan.keep
    lost, crippled, ablated, effects, flags, places = (
        state.lost, state.crippled, state.ablated, state.effects, state.flags | impact.flags, state.places,
    )  # fmt: skip
    dealt = state.dealt
    if impact.hurts:
        code = impact.slot.code
        if code.acts != "part" or crippled.count(code.code) < impact.slot.count:
            dealt += impact.injury
            lost = min(lost + impact.injury, plan.most_lost)
            if impact.crippled:
                crippled = tuple(sorted((*crippled, impact.crippled)))
        if keep not in ("vehicle", "damage"):
            effects |= HURT_BIT
    if impact.through:
        effects |= PENETRATED
    if impact.stopped:
        worn = dict(ablated)
        worn[impact.slot.dr_key] = worn.get(impact.slot.dr_key, 0) + impact.stopped
        ablated = tuple(sorted(worn.items()))
    people = strike.people
    if keep not in ("told", "damage"):
        dealt = 0
    if keep in ("vehicle", "joint"):
        lost = passed(plan, start.detail.lost, lost, to_come)
    if keep == "vehicle" and people is not start.detail.people:
        people = _all_out(people) if plan.can_end(people, left) else start.detail.people
    majors = tuple(sorted((*state.majors, impact.major))) if impact.major else state.majors
    return Progress(lost, crippled, flags, people, strike.animals, ablated, effects, places, majors, dealt)


def _all_out(people: tuple[int, ...]) -> tuple[int, ...]:
    """Everybody, told only whether he is out of action."""
    return tuple([DEAD if code >= 0 and state_of(code) >= DOWN else code for code in people])


def near_miss(dice: Dice, plan: VehiclePlan, start: Start) -> Then:
    """An explosion some way off (G26): the body by the mean of its DR and the least exposed, people in the open."""
    impact: Impact = dice.settle(strike_vehicle, plan, plan.body, ORDINARY, 0, True)
    people = start.detail.people
    if plan.keep != "damage":
        people = dice.settle(strike_everybody, plan, people)
    state = start.progress._replace(places=plan.place_bit(plan.body))
    return dice.then(aftermath, plan, start, _add(plan, start, state, Strike(impact, people, state.animals), 0, 0))


def adds_up(plan: VehiclePlan, condition: Condition, hits: int) -> bool:
    """Whether the injuries of all rounds simply add up: nothing is shot away, and no part is used up by some."""
    if plan.block.stats.ablative:
        return False
    crippled = condition.detail.crippled  # type: ignore[attr-defined]
    for slot in plan.slots:
        code = slot.code
        if code.acts == "part" and crippled.count(code.code) + hits > slot.count:
            most = slot.injury.of(plan.shot.dice.high * (3 if plan.options.criticals else 1))
            if slot.injury.cripples(most) or (code.tire and plan.block.stats.tires) or code.code in crippled:
                return False
    return True


def one_of_many(dice: Dice, plan: VehiclePlan, start: Start, critical: bool) -> Outcome | Then:
    """Expected damage where injuries add up: one round at even odds, counted for all of them."""
    hits = start.hits
    special = critical and dice.chance(Fraction(1, hits), "the critical one")
    state = start.progress
    dealt = dice.settle(somewhere, plan, start, special) * hits
    return finish(start, state._replace(dealt=dealt), (), FULL, FULL, out=False)


def somewhere(dice: Dice, plan: VehiclePlan, start: Start, critical: bool) -> int:
    """The injury of one round, wherever it lands."""
    state = start.progress
    slot = land(dice, plan, start)
    strike = one_round(dice, plan, slot, state.people, state.animals, state.ablated, critical, True, False)
    return strike.impact.injury


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


def legs_level(gone: int, legs: int) -> int:
    """Mobility with so many of so many legs (or wheels) gone: two-legged things fall at the first, others at half."""
    if not gone:
        return FULL
    return NONE if legs <= 2 or gone * 2 >= legs else REDUCED


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
