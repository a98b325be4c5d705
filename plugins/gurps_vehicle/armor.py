"""Armor and wounding: divisors, hardening, layers, ablation; what gets through, and what it does to which matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final, NamedTuple

from gurps_vehicle.bodies import Spot
from gurps_vehicle.files import read
from gurps_vehicle.stats import Layer

PIERCING: Final = ("pi-", "pi", "pi+", "pi++")
ONE: Final = Fraction(1)


class Injury(NamedTuple):
    """How a location takes a kind of damage: injury = through x factor, at most `most`; over `limit` it cripples.

    `limit` is the threshold rounded down, which is as good for whole points; -1 means that nothing can be crippled.
    `spills` means that nothing is lost beyond the threshold: the whole feels what an eye does not stop.
    """

    factor: Fraction
    limit: int = -1
    most: int = 0
    knockdown: int = 0
    spills: bool = False

    def of(self, through: int) -> int:
        """The injury, before what a crippled limb lets go: rounded down, 1 at least when anything gets through."""
        if through <= 0:
            return 0
        injury = max(1, through * self.factor.numerator // self.factor.denominator)
        return min(injury, self.most) if self.most else injury

    @property
    def enough(self) -> int:
        """The least injury that cripples: strictly more than the threshold (G16, G19)."""
        return self.limit + 1

    def cripples(self, injury: int) -> bool:
        """Whether so much injury cripples the location."""
        return self.limit >= 0 and injury >= self.enough

    def is_major(self, injury: int, hp: int) -> bool:
        """Whether an injury is a major wound by itself: over half the HP, or one that cripples the location."""
        return injury * 2 > hp or self.cripples(injury)

    def kept(self, injury: int) -> int:
        """What the whole loses: no more than it takes to cripple the location, the excess is lost."""
        return min(injury, self.enough) if self.limit >= 0 and not self.spills else injury


@cache
def _factors(name: str) -> dict[str, Fraction]:
    return {kind: Fraction(text) for kind, text in read("wounding")[name].items()}


def matter_factor(kind: str, tissue: str, sm: int = 0, large: bool = False) -> Fraction:
    """The wounding factor of a kind of damage in living, unliving or homogenous matter (G24)."""
    if large and tissue in ("unliving", "homogenous") and kind in (*PIERCING, "imp"):
        rows: list[dict[str, Any]] = read("wounding")["large"]
        at = next(i for i, row in enumerate(rows) if sm <= row["sm"]) + (tissue == "homogenous")
        row = rows[min(at, len(rows) - 1)]
        return Fraction(row["pi++" if kind == "imp" else kind])
    if tissue in ("unliving", "homogenous"):
        special = _factors(tissue).get(kind)
        if special is not None:
            return special
    return _factors("normal")[kind]


class Matter(NamedTuple):
    """What takes the damage: HP, tissue, SM; `large`: the revised factors for very large things; `limbs` of a kind."""

    hp: int
    tissue: str = "living"
    sm: int = 0
    large: bool = False
    limbs: int = 2


def location_injury(kind: str, location: str, matter: Matter, *, area: bool = False) -> Injury:
    """How a body location takes a kind of damage: its own factor (vital areas of vehicles: G23), else the matter's.

    Homogenous and diffuse things have no vulnerable places: they take the matter's factor everywhere. Of more than two
    limbs each is crippled by more than HP / number, an extremity by more than HP / (1.5 x number). What fills an `area`
    hurts diffuse things as usual.
    """
    data: Mapping[str, Any] = read("wounding")["location"][location]
    hp, tissue, sm, large, limbs = matter
    factor = matter_factor(kind, tissue, sm, large)
    if tissue not in ("homogenous", "diffuse"):
        if "factor" in data and kind not in data["but"]:
            factor = Fraction(data["factor"])
        elif kind in data.get("factors", {}) and (tissue == "living" or location in ("vitals", "vehicle_vital")):
            factor = Fraction(data["factors"][kind])
    most = 0
    if tissue == "diffuse" and not area:
        spread = read("wounding")["diffuse"]
        most = spread["most_piercing"] if kind in (*PIERCING, "imp") else spread["most_other"]
    limit = hp // data["threshold"] if "threshold" in data else -1
    if limbs > 2 and location in ("limb", "extremity"):
        limit = hp // limbs if location == "limb" else 2 * hp // (3 * limbs)
    return Injury(factor, limit, most, data.get("knockdown", 0), data.get("spills", False))


def hardened(divisor: float, levels: int) -> float:
    """An armor divisor against hardened armor: one step down the ladder for each level, never below 1.

    A divisor between two steps counts as the next lower one's worth once hardening touches it.
    """
    if levels <= 0 or divisor <= 1:
        return divisor
    steps: list[int] = read("attack")["armor"]["hardened_steps"][1:]
    at = next(i for i, step in enumerate(steps) if divisor >= step)
    return float(steps[min(at + levels, len(steps) - 1)])


def effective_dr(layers: Sequence[Layer], divisor: float, *, best_for_all: bool = False) -> int:
    """DR that counts against a divisor, rounded down: per layer, or with the best hardening over the whole.

    A divisor below 1 makes armor worth more, and bare skin count as DR 1.
    """
    total = sum(layer.dr for layer in layers)
    if divisor <= 1:
        return total if divisor == 1 else int(_divided(max(total, 1), divisor))
    best = max(layer.hardened for layer in layers) if best_for_all else 0
    parts = (_divided(layer.dr, hardened(divisor, max(best, layer.hardened))) for layer in layers)
    return int(sum(parts, Fraction(0)))


def _divided(dr: int | Fraction, divisor: float) -> Fraction:
    return dr / Fraction(divisor).limit_denominator(1000)


def halved(dr: int, how: str) -> int:
    """DR (after the divisor) as a critical leaves it: `none`, `half down`, `half up`; anything else: all of it."""
    if how == "none":
        return 0
    return dr // 2 if how == "half down" else -(-dr // 2) if how == "half up" else dr


def ablation(kind: str, stopped: int) -> int:
    """DR lost by stopping this many points: one a point, or one for every ten."""
    if kind == "ablative":
        return stopped
    return stopped // int(read("attack")["armor"]["semi_ablative_per"]) if kind == "semi-ablative" else 0


def average_dr(body: int, least_exposed: int) -> int:
    """DR against large-area injury (G26): mean of the body's and the least protected exposed place's, rounded up."""
    return -(-(body + least_exposed) // 2)


def cover_dr(tissue: str, dr: int, hp: int, divisor: float = 1) -> int:
    """What a body is worth as cover for what is behind it; the armor divisor divides the whole, rounded down."""
    data: dict[str, int] = read("wounding")["overpenetration"]["flesh" if tissue == "living" else tissue]
    return int(_divided(data["dr"] * dr + Fraction(hp, data["hp"]), divisor))


def damage_of(kind: str, rolled: int, times: Fraction | int = 1, part: Fraction | int = 1) -> int:
    """The damage of a roll, 1 at least, 0 for crushing: `times` it by the weapon and a critical, a `part` of it away
    from a blast.
    """
    least = 0 if kind == "cr" else 1
    return max(max(rolled, least) * times, least) // part


def spot_dr(dr: Mapping[str, int], spot: Spot, kind: str, times: float = 1) -> int:
    """DR of a place of a body against a kind of damage: bone over brains (G7), and what is worn, that `times`.

    Worn is what the place has of its own, else the part it belongs to, else the torso.
    """
    worn = dr.get(spot.name, dr.get(spot.part, dr.get("torso", 0)))
    data: Mapping[str, Any] = read("wounding")["location"][spot.kind]
    return int(worn * times) + (0 if kind in data.get("extra_dr_not", ()) else int(data.get("extra_dr", 0)))
