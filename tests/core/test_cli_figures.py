"""Figures with their errors: plain where exact, never more certain than they are, aligned side by side."""

from __future__ import annotations

import pytest

from mantlet import Attack, Odds
from mantlet.catalog import Catalog
from mantlet.cli import layout
from mantlet.cli.compare_rows import Block
from mantlet.cli.compare_text import Compared, comparison_page
from mantlet.cli.figures import aligned, chance, mean
from mantlet.game.effects import EFFECTS


@pytest.mark.parametrize(
    ("probability", "error", "printed"),
    [
        (0.1234, None, "12.3%"),
        (0.1234, 0.0019, "12.3% +/-0.2"),
        (0.1234, 0.0002, "12.3% +/-0.1"),  # an error is rounded up
        (0.5, 0.00003, "50.0%"),  # all of 17,000 attacks agree: three errors do not reach the digits
        (0.5, 0.00125, "50.0% +/-0.2"),  # all of 400 agree, which is not as much
        (0.0, None, "0.0%"),
        (0.0, 0.00005, "<0.1%"),  # never seen in 20,000 attacks
        (0.0, 0.01, "<3.0%"),  # never seen in 100
        (0.0002, 0.0001, "<0.1%"),
        (0.0005, 0.0002, "0.1% +/-0.1"),
        (1.0, None, "100.0%"),
        (1.0, 0.00005, ">99.9%"),
        (1.0, 0.01, ">97.0%"),
        (0.0, 1.0, "<100.0%"),
    ],
)
def test_a_chance(probability: float, error: float | None, printed: str) -> None:
    assert str(chance(probability, error)) == printed


@pytest.mark.parametrize(
    ("value", "error", "printed"),
    [
        (1.4712, None, "1.47"),
        (1.4712, 0.0123, "1.47 +/-0.02"),
        (1.4712, 0.0012, "1.47"),
        (0.0, 0.0001, "<0.01"),
        (0.0, 0.02, "<0.06"),
    ],
)
def test_an_expected_number(value: float, error: float | None, printed: str) -> None:
    assert str(mean(value, error)) == printed


def test_figures_of_a_column_stand_below_each_other() -> None:
    found = [chance(0.5), chance(0.1234, 0.0123), chance(1), chance(0, 0.0001)]
    assert aligned(found) == [" 50.0%       ", " 12.3% +/-1.3", "100.0%       ", " <0.1%       "]
    assert aligned([chance(0.5), chance(1)]) == ["50.0%", "100.0%"]


def test_three_rulesets_with_estimates_stand_side_by_side_in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "width", lambda: 80)
    catalog = Catalog()
    weapon, ammunition = catalog.round("mg42")
    chances = dict.fromkeys(EFFECTS, 0.25)
    means = {"people_wounded": 1.2, "people_killed": 0.1, "damage": 123.4}
    places = {"running_gear": 0.4}
    results = [
        Odds("d100_wwii", True, None, chances, means, places, damage_unit="Base HP"),
        Odds("facing_armor", False, "no burst"),
        Odds(
            "gurps_vehicle",
            True,
            None,
            chances,
            means,
            places,
            damage_unit="HP",
            standard_error={"damaged": 0.0021, "exploded": 0.3, "damage": 1.234, "running_gear": 0.001},
            samples=20_000,
            seed=1,
        ),
    ]
    attack = Attack(weapon=weapon, ammunition=ammunition)
    compared = Compared(attack, catalog.target("jeep"), [Block("of the attack", results)], {}, {})
    lines = [line.rstrip() for line in comparison_page("text", compared, everything=True, explain=False)]
    assert max(map(len, lines)) <= 80
    assert [" ".join(line.split()) for line in lines[4:8]] == [
        "d100 facing gurps",
        "hit 25.0% - 25.0%",
        "penetrated 25.0% - 25.0%",
        "knocked out 25.0% - 25.0%",
    ]
    errors = [line for line in lines if line.endswith(("25.0% +/-0.3", "123.40 +/-1.24"))]
    assert len(errors) == 2
    assert len({line.index("+/-") for line in errors}) == 1
    assert "Figures with +/- (one standard error): gurps_vehicle estimated from 20,000" in lines
