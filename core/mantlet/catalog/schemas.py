"""pydantic's part of reading what users give: dataclasses taken strictly, pydantic models as they are set."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast, get_args, get_type_hints

import pydantic
from pydantic_core import SchemaValidator


def validated(kind: type[Any], data: Any) -> tuple[Any, list[Mapping[str, Any]]]:
    """The data as a thing of this kind, or None and pydantic's errors."""
    try:
        return _validator(cast(Any, kind)).validate_python(data), []
    except pydantic.ValidationError as error:
        return None, [*error.errors(include_url=False)]


@lru_cache(maxsize=128)
def _validator(kind: Any) -> Any:
    if not hasattr(kind, "__dataclass_fields__"):
        return pydantic.TypeAdapter(kind)
    _forbid_unknown(kind)
    # pydantic's own strict mode would also refuse a list for a tuple and a table for a dataclass, that is, every file.
    return SchemaValidator(_strict_scalars(pydantic.TypeAdapter(kind).core_schema))


def _strict_scalars(schema: Any) -> Any:
    """A pydantic core schema with its numbers, texts and truth values made strict."""
    if isinstance(schema, dict):
        strict = {key: _strict_scalars(value) for key, value in schema.items()}
        if isinstance(schema.get("type"), str) and schema["type"] in ("int", "float", "str", "bool"):
            strict["strict"] = True
        return strict
    if isinstance(schema, (list, tuple)):
        return type(schema)([_strict_scalars(part) for part in schema])
    return schema


def _forbid_unknown(kind: Any) -> None:
    """Set pydantic's config on a dataclass and every dataclass inside it: an unknown key is an error everywhere."""
    # A dataclass that has a config, or that pydantic made (it has a validator), keeps its own settings.
    if hasattr(kind, "__dataclass_fields__") and isinstance(kind, type) and "__pydantic_validator__" not in vars(kind):
        if "__pydantic_config__" in vars(kind):
            return
        kind.__pydantic_config__ = pydantic.ConfigDict(extra="forbid")  # type: ignore[attr-defined]
        for hint in get_type_hints(kind).values():
            _forbid_unknown(hint)
    for part in get_args(kind):
        _forbid_unknown(part)
