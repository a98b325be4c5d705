"""F7 to F9: penetration at range, the chance, and failures; known duels."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facing_armor import penetration
from facing_armor.options import Options
from facing_armor.penetration import beaten_mm, chance, curve, failure
from facing_armor.ruleset import FacingArmor
from facing_armor.state import vehicle_state
from mantlet import Ammunition, PenetrationTable, Scripted, run

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
    return curve(Ammunition(id="test", kind=kind, penetration=tables), choice, model, caliber)


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
    assert only.table is both[1]
    assert only.note.endswith("it has no table at 0 degrees.")


@pytest.mark.rule("F7")
def test_every_round_of_the_catalog_names_its_table(catalog, rules) -> None:
    named = 0
    for weapon in catalog.weapons():
        for ammunition in weapon.ammunition:
            found = curve(ammunition, "default", "cosine", weapon.caliber_mm)
            if found is None:
                assert not ammunition.penetration
                continue
            assert found.table.criterion in found.note
            assert f"{found.table.angle_deg:g} degrees" in found.note
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
        assert armor.effective < 95 < 110 < armor.attack
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


@pytest.mark.rule("F5")
def test_the_slope_multiplier_saves_the_panther_from_the_17_pounder(catalog, rules, shot) -> None:
    """The cosine lets it through out to about 1250 m; by the published multiplier it is short even at 100 m."""
    strict = FacingArmor(Options(slope_model="multiplier"))
    _, near = met(rules, catalog, shot, "uk_17pdr", "panther_g", "hull_front_upper", range_m=1000)
    _, far = met(rules, catalog, shot, "uk_17pdr", "panther_g", "hull_front_upper", range_m=1500)
    assert near > 0.5 > far
    armor, p = met(strict, catalog, shot, "uk_17pdr", "panther_g", "hull_front_upper", range_m=100)
    assert (round(armor.effective), round(armor.attack)) == (177, 174)
    assert p < 0.5
