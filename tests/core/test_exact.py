"""Exact odds: known cases by hand, rule bodies that break the rules, and the work limit."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import icepool
import numpy as np
import pytest

from mantlet import Dice, Exact, RuleError, Scripted, Seeded, Then, WorkLimitError, run, under
from mantlet.probability.distributions import Distribution


def weights(stage: Callable[..., Any], *arguments: Any) -> dict[Any, Fraction]:
    return Exact(fractions=True).distribution(stage, *arguments).weights


# Known cases


def test_a_body_without_dice_is_certain() -> None:
    assert weights(lambda dice: "always") == {"always": 1}
    assert Exact().distribution(lambda dice, x: x, 3).weights == {3: 1.0}


def test_a_sum_of_rolls() -> None:
    def body(dice: Dice) -> int:
        return sum(dice.roll("1d6", f"die {i}") for i in range(3))

    assert weights(body) == {t: Fraction(n, 216) for t, n in (3 @ icepool.d6).items()}


def test_a_roll_kept_in_a_variable_is_one_roll() -> None:
    def body(dice: Dice) -> tuple[int, int]:
        roll = dice.roll("1d6", "once")
        return (roll, roll)

    assert weights(body) == {(i, i): Fraction(1, 6) for i in range(1, 7)}


def test_which_dice_are_rolled_may_depend_on_dice() -> None:
    # 1d6, and on a 6 one more d6 instead of stopping.
    def body(dice: Dice) -> int:
        first = dice.roll("1d6", "first")
        return first if first < 6 else 6 + dice.roll("1d4", "second")

    assert weights(body) == {**{i: Fraction(1, 6) for i in range(1, 6)}, **{i: Fraction(1, 24) for i in range(7, 11)}}


def _burst(dice: Dice, left: int, hits: int) -> object:
    hits += dice.check(under("3d6", 10), "hit")
    return dice.then(_burst, left - 1, hits) if left > 1 else hits


def test_a_long_burst_merges_and_is_binomial() -> None:
    # 3d6 comes to 10 or less half of the time.
    from math import comb

    assert weights(_burst, 12, 0) == {k: Fraction(comb(12, k), 2**12) for k in range(13)}
    floats = Exact(limit=40_000).distribution(_burst, 100, 0)
    assert abs(floats.total() - 1) < 1e-12
    assert floats[50] == pytest.approx(comb(100, 50) / 2**100, rel=1e-12)


def test_continuations_are_arguments_like_any_other() -> None:
    def first(dice: Dice, follows: Then) -> Then:
        dice.roll("1d6", "spent")
        return follows

    def start(dice: Dice) -> Then:
        return dice.then(first, dice.then(last, dice.roll("1d2", "kept")))

    def last(dice: Dice, kept: int) -> int:
        return kept * 10 + dice.roll("1d2", "last")

    assert weights(start) == {t: Fraction(1, 4) for t in (11, 12, 21, 22)}
    assert run(Scripted("2,5,1").dice, start) == 21


def test_a_hand_over_made_by_its_class_is_followed_too() -> None:
    def start(dice: Dice) -> Then:
        return Then(_burst, (dice.roll("1d2", "rounds"), 0))

    assert weights(start) == {0: Fraction(3, 8), 1: Fraction(1, 2), 2: Fraction(1, 8)}
    assert run(Scripted("1,9").dice, start) == 1


class Wound(NamedTuple):
    where: str
    points: int


class Scratch(NamedTuple):
    where: str
    points: int


def test_outcomes_need_not_be_sortable() -> None:
    def body(dice: Dice) -> object:
        return dice.one_of((None, "text", 3, Wound("arm", 2), frozenset({1}), 1.5, 2j), "any")

    assert len(weights(body)) == 7


def test_equal_options_of_another_type_do_not_stand_in_for_each_other() -> None:
    dice = Seeded(1).dice
    assert type(dice.one_of((Wound("arm", 2), Wound("arm", 2)), "a")) is Wound
    assert type(dice.one_of((Scratch("arm", 2), Scratch("arm", 2)), "a")) is Scratch
    assert type(dice.one_of((("arm", 2), ("arm", 2)), "a")) is tuple
    assert {type(dice.one_of((1, True), "b")) for _ in range(50)} == {int, bool}
    assert {type(dice.one_of((True, 1.0), "c")) for _ in range(50)} == {float, bool}


def test_negative_single_faced_and_constant_dice() -> None:
    assert weights(lambda d: d.roll("1d6-1d6", "x")) == {k: Fraction(6 - abs(k), 36) for k in range(-5, 6)}
    assert weights(lambda d: d.roll("3d1", "x")) == {3: 1}
    assert weights(lambda d: d.roll("7", "x")) == {7: 1}


@pytest.mark.parametrize("p", [1e-320, 5e-324, 1e-17, 0.5, 1 - 2**-53, Fraction(1, 3), Fraction(1, 10**400), 1 / 3])
def test_chances_however_small(p: float | Fraction) -> None:
    found = Exact().distribution(lambda dice: dice.chance(p, "x"))
    assert found.total() == 1
    assert found[True] == float(p)
    assert weights(lambda dice: dice.chance(p, "x")) == {True: Fraction(p), False: 1 - Fraction(p)}


@pytest.mark.parametrize(
    ("p", "happens"),
    [(0, False), (-1e-12, False), (1, True), (1 + 1e-12, True), (1 - 1e-17, True), (Fraction(0), False)],
)
def test_what_is_certain_asks_for_no_dice(p: float, happens: bool) -> None:
    source = Scripted("")
    assert source.dice.chance(p, "x") is happens
    assert source.account.rolls == []


@pytest.mark.parametrize("p", [-0.5, 1.5, math.inf, -math.inf, math.nan, Fraction(3, 2), Fraction(-1, 2), 2])
def test_what_is_no_probability_is_refused(p: float) -> None:
    for dice in (Seeded(1).dice, Scripted("50").dice):
        with pytest.raises(RuleError, match="A chance lies between 0 and 1"):
            dice.chance(p, "x")
    with pytest.raises(RuleError, match="A chance lies between 0 and 1"):
        weights(lambda dice: dice.chance(p, "x"))


def test_chances_of_other_number_types() -> None:
    for p in (np.float64(0.25), np.float32(0.25), np.array(0.25)[()]):
        assert Exact().distribution(lambda dice, p=p: dice.chance(p, "x")).weights == {True: 0.25, False: 0.75}
        assert weights(lambda dice, p=p: dice.chance(p, "x")) == {True: Fraction(1, 4), False: Fraction(3, 4)}
        assert type(Exact().distribution(lambda dice, p=p: dice.chance(p, "x"))[True]) is float
    assert Seeded(1).dice.chance(np.int64(1), "x") is True
    with pytest.raises(RuleError, match="between 0 and 1, not nan"):
        Seeded(1).dice.chance(float("nan"), "x")


def test_a_zero_is_not_an_outcome_and_a_small_one_is_not_dropped() -> None:
    found = Exact().distribution(lambda dice: dice.roll("60d6", "x"))
    assert len(found) == 301
    assert found[60] == pytest.approx(6.0**-60, rel=1e-12)


# Distributions


def test_a_distribution_reads_like_a_mapping() -> None:
    found: Distribution[int] = Exact(fractions=True).distribution(lambda dice: dice.roll("2d6", "x"))
    assert len(found) == 11
    assert found[7] == Fraction(1, 6)
    assert found[13] == 0
    assert 7 in found
    assert 13 not in found
    assert found.mean(lambda total: total) == 7
    assert found.probability(lambda total: total >= 10) == Fraction(1, 6)
    assert found.map(lambda total: total % 2).weights == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert found.ranked()[0] == (7, Fraction(1, 6))
    assert repr(found) == "<Distribution of 11 outcomes>"
    # What cannot happen has a zero of the same kind.
    assert type(found.probability(lambda total: False)) is Fraction
    assert type(Exact().distribution(lambda dice: 1).probability(lambda total: False)) is float


# Bodies that break the rules


def _tests_its_dice(dice: Dice) -> object:
    return 1 if dice else 0


def _compares_its_dice(dice: Dice) -> object:
    return dice == 3


def _keys_by_its_dice(dice: Dice) -> object:
    return {dice: 1}


def _hands_on_its_dice(dice: Dice) -> object:
    return dice.then(_hands_on_its_dice, dice)


def _orders_its_dice(dice: Dice) -> object:
    return max(dice, dice)  # type: ignore[type-var]


@pytest.mark.parametrize(
    "body", [_tests_its_dice, _compares_its_dice, _keys_by_its_dice, _hands_on_its_dice, _orders_its_dice]
)
def test_a_body_that_branches_on_the_dice_itself_is_an_error(body: Callable[[Dice], object]) -> None:
    with pytest.raises(RuleError, match="must not test or compare its dice"):
        Exact().distribution(body)
    if body is not _hands_on_its_dice:
        with pytest.raises(RuleError, match="must not test or compare its dice"):
            run(Seeded(1).dice, body)


def test_a_body_with_a_memory_is_an_error() -> None:
    calls: list[int] = []

    def fewer(dice: Dice) -> int:
        calls.append(1)
        return dice.roll("1d6", "first") + (dice.roll("1d6", "second") if len(calls) < 3 else 0)

    with pytest.raises(RuleError, match="not a pure function"):
        Exact().distribution(fewer)

    def another(dice: Dice) -> int:
        calls.append(1)
        return dice.roll("1d6" if len(calls) % 2 else "1d8", "some") + dice.roll("1d4", "more")

    with pytest.raises(RuleError, match="asked for 'some' where it first asked for another roll"):
        Exact().distribution(another)

    def random_one(dice: Dice) -> int:
        return dice.roll("1d6", "a") + dice.roll(random.choice(["1d4", "1d6", "1d8", "1d10"]), "b")

    with pytest.raises(RuleError, match="not a pure function"):
        Exact().distribution(random_one)


def test_a_roll_made_anew_each_time_is_the_same_roll() -> None:
    from mantlet import Check, Row, Table

    def body(dice: Dice) -> object:
        table = Table("anew", "1d6", [Row(1, 2, "a"), Row(3, 6, "b")])
        return (dice.pick(table, "row"), dice.check(Check("1d6", ((3, True), (6, False))), "check"))

    rows = (("a", Fraction(1, 6)), ("b", Fraction(1, 3)))
    assert weights(body) == {(row, passed): p for row, p in rows for passed in (True, False)}


def test_a_body_cannot_swallow_the_error() -> None:
    calls: list[int] = []

    def body(dice: Dice) -> object:
        calls.append(1)
        try:
            return dice.roll("1d6" if len(calls) % 2 else "1d8", "some") + dice.roll("1d4", "more")
        except Exception:
            return "nothing happened"

    with pytest.raises(RuleError, match="another roll"):
        Exact().distribution(body)


def test_an_error_of_the_rules_own_comes_through_and_leaves_the_engine_fit() -> None:
    def body(dice: Dice, bad: int) -> int:
        if dice.roll("1d6", "x") == bad:
            raise KeyError("no such row")
        return 1

    engine = Exact(fractions=True)
    with pytest.raises(KeyError, match="no such row"):
        engine.distribution(body, 4)
    assert engine.distribution(body, 9).weights == {1: 1}
    with pytest.raises(KeyError):
        engine.distribution(body, 4)


def test_results_that_cannot_be_merged_name_the_stage() -> None:
    def listing(dice: Dice) -> object:
        return [dice.roll("1d6", "x")]

    def hands_on_a_list(dice: Dice) -> object:
        return dice.then(listing, [1])

    with pytest.raises(RuleError, match="listing gave a result that cannot be merged: unhashable type: 'list'"):
        Exact().distribution(listing)
    with pytest.raises(RuleError, match="listing was given arguments that cannot be merged"):
        Exact().distribution(hands_on_a_list)
    with pytest.raises(RuleError, match="cannot be merged"):
        Exact().distribution(listing, {"a": 1})


def test_a_hand_over_inside_a_result_is_an_error_with_any_dice() -> None:
    def body(dice: Dice) -> object:
        return (dice.then(_burst, 1, 0), dice.roll("1d6", "x"))

    with pytest.raises(RuleError, match="inside its result"):
        Exact().distribution(body)
    with pytest.raises(RuleError, match="inside its result"):
        run(Seeded(1).dice, body)


def test_a_hand_over_kept_while_another_body_is_settled_is_seen_too() -> None:
    def body(dice: Dice) -> object:
        kept = dice.then(_burst, 1, 0)
        return (kept, dice.settle(_burst, 2, 0))

    with pytest.raises(RuleError, match="inside its result"):
        Exact().distribution(body)


def test_errors_of_a_settled_body_come_through() -> None:
    def listing(dice: Dice) -> object:
        return [dice.roll("1d6", "x")]

    def swallows(dice: Dice) -> object:
        try:
            return dice.settle(listing)
        except Exception:
            return "nothing happened"

    def endless(dice: Dice) -> object:
        return dice.settle(_until_six)

    def unmergeable(dice: Dice) -> object:
        return dice.settle(_burst, [1], 0)

    with pytest.raises(RuleError, match="listing gave a result that cannot be merged"):
        Exact().distribution(swallows)
    with pytest.raises(RuleError, match="_burst was given arguments that cannot be merged"):
        Exact().distribution(unmergeable)
    with pytest.raises(WorkLimitError, match="500 steps"):
        Exact(limit=500).distribution(endless)
    engine = Exact(limit=500)
    for _ in range(3):
        with pytest.raises(WorkLimitError):
            engine.distribution(endless)
        assert engine.distribution(_burst, 1, 0).weights == {0: 0.5, 1: 0.5}


def test_nothing_to_choose_from() -> None:
    with pytest.raises(RuleError, match="Nothing to choose from for 'who'"):
        Seeded(1).dice.one_of((), "who")


# The work limit


def _endless(dice: Dice) -> object:
    return dice.then(_endless)


def _endless_count(dice: Dice, n: int) -> object:
    return dice.then(_endless_count, n + 1)


def _until_six(dice: Dice) -> object:
    return "six" if dice.roll("1d6", "again") == 6 else dice.then(_until_six)


def _loops_on_the_first_face(dice: Dice) -> object:
    n = 0
    while dice.roll("1d6", "again") < 6:
        n += 1
    return n


def _loops_on_the_last_face(dice: Dice) -> object:
    n = 0
    while dice.roll("1d6", "again") > 1:
        n += 1
    return n


def _loops_and_swallows(dice: Dice) -> object:
    for _ in range(50_000):
        try:
            dice.roll("1d6", "again")
        except Exception:
            return "stopped"
    return "all"


def _wide(dice: Dice) -> object:
    return tuple(dice.roll("1d6", "x") for _ in range(12))


def _fans_out(dice: Dice, depth: int, path: tuple[int, ...]) -> object:
    path = (*path, dice.roll("1d100", "x"))
    return dice.then(_fans_out, depth - 1, path) if depth else path


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        (_endless, ()),
        (_endless_count, (0,)),
        (_until_six, ()),
        (_loops_on_the_first_face, ()),
        (_loops_on_the_last_face, ()),
        (_loops_and_swallows, ()),
        (_wide, ()),
        (_fans_out, (5, ())),
    ],
)
@pytest.mark.parametrize("fractions", [False, True])
def test_too_much_work_is_refused_with_the_limit_stated(
    body: Callable[..., object], arguments: tuple[Any, ...], fractions: bool
) -> None:
    engine = Exact(limit=30_000, fractions=fractions)
    for ask in (engine.distribution, lambda *a: engine.mean(lambda result: (1.0,), *a)):
        with pytest.raises(WorkLimitError, match=r"need more than|leads back to itself") as caught:
            ask(body, *arguments)
        assert any(
            text in str(caught.value) for text in ("30,000 steps", "10,000 rolls in", "10,000 stages", "without end")
        )
        assert body.__name__ in str(caught.value)
    # The engine answers the next question as if nothing had been.
    assert engine.distribution(_burst, 1, 0).weights == {0: engine.one / 2, 1: engine.one / 2}


def test_the_limit_counts_one_question() -> None:
    engine = Exact(limit=2_000)
    for _ in range(20):
        engine.distribution(_burst, 20, 0)
    with pytest.raises(WorkLimitError):
        Exact(limit=100).distribution(_burst, 20, 0)


def test_an_endless_chain_at_the_table_is_refused() -> None:
    with pytest.raises(RuleError, match="did not end"):
        run(Seeded(1).dice, _endless)


# What is remembered


def test_remembering_is_bounded_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    import mantlet.probability.exact

    def features(hits: int) -> tuple[float, ...]:
        return (hits, hits**2)

    expected = Exact(fractions=True).distribution(_burst, 30, 0).weights
    means = Exact(fractions=True).mean(features, _burst, 30, 0)
    monkeypatch.setattr(mantlet.probability.exact, "MEMO_LIMIT", 5)
    monkeypatch.setattr(mantlet.probability.exact, "MEANS_LIMIT", 5)
    engine = Exact(fractions=True)
    for _ in range(3):
        assert engine.distribution(_burst, 30, 0).weights == expected
        assert engine.mean(features, _burst, 30, 0) == means
        assert engine._held <= 40


def test_what_is_remembered_is_given_back_with_the_engine() -> None:
    import gc
    import weakref

    class Token:
        pass

    def body(dice: Dice, token: Token) -> int:
        return dice.roll("1d6", "x")

    token = Token()
    alive = weakref.ref(token)
    gc.collect()
    gc.disable()
    try:
        engine = Exact()
        engine.distribution(body, token)
        del token, engine
        assert alive() is None  # no reference cycle: a sweep does not wait for the garbage collector
    finally:
        gc.enable()


def test_equal_states_are_explored_once() -> None:
    runs: list[int] = []

    def start(dice: Dice) -> Then:
        return dice.then(end, dice.roll("2d6", "x") // 7)

    def end(dice: Dice, high: int) -> tuple[int, int]:
        runs.append(high)
        return (high, dice.roll("1d4", "y"))

    engine = Exact(fractions=True)
    first = engine.distribution(start)
    assert sorted(runs) == [0] * 4 + [1] * 4
    assert first.weights == {(h, y): Fraction(15 + 6 * h, 144) for h, y in product((0, 1), range(1, 5))}
    engine.distribution(start)
    assert len(runs) == 8


# The seeded body, sampled, is the independent check of the exact one


def _attack(dice: Dice, armor: int) -> object:
    if not dice.check(under("3d6", 11), "to hit"):
        return "missed"
    return dice.then(_damage, armor - 2 * dice.chance(0.3, "weak spot"))


def _damage(dice: Dice, armor: int) -> object:
    through = dice.roll("2d6+2", "damage") - armor
    if through <= 0:
        return "stopped"
    return ("through", min(through, 4), dice.one_of(("left", "right"), "side"))


def test_sampling_the_body_agrees_with_its_exact_odds() -> None:
    expected = Exact().distribution(_attack, 8)
    n, source = 20_000, Seeded(31337)
    counts = dict.fromkeys(expected, 0)
    for _ in range(n):
        counts[run(source.dice, _attack, 8)] += 1
        source.account.entries.clear()
    # Ten outcomes, nine degrees of freedom: 27.9 at one in a thousand.
    assert len(expected) == 10
    assert sum((counts[k] - n * p) ** 2 / (n * p) for k, p in expected.items()) < 27.9
