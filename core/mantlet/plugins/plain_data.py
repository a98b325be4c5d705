"""What a plugin's importer may give: plain data, as a TOML file holds it. It is copied, and nothing else comes in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

DEEPEST: Final = 32
"""How deeply lists and mappings may lie in each other: a catalog needs five levels."""
MOST: Final = 1_000_000
"""How many values there may be."""


class NotPlainError(Exception):
    """What is wrong with the data, to follow `gave`."""


def plain_copy(data: Any) -> dict[str, Any]:
    """The data as dicts and lists; other values stay as they are, for validation to judge.

    Raises NotPlainError for what is no mapping with texts as keys, lies too deep (a mapping that holds itself does), or
    is too much.
    """
    if data is None:
        raise NotPlainError("nothing, and has to give a mapping: is its return missing?")
    if not isinstance(data, Mapping):
        raise NotPlainError(f"{type(data).__name__}, and has to give a mapping")
    left = MOST

    def copied(part: Any, depth: int) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise NotPlainError(f"more than {MOST:,} values")
        if isinstance(part, (Mapping, list, tuple)) and depth > DEEPEST:
            raise NotPlainError(f"data nested more than {DEEPEST} levels deep, or holding itself")
        if isinstance(part, (list, tuple)):
            return [copied(item, depth + 1) for item in part]
        if not isinstance(part, Mapping):
            return part
        table = {}
        for key, value in part.items():
            if not isinstance(key, str):
                raise NotPlainError(f"the key {key!r:.60}, and keys have to be texts")
            table[key] = copied(value, depth + 1)
        return table

    plain: dict[str, Any] = copied(data, 1)
    return plain
