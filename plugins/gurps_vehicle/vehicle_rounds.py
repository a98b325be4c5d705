"""What single rounds do to a vehicle, and what they add up to.

What one round does is a body of its own. A fold adds it to the state: all of it, or its wear alone where nothing else
counts and rounds simply add up.
"""

from __future__ import annotations

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
NOBODY_COUNTS: Final[tuple[int, ...]] = ()
"""Stands for people of whom some are sure to stay in action."""


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
        self.levels = [0 if plan.keep == "damage" else min(lost, end) for lost in range(end + self.most + 1)]
        if plan.counts_lost:
            self.levels = [passed(plan, start.detail.lost, lost, to_come) for lost in self.levels]


def round_of(
    plan: VehiclePlan, start: Start, stratum: Stratum, critical: bool, left: int = 0, to_come: int = 0
) -> Round:
    """The one Round of these."""
    key = (start, stratum, critical, left, to_come)
    found: Round | None = plan.known.get(key)
    if found is None:
        found = plan.known[key] = Round(plan, *key)
    return found


Wear: TypeAlias = "tuple[int, tuple[str, ...], int, tuple[int, ...]]"
"""All that rounds change where little is told: points lost, what is crippled, flags, people as far as they count."""


def steps_of(
    plan: VehiclePlan, start: Start, strata: tuple[Stratum, ...], counts: tuple[int, ...], special: int
) -> tuple[Step, ...]:
    """One step a round: a critical one, then by where they land.

    Where the order of rounds at different locations is of no account, what can do most goes first: less can happen
    afterwards.
    """
    rounds = [(strata[i], False) for i, count in enumerate(counts) for _ in range(count)]
    if special != NO_ROUND:
        rounds.insert(0, (strata[special], True))
    ask, add = (ask_wear, add_wear) if plan.wears else (ask_round, add_round)
    if len(strata) < len(plan.slots):
        rounds.sort(key=lambda one: -plan.most_of(*one))
    steps = []
    left = to_come = 0
    for stratum, critical in reversed(rounds):
        this = round_of(plan, start, stratum, critical, left, to_come)
        steps.append(Step(ask, add, (this,)))
        # Past the next threshold one number is as good as another, and steps that are equal share their work.
        to_come = min(to_come + this.most, plan.block.hp) if plan.counts_lost else 0
        left += plan.counts_people
    return tuple(reversed(steps))


def ask_round(state: Progress, this: Round) -> tuple[Stage, tuple[Any, ...]]:
    """The body of one round: people are in it where their state is kept."""
    plan = this.plan
    people = state.people or this.start.detail.people
    left, exact = _people_left(this, state.people), _exactness(this, state.lost)
    return one_round, (plan, this.stratum, people, state.animals, state.ablated, this.critical, exact, left)


def ask_wear(wear: Wear, this: Round) -> tuple[Stage, tuple[Any, ...]]:
    """The same where nothing but wear counts: people are in it while they can all be out of action in the end."""
    plan, detail, people = this.plan, this.start.detail, wear[3]
    left, exact = _people_left(this, people), _exactness(this, wear[0])
    return one_round, (
        plan, this.stratum, people or detail.people, detail.animals, detail.ablated, this.critical, exact, left,
    )  # fmt: skip


def _people_left(this: Round, people: tuple[int, ...]) -> int | None:
    """The rounds that follow where people are kept: wholly, or while they can all be out of action in the end."""
    plan = this.plan
    if plan.counts_people:
        return this.left if people and plan.can_end(people, this.left + 1) else None
    return 0 if plan.keep in ("told", "joint", "people") else None


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
    left: int | None,
) -> Strike:
    """What one round does where it lands; to people only where their state is kept, with so many rounds `left`."""
    with_people = left is not None
    slot = among(dice, plan, stratum, people)
    effect = ORDINARY
    if critical and plan.options.criticals:
        effect = dice.pick(critical_rolls("critical_hit"), "critical hit", "CRIT")
    if slot.code.acts == "animal":
        if plan.keep not in ("damage", "people"):
            animals = strike_animal(dice, plan, effect, animals)
        return Strike(Impact(slot, through=True), _counted(plan, people, left), animals)
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
        return Strike(_kept(dice, plan, impact), _counted(plan, people, left), animals)
    if number:
        present = []  # whether somebody is in the way has been asked
    impact = dice.settle(strike_vehicle, plan, slot, effect, _worn(plan, slot, ablated), exact)
    if with_people:
        people = strike_inside(dice, plan, people, present, impact.dice_inside)
        if plan.wide:
            people = strike_around(dice, plan, people)
    return Strike(_kept(dice, plan, impact), _counted(plan, people, left), animals)


def among(dice: Dice, plan: VehiclePlan, stratum: Stratum, people: tuple[int, ...]) -> Slot:
    """Where in its stratum a round lands. Told attacks have a stratum for every location."""
    if len(stratum) == 1:
        return stratum[0]
    for slot, chance in plan.chances(stratum, people):
        if dice.chance(chance, "which location"):
            return slot
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


def feels(impact: Impact, crippled: tuple[str, ...]) -> bool:
    """Whether the whole feels an injury: not at a part of which nothing is left to cripple."""
    slot = impact.slot
    return not crippled or slot.code.acts != "part" or crippled.count(slot.code.code) < slot.count


def add_wear(wear: Wear, strike: Strike, this: Round) -> Wear:
    """The wear after one more round."""
    impact = strike[0]
    lost, crippled, flags, _ = wear
    if feels(impact, crippled):
        lost += impact.injury
        if impact.crippled:
            crippled = tuple(sorted((*crippled, impact.crippled)))
    return this.levels[lost], crippled, flags | impact.flags, strike[1]


def add_round(state: Progress, strike: Strike, this: Round) -> Progress:
    """The state after one more round. Excess damage to what is already crippled is lost."""
    impact, people, animals = strike
    plan = this.plan
    lost, crippled, flags, _, _, ablated, effects, places, majors, dealt = state
    flags |= impact.flags
    taken = 0
    if impact.hurts:
        if feels(impact, crippled):
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
    lost = this.levels[lost + taken]
    return Progress(lost, crippled, flags, people, animals, ablated, effects, places, majors, dealt)


def _counted(plan: VehiclePlan, people: tuple[int, ...], left: int | None) -> tuple[int, ...]:
    """People as far as they count: where it only matters if all are out of action, told only whether each of them is,
    and not at all once they can no longer all be.
    """
    if not plan.counts_people:
        return people
    if left is None or not plan.can_end(people, left):
        return NOBODY_COUNTS
    return tuple([DEAD if code >= 0 and state_of(code) >= DOWN else code for code in people])
