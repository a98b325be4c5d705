"""What one attack came to, in neutral words with the ruleset's detail beside them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, NamedTuple

from mantlet.condition import Condition
from mantlet.effects import complete

ZONES: Final = (
    "hull",
    "turret",
    "running_gear",
    "armament",
    "crew",
    "fuel",
    "ammunition",
    "engine",
    "vision",
    "body",
    "limb",
    "head",
    "vital",
    "nothing",
)
"""Neutral zones, so that two rulesets' locations can stand in one chart."""


class Location(NamedTuple):
    """A ruleset's own place (`turret/mantlet`) and the neutral zone it belongs to."""

    path: str
    zone: str


class ArmorResult(NamedTuple):
    """Armor against the hit that counts, in the ruleset's own unit.

    `effective` is what the armor is worth here, `attack` what the shot brings, `margin` the difference.
    """

    effective: float
    attack: float
    unit: str

    @property
    def margin(self) -> float:
        """How much the shot has over the armor; negative when it falls short."""
        return self.attack - self.effective


class Outcome(NamedTuple):
    """The result of one attack. Equal outcomes merge in exact odds, so carry what matters and no more.

    `effects` are bits of `mantlet.effects`, made complete by `outcome`. `hits` counts rounds that strike.
    `wounded` and `killed` count people newly wounded (and alive) or killed by this attack. `damage` is in the
    ruleset's own points (0 where it has none). `condition` is the target afterwards. `detail` is the ruleset's own.
    """

    effects: int
    condition: Condition
    hits: int = 0
    locations: tuple[Location, ...] = ()
    wounded: int = 0
    killed: int = 0
    damage: int = 0
    armor: ArmorResult | None = None
    detail: Hashable = None


def outcome(
    effects: int,
    condition: Condition,
    *,
    hits: int = 0,
    locations: tuple[Location, ...] = (),
    wounded: int = 0,
    killed: int = 0,
    damage: int = 0,
    armor: ArmorResult | None = None,
    detail: Hashable = None,
) -> Outcome:
    """An Outcome with its effects completed (see `mantlet.effects.complete`)."""
    return Outcome(complete(effects), condition, hits, locations, wounded, killed, damage, armor, detail)
