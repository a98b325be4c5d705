"""pydantic's part of reading what users give: dataclasses taken strictly, pydantic models as they are set."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import SchemaValidator


@lru_cache(maxsize=128)
def validator(kind: Any) -> Any:
    """What validates data as a thing of this kind: its `validate_python` raises pydantic's ValidationError."""
    adapter = TypeAdapter(kind)
    # pydantic's own strict mode would also refuse a list for a tuple and a table for a dataclass, that is, every file.
    return SchemaValidator(_strict(adapter.core_schema)) if hasattr(kind, "__dataclass_fields__") else adapter


MOST_WHOLE: Final = 2**63 - 1
_OWN_SETTINGS: Final = {"__pydantic_validator__", "__pydantic_config__"}


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
    if schema.get("type") == "int":  # whole numbers of 64 bits, as in files
        strict = {"ge": -MOST_WHOLE, "le": MOST_WHOLE, **strict}
    if schema.get("type") == "float":
        strict["allow_inf_nan"] = False
    if schema.get("type") == "dataclass" and not vars(schema["cls"]).keys() & _OWN_SETTINGS:
        strict["config"] = {**schema.get("config", {}), "extra_fields_behavior": "forbid"}
    return strict
