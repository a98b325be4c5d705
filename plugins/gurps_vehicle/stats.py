"""Stat blocks: what a weapon or target is under these rules. Every field may be left out and is then derived."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from mantlet import nearest

WoundKind = Literal["burn", "cor", "cr", "cut", "fat", "imp", "pi-", "pi", "pi+", "pi++", "tox"]
Fragile = Literal["c", "f", "x"]
KINDS: tuple[str, ...] = ("shaped", *get_args(WoundKind))
"""What DR can be different against: kinds of damage, and shaped charges of any."""


@dataclass(frozen=True, kw_only=True)
class WeaponStats:
    """A weapon with one round: `weapon.stats["gurps_vehicle"]`, or those of the round, which go first.

    `damage` is dice such as `7d` or `6dx15`; `divisor` below 1 makes armor worth more. `explosive` damage is felt
    around; `large_area` damage takes hold of the whole target; `shaped` marks shaped charges, `tight_beam` beams.
    Ranges are in yards, `rof` is the most shots an attack fires.
    """

    damage: str | None = None
    type: WoundKind | None = None
    divisor: float | None = None
    explosive: bool | None = None
    large_area: bool | None = None
    shaped: bool = False
    tight_beam: bool = False
    acc: int | None = None
    rof: int | None = None
    rcl: int | None = None
    half_damage_yd: float | None = None
    max_range_yd: float | None = None

    def __post_init__(self) -> None:
        if self.divisor is not None and not self.divisor > 0:
            raise ValueError(f"divisor has to be above 0, not {self.divisor:g}")
        for name in ("rof", "rcl"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} has to be at least 1, not {value}")
        for name in ("half_damage_yd", "max_range_yd"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} has to be above 0, not {value:g}")


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer of armor, from the outside in; each level of `hardened` takes the divisor down a step."""

    dr: int
    hardened: int = 0

    def __post_init__(self) -> None:
        _none_below_0(self.dr, "dr")
        _none_below_0(self.hardened, "hardened")


@dataclass(frozen=True, kw_only=True)
class AnimalStats:
    """Draft animals: all alike."""

    body: str = "quadruped"
    hp: int = 22
    ht: int = 11
    dr: int = 0
    sm: int = 1

    def __post_init__(self) -> None:
        _none_below_0(self.dr, "dr")
        for name in ("hp", "ht"):
            _from_1(getattr(self, name), name)


@dataclass(frozen=True, kw_only=True)
class TargetStats:
    """A target: `target.stats["gurps_vehicle"]`.

    `locations` is the string of location codes; `dr` has DR by face (`front`, `side`, `rear`, `top`, `under`, `other`)
    and place (`turret_front`, `turret_side`, ...; a code such as `W` alone for one location, `T` for all of a turret).
    What it leaves out is `other`, or else derived. `layers` replaces the DR of a face by layers, `dr_against` has DR
    tables for single kinds of damage (`cr`, `pi`, `burn`, `shaped` ...), which leave out what is as in `dr`, and
    `dr_times` factors for them. `creature_dr` has DR by body part, `torso` standing for what is not named.
    """

    hp: int | None = None
    ht: int | None = None
    fragile: tuple[Fragile, ...] | None = None
    sm: int | None = None
    powered: bool | None = None
    tissue: Literal["living", "unliving", "homogenous", "diffuse"] | None = None
    locations: str | None = None
    dr: Mapping[str, int] | None = None
    layers: Mapping[str, tuple[Layer, ...]] = field(default_factory=dict)
    hardened: int = 0
    ablative: Literal["", "ablative", "semi-ablative"] = ""
    dr_against: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    dr_times: Mapping[str, float] = field(default_factory=dict)
    tires: bool | None = None
    flying: bool | None = None
    animals: AnimalStats | None = None
    # people aboard, or of a team
    person_hp: int | None = None
    person_ht: int | None = None
    person_dr: Mapping[str, int] | int | None = None
    # creatures
    body: str | None = None
    body_file: str = ""
    tail: Literal["limb", "extremity", "none", ""] = ""
    shield: str = ""
    flyer: bool | None = None
    swimmer: bool = False
    creature_dr: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        for name in ("hp", "ht", "person_hp", "person_ht"):
            value = getattr(self, name)
            if value is not None:
                _from_1(value, name)
        _none_below_0(self.hardened, "hardened")
        for name in ("dr", "creature_dr"):
            for place, value in (getattr(self, name) or {}).items():
                _none_below_0(value, f"{name} of {place}")
        for kind, table in self.dr_against.items():
            _known(kind, KINDS, "dr_against")
            for place, value in table.items():
                _none_below_0(value, f"dr_against.{kind} of {place}")
        for kind, times in self.dr_times.items():
            _known(kind, KINDS, "dr_times")
            if not times >= 0:
                raise ValueError(f"dr_times of {kind} has to be 0 or more, not {times:g}")
        folk = self.person_dr if isinstance(self.person_dr, Mapping) else {"torso": self.person_dr or 0}
        for place, value in folk.items():
            _none_below_0(value, f"person_dr of {place}")


def _from_1(value: int, name: str) -> None:
    if not 1 <= value <= 100_000:
        raise ValueError(f"{name} has to be 1 to 100000, not {value}")


def _none_below_0(value: int, name: str) -> None:
    if value < 0:
        raise ValueError(f"{name} has to be 0 or more, not {value}")


def _known(name: str, known: Collection[str], where: str) -> None:
    if name not in known:
        near = nearest(name, known)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}."
        raise ValueError(f"{where} knows no {name!r}; {hint}")
