"""docs/coverage.md: every rule of the inventories, at a place that exists, held by a test where it is said to work."""

from __future__ import annotations

import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import make_coverage  # noqa: E402

RULESETS = list(make_coverage.INVENTORY)


def test_there_are_160_rules() -> None:
    ids = [id for listed in make_coverage.INVENTORY.values() for id in listed]
    assert len(ids) == len(set(ids)) == 97 + 32 + 31


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_rule_of_the_inventory_is_listed_once(ruleset: str) -> None:
    assert [rule.id for rule in make_coverage.rules(ruleset)] == make_coverage.INVENTORY[ruleset]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_rule_says_what_it_is_and_where(ruleset: str) -> None:
    for rule in make_coverage.rules(ruleset):
        assert rule.status in ("works", "open"), f"{rule.id}: {rule.status}"
        assert 5 < len(rule.title) < 200, f"{rule.id}: a title is one line"
        assert "\n" not in rule.title
        if rule.status == "works" or rule.where:
            assert resolves(rule.where), f"{rule.id}: {rule.where} is not there"


def resolves(where: str) -> bool:
    """Whether `module:name.name` names something, or `package/file.toml` a key of a data file (`file.toml:key`)."""
    place, _, names = where.partition(":")
    if place.endswith(".toml"):
        file = ROOT / "plugins" / place
        found = tomllib.loads(file.read_text("utf-8")) if file.is_file() else None
        for name in filter(None, names.split(".")):
            found = found.get(name) if isinstance(found, dict) else None
        return found is not None
    thing: object = import_module(place)
    for name in filter(None, names.split(".")):
        if not hasattr(thing, name):
            return False
        thing = getattr(thing, name)
    return bool(names)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_rule_that_works_is_held_by_a_test(ruleset: str) -> None:
    held = make_coverage.tests()
    bare = [rule.id for rule in make_coverage.rules(ruleset) if rule.status == "works" and rule.id not in held]
    assert not bare


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    known = {id for listed in make_coverage.INVENTORY.values() for id in listed}
    unknown = {id: tests for id, tests in make_coverage.tests().items() if id not in known}
    assert not unknown


def test_the_page_is_up_to_date() -> None:
    assert make_coverage.PAGE.read_text("utf-8") == make_coverage.page(), "stale: run python docs/refresh.py"
