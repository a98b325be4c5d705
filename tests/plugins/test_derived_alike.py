"""What a target does not state is the same under all three rulesets, and each of them says so."""

from __future__ import annotations

from typing import Any

import pytest

from d100_wwii.ruleset import D100Wwii
from facing_armor.ruleset import FacingArmor
from gurps_vehicle.deriving_targets import block_of
from gurps_vehicle.ruleset import GurpsVehicle
from mantlet import Attack, Derived, Plate, Ruleset, Target, odds
from mantlet.catalog import Catalog

RULESETS = [D100Wwii(), FacingArmor(), GurpsVehicle()]
GUN, SHELL = Catalog().round("de_75_pak40")
SIDE_SHOT = Attack(weapon=GUN, ammunition=SHELL, range_m=500, aspect_deg=90, given_hit=True)

HALF_TRACK = Target(
    id="half_track", name="Half-track", kind="vehicle", body="half_track", mass_kg=9000, length_m=6.0,
    running_gear="half_track", wheels=2, open_topped=True,
    plates=(Plate(where="hull_front_upper", thickness_mm=12), Plate(where="hull_side_upper", thickness_mm=8)),
)  # fmt: skip
FRONT_ONLY = Target(
    id="front", name="Front", kind="vehicle", body="tank", mass_kg=20000, length_m=6.0, running_gear="tracks",
    plates=(Plate(where="hull_front_upper", thickness_mm=40),),
)  # fmt: skip


def told(ruleset: Ruleset[Any, Any], target: Target) -> dict[str, Derived]:
    return {derived.stat: derived for derived in ruleset.plan(SIDE_SHOT, target).derived}


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_a_half_track_without_components_says_what_it_has(ruleset: Ruleset[Any, Any]) -> None:
    found = told(ruleset, HALF_TRACK)
    assert found["components"].value == (
        "headlamps, suspension, fuel_tank, radiator, engine, brakes, steering, hull_gun, radio"
    )
    assert found["seats"].value == "driver (front_cab), commander (front_cab)"
    assert len(ruleset.fresh(HALF_TRACK).people) == 2


def test_a_half_track_without_components_has_no_main_gun() -> None:
    """No row of a main gun or a magazine in d100, no mantlet in facing_armor, no explosive stores in GURPS."""
    d100, facing, _ = RULESETS
    vehicle = d100.plan(SIDE_SHOT, HALF_TRACK).vehicle  # type: ignore[attr-defined]
    assert vehicle.stats.absent == {"main_gun", "coaxial_gun", "magazine", "gun_laying"}
    layout = facing.plan(SIDE_SHOT, HALF_TRACK).layout  # type: ignore[attr-defined]
    assert (layout.has_gun, layout.has_upper) == (True, False)  # a machine gun in the hull alone
    assert "x" not in block_of(HALF_TRACK).fragile


def test_a_half_track_without_components_explodes_like_the_catalogs() -> None:
    found = odds(RULESETS[0], SIDE_SHOT, HALF_TRACK)
    shipped = odds(RULESETS[0], SIDE_SHOT, Catalog().target("m3_halftrack"))
    assert found.odds["exploded"] == pytest.approx(shipped.odds["exploded"], abs=0.01)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_a_tank_with_a_front_plate_alone_has_the_same_side(ruleset: Ruleset[Any, Any]) -> None:
    side = told(ruleset, FRONT_ONLY)["hull_side_upper_mm"]
    assert (side.value, side.inputs) == (40, {"hull_front_upper": 40, "slope_deg": 0})


def test_the_side_plate_counts_in_each() -> None:
    """40 mm: 0.75 x (40 + 40) / 2 armor points in d100, 40 mm in facing_armor, DR 40 x 70 / 25.4 in GURPS."""
    d100, facing, gurps = RULESETS
    assert told(d100, FRONT_ONLY)["armor"].value == 30
    assert facing.plan(SIDE_SHOT, FRONT_ONLY).layout.plates["hull_side_upper"].thickness_mm == 40  # type: ignore[attr-defined]
    assert told(gurps, FRONT_ONLY)["dr.side"].value == 110


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_a_target_of_the_catalog_has_nothing_of_the_kind_to_tell(ruleset: Ruleset[Any, Any]) -> None:
    found = told(ruleset, Catalog().target("sherman"))
    assert not {"components", "seats"} & set(found)
    assert not any(stat.startswith(("hull_", "turret_")) for stat in found)


@pytest.mark.parametrize("body", ["motorcycle", "wagon", "car", "truck", "carrier", "armored_car", "tank_destroyer"])
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_any_body_can_be_shot_at(ruleset: Ruleset[Any, Any], body: Any) -> None:
    bare = Target(id=body, name=body, kind="vehicle", body=body, plates=FRONT_ONLY.plates)
    if ruleset.covers(SIDE_SHOT, bare) is None:
        assert odds(ruleset, SIDE_SHOT, bare).odds["hit"] == pytest.approx(1)
        assert {"components", "seats"} <= set(told(ruleset, bare))
