"""F18, F21 to F23: the brew-up clock, getting out, men killed inside, the crew as a team."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli_run import data, succeed
from facing_armor.bail_out import BailedOut, crew_team, vehicle_time
from facing_armor.layout import layout
from facing_armor.state import AMMUNITION, FIRES, TeamState, VehicleState, dump, load, with_state
from facing_armor.suppression import fire_rate, strength
from mantlet import CatalogError, Condition, Distribution, Exact, Scripted, Sighting, UnknownNameError, run
from mantlet.catalog import Catalog
from mantlet.game.condition import DEAD, FIT, GONE, NONE, WOUNDED
from mantlet.game.effects import CREW_KILLED, DESTROYED, KNOCKED_OUT

SHERMAN = Catalog().target("m4a1_75_dry")
# The design choices these tests are worked out with: 3 s unwounded, 4.5 s wounded, a brew-up after 2d6+4 s.
UNWOUNDED, CARRIED = 3.0, 4.5


def burning(people=(FIT,) * 5) -> Condition:
    return with_state(Condition(on_fire=True, knocked_out=True, people=people), VehicleState(fire=AMMUNITION))


def passed(condition: Condition, seconds: float, script: str = "") -> tuple[Condition, int, int]:
    dice = Scripted(script)
    passage = run(dice.dice, vehicle_time, layout(SHERMAN), condition, seconds)
    dice.finish()
    return passage.condition, passage.effects, passage.killed


@pytest.mark.rule("F18", "F22")
def test_the_brew_up_comes_within_seconds_and_kills_whoever_is_inside() -> None:
    # The clock is thrown as 1+1+4 = 6 s: two men of the turret (3 s each) and both of the hull are out by then.
    after, effects, killed = passed(burning(), 60, "6")
    assert after.people == (GONE, GONE, DEAD, GONE, GONE)
    assert after.destroyed
    assert killed == 1
    assert effects & DESTROYED
    assert effects & CREW_KILLED


@pytest.mark.rule("F18")
def test_the_brew_up_is_seconds_away() -> None:
    passages = Exact().distribution(vehicle_time, layout(SHERMAN), burning(), 5.0)
    assert not any(p.condition.destroyed for p in passages)
    after = Exact().distribution(vehicle_time, layout(SHERMAN), burning(), 16.0)
    assert all(p.condition.destroyed for p in after)


@pytest.mark.rule("F21")
def test_men_leave_in_seat_order_and_the_wounded_take_longer() -> None:
    wrecked = Condition(knocked_out=True, people=(FIT, WOUNDED, FIT, FIT, FIT))
    assert passed(wrecked, 2.6)[0].people == (FIT, WOUNDED, FIT, FIT, FIT)
    assert passed(wrecked, UNWOUNDED)[0].people == (GONE, WOUNDED, FIT, GONE, FIT)
    assert passed(wrecked, UNWOUNDED + CARRIED)[0].people == (GONE, GONE, FIT, GONE, GONE)
    assert passed(wrecked, 2 * UNWOUNDED + CARRIED)[0].people == (GONE,) * 5


@pytest.mark.rule("F21")
def test_a_tank_still_in_the_fight_keeps_its_crew() -> None:
    condition = Condition(people=(FIT, WOUNDED, FIT, FIT, DEAD), mobility=NONE)
    assert passed(condition, 600) == (condition, 0, 0)


@pytest.mark.rule("F22")
def test_everybody_is_out_of_a_slow_fire() -> None:
    after, _, killed = passed(burning(), 60, "15")
    assert killed == 0
    assert after.people == (GONE,) * 5


def states(passages: Distribution) -> dict[Condition, float]:
    return dict(passages.map(lambda passage: passage.condition).items())


@pytest.mark.rule("F18", "F21", "F22")
@given(
    st.integers(0, 150),
    st.integers(0, 150),
    st.lists(st.sampled_from([FIT, WOUNDED, DEAD, GONE]), min_size=5, max_size=5),
)
def test_time_in_two_spans_is_time_in_one(first: int, second: int, people: list[int]) -> None:
    engine, vehicle, start = Exact(), layout(SHERMAN), burning(tuple(people))
    once = states(engine.distribution(vehicle_time, vehicle, start, (first + second) / 10))
    twice: dict[Condition, float] = {}
    for middle, p in states(engine.distribution(vehicle_time, vehicle, start, first / 10)).items():
        for end, q in states(engine.distribution(vehicle_time, vehicle, middle, second / 10)).items():
            twice[end] = twice.get(end, 0) + p * q
    assert {c: pytest.approx(p) for c, p in once.items()} == twice


@pytest.mark.rule("F22")
@given(st.lists(st.sampled_from([FIT, WOUNDED, DEAD, GONE]), min_size=5, max_size=5), st.floats(0, 60))
def test_time_kills_nobody_twice(people: list[int], seconds: float) -> None:
    start = burning(tuple(people))
    for passage in Exact().distribution(vehicle_time, layout(SHERMAN), start, seconds):
        after = passage.condition.people
        assert passage.killed == after.count(DEAD) - people.count(DEAD)
        assert all(now == was for was, now in zip(people, after) if was in (DEAD, GONE))


@pytest.mark.rule("F23")
def test_a_bailed_out_crew_is_a_team() -> None:
    wrecked = Condition(knocked_out=True, people=(DEAD, WOUNDED, FIT, FIT, FIT))
    after = passed(wrecked, 60)[0]
    found = crew_team(SHERMAN, after)
    assert found is not None
    team, condition = found
    assert (team.kind, team.body, len(team.crew)) == ("team", "infantry", 4)
    assert strength(condition) == 4
    assert sorted(condition.people) == [FIT, FIT, FIT, WOUNDED]
    assert condition.detail == TeamState(suppression=100.0, unarmed=True)
    assert condition.firepower == NONE
    assert fire_rate(condition) == 0
    assert not team.armament


@pytest.mark.rule("F23")
def test_a_span_of_time_says_who_is_out(rules) -> None:
    wrecked = Condition(knocked_out=True, people=(DEAD, WOUNDED, FIT, FIT, FIT))
    said = [run(Scripted("").dice, rules.pass_time, SHERMAN, wrecked, s).detail for s in (1.0, 3.0, 60.0)]
    assert said == [None, BailedOut(1, 0), BailedOut(4, 1)]


@pytest.mark.rule("F23")
def test_the_crew_of_a_burning_tank_goes_on_as_a_team(tmp_path: Path) -> None:
    """A brew-up after 2d6+3 = 15 s lets all five out: three through the turret take 8.1 s, two through the hull 5.4."""
    tank, crew = tmp_path / "tank.json", tmp_path / "crew.json"
    succeed(
        f"attack --ruleset facing_armor --weapon de_75_pak40 --target m4a1_75_dry --range 500 --dice 100 --state {tank}"
    )
    state = json.loads(tank.read_text("utf-8"))
    state["condition"].update(on_fire=True, knocked_out=True)
    tank.write_text(json.dumps(state), "utf-8")
    early = succeed(f"time --state {tank} --seconds 5 --dice 15 --crew-state {crew}")
    assert "2 out, 0 of them wounded: a team without weapons, suppression 100%" in early
    assert "was not written" in " ".join(early.split())
    told = data(f"time --state {tank} --seconds 5 --crew-state {crew}")
    assert told["report"]["headline"] == "3 got out"
    assert json.loads(crew.read_text("utf-8"))["condition"]["people"] == ["fit"] * 5
    # F25: half a point a second. F23: no weapons, so it never fires; broken to 75, the fifth period.
    later = data(f"time --state {crew} --seconds 9")["report"]
    assert (later["suppression"], later["strength"], later["standing"]) == (95.5, 5, "broken")
    calm = data(f"time --state {crew} --seconds 1000 --dice {','.join(['99'] * 5)}")["report"]
    assert (calm["suppression"], calm["standing"], calm["fire_rate"]) == (0, "steady", 0)


@pytest.mark.rule("F23")
def test_there_is_no_team_while_somebody_alive_is_inside() -> None:
    wrecked = Condition(knocked_out=True, people=(DEAD, WOUNDED, FIT, FIT, FIT))
    assert crew_team(SHERMAN, passed(wrecked, 3.0)[0]) is None
    assert crew_team(SHERMAN, passed(wrecked, 60.0)[0]) is not None


@pytest.mark.rule("F23")
def test_where_nobody_got_out_there_is_no_team() -> None:
    assert crew_team(SHERMAN, Condition(destroyed=True, knocked_out=True, people=(DEAD,) * 5)) is None


@pytest.mark.rule("F18")
@pytest.mark.parametrize(
    "detail",
    [
        None,
        *(VehicleState(fire, 3.5, 1.0, 0.5, 2) for fire in range(len(FIRES))),
        TeamState(42.5, 3.0, True),
        TeamState(100.0, unarmed=True),
        TeamState(100.0, enemies=(Sighting(120, 45), Sighting(90.5, 0)), fell_back_m=100),
    ],
)
def test_the_detail_survives_a_file(detail) -> None:
    assert load(dump(detail)) == detail


@pytest.mark.rule("F18")
def test_a_fire_of_another_ruleset_burns_on(rules) -> None:
    taken = rules.adopt(SHERMAN, Condition(on_fire=True, people=(FIT,) * 5, ruleset="d100_wwii", detail=("x",)))
    assert taken.detail is None
    dice = Scripted("15")
    passage = run(dice.dice, rules.pass_time, SHERMAN, taken, 60)
    assert passage.condition.destroyed
    # A fire is a knock-out here, as soon as time passes, whatever the other rules made of it.
    at_once = run(Scripted("15").dice, rules.pass_time, SHERMAN, taken, 1)
    assert at_once.condition.knocked_out
    assert at_once.effects & KNOCKED_OUT
    assert not at_once.effects & DESTROYED
    assert not run(Scripted("").dice, rules.pass_time, SHERMAN, at_once.condition, 1).effects


@pytest.mark.parametrize(
    "data",
    [
        {"team": {"suppression": None}},
        {"team": {"suppression": float("inf")}},
        {"team": {"closing": 1}},
        {"team": {"hats": 1}},
        {"team": {"enemies": [[120]]}},
        {"team": {"enemies": [[-1, 0]]}},
        {"team": {"enemies": [[1, float("nan")]]}},
        {"team": {"enemies": [[1, "north"]]}},
        {"team": {"enemies": 120}},
        {"vehicle": {"fire": "none", "felt": -1}},
        {"vehicle": {"fire": "none", "hull_s": "x"}},
        {"vehicle": {"fire": "none", "wounded_out": 1.5}},
        {"vehicle": {"fire": "blue"}},
        {"vehicle": {}},
        [],
    ],
)
def test_a_saved_detail_is_read_with_care(data: object) -> None:
    with pytest.raises((TypeError, ValueError, KeyError, CatalogError, UnknownNameError)):
        load(data)
