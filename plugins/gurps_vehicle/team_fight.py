"""The rule body of an attack on a team: every round strikes one of those still there, a humanoid of his own (G28, G31).

An explosion among them is felt by all: by the man struck in full, by the others as far off as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gurps_vehicle.attack import MISS, ONE
from gurps_vehicle.bodies import HEAD, Spot
from gurps_vehicle.detail import STOPPED, WRECKED
from gurps_vehicle.health import DEAD, DOWN
from gurps_vehicle.people import Blow, place, state_of, who_table, wound
from gurps_vehicle.planning import GurpsPlan, blast_part
from gurps_vehicle.progress import Progress, Start, finish, miss, start_of
from gurps_vehicle.tables import ORDINARY, CriticalEffect, critical_rolls
from mantlet import Dice, Location, Outcome, Table, Then
from mantlet.game.condition import FULL, NONE, REDUCED, Condition
from mantlet.game.effects import PENETRATED

APART_YD = 3
"""How far apart the men of a team stand: a design choice."""
MAN = Location("man", "body")


@dataclass(frozen=True, eq=False, kw_only=True)
class TeamPlan(GurpsPlan):
    """An attack on a team."""

    aimed: Spot | Table[Any] | None
    seat_names: tuple[str, ...]
    kin: tuple[str, ...] = ()
    """For odds: what tells men apart who begin in different states; nothing else does."""


def resolve(dice: Dice, plan: TeamPlan, condition: Condition) -> Outcome | Then:
    """One attack: the attack roll (none for what goes off some way away), then round after round."""
    if plan.keep != "told":
        plan = in_kin(plan, tuple([str(state) for state in condition.people]))
    strikes = ONE
    if not plan.attack.given_hit and not plan.yards_off:
        strikes = MISS if plan.check is None else dice.check(plan.check, "attack", "G10")
    if not strikes.hits:
        return miss(condition)
    if strikes.near:
        plan = at_torso(plan)
    start = start_of(condition, strikes.hits)
    # In order from the start, so that being put in order is no change.
    state = start.progress._replace(people=_in_order(plan.kin, start.detail.people))
    return dice.then(next_round, plan, start, state, strikes.hits, strikes.critical)


def in_kin(plan: TeamPlan, kin: tuple[str, ...]) -> TeamPlan:
    """The same attack, on men of whom those who began alike are not told apart."""
    found: TeamPlan | None = plan.known.get(kin)
    if found is None:
        found = plan.known[kin] = replace(plan, kin=kin, known={})
    return found


def at_torso(plan: TeamPlan) -> TeamPlan:
    """The same attack, its round in the torso."""
    found: TeamPlan | None = plan.known.get("torso")
    if found is None:
        found = plan.known["torso"] = replace(plan, aimed=plan.folk.body.torso(), known={})
    return found


def next_round(dice: Dice, plan: TeamPlan, start: Start, state: Progress, left: int, critical: bool) -> Then:
    """One round strikes one man, or goes off among them."""
    people = dice.settle(one_round, plan, state.people, critical)
    effects = state.effects | (PENETRATED if people != state.people else 0)
    state = state._replace(people=people, effects=effects, places=1)
    if left > 1:
        return dice.then(next_round, plan, start, state, left - 1, False)
    return dice.then(aftermath, plan, start, state)


def one_round(dice: Dice, plan: TeamPlan, people: tuple[int, ...], critical: bool) -> tuple[int, ...]:
    """One round: who, where, the wound; those around where it explodes."""
    there = [i for i, code in enumerate(people) if code >= 0 and state_of(code) != DEAD]
    if not there:
        return people
    effect = ORDINARY
    if critical and plan.options.criticals:
        name = "critical_head_blow" if isinstance(plan.aimed, Spot) and plan.aimed.kind in HEAD else "critical_hit"
        effect = dice.pick(critical_rolls(name), name.replace("_", " "), "CRIT")
    struck, told = -1, plan.keep == "told"
    if not plan.yards_off:
        called = plan.seat_names if told else plan.kin
        names = tuple([called[i] for i in there])
        table = who_table(tuple([people[i] for i in there]), names)
        struck = there[0 if len(table.rows) == 1 else dice.pick(table, "who is hit", "G31")]
        code = dice.settle(wound, plan.folk, people[struck], _blow(plan, effect), _spot(dice, plan))
        people = (*people[:struck], code, *people[struck + 1 :])
    if plan.shot.explosive:
        # Blast strikes no place in particular.
        torso = plan.folk.body.torso()
        part = blast_part(plan.yards_off or APART_YD)
        for i in there:
            if i != struck:
                if told:
                    dice.note("G26", "{} feels damage / {}.", plan.seat_names[i], part)
                code = dice.settle(wound, plan.folk, people[i], _blow(plan, ORDINARY, part), torso)
                people = (*people[:i], code, *people[i + 1 :])
    return _in_order(plan.kin, people)


def _spot(dice: Dice, plan: TeamPlan) -> Spot | None:
    """What is aimed at, if anything; of two sides one by one die, which is of no account but in an account."""
    if not isinstance(plan.aimed, Table):
        return plan.aimed
    first: Spot = plan.aimed.rows[0].value
    return place(dice, plan.aimed, "G3") if plan.keep == "told" else first


def _in_order(kin: tuple[str, ...], people: tuple[int, ...]) -> tuple[int, ...]:
    """Men who are kin, put in order, so that equal states merge."""
    after = list(people)
    for name in dict.fromkeys(kin):
        men = [i for i, other in enumerate(kin) if other == name]
        for i, code in zip(men, sorted([people[i] for i in men])):
            after[i] = code
    return tuple(after)


def _blow(plan: TeamPlan, effect: CriticalEffect, part: int = 1) -> Blow:
    shot = plan.shot
    dice = shot.dice.high if effect.maximum else shot.dice
    return Blow(
        dice, shot.kind, shot.divisor if part == 1 else 1.0, 0, shot.tight_beam, effect.times, part,
        effect.dr, effect.major,
    )  # fmt: skip


def aftermath(dice: Dice, plan: TeamPlan, start: Start, state: Progress) -> Outcome:
    """What is left of the team: nobody able to act is out of the fight, nobody alive is destroyed."""
    able = sum(1 for code in state.people if code >= 0 and state_of(code) < DOWN)
    alive = sum(1 for code in state.people if code >= 0 and state_of(code) != DEAD)
    before = sum(1 for code in start.detail.people if code >= 0 and state_of(code) < DOWN)
    flags = state.flags
    if not alive:
        flags |= WRECKED | STOPPED
    level = NONE if not able else REDUCED if able < before else FULL
    state = state._replace(flags=flags)
    mobility = NONE if not able else FULL
    return finish(start, state, (MAN,), mobility, level, out=not able)
