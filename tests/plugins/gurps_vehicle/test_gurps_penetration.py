"""Penetration by range and by round: what penetrates less beats no armor more often."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from gurps_vehicle.armor import damage_of, effective_dr
from gurps_vehicle.deriving_targets import block_of
from gurps_vehicle.deriving_weapons import AP_KINDS, Shot, penetration_mm, shot_of
from gurps_vehicle.stats import Layer
from mantlet import Ammunition, Weapon

WORST = 0.01
"""What more penetration may cost between two rounds, as a chance to penetrate given a hit."""


def beats(shot: Shot, dr: int) -> float:
    """The chance that a hit gets through so much DR."""
    counts = effective_dr((Layer(dr=dr),), shot.divisor)
    ways = sum(n for roll, n in shot.dice.ways if damage_of(shot.kind, roll, shot.scale) > counts)
    return ways / shot.dice.combinations


def rounds(catalog: Any) -> Iterator[tuple[Weapon, Ammunition]]:
    for weapon in catalog.weapons():
        for ammunition in weapon.ammunition:
            if ammunition.default_table is not None:
                yield weapon, ammunition


def test_more_range_never_beats_more_armor(catalog: Any) -> None:
    """Every round with figures of penetration, in steps of 5 m, against every DR at all."""
    for weapon, ammunition in rounds(catalog):
        shots = list(dict.fromkeys(shot_of(weapon, ammunition, 5.0 * n) for n in range(500)))
        kept = [shots[0]]
        kept += [b for a, b in pairwise(shots) if (a.dice, a.scale, a.divisor) != (b.dice, b.scale, b.divisor)]
        for near, far in pairwise(kept):
            name = f"{weapon.id}/{ammunition.id}: {near.text}, then {far.text}"
            assert far.divisor == near.divisor, name
            if far.dice == near.dice:
                assert far.scale < near.scale, name
            else:
                limits = range(int(near.dice.high * near.scale) + 2)
                assert all(beats(far, limit) <= beats(near, limit) for limit in limits), name


def test_a_round_keeps_its_dice(catalog: Any) -> None:
    weapon, ammunition = catalog.round("de_75_pak40")
    texts = [shot_of(weapon, ammunition, range_m).text for range_m in (100, 400, 450, 1000)]
    assert all(text.startswith("6dx") for text in texts)
    # The catalog's figure in mm along the line of flight x 2.7559, over a divisor of 2 and the mean of 6d, 21.
    table = ammunition.default_table
    mm = penetration_mm(table, 400) / 0.8660254037844387 if table.angle_deg == 30 else penetration_mm(table, 400)
    assert texts[1] == f"6dx{round(mm * 2.7559 / 2 / 21, 2):g}(2) pi++"


@pytest.mark.parametrize("range_m", [0, 500, 1000, 1500])
def test_more_penetration_costs_nothing_between_rounds(catalog: Any, range_m: int) -> None:
    """Armor-piercing rounds in the order of penetration, against every plate of the catalog; the worst is printed.

    Among rounds of one divisor: DR is rounded down after it, which differs from one divisor to another.
    """
    plates = {dr for t in catalog.targets() if t.kind == "vehicle" for dr in block_of(t).dr.values()}
    found: dict[float, list[tuple[float, Shot, str]]] = {}
    for weapon, ammunition in rounds(catalog):
        if ammunition.kind in AP_KINDS:
            shot = shot_of(weapon, ammunition, range_m)
            mean = float(shot.dice.mean * shot.scale)
            found.setdefault(shot.divisor, []).append((mean, shot, f"{weapon.id}/{ammunition.id}"))
    assert sum(map(len, found.values())) > 50
    worst = (0.0, "")
    for shots in found.values():
        shots.sort(key=lambda entry: entry[0])
        for dr in plates:
            best = (0.0, "")
            for _, shot, name in shots:
                chance = beats(shot, dr)
                worst = max(worst, (best[0] - chance, f"{best[1]} and {name} ({shot.text}) at DR {dr}"))
                best = max(best, (chance, name))
    print(f"worst at {range_m} m: {worst[0]:.4f}, {worst[1]}")
    assert worst[0] <= WORST
