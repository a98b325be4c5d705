"""Dice that answer by reason, whatever the order in which different things are asked.

The n-th roll for a reason comes up as the n-th value listed for it. What is not listed depends on the seed, the reason
and n alone, so that a rule body that asks in another order, or for one thing more, is given the same for all the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from mantlet import DiceExpr, Seeded

WIDE = 1 << 53
PERCENT = 100.0


class ByReason(Seeded):
    """Dice by reason: `listed` values first, then those of the seed. `given` has what was rolled, by reason, in order.

    A listed value is a total, or for a plain chance a percentage.
    """

    def __init__(self, seed: int, listed: Mapping[str, Sequence[float]] | None = None) -> None:
        super().__init__(seed)
        self._listed = listed or {}
        self.given: dict[str, list[float]] = {}

    def throw(self, dice: DiceExpr, reason: str) -> tuple[int, tuple[int, ...]]:
        """The listed total, or faces of the seed."""
        total = self._next(reason)
        if total is None:
            n = len(self.given.get(reason, ()))
            faces = [1 + self._number(reason, n, i) * sides // WIDE for i, sides in enumerate(dice.faces)]
            total = dice.total(faces)
        elif not dice.can_total(int(total)):
            raise AssertionError(f"{reason!r}: {dice} cannot come to {total}")
        self.given.setdefault(reason, []).append(int(total))
        return int(total), ()

    def percent(self, probability: float, reason: str) -> float:
        """The listed percentage, or one of the seed with two decimals."""
        shown = self._next(reason)
        if shown is None:
            n = len(self.given.get(reason, ()))
            shown = round(self._number(reason, n, 0) / WIDE * PERCENT, 2)
        self.given.setdefault(reason, []).append(shown)
        return shown

    @property
    def left(self) -> dict[str, list[float]]:
        """Listed values that nobody asked for."""
        over = {reason: list(values)[len(self.given.get(reason, ())) :] for reason, values in self._listed.items()}
        return {reason: values for reason, values in over.items() if values}

    def _next(self, reason: str) -> float | None:
        values, at = self._listed.get(reason, ()), len(self.given.get(reason, ()))
        return values[at] if at < len(values) else None

    def _number(self, reason: str, n: int, die: int) -> int:
        digest = hashlib.sha256(f"{self.seed}/{reason}/{n}/{die}".encode()).digest()
        return int.from_bytes(digest[:8], "big") >> 11
