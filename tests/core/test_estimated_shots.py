"""Shots to an end state and odds where only a part of them is exact."""

from __future__ import annotations

from typing import Any

import pytest

from mantlet import Attack, Effort, Ruleset, WorkLimitError, covered_plan, load_plugins, odds, outcomes, shots_until
from mantlet.catalog import Catalog
from mantlet.game.effects import HIT
from mantlet.probability import effort as efforts
from mantlet.probability import estimate as estimates

RULES: Ruleset[Any, Any] = load_plugins().ruleset("facing_armor")
CATALOG = Catalog()
WEAPON, AMMUNITION = CATALOG.round("de_75_pak40")
TARGET = CATALOG.target("m4a1_75_dry")
ATTACK, NEARER = (Attack(weapon=WEAPON, ammunition=AMMUNITION, range_m=float(m)) for m in (900, 400))
INSIST = Effort(exact=True)


@pytest.fixture(name="small")
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efforts, "EXACT_STEPS", 4_000)
    monkeypatch.setattr(estimates, "ESTIMATE_STEPS", 150_000)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("attacks", [(ATTACK,), (ATTACK, NEARER)], ids=["one", "in turn"])
def test_later_shots_are_estimated_from_what_lives(attacks: tuple[Attack, ...]) -> None:
    plans = [covered_plan(RULES, attack, TARGET) for attack in attacks]
    exact = shots_until(RULES, plans, 8, effort=INSIST)
    assert exact.exact
    assert exact.standard_error == (0.0,) * 8
    found = shots_until(RULES, plans, 8, effort=Effort(seed=3))
    assert not found.exact
    assert (found.seed, len(found.within), found.standard_error[0]) == (3, 8, 0.0)
    assert list(found.within) == sorted(found.within)
    assert found.within[-1] + found.left == pytest.approx(1, abs=1e-9)
    for p, estimate, error in zip(exact.within, found.within, found.standard_error):
        assert abs(p - estimate) < 4 * error + 1e-12
    assert shots_until(RULES, plans, 8, effort=Effort(seed=3)) == found


@pytest.mark.usefixtures("small")
def test_ten_thousand_shots_are_bounded() -> None:
    found = shots_until(RULES, covered_plan(RULES, ATTACK, TARGET), 10_000)
    assert len(found.within) == len(found.standard_error) == 10_000
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
    for ask in (
        lambda: odds(RULES, ATTACK, TARGET, effort=INSIST),
        lambda: shots_until(RULES, covered_plan(RULES, ATTACK, TARGET), 3, effort=INSIST),
    ):
        with pytest.raises(WorkLimitError, match=r"more than 500 steps .* take an estimate"):
            ask()
