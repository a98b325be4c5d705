"""Meanings marked as rising: cut in steps, they have to come out as every total by itself would."""

from __future__ import annotations

from typing import Any

import pytest

from mantlet import Attack, Exact, covered_plan, load_plugins
from mantlet.catalog import Catalog

CASES: list[tuple[str, str, float, dict[str, Any]]] = [
    ("kar98k", "opel_blitz", 50, {"aspect_deg": 90}),
    ("us_bazooka_m1a1", "pz4_h", 60, {"aspect_deg": 90}),
    ("de_75_pak40", "m4a1_75_dry", 500, {}),
    ("de_75_pak40", "gmc_cckw", 300, {"aspect_deg": 180}),
    ("mg42", "citroen_11", 20, {}),
    ("us_75_m3/HE", "kubelwagen", 300, {}),
]


@pytest.mark.parametrize(("weapon", "target", "range_m", "how"), CASES)
def test_every_total_means_what_the_cut_says(weapon: str, target: str, range_m: float, how: dict[str, Any]) -> None:
    catalog, read = Catalog(), 0
    arm, ammunition = catalog.round(weapon)
    attack = Attack(weapon=arm, ammunition=ammunition, range_m=range_m, **how)
    for ruleset in load_plugins().working_rulesets():
        if ruleset.covers(attack, catalog.target(target)) is not None:
            continue
        exact = Exact(merge_alike=True)
        plan = covered_plan(ruleset, attack, catalog.target(target))
        exact.distribution(ruleset.resolve, plan, ruleset.fresh(plan.target))
        for (dice, meaning, given), bands in exact.meanings.items():
            if getattr(meaning, "rising", False):
                read += 1
                for total, _ in dice.ways:
                    assert bands.values[bands.index(total)] == meaning(total, *given), meaning.__qualname__
    assert read
