"""A body settled inside a stage, plans told in fewer words, and grids."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mantlet import (
    Ammunition,
    Dice,
    Exact,
    Grid,
    RuleError,
    Scripted,
    Seeded,
    run,
)

ROUND = Ammunition(id="ball", kind="ball")


def _wound(dice: Dice, armor: int) -> object:
    return dice.then(_deep, max(0, dice.roll("2d", "damage") - armor))


def _deep(dice: Dice, through: int) -> str:
    if not through:
        return "none"
    return "dead" if through > 4 and dice.roll("1d", "health") > 3 else "hurt"


def _settled(dice: Dice, shots: int, dead: int, hurt: int) -> object:
    result = dice.settle(_wound, 5)
    dead, hurt = dead + (result == "dead"), hurt + (result == "hurt")
    return dice.then(_settled, shots - 1, dead, hurt) if shots > 1 else (dead, hurt)


def _nested(dice: Dice, shots: int) -> object:
    side = dice.roll("1d2", "side")
    return (side, dice.settle(_settled, shots, 0, 0), dice.roll("1d2", "after"))


def _by_hand(shots: int) -> dict[tuple[int, int], Fraction]:
    one: dict[str, Fraction] = {}
    for a in range(1, 7):
        for b in range(1, 7):
            for c in range(1, 7):
                through = max(0, a + b - 5)
                end = "none" if not through else "dead" if through > 4 and c > 3 else "hurt"
                one[end] = one.get(end, Fraction(0)) + Fraction(1, 216)
    all_: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    for _ in range(shots):
        after: dict[tuple[int, int], Fraction] = {}
        for (dead, hurt), weight in all_.items():
            for end, p in one.items():
                key = (dead + (end == "dead"), hurt + (end == "hurt"))
                after[key] = after.get(key, Fraction(0)) + weight * p
        all_ = after
    return all_


def test_a_settled_body_has_the_odds_of_its_own_rolls() -> None:
    assert Exact(fractions=True).distribution(_settled, 3, 0, 0).weights == _by_hand(3)
    floats = Exact().distribution(_settled, 3, 0, 0)
    assert all(abs(floats[k] - float(p)) < 1e-12 for k, p in _by_hand(3).items())


def test_bodies_settle_inside_bodies() -> None:
    found = Exact(fractions=True).distribution(_nested, 2)
    assert found.total() == 1
    assert {result for _, result, _ in found} == set(_by_hand(2))
    for (_, result, _), p in found.items():
        assert p == _by_hand(2)[result] / 4


def test_means_go_through_settled_bodies() -> None:
    mean = Exact(fractions=True).mean(lambda r: (r[0], r[1]), _settled, 3, 0, 0)  # type: ignore[arg-type]
    assert mean == tuple(sum(p * k[i] for k, p in _by_hand(3).items()) for i in (0, 1))


def test_real_dice_play_a_settled_body_in_place() -> None:
    source = Scripted("12,6,2")
    assert run(source.dice, _settled, 2, 0, 0) == (1, 0)
    source.finish()
    assert [roll.reason for roll in source.account.rolls] == ["damage", "health", "damage"]
    assert run(Seeded(3).dice, _nested, 2) == run(Seeded(3).dice, _nested, 2)


def test_a_body_that_settles_something_else_on_the_same_path_is_an_error() -> None:
    asked: list[int] = []

    def fickle(dice: Dice) -> object:
        asked.append(1)
        first = dice.settle(_wound, len(asked))
        return (first, dice.roll("1d", "more"))

    with pytest.raises(RuleError, match="settled"):
        Exact().distribution(fickle)


def test_a_grid_knows_the_chance_of_its_cells() -> None:
    grid = Grid("title", "3d", "rows", "columns", ("a",), ("x", "y"), ((3, 10),))
    assert grid.probability(0, 0) == Fraction(1, 216)
    assert grid.probability(0, 1) == Fraction(1, 2)
