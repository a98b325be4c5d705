"""Vehicles (G11-G26): codes, the table row by row, aims, DR by face, thresholds, windows, riders, animals, fire."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from gurps_vehicle.codes import all_codes, parse_codes
from gurps_vehicle.flags import BLOWN_UP, CRASH, FIRE, GUN, JAM, POWER, SPILLED
from gurps_vehicle.health import HURT
from gurps_vehicle.person import UNHURT, Person
from gurps_vehicle.tables import aim_penalty, vehicle_table
from gurps_vehicle.vehicle.damage import move_left
from gurps_vehicle.vehicle.slots import Choice
from mantlet import CatalogError, UnknownNameError
from mantlet.game.condition import FULL, NONE, REDUCED
from mantlet.game.effects import EXPLODED

ROWS = [
    (3, 4, ["g", "X"], -7, 4),
    (5, 5, ["s", "t"], -5, 6),
    (6, 7, ["C", "D", "H", "M", "Wi"], -2, 25),
    (8, 8, ["A", "S", "T"], -2, 21),
    (9, 9, ["body", "E"], 0, 25),
    (10, 10, ["body"], 0, 27),
    (11, 11, ["G", "O"], -3, 27),
    (12, 12, ["A", "S", "T"], -2, 25),
    (13, 14, ["C", "D", "H", "M", "Wi"], -2, 36),
    (15, 16, ["R", "W"], -4, 16),
    (17, 18, ["vital"], -3, 4),
]


@pytest.mark.rule("G11")
def test_the_vehicle_table_row_by_row() -> None:
    table = vehicle_table()
    assert [(r.low, r.high, list(r.value)) for r in table.rows] == [row[:3] for row in ROWS]
    assert list(table.probabilities()) == [Fraction(row[4], 216) for row in ROWS]
    for _, _, codes, penalty, _ in ROWS:
        for code in codes:
            assert aim_penalty(code) == penalty


@pytest.mark.rule("G11")
def test_an_aim_costs_its_penalty_and_gains_sm(shooting: Any) -> None:
    for sm, total in ((0, -7), (4, -3)):
        target = shooting.vehicle(locations="g", sm=sm)
        plan = shooting.rules().plan(shooting.attack(aim="g", given_hit=False, skills={"gurps_vehicle": 20}), target)
        assert plan.check.target == 20 + total
    with pytest.raises(UnknownNameError, match="wheel"):
        shooting.rules().plan(shooting.attack(aim="wheels"), shooting.vehicle(locations="4W"))


@pytest.mark.rule("G12")
def test_what_is_not_there_or_not_in_sight_is_body(shooting: Any) -> None:
    def place(total: int, locations: str, **fields: Any) -> str:
        options = fields.pop("options", {})
        plan = shooting.rules(**options).plan(shooting.attack(**fields), shooting.vehicle(locations=locations))
        return str(plan.table.row_for(total).value)

    assert place(11, "") == "body"
    assert place(15, "4W") == "wheel"
    assert place(15, "4Wr", options={"retracted": True}) == "body"
    assert place(15, "4Wr") == "wheel"
    assert place(11, "G", elevation_deg=-60) == "body"  # a window from below
    assert place(11, "G") == "large window"
    assert place(13, "2C", elevation_deg=60) == "body"
    assert place(3, "(X)") == "body"
    assert place(3, "(X)", options={"optional_fitted": True}) == "exposed weapon mount"


@pytest.mark.rule("G13")
def test_the_attacker_picks(shooting: Any) -> None:
    target = shooting.vehicle(locations="gX2CT")

    def row(policy: str) -> Any:
        plan = shooting.rules(attacker_picks=policy).plan(shooting.attack(), target)
        return plan, plan.table.row_for(3).value

    plan, picked = row("weakest")
    assert str(picked) == "exposed weapon mount"
    assert any(
        "3-4 may be small window or exposed weapon mount: the attacker picks the exposed" in n for n in plan.notes
    )
    assert str(row("g,X")[1]) == "small window"
    plan, choice = row("even")
    assert isinstance(choice, Choice)
    assert any("even odds" in note for note in plan.notes)
    odds = shooting.exact(shooting.attack(), target, attacker_picks="even")
    assert odds.probability(lambda o: o.locations[0].path == "small_window") == Fraction(2, 216)
    assert str(shooting.rules().plan(shooting.attack(aim="g"), target).aimed) == "small window"
    with pytest.raises(UnknownNameError, match="location code"):
        row("Q")


@pytest.mark.rule("G14")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2CX", [("C", 2), ("X", 1)]),
        ("G4W", [("G", 1), ("W", 4)]),
        ("2CT(X)", [("C", 2), ("T", 1), ("X", 1, "optional")]),
        ("g3WrWi", [("g", 1), ("W", 3, "retractable"), ("Wi", 1)]),
        ("GH3Wr", [("G", 1), ("H", 1), ("W", 3, "retractable")]),
        ("2DE4W", [("D", 2), ("E", 1), ("W", 4)]),
        ("", []),
        ("S 3M, 2t", [("S", 1), ("M", 3), ("t", 2)]),
    ],
)
def test_location_strings(text: str, found: list[Any]) -> None:
    read = []
    for item in parse_codes(text):
        marks = [word for word, on in (("retractable", item.retractable), ("optional", item.optional)) if on]
        read.append((item.code.code, item.count, *marks))
    assert read == found


@pytest.mark.rule("G14")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2CQ", "'Q' at character 3"),
        ("2CT(X", "not closed"),
        ("4", "''"),
        ("T)", "unexpected"),
        ("0W", "0 of W"),
        ("w", "did you mean W"),
    ],
)
def test_a_bad_location_string_is_named(text: str, said: str) -> None:
    with pytest.raises(CatalogError, match=said.replace("(", r"\(")):
        parse_codes(text)


@pytest.mark.rule("G15")
def test_a_major_wound_may_halve_move(shooting: Any) -> None:
    target = shooting.vehicle(dr={"other": 0})
    attack = shooting.attack("1dx31", "cr")

    def flags(rolls: str) -> Any:
        return shooting.script(rolls, attack, target)[0]

    hurt = flags("10,31,11")
    assert hurt.condition.detail.flags == POWER
    assert hurt.condition.mobility == REDUCED
    assert flags("10,31,10").condition.mobility == FULL
    just = shooting.script("10,30", shooting.attack("1dx30", "cr"), target)[0]  # exactly half: no major wound
    assert just.damage == 30
    unpowered = shooting.script("10,31", attack, shooting.vehicle(dr={"other": 0}, powered=False))[0]
    assert unpowered.condition.mobility == FULL


THRESHOLDS = [
    ("C", "2C", 13, 30, NONE),
    ("R", "2R", 15, 20, NONE),
    ("X", "X", 3, 12, FULL),
    ("s", "s", 5, 20, FULL),
    ("t", "t", 5, 20, FULL),
    ("H", "H", 13, 20, REDUCED),
    ("Wi", "Wi", 13, 30, REDUCED),
    ("M", "3M", 13, 10, REDUCED),
    ("A", "A", 8, 30, FULL),
    ("W", "5W", 15, 6, REDUCED),
]


@pytest.mark.rule("G16", "G19", "G22")
@pytest.mark.parametrize(("code", "locations", "roll", "limit", "mobility"), THRESHOLDS)
def test_strictly_more_than_the_threshold_cripples(
    shooting: Any, code: str, locations: str, roll: int, limit: int, mobility: int
) -> None:
    target = shooting.vehicle(dr={"other": 0}, locations=locations, tires=False)
    exactly, _ = shooting.script(f"{roll},{limit}", shooting.attack(f"1dx{limit}", "cr"), target)
    assert exactly.condition.detail.crippled == ()
    assert exactly.damage == limit
    over, _ = shooting.script(f"{roll},{limit + 1}", shooting.attack(f"1dx{limit + 1}", "cr"), target)
    assert over.condition.detail.crippled == (code,)
    assert over.condition.mobility == mobility
    # Excess is lost: no more than it takes to cripple.
    much, _ = shooting.script(f"{roll},{3 * limit}", shooting.attack(f"1dx{limit * 3}", "cr"), target)
    assert much.damage == limit + 1


@pytest.mark.rule("G16")
def test_a_track_that_is_gone_takes_no_more(shooting: Any) -> None:
    from mantlet import Scripted, run

    target = shooting.vehicle(dr={"other": 0}, locations="1C")
    rules = shooting.rules()
    plan = rules.plan(shooting.attack("1dx40", "cr"), target)
    first = run(Scripted("13,40").dice, rules.resolve, plan, rules.fresh(target))
    again = run(Scripted("13,40").dice, rules.resolve, plan, first.condition)
    assert (first.damage, again.damage) == (31, 0)


@pytest.mark.rule("G17")
def test_draft_animals(shooting: Any) -> None:
    target = shooting.vehicle(
        locations="2D4W", dr={"other": 50}, powered=False, animals={"hp": 20, "ht": 10, "sm": 1}, sm=2
    )
    plan = shooting.rules().plan(shooting.attack(aim="D", given_hit=False, skills={"gurps_vehicle": 12}), target)
    assert plan.check.target == 13  # the animal's own SM, no penalty
    outcome, _ = shooting.script("13,10,12,10", shooting.attack("2d", "cr"), target)
    assert outcome.damage == 0
    assert outcome.locations[0].path == "draft_animal"
    assert outcome.condition.detail.animals != (UNHURT, UNHURT)


@pytest.mark.rule("G18")
@pytest.mark.parametrize(
    ("critical", "rolls", "dr", "lost"),
    [
        (4, "9,4,10,4", 5, 2),  # DR 5 halved, rounded down: 4 - 2
        (7, "9,7,10,6,9", 5, 1),  # 1 point is a major wound: an HT roll
        (5, "9,5,10,4", 5, 3),  # 4 doubled
        (6, "9,6,10", 5, 1),  # 6 at most
    ],
)
def test_a_critical_counts_for_a_rider_as_well(shooting: Any, critical: int, rolls: str, dr: int, lost: int) -> None:
    bike = shooting.vehicle(1, True, "saddle", locations="E2W", dr={"other": 30}, person_dr=dr)
    attack = shooting.attack("1d", "pi", given_hit=False, skills={"gurps_vehicle": 10})
    # The attack roll (3 is a critical), the location, the critical, his place (torso), the damage.
    outcome, _ = shooting.script("3," + rolls, attack, bike, criticals=True, wounds="points")
    assert outcome.condition.detail.people == (Person(lost, HURT),)
    assert outcome.damage == 0


@pytest.mark.rule("G18")
def test_riders_take_the_hit_without_the_vehicles_dr(shooting: Any) -> None:
    bike = shooting.vehicle(1, True, "saddle", locations="E2W", dr={"other": 30})
    outcome, _ = shooting.script("9,10,5", shooting.attack("1d", "pi"), bike)
    assert (outcome.damage, outcome.wounded) == (0, 1)
    assert outcome.locations[0] == ("exposed_rider", "crew")
    car = shooting.vehicle(2, True, "front", locations="O4W", dr={"other": 30})
    outcome, _ = shooting.script("11,2,10,5", shooting.attack("1d", "pi"), car)
    assert (outcome.damage, outcome.wounded) == (0, 1)
    empty = shooting.vehicle(0, locations="E2W", dr={"other": 0})
    outcome, notes = shooting.script("9,6", shooting.attack("1d", "cr"), empty)
    assert outcome.locations[0].path == "body"
    assert "Nobody is there: the body is struck." in notes


@pytest.mark.rule("G20")
def test_windows(shooting: Any) -> None:
    target = shooting.vehicle(4, locations="G", dr={"other": 5}, sm=3, person_hp=10, person_ht=10)
    rules = shooting.rules()
    window = next(s for s in rules.plan(shooting.attack(), target).slots if s.code.code == "G")
    assert window.raw == 3  # 5 halved, rounded up
    opened = next(s for s in shooting.rules(windows="open").plan(shooting.attack(), target).slots if s.code.code == "G")
    assert opened.raw == 0
    hit, _ = shooting.script("11,10,2,10,5", shooting.attack("1d", "pi"), target)
    assert (hit.damage, hit.wounded) == (0, 1)
    missed, _ = shooting.script("11,11,6", shooting.attack("1d", "cr"), target)
    assert (missed.damage, missed.wounded) == (3, 0)


@pytest.mark.rule("G21")
def test_turrets(shooting: Any) -> None:
    target = shooting.vehicle(dr={"other": 0}, locations="T")
    attack = shooting.attack("1dx31", "cr")
    gun, _ = shooting.script("8,31,11,1", attack, target)
    assert gun.condition.detail.flags == GUN
    assert gun.condition.firepower == NONE
    jam, _ = shooting.script("8,31,11,2", attack, target)
    assert (jam.condition.detail.flags, jam.condition.firepower) == (JAM, REDUCED)
    fine, _ = shooting.script("8,31,10", attack, target)
    assert fine.condition.detail.flags == 0
    only, _ = shooting.script("12,31,11", attack, target, turret="jam")
    assert only.condition.detail.flags == JAM
    weapon, _ = shooting.script("12,31,11", attack, target, turret="gun")
    assert weapon.condition.detail.flags == GUN


@pytest.mark.rule("G22")
def test_masts(shooting: Any) -> None:
    assert move_left(3, 1) == (2, 3)
    ship = shooting.vehicle(locations="3M", dr={"other": 0}, powered=False)
    outcome, notes = shooting.script("13,11", shooting.attack("1dx11", "cr"), ship)  # HP 60 / (2 x 3) is 10
    assert outcome.condition.detail.crippled == ("M",)
    assert "Move is 2/3 of what it was." in notes


@pytest.mark.rule("G23")
def test_vital_areas(shooting: Any) -> None:
    bare = {"dr": {"other": 0}}
    for kind, beam, damage in (
        ("pi", False, 9),
        ("imp", False, 9),
        ("burn", True, 6),
        ("burn", False, 3),
        ("cut", False, 4),
    ):
        attack = shooting.attack("1d", kind, stats={"tight_beam": beam})
        outcome, _ = shooting.script("17,3", attack, shooting.vehicle(**bare))
        assert outcome.damage == damage
        assert outcome.locations[0].zone == "vital"
    unpowered, _ = shooting.script("17,6", shooting.attack("1d", "pi"), shooting.vehicle(powered=False, **bare))
    assert unpowered.locations[0].path == "body"


@pytest.mark.rule("G19")
def test_tires(shooting: Any) -> None:
    target = shooting.vehicle(dr={"other": 0}, locations="4W")
    flat, _ = shooting.script("15,1,11", shooting.attack("1d", "cr"), target)
    assert flat.condition.detail.crippled == ("W",)
    held, _ = shooting.script("15,1,10", shooting.attack("1d", "cr"), target)
    assert held.condition.detail.crippled == ()


@pytest.mark.rule("G19")
def test_what_flies_crashes_and_what_stands_on_runners_topples(shooting: Any) -> None:
    plane = shooting.vehicle(dr={"other": 0}, locations="Wi", flying=True)
    outcome, _ = shooting.script("13,31", shooting.attack("1dx31", "cr"), plane)
    assert outcome.condition.detail.flags & CRASH
    assert outcome.condition.knocked_out
    assert outcome.condition.mobility == NONE
    sled = shooting.vehicle(dr={"other": 0}, locations="2R")
    outcome, _ = shooting.script("15,21", shooting.attack("1dx21", "cr"), sled)
    assert outcome.condition.detail.flags & SPILLED


@pytest.mark.rule("G25")
def test_fragile(shooting: Any) -> None:
    def after(rolls: str, letters: list[str], damage: str = "1dx31", kind: str = "cr", **fields: Any) -> int:
        target = shooting.vehicle(dr={"other": 0}, fragile=letters, **fields)
        flags: int = shooting.script(rolls, shooting.attack(damage, kind), target)[0].condition.detail.flags
        return flags

    assert after("10,31,10,11", ["f"]) & FIRE
    assert not after("10,31,10,10", ["f"]) & FIRE
    assert after("10,31,10,8", ["f"], kind="burn") & FIRE  # HT 10 - 3
    assert not after("10,31,10,7", ["f"], kind="burn") & FIRE
    assert after("10,10", ["c"], "1dx10", "burn") & FIRE
    assert not after("10,9", ["c"], "1dx9", "burn") & FIRE
    assert after("10,31,11", ["c"], powered=False) & FIRE
    assert after("10,31,18", ["x"]) & BLOWN_UP


@pytest.mark.rule("G25")
def test_an_explosion_kills_those_inside(shooting: Any) -> None:
    target = shooting.vehicle(2, dr={"other": 0}, fragile=["x"], sm=11)
    outcome, _ = shooting.script("10,31,18,18", shooting.attack("1dx31", "cr"), target)
    assert outcome.killed == 2
    assert outcome.condition.destroyed


@pytest.mark.rule("G25")
def test_what_is_flammable_burns_on(shooting: Any) -> None:
    from mantlet import Exact, Scripted, run

    rules = shooting.rules()

    def burning(target: Any, lost: int) -> Any:
        fresh = rules.fresh(target)
        return fresh._replace(on_fire=True, detail=fresh.detail._replace(flags=FIRE, lost=lost))

    car = shooting.vehicle(2, fragile=["f", "x"], hp=10)
    # 1d-1 a second and 1 at least: 4, 1 (a 1 on the die), then 2 more, which makes 0 HP and an HT roll.
    passage = run(Scripted("4,0,2,11").dice, rules.pass_time, car, burning(car, 3), 3.0)
    assert passage.condition.detail.lost == 3 + 4 + 1 + 2
    assert (passage.condition.knocked_out, passage.condition.destroyed, passage.killed) == (True, False, 0)
    # Past -HP: an HT roll missed by 3 is the end of it, and what is explosive takes everybody along.
    passage = run(Scripted("5,13").dice, rules.pass_time, car, burning(car, 19), 60.0)
    assert passage.condition.destroyed
    assert passage.killed == 2
    assert passage.effects & EXPLODED
    # Without explosives only a critical miss does that.
    tanker = shooting.vehicle(2, fragile=["f"], hp=10)
    for roll, killed in ((13, 0), (17, 2)):
        passage = run(Scripted(f"5,{roll}").dice, rules.pass_time, tanker, burning(tanker, 19), 60.0)
        assert (passage.condition.destroyed, passage.killed) == (True, killed)
    # Two seconds of something big: each 1 to 5, with 1 twice as likely.
    big = shooting.vehicle(fragile=["f"], hp=60)
    found = Exact(fractions=True).distribution(rules.pass_time, big, burning(big, 0), 2.0)
    second = {1: Fraction(2, 6), 2: Fraction(1, 6), 3: Fraction(1, 6), 4: Fraction(1, 6), 5: Fraction(1, 6)}
    for total in range(2, 11):
        chance = sum((second[a] * second[total - a] for a in second if total - a in second), Fraction(0))
        assert found.probability(lambda p, t=total: p.condition.detail.lost == t) == chance
    # What is not flammable, or does not burn, takes nothing; neither is anything rolled.
    for target, before in ((shooting.vehicle(fragile=["x"]), None), (big, rules.fresh(big))):
        start = before or burning(target, 5)
        assert run(Scripted("").dice, rules.pass_time, target, start, 60.0).condition == start


@pytest.mark.rule("G26")
def test_large_area_injury(shooting: Any) -> None:
    target = shooting.vehicle(2, True, "front", locations="O", dr={"other": 4}, sm=11)
    flame = shooting.attack("1d", "burn", stats={"large_area": True})
    outcome, _ = shooting.script("6,5,5", flame, target)  # no location is rolled
    assert outcome.locations[0].path == "body"
    assert outcome.damage == 6 - 2  # mean of DR 4 and the bare cabin's 0
    assert outcome.wounded == 2
    aimed = shooting.rules().plan(shooting.attack("1d", "burn", stats={"large_area": True}, aim="O"), target)
    assert "aim" in aimed.ignored
    assert any("not aimed at O" in note for note in aimed.notes)


def test_dr_by_face_and_place(shooting: Any) -> None:
    dr = {
        "front": 20,
        "side": 10,
        "rear": 8,
        "top": 5,
        "under": 4,
        "turret_front": 30,
        "turret_side": 15,
        "other": 9,
        "W": 2,
    }
    target = shooting.vehicle(dr=dr, locations="T4W")

    def dr_of(code: str, **fields: Any) -> int:
        plan = shooting.rules().plan(shooting.attack(**fields), target)
        return next(int(s.raw) for s in plan.slots if s.code.code == code)

    assert [dr_of("body", aspect_deg=a) for a in (0, 45, 46, 90, 134, 135, 180, 270, 315)] == [
        20,
        20,
        10,
        10,
        10,
        8,
        8,
        10,
        20,
    ]
    assert (dr_of("body", elevation_deg=45), dr_of("body", elevation_deg=-45)) == (5, 4)
    assert (dr_of("T"), dr_of("T", aspect_deg=90), dr_of("T", aspect_deg=180)) == (30, 15, 8)
    assert dr_of("W") == 2
    assert dr_of("body", delivery="placed_under") == 4


def test_every_code_has_a_row_or_is_a_limb() -> None:
    on_table = {code for row in vehicle_table().rows for code in row.value}
    assert set(all_codes()) - on_table == {"L"}
