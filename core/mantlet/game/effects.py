"""The neutral effects: a closed vocabulary that every ruleset reports in, so that two rulesets can be compared.

Effects are bits of one integer. "At least" holds throughout: what is immobilized is also mobility-reduced, what is
destroyed is also knocked out, and so on; `complete` adds what a set of effects implies.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, get_args

from mantlet.errors import UnknownNameError

# fmt: off
EffectName = Literal[
    "hit", "penetrated", "no_effect", "damaged",
    "mobility_reduced", "immobilized", "firepower_reduced", "firepower_lost",
    "crew_hit", "crew_killed", "on_fire", "exploded",
    "knocked_out", "destroyed",
]
# fmt: on

EFFECTS: Final[dict[str, int]] = {name: 1 << n for n, name in enumerate(get_args(EffectName))}
"""Name of every effect in the order they are reported, with its bit."""

HIT: Final = EFFECTS["hit"]
"""At least one round strikes the target, or the attack takes hold of it."""
PENETRATED: Final = EFFECTS["penetrated"]
"""At least one hit gets through the armor, or strikes where there is none."""
NO_EFFECT: Final = EFFECTS["no_effect"]
"""Nothing about the target changes: missed, stopped by the armor, or without consequence. Set by `complete` alone."""
DAMAGED: Final = EFFECTS["damaged"]
"""The vehicle or creature itself is worse off than before, in any way."""
MOBILITY_REDUCED: Final = EFFECTS["mobility_reduced"]
IMMOBILIZED: Final = EFFECTS["immobilized"]
FIREPOWER_REDUCED: Final = EFFECTS["firepower_reduced"]
FIREPOWER_LOST: Final = EFFECTS["firepower_lost"]
CREW_HIT: Final = EFFECTS["crew_hit"]
"""At least one person aboard (or man of a team) is wounded or worse."""
CREW_KILLED: Final = EFFECTS["crew_killed"]
ON_FIRE: Final = EFFECTS["on_fire"]
EXPLODED: Final = EFFECTS["exploded"]
KNOCKED_OUT: Final = EFFECTS["knocked_out"]
"""Out of the fight, for a vehicle, a creature or a team."""
DESTROYED: Final = EFFECTS["destroyed"]
"""Beyond repair, or dead."""

_IMPLIES: Final = (
    (EXPLODED, DESTROYED),
    (DESTROYED, KNOCKED_OUT | IMMOBILIZED | FIREPOWER_LOST | DAMAGED),
    (IMMOBILIZED, MOBILITY_REDUCED),
    (FIREPOWER_LOST, FIREPOWER_REDUCED),
    (CREW_KILLED, CREW_HIT),
    (MOBILITY_REDUCED | FIREPOWER_REDUCED | ON_FIRE, DAMAGED),
)
_LASTING: Final = ~(HIT | PENETRATED | NO_EFFECT)


@lru_cache(maxsize=4096)
def complete(effects: int) -> int:
    """Add what the effects imply, and NO_EFFECT when nothing lasting is among them."""
    for cause, consequence in _IMPLIES:
        if effects & cause:
            effects |= consequence
    if effects & _LASTING:
        return effects & ~NO_EFFECT
    return effects | NO_EFFECT


def names(effects: int) -> list[str]:
    """The names of the effects present, in reporting order."""
    return [name for name, bit in EFFECTS.items() if effects & bit]


def effect_bits(*names: EffectName) -> int:
    """The bits of the effects of these names: `effect_bits("hit", "damaged")` is `HIT | DAMAGED`.

    Raises UnknownNameError for a name that is no effect.
    """
    return read_effects(names)


def read_effects(names: Iterable[str], where: str = "") -> int:
    """The bits of the effects named in a data file; `where` says which file and key, for the error.

    Raises UnknownNameError for a name that is no effect.
    """
    bits = 0
    for name in names:
        if name not in EFFECTS:
            raise UnknownNameError("effect", name, EFFECTS, where)
        bits |= EFFECTS[name]
    return bits
