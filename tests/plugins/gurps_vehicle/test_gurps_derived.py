"""Derived stat blocks: every formula worked out by hand once, on things made for it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from gurps_vehicle.attack_roll import size_modifier, yards
from gurps_vehicle.deriving_targets import block_of
from gurps_vehicle.deriving_weapons import shot_of
from gurps_vehicle.flags import FIRE, GUN, JAM, POWER, STOPPED, WRECKED
from gurps_vehicle.health import DOWN, HURT
from gurps_vehicle.person import KILLED, UNHURT, Person
from gurps_vehicle.ruleset import GurpsVehicle
from mantlet import Ammunition, Condition, PenetrationTable, Plate, Seat, Target, Weapon
from mantlet.game.condition import DEAD, FIT, FULL, GONE, NONE, OUT, REDUCED, WOUNDED

DR_PER_MM = 70 / 25.4


RIDER = Seat(role="rider", compartment="saddle", exposed=True)


def thing(**fields: Any) -> Target:
    return Target(**{"id": "t", "name": "t", "kind": "vehicle", "body": "car", "components": (), "seats": (), **fields})


# -- targets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "body", "hp"), [("vehicle", "car", 52), ("creature", "animal", 26)])
def test_hp_by_weight(kind: Any, body: Any, hp: int) -> None:
    """1,000 kg are 2,204.6 lb, whose cube root is 13.01: 4 times that, or 2 times."""
    block = block_of(thing(kind=kind, body=body, mass_kg=1000))
    assert block.hp == hp
    found = next(d for d in block.derived if d.stat == "hp")
    assert found.inputs == {"mass_kg": 1000}


@pytest.mark.parametrize(
    ("length", "height", "sm"),
    [(1.8, 0.5, 0), (2.0, 0.5, 1), (4.5, 1.5, 2), (4.6, 1.5, 3), (1, 9.2, 5)],
)
def test_sm_by_the_longest_dimension(length: float, height: float, sm: int) -> None:
    """2, 3, 5, 7, 10 and 15 yd are 1.83, 2.74, 4.57, 6.4, 9.14 and 13.7 m."""
    assert block_of(thing(length_m=length, height_m=height)).sm == sm


def test_sm_where_no_dimension_is_known() -> None:
    """A truck of the usual 6.5 m (7.1 yd) is over 7 yd and not over 10: +4. A man of 1.75 m is 0."""
    block = block_of(thing(body="truck"))
    assert block.sm == 4
    derived = next(d for d in block.derived if d.stat == "sm")
    assert "as none is known" in derived.formula
    assert derived.inputs == {"length_yd": 7.11}
    assert block_of(thing(kind="team", body="infantry")).sm == 0


def test_ht_by_kind() -> None:
    hts = [block_of(thing(components=aboard)).ht for aboard in (("engine",), ())]
    assert [*hts, block_of(thing(kind="creature", body="animal")).ht] == [11, 12, 12]


def test_dr_by_plate() -> None:
    plates = (
        Plate(where="hull_front_driver", thickness_mm=50, slope_deg=60),
        Plate(where="hull_side_upper", thickness_mm=10),
        Plate(where="hull_roof", thickness_mm=8, slope_deg=90),
        Plate(where="turret_front", thickness_mm=30),
        Plate(where="turret_side", thickness_mm=20),
    )
    dr = block_of(thing(body="tank", plates=plates, running_gear="tracks")).dr
    assert dr["front"] == round(100 * DR_PER_MM)  # 60 degrees double it
    assert dr["side"] == dr["other"] == round(10 * DR_PER_MM)
    assert dr["rear"] == round(10 * DR_PER_MM)  # the side stands in
    assert dr["top"] == round(8 * DR_PER_MM)  # lies flat, and is struck from above
    assert dr["under"] == 20  # nothing is known: sheet metal of a tank
    assert (dr["turret_front"], dr["turret_side"], dr["turret_rear"]) == (83, 55, 55)
    assert "C" not in dr  # a track has the vehicle's DR: the source takes it away from nothing but D, E and O


@pytest.mark.parametrize(
    ("body", "sheet"),
    [("motorcycle", 3), ("car", 4), ("truck", 5), ("aircraft", 3), ("boat", 5), ("ship", 15), ("wagon", 2)],
)
def test_sheet_metal(body: Any, sheet: int) -> None:
    dr = block_of(thing(body=body)).dr
    assert {dr[face] for face in ("front", "side", "rear", "top", "under")} == {sheet}
    assert block_of(thing(body=body, open_topped=True)).dr["top"] == 0


@pytest.mark.rule("G14")
@pytest.mark.parametrize(
    ("fields", "locations"),
    [
        ({"components": ("windows",), "wheels": 4}, "G4W"),
        ({"body": "wagon", "components": ("draft_animals",), "wheels": 4}, "2D4W"),
        ({"body": "motorcycle", "wheels": 2, "seats": (RIDER,)}, "E2W"),
        ({"seats": (Seat(role="driver", compartment="front", exposed=True),), "wheels": 4}, "O4W"),
        ({"open_topped": True, "wheels": 4}, "O4W"),
        ({"body": "half_track", "running_gear": "half_track", "wheels": 2}, "2C2W"),
        ({"body": "tank", "running_gear": "tracks", "wheels": 12, "components": ("turret",)}, "2CT"),
        ({"body": "boat", "components": ("superstructure",), "length_m": 29}, "s"),
        ({"body": "boat", "components": ("superstructure",), "length_m": 30}, "S"),
        ({"body": "tank", "running_gear": "tracks", "components": ("hull_gun",), "armament": ("de_75_kwk40",)}, "2C"),
        (
            {"body": "carrier", "running_gear": "tracks", "components": ("hull_gun",), "armament": ("bren",),
             "open_topped": True},
            "O2CX",
        ),
        ({"body": "aircraft", "components": ("wings", "windows", "turret_gun"), "wheels": 3}, "g3WrWit"),
    ],
)  # fmt: skip
def test_codes_of_what_is_aboard(fields: dict[str, Any], locations: str) -> None:
    assert block_of(thing(**fields)).locations == locations


# -- weapons ---------------------------------------------------------------------------------------------------------


def shot(
    kind: Any, *, caliber: float = 50, table: Any = None, weapon: Any = "gun", range_m: float = 0, **fields: Any
) -> Any:
    penetration = ()
    if table is not None:
        penetration = (
            PenetrationTable(
                angle_deg=table[0], plate="RHA", criterion="p50_RHA_0", range_m=(0, 1000), penetration_mm=table[1:],
                source="t", confidence="design",
            ),
        )  # fmt: skip
    ammunition = Ammunition(id="a", kind=kind, penetration=penetration, **fields)
    gun = Weapon(id="w", name="w", kind=weapon, caliber_mm=caliber, ammunition=(ammunition,))
    return shot_of(gun, ammunition, range_m)


def mean(found: Any) -> float:
    return float(found.dice.mean * found.scale)


@pytest.mark.parametrize(("mm", "divisor"), [(64, 1), (66, 2), (120, 2), (121, 3)])
def test_divisors_of_armor_piercing(mm: float, divisor: int) -> None:
    """2 kg at 800 m/s and 50 mm: 1.13 x sqrt(640,000 / 50) is 127.8. 1.4 times that stops 64.9 mm, 2.6 times 120.6."""
    found = shot("AP", table=(0, mm, mm / 2), projectile_mass_kg=2, muzzle_velocity_mps=800)
    assert found.divisor == divisor
    assert mean(found) * divisor == pytest.approx(mm * DR_PER_MM, rel=0.08)
    far = shot("AP", table=(0, mm, mm / 2), projectile_mass_kg=2, muzzle_velocity_mps=800, range_m=1000)
    assert far.divisor == divisor
    assert mean(far) * divisor == pytest.approx(mm / 2 * DR_PER_MM, rel=0.08)


def test_penetration_of_sloped_plate_counts_along_the_line_of_flight() -> None:
    found = shot("AP", table=(60, 50, 40), projectile_mass_kg=2, muzzle_velocity_mps=800)
    assert mean(found) * found.divisor == pytest.approx(100 * DR_PER_MM, rel=0.05)
    heat = shot("HEAT", table=(60, 50, 50))
    assert (heat.divisor, heat.kind, heat.explosive, heat.shaped) == (10, "cr", True, True)
    assert mean(heat) * 10 == pytest.approx(100 * DR_PER_MM, rel=0.05)


@pytest.mark.parametrize(
    ("kind", "caliber", "wound"),
    [("ball", 4.9, "pi-"), ("ball", 5.0, "pi"), ("ball", 9, "pi"), ("ball", 9.9, "pi+"), ("ball", 14.9, "pi+"),
     ("ball", 15, "pi++"), ("AP", 50, "pi++"), ("APCR", 50, "pi+"), ("APDS", 50, "pi+")],
)  # fmt: skip
def test_wound_classes(kind: str, caliber: float, wound: str) -> None:
    table = None if kind == "ball" else (0, 100, 80)
    assert shot(kind, caliber=caliber, table=table, projectile_mass_kg=1, muzzle_velocity_mps=800).kind == wound


def test_small_armor_piercing_is_a_class_less() -> None:
    """Where it has a divisor: 14.5 mm, 64 g at 1,000 m/s is 53, and 40 mm are 110 points."""
    found = shot("AP", caliber=14.5, table=(0, 40, 30), projectile_mass_kg=0.064, muzzle_velocity_mps=1000)
    assert (found.divisor, found.kind) == (2, "pi")


def test_explosions() -> None:
    """0.68 kg are 1.5 lb of filler, 1.8 lb of TNT: 21 x sqrt(7.2) is 56.3, for which 5dx3 (52.5) is nearest."""
    found = shot("HE", caliber=75, filler_kg=0.68)
    assert (found.text, found.explosive) == ("5dx3 cr ex", True)
    assert next(d for d in found.derived if d.stat == "damage").inputs == {"filler_kg": 0.68, "tnt_lb": 1.799}
    # Unknown filler: 1.2e-6 kg for the cube of the caliber, 0.506 kg. 21 x sqrt(4 x 1.339) is 48.6: 7dx2 is 49.
    assert shot("HE", caliber=75).text == "7dx2 cr ex"


@pytest.mark.parametrize(
    ("weapon", "acc", "rcl"),
    [
        ("pistol", 2, 2),
        ("rifle", 5, 3),
        ("submachine_gun", 3, 2),
        ("machine_gun", 5, 2),
        ("gun", 6, 2),
        ("autocannon", 5, 2),
    ],
)
def test_acc_and_rcl_by_kind(weapon: str, acc: int, rcl: int) -> None:
    found = shot("ball", weapon=weapon)
    assert (found.acc, found.rcl) == (acc, rcl)


def test_rounds_a_turn(shooting: Any) -> None:
    attack = shooting.attack("1d", given_hit=False, rounds=40, skills={"gurps_vehicle": 20}, stats={"rof": 8})
    plan = shooting.rules().plan(attack, shooting.vehicle())
    assert "Only 8 of 40 rounds are fired in one turn (RoF 8)." in plan.notes
    assert shooting.most(plan) == 8
    assert {m.reason: m.value for m in plan.check.modifiers}["rapid fire, 8 rounds"] == 1


# -- what another ruleset left ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "flags", "lost"),
    [
        ({}, 0, 0),
        ({"mobility": REDUCED}, POWER, 0),
        ({"mobility": NONE}, POWER, 0),
        ({"firepower": REDUCED}, JAM, 0),
        ({"firepower": NONE}, GUN, 0),
        ({"on_fire": True}, FIRE, 0),
        ({"knocked_out": True}, STOPPED, 60),
        ({"knocked_out": True, "destroyed": True}, STOPPED | WRECKED, 360),
    ],
)
def test_neutral_facts_are_taken_over(shooting: Any, facts: dict[str, Any], flags: int, lost: int) -> None:
    target = shooting.vehicle(locations="4W2C")
    taken = shooting.rules().adopt(target, Condition(**facts, ruleset="another", detail=("x",)))
    assert (taken.detail.flags, taken.detail.lost) == (flags, lost)
    gear = ("C", "C", "W", "W", "W", "W") if facts.get("mobility") == NONE else ()
    assert taken.detail.crippled == gear
    assert taken.mobility == facts.get("mobility", FULL)


@pytest.mark.parametrize("wounds", ["levels", "points"])
def test_people_are_taken_over(shooting: Any, wounds: str) -> None:
    """A wounded man has lost half of his 10 HP, one who is out 15, whatever is kept afterwards."""
    target = shooting.vehicle(5)
    before = Condition(people=(FIT, WOUNDED, OUT, DEAD, GONE), ruleset="another", detail=("x",))
    taken = GurpsVehicle(shooting.rules(wounds=wounds).options).adopt(target, before)
    assert taken.people == before.people
    assert taken.detail.people == (UNHURT, Person(5, HURT), Person(15, DOWN), KILLED, None)


@pytest.mark.rule("G28")
def test_levels_of_the_wounded(shooting: Any) -> None:
    """Kept as levels: half the HP lost while above 0, all of it below, one and a half when out of action."""
    target = shooting.vehicle(1, dr={"other": 0}, sm=1)
    attack = shooting.attack("1d+4", "cr")
    for rolls, person in (
        ("10,10,10,10,2", Person(5, HURT)),  # 3 points
        ("10,10,10,10,7,10,10", Person(10, HURT)),  # 10 points, and he acts on
        ("10,10,10,10,7,10,11", Person(15, DOWN)),
    ):
        assert shooting.script(rolls, attack, target)[0].condition.detail.people == (person,)


def test_the_ladder_of_lengths() -> None:
    """Six steps to a factor of ten; below a yard the printed inches, a foot of which is SM -5."""
    from gurps_vehicle.files import read

    ladder = read("attack")["ladder"]
    assert ladder["first"] + len(ladder["inches"]) + ladder["yards"].index(2) == 0
    series = [2, 3, 5, 7, 10, 15]
    for step, length in enumerate(ladder["yards"], start=-2):
        decade, place = divmod(step, 6)
        assert math.isclose(length, series[place] * 10.0**decade), step
    sizes = [(0.2, -15), (2, -9), (12, -5), (18, -4), (24, -3), (36, -2), (72, 0)]
    assert [size_modifier(yards(inches * 0.0254)) for inches, _ in sizes] == [sm for _, sm in sizes]
    assert size_modifier(yards(0.3048)) == -5
    assert size_modifier(yards(0.305)) == -4
