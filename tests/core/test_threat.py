"""Enemy vehicles about a target: how they are typed, and rulesets that have no rule for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_guest import Coins, install_guest
from cli_run import COIN_SHOT, fail, succeed
from mantlet import Condition, NotCoveredError, Sighting, Target, Threat, UsageError
from mantlet.units import parse_sighting


@pytest.mark.parametrize(
    ("text", "meters", "degrees"),
    [
        ("120@45", 120, 45),
        ("120m@45", 120, 45),
        ("100yd@-90", 91.44, 270),
        ("1km@360°", 1000, 0),
        (" 5 m @ 7.5 ", 5, 7.5),
    ],
)
def test_a_place_is_a_distance_and_a_bearing(text: str, meters: float, degrees: float) -> None:
    assert parse_sighting(text) == pytest.approx((meters, degrees))


@pytest.mark.parametrize("text", ["", "120", "@", "120@", "@45", "120m@north", "-5@3", "5@nan", "5@inf", "5@1@2"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="distance"):
        parse_sighting(text)


def test_by_default_no_rule_goes_by_them(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_guest(tmp_path_factory.mktemp("site"), monkeypatch)
    with pytest.raises(NotCoveredError, match="coins has no rule"):
        Coins().threatened(Target(id="t", name="T", kind="creature", body="horse"), Condition(), Threat(True))
    file = tmp_path / "tank.json"
    succeed(f"attack --ruleset coins {COIN_SHOT} --dice 34,2,9 --state {file}")
    before = file.read_bytes()
    assert "coins has no rule that goes by enemy vehicles" in fail(f"time --state {file} --seconds 3 --closing", 1)
    assert file.read_bytes() == before


def test_what_a_ruleset_gives_is_checked(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_guest(tmp_path_factory.mktemp("site"), monkeypatch)
    seen = []

    def threatened(self: Coins, target: Target, condition: Condition, threat: Threat) -> None:
        seen.append(threat)

    monkeypatch.setattr(Coins, "threatened", threatened)
    file = tmp_path / "tank.json"
    succeed(f"attack --ruleset coins {COIN_SHOT} --dice 34,2,9 --state {file}")
    told = fail(f"time --state {file} --seconds 3 --enemy-at 30@9 --enemy-at 40m@-1", 1)
    assert "it gave None and no mantlet.Condition" in told
    assert seen == [Threat(None, (Sighting(30, 9), Sighting(40, 359)))]
