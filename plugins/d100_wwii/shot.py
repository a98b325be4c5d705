"""What one striking round brings: its dice and how the rules treat them against this kind of vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from d100_wwii.options import Options
from d100_wwii.rolls import half, plus_maximum, times
from d100_wwii.weapon_stats import HEAVY_BULLET_MM, AttackKind, WeaponStats
from mantlet import DiceExpr

SMALL: tuple[AttackKind, ...] = ("bullet", "at_rifle")
EFFECTS, DAMAGE = "effects", "damage"
FLAGS, CREW, PEOPLE = "flags", "crew", "people"
"""The words an attack may be told in: effects and people, or damage; and the former in parts, the effects on the
vehicle, those on its crew, and the expected people."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A striking round against armored or soft vehicles. Equal ones are one object (see `shot_of`).

    `halves`: explosive against purpose-built armor. `lowers`: takes armor away for good. `area`: everyone in the place
    struck is hit. `inside`: bursts inside an armored vehicle, so that its other compartment takes half. `half_armor`:
    under the belly plate. `bare`: the place aimed at is exposed. `burn`: dice a round of the fire an incendiary sets;
    `luck`: the attacker's Luck for it. `told`: the words it is told in ("" for all of them, see the module `told`),
    and `whole` the same round told in all words.
    """

    kind: AttackKind
    damage: DiceExpr
    impaled: DiceExpr
    can_impale: bool
    halves: bool
    lowers: bool
    area: bool
    inside: bool
    aim: str
    half_armor: bool
    bare: bool
    burn: str
    luck: int
    options: Options
    told: str = ""
    whole: Shot | None = None

    plain: bool = False
    """Whether nothing but damage less armor counts: no armor shot away, no option that reads it otherwise."""

    def brings(self, total: int) -> int:
        """The damage a total comes to: explosives do half to armored vehicles (R8)."""
        return half(total, self.options.round_halves == "up") if self.halves else total

    def facing(self, passenger_armor: int, armor: int) -> int:
        """The armor a round meets: the vehicle's, half of it underneath (R20), a person's where exposed (R32, A63)."""
        if self.bare:
            return passenger_armor
        return half(armor, self.options.round_halves == "up") if self.half_armor else armor

    def armor_left(self, armor: int, damage: int) -> int:
        """The armor value after this damage has struck it (R11, R12, A1)."""
        if not self.lowers or not armor:
            return armor
        reading = self.options.ap_armor_loss
        if reading == "damage":
            return max(0, armor - damage)
        if reading == "excess":
            return max(0, armor - max(0, damage - armor))
        return armor - 1

    def through(self, damage: int, armor: int) -> bool:
        """Whether this damage penetrates (R3, R4, A2)."""
        return damage > armor or (damage == armor and self.options.equal_damage == "penetrates")


def shot_of(stats: WeaponStats, armored: bool, options: Options, aim: str, special: str) -> Shot:
    """The one Shot of this round. `special` is "", "under" (belly plate) or "exposed" (the place aimed at is bare)."""
    kind = stats.kind
    starred = armored or options.starred_rules_for_all
    shell = kind in ("ap_shell", "hollow_charge")
    if kind == "hollow_charge" and options.hollow_charge == "explosive":
        kind, shell = "explosive", False
    bullet = kind == "bullet" and not (options.small_machine_guns_impale_armor and stats.caliber_mm >= 7)
    heavy = kind == "at_rifle" and stats.caliber_mm >= HEAVY_BULLET_MM and stats.armor_piercing
    can_impale = shell or heavy or (kind in SMALL and not starred) or (kind == "bullet" and not bullet)
    explosive = kind == "explosive"
    standard = stats.gun and explosive and options.gun_high_explosive == "standard"
    full = special == "under" and options.placed_charge_full_damage
    area = explosive or stats.kind in ("hollow_charge", "fire")
    inside = area or kind == "ap_shell"
    if options.compartment_damage != "by_kind":
        area = inside = options.compartment_damage == "everyone"
    return _shot(
        kind,
        stats.damage,
        can_impale,
        explosive and starred and not standard and not full,
        shell and starred,
        area,
        inside,
        aim,
        special == "under",
        special == "exposed",
        stats.burn,
        options.shooter_pow * 5,
        options,
    )


@lru_cache(maxsize=1024)
def _shot(
    kind: AttackKind,
    damage: DiceExpr,
    can_impale: bool,
    halves: bool,
    lowers: bool,
    area: bool,
    inside: bool,
    aim: str,
    half_armor: bool,
    bare: bool,
    burn: str,
    luck: int,
    options: Options,
) -> Shot:
    impaled = times(damage, 2) if options.impale_damage == "two_rolls" else plus_maximum(damage)
    plain = (
        not (lowers or half_armor or bare)
        and options.equal_damage == "nothing"
        and options.round_halves == "up"
        and options.occupant_rows == "damage"
        and options.component_takes == "penetrating"
        and options.destroyed_and_struck == "larger"
        and not options.occupant_hit_spares_base_hp
    )
    return Shot(
        kind,
        damage,
        impaled,
        can_impale,
        halves,
        lowers,
        area,
        inside,
        aim,
        half_armor,
        bare,
        burn,
        luck,
        options,
        plain=plain,
    )
