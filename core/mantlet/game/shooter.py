"""Who makes an attack, where his own state counts."""

from __future__ import annotations

from dataclasses import dataclass

from mantlet.errors import UsageError
from mantlet.game.condition import FIT, WOUNDED, Condition
from mantlet.game.target import Target


@dataclass(frozen=True, kw_only=True)
class Shooter:
    """Who fires, rams or assaults: a target of the catalog, and the condition that he himself is in."""

    target: Target
    condition: Condition

    def __str__(self) -> str:
        return self.target.id

    def check_able(self, name: str | None = None) -> None:
        """Raise UsageError where what is left of him can make no attack under any rules."""
        people, who = self.condition.people, name or self.target.id
        if self.condition.destroyed or (people and not any(state in (FIT, WOUNDED) for state in people)):
            why = "is destroyed" if self.condition.destroyed else "has nobody left who can act"
            raise UsageError(f"{who} cannot fire: {who} {why}.")
