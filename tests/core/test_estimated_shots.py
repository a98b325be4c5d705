"""Shots to an end state and odds where only a part of them is exact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mantlet import Attack, Effort, Ruleset, WorkLimitError, covered_plan, load_plugins, odds, outcomes, shots_until
from mantlet.catalog import Catalog
from mantlet.game.effects import HIT
from mantlet.probability import effort as efforts

RULES: Ruleset[Any, Any] = load_plugins().ruleset("facing_armor")
CATALOG = Catalog()
WEAPON, AMMUNITION = CATALOG.round("de_75_pak40")
TARGET = CATALOG.target("m4a1_75_dry")
ATTACK, NEARER = (Attack(weapon=WEAPON, ammunition=AMMUNITION, range_m=float(m)) for m in (900, 400))
INSIST = Effort(exact=True)


@pytest.fixture(name="small")
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efforts, "EXACT_STEPS", 4_000)
    monkeypatch.setattr(efforts, "ESTIMATE_STEPS", 150_000)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("attacks", [(ATTACK,), (ATTACK, NEARER)], ids=["one", "in turn"])
def test_later_shots_are_estimated_from_what_lives(attacks: tuple[Attack, ...]) -> None:
    plans = [covered_plan(RULES, attack, TARGET) for attack in attacks]
    exact = shots_until(RULES, plans, 8, effort=INSIST)
    assert exact.exact
    assert exact.standard_error == {}
    found = shots_until(RULES, plans, 8, effort=Effort(seed=3))
    assert not found.exact
    errors = found.standard_error
    assert (found.seed, len(found.within), errors["within"][0]) == (3, 8, 0.0)
    assert list(errors) == ["within", "left", "mean_if_ended"]
    assert list(found.within) == sorted(found.within)
    assert found.within[-1] + found.left == pytest.approx(1, abs=1e-9)
    for p, estimate, error in zip(exact.within, found.within, errors["within"]):
        assert abs(p - estimate) < 4 * error + 1e-12
    assert errors["left"] == errors["within"][-1]
    assert exact.mean_if_ended is not None
    assert found.mean_if_ended == pytest.approx(exact.mean_if_ended, abs=4 * errors["mean_if_ended"])
    assert shots_until(RULES, plans, 8, effort=Effort(seed=3)) == found


@pytest.mark.usefixtures("small")
def test_ten_thousand_shots_are_bounded() -> None:
    found = shots_until(RULES, covered_plan(RULES, ATTACK, TARGET), 10_000)
    assert len(found.within) == len(found.standard_error["within"]) == 10_000
    assert found.within[-1] == pytest.approx(1, abs=1e-6)


@pytest.mark.usefixtures("small")
def test_odds_say_which_figures_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efforts, "EXACT_STEPS", 500)
    exact = odds(RULES, ATTACK, TARGET, effort=INSIST)
    assert exact.exact
    assert (exact.standard_error, exact.samples, exact.seed) == ({}, 0, None)
    found = odds(RULES, ATTACK, TARGET, effort=Effort(seed=5))
    assert not found.exact
    assert (found.seed, found.samples > 100) == (5, True)
    known = {**found.odds, **found.expected, **found.locations}
    assert set(found.standard_error) <= set(known)
    for name, value in {**exact.odds, **exact.expected, **exact.locations}.items():
        assert abs(known[name] - value) < 4.5 * found.standard_error.get(name, 0.0) + 1e-12
    seen = outcomes(RULES, covered_plan(RULES, ATTACK, TARGET), lambda o: o.effects & HIT, effort=Effort(seed=5))
    assert not seen.exact
    assert seen.chances[HIT] == pytest.approx(exact.odds["hit"], abs=0.05)


def test_who_insists_is_told_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efforts, "INSISTED_STEPS", 500)
    plan = covered_plan(RULES, ATTACK, TARGET)
    burst = replace(plan, attack=replace(ATTACK, rounds=30))
    for what, ask in {
        "an attack at a vehicle with 5 people": lambda: odds(RULES, ATTACK, TARGET, effort=INSIST),
        "3 attacks at a vehicle with 5 people": lambda: shots_until(RULES, plan, 3, effort=INSIST),
        "an attack of 30 rounds at a vehicle with 5 people": lambda: outcomes(RULES, burst, hash, effort=INSIST),
        "2 attacks of 30 rounds at": lambda: shots_until(RULES, burst, 2, effort=INSIST),
    }.items():
        with pytest.raises(WorkLimitError, match=f"^Too much can happen in {what}.* for exact odds.$") as caught:
            ask()
        assert "500 steps" in str(caught.value.__cause__)


def test_the_error_of_the_mean_is_what_means_of_many_estimates_spread_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efforts, "EXACT_STEPS", 4_000)
    plan = covered_plan(RULES, ATTACK, TARGET)
    exact = shots_until(RULES, plan, 6, effort=INSIST).mean_if_ended
    squares = []
    for seed in range(60):
        found = shots_until(RULES, plan, 6, effort=Effort(seed=seed, samples=500))
        assert found.mean_if_ended is not None
        assert exact is not None
        squares.append(((found.mean_if_ended - exact) / found.standard_error["mean_if_ended"]) ** 2)
    assert 0.55 < sum(squares) / 60 < 1.6  # chi square with 60 degrees of freedom: 0.55 to 1.6 is 3 of 1,000


def test_samples_that_are_asked_for_end_with_their_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efforts, "EXACT_STEPS", 4_000)
    monkeypatch.setattr(efforts, "ASKED_STEPS", 60_000)
    plan, asked = covered_plan(RULES, ATTACK, TARGET), Effort(samples=10_000_000)
    found = shots_until(RULES, plan, 10_000, effort=asked)
    assert 400 < found.samples < 60_000
    assert found == shots_until(RULES, plan, 10_000, effort=asked)
    assert shots_until(RULES, plan, 10, effort=Effort(samples=777)).samples == 777
