"""Plain data becomes typed things in two ways, which agree; what is wrong is said with its place."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from mantlet.catalog.validation import build, check, validate
from mantlet.errors import CatalogError
from mantlet.game.checks import FieldError
from mantlet.game.target import Plate, Target
from mantlet.game.weapon import Ammunition, PenetrationTable, Weapon

TABLE = {
    "angle_deg": 0,
    "plate": "RHA",
    "criterion": "p50_RHA_0",
    "range_m": [100, 500],
    "penetration_mm": [90, 80],
    "source": "house",
    "confidence": "design",
}
WEAPON = {
    "id": "gun",
    "name": "Gun",
    "kind": "gun",
    "ammunition": [{"id": "shot", "kind": "AP", "penetration": [TABLE]}],
}
TARGET = {"id": "box", "name": "Box", "kind": "vehicle", "body": "tank"}


def said(kind: type, data: Any) -> list[str]:
    problems = check(kind, data)
    assert isinstance(problems, list)
    return [sentence for _, sentence in problems]


def places(kind: type, data: Any) -> list[tuple[str | int, ...]]:
    problems = check(kind, data)
    assert isinstance(problems, list)
    return [path for path, _ in problems]


def test_both_ways_give_the_same_thing() -> None:
    assert dataclasses.asdict(validate(Weapon, WEAPON, "here")) == dataclasses.asdict(build(Weapon, WEAPON))


def test_lists_become_tuples_and_whole_numbers_pass_for_numbers() -> None:
    table = validate(PenetrationTable, TABLE, "here")
    assert table.range_m == (100, 500)
    assert table.angle_deg == 0


def test_stat_blocks_stay_as_they_are() -> None:
    stats = {"gurps_vehicle": {"dmg": "6dx4", "anything": [1, {"deep": True}]}}
    assert validate(Weapon, {**WEAPON, "stats": stats}, "here").stats == stats


@pytest.mark.parametrize("value", ["75", True, [75], {"mm": 75}])
def test_only_a_number_is_a_number(value: object) -> None:
    assert said(Plate, {"where": "floor", "thickness_mm": value})[0].startswith("thickness_mm has to be a number, not ")


def test_text_is_text_and_a_count_is_whole() -> None:
    assert said(Target, {**TARGET, "name": 3}) == ["name has to be text in quotes, not 3."]
    assert said(Target, {**TARGET, "wheels": 4.0}) == ["wheels has to be a whole number, not 4.0."]
    assert said(Target, {**TARGET, "open_topped": 1}) == ["open_topped has to be true or false, not 1."]
    assert said(Target, {**TARGET, "plates": {"where": "floor"}}) == ["plates has to be a list, not a table."]
    assert said(Target, "tiger") == ["the whole entry has to be a table of keys, not 'tiger'."]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_are_finite(value: float) -> None:
    assert "finite number" in said(Target, {**TARGET, "mass_kg": value})[0]
    assert "finite number" in said(Plate, {"where": "floor", "thickness_mm": value})[0]


def test_a_misspelt_key_is_named_with_the_nearest_one() -> None:
    assert said(Target, {**TARGET, "lenght_m": 5}) == ["lenght_m is not a known key; did you mean length_m?"]
    shot = {"id": "shot", "kind": "AP", "penetration": [{**TABLE, "rang_m": [1]}]}
    assert said(Weapon, {**WEAPON, "ammunition": [shot]}) == [
        "ammunition.0.penetration.0.rang_m is not a known key; did you mean range_m?"
    ]
    noted = {**TARGET, "provenance": {"mass_kg": {"sorce": "x", "confidence": "low"}}}
    assert "provenance.mass_kg.sorce is not a known key; did you mean source?" in said(Target, noted)


def test_a_wrong_choice_is_named_with_the_nearest_one() -> None:
    assert said(Weapon, {**WEAPON, "kind": "gunn"}) == ["kind cannot be 'gunn'; did you mean 'gun'?"]
    assert "has to be 'vehicle', 'creature' or 'team', not 'xyz'" in said(Target, {**TARGET, "kind": "xyz"})[0]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    assert len(said(Target, {"id": "box", "kind": "vehicle", "body": "tank", "wheels": "4", "mass": 3})) == 3


def test_a_missing_key_is_said() -> None:
    assert said(Target, {"id": "box", "kind": "vehicle", "body": "tank"}) == ["name is missing."]


def test_a_bad_value_deep_inside_has_its_path() -> None:
    rising = {**TABLE, "penetration_mm": [80, 90]}
    weapon = {**WEAPON, "ammunition": [{"id": "shot", "kind": "AP", "penetration": [TABLE, rising]}]}
    assert places(Weapon, weapon) == [("ammunition", 0, "penetration", 1, "penetration_mm", 1)]
    plates = [{"where": "floor", "thickness_mm": 5}, {"where": "mantlet", "thickness_mm": -5}]
    assert places(Target, {**TARGET, "plates": plates}) == [("plates", 1, "thickness_mm")]


def test_errors_name_where_they_were_found() -> None:
    with pytest.raises(CatalogError, match=r"^state file: name is missing\.$"):
        validate(Target, {"id": "box", "kind": "vehicle", "body": "tank"}, "state file")


def test_a_pydantic_model_keeps_its_own_settings() -> None:
    class Options(BaseModel):
        shots: int = 1

    assert validate(Options, {"shots": "3"}, "options").shots == 3
    assert said(Options, {"shots": "three"})[0].startswith("shots: ")


@pytest.mark.parametrize(
    ("kind", "data", "path"),
    [
        (PenetrationTable, {**TABLE, "range_m": [100, 100]}, ("range_m", 1)),
        (PenetrationTable, {**TABLE, "range_m": []}, ("penetration_mm",)),
        (PenetrationTable, {**TABLE, "angle_deg": 90}, ("angle_deg",)),
        (Plate, {"where": "hull_side_upper", "thickness_mm": 5, "slope_deg": 90}, ("slope_deg",)),
        (Weapon, {**WEAPON, "ammunition": []}, ("ammunition",)),
        (Weapon, {**WEAPON, "magazine": -1}, ("magazine",)),
        (
            Ammunition,
            {"id": "a", "kind": "AP", "penetration": [{**TABLE, "default": True}] * 2},
            ("penetration", 1, "default"),
        ),
    ],
)
def test_the_checks_of_the_data_model_point_at_the_field(kind: type, data: Any, path: tuple[str | int, ...]) -> None:
    assert places(kind, data) == [path]
    with pytest.raises(FieldError):
        build(kind, data)


def test_a_roof_may_lie_flat() -> None:
    assert build(Plate, {"where": "hull_roof", "thickness_mm": 5, "slope_deg": 90}).slope_deg == 90


NUMBERS = st.integers(0, 300) | st.floats(0, 300)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6))
def test_a_table_is_taken_exactly_when_ranges_rise_and_values_do_not(points: list[tuple[float, float]]) -> None:
    ranges, values = [p[0] for p in points], [p[1] for p in points]
    good = all(a < b for a, b in pairwise(ranges)) and all(a >= b for a, b in pairwise(values))
    data = {**TABLE, "range_m": ranges, "penetration_mm": values}
    checked = check(PenetrationTable, data)
    assert isinstance(checked, PenetrationTable) == good
    if good:
        assert dataclasses.asdict(build(PenetrationTable, data)) == dataclasses.asdict(checked)  # type: ignore[call-overload]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*sorted(TARGET), "x"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(JSON)
def test_nothing_a_file_can_hold_breaks_it(data: object) -> None:
    for kind in (Weapon, Target):
        checked = check(kind, data)
        assert isinstance(checked, (kind, list))
