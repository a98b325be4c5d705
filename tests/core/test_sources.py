"""Dice for one attack at the table: seeded, typed and scripted, and the account each keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mantlet import (
    Check,
    Contestant,
    Dice,
    DiceInputError,
    Modifier,
    Note,
    Row,
    Scripted,
    Seeded,
    Table,
    Typed,
    parse_dice,
    run,
    under,
)

PLACES = Table("places", "1d100", [Row(1, 30, "legs"), Row(31, 99, "body", "the body"), Row(100, 100, "head")])


def everything(dice: Dice) -> object:
    """A rule body that asks for a thing of every kind."""
    place = dice.pick(PLACES, "where", "R1", modifier=dice.roll("1d6-3", "wind", "R2"))
    grade = dice.check(Check("3d6", ((9, "good"), (18, "bad")), 9, (Modifier(9, "skill"),)), "skill", "R3")
    dice.note("R4", "{} at {:.1f} mm", place, 12.34)
    return dice.then(_later, place, grade, dice.chance(0.37, "penetrates", "R5"))


def _later(dice: Dice, place: str, grade: str, through: bool) -> object:
    people = [Contestant("driver", 50), Contestant("gunner", 50), Contestant("loader", 30, tiebreak=1)]
    hurt = dice.worst_failures(people, 2, "who is hit", "R6")
    return (place, grade, through, hurt, dice.one_of(("left", "right"), "side"), dice.roll("2d6x3", "damage"))


# Seeded


def test_equal_seeds_give_equal_attacks_and_accounts() -> None:
    first, second, other = Seeded(7), Seeded(7), Seeded(8)
    assert run(first.dice, everything) == run(second.dice, everything)
    assert first.account.entries == second.account.entries
    run(other.dice, everything)
    assert first.account.entries != other.account.entries


def test_seeds_give_the_same_throws_for_ever() -> None:
    dice = Seeded(20260101).dice
    assert [dice.roll("3d6", "a"), dice.roll("1d100", "b"), dice.roll("2d20", "c")] == [4, 89, 27]


@given(st.integers(0, 2**40), st.integers(1, 30))
def test_a_state_goes_on_from_where_it_stood(seed: int, n: int) -> None:
    source = Seeded(seed)
    for _ in range(n):
        source.dice.roll("2d6", "early")
        source.dice.chance(0.5, "early")
    again = Seeded(**source.state)
    assert again.state == source.state
    assert [again.dice.roll("5d20", "late") for _ in range(5)] == [source.dice.roll("5d20", "late") for _ in range(5)]


def _chi_square(counts: Counter[object], expected: dict[object, float], n: int) -> float:
    return sum((counts[k] - n * p) ** 2 / (n * p) for k, p in expected.items())


@pytest.mark.parametrize(
    ("ask", "expected", "limit"),
    [
        (lambda d: d.roll("1d6", "x"), dict.fromkeys(range(1, 7), 1 / 6), 20.5),
        (lambda d: d.roll("2d6", "x"), {t: n / 36 for t, n in parse_dice("2d6").ways}, 29.6),
        (lambda d: d.pick(PLACES, "x"), {"legs": 0.3, "body": 0.69, "head": 0.01}, 13.8),
        (lambda d: d.chance(0.37, "x"), {True: 0.37, False: 0.63}, 10.8),
        (lambda d: d.chance(Fraction(1, 3), "x"), {True: 1 / 3, False: 2 / 3}, 10.8),
        (lambda d: d.one_of("abcd", "x"), dict.fromkeys("abcd", 0.25), 16.3),
    ],
)
def test_seeded_frequencies(ask: Callable[[Dice], object], expected: dict[object, float], limit: float) -> None:
    # The limit is chi-square at one in a thousand.
    dice = Seeded(4711).dice
    counts = Counter(ask(dice) for _ in range(6000))
    assert set(counts) == set(expected)
    assert _chi_square(counts, expected, 6000) < limit


def test_seeded_faces_are_all_reached() -> None:
    source = Seeded(1)
    for _ in range(300):
        source.dice.roll("1d1+1d2+1d10", "x")
    for i, sides in enumerate((1, 2, 10)):
        assert {roll.faces[i] for roll in source.account.rolls} == set(range(1, sides + 1))


# The account


def test_the_account_names_every_roll_with_its_reason_and_rule() -> None:
    source = Scripted("2,98,4+4+4,40,60,70,30,2,15")
    assert run(source.dice, everything) == ("head", "bad", False, (0, 1), "right", 15)
    source.finish()
    rolls = source.account.rolls
    assert [r.reason for r in rolls] == [
        *("wind", "where", "skill", "penetrates"),
        *("who is hit: driver", "who is hit: gunner", "who is hit: loader", "side", "damage"),
    ]
    wind, where, skill, penetrates = rolls[:4]
    assert (wind.rule, wind.dice, wind.total, wind.result) == ("R2", "1d6-3", 2, "2")
    # 98 and a modifier of 2 is the row of 100.
    assert (where.total, where.result, where.probability) == (98, "100 head", 0.03)
    assert (skill.faces, skill.total, skill.result, skill.target) == ((4, 4, 4), 12, "bad", 9)
    assert skill.modifiers == (Modifier(9, "skill"),)
    assert skill.probability == pytest.approx(135 / 216)
    assert (penetrates.dice, penetrates.total, penetrates.result, penetrates.target) == ("d%", 40.0, "no", 37.0)
    assert penetrates.probability == pytest.approx(0.63)  # of what came about, as of any other roll
    (note,) = [entry for entry in source.account.entries if isinstance(entry, Note)]
    assert (note.rule, note.text) == ("R4", "head at 12.3 mm")
    assert source.account.entries.index(note) == 3
    assert source.account.script == "2,98,12,40.0,60,70,30,2,15"


@given(st.integers(0, 10_000))
def test_replaying_the_script_of_an_account_gives_the_same_attack(seed: int) -> None:
    seeded = Seeded(seed)
    result = run(seeded.dice, everything)
    replay = Scripted(seeded.account.script)
    assert run(replay.dice, everything) == result
    replay.finish()
    assert replay.account.script == seeded.account.script
    assert [(r.reason, r.total, r.result) for r in replay.account.rolls] == [
        (r.reason, r.total, r.result) for r in seeded.account.rolls
    ]


@given(st.floats(0, 1, exclude_min=True, exclude_max=True), st.integers(0, 50))
def test_replaying_a_chance_never_flips_it(p: float, seed: int) -> None:
    seeded = Seeded(seed)
    happened = seeded.dice.chance(p, "close")
    assert Scripted(seeded.account.script).dice.chance(p, "close") is happened


# Scripted


def test_scripted_values_are_totals_or_faces() -> None:
    source = Scripted("12, 3+4, 00, 0, -2, −1, 25")
    dice = source.dice
    assert dice.roll("3d6", "total") == 12
    assert dice.roll("2d6+1", "faces") == 8
    assert dice.roll("d%", "double zero") == 100
    assert dice.roll("1d10", "ten") == 10
    assert dice.roll("1d6-3", "below zero") == -2
    assert dice.roll("1d6-1d6", "Unicode minus") == -1
    assert dice.chance(0.25, "just") is True
    source.finish()
    assert [roll.faces for roll in source.account.rolls] == [(), (3, 4), (100,), (10,), (), (), ()]


def test_scripted_takes_a_sequence_too() -> None:
    source = Scripted([3, "4+5", 37.5])
    assert (source.dice.roll("1d6", "a"), source.dice.roll("2d6", "b")) == (3, 9)
    assert source.dice.chance(0.374, "c") is False


@pytest.mark.parametrize(
    ("values", "dice", "says"),
    [
        ("", "2d6", "ran out after 0: the next roll is 'damage', a roll of 2d6"),
        ("13", "2d6", "value 1 for 'damage': 2d6 comes to 2 to 12, not 13"),
        ("1", "2d6", "2 to 12, not 1"),
        ("7", "1d6", "value 1 for 'damage': a d6 shows 1 to 6, not 7"),
        ("0", "1d6", "a d6 shows 1 to 6, not 0"),
        ("0", "2d10", "2 to 20, not 0"),
        ("-3", "1d6", "a d6 shows 1 to 6, not -3"),
        ("8", "2d6x3", "6 to 36 in steps of 3, not 8"),
        ("3+4+5", "2d6", "2d6 has 2 dice, but 3 faces were given"),
        ("3+7", "2d6", "a d6 shows 1 to 6, not 7"),
        ("six", "1d6", "expected a whole number, not 'six'"),
        ("3.5", "1d6", "expected a whole number, not '3.5'"),
        ("1e3", "1d6", "expected a whole number"),
        ("٣", "1d6", "expected a whole number"),
        ("9999999999999999999", "1d6", "expected a whole number"),
    ],
)
def test_scripted_dice_that_do_not_fit_name_the_roll(values: str, dice: str, says: str) -> None:
    with pytest.raises(DiceInputError) as caught:
        Scripted(values).dice.roll(dice, "damage")
    assert says in str(caught.value)


@pytest.mark.parametrize("value", ["101", "-1", "nan", "inf", "often"])
def test_scripted_chances_are_percentages(value: str) -> None:
    with pytest.raises(DiceInputError, match="value 1 for 'breaks': expected a number from 0 to 100"):
        Scripted([value]).dice.chance(0.5, "breaks")


def test_scripted_dice_left_over_are_a_mistake() -> None:
    source = Scripted("3,4,5")
    source.dice.roll("1d6", "only")
    with pytest.raises(DiceInputError, match=r"2 scripted dice are left over \(4, 5\): it took 1 roll\."):
        source.finish()


@pytest.mark.parametrize(
    ("values", "place"), [("34,,5", "2 of 3"), ("34,5,", "3 of 3"), (",", "1 of 2"), ("3, ,4,", "2 of 4")]
)
def test_a_scripted_value_that_is_left_out_is_named(values: str, place: str) -> None:
    with pytest.raises(DiceInputError, match=f"Value {place} of the scripted dice is empty in '{values}'"):
        Scripted(values)
    with pytest.raises(DiceInputError, match=r"Value 2 of 2 .* is empty"):
        Scripted(["3", ""])


def test_scripted_dice_run_out_at_a_chance_and_at_a_contest() -> None:
    with pytest.raises(DiceInputError, match=r"ran out after 0: the next roll is .breaks., a chance of 12\.5%"):
        Scripted("").dice.chance(0.125, "breaks")
    with pytest.raises(DiceInputError, match="ran out after 1: the next roll is 'luck: B', a roll of 1d100"):
        Scripted("5").dice.worst_failures([Contestant("A", 50), Contestant("B", 50)], 1, "luck")


# Typed


class Hand:
    """A game master who types the answers given, and what was asked and complained of."""

    def __init__(self, *answers: str) -> None:
        self.answers: Iterator[str] = iter(answers)
        self.prompts: list[str] = []
        self.complaints: list[str] = []
        self.source = Typed(self._ask, self.complaints.append)
        self.dice = self.source.dice

    def _ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            return next(self.answers)
        except StopIteration:
            raise EOFError from None


def test_typed_asks_one_prompt_a_roll_with_its_reason() -> None:
    hand = Hand("4 4 4", "00", "+5", "30.5")
    assert hand.dice.check(under("3d6", 12), "to hit") is True
    assert hand.dice.pick(PLACES, "where") == "head"
    assert hand.dice.roll("1d6+2", "damage") == 7
    assert hand.dice.chance(0.3, "penetrates") is False
    assert hand.prompts == [
        "to hit (3d6: 3 faces, or the total, 3 to 18)",
        "where (1d100)",
        "damage (1d6+2: the total, 3 to 8, or +face)",
        "penetrates (d%, 30.0% or less: yes)",
    ]
    assert hand.complaints == []
    assert [roll.faces for roll in hand.source.account.rolls] == [(4, 4, 4), (100,), (5,), ()]


@pytest.mark.parametrize(
    ("dice", "answer", "total"),
    [
        ("3d6", "1 2 3", 6),
        ("3d6", " 1, 2, 3 ", 6),
        ("3d6", "1+2+3", 6),
        ("3d6", "=11", 11),
        ("2d6x10", "3 4", 70),
        ("2d6x10", "=70", 70),
        ("1d6-3", "+1", -2),
        ("1d6-3", "-2", -2),
        ("3d6", "11", 11),
        ("1d6-3", "=-2", -2),
        ("1d6-1d6", "1 6", -5),
        ("1d10", "0", 10),
        ("2d10", "0 5", 15),
        ("d%", "00", 100),
        ("d%", "07", 7),
        ("d%", "=100", 100),
        ("1d4x2", "+3", 6),
    ],
)
def test_typed_takes_faces_as_printed(dice: str, answer: str, total: int) -> None:
    hand = Hand(answer)
    assert hand.dice.roll(dice, "x") == total
    assert hand.complaints == []


@pytest.mark.parametrize(
    ("dice", "wrong", "right", "says"),
    [
        ("1d6", "7", "6", "a d6 shows 1 to 6, not 7"),
        ("1d6", "0", "6", "a d6 shows 1 to 6, not 0"),
        ("1d6", "", "6", "whole number"),
        ("2d6", "3+", "3+4", "whole number"),
        ("1d6", "two", "6", "whole number"),
        ("2d6", "+7", "3 4", "2d6 has 2 dice, but 1 face was given"),
        ("2d6", "=13", "=12", "2d6 comes to 2 to 12, not 13"),
        ("2d6", "=", "=12", "whole number"),
        ("1d6+2", "+8", "+6", "a d6 shows 1 to 6, not 8"),
        ("d%", "101", "100", "a d100 shows 1 to 100, not 101"),
        ("1d1", "2", "1", "a d1 shows 1 to 1"),
    ],
)
def test_typed_asks_again_on_the_impossible(dice: str, wrong: str, right: str, says: str) -> None:
    hand = Hand(wrong, right)
    hand.dice.roll(dice, "x")
    assert len(hand.prompts) == 2
    assert hand.prompts[0] == hand.prompts[1]
    assert len(hand.complaints) == 1
    assert says in hand.complaints[0]
    assert len(hand.source.account.rolls) == 1


def test_typed_asks_again_for_a_chance() -> None:
    hand = Hand("", "nan", "250", "12%")
    assert hand.dice.chance(0.125, "breaks") is True
    assert len(hand.complaints) == 3


def test_typed_asks_nothing_for_what_is_certain() -> None:
    hand = Hand()
    assert hand.dice.chance(1.0, "sure") is True
    assert hand.dice.chance(0, "never") is False
    assert hand.dice.one_of(["only"], "which") == "only"
    assert hand.dice.roll("5", "constant") == 5
    assert hand.dice.worst_failures([], 2, "nobody") == ()
    assert hand.dice.worst_failures([Contestant("A", 50)], 0, "none wanted") == ()
    assert hand.prompts == []


def test_the_end_of_typed_input_names_the_roll() -> None:
    hand = Hand("7")
    with pytest.raises(DiceInputError, match="ended before 'damage' was rolled"):
        hand.dice.roll("1d6", "damage")


THROWS = ["7", "=7", "3+4", "3 4", "+3+4", "0", "=0", "+5", "00", "-1", "6", "", "x", "5+6+1"]


@pytest.mark.parametrize("dice", ["2d6", "1d6+2", "1d10", "d%", "1d6-3", "2d10"])
@pytest.mark.parametrize("text", THROWS)
def test_the_prompt_and_a_script_read_the_same(text: str, dice: str) -> None:
    hand = Hand(text)
    try:
        scripted: object = Scripted([text] if text else [" x"]).dice.roll(dice, "x")
    except DiceInputError:
        with pytest.raises(DiceInputError, match="ended before"):
            hand.dice.roll(dice, "x")
        assert len(hand.complaints) == 1
    else:
        assert hand.dice.roll(dice, "x") == scripted


def test_a_question_mark_is_rolled_and_told() -> None:
    source, rolls = Scripted("3,?,?,5", seed=7), Seeded(7)
    totals = [source.dice.roll("1d6", "a"), source.dice.roll("4d100", "b")]
    happened, last = source.dice.chance(0.5, "c"), source.dice.roll("1d6", "d")
    source.finish()
    assert totals == [3, rolls.dice.roll("4d100", "b")]
    assert (happened, last) == (rolls.dice.chance(0.5, "c"), 5)
    notes = [entry.text for entry in source.account.entries if isinstance(entry, Note)]
    assert notes == ["4d100 is rolled, as ? asks.", "d% is rolled, as ? asks."]
    assert Scripted(source.account.script.split(",")[1:2]).dice.roll("4d100", "b") == totals[1]
    assert 1 <= Hand("?").dice.roll("1d6", "at the prompt") <= 6


def test_a_lone_zero_is_the_highest_face_and_told() -> None:
    source = Scripted("0,0,0+5,0,10,0.0")
    assert [source.dice.roll(dice, "x") for dice in ("1d10", "d%", "2d10")] == [10, 100, 15]
    assert source.dice.chance(0.99, "x") is False
    assert source.dice.roll("1d10", "x") == 10
    assert source.dice.chance(0.01, "x") is True  # a percentage of none, as a script repeats it
    notes = [entry.text for entry in source.account.entries if isinstance(entry, Note)]
    assert notes == [f"A 0 on a d{n} is read as {n}." for n in (10, 100, 10, 100)]


# Contests at the table


def _scripted_contest(script: str, people: list[Contestant], take: int) -> tuple[tuple[int, ...], list[str]]:
    source = Scripted(script)
    chosen = source.dice.worst_failures(people, take, "luck")
    source.finish()
    return chosen, [roll.reason for roll in source.account.rolls]


def test_the_worst_failures_are_taken() -> None:
    people = [Contestant("A", 50), Contestant("B", 50), Contestant("C", 50), Contestant("D", 50)]
    assert _scripted_contest("60,90,40,70", people, 2)[0] == (1, 3)
    assert _scripted_contest("60,50,40,10", people, 2)[0] == (0,)
    assert _scripted_contest("50,50,50,50", people, 2)[0] == ()
    assert _scripted_contest("99,98,97,96", people, 9)[0] == (0, 1, 2, 3)


def test_a_tie_goes_by_tiebreak_and_then_by_a_die() -> None:
    people = [Contestant("A", 50, tiebreak=1), Contestant("B", 40), Contestant("C", 30)]
    chosen, reasons = _scripted_contest("60,50,40,2", people, 1)
    assert chosen == (2,)
    assert reasons[3:] == ["luck: tie between B, C"]
    # Two places for two who tie: no die is needed, and A comes after them.
    chosen, reasons = _scripted_contest("60,50,40", people, 2)
    assert (chosen, len(reasons)) == ((1, 2), 3)
    chosen, reasons = _scripted_contest("60,50,40", people, 3)
    assert (chosen, len(reasons)) == ((0, 1, 2), 3)


def test_a_contest_says_what_each_one_rolled() -> None:
    source = Scripted("60,40")
    source.dice.worst_failures([Contestant("A", 50), Contestant("B", 50)], 1, "luck", "A9")
    first, second = source.account.rolls
    assert (first.reason, first.rule, first.result, first.target) == ("luck: A", "A9", "missed by 10", 50)
    assert (second.result, second.probability) == ("made", 0.5)
