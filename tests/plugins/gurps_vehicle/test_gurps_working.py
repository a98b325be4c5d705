"""How far a vehicle still moves and shoots (G15-G22), and how much very large ones are hurt (G24)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from gurps_vehicle.armor import matter_factor
from gurps_vehicle.flags import CRASH, GUN, ITEM, JAM, POWER
from gurps_vehicle.vehicle.damage import firepower, mobility, move_left
from mantlet import Scripted, Target, run
from mantlet.game.condition import FULL, NONE, REDUCED


@pytest.mark.rule("G15", "G16", "G19", "G22")
@pytest.mark.parametrize(
    ("locations", "crippled", "flags", "flying", "level"),
    [
        ("4W", (), 0, False, FULL),
        ("4W", (), POWER, False, REDUCED),
        ("4W", ("W",), 0, False, REDUCED),  # one leg of four
        ("4W", ("W", "W"), 0, False, NONE),
        ("6W", ("W", "W"), 0, False, REDUCED),
        ("6W", ("W", "W", "W"), 0, False, NONE),
        ("2W", ("W",), 0, False, NONE),
        ("2C", ("C",), 0, False, NONE),
        ("2C2W", ("W",), 0, False, NONE),
        ("2R", ("R",), 0, False, NONE),
        ("3M", ("M",), 0, False, REDUCED),
        ("3M", ("M", "M"), 0, False, REDUCED),
        ("3M", ("M", "M", "M"), 0, False, NONE),
        ("1M", ("M",), 0, False, NONE),
        ("Wi", ("Wi",), 0, True, NONE),
        ("Wi", ("Wi",), 0, False, REDUCED),  # on the ground
        ("H", ("H",), 0, True, NONE),
        ("4L", ("L",), 0, False, REDUCED),
        ("X", ("X",), 0, False, FULL),
    ],
)
def test_mobility(
    shooting: Any, locations: str, crippled: tuple[str, ...], flags: int, flying: bool, level: int
) -> None:
    plan = shooting.rules().plan(shooting.attack(), shooting.vehicle(locations=locations, flying=flying))
    assert mobility(plan, crippled, flags) == level


@pytest.mark.rule("G22")
def test_move_by_masts() -> None:
    assert [move_left(3, lost) for lost in range(5)] == [(3, 3), (2, 3), (1, 3), (0, 3), (0, 3)]


@pytest.mark.rule("G22")
def test_every_mast_lost_is_told(shooting: Any) -> None:
    ship = shooting.vehicle(locations="3M", dr={"other": 0}, powered=False)
    rules = shooting.rules()
    plan = rules.plan(shooting.attack("1dx11", "cr"), ship)
    condition = rules.fresh(ship)
    for left in (2, 1, 0):
        source = Scripted("13,11")
        condition = run(source.dice, rules.resolve, plan, condition).condition
        assert any(getattr(e, "text", "") == f"Move is {left}/3 of what it was." for e in source.account.entries)
    assert condition.mobility == NONE


@pytest.mark.rule("G19", "G21")
@pytest.mark.parametrize(
    ("locations", "crippled", "flags", "components", "level"),
    [
        ("T", (), GUN, (), NONE),
        ("T", (), JAM, (), REDUCED),
        ("S", (), ITEM, (), REDUCED),
        ("2X", ("X",), 0, (), REDUCED),
        ("2X", ("X", "X"), 0, (), NONE),
        ("2X", ("X", "X"), 0, ("main_gun",), REDUCED),  # the main gun is left
        ("tX", ("t",), 0, (), REDUCED),
        ("tX", ("X", "t"), 0, (), NONE),
        ("A", ("A",), 0, (), NONE),
        ("4W", ("W",), 0, (), FULL),
    ],
)
def test_firepower(
    shooting: Any, locations: str, crippled: tuple[str, ...], flags: int, components: Any, level: int
) -> None:
    stats = {"hp": 60, "locations": locations, "dr": {"other": 0}}
    box = Target(id="b", name="b", kind="vehicle", body="car", components=components, stats={"gurps_vehicle": stats})
    plan = shooting.rules().plan(shooting.attack(), box)
    assert firepower(plan, crippled, flags) == level


@pytest.mark.rule("G19")
@pytest.mark.parametrize(("code", "damage"), [("Wi", 31), ("H", 21)])
def test_only_what_flies_crashes(shooting: Any, code: str, damage: int) -> None:
    for flying in (True, False):
        craft = shooting.vehicle(dr={"other": 0}, locations=code, flying=flying)
        outcome, _ = shooting.script(f"13,{damage}", shooting.attack(f"1dx{damage}", "cr"), craft)
        assert bool(outcome.condition.detail.flags & CRASH) is flying
        assert outcome.condition.knocked_out is flying


LARGE = {
    4: ("1/5", "1/3", "1/2", "1"),
    5: ("1/10", "1/5", "1/3", "1/2"),
    6: ("1/10", "1/5", "1/3", "1/2"),
    7: ("1/20", "1/10", "1/5", "1/3"),
    8: ("1/20", "1/10", "1/5", "1/3"),
    9: ("1/50", "1/20", "1/10", "1/5"),
    10: ("1/50", "1/20", "1/10", "1/5"),
    11: ("1/100", "1/50", "1/20", "1/10"),
    12: ("1/100", "1/50", "1/20", "1/10"),
    13: ("1/200", "1/100", "1/50", "1/20"),
    20: ("1/200", "1/100", "1/50", "1/20"),
}


@pytest.mark.rule("G24")
@pytest.mark.parametrize("sm", sorted(LARGE))
def test_factors_of_very_large_things(sm: int) -> None:
    kinds = ("pi-", "pi", "pi+", "pi++")
    for kind, factor in zip(kinds, LARGE[sm]):
        assert matter_factor(kind, "unliving", sm, large=True) == Fraction(factor)
    assert matter_factor("imp", "unliving", sm, large=True) == Fraction(LARGE[sm][3])
    # What is homogenous goes by the next row, of which there is none below the last.
    further = LARGE[min(sm + 2, 13)]
    for kind, factor in zip(kinds, further):
        assert matter_factor(kind, "homogenous", sm, large=True) == Fraction(factor)
    for kind in ("cr", "cut", "burn"):
        assert matter_factor(kind, "unliving", sm, large=True) == matter_factor(kind, "unliving")
    assert matter_factor("pi", "living", sm, large=True) == 1
