"""Stat blocks: what a weapon or target is under these rules. Every field may be left out and is then derived."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias, get_args

from mantlet import Between, DiceText, nearest

WoundKind = Literal["burn", "cor", "cr", "cut", "fat", "imp", "pi-", "pi", "pi+", "pi++", "tox"]
Fragile = Literal["c", "f", "x"]
KINDS: tuple[str, ...] = ("shaped", *get_args(WoundKind))
"""What DR can be different against: kinds of damage, and shaped charges of any."""

Points: TypeAlias = Annotated[int, Between(1, 100_000)]
Health: TypeAlias = Annotated[int, Between(1, 1000)]
Armor: TypeAlias = Annotated[int, Between(0, 100_000)]
Hardening: TypeAlias = Annotated[int, Between(0, 20)]
Size: TypeAlias = Annotated[int, Between(-20, 40)]


@dataclass(frozen=True, eq=False, kw_only=True)
class WeaponStats:
    """A weapon with one round: `weapon.stats["gurps_vehicle"]`, or those of the round, which go first.

    `damage` is dice such as `7d` or `6dx15`; `divisor` below 1 makes armor worth more. `explosive` damage is felt
    around; `large_area` damage takes hold of the whole target; `shaped` marks shaped charges, `tight_beam` beams.
    Ranges are in yards, `rof` is the most shots an attack fires.
    """

    damage: Annotated[str, DiceText()] | None = None
    type: WoundKind | None = None
    divisor: Annotated[float, Between(0.01, 1000)] | None = None
    explosive: bool | None = None
    large_area: bool | None = None
    shaped: bool = False
    tight_beam: bool = False
    acc: Annotated[int, Between(0, 50)] | None = None
    rof: Annotated[int, Between(1, 1000)] | None = None
    rcl: Annotated[int, Between(1, 100)] | None = None
    half_damage_yd: Annotated[float, Between(0.1, 1_000_000)] | None = None
    max_range_yd: Annotated[float, Between(0.1, 1_000_000)] | None = None


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer of armor, from the outside in; each level of `hardened` takes the divisor down a step."""

    dr: Armor
    hardened: Hardening = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class AnimalStats:
    """Draft animals: all alike."""

    body: str = "quadruped"
    hp: Points = 22
    ht: Health = 11
    dr: Armor = 0
    sm: Size = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class TargetStats:
    """A target: `target.stats["gurps_vehicle"]`.

    `locations` is the string of location codes; `dr` has DR by face (`front`, `side`, `rear`, `top`, `under`, `other`)
    and place (`turret_front`, `turret_side`, ...; a code such as `W` alone for one location, `T` for all of a turret).
    What it leaves out is `other`, or else derived. `layers` replaces the DR of a face by layers, `dr_against` has DR
    tables for single kinds of damage (`cr`, `pi`, `burn`, `shaped` ...), which leave out what is as in `dr`, and
    `dr_times` factors for them. `creature_dr` has DR by body part, `torso` standing for what is not named.
    """

    hp: Points | None = None
    ht: Health | None = None
    fragile: tuple[Fragile, ...] | None = None
    sm: Size | None = None
    powered: bool | None = None
    tissue: Literal["living", "unliving", "homogenous", "diffuse"] | None = None
    locations: str | None = None
    dr: Mapping[str, Armor] | None = None
    layers: Mapping[str, tuple[Layer, ...]] = field(default_factory=dict)
    hardened: Hardening = 0
    ablative: Literal["", "ablative", "semi-ablative"] = ""
    dr_against: Mapping[str, Mapping[str, Armor]] = field(default_factory=dict)
    dr_times: Mapping[str, Annotated[float, Between(0, 1000)]] = field(default_factory=dict)
    tires: bool | None = None
    flying: bool | None = None
    animals: AnimalStats | None = None
    # people aboard, or of a team
    person_hp: Points | None = None
    person_ht: Health | None = None
    person_dr: Mapping[str, Armor] | Armor | None = None
    # creatures
    body: str | None = None
    body_file: str = ""
    tail: Literal["limb", "extremity", "none", ""] = ""
    shield: str = ""
    flyer: bool | None = None
    swimmer: bool = False
    creature_dr: Mapping[str, Armor] | None = None

    def __post_init__(self) -> None:
        for name, table in (("dr_against", self.dr_against), ("dr_times", self.dr_times)):
            for kind in table:
                _known(kind, KINDS, name)


def _known(name: str, known: Collection[str], where: str) -> None:
    if name not in known:
        near = nearest(name, known)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}."
        raise ValueError(f"{where} knows no {name!r}; {hint}")
