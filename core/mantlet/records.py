"""Frozen records: dataclasses whose methods are written once, here, and not generated and compiled class by class.

Defining a frozen dataclass takes about a millisecond, and a command would define some thirty of them before it rolls a
die. A record is a dataclass to `dataclasses.fields`, `dataclasses.replace`, pydantic and type checkers.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, is_dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from inspect import Signature

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(field,))
def record(cls: Any = None, /, *, eq: bool = False) -> Any:
    """Make a class a frozen record of its annotated fields, made by keywords alone: `@record` or `@record(eq=True)`.

    A record is equal only to itself, which makes it cheap to carry through the stages of a rule body; with `eq` it is
    equal, and hashes alike, by its fields. `__post_init__` is called as in a dataclass, and may use
    `object.__setattr__`.
    """
    return partial(_record, eq) if cls is None else _record(eq, cls)


def _record(eq: bool, cls: type[T]) -> type[T]:
    # What the decorator leaves out is what takes time; it may be made to freeze only what inherits from the frozen.
    frozen = any(is_dataclass(base) for base in cls.__mro__[1:])
    made = dataclass(init=False, repr=False, eq=False, kw_only=True, frozen=frozen)(cls)
    made.__dataclass_params__.frozen = True  # type: ignore[attr-defined]
    all_fields = fields(made)  # type: ignore[arg-type]
    members: dict[str, Any] = {
        "__record__": (
            {f.name: f.default for f in all_fields if f.default is not MISSING},
            tuple((f.name, f.default_factory) for f in all_fields if f.default_factory is not MISSING),
            frozenset(f.name for f in all_fields),
            getattr(made, "__post_init__", None),
        ),
        "__signature__": _LazySignature(),
        "__init__": _init,
        "__repr__": _repr,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
    }
    if eq:
        members |= {"__eq__": _equal, "__hash__": _hash}
    for name, member in members.items():
        setattr(made, name, member)
    return made


def _init(self: Any, /, **given: Any) -> None:
    defaults, factories, names, post_init = type(self).__record__
    state = self.__dict__
    state.update(defaults)
    for name, make in factories:
        if name not in given:
            state[name] = make()
    state.update(given)
    if len(state) != len(names) or not given.keys() <= names:
        raise TypeError(_misfit(self, given.keys() - names, names - state.keys()))
    if post_init is not None:
        post_init(self)


def _misfit(self: Any, unknown: set[str], missing: set[str]) -> str:
    kind = type(self).__qualname__
    if unknown:
        return f"{kind} has no field {', '.join(sorted(unknown))}"
    return f"{kind} needs {', '.join(sorted(missing))}"


def _repr(self: Any) -> str:
    inside = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self))
    return f"{type(self).__qualname__}({inside})"


def _equal(self: Any, other: object) -> bool:
    return type(self) is type(other) and self.__dict__ == other.__dict__


def _hash(self: Any) -> int:
    state = self.__dict__
    return hash(tuple([state[name] for name in type(self).__dataclass_fields__]))


def _refuse(self: Any, name: str, *_: Any) -> NoReturn:
    raise FrozenInstanceError(f"cannot change field {name!r}")


class _LazySignature:
    """What `inspect.signature` shows; worked out when it is asked for."""

    def __get__(self, instance: Any, owner: type[Any]) -> Signature:
        from inspect import Parameter, Signature

        defaults, factories, _, _ = owner.__dict__.get("__record__", ({}, (), frozenset(), None))
        usual = {**dict.fromkeys((name for name, _ in factories), ...), **defaults}
        return Signature(
            [
                Parameter(f.name, Parameter.KEYWORD_ONLY, annotation=f.type, default=usual.get(f.name, Parameter.empty))
                for f in fields(owner)
            ]
        )
