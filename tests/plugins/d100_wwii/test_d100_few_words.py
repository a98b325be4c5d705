"""Odds in fewer words are the same odds under every option: some of them here, all of them among the slow tests."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

import pytest

from d100_wwii import options as options_module
from d100_wwii.options import Options
from d100_wwii.ruleset import D100Wwii
from mantlet import Exact, distribution, odds, summarize

KINDS = get_type_hints(Options, vars(options_module))
ATTACKS: list[tuple[str, str, dict[str, Any]]] = [
    ("kar98k", "kubelwagen", {"given_hit": True, "target_speed_kph": 30.0}),
    ("de_75_pak40", "m4a1_75_dry", {"range_m": 500.0}),
    ("mp40", "kubelwagen", {"rounds": 2, "range_m": 15.0}),
]


def others(option: Any) -> list[Any]:
    """The values of an option that are not its default; none for a number or a name."""
    kind = KINDS[option.name]
    return [value for value in ((True, False) if kind is bool else get_args(kind)) if value != option.default]


def same(kit: Any, options: dict[str, Any], weapon: str, target: Any, fields: dict[str, Any]) -> None:
    rules = D100Wwii.with_options(options)
    plan = kit.plan(weapon, target, options, **fields)
    full = summarize(rules, plan, distribution(rules, plan, exact=Exact()))
    few = odds(rules, plan.attack, plan.target)
    assert few.odds == pytest.approx(full.odds, abs=1e-12), options
    assert few.expected == pytest.approx(full.expected, abs=1e-9), options
    assert few.locations == pytest.approx(full.locations, abs=1e-12), options


@pytest.mark.rule("A3", "A4", "A11", "A13", "A35")
@pytest.mark.parametrize(
    "options",
    [
        {"component_takes": "damage"},
        {"component_absorbs_base_hp": True},
        {"occupant_rows": "kill"},
        {"surviving_driver_trouble": True},
        {"fire_damage": "attack"},
    ],
    ids=lambda options: next(iter(options)),
)
def test_a_rifle_at_a_standing_car(kit: Any, options: dict[str, Any]) -> None:
    same(kit, options, "kar98k", "kubelwagen", {"given_hit": True})


@pytest.mark.rule("R23", "R24")
def test_a_burst_of_fire_burns_on_outside_the_armor(kit: Any) -> None:
    rules = D100Wwii()
    attack = kit.attack("m1918_bar", rounds=3, aim="fuel_tank")
    jet = replace(attack, weapon=replace(attack.weapon, stats={"d100_wwii": {"kind": "fire", "damage": "1d6"}}))
    tank = kit.vehicle_with("pz3_j")
    full = summarize(rules, plan := rules.plan(jet, tank), distribution(rules, plan))
    few = odds(rules, jet, tank)
    assert full.odds["on_fire"] > 0.05
    assert few.odds == pytest.approx(full.odds, abs=1e-12)


@pytest.mark.rule("A50")
def test_the_dark_is_no_effect_of_a_miss(kit: Any) -> None:
    rules = D100Wwii()
    plan = kit.plan("de_pzb39", "harley_wla", range_m=250.0, skill_percent=0.0, dark=True)
    no_lamps = kit.with_detail("harley_wla", pools={"headlamps": 0})
    full = summarize(rules, plan, distribution(rules, plan, no_lamps))
    assert full.odds["no_effect"] == 1
    assert odds(rules, plan.attack, plan.target, no_lamps).odds == full.odds


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack[0])
def test_every_value_of_every_option(kit: Any, attack: Any) -> None:
    for option in fields(Options):
        for value in others(option):
            same(kit, {option.name: value}, *attack)


@pytest.mark.rule("A56", "A64", "R17")
def test_a_burst_at_people_whose_vehicle_may_be_in_trouble_though_parked_or_slow(kit: Any) -> None:
    # Trouble may end in fire and explosion, so that it counts how many hit points those struck have left.
    attack = {"rounds": 3, "range_m": 15.0, "skill_percent": 90.0, "aim": "hull_or_bed"}
    thin = kit.vehicle_with("m5_stuart", stats={"armor": 2})
    same(kit, {"parked_trouble": True}, "mp40", thin, attack)
    # Too slow for damage in a collision, but not for trouble.
    same(kit, {}, "mp40", thin, {**attack, "target_speed_kph": 5.0})


@pytest.mark.rule("A21", "R6", "R17")
@pytest.mark.parametrize("base_hp", [4, 40])
def test_a_burst_of_which_the_round_that_impales_alone_gets_through(kit: Any, base_hp: int) -> None:
    # 1d10 never beats 10, two rolls may: everybody's wounds hang on whom the first round strikes, and what it destroys.
    plated = kit.vehicle_with("kubelwagen", stats={"armor": 10, "base_hp": base_hp})
    same(kit, {}, "mp40", plated, {"rounds": 3, "range_m": 15.0, "skill_percent": 90.0})
