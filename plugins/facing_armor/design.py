"""The numbers the source leaves open, from `data/design.toml`, and the published figures of `data/published.toml`."""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mantlet import SKILL_WORDS, SkillWord

DATA = Path(__file__).parent / "data"


class Arcs(NamedTuple):
    """Where front ends and rear begins (F1)."""

    front_half_angle_deg: float
    rear_half_angle_deg: float
    steepest_elevation_deg: float
    length_to_width: float
    near_edge_deg: float


class Penetration(NamedTuple):
    """The shape of the chance to penetrate (F8, F9) and of a table beyond its ends (F7)."""

    steepness: float
    certain_margin: float
    near_thing: float
    decay_per_km: float
    steeper_table_most: float


class Gunnery(NamedTuple):
    """What scales the published chance to hit."""

    highest: float
    lowest: float
    aimed_factor: float
    hull_down_factor: float
    dark_factor: float
    lowest_skill_percent: float
    highest_skill_percent: float
    slow_kph: float
    shooter_slow_factor: float
    shooter_fast_factor: float
    target_slow_factor: float
    target_fast_factor: float


class SmallCaliber(NamedTuple):
    """What bullets do inside, as against shells."""

    below_mm: float
    exponent: float
    least_percent: int


class Burst(NamedTuple):
    """Bursts at vehicles."""

    rounds_a_shot: int
    most_shots: int


class Casualties(NamedTuple):
    """Wounded, killed and what it takes to knock a vehicle out (F16, F17, F19)."""

    killed_percent: int
    wounded_skill_factor: float
    wounded_stress: float
    own_tank_hit_stress: float
    frozen_stress: float
    seats_empty: int


class Abandon(NamedTuple):
    """What adds to the chance that a penetrated crew abandons its vehicle (F19)."""

    casualty_percent: int
    gun_out_percent: int
    immobilized_percent: int
    highest_percent: int


class Penetrations(NamedTuple):
    """How many penetrations the tanks of the surveys had (F20)."""

    mean: float


class BailOut(NamedTuple):
    """Times of getting out and of a brew-up (F18, F21)."""

    seconds_unwounded: float
    seconds_wounded: float
    brew_up_dice: str


class Suppression(NamedTuple):
    """Suppression in hundredths, and what it does (F24 to F28)."""

    he_close: int
    casualty: int
    machine_gun: int
    he_far: int
    tank_closing: int
    ap_close: int
    pinned: int
    broken: int
    decay_per_second: float
    period_seconds: float
    leave_infantry_percent: int
    leave_gun_crew_percent: int
    pinned_fire_rate: float
    pinned_lay_time: float
    fall_back_m: float


class Team(NamedTuple):
    """Distances and losses of teams (F24, F29)."""

    close_m: float
    far_m: float
    reference_caliber_mm: float
    ap_close_m: float
    burst_close_m: float
    full_burst_rounds: int
    he_man_percent: int
    burst_man_percent_a_round: int
    no_caliber_scale: float
    last_few_men: int
    last_few_share: float


class Assault(NamedTuple):
    """Close assault (F30 to F32)."""

    close_m: float
    success_percent: int
    success_no_bow_gunner_percent: int
    seat_casualty_percent: int
    burst_on_team_percent: int
    burst_rounds: int
    team_men: int


class Design(NamedTuple):
    """All design choices: `skill` is in percent; `locations`, `plates` and `internal` hold tables as plain data."""

    arcs: Arcs
    penetration: Penetration
    gunnery: Gunnery
    small_caliber: SmallCaliber
    burst: Burst
    casualties: Casualties
    abandon: Abandon
    penetrations: Penetrations
    bail_out: BailOut
    suppression: Suppression
    team: Team
    assault: Assault
    skill: Mapping[SkillWord, float]
    sheet_steel: Mapping[str, float]
    locations: Mapping[str, Mapping[str, Any]]
    plates: Mapping[str, Mapping[str, Any]]
    internal: Mapping[str, Mapping[str, Any]]


_SECTIONS: dict[str, Any] = {
    "arcs": Arcs,
    "penetration": Penetration,
    "gunnery": Gunnery,
    "small_caliber": SmallCaliber,
    "burst": Burst,
    "casualties": Casualties,
    "abandon": Abandon,
    "penetrations": Penetrations,
    "bail_out": BailOut,
    "suppression": Suppression,
    "team": Team,
    "assault": Assault,
}


def read(name: str) -> dict[str, Any]:
    """A data file of this plugin as plain data."""
    return tomllib.loads((DATA / name).read_text("utf-8"))


@cache
def design() -> Design:
    """The design choices, read once."""
    data = read("design.toml")
    made = {name: section(**_values(data[name])) for name, section in _SECTIONS.items()}
    return Design(
        **made,
        skill={word: data["skill"][word]["value"] for word in SKILL_WORDS},
        sheet_steel=_values(data["sheet_steel"]),
        locations=data["locations"],
        plates=data["plates"],
        internal=data["internal"],
    )


def _values(section: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entry["value"] for name, entry in section.items()}


def between(at: float, known: Sequence[float], values: Sequence[float]) -> float:
    """A published figure between two entries of its table, linear: `at` lies within the table."""
    i = min(bisect_right(known, at), len(known) - 1)
    part = (at - known[i - 1]) / (known[i] - known[i - 1])
    return values[i - 1] + part * (values[i] - values[i - 1])


@cache
def fitted_figures() -> frozenset[str]:
    """The survey figures that a number of the design choices was set by."""
    found: set[str] = set(_FITTED_OPTIONS)
    rest: list[Any] = [read("design.toml")]
    while rest:
        data = rest.pop()
        if isinstance(data, Mapping):
            found.update(data.get("fitted_to", ()))
            rest += data.values()
        elif isinstance(data, list):
            rest += data
    return frozenset(found)


_FITTED_OPTIONS = ("sherman_hits", "sherman_penetrations")
"""The default of the option `abandon_percent` was set by these."""


@cache
def published() -> dict[str, Any]:
    """The published figures, read once."""
    return read("published.toml")
