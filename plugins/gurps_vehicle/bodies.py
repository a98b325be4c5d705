"""Body plans (G1-G10): which part a random hit strikes, with instances, variants and plans of one's own.

A plan is a table whose rows give a `Spot` or a further table. Shipped plans and a user's come from files of one form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import Annotated, Any, Literal, TypeAlias

from gurps_vehicle.files import read
from mantlet import (
    Between,
    CatalogError,
    DiceSyntaxError,
    DiceText,
    Location,
    Row,
    Table,
    TableError,
    UnknownNameError,
    build,
    read_toml,
    validate,
)

Kind = Literal["torso", "skull", "brain", "face", "eye", "neck", "groin", "vitals", "limb", "extremity"]
Use = Literal["arm", "leg", "wing", "fin", "tail", ""]
Zone = Literal["body", "limb", "head", "vital"]
Total: TypeAlias = Annotated[int, Between(-10_000, 10_000)]
Penalty: TypeAlias = Annotated[int, Between(-100, 100)]


@dataclass(frozen=True, eq=False, kw_only=True)
class Spot:
    """A place that can be struck: the part, which one of several, how it is wounded, and its penalty when aimed at."""

    part: str
    which: str
    kind: str
    use: str
    penalty: int
    location: Location = field(repr=False)
    limb: str = ""
    """Which limb of its use it is or belongs to: a foot and the leg above it are one."""

    @property
    def name(self) -> str:
        """As people say it: `right foreleg`, `arm 5`, `skull`."""
        if self.which[:1].isdigit():
            return f"{self.part} {self.which}"
        return f"{self.which} {self.part}".strip()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False, kw_only=True)
class Further:
    """A row that needs another roll: which of several, or a table inside a table."""

    label: str
    table: Table[Any]
    reason: str
    penalty: int
    mixed: bool = False
    """Whether its parts differ in kind, so that no one of them stands for all."""

    def __str__(self) -> str:
        return self.label


Entry: TypeAlias = "Spot | Further"

HEAD: frozenset[str] = frozenset(("skull", "face", "eye", "brain"))
"""Kinds of places whose critical hits are head blows."""
NEAR: frozenset[str] = frozenset(("eye", "skull", "brain", "face", "groin", "neck", "vitals"))
"""Kinds of places that an attack which misses by one turns from to the torso."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BodyPlan:
    """A body plan. `table` is what is rolled on; `aimed` holds what can only be struck on purpose (eyes, vitals)."""

    name: str
    title: str
    table: Table[Entry]
    aimed: tuple[Spot, ...]
    tail: str
    note: str = ""

    def spots(self) -> tuple[Spot, ...]:
        """Every place of the body, those of the table first."""
        return (*dict.fromkeys(_leaves(self.table)), *self.aimed)

    def aims(self) -> tuple[str, ...]:
        """The names `Attack.aim` takes: parts, and single instances of them."""
        names = [name for spot in self.spots() for name in (spot.part, spot.name)]
        return tuple(dict.fromkeys(names))

    @cached_property
    def known_parts(self) -> frozenset[str]:
        """Parts and instances by name, and `torso`, which stands for what is not named."""
        return frozenset((*self.aims(), "torso"))

    def torso(self) -> Spot:
        """The first torso of the table; the first place of a body without one."""
        spots = self.spots()
        return next((spot for spot in spots if spot.kind == "torso"), spots[0])

    def limbs(self, use: str, among: Collection[str] | None = None) -> frozenset[str]:
        """The limbs of one use, all of them or those of the spots named: an extremity is a part of its limb."""
        return frozenset(s.limb for s in self.spots() if s.use == use and (among is None or s.name in among))


def _leaves(table: Table[Any]) -> Iterator[Spot]:
    for row in table.rows:
        if isinstance(row.value, Spot):
            yield row.value
        else:
            yield from _leaves(row.value.table)


# -- files -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class NameRow:
    """A row of a table that says which of several."""

    low: Total
    high: Total
    name: str


@dataclass(frozen=True, eq=False, kw_only=True)
class NameTable:
    """Which of several, by a roll."""

    dice: Annotated[str, DiceText()]
    rows: tuple[NameRow, ...]

    def __post_init__(self) -> None:
        if not self.rows:
            raise ValueError("rows is empty")


@dataclass(frozen=True, eq=False, kw_only=True)
class LeafRow:
    """A row of a table inside a table."""

    low: Total
    high: Total
    part: str
    name: str = ""
    which: str = ""
    kind: Kind | None = None
    use: Use | None = None
    penalty: Penalty | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class LeafTable:
    """A table inside a table."""

    dice: Annotated[str, DiceText()]
    rows: tuple[LeafRow, ...]

    def __post_init__(self) -> None:
        if not self.rows:
            raise ValueError("rows is empty")


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanRow:
    """A row of a body plan: a part, with `name` or `which` where there are several, or `pick`, a further table."""

    low: Total
    high: Total
    part: str = ""
    name: str = ""
    which: str = ""
    label: str = ""
    kind: Kind | None = None
    use: Use | None = None
    penalty: Penalty | None = None
    pick: LeafTable | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanData:
    """A body plan as a file has it."""

    rows: tuple[PlanRow, ...]
    title: str = ""
    dice: Annotated[str, DiceText()] = "3d"
    rule: str = ""
    note: str = ""
    variant_of: str = ""
    tail: Literal["limb", "extremity", "none", ""] = ""
    eye: Penalty | None = None
    vitals: Penalty | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class PartData:
    """What kind of thing a part is. `limb` with the instance says which limb of its use: `fore` and `right`."""

    kind: Kind
    penalty: Penalty = 0
    zone: Zone = "body"
    use: Use = ""
    limb: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class BodyFile:
    """A file of body plans. Parts and instance tables of the shipped file need not be repeated."""

    plan: Mapping[str, PlanData] = field(default_factory=dict)
    part: Mapping[str, PartData] = field(default_factory=dict)
    which: Mapping[str, NameTable] = field(default_factory=dict)


class BodyPlans:
    """G1: all body plans of one file (over the shipped ones). Plans are made, and so checked, when first asked for.

    Raises CatalogError for a row that cannot be, naming the file and the plan; gaps and overlaps are named with their
    probability.
    """

    def __init__(self, data: BodyFile, where: str, under: BodyPlans | None = None) -> None:
        self.where, self.own = where, under is not None
        self.plans: dict[str, PlanData] = {**(under.plans if under else {}), **data.plan}
        self.parts: dict[str, PartData] = {**(under.parts if under else {}), **data.part}
        self.which: dict[str, NameTable] = {**(under.which if under else {}), **data.which}
        self._made: dict[tuple[str, str], BodyPlan] = {}

    def __getitem__(self, name: str) -> BodyPlan:
        return self.plan(name)

    def plan(self, name: str, tail: str = "") -> BodyPlan:
        """A plan by name; `tail` overrides how its tail counts: limb, extremity or none (then it is torso).

        Raises UnknownNameError for a plan nobody defined.
        """
        made = self._made.get((name, tail))
        if made is None:
            if name not in self.plans:
                raise UnknownNameError("body plan", name, self.plans, self.where if self.own else "")
            try:
                made = self._made[name, tail] = self._make(name, tail)
            except (TableError, DiceSyntaxError) as error:
                raise CatalogError(f"{self.where}: {error}") from error
        return made

    def _make(self, name: str, tail: str) -> BodyPlan:
        data = self.plans[name]
        rows, base = self._rows(name, data, ())
        tail = tail or data.tail or (base.tail if base else "") or "extremity"
        spots: dict[Any, Spot] = {}
        made = [Row(row.low, row.high, *self._entry(name, row, tail, spots)) for row in rows]
        title = data.title or name
        table: Table[Entry] = Table(f"bodies.{name}", data.dice, made, title)
        eye = data.eye if data.eye is not None else (base.eye if base else None)
        vitals = data.vitals if data.vitals is not None else (base.vitals if base else None)
        aimed = (
            self._spot(name, LeafRow(low=0, high=0, part="eye", penalty=eye), "", tail, spots),
            self._spot(name, LeafRow(low=0, high=0, part="vitals", penalty=vitals), "", tail, spots),
        )
        note = data.note or (base.note if base else "")
        return BodyPlan(name=name, title=title, table=table, aimed=aimed, tail=tail, note=note)

    def _rows(self, name: str, data: PlanData, above: tuple[str, ...]) -> tuple[Sequence[PlanRow], PlanData | None]:
        """G2: the rows of a plan; those of a variant laid over its plan's, which give way."""
        if not data.variant_of:
            return data.rows, None
        if data.variant_of not in self.plans:
            raise UnknownNameError("body plan", data.variant_of, self.plans, f"{self.where}, plan {name}, variant_of")
        if data.variant_of in (name, *above):
            raise CatalogError(
                f"{self.where}: plan {name} is a variant of {data.variant_of!r}, which is a variant of it."
            )
        base = self.plans[data.variant_of]
        under, _ = self._rows(data.variant_of, base, (*above, name))
        rows: list[PlanRow] = list(data.rows)
        for row in under:
            spans = [(row.low, row.high)]
            for over in data.rows:
                spans = [part for low, high in spans for part in _without(low, high, over.low, over.high)]
            rows += [replace(row, low=low, high=high) for low, high in spans]
        return sorted(rows, key=lambda row: row.low), base

    def _entry(self, name: str, row: PlanRow, tail: str, spots: dict[Any, Spot]) -> tuple[Entry, str]:
        if (row.pick is None) == (not row.part):
            raise CatalogError(f"{self.where}: plan {name}, row {row.low}: give either part or pick.")
        if row.pick is not None:
            label = row.label or "further roll"
            rows = [Row(leaf.low, leaf.high, *self._leaf(name, leaf, tail, spots)) for leaf in row.pick.rows]
            penalty = max(r.value.penalty for r in rows)
            inner = Table(f"bodies.{name}.{label}", row.pick.dice, rows)
            entry = Further(label=label, table=inner, reason=label, penalty=penalty, mixed=True)
            return entry, label
        leaf = LeafRow(
            low=row.low, high=row.high, part=row.part, name=row.name, which=row.which,
            kind=row.kind, use=row.use, penalty=row.penalty,
        )  # fmt: skip
        found, label = self._leaf(name, leaf, tail, spots)
        return found, row.label or label

    def _leaf(self, name: str, row: LeafRow, tail: str, spots: dict[Any, Spot]) -> tuple[Entry, str]:
        if not row.which or (row.part == "tail" and tail == "none"):
            spot = self._spot(name, row, row.name, tail, spots)
            return spot, spot.name
        if row.which not in self.which:
            raise UnknownNameError("table of instances (which)", row.which, self.which, f"{self.where}, plan {name}")
        which = self.which[row.which]
        rows = [Row(r.low, r.high, self._spot(name, row, r.name, tail, spots), r.name) for r in which.rows]
        table = Table(f"bodies.{name}.{row.part}.{row.which}", which.dice, rows)
        penalty = rows[0].value.penalty
        return Further(label=row.part, table=table, reason=f"which {row.part}", penalty=penalty), row.part

    def _spot(self, name: str, row: LeafRow, which: str, tail: str, spots: dict[Any, Spot]) -> Spot:
        part = self.parts.get(row.part)
        if part is None:
            raise UnknownNameError("body part", row.part, self.parts, f"{self.where}, plan {name}")
        kind, use = row.kind or part.kind, part.use if row.use is None else row.use
        penalty = part.penalty if row.penalty is None else row.penalty
        part_name = row.part
        if row.part == "tail" and tail != "extremity":
            # No tail worth the name: torso (G8). A striker, an extra arm or a fish's tail: a limb.
            if tail == "none":
                part_name, kind, use, penalty = "torso", "torso", "", 0
            else:
                kind = "limb"
        key = (part_name, which, kind, use, penalty)
        if key not in spots:
            zone = "body" if kind == "torso" else part.zone
            path = f"{part_name}/{which}" if which else part_name
            location = Location(path, zone)
            limb = " ".join(sorted(f"{part.limb} {which}".split()))
            spots[key] = Spot(
                part=part_name, which=which, kind=kind, use=use, penalty=penalty, location=location, limb=limb
            )
        return spots[key]


def _without(low: int, high: int, cut_low: int, cut_high: int) -> list[tuple[int, int]]:
    """What is left of a span when another takes its part."""
    return [(a, b) for a, b in ((low, min(high, cut_low - 1)), (max(low, cut_high + 1), high)) if a <= b]


@cache
def _people() -> BodyPlans:
    return BodyPlans(build(BodyFile, read("humanoid")), "humanoid.toml")


@cache
def shipped_plans() -> BodyPlans:
    """The humanoid, the eleven plans and their variants."""
    return BodyPlans(build(BodyFile, read("bodies")), "bodies.toml", _people())


def shipped_plan(name: str) -> BodyPlan:
    """One of them. For people the others are not even read."""
    return _people()[name] if name in _people().plans else shipped_plans()[name]


@lru_cache(maxsize=16)
def plans_of(path: str) -> BodyPlans:
    """The plans of a user's file over the shipped ones; no path: the shipped ones.

    Raises CatalogError for a file that cannot be read or that holds a plan with a gap, an overlap or an unknown part.
    """
    if not path:
        return shipped_plans()
    data = read_toml(path)
    plans = BodyPlans(validate(BodyFile, data, path), path, shipped_plans())
    for name in data.get("plan", {}):
        plans.plan(name)
    return plans


def find_aim(plan: BodyPlan, aim: str, target: str) -> tuple[str, int]:
    """G10: the part or instance meant by an aim, and its penalty. Raises UnknownNameError with what there is."""
    wanted = aim.strip().lower().replace("/", " ").replace("_", " ")
    for spot in plan.spots():
        # `foreleg/right` and `right foreleg` are one.
        if wanted in (spot.name, spot.part, f"{spot.part} {spot.which}".strip()):
            name = spot.part if wanted == spot.part else spot.name
            return name, spot.penalty
    raise UnknownNameError("location", aim, plan.aims(), target)


def check_parts(armor: Mapping[str, int] | None, plan: BodyPlan, where: str) -> None:
    """Whether DR by part names parts of this body. Raises UnknownNameError for any other."""
    if armor and not plan.known_parts.issuperset(armor):
        name = next(name for name in armor if name not in plan.known_parts)
        raise UnknownNameError("part", name, plan.aims(), where)


def is_near(aimed: Spot | Table[Any] | None) -> bool:
    """Whether a miss by one at what is aimed at strikes the torso."""
    return isinstance(aimed, Spot) and aimed.kind in NEAR


def aimed_table(plan: BodyPlan, name: str) -> Spot | Table[Any]:
    """What an aim strikes: the one spot, or the table that says which of several it was."""
    spots = [spot for spot in plan.spots() if spot.name == name] or [s for s in plan.spots() if s.part == name]
    # A squid's arms are not all alike: whoever aims at "an arm" takes one of those that are easiest to hit.
    easiest = max(spot.penalty for spot in spots)
    distinct = tuple(dict.fromkeys(spot for spot in spots if spot.penalty == easiest))
    if len(distinct) == 1:
        return distinct[0]
    for row in plan.table.rows:
        if isinstance(row.value, Further) and set(_leaves(row.value.table)) == set(distinct):
            table: Table[Any] = row.value.table
            return table
    rows = [Row(i, i, spot, spot.name) for i, spot in enumerate(distinct, start=1)]
    return Table(f"which {name}", f"1d{len(distinct)}", rows)
