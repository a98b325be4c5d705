"""How a target stands when it is attacked: what stays as it is from one attack to the next."""

from __future__ import annotations

from dataclasses import dataclass

from mantlet.game.checks import check_range


@dataclass(frozen=True, kw_only=True)
class Situation:
    """The part of an attack that is the target's: a saved state keeps it, and an attack's own values change it.

    The fields are those of `Attack`. Raises FieldError (a ValueError) for a value out of its range.
    """

    target_speed_kph: float = 0.0
    buttoned: bool = True
    dark: bool = False
    hull_down: bool = False
    cover: float = 0.0

    def __post_init__(self) -> None:
        check_range(self.target_speed_kph, "target_speed_kph", 0, 2000)
        check_range(self.cover, "cover", 0, 1)
