"""docs/coverage.md: every rule of the inventories, at a place that exists, held by a test where it is said to work."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import make_coverage  # noqa: E402

RULESETS = list(make_coverage.INVENTORY)


def test_there_are_165_rules() -> None:
    ids = [id for listed in make_coverage.INVENTORY.values() for id in listed]
    assert len(ids) == len(set(ids)) == 102 + 32 + 31


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_rule_of_the_inventory_is_listed_once(ruleset: str) -> None:
    assert [rule.id for rule in make_coverage.rules(ruleset)] == make_coverage.INVENTORY[ruleset]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_rule_says_what_it_is_and_where(ruleset: str) -> None:
    for rule in make_coverage.rules(ruleset):
        assert rule.status in ("works", "open"), f"{rule.id}: {rule.status}"
        assert 5 < len(rule.title) < 200, f"{rule.id}: a title is one line"
        assert "\n" not in rule.title


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_place_of_every_rule_names_its_id(ruleset: str) -> None:
    """Whoever looks a rule up finds its id there: in the docstring, the comment or the `bound` of a table."""
    for rule in make_coverage.rules(ruleset):
        ids = set(re.findall(r"\b[RAFG]\d+\b", make_coverage.text_at(rule.where)))
        assert rule.id in ids, f"{rule.id}: {rule.where} does not name it"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_rule_is_stated_at_one_place(ruleset: str) -> None:
    """A function, a class or a field of one (an option), or a table of a data file of the plugin itself."""
    for rule in make_coverage.rules(ruleset):
        if rule.status == "works" or rule.where:
            found = make_coverage.places(rule.where)
            assert len(found) == 1, f"{rule.id}: {rule.where} is at {found or 'no place'}"
            assert found[0].startswith(f"plugins/{ruleset}/"), f"{rule.id}: {found[0]}"
            assert exists(rule.where), f"{rule.id}: {rule.where} is not there"


def test_no_rule_is_claimed_twice() -> None:
    listed = [rule.id for ruleset in RULESETS for rule in make_coverage.rules(ruleset)]
    assert sorted(listed) == sorted(id for ids in make_coverage.INVENTORY.values() for id in ids)


def exists(where: str) -> bool:
    """Whether the program has it too: the module's attribute, or the key as TOML reads it."""
    place, _, names = where.partition(":")
    if place.endswith(".toml"):
        found: object = tomllib.loads((ROOT / "plugins" / place).read_text("utf-8"))
        for name in names.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        return found is not None
    thing: object = import_module(place)
    for name in names.split("."):
        fields = getattr(thing, "__dataclass_fields__", {})
        if not hasattr(thing, name) and name not in fields:
            return False
        thing = getattr(thing, name, None)
    return True


@pytest.mark.parametrize(
    ("where", "lines"),
    [
        ("facing_armor.penetration:chance", 1),
        ("facing_armor.penetration:Curve.at", 1),
        ("facing_armor.options:Options.slope_model", 1),
        ("facing_armor/data/design.toml:internal.turret", 1),
        ("facing_armor/data/design.toml:penetration.steepness", 1),
        ("facing_armor.team:design", 0),  # imported there, stated elsewhere
        ("facing_armor.team", 0),
        ("facing_armor.nowhere:chance", 0),
        ("facing_armor/data/design.toml:internal.cellar", 0),
    ],
)
def test_a_place_is_where_something_is_defined(where: str, lines: int) -> None:
    assert len(make_coverage.places(where)) == lines


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
