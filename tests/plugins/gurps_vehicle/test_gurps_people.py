"""People inside and out (G27-G31), and exact odds against brute force that shares no code with the plugin."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from gurps_vehicle.health import HURT
from gurps_vehicle.person import Person
from gurps_vehicle.ruleset import GurpsVehicle
from gurps_vehicle.tables import occupant_number
from gurps_vehicle.vehicle.aboard import lots_of, occupant_dice
from mantlet import Attack, Condition, DiceInputError, Exact, Scripted, Seat, Target, distribution, odds, run, summarize
from mantlet.game.condition import DEAD, FIT, NONE, OUT, WOUNDED
from mantlet.game.effects import DAMAGED

GRID = {
    (1, 1): [10, 9, 8, 7, 6, 5, 4, 3, 3, 3, 3],
    (2, 2): [12, 10, 9, 8, 7, 6, 5, 4, 3, 3, 3],
    (3, 5): [14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 3],
    (6, 10): [16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3],
    (11, 20): [17, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4],
    (21, 50): [17, 17, 16, 14, 12, 10, 9, 8, 7, 6, 5],
    (51, 100): [17, 17, 17, 16, 14, 12, 10, 9, 8, 7, 6],
    (101, 200): [17, 17, 17, 17, 16, 14, 12, 10, 9, 8, 7],
    (201, 500): [17, 17, 17, 17, 17, 16, 14, 12, 10, 9, 8],
}
WAYS = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=3))


@pytest.mark.rule("G27")
def test_the_whole_occupant_table() -> None:
    for (low, high), numbers in GRID.items():
        for people in (low, high):
            assert [occupant_number(people, sm, "clamp") for sm in range(1, 12)] == numbers
    grid = GurpsVehicle().grids()["occupants"]
    assert [list(row) for row in grid.cells] == list(GRID.values())
    assert grid.rows == ("1", "2", "3-5", "6-10", "11-20", "21-50", "51-100", "101-200", "201-500")
    assert grid.columns == tuple(f"+{sm}" for sm in range(1, 12))
    tables = GurpsVehicle().tables()
    for i, row in enumerate(grid.rows):
        for j in range(11):
            number = grid.cells[i][j]
            exact = Fraction(sum(n for total, n in WAYS.items() if total <= number), 216)
            assert grid.probability(i, j) == exact
            assert tables[f"occupants.sm{j + 1}.{row}"].probabilities()[0] == exact


@pytest.mark.rule("G27")
def test_beyond_the_printed_table() -> None:
    assert occupant_number(4, -3, "clamp") == occupant_number(4, 1, "clamp") == 14
    assert occupant_number(900, 12, "clamp") == 8
    assert occupant_number(4, 0, "continue") == 16
    assert occupant_number(4, -2, "continue") == 17
    assert occupant_number(1, 5, "continue") == occupant_number(1, 5, "clamp")
    assert occupant_number(201, 12, "continue") == 7
    assert occupant_number(1000, 11, "continue") == 9
    assert occupant_number(2000, 11, "continue") == 10


@pytest.mark.rule("G27", "G28")
def test_five_points_through_an_occupied_place(shooting: Any) -> None:
    target = shooting.vehicle(4, dr={"other": 0}, sm=3)
    few, _ = shooting.script("10,4", shooting.attack("1d", "cr"), target)  # 4 points: nobody is asked
    assert few.wounded == 0
    # 14 points are two full fives: 2d cutting to somebody whose DR protects.
    hit, _ = shooting.script("10,14,10,3,10,2", shooting.attack("2d+2", "cr"), target)
    assert (hit.wounded, hit.damage) == (1, 14)
    missed, _ = shooting.script("10,14,11", shooting.attack("2d+2", "cr"), target)
    assert missed.wounded == 0
    vest = shooting.vehicle(4, dr={"other": 0}, sm=3, person_dr=12)
    saved, _ = shooting.script("10,14,10,3,10,12", shooting.attack("2d+2", "cr"), vest)
    assert saved.wounded == 0


@pytest.mark.rule("G28", "G30")
def test_injury_of_somebody_inside_is_his_own(shooting: Any) -> None:
    target = shooting.vehicle(1, dr={"other": 0}, sm=1, person_hp=10, person_ht=10)
    rules = shooting.rules(wounds="points")
    plan = rules.plan(shooting.attack("1d+4", "cr"), target)
    # 10 points through: 2d cutting to the torso, 7 rolled, x1.5 = 10: a major wound, 0 HP.
    source = Scripted("10,10,10,10,7,10,10")
    outcome = run(source.dice, rules.resolve, plan, rules.fresh(target))
    source.finish()
    assert outcome.damage == 10  # the vehicle's own, not added to
    assert outcome.condition.detail.people == (Person(10, HURT),)
    assert outcome.condition.people == (WOUNDED,)
    limb = run(Scripted("10,10,10,8,12,10").dice, rules.resolve, plan, rules.fresh(target))
    assert limb.condition.detail.people == (Person(6, HURT),)  # an arm costs no more than HP/2 and a point
    out = run(Scripted("10,10,10,10,7,10,11").dice, rules.resolve, plan, rules.fresh(target))
    assert out.condition.people == (OUT,)
    skull = run(Scripted("10,10,10,3,12,3,13").dice, rules.resolve, plan, rules.fresh(target))
    assert skull.condition.people == (DEAD,)


@pytest.mark.rule("G29")
def test_more_than_four_dice_may_be_divided(shooting: Any) -> None:
    assert lots_of(7, True) == (4, 3)
    assert lots_of(7, False) == (7,)
    assert lots_of(4, True) == (4,)
    assert lots_of(12, True) == (4, 4, 4)
    assert str(occupant_dice(7)) == "7d6"
    assert str(occupant_dice(300)) == "300d6"
    assert str(occupant_dice(3660)) == "6d6x610"  # 100 t of explosive: 3.5 x 3660 = 21 x 610
    target = shooting.vehicle(3, dr={"other": 0}, sm=3)
    attack = shooting.attack("1dx35", "cr", stats={"damage": "1d+34"})
    outcome, _ = shooting.script("10,35,10,10,1,10,4,10,2,10,3", attack, target, divide_occupant_damage=True)
    assert outcome.wounded == 2


@pytest.mark.rule("G28")
@pytest.mark.parametrize(
    ("points", "dice"), [(104, "20d6"), (105, "21d6"), (114, "22d6"), (115, "23d6"), (999, "199d6"), (1005, "201d6")]
)
def test_one_die_for_every_five_full_points_however_many(shooting: Any, points: int, dice: str) -> None:
    # A flat damage roll, DR 0: all of it goes through, and one person in SM +1 is hit on 10 or less.
    target = shooting.vehicle(1, dr={"other": 0}, sm=1, hp=10_000)
    rules = shooting.rules(wounds="points")
    plan = rules.plan(shooting.attack(stats={"damage": f"1d+{points - 1}", "type": "cr"}), target)
    source = Scripted(f"10,{points},10,10,{dice.removesuffix('d6')}")  # body; damage; hit; torso; every die shows 1
    with suppress(DiceInputError):  # the HT rolls that may follow are not of interest here
        run(source.dice, rules.resolve, plan, rules.fresh(target))
    assert [roll.dice for roll in source.account.rolls if roll.reason.startswith("cut damage")] == [dice]


@pytest.mark.rule("G28")
def test_a_wound_of_twenty_one_dice_by_hand(shooting: Any) -> None:
    # 105 points through a vehicle of DR 0 are 21d cutting: 30 rolled, x1.5 to the torso = 45, so 10 HP become -35.
    target = shooting.vehicle(1, dr={"other": 0}, sm=1, hp=10_000, person_hp=10, person_ht=10)
    attack = shooting.attack(stats={"damage": "1d+104", "type": "cr"})
    # Knockdown and the rolls at -10, -20, -30 HP and at 0 HP or less are all made.
    outcome, _ = shooting.script("10,105,10,10,30,10,10,10,10,10", attack, target, wounds="points")
    assert outcome.condition.detail.people == (Person(45, HURT),)
    # The least 21 dice can show is 21: x1.5 = 31, so HP -21 and one death check less.
    outcome, _ = shooting.script("10,105,10,10,21,10,10,10,10", attack, target, wounds="points")
    assert outcome.condition.detail.people == (Person(31, HURT),)


@pytest.mark.rule("G31")
def test_who_is_hit_is_even(shooting: Any) -> None:
    target = shooting.vehicle(3, dr={"other": 0}, sm=3)
    found = shooting.exact(shooting.attack("1d+4", "cr"), target)
    struck = [found.probability(lambda o, i=i: o.condition.people[i] != FIT) for i in range(3)]
    assert struck[0] == struck[1] == struck[2] > 0


# -- brute force -----------------------------------------------------------------------------------------------------
# Everything below is written again from the rules, total by total; nothing of the plugin is used but its results.

HUMAN = [
    (3, 4, "skull"), (5, 5, "face"), (6, 7, "limb"), (8, 8, "limb"), (9, 10, "torso"), (11, 11, "groin"),
    (12, 12, "limb"), (13, 14, "limb"), (15, 15, "extremity"), (16, 16, "extremity"), (17, 18, "neck"),
]  # fmt: skip
CUT = {"skull": 4.0, "face": 1.5, "limb": 1.5, "torso": 1.5, "groin": 1.5, "extremity": 1.5, "neck": 2.0}
PI = {"skull": 4.0, "face": 1.0, "limb": 1.0, "torso": 1.0, "groin": 1.0, "extremity": 1.0, "neck": 1.0}
KNOCK = {"skull": -10, "face": -5, "groin": -5}


def sums(dice: int, add: int = 0) -> dict[int, Fraction]:
    counts = Counter(sum(faces) + add for faces in itertools.product(range(1, 7), repeat=dice))
    return {total: Fraction(n, 6**dice) for total, n in counts.items()}


THREE = sums(3)


def made(target: int) -> Fraction:
    return sum((p for roll, p in THREE.items() if roll <= 4 or (roll <= target and roll < 17)), Fraction(0))


def missed_by(target: int, low: int, high: int) -> Fraction:
    total = Fraction(0)
    for roll, p in THREE.items():
        if roll <= 4 or (roll <= target and roll < 17):
            continue
        margin = max(roll - target, 1)
        if roll == 18 or (roll == 17 and target <= 15) or margin >= 10:
            margin = max(margin, 10)
        total += p if low <= margin <= high else 0
    return total


def fate(lost: int, major: bool, modifier: int, hp: int, ht: int) -> dict[str, Fraction]:
    """Hurt, down or dead, from one wound to somebody fit."""
    if lost >= 6 * hp:
        return {"dead": Fraction(1)}
    out = missed_by(ht + modifier, 5, 99) if major else Fraction(0)
    states = {"down": out, "hurt": 1 - out}
    dead = Fraction(0)
    for _ in range(max(0, lost // hp - 1)):
        p_made, p_dying = made(ht), missed_by(ht, 1, 2)
        dead += (states["hurt"] + states["down"]) * (1 - p_made - p_dying)
        states = {
            "hurt": states["hurt"] * p_made,
            "down": states["hurt"] * p_dying + states["down"] * (p_made + p_dying),
        }
    if lost >= hp:
        states = {"hurt": states["hurt"] * made(ht), "down": states["down"] + states["hurt"] * (1 - made(ht))}
    return {"dead": dead, **states}


def person(
    damage: dict[int, Fraction], factors: dict[str, float], cover: int = 0, hp: int = 10, ht: int = 10
) -> dict[str, Fraction]:
    """What becomes of somebody fit that this damage strikes in a random place."""
    found: Counter[str] = Counter()
    for low, high, place in HUMAN:
        p_place = sum((p for roll, p in THREE.items() if low <= roll <= high), Fraction(0))
        for total, p in damage.items():
            through = total - cover - (2 if place == "skull" else 0)
            if through <= 0:
                found["fit"] += p_place * p  # type: ignore[assignment]
                continue
            injury = max(1, int(through * factors[place]))
            limit = hp / {"limb": 2, "extremity": 3}.get(place, 0) if place in ("limb", "extremity") else 1e9
            major = injury > hp / 2 or injury > limit
            lost = min(injury, int(limit) + 1) if limit < 1e9 else injury
            for state, q in fate(lost, major, KNOCK.get(place, 0), hp, ht).items():
                found[state] += p_place * p * q  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def same(found: Any, expected: dict[str, Fraction]) -> None:
    states = {"fit": FIT, "hurt": WOUNDED, "down": OUT, "dead": DEAD}
    for name, state in states.items():
        got = found.probability(lambda o, s=state: (max(o.condition.people) if o.condition.people else FIT) == s)
        assert got == expected.get(name, 0), name


def rows(table: str) -> Iterator[tuple[str, Fraction]]:
    for part in table.split("|"):
        span, name = part.split(" ", 1)
        low, _, high = span.partition("-")
        yield name, sum((THREE[t] for t in range(int(low), int(high or low) + 1)), Fraction(0))


@pytest.mark.rule("G18", "G28")
def test_brute_force_a_motorcycle_rider(shooting: Any) -> None:
    bike = shooting.vehicle(1, True, "saddle", locations="E2W", sm=1, dr={"other": 3}, person_hp=10, person_ht=10)
    found = shooting.exact(shooting.attack("2d+1", "pi"), bike)
    rider = person(sums(2, 1), PI)
    at_nine = Fraction(25, 216)
    expected = {state: p * at_nine for state, p in rider.items()}
    # Whoever sits on a motorcycle is not inside it: other hits leave him alone.
    expected["fit"] = expected.get("fit", Fraction(0)) + 1 - at_nine
    same(found, expected)


@pytest.mark.rule("G20", "G27", "G28", "G31")
def test_brute_force_a_window_with_four_people_inside(shooting: Any) -> None:
    car = shooting.vehicle(4, locations="G4W", sm=3, dr={"other": 5}, tires=False)
    found = shooting.exact(shooting.attack("2d", "pi", aim="G"), car)
    inside = sum((p for roll, p in THREE.items() if roll <= 10), Fraction(0))  # four people, SM +3
    struck = person(sums(2), PI, cover=3)
    expected = {state: p * inside for state, p in struck.items()}
    expected["fit"] += 1 - inside
    same(found, expected)
    # Nobody in the way: the vehicle behind the pane takes it, one third of what is over DR 3.
    mean = sum((p * max(1, (t - 3) // 3) for t, p in sums(2).items() if t > 3), Fraction(0)) * (1 - inside)
    assert found.mean(lambda o: o.damage) == mean


QUADRUPED = "3-4 skull|5 face|6 neck|7-8 foreleg|9-11 torso|12 groin|13-14 hind leg|15-16 foot|17-18 tail"
DRAGON = "3-4 skull|5 face|6 neck|7-8 foreleg|9-11 torso|12 wing|13-14 hind leg|15-16 foot|17-18 tail"
OCTOPOD = "3-4 brain|5 face|6 neck|7-8 arm|9-12 torso|13-14 arm|15-16 arm|17-18 arm"
LIMBS = {"foreleg": 2, "hind leg": 2, "wing": 2, "arm": 2, "foot": 3, "tail": 3}


def creature(
    table: str, damage: dict[int, Fraction], hp: int, ht: int, dr: int = 0
) -> tuple[dict[str, Fraction], Fraction]:
    """Hurt, down or dead, and the mean injury, of a piercing round in a random place of a body."""
    found: dict[str, Fraction] = {}
    mean = Fraction(0)
    for place, p_place in rows(table):
        for total, p in damage.items():
            through = total - dr - {"skull": 2, "brain": 1}.get(place, 0)
            if through <= 0:
                found["fit"] = found.get("fit", Fraction(0)) + p_place * p
                continue
            injury = through * (4 if place in ("skull", "brain") else 1)
            part = LIMBS.get(place, 0)
            crippled = bool(part) and injury * part > hp
            lost = min(injury, hp // part + 1) if part else injury
            mean += p_place * p * lost
            modifier = {"skull": -10, "brain": -10, "face": -5, "groin": -5}.get(place, 0)
            for state, q in fate(lost, injury * 2 > hp or crippled, modifier, hp, ht).items():
                found[state] = found.get(state, Fraction(0)) + p_place * p * q
    return found, mean


@pytest.mark.rule("G1", "G10")
@pytest.mark.parametrize(
    ("body", "table"), [("quadruped", QUADRUPED), ("winged_quadruped", DRAGON), ("octopod", OCTOPOD)]
)
def test_brute_force_a_random_hit_on_a_creature(shooting: Any, body: str, table: str) -> None:
    beast = shooting.creature(body, hp=12, ht=11, creature_dr={"torso": 1}, tail="extremity")
    found = shooting.exact(shooting.attack("3d", "pi"), beast)
    expected, mean = creature(table, sums(3), 12, 11, dr=1)
    assert found.mean(lambda o: o.damage) == mean
    assert found.probability(lambda o: o.condition.destroyed) == expected["dead"]
    assert found.probability(lambda o: o.condition.knocked_out) == expected["dead"] + expected["down"]


@pytest.mark.rule("G10")
@pytest.mark.parametrize(
    ("body", "aim", "penalty", "places"),
    [
        ("quadruped", "hind leg", -2, {"hind_leg/right": Fraction(1, 2), "hind_leg/left": Fraction(1, 2)}),
        ("quadruped", "skull", -7, {"skull": Fraction(1)}),
        ("winged_quadruped", "left wing", -2, {"wing/left": Fraction(1)}),
        ("octopod", "arm 5", -2, {"arm/5": Fraction(1)}),
        ("octopod", "arm", -2, {f"arm/{n}": Fraction(1, 8) for n in range(1, 9)}),
    ],
)
def test_brute_force_an_aimed_hit_on_a_creature(
    shooting: Any, body: str, aim: str, penalty: int, places: dict[str, Fraction]
) -> None:
    beast = shooting.creature(body, hp=12, ht=11)
    attack = shooting.attack("2d", "pi", aim=aim, given_hit=False, skills={"gurps_vehicle": 14})
    found = shooting.exact(attack, beast)
    hit = made(14 + penalty)
    near = THREE[14 - 7 + 1] if aim == "skull" else Fraction(0)  # missed by one: the torso
    assert found.probability(lambda o: o.hits) == hit + near
    assert found.probability(lambda o: bool(o.locations) and o.locations[0].path == "torso") == near
    for path, share in places.items():
        wanted = path.replace("_", " ")
        assert found.probability(lambda o, w=wanted: bool(o.locations) and o.locations[0].path == w) == hit * share
    limb = aim != "skull"
    # A limb over HP/2 is crippled and lets the rest go; the skull takes four times what passes its DR 2.
    if limb:
        lost = {t: min(t, 7) for t in range(2, 13)}
    else:
        lost = {t: max(0, t - 2) * 4 for t in range(2, 13)}
    mean = hit * sum((p * lost[t] for t, p in sums(2).items()), Fraction(0))
    assert found.mean(lambda o: o.damage) == mean + near * 7
    dead = sum(
        (
            p * fate(lost[t], t > 6 if limb else lost[t] > 6, 0 if limb else -10, 12, 11)["dead"]
            for t, p in sums(2).items()
            if lost[t]
        ),
        Fraction(0),
    )
    # Two dice in the torso never reach -HP.
    assert found.probability(lambda o: o.condition.destroyed) == hit * dead


@pytest.mark.rule("G16", "G19")
def test_brute_force_a_tank_under_a_burst(shooting: Any) -> None:
    tank = shooting.vehicle(0, locations="2C", hp=30, dr={"other": 7, "C": 3}, powered=False, sm=0)
    attack = shooting.attack("2d", "cr", given_hit=False, rounds=6, skills={"gurps_vehicle": 9})
    found = shooting.exact(attack, tank)
    skill = 9 + 1  # six rounds
    track = Fraction(25 + 36, 216)

    def one(lost: int, gone: int) -> Iterator[tuple[int, int, Fraction]]:
        for total, p in sums(2).items():
            through = total - 7
            yield lost + max(0, through), gone, p * (1 - track)
            injury = max(0, total - 3)
            if gone >= 2:
                yield lost, gone, p * track
            else:
                yield lost + min(injury, 16), gone + (injury > 15), p * track

    expected: dict[tuple[int, int], Fraction] = {}
    for roll, p_roll in THREE.items():
        hits = 0
        if roll <= 4 or (roll <= skill and roll < 17):
            hits = min(6, 1 + max(0, skill - roll) // 2)
        states = {(0, 0): p_roll}
        for _ in range(hits):
            after: dict[tuple[int, int], Fraction] = {}
            for (lost, gone), p in states.items():
                for new_lost, new_gone, q in one(lost, gone):
                    after[new_lost, new_gone] = after.get((new_lost, new_gone), Fraction(0)) + p * q
            states = after
        for key, p in states.items():
            expected[key] = expected.get(key, Fraction(0)) + p
    got = found.map(lambda o: (o.condition.detail.lost, o.condition.detail.crippled.count("C")))
    assert {k: v for k, v in got.items() if v} == expected


def agree(rules: GurpsVehicle, attack: Attack, target: Target, start: Condition | None = None) -> None:
    """Odds that do not tell people alike apart are those of everybody by seat."""
    plan = rules.plan(attack, target)
    whole, merged = (
        summarize(rules, plan, distribution(rules, plan, start, Exact(merge_alike=alike))) for alike in (False, True)
    )
    assert merged.odds == pytest.approx(whole.odds, abs=1e-12)
    assert merged.expected == pytest.approx(whole.expected, abs=1e-9)
    assert merged.locations == pytest.approx(whole.locations, abs=1e-12)


@pytest.mark.rule("G27", "G30")
@pytest.mark.parametrize(
    ("seats", "exposed", "compartment", "stats"),
    [
        (5, False, "front", {"locations": "G", "fragile": ["f"], "hp": 20}),
        (2, True, "saddle", {"locations": "2E2W", "fragile": ["f"], "hp": 15}),
        (1, True, "front", {"locations": "OX1C", "hp": 12, "powered": False}),
        (2, False, "turret", {"locations": "2CT", "fragile": ["x"], "hp": 14}),
        (0, False, "front", {"locations": "2D4W", "fragile": ["c"], "powered": False, "ablative": "semi-ablative"}),
    ],
)
def test_people_alike_are_one(
    shooting: Any, seats: int, exposed: bool, compartment: str, stats: dict[str, Any]
) -> None:
    target = shooting.vehicle(seats, exposed, compartment, sm=3, dr={"other": 3}, **stats)
    attack = shooting.attack("1d+6", "pi", given_hit=False, rounds=5, skills={"gurps_vehicle": 2})
    rules = shooting.rules()
    assert shooting.most(rules.plan(attack, target)) == 2
    agree(rules, attack, target)


@pytest.mark.rule("G11", "G15", "G19")
@pytest.mark.parametrize(
    ("locations", "seats", "powered", "fragile", "ablative"),
    [
        ("2W", 1, True, ["f"], ""),
        ("1C", 1, True, [], ""),
        ("M2W", 0, False, ["c"], ""),
        ("", 1, False, [], "semi-ablative"),
    ],
)
def test_people_alike_are_one_where_more_rounds_strike_than_there_are_parts(
    shooting: Any, locations: str, seats: int, powered: bool, fragile: list[str], ablative: str
) -> None:
    stats = {"locations": locations, "powered": powered, "fragile": fragile, "ablative": ablative, "hp": 9}
    target = shooting.vehicle(seats, sm=3, dr={"other": 2}, **stats)
    rules = shooting.rules(criticals=True)
    attack = shooting.attack("1d+3", "pi", given_hit=False, rounds=5, skills={"gurps_vehicle": 4})
    assert shooting.most(rules.plan(attack, target)) == 3
    agree(rules, attack, target)


@pytest.mark.rule("G27", "G30")
def test_people_alike_are_one_for_critical_hits_and_wounded_crews(shooting: Any) -> None:
    target = shooting.vehicle(2, False, "front", locations="G4W", sm=3, dr={"other": 3}, fragile=["f"], hp=20)
    rules = shooting.rules(criticals=True)
    attack = shooting.attack("1d+6", "pi", given_hit=False, skills={"gurps_vehicle": 6})
    first = rules.plan(shooting.attack("1d+11", "cr"), target)
    start = run(Scripted("10,12,9,1,10,6,10").dice, rules.resolve, first, rules.fresh(target)).condition
    assert start.people == (WOUNDED, FIT)
    agree(rules, attack, target, start)


@pytest.mark.rule("G27", "G31")
@pytest.mark.parametrize(
    ("seats", "locations"),
    [
        ((("front", 1, True), ("front", 1, False)), "O"),
        ((("turret", 1, True), ("turret", 1, False), ("front", 1, False)), "ET"),
        ((("saddle", 1, True), ("sidecar", 1, True), ("deck", 1, True)), "E2W"),
    ],
)
def test_people_alike_are_one_where_they_sit_differently(shooting: Any, seats: Any, locations: str) -> None:
    crew = tuple(Seat(role=f"{where} man", compartment=where, count=n, exposed=out) for where, n, out in seats)
    block = {"hp": 30, "ht": 10, "sm": 1, "dr": {"other": 0}, "fragile": [], "locations": locations}
    target = Target(id="b", name="b", kind="vehicle", body="car", seats=crew, stats={"gurps_vehicle": block})
    rules = shooting.rules()
    attack = shooting.attack("1d+6", "cr", given_hit=False, rounds=5, skills={"gurps_vehicle": 5})
    assert shooting.most(rules.plan(attack, target)) == 3
    agree(rules, attack, target)


@pytest.mark.rule("G27", "G31")
def test_people_alike_are_one_of_a_burst_for_a_crew_of_whom_some_are_wounded(shooting: Any) -> None:
    target = shooting.vehicle(3, sm=1, dr={"other": 0}, hp=30)
    rules = shooting.rules()
    first = rules.plan(shooting.attack("1d+4", "cr"), target)
    start = run(Scripted("10,10,9,2,10,3").dice, rules.resolve, first, rules.fresh(target)).condition
    assert start.people == (FIT, WOUNDED, FIT)
    agree(rules, shooting.attack("1d+6", "cr", given_hit=False, rounds=5, skills={"gurps_vehicle": 5}), target, start)


@pytest.mark.rule("G26", "G30")
def test_people_alike_are_one_of_bursting_shells_for_a_rider_alone(shooting: Any) -> None:
    target = shooting.vehicle(1, True, "saddle", locations="2W", sm=1, dr={"other": 2}, hp=12, person_hp=4)
    shells = shooting.attack("1d+3", "cr", given_hit=False, rounds=4, skills={"gurps_vehicle": 5}, aim="body")
    stats = {"gurps_vehicle": {**shells.ammunition.stats["gurps_vehicle"], "explosive": True}}
    attack = replace(shells, ammunition=replace(shells.ammunition, stats=stats))
    rules = shooting.rules()
    assert shooting.most(rules.plan(attack, target)) > 1
    agree(rules, attack, target)
    assert odds(rules, attack, target).expected["people_wounded"] > 0.05


def test_two_seats_of_one_role_have_names_of_their_own(shooting: Any) -> None:
    crew = tuple(Seat(role="gunner", compartment="front") for _ in range(2))
    block = {"hp": 30, "sm": 1, "dr": {"other": 0}, "locations": "G"}
    target = Target(id="b", name="b", kind="vehicle", body="car", seats=crew, stats={"gurps_vehicle": block})
    plan = shooting.rules().plan(shooting.attack(aim="G"), target)
    assert plan.seat_names == ("gunner 1", "gunner 2")
    found = shooting.exact(shooting.attack(aim="G"), target)
    struck = [found.probability(lambda o, i=i: o.condition.people[i] != FIT) for i in range(2)]
    assert struck[0] == struck[1] > 0


def test_people_are_told_apart_in_a_saved_state(shooting: Any) -> None:
    target = shooting.vehicle(3, dr={"other": 0}, sm=1)
    outcome, _ = shooting.script("10,5,10,2,10,1", shooting.attack("1d", "cr"), target)
    rules = shooting.rules()
    data = rules.dump_detail(outcome.condition.detail)
    assert rules.load_detail(data) == outcome.condition.detail
    assert [person.state for person in outcome.condition.detail.people] == [0, 1, 0]


@pytest.mark.rule("G19")
@pytest.mark.parametrize("lost", [15, 45, 100])
@pytest.mark.parametrize("fragile", [[], ["f"], ["x"]])
@pytest.mark.parametrize("rounds", [1, 3])
def test_people_alike_are_one_past_0_hp(shooting: Any, lost: int, fragile: list[str], rounds: int) -> None:
    target = shooting.vehicle(2, False, "front", locations="G2W", hp=20, fragile=fragile)
    rules = shooting.rules()
    fresh = rules.fresh(target)
    # Both wheels are gone: what strikes one now is lost, and asks for no roll.
    start = fresh._replace(mobility=NONE, detail=fresh.detail._replace(lost=lost, crippled=("W", "W")))
    attack = shooting.attack("1d+6", "pi", given_hit=False, rounds=rounds, skills={"gurps_vehicle": 4})
    agree(rules, attack, target, start)


@pytest.mark.rule("G19")
def test_a_vehicle_past_0_hp_rolls_for_any_injury_it_feels(shooting: Any) -> None:
    target = shooting.vehicle(0, locations="2W", hp=20, ht=10)
    rules = shooting.rules()
    fresh = rules.fresh(target)
    start = fresh._replace(mobility=NONE, detail=fresh.detail._replace(lost=25, crippled=("W", "W")))
    plan = rules.plan(shooting.attack("1d+6", "pi"), target)
    found = distribution(rules, plan, start, Exact(fractions=True))
    # 3 to 8 get through DR 4. A wheel (15, 16) feels nothing any more; the body loses 1 or 2 and rolls HT 10 once; in
    # the vital area (17, 18) 15 or more, three times 5 and up, pass -20 and ask for a second roll.
    assert found.probability(lambda o: bool(o.effects & DAMAGED)) == Fraction(200, 216)
    vital = Fraction(4, 216) * (Fraction(2, 6) * Fraction(1, 2) + Fraction(4, 6) * Fraction(3, 4))
    assert found.probability(lambda o: o.condition.knocked_out) == Fraction(196, 216) * Fraction(1, 2) + vital


@pytest.mark.rule("G19", "G25")
@pytest.mark.parametrize("rounds", [1, 4])
def test_people_alike_are_one_where_a_part_burns_of_which_nothing_is_left(shooting: Any, rounds: int) -> None:
    target = shooting.vehicle(1, locations="X", hp=40, dr={"other": 0}, fragile=["c"])
    rules = shooting.rules()
    fresh = rules.fresh(target)
    start = fresh._replace(firepower=NONE, detail=fresh.detail._replace(crippled=("X",)))
    attack = shooting.attack("1d+6", "burn", given_hit=rounds == 1, rounds=rounds, skills={"gurps_vehicle": 8}, aim="X")
    assert odds(rules, attack, target, start).odds["on_fire"] > 0
    agree(rules, attack, target, start)


@pytest.mark.rule("G19")
def test_what_another_ruleset_has_stopped_is_no_new_damage(shooting: Any) -> None:
    target = shooting.vehicle(0, locations="2R", hp=30, dr={"other": 4})
    rules = shooting.rules()
    start = rules.adopt(target, Condition(mobility=NONE))
    assert start.detail.crippled == ("R", "R")
    attack = shooting.attack("1d", "pi", given_hit=False, skills={"gurps_vehicle": 9})
    # Only 5 or 6 in 6 get through DR 4, and not at a runner: what lay there before is no new damage.
    struck = odds(rules, attack, target, start).odds
    assert struck["damaged"] < struck["hit"] / 3
