"""The catalog: what is shipped is sound and sourced, names are forgiving, a bad file is told where it is bad."""

from __future__ import annotations

import contextlib
import dataclasses
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mantlet.catalog.catalog import DATA, Catalog
from mantlet.catalog.user_files import MAX_BYTES
from mantlet.catalog.validation import build, validate
from mantlet.errors import CatalogError, UnknownNameError
from mantlet.game.target import Target
from mantlet.game.weapon import Weapon

CATALOG = Catalog()
WEAPON_FILES = sorted((DATA / "weapons").glob("*.toml"))
TARGET_FILES = sorted((DATA / "targets").glob("*.toml"))

# -- what is shipped ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", WEAPON_FILES + TARGET_FILES, ids=lambda file: file.stem)
def test_every_shipped_file_is_valid_and_both_ways_of_reading_agree(file: Path) -> None:
    kind = Weapon if file.parent.name == "weapons" else Target
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    built = build(kind, data)
    assert dataclasses.asdict(validate(kind, data, file.name)) == dataclasses.asdict(built)
    assert built.id == file.stem
    assert not built.aliases, "shipped aliases are written in aliases.toml alone"


def numbers_without_source(thing: Any, path: str) -> Iterator[str]:
    """Every number of a thing that names no source: a field needs an entry under provenance, or a source beside it."""
    provenance = getattr(thing, "provenance", {})
    sourced = getattr(thing, "source", "")
    for item in dataclasses.fields(thing):
        value = getattr(thing, item.name)
        if dataclasses.is_dataclass(value) or item.name in ("provenance", "stats") or value == item.default:
            continue
        parts = [part for part in value if dataclasses.is_dataclass(part)] if isinstance(value, tuple) else []
        for n, part in enumerate(parts):
            if item.name != "seats":
                yield from numbers_without_source(part, f"{path}.{item.name}.{n}")
        has_number = isinstance(value, (int, float)) or item.name == "seats"
        if isinstance(value, tuple) and not parts:
            has_number = any(isinstance(part, (int, float)) for part in value)
        plain_flag = isinstance(value, bool) and item.name != "shatter_prone"
        if has_number and not plain_flag and item.name not in provenance and not sourced:
            yield f"{path}.{item.name}"


@pytest.mark.parametrize("thing", CATALOG.weapons() + CATALOG.targets(), ids=lambda thing: thing.id)
def test_every_number_names_its_source(thing: Weapon | Target) -> None:
    assert list(numbers_without_source(thing, thing.id)) == []


def test_every_source_and_criterion_that_is_used_is_explained() -> None:
    sources, criteria = CATALOG.sources(), CATALOG.criteria()
    used = set()
    for weapon in CATALOG.weapons():
        used.update(p.source for p in weapon.provenance.values())
        for ammunition in weapon.ammunition:
            used.update(p.source for p in ammunition.provenance.values())
            used.update(table.source for table in ammunition.penetration)
            assert {table.criterion for table in ammunition.penetration} <= set(criteria)
    for target in CATALOG.targets():
        used.update(p.source for p in target.provenance.values())
        used.update(plate.source for plate in target.plates)
    used.update(entry["source"] for entry in criteria.values())
    assert used == set(sources)
    assert all(entry["text"] for entry in sources.values())


def test_provenance_speaks_of_fields_that_are_there() -> None:
    for thing in [*CATALOG.weapons(), *(a for w in CATALOG.weapons() for a in w.ammunition), *CATALOG.targets()]:
        names = {item.name for item in dataclasses.fields(thing)}
        assert set(thing.provenance) <= names, thing.id


def test_the_published_figures_are_all_there() -> None:
    later = ("uk_25pdr", "de_20_kwk38", "de_pzb39")
    guns = [w for w in CATALOG.weapons() if w.id[:3] in ("us_", "uk_", "de_", "su_") and w.id not in later]
    assert len(guns) == 36
    assert sum(ammunition.kind not in ("HE", "ball") for gun in guns for ammunition in gun.ammunition) == 68
    tables = [table for gun in guns for ammunition in gun.ammunition for table in ammunition.penetration]
    assert Counter(table.source == "RECALL" for table in tables if table.source != "DERIVED") == {True: 15, False: 117}
    others = ("m8_greyhound", "m5_stuart", "il2", "schnellboot", "at_gun_crew")
    vehicles = [target for target in CATALOG.targets() if target.plates and target.id not in others]
    assert len(vehicles) == 24
    assert sum(len(vehicle.plates) for vehicle in vehicles) == 256


def test_there_is_enough_to_choose_from() -> None:
    assert len(CATALOG.weapons()) == 76
    assert len(CATALOG.targets()) == 45
    assert {target.kind for target in CATALOG.targets()} == {"vehicle", "creature", "team"}


def at(weapon_and_round: str, range_m: float) -> float:
    table = CATALOG.round(weapon_and_round)[1].default_table
    assert table is not None
    return dict(zip(table.range_m, table.penetration_mm))[range_m]


@pytest.mark.parametrize(
    ("weapon", "range_m", "mm"),
    [
        ("de_75_pak40", 500, 123),
        ("us_75_m3", 500, 81),
        ("us_75_m3/M72_AP", 457.2, 76),
        ("uk_17pdr", 500, 163),
        ("uk_17pdr/APDS", 500, 256),
        ("de_88_kwk36", 1000, 138),
        ("de_88_kwk43", 2000, 176),
        ("su_76_f34", 500, 74),
        ("su_122_d25t/BR471B", 1000, 155),
        ("us_50_m2", 100, 20.9),
        ("uk_boys", 91.4, 23.2),
        ("de_pzfaust60", 60, 216),
        ("uk_6pdr/APDS", 1000, 140),
        ("uk_2pdr", 914.4, 38),
    ],
)
def test_penetration(weapon: str, range_m: float, mm: float) -> None:
    assert at(weapon, range_m) == mm


@pytest.mark.parametrize(
    ("target", "where", "mm", "deg"),
    [
        ("m4a1_75_dry", "hull_front_upper", 51, 55),
        ("m4a3_75w", "hull_front_upper", 63.5, 47),
        ("t34_76_1942", "hull_front_upper", 45, 60),
        ("panther_g", "hull_front_upper", 82, 55),
        ("tiger_1e", "hull_side_upper", 82, 0),
        ("tiger_2", "turret_front", 180, 10),
        ("hetzer", "hull_side_upper", 20, 40),
        ("m3_halftrack", "hull_side_upper", 6.35, 0),
    ],
)
def test_plates(target: str, where: str, mm: float, deg: float) -> None:
    plate = CATALOG.target(target).plate(where)
    assert plate is not None
    assert (plate.thickness_mm, plate.slope_deg) == (mm, deg)


def test_every_round_with_tables_has_one_default() -> None:
    for weapon in CATALOG.weapons():
        for ammunition in weapon.ammunition:
            if ammunition.penetration:
                assert sum(table.default for table in ammunition.penetration) == 1, f"{weapon.id}/{ammunition.id}"


def test_every_small_arm_has_a_ball_round_and_every_armament_a_weapon() -> None:
    for weapon in CATALOG.weapons():
        if weapon.kind in ("pistol", "rifle", "submachine_gun", "machine_gun", "heavy_machine_gun"):
            assert CATALOG.round(f"{weapon.id}/ball")[1].kind == "ball"
    for target in CATALOG.targets():
        for weapon_id in target.armament:
            assert CATALOG.weapon(weapon_id).id == weapon_id


def test_high_explosive_says_how_much() -> None:
    for weapon in CATALOG.weapons():
        for ammunition in weapon.ammunition:
            if ammunition.kind == "HE":
                assert ammunition.filler_kg, f"{weapon.id}/{ammunition.id}"


def test_targets_are_whole() -> None:
    for target in CATALOG.targets():
        assert None not in (target.mass_kg, target.length_m, target.width_m, target.height_m), target.id
        assert target.seats or target.kind == "creature", target.id
        assert target.kind != "vehicle" or target.components, target.id
        assert (target.running_gear == "wheels") <= (target.wheels > 0), target.id
        assert ("main_gun" in target.aboard) <= bool(target.armament), target.id
        assert (target.stowage == "none") or target.main_gun_rounds, target.id
        in_turret = any(seat.compartment == "turret" for seat in target.crew)
        assert in_turret == target.has_turret, target.id


def test_who_sits_where() -> None:
    def seats(name: str) -> list[tuple[str, str]]:
        return [(seat.role, seat.compartment) for seat in CATALOG.target(name).crew]

    assert seats("sherman") == [
        ("commander", "turret"),
        ("gunner", "turret"),
        ("loader", "turret"),
        ("driver", "hull"),
        ("bow_gunner", "hull"),
    ]
    assert {place for _, place in seats("stug")} == {"hull"}
    assert Counter(place for _, place in seats("m3_halftrack")) == {"front_cab": 3, "bed": 10}
    assert Counter(seats("jeep")) == {("driver", "front"): 1, ("front_passenger", "front"): 1, ("passenger", "back"): 2}
    assert seats("bmw_r75") == [("driver", "saddle"), ("sidecar_passenger", "sidecar")]
    assert all(seat.exposed for seat in CATALOG.target("bmw_r75").seats)
    assert len(seats("infantry_squad")) == 10
    assert "radiator" not in CATALOG.target("kubelwagen").components


# -- names -------------------------------------------------------------------------------------------------------------


def test_every_alias_leads_somewhere_and_hides_nothing() -> None:
    for alias in CATALOG.weapon_aliases():
        assert CATALOG.round(alias)
    for alias in CATALOG.target_aliases():
        assert CATALOG.target(alias)
    assert not set(CATALOG.weapon_aliases()) & set(CATALOG.weapon_ids())
    assert not set(CATALOG.target_aliases()) & set(CATALOG.target_ids())


@pytest.mark.parametrize(
    ("alias", "id"),
    [("pak36_37mm", "de_37_pak36"), ("m2hb", "us_50_m2"), ("boys_atr", "uk_boys"), ("88", "de_88_kwk36")],
)
def test_other_names_of_weapons(alias: str, id: str) -> None:
    assert CATALOG.weapon(alias).id == id


@pytest.mark.parametrize(
    ("alias", "id"),
    [("m4_sherman", "m4a1_75_dry"), ("Tiger", "tiger_1e"), ("T-34", "t34_76_1942"), ("sdkfz251", "sdkfz_251")],
)
def test_other_names_of_targets(alias: str, id: str) -> None:
    assert CATALOG.target(alias).id == id


def test_case_hyphens_and_blanks_do_not_matter() -> None:
    assert CATALOG.weapon("DE-75 PaK40") is CATALOG.weapon("de_75_pak40")
    assert CATALOG.weapon("PaK 40") is CATALOG.weapon("pak40")
    assert CATALOG.round("us 75 m3/m48-he")[1].id == "M48_HE"


def test_a_round_by_id_by_kind_and_by_alias() -> None:
    assert CATALOG.round("us_75_m3")[1].id == "M61_APC"
    assert CATALOG.round("us_75_m3/M72_AP")[1].id == "M72_AP"
    assert CATALOG.round("us_75_m3/he")[1].id == "M48_HE"
    assert CATALOG.round("he_shell_75mm")[1].id == "M48_HE"
    assert CATALOG.round("he_shell_75mm/M61_APC")[1].id == "M61_APC"
    assert CATALOG.weapon("he_shell_75mm").id == "us_75_m3"


def test_the_same_name_is_the_same_object() -> None:
    assert CATALOG.target("sherman") is CATALOG.target("m4a1_75_dry")
    assert CATALOG.round("pak40")[1] is CATALOG.round("de_75_pak40")[1]
    assert CATALOG.targets()[0] is CATALOG.targets()[0]


def test_an_unknown_name_gets_the_nearest_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"^No target is called 'shermann'\. Did you mean sherman"):
        CATALOG.target("shermann")
    with pytest.raises(UnknownNameError, match=r"^No weapon is called 'pak41'\. Did you mean "):
        CATALOG.weapon("pak41")


def test_an_unknown_round_gets_the_list() -> None:
    with pytest.raises(
        UnknownNameError, match=r"No round is called 'M48_HEE' in us_75_m3 \(M61_APC, M72_AP, M48_HE\)"
    ) as e:
        CATALOG.round("us_75_m3/M48_HEE")
    assert e.value.near == ("M48_HE",)
    assert str(UnknownNameError("seat", "roof", ("driver", "gunner"), "jeep")) == (
        "No seat is called 'roof' in jeep. Known: driver, gunner."
    )


@given(st.text(max_size=30))
def test_no_name_reaches_outside_the_catalog(name: str) -> None:
    for find in (CATALOG.weapon, CATALOG.target, CATALOG.round):
        with contextlib.suppress(UnknownNameError):
            find(name)


def test_no_path_is_a_name() -> None:
    for name in ("../aliases", "../../data/targets/jeep", "/etc/passwd", "", ".", "targets"):
        with pytest.raises(UnknownNameError):
            CATALOG.target(name)


def test_one_lookup_reads_one_file_and_loads_no_pydantic() -> None:
    code = (
        "import sys, tomllib; read = []; loads = tomllib.loads\n"
        "tomllib.loads = lambda text: (read.append(1), loads(text))[1]\n"
        "from mantlet.catalog import Catalog\n"
        "c = Catalog(); c.round('de_75_pak40'); c.target('m4a1_75_dry')\n"
        "assert len(read) == 2, read\n"
        "assert 'pydantic' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# -- a user's files ----------------------------------------------------------------------------------------------------

HOUSE = """
[[weapon]]
id = "house_gun"
name = "House gun"
kind = "gun"
caliber_mm = 40
aliases = ["hg", "my gun"]

[[weapon.ammunition]]
id = "shot"
kind = "AP"

[[weapon.ammunition.penetration]]
angle_deg = 0
plate = "RHA"
criterion = "house"
range_m = [100, 500]
penetration_mm = [60, 50]
source = "house"
confidence = "design"

[[target]]
id = "house_tank"
name = "House tank"
kind = "vehicle"
body = "tank"
plates = [
    { where = "hull_front_upper", thickness_mm = 50 },
    { where = "hull_side_upper", thickness_mm = 30, slope_deg = 10 },
]
seats = [{ role = "driver", compartment = "hull" }]
"""

SEATS = 'seats = [{ role = "driver", compartment = "front" }]\n'


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE, encoding="utf-8")
    return file


def complaint(file: Path, text: str | bytes) -> str:
    """What is said about a file with this text, without the directory."""
    if isinstance(text, str):
        file.write_text(text, encoding="utf-8")
    else:
        file.write_bytes(text)
    with pytest.raises(CatalogError) as error:
        Catalog(files=[file])
    return str(error.value).replace(str(file), file.name)


def line_with(text: str, part: str) -> int:
    return max(n for n, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_users_things_stand_beside_the_shipped_ones(house: Path) -> None:
    catalog = Catalog(files=[house])
    assert catalog.weapon("hg") is catalog.weapon("House-Gun") is catalog.weapon("my_gun")
    assert catalog.target("house_tank").plates[1].slope_deg == 10
    assert "house_gun" in catalog.weapon_ids()
    assert "house_tank" in catalog.target_ids()
    assert catalog.weapon_aliases()["hg"] == "house_gun"
    assert catalog.target("jeep").id == "jeep"


def test_a_later_file_wins_and_a_user_may_replace_what_is_shipped(house: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(
        '[[target]]\nid = "jeep"\nname = "My jeep"\nkind = "vehicle"\nbody = "car"\naliases = ["tiger"]\n'
        + SEATS
        + '[[target]]\nid = "house_tank"\nname = "Second"\nkind = "vehicle"\nbody = "tank"\n'
        + SEATS,
        encoding="utf-8",
    )
    catalog = Catalog(files=[house, other])
    assert catalog.target("jeep").name == "My jeep"
    assert catalog.target("willys").name == "My jeep"
    assert catalog.target("tiger").name == "My jeep"
    assert catalog.target("house_tank").name == "Second"
    assert catalog.target_ids().count("jeep") == 1


def test_plain_data_is_taken_like_a_file() -> None:
    cart = {"id": "x", "name": "X", "kind": "vehicle", "body": "car"}
    seats = [{"role": "driver", "compartment": "front"}]
    catalog = Catalog(data=[("import", {"target": [{**cart, "seats": seats}]})])
    assert catalog.target("x").name == "X"
    with pytest.raises(CatalogError, match=r"^import: target x: name is missing\.$"):
        Catalog(data=[("import", {"target": [{"id": "x", "kind": "vehicle", "body": "car"}]})])
    with pytest.raises(CatalogError, match=r"^import: target x: seats is empty, and a vehicle needs"):
        Catalog(data=[("import", {"target": [{**cart, "seats": []}]})])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "caliber_mm = 40",
            "calibre_mm = 40",
            "weapon house_gun: calibre_mm is not a known key; did you mean caliber_mm?",
        ),
        ("caliber_mm = 40", 'caliber_mm = "75"', "weapon house_gun: caliber_mm has to be a number, not '75'."),
        ("caliber_mm = 40", "caliber_mm = true", "weapon house_gun: caliber_mm has to be a number, not true."),
        ("caliber_mm = 40", "caliber_mm = nan", "weapon house_gun: caliber_mm has to be a finite number, not nan."),
        ("caliber_mm = 40", "caliber_mm = inf", "weapon house_gun: caliber_mm has to be a finite number, not inf."),
        (
            "caliber_mm = 40",
            "caliber_mm = 1979-05-27",
            "caliber_mm has to be a number, not 1979-05-27.",
        ),
        ('kind = "gun"', 'kind = "gum"', "weapon house_gun: kind cannot be 'gum'; did you mean 'gun'?"),
        ('kind = "AP"', 'kind = "APCB"', "weapon house_gun: ammunition.0.kind cannot be 'APCB'; did you mean "),
        (
            "penetration_mm = [60, 50]",
            "penetration_mm = [60, 61]",
            "penetration_mm must not rise with range, but 61 mm",
        ),
        ("penetration_mm = [60, 50]", "penetration_mm = [60]", "range_m and penetration_mm have to be of one length"),
        ("caliber_mm = 40", "caliber_mm = 1e300", "weapon house_gun: caliber_mm has to be at most 2,000, not a number"),
        (
            "penetration_mm = [60, 50]",
            "penetration_mm = [1e308, 50]",
            "penetration_mm has to be at most 100,000, not",
        ),
        (
            "thickness_mm = 50",
            "thickness_mm = 1e6",
            "thickness_mm of hull_front_upper has to be at most 100,000, not",
        ),
        ("thickness_mm = 50", "thickness_mm = -50", "thickness_mm of hull_front_upper has to be at least 0, not -50."),
        ("slope_deg = 10", "slope_deg = 90", "slope_deg of hull_side_upper has to be at least 0 and below 90, not 90."),
        (
            "slope_deg = 10",
            "slop_deg = 10",
            "target house_tank: plates.1.slop_deg is not a known key; did you mean slope_deg?",
        ),
        (
            '"hull_side_upper"',
            '"hull_front_upper"',
            "target house_tank: two plates are called hull_front_upper.",
        ),
        ('id = "house_tank"', 'id = "house/tank"', "'house/tank' cannot be a name"),
        ('aliases = ["hg"', 'aliases = ["house-gun"', "the name 'house-gun' is already taken by weapon house_gun."),
    ],
)
def test_a_bad_value_is_named_with_file_line_and_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert HOUSE.count(old) == 1
    text = HOUSE.replace(old, new)
    message = complaint(tmp_path / "house.toml", text)
    assert message.startswith(f"house.toml, line {line_with(text, new)}: ")
    assert said in message
    assert "\n" not in message


def test_a_wrong_table_name(tmp_path: Path) -> None:
    said = complaint(tmp_path / "f.toml", HOUSE.replace("[[target]]", "[[targets]]"))
    assert (
        said == f"f.toml, line {line_with(HOUSE, '[[target]]')}: targets is not a known key; did you mean [[target]]?"
    )
    assert complaint(tmp_path / "f.toml", "[weapon]\nid = 'x'") == (
        "f.toml, line 1: weapon has to be an array of tables, written [[weapon]]."
    )


def test_everything_wrong_is_listed_in_the_order_of_lines(tmp_path: Path) -> None:
    text = HOUSE.replace("thickness_mm = 30", "thickness_mm = '30'").replace("caliber_mm = 40", "calibre_mm = 40")
    lines = complaint(tmp_path / "f.toml", text).splitlines()
    assert len(lines) == 2
    assert "calibre_mm" in lines[0]
    assert "plates.1.thickness_mm" in lines[1]


def test_two_of_the_same_id(tmp_path: Path) -> None:
    one = '[[target]]\nid = "twin"\nname = "Twin"\nkind = "vehicle"\nbody = "car"\n' + SEATS
    said = complaint(tmp_path / "f.toml", one + one.replace("twin", "Twin"))
    assert said == "f.toml, line 8: target Twin: the name 'Twin' is already taken by target twin."


def test_a_vehicle_has_seats(tmp_path: Path) -> None:
    cart = '[[target]]\nid = "cart"\nname = "Cart"\nkind = "vehicle"\nbody = "car"\n'
    said = complaint(tmp_path / "f.toml", cart + "seats = []\n")
    assert said == (
        "f.toml, line 6: target cart: seats is empty, and a vehicle needs at least one seat; "
        "left out, it has those its body usually has."
    )
    (tmp_path / "f.toml").write_text(cart, encoding="utf-8")
    left_out = Catalog(files=[tmp_path / "f.toml"]).target("cart")
    assert left_out.seats is None
    assert [seat.role for seat in left_out.crew] == ["driver", "front_passenger"]


def test_a_creature_needs_no_rider(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    file.write_text('[[target]]\nid = "it"\nname = "It"\nkind = "creature"\nbody = "animal"\n', encoding="utf-8")
    assert Catalog(files=[file]).target("it").crew == ()


def test_two_rounds_of_the_same_id(tmp_path: Path) -> None:
    text = HOUSE.replace("[[target]]", '[[weapon.ammunition]]\nid = "Shot"\nkind = "HE"\n\n[[target]]')
    said = complaint(tmp_path / "f.toml", text)
    assert said.startswith(f"f.toml, line {line_with(text, 'Shot')}: weapon house_gun: two rounds are called Shot.")


CART = '[[target]]\nid = "cart"\nname = "Cart"\nkind = "vehicle"\nbody = "car"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            CART + "seats = [" + '{ role = "a", compartment = "bed", count = 1000 },' * 1000 + "]\n",
            "line 6: target cart: seats hold 1000000 people, and 1000 are the most.",
        ),
        (CART + "wheels = 101\n" + SEATS, "line 6: target cart: wheels has to be at most 100, not 101."),
        (CART.replace("Cart", " ") + SEATS, "line 3: target cart: name is empty."),
        (
            CART.replace("vehicle", "team").replace('car"', 'infantry"'),
            "line 1: target cart: seats is empty or missing, and a team needs at least one man.",
        ),
        (CART + SEATS.replace("driver", " "), "line 6: target cart: seats.0.role is empty."),
        (
            CART + "mass_kg = 0\n" + SEATS,
            "line 6: target cart: mass_kg has to be more than 0, not 0; left out, it counts as unknown.",
        ),
        (
            CART + "length_m = 1e-9\n" + SEATS,
            "line 6: target cart: length_m has to be more than 0, not 1e-09; left out, it counts as unknown.",
        ),
        (
            '[[weapon]]\nid = "w"\nname = "W"\nkind = "gun"\n[[weapon.ammunition]]\nid = "r"\nkind = "AP"\n'
            "muzzle_velocity_mps = 0\n",
            "line 8: weapon w: ammunition.0.muzzle_velocity_mps has to be more than 0, not 0; left out, it counts as "
            "unknown.",
        ),
        (
            CART.replace("vehicle", "creature"),
            "line 5: target cart: body cannot be 'car': a creature has the body animal or monster.",
        ),
        (
            CART.replace('"car"', '"animal"') + SEATS,
            "line 5: target cart: body cannot be 'animal': a vehicle has the body of one.",
        ),
        (
            CART.replace("Cart", "\\u001b[31mCart") + SEATS,
            "line 3: target number 1: '\\x1b[31mCart' has characters that cannot be shown.",
        ),
        (
            CART.replace("Cart", "a\\nb") + SEATS,
            "line 3: target number 1: 'a\\nb' has characters that cannot be shown.",
        ),
        ("x = " + "9" * 5000, "not TOML: A number has too many digits."),
    ],
)
def test_what_no_ruleset_could_use(tmp_path: Path, text: str, said: str) -> None:
    message = complaint(tmp_path / "f.toml", text)
    assert message in (f"f.toml, {said}", f"f.toml: {said}")


def test_a_file_that_is_wrong_all_over_is_given_up_soon(tmp_path: Path) -> None:
    lines = complaint(tmp_path / "f.toml", "weapon = [" + "1," * 500_000 + "]").splitlines()
    assert len(lines) == 21
    assert lines[-1] == "f.toml: that is not all; there is more wrong with it."


def test_a_note_may_have_lines(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    file.write_text(CART + SEATS + 'note = "one\\ntwo"\n', encoding="utf-8")
    assert Catalog(files=[file]).target("cart").note == "one\ntwo"


def test_text_that_is_no_toml(tmp_path: Path) -> None:
    said = complaint(tmp_path / "f.toml", '[[weapon]]\nid = "a"\nname = \n')
    assert said.startswith("f.toml, line 3, column 8: not TOML: ")
    assert complaint(tmp_path / "f.toml", "x = [").startswith("f.toml, at the end: not TOML: ")
    assert complaint(tmp_path / "f.toml", "x = " + "[" * 5000).startswith("f.toml")
    assert complaint(tmp_path / "f.toml", "x = " + "9" * 5000).startswith("f.toml")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"^There is no file .*gone\.toml\.$"):
        Catalog(files=[tmp_path / "gone.toml"])
    with pytest.raises(CatalogError, match=r"is a directory; a data file was expected\.$"):
        Catalog(files=[tmp_path])
    assert complaint(tmp_path / "f.toml", b'name = "\xff"') == "f.toml is not UTF-8 text: byte 8 cannot be read."
    big = complaint(tmp_path / "f.toml", b"#" * 10_000_000)
    assert big == f"f.toml is too large for a data file: 10000000 bytes, at most {MAX_BYTES}."


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_device_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(CatalogError, match=r"^/dev/zero is no ordinary file; a data file was expected\.$"):
        Catalog(files=["/dev/zero"])


def test_a_byte_order_mark_and_an_empty_file_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    file.write_bytes(b"\xef\xbb\xbf" + HOUSE.encode())
    assert Catalog(files=[file]).weapon("house_gun")
    file.write_bytes(b"")
    assert Catalog(files=[file]).weapon_ids() == CATALOG.weapon_ids()


# -- directories of plugins --------------------------------------------------------------------------------------------


@pytest.fixture
def plugin_data(tmp_path: Path) -> Path:
    (tmp_path / "targets").mkdir()
    for id in ("hovercraft", "jeep"):
        text = f'id = "{id}"\nname = "From a plugin"\nkind = "vehicle"\nbody = "boat"\n' + SEATS
        (tmp_path / "targets" / f"{id}.toml").write_text(text, encoding="utf-8")
    (tmp_path / "aliases.toml").write_text('[targets]\nhover = "hovercraft"\ntiger = "hovercraft"\n', encoding="utf-8")
    return tmp_path


def test_a_plugin_adds_things_and_replaces_none(plugin_data: Path) -> None:
    catalog = Catalog(extra=[plugin_data])
    assert catalog.target("hover") is catalog.target("hovercraft")
    assert catalog.target("jeep").name != "From a plugin"
    assert catalog.target("tiger").id == "tiger_1e"
    assert "hovercraft" in catalog.target_ids()


def test_a_plugins_bad_file_is_named(plugin_data: Path) -> None:
    (plugin_data / "targets" / "hovercraft.toml").write_text('id = "hover"\nnam = "x"\n', encoding="utf-8")
    with pytest.raises(CatalogError, match=r"hovercraft\.toml, line 2: nam is not a known key; did you mean name\?"):
        Catalog(extra=[plugin_data]).target("hovercraft")
    text = 'name = "x"\nid = "other"\nkind = "vehicle"\nbody = "boat"\n' + SEATS
    (plugin_data / "targets" / "hovercraft.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError, match=r"line 2: id has to be 'hovercraft', as the file is called, not 'other'\."):
        Catalog(extra=[plugin_data]).target("hovercraft")
    text = text.replace("other", "hovercraft").replace(SEATS, "seats = []\n")
    (plugin_data / "targets" / "hovercraft.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError, match=r"hovercraft\.toml, line 5: seats is empty, and a vehicle"):
        Catalog(extra=[plugin_data]).target("hovercraft")


def test_a_plugins_directory_that_is_not_there_adds_nothing(tmp_path: Path) -> None:
    assert Catalog(extra=[tmp_path / "gone"]).target_ids() == CATALOG.target_ids()
