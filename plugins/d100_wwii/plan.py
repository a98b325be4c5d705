"""An attack before any die is rolled: how it is delivered, whether the rules cover it, and what it comes to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from d100_wwii.blocks import NAME
from d100_wwii.circumstances import minimum_percent
from d100_wwii.options import Options
from d100_wwii.shot import Shot, shot_of
from d100_wwii.to_hit import base_chance, chance, roll_to_hit
from d100_wwii.vehicle import Place, Vehicle, vehicle_of
from d100_wwii.vehicle_stats import hit_table_of
from d100_wwii.weapon_stats import WeaponStats, weapon_stats
from mantlet import Attack, Check, InputName, Plan, Target, UnknownNameError, ignored_inputs
from mantlet.units import M_PER_YD

MELEE_REACH_M: Final = 3.0
BURST_WEAPONS: Final = ("submachine_gun", "machine_gun", "heavy_machine_gun", "autocannon")
OFF_ROAD: Final = "off_road"
"""The aim of a ram that pushes off the road (R29)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class D100Plan(Plan):
    """An attack of this ruleset, ready to roll. `delivery` is how it is really made, `speed` the target's MOVE."""

    vehicle: Vehicle
    weapon: WeaponStats
    shot: Shot
    delivery: str
    to_hit: Check[str]
    speed: int
    closing: int = 0
    push: bool = False
    rammer_speed: int = 0
    worn: tuple[Shot, Check[str]] | None = None
    """The shot and the roll once the armor is worn below that of an armored vehicle, where an option says so (A60)."""


def delivery_of(attack: Attack, stats: WeaponStats) -> str:
    """How the attack is made: what is thrown is thrown, and what rams rams, whatever else is said."""
    if stats.kind == "ram":
        return "rammed"
    if attack.delivery == "fired" and stats.melee:
        return "assaulted"
    if attack.delivery == "fired" and stats.thrown is not None:
        return "thrown"
    return attack.delivery


def refusal(attack: Attack, target: Target, options: Options) -> str | None:
    """Why the rules cannot mean this attack, in one sentence that names the rule; None when they can."""
    ram = attack.weapon.kind == "ram" or attack.delivery == "rammed"
    if target.kind != "vehicle" and ram:
        return f"R28: ramming is a driver's maneuver against another vehicle, and {target.id} is {_who(target)}."
    unknown = no_table_for(target)
    if unknown is not None:
        return unknown
    stats = weapon_stats(attack.weapon, attack.ammunition, options)
    if stats is None:
        what = f"{attack.weapon.id} with {_a(attack.ammunition.kind)} round"
        return f"R2: these rules give {what} no damage against vehicles."
    vehicle = vehicle_of(target, options)
    delivery = delivery_of(attack, stats)
    name = attack.weapon.id
    if attack.rounds > 1 and (attack.weapon.kind not in BURST_WEAPONS or delivery != "fired"):
        return f"R18: only automatic weapons fire bursts, and {name} does not."
    return (
        delivery_refusal(attack, target, options, stats, delivery)
        or _range_refusal(attack, stats, delivery)
        or _aim_refusal(attack, vehicle, delivery)
    )


def no_table_for(target: Target) -> str | None:
    """Why the rules have no location table for a target, in one sentence; None when they have."""
    if target.kind != "vehicle":
        tables = "automobiles and trucks, motorcycles and armored vehicles"
        return f"R4: there are location tables for {tables} alone, and {target.id} is {_who(target)}."
    if not hit_table_of(target) and not (target.stats.get(NAME) or {}).get("hit_table"):
        tables = "cars, trucks, motorcycles and armored vehicles"
        return f"R4: there is no location table for {_a(target.body)} such as {target.id}, only for {tables}."
    return None


def _who(target: Target) -> str:
    return "an animal" if target.kind == "creature" else "men on foot"


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiouAEHI" and noun[:2] != "un" else f"a {noun}"


def delivery_refusal(attack: Attack, target: Target, options: Options, stats: WeaponStats, delivery: str) -> str | None:
    """Why an attack cannot be delivered like this (R20, R21, R26, R28, A42); None when it can."""
    name = attack.weapon.id
    if delivery == "rammed":
        if stats.kind != "ram":
            return f"R28: only a vehicle rams, and {name} is none."
        if attack.shooter_speed_kph <= 0 and attack.target_speed_kph <= 0:
            return "R28: a ram needs a moving vehicle; give the shooter's speed."
        skill, least = base_chance(attack, stats, delivery, options).value, minimum_percent()
        if skill < least:
            return f"R28: who rams has to drive, and with {skill:g}% in the skill nobody does; it takes {least}%."
        return None
    if delivery in ("placed_under", "placed_in_running_gear"):
        if not stats.placed:
            return f"R20: only satchel and pole charges, sticky grenades and the like are placed, and {name} is none."
        if delivery == "placed_in_running_gear" and not _has_treads(target, options):
            return f"R20: the result of a charge in the running gear is the Tread row, and {target.id} has no treads."
        return None
    if delivery == "lobbed_inside":
        if stats.kind not in ("explosive", "fire") or stats.thrown is None or stats.melee:
            return f"R26: a hand grenade or other area-effect weapon is lobbed inside, and {name} is none."
        return _opening_refusal(attack, vehicle_of(target, options))
    if delivery == "assaulted":
        return None if stats.melee else f"R21: hand to hand the rules know the pole charge alone, and {name} is none."
    if delivery == "thrown" and (stats.thrown is None or stats.melee):
        return f"R20: {name} is not thrown; it is " + ("used hand to hand (R21)." if stats.melee else "fired.")
    return None


def _opening_refusal(attack: Attack, vehicle: Vehicle) -> str | None:
    """Why there is no opening to lob something through, into the compartment chosen or into any (A42)."""
    if vehicle.stats.hit_table != "afv" or not attack.buttoned or not vehicle.options.inside_needs_opening:
        return None
    aimed = vehicle.aims.get(attack.aim or "")
    if any(place.exposed for place in (vehicle.places if aimed is None else (aimed,)) if isinstance(place, Place)):
        return None
    where = vehicle.target.id if aimed is None else f"{attack.aim} of {vehicle.target.id}"
    return f"A42: nothing can be lobbed into {where} while its hatches are shut; they have to be open."


def _has_treads(target: Target, options: Options) -> bool:
    return "tread" in (rows := vehicle_of(target, options)).rows and rows.aboard("tread")


def _range_refusal(attack: Attack, stats: WeaponStats, delivery: str) -> str | None:
    name = attack.weapon.id
    if delivery == "rammed":
        return None
    if stats.melee:
        if attack.range_m > MELEE_REACH_M:
            return f"R21: {name} is used hand to hand, within {MELEE_REACH_M:g} m, not at {attack.range_m:g} m."
        return None
    yards = attack.range_m / M_PER_YD
    if yards > 4 * stats.range_yd:
        how, rule = ("thrown", "R20") if stats.thrown is not None else ("fired", "R2")
        return (
            f"{rule}: {name} cannot be {how} {attack.range_m:g} m; its base range is {stats.range_yd * M_PER_YD:.1f} m "
            "and the chance ends at four times that."
        )
    return None


def _aim_refusal(attack: Attack, vehicle: Vehicle, delivery: str) -> str | None:
    if attack.aim is None or (delivery == "rammed" and attack.aim == OFF_ROAD):
        return None
    if delivery in ("placed_under", "placed_in_running_gear", "rammed"):
        return f"R20: where a charge or a ram strikes is not aimed, so {attack.aim} cannot be chosen."
    if attack.aim in vehicle.rows and attack.aim not in vehicle.aims:
        return f"R32: a Called Shot needs something to aim at, and {vehicle.target.id} has no {attack.aim} (A7)."
    return None


def plan_of(attack: Attack, target: Target, options: Options) -> D100Plan:
    """All that needs no dice. Raises UnknownNameError for an aim the location table does not have."""
    stats = weapon_stats(attack.weapon, attack.ammunition, options)
    assert stats is not None
    vehicle = vehicle_of(target, options)
    delivery = delivery_of(attack, stats)
    push = delivery == "rammed" and attack.aim == OFF_ROAD
    if attack.aim is not None and attack.aim not in vehicle.aims and not push:
        raise UnknownNameError("location", attack.aim, vehicle.aims, target.id)
    exposed = attack.aim is not None and not push and is_exposed(attack, vehicle, attack.aim)
    special = "under" if delivery == "placed_under" else "exposed" if exposed else ""
    aim = "" if attack.aim is None or push or delivery == "lobbed_inside" else attack.aim
    shot = shot_of(stats, vehicle.stats.armored, options, aim, special)
    told, most = round(options.move(attack.target_speed_kph)), vehicle.stats.move
    real = attack if told <= most else replace(attack, target_speed_kph=options.kph(most))
    reasons, skill_note = chance(real, stats, delivery, options)
    base = base_chance(attack, stats, delivery, options).value
    slow = () if told <= most else (f"{target.id} goes no faster than its MOV, {most}",)
    worn = None
    if vehicle.stats.armored and not options.armored_for_good:
        soft = shot_of(stats, False, options, aim, special)
        worn = (soft, roll_to_hit(reasons, soft, stats, options, base))
    return D100Plan(
        attack=attack,
        target=target,
        derived=(*stats.derived, *vehicle.stats.derived),
        ignored=ignored_inputs(attack, used=_used(attack, delivery, stats, vehicle)),
        notes=(skill_note, *_impale_note(shot), *stats.notes, *vehicle.stats.notes, *_people_note(vehicle), *slow),
        vehicle=vehicle,
        weapon=stats,
        shot=shot,
        delivery=delivery,
        to_hit=roll_to_hit(reasons, shot, stats, options, base),
        worn=worn,
        speed=min(told, most),
        push=push,
        closing=closing_speed(real, options),
        rammer_speed=round(options.move(attack.shooter_speed_kph)),
    )


def is_exposed(attack: Attack, vehicle: Vehicle, aim: str) -> bool:
    """Whether the place aimed at is out in the open: open top, hatch up, a rider, a truck bed (A63)."""
    row = vehicle.aims[aim]
    if not isinstance(row, Place) or vehicle.options.exposed_armor == "vehicle":
        return False
    return row.exposed or (row.afv and not attack.buttoned)


def closing_speed(attack: Attack, options: Options) -> int:
    """The MOVE at which two vehicles meet: the sum head-on, the difference from behind, the rammer's from the side."""
    rammer, target = options.move(attack.shooter_speed_kph), options.move(attack.target_speed_kph)
    bearing = min(attack.aspect_deg, 360 - attack.aspect_deg)
    if bearing <= 45:
        return round(rammer + target)
    return round(abs(rammer - target)) if bearing >= 135 else round(rammer)


def _used(attack: Attack, delivery: str, stats: WeaponStats, vehicle: Vehicle) -> set[InputName]:
    used: set[InputName] = {"aim", "rounds", "target_speed", "dark"}
    if not stats.melee:
        used.add("skill")
    if delivery == "rammed":
        return used | {"aspect", "shooter_speed"}
    if delivery == "fired":
        used.add("shooter_speed")
    if vehicle.stats.hit_table == "afv" and (attack.aim is not None or delivery == "lobbed_inside"):
        used.add("unbuttoned")
    return used | {"range"}


def _impale_note(shot: Shot) -> tuple[str, ...]:
    if shot.can_impale or shot.kind in ("fire", "ram"):
        return ()
    if shot.kind == "explosive":
        return ("explosives do not impale (R13)",)
    return ("bullets do not impale armored vehicles (R9)",)


def _people_note(vehicle: Vehicle) -> tuple[str, ...]:
    if vehicle.named or not vehicle.occupants:
        return ()
    p = vehicle.occupants[0].person
    return (
        f"people without stats: {p.hp} hit points, DEX {p.dex}, POW {p.pow}, {vehicle.stats.drive_skill} {p.drive}%",
    )
