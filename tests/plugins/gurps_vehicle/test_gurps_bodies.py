"""Body plans (G1-G10): every row of every table, instances, variants, special cases, plans of one's own."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gurps_vehicle.armor import Matter, location_injury
from gurps_vehicle.bodies import Further, aimed_table, find_aim, plans_of, shipped_plans
from gurps_vehicle.creature.consequences import consequences_of
from gurps_vehicle.deriving_targets import block_of
from mantlet import CatalogError, Row, UnknownNameError
from mantlet.game.condition import FULL, NONE, REDUCED

WAYS = {
    3: 1,
    4: 3,
    5: 6,
    6: 10,
    7: 15,
    8: 21,
    9: 25,
    10: 27,
    11: 27,
    12: 25,
    13: 21,
    14: 15,
    15: 10,
    16: 6,
    17: 3,
    18: 1,
}

# The printed tables, written down from the sources by hand: low, high, what stands there, penalty.
PRINTED: dict[str, str] = {
    "humanoid": "3-4 skull -7|5 face -5|6-7 right leg -2|8 right arm -2|9-10 torso 0|11 groin -3|12 left arm -2"
    "|13-14 left leg -2|15 hand -4|16 foot -4|17-18 neck -5",
    "quadruped": "3-4 skull -7|5 face -5|6 neck -5|7-8 foreleg -2|9-11 torso 0|12 groin -3|13-14 hind leg -2"
    "|15-16 foot -4|17-18 tail -3",
    "winged_quadruped": "3-4 skull -7|5 face -5|6 neck -5|7-8 foreleg -2|9-11 torso 0|12 wing -2|13-14 hind leg -2"
    "|15-16 foot -4|17-18 tail -3",
    "hexapod": "3-4 skull -7|5 neck -5|6 face -5|7-8 foreleg -2|9-10 torso 0|11 mid leg -2|12 groin -3"
    "|13-14 hind leg -2|15-16 foot -4|17-18 mid leg -2",
    "winged_hexapod": "3-4 skull -7|5 neck -5|6 face -5|7-8 foreleg -2|9-10 torso 0|11 mid leg -2|12 wing -2"
    "|13-14 hind leg -2|15-16 mid leg -2|17-18 foot -4",
    "centaur": "3-4 skull -7|5 neck -5|6 face -5|7-8 foreleg -2|9-10 animal torso 0|11 human torso 0|12 groin -3"
    "|13-14 hind leg -2|15-16 arm -2|17-18 extremity -4",
    "avian": "3-4 skull -7|5 face -5|6 neck -5|7-8 wing -2|9-11 torso 0|12 groin -3|13-14 leg -2|15-16 foot -4"
    "|17-18 tail -3",
    "vermiform": "3-4 skull -7|5 face -5|6-8 neck -5|9-18 torso 0",
    "winged_serpent": "3-4 skull -7|5 face -5|6-8 neck -5|9-14 torso 0|15-18 wing -2",
    "snake_man": "3-4 skull -7|5 face -5|6 neck -5|7-8 right arm -2|9-12 torso 0|13-14 left arm -2|15-16 torso 0"
    "|17-18 hand -4",
    "octopod": "3-4 brain -7|5 face -5|6 neck -5|7-8 arm 1-2 -2|9-12 torso 0|13-14 arm 3-4 -2|15-16 arm 5-6 -2"
    "|17-18 arm 7-8 -2",
    "squid": "3-4 brain -7|5 face -5|6 neck -5|7-8 arm 1-2 -2|9-12 torso 0|13-16 arm 3-8 -3|17-18 torso 0",
    "cancroid": "3-4 skull -7|5 face -5|6 neck -5|7-8 arm -2|9-12 torso 0|13-16 leg -2|17-18 foot -4",
    "scorpion": "3-4 skull -7|5 face -5|6 neck -5|7-8 arm -2|9-11 torso 0|12 tail -3|13-16 leg -2|17-18 foot -4",
    "ichthyoid": "3-4 skull -7|5 face -5|6 fin -4|7-12 torso 0|13-16 fin -4|17-18 tail -3",
    "arachnoid": "3-4 brain -7|5 neck -5|6 face -5|7-8 leg 1-2 -2|9-11 torso 0|12 groin -3|13-14 leg 3-4 -2"
    "|15-16 leg 5-6 -2|17-18 leg 7-8 -2",
}


@pytest.mark.rule("G1", "G2", "G10")
@pytest.mark.parametrize("name", sorted(PRINTED))
def test_every_row_is_as_printed_with_its_exact_probability(name: str) -> None:
    table = shipped_plans()[name].table
    rows = []
    for text in PRINTED[name].split("|"):
        span, rest = text.split(" ", 1)
        label, penalty = rest.rsplit(" ", 1)
        low, _, high = span.partition("-")
        rows.append((int(low), int(high or low), label, int(penalty)))
    assert [(r.low, r.high, r.label, r.value.penalty) for r in table.rows] == rows
    for row, p in zip(rows, table.probabilities()):
        assert p == Fraction(sum(WAYS[t] for t in range(row[0], row[1] + 1)), 216)


@pytest.mark.rule("G1")
def test_all_plans_are_there() -> None:
    assert set(shipped_plans().plans) == set(PRINTED)


@pytest.mark.rule("G1")
@pytest.mark.parametrize("name", sorted(PRINTED))
def test_every_total_is_in_exactly_one_row(name: str) -> None:
    rows = shipped_plans()[name].table.rows
    for total in WAYS:
        assert sum(row.low <= total <= row.high for row in rows) == 1


@pytest.mark.rule("G2")
def test_variants() -> None:
    plans = shipped_plans()

    def chance(name: str, part: str) -> Fraction:
        table = plans[name].table
        return sum((p for r, p in zip(table.rows, table.probabilities()) if part in str(r.label)), Fraction(0))

    assert chance("winged_serpent", "wing") == Fraction(20, 216)
    assert chance("snake_man", "arm") == Fraction(36 + 36, 216)
    assert chance("snake_man", "hand") == Fraction(4, 216)
    assert chance("squid", "torso") == Fraction(104 + 4, 216)
    assert chance("scorpion", "tail") == Fraction(25, 216)
    squid = {spot.name: spot for spot in plans["squid"].spots()}
    assert [squid[f"arm {n}"].kind for n in range(1, 9)] == ["limb"] * 2 + ["extremity"] * 6
    assert squid["arm 5"].penalty == -3


def leaves(row: Row[Any]) -> dict[str, Fraction]:
    entry = row.value
    if not isinstance(entry, Further):
        return {entry.name: Fraction(1)}
    found: dict[str, Fraction] = {}
    for inner, p in zip(entry.table.rows, entry.table.probabilities()):
        for name, q in leaves(inner).items():
            found[name] = found.get(name, Fraction(0)) + p * q
    return found


@pytest.mark.rule("G3")
def test_right_or_left_by_one_die() -> None:
    rows = {row.label: row for row in shipped_plans()["quadruped"].table.rows}
    assert leaves(rows["foreleg"]) == {"right foreleg": Fraction(1, 2), "left foreleg": Fraction(1, 2)}
    sides = rows["foreleg"].value.table
    assert [(r.span, r.value.which) for r in sides.rows] == [("1-3", "right"), ("4-6", "left")]


@pytest.mark.rule("G4")
def test_a_shield_doubles_the_penalty(shooting: Any) -> None:
    target = shooting.creature("humanoid", shield="left arm")
    for aim, penalty in (("left arm", -4), ("right arm", -2)):
        plan = shooting.rules().plan(shooting.attack(aim=aim, given_hit=False, skills={"gurps_vehicle": 14}), target)
        assert {m.reason: m.value for m in plan.check.modifiers}[f"aimed at {aim}"] == penalty
    held = shooting.creature("humanoid", shield="hand/left")
    plan = shooting.rules().plan(shooting.attack(aim="left hand", given_hit=False, skills={"gurps_vehicle": 14}), held)
    assert {m.reason: m.value for m in plan.check.modifiers}["aimed at left hand"] == -8


@pytest.mark.rule("G5")
def test_the_centaur() -> None:
    plan = shipped_plans()["centaur"]
    extremity = next(row for row in plan.table.rows if row.label == "extremity")
    sixth = Fraction(1, 6)
    assert leaves(extremity) == {
        "left hand": sixth, "right hand": sixth, "fore left foot": sixth, "fore right foot": sixth,
        "hind left foot": sixth, "hind right foot": sixth,
    }  # fmt: skip
    inner = [r.value.name for r in extremity.value.table.rows]
    assert [name.split()[-2] for name in inner] == ["left", "right"] * 3  # odd left, even right
    assert find_aim(plan, "animal torso", "x") == ("animal torso", 0)
    assert find_aim(plan, "human torso", "x") == ("human torso", 0)


@pytest.mark.rule("G6")
def test_instances() -> None:
    plans = shipped_plans()
    octopod = {spot.name: spot.use for spot in plans["octopod"].spots() if spot.part == "arm"}
    assert octopod == {f"arm {n}": "arm" if n <= 4 else "leg" for n in range(1, 9)}
    spider = [set(leaves(row)) for row in plans["arachnoid"].table.rows if "leg" in row.label]
    assert spider == [{f"leg {n}", f"leg {n + 1}"} for n in (1, 3, 5, 7)]
    fins = next(row for row in plans["ichthyoid"].table.rows if row.label == "fin")
    assert leaves(fins) == {f"fin {n}": Fraction(1, 3) for n in (1, 2, 3)}
    legs = next(row for row in plans["cancroid"].table.rows if row.label == "leg")
    assert leaves(legs) == {f"leg {n}": Fraction(1, 8) for n in range(1, 9)}


@pytest.mark.rule("G6")
def test_the_instance_is_in_the_outcome(shooting: Any) -> None:
    outcome, _ = shooting.script("15,4,3", shooting.attack(), shooting.creature("arachnoid"))
    assert outcome.locations[0] == ("leg/6", "limb")


@pytest.mark.rule("G7")
def test_a_brain_is_a_skull_with_dr_1(shooting: Any) -> None:
    assert location_injury("pi", "brain", Matter(20)) == location_injury("pi", "skull", Matter(20))
    brain, _ = shooting.script("3,4,10", shooting.attack(), shooting.creature("octopod"))
    skull, _ = shooting.script("3,4", shooting.attack(), shooting.creature("quadruped"))
    assert (brain.damage, skull.damage) == ((4 - 1) * 4, (4 - 2) * 4)


@pytest.mark.rule("G8")
def test_tails(shooting: Any) -> None:
    plans = shipped_plans()

    def kind(name: str, tail: str = "") -> str:
        return plans.plan(name, tail).table.row_for(17).value.kind

    assert kind("quadruped") == "extremity"
    assert kind("quadruped", "limb") == "limb"
    assert kind("quadruped", "none") == "torso"
    assert kind("ichthyoid") == "limb"
    assert plans["scorpion"].table.row_for(12).value.kind == "limb"
    for flags, dx, mobility in (({}, -1, FULL), ({"flyer": True}, -2, REDUCED), ({"swimmer": True}, -2, REDUCED)):
        block = block_of(shooting.creature("quadruped", **flags))
        found = consequences_of(plans["quadruped"], block, ("tail",))
        assert (found.dx, found.mobility) == (dx, mobility)


@pytest.mark.rule("G9")
def test_wings_and_fins(shooting: Any) -> None:
    plans = shipped_plans()
    dragon = block_of(shooting.creature("winged_quadruped", flyer=True))
    found = consequences_of(plans["winged_quadruped"], dragon, ("left wing",))
    assert found.grounded
    assert found.mobility == REDUCED
    assert all(s.kind == "limb" for s in plans["winged_quadruped"].spots() if s.part == "wing")
    fish = block_of(shooting.creature("ichthyoid"))
    assert consequences_of(plans["ichthyoid"], fish, ("fin 2",)).dx == -3
    assert all(s.kind == "extremity" for s in plans["ichthyoid"].spots() if s.part == "fin")


@pytest.mark.rule("G9")
@pytest.mark.parametrize(("gone", "mobility"), [(0, FULL), (1, REDUCED), (2, NONE)])
def test_legs(shooting: Any, gone: int, mobility: int) -> None:
    plan = shipped_plans()["quadruped"]
    legs = ("right foreleg", "left foreleg")[:gone]
    assert consequences_of(plan, block_of(shooting.creature("quadruped")), legs).mobility == mobility


@pytest.mark.rule("G10")
def test_aims() -> None:
    quadruped = shipped_plans()["quadruped"]
    assert find_aim(quadruped, "foreleg", "x") == ("foreleg", -2)
    assert find_aim(quadruped, "foreleg/right", "x") == ("right foreleg", -2)
    assert find_aim(quadruped, "eye", "x") == ("eye", -9)
    assert find_aim(shipped_plans()["octopod"], "eye", "x") == ("eye", -8)
    assert find_aim(quadruped, "vitals", "x") == ("vitals", -3)
    with pytest.raises(UnknownNameError, match="foreleg"):
        find_aim(quadruped, "forleg", "horse")
    assert aimed_table(quadruped, "right foreleg").name == "right foreleg"  # type: ignore[union-attr]


OWN = """
[part.stinger]
kind = "extremity"
penalty = -4
zone = "limb"
use = "tail"

[plan.bug]
title = "Bug"
rows = [
  { low = 3, high = 8, part = "torso" },
  { low = 9, high = 12, label = "back", pick = { dice = "1d", rows = [
      { low = 1, high = 2, part = "wing", name = "left" },
      { low = 3, high = 4, part = "wing", name = "right" },
      { low = 5, high = 6, part = "stinger" },
  ] } },
  { low = 13, high = HIGH, part = "skull" },
]
"""


@pytest.mark.rule("G1")
def test_a_plan_of_ones_own_with_a_table_inside(tmp_path: Path, shooting: Any) -> None:
    file = tmp_path / "bug.toml"
    file.write_text(OWN.replace("HIGH", "18"))
    bug = plans_of(str(file))["bug"]
    assert leaves(bug.table.rows[1]) == {
        "left wing": Fraction(1, 3),
        "right wing": Fraction(1, 3),
        "stinger": Fraction(1, 3),
    }
    odds = shooting.exact(shooting.attack(), shooting.creature("bug"), body_plans=str(file))
    stung = odds.probability(lambda o: o.locations[0].path == "stinger")
    assert stung == Fraction(104, 216) / 3
    by_target = shooting.creature("bug", body_file=str(file))
    assert shooting.exact(shooting.attack(), by_target).probability(lambda o: o.locations[0].path == "stinger") == stung


@pytest.mark.rule("G1")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("HIGH", "17"), r"no row for 18 \(probability 1/216"),
        (("low = 9, high = 12", "low = 8, high = 12"), r"overlap at 8 \(probability 7/72"),
        (('part = "stinger" }', 'part = "sting" }'), "stinger"),
        (("low = 5, high = 6", "low = 6, high = 6"), r"no row for 5 \(probability 1/6"),
    ],
)
def test_a_bad_plan_is_refused(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    file = tmp_path / "bug.toml"
    file.write_text(OWN.replace(*change).replace("HIGH", "18"))
    with pytest.raises((CatalogError, UnknownNameError), match=said):
        plans_of(str(file))


ROW = "rows = [{ low = 3, high = 18, part = 'torso' }]"


@pytest.mark.rule("G1")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[plan.x]\nrows = []", "Table bodies.x has no rows"),
        ("[plan.x]\ntitle = 'X'", "plan.x.rows is missing"),
        ("[plan.x]\nrows = [{ low = 18, high = 3, part = 'torso' }]", "row 18-3 ends before it begins"),
        (f"[plan.x]\ndice = '3k'\n{ROW}", "'k' does not belong in a dice expression"),
        (f"[plan.x]\ndice = '4d'\n{ROW}", r"no row for 19-24 \(probability 7/72"),
        ("[plan.x]\nrows = [{ low = 3, high = 10, part = 'torso' }, { low = 11, high = 20, part = 'arm' }]",
         r"bodies.x: 19-20 of row 11-20 is out of reach of 3d6 \(3 to 18\)"),
        ("[plan.x]\nrows = [{ low = 3, high = 18 }]", "plan x, row 3: give either part or pick"),
        ("[plan.x]\nrows = [{ low = 3, high = 18, part = 'arm', which = 'side' }]", "plan x. Did you mean sides"),
        ("[plan.x]\nrows = [{ low = 3, high = 18, part = 'torso', kind = 'soft' }]", "rows.0.kind has to be 'torso'"),
        ("[plan.x]\nrows = [{ low = '3', high = 18, part = 'torso' }]", "rows.0.low has to be a whole number, not '3'"),
        (f"[plan.x]\nvariant_of = 'x'\n{ROW}", "plan x is a variant of 'x', which is a variant of it"),
        (f"[plan.x]\nvariant_of = 'y'\n{ROW}\n[plan.y]\nvariant_of = 'x'\n{ROW}", "which is a variant of it"),
        (f"[plan.x]\nvariant_of = 'quadrupod'\n{ROW}", "plan x, variant_of. Did you mean quadruped"),
        ("[part.horn]\nkind = 'limb'\nzone = 'hull'", "part.horn.zone has to be 'body'"),
        ("[which.two]\ndice = '1d'\nrows = [{ low = 1, high = 3, name = 'a' }]\n"
         "[plan.x]\nrows = [{ low = 3, high = 18, part = 'arm', which = 'two' }]", "no row for 4-6"),
        ("[plans.x]", "plans is not a known key; did you mean plan"),
        ("[plan.x", "own.toml.* not TOML"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_says_why(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises((CatalogError, UnknownNameError), match=said):
        plans_of(str(file))


@pytest.mark.rule("G1", "G2")
def test_a_variant_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        "[plan.unicorn]\nvariant_of = 'quadruped'\neye = -10\nrows = [{ low = 5, high = 5, part = 'skull' }]\n"
    )
    unicorn = plans_of(str(file))["unicorn"]
    assert [str(unicorn.table.row_for(total).value) for total in (4, 5, 6, 17)] == ["skull", "skull", "neck", "tail"]
    assert find_aim(unicorn, "eye", "x") == ("eye", -10)
    assert plans_of(str(file))["squid"].title == "Squid"  # the shipped ones are there still
    with pytest.raises(UnknownNameError, match=r"own\.toml"):
        plans_of(str(file)).plan("griffin")


@pytest.mark.rule("G1")
def test_an_unknown_plan_or_key_is_named(tmp_path: Path, shooting: Any) -> None:
    with pytest.raises(UnknownNameError, match="quadruped"):
        shooting.rules().plan(shooting.attack(), shooting.creature("quadrupod"))
    file = tmp_path / "bad.toml"
    file.write_text("[plan.x]\nrow = []\n")
    with pytest.raises(CatalogError, match="did you mean rows"):
        plans_of(str(file))
    with pytest.raises(CatalogError, match="There is no file"):
        plans_of(str(tmp_path / "none.toml"))
