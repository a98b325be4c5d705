"""Whatever stands in a user's file or option: one sentence that names it, no fault, no hanging, no memory eaten."""

from __future__ import annotations

from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest

from cli_run import fail, mantlet, succeed
from d100_wwii.tables import CollisionData, TroubleData
from d100_wwii.vehicle_stats import VehicleBlock
from d100_wwii.weapon_stats import WeaponBlock
from damaged import FAULTS, Result, attempt_all, counts, memory_mb
from gurps_vehicle.bodies import BodyFile
from gurps_vehicle.stats import TargetStats, WeaponStats
from mantlet import Between, CatalogError, DiceText, load_plugins, read_toml
from mantlet.catalog.user_files import MAX_BYTES, MOST_NESTED, parse_json


def check(results: list[Result], most_mb: float) -> None:
    assert [f"{result.seed}: {result.told}" for result in results if result.told] == []
    refused = {kind: sum(r.refused for r in results if r.kind == kind) for kind in {r.kind for r in results}}
    for kind, number in refused.items():
        assert 0 < number < sum(r.kind == kind for r in results), f"{kind}: all the same, so nothing was tried"
    assert memory_mb() < most_mb


MOST_MB = 500
"""Of memory in all: what one command may take."""


def test_damaged_inputs_are_refused_in_a_sentence_or_work(tmp_path: Path) -> None:
    check(attempt_all(range(300), str(tmp_path)), 2000)  # of the process that runs other tests, too


@pytest.mark.slow
def test_ten_thousand_damaged_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it came to is printed, whether it passes or not."""
    results = attempt_all(range(10_000, 20_000), str(tmp_path), processes=2)
    with capsys.disabled():
        print(f"\n{counts(results)}")
    check(results, MOST_MB)


# -- limits before parsing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".".join(["a"] * 20_000) + " = 1", "line 1 has a key of too many parts"),
        ("\n[" + '."a"'.join(["a"] * 20_000) + "]", "line 2 has a key of too many parts"),
        ("x = 1\ny = { " + ".".join(["a"] * 20_000) + " = 1 }", "line 2 has a key of too many parts"),
        ("x = " + "[" * 300_000, "line 1 is nested too deeply"),
        ("x = " + "{a=" * 300_000, "line 1 is nested too deeply"),
        ("#" * (MAX_BYTES + 1), "is too large for a data file"),
    ],
)
def test_what_would_take_a_parsers_memory_is_refused_before(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "f.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError) as caught:
        read_toml(file)
    assert str(caught.value).startswith(str(file))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_dots_and_brackets_that_are_no_keys_do_not_count(tmp_path: Path) -> None:
    many = "." * 200 + "[" * 200
    texts = [f'"{many}"', f"'{many}'", f'"""\n"{many}""" # {many}', f"'''\n'{many}'''", '"\\"' + many + '"']
    text = "\n".join(f"a{n} = {written}" for n, written in enumerate(texts)) + f"\n# {many}\nn = [{'1.5, ' * 200}]\n"
    text += ".".join(["k"] * MOST_NESTED) + " = 1\nd = " + "[" * MOST_NESTED + "]" * MOST_NESTED
    file = tmp_path / "f.toml"
    file.write_text(text, encoding="utf-8")
    found = read_toml(file)
    assert found["a0"] == found["a1"] == many
    assert found["n"] == [1.5] * 200


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "f: line 1 is nested too deeply: 16 are the most."),
        ('{"a": 1, "b": {"a": 1, "a": 2}}', "f: the key 'a' stands twice in one object."),
        ('{"a": -Infinity}', "f: a finite number was expected, not -Infinity."),
        ('{"a": NaN}', "f: a finite number was expected, not NaN."),
        ('{"a": 1e999}', "f: a finite number was expected, not 1e999."),
        ('{"a": 9223372036854775808}', "f: a number has too many digits: 19, and 19 are the most."),
    ],
)
def test_json_that_is_none_or_too_much(text: str, said: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_json(text, "f")
    assert str(caught.value) == said


def test_json_as_mantlet_writes_it() -> None:
    assert parse_json('{"a[[": [1, -2.5, null, true, "]]\\"{"]}', "f") == {"a[[": [1, -2.5, None, True, ']]"{']}


# -- every number has bounds, every dice text is read -----------------------------------------------------------------


def unbounded(kind: Any, path: str) -> list[str]:
    """Where a type of a file's data has a number without bounds."""
    if get_origin(kind) is Annotated:
        return [] if any(isinstance(mark, Between) for mark in get_args(kind)) else unbounded(get_args(kind)[0], path)
    if kind in (int, float):
        return [path]
    if hasattr(kind, "__dataclass_fields__"):
        hints = get_type_hints(kind, include_extras=True)
        return [found for name, hint in hints.items() for found in unbounded(hint, f"{path}.{name}")]
    if get_origin(kind) in (Union, UnionType, tuple, list, dict) or get_origin(kind) is not None:
        return [found for part in get_args(kind) if not isinstance(part, str) for found in unbounded(part, path)]
    return []


FILES = (WeaponBlock, VehicleBlock, WeaponStats, TargetStats, BodyFile, TroubleData, CollisionData)


@pytest.mark.parametrize("kind", FILES, ids=lambda kind: kind.__name__)
def test_every_number_of_a_users_file_has_bounds(kind: Any) -> None:
    assert unbounded(kind, kind.__name__) == []


@pytest.mark.parametrize("kind", FILES, ids=lambda kind: kind.__name__)
def test_every_dice_text_of_a_users_file_is_read(kind: Any) -> None:
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name in ("dice", "damage", "burn", "dice_per_step"):
            assert "DiceText" in str(hint), f"{kind.__name__}.{name}"
    assert DiceText()._check("2d6") == "2d6"


# -- what a user's file says and nobody means -------------------------------------------------------------------------

TANK = """[[target]]
id = "t"
name = "T"
kind = "vehicle"
body = "tank"
seats = [{ role = "driver", compartment = "hull" }]
plates = [{ where = "hull_front_upper", thickness_mm = 20 }]
"""
GUN = """[[weapon]]
id = "w"
name = "W"
kind = "gun"
ammunition = [{ id = "a", kind = "AP" }]
"""
D100, GURPS = "[target.stats.d100_wwii]\n", "[target.stats.gurps_vehicle]\n"
D100_GUN, GURPS_GUN = "[weapon.stats.d100_wwii]\n", "[weapon.stats.gurps_vehicle]\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (TANK + D100 + "front_tires = 1000000000", 9, "d100_wwii of t: front_tires has to be at most 100, not 1000000"),
        (TANK + D100 + "front_tires = -1", 9, "front_tires has to be at least 1, not -1."),
        (TANK + D100 + "move = -5", 9, "move has to be at least 0, not -5."),
        (TANK + D100 + "armor = -3", 9, "armor has to be at least 0, not -3."),
        (TANK + D100 + "drive_percent = 5000", 9, "drive_percent has to be at most 1000, not 5000."),
        (
            TANK + D100 + 'absent = ["hull_gnu"]',
            8,
            "called 'hull_gnu' in stats.d100_wwii of t: absent. Did you mean hull",
        ),
        (TANK + GURPS + "hp = 1000000000", 9, "stats.gurps_vehicle of t: hp has to be at most 100000, not 1000000000."),
        (TANK + GURPS + 'locations = "2C900X"', 8, "900 of X is not 1 to 100."),
        (TANK + GURPS + "dr = { sied = 5 }", 8, "No place of armor is called 'sied' in "),
        (
            TANK + "[target.stats.d100_wii]\narmor = 1",
            8,
            "stats.d100_wii: no ruleset has that name; did you mean d100_w",
        ),
        (TANK + "[target.stats.facing_armor]\narmor = 1", 8, "facing_armor reads no stat block"),
        (TANK + 'components = ["turet"]', 8, "components cannot have 'turet'; did you mean 'turret'?"),
        (TANK + 'components = ["turret", "turret"]', 8, "components has 'turret' twice."),
        (TANK + 'components = [""]', 8, "components.0 is empty."),
        (TANK + 'armament = ["de_75_pak4"]', 8, "armament: No weapon is called 'de_75_pak4'. Did you mean de_75_pak40"),
        (TANK + "main_gun_rounds = 1000000000", 8, "main_gun_rounds has to be at most 10,000, not"),
        (TANK + "wheels = 1" + "0" * 310, 8, "target.0.wheels has too many digits: 311, and 19 are the most."),
        (
            TANK + 'provenance = { hight_m = { source = "S", confidence = "low" } }',
            8,
            "provenance.hight_m speaks of no kn",
        ),
        (GUN + D100_GUN + 'damage = "1d6+1d4/2"', 7, "stats.d100_wwii of w: damage: '/' does not belong in a dice"),
        (GUN + D100_GUN + 'burn = "-5d6"', 7, "burn: '-5d6' comes to -5 at most, and has to come to 0 or more."),
        (GUN + D100_GUN + "malfunction = -1", 7, "malfunction has to be at least 1, not -1."),
        (GUN + GURPS_GUN + 'damage = "-5d6"', 7, "stats.gurps_vehicle of w/a: damage: '-5d6' comes to -5 at most"),
        (GUN + GURPS_GUN + "acc = -5", 7, "acc has to be at least 0, not -5."),
        (GUN + GURPS_GUN + "rof = 100000", 7, "rof has to be at most 1000, not 100000."),
        (GUN + GURPS_GUN + "divisor = inf", 7, "divisor has to be a finite number, not inf."),
        (GUN + "magazine = 1" + "0" * 310, 6, "weapon.0.magazine has too many digits: 311, and 19 are the most."),
    ],
)
def test_nonsense_is_refused_with_file_line_and_key(tmp_path: Path, text: str, line: int, said: str) -> None:
    file = tmp_path / "f.toml"
    file.write_text(text, encoding="utf-8")
    told = fail(f"show {'t' if text.startswith(TANK) else 'w'} --catalog {file}", 1)
    assert f"{file}, line {line}: " in told
    assert said in told


def test_what_nothing_reads_is_told_and_stays_allowed(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    file.write_text(TANK + 'components = ["winch"]\n[target.stats.iron_dice]\narmor = 1\n', encoding="utf-8")
    told = mantlet(f"show t --catalog {file}")
    assert told.exit_code == 0
    assert f"Note: {file}, line 8: target t: no ruleset of mantlet asks about the component 'winch'.\n" in told.stderr
    assert (
        f"Note: {file}, line 9: stats.iron_dice is for a ruleset that is not installed; installed: d100_wwii, "
        "facing_armor, gurps_vehicle.\n" in told.stderr
    )


def test_a_gun_of_a_later_file_may_be_armament(tmp_path: Path) -> None:
    tank, gun = tmp_path / "tank.toml", tmp_path / "gun.toml"
    tank.write_text(TANK + 'armament = ["w", "mg34"]\n', encoding="utf-8")
    gun.write_text(GUN, encoding="utf-8")
    assert "T (t)" in succeed(f"show t --catalog {tank} --catalog {gun}")


def test_a_round_wider_than_every_class_is_of_the_widest(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    round = 'ammunition = [{ id = "a", kind = "AP", muzzle_velocity_mps = 700, projectile_mass_kg = 10 }]'
    facts = f"caliber_mm = 1000\n{round}"
    file.write_text(GUN.replace('ammunition = [{ id = "a", kind = "AP" }]', facts), encoding="utf-8")
    line = f"odds --ruleset gurps_vehicle --weapon w --target m4a1_75_dry --catalog {file} --given-hit --format json"
    assert "pi++" in succeed(line)


@pytest.mark.parametrize(
    "line",
    [
        "show {}",
        "attack --ruleset d100_wwii --weapon {} --target jeep",
        "attack --ruleset d100_wwii --weapon kar98k/{} --target jeep",
        "compare --weapon kar98k --target {}",
    ],
)
def test_a_name_too_long_for_a_file_is_one_that_nobody_knows(line: str) -> None:
    assert "is called 'aaaa" in fail(line.format("a" * 300), 1)


def test_an_id_too_long_for_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    file.write_text(GUN.replace('"w"', f'"{"w" * 101}"'), encoding="utf-8")
    assert f"{file}, line 2: " in (told := fail(f"weapons --catalog {file}", 1))
    assert "cannot be a name; use up to 100 letters, digits and _." in told
    file.write_text(GUN.replace('"w"', f'"{"w" * 100}"'), encoding="utf-8")
    assert "w" * 100 in succeed(f"weapons --catalog {file} --format json")


PLUGINS = load_plugins()


@pytest.mark.parametrize("value", ["9" * 310, "-1e308", "nan", "\0"], ids=["digits", "small", "nan", "zero_byte"])
@pytest.mark.parametrize("ruleset", PLUGINS.rulesets)
def test_every_option_refuses_nonsense_in_a_sentence_or_takes_it(ruleset: str, value: str) -> None:
    for option in PLUGINS.ruleset(ruleset).option_values():
        line = f"attack --ruleset {ruleset} --weapon de_75_pak40 --target m4a1_75_dry --given-hit --seed 1 --option"
        done = mantlet(f"{line} '{ruleset}.{option}={value}'")
        assert done.exit_code in (0, 1), f"{option}: {done.output}"
        assert not any(fault in done.output for fault in FAULTS), f"{option}: {done.output}"
        if done.exit_code:
            assert option in done.output or option.replace("_", " ") in done.output


def test_a_whole_number_beyond_all_others() -> None:
    told = fail(f"odds --ruleset gurps_vehicle --weapon kar98k --target horse --rounds 1{'0' * 310}", 2)
    assert "--rounds has to be at least 1 and at most 1000, not a number of more than 15 digits." in told


@pytest.mark.parametrize("rows", ["[]", "[{ low = 1, high = 6, part = 'torso', penalty = 1000000 }]"])
def test_a_body_plan_with_a_further_roll_that_cannot_be(tmp_path: Path, rows: str) -> None:
    file = tmp_path / "plans.toml"
    file.write_text(
        "[plan.horse]\nrows = [{ low = 3, high = 18, label = 'back', pick = { dice = '1d', rows = " + rows + " } }]\n",
        encoding="utf-8",
    )
    rules = load_plugins().ruleset("gurps_vehicle", {"body_plans": str(file)})
    told = fail(
        "odds --ruleset gurps_vehicle --weapon kar98k --target horse --given-hit "
        f"--option gurps_vehicle.body_plans={file}",
        1,
    )
    assert rules.name == "gurps_vehicle"
    assert f"{file}: plan.horse.rows.0.pick" in told
