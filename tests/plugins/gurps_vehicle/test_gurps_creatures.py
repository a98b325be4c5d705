"""What a hit does to a creature: wounds by place, limbs and their extremities, aims from behind, criticals, fire."""

from __future__ import annotations

from typing import Any

import pytest

from gurps_vehicle.bodies import shipped_plans
from gurps_vehicle.creature.consequences import consequences_of
from gurps_vehicle.deriving_targets import block_of
from gurps_vehicle.flags import BLIND, BLOWN_UP, FIRE
from gurps_vehicle.health import HURT
from gurps_vehicle.person import Person
from mantlet import Scripted, run
from mantlet.game.condition import FULL, NONE, REDUCED


def effective(shooting: Any, target: Any, aim: str, **fields: Any) -> int:
    attack = shooting.attack(aim=aim, given_hit=False, skills={"gurps_vehicle": 20}, **fields)
    skill: int = shooting.rules().plan(attack, target).check.target
    return skill


# -- limbs -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("G6", "G9")
@pytest.mark.parametrize(
    ("body", "crippled", "mobility", "firepower"),
    [
        ("quadruped", ("right foreleg", "fore right foot"), REDUCED, FULL),  # one leg
        ("quadruped", ("right foreleg", "fore left foot"), NONE, FULL),  # two of four
        ("quadruped", ("hind left foot",), REDUCED, FULL),
        ("hexapod", ("left mid leg", "mid left foot", "right hind leg"), REDUCED, FULL),  # two of six
        ("hexapod", ("left mid leg", "fore left foot", "right hind leg"), NONE, FULL),  # three
        ("humanoid", ("left leg",), NONE, FULL),
        ("humanoid", ("left arm", "left hand"), FULL, REDUCED),
        ("humanoid", ("left arm", "right hand"), FULL, NONE),
        ("cancroid", ("leg 3", "foot 3", "leg 4", "leg 5"), REDUCED, FULL),  # three of eight
        ("cancroid", ("leg 3", "foot 6", "leg 4", "leg 5"), NONE, FULL),
        ("octopod", ("arm 5", "arm 6"), NONE, FULL),  # arms 5-8 carry it
        ("octopod", ("arm 1", "arm 2", "arm 3"), FULL, REDUCED),
        ("octopod", ("arm 1", "arm 2", "arm 3", "arm 4"), FULL, NONE),
        ("squid", ("arm 1", "arm 2"), FULL, REDUCED),  # of eight
    ],
)
def test_a_limb_and_its_extremity_are_one(
    shooting: Any, body: str, crippled: tuple[str, ...], mobility: int, firepower: int
) -> None:
    plan = shipped_plans()[body]
    assert {spot.name for spot in plan.spots()} >= set(crippled)
    found = consequences_of(plan, block_of(shooting.creature(body)), crippled)
    assert (found.mobility, found.firepower) == (mobility, firepower)


@pytest.mark.rule("G9")
def test_only_a_flyer_is_grounded(shooting: Any) -> None:
    plan = shipped_plans()["winged_quadruped"]
    for flyer in (True, False):
        block = block_of(shooting.creature("winged_quadruped", flyer=flyer))
        assert consequences_of(plan, block, ("left wing",)).grounded is flyer


@pytest.mark.rule("G9")
def test_a_fin_slows_what_has_no_legs(shooting: Any) -> None:
    fish = block_of(shooting.creature("ichthyoid"))
    assert consequences_of(shipped_plans()["ichthyoid"], fish, ("fin 1",)).mobility == REDUCED


@pytest.mark.rule("G8", "G9")
def test_balance_and_flight_are_told(shooting: Any) -> None:
    dragon = shooting.creature("winged_quadruped", flyer=True)
    outcome, notes = shooting.script("17,7,10", shooting.attack("2d", "pi"), dragon)  # 20 HP / 3 is 6
    assert "Balance: DX -2." in notes
    assert outcome.detail.dx == -2
    outcome, notes = shooting.script("12,1,11,10", shooting.attack("2d", "pi"), dragon)
    assert "It cannot fly." in notes
    assert outcome.detail.grounded


def test_a_crippled_limb_takes_no_more(shooting: Any) -> None:
    horse = shooting.creature("quadruped")
    rules = shooting.rules()
    plan = rules.plan(shooting.attack("2d", "pi", aim="right foreleg"), horse)
    first = run(Scripted("12,10").dice, rules.resolve, plan, rules.fresh(horse))
    assert (first.damage, first.condition.detail.crippled) == (11, ("right foreleg",))
    assert run(Scripted("12,10").dice, rules.resolve, plan, first.condition).damage == 0


@pytest.mark.rule("G8")
def test_without_a_tail_worth_the_name_the_torso_is_struck(shooting: Any) -> None:
    horse = shooting.creature("quadruped", tail="none")
    outcome, _ = shooting.script("17,10", shooting.attack("2d", "pi"), horse)
    assert (outcome.locations[0].path, outcome.damage) == ("torso", 10)
    assert shipped_plans().plan("quadruped", "none").table.row_for(17).value.penalty == 0
    assert {kind: limit(shooting, kind) for kind in ("limb", "extremity")} == {"limb": 11, "extremity": 7}


def limit(shooting: Any, tail: str) -> int:
    """What a tail costs at most: HP/2 or HP/3 of 20 HP, and a point."""
    outcome, _ = shooting.script("17,12,10", shooting.attack("2d", "pi"), shooting.creature("quadruped", tail=tail))
    lost: int = outcome.damage
    return lost


# -- aims ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("G10")
@pytest.mark.parametrize(
    ("aspect", "skull", "face"),
    [(0, -7, -5), (134, -7, -5), (135, -5, -7), (180, -5, -7), (225, -5, -7), (226, -7, -5)],
)
def test_skull_and_face_from_behind(shooting: Any, aspect: float, skull: int, face: int) -> None:
    man = shooting.creature("humanoid")
    assert effective(shooting, man, "skull", aspect_deg=aspect) == 20 + skull
    assert effective(shooting, man, "face", aspect_deg=aspect) == 20 + face
    assert effective(shooting, man, "neck", aspect_deg=aspect) == 20 - 5


@pytest.mark.rule("G10")
def test_a_random_hit_on_the_face_from_behind_is_the_skull(shooting: Any) -> None:
    man = shooting.creature("humanoid")
    outcome, notes = shooting.script("5,4", shooting.attack(aspect_deg=180), man)
    assert outcome.locations[0].path == "skull"
    assert "From behind the face is the skull." in notes
    assert shooting.script("5,4", shooting.attack(), man)[0].locations[0].path == "face"
    # Who aims at the face has paid for it; nobody strikes an eye from there.
    assert shooting.script("4", shooting.attack(aim="face", aspect_deg=180), man)[0].locations[0].path == "face"
    assert shooting.script("4", shooting.attack(aim="eye", aspect_deg=180), man)[0].locations[0].path == "skull"


@pytest.mark.rule("G10")
def test_what_only_piercing_can_strike(shooting: Any) -> None:
    """Other damage to an eye is to the face, to vitals to the torso."""
    man = shooting.creature("humanoid", hp=100)

    def damage(kind: str, aim: str, rolls: str = "6", **stats: Any) -> int:
        attack = shooting.attack("1d", kind, aim=aim, stats=stats)
        injury: int = shooting.script(rolls, attack, man)[0].damage
        return injury

    assert (damage("pi", "vitals"), damage("cut", "vitals"), damage("cr", "vitals")) == (18, 9, 6)
    assert (damage("burn", "vitals"), damage("burn", "vitals", tight_beam=True)) == (6, 12)
    assert (damage("imp", "eye", "6,10"), damage("cr", "eye"), damage("cor", "eye")) == (24, 6, 9)
    assert damage("burn", "eye", "6,10", tight_beam=True) == 24
    assert (damage("cor", "neck"), damage("cor", "face"), damage("cor", "torso")) == (9, 9, 6)


# -- wounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("G7")
@pytest.mark.parametrize(("kind", "skull", "brain"), [("cr", 16, 20), ("tox", 6, 6), ("fat", 24, 24)])
def test_bone_stops_no_poison(shooting: Any, kind: str, skull: int, brain: int) -> None:
    attack = shooting.attack("1d", kind)
    hard = {"hp": 100}
    assert shooting.script("3,6", attack, shooting.creature("quadruped", **hard))[0].damage == skull
    assert shooting.script("3,6", attack, shooting.creature("octopod", **hard))[0].damage == brain
    # The same for a man who rides.
    bike = shooting.vehicle(1, True, "saddle", locations="E", person_hp=100)
    outcome, _ = shooting.script("9,3,6", attack, bike, wounds="points")
    assert outcome.condition.detail.people == (Person(skull, HURT),)


@pytest.mark.parametrize(
    ("aim", "kind", "penalty"),
    [("skull", "cr", -10), ("face", "cr", -5), ("groin", "cr", -5), ("vitals", "pi", -5), ("torso", "cr", 0),
     ("neck", "cr", 0), ("eye", "pi", -10)],
)  # fmt: skip
def test_knockdown_by_place(shooting: Any, aim: str, kind: str, penalty: int) -> None:
    attack = shooting.attack("1dx11", kind, aim=aim)
    man = shooting.creature("humanoid", hp=60, ht=14, creature_dr={"torso": 0})
    # 11 points to what takes them three or four times, 33 elsewhere: more than half the HP, less than all.
    damage = 11 if aim in ("skull", "eye", "vitals") else 33
    target = 14 + penalty
    for roll, stunned in ((target, False), (target + 1, True)):
        outcome, _ = shooting.script(f"{damage},{roll}", attack, man)
        assert outcome.detail.stunned is stunned, roll


def test_shock_is_told(shooting: Any) -> None:
    man = shooting.creature("humanoid")
    for rolls, shock in (("3", 3), ("6", 4)):
        _, notes = shooting.script(rolls, shooting.attack(aim="torso"), man)
        assert f"Shock: DX and IQ -{shock} on its next turn." in notes


def test_a_blow_to_the_groin_is_a_double_shock(shooting: Any) -> None:
    man = shooting.creature("humanoid")
    for kind, aim, shock in (("cr", "groin", 6), ("pi", "groin", 3), ("cr", "torso", 3)):
        assert shooting.script("3", shooting.attack(kind=kind, aim=aim), man)[0].detail.shock == shock
    assert shooting.script("6", shooting.attack(kind="cr", aim="groin"), man)[0].detail.shock == 8


def test_acid_in_the_face_blinds(shooting: Any) -> None:
    man = shooting.creature("humanoid")
    outcome, _ = shooting.script("8,5", shooting.attack("2d", "cor", aim="face"), man)  # 12 of 20 HP
    assert outcome.condition.detail.flags & BLIND
    outcome, _ = shooting.script("6", shooting.attack("1d", "cor", aim="face"), man)  # 9: no major wound
    assert not outcome.condition.detail.flags & BLIND
    outcome, _ = shooting.script("11,5", shooting.attack("2d", "cr", aim="face"), man)
    assert not outcome.condition.detail.flags & BLIND


@pytest.mark.rule("G24")
def test_matter_of_creatures(shooting: Any) -> None:
    def damage(kind: str, tissue: str, rolls: str = "9,12", **stats: Any) -> int:
        attack = shooting.attack("2d", kind, stats=stats)
        beast = shooting.creature("quadruped", tissue=tissue, hp=100)
        injury: int = shooting.script(rolls, attack, beast)[0].damage
        return injury

    assert [damage("pi", t) for t in ("living", "unliving", "homogenous", "diffuse")] == [12, 4, 2, 1]
    assert damage("cr", "diffuse") == 2
    assert damage("cr", "diffuse", explosive=True) == 12
    assert damage("burn", "diffuse", "12", large_area=True) == 12
    assert damage("pi", "homogenous", "3,12") == 2  # 10 points through a skull that is no skull
    assert damage("pi", "unliving", "3,12") == 40


# -- criticals -------------------------------------------------------------------------------------------------------


def critical(shooting: Any, rolls: str, aim: str, **stats: Any) -> tuple[Any, list[str]]:
    attack = shooting.attack("1d", "cr", aim=aim, given_hit=False, skills={"gurps_vehicle": 25})
    found: tuple[Any, list[str]] = shooting.script(
        f"3,{rolls}", attack, shooting.creature("humanoid", **stats), criticals=True
    )
    return found


def test_a_critical_to_the_head_is_a_head_blow(shooting: Any) -> None:
    dr = {"creature_dr": {"torso": 20}, "hp": 200}
    assert critical(shooting, "3", "face", **dr)[0].damage == 6  # the most, and no armor
    assert critical(shooting, "3,6", "torso", **dr)[0].damage == 0  # triple
    assert critical(shooting, "17,6", "face", creature_dr={"torso": 5})[0].damage == 3  # 5 halved, rounded up
    assert critical(shooting, "17,6", "torso", creature_dr={"torso": 5})[0].damage == 4  # rounded down
    outcome, _ = critical(shooting, "4,6,9", "face", creature_dr={"torso": 5})
    assert outcome.detail.stunned  # 3 points are a major wound: HT 10 - 5, missed by 4


def test_a_critical_may_be_as_one_to_the_eye(shooting: Any) -> None:
    attack = shooting.attack("1d", "pi", aim="face", given_hit=False, skills={"gurps_vehicle": 25})
    outcome, _ = shooting.script("3,6,3,10", attack, shooting.creature("humanoid"), criticals=True)
    assert outcome.damage == 12
    assert outcome.condition.detail.flags & BLIND


def test_a_critical_may_numb_a_limb_for_some_seconds(shooting: Any) -> None:
    outcome, notes = critical(shooting, "8,3", "right arm", ht=11)
    assert "The right arm is of no use for 5 s." in notes
    assert outcome.condition.detail.crippled == ()
    assert outcome.detail.shock == 6
    assert not any("of no use" in note for note in critical(shooting, "8,3", "torso")[1])


# -- fire ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("G25")
def test_a_creature_that_is_fragile(shooting: Any) -> None:
    def flags(kind: str, letters: list[str], rolls: str, **stats: Any) -> int:
        scarecrow = shooting.creature("humanoid", fragile=letters, **stats)
        outcome, _ = shooting.script(rolls, shooting.attack("2d", kind), scarecrow)
        found: int = outcome.condition.detail.flags
        return found

    assert flags("burn", ["c"], "10,10") & FIRE  # 10 points of fire
    assert not flags("burn", ["c"], "10,9") & FIRE
    assert not flags("cr", ["c"], "10,10") & FIRE
    assert flags("cr", ["c"], "10,11,10,11") & FIRE  # a major wound: HT
    assert not flags("cr", ["c"], "10,11,10,10") & FIRE
    assert flags("burn", ["f"], "10,11,10,8") & FIRE  # HT 10 - 3
    assert not flags("burn", ["f"], "10,11,10,7") & FIRE
    assert not flags("burn", [], "10,11,10") & FIRE
    assert flags("cr", ["x"], "10,12,10,13", hp=6) & BLOWN_UP  # -HP: missed by 3


# -- bursts ----------------------------------------------------------------------------------------------------------


def burst(shooting: Any, rolls: str, target: Any) -> tuple[Any, list[str]]:
    """Two rounds of crushing 1dx9 that strike: 10 against a skill of 12, Rcl 2."""
    attack = shooting.attack("1dx9", "cr", rounds=2, given_hit=False, skills={"gurps_vehicle": 12})
    found: tuple[Any, list[str]] = shooting.script(f"10,{rolls}", attack, target)
    return found


def test_ht_rolls_wait_for_the_last_round(shooting: Any) -> None:
    horse = shooting.creature("quadruped", hp=22)
    # Two of 18 to the torso, each more than half of 22: two knockdowns; nobody unconscious rolls to stay in action.
    outcome, notes = burst(shooting, "10,18,10,18,12,16", horse)
    assert (outcome.hits, outcome.damage, outcome.condition.detail.lost) == (2, 36, 36)
    assert outcome.detail.stunned  # missed by 2
    assert outcome.condition.knocked_out  # missed by 6
    assert [place.path for place in outcome.locations] == ["torso"]
    assert "Shock: DX and IQ -4 on its next turn." in notes


@pytest.mark.rule("G6")
def test_what_strikes_a_limb_crippled_by_the_round_before_is_lost(shooting: Any) -> None:
    outcome, _ = burst(shooting, "7,1,18,7,1,18,10,10", shooting.creature("quadruped", hp=22))
    assert (outcome.damage, outcome.condition.detail.crippled) == (12, ("right foreleg",))


def test_outcomes_that_differ_in_what_is_only_told_are_one(shooting: Any) -> None:
    # Double crippling shock by a blow to the groin of no more HP than one elsewhere.
    man = shooting.creature("humanoid")
    blow, stab = (shooting.script("3", shooting.attack(kind=kind, aim="groin"), man)[0] for kind in ("cr", "pi"))
    assert (blow.detail.shock, stab.detail.shock) == (6, 3)
    assert blow.detail == stab.detail
