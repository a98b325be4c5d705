"""How exact an injury has to be kept while several rounds strike: as far as any HP threshold can depend on it."""

from __future__ import annotations

from typing import Final, TypeAlias

Exactness: TypeAlias = int
"""How exact the size of an injury has to be: WHOLLY, NOT, or as it passes the next threshold, given by how much that
takes, and those after it.
"""
NOT: Final = 0
WHOLLY: Final = -1


def as_exact(hp: int, exact: Exactness, injury: int) -> int:
    """An injury as far as it matters; thresholds lie `hp` apart."""
    if exact == WHOLLY:
        return injury
    if exact == NOT or injury < exact:
        return 0
    return exact + (injury - exact) // hp * hp


def exactness(further: int, most: int, to_come: int, *, critical: bool) -> Exactness:
    """How exact an injury of `most` at most has to be, where the next threshold is so much `further` and `to_come` can
    be lost later on.
    """
    if most + to_come < further:
        return NOT
    # Critical hits can be so many things that each distance to a threshold would cost more than it saves.
    return WHOLLY if to_come or critical else further


def passed(hp: int, threshold: int, first: int, lost: int, to_come: int) -> int:
    """What is lost as far as anything can still depend on it: the threshold it is past, while the next one is out of
    reach of what is `to_come`. `first` was lost at first.
    """
    if lost + to_come >= threshold:
        return lost
    past = threshold - hp
    if first < past <= lost:
        return past
    return first + (lost > first >= hp)  # past 0 HP any injury asks for a roll
