"""Dice notation: what people type, what is refused and where, and the distribution of a total."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mantlet import DiceExpr, DiceSyntaxError, parse_dice
from mantlet.dice.notation import MAX_DICE, MAX_SIDES


@pytest.mark.parametrize(
    ("text", "terms", "constant", "multiplier"),
    [
        ("4d6+4", ((4, 6),), 4, 1),
        ("3d", ((3, 6),), 0, 1),
        ("3d-1", ((3, 6),), -1, 1),
        ("d%", ((1, 100),), 0, 1),
        ("D%", ((1, 100),), 0, 1),
        ("2d%", ((2, 100),), 0, 1),
        ("D100", ((1, 100),), 0, 1),
        ("d", ((1, 6),), 0, 1),
        ("2d6x3", ((2, 6),), 0, 3),
        ("6dx10", ((6, 6),), 0, 10),
        ("6D X 10", ((6, 6),), 0, 10),
        ("6d×10", ((6, 6),), 0, 10),
        ("6d*10", ((6, 6),), 0, 10),
        ("1d6+1d4+2", ((1, 6), (1, 4)), 2, 1),
        ("2d6 − 1", ((2, 6),), -1, 1),
        ("2d6 – 1", ((2, 6),), -1, 1),
        ("1d6-1d6", ((1, 6), (-1, 6)), 0, 1),
        ("-1d4+10", ((-1, 4),), 10, 1),
        ("+2d6", ((2, 6),), 0, 1),
        ("5", (), 5, 1),
        ("2+1d6+3", ((1, 6),), 5, 1),
        (" 4 d 6\t+ 4 ", ((4, 6),), 4, 1),
        ("1d6+2x2", ((1, 6),), 4, 1),
        ("3+1d6*2", ((1, 6),), 3, 2),
        ("1d6*2+3", ((1, 6),), 3, 2),
        ("4*1d6", ((1, 6),), 0, 4),
        ("2x1d6x3-5x2", ((1, 6),), -10, 6),
        ("(2d6+1)x3", ((2, 6),), 3, 3),
        ("10-(1d4-2)*2", ((-1, 4),), 14, 2),
        ("2d6x3+1d4x3", ((2, 6), (1, 4)), 0, 3),
        ("( (1d6) ) ", ((1, 6),), 0, 1),
        ("1d66", ((1, 66),), 0, 1),
        ("5x3", (), 15, 1),
        ("1d1", ((1, 1),), 0, 1),
    ],
)
def test_what_people_type(text: str, terms: tuple[tuple[int, int], ...], constant: int, multiplier: int) -> None:
    assert parse_dice(text) == DiceExpr(terms, constant, multiplier)


@pytest.mark.parametrize(
    ("text", "position", "says"),
    [
        ("", 0, "missing"),
        ("   ", 3, "missing"),
        ("abc", 0, "'a' does not belong"),
        ("2d6+", 4, "Expected a number or dice"),
        ("2d6++3", 4, "Expected a number or dice"),
        ("2d6 3", 4, "ended here"),
        ("2d6x", 4, "multiply"),
        ("2d6x0", 4, "at least 1"),
        ("2d6x3+1d6", 6, r"different multipliers .* write \(1d6\+1d4\)x2"),
        ("1d6+1d4x2", 4, "different multipliers"),
        ("2d6x1d4", 4, "multiplied by a number"),
        ("1d6x-2", 4, "Expected a number or dice"),
        ("1d6x(2-2)", 4, "at least 1"),
        ("(1d6", 4, "closing parenthesis"),
        ("1d6)", 3, "ended here"),
        ("()", 1, "Expected a number or dice"),
        ("(" * 9 + "1", 8, "limited to 8"),
        ("(" * 5000, 8, "limited to 8"),
        ("9999x9999x1d6", 0, "limited to 10000"),
        ("1000000x1000000", 8, "limited to 10000"),
        ("d66", 0, "two d6 read as digits, .* 1d6 for each digit. A die of 66 sides is 1d66"),
        ("2+D666", 2, "three d6 read as digits"),
        ("2d6x99999", 4, "limited to 10000"),
        ("x3", 0, "Expected a number or dice"),
        ("0d6", 0, "At least one die"),
        ("1d6+0d6", 4, "At least one die"),
        ("1d0", 2, "at least one side"),
        ("1d1001", 2, f"limited to {MAX_SIDES}"),
        ("201d6", 0, f"limited to {MAX_DICE} dice"),
        ("150d6+51d6", 6, f"limited to {MAX_DICE} dice"),
        ("9999999d6", 0, "limited to"),
        ("1d6+9" + "9" * 400, 4, "limited to"),
        ("2d6.5", 3, "'.' does not belong"),
        ("2d6/2", 3, "does not belong"),
        ("%", 0, "Expected a number or dice"),
        ("3d%%", 3, "ended here"),
        ("2d6d6", 3, "ended here"),
        ("100d1000", 0, "different totals"),
        ("__import__('os')", 0, "does not belong"),
    ],
)
def test_a_bad_expression_points_at_the_character(text: str, position: int, says: str) -> None:
    with pytest.raises(DiceSyntaxError, match=says) as caught:
        parse_dice(text)
    assert caught.value.position == position
    assert caught.value.exit_code == 2
    if text.strip():
        lines = str(caught.value).splitlines()
        assert lines[-1].index("^") == lines[-2].index(text) + position


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        expression = parse_dice(text)
    except DiceSyntaxError as error:
        position = error.position
    else:
        assert expression.low <= expression.high
        position = 0
    assert 0 <= position <= len(text)


small_dice = st.builds(
    lambda terms, constant, multiplier: DiceExpr(tuple(terms), constant, multiplier),
    st.lists(st.tuples(st.sampled_from([-2, -1, 1, 2]), st.integers(1, 8)), max_size=2),
    st.integers(-20, 20),
    st.integers(1, 5),
)


@given(small_dice)
def test_written_and_read_again_is_the_same(dice: DiceExpr) -> None:
    assert parse_dice(str(dice)) == dice
    assert hash(parse_dice(str(dice).upper())) == hash(dice)


@given(small_dice)
def test_ways_are_those_of_every_throw_counted(dice: DiceExpr) -> None:
    counted: dict[int, int] = {}
    for faces in product(*(range(1, sides + 1) for sides in dice.faces)):
        signs = [1 if count > 0 else -1 for count, _ in dice.terms for _ in range(abs(count))]
        total = sum(s * f for s, f in zip(signs, faces)) * dice.multiplier + dice.constant
        assert dice.total(faces) == total
        counted[total] = counted.get(total, 0) + 1
    assert dict(dice.ways) == counted
    assert [total for total, _ in dice.ways] == sorted(counted)
    assert sum(counted.values()) == dice.combinations
    assert (dice.low, dice.high) == (min(counted), max(counted))
    mean = Fraction(sum(t * n for t, n in counted.items()), dice.combinations)
    assert dice.mean == pytest.approx(float(mean), abs=1e-9)
    assert all(dice.can_total(t) == (t in counted) for t in range(dice.low - 3, dice.high + 4))


@pytest.mark.parametrize("text", ["3d6", "6d6x2", "1d6-1d6", "2d8+1d4-3", "1d100", "20d10"])
def test_ways_agree_with_icepool(text: str) -> None:
    pools = {
        "3d6": 3 @ icepool.d6,
        "6d6x2": (6 @ icepool.d6) * 2,
        "1d6-1d6": icepool.d6 - icepool.d6,
        "2d8+1d4-3": 2 @ icepool.d8 + icepool.d4 - 3,
        "1d100": icepool.d100,
        "20d10": 20 @ icepool.d10,
    }
    assert dict(parse_dice(text).ways) == dict(pools[text].items())


numbers = st.integers(1, 9).map(str)
expressions = st.recursive(
    numbers | st.sampled_from(["1d4", "2d3", "d2"]),
    lambda inner: st.builds("{}{}{}".format, inner, st.sampled_from("+-*"), inner) | inner.map("({})".format),
    max_leaves=5,
)


@given(expressions)
def test_times_goes_before_plus_as_in_arithmetic(text: str) -> None:
    try:
        dice = parse_dice(text)
    except DiceSyntaxError:
        return  # different multipliers, a multiplier below 1, or dice times dice
    once = re.sub(r"(\d*)d(\d)", lambda die: f"({die[1] or 1})", text)  # every die shows 1
    assert dice.total([1] * len(dice.faces)) == eval(once)


def test_the_largest_expressions_are_quick_and_exact() -> None:
    dice = parse_dice("200d100")
    assert sum(n for _, n in dice.ways) == 100**200 == dice.combinations
    assert len(dice.ways) == 200 * 99 + 1


def test_faces_and_text() -> None:
    assert parse_dice("2d6+1d4").faces == (6, 6, 4)
    assert str(parse_dice("3d")) == "3d6"
    assert str(parse_dice("7-7")) == "0"
    assert repr(parse_dice("2D6 X 3")) == "DiceExpr('2d6x3')"
    assert parse_dice("2d6x3").range_text == "6 to 36 in steps of 3"


def test_expressions_compare_by_what_they_are() -> None:
    assert parse_dice("2d6") == parse_dice("2 D 6")
    assert parse_dice("2d6") != parse_dice("2d6+1")
    assert parse_dice("2d6") != "2d6"
    assert len({parse_dice("2d6"), parse_dice("2D"), parse_dice("2d6x2")}) == 2


@pytest.mark.parametrize("text", ["11d6", "13d6", "40d6", "2d4+30d10", "-20d3+1", "199d6"])
def test_many_dice_have_as_many_ways_as_one_after_the_other(text: str) -> None:
    dice = parse_dice(text)
    counts = {0: 1}
    for sides in dice.faces:
        after: dict[int, int] = {}
        for total, ways in counts.items():
            for face in range(1, sides + 1):
                after[total + face] = after.get(total + face, 0) + ways
        counts = after
    assert [ways for _, ways in dice.ways] == [counts[total] for total in sorted(counts)]
    assert (dice.ways[0][0], dice.ways[-1][0]) == (dice.low, dice.high)
