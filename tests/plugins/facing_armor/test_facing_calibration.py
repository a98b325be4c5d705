"""F20: the model beside wartime surveys, exactly, and by an independent sample."""

from __future__ import annotations

import json

import pytest

from cli_run import fail
from facing_armor.calibration import DRY, LEFT_OVER, WET, Calibration, calibration, location_mix, lost_tanks
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
    assert 0.60 <= line(table, "dry_burned").model <= 0.73
    assert 0.08 <= line(table, "wet_burned").model <= 0.15
    assert 0.75 <= line(table, "casualties").model <= 1.25
    assert line(table, "casualties_burned").model > line(table, "casualties_unburned").model
    assert line(table, "wounded").model > line(table, "killed").model
    assert all(found.holds for found in table.lines if found.bound is not None)


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


@pytest.mark.rule("F2", "F3", "F20")
def test_where_hits_land_over_all_aspects() -> None:
    found = location_mix()
    # By hand: hull .6 x 58 + .3 x 45 + .1 x 52 = 53.5 of 96.2 that find something.
    assert found["hull"] == pytest.approx(53.5 / 96.2)
    assert found["turret"] == pytest.approx((0.6 * 22 + 0.3 * 36 + 0.1 * 20) / 96.2)
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.rule("F20")
def test_leaving_the_wounded_out_of_the_states_changes_no_share(catalog, rules, table: Calibration) -> None:
    gun, ammunition = catalog.round("de_75_pak40")
    few = lost_tanks(rules, gun, ammunition, catalog.target(DRY), 700, with_men=False)
    assert few.left <= LEFT_OVER
    assert few.burned == pytest.approx(line(table, "dry_burned").model, abs=1e-9)


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
