"""A grid of numbers keeps the contract of `mantlet table --format json`: a row a cell."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from mantlet.cli.app import cli


@pytest.mark.rule("G27")
def test_every_cell_of_the_occupant_table_is_a_row() -> None:
    result = CliRunner().invoke(cli, ["table", "gurps_vehicle.occupants", "--format", "json"])
    told = json.loads(result.output)
    assert (told["name"], told["dice"], len(told["rows"])) == ("gurps_vehicle.occupants", "3d", 99)
    row = next(r for r in told["rows"] if r["value"] == {"occupants": "3-5", "SM": "+4"})
    # 9 or less on 3d: 81 of 216.
    assert (row["low"], row["high"], row["probability"]) == (3, 9, pytest.approx(81 / 216))
