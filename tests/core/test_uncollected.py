"""The collector of circular garbage rests while exact odds are worked out, and is left as it was found."""

from __future__ import annotations

import gc

import pytest

from mantlet import Dice, Exact, RuleError


def at_rest(dice: Dice) -> bool:
    return not gc.isenabled()


def broken(dice: Dice) -> bool:
    raise RuleError("no such rule")


def test_it_rests_while_odds_are_worked_out_and_goes_on_afterwards() -> None:
    assert dict(Exact().distribution(at_rest).items()) == {True: 1.0}
    assert gc.isenabled()
    with pytest.raises(RuleError):
        Exact().distribution(broken)
    assert gc.isenabled()


def test_who_has_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        Exact().distribution(at_rest)
        assert not gc.isenabled()
    finally:
        gc.enable()
