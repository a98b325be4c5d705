"""Every place where the rules can be read two ways, and the people nobody has described: the options of d100_wwii.

The default is always the recommended reading. The number after each name is the id of the reading it settles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

BOUNDS: Final = (
    ("person_hp machine_gun_hp hull_cannon_hp", 1, 200),
    ("person_dex person_pow shooter_dex shooter_str shooter_pow", 0, 100),
    ("driver_skill_percent ram_skill_percent repair_skill_percent", 0, 1000),
    ("kph_per_move", 0.01, 1000),
)
"""The least and the most that a number among the options may be."""

CHANGING: Final = frozenset(
    ("shooter_dex", "shooter_str", "shooter_pow", "ram_skill_percent", "repair_skill_percent", "road", "belted")
)
"""The options that say who acts and on which road, and not how a rule is read."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The readings in force. Percentages are 1..100 skills, hit points and characteristics are those of a person."""

    # People who are only seats in the catalog: an average adult.
    person_hp: int = 12
    person_dex: int = 10
    person_pow: int = 10
    driver_skill_percent: int = 50
    shooter_dex: int = 10
    shooter_str: int = 10
    shooter_pow: int = 10
    ram_skill_percent: int = 50
    repair_skill_percent: int = 50

    # Armor and damage
    ap_armor_loss: Literal["damage", "excess", "one"] = "damage"  # A1
    equal_damage: Literal["nothing", "penetrates"] = "nothing"  # A2
    component_takes: Literal["penetrating", "damage"] = "penetrating"  # A3
    occupant_hit_spares_base_hp: bool = False  # A4
    component_absorbs_base_hp: bool = False  # A4
    component_overflow: bool = False  # A5: Base HP takes a component's overflow once more
    destroyed_component: Literal["no_effect", "reroll"] = "no_effect"  # A6
    absent_component: Literal["no_location_effect", "reroll", "no_damage"] = "no_location_effect"  # A7
    absent_applies_to: Literal["every_row", "starred_rows"] = "every_row"  # A8
    compartment_damage: Literal["by_kind", "everyone", "one_person"] = "by_kind"  # A9
    round_halves: Literal["up", "down"] = "up"  # A10
    impale_damage: Literal["two_rolls", "max_plus_roll"] = "two_rolls"  # A21
    impale_of: Literal["modified", "base"] = "modified"  # A22
    small_machine_guns_impale_armor: bool = False  # A23
    twenty_mm_ap: Literal["ap_shell", "at_rifle"] = "ap_shell"  # A23
    hollow_charge: Literal["ap_shell", "explosive"] = "ap_shell"  # A24
    gun_high_explosive: Literal["explosive", "standard"] = "explosive"  # A25
    artillery_point_blank: bool = True  # A26
    armored_for_good: bool = True  # A60
    starred_rules_for_all: bool = False  # A61
    exposed_armor: Literal["none", "vehicle"] = "none"  # A63
    burst_armor: Literal["each", "total"] = "each"  # A64
    armor_repair: Literal["full", "points"] = "full"  # A65
    exposed_impale: bool = True  # A66
    exposed_blast: Literal["full", "half"] = "full"  # A67

    # People
    occupant_rows: Literal["damage", "kill"] = "damage"  # A11
    driver_down: Literal["unconscious", "dead"] = "unconscious"  # A12
    surviving_driver_trouble: bool = False  # A13
    take_wheel: Literal["two_rolls", "one_roll"] = "two_rolls"  # A14
    wheel_reach: Literal["near", "anyone"] = "near"  # A15
    front_seat: Literal["as_seated", "fills_first"] = "as_seated"  # A16
    extra_hits: Literal["round_robin", "once"] = "round_robin"  # A17
    lucky_misses: Literal["lost", "shared", "someone_hit"] = "lost"  # A18
    luck_tie: Literal["lower_pow", "die"] = "lower_pow"  # A19
    luck_counts: Literal["living", "conscious", "aboard"] = "living"  # A20
    magazine_damage: Literal["each", "one_roll"] = "each"  # A39
    destroyed_and_struck: Literal["larger", "both"] = "larger"  # A40
    burst_wreck: Literal["destroying_round", "whole_burst"] = "destroying_round"  # A69

    # Special attacks
    placed_charge_full_damage: bool = False  # A27
    halved_armor_lasts: bool = False  # A28
    charge_in_treads: Literal["automatic", "must_penetrate"] = "automatic"  # A29
    thrown_point_blank: Literal["dex_feet", "100_yards"] = "dex_feet"  # A30
    fire_luck: Literal["attacker", "target"] = "attacker"  # A31
    molotov_needs_throw: bool = True  # A32
    grenade_inside: Literal["compartment", "everyone"] = "compartment"  # A41
    inside_needs_opening: bool = True  # A42
    inside_doubles: Literal["full", "half"] = "full"  # A68

    # Fire
    fire_against_armor: Literal["running_total", "each_round"] = "running_total"  # A33
    fire_row_repeats: Literal["damage", "table"] = "damage"  # A34
    fire_damage: Literal["fire", "attack"] = "fire"  # A35
    fire_armor: Literal["current", "original"] = "current"  # A36
    major_fire_armor: bool = False  # A37
    fire_explosion_destroys: bool = True  # A38
    fire_row_stays: Literal["worst", "last"] = "worst"  # A70

    # Movement and driving
    move_loss: Literal["lose_share", "drop_to_share"] = "lose_share"  # A43
    several_losses: Literal["multiply", "from_full"] = "multiply"  # A44
    running_gear_pools: Literal["each", "one"] = "each"  # A45
    wheeled_afv_tread: Literal["running_gear", "absent"] = "running_gear"  # A46
    afv_drive_skill: Literal["own", "drive_auto"] = "own"  # A47
    turretless_row: Literal["fighting_compartment", "absent"] = "fighting_compartment"  # A48
    machine_gun_hp: int = 11  # A49
    hull_cannon_hp: int = 15  # A49
    headlamps: Literal["stacked", "seed_alone", "flat_20"] = "stacked"  # A50
    overheated: Literal["stops", "no_effect"] = "stops"  # A51
    fuel_stop: Literal["timer", "at_once"] = "timer"  # A52
    steering: Literal["once", "each_round"] = "once"  # A53
    trouble_table: str = "d20_landrules"  # A55: a shipped table's name, or a TOML file's path
    parked_trouble: bool = False  # A56
    moving_fire: Literal["shooter_moving", "always"] = "shooter_moving"  # A57
    moving_fire_order: Literal["after", "before"] = "after"  # A58
    kph_per_move: float = 1.609344  # A59: MOVE is miles an hour
    collision_table: str = "house"  # A62 and the lost table: a shipped table's name, or a TOML file's path
    collision_ignores_armor: bool = True  # A62
    collision_size_factor: bool = True  # A62
    road: str = ""  # what counts on every driving roll: conditions of driving.toml joined by +, as snow+back_street
    belted: bool = False  # nobody is thrown out (A55); half of the asmrb table's damage

    # Time
    round_seconds: Literal[3, 12] = 3
    extinguish: Literal["luck", "mechanical_repair"] = "luck"

    def __post_init__(self) -> None:
        for names, low, high in BOUNDS:
            for name in names.split():
                if not low <= getattr(self, name) <= high:
                    raise ValueError(f"{name} has to be {low:g} to {high:g}, not {getattr(self, name):g}")

    @property
    def round_up(self) -> bool:
        """Whether halves are rounded up (A10)."""
        return self.round_halves == "up"

    def goes_on(self, damage: int) -> int:
        """The attack's damage where a fire that it sets aboard goes on with it each round, else 0 (A35)."""
        return damage if self.fire_damage == "attack" else 0

    def move(self, kph: float) -> float:
        """A speed as MOVE (A59)."""
        return kph / self.kph_per_move

    def kph(self, move: float) -> float:
        """MOVE as a speed (A59)."""
        return move * self.kph_per_move

    def starred(self, armored: bool) -> bool:
        """Whether the rules for armored vehicles hold for a vehicle (A61)."""
        return armored or self.starred_rules_for_all
