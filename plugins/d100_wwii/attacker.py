"""The vehicle that attacks: what it has lost counts in its own attacks, and a ram strikes it as well."""

from __future__ import annotations

from typing import Final

from d100_wwii.options import Options
from d100_wwii.state import NO_FIREPOWER, Detail
from d100_wwii.status import Start, Status, as_found, start_of
from d100_wwii.vehicle import Place, Vehicle, vehicle_of
from mantlet import Attack, Dice, Modifier
from mantlet.game.condition import NONE

GUN_LAYING: Final = -25
GUN_CREW: Final = "turret_or_front_cab"
"""The people row of those who serve the main gun and the one beside it (A48)."""


def attacker_of(attack: Attack, options: Options) -> Start | None:
    """The vehicle that attacks, as its own state has it; None where nobody says, and for who has no location table."""
    who = attack.shooter
    if who is None or not isinstance(who.condition.detail, Detail):
        return None
    speed = round(options.move(attack.shooter_speed_kph))
    return start_of(vehicle_of(who.target, options), who.condition, speed, attack.dark)


def rammer(dice: Dice, attack: Attack, options: Options) -> Status | None:
    """The same for dice: the vehicle that rams, to be changed."""
    start = attacker_of(attack, options)
    if start is None:
        return None
    return Status(as_found(dice, start.vehicle, start.condition, start.detail.speed, attack.dark))


def fires_main_gun(attack: Attack, vehicle: Vehicle) -> bool:
    """Whether the weapon is the vehicle's main gun: the first of its armament, where one is aboard."""
    part, armament = vehicle.part("main_gun"), vehicle.target.armament
    return part is not None and bool(part.pools) and armament[:1] in [(name,) for name in _names(attack)]


def gun_refusal(attack: Attack, options: Options) -> str | None:
    """Why a vehicle's own weapon fires no more: the gun is gone, or all who serve it (A12); None where it does.

    Which of the machine guns is which nobody says: they are silent when all of them are gone.
    """
    start = attacker_of(attack, options)
    if start is None or not set(_names(attack)) & set(start.vehicle.target.armament):
        return None
    vehicle, status, name = start.vehicle, Status(start), attack.weapon.id
    main = fires_main_gun(attack, vehicle)
    guns = [gun for gun in vehicle.guns if (gun.component == "main_gun") == main]
    if guns and (status.flags & NO_FIREPOWER or all(status.gone(gun.component) for gun in guns)):
        lost = "main gun" if main else "machine guns"
        return f"R19: {name} does not fire, for {vehicle.target.id} has lost its {lost}."
    crew = vehicle.rows.get(GUN_CREW)
    if main and isinstance(crew, Place) and crew.seats and not any(status.able(status.people[n]) for n in crew.seats):
        return f"A12: {name} does not fire, for nobody at the main gun of {vehicle.target.id} can act."
    return None


def gun_laying(attack: Attack, options: Options) -> int:
    """What the main gun's attacks lose when the vehicle's gun-laying gear is destroyed (R19)."""
    start = attacker_of(attack, options)
    if start is None or not fires_main_gun(attack, start.vehicle) or not Status(start).gone("gun_laying"):
        return 0
    return GUN_LAYING


def wheel_refusal(attack: Attack, options: Options) -> str | None:
    """Why a vehicle rams nobody: it cannot move, or nobody drives it (R28); None where it can."""
    start = attacker_of(attack, options)
    if start is None:
        return None
    status, who = Status(start), start.vehicle.target.id
    if status.condition().mobility == NONE:
        return f"R28: {who} cannot move under its own power, so it rams nobody."
    if not status.driver_able or start.vehicle.driver < 0:
        return f"R28: who rams has to drive, and nobody at the wheel of {who} can."
    return None


def driver_percent(start: Start) -> int:
    """The driving skill of the one at the wheel."""
    return start.vehicle.person(start.vehicle.driver, start.detail.seating).drive


def skidding(start: Start) -> tuple[Modifier, ...]:
    """What last round's trouble takes off this round's driving."""
    return (Modifier(start.detail.drive_now, "skidding since last round"),) if start.detail.drive_now else ()


def _names(attack: Attack) -> tuple[str, ...]:
    return (attack.weapon.id, *attack.weapon.aliases)
