"""From plain data to typed things: validated by pydantic for what users give, built directly for what is shipped.

Both ways end in the same dataclasses, whose own checks always run.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from mantlet.errors import CatalogError, nearest

T = TypeVar("T")


def validate(kind: type[T], data: Any, where: str) -> T:
    """Validate data that a user or a file gives.

    Raises CatalogError: one sentence naming `where`, the key, what was expected and the nearest valid key.
    """
    problems = check(kind, data)
    if isinstance(problems, list):
        told = [(path, f"{where}: {text}") for path, text in problems]
        raise CatalogError("\n".join(text for _, text in told), told)
    return problems


def check(kind: type[T], data: Any) -> T | list[tuple[tuple[str | int, ...], str]]:
    """Validate: the thing itself, or a list of problems as (key path, sentence).

    A dataclass is taken strictly: no text or truth value passes for a number. A pydantic model keeps its own settings.
    """
    # Imported here because only data of users needs pydantic; cli/startup.py says what that saves.
    from pydantic_core import ValidationError

    from mantlet.catalog.schemas import validator

    try:
        return cast(T, validator(cast(Any, kind)).validate_python(data))
    except ValidationError as failure:
        return [_problem(kind, error) for error in failure.errors(include_url=False)]


_EXPECTED = {
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "text in quotes",
    "bool_type": "true or false",
    **dict.fromkeys(("int_type", "int_from_float"), "a whole number"),
    **dict.fromkeys(("tuple_type", "list_type"), "a list"),
    **dict.fromkeys(("dataclass_type", "model_type", "mapping_type", "dict_type"), "a table of keys"),
}


def _problem(kind: Any, error: Mapping[str, Any]) -> tuple[tuple[str | int, ...], str]:
    """The key path and the sentence for one of pydantic's errors."""
    where = tuple(error["loc"])
    reason = error.get("ctx", {}).get("error")
    if isinstance(reason, ValueError):
        inner = tuple(getattr(reason, "path", ()))
        text = str(reason).rstrip(".")
        # The sentence names its own field; the path goes before it only where that alone would be ambiguous.
        return (*where, *inner), f"{_dotted(where)}: {text}." if where else f"{text}."
    path = _dotted(where) or "the whole entry"
    if error["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        near = nearest(str(where[-1]), _keys_at(kind, where[:-1]))
        return where, f"{path} is not a known key" + (f"; did you mean {near[0]}?" if near else ".")
    if error["type"] in ("missing", "missing_argument"):
        return where, f"{path} is missing."
    got = _short(error["input"])
    if error["type"] == "literal_error":
        expected = str(error["ctx"]["expected"])
        near = nearest(str(error["input"]), re.findall("'(.*?)'", expected))
        if near:
            return where, f"{path} cannot be {got}; did you mean {near[0]!r}?"
        return where, f"{path} has to be {expected}, not {got}."
    if error["type"] in ("greater_than_equal", "less_than_equal"):
        bound = "at least {ge:g}" if error["type"].startswith("greater") else "at most {le:g}"
        return where, f"{path} has to be {bound.format(**error['ctx'])}, not {got}."
    if error["type"] in _EXPECTED:
        return where, f"{path} has to be {_EXPECTED[error['type']]}, not {got}."
    return where, f"{path}: {error['msg']} (got {got})."


def _dotted(path: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in path)


def _short(value: Any, most: int = 60) -> str:
    """A value as it stands in the file, cut to what fits a sentence."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= most else text[:most] + "..."


def _keys_at(kind: Any, path: tuple[str | int, ...]) -> list[str]:
    """The keys that are known at a path inside `kind`."""
    for part in path:
        if hasattr(kind, "__dataclass_fields__") or hasattr(kind, "model_fields"):
            kind = get_type_hints(kind).get(str(part), Any)
            if get_origin(kind) in (Union, types.UnionType):
                kind = next((a for a in get_args(kind) if a is not type(None)), kind)
        else:
            args = [a for a in get_args(kind) if a is not Ellipsis]
            kind = args[-1] if args else Any
    return list(getattr(kind, "__dataclass_fields__", None) or getattr(kind, "model_fields", None) or ())


def build(kind: type[T], data: Mapping[str, Any]) -> T:
    """Build shipped data into a dataclass without pydantic: nested dataclasses, tuples and mappings by annotation.

    The tests put every shipped file through `validate` as well, so both ways agree.
    """
    makers = _makers(cast(Any, kind))
    return kind(**{key: makers[key](value) if key in makers else value for key, value in data.items()})


@lru_cache(maxsize=128)
def _makers(kind: Any) -> dict[str, Any]:
    makers = {name: _maker(hint) for name, hint in get_type_hints(kind).items()}
    return {name: maker for name, maker in makers.items() if maker is not None}


def _maker(hint: Any) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if hasattr(hint, "__dataclass_fields__"):
        return lambda value: build(hint, value)
    if origin is tuple:
        inner = _maker(args[0])
        return tuple if inner is None else (lambda values: tuple([inner(v) for v in values]))
    if origin in (Union, types.UnionType):
        inner = next((m for m in (_maker(a) for a in args) if m is not None), None)
        return None if inner is None else (lambda value: None if value is None else inner(value))
    if isinstance(origin, type) and issubclass(origin, Mapping) and hasattr(args[1], "__dataclass_fields__"):
        inner = _maker(args[1])
        return lambda mapping: {key: inner(value) for key, value in mapping.items()}
    return None
