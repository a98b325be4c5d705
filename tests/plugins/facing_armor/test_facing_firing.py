"""F17, F23, F26, F27: the own state of a tank or team that fires."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_run import data, fail
from facing_armor.gunnery import chance_to_hit
from facing_armor.state import TeamState
from facing_armor.suppression import settled
from mantlet import Condition, NotCoveredError, Shooter, covered_plan
from mantlet.game.condition import DEAD, FIT, GONE, OUT, WOUNDED


def by(catalog, target: str, people, state: TeamState | None = None) -> Shooter:
    condition = Condition(people=people)
    return Shooter(
        target=catalog.target(target), condition=condition if state is None else settled(condition, people, state)
    )


@pytest.mark.rule("F17")
@pytest.mark.parametrize(
    ("people", "skill"),
    [
        ((FIT, FIT, FIT, FIT, FIT), 60),
        ((WOUNDED, FIT, WOUNDED, WOUNDED, DEAD), 60),  # the gunner is fit
        ((FIT, WOUNDED, FIT, FIT, FIT), 30),
        ((FIT, DEAD, FIT, FIT, FIT), 30),  # the commander in his place
        ((WOUNDED, OUT, FIT, FIT, FIT), 15),
        ((GONE, GONE, FIT, FIT, FIT), 30),  # the loader
    ],
)
def test_a_wounded_gunner_fires_at_half_his_skill(catalog, shot, people, skill: float) -> None:
    """Crew of a Sherman: commander, gunner, loader, driver, bow gunner."""
    attack = shot("us_75_m3", range_m=900, skill_percent=60, shooter=by(catalog, "m4a1_75_dry", people))
    assert chance_to_hit(attack) == chance_to_hit(shot("us_75_m3", range_m=900, skill_percent=skill))


@pytest.mark.rule("F17")
def test_a_gun_that_nobody_is_at_is_not_fired(rules, catalog, shot) -> None:
    who = by(catalog, "m4a1_75_dry", (DEAD, DEAD, GONE, FIT, FIT))
    with pytest.raises(NotCoveredError, match="F17: nobody is left at the gun of m4a1_75_dry"):
        covered_plan(rules, shot("us_75_m3", shooter=who), catalog.target("pz4_h"))
    covered_plan(rules, shot("mg42", shooter=who), catalog.target("pz4_h"))  # the bow gunner's


@pytest.mark.rule("F23", "F26", "F27")
def test_a_team_fires_as_its_nerves_allow(rules, catalog, shot) -> None:
    def plan(state: TeamState, target: str = "at_gun_crew", weapon: str = "de_75_pak40"):
        people = (FIT,) * len(catalog.target(target).crew)
        attack = shot(weapon, range_m=500, shooter=by(catalog, target, people, state))
        return covered_plan(rules, attack, catalog.target("m4a1_75_dry"))

    assert not any("pinned" in note for note in plan(TeamState(49.0)).notes)
    pinned = " ".join(plan(TeamState(50.0)).notes)
    assert "fires at 50% of its rate" in pinned
    assert "Laying its gun takes 2 times as long" in pinned
    assert "Laying" not in " ".join(plan(TeamState(50.0), "infantry_squad", "mg42").notes)
    with pytest.raises(NotCoveredError, match="F27: at_gun_crew is broken, at a suppression of 75%"):
        plan(TeamState(75.0))
    with pytest.raises(NotCoveredError, match="F23"):
        plan(TeamState(unarmed=True))


@pytest.mark.rule("F17", "F27")
def test_the_shooter_s_state_counts_at_the_table(tmp_path: Path) -> None:
    sherman, crew = tmp_path / "sherman.json", tmp_path / "crew.json"
    # A turret penetrated: commander unhurt, gunner wounded (5 hits him, 99 does not kill), the rest spared.
    attack = "attack --ruleset facing_armor"
    hit = f"{attack} --weapon de_88_kwk36 --target m4a1_75_dry --range 300 --given-hit --aim turret_front"
    data(f"{hit} --dice 1,99,5,99,99,99,99,99,99 --state {sherman}")
    shot = f"{attack} --weapon us_75_m3 --target pz4_h --range 500 --shooter-state {sherman} --dice 100"
    assert any("gunner of m4a1_75_dry at the gun: 50% of it (F17)" in note for note in data(shot)["notes"])
    shell = f"{attack} --weapon us_75_m3/M48_HE --target at_gun_crew --miss-distance 5"
    for _ in range(2):
        data(f"{shell} --dice 99,99,99,99,99 --state {crew}")
    at = f"{attack} --weapon de_75_pak40 --target m4a1_75_dry --range 500 --shooter-state {crew}"
    assert "F27: at_gun_crew is broken" in fail(at, 1)
