"""The printed tables: read once from the data files, and used alike by resolver, odds and printed sheet."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from d100_wwii.rolls import times
from d100_wwii.state import REASONS
from mantlet import (
    Between,
    CatalogError,
    DiceExpr,
    DiceText,
    MantletError,
    Row,
    Table,
    TableError,
    UnknownNameError,
    parse_dice,
    read_toml,
    table_from,
    validate,
)

DATA = Path(__file__).parent / "data"


@cache
def data(name: str) -> Mapping[str, Any]:
    """A data file of this plugin, parsed."""
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


class Op(NamedTuple):
    """One thing a table row brings about: `kind` names it, the rest is what that kind needs."""

    kind: str
    value: int = 0
    dice: str = ""
    reason: str = ""
    text: str = ""
    reroll: int = 0
    ok: tuple[Any, ...] = ()
    fail: tuple[Any, ...] = ()
    table: Table[Any] | None = None


def ops_from(entries: Sequence[Mapping[str, Any]], name: str) -> tuple[Op, ...]:
    """Read a list of effects as it stands in a data file; `name` is the table's, for the sub-tables' names."""
    return tuple(_op(entry, name) for entry in entries)


def _op(entry: Mapping[str, Any], name: str) -> Op:
    keys = {k: v for k, v in entry.items() if k in ("value", "dice", "reason", "text", "reroll")}
    if entry["op"] == "d100":
        rows = [Row(b["low"], b["high"], ops_from(b["ops"], name), b["text"]) for b in entry["branches"]]
        label = entry["table"].replace("_", " ").capitalize()
        return Op("d100", table=Table(f"{name}.{entry['table']}", "1d100", rows, f"{label} destroyed"))
    return Op(
        entry["op"],
        **keys,
        ok=ops_from(entry.get("ok", ()), name),
        fail=ops_from(entry.get("fail", ()), name),
    )


class RowData(NamedTuple):
    """A row of a location table beside its component: hit points (None: people, or the gun's own) and effects."""

    component: str
    label: str
    zone: str
    hp: int | None
    weapon_hp: bool
    starred: bool
    effects: tuple[Op, ...]


@cache
def location_rows(name: str) -> tuple[RowData, ...]:
    """The rows of a location table with all that hangs on them: auto_truck, motorcycle or afv."""
    return tuple(
        RowData(
            row["component"],
            row["label"],
            row["zone"],
            row.get("hp"),
            row.get("weapon_hp", False),
            row.get("starred", False),
            ops_from(row["effects"], name),
        )
        for row in data("locations")[name]["rows"]
    )


@cache
def location_table(name: str) -> Table[str]:
    """A location table (R19); its values are component names."""
    return table_from(name, data("locations")[name], lambda row: str(row["component"]), lambda row: str(row["label"]))


class FireRow(NamedTuple):
    """A row of the fire table, and what it does to the vehicle.

    `occupants` are the dice each person takes a round, "" for the fire's own damage less armor; `once` those at once.
    `inoperable` is how long it stays so: "until_repaired", "for_good", or "" where the row does not stop it.
    """

    name: str
    label: str
    occupants: str
    once: str
    inoperable: str
    explodes: bool


def _fire_row(row: Mapping[str, Any]) -> FireRow:
    return FireRow(
        row["name"],
        row["label"],
        row.get("occupants", ""),
        row.get("once", ""),
        row.get("inoperable", ""),
        row.get("explodes", False),
    )


@cache
def fire_table() -> Table[FireRow]:
    """The fire table."""
    return table_from("fire", data("fire")["fire"], _fire_row, lambda row: str(row["label"]))


@cache
def fire_rows() -> Mapping[str, FireRow]:
    """The rows of the fire table by name."""
    return {row.value.name: row.value for row in fire_table().rows}


class TroubleRow(NamedTuple):
    """A row of a trouble table: its name and what it brings."""

    name: str
    effects: tuple[Op, ...]


Factor: TypeAlias = Annotated[float, Between(0, 1000)]
Total: TypeAlias = Annotated[int, Between(-10_000, 10_000)]


@dataclass(frozen=True, eq=False, kw_only=True)
class TroubleData:
    """A trouble table as it stands in a file: rows as [low, high, effect name] by class of vehicle, or `any`."""

    dice: Annotated[str, DiceText()]
    columns: dict[str, list[tuple[Total, Total, str]]]
    effects: dict[str, list[dict[str, Any]]]
    title: str = ""
    source: str = ""


TROUBLE_OPS = frozenset(
    ("move_becomes", "stop", "drive_next", "collision", "halt", "fire", "thrown_out", "move_lost", "note")
)
VEHICLE_CLASSES = ("wheels", "motorcycle", "tracks")


MOST_VALUE: Final = 1000
"""No number of an effect is larger."""


def _wrong(effect: Mapping[str, Any]) -> str:
    """What is wrong with an effect of a trouble table; empty for nothing."""
    op, value, known = effect["op"], effect.get("value", 0), {"op", *_NEEDS.get(effect["op"], ())}
    unknown = sorted(set(effect) - known)
    if unknown:
        return f"has no {unknown[0]}; it takes " + (", ".join(sorted(known - {"op"})) or "nothing more")
    if type(value) is not int or (op in ("move_becomes", "move_lost") and value < 1):
        return (
            f"needs a whole number as value, the n of 1/n, not {value!r}"
            if op[:4] == "move"
            else "needs a whole number"
        )
    if abs(value) > MOST_VALUE:
        return f"needs a value of at most {MOST_VALUE}"
    reroll = effect.get("reroll", 0)
    if type(reroll) is not int or abs(reroll) > MOST_VALUE:
        return "needs a whole number as reroll"
    if op == "stop" and effect.get("reason") not in tuple(REASONS):  # it may be anything, and no key of a mapping
        return f"needs a reason, one of {', '.join(REASONS)}"
    if not isinstance(effect.get("text", ""), str):
        return "needs a text in quotes"
    if "dice" in effect or op == "thrown_out":
        try:
            parse_dice(str(effect.get("dice", "")))
        except MantletError as error:
            return f"needs dice: {str(error).rstrip('.')}"
    return ""


_NEEDS = {
    "move_becomes": ("value",),
    "move_lost": ("value",),
    "stop": ("reason", "dice"),
    "drive_next": ("value", "reroll"),
    "thrown_out": ("value", "dice"),
    "note": ("text",),
}


@lru_cache(maxsize=64)
def trouble_tables(option: str) -> Mapping[str, Table[TroubleRow]]:
    """The trouble table of that name, or in that TOML file (A55), by class of vehicle: wheels, motorcycle, tracks.

    Raises UnknownNameError for a name nobody shipped, CatalogError for a file that is no trouble table, TableError
    for one with a gap or overlap.
    """
    name, raw, where = _chosen(option, "trouble")
    block = validate(TroubleData, raw, where) if where.endswith(".toml") else TroubleData(**raw)
    for row_name, effects in block.effects.items():
        for effect in effects:
            if not isinstance(effect.get("op"), str) or effect["op"] not in TROUBLE_OPS:
                raise CatalogError(
                    f"{where}: effects.{row_name}: op has to be one of {', '.join(sorted(TROUBLE_OPS))}, "
                    f"not {effect.get('op')!r}."
                )
            wrong = _wrong(effect)
            if wrong:
                raise CatalogError(f"{where}: effects.{row_name}: {effect['op']} {wrong}.")
    made: dict[str, Table[TroubleRow]] = {}
    for column, rows in block.columns.items():
        table_rows = []
        for low, high, effect_name in rows:
            if effect_name not in block.effects:
                raise UnknownNameError("effect", effect_name, block.effects, where)
            row = TroubleRow(effect_name, ops_from(block.effects[effect_name], name))
            table_rows.append(Row(low, high, row, effect_name.replace("_", " ")))
        try:
            made[column] = Table(f"trouble.{name}.{column}", block.dice, table_rows, block.title or name)
        except TableError as error:
            raise CatalogError(f"{where}: {error}") from error
    missing = [] if "any" in made else [c for c in VEHICLE_CLASSES if c not in made]
    if missing:
        raise CatalogError(
            f"{where}: columns has to have any, or all of wheels, motorcycle, tracks; {missing[0]} is missing."
        )
    return {c: made.get(c, made.get("any", next(iter(made.values())))) for c in VEHICLE_CLASSES}


@dataclass(frozen=True, eq=False, kw_only=True)
class CollisionBand:
    """A band of closing MOVE with its dice, by which vehicle has more Base HP."""

    low: Total
    high: Total
    larger: Annotated[str, DiceText()]
    smaller: Annotated[str, DiceText()]


@dataclass(frozen=True, eq=False, kw_only=True)
class CollisionData:
    """A collision table: dice by closing MOVE, per step of MOVE or in bands, and the occupants' share."""

    title: str = ""
    marked: str = ""
    per_move: Annotated[int, Between(0, 1000)] = 0
    dice_per_step: Annotated[str, DiceText()] = ""
    occupants: Annotated[float, Between(0, 10)] = 0.5
    belted: Annotated[float, Between(0, 10)] = 1.0
    """What those held by belts take of the occupants' share (option belted)."""
    size_factors: tuple[tuple[Factor, Factor], ...] = ()
    bands: tuple[CollisionBand, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.bands) == bool(self.per_move):
            raise ValueError("a collision table has either bands, or per_move and dice_per_step")
        if bool(self.per_move) != bool(self.dice_per_step):
            raise ValueError("per_move and dice_per_step go together")
        for before, after in zip(self.bands, self.bands[1:]):
            if after.low != before.high + 1:
                raise ValueError(f"bands have to follow one another: {after.low} does not follow {before.high}")

    def dice(self, move: int, larger: bool) -> DiceExpr | None:
        """The dice of damage at this closing MOVE to the larger or smaller vehicle; None when nothing moves."""
        if move <= 0:
            return None
        if self.per_move:
            return times(parse_dice(self.dice_per_step), -(-move // self.per_move))
        band = next((b for b in self.bands if b.low <= move <= b.high), self.bands[-1])
        return parse_dice(band.larger if larger else band.smaller)

    def size_factor(self, ratio: float) -> float:
        """The factor on what the struck vehicle takes, by the striker's Base HP over its own."""
        return next((factor for least, factor in self.size_factors if ratio >= least), 1.0)


@lru_cache(maxsize=64)
def collision_table(option: str) -> CollisionData:
    """The collision table of that name, or in that TOML file. Raises UnknownNameError or CatalogError."""
    _, raw, where = _chosen(option, "collision")
    return validate(CollisionData, raw, where) if where.endswith(".toml") else _shipped_collision(raw)


def _shipped_collision(raw: Mapping[str, Any]) -> CollisionData:
    bands = tuple(CollisionBand(**band) for band in raw.get("bands", ()))
    factors = tuple((least, factor) for least, factor in raw.get("size_factors", ()))
    return CollisionData(**{**raw, "bands": bands, "size_factors": factors})


def _chosen(option: str, file: str) -> tuple[str, Mapping[str, Any], str]:
    """A table's name, its raw data and where it stands: one of ours, or the only one in a campaign's file."""
    if not option.endswith(".toml"):
        shipped = data(file)
        if option not in shipped:
            raise UnknownNameError(f"{file} table", option, shipped, "d100_wwii")
        return option, shipped[option], f"{file} table {option}"
    loaded = read_toml(option)
    if len(loaded) != 1 or not isinstance(next(iter(loaded.values())), dict):
        raise CatalogError(f"{option}: expected one table such as [house], not {len(loaded)}.")
    name, raw = next(iter(loaded.items()))
    return name, raw, option


def sub_tables(name: str) -> dict[str, Table[Any]]:
    """The rolls that hang on a location table's rows (fuel tank, engine), by name."""
    return {op.table.name: op.table for row in location_rows(name) for op in row.effects if op.table is not None}
