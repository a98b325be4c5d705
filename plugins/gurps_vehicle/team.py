"""An attack on a team: every round strikes one of those still there, a humanoid of his own (G28, G31).

An explosion among them is felt by all: by the man struck in full, by the others as far off as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from gurps_vehicle.attack_roll import Strikes
from gurps_vehicle.bodies import HEAD, Spot
from gurps_vehicle.detail import Detail, Works, condition_of, effects_of
from gurps_vehicle.flags import STOPPED, WRECKED
from gurps_vehicle.health import DEAD
from gurps_vehicle.person import Folk, People, blow_of, feel, strike_one
from gurps_vehicle.planning import (
    USED,
    Aim,
    Facts,
    GurpsPlan,
    aim_at,
    attack_roll,
    blast_part,
    blast_yd,
    critical_effect,
    notes_all_over,
    people_of,
    seat_names,
)
from gurps_vehicle.tables import ORDINARY
from mantlet import (
    Crowd,
    Dice,
    InputName,
    Location,
    Outcome,
    Table,
    Then,
    outcome,
    outcome_between,
)
from mantlet.game.condition import FULL, NONE, REDUCED, Condition

APART_YD = Fraction(3)
"""How far apart the men of a team stand: a design choice."""
MAN = Location("man", "body")


@dataclass(frozen=True, eq=False, kw_only=True)
class TeamPlan(GurpsPlan):
    """An attack on a team. `aimed` is the part or table of sides aimed at; else a random place is struck."""

    folk: Folk
    aimed: Spot | Table[Any] | None
    names: tuple[str, ...]


def team_plan(facts: Facts) -> TeamPlan:
    """Everything about an attack on a team that needs no dice. Raises UnknownNameError for an aim at no part."""
    attack, target, block, _, options = facts
    folk = people_of(block, options)
    aim = Aim() if attack.aim is None else aim_at(folk.body, attack.aim, target.id)
    used: set[InputName] = set(USED)
    notes: tuple[str, ...] = ()
    if facts.felt_all_over:
        aim, notes = Aim(folk.body.torso()), notes_all_over(facts, used, each=True)
    common = facts.worked_out(used, aim, notes)
    return TeamPlan(**common, folk=folk, aimed=aim.at, names=seat_names(target))


def resolve(dice: Dice, plan: TeamPlan, before: Condition) -> Outcome | Then:
    """One attack: the attack roll (none for what goes off some way away), then round after round."""
    strikes = attack_roll(dice, plan, "G10")
    if not strikes.hits:
        return outcome(0, before)
    was = before.detail
    assert isinstance(was, Detail)
    men = Crowd(was.people, was.people, plan.names)  # alike are those who begin in the same state
    return dice.then(strike, plan, before, Struck(men), strikes)


class Struck(NamedTuple):
    """A team while rounds strike it: its men, and how many rounds have struck."""

    men: People
    hits: int = 0


def strike(dice: Dice, plan: TeamPlan, before: Condition, struck: Struck, strikes: Strikes) -> Then:
    """One round strikes, and then the others."""
    men = dice.settle(one_round, plan, struck.men, strikes._replace(hits=1))
    struck = Struck(men, struck.hits + 1)
    if strikes.hits > 1:
        return dice.then(strike, plan, before, struck, Strikes(strikes.hits - 1))
    return dice.then(aftermath, plan, before, struck)


def one_round(dice: Dice, plan: TeamPlan, men: People, strikes: Strikes) -> People:
    """One round: who is struck, where and how badly; and those around where it explodes."""
    seats = tuple([i for i, man in enumerate(men) if man is not None and man.state != DEAD])
    if not seats:
        return men
    folk = plan.folk
    aimed = folk.body.torso() if strikes.near else plan.aimed
    head = isinstance(aimed, Spot) and aimed.kind in HEAD
    effect = critical_effect(dice, plan, strikes, head=head)
    if not plan.yards_off:
        men, who = strike_one(dice, men, seats, folk, blow_of(plan.shot, effect)._replace(place=aimed))
        seats = tuple([i for i in seats if i != who])
    off = plan.yards_off or APART_YD
    if plan.shot.explosive and off <= blast_yd(plan.shot):
        men = feel(dice, men, seats, folk, blow_of(plan.shot, ORDINARY, part=blast_part(off)))
    return men


def aftermath(dice: Dice, plan: TeamPlan, before: Condition, struck: Struck) -> Outcome:
    """What is left of the team: nobody able to act is out of the fight, nobody alive is destroyed."""
    was = before.detail
    assert isinstance(was, Detail)
    men = [man for man in struck.men if man is not None]
    able = sum([man.acts for man in men])
    fewer = able < sum([man.acts for man in was.people if man is not None])
    works = Works(FULL if able else NONE, NONE if not able else REDUCED if fewer else FULL)
    alive = any(man.state != DEAD for man in men)
    detail = was._replace(
        flags=was.flags if alive else was.flags | WRECKED | STOPPED, people=tuple(struck.men.in_order(dice))
    )
    return outcome_between(
        before,
        condition_of(before, detail, works, out=not able),
        effects_of(was, detail, through=struck.men != was.people),
        hits=struck.hits,
        locations=(MAN,),
    )
