"""The ruleset as a whole: conformance, what it covers, bad input, derived facts, commands, speed, a golden account."""

from __future__ import annotations

import json
import math
import os
import time
import tomllib
from itertools import product
from math import prod
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from facing_armor.commands import facing_commands
from facing_armor.design import DATA
from facing_armor.options import Options
from facing_armor.ruleset import FacingArmor
from facing_armor.vehicle import shots_of
from mantlet import (
    Attack,
    CatalogError,
    Condition,
    Effort,
    Exact,
    Odds,
    Plate,
    Scripted,
    Seat,
    Seeded,
    Shares,
    Target,
    UnknownNameError,
    UsageError,
    distribution,
    odds,
    quick_odds,
    run,
    shots_until,
)
from mantlet.catalog import Catalog
from mantlet.game.condition import DEAD, FIT, NONE, REDUCED
from mantlet.game.effects import PENETRATED
from mantlet.probability import effort
from mantlet.testing import check_ruleset

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def cases(catalog, shot):
    """Attacks of every kind this ruleset knows, beside the kit's own."""
    return [
        (shot("kar98k", range_m=100), catalog.target("opel_blitz")),
        (shot("mg42", range_m=100, rounds=10), catalog.target("citroen_11")),
        (shot("us_bazooka_m1a1", range_m=60, aspect_deg=80), catalog.target("pz4_h")),
        (shot("de_75_pak40", range_m=600, aspect_deg=20), catalog.target("m4a3_75w")),
        (shot("us_75_m3/HE", range_m=400, rounds=2, cover=0.3), catalog.target("at_gun_crew")),
        (shot("us_75_m3/HE", miss_distance_m=20), catalog.target("infantry_squad")),
        (shot("satchel_charge", range_m=5, delivery="assaulted"), catalog.target("panther_g")),
        (shot("de_75_pak40", range_m=700, hull_down=True, aspect_deg=100), catalog.target("stug3_g")),
    ]


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(slope_model="multiplier", facing_blend=True, hull_down_tracks="miss", penetration_table="30_degrees"),
    ],
)
def test_it_conforms(cases, options: Options) -> None:
    check_ruleset(FacingArmor(options), cases, effort=0.3)


def test_what_it_does_not_cover_it_says_with_the_rule(catalog, rules, shot) -> None:
    for attack, target, rule in (
        (shot("de_75_pak40/Sprgr34"), "jeep", "F7"),
        (shot("de_75_pak40"), "dragon", "F1"),
        (shot("de_75_pak40"), "bf109_g", "F1"),
        (shot("de_75_pak40"), "pt_boat", "F1"),
        (shot("tellermine_42", delivery="placed_under"), "pz4_h", "F7"),
        (shot("de_75_pak40", elevation_deg=-60), "pz4_h", "F1"),
    ):
        reason = rules.covers(attack, catalog.target(target))
        assert reason is not None
        assert reason.startswith(f"{rule}:")
        assert reason.endswith(".")


@pytest.mark.rule("F7")
def test_what_is_thrown_with_penetration_data_is_a_round_too(catalog, rules, shot) -> None:
    thrown = shot("sticky_grenade", range_m=10, delivery="thrown", given_hit=True, aim="hull_rear", aspect_deg=180)
    assert rules.covers(thrown, catalog.target("m3_halftrack")) is None
    assert rules.plan(thrown, catalog.target("m3_halftrack")).armor("hull_rear").attack == pytest.approx(25, abs=0.1)


def test_all_rounds_with_data_against_all_vehicles(catalog, rules) -> None:
    """All weapons and vehicles of the catalog plan, and their chances are chances."""
    vehicles = [t for t in catalog.targets() if t.kind == "vehicle" and t.body not in ("aircraft", "boat", "ship")]
    planned = 0
    for weapon in catalog.weapons():
        for ammunition in weapon.ammunition:
            for target in vehicles:
                attack = Attack(weapon=weapon, ammunition=ammunition, range_m=700, aspect_deg=30)
                if rules.covers(attack, target) is None:
                    plan = rules.plan(attack, target)
                    assert 0 <= plan.hit_chance <= 1
                    assert all(0 <= face.chance(plate) <= 1 for face in plan.faces for plate in face.contests)
                    planned += 1
    assert len(vehicles) >= 24 + 6
    assert planned > 68 * 24


# -- bad input --------------------------------------------------------------------------------------------------------

GOOD = """
[[target]]
id = "box"
name = "Box"
kind = "vehicle"
body = "tank"
seats = [{ role = "driver", compartment = "hull" }]
plates = [{ where = "hull_front_upper", thickness_mm = 50, slope_deg = 20 }]

[[weapon]]
id = "pipe"
name = "Pipe"
kind = "gun"
caliber_mm = 50

[[weapon.ammunition]]
id = "shot"
kind = "AP"

[[weapon.ammunition.penetration]]
angle_deg = 0
plate = "RHA"
criterion = "p50"
range_m = [100, 200]
penetration_mm = [60, 50]
source = "test"
confidence = "design"
"""


@pytest.mark.rule("F5", "F7", "F19")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[60, 50]", "[50, 60]", r"bad\.toml, line \d+: .*penetration_mm must not rise"),
        ("thickness_mm = 50", "thickness_mm = -1", r"bad\.toml, line \d+: .*thickness_mm"),
        ("slope_deg = 20", "slope_deg = 90", r"bad\.toml, line \d+: .*slope_deg"),
        ('[{ role = "driver", compartment = "hull" }]', "[]", r"bad\.toml, line 7: target box: seats is empty"),
    ],
)
def test_bad_data_is_refused_with_file_and_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(GOOD.replace(old, new), "utf-8")
    with pytest.raises(CatalogError, match=said):
        Catalog(files=[file])


@pytest.mark.parametrize("bad", [-1.0, 1000.5, math.nan, math.inf])
def test_a_skill_of_its_own_that_cannot_be_is_refused(catalog, rules, shot, bad: float) -> None:
    with pytest.raises(UsageError, match="skill for facing_armor has to be from 0 to 1000 percent"):
        rules.plan(shot(skills={"facing_armor": bad}), catalog.target("jeep"))


def test_an_aspect_that_is_no_number_is_refused(shot) -> None:
    with pytest.raises(ValueError, match="aspect_deg"):
        shot(aspect_deg=float("nan"))


@pytest.mark.rule("F19")
def test_a_vehicle_without_seats_is_refused_by_key(rules, shot) -> None:
    """One that no file stands behind."""
    target = Target(id="box", name="Box", kind="vehicle", body="tank", seats=())
    assert "box has nothing under seats" in str(rules.covers(shot(), target))
    with pytest.raises(CatalogError, match="box: seats"):
        rules.plan(shot(), target)


def test_a_users_own_gun_and_tank_work(tmp_path: Path, rules) -> None:
    file = tmp_path / "own.toml"
    file.write_text(GOOD, "utf-8")
    own = Catalog(files=[file])
    gun, ammunition = own.round("pipe")
    found = odds(rules, Attack(weapon=gun, ammunition=ammunition), own.target("box"))
    assert found.covers
    stats = {d.stat for d in found.derived}
    assert {"hull_side_upper_mm", "hull_rear_mm"} <= stats


def test_an_unknown_aim_names_the_nearest(catalog, rules, shot) -> None:
    with pytest.raises(UnknownNameError, match="turret_front"):
        rules.plan(shot(aim="turet front"), catalog.target("panther_g"))
    with pytest.raises(UnknownNameError):
        rules.plan(shot(aim="hull_rear"), catalog.target("panther_g"))  # it does not show from ahead


PLATES = (
    "hull_front_upper",
    "hull_front_driver",
    "hull_front_lower",
    "hull_side_upper",
    "hull_side_lower",
    "hull_rear",
)


@pytest.mark.rule("F5")
@given(
    st.sets(st.sampled_from(PLATES), min_size=1),
    st.sampled_from(["tank", "tank_destroyer", "half_track"]),
    st.booleans(),
    st.integers(0, 359),
)
def test_any_set_of_plates_is_completed_and_said_so(names, body, turret, aspect) -> None:
    catalog, rules = Catalog(), FacingArmor()
    gun, ammunition = catalog.round("us_75_m3")
    target = Target(
        id="odd",
        name="Odd",
        kind="vehicle",
        body=body,
        seats=(Seat(role="driver", compartment="hull"),),
        plates=tuple(Plate(where=name, thickness_mm=40) for name in sorted(names)),
        components=("turret", "main_gun") if turret else (),
    )
    attack = Attack(weapon=gun, ammunition=ammunition, range_m=500, aspect_deg=aspect, given_hit=True)
    assert rules.covers(attack, target) is None
    plan = rules.plan(attack, target)
    assert all(
        one.meeting.plate.thickness_mm == 40 for face in plan.faces for ways in face.contests.values() for one in ways
    )
    assert distribution(rules, plan).total() == pytest.approx(1)
    assert {d.value for d in plan.derived} <= {40}


# -- derived and ignored ----------------------------------------------------------------------------------------------


def test_a_jeep_is_of_sheet_steel_and_said_so(catalog, rules, shot) -> None:
    plan = rules.plan(shot("mg42", range_m=100), catalog.target("jeep"))
    assert [(d.stat, d.value) for d in plan.derived] == [("hull_mm", 1.0), ("first_shot_hit", "uk_6pdr")]
    assert "sheet steel" in plan.derived[0].formula
    assert plan.armor("hull_front_upper").effective == 1.0
    assert not rules.plan(shot("us_75_m3"), catalog.target("m4a1_75_dry")).derived


@pytest.mark.rule("F7")
def test_what_is_derived_of_a_round_is_said(catalog, rules, shot) -> None:
    plan = rules.plan(shot("us_75_m3/M72_AP"), catalog.target("pz4_h"))
    turned = plan.derived[0]
    assert turned.stat == "penetration_at_normal_mm"
    assert turned.value == pytest.approx(76 / math.cos(math.radians(30)))
    assert turned.inputs["angle_deg"] == 30
    pak = rules.plan(shot("de_75_pak40"), catalog.target("pz4_h")).derived
    assert [(d.stat, d.value) for d in pak] == [("first_shot_hit", "uk_6pdr")]


@pytest.mark.rule("F3", "F8", "F11", "F14", "F15")
def test_a_whole_attack_by_hand(catalog, rules, shot) -> None:
    """17-pounder at a Pz.Kpfw. IV from astern, the hit given: nothing withstands it there."""
    found = odds(rules, shot("uk_17pdr", range_m=500, aspect_deg=180, given_hit=True), catalog.target("pz4_h"))
    hull, turret, tracks = 0.52, 0.20, 0.20
    expected = {
        "hit": 1.0,
        "penetrated": hull + turret,
        "immobilized": hull * 0.80 + tracks * 0.85,
        "firepower_lost": turret * 0.40,
        "firepower_reduced": turret * (1 - 0.60 * 0.70),
        "on_fire": turret * 0.55 + hull * 0.15,
        "crew_hit": turret * (1 - 0.75**3),
        "crew_killed": turret * (1 - (1 - 0.25 * 0.22) ** 3),
        "exploded": 0.0,
    }
    for effect, p in expected.items():
        assert found.odds[effect] == pytest.approx(p, abs=1e-12), effect
    assert found.expected["people_wounded"] == pytest.approx(turret * 3 * 0.25 * 0.78)
    assert found.locations["nothing"] == pytest.approx(0.08)
    # Fire; or the crew abandons, 42 % and 20 more where the engine is out.
    astern = 0.15 + 0.85 * (0.80 * 0.62 + 0.20 * 0.42)
    # Fire; or two of three men killed; or the crew abandons, 42 %, 10 more a casualty and 20 for the gun.
    above = 0.55
    for men in product(("fit", "wounded", "dead"), repeat=3):
        p = prod({"fit": 0.75, "wounded": 0.25 * 0.78, "dead": 0.25 * 0.22}[man] for man in men)
        leaves = 0.42 + 0.10 * (3 - men.count("fit"))
        above += 0.45 * p * (1 if men.count("dead") >= 2 else 0.60 * leaves + 0.40 * (leaves + 0.20))
    assert found.odds["knocked_out"] == pytest.approx(turret * above + hull * astern)


def test_rounds_and_cover_are_ignored_where_they_mean_nothing(catalog, rules, shot) -> None:
    sherman = catalog.target("m4a1_75_dry")
    assert rules.plan(shot(), sherman).ignored == ()
    assert rules.plan(shot(rounds=3, cover=0.5), sherman).ignored == ("rounds", "cover")
    assert rules.plan(shot("mg42", rounds=10), catalog.target("jeep")).ignored == ()
    assert [shots_of(shot("mg42", rounds=n)) for n in (1, 5, 6, 15, 900)] == [1, 1, 2, 3, 3]
    assert shots_of(shot("de_75_pak40", rounds=3)) == 1


def test_a_burst_ends_with_the_knock_out_and_counts_its_hits(catalog, rules, shot) -> None:
    plan = rules.plan(shot("us_50_m2", rounds=15, range_m=100), catalog.target("jeep"))
    found = distribution(rules, plan)
    assert found.total() == pytest.approx(1)
    assert {o.hits for o in found} == {0, 1, 2, 3}
    assert found.probability(lambda o: o.hits == 0) == pytest.approx((1 - plan.hit_chance) ** 3)


# -- the chance to hit ------------------------------------------------------------------------------------------------


def test_published_first_shots_come_back(catalog, rules, shot) -> None:
    sherman = catalog.target("m4a1_75_dry")
    for weapon, yards, percent in (("us_75_m3", 800, 50), ("uk_17pdr", 1200, 34), ("uk_6pdr", 2000, 7)):
        assert rules.plan(shot(weapon, range_m=yards * 0.9144), sherman).hit_chance == pytest.approx(percent / 100)
    assert "uk_6pdr" in rules.plan(shot("de_75_pak40"), sherman).notes[1]


@settings(max_examples=40)
@given(st.floats(0, 5000), st.floats(0, 200), st.floats(0, 100), st.floats(0, 100), st.booleans())
def test_the_chance_to_hit_is_a_chance_and_ordered(range_m, skill, faster, hull, dark) -> None:
    catalog, rules = Catalog(), FacingArmor()
    gun, ammunition = catalog.round("de_75_pak40")
    sherman = catalog.target("m4a1_75_dry")

    def p(**fields) -> float:
        return rules.plan(Attack(weapon=gun, ammunition=ammunition, **fields), sherman).hit_chance

    base = p(range_m=range_m, skill_percent=skill, dark=dark)
    assert 0 < base < 1
    assert p(range_m=range_m + 50, skill_percent=skill, dark=dark) <= base + 1e-12
    assert p(range_m=range_m, skill_percent=skill + 5, dark=dark) >= base - 1e-12
    assert p(range_m=range_m, skill_percent=skill, dark=dark, shooter_speed_kph=faster) <= base
    assert p(range_m=range_m, skill_percent=skill, dark=dark, hull_down=True, target_speed_kph=hull) <= base


@pytest.mark.rule("F7", "F8")
def test_more_range_never_penetrates_more(catalog, rules, shot) -> None:
    engine = Exact()
    for aspect in (0, 30, 120):
        chances = [
            quick_odds(
                rules, shot("us_75_m3", range_m=r, aspect_deg=aspect, given_hit=True), catalog.target("pz4_h"), engine
            )["penetrated"]
            for r in range(0, 3000, 250)
        ]
        assert chances == sorted(chances, reverse=True)


# -- accounts, tables, commands ---------------------------------------------------------------------------------------


@pytest.mark.rule("F1", "F5", "F7", "F8", "F10")
def test_the_account_of_one_attack(catalog, rules, shot) -> None:
    plan = rules.plan(shot("de_75_pak40", range_m=600, aspect_deg=20), catalog.target("m4a1_75_dry"))
    dice = Scripted("40, 30, 20, 10, 90, 10, 4, 90, 20")
    outcome = run(dice.dice, rules.resolve, plan, rules.fresh(plan.target))
    dice.finish()
    lines = [*plan.notes]
    for entry in dice.account.entries:
        if hasattr(entry, "text"):
            lines.append(f"    [{entry.rule}] {entry.text}")
        else:
            lines.append(f"{entry.reason}: {entry.total:g} -> {entry.result} ({entry.probability:.1%}) {entry.rule}")
    lines.append(f"{outcome.detail} at {outcome.locations[0].path}; people {outcome.condition.people}")
    text, golden = "\n".join(lines) + "\n", HERE / "golden_account.txt"
    if os.environ.get("MANTLET_GOLDEN") == "write":
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8"), "MANTLET_GOLDEN=write keeps the text of now"


def test_every_table_adds_up(rules) -> None:
    tables = rules.tables()
    assert {"locations", "locations.side", "internal.turret.ammunition_fire.dry", "casualties"} <= set(tables)
    for table in tables.values():
        assert sum(table.probabilities()) == 1
    assert tables["locations"].rows == tables["locations.front"].rows


def invoke(*args: str) -> str:
    result = CliRunner().invoke(facing_commands, args)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.rule("F7", "F8")
def test_the_penetration_command() -> None:
    text = invoke("penetration", "us_75_m3/M61_APC")
    assert "beaten 10%" in text
    assert "criterion p50_RHA_0" in text
    rows = json.loads(invoke("penetration", "us_75_m3/M61_APC", "--format", "json"))["rows"]
    assert (rows[0]["range_m"], rows[0]["penetration_mm"]) == (100, 88)
    assert rows[0]["beaten_mm"]["0.1"] > rows[0]["beaten_mm"]["0.5"] == 88 > rows[0]["beaten_mm"]["0.9"]
    assert "| range m | mm |" in invoke("penetration", "us_75_m3", "--format", "md")
    assert "30 degrees" in invoke("penetration", "us_75_m3", "--table", "30_degrees")


# -- data -------------------------------------------------------------------------------------------------------------


def test_every_published_figure_has_a_source() -> None:
    data = tomllib.loads((DATA / "published.toml").read_text("utf-8"))
    for entry in (*data["first_shot_hit"], *data["slope_effect"], data["tungsten"]):
        assert entry["source"]
        assert entry["confidence"]
    surveys = tomllib.loads((DATA / "surveys.toml").read_text("utf-8"))
    assert all(figure["source"] and figure["confidence"] for figure in surveys["figure"].values())
    assert sum(mix["share"] for mix in surveys["aspects"].values()) == pytest.approx(1)


# -- speed ------------------------------------------------------------------------------------------------------------


def test_a_sweep_shares_its_work(catalog, rules, shot) -> None:
    """Far above the bound that tests/benchmarks measures, so that a busy machine does not fail it."""
    weapons = ["de_75_pak40", "us_75_m3", "su_85_d5t"]
    targets = [catalog.target(t) for t in ("m4a1_75_dry", "panther_g", "t34_85")]
    engine = Exact()
    began = time.process_time()
    count = 0
    for r in range(100, 2100, 200):
        for a in range(0, 360, 30):
            for weapon in weapons:
                for target in targets:
                    quick_odds(rules, shot(weapon, range_m=r, aspect_deg=a), target, engine)
                    count += 1
    assert (time.process_time() - began) / count < 0.002


@pytest.mark.rule("F1")
def test_nothing_is_aimed_at_where_these_rules_know_no_locations(rules: FacingArmor, catalog: Catalog) -> None:
    assert rules.aims(catalog.target("bf109_g")) == ()
    assert rules.aims(catalog.target("schnellboot")) == ()
    assert "turret_front" in rules.aims(catalog.target("m4a1_75_dry"))


@pytest.mark.parametrize(
    ("weapon", "target", "more"),
    [
        ("us_75_m3", "pz4_h", {"aim": "hull_front", "rounds": 3}),
        ("mg42", "citroen_11", {"rounds": 20}),
        ("us_75_m3/HE", "infantry_squad", {}),
        ("mg42", "infantry_squad", {"rounds": 20}),
    ],
)
def test_given_a_hit_no_note_tells_of_a_chance_to_hit(catalog, rules, shot, weapon, target, more) -> None:
    notes = {}
    for sure in (False, True):
        plan = rules.plan(shot(weapon, range_m=300, given_hit=sure, **more), catalog.target(target))
        notes[sure] = " ".join(plan.notes).lower()
    for words in ("chance to hit", "skill", "rounds"):
        assert words not in notes[True]
    assert "chance to hit" in notes[False]
    assert "skill" in notes[False]


# -- one statement ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("F8")
def test_one_function_changed_changes_play_odds_estimate_and_shots(catalog, rules, shot, monkeypatch) -> None:
    """88 mm at a half-track's side goes through for certain. Where one in four does, everything is a quarter of it."""
    target = catalog.target("m3_halftrack")
    attack = shot("de_88_kwk36", range_m=100, aspect_deg=90, given_hit=True)

    def played(plan) -> float:
        outcomes = [run(Seeded(n).dice, rules.resolve, plan, rules.fresh(target)) for n in range(2000)]
        return sum(bool(outcome.effects & PENETRATED) for outcome in outcomes) / 2000

    def estimated() -> Odds:
        with pytest.MonkeyPatch.context() as limits:
            limits.setattr(effort, "EXACT_STEPS", 1)
            return odds(rules, attack, target, effort=Effort(samples=2000))

    before, plan = odds(rules, attack, target), rules.plan(attack, target)
    first, second = shots_until(rules, plan, 2, effort=Effort(fractions=True)).within
    through = played(plan)
    monkeypatch.setattr("facing_armor.vehicle.chance", lambda penetration_mm, effective: 0.25)
    after, plan = odds(rules, attack, target), rules.plan(attack, target)
    for name in ("penetrated", "knocked_out", "crew_killed"):
        assert after.odds[name] == pytest.approx(before.odds[name] / 4), name
    sampled = estimated()
    assert not sampled.exact
    assert sampled.odds["crew_killed"] == pytest.approx(
        after.odds["crew_killed"], abs=4 * sampled.standard_error["crew_killed"]
    )
    assert played(plan) == pytest.approx(through / 4, abs=0.04)
    changed = shots_until(rules, plan, 2, effort=Effort(fractions=True)).within
    assert changed[0] == first / 4
    assert changed[0] < changed[1] < second


def test_a_skill_word_multiplies_the_odds_of_a_hit_and_is_told(catalog, rules, shot) -> None:
    def plan(**given):
        return rules.plan(shot(range_m=900, **given), catalog.target("m4a1_75_dry"))

    words = [plan(skill=word) for word in ("green", "trained", "veteran", "ace")]
    assert [p.hit_chance for p in words] == sorted({p.hit_chance for p in words})
    assert plan().hit_chance == plan(skill="trained").hit_chance == plan(skill_percent=50).hit_chance
    assert plan(skill="ace").hit_chance == plan(skill_percent=80).hit_chance
    assert "skill: trained = 50%, where none is given" in plan().notes
    assert "skill: ace = 80%" in plan(skill="ace").notes
    assert "skill: 65%, as given" in plan(skill="ace", skills={"facing_armor": 65}).notes
    assert not any(note.startswith("skill:") for note in plan(given_hit=True).notes)


def test_shares_of_a_team_and_of_a_vehicle(catalog, rules) -> None:
    squad, tank, truck = (catalog.target(name) for name in ("infantry_squad", "pz4_h", "opel_blitz"))
    half = len(squad.crew) // 2
    people = (DEAD,) * half + (FIT,) * (len(squad.crew) - half)
    assert rules.shares(squad, Condition(people=people)).integrity == 1 - half / len(squad.crew)
    fresh = rules.fresh(tank)
    assert rules.shares(tank, fresh) == Shares(components_out=frozenset())
    assert rules.shares(tank, fresh._replace(firepower=NONE)).components_out == {"main_gun"}
    assert rules.shares(tank, fresh._replace(firepower=REDUCED)).components_out == {"turret"}
    assert rules.shares(truck, rules.fresh(truck)._replace(firepower=NONE)).components_out == frozenset()
