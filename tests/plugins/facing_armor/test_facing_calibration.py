"""F20: the model beside wartime surveys, exactly, and by an independent sample."""

from __future__ import annotations

import json
import random

import pytest

from cli_run import fail
from facing_armor.calibration import (
    DRY,
    LEFT_OVER,
    WET,
    Calibration,
    burned_of_penetrated,
    calibration,
    location_mix,
    lost_tanks,
    surveys,
)
from facing_armor.design import fitted_figures, read
from facing_armor.report import calibration_text
from mantlet import Condition, Seeded, run
from mantlet.game.effects import PENETRATED


@pytest.fixture(scope="module")
def table() -> Calibration:
    return calibration()


def line(table: Calibration, key: str):
    return next(found for found in table.lines if found.key == key)


@pytest.mark.rule("F20")
def test_the_bounds_hold(table: Calibration) -> None:
    """Of the dry Sherman and of the wet one: the surveys do not tell them apart but for fires."""
    assert 0.60 <= line(table, "dry_burned").model <= 0.73
    assert 0.08 <= line(table, "wet_burned").model <= 0.15
    for found in (line(table, "sherman_hits"), line(table, "sherman_penetrations")):
        assert [found.model, found.wet] == pytest.approx([found.survey] * 2, rel=0.25)
    assert (line(table, "sherman_hits").survey, line(table, "sherman_penetrations").survey) == (1.63, 1.55)
    for kind in ("model", "wet"):
        assert 0.75 <= getattr(line(table, "casualties"), kind) <= 1.25
        burned, unburned = (getattr(line(table, f"casualties_{end}"), kind) for end in ("burned", "unburned"))
        assert burned > unburned
        assert 1.5 <= getattr(line(table, "wounded_to_killed"), kind) <= 3
    assert sum(found.bound is not None for found in table.lines) >= 10
    assert all(found.holds for found in table.lines if found.bound is not None)


def test_a_bound_is_missed_where_the_wet_sherman_misses_it(table: Calibration) -> None:
    found = line(table, "sherman_hits")
    assert found.bound is not None
    assert found._replace(wet=found.bound[1]).holds
    assert not found._replace(wet=found.bound[1] + 0.01).holds
    assert not found._replace(model=found.bound[0] - 0.01).holds


@pytest.mark.rule("F20")
def test_the_table_says_by_how_much_a_figure_is_missed(table: Calibration) -> None:
    text = calibration_text(table, "text")
    assert "off by" in text
    missed = line(table, "sherman_hits")
    assert missed.confidence == "recalled"
    assert f"{missed.difference:+.3f}" in text
    data = json.loads(calibration_text(table, "json"))
    assert len(data["figures"]) == len(table.lines) > 20
    assert calibration_text(table, "md").count("\n|") > 20


@pytest.mark.rule("F20")
def test_the_table_says_what_was_fitted_and_shows_dry_and_wet(table: Calibration) -> None:
    fitted = {found.key for found in table.lines if found.fitted}
    assert {"dry_burned", "wet_burned", "sherman_hits", "sherman_penetrations"} <= fitted
    assert not fitted & {"casualties_burned", "sherman_penetrated", "pz4_hits", "panther_hits", "tiger_hits"}
    assert line(table, "sherman_hits").wet > line(table, "sherman_hits").model
    assert line(table, "casualties_burned").wet > line(table, "casualties_unburned").wet
    assert line(table, "tiger_hits").wet is None
    german = [found for found in table.lines if found.key.startswith(("pz4", "panther", "tiger"))]
    assert german
    assert all(found.bound is None for found in german)


@pytest.mark.rule("F20")
@pytest.mark.parametrize(("target", "seed"), [(DRY, 3), (WET, 4)])
def test_tanks_penetrated_burn_as_often_when_rolled_one_by_one(catalog, rules, shot, target: str, seed: int) -> None:
    """Penetration by penetration, as many as the assumed distribution gives each, into whatever is left of the tank."""
    tank = catalog.target(target)
    plans = {a: rules.plan(shot(range_m=700, aspect_deg=a, given_hit=True), tank) for a in (90, 0, 180)}
    source, chance = Seeded(seed), random.Random(seed)
    burned, tanks = 0, 800
    for _ in range(tanks):
        condition: Condition = rules.fresh(tank)
        wanted = 1
        while chance.random() > 1 / 1.55:
            wanted += 1
        while wanted:
            plan = plans[chance.choices((90, 0, 180), (6, 3, 1))[0]]
            outcome = run(source.dice, rules.resolve, plan, condition)
            condition = outcome.condition
            wanted -= bool(outcome.effects & PENETRATED)
        source.account.entries.clear()
        burned += condition.on_fire
    gun, ammunition = catalog.round("de_75_pak40")
    exact = burned_of_penetrated(rules, gun, ammunition, tank, 700)
    assert abs(burned / tanks - exact) < 4 * (exact * (1 - exact) / tanks) ** 0.5


def test_every_number_says_where_it_comes_from() -> None:
    """Each has a source or is a design choice; what it was fitted to is a figure of the surveys."""
    figures = surveys()["figure"]

    def check(data: object, where: str, told: bool) -> None:
        if isinstance(data, list):
            for part in data:
                check(part, where, told)
        elif isinstance(data, dict):
            said = [key for key in ("source", "design") if key in data]
            assert len(said) <= 1, where
            assert all(data[key].strip() for key in said), where
            assert set(data.get("fitted_to", ())) <= set(figures), where
            for key, part in data.items():
                check(part, f"{where}.{key}", told or bool(said))
        elif isinstance(data, (int, float)):
            assert told, f"{where} has neither source nor design"

    check(read("design.toml"), "design.toml", False)
    assert fitted_figures() <= set(figures)


@pytest.mark.rule("F2", "F3", "F20")
def test_where_hits_land_over_all_aspects() -> None:
    found = location_mix()
    # By hand: hull .6 x 58 + .3 x 45 + .1 x 52 = 53.5 of 96.2 that find something.
    assert found["hull"] == pytest.approx(53.5 / 96.2)
    assert found["turret"] == pytest.approx((0.6 * 22 + 0.3 * 36 + 0.1 * 20) / 96.2)
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.rule("F20")
def test_taking_men_at_the_same_risk_as_alike_changes_no_share(catalog, rules, table: Calibration) -> None:
    gun, ammunition = catalog.round("de_75_pak40")
    few = lost_tanks(rules, gun, ammunition, catalog.target(DRY), 700, with_men=False)
    assert few.left <= LEFT_OVER
    assert few.burned == pytest.approx(line(table, "dry_burned_of_lost").model, abs=1e-9)


@pytest.mark.rule("F20")
@pytest.mark.parametrize("target", [DRY, WET])
def test_tanks_rolled_one_by_one_burn_as_often(catalog, rules, shot, target: str) -> None:
    """An independent check: seeded attacks, hit by hit, in the surveyed mix of aspects."""
    tank = catalog.target(target)
    plans = {a: rules.plan(shot(range_m=700, aspect_deg=a, given_hit=True), tank) for a in (90, 0, 180)}
    source = Seeded(7)
    lost = burned = 0
    for _ in range(1500):
        condition: Condition = rules.fresh(tank)
        pierced = False
        while not condition.knocked_out:
            roll = source.dice.roll("1d10", "aspect")
            plan = plans[90 if roll <= 6 else 0 if roll <= 9 else 180]
            outcome = run(source.dice, rules.resolve, plan, condition)
            condition = outcome.condition
            pierced = pierced or bool(outcome.effects & PENETRATED)
        source.account.entries.clear()
        lost += pierced
        burned += pierced and condition.on_fire
    gun, ammunition = catalog.round("de_75_pak40")
    exact = lost_tanks(rules, gun, ammunition, tank, 700, with_men=False).burned
    spread = (exact * (1 - exact) / lost) ** 0.5
    assert abs(burned / lost - exact) < 4 * spread


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("--weapon kar98k", 1, "kar98k/ball never knocks out"),
        ("--weapon hand_grenade", 1, "has no penetration data"),
        ("--range nan", 2, "expected a number of meters"),
    ],
)
def test_what_cannot_be_calibrated_is_said_in_a_sentence(words: str, code: int, said: str) -> None:
    told = fail(f"facing calibrate {words}", code)
    assert said in told
    assert "fault" not in told
