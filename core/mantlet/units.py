"""Lengths, speeds and angles as people type them."""

from __future__ import annotations

import math
from typing import Final

from mantlet.errors import UsageError

M_PER_YD: Final = 0.9144
M_PER_FT: Final = 0.3048
KPH_PER_MPH: Final = 1.609344

_LENGTHS: Final = {
    "m": 1.0,
    "meters": 1.0,
    "metres": 1.0,
    "yd": M_PER_YD,
    "yds": M_PER_YD,
    "yards": M_PER_YD,
    "ft": M_PER_FT,
    "feet": M_PER_FT,
    "km": 1000.0,
}
_SPEEDS: Final = {
    "kph": 1.0,
    "kmh": 1.0,
    "km/h": 1.0,
    "mph": KPH_PER_MPH,
    "yd/s": M_PER_YD * 3.6,
    "m/s": 3.6,
}


def parse_length_m(text: str) -> float:
    """`300`, `300m`, `100yd`, `30ft` or `1.2km` in meters. Raises UsageError otherwise."""
    return _parse(text, _LENGTHS, "m", "a distance such as 300, 300m, 100yd or 30ft")


def parse_speed_kph(text: str) -> float:
    """`40`, `40kph`, `25mph` in km/h. Raises UsageError otherwise."""
    return _parse(text, _SPEEDS, "kph", "a speed such as 40, 40kph or 25mph")


def parse_sighting(text: str) -> tuple[float, float]:
    """`120m@45` as meters and degrees from 0 to below 360. Raises UsageError otherwise."""
    length, at, degrees = text.partition("@")
    try:
        bearing = float(degrees.strip().removesuffix("°"))
    except ValueError:
        bearing = math.nan
    if not at or not math.isfinite(bearing) or (not degrees.isascii() and "°" not in degrees):
        raise UsageError(f"Expected a distance and a bearing such as 120m@45, not {text!r}.")
    distance = parse_length_m(length)
    if distance < 0:
        raise UsageError(f"Expected a distance of at least 0 and a bearing, not {text!r}.")
    return distance, bearing % 360


def _parse(text: str, units: dict[str, float], default: str, expected: str) -> float:
    stripped = text.strip()
    letters = stripped.lstrip("+0123456789.")
    unit = letters.strip().lower() or default
    try:
        value = float(stripped.removesuffix(letters)) * units[unit]
    except (KeyError, ValueError):
        value = math.nan
    if not (math.isfinite(value) and stripped.isascii()):
        raise UsageError(f"Expected {expected}, not {text!r}.")
    return value
