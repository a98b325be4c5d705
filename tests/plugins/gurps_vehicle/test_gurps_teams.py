"""Teams of men on foot: who is struck, blasts among them, and what is left of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from gurps_vehicle.detail import Detail
from gurps_vehicle.health import HURT
from gurps_vehicle.person import UNHURT, Person
from mantlet import Exact, Scripted, Seat, Target, distribution, run, summarize
from mantlet.game.condition import DEAD, FIT, FULL, GONE, NONE, OUT, REDUCED, WOUNDED


def team(men: int = 3, **stats: Any) -> Target:
    """Men of 10 HP and HT 10, SM 0."""
    block = {"sm": 0, "person_hp": 10, "person_ht": 10, **stats}
    seats = (Seat(role="rifleman", compartment="deck", count=men, exposed=True),)
    return Target(id="squad", name="squad", kind="team", body="infantry", seats=seats, stats={"gurps_vehicle": block})


@pytest.mark.rule("G31", "G28")
def test_one_round_strikes_one_of_them(shooting: Any) -> None:
    outcome, notes = shooting.script("2,10,4", shooting.attack(), team())
    assert outcome.condition.people == (FIT, WOUNDED, FIT)
    assert outcome.condition.firepower == FULL
    assert any(note.startswith("person, torso: 4 through DR 0") for note in notes)
    found = shooting.exact(shooting.attack(), team())
    each = Fraction(1, 3) * (1 - Fraction(4, 216) * Fraction(2, 6))  # a skull stops 1 and 2
    assert [found.probability(lambda o, i=i: o.condition.people[i] != FIT) for i in range(3)] == [each] * 3


@pytest.mark.rule("G31")
def test_the_dead_are_struck_no_more(shooting: Any) -> None:
    rules, squad = shooting.rules(), team(2)
    plan = rules.plan(shooting.attack("1dx60"), squad)
    first = run(Scripted("1,10,60,10").dice, rules.resolve, plan, rules.fresh(squad))
    assert first.condition.people == (DEAD, FIT)
    assert first.condition.firepower == REDUCED
    assert not first.condition.knocked_out
    second = Scripted("10,60,10")  # nobody to choose between
    last = run(second.dice, rules.resolve, plan, first.condition)
    second.finish()
    assert (last.condition.destroyed, last.condition.firepower, last.condition.mobility) == (True, NONE, NONE)
    nobody = run(Scripted("").dice, rules.resolve, plan, last.condition)
    assert (nobody.killed, nobody.wounded) == (0, 0)


@pytest.mark.rule("G28")
def test_a_team_of_which_nobody_can_act_is_out(shooting: Any) -> None:
    # 11 points to the torso: a major wound, knockdown made, HT at 0 HP failed.
    outcome, _ = shooting.script("10,11,10,11", shooting.attack("2d"), team(1))
    assert outcome.condition.people == (OUT,)
    assert (outcome.condition.knocked_out, outcome.condition.destroyed) == (True, False)


@pytest.mark.rule("G3", "G10")
def test_which_arm_of_a_man_is_struck(shooting: Any) -> None:
    for roll, side in ((1, "right"), (2, "left")):
        outcome, notes = shooting.script(f"1,{roll},4", shooting.attack(aim="arm"), team())
        assert outcome.wounded == 1
        assert any(note.startswith(f"person, {side} arm: 4 through") for note in notes)


@pytest.mark.rule("G10")
def test_a_critical_to_an_aimed_head_is_a_head_blow(shooting: Any) -> None:
    def lost(aim: str, rolls: str) -> int:
        attack = shooting.attack("1d", "cr", aim=aim, given_hit=False, skills={"gurps_vehicle": 25})
        outcome, _ = shooting.script(rolls, attack, team(1, person_dr=5), criticals=True, wounds="points")
        points: int = outcome.condition.detail.people[0].lost
        return points

    assert lost("face", "3,3,7") == 6  # the most, no armor: a major wound, HT 5 missed by 2
    assert lost("torso", "3,3,6,10,10") == 13  # 18 - 5


def test_a_blast_is_felt_by_those_around(shooting: Any) -> None:
    shell = shooting.attack("6d", "cr", stats={"explosive": True})
    # 20 to the man struck (in the arm: 6 at most, a major wound), 27 to the others 3 yd off: 27 / 9.
    outcome, told = shooting.script("1,8,20,10,27,27", shell, team(3), wounds="points")
    assert [note for note in told if "feels" in note] == [f"rifleman {n} feels damage / 9." for n in (2, 3)]
    assert [man.lost for man in outcome.condition.detail.people] == [6, 3, 3]


def test_a_blast_some_way_off_asks_for_no_attack_roll(shooting: Any) -> None:
    stats = {"explosive": True}
    shell = shooting.attack("6d", "cr", 2, stats=stats, miss_distance_m=2 * 0.9144, given_hit=False)
    outcome, _ = shooting.script("24,18,6", shell, team(3, person_dr=2), wounds="points")
    notes = shooting.rules().plan(shell, team(3)).notes
    assert "It goes off 2 yd away, no attack roll asked: damage / 6." in notes
    # 24 / 6 and 18 / 6 less DR 2, which no divisor halves; 6 / 6 is stopped.
    assert [man.lost for man in outcome.condition.detail.people] == [2, 1, 0]


@pytest.mark.rule("G26")
def test_a_flame_takes_hold_of_one_man(shooting: Any) -> None:
    flame = shooting.attack("3d", "burn", stats={"large_area": True}, aim="skull")
    plan = shooting.rules().plan(flame, team(2))
    assert "aim" in plan.ignored
    outcome, _ = shooting.script("2,5", flame, team(2), wounds="points")
    assert [man.lost for man in outcome.condition.detail.people] == [0, 5]


def test_a_miss_by_one_at_a_head_strikes_the_torso(shooting: Any) -> None:
    attack = shooting.attack("1d", aim="skull", given_hit=False, skills={"gurps_vehicle": 17})
    outcome, notes = shooting.script("11,2,3", attack, team(2))  # 17 - 7 is 10
    assert outcome.hits == 1
    assert any(note.startswith("person, torso") for note in notes)
    assert shooting.script("12", attack, team(2))[0].hits == 0


@pytest.mark.rule("G28", "G31")
@pytest.mark.parametrize("start", ["fresh", "wounded", "one gone"])
def test_odds_need_not_tell_apart_who_is_alike(shooting: Any, start: str) -> None:
    rules, squad = shooting.rules(), team(4)
    attack = shooting.attack("2d", given_hit=False, rounds=5, skills={"gurps_vehicle": 6})
    plan, condition = rules.plan(attack, squad), rules.fresh(squad)
    if start == "wounded":
        wounding = rules.plan(shooting.attack(), squad)
        condition = run(Scripted("2,10,4").dice, rules.resolve, wounding, condition).condition
    elif start == "one gone":
        detail = condition.detail._replace(people=(None, None, UNHURT, UNHURT))
        condition = condition._replace(people=(GONE, GONE, FIT, FIT), detail=detail)
    by_seat = summarize(rules, plan, distribution(rules, plan, condition, Exact()))
    alike = summarize(rules, plan, distribution(rules, plan, condition, Exact(merge_alike=True)))
    assert by_seat.odds["crew_hit"] > 0
    assert dict(alike.odds) == pytest.approx(dict(by_seat.odds), abs=1e-12)
    assert dict(alike.expected) == pytest.approx(dict(by_seat.expected), abs=1e-12)


@pytest.mark.rule("G28", "G31")
def test_odds_of_men_wounded_before_who_do_not_stand_in_order(shooting: Any) -> None:
    rules, squad = shooting.rules(), team(2, person_dr=5)
    wounded = (Person(10, HURT), Person(5, HURT))
    worse_first = rules.fresh(squad)._replace(people=(WOUNDED, WOUNDED), detail=Detail(people=wounded))
    plan = rules.plan(shooting.attack(aim="torso"), squad)
    for merge in (False, True):
        found = summarize(rules, plan, distribution(rules, plan, worse_first, Exact(merge_alike=merge)))
        assert found.odds["penetrated"] < 1 / 6  # a 6 alone is more than DR 5
