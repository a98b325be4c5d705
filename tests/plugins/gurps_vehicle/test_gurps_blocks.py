"""Stat blocks that a user writes: what they change, and what is said of those that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gurps_vehicle.deriving_weapons import shot_of
from gurps_vehicle.ruleset import GurpsVehicle
from mantlet import Ammunition, Attack, CatalogError, Seat, Target, UnknownNameError, Weapon
from mantlet.catalog import Catalog

YARD = 0.9144


# -- blocks that cannot be -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        (
            {"dr": {"frnt": 3}},
            "No place of armor is called 'frnt' in stats.gurps_vehicle.dr of box. Did you mean fr",
        ),
        ({"layers": {"back": [{"dr": 1}]}}, "No place of armor is called 'back' in stats.gurps_vehicle.layers of box"),
        ({"dr_against": {"burn": {"sides": 1}}}, "called 'sides' in .*dr_against.burn of box. Did you mean side"),
        ({"dr_against": {"fire": {"side": 1}}}, "dr_against knows no 'fire'"),
        ({"dr_times": {"shape": 2}}, "dr_times knows no 'shape'; did you mean shaped"),
        ({"dr_times": {"pi": -1}}, "dr_times.pi has to be at least 0, not -1"),
        ({"dr": {"front": -3}}, "dr.front has to be at least 0, not -3"),
        ({"layers": {"front": [{"dr": -3}]}}, "layers.front.0.dr has to be at least 0, not -3"),
        ({"hardened": -1}, "hardened has to be at least 0, not -1"),
        ({"hp": 0}, "hp has to be at least 1, not 0"),
        ({"hp": 10**9}, "hp has to be at most 100000, not 1000000000"),
        ({"fragile": ["q"]}, "fragile"),
        ({"person_dr": -1}, "has to be at least 0, not -1"),
        ({"person_dr": {"torzo": 1}}, "No part is called 'torzo' in stats.gurps_vehicle.person_dr. Did you mean torso"),
        ({"locations": "2D", "animals": {"hp": 0}}, "animals.hp has to be at least 1, not 0"),
        ({"locations": "2D", "animals": {"body": "hoarse"}}, "No body plan is called 'hoarse'"),
    ],
)
def test_a_block_of_a_vehicle_that_cannot_be(shooting: Any, stats: dict[str, Any], said: str) -> None:
    with pytest.raises((CatalogError, UnknownNameError), match=said):
        shooting.rules().plan(shooting.attack(), shooting.vehicle(**stats))


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        (
            {"creature_dr": {"torso": 1, "wings": 2}},
            "No part is called 'wings' in .*creature_dr of beast. Did you mean",
        ),
        ({"creature_dr": {"skull": -1}}, "creature_dr.skull has to be at least 0, not -1"),
        ({"shield": "left lag"}, "No location is called 'left lag' in .*shield of beast"),
        ({"tail": "long"}, "tail"),
        ({"tissue": "wood"}, "tissue"),
    ],
)
def test_a_block_of_a_creature_that_cannot_be(shooting: Any, stats: dict[str, Any], said: str) -> None:
    with pytest.raises((CatalogError, UnknownNameError), match=said):
        shooting.rules().plan(shooting.attack(), shooting.creature("winged_quadruped", **stats))


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        ({"damage": "lots"}, "stats.gurps_vehicle of test/test: damage: 'l' does not belong in a dice"),
        ({"damage": "-5d6"}, "damage: '-5d6' comes to -5 at most, and has to come to 0 or more"),
        ({"acc": -5}, "acc has to be at least 0, not -5"),
        ({"rof": 100_000}, "rof has to be at most 1000, not 100000"),
        ({"type": "ice"}, "type"),
        ({"divisor": 0}, "divisor has to be at least 0.01, not 0"),
        ({"rof": 0}, "rof has to be at least 1, not 0"),
        ({"rcl": -1}, "rcl has to be at least 1, not -1"),
        ({"half_damage_yd": 0}, "half_damage_yd has to be at least 0.1, not 0"),
        ({"max_range_yd": -5}, "max_range_yd has to be at least 0.1, not -5"),
        ({"dmg": "3d"}, "damage"),
    ],
)
def test_a_block_of_a_weapon_that_cannot_be(shooting: Any, stats: dict[str, Any], said: str) -> None:
    with pytest.raises(CatalogError, match=said):
        shooting.rules().plan(shooting.attack(stats=stats), shooting.vehicle())


@pytest.mark.parametrize(
    ("kind", "stats", "said"),
    [
        ("creature", {"dr": {"front": 3}}, "dr is for a vehicle, and box is a creature"),
        ("creature", {"ablative": "ablative"}, "ablative is for a vehicle"),
        ("vehicle", {"creature_dr": {"torso": 3}}, "creature_dr is for a creature, and box is a vehicle"),
        ("vehicle", {"shield": "left arm"}, "shield is for a creature"),
        ("team", {"locations": "4W"}, "locations is for a vehicle, and box is a team"),
    ],
)
def test_what_would_be_of_no_use_is_refused(shooting: Any, kind: Any, stats: dict[str, Any], said: str) -> None:
    body: Any = {"creature": "animal", "team": "infantry", "vehicle": "car"}[kind]
    target = Target(id="box", name="box", kind=kind, body=body, stats={"gurps_vehicle": stats})
    with pytest.raises(CatalogError, match=said):
        shooting.rules().plan(shooting.attack(), target)


def test_dr_of_a_creature_by_kind_of_damage(shooting: Any) -> None:
    beast = shooting.creature("quadruped", creature_dr={"torso": 3}, dr_times={"pi": 0.5, "burn": 2})
    for kind, damage in (("pi", 6 - 1), ("burn", 0), ("cr", 6 - 3)):
        assert shooting.script("10,6", shooting.attack(kind=kind), beast)[0].damage == damage
    assert shooting.script("3,6,3", shooting.attack(), beast)[0].damage == (6 - 1 - 2) * 4  # bone counts as ever


def test_dr_by_part_of_the_body(shooting: Any) -> None:
    beast = shooting.creature("quadruped", creature_dr={"torso": 1, "foreleg": 2, "left foreleg": 3})
    for rolls, damage in (("10,6", 5), ("7,1,6", 4), ("7,4,6", 3)):
        assert shooting.script(rolls, shooting.attack(), beast)[0].damage == damage


# -- ranges ----------------------------------------------------------------------------------------------------------


def rifle(half: float | None, **stats: Any) -> tuple[Weapon, Ammunition]:
    """7.92 mm, 12.8 g at 760 m/s: 7d. Effective to 500 m."""
    block = {**({"half_damage_yd": half} if half else {}), **stats}
    ammunition = Ammunition(id="ball", kind="ball", projectile_mass_kg=0.0128, muzzle_velocity_mps=760)
    weapon = Weapon(
        id="rifle", name="rifle", kind="rifle", caliber_mm=7.92, effective_range_m=500, ammunition=(ammunition,),
        stats={"gurps_vehicle": block},
    )  # fmt: skip
    return weapon, ammunition


@pytest.mark.parametrize(
    ("half", "yards", "mean"),
    [
        (None, 1000, 24.5),
        (None, 1100, 12.5),  # 1,000 m are 1,094 yd
        (800.0, 799, 24.5),
        (800.0, 801, 12.5),  # 24.5 / 2 = 12.25, the nearest dice are 3d+2
        (2000.0, 1500, 24.5),  # what is given counts, not the formula
        (2000.0, 2001, 12.5),
    ],
)
def test_half_damage(half: float | None, yards: float, mean: float) -> None:
    shot = shot_of(*rifle(half), yards * YARD)
    assert shot.dice.mean == mean
    damage = next(d for d in shot.derived if d.stat == "damage")
    assert damage.value == shot.text.split(" ")[0]
    assert ("halved" in damage.formula) is (mean < 20)


def test_half_damage_given_takes_the_place_of_a_penetration_table(catalog: Catalog) -> None:
    weapon, ammunition = catalog.round("de_75_pak40")
    at_once = shot_of(weapon, ammunition, 0.0)
    given = Weapon(
        id=weapon.id, name=weapon.name, kind=weapon.kind, caliber_mm=weapon.caliber_mm,
        ammunition=weapon.ammunition, stats={"gurps_vehicle": {"half_damage_yd": 1000}},
    )  # fmt: skip
    near, far = (shot_of(given, ammunition, range_m) for range_m in (900.0, 920.0))
    assert near.dice == far.dice == at_once.dice
    assert (near.scale, far.scale) == (at_once.scale, at_once.scale / 2)


def test_derived_numbers_can_be_checked_by_hand() -> None:
    damage = next(d for d in shot_of(*rifle(None), 100.0).derived if d.stat == "damage")
    assert damage.inputs == {"caliber_mm": 7.92, "projectile_g": 12.8, "muzzle_mps": 760}


@pytest.mark.parametrize(
    ("body", "components", "rounds", "fragile"),
    [
        ("tank", ("engine", "fuel_tank"), 40, "f, x"),
        ("tank", ("engine", "fuel_tank", "magazine"), 0, "f, x"),
        ("ship", ("engine",), 0, "none"),
        ("ship", ("magazine",), 0, "c, x"),
        ("car", ("engine", "fuel_tank"), 0, "f"),
        ("car", (), 0, "none"),
        ("wagon", (), 0, "c"),
        ("boat", (), 0, "c"),
    ],
)
def test_fragile_is_derived(shooting: Any, body: Any, components: Any, rounds: int, fragile: str) -> None:
    target = Target(id="t", name="t", kind="vehicle", body=body, components=components, main_gun_rounds=rounds)
    stats = {d.stat: d.value for d in shooting.rules().plan(shooting.attack(), target).derived}
    assert stats["fragile"] == fragile
    assert stats["powered"] == ("yes" if "engine" in components else "no")


# -- aims ------------------------------------------------------------------------------------------------------------


def test_every_aim_that_is_listed_can_be_taken(catalog: Catalog, shot: Callable[..., Attack]) -> None:
    rules = GurpsVehicle()
    for target in catalog.targets():
        aims = rules.aims(target)
        assert len(set(aims)) == len(aims)
        for aim in aims:
            rules.plan(shot("kar98k", aim=aim), target)


@pytest.mark.rule("G18")
def test_riders_that_the_locations_do_not_speak_of(shooting: Any) -> None:
    bike = shooting.vehicle(1, True, "saddle", locations="2W")
    assert shooting.rules().aims(bike) == ("body", "vital area", "wheel (W)", "exposed rider (E)")
    outcome, _ = shooting.script("10,5", shooting.attack("1d", aim="E"), bike)
    assert outcome.wounded == 1


@pytest.mark.rule("G11", "G14")
def test_aims_of_a_vehicle(shooting: Any) -> None:
    tank = shooting.vehicle(locations="2CT(X)")
    assert shooting.rules().aims(tank) == ("body", "vital area", "track (C)", "main turret (T)")
    assert shooting.rules(optional_fitted=True).aims(tank)[-1] == "exposed weapon mount (X)"
    wagon = shooting.vehicle(locations="4W", powered=False)
    assert shooting.rules().aims(wagon) == ("body", "wheel (W)")
    for aim in ("T", "main turret", "Main_Turret", "main turret (T)"):
        assert str(shooting.rules().plan(shooting.attack(aim=aim), tank).aimed) == "main turret"
    for aim in ("vital", "vital area", "vital_area"):
        assert str(shooting.rules().plan(shooting.attack(aim=aim), tank).aimed) == "vital area"
    with pytest.raises(UnknownNameError, match="No location is called 'X' in box"):
        shooting.rules().plan(shooting.attack(aim="X"), tank)


def test_a_derived_block_of_a_target_without_any(shooting: Any) -> None:
    seat = Seat(role="driver", compartment="front", exposed=True)
    crate = Target(id="crate", name="crate", kind="vehicle", body="wagon", seats=(seat,), components=())
    plan = shooting.rules().plan(shooting.attack(), crate)
    assert {d.stat: d.value for d in plan.derived}["hp"] == 40
    assert shooting.rules().aims(crate) == ("body", "open cabin (O)")
