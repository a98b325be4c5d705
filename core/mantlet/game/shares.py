"""How much of a target is left, as shares from 0 to 1: what two rulesets' own details can be translated by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

from mantlet.errors import UnknownNameError
from mantlet.game.checks import check_range
from mantlet.game.target import Face

FACES: Final[tuple[Face, ...]] = get_args(Face)
"""The faces of a target that armor may stand on."""


@dataclass(frozen=True, kw_only=True)
class Shares:
    """What is left of a target under one ruleset, in neutral terms. None where the ruleset keeps no such thing.

    `integrity` is the share of its own substance (hit points, structure, men of a team) that is left, `armor` the share
    of the armor left by face, both from 0 to 1: an untouched target has 1. `components_out` are the ids of the
    components that are out of action, named as in `Target.components`: none of an untouched target.

    Raises FieldError (a ValueError) for a share outside 0 to 1, UnknownNameError for a face that is none.
    """

    integrity: float | None = None
    armor: Mapping[Face, float] | None = None
    components_out: frozenset[str] | None = None

    def __post_init__(self) -> None:
        if self.integrity is not None:
            check_range(self.integrity, "integrity", 0, 1)
        for face, left in (self.armor or {}).items():
            if face not in FACES:
                raise UnknownNameError("face", face, FACES, "shares of armor")
            check_range(left, f"armor of the {face}", 0, 1)

    @property
    def whole(self) -> bool:
        """Whether nothing at all is missing, as far as the ruleset says."""
        armor = self.armor or {}
        return self.integrity in (None, 1) and all(left == 1 for left in armor.values()) and not self.components_out
