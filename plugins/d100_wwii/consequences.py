"""What a row of a table brings about: its effects one by one, each by the function that says it can do that."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from d100_wwii.status import Status
from d100_wwii.tables import Op
from mantlet import Dice

Effect = Callable[[Dice, Status, Op, int], None]
EFFECTS: dict[str, Effect] = {}
"""The function for every kind of effect that stands in a table; each is registered where the rule is."""


def effect(kind: str) -> Callable[[Effect], Effect]:
    """Register a function as what brings about effects of this kind."""

    def register(function: Effect) -> Effect:
        EFFECTS[kind] = function
        return function

    return register


def run(dice: Dice, status: Status, ops: Iterable[Op], damage: int = 0) -> None:
    """Bring about the effects of a row, in order. `damage` is the attack's, for fires that go on with it."""
    for op in ops:
        EFFECTS[op.kind](dice, status, op, damage)
