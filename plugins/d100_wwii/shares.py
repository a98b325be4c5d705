"""What is left of a vehicle in neutral shares: Base HP, the armor value, components whose hit points are gone."""

from __future__ import annotations

from d100_wwii.state import Detail
from d100_wwii.vehicle import Vehicle
from mantlet import FACES, Shares


def shares_of(vehicle: Vehicle, detail: Detail) -> Shares:
    """The shares of a vehicle. Its armor is one value, the same on every face; no armor at all counts as whole."""
    full = vehicle.full
    return Shares(
        integrity=_left(detail.base_hp, full.base_hp),
        armor=dict.fromkeys(FACES, _left(detail.armor, full.armor)),
        components_out=frozenset(
            [name for name in vehicle.target.aboard if vehicle.lost(name, detail.pools)],
        ),
    )


def _left(now: int, full: int) -> float:
    return min(1.0, max(0.0, now / full)) if full else 1.0
