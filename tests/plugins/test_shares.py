"""What d100_wwii and gurps_vehicle say is left of a target, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from d100_wwii.ruleset import D100Wwii
from gurps_vehicle.deriving_targets import block_of
from gurps_vehicle.detail import Detail, Works, condition_of
from gurps_vehicle.flags import GUN, JAM, POWER
from gurps_vehicle.ruleset import GurpsVehicle
from mantlet import FACES, Shares, Target
from mantlet.catalog import Catalog
from mantlet.game.condition import DEAD, FIT, NONE, OUT, REDUCED, WOUNDED, Condition

CATALOG = Catalog()
D100, GURPS = D100Wwii(), GurpsVehicle()
SHERMAN, TRUCK = CATALOG.target("m4a1_75_dry"), CATALOG.target("opel_blitz")


def test_d100_base_hp_and_armor_left() -> None:
    """Armor 33 and Base HP 100: 11 and 25 of them are left; on every face the same."""
    fresh: Any = D100.fresh(SHERMAN)
    assert D100.shares(SHERMAN, fresh) == Shares(integrity=1, armor=dict.fromkeys(FACES, 1), components_out=frozenset())
    worn = fresh._replace(detail=fresh.detail._replace(armor=11, base_hp=25))
    shares = D100.shares(SHERMAN, worn)
    assert shares.integrity == 0.25
    assert shares.armor == dict.fromkeys(FACES, 11 / 33)
    assert D100.shares(SHERMAN, fresh._replace(detail=fresh.detail._replace(base_hp=0))).integrity == 0


def test_d100_armor_that_never_was_is_whole() -> None:
    bare = replace(TRUCK, stats={"d100_wwii": {"armor": 0}})
    assert D100.shares(bare, D100.fresh(bare)).armor == dict.fromkeys(FACES, 1)


def test_d100_components_out_when_all_their_hit_points_are_gone() -> None:
    fresh: Any = D100.fresh(SHERMAN)
    vehicle: Any = D100.vehicle(SHERMAN)

    def without(component: str, left: int) -> frozenset[str] | None:
        pools = list(fresh.detail.pools)
        for i in vehicle.part(component).pools:
            pools[i] = left
        return D100.shares(SHERMAN, fresh._replace(detail=fresh.detail._replace(pools=tuple(pools)))).components_out

    assert without("engine", 0) == {"engine"}
    assert without("engine", 1) == frozenset()
    assert without("main_gun", 0) == {"main_gun"}
    assert without("tread", 0) == frozenset()  # a row of the table, and no component of a target
    disarmed = D100.adopt(SHERMAN, Condition(firepower=NONE, people=(FIT,) * len(SHERMAN.crew)))
    assert D100.shares(SHERMAN, disarmed).components_out == {"main_gun", "coaxial_gun", "hull_gun"}


def test_d100_has_nothing_to_say_of_what_it_has_no_table_for() -> None:
    horse = CATALOG.target("horse")
    assert D100.shares(horse, D100.fresh(horse)) == Shares()


def box(**stats: Any) -> Target:
    block = {"hp": 60, "locations": "2CTX", "dr": {"front": 40, "turret_front": 60, "other": 10}, **stats}
    parts = ("engine", "main_gun", "turret", "hull_gun")
    return Target(
        id="box", name="box", kind="vehicle", body="tank", components=parts, seats=(), stats={"gurps_vehicle": block}
    )


def gurps(target: Target, detail: Detail) -> Shares:
    return GURPS.shares(target, condition_of(GURPS.fresh(target), detail, Works()))


def test_gurps_hp_left_and_none_below_0() -> None:
    assert gurps(box(), Detail()) == Shares(integrity=1, components_out=frozenset())
    assert gurps(box(), Detail(lost=45)).integrity == 0.25
    assert gurps(box(), Detail(lost=300)).integrity == 0


def test_gurps_armor_by_face_from_dr_shot_away() -> None:
    """On the front 40 + 60 of hull and turret, less 10 and 15; all else shares the 10 of `other`, less 4."""
    tank = box(ablative="ablative")
    assert gurps(tank, Detail()).armor == dict.fromkeys(FACES, 1)
    shot = gurps(tank, Detail(ablated=(("front", 10), ("other", 4), ("turret_front", 15))))
    assert shot.armor == {"front": 0.75, "side": 0.6, "rear": 0.6, "top": 0.6, "under": 0.6}
    bare = box(ablative="ablative", dr={"other": 0})
    assert gurps(bare, Detail()).armor == dict.fromkeys(FACES, 1)


def test_gurps_of_layers_the_outer_one_is_shot_away() -> None:
    layers = {"front": [{"dr": 30}, {"dr": 20}], "other": [{"dr": 10}]}
    tank = box(ablative="semi-ablative", layers=layers, locations="2C", dr={})
    armor = gurps(tank, Detail(ablated=(("front", 45), ("other", 5)))).armor
    assert armor == {"front": 20 / 50, "side": 0.5, "rear": 0.5, "top": 0.5, "under": 0.5}


@pytest.mark.parametrize(
    ("flags", "crippled", "out"),
    [
        (GUN, (), {"main_gun"}),
        (JAM, (), {"turret"}),
        (GUN | JAM | POWER, ("C", "C", "X"), {"main_gun", "turret"}),
        (POWER, ("C",), set()),
    ],
)
def test_gurps_components_out(flags: int, crippled: tuple[str, ...], out: set[str]) -> None:
    assert gurps(box(), Detail(flags=flags, crippled=crippled)).components_out == out


def test_gurps_a_wing_is_enough_and_of_small_turrets_it_takes_all() -> None:
    parts = ("wings", "turret_gun", "superstructure")
    craft = replace(box(locations="Wi2ts"), components=parts)
    assert gurps(craft, Detail(crippled=("Wi",))).components_out == {"wings"}
    assert gurps(craft, Detail(crippled=("t",))).components_out == frozenset()
    assert gurps(craft, Detail(crippled=("s", "t", "t"))).components_out == {"turret_gun", "superstructure"}


def test_gurps_another_rulesets_condition() -> None:
    less = GURPS.adopt(SHERMAN, Condition(firepower=REDUCED, people=(FIT,) * len(SHERMAN.crew)))
    assert GURPS.shares(SHERMAN, less).components_out == {"turret"}


def test_gurps_a_team_by_its_men_able_to_act_and_a_creature_by_its_hp() -> None:
    squad = CATALOG.target("infantry_squad")
    people = (FIT, WOUNDED, OUT, DEAD) + (FIT,) * (len(squad.crew) - 4)
    left = GURPS.shares(squad, GURPS.adopt(squad, Condition(people=people)))
    assert left == Shares(integrity=(len(squad.crew) - 2) / len(squad.crew))
    horse = CATALOG.target("horse")
    fresh = GURPS.fresh(horse)
    assert GURPS.shares(horse, fresh) == Shares(integrity=1)
    hp = block_of(horse).hp
    hurt = fresh._replace(detail=Detail(lost=7, people=fresh.detail.people))  # type: ignore[attr-defined]
    assert GURPS.shares(horse, hurt).integrity == (hp - 7) / hp
