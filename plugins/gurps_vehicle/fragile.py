"""What is fragile (G25): combustible (c), flammable (f) and explosive (x) things under injury."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from gurps_vehicle.detail import BLOWN_UP, FIRE, STOPPED, WRECKED
from gurps_vehicle.files import read
from gurps_vehicle.health import BURST, DEAD, DOWN, FAILED, ht_check, makes_ht
from mantlet import Dice

CRITICAL: Final = "critical miss"
IN_THE_FUEL: Final = "The fire reaches the fuel"


def sets_alight(fragile: Collection[str], fire: bool, injury: int) -> bool:
    """Whether an injury by fire or an explosion sets a combustible thing alight by itself."""
    return "c" in fragile and fire and injury >= int(read("wounding")["fragile"]["combustible_from"])


def catches_fire(dice: Dice, fragile: Collection[str], ht: int, *, fire: bool, vital: bool) -> bool:
    """Whether a major wound sets it alight: an HT roll of what is combustible, and one of what is flammable.

    The latter is harder after a wound by `fire` (burning or explosive), and after one to a `vital` place.
    """
    if "c" in fragile and not makes_ht(dice, ht, "combustible: HT roll", "G25"):
        dice.note("G25", "It catches fire.")
        return True
    if "f" in fragile:
        rules = read("wounding")["fragile"]
        modifier = (rules["flammable_burning"] if fire else 0) + (rules["flammable_vitals"] if vital else 0)
        why = " and ".join((*(("fire or explosion",) if fire else ()), *(("vital area",) if vital else ())))
        if not makes_ht(dice, ht, "flammable: HT roll", "G25", modifier, why):
            dice.note("G25", "It catches fire.")
            return True
    return False


def wound_roll(dice: Dice, fragile: Collection[str], ht: int, hp: int, reason: str, rule: str) -> str:
    """The HT roll of a major wound: made, failed, or CRITICAL where that blows up what is explosive."""
    bands = ((9, FAILED), (99, CRITICAL)) if "x" in fragile else ()
    grade = dice.check(ht_check(ht, 0, bands), reason, rule)
    if grade == CRITICAL:
        tell_blast(dice, hp)
    return grade


def explodes(dice: Dice, fragile: Collection[str], ht: int, hp: int) -> bool:
    """Whether a major wound blows up what is explosive, where no other rule asks for an HT roll."""
    return "x" in fragile and wound_roll(dice, fragile, ht, hp, "explosive: HT roll", "G25") == CRITICAL


def may_burst(fragile: Collection[str], flags: int) -> bool:
    """Whether a critical miss of a death check blows it up: it burns, and it is flammable."""
    return "f" in fragile and bool(flags & FIRE)


def ended(dice: Dice, fragile: Collection[str], hp: int, end: int) -> int:
    """The flags after the HP thresholds (see `survives`): out of order, or a wreck that may go up."""
    if end not in (DEAD, BURST):
        return STOPPED if end == DOWN else 0
    if "x" not in fragile and end == DEAD:
        return WRECKED | STOPPED
    tell_blast(dice, hp, *(() if end == DEAD else (IN_THE_FUEL,)))
    return WRECKED | STOPPED | BLOWN_UP


def tell_blast(dice: Dice, hp: int, what: str = "What is explosive aboard goes up") -> None:
    """Say that it goes up, and what that does to those around."""
    rules = read("wounding")["fragile"]
    dice.note("G25", "{}: {} x {} cr ex to all around.", what, rules["blast"], max(1, hp // rules["blast_per_hp"]))
