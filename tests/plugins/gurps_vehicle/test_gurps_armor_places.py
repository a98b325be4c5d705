"""DR by place: what a stat block says of it in part, what is derived beside it, and what every location code hears."""

from __future__ import annotations

from typing import Any

import pytest

from gurps_vehicle.deriving_targets import Block, block_of
from gurps_vehicle.vehicle.slots import layers_of
from mantlet import Plate, Seat, Target

PLATES = tuple(
    Plate(where=where, thickness_mm=mm)  # type: ignore[arg-type]
    for where, mm in (("hull_front_upper", 20), ("hull_side_upper", 20), ("hull_rear", 10), ("turret_front", 40))
)
"""20 mm are DR 55, 10 mm 28, 40 mm 110."""


def tank(plates: tuple[Plate, ...] = PLATES, **stats: Any) -> Target:
    return Target(
        id="t", name="t", kind="vehicle", body="tank", mass_kg=8000, length_m=5, plates=plates,
        seats=(Seat(role="driver", compartment="hull"),), components=("engine", "turret"), running_gear="tracks",
        stats={"gurps_vehicle": {"hp": 200, "ht": 11, **stats}},
    )  # fmt: skip


def told(block: Block) -> dict[str, Any]:
    return {d.stat: d.value for d in block.derived if d.stat.startswith("dr.")}


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        (
            {"front": 40},
            {"front": 40, "side": 55, "rear": 28, "turret_front": 110, "other": 55, "top": 20, "under": 20},
        ),
        ({"W": 4}, {"W": 4, "front": 55, "side": 55, "rear": 28}),
        ({"turret_front": 90}, {"turret_front": 90, "front": 55, "side": 55}),
        ({"side": 15}, {"side": 15, "front": 55, "other": 15}),
        ({"front": 40, "side": 30, "rear": 20}, {"front": 40, "side": 30, "rear": 20, "top": 20, "under": 20}),
        ({"other": 9}, {"other": 9}),
    ],
)
def test_what_dr_leaves_out_is_derived_and_told(given: dict[str, int], whole: dict[str, int]) -> None:
    block = block_of(tank(dr=given))
    assert {key: block.dr.get(key) for key in whole} == whole
    assert set(told(block)) == {f"dr.{key}" for key in block.dr if key not in given}
    if "other" in given:
        assert dict(block.dr) == given


def test_dr_against_a_kind_leaves_out_what_is_as_usual() -> None:
    def dr(against: dict[str, int], code: str, face: str) -> int:
        block = block_of(tank(dr={"front": 40, "side": 15, "W": 7}, dr_against={"pi": against}))
        return layers_of(block, code, face, ("pi",))[1][0].dr

    assert [dr({"front": 3}, "body", face) for face in ("front", "side", "rear")] == [3, 15, 28]
    assert dr({"front": 3}, "W", "front") == 7
    assert dr({"other": 3}, "body", "side") == 3  # `other` stands for all that is not named


def test_a_table_in_part_leaves_the_rest_of_the_shipped_one() -> None:
    dragon = Target(
        id="dragon", name="d", kind="creature", body="monster", mass_kg=4000, length_m=12,
        stats={"gurps_vehicle": {"creature_dr": {"wing": 9}}},
    )  # fmt: skip
    creature_dr = block_of(dragon).stats.creature_dr
    assert creature_dr is not None
    assert (creature_dr["wing"], creature_dr["torso"]) == (9, 6)


@pytest.mark.parametrize(
    ("dr", "code", "counts"),
    [
        ({"T": 30}, "T", 30),
        ({"T": 30, "turret_front": 90}, "T", 90),
        ({"t": 20, "turret_front": 90}, "t", 20),
        ({"t": 20, "turret_front": 90}, "T", 90),
        ({"S": 7}, "S", 7),
        ({"vital": 60}, "vital", 60),
        ({"C": 25}, "C", 25),
        ({"X": 4}, "X", 4),
        ({"front": 40}, "C", 40),
    ],
)
def test_dr_by_code_is_heard(dr: dict[str, int], code: str, counts: int) -> None:
    for stated in (dr, {"other": 5, **dr}):
        assert layers_of(block_of(tank(dr=stated)), code, "front")[1][0].dr == counts


def test_dr_by_code_goes_before_the_layers_of_a_face() -> None:
    block = block_of(tank(dr={"C": 25}, layers={"front": ({"dr": 30}, {"dr": 20})}))
    assert [layer.dr for layer in layers_of(block, "C", "front")[1]] == [25]
    assert [layer.dr for layer in layers_of(block, "body", "front")[1]] == [30, 20]


@pytest.mark.rule("G20")
@pytest.mark.parametrize(
    ("windows", "dr", "counts"), [("closed", {"G": 20}, 20), ("closed", {}, 3), ("open", {"G": 20}, 0)]
)
def test_dr_of_a_pane_is_not_halved_again(shooting: Any, windows: str, dr: dict[str, int], counts: int) -> None:
    """Of the vehicle's DR 5 a closed window has 3."""
    plan = shooting.rules(windows=windows).plan(
        shooting.attack(aim="G"), shooting.vehicle(locations="G", dr={"other": 5, **dr})
    )
    assert (plan.aimed.raw, plan.aimed.dr) == (counts, counts)


@pytest.mark.rule("G18")
def test_dr_of_an_open_cabin_protects_who_sits_in_it(shooting: Any) -> None:
    """The vehicle's DR 4 does not; a shield of its own does: 6 points less 5, at a torso."""
    for dr, lost in (({"other": 4}, 6), ({"other": 4, "O": 5}, 1)):
        car = shooting.vehicle(1, exposed=True, locations="O", dr=dr, person_hp=20)
        outcome, _ = shooting.script("10,6", shooting.attack("1d", "pi", aim="O"), car, wounds="points")
        assert outcome.condition.detail.people[0].lost == lost


# -- what it is made of ----------------------------------------------------------------------------------------------


@pytest.mark.rule("G19")
@pytest.mark.parametrize(("body", "tires"), [("car", True), ("motorcycle", True), ("wagon", False), ("ship", False)])
def test_tires_by_body(shooting: Any, body: Any, tires: bool) -> None:
    """Wheels of wood or iron do not go flat: nothing is asked for them."""
    target = Target(
        id="t", name="t", kind="vehicle", body=body, wheels=4, seats=(), components=("engine",),
        stats={"gurps_vehicle": {"hp": 60, "ht": 10, "locations": "4W", "dr": {"other": 0}}},
    )  # fmt: skip
    block = block_of(target)
    assert block.tires is tires
    assert {d.stat: d.value for d in block.derived}["tires"] == ("yes" if tires else "no")
    outcome, _ = shooting.script("1,11" if tires else "1", shooting.attack("1d", "cr", aim="W"), target)
    assert outcome.condition.detail.crippled == (("W",) if tires else ())


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    ("body", "aboard", "powered"),
    [("ship", ("superstructure",), False), ("boat", (), False), ("wagon", ("engine",), True), ("ship", None, True)],
)
def test_powered_is_what_has_an_engine(body: Any, aboard: Any, powered: bool) -> None:
    """A sailing ship and a canoe have none; a steam wagon has, and so has a ship of which nothing is said."""
    block = block_of(Target(id="t", name="t", kind="vehicle", body=body, components=aboard))
    assert (block.powered, block.tissue) == (powered, "unliving" if powered else "homogenous")
