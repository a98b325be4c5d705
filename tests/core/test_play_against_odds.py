"""Play against odds: what a wrong use of a crowd does to the odds is seen."""

from __future__ import annotations

import pytest

from mantlet import (
    Ammunition,
    Attack,
    Condition,
    Crowd,
    Dice,
    NoOptions,
    NotCoveredError,
    Outcome,
    Plan,
    Ruleset,
    Seat,
    Target,
    Then,
    Weapon,
    outcome_between,
    under,
)
from mantlet.testing import play_against_odds

GUN = Weapon(id="gun", name="Gun", kind="gun", ammunition=(Ammunition(id="ball", kind="ball"),))
SQUAD = Target(
    id="squad", name="Squad", kind="team", body="infantry", seats=(Seat(role="man", compartment="none", count=3),)
)
BURST = Attack(weapon=GUN, ammunition=GUN.ammunition[0], rounds=3)


class Crowded(Ruleset[NoOptions, Plan]):
    """Each round that hits wounds one man, and a man wounded already dies of it."""

    name = "crowded"
    version = "1"
    title = "Crowded"
    summary = "Bursts at men alike."

    def covers(self, attack: Attack, target: Target) -> str | None:
        return None if target.kind == "team" else "It has teams alone."

    def plan(self, attack: Attack, target: Target) -> Plan:
        return Plan(attack=attack, target=target)

    def resolve(self, dice: Dice, plan: Plan, condition: Condition) -> Outcome | Then:
        return dice.then(self.round, plan, condition, Crowd(condition.people, "aaa"), plan.attack.rounds)

    def round(self, dice: Dice, plan: Plan, before: Condition, men: Crowd[int], left: int) -> Outcome | Then:
        if not left:
            after = before._replace(people=tuple(men.in_order(dice)))
            return outcome_between(before, after, hits=men != before.people)
        if dice.check(under("3d6", 10), "hit"):
            men, who = self.struck(dice, men)
            men = men.put(who, 1 if men[who] == 0 else 3)
        return dice.then(self.round, plan, before, men, left - 1)

    def struck(self, dice: Dice, men: Crowd[int]) -> tuple[Crowd[int], int]:
        return men, men.one_of(dice, range(3), "who")


class TooEarly(Crowded):
    """Puts the crowd in order when somebody in it has been chosen."""

    name = "too_early"

    def struck(self, dice: Dice, men: Crowd[int]) -> tuple[Crowd[int], int]:
        who = men.one_of(dice, range(3), "who")
        return men.in_order(dice), who


def test_a_right_use_agrees() -> None:
    assert play_against_odds(Crowded(), BURST, SQUAD) == []


def test_a_wrong_use_is_named_by_the_figures_it_moves() -> None:
    found = play_against_odds(TooEarly(), BURST, SQUAD, attacks=2_000)
    assert any(text.startswith("crew_killed is 0.") and "in 2000 attacks, at odds of 0." in text for text in found)


def test_an_attack_without_a_rule_is_refused() -> None:
    car = Target(id="car", name="Car", kind="vehicle", body="car")
    with pytest.raises(NotCoveredError, match="crowded has no rule for this attack: It has teams alone"):
        play_against_odds(Crowded(), BURST, car)
