"""An attack on a creature before any die is rolled: what is aimed at, and each part of its body as a shot finds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gurps_vehicle.armor import Injury, Matter, average_dr, effective_dr, location_injury, spot_dr
from gurps_vehicle.bodies import (
    BodyPlan,
    Spot,
    check_parts,
    find_aim,
    plans_of,
    shipped_plan,
)
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.files import read
from gurps_vehicle.options import Options
from gurps_vehicle.planning import USED, Aim, Facts, GurpsPlan, aim_at, bearing, notes_all_over
from gurps_vehicle.stats import Layer
from mantlet import InputName, Location, Table


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


def creature_plan(facts: Facts) -> CreaturePlan:
    """Everything about an attack on a creature that needs no dice.

    Raises UnknownNameError for an aim, armor or a shield at a part the body has not, CatalogError for a bad body plan.
    """
    attack, target, block, _, options = facts
    body = body_of(block, options)
    check_parts(block.stats.creature_dr, body, f"stats.gurps_vehicle.creature_dr of {target.id}")
    aim = aim_of(facts, body)
    used: set[InputName] = {*USED, "aspect"}
    notes: tuple[str, ...] = (f"Body plan {body.name}. {body.note}".strip(),)
    if facts.felt_all_over:
        aim, notes = Aim(body.torso()), (*notes_all_over(facts, used), *notes)
    skulls = [spot for spot in body.spots() if spot.kind in ("skull", "brain") and bearing(attack) == "rear"]
    return CreaturePlan(
        **facts.worked_out(used, aim, notes),
        body=body, aimed=aim.at, places=tuple(dict.fromkeys(spot.location for spot in body.spots())),
        skull=skulls[0] if skulls else None,
        parts=struck_parts(facts, body),
    )  # fmt: skip


def body_of(block: Block, options: Options) -> BodyPlan:
    """The body plan of a creature: one of its file or option, or one of those shipped."""
    file = block.stats.body_file or options.body_plans
    if not file and not block.stats.tail:
        return shipped_plan(block.body)
    return plans_of(file).plan(block.body, block.stats.tail)


def aim_of(facts: Facts, body: BodyPlan) -> Aim:
    """What is aimed at, and its penalty (G10): twice that of a limb or extremity with a shield (G4).

    From behind, face and skull change places. Raises UnknownNameError for an aim or a shield at no part of the body.
    """
    attack, target = facts.attack, facts.target
    shield = facts.block.stats.shield
    if shield:
        shield, _ = find_aim(body, shield, f"stats.gurps_vehicle.shield of {target.id}")
    if attack.aim is None:
        return Aim()
    aim = aim_at(body, attack.aim, target.id)
    if aim.name == shield:
        return aim._replace(penalty=aim.penalty * 2)
    if bearing(attack) == "rear" and isinstance(aim.at, Spot):
        return aim._replace(penalty=location_rules(aim.at).get("penalty_behind", aim.penalty))
    return aim


def struck_parts(facts: Facts, body: BodyPlan) -> dict[Spot, Part]:
    """Each part of the body as this shot finds it.

    What is felt all over meets the mean DR of the torso and the least protected part (G26).
    """
    stats, kind = facts.block.stats, facts.shot.kind
    times = stats.dr_times.get(kind, 1)
    own = {spot: spot_dr(stats.creature_dr or {}, spot, kind, times) for spot in body.spots()}
    if facts.felt_all_over:
        own = dict.fromkeys(own, average_dr(own[body.torso()], min(own.values())))
    return {
        spot: Part(
            effective_dr((Layer(dr=dr, hardened=stats.hardened),), facts.divisor), spot_injury(facts, body, spot)
        )
        for spot, dr in own.items()
    }


def spot_injury(facts: Facts, body: BodyPlan, spot: Spot) -> Injury:
    """How a part takes the shot. What only piercing or a tight beam can strike is otherwise its surroundings."""
    block, shot, options = facts.block, facts.shot, facts.options
    kind, rules = spot.kind, location_rules(spot)
    if "only" in rules and shot.named not in rules["only"]:
        kind = "face" if kind == "eye" else "torso"
    limbs = len(body.limbs(spot.use)) if options.many_limbs and spot.use else 2
    matter = Matter(block.hp, block.tissue, block.sm, options.large_targets, limbs)
    return location_injury(shot.named, kind, matter, area=shot.large_area or shot.explosive)


def location_rules(spot: Spot) -> dict[str, Any]:
    """The rules of wounds to a part of this kind (G5-G7)."""
    rules: dict[str, Any] = read("wounding")["location"][spot.kind]
    return rules
