"""People alike, readings of a roll, and what lies between two conditions."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mantlet import (
    Contestant,
    Crowd,
    Dice,
    Exact,
    Roll,
    RuleError,
    Scripted,
    Seeded,
    Then,
    changes,
    outcome_between,
    rising,
    run,
)
from mantlet.game.condition import DEAD, FIT, GONE, NONE, OUT, REDUCED, WOUNDED, Condition
from mantlet.game.effects import CREW_HIT, CREW_KILLED, HIT, IMMOBILIZED, KNOCKED_OUT, MOBILITY_REDUCED, names


def hurt(dice: Dice, points: int, die: str) -> int:
    return points - dice.roll(die, "damage")


def one_hit(dice: Dice, crowd: Crowd[int], left: int) -> Crowd[int] | Then:
    who = crowd.one_of(dice, range(len(crowd)), "who is hit")
    crowd = crowd.put(who, dice.settle(hurt, crowd[who], "1d2"))
    return dice.then(one_hit, crowd.in_order(dice), left - 1) if left > 1 else crowd.in_order(dice)


def everybody(dice: Dice, crowd: Crowd[int]) -> Crowd[int]:
    return crowd.each(dice, range(len(crowd)), hurt, "1d2").in_order(dice)


def by_number(outcomes: Any) -> dict[tuple[int, ...], Fraction]:
    return dict(outcomes.map(lambda crowd: tuple(sorted(crowd))).items())


@pytest.mark.parametrize("body", [(one_hit, 2), (one_hit, 3), (everybody,)], ids=["two hits", "three hits", "all"])
def test_those_alike_are_one_in_odds_and_the_numbers_stay(body: tuple[Any, ...]) -> None:
    stage, *more = body
    men = Crowd([5, 5, 5, 9], ["a", "a", "a", "b"])
    told = Exact(fractions=True).distribution(stage, men, *more)
    merged = Exact(fractions=True, merge_alike=True).distribution(stage, men, *more)
    assert len(merged) < len(told)
    assert by_number(merged) == by_number(told)
    assert merged.map(lambda crowd: crowd[3]).weights == told.map(lambda crowd: crowd[3]).weights


def test_a_blast_over_three_worked_out_by_hand() -> None:
    # Three men lose 1 or 2 each: all 1 in 1/8, one of them 2 in 3/8, two in 3/8, all in 1/8.
    found = Exact(fractions=True, merge_alike=True).distribution(everybody, Crowd([5, 5, 5], "aaa"))
    assert found.weights == {
        (4, 4, 4): Fraction(1, 8),
        (3, 4, 4): Fraction(3, 8),
        (3, 3, 4): Fraction(3, 8),
        (3, 3, 3): Fraction(1, 8),
    }


def test_at_the_table_everybody_keeps_his_seat() -> None:
    found = run(Scripted([3, 2, 2, 1]).dice, one_hit, Crowd([5, 5, 5], "aaa"), 2)
    assert found == (5, 4, 3)


def test_nobody_to_choose_from() -> None:
    with pytest.raises(RuleError, match="who is hit"):
        run(Seeded(1).dice, one_hit, Crowd([], []), 1)


class Wound(NamedTuple):
    serious: bool


def wound(total: int, armor: int) -> Wound | None:
    return Wound(total - armor > 3) if total > armor else None


def struck(dice: Dice, armor: int) -> Wound | None:
    return dice.read("2d6", wound, armor, reason="damage", rule="X1")


def test_totals_that_mean_the_same_are_one_branch() -> None:
    # 2d6 over armor 6: 7 to 9 is 15/36, 10 to 12 is 6/36, the rest 15/36.
    engine = Exact(fractions=True)
    found = engine.distribution(struck, 6)
    assert found.weights == {None: Fraction(15, 36), Wound(False): Fraction(15, 36), Wound(True): Fraction(6, 36)}
    assert engine.spent < 11  # single totals would be eleven paths


def test_a_reading_is_told_as_the_roll_it_is() -> None:
    source = Scripted([9])
    assert run(source.dice, struck, 6) == Wound(False)
    (entry,) = source.account.rolls
    assert (entry.reason, entry.rule, entry.total, entry.probability) == ("damage", "X1", 9, pytest.approx(4 / 36))


def test_what_cannot_be_merged_is_named() -> None:
    def body(dice: Dice) -> int:
        return dice.read("1d6", lambda total, them: total, ["a list"], reason="damage")  # type: ignore[arg-type]

    with pytest.raises(RuleError, match="damage"):
        Exact().distribution(body)


def test_changes_worked_out_by_hand() -> None:
    before = Condition(people=(FIT, FIT, WOUNDED, WOUNDED, DEAD, FIT, GONE))
    after = Condition(NONE, people=(WOUNDED, DEAD, DEAD, OUT, DEAD, GONE, GONE), knocked_out=True)
    came = changes(before, after)
    assert came.effects == IMMOBILIZED | KNOCKED_OUT | CREW_HIT | CREW_KILLED
    assert (came.wounded, came.killed) == (1, 2)


def test_an_outcome_between_two_conditions() -> None:
    outcome = outcome_between(Condition(), Condition(REDUCED), hits=2, damage=7)
    assert names(outcome.effects) == ["hit", "damaged", "mobility_reduced"]
    assert outcome.effects & (HIT | MOBILITY_REDUCED)
    assert (outcome.hits, outcome.damage) == (2, 7)
    assert names(outcome_between(Condition(), Condition(), hits=0).effects) == ["no_effect"]


CONDITIONS = st.builds(
    Condition,
    st.integers(0, 2),
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.tuples(*[st.integers(0, 4)] * 3),
)


@given(CONDITIONS)
def test_nothing_lies_between_a_condition_and_itself(condition: Condition) -> None:
    assert changes(condition, condition) == (0, 0, 0)


@given(CONDITIONS, CONDITIONS)
def test_nobody_is_counted_twice(before: Condition, after: Condition) -> None:
    came = changes(before, after)
    assert came.killed == sum(now == DEAD and was < DEAD for was, now in zip(before.people, after.people))
    assert came.wounded + came.killed <= sum(was != now for was, now in zip(before.people, after.people))
    assert bool(came.effects & CREW_HIT) >= bool(came.wounded + came.killed)


def unlucky(dice: Dice, crowd: Crowd[int], take: int) -> Crowd[int]:
    rolling = {seat: Contestant(f"man {seat}", 2, dice="1d4") for seat in range(len(crowd))}
    for seat in crowd.worst_failures(dice, rolling, take, "Luck"):
        crowd = crowd.put(seat, 0)
    return crowd.in_order(dice)


@pytest.mark.parametrize("take", [1, 2])
def test_the_worst_failures_of_people_alike_are_one_in_odds(take: int) -> None:
    men = Crowd([5, 5, 5, 9], ["a", "a", "a", "b"])
    told = Exact(fractions=True).distribution(unlucky, men, take)
    merged = Exact(fractions=True, merge_alike=True).distribution(unlucky, men, take)
    assert len(merged) < len(told)
    assert by_number(merged) == by_number(told)
    seen = [run(Seeded(seed).dice, unlucky, men, take) for seed in range(60)]
    assert all(told[crowd] > 0 for crowd in seen)


def test_a_crowd_can_be_copied_and_sent_to_another_process() -> None:
    men = Crowd([5, 9], ["a", "b"])
    for same in (pickle.loads(pickle.dumps(men)), copy.deepcopy(men)):
        assert same == men
        assert same.kinds == men.kinds


# -- at the table ----------------------------------------------------------------------------------------------------


def told(source: Scripted) -> list[str]:
    return [e.result if isinstance(e, Roll) else e.text for e in source.account.entries]


def test_an_account_calls_people_by_name() -> None:
    source = Scripted("2,1,1,2")
    men = Crowd([5, 5], "aa", ["Abel", "Boris"])
    assert one_hit(source.dice, men, 1) == (5, 4)
    assert told(source)[0] == "2 Boris"
    after = men.each(source.dice, (0, 1), hurt, "1d2", note=("G26", "{} feels damage / {}.", 9))
    assert after == (4, 3)
    assert [line for line in told(source) if "feels" in line] == ["Abel feels damage / 9.", "Boris feels damage / 9."]


def test_neighbors_of_one_name_in_one_state_are_not_told_apart() -> None:
    horses = Crowd([5, 5, 3], "aab", ["horse"] * 3)
    source = Scripted("2,3")
    assert [horses.one_of(source.dice, (0, 1, 2), "which") for _ in range(2)] == [0, 2]
    assert horses.one_of(Scripted("").dice, (0, 1), "which") == 0  # no die is asked for


# -- readings --------------------------------------------------------------------------------------------------------


def level(total: int, least: int) -> str:
    return "none" if total < least else "some" if total < least + 3 else "all"


def test_a_reading_tells_what_the_total_means() -> None:
    source = Scripted("9")
    assert source.dice.read("3d6", level, 8, reason="how much", rule="X1", label=str) == "some"
    assert [(e.total, e.result) for e in source.account.rolls] == [(9, "some")]


def test_a_reading_without_a_label_tells_the_total() -> None:
    source = Scripted("9")
    assert source.dice.read("3d6", level, 8, reason="how much", rule="X1") == "some"
    assert [(e.total, e.result) for e in source.account.rolls] == [(9, "9")]


@given(st.integers(1, 6), st.integers(2, 8), st.integers(-2, 40))
def test_a_meaning_that_rises_has_the_same_odds(count: int, sides: int, least: int) -> None:
    def rises(total: int, least: int) -> str:
        return level(total, least)

    def body(dice: Dice, meaning: Any) -> str:
        found: str = dice.read(f"{count}d{sides}", meaning, least, reason="how much")
        return found

    each, steps = (Exact(fractions=True).distribution(body, m) for m in (level, rising(rises)))
    assert dict(each.items()) == dict(steps.items())


@pytest.mark.parametrize("means", [[1, 2, 1], [1, 1, 2, 1, 1], [1, 2, 2, 1, 3, 3]])
def test_a_wrong_mark_is_an_error_that_names_the_meaning(means: list[int]) -> None:
    @rising
    def falls_again(total: int) -> int:
        return means[total - 1]

    def body(dice: Dice) -> int:
        return dice.read(f"1d{len(means)}", falls_again, reason="how much")

    with pytest.raises(RuleError, match="falls_again is marked as rising and is not"):
        Exact().distribution(body)
