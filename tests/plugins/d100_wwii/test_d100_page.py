"""The page on this ruleset names every option with its values and every number of the driving table."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from d100_wwii import options as options_module
from d100_wwii.actions import WORKS
from d100_wwii.options import Options
from d100_wwii.tables import TROUBLE_OPS, data

PAGE = (Path(__file__).parents[3] / "docs" / "d100_wwii.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]
KINDS = get_type_hints(Options, vars(options_module))


@pytest.mark.parametrize("option", fields(Options), ids=lambda option: option.name)
def test_every_option_is_explained(option: Any) -> None:
    row = next((cells for cells in ROWS if len(cells) == 3 and f"`{option.name}`" in cells[1]), None)
    assert row is not None, f"{option.name} is not on the page"
    kind = KINDS[option.name]
    if kind is bool:
        assert re.findall("`(true|false)`", row[2])[0] == str(option.default).lower()
    elif values := get_args(kind):
        named = re.findall(r"[`\s]?([a-z0-9_]+)`?", " ".join(re.findall(r"`[^`]+`|\b\d+\b", row[2])))
        assert named[0] == str(option.default)
        assert set(map(str, values)) <= set(named)
    else:
        assert str(option.default) in row[2] or option.default == ""


def test_every_condition_of_the_road_is_named_with_its_number() -> None:
    rows = [row for row in ROWS if len(row) == 2 and re.fullmatch(r"[+-]\d+", row[1])]
    told = {name: int(percent) for names, percent in rows for name in re.findall("`([a-z_]+)`", names)}
    assert {name: told.get(name) for name in data("driving")["conditions"]} == data("driving")["conditions"]


def test_every_effect_and_repair_is_named() -> None:
    assert [name for name in (*TROUBLE_OPS, *WORKS) if not re.search(rf"`(\S+ )*{name}`", PAGE)] == []
