"""What single rounds do to a vehicle, and what they add up to.

What one round does is a body of its own. A fold adds it to the state: all of it, or its wear alone where nothing else
counts and rounds simply add up.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from gurps_vehicle.detail import FIRE
from gurps_vehicle.health import DEAD, DOWN
from gurps_vehicle.people import state_of
from gurps_vehicle.progress import Progress, Start
from gurps_vehicle.tables import HIT, ORDINARY, critical_rolls, occupant_check
from gurps_vehicle.vehicle_impact import Exactness, Impact, major_wounds, passed, strike_vehicle
from gurps_vehicle.vehicle_people import (
    body_as_cover,
    number_inside,
    strike_animal,
    strike_around,
    strike_inside,
    strike_person,
)
from gurps_vehicle.vehicle_plan import Slot, Stratum, VehiclePlan
from mantlet import Dice, Stage, Step
from mantlet.effects import PENETRATED

HURT_BIT: Final = 1 << 20
"""Set among the effects while rounds strike: the vehicle has taken injury, however much."""
NO_ROUND: Final = -1


class Strike(NamedTuple):
    """What one round does in all: to the vehicle, to everybody aboard, to draft animals."""

    impact: Impact
    people: tuple[int, ...]
    animals: tuple[int, ...]


class Round:
    """One round of several, as far as it is known before it strikes. One object for equal ones of a plan and a start.

    `left` rounds follow (counted where people may all be out), which can take `to_come` at most (HP stand for any
    more). `levels` has what is kept of points lost.
    """

    __slots__ = ("critical", "left", "levels", "most", "plan", "start", "stratum", "to_come")

    def __init__(
        self, plan: VehiclePlan, start: Start, stratum: Stratum, critical: bool, left: int, to_come: int
    ) -> None:
        self.plan, self.start, self.stratum, self.critical = plan, start, stratum, critical
        self.left, self.to_come = left, to_come
        self.most = plan.most_of(stratum, critical)
        end = plan.most_lost
        self.levels = [min(lost, end) for lost in range(end + self.most + 1)]
        if plan.counts_lost:
            self.levels = [passed(plan, start.detail.lost, lost, to_come) for lost in self.levels]


Wear: TypeAlias = "tuple[int, tuple[str, ...], int]"
"""All that rounds change where they simply add up: points lost, what is crippled, flags."""


def steps_of(
    plan: VehiclePlan, start: Start, strata: tuple[Stratum, ...], counts: tuple[int, ...], special: int
) -> tuple[Step, ...]:
    """One step a round: a critical one, then by where they land.

    Where nothing depends on the order, what can do most goes first, since less can happen afterwards; a mere sum
    spreads least the other way round.
    """
    rounds = [(strata[i], False) for i, count in enumerate(counts) for _ in range(count)]
    if special != NO_ROUND:
        rounds.insert(0, (strata[special], True))
    ask, add = (ask_pooled, add_pooled) if plan.pools(strata) else (ask_round, add_round)
    if plan.keep == "damage":
        rounds.reverse()
    elif ask is ask_pooled:
        rounds.sort(key=lambda one: -plan.most_of(*one))
    steps = []
    left = to_come = 0
    for stratum, critical in reversed(rounds):
        key = (start, stratum, critical, left, to_come)
        this = plan.known.get(key)
        if this is None:
            this = plan.known[key] = Round(plan, *key)
        steps.append(Step(ask, add, (this,)))
        # Past the next threshold one number is as good as another, and steps that are equal share their work.
        to_come = min(to_come + this.most, plan.block.hp) if plan.counts_lost else 0
        left += plan.counts_people
    return tuple(reversed(steps))


def ask_round(state: Progress, this: Round) -> tuple[Stage, tuple[Any, ...]]:
    """The body of one round: people are in it where their state is kept."""
    plan = this.plan
    with_people = plan.keep in ("told", "joint", "people") or (
        plan.counts_people and plan.can_end(state.people, this.left + 1)
    )
    exact = _exactness(this, state.lost)
    return one_round, (
        plan, this.stratum, state.people, state.animals, state.ablated, this.critical, exact, with_people,
    )  # fmt: skip


def ask_pooled(wear: Wear, this: Round) -> tuple[Stage, tuple[Any, ...]]:
    """The same where nothing but wear counts."""
    detail, exact = this.start.detail, _exactness(this, wear[0])
    return one_round, (
        this.plan, this.stratum, detail.people, detail.animals, detail.ablated, this.critical, exact, False,
    )  # fmt: skip


def _exactness(this: Round, lost: int) -> Exactness:
    """How exact an injury has to be: where the next threshold is in reach it can make a difference."""
    plan = this.plan
    if not plan.counts_lost:
        return plan.keep in ("told", "damage")
    hp = plan.block.hp
    exact = lost + this.most + this.to_come >= (lost // hp + 1) * hp
    return (lost, lost) if exact and not this.to_come and lost == this.start.detail.lost else exact


def one_round(
    dice: Dice,
    plan: VehiclePlan,
    stratum: Stratum,
    people: tuple[int, ...],
    animals: tuple[int, ...],
    ablated: tuple[tuple[str, int], ...],
    critical: bool,
    exact: Exactness,
    with_people: bool,
) -> Strike:
    """What one round does where it lands; to people only where their state is kept."""
    slot = among(dice, plan, stratum, people)
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
        return Strike(_kept(dice, plan, impact), people, animals)
    if number:
        present = []  # whether somebody is in the way has been asked
    impact = dice.settle(strike_vehicle, plan, slot, effect, _worn(plan, slot, ablated), exact)
    if with_people:
        people = strike_inside(dice, plan, people, present, impact.dice_inside)
        if plan.wide:
            people = strike_around(dice, plan, people)
    return Strike(_kept(dice, plan, impact), people, animals)


def among(dice: Dice, plan: VehiclePlan, stratum: Stratum, people: tuple[int, ...]) -> Slot:
    """Where in its stratum a round lands. Told attacks have a stratum for every location."""
    if len(stratum) == 1:
        return stratum[0]
    shares = plan.shares(people)
    left = sum([shares[slot] for slot in stratum], Fraction(0))
    for slot in stratum[:-1]:
        if shares[slot] and dice.chance(shares[slot] / left, "which location"):
            return slot
        left -= shares[slot]
    return stratum[-1]


def _worn(plan: VehiclePlan, slot: Slot, ablated: tuple[tuple[str, int], ...]) -> int:
    return dict(ablated).get(slot.dr_key, 0) if plan.block.stats.ablative else 0


def _kept(dice: Dice, plan: VehiclePlan, impact: Impact) -> Impact:
    """What of an impact the state goes on with: where nothing more is told, like results are one."""
    keep = plan.keep
    if keep == "told":
        return impact._replace(dice_inside=0)
    matters = impact.slot.code.acts == "part" or impact.stopped
    slot = impact.slot if matters else plan.body
    if not plan.lean:
        return impact._replace(dice_inside=0, slot=slot, through=impact.through and keep != "damage")
    if not impact.hurts:
        return Impact(slot if impact.stopped else plan.body, stopped=impact.stopped)
    # Without explosives HT rolls of major wounds do not depend on each other, nor on what else happens.
    flags = impact.flags
    if impact.major and keep != "out":
        flags = dice.settle(major_wounds, plan, (impact.major,), flags)
    if keep == "fire":
        return Impact(slot if impact.stopped else plan.body, flags=flags & FIRE, stopped=impact.stopped)
    if plan.split:
        flags &= ~FIRE
    return Impact(slot, impact.injury, impact.crippled, flags, hurts=True, stopped=impact.stopped)


def add_pooled(wear: Wear, strike: Strike, this: Round) -> Wear:
    """The wear after one more round."""
    impact = strike[0]
    crippled = wear[1]
    if impact.crippled:
        crippled = tuple(sorted((*crippled, impact.crippled)))
    return this.levels[wear[0] + impact.injury], crippled, wear[2] | impact.flags


def add_round(state: Progress, strike: Strike, this: Round) -> Progress:
    """The state after one more round. Excess damage to what is already crippled is lost."""
    impact, people, animals = strike
    plan = this.plan
    lost, crippled, flags, _, _, ablated, effects, places, majors, dealt = state
    flags |= impact.flags
    taken = 0
    if impact.hurts:
        slot = impact.slot
        if slot.code.acts != "part" or crippled.count(slot.code.code) < slot.count:
            taken = impact.injury
            if impact.crippled:
                crippled = tuple(sorted((*crippled, impact.crippled)))
        if not plan.lean and plan.keep != "damage":
            effects |= HURT_BIT
    if impact.through:
        effects |= PENETRATED
    if impact.stopped:
        worn = dict(ablated)
        worn[impact.slot.dr_key] = worn.get(impact.slot.dr_key, 0) + impact.stopped
        ablated = tuple(sorted(worn.items()))
    if impact.major:
        majors = tuple(sorted((*majors, impact.major)))
    if plan.keep in ("told", "damage"):
        dealt += taken
    if plan.counts_people and people is not this.start.detail.people:
        people = _all_out(people) if plan.can_end(people, this.left) else this.start.detail.people
    lost = this.levels[lost + taken]
    return Progress(lost, crippled, flags, people, animals, ablated, effects, places, majors, dealt)


def _all_out(people: tuple[int, ...]) -> tuple[int, ...]:
    """Everybody, told only whether he is out of action."""
    return tuple([DEAD if code >= 0 and state_of(code) >= DOWN else code for code in people])
