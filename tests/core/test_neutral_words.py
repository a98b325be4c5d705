"""Inputs, zones, effects, skill words and shares: what is known by name, and what is refused with the nearest one."""

from __future__ import annotations

import pickle
from typing import Any, get_args

import pytest

from mantlet import (
    FACES,
    INPUTS,
    PERCENT_SKILLS,
    SKILL_WORDS,
    ZONES,
    Ammunition,
    Attack,
    EffectName,
    Location,
    Shares,
    UnknownNameError,
    Weapon,
    effect_bits,
    ignored_inputs,
    read_effects,
    read_zone,
    shooter_skill,
)
from mantlet.game.effects import DAMAGED, EFFECTS, HIT

GUN = Weapon(id="gun", name="Gun", kind="gun", ammunition=(Ammunition(id="shot", kind="AP"),))
OWN = {"green": 8.0, "trained": 10.0, "veteran": 12.0, "ace": 14.0}


def attack(**given: Any) -> Attack:
    return Attack(weapon=GUN, ammunition=GUN.ammunition[0], **given)


def test_what_is_ignored() -> None:
    assert ignored_inputs(attack(), ()) == ("range", "aspect", "elevation", "skill")
    assert ignored_inputs(attack(dark=True, rounds=3), {"range", "rounds"}) == ("aspect", "elevation", "skill", "dark")
    assert ignored_inputs(attack(dark=True), INPUTS) == ()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: ignored_inputs(attack(), {"range", "aspekt"}),
            "No input is called 'aspekt' in an attack. Did you mean aspect?",
        ),  # type: ignore[arg-type]
        (lambda: Location("bow", "hul"), "No zone is called 'hul' in location bow. Did you mean hull?"),  # type: ignore[arg-type]
        (lambda: read_zone("turet", "a.toml"), "No zone is called 'turet' in a.toml. Did you mean turret?"),
        (lambda: effect_bits("hit", "damagd"), "No effect is called 'damagd'. Did you mean damaged?"),  # type: ignore[arg-type]
        (lambda: read_effects(["exploed"], "row 3"), "No effect is called 'exploed' in row 3. Did you mean exploded?"),
        (lambda: attack(skill="veterann"), "No skill is called 'veterann' in an attack. Did you mean veteran?"),
        (lambda: Shares(armor={"frnt": 1.0}), "No face is called 'frnt' in shares of armor. Did you mean front?"),  # type: ignore[dict-item]
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(call: Any, said: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        call()
    assert str(caught.value) == said


def test_locations_are_named_tuples_that_know_their_zones() -> None:
    place = Location("turret/mantlet", "turret")
    assert place == ("turret/mantlet", "turret")
    assert sorted([place, Location("hull", "hull")])[0].zone == "hull"
    assert pickle.loads(pickle.dumps(place)) == place
    assert [read_zone(zone) for zone in ZONES] == list(ZONES)


def test_effects_by_name() -> None:
    assert effect_bits("hit", "damaged") == HIT | DAMAGED
    assert effect_bits() == 0
    assert list(get_args(EffectName)) == list(EFFECTS)


def test_the_own_scale_comes_before_the_percent_before_the_word_before_trained() -> None:
    def skill(**given: Any) -> tuple[float, str]:
        return shooter_skill(attack(**given), "rules", OWN, unit="", from_percent=lambda percent: percent // 5)

    assert skill(skills={"rules": 13}, skill_percent=65) == (13, "skill: 13, as given")
    assert skill(skills={"other": 13}, skill_percent=65) == (13, "skill: 65% = 13")
    assert skill(skill="veteran") == (12, "skill: veteran = 12")
    assert skill() == (10, "skill: trained = 10, where none is given")


def test_skill_in_percent_and_a_usual_skill_of_the_ruleset() -> None:
    assert shooter_skill(attack(), "rules") == (50, "skill: trained = 50%, where none is given")
    assert shooter_skill(attack(skill="ace"), "rules") == (90, "skill: ace = 90%")
    assert shooter_skill(attack(skill_percent=65), "rules") == (65, "skill: 65%, as given")
    assert shooter_skill(attack(), "rules", usual=35) == (35, "skill: 35%, where none is given")
    assert tuple(PERCENT_SKILLS) == SKILL_WORDS
    assert PERCENT_SKILLS["trained"] == 50


def test_a_word_beside_a_percent_is_refused() -> None:
    with pytest.raises(ValueError, match="skill is ace, and skill_percent 65: give one"):
        attack(skill="ace", skill_percent=65)
    assert attack(skill="ace", skills={"rules": 3}).skill == "ace"


def test_shares_are_from_0_to_1() -> None:
    assert Shares().whole
    assert Shares(integrity=1, armor=dict.fromkeys(FACES, 1.0), components_out=frozenset()).whole
    for less in (
        Shares(integrity=0.5),
        Shares(armor={"front": 1.0, "rear": 0.9}),
        Shares(components_out=frozenset({"engine"})),
    ):
        assert not less.whole
    with pytest.raises(ValueError, match="integrity has to be at least 0 and at most 1"):
        Shares(integrity=1.1)
    with pytest.raises(ValueError, match="armor of the side has to be at least 0 and at most 1, not -1"):
        Shares(armor={"side": -1})
