"""The rule body of an attack on a vehicle: every round's location, armor, injury, what it cripples, who is inside."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from gurps_vehicle.armor import ablation, average_dr, cover_dr, effective_dr, least_damage
from gurps_vehicle.attack import MISS, Strikes
from gurps_vehicle.detail import BLOWN_UP, CRASH, FIRE, GUN, JAM, POWER, SPILLED, STOPPED, WRECKED
from gurps_vehicle.files import read
from gurps_vehicle.health import DEAD, DOWN, FAILED, MADE, ht_check, makes_ht, survives
from gurps_vehicle.people import Blow, cut, lots_of, occupant_dice, person, state_of, who_table, wound
from gurps_vehicle.progress import Progress, Start, finish, miss, start_of
from gurps_vehicle.stats import Layer
from gurps_vehicle.tables import ORDINARY, CriticalEffect, critical_rolls, occupant_check, occupant_number
from gurps_vehicle.vehicle_plan import Choice, Slot, VehiclePlan
from mantlet import Check, Dice, Outcome, Then
from mantlet.condition import FULL, NONE, REDUCED, Condition
from mantlet.effects import PENETRATED


class Hit(NamedTuple):
    """What a damage roll means for a location. Numbers that nothing depends on are 0 where nothing is told."""

    through: int
    injury: int
    hurts: bool
    major: bool
    cripples: bool
    dice_inside: int
    burns: bool = False
    stopped: int = 0
    damage: int = 0


class Impact(NamedTuple):
    """What one round does to the vehicle itself, and the dice of damage it has for people inside."""

    slot: Slot
    injury: int = 0
    crippled: str = ""
    flags: int = 0
    through: bool = False
    hurts: bool = False
    dice_inside: int = 0
    stopped: int = 0
    place: Slot | None = None
    """Where it struck first, if not at `slot`: somebody in front of it."""


class Strike(NamedTuple):
    """What one round does in all: to the vehicle, to everybody aboard, to draft animals."""

    impact: Impact
    people: tuple[int, ...]
    animals: tuple[int, ...]


# -- the attack ------------------------------------------------------------------------------------------------------


def resolve(dice: Dice, plan: VehiclePlan, condition: Condition) -> Outcome | Then:
    """One attack: the attack roll, then round after round."""
    strikes = Strikes(1)
    if not plan.attack.given_hit:
        strikes = MISS if plan.check is None else dice.check(plan.check, "attack", "G11")
    if not strikes.hits:
        return miss(condition)
    start = start_of(condition, strikes.hits)
    return dice.then(next_round, plan, start, start.progress, strikes.hits, strikes.critical)


def next_round(dice: Dice, plan: VehiclePlan, start: Start, state: Progress, left: int, critical: bool) -> Then:
    """One round strikes; what it does is worked out apart and added to the state."""
    reach = _reach(plan, start, state, left, critical)
    # In the view of the vehicle alone nobody is hurt, and who sits where does not change.
    people = start.detail.people if plan.keep in ("vehicle", "places") else state.people
    strike = dice.settle(one_round, plan, people, state.animals, state.ablated, critical, reach)
    state = _add(plan, state, strike)
    if left > 1:
        return dice.then(next_round, plan, start, state, left - 1, False)
    return dice.then(aftermath, plan, start, state)


def _reach(plan: VehiclePlan, start: Start, state: Progress, left: int, critical: bool) -> Reach:
    """How exactly an injury has to be known for what can still come of it."""
    if plan.keep in ("told", "vehicle"):
        return EXACT
    if plan.keep in ("people", "places"):
        return NO_MATTER
    worst = plan.max_injury[critical] + (left - 1) * plan.max_injury[False]
    if state.lost + worst < plan.block.hp:
        return NO_MATTER
    return (start.detail.lost, state.lost, (left - 1) * plan.max_injury[False])


def one_round(
    dice: Dice,
    plan: VehiclePlan,
    people: tuple[int, ...],
    animals: tuple[int, ...],
    ablated: tuple[tuple[str, int], ...],
    critical: bool,
    reach: Reach,
) -> Strike:
    """One round: where it lands, and what it does there."""
    slot = plan.aimed
    if slot is None:
        picked = dice.pick(plan.table, "hit location", "G11")
        slot = dice.one_of(picked.slots, "which location", "G13") if isinstance(picked, Choice) else picked
        assert slot is not None
    effect = ORDINARY
    if critical and plan.options.criticals:
        effect = dice.pick(critical_rolls("critical_hit"), "critical hit", "CRIT")
    nobody = Strike(Impact(slot), people, animals)
    if slot.code.acts == "animal":
        return _animal(dice, plan, slot, effect, nobody)
    present = [i for i in slot.seats if people[i] >= 0]
    if slot.code.acts == "person":
        if present:
            return _person(dice, plan, slot, effect, nobody, present, reach)
        dice.note("G18", "Nobody is there: the body is struck.")
        slot = plan.body
        present = [i for i in slot.seats if people[i] >= 0]
    elif slot.code.acts == "window":
        number = _number(plan, present)
        if number and dice.check(occupant_check(number), "somebody behind the window", "G20"):
            return _person(dice, plan, slot, effect, nobody, present, reach)
        present = []  # whether somebody is in the way has been asked
    if plan.keep == "places":
        return Strike(Impact(slot), people, animals)
    impact: Impact = dice.settle(strike_vehicle, plan, slot, effect, _ablated(plan, slot, ablated), reach)
    if plan.keep != "vehicle":
        people = _inside(dice, plan, people, present, impact.dice_inside)
        if plan.shot.explosive or plan.shot.large_area:
            people = _around(dice, plan, people)
    return Strike(impact._replace(dice_inside=0), people, animals)


def _number(plan: VehiclePlan, present: list[int]) -> int:
    if not present:
        return 0
    return occupant_number(len(present), plan.block.sm, plan.options.occupants_outside)


def _ablated(plan: VehiclePlan, slot: Slot, ablated: tuple[tuple[str, int], ...]) -> int:
    return dict(ablated).get(slot.dr_key, 0) if plan.block.stats.ablative else 0


# -- people and animals ----------------------------------------------------------------------------------------------


def _blow(plan: VehiclePlan, effect: CriticalEffect, cover: int = 0, part: int = 1) -> Blow:
    shot = plan.shot
    dice = shot.dice.high if effect.maximum else shot.dice
    return Blow(dice, shot.kind, shot.divisor, cover, shot.tight_beam, effect.times, part)


def _person(
    dice: Dice,
    plan: VehiclePlan,
    slot: Slot,
    effect: CriticalEffect,
    strike: Strike,
    present: list[int],
    reach: Reach,
) -> Strike:
    """Somebody in the open, or behind a window, is struck instead of the vehicle (G18, G20)."""
    impact = Impact(slot, through=True)
    if plan.options.overpenetration and slot.code.acts == "person" and plan.keep != "places":
        behind: Impact = dice.settle(strike_vehicle, plan, plan.body, effect, -_body_cover(plan), reach)
        impact = behind._replace(place=slot, dice_inside=0, through=True)
    if plan.keep in ("vehicle", "places"):
        return Strike(impact, strike.people, strike.animals)
    who = _who(dice, plan, strike.people, present)
    cover = slot.raw if slot.code.acts == "window" else 0
    blow = _blow(plan, effect, cover)
    code = dice.settle(wound, plan.folk, strike.people[who], blow)
    people = _sorted(plan, (*strike.people[:who], code, *strike.people[who + 1 :]))
    if plan.shot.explosive or plan.shot.large_area:
        people = _around(dice, plan, people, besides=who)
    return Strike(impact, people, strike.animals)


def _body_cover(plan: VehiclePlan) -> int:
    if plan.shot.kind not in read("wounding")["overpenetration"]["kinds"]:
        return 10**6
    folk = plan.folk
    return cover_dr("living", folk.dr.get("torso", 0), folk.health.hp, plan.shot.divisor)


def _who(dice: Dice, plan: VehiclePlan, people: tuple[int, ...], present: list[int]) -> int:
    """Who of those that can be is struck (G31)."""
    told = plan.keep == "told"
    names = tuple([plan.seat_names[i] if told else "" for i in present])
    table = who_table(tuple([people[i] for i in present]), names)
    index = 0 if len(table.rows) == 1 else dice.pick(table, "who is hit", "G31")
    return present[index]


def _inside(dice: Dice, plan: VehiclePlan, people: tuple[int, ...], present: list[int], count: int) -> tuple[int, ...]:
    """Five or more points through an occupied place: is somebody hit (G27), who (G31), and how badly (G28, G29)."""
    if not count or not present:
        return people
    number = _number(plan, present)
    if not dice.check(occupant_check(number), "an occupant is hit", "G27"):
        return people
    lots = lots_of(count, plan.options.divide_occupant_damage)
    for lot in lots[: len(present)]:
        who = _who(dice, plan, people, present)
        present = [i for i in present if i != who]
        code = dice.settle(wound, plan.folk, people[who], Blow(occupant_dice(lot), "cut"))
        people = (*people[:who], code, *people[who + 1 :])
    return _sorted(plan, people)


def _around(dice: Dice, plan: VehiclePlan, people: tuple[int, ...], besides: int = -1) -> tuple[int, ...]:
    """Everybody in the open feels an explosion or large-area attack (G26): a yard off, or all over."""
    factor = 1 if plan.shot.large_area else int(read("attack")["explosion"]["yards_factor"])
    spot = plan.folk.body.table.row_for(10).value
    for i in plan.exposed:
        if i != besides and people[i] >= 0:
            blow = _blow(plan, ORDINARY, part=factor)._replace(divisor=1.0)
            code = dice.settle(wound, plan.folk, people[i], blow, spot)
            people = (*people[:i], code, *people[i + 1 :])
    return _sorted(plan, people)


def _sorted(plan: VehiclePlan, people: tuple[int, ...]) -> tuple[int, ...]:
    """Everybody; where nothing is told, people in like seats are put in order, so that equal states merge."""
    if plan.keep == "told":
        return people
    after = list(people)
    for group in plan.groups:
        for i, state in zip(group, sorted(after[i] for i in group)):
            after[i] = state
    return tuple(after)


def _animal(dice: Dice, plan: VehiclePlan, slot: Slot, effect: CriticalEffect, strike: Strike) -> Strike:
    """A draft animal is struck; the vehicle takes nothing and gives it no armor (G17)."""
    impact = Impact(slot, through=True)
    if plan.keep == "places":
        return Strike(impact, strike.people, strike.animals)
    animals = strike.animals
    table = who_table(animals, ("draft animal",) * len(animals))
    who = 0 if len(table.rows) == 1 else dice.pick(table, "which animal", "G17")
    code = dice.settle(wound, plan.animals, animals[who], _blow(plan, effect))
    return Strike(impact, strike.people, tuple(sorted((*animals[:who], code, *animals[who + 1 :]))))


# -- the vehicle -----------------------------------------------------------------------------------------------------


def strike_vehicle(
    dice: Dice, plan: VehiclePlan, slot: Slot, effect: CriticalEffect, worn: int, reach: Reach
) -> Impact:
    """One round against a location of the vehicle: armor, injury, what is crippled, HT rolls of a major wound."""
    hit = _damage(dice, plan, slot, effect, worn, reach)
    if plan.keep == "told":
        dice.note(
            "G15" if slot.code.acts == "body" else "G11",
            "{}: {} damage {}, DR {} counts {}, {} through, injury {}",
            slot.name, hit.damage, plan.shot.kind, slot.raw, hit.damage - hit.through, max(hit.through, 0), hit.injury,
        )  # fmt: skip
    through = hit.hurts or hit.dice_inside > 0
    if not hit.hurts or plan.keep == "people":
        return Impact(slot, stopped=hit.stopped, through=through, hurts=hit.hurts, dice_inside=hit.dice_inside)
    flags, crippled = 0, ""
    block, code = plan.block, slot.code
    if hit.cripples:
        dice.note("G19", "The {} is crippled.", slot.name)
        crippled = code.code
    elif code.tire and block.stats.tires and not makes_ht(dice, block.ht, "tire", "G19"):
        dice.note("G19", "The tire is flat: the wheel is crippled until it is changed.")
        crippled = code.code
    if code.acts in ("body", "vital", "window") and block.powered and hit.major:
        flags |= _power(dice, plan)
    elif code.acts == "turret" and hit.major and not makes_ht(dice, block.ht, f"{slot.name}: HT roll", "G21"):
        flags |= _turret(dice, plan)
    if block.fragile and not flags & BLOWN_UP:
        flags |= _fragile(dice, plan, hit, code.acts == "vital")
    return Impact(slot, hit.injury, crippled, flags, through, True, hit.dice_inside, hit.stopped)


def _damage(dice: Dice, plan: VehiclePlan, slot: Slot, effect: CriticalEffect, worn: int, reach: Reach) -> Hit:
    key = (slot, effect, worn, reach)
    check = plan.known.get(key)
    if check is None:
        shot = plan.shot
        dr = _dr(plan, slot, worn)
        dr = effect.armor(dr)

        def consequence(total: int) -> Hit:
            return _hit(plan, slot, least_damage(shot.kind, total) * effect.times, dr, effect.major, reach)

        check = plan.known[key] = consequence(shot.dice.high) if effect.maximum else cut(shot.dice, consequence)
    return dice.check(check, f"damage {plan.shot.text}", "DMG") if isinstance(check, Check) else check


def _dr(plan: VehiclePlan, slot: Slot, worn: int) -> int:
    """DR that counts: less what was shot away, more (a negative number) for a body in the way, averaged over an area."""
    dr = slot.dr
    if worn > 0:
        first = slot.parts[0]
        parts = (Layer(dr=max(0, first.dr - worn), hardened=first.hardened), *slot.parts[1:])
        dr = effective_dr(parts, plan.shot.divisor, best_for_all=plan.options.hardened == "best for all")
    elif worn < 0:
        dr -= worn
    if plan.shot.large_area:
        dr = average_dr(slot.dr, 0 if plan.exposed else min(s.dr for s in plan.slots))
    return 0 if plan.attack.delivery == "lobbed_inside" else dr


def _hit(plan: VehiclePlan, slot: Slot, damage: int, dr: int, major: bool, reach: Reach) -> Hit:
    through = damage - dr
    stopped = ablation(plan.block.stats.ablative, min(damage, dr)) if plan.block.stats.ablative else 0
    injury = slot.injury.of(through)
    told = plan.keep == "told"
    if not injury:
        return Hit(through if told else 0, 0, False, False, False, 0, False, stopped, damage if told else 0)
    kept = slot.injury.kept(injury)
    dice_inside = (
        max(through, 0) // int(read("occupants")["damage_per_die"]) if slot.seats and slot.code.acts != "part" else 0
    )
    if slot.code.code == "t" and slot.seats:
        dice_inside = max(through, 0) // int(read("occupants")["damage_per_die"])
    fire = plan.shot.kind == "burn" or plan.shot.explosive
    return Hit(
        through if told else 0,
        _as_far_as(plan, reach, kept),
        True,
        (major or injury * 2 > plan.block.hp) and slot.code.acts != "part",
        slot.injury.cripples(injury),
        dice_inside if plan.keep != "vehicle" else 0,
        fire and injury >= read("wounding")["fragile"]["combustible_from"],
        stopped,
        damage if told else 0,
    )


def _power(dice: Dice, plan: VehiclePlan) -> int:
    """A major wound to a powered vehicle: HT, or power or propulsion is damaged (G15)."""
    bands = ((9, FAILED), (99, "critical"))
    grade = dice.check(ht_check(plan.block.ht, 0, bands), "major wound: HT roll", "G15")
    if grade == MADE:
        return 0
    if grade == "critical" and "x" in plan.block.fragile:
        dice.note("G25", "What is explosive aboard goes up.")
        return BLOWN_UP | WRECKED | STOPPED
    dice.note("G15", "Power or propulsion is damaged: half Move.")
    return POWER


def _turret(dice: Dice, plan: VehiclePlan) -> int:
    choice = plan.options.turret
    gun = choice == "gun" or (choice == "random" and dice.one_of((True, False), "main weapon out, else jammed", "G21"))
    dice.note("G21", "The main weapon is out." if gun else "The turret is jammed.")
    return GUN if gun else JAM


def _fragile(dice: Dice, plan: VehiclePlan, hit: Hit, vital: bool) -> int:
    """Combustible and flammable things catch fire (G25)."""
    block, rules = plan.block, read("wounding")["fragile"]
    flags = 0
    if "c" in block.fragile and (
        hit.burns or (hit.major and not makes_ht(dice, block.ht, "combustible: HT roll", "G25"))
    ):
        flags |= FIRE
    if "f" in block.fragile and hit.major and not flags & FIRE:
        fire = plan.shot.kind == "burn" or plan.shot.explosive
        modifier = (rules["flammable_burning"] if fire else 0) + (rules["flammable_vitals"] if vital else 0)
        if not makes_ht(dice, block.ht, "flammable: HT roll", "G25", modifier):
            dice.note("G25", "It catches fire.")
            flags |= FIRE
    return flags


# -- adding up -------------------------------------------------------------------------------------------------------


def _add(plan: VehiclePlan, state: Progress, strike: Strike) -> Progress:
    """The state after one more round. Excess damage to what is already crippled is lost."""
    impact, keep = strike.impact, plan.keep
    lost, crippled, ablated, effects, places = state.lost, state.crippled, state.ablated, state.effects, state.places
    if impact.hurts:
        part = impact.slot.code.acts == "part"
        if not part or crippled.count(impact.slot.code.code) < impact.slot.count:
            lost = min(lost + impact.injury, plan.health.most)
            if impact.crippled:
                crippled = tuple(sorted((*crippled, impact.crippled)))
        effects |= HURT_BIT
    if impact.through:
        effects |= PENETRATED
    if impact.stopped:
        worn = dict(ablated)
        worn[impact.slot.dr_key] = worn.get(impact.slot.dr_key, 0) + impact.stopped
        ablated = tuple(sorted(worn.items()))
    if keep in ("told", "joint", "places"):
        places |= plan.place_bit(impact.place or impact.slot)
    if keep == "joint":
        places = 0
    elif keep == "vehicle":
        effects &= ~PENETRATED
    people = state.people if keep in ("vehicle", "places") else strike.people
    return Progress(lost, crippled, state.flags | impact.flags, people, strike.animals, ablated, effects, places)


HURT_BIT: Final = 1 << 20
"""Set among the effects while rounds strike: the vehicle has taken injury, however much."""

Reach: TypeAlias = "tuple[int, int, int] | bool"
"""How exactly an injury has to be known: `EXACT`, `NO_MATTER`, or (lost at first, lost now, most that can follow)."""
EXACT: Final = True
NO_MATTER: Final = False


def _as_far_as(plan: VehiclePlan, reach: Reach, injury: int) -> int:
    """An injury as far as anything can still depend on it; may be negative, back to where the attack began."""
    if isinstance(reach, bool):
        return injury if reach else 0
    first, now, to_come = reach
    hp, after = plan.block.hp, min(now + injury, plan.health.most)
    if after + to_come < hp:
        return first - now
    if to_come or after == plan.health.most:
        return after - now
    return after // hp * hp - now


def aftermath(dice: Dice, plan: VehiclePlan, start: Start, state: Progress) -> Outcome:
    """HP thresholds, an explosion aboard, and what all of it comes to."""
    block = plan.block
    if plan.keep in ("people", "places"):
        people_hurt = bool(state.effects & HURT_BIT)
        state = state._replace(effects=state.effects & ~HURT_BIT)
        return finish(start, state, plan.places, FULL, FULL, out=False, hurt=people_hurt)
    flags = state.flags
    people = state.people
    hurt = state.effects & HURT_BIT
    if hurt and state.lost >= block.hp and not flags & WRECKED:
        end = survives(dice, plan.health, start.detail.lost, state.lost, plan.target.name)
        if end == DEAD:
            flags |= WRECKED | STOPPED
            if "x" in block.fragile:
                dice.note("G25", "What is explosive aboard goes up.")
                flags |= BLOWN_UP
        elif end == DOWN:
            flags |= STOPPED
    if flags & BLOWN_UP and not start.detail.flags & BLOWN_UP:
        dead = person(0, DEAD)
        people = tuple([dead if code >= 0 and i in plan.inside else code for i, code in enumerate(people)])
    flags |= _falls(plan, state)
    state = state._replace(flags=flags, people=people, effects=state.effects & ~HURT_BIT)
    out = bool(flags & CRASH) or (
        bool(people) and not any(code >= 0 and state_of(code) < DOWN for code in people) and any(c >= 0 for c in people)
    )
    return finish(start, state, plan.places, mobility(plan, state), firepower(plan, state), out=out, hurt=bool(hurt))


def _falls(plan: VehiclePlan, state: Progress) -> int:
    flags = 0
    if plan.block.flying and any(code in ("H", "Wi") for code in state.crippled):
        flags |= CRASH
    if "R" in state.crippled:
        flags |= SPILLED
    return flags


def mobility(plan: VehiclePlan, state: Progress) -> int:
    """Mobility by what is crippled: tracks and runners stop it, wheels count as legs, masts and power slow it."""
    counts = {f.code.code: f.count for f in plan.parts}
    level = REDUCED if state.flags & POWER else FULL
    for code in dict.fromkeys(state.crippled):
        gone = state.crippled.count(code)
        loses = next((f.code.loses for f in plan.parts if f.code.code == code), "")
        if loses == "all mobility":
            return NONE
        if loses == "legs":
            level = max(level, legs_level(gone, counts[code]))
        elif loses == "masts":
            level = max(level, NONE if gone >= counts[code] else REDUCED)
        elif loses == "flight":
            level = max(level, NONE if plan.block.flying else REDUCED)
    if state.animals and all(state_of(a) >= DOWN for a in state.animals):
        return NONE
    if any(state_of(a) >= DOWN for a in state.animals):
        level = max(level, REDUCED)
    return level


def legs_level(gone: int, legs: int) -> int:
    """Mobility with so many of so many legs (or wheels) gone: two-legged things fall at the first, others at half."""
    if not gone:
        return FULL
    return NONE if legs <= 2 or gone * 2 >= legs else REDUCED


def move_left(masts: int, lost: int) -> tuple[int, int]:
    """Move left to a sailing vessel as a fraction: each mast lost takes 1/masts (G22)."""
    return max(0, masts - lost), masts


def firepower(plan: VehiclePlan, state: Progress) -> int:
    """Firepower by what is out: the main weapon, a jammed turret, mounts and small turrets."""
    if state.flags & GUN:
        return NONE
    armed = {f.code.code: f.count for f in plan.parts if f.code.loses == "firepower"}
    gone = sum(1 for code in state.crippled if code in armed)
    if gone and gone >= sum(armed.values()) and "main_gun" not in plan.target.components:
        return NONE
    return REDUCED if gone or state.flags & JAM else FULL
