"""`mantlet rulesets`, `weapons`, `targets`, `show`, `table` and `roll`."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from cli_guest import install_guest
from cli_run import data, fail, mantlet, succeed

MY_CATALOG = """
[[weapon]]
id = "my_cannon"
name = "My cannon"
kind = "gun"
caliber_mm = 40
[[weapon.ammunition]]
id = "ball"
kind = "ball"

[[target]]
id = "my_cart"
name = "My cart"
kind = "vehicle"
body = "wagon"
seats = [{ role = "driver", compartment = "front" }]
"""


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(MY_CATALOG, "utf-8")
    return file


# -- rulesets ------------------------------------------------------------------------------------------------------


def test_rulesets_lists_name_version_origin_and_what_is_covered() -> None:
    told = " ".join(succeed("rulesets").split())
    assert "coins 1.2, from coin-rules 1.0 Coins. All, by coins." in told
    assert "pennies 0.1, from coin-rules 1.0 Pennies. Not blades." in told
    assert "commands coin-flip, douse coin-rules 1.0" in told
    assert "formats csv, bad_csv coin-rules 1.0" in told
    assert "facing_armor (mantlet 0.1.0): left alone, as MANTLET_SKIP_PLUGINS asks." in told


def test_rulesets_as_data() -> None:
    told = data("rulesets")
    assert told["rulesets"][0] == {
        "name": "coins",
        "version": "1.2",
        "title": "Coins",
        "covers": "All, by coins.",
        "plugin": "coin",
        "origin": "coin-rules 1.0",
        "works": True,
        "reason": None,
    }
    coin = next(plugin for plugin in told["plugins"] if plugin["plugin"] == "coin")
    assert coin["rulesets"] == ["coins", "pennies"]
    assert coin["commands"] == ["coin-flip", "douse"]
    assert coin["faults"] == []
    assert "| coins | 1.2 | coin-rules 1.0 | Coins | All, by coins. |" in succeed("rulesets --format md")


# -- catalog -------------------------------------------------------------------------------------------------------


def test_weapons_and_targets_are_listed_and_searched(mine: Path) -> None:
    assert len(data("weapons")) >= 20
    assert len(data("targets")) >= 20
    assert [w["id"] for w in data("weapons 88")] == ["de_88_kwk36", "de_88_kwk43"]
    assert "m4a1_75_dry" in [t["id"] for t in data("targets Sherman")]
    assert [w["id"] for w in data(f"weapons my_cannon --catalog {mine}")] == ["my_cannon"]
    assert [t["id"] for t in data(f"targets my_cart --catalog {mine}")] == ["my_cart"]
    assert succeed("weapons nothing-like-it") == "Nothing matches 'nothing-like-it'.\n"
    assert succeed("targets pz4_h --format md").startswith("| id | body | t | seats | armor | name |\n")


def test_lists_are_not_too_wide() -> None:
    for command in ("weapons", "targets", "table", "rulesets", "show m4a1_75_dry", "show us_75_m3", "show coins"):
        for line in succeed(command).splitlines():
            assert len(line) <= 100, line


def test_show_a_weapon_with_rounds_penetration_and_sources() -> None:
    told = succeed("show us_75_m3")
    assert told.startswith("75 mm M2/M3 (us_75_m3): gun\n")
    assert "M61 APC (us_75_m3/M61_APC): APCBC, the usual round" in told
    assert "Penetration at 0° (RHA plate, criterion p50_RHA_0): DH, high, used unless another is asked for." in told
    assert re.search(r"m +100 +250 +500", told)
    assert re.search(r"mm +88 +85 +81", told)
    assert "RECALL, recalled" in told
    assert "\nSources\n" in told
    assert "M48" not in succeed("show us_75_m3/M61_APC")
    assert data("show us_75_m3")["ammunition"][0]["penetration"][0]["penetration_mm"][0] == 88


def test_show_a_target_with_plates_seats_components_and_aims() -> None:
    told = succeed("show m4a1_75_dry")
    assert re.search(r"hull front upper +51 mm +55° +cast +DH, high", told)
    assert re.search(r"commander +1 +turret", told)
    assert "aboard: headlamps, suspension" in told
    assert "coins: tracks" in told
    assert data("show m4a1_75_dry")["aims"] == {"coins": ["tracks"], "pennies": ["tracks"]}
    assert succeed("show m4a1_75_dry --format md").startswith("## M4A1 (75) Sherman, dry (m4a1_75_dry): tank\n")


def test_show_takes_what_somebody_typed_for_no_more_than_that(tmp_path: Path) -> None:
    """A plate without source and confidence is not called derived, nor a stat of a block in an attack."""
    file = tmp_path / "mine.toml"
    plates = '{ where = "hull_rear", thickness_mm = 20 }, { where = "floor", thickness_mm = 8, source = "my notes" }'
    file.write_text(
        f'[[target]]\nid = "t"\nname = "T"\nkind = "vehicle"\nbody = "tank"\nplates = [{plates}]\n', "utf-8"
    )
    lines = [" ".join(line.split()) for line in succeed(f"show t --catalog {file}").splitlines()]
    assert "hull rear 20 mm 0°" in lines
    assert "floor 8 mm 0° my notes" in lines
    assert not any("derived" in line for line in lines)


def test_show_a_ruleset_with_options_and_tables() -> None:
    told = succeed("show coins")
    assert re.search(r"edge +heads +heads, tails", told)
    assert re.search(r"toughness +7 +a whole number", told)
    assert "places, oddities, people" in told
    assert re.search(r"toughness +9", succeed("show coins --option coins.toughness=9"))
    assert data("show coins")["options"][0] == {"name": "edge", "value": "heads", "allowed": "heads, tails"}


def test_show_an_unknown_thing_names_the_nearest() -> None:
    assert "Did you mean" in fail("show m4a1_75", 1)
    assert "No weapon, target or ruleset is called 'qqqq'." in fail("show qqqq", 1)
    assert "No round is called 'M99'" in fail("show us_75_m3/M99", 1)


# -- tables --------------------------------------------------------------------------------------------------------


def test_a_table_is_printed_with_the_exact_probability_of_each_row() -> None:
    lines = [line.split() for line in succeed("table coins.places").splitlines()]
    assert lines[0] == ["Where", "it", "hits", "(coins.places)"]
    assert ["1-4", "66.7%", "2/3", "hull"] in lines
    assert ["5-6", "33.3%", "1/3", "tracks"] in lines


def test_the_contract_of_table() -> None:
    told = data("table coins.places")
    assert {"name", "dice", "rows"} <= set(told)
    assert (told["name"], told["dice"]) == ("coins.places", "1d6")
    assert [{k: row[k] for k in ("low", "high", "value", "probability")} for row in told["rows"]] == [
        {"low": 1, "high": 4, "value": "hull", "probability": float(Fraction(2, 3))},
        {"low": 5, "high": 6, "value": "tracks", "probability": float(Fraction(1, 3))},
    ]


def test_rows_come_in_printed_order_and_values_are_plain() -> None:
    rows = data("table coins.oddities")["rows"]
    assert [(row["low"], row["value"]) for row in rows] == [(4, None), (1, 7), (3, "[1, 'a']")]
    assert [row["probability"] for row in rows] == [0.25, 0.5, 0.25]


def test_a_grid_is_printed_as_a_book_would() -> None:
    lines = [line.split() for line in succeed("table coins.people").splitlines()]
    assert ["small", "large"] in lines
    assert ["1", "5", "7"] in lines
    assert ["2", "37.5%", "62.5%"] in lines
    told = data("table coins.people")
    assert told["cells"] == [[5, 7], [9, 11]]
    assert told["probabilities"][1][0] == pytest.approx(81 / 216)
    assert "| 1 | 5 | 7 |" in succeed("table coins.people --format md")


def test_tables_are_listed() -> None:
    told = succeed("table")
    assert re.search(r"coins\.places +1d6 +2 +Where it hits", told)
    assert re.search(r"coins\.people +3d6 +2 x 2", told)
    assert [table["name"] for table in data("table pennies")] == [
        "pennies.places",
        "pennies.oddities",
        "pennies.people",
    ]
    assert "| coins.places | 1d6 | 2 | Where it hits |" in succeed("table coins --format md")


def test_a_plugin_adds_formats() -> None:
    assert succeed("table coins.places --format csv") == "1,4,hull\n5,6,tracks\n"
    assert "out of commas" in fail("table coins.places --format bad_csv", 1)
    assert "Did you mean csv?" in fail("table coins.places --format cvs", 1)


def test_unknown_tables_and_rulesets_are_named() -> None:
    assert "Did you mean coins.places" in fail("table coins.place", 1)
    assert "Did you mean coins?" in fail("table coin.places", 1)
    assert "No ruleset is called 'coin'" in fail("table coin", 1)


# -- roll ----------------------------------------------------------------------------------------------------------


def test_roll_shows_the_total_the_faces_and_the_seed() -> None:
    told = data("roll 3d-1 --seed 7")
    assert told["total"] == sum(told["faces"]) - 1
    assert len(told["faces"]) == 3
    assert succeed("roll 3d-1 --seed 7").startswith(f"{told['total']} ({' '.join(map(str, told['faces']))}) on 3d6-1")
    assert succeed("roll 3d -1 --seed 7") == succeed("roll 3d-1 --seed 7")
    seed = re.search(r"seed (\d+)", succeed("roll d%"))
    assert seed is not None
    assert succeed(f"roll d% --seed {seed[1]}") == succeed(f"roll D100 --seed {seed[1]}")


def test_roll_prints_the_distribution() -> None:
    told = data("roll 2d6x3 --odds")
    assert (told["low"], told["high"], told["mean"]) == (6, 36, 21)
    assert [row["total"] for row in told["distribution"]] == list(range(6, 37, 3))
    assert sum(Fraction(row["fraction"]) for row in told["distribution"]) == 1
    lines = [line.split() for line in succeed("roll 2d6 --odds").splitlines()]
    assert ["4", "8.3%", "16.7%", "91.7%", "1/12"] in lines
    assert "| 4 | 8.3% | 16.7% | 91.7% | 1/12 |" in succeed("roll 2d6 --odds --format md")


@pytest.mark.parametrize(
    ("dice", "last"),
    [
        ("19d10", ["19", "<0.1%", "<0.1%", "100.0%", "1/10000000000000000000"]),  # 20 digits: 10 to the 19th
        ("20d10", ["20", "<0.1%", "<0.1%", "100.0%", "1.00e-20"]),
        ("200d100", ["201", "<0.1%", "<0.1%", ">99.9%", "2.00e-398"]),  # 200 ways of 10 to the 400th
    ],
)
def test_fractions_of_many_dice_stay_on_their_line(dice: str, last: list[str]) -> None:
    told = succeed(f"roll {dice} --odds").splitlines()
    assert last in [line.split() for line in told]
    assert max(map(len, told)) <= 100
    assert ("--format json has the exact ones." in told[-1]) == ("e-" in last[-1])
    assert data(f"roll {dice} --odds")["distribution"][0]["fraction"].startswith("1/1000")


def test_a_bad_dice_expression_points_at_the_character() -> None:
    told = fail("roll 3d6+", 2).splitlines()
    assert told[1:] == ["  3d6+", "      ^"]
    assert "200 dice" in fail("roll 999d6", 2)


# -- commands of plugins -------------------------------------------------------------------------------------------


def test_a_plugin_adds_commands() -> None:
    assert "coin-flip" in succeed("--help")
    assert succeed("coin-flip") == "heads\n"
    told = fail("coin-flip --crash", 1)
    said = "The command coin-flip of plugin coin (coin-rules 1.0) failed with KeyError: 'no coin' (in coin_flip, "
    assert said in told
    assert json.loads(mantlet("show coins --format json").stdout)["origin"] == "coin-rules 1.0"
