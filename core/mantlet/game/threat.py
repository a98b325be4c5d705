"""Enemy vehicles about a target while time passes: what nerves and flight go by."""

from __future__ import annotations

from typing import NamedTuple


class Sighting(NamedTuple):
    """Where something is as seen from a target: meters, and degrees clockwise from any direction that is kept."""

    distance_m: float
    bearing_deg: float


class Threat(NamedTuple):
    """Enemy vehicles about a target. `closing` says whether one closes on it, `vehicles` where they are.

    None and an empty tuple leave what was so before.
    """

    closing: bool | None = None
    vehicles: tuple[Sighting, ...] = ()
