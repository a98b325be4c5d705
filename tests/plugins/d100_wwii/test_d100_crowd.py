"""Bursts into a crowd: the odds in few words are those of the whole, down to a vehicle that the burst destroys."""

from __future__ import annotations

from typing import Any

import pytest

from mantlet import Exact, distribution, odds, summarize


@pytest.mark.rule("R6", "R17", "R18", "A17", "A40")
@pytest.mark.parametrize("base_hp", [60, 30, 18, 12, 7, 3])
def test_whether_anybody_dies_is_told_to_the_last_base_hp(kit: Any, ruleset: Any, base_hp: int) -> None:
    target = kit.find("citroen_11")
    attack = kit.attack("mg42", range_m=50.0, rounds=4)
    fresh = ruleset.fresh(target)
    start = fresh._replace(detail=fresh.detail._replace(base_hp=base_hp))
    plan = ruleset.plan(attack, target)
    whole = summarize(ruleset, plan, distribution(ruleset, plan, start))
    views = odds(ruleset, attack, target, start)
    assert dict(views.odds) == pytest.approx(dict(whole.odds), abs=1e-12)
    assert dict(views.expected) == pytest.approx(dict(whole.expected), abs=1e-9)


@pytest.mark.rule("R17", "R18")
def test_a_burst_at_a_truck_with_fourteen_aboard_stays_within_the_work_limit(kit: Any, ruleset: Any) -> None:
    attack = kit.attack("mg42", range_m=100.0, rounds=10)
    found = odds(ruleset, attack, kit.find("opel_blitz"), exact=Exact(limit=1_000_000))
    assert 0 < found.odds["crew_killed"] < found.odds["crew_hit"] < found.odds["hit"]
