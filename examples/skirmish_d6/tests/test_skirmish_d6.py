"""The conformance kit, and odds worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from mantlet import Ammunition, Attack, Exact, Plate, Seat, Target, Weapon, distribution
from mantlet.game.effects import DESTROYED, HIT, PENETRATED
from mantlet.testing import check_ruleset
from skirmish_d6.ruleset import Options, SkirmishD6

GUN = Weapon(
    id="gun",
    name="Gun",
    kind="gun",
    ammunition=(Ammunition(id="shot", kind="AP", stats={"skirmish_d6": {"strength": 4}}),),
)
TANK = Target(
    id="tank",
    name="Tank",
    kind="vehicle",
    body="tank",
    running_gear="tracks",
    plates=(Plate(where="hull_front_upper", thickness_mm=50.0),),
    seats=(Seat(role="driver", compartment="hull"),),
)


def test_it_conforms() -> None:
    check_ruleset(SkirmishD6)


@pytest.mark.parametrize("six", ["saves", "counts"])
def test_it_conforms_under_both_options(six: str) -> None:
    check_ruleset(SkirmishD6.with_options({"natural_six": six}), effort=0.2)


def test_odds_of_one_shot_by_hand() -> None:
    """At 300 m 7 or more on 2d6 is 21/36; 50 mm is class 3 against strength 4: a save on 5 or 6, 2/6."""
    attack = Attack(weapon=GUN, ammunition=GUN.ammunition[0], range_m=300)
    ruleset = SkirmishD6(Options())
    odds = distribution(ruleset, ruleset.plan(attack, TANK), exact=Exact(fractions=True))
    assert odds.probability(lambda o: bool(o.effects & HIT)) == Fraction(21, 36)
    assert odds.probability(lambda o: bool(o.effects & PENETRATED)) == Fraction(21, 36) * Fraction(4, 6)
    assert odds.probability(lambda o: bool(o.effects & DESTROYED)) == Fraction(21, 36) * Fraction(4, 6) / 6


def test_the_third_unsaved_hit_knocks_out() -> None:
    """Ten rounds: the detail counts unsaved hits up to the third, and no further."""
    attack = Attack(weapon=GUN, ammunition=GUN.ammunition[0], range_m=50, rounds=10)
    ruleset = SkirmishD6()
    for found in distribution(ruleset, ruleset.plan(attack, TANK)):
        assert (found.condition.detail or 0) == min(found.damage, 3)
        assert found.damage < 3 or found.condition.knocked_out


def test_a_man_hit_is_killed_on_1_or_2() -> None:
    """S7: an unsaved hit strikes the one man aboard on 2 of the damage table."""
    attack = Attack(weapon=GUN, ammunition=GUN.ammunition[0], range_m=300, given_hit=True)
    ruleset = SkirmishD6()
    odds = distribution(ruleset, ruleset.plan(attack, TANK), exact=Exact(fractions=True))
    assert odds.probability(lambda o: o.killed == 1) == Fraction(4, 6) / 6 * Fraction(2, 6)
    assert odds.probability(lambda o: o.wounded == 1) == Fraction(4, 6) / 6 * Fraction(4, 6)


def test_skill_adds_to_the_roll_to_hit() -> None:
    """S4: 6 or more at 50 m; a veteran needs 5 or more, 30 ways in 36."""
    ruleset = SkirmishD6()

    def hits(**given: Any) -> Fraction:
        attack = Attack(weapon=GUN, ammunition=GUN.ammunition[0], range_m=50, **given)
        odds = distribution(ruleset, ruleset.plan(attack, TANK), exact=Exact(fractions=True))
        return Fraction(odds.probability(lambda o: bool(o.effects & HIT)))

    assert hits() == hits(skill="trained") == hits(skill_percent=50) == Fraction(26, 36)
    assert hits(skill="veteran") == hits(skill_percent=65) == hits(skills={"skirmish_d6": 1}) == Fraction(30, 36)
