"""The inputs of an attack by name, and which of them a ruleset has no use for."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, get_args

from mantlet.errors import UnknownNameError
from mantlet.game.attack import Attack

# fmt: off
InputName = Literal[
    "range", "aspect", "elevation", "skill", "aim", "rounds", "hull_down",
    "shooter_speed", "target_speed", "unbuttoned", "dark", "cover", "miss_distance", "turret", "shooter",
]
# fmt: on

INPUTS: Final[tuple[InputName, ...]] = get_args(InputName)
"""Every input of an attack that a ruleset may have no use for, in the order they are reported."""

_ALWAYS: Final[tuple[InputName, ...]] = ("range", "aspect", "elevation", "skill")
_IF_SET: Final[dict[InputName, tuple[str, object]]] = {
    "aim": ("aim", None),
    "rounds": ("rounds", 1),
    "hull_down": ("hull_down", False),
    "shooter_speed": ("shooter_speed_kph", 0.0),
    "target_speed": ("target_speed_kph", 0.0),
    "unbuttoned": ("buttoned", True),
    "dark": ("dark", False),
    "cover": ("cover", 0.0),
    "miss_distance": ("miss_distance_m", 0.0),
    "turret": ("turret_deg", 0.0),
    "shooter": ("shooter", None),
}
"""The field of an attack behind an input, and the value at which it is not set."""


def ignored_inputs(attack: Attack, used: Collection[InputName]) -> tuple[InputName, ...]:
    """The inputs of an attack that a ruleset has no use for, for `Plan.ignored`.

    `used` names those it uses, from: range, aspect, elevation, skill (every attack has them), aim, rounds, hull_down,
    shooter_speed, target_speed, unbuttoned, dark, cover, miss_distance, turret, shooter (counted only where the
    attack sets them).

    Raises UnknownNameError for any other name.
    """
    for name in used:
        if name not in INPUTS:
            raise UnknownNameError("input", name, INPUTS, "an attack")
    named = [name for name in _ALWAYS if name not in used]
    for name, (attribute, default) in _IF_SET.items():
        if name not in used and getattr(attack, attribute) != default:
            named.append(name)
    return tuple(named)
