"""What results say: teams in words of suppression and strength, hits felt inside, assaults, men who got out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_run import data, succeed
from facing_armor.assault import Assaulters, AssaultReport
from facing_armor.state import AMMUNITION, TeamState, VehicleState, with_state
from facing_armor.suppression import settled
from facing_armor.words import report_of
from mantlet import Condition, Passage, outcome_between
from mantlet.game.condition import DEAD, FIT, GONE, NONE, WOUNDED

ATTACK = "attack --ruleset facing_armor"
TEAM = f"{ATTACK} --target infantry_squad"
MISLEADING = ("Knocked out, immobilized", "Miss", "no effect", "nothing new")


def first_line(text: str) -> str:
    return text.splitlines()[0]


@pytest.mark.rule("F24", "F27", "F29")
def test_a_squad_broken_by_a_shell_reads_as_such() -> None:
    # 60 for a shell close by, and 35 for the man hit: 95, broken from 75. Ten men, nine left.
    text = succeed(f"{TEAM} --weapon us_75_m3/M48_HE --miss-distance 5 --dice 15,15,99,99,99,99,99,99,99,99,99")
    assert first_line(text) == "Broken, suppression 0% to 95%, strength 10 to 9. Near the team."
    assert "suppression 95%, strength 9 of 10" in next(line for line in text.splitlines() if line.startswith("Now:"))
    assert not any(words in text for words in MISLEADING)


@pytest.mark.rule("F24")
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("--weapon mg42 --rounds 5 --given-hit --cover 100%", "Steady, suppression 0%. On the team."),
        ("--weapon us_75_m3/M48_HE --miss-distance 30", "Steady, suppression 0% to 20%. Near the team."),
        ("--weapon us_75_m3/M48_HE --miss-distance 300", "Steady, suppression 0%. Miss."),
        ("--weapon us_75_m3 --given-hit", "Steady, suppression 0% to 8%. On the team."),
        ("--weapon us_75_m3 --delivery rammed", "Steady, suppression 0% to 12%. Near the team."),
    ],
)
def test_suppression_is_no_lack_of_effect(how: str, said: str) -> None:
    text = succeed(f"{TEAM} {how}")
    assert first_line(text) == said
    assert "no effect" not in text
    assert "tank closing lands" not in text


@pytest.mark.rule("F26")
def test_the_report_of_a_team_has_its_rate_of_fire_and_its_laying_time(catalog) -> None:
    def reported(target: str, suppression: float):
        people = (FIT,) * len(catalog.target(target).crew)
        now = settled(Condition(people=people), people, TeamState(suppression))
        return report_of(catalog.target(target), now, Passage(now))

    pinned_crew = reported("at_gun_crew", 60)
    assert pinned_crew.data["fire_rate"] == 0.5
    assert pinned_crew.data["lay_time_factor"] == 2
    assert not pinned_crew.data["moves"]
    assert "laying its gun takes 2 times as long" in pinned_crew.now
    assert "does not move" in pinned_crew.now
    assert "fires at 50% of its rate" in pinned_crew.now
    assert reported("infantry_squad", 60).data["lay_time_factor"] == 1
    assert reported("at_gun_crew", 80).data["fire_rate"] == 0
    assert reported("at_gun_crew", 0).now == ("suppression 0%, strength 5 of 5",)


@pytest.mark.rule("F26")
def test_time_tells_what_a_team_can_do(tmp_path: Path) -> None:
    file = tmp_path / "squad.json"
    succeed(f"{TEAM} --weapon us_75_m3/M48_HE --miss-distance 5 --dice {','.join(['99'] * 10)} --state {file}")
    found = data(f"time --seconds 4 --state {file}")  # half a point a second: 60 to 58, still pinned
    assert found["report"]["suppression"] == 58
    assert (found["report"]["standing"], found["report"]["fire_rate"], found["report"]["moves"]) == (
        "pinned",
        0.5,
        False,
    )
    assert first_line(succeed(f"time --seconds 4 --state {file}")).endswith("pinned, suppression 58% to 56%.")


@pytest.mark.rule("F9")
def test_an_own_tank_hit_is_felt_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "tank.json"
    shot = f"{ATTACK} --weapon us_75_m3 --target panther_g --range 500 --given-hit --state {file}"
    text = succeed(f"{shot} --dice 1,1,100")  # the glacis: effective 143 mm against at most 88
    assert first_line(text) == "Hit (hull/front): a ricochet, heard and felt inside."
    assert "own-tank hits felt: 1 (stress 10%)" in text
    again = data(f"{shot} --dice 1,1,100")
    assert again["report"]["result"] == "ricochet"
    assert again["report"]["own_tank_hits_felt"] == 2
    assert [man["stress"] for man in again["report"]["crew"]] == [0.2] * 5
    assert json.loads(file.read_text("utf-8"))["condition"]["detail"]["vehicle"]["felt"] == 2


@pytest.mark.rule("F9")
def test_a_round_too_steep_is_felt_as_well(rules) -> None:
    found = data(
        f"{ATTACK} --weapon us_75_m3 --target panther_g --aspect 44 --given-hit --dice 1,1"
        " --option facing_armor.ricochet_angle=50"
    )
    assert (found["report"]["result"], found["report"]["own_tank_hits_felt"]) == ("ricochet", 1)


@pytest.mark.rule("F17")
def test_a_wounded_man_is_shown_at_half_his_skill_and_under_stress(catalog) -> None:
    sherman = catalog.target("m4a1_75_dry")
    hurt = with_state(Condition(people=(FIT, WOUNDED, FIT, FIT, DEAD)), VehicleState(felt=2))
    told = report_of(sherman, hurt, outcome_between(hurt, hurt, hits=0, detail="miss"))
    assert [man["skill_factor"] for man in told.data["crew"]] == [1, 0.5, 1, 1, 0]
    assert [man["stress"] for man in told.data["crew"]] == pytest.approx([0.2, 0.45, 0.2, 0.2, 0])
    assert told.now == ("own-tank hits felt: 2 (stress 20%)", "gunner: 50% of his skill, stress 45%")
    assert told.headline == ""  # the neutral one does


@pytest.mark.rule("F21", "F22")
def test_men_who_got_out_are_news(catalog) -> None:
    sherman = catalog.target("m4a1_75_dry")
    before = with_state(Condition(on_fire=True, knocked_out=True, people=(FIT,) * 5), VehicleState(fire=AMMUNITION))
    out = with_state(before._replace(people=(GONE, FIT, FIT, GONE, FIT)), VehicleState(fire=AMMUNITION, wounded_out=1))
    assert report_of(sherman, before, Passage(out)).headline == "2 got out, 1 of them wounded"
    burnt = out._replace(people=(GONE, DEAD, DEAD, GONE, DEAD), destroyed=True)
    assert report_of(sherman, before, Passage(burnt)).headline == "brews up, 3 killed, 2 got out, 1 of them wounded"
    assert report_of(sherman, before, Passage(before)).headline == ""


@pytest.mark.rule("F30", "F31", "F32")
@pytest.mark.parametrize("result", ["no_chance", "beaten_off", "failed", "immobilized", "knocked_out"])
def test_an_assault_says_what_came_of_it_and_of_the_team(catalog, result: str) -> None:
    panther = catalog.target("panther_g")
    before = Condition(mobility=NONE, people=(FIT,) * 5)
    after = (
        before._replace(knocked_out=True, people=(DEAD, WOUNDED, FIT, FIT, FIT)) if result == "knocked_out" else before
    )
    ended = outcome_between(before, after, hits=0, detail=AssaultReport(result, Assaulters(7, 8, 65.0)))
    told = report_of(panther, before, ended)
    assert told.headline.endswith(". The team: 7 of 8 men, suppression 65%.")
    assert ("1 killed, 1 wounded" in told.headline) == (result == "knocked_out")
    assert told.data["result"] == result
    assert told.data["team"] == {"men": 7, "size": 8, "suppression": 65.0}
