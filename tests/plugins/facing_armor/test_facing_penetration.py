"""F7 to F9: penetration at range, the chance, and failures; known duels."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facing_armor import penetration
from facing_armor.options import Options
from facing_armor.penetration import beaten_mm, chance, failure, penetration_of
from facing_armor.ruleset import FacingArmor
from facing_armor.state import vehicle_state
from mantlet import Ammunition, CatalogError, Exact, PenetrationTable, Scripted, run
from mantlet.catalog import Catalog
from mantlet.game.effects import PENETRATED

RANGES, MM = (100.0, 500.0, 1000.0), (88.0, 80.0, 70.0)


def table(mm=MM, ranges=RANGES, angle: float = 0, **more) -> PenetrationTable:
    return PenetrationTable(
        angle_deg=angle,
        plate="RHA",
        criterion="p50",
        range_m=tuple(ranges),
        penetration_mm=tuple(mm),
        source="test",
        confidence="design",
        **more,
    )


def made(*tables: PenetrationTable, kind: str = "APCBC", choice="default", model="cosine", caliber: float = 75):
    return penetration_of(Ammunition(id="test", kind=kind, penetration=tables), choice, model, caliber)


@pytest.mark.rule("F7")
def test_linear_between_ranges_and_constant_below_the_first() -> None:
    found = made(table())
    assert found.at(0) == found.at(100) == 88
    assert found.at(300) == 84
    assert found.at(750) == 75
    assert found.how(300) == "between 88.0 mm at 100 m and 80.0 mm at 500 m"


@pytest.mark.rule("F7")
def test_beyond_the_table_it_falls_on_at_the_rate_of_its_end() -> None:
    found = made(table())
    # 80 to 70 in 500 m: the same ratio again 500 m on.
    assert found.at(1500) == pytest.approx(70 * 70 / 80)
    assert found.at(100_000) > 0
    assert made(table((20,), (100,))).at(1100) == pytest.approx(20 * math.exp(-0.35))


@pytest.mark.rule("F7")
def test_heat_does_not_fall_with_range() -> None:
    found = made(table((180, 150), (0, 300)), kind="HEAT")
    assert found.at(0) == found.at(299) == found.at(5000) == 180


@pytest.mark.rule("F7")
@given(st.lists(st.floats(1, 300), min_size=1, max_size=8), st.floats(0, 4000), st.floats(0, 4000))
def test_penetration_never_rises_with_range_nor_goes_below_zero(mm, a: float, b: float) -> None:
    mm = sorted(mm, reverse=True)
    found = made(table(mm, [100.0 * (i + 1) for i in range(len(mm))]))
    near, far = sorted((a, b))
    assert 0 <= found.at(far) <= found.at(near) + 1e-9


@pytest.mark.rule("F7")
def test_a_30_degree_table_is_turned_to_the_normal_and_said_so() -> None:
    found = made(table(angle=30))
    assert found.at(100) == pytest.approx(88 / math.cos(math.radians(30)))
    assert "30 degrees" in found.note
    assert "divided by cos 30" in found.note
    # Under the multiplier the same plate at the same angle is the measure: 1.27 x (88/75)^0.0655 x 88.
    assert made(table(angle=30), model="multiplier").at(100) == pytest.approx(88 * 1.27 * (88 / 75) ** 0.0655)


@pytest.mark.rule("F7")
def test_tables_are_chosen_and_never_mixed() -> None:
    both = (table(), table((66, 60), (500, 1000), angle=30))
    assert made(*both).at(500) == 80
    oblique = made(*both, choice="30_degrees")
    assert oblique.at(500) == pytest.approx(66 / math.cos(math.radians(30)))
    only = made(both[1], choice="0_degrees")
    assert only.steps[0].curve.table is both[1]
    assert only.note.endswith("it has no table at 0 degrees.")


@pytest.mark.rule("F7")
def test_every_round_of_the_catalog_names_its_table(catalog, rules) -> None:
    named = 0
    for weapon in catalog.weapons():
        for ammunition in weapon.ammunition:
            found = penetration_of(ammunition, "default", "tables", weapon.caliber_mm)
            if found is None:
                assert not ammunition.penetration
                continue
            for step in found.steps:
                assert step.curve.table.criterion in found.note
                assert f"at {step.angle_deg:g} degrees against" in found.note
            named += 1
    assert named >= 68


@pytest.mark.rule("F8")
def test_even_odds_at_equality_and_near_certainty_at_a_fifth_more_or_less() -> None:
    for armor in (10.0, 91.2, 240.0):
        assert chance(armor, armor) == 0.5
        assert chance(armor * 1.2, armor) >= 0.97
        assert chance(armor * 0.8, armor) <= 0.03
    assert chance(1, 0) == 1
    assert chance(50, math.inf) == 0


@pytest.mark.rule("F8")
@given(st.floats(0.1, 400), st.floats(0.1, 400), st.floats(0, 200))
def test_more_penetration_never_does_less_and_more_armor_never_more(pen: float, armor: float, more: float) -> None:
    p = chance(pen, armor)
    assert 0 <= p <= 1
    assert chance(pen + more, armor) >= p
    assert chance(pen, armor + more) <= p


@pytest.mark.rule("F8")
@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_the_thickest_plate_beaten_is_the_chance_solved_for_the_armor(p: float) -> None:
    assert chance(100, beaten_mm(100, p)) == pytest.approx(p)


@pytest.mark.rule("F8")
def test_the_thickest_plate_beaten_follows_another_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that asks for a quarter more penetration than armor: 100 mm beats 80 mm, at any chance."""
    monkeypatch.setattr(penetration, "chance", lambda mm, armor: float(mm >= 1.25 * armor))
    assert [beaten_mm(100, p) for p in (0.1, 0.9)] == pytest.approx([80, 80])
    monkeypatch.setattr(penetration, "chance", lambda mm, armor: float(mm >= 0.2 * armor))
    assert beaten_mm(100, 0.5) == pytest.approx(500)
    assert beaten_mm(0, 0.5) == 0


@pytest.mark.rule("F9")
def test_only_apcbc_shatters_and_only_when_it_was_a_near_thing() -> None:
    assert failure("APCBC", 95, 100) == "shatter"
    assert failure("APCBC", 70, 100) == "ricochet"
    for kind in ("AP", "HEAT", "HE", "APCR"):
        assert failure(kind, 95, 100) == "ricochet"


@pytest.mark.rule("F9")
def test_a_failure_is_an_own_tank_hit_in_the_account(catalog, rules, shot) -> None:
    plan = rules.plan(shot("us_75_m3", range_m=100, given_hit=True, aim="mantlet"), catalog.target("m4a1_75_dry"))
    dice = Scripted("99")
    outcome = run(dice.dice, rules.resolve, plan, rules.fresh(plan.target))
    assert outcome.detail == "shatter"  # 88 mm against 89
    assert outcome.condition.neutral == rules.fresh(plan.target)
    assert vehicle_state(outcome.condition).felt == 1
    assert any(
        "own-tank hit" in note.text for note in dice.account.entries if note.rule == "F9" and hasattr(note, "text")
    )


# -- known duels ------------------------------------------------------------------------------------------------------


def met(rules, catalog, shot, weapon: str, target: str, plate: str, **fields):
    plan = rules.plan(shot(weapon, **fields), catalog.target(target))
    return plan.armor(plate), plan.penetration_chance(plate)


@pytest.mark.rule("F5", "F7", "F8")
def test_the_panther_glacis_stops_the_75_mm_at_any_range(catalog, rules, shot) -> None:
    for distance in (0, 100, 500, 1000, 2000):
        armor, p = met(rules, catalog, shot, "us_75_m3/M61_APC", "panther_g", "hull_front_upper", range_m=distance)
        assert armor.effective == pytest.approx(82 / math.cos(math.radians(55)))  # 143 mm
        assert armor.attack <= 88
        assert p < 1e-4


@pytest.mark.rule("F5", "F7", "F8")
def test_the_88_beats_a_sherman_at_1500_m(catalog, rules, shot) -> None:
    for plate in ("hull_front_upper", "turret_front", "mantlet"):
        armor, p = met(rules, catalog, shot, "de_88_kwk36", "m4a1_75_dry", plate, range_m=1500)
        assert armor.effective < 95 < 105 < armor.attack
        assert p > 0.95


@pytest.mark.rule("F5", "F7", "F8")
def test_the_37_mm_knocks_in_vain_at_the_front_of_a_t34(catalog, rules, shot) -> None:
    for plate in ("hull_front_upper", "hull_front_lower", "turret_front"):
        armor, p = met(rules, catalog, shot, "de_37_pak36", "t34_76_1942", plate, range_m=100)
        assert armor.attack < 40 < armor.effective
        assert p < 0.01


@pytest.mark.rule("F7", "F8")
def test_trials_at_kubinka(catalog, rules, shot) -> None:
    """85 mm defeats the Tiger's front at 1000 m; 45 mm fails at every plate at 100 m."""
    _, front = met(rules, catalog, shot, "su_85_d5t", "tiger_1e", "hull_front_driver", range_m=1000)
    assert front > 0.2  # 99.5 mm against 103: about as thin a margin as the trial's
    for aspect, plates in ((0, ("hull_front_driver", "turret_front")), (90, ("hull_side_upper", "turret_side"))):
        for plate in plates:
            _, p = met(rules, catalog, shot, "su_45_53k", "tiger_1e", plate, range_m=100, aspect_deg=aspect)
            assert p < 0.03


TABLES, COSINE, MULTIPLIER = (FacingArmor(Options(slope_model=m)) for m in ("tables", "cosine", "multiplier"))


@pytest.mark.rule("F5", "F7", "F8")
@pytest.mark.parametrize(
    ("weapon", "target", "plate", "aspect", "range_m", "low", "high"),
    [
        ("us_75_m3/M61_APC", "panther_g", "hull_front_upper", 0, 0, 0, 0.03),
        ("us_75_m3/M61_APC", "panther_g", "hull_front_upper", 0, 2000, 0, 0.03),
        ("us_76_m1/M62_APC", "panther_g", "hull_front_upper", 0, 100, 0, 0.03),
        ("uk_17pdr/APCBC_17pdr", "panther_g", "hull_front_upper", 0, 500, 0, 0.30),
        ("uk_17pdr/APCBC_17pdr", "panther_g", "hull_front_upper", 0, 1000, 0, 0.10),
        ("de_75_kwk40", "m4a3_75w", "hull_front_upper", 0, 1000, 0.30, 0.70),
        ("de_75_kwk40", "m4a3_75w", "hull_front_upper", 0, 1500, 0, 0.10),
        ("de_50_pak38", "t34_76_1942", "hull_front_upper", 0, 100, 0, 0.70),
        ("de_50_pak38", "t34_76_1942", "hull_front_upper", 0, 500, 0, 0.03),
        ("us_76_m1/M62_APC", "tiger_1e", "turret_front", 0, 500, 0, 0.03),
        ("us_76_m1/M62_APC", "tiger_1e", "mantlet", 0, 500, 0, 0.03),
        ("uk_6pdr/APCBC_6pdr", "tiger_1e", "turret_front", 0, 500, 0, 0.03),
        ("uk_6pdr/APCBC_6pdr", "tiger_1e", "hull_front_driver", 0, 300, 0.60, 1),
        ("uk_6pdr/APCBC_6pdr", "tiger_1e", "hull_front_driver", 0, 500, 0.30, 0.70),
        ("su_85_d5t/BR365", "tiger_1e", "hull_front_driver", 0, 1000, 0.30, 0.70),
        ("su_76_f34/BR350B", "tiger_1e", "hull_side_upper", 90, 200, 0, 1 / 3),
        ("de_75_pak40", "churchill_7", "hull_front_driver", 0, 100, 0, 0.10),
        ("de_75_kwk42", "churchill_7", "hull_front_driver", 0, 500, 0.60, 1),
    ],
)
def test_duels_by_the_published_multiplier(
    catalog, shot, weapon: str, target: str, plate: str, aspect: int, range_m: int, low: float, high: float
) -> None:
    """Never: 3 % at most; hardly ever 10; seldom 30; about even 30 to 70; mostly 60 or more."""
    _, p = met(MULTIPLIER, catalog, shot, weapon, target, plate, range_m=range_m, aspect_deg=aspect)
    assert low <= p <= high


@pytest.mark.rule("F5", "F7", "F8")
def test_what_the_measured_angle_takes_from_the_bare_cosine(catalog, shot) -> None:
    """By hand: the 17-pounder's 130 to 119 mm at 30 degrees over its cosine, against 82 mm at 55 degrees."""
    where = ("uk_17pdr", "panther_g", "hull_front_upper")
    armor, p = met(TABLES, catalog, shot, *where, range_m=500)
    at_500 = 130 - 11 * (500 - 457.2) / 457.2
    assert armor.attack == pytest.approx(at_500 / math.cos(math.radians(30)))
    assert armor.effective == pytest.approx(82 / math.cos(math.radians(55)))
    assert p == pytest.approx(1 / (1 + math.exp(-30 * (armor.attack / armor.effective - 1))))
    assert met(COSINE, catalog, shot, *where, range_m=500)[1] > 0.98 > 0.8 > p > 0.75
    # The multiplier is short even at 100 m.
    strict, _ = met(MULTIPLIER, catalog, shot, *where, range_m=100)
    assert (round(strict.effective), round(strict.attack)) == (177, 174)


@pytest.mark.rule("F7")
def test_tables_of_one_criterion_are_interpolated_in_the_angle() -> None:
    found = made(table((100, 90), (100, 1000)), table((78, 69), (100, 1000), angle=30), model="tables")
    at_30 = 78 / math.cos(math.radians(30))
    assert found.at(100, 0) == 100
    assert found.at(100, 10) == pytest.approx(100 + (at_30 - 100) / 3)
    assert found.at(100, 30) == found.at(100, 65) == pytest.approx(at_30)
    assert "at 10.0 degrees between 100.0 mm by the table at 0 degrees" in found.how(100, 10)


@pytest.mark.rule("F7")
def test_tables_of_two_criteria_are_blended_from_half_of_the_steeper_angle() -> None:
    strict = replace(table((78, 69), (100, 1000), angle=30), criterion="german_30")
    found = made(table((100, 90), (100, 1000)), strict, model="tables")
    at_30 = 78 / math.cos(math.radians(30))
    assert found.at(100, 15) == 100
    assert found.at(100, 20) == pytest.approx(100 + (at_30 - 100) / 3)
    assert found.at(100, 30) == pytest.approx(at_30)
    assert "p50" in found.note
    assert "german_30" in found.note
    # Two criteria that nobody states are not one.
    unsaid = [replace(t, criterion="unstated") for t in (table((100, 90), (100, 1000)), strict)]
    assert made(*unsaid, model="tables").at(100, 15) == 100


@pytest.mark.rule("F7")
def test_a_steeper_table_falls_with_the_one_below_it_where_it_ends() -> None:
    found = made(table((100, 90, 60), (100, 500, 1000)), table((72,), (500,), angle=30), model="tables")
    at_30 = 72 / math.cos(math.radians(30))
    assert found.at(500, 30) == pytest.approx(at_30)
    assert found.at(1000, 30) == pytest.approx(at_30 * 60 / 90)
    assert found.at(100, 30) == pytest.approx(at_30 * 100 / 90)
    assert "in the ratio of the table at 0 degrees" in found.how(1000, 30)


@pytest.mark.rule("F7")
def test_hollow_charges_and_a_chosen_table_keep_to_one() -> None:
    both = (table((100,), (100,)), table((60,), (100,), angle=30))
    assert len(made(*both, kind="HEAT", model="tables").steps) == 1
    for model in ("cosine", "multiplier"):
        assert len(made(*both, model=model).steps) == 1
    assert made(*both, choice="0_degrees", model="tables").at(100, 60) == 100


@pytest.mark.rule("F5", "F7", "F8")
@given(st.floats(50, 300), st.floats(0.5, 1.6), st.floats(0, 85), st.floats(0, 85))
def test_a_steeper_shot_never_does_better(mm: float, share: float, one: float, other: float) -> None:
    """Whatever a second table says, one at 30 degrees that promises too much included."""
    strict = replace(table((mm * share,), (100,), angle=30), criterion="german_30")
    found = made(table((mm,), (100,)), strict, model="tables")
    flat, steep = sorted((one, other))
    plate = [found.at(100, angle) * math.cos(math.radians(angle)) for angle in (flat, steep)]
    assert plate[1] <= plate[0] + 1e-9


# -- plates that are not flat, or worth different things against different shots -------------------------------------


@pytest.mark.rule("F5")
def test_the_front_of_the_tigers_turret_is_worth_less_against_larger_shots(catalog, rules, shot) -> None:
    for weapon, mm in (("uk_6pdr", 157), ("us_75_m3", 143), ("su_45_53k", 157), ("su_152_ml20", 104)):
        for plate in ("turret_front", "mantlet"):
            armor, _ = met(rules, catalog, shot, weapon, "tiger_1e", plate, range_m=500)
            assert armor.effective == pytest.approx(mm, abs=0.1)
    # 88 mm is not published: between 85 and 90 mm, which are worth the same.
    assert met(rules, catalog, shot, "de_88_kwk36", "tiger_1e", "mantlet", range_m=500)[0].effective == 139
    # And 20 degrees off its face by the cosine.
    turned, _ = met(rules, catalog, shot, "us_75_m3", "tiger_1e", "turret_front", range_m=500, aspect_deg=20)
    assert turned.effective == pytest.approx(143 / math.cos(math.radians(20)))


@pytest.mark.rule("F5")
def test_a_rounded_mantlet_is_met_at_the_published_angles(catalog, rules, shot) -> None:
    """100 mm: the chance is the mean over the angles, and every part asks its own."""
    plan = rules.plan(shot("us_76_m1", range_m=500, given_hit=True, aim="mantlet"), catalog.target("panther_g"))
    (face,) = plan.faces
    ways = face.contests["mantlet"]
    shares = {
        75: 1,
        70: 3,
        65: 4,
        60: 5,
        55: 5,
        50: 6,
        45: 6,
        40: 7,
        35: 7,
        30: 8,
        25: 8,
        20: 8,
        15: 9,
        10: 9,
        5: 9,
        0: 5,
    }
    assert [round(way.meeting.combined_deg) for way in ways] == list(shares)
    mean = sum(share / 100 * way.chance for share, way in zip(shares.values(), ways))
    assert plan.penetration_chance("mantlet") == pytest.approx(mean)
    # A flat plate of 100 mm would be beaten by 116 mm nearly always.
    assert chance(116, 100) > 0.98 > 0.75 > mean > 0.4
    found = Exact().distribution(rules.resolve, plan, rules.fresh(plan.target))
    assert found.probability(lambda o: bool(o.effects & PENETRATED)) == pytest.approx(mean)
    # 75 and 70 degrees glance off without a roll (F6).
    assert found.probability(lambda o: o.detail == "ricochet") >= 0.04
    # What stands for it as one figure is the middle of the angles: 30 degrees.
    assert plan.armor("mantlet").effective == pytest.approx(100 / math.cos(math.radians(30)))


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ("[[57, 157]]", "one caliber is just a thickness_mm"),
        ("[[75, 143], [57, 157]]", "the calibers of turret_front have to rise"),
        ("[[57, 157], [75, -1]]", "resistance_by_caliber_mm of turret_front has to be at least 0"),
    ],
)
def test_a_resistance_that_cannot_be_is_refused(tmp_path, pairs: str, said: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[[target]]\nid = "t"\nname = "T"\nkind = "vehicle"\nbody = "tank"\nplates = [{ where = "turret_front", '
        f"thickness_mm = 100, resistance_by_caliber_mm = {pairs} }}]\n",
        "utf-8",
    )
    with pytest.raises(CatalogError, match=re.escape(said)):
        Catalog(files=[file]).target("t")


@pytest.mark.rule("F1")
def test_near_an_edge_between_faces_the_blend_is_named(catalog, rules, shot) -> None:
    panther = catalog.target("panther_g")

    def said(ruleset: FacingArmor, aspect: float) -> bool:
        return any("facing_blend" in note for note in ruleset.plan(shot(aspect_deg=aspect), panther).notes)

    assert [aspect for aspect in range(0, 360, 5) if said(rules, aspect)] == [
        *range(35, 60, 5), *range(125, 150, 5), *range(215, 240, 5), *range(305, 330, 5),
    ]  # fmt: skip
    assert not said(FacingArmor(Options(facing_blend=True)), 45)
