"""F10 to F19: effects inside, casualties and knock-out."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from itertools import product

import pytest

from facing_armor.crew import abandons, effective_skill, feel, harm, stress
from facing_armor.design import DATA
from facing_armor.inside import Struck, begin, falls
from facing_armor.layout import bullet_share, layout, under_fire_of
from facing_armor.options import Options
from facing_armor.ruleset import FacingArmor
from mantlet import Condition, Effort, Exact, Location, Scripted, Seat, Target, changes, run, shots_until
from mantlet.game.condition import DEAD, FIT, FULL, GONE, NONE, OUT, REDUCED, WOUNDED
from mantlet.game.effects import CREW_HIT, DAMAGED, FIREPOWER_LOST, HIT, IMMOBILIZED, PENETRATED

HERE = Location("somewhere", "hull")
KILLED = Fraction(22, 100)


def penetrated(target: Target, key: str, condition: Condition | None = None, *, fractions: bool = False):
    """The distribution of outcomes of a hit inside at a location."""
    vehicle = layout(target)
    start = condition or Condition(people=(FIT,) * len(target.crew))
    return Exact(fractions=fractions).distribution(begin, Struck(vehicle, key, HERE, start, None))


def percents(table: str, stowage: str) -> dict[str, int]:
    """The rows of the data file, read on their own."""
    rows = tomllib.loads((DATA / "design.toml").read_text())["internal"][table]["rows"]
    return {row["effect"]: row.get("percent", row.get(stowage)) for row in rows}


def read(outcome, target: Target) -> dict[str, object]:
    condition = outcome.condition
    found: dict[str, object] = {"immobile": condition.mobility == NONE, "fire": condition.on_fire}
    found["gun"] = condition.firepower == NONE
    found |= {seat.role: state for seat, state in zip(target.crew, condition.people)}
    return found


@pytest.mark.rule("F10", "F12")
@pytest.mark.parametrize(("target", "stowage"), [("m4a1_75_dry", "dry"), ("m4a3_75w", "wet")])
def test_rows_of_the_hull_front_are_independent(catalog, target: str, stowage: str) -> None:
    """The exact joint distribution is the product of the rows, in fractions."""
    sherman = catalog.target(target)
    p = {k: Fraction(v, 100) for k, v in percents("hull_front", stowage).items()}
    joint: dict[tuple[object, ...], Fraction] = {}
    for outcome, w in penetrated(sherman, "hull_front").items():
        seen = read(outcome, sherman)
        key = (seen["driver"], seen["bow_gunner"], seen["immobile"], seen["fire"])
        joint[key] = joint.get(key, 0) + w
        assert (seen["commander"], seen["gunner"], seen["loader"]) == (FIT, FIT, FIT)

    def man(role: str, state: int) -> Fraction:
        hit = p[role]
        return {FIT: 1 - hit, WOUNDED: hit * (1 - KILLED), DEAD: hit * KILLED}[state]

    states, yes_no = (FIT, WOUNDED, DEAD), (True, False)
    for driver, bow, immobile, fire in product(states, states, yes_no, yes_no):
        expected = man("driver", driver) * man("bow_gunner", bow)
        expected *= p["transmission"] if immobile else 1 - p["transmission"]
        expected *= p["ammunition_fire"] if fire else 1 - p["ammunition_fire"]
        assert joint[driver, bow, immobile, fire] == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.rule("F10", "F11")
def test_the_turret_puts_its_men_gun_traverse_and_ammunition_at_risk(catalog) -> None:
    sherman = catalog.target("m4a1_75_dry")
    p = {k: v / 100 for k, v in percents("turret", "dry").items()}
    found = penetrated(sherman, "turret_front")
    for role in ("commander", "gunner", "loader"):
        assert found.probability(lambda o, r=role: read(o, sherman)[r] != FIT) == pytest.approx(p[role])
    assert found.probability(lambda o: o.condition.firepower == NONE) == pytest.approx(p["gun"])
    jammed = found.probability(lambda o: o.condition.firepower == REDUCED)
    assert jammed == pytest.approx(p["traverse"] * (1 - p["gun"]))
    assert found.probability(lambda o: o.condition.on_fire) == pytest.approx(p["ammunition_fire"])
    # Two rows at once, among many: the product.
    both = found.probability(lambda o: read(o, sherman)["commander"] == DEAD and o.condition.on_fire)
    assert both == pytest.approx(p["commander"] * 0.22 * p["ammunition_fire"])


@pytest.mark.rule("F11")
def test_a_two_man_turret_rolls_for_two_men(catalog) -> None:
    t34 = catalog.target("t34_76_1942")  # the commander lays the gun
    assert [row.label for row in layout(t34).rows["turret_front"]][:2] == ["commander", "loader"]
    assert layout(t34).roles["bow_gunner"] == 3
    carrier = catalog.target("sdkfz_222")
    assert set(layout(carrier).turret_seats) == {0, 1}


@pytest.mark.rule("F12")
def test_a_seat_that_was_never_there_is_skipped(catalog) -> None:
    firefly = catalog.target("sherman_firefly")  # no bow gunner
    assert [row.label for row in layout(firefly).rows["hull_front"]] == ["driver", "transmission", "ammunition fire"]


@pytest.mark.rule("F13")
def test_the_hull_side_risks_one_seat_below_and_one_above(catalog) -> None:
    sherman = catalog.target("m4a1_75_dry")
    p = {k: v / 100 for k, v in percents("hull_side", "dry").items()}
    found = penetrated(sherman, "hull_side")
    for outcome in found:
        seen = read(outcome, sherman)
        assert sum(seen[r] != FIT for r in ("driver", "bow_gunner")) <= 1
        assert sum(seen[r] != FIT for r in ("commander", "gunner", "loader")) <= 1
    assert found.probability(lambda o: read(o, sherman)["gunner"] != FIT) == pytest.approx(p["one_turret_seat"] / 3)
    fire = 1 - (1 - p["ammunition_fire"]) * (1 - p["fuel_fire"])
    assert found.probability(lambda o: o.condition.on_fire) == pytest.approx(fire)
    turret, front = percents("turret", "dry"), percents("hull_front", "dry")
    assert percents("hull_side", "dry")["ammunition_fire"] > turret["ammunition_fire"]
    assert percents("hull_side", "dry")["ammunition_fire"] > front["ammunition_fire"]


@pytest.mark.rule("F14")
def test_the_hull_rear_usually_stops_the_engine(catalog) -> None:
    sherman = catalog.target("m4a1_75_dry")
    found = penetrated(sherman, "hull_rear")
    assert found.probability(lambda o: o.condition.mobility == NONE) == pytest.approx(0.8)
    assert 0 < found.probability(lambda o: o.condition.on_fire) < 0.5
    assert all(o.condition.people == (FIT,) * 5 for o in found)


@pytest.mark.rule("F15")
def test_tracks_and_gun_need_no_penetration(catalog) -> None:
    tiger = catalog.target("tiger_1e")
    tracks, gun = penetrated(tiger, "tracks"), penetrated(tiger, "gun")
    assert tracks.probability(lambda o: bool(o.effects & IMMOBILIZED)) == pytest.approx(0.85)
    assert gun.probability(lambda o: bool(o.effects & FIREPOWER_LOST)) == pytest.approx(0.85)
    assert not any(o.effects & PENETRATED for found in (tracks, gun) for o in found)
    assert all(o.effects & HIT for found in (tracks, gun) for o in found)


@pytest.mark.rule("F16")
def test_a_casualty_is_more_often_wounded_than_killed(catalog) -> None:
    for target in ("m4a1_75_dry", "hetzer", "t34_76_1942"):
        for key in ("turret_front", "hull_front", "hull_side"):
            found = penetrated(catalog.target(target), key)
            assert found.mean(lambda o: o.wounded) > found.mean(lambda o: o.killed)


@pytest.mark.rule("F17")
def test_a_wounded_man_stays_at_half_his_skill_and_under_stress() -> None:
    condition = Condition(people=(FIT, WOUNDED, OUT, DEAD, GONE))
    assert [effective_skill(condition, seat, 60.0) for seat in range(5)] == [60, 30, 0, 0, 0]
    assert stress(condition, 1) > stress(condition, 0) == 0


@pytest.mark.rule("F9", "F17")
def test_own_tank_hits_add_up_to_stress_and_no_further() -> None:
    # 10 hundredths a hit, 25 a wound, 100 at most; who is out, dead or gone feels nothing.
    felt = feel(feel(Condition(people=(FIT, WOUNDED, OUT, DEAD, GONE))))
    assert [stress(felt, seat) for seat in range(5)] == pytest.approx([0.2, 0.45, 0, 0, 0])
    for _ in range(30):
        felt = feel(felt)
    assert [stress(felt, seat) for seat in range(2)] == [1, 1]
    assert feel(felt) == felt
    wreck = Condition(knocked_out=True, people=(FIT,) * 5)
    assert feel(wreck) == wreck
    empty = Condition(people=(DEAD, GONE))
    assert feel(empty) == empty


@pytest.mark.rule("F18")
def test_a_fire_knocks_out(catalog) -> None:
    found = penetrated(catalog.target("m4a1_75_dry"), "hull_side")
    assert all(o.condition.knocked_out for o in found if o.condition.on_fire)


def judged(target: Target, **facts) -> bool:
    now = Condition(**{"people": (FIT,) * len(target.crew), **facts})
    return falls(Scripted("").dice, layout(target), now)


@pytest.mark.rule("F19")
def test_what_knocks_a_tank_out(catalog) -> None:
    sherman = catalog.target("m4a1_75_dry")
    assert not judged(sherman)
    assert not judged(sherman, people=(DEAD, FIT, FIT, FIT, FIT))
    assert not judged(sherman, people=(DEAD, WOUNDED, WOUNDED, OUT, WOUNDED))
    assert judged(sherman, people=(DEAD, FIT, FIT, FIT, DEAD))
    assert judged(sherman, people=(FIT, FIT, GONE, DEAD, FIT))
    assert not judged(sherman, mobility=NONE)
    assert not judged(sherman, firepower=NONE)
    assert not judged(sherman, mobility=NONE, firepower=REDUCED)
    assert judged(sherman, mobility=NONE, firepower=NONE)
    # Four seats from the start: the fifth that a Firefly never had is no empty one.
    assert not judged(catalog.target("sherman_firefly"), people=(DEAD, FIT, FIT, FIT))
    # Passengers are no crew.
    half_track = catalog.target("m3_halftrack")
    assert not judged(half_track, people=(FIT, FIT, FIT) + (DEAD,) * 10)


@pytest.mark.rule("F16", "F17")
def test_a_man_who_is_hit_is_wounded_or_dead() -> None:
    assert [harm(state, killed=True) for state in (FIT, WOUNDED, OUT)] == [DEAD] * 3
    assert [harm(state, killed=False) for state in (FIT, WOUNDED, OUT)] == [WOUNDED, WOUNDED, OUT]


TRUCK = "opel_blitz"


def sums(weapon: str, rules, shot, target: Target, start: Condition, **how) -> dict[str, float]:
    """Casualties expected and effects of a burst, men alike merged or not."""
    plan = rules.plan(shot(weapon, **how), target)
    found = {}
    for merged in (False, True):
        outcomes = Exact(fractions=True, merge_alike=merged).distribution(rules.resolve, plan, start)
        for name, number in (
            ("killed", lambda o: o.killed),
            ("wounded", lambda o: o.wounded),
            ("men", lambda o: sum(state in (FIT, WOUNDED) for state in o.condition.people)),
            ("crew hit", lambda o: bool(o.effects & CREW_HIT)),
        ):
            found[f"{name} {'merged' if merged else 'by seat'}"] = outcomes.mean(number)
        found[f"outcomes {'merged' if merged else 'by seat'}"] = len(outcomes)
    return found


@pytest.mark.rule("F16")
@pytest.mark.parametrize("states", [{}, {5: WOUNDED, 3: WOUNDED, 7: DEAD, 9: OUT}])
def test_men_alike_are_merged_in_odds_and_counted_by_seat(catalog, rules, shot, states: dict[int, int]) -> None:
    """A burst into a truck of fourteen, one of them hurt before: who was hit is forgotten, how many is not."""
    target = catalog.target(TRUCK)
    start = Condition(people=tuple([states.get(seat, FIT) for seat in range(len(target.crew))]))
    how = {"range_m": 100, "aspect_deg": 90, "rounds": 10}
    found = sums("us_50_m2", rules, shot, target, start, **how)
    for name in ("killed", "wounded", "men", "crew hit"):
        assert found[f"{name} merged"] == found[f"{name} by seat"], name
    assert found["outcomes merged"] < found["outcomes by seat"]


@pytest.mark.rule("F16")
def test_casualties_are_counted_seat_by_seat(catalog, rules) -> None:
    """One of two wounded men of the bed is killed and a fit one wounded: one of each, whoever sat where."""
    start = Condition(people=(FIT, FIT, WOUNDED, *(FIT,) * 11))
    after = start._replace(people=(FIT, FIT, DEAD, WOUNDED, *(FIT,) * 10))
    assert changes(start, after)[1:] == (1, 1)


@pytest.mark.rule("F16")
def test_the_dead_are_not_rolled_for(catalog) -> None:
    sherman = catalog.target("m4a1_75_dry")
    start = Condition(people=(DEAD, FIT, FIT, GONE, WOUNDED))
    for key in ("turret_front", "hull_front", "hull_side"):
        for outcome in penetrated(sherman, key, start):
            people = outcome.condition.people
            assert (people[0], people[3]) == (DEAD, GONE)
            assert people[4] in (WOUNDED, DEAD)
            assert outcome.killed == people.count(DEAD) - 1


@pytest.mark.rule("F10")
def test_exact_fractions_sum_to_one(catalog) -> None:
    assert penetrated(catalog.target("t34_76_1942"), "turret_side", fractions=True).total() == 1


@pytest.mark.rule("F15")
def test_what_is_lost_already_is_not_lost_again(catalog) -> None:
    sherman = catalog.target("m4a1_75_dry")
    start = Condition(people=(FIT,) * 5, mobility=NONE)
    assert not any(o.effects & (IMMOBILIZED | DAMAGED) for o in penetrated(sherman, "tracks", start))


@pytest.mark.rule("F19")
def test_conditions_carry_from_shot_to_shot(catalog, shot) -> None:
    """17-pounder at a tank from astern whose crew stays: the second shot may add what the first has left out."""
    rules = FacingArmor(Options(abandon_percent=0))
    target = catalog.target("pz4_h")
    plan = rules.plan(shot("uk_17pdr", range_m=500, aspect_deg=180, given_hit=True), target)
    found = shots_until(rules, plan, 2, effort=Effort(fractions=True))
    hull, turret, tracks = Fraction(52, 100), Fraction(20, 100), Fraction(20, 100)
    dies, gun, burns = Fraction(25, 100) * KILLED, Fraction(40, 100), Fraction(55, 100)
    fuel, engine = Fraction(15, 100), Fraction(80, 100)
    two = 3 * dies**2 - 2 * dies**3
    first = turret * (1 - (1 - burns) * (1 - two)) + hull * fuel
    assert found.within[0] == pytest.approx(first)
    # Live after the first: the gun lost or not and none or one of three dead; or immobilized; or as new.
    calm = turret * (1 - burns)
    stopped = hull * (1 - fuel) * engine + tracks * Fraction(85, 100)
    none_dead, one_dead = (1 - dies) ** 3, 3 * dies * (1 - dies) ** 2
    unhurt = 1 - first - stopped - calm * (none_dead + one_dead) + calm * none_dead * (1 - gun)
    with_gun_lost = first + stopped
    with_tracks_lost = first + turret * (1 - burns) * (1 - two) * gun
    # With one of the three dead already, either of the other two is enough.
    one_gone = turret * (1 - (1 - burns) * (1 - dies) ** 2) + hull * fuel
    one_gone_gun_lost = one_gone + stopped
    second = (
        unhurt * first
        + stopped * with_tracks_lost
        + calm * none_dead * gun * with_gun_lost
        + calm * one_dead * (1 - gun) * one_gone
        + calm * one_dead * gun * one_gone_gun_lost
    )
    assert float(found.within[1]) == pytest.approx(float(first + second), abs=1e-12)
    assert found.within[1] + found.left == 1


# -- a crew that abandons ---------------------------------------------------------------------------------------------


@pytest.mark.rule("F19")
@pytest.mark.parametrize(
    ("changed", "percent"),
    [
        ({}, 42),
        ({"people": (WOUNDED, FIT, FIT, FIT, FIT)}, 52),
        ({"people": (WOUNDED, DEAD, FIT, FIT, FIT)}, 62),
        ({"firepower": NONE}, 62),
        ({"firepower": REDUCED}, 42),
        ({"mobility": NONE}, 62),
        ({"mobility": NONE, "people": (WOUNDED, DEAD, WOUNDED, FIT, FIT)}, 92),
        ({"mobility": NONE, "people": (WOUNDED,) * 5}, 95),
        ({"people": (DEAD, DEAD, DEAD, GONE, OUT)}, 0),
    ],
)
def test_the_crew_abandons_the_sooner_the_worse_off_it_is(changed, percent: int) -> None:
    condition = Condition(**{"people": (FIT,) * 5, **changed})
    found = Exact().distribution(abandons, condition, (0, 1, 2, 3, 4), 42)
    assert found.probability(bool) == pytest.approx(percent / 100)


@pytest.mark.rule("F19", "F21")
def test_an_abandoned_tank_is_knocked_out_and_its_crew_gets_out_in_time(catalog, shot) -> None:
    """17-pounder at a Panzer IV from astern: it stops the engine, and 42 + 20 % are enough to leave."""
    pz4 = catalog.target("pz4_h")
    rules = FacingArmor()
    plan = rules.plan(shot("uk_17pdr", range_m=500, aspect_deg=180, given_hit=True), pz4)
    for roll, left in ((62, True), (63, False)):
        # Hit location, engine, fuel fire, abandons; nothing stops a 17-pounder there.
        dice = Scripted(f"20, 80, 16, {roll}")
        outcome = run(dice.dice, rules.resolve, plan, rules.fresh(pz4))
        dice.finish()
        after = outcome.condition
        assert (after.knocked_out, after.on_fire, after.people) == (left, False, (FIT,) * 5)
        later = run(Scripted("").dice, rules.pass_time, pz4, after, 60.0).condition.people
        assert later == ((GONE,) * 5 if left else (FIT,) * 5)


@pytest.mark.rule("F15", "F19")
def test_nobody_leaves_for_a_track_a_bullet_or_because_the_option_says_never(catalog, shot) -> None:
    sherman = catalog.target("m4a1_75_dry")
    track = penetrated(sherman, "tracks")
    assert all(not o.condition.knocked_out for o in track)
    assert under_fire_of(layout(sherman), 75, 42).abandon_percent == 42
    assert under_fire_of(layout(sherman), 7.92, 42).abandon_percent == pytest.approx(42 * (7.92 / 20) ** 2)
    assert under_fire_of(layout(catalog.target("jeep")), 75, 42).abandon_percent == 0
    stays = FacingArmor(Options(abandon_percent=0))
    plan = stays.plan(shot("uk_17pdr", range_m=500, aspect_deg=180, given_hit=True), sherman)
    found = Exact().distribution(stays.resolve, plan, stays.fresh(sherman))
    assert all(o.condition.on_fire or o.condition.people.count(DEAD) >= 2 for o in found if o.condition.knocked_out)


# -- soft and small ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("F11")
def test_a_soft_vehicle_puts_the_man_beside_the_driver_at_risk(catalog) -> None:
    jeep = catalog.target("jeep")
    assert [row.label for row in layout(jeep).rows["hull_front"]] == ["driver", "front passenger", "transmission"]
    assert layout(jeep).rows["hull_front"][1].seats == (1,)
    bike = Target(
        id="bike", name="Bike", kind="vehicle", body="motorcycle", seats=(Seat(role="driver", compartment="saddle"),)
    )
    assert judged(bike, people=(DEAD,))
    assert not judged(bike, people=(WOUNDED,), mobility=FULL)


@pytest.mark.rule("F10", "F14", "F15")
@pytest.mark.parametrize(
    ("weapon", "stops_engine", "stops_wheels", "burns"),
    [
        ("kar98k", 13, 13, 2),  # (7.92 / 20)^2 = 0.1568 of 80, 85 and 15 %
        ("us_50_m2", 32, 34, 6),  # (12.7 / 20)^2 = 0.4032
        ("de_37_pak36", 80, 85, 15),
    ],
)
def test_a_bullet_inside_does_far_less_than_a_shell(
    catalog, rules, shot, weapon: str, stops_engine: int, stops_wheels: int, burns: int
) -> None:
    """From astern: 52 % meet the hull, 20 % what stands in place of a turret, 20 % the wheels; none is stopped."""
    plan = rules.plan(shot(weapon, range_m=100, aspect_deg=180, given_hit=True), catalog.target("opel_blitz"))
    assert plan.penetration_chance("hull_rear") == 1
    found = Exact().distribution(rules.resolve, plan, rules.fresh(plan.target))
    stopped = found.probability(lambda o: bool(o.effects & IMMOBILIZED))
    assert stopped == pytest.approx(0.72 * stops_engine / 100 + 0.20 * stops_wheels / 100)
    assert found.probability(lambda o: o.condition.on_fire) == pytest.approx(0.72 * burns / 100)
    assert any("machinery" in note for note in plan.notes) == (weapon != "de_37_pak36")


@pytest.mark.rule("F11", "F12", "F13")
def test_men_are_at_risk_from_bullets_as_from_shells(catalog) -> None:
    sherman = layout(catalog.target("m4a1_75_dry"))
    bullets = under_fire_of(sherman, 7.92)
    for key, rows in sherman.rows.items():
        for row, small in zip(rows, bullets.rows[key]):
            assert (small.percent == row.percent) if row.seats else (0 < small.percent <= row.percent)
    # Shells, and charges without a bore, share one layout: exact odds then share what happens inside.
    assert under_fire_of(sherman, 20.0) is under_fire_of(sherman, 75.0) is under_fire_of(sherman, 0.0) is sherman
    assert bullet_share(19.999) == pytest.approx(1, abs=1e-3)
    assert bullet_share(5) < bullet_share(10) < bullet_share(15)


@pytest.mark.rule("F8")
def test_where_there_is_no_armor_every_hit_is_through(catalog, rules, shot) -> None:
    """Even a spent round: the 37 mm table ends at 0 mm."""
    bike = Target(
        id="bike", name="Bike", kind="vehicle", body="motorcycle", seats=(Seat(role="driver", compartment="saddle"),)
    )
    plan = rules.plan(shot("de_37_pak36", range_m=9000, aspect_deg=180, given_hit=True), bike)
    assert plan.penetration_chance("hull_rear") == 1
