"""A rule stands at one place: changed there, play, exact odds, estimates and the odds of several shots all follow."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from gurps_vehicle.vehicle import damage
from mantlet import Attack, Effort, Odds, Scripted, Target, odds, run, shots_until
from mantlet.game.condition import OUT
from mantlet.probability import effort


class Found(NamedTuple):
    """What an attack comes to in play, in odds, in an estimate of them, and in the odds of three shots."""

    dice: str
    killed: float
    estimated: Odds
    out: float


def found(shooting: Any, attack: Attack, target: Target) -> Found:
    rules = shooting.rules()
    plan = rules.plan(attack, target)
    source = Scripted("20,3,10,4,10")  # damage, somebody is hit, his torso, 4 points are a major wound, knockdown
    run(source.dice, rules.resolve, plan, rules.fresh(target))
    source.finish()
    dice = next(roll.dice for roll in source.account.rolls if roll.reason == "cut damage to a person")
    ended = shots_until(rules, plan, 3, lambda outcome: outcome.condition.people[0] >= OUT)
    killed = float(odds(rules, attack, target).expected["people_killed"])
    with pytest.MonkeyPatch.context() as limits:
        limits.setattr(effort, "EXACT_STEPS", 1)
        estimated = odds(rules, attack, target, effort=Effort(samples=4_000))
    return Found(dice, killed, estimated, float(ended.within[-1]))


@pytest.mark.rule("G28")
def test_a_die_for_every_ten_points(shooting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """20 points through are 4d to somebody inside; with a die for every ten they would be 2d."""
    car = shooting.vehicle(1, dr={"other": 0}, sm=1, hp=200)
    attack = shooting.attack("1d+19", "cr", aim="body")
    before = found(shooting, attack, car)
    monkeypatch.setattr(damage, "dice_inside", lambda slot, through: through // 10)
    after = found(shooting, attack, car)
    assert (before.dice, after.dice) == ("4d6", "2d6")
    assert after.killed < before.killed
    assert after.out < before.out
    for answer in (before, after):
        assert not answer.estimated.exact
        error = answer.estimated.standard_error["people_killed"]
        assert answer.estimated.expected["people_killed"] == pytest.approx(answer.killed, abs=4 * error)
    assert before.killed - after.killed > 8 * max(a.estimated.standard_error["people_killed"] for a in (before, after))
