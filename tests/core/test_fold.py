"""Bodies settled one after the other and added to a state."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from mantlet import Dice, Exact, RuleError, Scripted, Seeded, Step, WorkLimitError, run

State = tuple[int, int]


def _blow(dice: Dice, armor: int) -> object:
    return dice.then(_deep, max(0, dice.roll("1d", "damage") - armor))


def _deep(dice: Dice, through: int) -> int:
    return through * 2 if through > 2 and dice.roll("1d", "health") > 3 else through


def _ask(state: State, armor: int, most: int) -> tuple[Callable[..., object], tuple[Any, ...]]:
    return _blow, (max(0, armor - state[1]),)


def _add(state: State, result: int, armor: int, most: int) -> State:
    return min(state[0] + result, most), state[1] + (result == 0)


def _add_all(state: State, results: tuple[int, ...], armor: int, most: int) -> list[State]:
    return [_add(state, result, armor, most) for result in results]


def _folded(dice: Dice, armors: tuple[int, ...]) -> object:
    side = dice.roll("1d2", "side")
    return side, dice.fold((0, 0), tuple([Step(_ask, _add, (armor, 9)) for armor in armors])), dice.roll("1d2", "after")


def _folded_at_once(dice: Dice, armors: tuple[int, ...]) -> object:
    side = dice.roll("1d2", "side")
    steps = [Step(_ask, _add_all, (armor, 9), at_once=True) for armor in armors]
    return side, dice.fold((0, 0), tuple(steps)), dice.roll("1d2", "after")


def _chained(dice: Dice, armors: tuple[int, ...]) -> object:
    return dice.then(_next, dice.roll("1d2", "side"), armors, (0, 0))


def _next(dice: Dice, side: int, armors: tuple[int, ...], state: State) -> object:
    if not armors:
        return side, state, dice.roll("1d2", "after")
    stage, arguments = _ask(state, armors[0], 9)
    return dice.then(_next, side, armors[1:], _add(state, dice.settle(stage, *arguments), armors[0], 9))


def _by_hand(armors: tuple[int, ...]) -> dict[State, Fraction]:
    """Every face of every die."""
    states = {(0, 0): Fraction(1)}
    for armor in armors:
        after: dict[State, Fraction] = {}
        for (lost, worn), p in states.items():
            for damage in range(1, 7):
                for health in range(1, 7):
                    through = max(0, damage - max(0, armor - worn))
                    result = through * 2 if through > 2 and health > 3 else through
                    new = (min(lost + result, 9), worn + (not result))
                    after[new] = after.get(new, Fraction(0)) + p / 36
        states = after
    return states


@pytest.mark.parametrize("armors", [(), (3,), (3, 3, 1), (5, 2, 4, 0)])
def test_a_fold_has_the_odds_of_a_chain_and_of_every_face(armors: tuple[int, ...]) -> None:
    found = Exact(fractions=True).distribution(_folded, armors)
    assert found.weights == Exact(fractions=True).distribution(_chained, armors).weights
    assert found.weights == {(a, s, b): p / 4 for s, p in _by_hand(armors).items() for a in (1, 2) for b in (1, 2)}
    floats = Exact().distribution(_folded, armors)
    assert set(floats) == set(found)
    assert all(abs(floats[k] - float(p)) < 1e-12 for k, p in found.items())


def test_results_added_at_once_come_to_the_same() -> None:
    assert Exact().distribution(_folded_at_once, (5, 2, 4)).weights == Exact().distribution(_folded, (5, 2, 4)).weights
    assert run(Seeded(5).dice, _folded_at_once, (1, 2)) == run(Seeded(5).dice, _folded, (1, 2))


def test_folds_that_begin_alike_share_their_work() -> None:
    exact = Exact()
    exact.distribution(_folded, (3, 3, 1, 2))
    whole = exact.spent
    assert exact.distribution(_folded, (3, 3, 1, 4)).total() == pytest.approx(1)
    assert exact.spent < whole
    assert exact.distribution(_folded, (3, 3)).weights == Exact().distribution(_folded, (3, 3)).weights


def test_means_go_through_folds() -> None:
    mean = Exact(fractions=True).mean(lambda r: (r[1][0],), _folded, (5, 2))
    assert mean == (sum(p * lost for (lost, _), p in _by_hand((5, 2)).items()),)


def test_real_dice_play_a_fold_in_place() -> None:
    source = Scripted("1,2,6,4,1,2")
    assert run(source.dice, _folded, (3, 3, 1)) == (1, (9, 1), 2)
    source.finish()
    assert [roll.reason for roll in source.account.rolls] == ["side", "damage", "damage", "health", "damage", "after"]
    assert run(Seeded(3).dice, _folded, (1, 2)) == run(Seeded(3).dice, _chained, (1, 2))


def test_the_work_of_a_fold_counts() -> None:
    with pytest.raises(WorkLimitError, match="more than 60 steps"):
        Exact(limit=60).distribution(_folded, (1, 0, 0, 0))


def _listed(state: object, result: int) -> object:
    return [result]


def _plain(state: object) -> tuple[Callable[..., object], tuple[Any, ...]]:
    return _blow, (3,)


def test_a_state_that_cannot_be_merged_is_an_error() -> None:
    with pytest.raises(RuleError, match="_listed gave a state that cannot be merged"):
        Exact().distribution(lambda dice: dice.fold(0, (Step(_plain, _listed),)))
    with pytest.raises(RuleError, match="_plain was given a state or a step that cannot be merged"):
        Exact().distribution(lambda dice: dice.fold([], (Step(_plain, _listed),)))


def test_a_body_that_folds_something_else_on_the_same_path_is_an_error() -> None:
    asked: list[int] = []

    def fickle(dice: Dice) -> object:
        asked.append(1)
        return dice.fold((0, 0), (Step(_ask, _add, (len(asked), 9)),)), dice.roll("1d", "more")

    with pytest.raises(RuleError, match="a fold"):
        Exact().distribution(fickle)
