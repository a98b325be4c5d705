"""What mantlet relies on, the coverage list, the account as people read it, and one place for every rule."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import d100_wwii
from d100_wwii import armor, location
from d100_wwii.ruleset import D100Wwii
from mantlet import (
    Effort,
    Exact,
    Plugins,
    Scripted,
    Seeded,
    distribution,
    effects,
    load_plugins,
    odds,
    run,
    shots_until,
    summarize,
)
from mantlet.dice.account import Roll
from mantlet.probability import effort
from mantlet.probability.estimate import estimate
from mantlet.testing import check_ruleset

HERE = Path(__file__).parent
RULES = tomllib.loads((Path(d100_wwii.__file__).parent / "data" / "rules.toml").read_text(encoding="utf-8"))["rule"]


def test_it_conforms() -> None:
    check_ruleset(D100Wwii, effort=0.3)


def test_it_is_registered_as_itself() -> None:
    plugins: Plugins = load_plugins()
    assert plugins.ruleset_class("d100_wwii") is D100Wwii


def test_every_rule_is_listed_and_tested() -> None:
    ids = [rule["id"] for rule in RULES]
    assert ids == [f"R{n}" for n in range(1, 33)] + [f"A{n}" for n in range(1, 71)]
    marked = set()
    for path in HERE.glob("test_*.py"):
        for marker in re.findall(r"mark\.rule\(([^)]*)\)", path.read_text(encoding="utf-8")):
            marked.update(re.findall(r'"([RA]\d+)"', marker))
    assert set(ids) - marked == set()


def story(ruleset: Any, plan: Any, condition: Any, dice: Any) -> str:
    """An account as plain text: rolls with their target number and its reasons, notes with their rule."""
    run(dice.dice, ruleset.resolve, plan, condition)
    lines = []
    for entry in dice.account.entries:
        if isinstance(entry, Roll):
            reasons = ", ".join(f"{m.reason} {m.value:+g}" for m in entry.modifiers)
            against = f" against {entry.target:g} ({reasons})" if entry.target is not None else ""
            lines.append(f"[{entry.rule}] {entry.reason}: {entry.dice} {entry.total:g}{against}: {entry.result}")
        else:
            lines.append(f"[{entry.rule}] {entry.text}")
    return "\n".join(lines) + "\n"


GOLDEN = """\
[R2] attack with 7.5 cm PaK 40: 1d100 60 against 100 (skill +50, point-blank: doubled +50): hit
[R2] damage: 11d6 45: 45
[R4] 45 - armor 33 = 12 through
[A1] armor falls from 33 to 0 until repaired
[R19] Hit location: armored fighting vehicle: 1d100 60: 55-74 Hull or bed
[R5] Base HP falls from 100 to 88
[A9] Turret or front cab: half of it, 6, to each
[R19] Turret or front cab: everyone there takes 6
[R19] Hull or bed: everyone there takes 12
[A12] the driver can no longer act
[R19] Vehicle trouble (d20), +5 on the die: 1d20 5: 10-12 fishtail
[A55] next round a Drive check at -20, or trouble again at +10
[A14] nobody can reach the wheel: trouble at +10 next round
"""


@pytest.mark.rule("R2", "R19", "A14")
def test_the_account_tells_the_whole_story(kit: Any, ruleset: Any) -> None:
    plan = kit.plan("de_75_pak40", "m4a1_75_dry", target_speed_kph=30.0)
    told = story(ruleset, plan, ruleset.fresh(plan.target), Scripted([60, 45, 60, 5]))
    assert told == GOLDEN


@pytest.mark.rule("A1", "R12")
def test_a_rule_changed_at_its_one_place_is_changed_everywhere(
    kit: Any, ruleset: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Armor that a hit does not wear: play, odds, estimate and shots follow the one function."""
    target = kit.find("m4a1_75_dry")  # armor 33
    base = kit.attack("de_75_pak40", given_hit=True, range_m=500.0)
    weak = replace(base, ammunition=replace(base.ammunition, stats={"d100_wwii": {"damage": "1d4+14"}}))
    plan = ruleset.plan(weak, target)

    def answers() -> tuple[int, float, float, float]:
        dice = Scripted([16])
        played = run(dice.dice, ruleset.resolve, plan, ruleset.fresh(target)).condition.detail.armor
        worn = distribution(ruleset, plan, exact=Exact()).probability(lambda o: o.condition.detail.armor < 33)
        with pytest.MonkeyPatch.context() as limits:
            limits.setattr(effort, "EXACT_STEPS", 1)
            sampled = estimate(lambda o: o.condition.detail.armor < 33, lambda _: False, Effort(samples=500), *body)
        shots = shots_until(ruleset, plan, 3, lambda o: bool(o.effects & effects.PENETRATED)).within[-1]
        assert sampled.samples >= 500
        return played, worn, sampled.figure(float).value, shots

    body = (ruleset.resolve, plan, ruleset.fresh(target))
    assert answers() == pytest.approx((17, 1, 1, 1))
    monkeypatch.setattr(armor, "armor_left", lambda shot, armor, damage: armor)
    assert answers() == (33, 0, 0, 0)


@pytest.mark.parametrize(
    ("weapon", "target", "fields"),
    [
        ("de_75_pak40", "m4a1_75_dry", {"range_m": 500.0}),
        ("uk_boys", "sdkfz_251", {}),
        ("mp40", "citroen_11", {"rounds": 3, "range_m": 15.0}),
        ("mp40", "kubelwagen", {"rounds": 2, "range_m": 15.0, "target_speed_kph": 30.0}),
    ],
)
@pytest.mark.rule("R17", "A17")
def test_people_alike_taken_as_one_have_the_same_odds(
    kit: Any, ruleset: Any, weapon: str, target: str, fields: dict[str, Any]
) -> None:
    plan = kit.plan(weapon, target, **fields)
    fresh = ruleset.fresh(plan.target)
    hurt = ruleset.adopt(plan.target, fresh.neutral._replace(people=(1, *fresh.people[1:-1], 2)))
    for start in (fresh, hurt):
        by_seat = distribution(ruleset, plan, start, Exact())
        alike = distribution(ruleset, plan, start, Exact(merge_alike=True))
        assert len(alike) <= len(by_seat)
        one, other = summarize(ruleset, plan, by_seat), summarize(ruleset, plan, alike)
        assert other.odds == pytest.approx(one.odds, abs=1e-12)
        assert other.expected == pytest.approx(one.expected, abs=1e-9)
        assert other.locations == pytest.approx(one.locations, abs=1e-12)


def test_seeded_attacks_fall_where_the_exact_odds_say(kit: Any, ruleset: Any) -> None:
    plan = kit.plan("mg42", kit.car, rounds=3, target_speed_kph=40.0)
    exact = distribution(ruleset, plan)
    start = ruleset.fresh(kit.car)
    seen = [run(Seeded(seed).dice, ruleset.resolve, plan, start) for seed in range(300)]
    assert all(exact[outcome] > 0 for outcome in seen)
    mean = sum(o.killed for o in seen) / len(seen)
    assert mean == pytest.approx(exact.mean(lambda o: o.killed), abs=0.25)


@pytest.mark.rule("R7")
def test_what_was_derived_is_said(kit: Any) -> None:
    plan = kit.plan("us_76_m1", "panther_a", range_m=500.0)
    known = {d.stat: d.value for d in plan.derived}
    # 10d6 at 75 mm, and 792 m/s is worth one more; armor 0.75 a mm of the mean of 85 and 45; 44.8 t is heavy.
    assert known == {
        "damage": "11d6",
        "range_yd": 1000.0,
        "hit_table": "afv",
        "armored": True,
        "armor": 49,
        "base_hp": 125,
        "move": 29,
    }
    mine = kit.vehicle_with("panther_a", id="mine", stats={"armor": 60})
    assert "armor" not in {d.stat for d in kit.plan("us_76_m1", mine, range_m=500.0).derived}
    assert kit.plan("us_76_m1", mine, range_m=500.0).vehicle.stats.armor == 60
    with pytest.raises(Exception, match=r"stats\.d100_wwii of wrong: armour is not a known key; did you mean armor"):
        kit.plan("us_76_m1", kit.vehicle_with("panther_a", id="wrong", stats={"armour": 60}), range_m=500.0)


@pytest.mark.parametrize(
    ("weapon", "dice"),
    [
        ("de_37_pak36", "7d6"),
        ("de_50_pak38", "8d6"),
        ("us_75_m3", "10d6"),
        ("de_75_pak40", "11d6"),
        ("su_76_f34", "10d6"),
        ("uk_17pdr", "12d6"),
        ("de_75_kwk42", "12d6"),
        ("de_88_kwk36", "13d6"),
        ("de_88_kwk43", "14d6"),
        ("us_75_m3/M48_HE", "10d6"),
        ("us_bazooka_m1a1", "8d6"),
        ("de_pzfaust60", "10d6"),
        ("us_50_m2", "2d10+1d8+6"),
        ("su_145_ptrs", "3d10+1d8+6"),
        ("kar98k", "2d6+4"),
        ("mp40", "1d10"),
        ("thompson", "1d10+2"),
        ("satchel_charge", "10d6"),
        ("uk_17pdr/APDS_17pdr", "13d6"),
        ("de_75_kwk40/Gr38_HL_B", "8d6"),
    ],
)
def test_the_dice_of_the_shipped_weapons(kit: Any, weapon: str, dice: str) -> None:
    from d100_wwii.options import Options
    from d100_wwii.weapon_stats import weapon_stats
    from mantlet.catalog import Catalog

    stats = weapon_stats(*Catalog().round(weapon), Options())
    assert stats is not None
    assert str(stats.damage) == dice


def test_every_option_is_put_to_the_test() -> None:
    from dataclasses import fields

    from d100_wwii.options import Options

    text = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    assert [option.name for option in fields(Options) if option.name not in text] == []


def test_people_nobody_has_described(kit: Any) -> None:
    crew = {"person_hp": 15, "person_dex": 14, "person_pow": 8, "driver_skill_percent": 60}
    shot = kit.shoot("kar98k", "kubelwagen", [50, 10, 90, 41, 40], crew)  # Luck 40: one fails by 1
    assert shot.people == ((15,), (15,), (8, 15))
    driven = kit.shoot("kar98k", "kubelwagen", [50, 16, 99, 4], crew, target_speed_kph=40.0)
    assert driven.outcome.condition.mobility == 2
    # 13 of 15 hit points leave 2: unconscious; DEX 14 x 5 reaches the wheel, 60 - 20 holds it.
    reach = kit.shoot("kar98k", "kubelwagen", [50, 16, 70, 2, 70, 40], crew, target_speed_kph=40.0)
    assert (reach.people[0], reach.detail.trouble_next) == ((15,), 0)


def test_the_shooter_nobody_has_described(kit: Any) -> None:
    strong = {"shooter_str": 20}
    assert kit.plan("hand_grenade", "jeep", range_m=6.0).to_hit.target == 25  # base range 10 ft, at twice that
    assert kit.plan("hand_grenade", "jeep", strong, range_m=6.0).to_hit.target == 50
    lucky = kit.shoot("molotov", "pz4_h", [50, 8, 80], {"shooter_pow": 16}, range_m=3.0)
    assert lucky.outcome.condition.on_fire
    ram = kit.plan("ram", "opel_blitz", {"ram_skill_percent": 70}, delivery="rammed", shooter_speed_kph=40.0)
    assert ram.to_hit.target == 70


@pytest.mark.rule("A4", "R18")
@pytest.mark.parametrize("rounds", [1, 3])
def test_what_a_row_spares_is_asked_by_single_rounds_and_by_bursts(
    kit: Any, ruleset: Any, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    plan = kit.plan("mg42", "kubelwagen", rounds=rounds)
    usual = odds(ruleset, plan.attack, plan.target).expected["damage"]
    monkeypatch.setattr(location, "spared", lambda options, start, row: location.Spared(whole=True))
    left = odds(ruleset, plan.attack, plan.target).expected["damage"]  # what a fire that explodes takes
    assert left < usual / 10
