"""What single rounds do to a vehicle, and what they add up to.

What one round does is a body of its own. A fold adds it to the state: all of it, or its wear alone where nothing else
counts and rounds simply add up.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from gurps_vehicle.exactness import NOT, WHOLLY, Exactness, exactness, passed
from gurps_vehicle.health import DEAD
from gurps_vehicle.people import person
from gurps_vehicle.progress import Progress, Start
from gurps_vehicle.vehicle_impact import Impact
from gurps_vehicle.vehicle_people import NOBODY_COUNTS
from gurps_vehicle.vehicle_plan import Stratum, VehiclePlan
from gurps_vehicle.vehicle_strike import Strike, one_round, somebody
from mantlet import Stage, Step
from mantlet.game.effects import PENETRATED

HURT_BIT: Final = 1 << 20
"""Set among the effects while rounds strike: the vehicle has taken injury, however much."""
NO_ROUND: Final = -1


class Levels(dict[int, int]):
    """What is kept of points lost, by points: worked out when first asked for. `to_come` can be lost later on."""

    def __init__(self, plan: VehiclePlan, first: int, to_come: int) -> None:
        super().__init__()
        self.plan, self.first, self.to_come = plan, first, to_come

    def __missing__(self, lost: int) -> int:
        plan = self.plan
        kept = 0 if plan.keep == "damage" else min(lost, plan.most_lost)
        if plan.counts_lost:
            kept = kept if kept == plan.most_lost else self._passed(kept)
        self[lost] = kept
        return kept

    def _passed(self, lost: int) -> int:
        return passed(self.plan.block.hp, self.plan.next_threshold(lost), self.first, lost, self.to_come)


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
        self.levels = Levels(plan, start.detail.lost, to_come)


def round_of(
    plan: VehiclePlan, start: Start, stratum: Stratum, critical: bool, left: int = 0, to_come: int = 0
) -> Round:
    """The one Round of these."""
    key = (start, stratum, critical, left, to_come)
    found: Round | None = plan.known.get(key)
    if found is None:
        found = plan.known[key] = Round(plan, *key)
    return found


Wear: TypeAlias = "tuple[int, tuple[str, ...], int, tuple[int, ...], tuple[str, ...]]"
"""All that rounds change where little is told: points lost, what is crippled, flags, people as far as they count, and
major wounds whose HT rolls are still to come.
"""


def steps_of(
    plan: VehiclePlan, start: Start, strata: tuple[Stratum, ...], counts: tuple[int, ...], special: int
) -> tuple[Step, ...]:
    """One step a round: a critical one, then by where they land.

    Where the order of rounds at different locations is of no account, what can do most goes first after a critical one:
    less can happen afterwards.
    """
    rounds = [(strata[i], False) for i, count in enumerate(counts) for _ in range(count)]
    if special != NO_ROUND:
        rounds.insert(0, (strata[special], True))
    if plan.one_by_one:
        aboard = start.detail.people
        return tuple(
            [
                Step(ask_people, add_people, (plan, aboard, stratum, critical))
                for stratum, critical in rounds
                if any(slot.seats for slot in stratum)
            ]
        )
    ask, add = (ask_wear, add_wear) if plan.wears else (ask_round, add_round)
    if len(strata) > 1:
        rounds.sort(key=lambda one: (not one[1], -plan.most_of(*one)))
    steps = []
    left = to_come = 0
    for stratum, critical in reversed(rounds):
        this = round_of(plan, start, stratum, critical, left, to_come)
        steps.append(Step(ask, add, (this,), at_once=plan.wears))
        # Past the next threshold one number is as good as another, and steps that are equal share their work.
        to_come = min(to_come + this.most, plan.next_threshold(0)) if plan.counts_lost else 0
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


def ask_people(
    people: tuple[int, ...], plan: VehiclePlan, aboard: tuple[int, ...], stratum: Stratum, critical: bool
) -> tuple[Stage, tuple[Any, ...]]:
    """The same where people are all that counts, and a round strikes one of them at most."""
    return somebody, (plan, stratum, people, aboard, critical)


def _people_left(this: Round, people: tuple[int, ...]) -> int | None:
    """The rounds that follow where people are kept: wholly, while they can all be out of action in the end, or until
    somebody is hurt.
    """
    plan = this.plan
    if plan.counts_people:
        return this.left if people and plan.can_end(people, this.left + 1) else None
    return 0 if plan.keep in ("told", "joint", "people") or (plan.keep == "touched" and people) else None


def _exactness(this: Round, lost: int) -> Exactness:
    """How exact an injury has to be: where the next threshold is in reach it can make a difference."""
    plan = this.plan
    if not plan.counts_lost:
        return WHOLLY if plan.keep in ("told", "damage") else NOT
    if lost == this.start.detail.lost >= plan.block.hp:
        return WHOLLY  # any injury asks for a roll to stay in action
    return exactness(plan.next_threshold(lost) - lost, this.most, this.to_come, critical=this.critical)


def add_people(people: tuple[int, ...], after: tuple[int, ...], *_: object) -> tuple[int, ...]:
    """The people after one more round."""
    return after


def feels(impact: Impact, crippled: tuple[str, ...]) -> bool:
    """Whether the whole feels an injury: not at a part of which nothing is left to cripple."""
    slot = impact.slot
    return not crippled or slot.code.acts != "part" or crippled.count(slot.code.code) < slot.count


def add_wear(wear: Wear, strikes: tuple[Strike, ...], this: Round) -> list[Wear]:
    """The wear after one more round, for each way it may strike: there are many, and little to do for each."""
    before, crippled_before, flags, _, majors_before = wear
    levels = this.levels
    after: list[Wear] = []
    for impact, people, _, _ in strikes:
        lost, crippled, majors = before, crippled_before, majors_before
        if not crippled or feels(impact, crippled):
            lost += impact[1]
            if impact[2]:
                crippled = tuple(sorted((*crippled, impact[2])))
        if impact[4]:
            majors = tuple(sorted((*majors, impact[4])))
        after.append((levels[lost], crippled, flags | impact[3], people, majors))
    return after


def add_round(state: Progress, strike: Strike, this: Round) -> Progress:
    """The state after one more round. Excess damage to what is already crippled is lost."""
    impact, people, animals, place = strike
    plan = this.plan
    lost, crippled, flags, _, _, ablated, effects, places, majors, dealt = state
    flags |= impact.flags
    taken = 0
    if impact.hurts and feels(impact, crippled):
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
    return Progress(lost, crippled, flags, people, animals, ablated, effects, places | place, majors, dealt)


def all_of(people: tuple[int, ...], start: Start) -> tuple[int, ...]:
    """Everybody: once no more is told of them than that somebody is hurt, all may stand for him."""
    if people != NOBODY_COUNTS:
        return people
    return tuple([code if code < 0 else person(0, DEAD) for code in start.detail.people])
