"""What a ruleset is: the interface that the three shipped ones and a stranger's implement alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from mantlet.catalog.validation import validate
from mantlet.dice.dice import Dice, Then
from mantlet.dice.notation import parse_dice
from mantlet.dice.tables import Table
from mantlet.errors import NotCoveredError, UnknownNameError, UsageError
from mantlet.game.attack import Attack, SkillWord
from mantlet.game.condition import FIT, NONE, Condition
from mantlet.game.derived import Derived
from mantlet.game.inputs import InputName
from mantlet.game.outcome import Outcome
from mantlet.game.shares import Shares
from mantlet.game.situation import Situation
from mantlet.game.skill import PERCENT_SKILLS
from mantlet.game.target import Target
from mantlet.game.threat import Threat
from mantlet.game.weapon import Weapon

OLDEST_API: Final = 2
API_VERSION: Final = 2
"""The versions of this interface that this mantlet supports: from OLDEST_API to API_VERSION.

A plugin states the one it was written for, or the first and the last one.
"""


@dataclass(frozen=True, kw_only=True)
class NoOptions:
    """The options of a ruleset that has none."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """All that an attack on a target comes to before any die is rolled. Rulesets add their own fields.

    Compares by identity, so that it is cheap to carry through stages. `derived` lists every number that did not come
    from a stat block, `ignored` the fields of the attack this ruleset has no use for (only those not at their default
    need naming), `notes` what a reader should know (how skill was mapped, which table was used).
    """

    attack: Attack
    target: Target
    derived: tuple[Derived, ...] = ()
    ignored: tuple[InputName, ...] = ()
    notes: tuple[str, ...] = field(default=())


class Grid(NamedTuple):
    """A printed table of numbers to roll under, by row and column: `cells[i][j]` stands in row i and column j."""

    title: str
    dice: str
    row_title: str
    column_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]

    def probability(self, row: int, column: int) -> Fraction:
        """The exact chance to roll the cell's number or less."""
        dice = parse_dice(self.dice)
        return Fraction(dice.ways_up_to(self.cells[row][column]), dice.combinations)


class Passage(NamedTuple):
    """What a span of time does to a target: the condition after it, and the neutral effects that came about."""

    condition: Condition
    effects: int = 0
    wounded: int = 0
    killed: int = 0
    detail: Hashable = None


class Report(NamedTuple):
    """What an attack or a span of time came to in a ruleset's own words, beside the neutral ones.

    `headline` stands in the place of the neutral headline, `now` beside the neutral words for how the target stands;
    `data` is plain data, for JSON.
    """

    headline: str = ""
    now: tuple[str, ...] = ()
    data: Mapping[str, Any] = {}


O = TypeVar("O")  # noqa: E741
P = TypeVar("P", bound=Plan)


class Ruleset(ABC, Generic[O, P]):
    """One system of combat rules: `class MyRules(Ruleset[MyOptions, MyPlan])`.

    `MyOptions` is the type of its options (NoOptions where it has none), `MyPlan` that of its plans (`A | B` where
    there are two). A ruleset is stateless apart from its options: `resolve` and `pass_time` are rule bodies, plain
    functions of their dice and their frozen arguments (see `mantlet.dice.dice`).
    """

    name: ClassVar[str]
    """The name people type: lower case and underscores."""
    version: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """One line: what it covers."""
    damage_unit: ClassVar[str] = "points"
    """What a point of `Outcome.damage` is; empty for a ruleset that counts none."""
    knocked_out: ClassVar[str] = ""
    """When a target is *knocked out* under these rules, in a sentence: a comparison tells it beside the figure."""
    options_type: ClassVar[type[Any]] = NoOptions
    """A frozen dataclass with a default for every field: one field for every place the source can be read two ways."""
    changing_options: ClassVar[frozenset[str]] = frozenset()
    """Those options that say how things are at the moment (the road, who shoots) and not how a rule is read: they may
    change from one attack on a saved target to the next."""

    @property
    def skill_table(self) -> Mapping[SkillWord, float]:
        """What the neutral words for the shooter's skill mean on this ruleset's own scale; by default in percent.

        Hand it to `mantlet.shooter_skill`. A ruleset with another scale overrides it, from a data file or as a mapping:
        `skill_table = {"green": 8, "trained": 10, "veteran": 12, "ace": 14}`.
        """
        return PERCENT_SKILLS

    def __init__(self, options: O | None = None) -> None:
        self.options: O = options if options is not None else self.options_type()

    @classmethod
    def with_options(cls, values: Mapping[str, Any]) -> Ruleset[O, P]:
        """This ruleset under other options.

        Raises UnknownNameError for an option it lacks, CatalogError for a bad value.
        """
        known = {k: v for k, v in cls.options_type.__dataclass_fields__.items() if v.init}
        for key in values:
            if key not in known:
                raise UnknownNameError("option", key, known, cls.name)
        if not values:
            return cls()
        return cls(validate(cls.options_type, dict(values), f"options of {cls.name}"))

    def check_stats(self, thing: Weapon | Target) -> None:
        """Refuse a weapon or target of a user's file whose stat block for this ruleset cannot be; by default none.

        Called when the file is read, for what has such a block (a weapon: it or one of its rounds), so that a mistake
        is told with file and line. Raises CatalogError or UnknownNameError.
        """

    @abstractmethod
    def covers(self, attack: Attack, target: Target) -> str | None:
        """None when this ruleset has a rule for the attack, else one sentence saying which rule is missing and why."""

    @abstractmethod
    def plan(self, attack: Attack, target: Target) -> P:
        """Work out everything that needs no dice. Only called when `covers` gives None.

        Raises UnknownNameError for an aim that is no location of the target, CatalogError for a bad stat block.
        """

    @abstractmethod
    def resolve(self, dice: Dice, plan: P, condition: Condition) -> Outcome | Then:
        """The rule body of one attack on a target in this condition; `plan` is what the method `plan` gave."""

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        """The rule body of a span of time: fires, bail-outs, suppression. By default nothing happens."""
        return Passage(condition)

    @property
    def round_s(self) -> float | None:
        """How long a round of this ruleset is, in seconds; None (the default) where time does not go by rounds."""
        return None

    def fresh(self, target: Target) -> Condition:
        """The condition of an untouched target."""
        return Condition(people=(FIT,) * len(target.crew))

    def adopt(self, target: Target, condition: Condition) -> Condition:
        """Take over a condition written under any ruleset: its own as it is, another's neutral facts alone.

        A ruleset with detail of its own overrides this to make the detail fit the neutral facts. For one of its own
        that does not fit the target it raises CatalogError, naming the key of the detail and what was expected.
        """
        return condition if condition.ruleset in ("", self.name) else condition.neutral

    def put_into(self, target: Target, condition: Condition, situation: Situation) -> Condition:
        """The condition of a target in this situation. By default a condition holds nothing of the situation.

        A ruleset whose detail keeps some of it (the speed, the dark), because time and actions go by it, overrides this
        and `situation_after`. The condition is one that this ruleset gave or adopted.
        """
        return condition

    def threatened(self, target: Target, condition: Condition, threat: Threat) -> Condition:
        """The condition of a target with enemy vehicles about, which time is then to go by (`mantlet time --closing`).

        By default no rule goes by them: raises NotCoveredError. The condition is one that this ruleset gave or adopted.
        """
        raise NotCoveredError(f"{self.name} has no rule that goes by enemy vehicles near {target.id}.")

    def bailed_out(self, target: Target, condition: Condition) -> tuple[Target, Condition] | None:
        """The people who have left a target, as a target of their own and its condition; None while there are none.

        By default no rule makes them one: raises NotCoveredError. This ruleset gave or adopted the condition.
        """
        raise NotCoveredError(f"{self.name} has no rule for people who have left {target.id}.")

    def situation_after(self, target: Target, condition: Condition, before: Situation) -> Situation:
        """The situation in which a target is left, `before` having been its situation: by default what cannot move
        stands still, and everything else stays.
        """
        return replace(before, target_speed_kph=0.0) if condition.mobility == NONE else before

    def shares(self, target: Target, condition: Condition) -> Shares:
        """How much of the target is left under this ruleset, for another to go on from. By default it states nothing.

        `condition` is one that this ruleset gave or adopted. An untouched target has shares of 1 and nothing out.
        """
        return Shares()

    def report(self, target: Target, before: Condition, result: Outcome | Passage) -> Report:
        """What `result` made of a target that was in the condition `before`, in words of these rules.

        By default there are neutral words alone. A ruleset overrides this where they would mislead (a team pinned is no
        tank that cannot move) or leave out what matters (suppression, hit points).
        """
        return Report()

    def dump_detail(self, detail: Any) -> Any:
        """This ruleset's detail of a condition as plain data (for a saved state)."""
        return detail

    def load_detail(self, data: Any) -> Hashable:
        """The reverse of `dump_detail`."""
        return _freeze(data)

    def tables(self) -> Mapping[str, Table[Any]]:
        """Every table of this ruleset by name (without the ruleset's own name in front)."""
        return {}

    def grids(self) -> Mapping[str, Grid]:
        """Every table of numbers by row and column, by name (without the ruleset's own name in front)."""
        return {}

    def aims(self, target: Target) -> tuple[str, ...]:
        """The locations of this target that can be aimed at, by the name `Attack.aim` takes."""
        return ()

    def option_values(self) -> dict[str, Any]:
        """The options in force, as plain data."""
        return {k: getattr(self.options, k) for k in self.options_type.__dataclass_fields__}


def _freeze(value: Any) -> Hashable:
    if isinstance(value, list):
        return tuple(_freeze(v) for v in value)
    if isinstance(value, dict):
        return tuple(sorted((k, _freeze(v)) for k, v in value.items()))
    return value  # type: ignore[no-any-return]


def parse_option(text: str) -> tuple[str, str, Any]:
    """Read `ruleset.key=value`: a value reads as a truth value or number where it looks like one.

    Raises UsageError for any other form.
    """
    left, equals, raw = text.partition("=")
    ruleset, dot, key = left.strip().partition(".")
    if not (equals and dot and ruleset and key):
        raise UsageError(f"An option is written ruleset.key=value, not {text!r}.")
    return ruleset, key, _plain(raw.strip())


def _plain(text: str) -> Any:
    if text.lower() in ("true", "yes", "on"):
        return True
    if text.lower() in ("false", "no", "off"):
        return False
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text
