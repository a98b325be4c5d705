"""Stat blocks: the shipped ones in the data files, found by catalog id or alias."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, Protocol, TypeVar

from d100_wwii.tables import data
from mantlet import build

NAME: Final = "d100_wwii"
T = TypeVar("T")


class Named(Protocol):
    """Something of the catalog: it has an id and aliases."""

    @property
    def id(self) -> str: ...

    @property
    def aliases(self) -> tuple[str, ...]: ...


@cache
def _raw(file: str) -> Mapping[str, Mapping[str, Any]]:
    return {name: raw for raw in data(f"{file}s")[file] for name in (raw["id"], *raw.get("aliases", ()))}


@cache
def _block(kind: Any, file: str, name: str) -> Any:
    return build(kind, _raw(file)[name])


def shipped_block(kind: type[T], file: str, thing: Named) -> T | None:
    """The shipped block of a thing, by its id or an alias; None when there is none."""
    name = next((name for name in (thing.id, *thing.aliases) if name in _raw(file)), None)
    if name is None:
        return None
    block: T = _block(kind, file, name)  # type: ignore[arg-type]
    return block


def first(name: str, *blocks: Any) -> Any:
    """The first value that any of the blocks gives under this name; None when none does."""
    return next((value for value in (getattr(block, name) for block in blocks) if value is not None), None)


def shipped_notes(thing: Named, shipped: Any, own: Iterable[str]) -> tuple[str, ...]:
    """What a plan says of the shipped stat block of a thing, and which values come from the thing's `own` instead."""
    if not shipped.id:
        return ()
    stated = ", ".join(own)
    return (f"{thing.id}: {f'{stated} as the catalog says; else ' if stated else ''}stat block, {shipped.source}",)


def base_hp_of_mass(mass_kg: float) -> int:
    """Base HP by class: 30 motorcycle or light car, 60 car, 75 truck or light armor, 100 medium, 125 heavy."""
    for limit, hp in ((900, 30), (2000, 60), (18_000, 75), (36_000, 100)):
        if mass_kg < limit:
            return hp
    return 125
