"""One attack: this weapon, fired like this, at a target in this situation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Final, Literal, get_args

from mantlet.errors import UnknownNameError
from mantlet.game.checks import FieldError, check_range
from mantlet.game.situation import Situation
from mantlet.game.weapon import Ammunition, Weapon

Delivery = Literal["fired", "thrown", "placed_under", "placed_in_running_gear", "lobbed_inside", "rammed", "assaulted"]
SkillWord = Literal["green", "trained", "veteran", "ace"]

SITUATION: Final = tuple(part.name for part in fields(Situation))
"""The fields of an attack that make up the target's situation."""

SKILL_WORDS: Final[tuple[SkillWord, ...]] = get_args(SkillWord)
"""The neutral words for a shooter's skill, worst first."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One attack: this weapon, fired like this, at that target's state of affairs (the target is given beside it).

    `aspect_deg` is the bearing of the shooter from the target's nose: 0 front, 90 its right side, 180 rear.
    `elevation_deg` is positive from above. The shooter's skill is a neutral word (`skill`) or a percent
    (`skill_percent`), and `skills` gives it on a ruleset's own scale by its name, which goes before; where none is
    given, the shooter is `trained` (see `mantlet.shooter_skill`). `given_hit` leaves the chance to hit out. `cover` is
    0 (open) to 1. `miss_distance_m` is how far from a team the shot lands (0: on it). `buttoned` and `dark` describe
    the target.

    Raises FieldError (a ValueError) for a value out of its range and for a word beside a percent, UnknownNameError for
    a skill that is none of the words.
    """

    weapon: Weapon
    ammunition: Ammunition
    range_m: float = 100.0
    aspect_deg: float = 0.0
    elevation_deg: float = 0.0
    skill: SkillWord | None = None
    skill_percent: float | None = None
    skills: Mapping[str, float] = field(default_factory=dict)
    aim: str | None = None
    rounds: int = 1
    delivery: Delivery = "fired"
    hull_down: bool = False
    shooter_speed_kph: float = 0.0
    target_speed_kph: float = 0.0
    given_hit: bool = False
    buttoned: bool = True
    dark: bool = False
    cover: float = 0.0
    miss_distance_m: float = 0.0

    def __post_init__(self) -> None:
        check_range(self.range_m, "range_m", 0, 100_000)
        check_range(self.aspect_deg, "aspect_deg", -360, 720)
        check_range(self.elevation_deg, "elevation_deg", -90, 90)
        if self.skill is not None:
            if self.skill not in SKILL_WORDS:
                raise UnknownNameError("skill", self.skill, SKILL_WORDS, "an attack")
            if self.skill_percent is not None:
                raise FieldError(f"skill is {self.skill}, and skill_percent {self.skill_percent:g}: give one", "skill")
        if self.skill_percent is not None:
            check_range(self.skill_percent, "skill_percent", 0, 1000)
        check_range(self.rounds, "rounds", 1, 1000)
        check_range(self.shooter_speed_kph, "shooter_speed_kph", 0, 2000)
        check_range(self.miss_distance_m, "miss_distance_m", 0, 100_000)
        _ = self.situation  # which checks its values
        object.__setattr__(self, "aspect_deg", self.aspect_deg % 360.0)

    @property
    def situation(self) -> Situation:
        """The part of it that is the target's and lasts."""
        return Situation(**{name: getattr(self, name) for name in SITUATION})
