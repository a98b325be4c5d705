"""What has happened to a target for good, as bits of one number: `FIRE | STOPPED`."""

from __future__ import annotations

from typing import Final

POWER: Final = 1 << 0
"""Power or propulsion damaged: half Move."""
GUN: Final = 1 << 1
"""The turret's main weapon is out."""
JAM: Final = 1 << 2
"""The turret cannot turn."""
FIRE: Final = 1 << 3
STOPPED: Final = 1 << 4
"""Out of order, unconscious or dying: out of the fight."""
WRECKED: Final = 1 << 5
"""Destroyed or dead."""
BLOWN_UP: Final = 1 << 6
CRASH: Final = 1 << 7
"""Out of control in the air."""
STUNNED: Final = 1 << 8
BLIND: Final = 1 << 9
SPILLED: Final = 1 << 10
"""Toppled over."""
ITEM: Final = 1 << 11
"""A major item in a superstructure is out."""

FLAG_NAMES: Final = (
    "power damaged", "gun out", "turret jammed", "burning", "stopped", "wrecked", "blown up", "crashing", "stunned",
    "blinded", "toppled", "major item out",
)  # fmt: skip
"""The bits by name, lowest first, as a saved state has them."""
