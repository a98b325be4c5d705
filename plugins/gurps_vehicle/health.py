"""HT rolls: knockdown, HP thresholds, and what is fragile (G25): combustible (c), flammable (f), explosive (x)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from gurps_vehicle.attack_roll import ROLL, is_critical_miss, succeeds
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.files import read
from gurps_vehicle.flags import BLOWN_UP, STOPPED, WRECKED
from mantlet import Check, Dice, Modifier, Then

FIT: Final = 0
HURT: Final = 1
"""Wounded, and able to act."""
DOWN: Final = 2
"""Unconscious, dying or out of order: alive but out of the fight."""
DEAD: Final = 3
BURST: Final = 4
"""Dead of a critical miss, where that is told apart: what burns goes up."""

MADE: Final = "made"
FAILED: Final = "failed"
CRITICAL: Final = "critical miss"


class Health(NamedTuple):
    """HP and HT of a person, creature or vehicle."""

    hp: int
    ht: int

    @property
    def most(self) -> int:
        """The injury at which nothing is left to lose: -5 x HP."""
        return self.hp * (1 + int(_rules()["dead_at"]))

    def lost(self, before: int, injury: int) -> int:
        """The HP lost after an injury, given those lost before."""
        return min(before + injury, self.most)


class Loss(NamedTuple):
    """HP lost before an injury, and after it."""

    before: int
    after: int


class Subject(NamedTuple):
    """Whose HP thresholds these are. What `bursts` goes up by a critical miss of a death check."""

    name: str
    health: Health
    bursts: bool = False


@cache
def _rules() -> dict[str, float]:
    data: dict[str, float] = read("wounding")["health"]
    return data


# -- HT rolls --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def ht_check(ht: int, modifier: int = 0, bands: tuple[tuple[int, str], ...] = (), why: str = "location") -> Check[str]:
    """An HT roll: `made`, else the band by how much it is missed: (at most, name); anything beyond is `failed`.

    A critical miss counts as missed by 10 at least. `why` says what the modifier is for.
    """
    target = ht + modifier
    grades = []
    for roll in range(3, 19):
        if succeeds(roll, target):
            grades.append((roll, MADE))
            continue
        missed = max(roll - target, 1)
        if is_critical_miss(roll, target):
            missed = max(missed, _critical_miss())
        grades.append((roll, next((name for most, name in bands if missed <= most), FAILED)))
    modifiers = (Modifier(ht, "HT"), Modifier(modifier, why)) if modifier else ()
    return Check(ROLL, grades, target, modifiers)


def _critical_miss() -> int:
    return int(read("attack")["criticals"]["fumble_missed_by"])


def makes_ht(dice: Dice, ht: int, reason: str, rule: str) -> bool:
    """A plain HT roll."""
    return dice.check(ht_check(ht), reason, rule) == MADE


def knockdown(dice: Dice, ht: int, modifier: int, rule: str) -> str:
    """The roll a major wound asks for: `made`, `stunned` or `unconscious`."""
    bands = ((int(_rules()["unconscious_by"]) - 1, "stunned"), (99, "unconscious"))
    return dice.check(ht_check(ht, modifier, bands), "knockdown", rule)


# -- HP thresholds ---------------------------------------------------------------------------------------------------


def crossings(before: int, after: int, hp: int) -> int:
    """How many multiples of -HP (at -1 x HP, -2 x HP ...) an injury goes past, given what is lost before and after."""
    return max(0, after // hp - 1) - max(0, before // hp - 1)


def survives(dice: Dice, subject: Subject, loss: Loss, *, acts: bool) -> int:
    """HP thresholds: FIT or HURT while in action, DOWN, or DEAD (BURST by a critical miss of what `bursts`).

    At -HP and every multiple of it: an HT roll each; missed by 1 or 2 leaves one dying (DOWN), by more is death. At 0
    HP or less: an HT roll to stay in action, of who `acts` until then. At -5 x HP there is no roll.
    """
    health, (before, after) = subject.health, loss
    if after >= health.most:
        dice.note("HP", "{} at {} HP: beyond all help", subject.name, health.hp - after)
        return DEAD
    checks = crossings(before, after, health.hp)
    asks_zero = acts and after >= health.hp
    state: int = FIT if after <= 0 else HURT
    if checks or asks_zero:
        state = dice.settle(death_checks, subject, checks, asks_zero, HURT)
    return state


def death_checks(dice: Dice, subject: Subject, checks: int, asks_zero: bool, state: int) -> int | Then:
    """The HT rolls of HP thresholds, one a stage: at multiples of -HP, then to stay in action."""
    ht = subject.health.ht
    if checks:
        bands: tuple[tuple[int, str], ...] = ((int(_rules()["mortal_by"]), "dying"), (99, "dead"))
        if subject.bursts:
            bands = (bands[0], (_critical_miss() - 1, "dead"), (99, "bursts"))
        grade = dice.check(ht_check(ht, 0, bands), f"{subject.name}: HT roll at a multiple of -HP", "HP")
        if grade in ("dead", "bursts"):
            return DEAD if grade == "dead" else BURST
        return dice.then(death_checks, subject, checks - 1, asks_zero, DOWN if grade == "dying" else state)
    if state == HURT and asks_zero and not makes_ht(dice, ht, f"{subject.name}: HT roll at 0 HP or less", "HP"):
        return DOWN
    return state


# -- what is fragile (G25) -------------------------------------------------------------------------------------------


def sets_alight(block: Block, fire: bool, injury: int) -> bool:
    """Whether an injury by `fire` (burning or explosive) sets a combustible thing alight by itself."""
    return "c" in block.fragile and fire and injury >= int(_fragile_data()["combustible_from"])


def catches_fire(dice: Dice, block: Block, *, fire: bool, vital: bool) -> bool:
    """Whether a major wound sets it alight (G25): an HT roll of what is combustible, and one of what is flammable.

    The latter is harder after a wound by `fire` (burning or explosive), and after one to a `vital` place.
    """
    lit = "c" in block.fragile and not makes_ht(dice, block.ht, "combustible: HT roll", "G25")
    if not lit and "f" in block.fragile:
        rules = _fragile_data()
        modifier = (rules["flammable_burning"] if fire else 0) + (rules["flammable_vitals"] if vital else 0)
        why = " and ".join((*(("fire or explosion",) if fire else ()), *(("vital area",) if vital else ())))
        lit = dice.check(ht_check(block.ht, modifier, (), why), "flammable: HT roll", "G25") != MADE
    if lit:
        dice.note("G25", "It catches fire.")
    return lit


def wound_roll(dice: Dice, block: Block, reason: str, rule: str) -> str:
    """The HT roll of a major wound: made, failed, or CRITICAL where that blows up what is explosive."""
    bands = ((_critical_miss() - 1, FAILED), (99, CRITICAL)) if "x" in block.fragile else ()
    grade = dice.check(ht_check(block.ht, 0, bands), reason, rule)
    if grade == CRITICAL:
        note_blast(dice, block)
    return grade


def explodes(dice: Dice, block: Block) -> bool:
    """Whether a major wound blows up what is explosive, where no other rule asks for an HT roll."""
    return "x" in block.fragile and wound_roll(dice, block, "explosive: HT roll", "G25") == CRITICAL


def may_burst(block: Block, burning: bool) -> bool:
    """Whether a critical miss of a death check blows it up: it burns, and it is flammable."""
    return "f" in block.fragile and burning


def ended(dice: Dice, block: Block, subject: Subject, loss: Loss, flags: int) -> int:
    """The flags after the HP thresholds (see `survives`): out of order, or a wreck that may go up; a wreck has none."""
    end = HURT if flags & WRECKED else survives(dice, subject, loss, acts=not flags & STOPPED)
    if end not in (DEAD, BURST):
        return flags | (STOPPED if end == DOWN else 0)
    flags |= WRECKED | STOPPED
    if "x" not in block.fragile and end == DEAD:
        return flags
    note_blast(dice, block, "The fire reaches the fuel" if end == BURST else "What is explosive aboard goes up")
    return flags | BLOWN_UP


def note_blast(dice: Dice, block: Block, what: str = "What is explosive aboard goes up") -> None:
    """Say that it goes up, and what that does to those around."""
    rules = _fragile_data()
    dice.note(
        "G25", "{}: {} x {} cr ex to all around.", what, rules["blast"], max(1, block.hp // rules["blast_per_hp"])
    )


def _fragile_data() -> dict[str, Any]:
    data: dict[str, Any] = read("wounding")["fragile"]
    return data
