"""Tables and checks: the bands they are cut into, and what is refused when they are made."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mantlet import Check, Exact, Modifier, Row, Table, TableError, parse_dice, table_from, under
from mantlet.dice.tables import chance_bands, roll_bands
from mantlet.errors import RuleError


def _rows(*spans: tuple[int, int]) -> list[Row[str]]:
    return [Row(low, high, f"{low}..{high}") for low, high in spans]


@pytest.mark.parametrize(
    ("dice", "spans", "says"),
    [
        ("1d6", [(1, 2), (4, 6)], r"no row for 3 \(probability 1/6, 16.7%\)"),
        ("2d6", [(4, 12)], r"no row for 2-3 \(probability 1/12, 8.3%\)"),
        ("2d6", [(2, 3), (5, 5), (7, 11)], r"no row for 4, 6, 12 \(probability 1/4, 25.0%\)"),
        ("1d6", [(1, 3), (3, 6)], r"rows 1-3 and 3-6 overlap at 3 \(probability 1/6, 16.7%\)"),
        ("1d6", [(1, 6), (2, 3), (4, 6)], r"rows 1-6 and 2-3 overlap at 2-3 \(probability 1/3"),
        ("1d6", [(1, 6), (6, 6)], "rows 1-6 and 6 overlap at 6"),
        ("1d6x10", [(10, 35), (31, 60)], r"rows 10-35 and 31-60 overlap at 31 \(probability 0, 0.0%\)"),
        ("1d6", [(1, 6), (7, 8)], r"row 7-8 is out of reach of 1d6 \(1 to 6\)"),
        ("1d6", [(0, 0), (1, 6)], "row 0 is out of reach"),
        ("1d6x10", [(10, 60), (61, 69)], "row 61-69 is out of reach"),
        ("1d6x10", [(5, 9), (10, 60)], "row 5-9 is out of reach"),
        ("3d6", [(3, 10), (11, 20)], r"19-20 of row 11-20 is out of reach of 3d6 \(3 to 18\): probability 0"),
        ("1d6", [(-5, 6)], r"-5 to 0 of row -5 to 6 is out of reach of 1d6 \(1 to 6\): probability 0"),
        ("1d6", [(0, 7)], "0 and 7 of row 0-7 is out of reach"),
        ("1d6x10", [(1, 10), (11, 70)], "70 of row 11-70 is out of reach"),
        ("2d6", [(2, 99_999_999_999)], "13-99999999999 of row 2-99999999999 is out of reach"),
        ("1d6", [(3, 1), (4, 6)], "row 3-1 ends before it begins"),
        ("1d6", [], "has no rows"),
    ],
)
def test_a_table_is_checked_when_it_is_made(dice: str, spans: list[tuple[int, int]], says: str) -> None:
    with pytest.raises(TableError, match=says) as caught:
        Table("places", dice, _rows(*spans))
    assert "Table places" in str(caught.value)


def test_every_fault_of_a_table_is_named_with_its_probability() -> None:
    with pytest.raises(TableError) as caught:
        Table("places", "2d6", _rows((2, 8), (3, 4), (6, 6), (10, 10), (12, 14)))
    assert str(caught.value) == (  # of 36 throws 5 come to 3 or 4, 5 to 6, and 4 and 2 to 9 and 11
        "Table places: 13-14 of row 12-14 is out of reach of 2d6 (2 to 12): probability 0; "
        "rows 2-8 and 3-4 overlap at 3-4 (probability 5/36, 13.9%); "
        "rows 2-8 and 6 overlap at 6 (probability 5/36, 13.9%); "
        "no row for 9, 11 (probability 1/6, 16.7%)."
    )


def test_totals_below_zero_are_told_with_to() -> None:
    table = Table("n", "2d3-6", [Row(-4, -2, "a"), Row(-1, 0, "b")])
    assert [row.span for row in table.rows] == ["-4 to -2", "-1 to 0"]
    with pytest.raises(TableError, match=r"no row for -4 to -3, 0 \("):
        Table("n", "2d3-6", [Row(-2, -1, "a")])


@pytest.mark.parametrize("bound", [3.7, 3.0, True, "one", "3", "1-3", None, float("inf"), float("nan"), [3]])
def test_bounds_that_are_no_whole_numbers_are_refused(bound: object) -> None:
    says = r"Table t: high of the row from 1 to .* has to be a whole number, not " + re.escape(repr(bound))
    rows = [{"low": 1, "high": bound}, {"low": 4, "high": 6}]
    with pytest.raises(TableError, match=says):
        table_from("t", {"dice": "1d6", "rows": rows}, lambda row: "v")
    with pytest.raises(TableError, match=says):
        Table("t", "1d6", [Row(1, bound, "v"), Row(4, 6, "v")])  # type: ignore[arg-type]
    with pytest.raises(TableError, match="low of the row"):
        table_from("t", {"dice": "1d6", "rows": [{"low": bound, "high": 6}]}, lambda row: "v")


def test_dice_that_skip_numbers_reach_the_ones_skipped() -> None:
    table = Table("tens", "1d6x10", _rows((1, 10), (11, 69)))
    assert table.probabilities() == (Fraction(1, 6), Fraction(5, 6))


def test_the_printed_order_of_rows_does_not_matter() -> None:
    table = Table("places", "2d6", _rows((8, 12), (2, 3), (4, 7)))
    assert table.probabilities() == (Fraction(15, 36), Fraction(3, 36), Fraction(18, 36))
    assert [table.row_for(t).value for t in (2, 4, 8)] == ["2..3", "4..7", "8..12"]


def test_one_row_takes_everything() -> None:
    table = Table("only", "1d100", [Row(1, 100, "here")])
    assert table.probabilities() == (Fraction(1),)
    assert table.bands().merged == (("here",), (1.0,))
    assert Table("one face", "1d1", [Row(1, 1, "here")]).probabilities(99) == (Fraction(1),)


def test_double_zero_is_a_hundred() -> None:
    rows = [{"low": 1, "high": 99, "v": "low"}, {"low": 100, "high": 100, "v": "00"}]
    table = table_from("percentile", {"dice": "d%", "rows": rows}, lambda row: str(row["v"]))
    assert table.probabilities() == (Fraction(99, 100), Fraction(1, 100))
    assert table.row_for(100).value == "00"


spans = st.lists(st.integers(1, 40), min_size=0, max_size=6, unique=True).map(sorted)


@given(st.sampled_from(["1d6", "2d6", "3d6", "1d20", "2d6x3", "1d6-1d6", "1d6+2x2"]), spans, st.integers(-60, 60))
def test_bands_rows_and_probabilities_agree_under_every_modifier(dice: str, cuts: list[int], modifier: int) -> None:
    totals = [t for t, _ in parse_dice(dice).ways]
    inner = sorted({totals[c % len(totals)] for c in cuts} - {totals[0]})
    edges = [totals[0], *inner]
    ends = [totals[totals.index(e) - 1] for e in inner] + [totals[-1]]
    rows = [Row(low, high, (low, high)) for low, high in zip(edges, ends)]
    table = Table("any", dice, rows)
    bands = table.bands(modifier)
    counted = dict.fromkeys(rows, Fraction(0))
    for total, n in parse_dice(dice).ways:
        moved = total + modifier
        # Beyond the printed rows the first or last one counts; between two rows the lower one.
        expected = next((r for r in reversed(rows) if r.low <= moved), rows[0])
        assert table.row_for(moved) is expected
        assert bands.values[bands.index(total)] == expected.value
        counted[expected] += Fraction(n, parse_dice(dice).combinations)
    assert table.probabilities(modifier) == tuple(counted.values())
    assert sum(bands.exact[1]) == 1
    assert dict(zip(*bands.exact)) == {row.value: p for row, p in counted.items() if p}
    assert bands.merged == (bands.exact[0], tuple(float(p) for p in bands.exact[1]))


def test_a_modifier_can_push_everything_off_either_end() -> None:
    table = Table("places", "2d6", _rows((2, 3), (4, 7), (8, 12)))
    assert table.probabilities(100) == (0, 0, 1)
    assert table.probabilities(-100) == (1, 0, 0)
    assert Exact().distribution(lambda dice: dice.pick(table, "where", modifier=100)).weights == {"8..12": 1.0}


def test_rows_of_equal_value_merge_but_keep_their_type() -> None:
    table: Table[object] = Table("mixed", "1d4", [Row(1, 1, True), Row(2, 2, 1), Row(3, 3, 1.0), Row(4, 4, True)])
    values, weights = table.bands().merged
    assert [(type(v), v) for v in values] == [(bool, True), (int, 1), (float, 1.0)]
    assert weights == (0.5, 0.25, 0.25)
    seen = Exact().distribution(lambda dice: type(dice.pick(table, "what")).__name__)
    assert seen.weights == {"bool": 0.5, "int": 0.25, "float": 0.25}


def test_labels_of_rows() -> None:
    table = Table("places", "1d6", [Row(1, 1, "a", "the first"), Row(2, 6, "b")])
    assert table.bands().labels == ("1 the first", "2-6 b")
    assert repr(table) == "Table('places', '1d6', 2 rows)"
    assert table.title == "places"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"rows": [{"low": 1, "high": 6}]}, "`dice` is missing"),
        ({"dice": 6, "rows": [{"low": 6, "high": 6}]}, "`dice` is 6; expected a text"),
        ({"dice": "1d6"}, "has to be a list of rows"),
        ({"dice": "1d6", "rows": [{"low": 1}]}, "each with low and high"),
    ],
)
def test_a_table_in_a_file_names_what_is_missing(data: dict[str, object], says: str) -> None:
    with pytest.raises(TableError, match=says):
        table_from("file", data, lambda row: 0)


@given(st.integers(-5, 30))
def test_a_plain_check_succeeds_at_most_at_its_target(target: int) -> None:
    bands = under("3d6", target).bands
    ways = sum(n for total, n in parse_dice("3d6").ways if total <= target)
    assert dict(zip(*bands.exact)).get(True, Fraction(0)) == Fraction(ways, 216)
    assert all(bands.values[bands.index(t)] is (t <= target) for t in range(3, 19))


def test_a_check_takes_the_first_grade_that_is_not_exceeded() -> None:
    # A skill below the critical limit must not push criticals out: 4 or less stays critical at skill 3.
    check = Check("3d6", ((4, "critical"), (3, "success"), (16, "failure"), (18, "fumble")))
    by_hand = {"critical": Fraction(4, 216), "failure": Fraction(208, 216), "fumble": Fraction(4, 216)}
    assert dict(zip(*check.bands.exact)) == by_hand
    for total in range(3, 19):
        first = next(v for high, v in check.grades if total <= high)
        assert check.bands.values[check.bands.index(total)] == first


def test_a_check_keeps_types_apart_and_needs_a_grade() -> None:
    mixed: Check[object] = Check("1d4", ((1, True), (2, 1), (4, 0)))
    assert [(type(v), v) for v in mixed.bands.values] == [(bool, True), (int, 1), (int, 0)]
    with pytest.raises(TableError, match="at least one grade"):
        Check("1d6", ())


def test_checks_keep_the_reasons_of_their_target() -> None:
    check = under("1d100", 35, (Modifier(50, "skill"), Modifier(-15, "long range")))
    assert check.bands.target is check
    assert sum(m.value for m in check.modifiers) == check.target == 35


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_chance_lies_between_0_and_1(p: float) -> None:
    with pytest.raises(RuleError, match="between 0 and 1"):
        chance_bands(p)


@given(st.floats(0, 1))
def test_a_chance_has_two_bands(p: float) -> None:
    values, weights = chance_bands(p).merged
    assert sum(weights) == pytest.approx(1, abs=1e-15)
    assert sum(chance_bands(p).exact[1]) == 1
    assert dict(zip(values, weights)).get(True, 0.0) == p


def test_a_roll_is_a_table_of_single_totals_made_once() -> None:
    dice = parse_dice("2d6")
    assert roll_bands(dice) is roll_bands(dice)
    assert dict(zip(*roll_bands("2d6").exact)) == {t: Fraction(n, 36) for t, n in parse_dice("2d6").ways}
