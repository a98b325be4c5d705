"""F33: high explosive at vehicles. F10: what a shot does to those that nothing protects."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facing_armor.blast import BlastPlan
from facing_armor.layout import layout
from facing_armor.ruleset import FacingArmor
from mantlet import Attack, Effort, Exact, Plate, Scripted, Seat, Target, distribution, odds, run
from mantlet.catalog import Catalog
from mantlet.game.condition import NONE
from mantlet.game.effects import IMMOBILIZED, KNOCKED_OUT

CATALOG, RULES = Catalog(), FacingArmor()
ROOT = math.sqrt(0.676)  # of the filler of a 75 mm M48, in kg


def fired(target: str | Target, weapon: str = "us_75_m3/HE", **fields) -> BlastPlan:
    gun, ammunition = CATALOG.round(weapon)
    attack = Attack(weapon=gun, ammunition=ammunition, **fields)
    aimed_at = CATALOG.target(target) if isinstance(target, str) else target
    assert RULES.covers(attack, aimed_at) is None
    plan = RULES.plan(attack, aimed_at)
    assert isinstance(plan, BlastPlan)
    return plan


def stops(plan: BlastPlan) -> float:
    """Immobilized or knocked out."""
    found = Exact(merge_alike=True).distribution(RULES.resolve, plan, RULES.fresh(plan.target))
    return found.probability(lambda o: bool(o.effects & (IMMOBILIZED | KNOCKED_OUT)))


@pytest.mark.rule("F33")
@pytest.mark.parametrize("truck", ["opel_blitz", "gmc_cckw"])
@pytest.mark.parametrize("aspect", [0, 90, 180])
def test_a_hit_nearly_always_stops_a_truck_and_a_near_miss_seldom(truck: str, aspect: int) -> None:
    """With nobody in the bed: passengers are no crew, and the paths are fewer."""
    empty = replace(CATALOG.target(truck), seats=CATALOG.target(truck).crew[:2])
    assert stops(fired(empty, aspect_deg=aspect, given_hit=True)) > 0.9
    assert 0 < stops(fired(empty, aspect_deg=aspect, miss_distance_m=10)) < 0.1


@pytest.mark.rule("F33")
def test_a_hit_on_a_jeep_by_hand() -> None:
    """From the side 58 + 22 + 2 % are on its body, where 98 % wreck it, and 18 % on the wheels, which break 85 %."""
    plan = fired("jeep", aspect_deg=90, given_hit=True)
    found = distribution(RULES, plan)
    assert plan.blast_mm == pytest.approx(18 * ROOT)
    assert found.probability(lambda o: o.condition.mobility == NONE) == pytest.approx(0.82 * 0.98 + 0.18 * 0.85)
    # Out of the fight: wrecked, on fire, or two of the crew dead, at 35 % of 22 % each.
    men = sum(seat.role not in ("passenger", "front_passenger") for seat in plan.target.crew)
    dies = 0.35 * 0.22
    enough = 1 - (1 - dies) ** men if men < 2 else 1 - (1 - dies) ** men - men * dies * (1 - dies) ** (men - 1)
    assert found.probability(lambda o: o.condition.knocked_out) == pytest.approx(
        0.82 * (1 - 0.02 * 0.85 * (1 - enough)), abs=1e-9
    )


@pytest.mark.rule("F33")
def test_armor_keeps_a_75_mm_shell_out_but_not_a_track() -> None:
    plan = fired("m4a1_75_dry", aspect_deg=90, given_hit=True)
    assert plan.exposed["hull_side"].resistance_mm == 38
    assert plan.exposed["hull_side"].chance == 0
    # 14.8 mm against the 15 of a track: near even.
    breaks = 1 / (1 + math.exp(-30 * (18 * ROOT / 15 - 1)))
    assert plan.exposed["tracks"].chance == pytest.approx(breaks)
    found = distribution(RULES, plan)
    assert found.probability(lambda o: o.condition.mobility == NONE) == pytest.approx(0.18 * breaks * 0.85)
    assert found.probability(lambda o: o.condition.knocked_out) == 0
    # 152 mm: 5.9 kg beat 43.7 mm, more than the 30 of a Panzer IV's side and less than the 62 of a Tiger's.
    heavy = {"weapon": "su_152_ml20/OF540", "aspect_deg": 90, "given_hit": True}
    assert fired("pz4_h", **heavy).exposed["hull_side"].chance > 0.99
    assert fired("tiger_1e", **heavy).exposed["hull_side"].chance < 0.001


@pytest.mark.rule("F33")
def test_the_thinnest_exposed_plate_counts_from_above_too() -> None:
    level = fired("sdkfz_251", aspect_deg=90, given_hit=True).exposed["hull_side"]
    assert (level.thinnest, level.resistance_mm) == ("open top", 4)
    above = fired("sdkfz_251", aspect_deg=90, given_hit=True, elevation_deg=30).exposed["hull_side"]
    assert (above.thinnest, above.resistance_mm, above.chance) == ("open top", 0, 1)
    tank = {e: fired("pz4_h", aspect_deg=90, given_hit=True, elevation_deg=e) for e in (0, 30, 80)}
    roof = CATALOG.target("pz4_h").plate("hull_roof").thickness_mm
    side = CATALOG.target("pz4_h").plate("hull_side_upper").thickness_mm
    assert [plan.exposed["hull_side"].resistance_mm for plan in tank.values()] == [side, roof, roof]
    assert roof < side
    # Without a roof in the catalog: the thinnest plate that it has.
    seats = (Seat(role="driver", compartment="hull"),)
    plates = (Plate(where="hull_front_upper", thickness_mm=30), Plate(where="hull_side_upper", thickness_mm=9))
    box = Target(id="box", name="Box", kind="vehicle", body="tank", seats=seats, plates=plates)
    assert fired(box, given_hit=True, elevation_deg=60).exposed["hull_front"].resistance_mm == 9


@pytest.mark.rule("F33")
@given(st.floats(0.1, 40), st.floats(0.1, 40))
def test_farther_off_less_reaches_and_beats_less(one: float, other: float) -> None:
    near, far = (fired("jeep", miss_distance_m=distance) for distance in sorted((one, other)))
    assert near.hit_chance is far.hit_chance is None
    assert near.reached >= far.reached
    assert near.blast_mm >= far.blast_mm


@pytest.mark.rule("F33")
def test_half_of_the_bursts_reach_from_three_meters() -> None:
    """For the 0.68 kg of a 75 mm shell; eight times the filler reach twice as far."""
    reach = 3 * (0.676 / 0.68) ** (1 / 3)
    plan = fired("jeep", miss_distance_m=reach)
    assert plan.reached == pytest.approx(0.5)
    assert plan.blast_mm == pytest.approx(18 * ROOT * math.sqrt(0.5))
    dice = Scripted("51")
    outcome = run(dice.dice, RULES.resolve, plan, RULES.fresh(plan.target))
    dice.finish()
    assert outcome.condition == RULES.fresh(plan.target)


@pytest.mark.rule("F33")
def test_a_small_charge_does_less_inside() -> None:
    big, small = (fired("jeep", weapon, given_hit=True) for weapon in ("us_75_m3/HE", "de_20_kwk38/HE"))
    rows = {row.label: row.percent for row in small.layout.rows["blast"]}
    # sqrt(0.0066 / 0.68) = 0.0985 of 98 and 15 %.
    assert rows["wrecked"] == 10
    assert rows["fuel fire"] == 1
    assert stops(small) < stops(big) / 3


@pytest.mark.rule("F10")
def test_a_shell_through_a_truck_wrecks_it_more_often_than_never() -> None:
    """40 % of trucks, 20 of open half-tracks and carriers, no tank, open or not."""
    wrecks = {
        name: [row.percent for row in layout(CATALOG.target(name)).rows["hull_side"] if row.label == "wrecked"]
        for name in ("opel_blitz", "jeep", "universal_carrier", "sdkfz_251", "m4a1_75_dry", "stug3_g")
    }
    assert wrecks == {
        "opel_blitz": [40],
        "jeep": [40],
        "universal_carrier": [20],
        "sdkfz_251": [20],
        "m4a1_75_dry": [],
        "stug3_g": [],
    }
    gun, ammunition = CATALOG.round("us_75_m3")
    attack = Attack(weapon=gun, ammunition=ammunition, aspect_deg=90, given_hit=True)
    found = odds(RULES, attack, CATALOG.target("opel_blitz"), effort=Effort())
    # 80 % through the body, of which 4 % fuel fires: 1 - 0.6 x 0.96 = 0.424, and now and then two of the crew.
    assert 0.8 * 0.424 <= found.odds["knocked_out"] < 0.8 * 0.424 + 0.02


@pytest.mark.rule("F33")
def test_several_bursts_are_fired_until_the_vehicle_is_out() -> None:
    plan = fired("jeep", "de_20_kwk38/HE", rounds=15, range_m=100)
    found = Exact(merge_alike=True).distribution(RULES.resolve, plan, RULES.fresh(plan.target))
    assert {o.hits for o in found} == {0, 1, 2, 3}
    assert found.probability(lambda o: o.hits == 0) == pytest.approx((1 - plan.hit_chance) ** 3)
