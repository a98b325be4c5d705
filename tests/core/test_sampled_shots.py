"""Shots to a knock-out by estimate, where exact odds are refused."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from mantlet import Attack, UsageError, covered_plan, load_plugins, sampled_shots, shots_until
from mantlet.catalog import Catalog
from mantlet.cli.app import cli

ODDS = ["odds", "--ruleset", "facing_armor", "--weapon", "de_75_pak40", "--target", "m4a1_75_dry", "--range", "500"]


def test_the_estimate_lies_around_the_exact_chances() -> None:
    catalog, rules = Catalog(), load_plugins().ruleset("facing_armor")
    weapon, ammunition = catalog.round("de_75_pak40")
    plan = covered_plan(rules, Attack(weapon=weapon, ammunition=ammunition, range_m=500), catalog.target("m4a1_75_dry"))
    exact, sampled = shots_until(rules, plan, 3), sampled_shots(rules, plan, 3, 2000, seed=7)
    assert sampled.sampled == 2000
    for p, estimate in zip(exact.within, sampled.within):
        assert abs(p - estimate) < 4 * (p * (1 - p) / 2000) ** 0.5  # four standard errors, with a fixed seed
    assert sampled.left == pytest.approx(1 - sampled.within[-1])


def test_no_target_is_refused() -> None:
    catalog, rules = Catalog(), load_plugins().ruleset("facing_armor")
    weapon, ammunition = catalog.round("de_75_pak40")
    plan = covered_plan(rules, Attack(weapon=weapon, ammunition=ammunition), catalog.target("m4a1_75_dry"))
    with pytest.raises(UsageError, match="At least one target"):
        sampled_shots(rules, plan, 3, 0, seed=7)


def test_the_command_says_how_sure_it_is() -> None:
    result = CliRunner().invoke(cli, [*ODDS, "--shots", "2", "--sample", "400"])
    assert result.exit_code == 0
    assert "Estimated by firing at 400 targets: standard error at most 2.5%." in result.output
    told = json.loads(CliRunner().invoke(cli, [*ODDS, "--shots", "2", "--sample", "400", "--format", "json"]).output)
    assert told["shots"]["sampled"] == 400


def test_a_sample_needs_shots_and_a_refusal_offers_it() -> None:
    alone = CliRunner().invoke(cli, [*ODDS, "--sample", "400"])
    assert alone.exit_code == 2
    assert "--sample goes with --shots" in alone.output
    refused = CliRunner().invoke(cli, [*ODDS, "--shots", "20", "--work-limit", "3000"])
    assert refused.exit_code == 1
    assert "need more than 3,000 steps" in refused.output
