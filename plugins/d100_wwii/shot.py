"""What one striking round brings: its dice and how the rules treat them against this kind of vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from d100_wwii.options import Options
from d100_wwii.rolls import percent_of, plus_maximum, times
from d100_wwii.weapon_stats import HEAVY_BULLET_MM, SMALL, AttackKind, WeaponStats
from mantlet import DiceExpr


@dataclass(frozen=True, eq=False)
class Shot:
    """A striking round against armored or soft vehicles. Equal ones are one object (see `shot_of`).

    `impaled`: the dice where it impales. `his_alone`: an impale counts against somebody exposed and not against the
    vehicle (A66). `halves`: explosive against purpose-built armor. `lowers`: takes armor away for good. `area`:
    everyone in the place struck is hit. `inside`: bursts inside an armored vehicle, so that its other compartment takes
    half. `half_armor`: under the belly plate. `bare`: the place aimed at is exposed. `burn`: dice a round of the fire
    an incendiary sets; `luck`: the attacker's Luck for it.
    """

    kind: AttackKind
    damage: DiceExpr
    impaled: DiceExpr
    can_impale: bool
    his_alone: bool
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


_one_shot = lru_cache(maxsize=1024)(Shot)


def shot_of(stats: WeaponStats, armored: bool, options: Options, aim: str, special: str) -> Shot:
    """The one Shot of this round. `special` is "", "under" (belly plate) or "exposed" (the place aimed at is bare).

    What impales armored vehicles: AP shells (R14), hollow charges with them (A24), AT rifles from .50 with AP (R10); no
    small arms (R9) but at somebody exposed (A66), no explosives (R13). An impale rolls twice (A21). AT guns (R25) and
    hollow charges (R27) do standard damage, where explosives do half; a gun's high explosive (A25) and a placed charge
    (A27) by option. All of it holds for armored vehicles, or by option for all (A61).
    """
    kind = stats.kind
    starred = options.starred(armored)
    shell = kind in ("ap_shell", "hollow_charge")
    if kind == "hollow_charge" and options.hollow_charge == "explosive":
        kind, shell = "explosive", False
    bullet = kind == "bullet" and not (options.small_machine_guns_impale_armor and stats.caliber_mm >= 7)
    heavy = kind == "at_rifle" and stats.caliber_mm >= HEAVY_BULLET_MM and stats.armor_piercing
    explosive = kind == "explosive"
    standard = stats.gun and explosive and options.gun_high_explosive == "standard"
    full = special == "under" and options.placed_charge_full_damage
    area = explosive or stats.kind in ("hollow_charge", "fire")
    inside = area or kind == "ap_shell"
    if options.compartment_damage != "by_kind":
        area = inside = options.compartment_damage == "everyone"
    damage = stats.damage
    can_impale = shell or heavy or (kind in SMALL and not starred) or (kind == "bullet" and not bullet)
    his_alone = special == "exposed" and options.exposed_impale and kind in SMALL and not can_impale
    return _one_shot(
        kind=kind,
        damage=damage,
        impaled=times(damage, 2) if options.impale_damage == "two_rolls" else plus_maximum(damage),
        can_impale=can_impale or his_alone,
        his_alone=his_alone,
        halves=explosive and starred and not standard and not full,
        lowers=shell and starred,
        area=area,
        inside=inside,
        aim=aim,
        half_armor=special == "under",
        bare=special == "exposed",
        burn=stats.burn,
        luck=percent_of(options.shooter_pow),
        options=options,
    )
