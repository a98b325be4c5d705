"""pydantic's part of reading what users give: dataclasses taken strictly, pydantic models as they are set."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

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
    adapter = pydantic.TypeAdapter(kind)
    # pydantic's own strict mode would also refuse a list for a tuple and a table for a dataclass, that is, every file.
    return SchemaValidator(_strict(adapter.core_schema)) if hasattr(kind, "__dataclass_fields__") else adapter


_OWN_SETTINGS = {"__pydantic_validator__", "__pydantic_config__"}


def _strict(schema: Any) -> Any:
    """A pydantic core schema with its numbers, texts and truth values made strict, and unknown keys an error.

    A dataclass that has a config, or that pydantic made (it has a validator), keeps its own settings for keys.
    """
    if isinstance(schema, (list, tuple)):
        return type(schema)([_strict(part) for part in schema])
    if not isinstance(schema, dict):
        return schema
    strict = {key: _strict(value) for key, value in schema.items()}
    if schema.get("type") in ("int", "float", "str", "bool"):
        strict["strict"] = True
    if schema.get("type") == "dataclass" and not vars(schema["cls"]).keys() & _OWN_SETTINGS:
        strict["config"] = {**schema.get("config", {}), "extra_fields_behavior": "forbid"}
    return strict
