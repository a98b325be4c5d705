"""An attack on a vehicle, in a referee's order: the attack roll, round after round, what it comes to (G11-G31)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from gurps_vehicle.attack_roll import ONE, Strikes
from gurps_vehicle.detail import Detail, condition_of, effects_of
from gurps_vehicle.flags import BLOWN_UP, CRASH, FIRE, STOPPED
from gurps_vehicle.health import Loss, Subject, ended, may_burst
from gurps_vehicle.person import Blow, Person, blow_of, killed
from gurps_vehicle.planning import attack_roll, critical_effect
from gurps_vehicle.tables import ORDINARY, CriticalEffect
from gurps_vehicle.vehicle.aboard import Blows, blows_inside, body_as_cover, is_struck, strike_animal, strike_people
from gurps_vehicle.vehicle.damage import (
    NO_IMPACT,
    Impact,
    Strike,
    falls,
    major_wound,
    move_left,
    strike_vehicle,
    works_of,
)
from gurps_vehicle.vehicle.plan import VehiclePlan
from gurps_vehicle.vehicle.slots import Choice, Slot
from mantlet import Crowd, Dice, Location, Outcome, Then, outcome, outcome_between
from mantlet.game.condition import Condition


class Wear(NamedTuple):
    """The vehicle and all aboard while the rounds of one attack strike, and what these have done so far.

    `through`: something was penetrated; `hurt`: the vehicle took injury; `dealt`: how much, what lies beyond its last
    HP included. `blows` and `animal` are what the last round still has for those aboard.
    """

    detail: Detail
    hits: int = 0
    struck: tuple[Location, ...] = ()
    through: bool = False
    hurt: bool = False
    dealt: int = 0
    blows: Blows | None = None
    animal: Blow | None = None


def resolve(dice: Dice, plan: VehiclePlan, before: Condition) -> Outcome | Then:
    """One attack: the attack roll (none for what goes off some way away), then round after round (G11)."""
    strikes = attack_roll(dice, plan, "G11")
    if not strikes.hits:
        return outcome(0, before)
    return dice.then(next_round, plan, before, unharmed(plan, before), strikes)


def unharmed(plan: VehiclePlan, before: Condition) -> Wear:
    """The target as the attack finds it."""
    detail = before.detail
    assert isinstance(detail, Detail)
    # Alike are those who are struck through the same places, and were in the same state before.
    people = Crowd(detail.people, zip(plan.kinds, detail.people), plan.seat_names)
    animals = Crowd(detail.animals, detail.animals, ["draft animal"] * len(detail.animals))
    return Wear(detail._replace(people=people, animals=animals))


def next_round(dice: Dice, plan: VehiclePlan, before: Condition, wear: Wear, left: Strikes) -> Outcome | Then:
    """One round strikes the vehicle, then those aboard, and then come the rounds that are left."""
    people, ablated = wear.detail.people, wear.detail.ablated
    aboard = tuple([seat for seat, person in enumerate(people) if person is not None])
    hit: Round = dice.settle(one_round, plan, aboard, ablated, left._replace(hits=1))
    wear = take(dice, plan, wear, hit)
    if left.hits == 1 and wear.hurt:
        return dice.then(hp_thresholds, plan, before, wear)
    return those_reached(dice, plan, before, wear, left)


def those_reached(dice: Dice, plan: VehiclePlan, before: Condition, wear: Wear, left: Strikes = ONE) -> Outcome | Then:
    """On to those aboard, where the round reaches anybody; else to the next round, or to what they all come to."""
    if wear.blows is not None or wear.animal is not None:
        return dice.then(strike_aboard, plan, before, wear, left)
    if left.hits > 1:
        return dice.then(next_round, plan, before, wear, less_one(left))
    return outcome_of(plan, before, wear, wear.detail.people, wear.detail.animals)


def strike_aboard(dice: Dice, plan: VehiclePlan, before: Condition, wear: Wear, left: Strikes) -> Outcome | Then:
    """What a round does to people and draft animals, apart from the vehicle's injury (G30)."""
    people, animals = wear.detail.people, wear.detail.animals
    if wear.blows is not None:
        people = dice.settle(strike_people, plan, people, wear.blows)
    if wear.animal is not None:
        animals = dice.settle(strike_animal, plan, animals, wear.animal)
    if left.hits > 1:
        detail = wear.detail._replace(people=people, animals=animals)
        wear = Wear(detail, wear.hits, wear.struck, wear.through, wear.hurt, wear.dealt)
        return dice.then(next_round, plan, before, wear, less_one(left))
    return outcome_of(plan, before, wear, people, animals)


def less_one(left: Strikes) -> Strikes:
    """The rounds left after one more; a critical success counts for the first alone."""
    return Strikes(left.hits - 1)


# -- one round -------------------------------------------------------------------------------------------------------


class Landing(NamedTuple):
    """Where a round lands, what a critical adds, who may be struck there, and DR shot away there before."""

    slot: Slot
    effect: CriticalEffect
    present: tuple[int, ...]
    dr_lost: int


class Round(NamedTuple):
    """What one round does: where it lands, its impact on a location of the vehicle, and blows at people and animals."""

    place: Location
    slot: Slot
    impact: Impact
    through: bool
    blows: Blows | None = None
    animal: Blow | None = None


NOBODY = Blows()


def one_round(
    dice: Dice, plan: VehiclePlan, aboard: tuple[int, ...], ablated: tuple[tuple[str, int], ...], strikes: Strikes
) -> Round | Then:
    """Where a round lands, and what a critical success adds."""
    if plan.yards_off:
        return near_miss(dice, plan, tuple([seat for seat in plan.body.seats if seat in aboard]))
    slot = land(dice, plan, aboard)
    effect = critical_effect(dice, plan, strikes)
    present = tuple([seat for seat in slot.seats if seat in aboard])
    return dice.then(meet, plan, Landing(slot, effect, present, dict(ablated).get(slot.dr_key, 0)))


def near_miss(dice: Dice, plan: VehiclePlan, present: tuple[int, ...]) -> Round:
    """An explosion some way off (G26): the body by the mean of its DR and the least exposed, and whoever is `present`
    behind it; people in the open.
    """
    impact = strike_vehicle(dice, plan, Strike(plan.body, ORDINARY))
    blows = Blows(around=plan.blast_part)
    return Round(
        plan.body.location, plan.body, impact, impact.injury > 0, reach_inside(dice, plan, impact, present, blows)
    )


def reach_inside(dice: Dice, plan: VehiclePlan, impact: Impact, present: tuple[int, ...], blows: Blows) -> Blows:
    """The blows of a round with those at people behind the place it struck, where five points got through it (G27)."""
    if impact.dice_inside and is_struck(dice, plan, present, "G27"):
        return blows._replace(seats=present, blows=blows_inside(plan, impact.dice_inside))
    return blows


def land(dice: Dice, plan: VehiclePlan, aboard: tuple[int, ...]) -> Slot:
    """Where a round lands (G11-G13)."""
    if plan.aimed is not None:
        slot = plan.aimed
    else:
        picked = dice.pick(plan.table, "hit location", "G11")
        slot = dice.one_of(picked.slots, "which location", "G13") if isinstance(picked, Choice) else picked
    if slot.code.acts == "person" and not any(seat in aboard for seat in slot.seats):
        dice.note("G18", "Nobody is there: the body is struck.")
        slot = plan.body
    return slot


def meet(dice: Dice, plan: VehiclePlan, landing: Landing) -> Round | Then:
    """What a round comes upon first where it lands: a draft animal, somebody behind a window (G20), or the vehicle."""
    slot, effect, present, dr_lost = landing
    if slot.code.acts == "animal":
        return Round(slot.location, plan.body, NO_IMPACT, True, animal=blow_of(plan.shot, effect, cover=slot.raw))
    window = slot.code.acts == "window"
    if slot.code.acts == "person" or (window and is_struck(dice, plan, present, "G20")):
        return dice.then(meet_somebody, plan, landing)
    impact = strike_vehicle(dice, plan, Strike(slot, effect, dr_lost))
    blows = Blows(around=plan.around)
    if not window:
        blows = reach_inside(dice, plan, impact, present, blows)
    return Round(slot.location, slot, impact, impact.injury > 0, blows if blows != NOBODY else None)


def meet_somebody(dice: Dice, plan: VehiclePlan, landing: Landing) -> Round:
    """Somebody in the open, or behind a window, is struck instead of the vehicle (G18, G20)."""
    slot, effect, present, _ = landing
    cover = body_as_cover(plan) if slot.code.acts == "person" else None
    if cover is None:
        blow = blow_of(plan.shot, effect, cover=slot.raw)
        return Round(slot.location, plan.body, NO_IMPACT, True, Blows(present, (blow,), plan.around, direct=True))
    # One roll serves for him and for what is behind him.
    rolled = dice.roll(plan.shot.dice, plan.shot.roll_name, "DMG")
    impact = strike_vehicle(dice, plan, Strike(plan.body, effect, cover=cover + slot.dr, rolled=rolled))
    blow = blow_of(plan.shot, effect, rolled=rolled, cover=slot.raw)
    return Round(slot.location, plan.body, impact, True, Blows(present, (blow,), plan.around, direct=True))


# -- what rounds add up to -------------------------------------------------------------------------------------------


def take(dice: Dice, plan: VehiclePlan, wear: Wear, hit: Round) -> Wear:
    """The vehicle after one more round; the HT rolls of a major wound are made at once."""
    detail, slot, impact = wear.detail, hit.slot, hit.impact
    # Of a part of which nothing is left to cripple the whole feels nothing: the excess is lost (G16, G19).
    hurts = impact.injury > 0 and (slot.code.acts != "part" or detail.crippled.count(slot.code.code) < slot.count)
    injury = impact.injury if hurts else 0
    flags = detail.flags | (FIRE if impact.burns else 0)
    if impact.major:
        flags |= dice.settle(major_wound, plan, slot, flags & (FIRE | BLOWN_UP))
    crippled, ablated = detail.crippled, detail.ablated
    if hurts and impact.cripples:
        crippled = tuple(sorted((*crippled, slot.code.code)))
        flags |= falls(plan, detail.crippled, crippled)
        if slot.code.code == "M":
            masts = sum(f.count for f in plan.parts if f.code.code == "M")
            dice.note("G22", "Move is {}/{} of what it was.", *move_left(masts, crippled.count("M")))
    if impact.dr_lost:
        ablated = tuple(
            sorted({**dict(ablated), slot.dr_key: dict(ablated).get(slot.dr_key, 0) + impact.dr_lost}.items())
        )
    return Wear(
        Detail(plan.health.lost(detail.lost, injury), crippled, flags, detail.people, detail.animals, ablated),
        wear.hits + 1,
        wear.struck if hit.place in wear.struck else tuple(sorted((*wear.struck, hit.place))),
        wear.through or hit.through,
        wear.hurt or hurts,
        wear.dealt + injury,
        hit.blows,
        hit.animal,
    )


# -- what it comes to ------------------------------------------------------------------------------------------------


def hp_thresholds(dice: Dice, plan: VehiclePlan, before: Condition, wear: Wear) -> Outcome | Then:
    """The HT rolls of HP thresholds, once all rounds have struck the vehicle, before the last strikes those aboard."""
    was, detail = before.detail, wear.detail
    assert isinstance(was, Detail)
    subject = Subject(plan.target.name, plan.health, may_burst(plan.block, bool(was.flags & FIRE)))
    # Unlike a creature, a vehicle that is out of order already rolls again at 0 HP or less.
    flags = ended(dice, plan.block, subject, Loss(was.lost, detail.lost), detail.flags & ~STOPPED)
    return those_reached(dice, plan, before, wear._replace(detail=detail._replace(flags=detail.flags | flags)))


def outcome_of(
    plan: VehiclePlan, before: Condition, wear: Wear, people: Sequence[Person | None], animals: Sequence[Person]
) -> Outcome:
    """What the attack comes to: who is inside what blew up (G25), who is left to act, what still works."""
    was, (lost, crippled, flags, _, _, ablated) = before.detail, wear.detail
    assert isinstance(was, Detail)
    people, animals = tuple(people), tuple(animals)
    if flags & BLOWN_UP and not was.flags & BLOWN_UP:
        people = killed(people, plan.inside)
    out = bool(flags & CRASH) or nobody_acts(people)
    detail = Detail(lost, crippled, flags, people, animals, ablated)
    after = condition_of(before, detail, works_of(plan, crippled, flags, animals), out=out)
    noted = effects_of(was, detail, through=wear.through, hurt=wear.hurt)
    return outcome_between(before, after, noted, hits=wear.hits, locations=wear.struck, damage=wear.dealt)


@lru_cache(maxsize=4096)
def nobody_acts(people: tuple[Person | None, ...]) -> bool:
    """Whether there are people aboard, and none of them is able to act."""
    aboard = [person for person in people if person is not None]
    return bool(aboard) and not any(person.acts for person in aboard)
