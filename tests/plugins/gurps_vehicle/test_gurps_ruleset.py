"""The ruleset as a whole: conformance, derived stat blocks, conditions, options, the golden account."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gurps_vehicle.codes import parse_codes
from gurps_vehicle.deriving_targets import block_of
from gurps_vehicle.deriving_weapons import dice_of_mean, energy_damage, shot_of
from gurps_vehicle.files import read
from gurps_vehicle.options import Options
from gurps_vehicle.ruleset import GurpsVehicle
from gurps_vehicle.stats import TargetStats
from mantlet import Account, Attack, CatalogError, Condition, Note, Seeded, UnknownNameError, run, validate
from mantlet.catalog import Catalog
from mantlet.game.condition import DEAD, FIT, NONE, REDUCED, WOUNDED
from mantlet.testing import check_ruleset

GOLDEN = Path(__file__).parent / "golden_gurps.txt"


def written(account: Account) -> str:
    """An account line by line."""
    lines = []
    for entry in account.entries:
        if isinstance(entry, Note):
            lines.append(f"    [{entry.rule}] {entry.text}")
        else:
            against = f" against {entry.target:g}" if entry.target is not None else ""
            lines.append(f"{entry.reason}: {entry.dice}{against} = {entry.shown} -> {entry.result} [{entry.rule}]")
    return "\n".join(lines) + "\n"


def test_golden_account(catalog: Catalog, shot: Callable[..., Attack]) -> None:
    """One attack in full: an 88 at a T-34. Write the file anew by deleting it and running this once."""
    rules = GurpsVehicle()
    attack = shot("de_88_kwk36", range_m=300, skill_percent=90, aspect_deg=90)
    plan = rules.plan(attack, catalog.target("t34_76_1942"))
    source = Seeded(3)
    outcome = run(source.dice, rules.resolve, plan, rules.fresh(plan.target))
    text = "\n".join(plan.notes) + "\n" + written(source.account) + f"damage {outcome.damage}\n"
    if not GOLDEN.exists():
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "options",
    [{}, {"attacker_picks": "even", "divide_occupant_damage": True, "overpenetration": True, "wounds": "points"}],
)
def test_it_conforms(options: dict[str, Any]) -> None:
    check_ruleset(GurpsVehicle(Options(**options)), effort=0.25)


def test_every_rule_is_listed_and_works() -> None:
    listed = read("rules")["rule"]
    assert [rule["id"] for rule in listed] == [f"G{n}" for n in range(1, 32)]
    assert {rule["status"] for rule in listed} == {"works"}


def test_shipped_data_is_sound() -> None:
    for name, block in read("stats")["target"].items():
        validate(TargetStats, block, name)


def test_every_target_has_a_whole_block(catalog: Catalog) -> None:
    for target in catalog.targets():
        block = block_of(target)
        assert block.hp >= 1
        assert 9 <= block.ht <= 13
        if target.kind == "vehicle":
            parse_codes(block.locations)
            assert set(block.dr) >= {"front", "side", "rear", "top", "under", "other"}
            stats = {derived.stat for derived in block.derived}
            assert stats >= {"hp", "sm", "locations", "dr.front"}
        for derived in block.derived:
            assert derived.formula


def test_derived_targets_are_near_the_printed_ones(catalog: Catalog) -> None:
    jeep = block_of(catalog.target("jeep"))
    assert abs(jeep.hp - 52) <= 2
    assert round(4 * math.cbrt(680)) == 35
    horse = block_of(catalog.target("horse"))
    assert abs(horse.hp - 22) <= 1
    sherman = block_of(catalog.target("m4a1_75_dry"))
    assert sherman.locations == "2CTX"
    assert sherman.dr["side"] == round(38 * 70 / 25.4)
    assert block_of(catalog.target("bf109_g")).locations == "g3WrWi"
    assert block_of(catalog.target("horse_wagon")).locations == "2DO4W"
    assert block_of(catalog.target("harley_wla")).locations == "E2W"


@pytest.mark.parametrize(
    ("caliber", "mass", "velocity", "printed"),
    [
        (7.92, 0.0128, 760, 24.5),
        (9, 0.008, 380, 9),
        (11.43, 0.015, 253, 7),
        (12.7, 0.043, 890, 46.5),
        (7.62, 0.0079, 715, 18.5),
        (5.56, 0.0036, 960, 17.5),
    ],
)
def test_bullets_are_near_the_printed_ones(caliber: float, mass: float, velocity: float, printed: float) -> None:
    assert energy_damage(caliber, mass, velocity) == pytest.approx(printed, rel=0.13)


def test_derived_weapons(catalog: Catalog) -> None:
    def text(name: str, range_m: float = 100.0) -> str:
        return shot_of(*catalog.round(name), range_m).text

    assert text("kar98k") == "7d pi"
    assert text("mp40") == "2d+2 pi"
    assert text("us_bazooka_m1a1") == "6dx1.29(10) cr ex"
    for weapon in catalog.weapons():
        for ammunition in weapon.ammunition:
            made = shot_of(weapon, ammunition, 100.0)
            assert made.dice.mean > 0
            assert {d.stat for d in made.derived} >= {"damage", "acc", "rcl", "rof"}
    pak = shot_of(*catalog.round("de_75_pak40"), 100.0)
    # What gets through on average: 135 mm at 70 DR an inch.
    assert pak.dice.mean * pak.scale * pak.divisor == pytest.approx(135 * 70 / 25.4, rel=0.05)
    rof = next(d for d in pak.derived if d.stat == "rof")
    assert (rof.value, rof.inputs["rpm"]) == (1, 14)
    far = shot_of(*catalog.round("de_75_pak40"), 1500.0)
    assert (far.dice, far.scale < pak.scale) == (pak.dice, True)


@pytest.mark.parametrize(
    ("mean", "dice"), [(24.5, "7d6"), (9, "2d6+2"), (3.4, "1d6"), (63, "6d6x3"), (227, "5d6x13"), (0.2, "1d6-1")]
)
def test_dice_of_a_mean(mean: float, dice: str) -> None:
    assert str(dice_of_mean(mean)) == dice


def test_a_stat_block_wins_over_derivation(shooting: Any, catalog: Catalog) -> None:
    plan = shooting.rules().plan(shooting.attack("6dx2"), shooting.vehicle(locations="2C"))
    stats = {derived.stat for derived in plan.derived}
    assert not stats & {"hp", "ht", "sm", "locations", "damage", "type"}
    with pytest.raises(CatalogError, match="did you mean locations"):
        shooting.rules().plan(shooting.attack(), shooting.vehicle(location="2C"))
    with pytest.raises(CatalogError, match="'Q'"):
        shooting.rules().plan(shooting.attack(), shooting.vehicle(locations="2Q"))


def test_skill_is_mapped_and_said(shooting: Any) -> None:
    plan = shooting.rules().plan(shooting.attack(given_hit=False), shooting.vehicle())
    assert plan.notes[:2] == (
        "skill: trained = 10, where none is given",
        "Effective skill 13 = 10 skill + 3 size of the target.",
    )
    own = shooting.rules().plan(shooting.attack(given_hit=False, skills={"gurps_vehicle": 14}), shooting.vehicle())
    assert "skill: 14, as given" in own.notes
    far = shooting.rules().plan(shooting.attack(given_hit=False, range_m=4000), shooting.vehicle())
    assert far.check is None
    assert any("cannot hit" in note for note in far.notes)


def test_a_skill_word_is_a_skill_on_3d(shooting: Any) -> None:
    def plan(**given: Any) -> Any:
        return shooting.rules().plan(shooting.attack(given_hit=False, **given), shooting.vehicle())

    for word, number in {"green": 8, "trained": 10, "veteran": 12, "ace": 14}.items():
        by_word = plan(skill=word)
        assert by_word.notes[0] == f"skill: {word} = {number}"
        assert by_word.check.target == number + 3 == plan(skills={"gurps_vehicle": number}).check.target
    assert plan().check.target == plan(skill="trained").check.target == plan(skill_percent=50).check.target
    assert plan(skill="green", skills={"gurps_vehicle": 14}).check.target == 17
    assert plan(skill_percent=90).notes[0] == "skill: 90% = 14"


def test_what_has_no_rule(shot: Callable[..., Attack], catalog: Catalog) -> None:
    rules = GurpsVehicle()
    reason = rules.covers(shot("ram", delivery="rammed"), catalog.target("jeep"))
    assert reason is not None
    assert "G11" in reason
    assert rules.covers(shot("kar98k"), catalog.target("jeep")) is None


def test_a_condition_of_another_ruleset_is_taken_over(catalog: Catalog) -> None:
    rules, target = GurpsVehicle(), catalog.target("m4a1_75_dry")
    given = Condition(NONE, REDUCED, True, True, False, (FIT, WOUNDED, DEAD, FIT, FIT), "facing_armor", ("x",))
    taken = rules.adopt(target, given)
    assert taken[:6] == given[:6]
    assert taken.ruleset == "gurps_vehicle"
    assert taken.detail.crippled == ("C", "C")
    assert rules.adopt(target, taken) is taken
    assert rules.load_detail(rules.dump_detail(taken.detail)) == taken.detail


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"injury": -5}, "injury has to be a whole number from 0 to 1000000000, not -5"),
        ({"injury": 1.5}, "injury has to be a whole number"),
        ({"injury": True}, "injury has to be a whole number"),
        ({"flags": ["on strike"]}, "flags has to hold power damaged, .*, not 'on strike'"),
        ({"people": [[-1, 0]]}, r"people\[0\] has to be a whole number"),
        ({"people": [[1, 4]]}, r"people\[0\] has to be in a state from 0 to 3, not 4"),
        ({"people": [None, 7]}, r"people\[1\] has to be null or points lost and a state, not 7"),
        ({"animals": [[3]]}, r"animals\[0\] has to be null or points"),
        ({"crippled": [1]}, "crippled has to hold texts, not 1"),
        ({"dr_lost": [["front", -1]]}, "dr_lost of front has to be a whole number"),
    ],
)
def test_a_saved_detail_that_cannot_be_is_refused(change: dict[str, Any], said: str) -> None:
    rules = GurpsVehicle()
    data = {"injury": 3, "crippled": ["W"], "flags": [], "people": [None, [2, 1]], "animals": [], "dr_lost": []}
    assert rules.dump_detail(rules.load_detail(data)) == data
    with pytest.raises(CatalogError, match=said):
        rules.load_detail({**data, **change})


def test_a_saved_detail_of_something_else_is_refused(catalog: Catalog) -> None:
    rules = GurpsVehicle()
    jeep = rules.fresh(catalog.target("jeep"))
    with pytest.raises(CatalogError, match=r"condition\.detail\.people has 2 entries, and kubelwagen has 4 people"):
        rules.adopt(catalog.target("kubelwagen"), jeep._replace(detail=jeep.detail._replace(people=(0, 0))))
    wagon = catalog.target("horse_wagon")
    with pytest.raises(CatalogError, match="has 0 entries, and horse_wagon has 2 draft animals"):
        rules.adopt(wagon, rules.fresh(wagon)._replace(detail=rules.fresh(wagon).detail._replace(animals=())))


def test_aims_are_listed(catalog: Catalog) -> None:
    rules = GurpsVehicle()
    assert {"main turret (T)", "body", "vital area", "track (C)"} <= set(rules.aims(catalog.target("tiger_1e")))
    assert {"left wing", "skull", "eye"} <= set(rules.aims(catalog.target("dragon")))
    with pytest.raises(UnknownNameError):
        rules.plan(
            Attack(weapon=catalog.weapon("kar98k"), ammunition=catalog.weapon("kar98k").ammunition[0], aim="fin"),
            catalog.target("horse"),
        )


def test_a_head_out_of_the_hatch(catalog: Catalog, shot: Callable[..., Attack]) -> None:
    tank = catalog.target("tiger_1e")
    rules = GurpsVehicle()
    assert str(rules.plan(shot("kar98k", buttoned=False), tank).table.row_for(9).value) == "exposed rider"
    assert str(rules.plan(shot("kar98k"), tank).table.row_for(9).value) == "body"


def test_a_team_is_men(catalog: Catalog, shot: Callable[..., Attack]) -> None:
    rules = GurpsVehicle(Options(criticals=False))
    squad = catalog.target("infantry_squad")
    plan = rules.plan(shot("kar98k", given_hit=True), squad)
    outcome = run(Seeded(4).dice, rules.resolve, plan, rules.fresh(squad))
    assert outcome.wounded + outcome.killed == 1
    near = rules.plan(shot("hand_grenade", given_hit=True, range_m=20), squad)
    assert any(run(Seeded(s).dice, rules.resolve, near, rules.fresh(squad)).wounded > 2 for s in range(5))
