"""What one attack came to, in neutral words with the ruleset's detail beside them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Literal, NamedTuple, get_args

from mantlet.errors import UnknownNameError
from mantlet.game.condition import Condition, changes
from mantlet.game.effects import HIT, complete

# fmt: off
Zone = Literal[
    "hull", "turret", "running_gear", "armament", "crew", "fuel", "ammunition", "engine", "vision",
    "body", "limb", "head", "vital",
    "nothing",
]
# fmt: on

ZONES: Final[tuple[Zone, ...]] = get_args(Zone)
"""Neutral zones, so that two rulesets' locations can stand in one chart."""


class _Place(NamedTuple):
    path: str
    zone: Zone


class Location(_Place):
    """A ruleset's own place (`turret/mantlet`) and the neutral zone it belongs to, one of `ZONES`.

    Make locations once, not in a rule body. Raises UnknownNameError for a zone that is none.
    """

    __slots__ = ()

    def __new__(cls, path: str, zone: Zone) -> Location:
        return super().__new__(cls, path, read_zone(zone, f"location {path}"))


def read_zone(name: str, where: str = "") -> Zone:
    """The zone of this name, as a data file gives it; `where` says which file and key, for the error.

    Raises UnknownNameError for a name that is no zone.
    """
    for zone in ZONES:
        if zone == name:
            return zone
    raise UnknownNameError("zone", name, ZONES, where)


class ArmorResult(NamedTuple):
    """Armor against the hit that counts, in the ruleset's own unit.

    `effective` is what the armor is worth here, `attack` what the shot brings, `margin` the difference. It is told and
    takes no part in comparison: outcomes that differ in it alone are one in odds, where it is that of one of them.
    """

    effective: float
    attack: float
    unit: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArmorResult)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, ArmorResult)

    def __hash__(self) -> int:
        return 0

    @property
    def margin(self) -> float:
        """How much the shot has over the armor; negative when it falls short."""
        return self.attack - self.effective


class Passage(NamedTuple):
    """What something other than being attacked does to a target: a span of time, an action, an attack of its own.

    The condition after it, and the neutral effects that came about.
    """

    condition: Condition
    effects: int = 0
    wounded: int = 0
    killed: int = 0
    detail: Hashable = None


class Outcome(NamedTuple):
    """The result of one attack. Equal outcomes merge in exact odds, so carry what matters and no more.

    `effects` are bits of `mantlet.game.effects`, made complete by `outcome`. `hits` counts rounds that strike.
    `wounded` and `killed` count people newly wounded (and alive) or killed by this attack. `damage` is in the
    ruleset's own points (0 where it has none). `condition` is the target afterwards. `detail` is the ruleset's own.
    `shooter` is what the attack did to him who made it (`Attack.shooter`): None where it left him as he was.
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
    shooter: Passage | None = None


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
    """An Outcome with its effects completed (see `mantlet.game.effects.complete`)."""
    return Outcome(complete(effects), condition, hits, locations, wounded, killed, damage, armor, detail)


def outcome_between(
    before: Condition,
    after: Condition,
    noted: int = 0,
    *,
    hits: int = 1,
    locations: tuple[Location, ...] = (),
    damage: int = 0,
    armor: ArmorResult | None = None,
    detail: Hashable = None,
) -> Outcome:
    """The outcome of an attack that makes of one condition another: effects and casualties are read off the two.

    `noted` are effects that no condition shows (penetrated, damaged, exploded); HIT is added where a round strikes.
    """
    came = changes(before, after)
    effects = came.effects | noted | (HIT if hits else 0)
    return Outcome(complete(effects), after, hits, locations, came.wounded, came.killed, damage, armor, detail)
