"""A target as the TOML of a catalog file, for one that came about in play: a crew that has left its vehicle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Final

from mantlet.game.target import Target

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def target_toml(target: Target) -> str:
    """The catalog file of one target: every field that is not at its default."""
    return "\n".join(["[[target]]", *[f"{name} = {_value(value)}" for name, value in _stated(target).items()], ""])


def _stated(thing: Any) -> dict[str, Any]:
    found = {}
    for field in fields(thing):
        value = getattr(thing, field.name)
        usual = field.default_factory() if field.default_factory is not MISSING else field.default
        if value != usual:
            found[field.name] = value
    return found


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _value(value: Any) -> str:
    if is_dataclass(value):
        value = _stated(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(key))} = {_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, Iterable):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)
