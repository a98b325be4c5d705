"""An attack on a creature before any die is rolled: armor and wounding by part of its body."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gurps_vehicle.armor import Injury, average_dr, bone, effective_dr, least_damage, location_injury
from gurps_vehicle.bodies import BodyPlan, Spot
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.files import read
from gurps_vehicle.planning import GurpsPlan
from gurps_vehicle.stats import Layer
from gurps_vehicle.tables import critical_effects
from mantlet import Location, Table


@dataclass(frozen=True, eq=False, kw_only=True)
class CreaturePlan(GurpsPlan):
    """An attack on a creature. `aimed` is the spot or table of instances aimed at; else a random place is struck."""

    body: BodyPlan
    aimed: Spot | Table[Any] | None
    behind: bool
    places: tuple[Location, ...]
    skull: Spot | None

    @cached_property
    def most_injury(self) -> tuple[int, int]:
        """The most that one round can take: an ordinary hit, a critical one."""
        high = least_damage(self.shot.kind, self.shot.dice.high)
        times = max([effect.times for effect in critical_effects().values()])
        parts = [injury_at(self, spot) for spot in self.body.spots()]
        ordinary, critical = (max([part.kept(part.of(high * n)) for part in parts]) for n in (1, times))
        return ordinary, critical


def spot_dr(block: Block, spot: Spot, kind: str) -> int:
    """DR of a part against a kind of damage: its own, else that of the torso; bone over brains besides (G7)."""
    dr = block.stats.creature_dr or {}
    own = dr.get(spot.name, dr.get(spot.part, dr.get("torso", 0)))
    return int(int(own) * block.stats.dr_times.get(kind, 1)) + bone(spot.kind, kind)


def armor_at(plan: CreaturePlan, spot: Spot) -> int:
    """DR that counts against the shot: the mean of torso and least protected part for what is felt all over (G26).

    An armor divisor counts where the round strikes, not for a blast some way off.
    """
    block, kind = plan.block, plan.shot.kind
    dr = spot_dr(block, spot, kind)
    if plan.shot.large_area or plan.yards_off:
        least = min(spot_dr(block, s, kind) for s in plan.body.spots())
        dr = average_dr(spot_dr(block, plan.body.torso(), kind), least)
    divisor = 1.0 if plan.yards_off else plan.shot.divisor
    return effective_dr((Layer(dr=dr, hardened=block.stats.hardened),), divisor)


def injury_at(plan: CreaturePlan, spot: Spot) -> Injury:
    """How the part takes the shot. What only piercing or a tight beam can strike is otherwise its surroundings."""
    block, shot, options = plan.block, plan.shot, plan.options
    data = read("wounding")["location"][spot.kind]
    kind = spot.kind
    if "only" in data and shot.named not in data["only"]:
        kind = "face" if kind == "eye" else "torso"
    count = len(plan.body.limbs(spot.use)) if options.many_limbs and spot.use else 2
    return location_injury(
        shot.kind, kind, block.hp, block.tissue, shot.tight_beam, count=count, sm=block.sm,
        large=options.large_targets, area=shot.large_area or shot.explosive,
    )  # fmt: skip


def at_torso(plan: CreaturePlan) -> CreaturePlan:
    """The same attack, its round in the torso."""
    found: CreaturePlan | None = plan.known.get("torso")
    if found is None:
        found = plan.known["torso"] = replace(plan, aimed=plan.body.torso(), known={})
    return found


def may_cripple(plan: CreaturePlan, spot: Spot) -> bool:
    """Whether the part can be crippled: others are as good as one."""
    found: bool | None = plan.known.get(spot)
    if found is None:
        found = plan.known[spot] = injury_at(plan, spot).limit >= 0
    return found


def location_rules(spot: Spot) -> dict[str, Any]:
    """The rules of wounds to a part of this kind (G5-G7)."""
    data: dict[str, Any] = read("wounding")["location"][spot.kind]
    return data
