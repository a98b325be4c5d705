"""F30 to F32: close assault of a team on a tank, the defenders' fire first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from facing_armor.crew import frozen, harm, is_killed
from facing_armor.design import design
from facing_armor.layout import ARMORED, Layout, layout
from facing_armor.state import alike_in_order, crowd_of, team_state
from facing_armor.suppression import STEADY, burst_hits_man, last_few, level, raised, settled, strength
from mantlet import (
    Attack,
    Condition,
    Dice,
    InputName,
    Outcome,
    Plan,
    Target,
    Then,
    complete_target,
    ignored_inputs,
    outcome_between,
)
from mantlet.game.condition import DEAD, FIT, GONE, NONE, OUT, WOUNDED


class Assaulters(NamedTuple):
    """The assaulting team: men still in it, its size, its suppression in hundredths."""

    men: int
    size: int
    suppression: float = 0.0

    @property
    def able(self) -> bool:
        """F30: not pinned, and more than the last few men."""
        return level(self.suppression) == STEADY and self.men > last_few(self.size)


class AssaultReport(NamedTuple):
    """What became of an assault (`no_chance`, `beaten_off`, `failed`, `immobilized`, `knocked_out`), and the team."""

    result: str
    assaulters: Assaulters


@dataclass(frozen=True, eq=False, kw_only=True)
class AssaultPlan(Plan):
    """One period of close assault."""

    layout: Layout
    assaulters: Assaulters


def uncovered(attack: Attack, target: Target) -> str | None:
    """Why there is no close assault, if there is none."""
    close = design().assault.close_m
    if target.body not in ARMORED:
        return f"F30: teams assault tanks and their like; {target.id} is of the kind {target.body}."
    if attack.range_m > close:
        return f"F30: a close assault begins within {close:g} m, and the range is {attack.range_m:g} m."
    return None


_USED: Final[frozenset[InputName]] = frozenset(("range", "target_speed", "unbuttoned"))


def make_plan(attack: Attack, target: Target) -> AssaultPlan:
    """Everything about an assault that needs no dice."""
    men = design().assault.team_men
    return AssaultPlan(
        attack=attack,
        target=target,
        derived=complete_target(target).usual,
        ignored=ignored_inputs(attack, _USED),
        notes=(
            f"One period of close assault by a team of {men} men, unsuppressed at first (a design choice).",
            "Neither skill nor what the team carries plays a part in it: the source has one close assault (F30).",
        ),
        layout=layout(target),
        assaulters=Assaulters(men, men),
    )


class Tank(NamedTuple):
    """The tank as an assault finds it: its condition, and whether it is halted and buttoned."""

    layout: Layout
    condition: Condition
    halted: bool = True
    buttoned: bool = True


class Defense(NamedTuple):
    """The defenders who have still to fire, and whether an active bow gunner is among all of them (F30)."""

    to_fire: tuple[str, ...]
    bow_gunner: bool


def attack_of_a_team(dice: Dice, plan: AssaultPlan, condition: Condition) -> Outcome | Then:
    """F30: one period of the assault of an attack."""
    attack = plan.attack
    tank = Tank(plan.layout, condition, attack.target_speed_kph == 0, attack.buttoned)
    if attack.given_hit:
        return dice.then(succeeds, tank, plan.assaulters)
    return assault(dice, tank, plan.assaulters)


def assault(dice: Dice, tank: Tank, team: Assaulters) -> Outcome | Then:
    """F30: whether there is an assault at all, and F32: who fires on the team before."""
    condition = tank.condition
    open_to_it = condition.mobility == NONE or (tank.halted and tank.buttoned)
    if not (open_to_it and team.able) or condition.destroyed:
        why = "the tank is neither immobilized nor halted and buttoned" if not open_to_it else "the team is not able"
        dice.note("F30", "No assault: {}", why)
        return _end(condition, condition, "no_chance", team)
    bow_gunner = active(tank, "bow_gunner")
    defenders: tuple[str, ...] = ("bow gunner",) if bow_gunner else ()
    if not tank.buttoned and active(tank, "commander"):
        defenders += ("commander",)
    return dice.then(defend, tank, team, Defense(defenders, bow_gunner))


def active(tank: Tank, role: str) -> bool:
    """F30, F32: whether a man of this role is there and acts: not dead, gone or frozen, in a tank not knocked out."""
    seat, condition = tank.layout.roles.get(role), tank.condition
    if seat is None or condition.knocked_out or condition.people[seat] not in (FIT, WOUNDED):
        return False
    return not frozen(condition, seat)


def defend(dice: Dice, tank: Tank, team: Assaulters, defense: Defense) -> Outcome | Then:
    """F32: the defenders fire, one after the other; a team they pin does not come on."""
    if not team.able:
        dice.note("F32", "The defenders' fire pins the team: {} men, suppression {:g}%", team.men, team.suppression)
        return _end(tank.condition, tank.condition, "beaten_off", team)
    numbers = design().assault
    if defense.to_fire:
        first, left = defense.to_fire[0], defense._replace(to_fire=defense.to_fire[1:])
        if dice.chance(numbers.burst_on_team_percent / 100, f"the {first}'s burst is on the team", "F32"):
            team = team._replace(suppression=raised(team.suppression, design().suppression.machine_gun))
            return dice.then(under_fire, tank, team, left, team.men)
        return dice.then(defend, tank, team, left)
    percent = numbers.success_percent if defense.bow_gunner else numbers.success_no_bow_gunner_percent
    if dice.chance(percent / 100, "the assault succeeds", "F30"):
        return dice.then(succeeds, tank, team)
    return _end(tank.condition, tank.condition, "failed", team)


def under_fire(dice: Dice, tank: Tank, team: Assaulters, defense: Defense, at_risk: int) -> Then:
    """F32: each man of the team under a defender's burst, in turn (F24, F29)."""
    if dice.chance(burst_hits_man(design().assault.burst_rounds), "a man of the team is hit", "F29"):
        suppression = raised(team.suppression, design().suppression.casualty)
        team = team._replace(men=team.men - 1, suppression=suppression)
    if at_risk > 1:
        return dice.then(under_fire, tank, team, defense, at_risk - 1)
    return dice.then(defend, tank, team, defense)


def succeeds(dice: Dice, tank: Tank, team: Assaulters) -> Outcome | Then:
    """F31: immobilized; or, if it was already, knocked out with a casualty likely in each seat."""
    condition = tank.condition
    if condition.mobility != NONE:
        dice.note("F31", "Immobilized")
        return _end(condition, condition._replace(mobility=NONE), "immobilized", team, hits=1)
    dice.note("F31", "Immobilized already: knocked out")
    return dice.then(seat_by_seat, tank, condition._replace(knocked_out=True), team, 0)


def seat_by_seat(dice: Dice, tank: Tank, condition: Condition, team: Assaulters, seat: int) -> Outcome | Then:
    """F31: a casualty likely in each seat."""
    vehicle, start = tank.layout, tank.condition
    seats = len(vehicle.titles)
    while seat < seats and condition.people[seat] in (DEAD, GONE):
        seat += 1
    if seat == seats:
        outcome = _end(start, condition, "knocked_out", team, hits=1)
        return alike_in_order(dice, outcome, vehicle.kinds)
    role = vehicle.titles[seat]
    if dice.chance(design().assault.seat_casualty_percent / 100, f"{role} hit", "F31"):
        killed = is_killed(dice, role)
        people = crowd_of(condition.people, vehicle.kinds, start.people)
        people = people.put(seat, harm(people[seat], killed)).in_order(dice, range(seat + 1))
        condition = condition._replace(people=tuple(people))
    return dice.then(seat_by_seat, tank, condition, team, seat + 1)


def _end(start: Condition, after: Condition, result: str, team: Assaulters, hits: int = 0) -> Outcome:
    return outcome_between(start, after, hits=hits, detail=AssaultReport(result, team))


# -- the team's side --------------------------------------------------------------------------------------------------


def assaulters(target: Target, condition: Condition) -> Assaulters:
    """An infantry team as it goes into an assault."""
    return Assaulters(strength(condition), len(condition.people), team_state(condition).suppression)


def after_assault(target: Target, condition: Condition, report: AssaultReport) -> Condition:
    """The team's condition after an assault: its losses (F29; wounded or killed is not told) and its suppression."""
    people = list(condition.people)
    able = [i for i, state in enumerate(people) if state in (FIT, WOUNDED)]
    for i in able[report.assaulters.men :]:
        people[i] = OUT
    state = team_state(condition)._replace(suppression=report.assaulters.suppression)
    return settled(condition, tuple(people), state)
