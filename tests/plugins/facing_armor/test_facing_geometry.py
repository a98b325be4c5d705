"""F1 to F6: facings, location tables, hull-down, angles and effective armor."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facing_armor import geometry
from facing_armor.armor import effective_mm, ricochets, slope_multiplier
from facing_armor.locations import hull_down_table, location_table, place
from facing_armor.options import Options
from facing_armor.ruleset import FacingArmor
from mantlet import Attack, CatalogError, Exact, Scripted, distribution, quick_odds, run
from mantlet.catalog import Catalog

angles = st.floats(0, 360, allow_nan=False, exclude_max=True)


@pytest.mark.rule("F1")
@pytest.mark.parametrize(
    ("aspect", "face"),
    [
        (0, "front"),
        (44.9, "front"),
        (45, "side"),
        (90, "side"),
        (135, "side"),
        (135.1, "rear"),
        (180, "rear"),
        (225, "side"),
        (270, "side"),
        (315, "side"),
        (315.1, "front"),
    ],
)
def test_each_bearing_has_one_face_and_a_tie_is_side(aspect: float, face: str) -> None:
    assert geometry.facing(aspect) == face


@pytest.mark.rule("F1")
@given(angles)
def test_left_and_right_are_alike(aspect: float) -> None:
    mirrored = (360.0 - aspect) % 360.0
    face = geometry.facing(aspect)
    assert geometry.facing(mirrored) == face
    assert geometry.horizontal_angle(face, aspect) == pytest.approx(geometry.horizontal_angle(face, mirrored))


@pytest.mark.rule("F1")
@given(st.integers(0, 359), st.integers(0, 359), st.integers(0, 359))
def test_turning_target_and_shooter_together_changes_nothing(heading: int, bearing: int, turn: int) -> None:
    """The aspect is the shooter's bearing less the target's heading, on compasses that begin anew at 360 degrees."""
    catalog, rules = Catalog(), FacingArmor()
    gun, ammunition = catalog.round("us_75_m3")
    before, after = (
        rules.plan(
            Attack(weapon=gun, ammunition=ammunition, range_m=500, aspect_deg=shooter % 360 - nose % 360),
            catalog.target("pz4_h"),
        )
        for shooter, nose in ((bearing, heading), (bearing + turn, heading + turn))
    )
    assert after.faces == before.faces


@pytest.mark.rule("F1")
def test_mirrored_attacks_have_the_same_odds_on_the_other_side(catalog, rules, shot) -> None:
    target = catalog.target("pz4_h")
    left, right = (
        distribution(rules, rules.plan(shot("us_75_m3", range_m=500, aspect_deg=a), target)) for a in (300, 60)
    )

    def swap(outcome):
        named = tuple(place._replace(path=place.path.replace("left", "right")) for place in outcome.locations)
        return outcome._replace(locations=named)

    assert any("left" in place.path for outcome in left for place in outcome.locations)
    mirrored = left.map(swap)
    assert set(mirrored) == set(right)
    assert all(mirrored[outcome] == pytest.approx(right[outcome], abs=1e-12) for outcome in right)


@pytest.mark.rule("F1")
def test_plunging_fire_is_not_covered(catalog, rules, shot) -> None:
    reason = rules.covers(shot(elevation_deg=60), catalog.target("pz4_h"))
    assert reason is not None
    assert reason.startswith("F1:")


def shares(table) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for row, p in zip(table.rows, table.probabilities()):
        found[row.value] = found.get(row.value, Fraction(0)) + p
    return found


@pytest.mark.rule("F2")
def test_the_front_table_keeps_the_order_of_the_source() -> None:
    found = shares(location_table("front"))
    assert found["hull_front"] > found["turret_front"] > found["tracks"] > found["nothing"]
    assert found["hull_front"] > found["turret_front"] + found["mantlet"] > found["tracks"]
    assert found["gun"] < Fraction(1, 10)
    assert found["nothing"] < Fraction(1, 10)
    assert sum(found.values()) == 1


@pytest.mark.rule("F3")
def test_from_side_and_rear_most_hits_land_on_the_hull() -> None:
    side, rear = shares(location_table("side")), shares(location_table("rear"))
    assert side["hull_side"] > Fraction(1, 2)
    assert rear["hull_rear"] > Fraction(1, 2)
    assert side["nothing"] < Fraction(4, 100) < rear["nothing"]


@pytest.mark.rule("F4")
@pytest.mark.parametrize("face", ["front", "side", "rear"])
def test_hull_down_moves_the_weight_of_the_hull_to_the_turret(face: str) -> None:
    plain, hidden = shares(location_table(face)), shares(hull_down_table(face, "turret"))
    assert not [key for key in hidden if key.startswith("hull") or key == "tracks"]
    turret = f"turret_{face}"
    assert hidden[turret] == plain[turret] + plain[f"hull_{face}"] + plain["tracks"]
    astray = shares(hull_down_table(face, "miss"))
    assert astray["miss"] == plain["tracks"]
    assert astray[turret] == plain[turret] + plain[f"hull_{face}"]


@pytest.mark.rule("F4")
@pytest.mark.parametrize("aspect", [0, 90, 180])
def test_no_hull_or_track_is_ever_hit_hull_down(catalog, rules, shot, aspect: float) -> None:
    attack = shot(range_m=300, aspect_deg=aspect, hull_down=True)
    odds = quick_odds(rules, attack, catalog.target("m4a3_75w"), Exact())
    assert odds["hull"] == odds["running_gear"] == 0
    assert odds["turret"] > 0


@pytest.mark.rule("F4")
@pytest.mark.parametrize("target", ["stug3_g", "m3_halftrack", "opel_blitz", "sdkfz_222"])
@pytest.mark.parametrize("aspect", [10, 100, 190])
def test_hull_down_shows_what_stands_in_place_of_a_turret(catalog, rules, shot, target: str, aspect: float) -> None:
    plan = rules.plan(shot(range_m=300, aspect_deg=aspect, hull_down=True), catalog.target(target))
    paths = {place.path for outcome in distribution(rules, plan) for place in outcome.locations}
    assert {path.split("/")[0] for path in paths} <= {"turret", "superstructure", "gun", "nothing"}
    assert paths & {"turret/front", "superstructure/front"} or aspect != 10


@pytest.mark.rule("F4")
def test_tracks_behind_cover_may_be_misses(catalog, shot) -> None:
    rules = FacingArmor(Options(hull_down_tracks="miss"))
    plan = rules.plan(shot(range_m=300, hull_down=True), catalog.target("m4a3_75w"))
    dice = Scripted("1, 80")  # hits; the location is 78-90
    outcome = run(dice.dice, rules.resolve, plan, rules.fresh(plan.target))
    dice.finish()
    assert (outcome.hits, outcome.locations, outcome.detail) == (0, (), "miss")


@pytest.mark.rule("F1", "F2")
def test_a_vehicle_without_a_turret_has_a_superstructure_in_its_place(catalog, rules, shot) -> None:
    plan = rules.plan(shot("us_75_m3", range_m=500), catalog.target("stug3_g"))
    paths = {place.path for outcome in distribution(rules, plan) for place in outcome.locations}
    assert {"superstructure/front", "superstructure/mantlet", "hull/front"} <= paths
    assert place("turret_side", "left", False, "tracks").zone == "hull"
    wheels = {
        place.path
        for outcome in distribution(rules, rules.plan(shot(range_m=500), catalog.target("sdkfz_222")))
        for place in outcome.locations
    }
    assert "wheels" in wheels
    assert "tracks" not in wheels


@pytest.mark.rule("F5")
@pytest.mark.parametrize(
    ("mm", "slope", "horizontal", "effective"),
    [(80, 0, 0, 80.0), (51, 56, 0, 91.2), (60, 60, 0, 120.0), (100, 0, 60, 200.0)],
)
def test_effective_armor_of_known_plates(mm: float, slope: float, horizontal: float, effective: float) -> None:
    angle = geometry.combined_angle(slope, horizontal)
    assert effective_mm("cosine", "APCBC", mm, angle, 75) == pytest.approx(effective, abs=0.05)


@pytest.mark.rule("F5")
def test_slope_and_bearing_compound() -> None:
    # cos 55 x cos 30 = 0.57358 x 0.86603
    assert math.cos(math.radians(geometry.combined_angle(55, 30))) == pytest.approx(0.4967, abs=5e-5)


@pytest.mark.rule("F5")
@given(st.floats(0, 80), st.floats(0, 80), st.floats(0, 80))
def test_a_steeper_or_thicker_plate_is_never_worth_less(slope: float, horizontal: float, more: float) -> None:
    base = geometry.combined_angle(slope, horizontal)
    assert geometry.combined_angle(min(89, slope + more), horizontal) >= base - 1e-9
    for model in ("cosine", "multiplier"):
        here = effective_mm(model, "APCBC", 50, base, 75)
        assert effective_mm(model, "APCBC", 50 + more, base, 75) >= here


@pytest.mark.rule("F5")
def test_fire_from_above_meets_a_sloped_plate_more_squarely() -> None:
    assert geometry.combined_angle(55, 0, 10) == pytest.approx(45)
    assert geometry.combined_angle(20, 0, 10, undercut=True) == pytest.approx(30)
    assert geometry.combined_angle(0, 0, 30) == pytest.approx(30)
    assert geometry.combined_angle(0, 90, 0) == pytest.approx(90)


@pytest.mark.rule("F5")
@pytest.mark.parametrize(
    ("kind", "mm", "slope", "caliber", "worth"),
    [
        # f x (T/D)^g at 55 degrees: 2.12 x (82/76.2)^0.2427 x 82 = 177; at 60: 2.56 x (60/75)^0.245 x 60 = 145
        ("APCBC", 82, 55, 76.2, 177),
        ("APCBC", 60, 60, 75, 145),
        ("APCBC", 150, 50, 76.2, 334),
        ("APBC", 82, 55, 122, 138),
    ],
)
def test_the_published_slope_multiplier(kind: str, mm: float, slope: float, caliber: float, worth: float) -> None:
    assert effective_mm("multiplier", kind, mm, slope, caliber) == pytest.approx(worth, abs=1)


@pytest.mark.rule("F5")
def test_hollow_charges_follow_the_line_of_sight_and_cores_have_no_caliber_term() -> None:
    assert effective_mm("multiplier", "HEAT", 82, 55, 60) == pytest.approx(82 / math.cos(math.radians(55)))
    assert slope_multiplier("APDS", 55, 40, 57) == slope_multiplier("APDS", 55, 150, 76.2)
    assert slope_multiplier("APDS", 55, 40, 57) == pytest.approx(math.exp(3.011e-5 * 55**2.6))


@pytest.mark.rule("F6")
def test_a_very_steep_shot_asks_for_no_dice(catalog, rules, shot) -> None:
    # Tiger I: 60 mm at 70 degrees, just at the threshold.
    plan = rules.plan(shot("us_75_m3", range_m=100, aim="hull_front_upper", given_hit=True), catalog.target("tiger_1e"))
    dice = Scripted("")
    outcome = run(dice.dice, rules.resolve, plan, rules.fresh(plan.target))
    assert outcome.detail == "ricochet"
    assert not dice.account.rolls
    assert any(entry.rule == "F6" for entry in dice.account.entries)


@pytest.mark.rule("F6")
def test_the_threshold_is_an_option(catalog, shot) -> None:
    assert ricochets(70.0, 70.0)
    assert not ricochets(69.9, 70.0)
    rules = FacingArmor.with_options({"ricochet_angle": 75})
    attack = shot("us_76_m1", range_m=100, aim="hull_front_upper", given_hit=True)
    # 125 mm against 175 mm is hopeless, but no longer without a roll.
    assert 0 < rules.plan(attack, catalog.target("tiger_1e")).penetration_chance("hull_front_upper") < 0.001
    assert (
        FacingArmor.with_options({"ricochet_angle": 50})
        .plan(shot("de_88_kwk43", range_m=100), catalog.target("m4a3_75_dry"))
        .penetration_chance("hull_front_upper")
        == 0
    )
    for bad in (0, 91, math.nan):
        with pytest.raises(CatalogError, match="ricochet_angle"):
            FacingArmor.with_options({"ricochet_angle": bad})


@pytest.mark.rule("F1", "F5")
def test_blended_facing_lets_a_shot_at_40_degrees_meet_front_and_side(catalog, shot) -> None:
    target = catalog.target("panther_g")
    rules = FacingArmor(Options(facing_blend=True))
    plan = rules.plan(shot(range_m=500, aspect_deg=40), target)
    assert [face.name for face in plan.faces] == ["front", "side"]
    # Projected widths: 3.27 m x cos 40 against 6.87 m x sin 40.
    across, along = 3.27 * math.cos(math.radians(40)), 6.87 * math.sin(math.radians(40))
    assert plan.faces[0].share == pytest.approx(across / (across + along))
    assert plan.faces[1].contests["turret_side"][0].meeting.horizontal_deg == pytest.approx(50)
    for aspect, only in ((0, "front"), (90, "side"), (180, "rear")):
        assert [f.name for f in rules.plan(shot(aspect_deg=aspect), target).faces] == [only]
    one = FacingArmor().plan(shot(range_m=500, aspect_deg=40), target)
    assert [face.name for face in one.faces] == ["front"]
