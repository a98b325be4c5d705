"""From plain data to typed things: validated by pydantic for what users give, built directly for what is shipped.

Both ways end in the same dataclasses, whose own checks always run.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from mantlet.errors import CatalogError, nearest

T = TypeVar("T")


def structure(kind: type[T], data: Any, where: str) -> T:
    """Validate data that a user or a file gives.

    Raises CatalogError: one sentence naming `where`, the key, what was expected and the nearest valid key.
    """
    problems = check(kind, data)
    if isinstance(problems, list):
        raise CatalogError("\n".join(f"{where}: {text}" for _, text in problems))
    return problems


validate = structure
"""The public name of `structure`."""


def check(kind: type[T], data: Any) -> T | list[tuple[tuple[str | int, ...], str]]:
    """Validate: the thing itself, or a list of problems as (key path, sentence)."""
    # pydantic costs more to load than a whole attack: only user data needs it.
    from pydantic import ValidationError

    try:
        return _adapter(kind).validate_python(data)  # type: ignore[no-any-return]
    except ValidationError as error:
        return [(tuple(e["loc"]), _sentence(kind, e)) for e in error.errors()]


@lru_cache(maxsize=128)
def _adapter(kind: Any) -> Any:
    from pydantic import ConfigDict, TypeAdapter
    from pydantic.dataclasses import is_pydantic_dataclass

    _forbid_unknown(kind, ConfigDict(extra="forbid"), is_pydantic_dataclass)
    return TypeAdapter(kind)


def _forbid_unknown(kind: Any, config: Any, skip: Any) -> None:
    """Set pydantic's config on a dataclass and every dataclass inside it: an unknown key is an error everywhere."""
    if hasattr(kind, "__dataclass_fields__") and isinstance(kind, type) and not skip(kind):
        if "__pydantic_config__" in kind.__dict__:
            return
        kind.__pydantic_config__ = config
        for hint in get_type_hints(kind).values():
            _forbid_unknown(hint, config, skip)
    for part in get_args(kind):
        _forbid_unknown(part, config, skip)


def _sentence(kind: Any, error: Mapping[str, Any]) -> str:
    path = ".".join(str(part) for part in error["loc"]) or "the whole entry"
    message = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        key = str(error["loc"][-1])
        near = nearest(key, _keys_at(kind, error["loc"][:-1]))
        return f"{path} is not a known key" + (f"; did you mean {near[0]}?" if near else ".")
    if error["type"] == "missing" or error["type"] == "missing_argument":
        return f"{path} is missing."
    if error["type"] == "literal_error":
        near = nearest(str(error["input"]), _literals(str(error["ctx"]["expected"])))
        hint = f"; did you mean {near[0]!r}?" if near else "."
        return f"{path} has to be {error['ctx']['expected']}, not {error['input']!r}{hint}"
    if error["type"] == "value_error":
        return f"{path}: {message}."
    return f"{path}: {message} (got {error['input']!r})."


def _literals(expected: str) -> list[str]:
    return [part.strip().strip("'") for part in expected.replace(" or ", ", ").split(",")]


def _keys_at(kind: Any, path: tuple[str | int, ...]) -> list[str]:
    for part in path:
        if isinstance(part, int):
            args = get_args(kind)
            kind = args[0] if args else kind
        elif hasattr(kind, "__dataclass_fields__"):
            kind = get_type_hints(kind).get(part, Any)
            if get_origin(kind) in (Union, types.UnionType):
                kind = next((a for a in get_args(kind) if a is not type(None)), kind)
    return list(getattr(kind, "__dataclass_fields__", {}))


def build(kind: type[T], data: Mapping[str, Any]) -> T:
    """Build shipped data into a dataclass without pydantic: nested dataclasses, tuples and mappings by annotation.

    The tests put every shipped file through `structure` as well, so both ways agree.
    """
    makers = _makers(kind)
    return kind(**{key: makers[key](value) if key in makers else value for key, value in data.items()})


@lru_cache(maxsize=128)
def _makers(kind: Any) -> dict[str, Any]:
    makers = {}
    for name, hint in get_type_hints(kind).items():
        maker = _maker(hint)
        if maker is not None:
            makers[name] = maker
    return makers


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
    if origin is Literal or not args:
        return None
    if isinstance(origin, type) and issubclass(origin, Mapping) and hasattr(args[1], "__dataclass_fields__"):
        inner = _maker(args[1])
        return lambda mapping: {key: inner(value) for key, value in mapping.items()}
    return None
