"""An attack on a creature before any die is rolled: what is aimed at, and each part of its body as a shot finds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gurps_vehicle.armor import Injury, average_dr, bone, dr_worn, effective_dr, location_injury
from gurps_vehicle.bodies import (
    BodyPlan,
    Spot,
    aimed_table,
    check_parts,
    find_aim,
    is_near,
    plans_of,
    shipped_plan,
)
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.deriving_weapons import Shot
from gurps_vehicle.files import read
from gurps_vehicle.health import Health
from gurps_vehicle.options import Options
from gurps_vehicle.planning import USED, GurpsPlan, aiming, felt_all_over
from gurps_vehicle.stats import Layer
from mantlet import Attack, InputName, Location, Table, Target, ignored_inputs

BEHIND = (135, 225)
"""The aspects in degrees, both included, at which a creature is struck from behind: a design choice."""


class Part(NamedTuple):
    """A part of the body as the shot finds it: the DR that counts, and how it takes the damage."""

    dr: int
    injury: Injury


@dataclass(frozen=True, eq=False, kw_only=True)
class CreaturePlan(GurpsPlan):
    """An attack on a creature. `aimed` is the spot or table of instances aimed at; else a random place is struck.

    `skull` is what an eye or a face is from behind; None from elsewhere.
    """

    body: BodyPlan
    parts: Mapping[Spot, Part]
    aimed: Spot | Table[Any] | None
    skull: Spot | None
    places: tuple[Location, ...]


def creature_plan(attack: Attack, block: Block, shot: Shot, options: Options, target: Target) -> CreaturePlan:
    """Everything about an attack on a creature that needs no dice.

    Raises UnknownNameError for an aim, armor or a shield at a part the body has not, CatalogError for a bad body plan.
    """
    body = body_of(block, options)
    check_parts(block.stats.creature_dr, body, f"stats.gurps_vehicle.creature_dr of {target.id}")
    aim = aim_of(attack, target, block, body)
    used: set[InputName] = {*USED, "aspect"}
    yards_off, notes = felt_all_over(attack, shot, used)
    if notes:
        aim = Aim(body.torso(), 0, attack.aim or "")
    roll = aiming(attack, shot, options, block.sm, aim.penalty, aim.name, near=is_near(aim.at))
    return CreaturePlan(
        attack=attack, target=target, derived=(*shot.derived, *block.derived), ignored=ignored_inputs(attack, used),
        notes=(*roll.notes, *notes, f"Body plan {body.name}. {body.note}".strip()),
        shot=shot, block=block, options=options, check=roll.check,
        health=Health(block.hp, block.ht), yards_off=yards_off,
        body=body, aimed=aim.at, places=tuple(dict.fromkeys(spot.location for spot in body.spots())),
        skull=next((s for s in body.spots() if s.kind in ("skull", "brain")), None) if from_behind(attack) else None,
        parts=struck_parts(body, block, shot, options, yards_off),
    )  # fmt: skip


def body_of(block: Block, options: Options) -> BodyPlan:
    """The body plan of a creature: one of its file or option, or one of those shipped."""
    file = block.stats.body_file or options.body_plans
    if not file and not block.stats.tail:
        return shipped_plan(block.body)
    return plans_of(file).plan(block.body, block.stats.tail)


class Aim(NamedTuple):
    """What is aimed at: the spot or table of instances, the penalty to hit it, its name."""

    at: Spot | Table[Any] | None = None
    penalty: int = 0
    name: str = ""


def aim_of(attack: Attack, target: Target, block: Block, body: BodyPlan) -> Aim:
    """What is aimed at, and its penalty (G10): twice that of a limb or extremity with a shield (G4).

    From behind, face and skull change places. Raises UnknownNameError for an aim or a shield at no part of the body.
    """
    shield = block.stats.shield
    if shield:
        shield, _ = find_aim(body, shield, f"stats.gurps_vehicle.shield of {target.id}")
    if attack.aim is None:
        return Aim()
    name, penalty = find_aim(body, attack.aim, target.id)
    at = aimed_table(body, name)
    if name == shield:
        penalty *= 2
    elif from_behind(attack) and isinstance(at, Spot):
        penalty = location_rules(at).get("penalty_behind", penalty)
    return Aim(at, penalty, name)


def from_behind(attack: Attack) -> bool:
    """Whether a creature is struck from behind."""
    return BEHIND[0] <= attack.aspect_deg <= BEHIND[1]


def struck_parts(body: BodyPlan, block: Block, shot: Shot, options: Options, yards_off: float) -> dict[Spot, Part]:
    """Each part of the body as this shot finds it, going off so many yards away (0: it strikes).

    An armor divisor counts where the round strikes, not for a blast some way off. What is felt all over meets the mean
    DR of the torso and the least protected part (G26).
    """
    divisor = 1.0 if yards_off else shot.divisor
    own = {spot: spot_dr(block, spot, shot.kind) for spot in body.spots()}
    if shot.large_area or yards_off:
        own = dict.fromkeys(own, average_dr(own[body.torso()], min(own.values())))
    return {
        spot: Part(
            effective_dr((Layer(dr=dr, hardened=block.stats.hardened),), divisor),
            spot_injury(body, block, shot, spot, options),
        )
        for spot, dr in own.items()
    }


def spot_dr(block: Block, spot: Spot, kind: str) -> int:
    """DR of a part against a kind of damage: its own, else that of the torso; bone over brains besides (G7)."""
    own = dr_worn(block.stats.creature_dr or {}, spot.name, spot.part)
    return int(own * block.stats.dr_times.get(kind, 1)) + bone(spot.kind, kind)


def spot_injury(body: BodyPlan, block: Block, shot: Shot, spot: Spot, options: Options) -> Injury:
    """How a part takes the shot. What only piercing or a tight beam can strike is otherwise its surroundings."""
    kind, rules = spot.kind, location_rules(spot)
    if "only" in rules and shot.named not in rules["only"]:
        kind = "face" if kind == "eye" else "torso"
    count = len(body.limbs(spot.use)) if options.many_limbs and spot.use else 2
    return location_injury(
        shot.kind, kind, block.hp, block.tissue, shot.tight_beam, count=count, sm=block.sm,
        large=options.large_targets, area=shot.large_area or shot.explosive,
    )  # fmt: skip


def location_rules(spot: Spot) -> dict[str, Any]:
    """The rules of wounds to a part of this kind (G5-G7)."""
    rules: dict[str, Any] = read("wounding")["location"][spot.kind]
    return rules
