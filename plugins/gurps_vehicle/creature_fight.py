"""The rule body of an attack on a creature: the part of its body struck, the wound, what is crippled, HT rolls."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from gurps_vehicle.armor import Injury, least_damage
from gurps_vehicle.attack import MISS, ONE
from gurps_vehicle.bodies import HEAD, BodyPlan, Spot
from gurps_vehicle.creature_plan import CreaturePlan, armor_at, at_torso, injury_at, location_rules, may_cripple
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.detail import BLIND, FIRE, STOPPED, STUNNED, WRECKED, legs_level
from gurps_vehicle.exactness import NOT, WHOLLY, Exactness, as_exact, exactness, passed
from gurps_vehicle.files import read
from gurps_vehicle.fragile import catches_fire, ended, sets_alight
from gurps_vehicle.health import knockdown, survives
from gurps_vehicle.people import cut, place
from gurps_vehicle.planning import GurpsPlan, blast_part
from gurps_vehicle.progress import Progress, Start, finish, miss, start_of
from gurps_vehicle.tables import ORDINARY, CriticalEffect, critical_rolls
from gurps_vehicle.vehicle_rounds import HURT_BIT
from mantlet import Check, Dice, Outcome, Stage, Step, Then
from mantlet.game.condition import FULL, NONE, REDUCED, Condition
from mantlet.game.effects import PENETRATED


class CreatureDetail(NamedTuple):
    """What an attack leaves a creature with besides the neutral facts: shock next turn, DX, whether it can fly."""

    shock: int
    dx: int
    grounded: bool
    stunned: bool


class Hit(NamedTuple):
    """What a damage roll means for a part of the body."""

    through: int
    injury: int
    hurts: bool
    major: bool
    cripples: bool
    dr: int = 0
    burns: bool = False
    blinds: bool = False

    def __str__(self) -> str:
        return f"{self.injury} injury" if self.hurts else "stopped"

    def crippled(self, spot: Spot) -> str:
        """The name of the part if this cripples it."""
        return spot.name if self.cripples else ""


class Wound(NamedTuple):
    """What one round does to the creature."""

    spot: Spot
    injury: int
    hurts: bool
    crippled: str
    flags: int
    shock: int = 0
    """DX and IQ lost for the next turn; told alone."""


def resolve(dice: Dice, plan: CreaturePlan, condition: Condition) -> Outcome | Then:
    """One attack: the attack roll (none for what goes off some way away), then round after round."""
    strikes = ONE
    if not plan.attack.given_hit and not plan.yards_off:
        strikes = MISS if plan.check is None else dice.check(plan.check, "attack", "G10")
    if not strikes.hits:
        return miss(condition)
    if strikes.near:
        plan = at_torso(plan)
    if plan.keep in ("told", "damage"):
        start = start_of(condition, strikes.hits)
    else:
        start = start_of(condition, 1)  # how many rounds struck is told alone
    if plan.keep == "damage":
        return dice.then(one_of_many, plan, start, strikes.critical)
    struck: Struck = dice.fold(Struck(start.progress), rounds_of(plan, start, strikes.hits, strikes.critical))
    return dice.then(aftermath, plan, start, struck.state, struck.shock)


class Struck(NamedTuple):
    """A creature while rounds strike it: its state, and the worst shock so far."""

    state: Progress
    shock: int = 0


class Round(NamedTuple):
    """One round of several: what was lost before all of them, and what the rounds after it can take at most."""

    plan: CreaturePlan
    first: int
    critical: bool
    to_come: int


def rounds_of(plan: CreaturePlan, start: Start, hits: int, critical: bool) -> tuple[Step, ...]:
    """One step a round; the first may be a critical one."""
    most, hp = plan.most_injury[False], plan.block.hp
    rounds = [Round(plan, start.detail.lost, critical and not n, min((hits - 1 - n) * most, hp)) for n in range(hits)]
    return tuple([Step(ask_round, add_round, (this,)) for this in rounds])


def ask_round(struck: Struck, this: Round) -> tuple[Stage, tuple[Any, ...]]:
    """The body of one round."""
    plan, hp = this.plan, this.plan.block.hp
    exact = WHOLLY
    if plan.keep == "vehicle":
        lost = struck.state.lost
        most = plan.most_injury[this.critical]
        exact = exactness((lost // hp + 1) * hp - lost, most, this.to_come, critical=this.critical)
    return one_round, (plan, this.critical, exact)


def add_round(struck: Struck, hit: Wound, this: Round) -> Struck:
    """The state after one more round. What strikes a crippled limb is lost (G6)."""
    plan, (state, shock) = this.plan, struck
    lost, crippled, flags, effects, dealt = state.lost, state.crippled, state.flags, state.effects, state.dealt
    if hit.hurts:
        if hit.spot.name not in crippled:
            lost = min(lost + hit.injury, plan.most_lost)
            dealt += hit.injury
            shock = max(shock, hit.shock)
        if hit.crippled and hit.crippled not in crippled:
            crippled = tuple(sorted((*crippled, hit.crippled)))
        effects |= PENETRATED | HURT_BIT
        flags |= hit.flags
    if plan.keep == "vehicle":
        dealt = 0
        if lost < plan.most_lost:
            hp = plan.block.hp
            lost = passed(hp, (lost // hp + 1) * hp, this.first, lost, this.to_come)
    places = state.places | 1 << plan.places.index(hit.spot.location) if plan.keep != "vehicle" else 0
    state = state._replace(lost=lost, crippled=crippled, flags=flags, effects=effects, places=places, dealt=dealt)
    return Struck(state, shock)


def one_of_many(dice: Dice, plan: CreaturePlan, start: Start, critical: bool) -> Then:
    """Expected injury: one round at even odds, counted for all of them. Of those before it, it matters what they
    cripple.
    """
    before = dice.one_of(range(start.hits), "which round")
    return dice.then(one_of_them, plan, start, start.detail.crippled, before, critical)


def one_of_them(
    dice: Dice, plan: CreaturePlan, start: Start, crippled: tuple[str, ...], before: int, critical: bool
) -> Outcome | Then:
    """The round that counts, after so many `before` it."""
    hit: Wound = dice.settle(one_round, plan, critical, NOT if before else WHOLLY)
    if before:
        if hit.crippled and hit.crippled not in crippled:
            crippled = tuple(sorted((*crippled, hit.crippled)))
        return dice.then(one_of_them, plan, start, crippled, before - 1, False)
    dealt = start.hits * hit.injury if hit.spot.name not in crippled else 0
    return finish(start, start.progress._replace(dealt=dealt), (), FULL, FULL, out=False)


def one_round(dice: Dice, plan: CreaturePlan, critical: bool, exact: Exactness) -> Wound:
    """One round: the part struck (G1, G3, G10), armor, wound, knockdown."""
    spot = _spot(dice, plan)
    effect = ORDINARY
    if critical and plan.options.criticals:
        name = "critical_head_blow" if spot.kind in HEAD else "critical_hit"
        effect = dice.pick(critical_rolls(name), name.replace("_", " "), "CRIT")
        if effect.eye:
            spot = next((s for s in plan.body.aimed if s.kind == "eye"), spot)
    if plan.keep == "places":
        return Wound(spot, 0, False, "", 0)
    hit = _damage(dice, plan, spot, effect, exact)
    if plan.keep == "told":
        dice.note("G10", "{}: {} through DR {}, injury {}", spot.name, max(hit.through, 0), hit.dr, hit.injury)
    told = plan.keep == "told"
    if not hit.hurts:
        return Wound(spot if told else plan.body.torso(), 0, False, "", 0)
    if plan.keep == "damage":
        return Wound(spot if may_cripple(plan, spot) else plan.body.torso(), hit.injury, True, hit.crippled(spot), 0)
    flags = 0
    if hit.cripples:
        dice.note("G8" if spot.use == "tail" else "G9", "The {} is crippled.", spot.name)
    elif effect.cripples_limb and spot.kind in ("limb", "extremity"):
        dice.note("CRIT", "The {} is of no use for {} s.", spot.name, max(1, effect.cripples_limb - plan.block.ht))
    if hit.blinds:
        flags |= BLIND
    if hit.burns:
        dice.note("G25", "It catches fire.")
        flags |= FIRE
    if hit.major:
        flags |= _major_wound(dice, plan, spot, flags)
    shock = 0
    if not told:
        flags &= STOPPED | FIRE
        spot = spot if may_cripple(plan, spot) else plan.body.torso()
    else:
        most = int(read("wounding")["health"]["most_shock"])
        twice = effect.cripples_limb or plan.shot.kind in location_rules(spot).get("double_shock", ())
        shock = min(hit.injury, most) * (2 if twice else 1)
    return Wound(spot, hit.injury, True, hit.crippled(spot), flags, shock)


def _major_wound(dice: Dice, plan: CreaturePlan, spot: Spot, flags: int) -> int:
    """The HT rolls of a major wound: knockdown, and fire where it is fragile. The flags they add."""
    block = plan.block
    grade = knockdown(dice, block.ht, injury_at(plan, spot).knockdown, "HP")
    added = STUNNED if grade == "stunned" else STOPPED if grade == "unconscious" else 0
    if block.fragile and not flags & FIRE:
        vital = spot.kind == "vitals"
        if catches_fire(dice, block.fragile, block.ht, fire=plan.shot.fiery, vital=vital):
            added |= FIRE
    return added


def _spot(dice: Dice, plan: CreaturePlan) -> Spot:
    if plan.aimed is None:
        spot = place(dice, plan.body.table, "G1")
    elif isinstance(plan.aimed, Spot):
        spot = plan.aimed
    else:
        spot = place(dice, plan.aimed, "G3")
    turned = spot.kind == "eye" or (spot.kind == "face" and plan.aimed is None)
    if plan.behind and turned and plan.skull is not None:
        dice.note("G10", "From behind the {} is the {}.", spot.name, plan.skull.name)
        spot = plan.skull
    return spot


def _damage(dice: Dice, plan: CreaturePlan, spot: Spot, effect: CriticalEffect, exact: Exactness) -> Hit:
    key = (spot, effect, exact)
    check = plan.known.get(key)
    if check is None:
        shot = plan.shot
        dr = effect.armor(armor_at(plan, spot))
        injury = injury_at(plan, spot)
        part = _fraction_felt(plan)

        def consequence(total: int) -> Hit:
            damage = int(least_damage(shot.kind, total) * effect.times * part)
            hit = _hit(plan, spot, injury, damage, dr, effect.major)
            return hit if exact == WHOLLY else hit._replace(injury=as_exact(plan.block.hp, exact, hit.injury))

        check = consequence(shot.dice.high) if effect.maximum else cut(shot.dice, consequence)
        plan.known[key] = check
    return dice.check(check, plan.shot.roll_name, "DMG") if isinstance(check, Check) else check


def _fraction_felt(plan: GurpsPlan) -> Fraction:
    """What is felt of an explosion that far off: damage / (3 x yards)."""
    if not plan.yards_off:
        return Fraction(1)
    return Fraction(1, blast_part(plan.yards_off))


def _hit(plan: CreaturePlan, spot: Spot, injury: Injury, damage: int, dr: int, major: bool) -> Hit:
    full = injury.of(damage - dr)
    told = plan.keep == "told"
    if not full:
        return Hit(damage - dr if told else 0, 0, False, False, False, dr if told else 0)
    kept = injury.kept(full)
    cripples = injury.cripples(full)
    major = major or cripples or full * 2 > plan.block.hp
    blinded = major and plan.shot.kind in location_rules(spot).get("blinding", ())
    return Hit(
        damage - dr if told else 0,
        kept,
        True,
        major,
        cripples,
        dr if told else 0,
        sets_alight(plan.block.fragile, plan.shot.fiery, full),
        blinded or (cripples and spot.kind == "eye"),
    )


def aftermath(dice: Dice, plan: CreaturePlan, start: Start, state: Progress, shock: int) -> Outcome:
    """HP thresholds, and what all of it means for the creature."""
    flags = state.flags
    hurt = bool(state.effects & HURT_BIT)
    if hurt and state.lost >= plan.block.hp and not flags & WRECKED:
        asks = not flags & STOPPED
        end = survives(dice, plan.health, start.detail.lost, state.lost, plan.target.name, asks_zero=asks)
        flags |= ended(dice, plan.block.fragile, plan.block.hp, end)
    state = state._replace(flags=flags, effects=state.effects & ~HURT_BIT)
    consequences = consequences_of(plan.body, plan.block, state.crippled)
    detail = None
    if plan.keep == "told":
        detail = CreatureDetail(shock, consequences.dx, consequences.grounded, bool(flags & STUNNED))
        if shock:
            dice.note("HP", "Shock: DX and IQ -{} on its next turn.", shock)
        if consequences.dx:
            dice.note("G8", "Balance: DX {:+d}.", consequences.dx)
        if consequences.grounded:
            dice.note("G9", "It cannot fly.")
    return finish(
        start, state, plan.places, consequences.mobility, consequences.firepower, out=False, hurt=hurt, detail=detail
    )


class Consequences(NamedTuple):
    """What crippled limbs mean for a creature."""

    mobility: int
    firepower: int
    dx: int
    grounded: bool


def consequences_of(body: BodyPlan, block: Block, crippled: Sequence[str]) -> Consequences:
    """Legs stop or slow it, a wing grounds a flyer, a tail or fin costs DX (G8, G9), arms are its means to fight."""
    rules = read("wounding")["health"]
    spots = {spot.name: spot for spot in body.spots()}
    uses = {spots[name].use for name in crippled if name in spots}
    mobility, firepower, dx = FULL, FULL, 0
    legs, arms = body.limbs("leg"), body.limbs("arm")
    if "leg" in uses:
        mobility = legs_level(len(body.limbs("leg", crippled)), len(legs))
    grounded = block.flyer and "wing" in uses
    if "wing" in uses:
        mobility = max(mobility, REDUCED)
    if "tail" in uses:
        airy = block.flyer or block.stats.swimmer
        dx += int(rules["dx_other_tail" if airy else "dx_ground_tail"])
        if airy:
            mobility = max(mobility, REDUCED)
    if "fin" in uses:
        dx += int(rules["dx_fin"])
        if not legs:
            mobility = max(mobility, REDUCED)
    if "arm" in uses:
        firepower = NONE if body.limbs("arm", crippled) == arms else REDUCED
    return Consequences(mobility, firepower, dx, bool(grounded))
