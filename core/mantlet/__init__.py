"""Mantlet: the same attack through several vehicle-combat rulesets, resolved at the table or as exact odds.

These are the public names. A ruleset needs no others.
"""

from mantlet import condition, effects
from mantlet.account import Account, Note, Roll
from mantlet.bulk import Bulk
from mantlet.condition import Condition
from mantlet.contest import Contestant
from mantlet.dice import Dice, Stage, Then, run
from mantlet.errors import (
    CatalogError,
    DiceInputError,
    DiceSyntaxError,
    MantletError,
    NotCoveredError,
    PluginError,
    RuleError,
    TableError,
    UnknownNameError,
    UsageError,
    WorkLimitError,
    nearest,
)
from mantlet.exact import Distribution, Exact
from mantlet.hookspecs import hookimpl
from mantlet.model import (
    Ammunition,
    Attack,
    PenetrationTable,
    Plate,
    Provenance,
    Seat,
    Target,
    Weapon,
)
from mantlet.notation import DiceExpr, parse_dice
from mantlet.comparison import (
    Odds,
    Shots,
    compare,
    covered_plan,
    distribution,
    odds,
    quick_odds,
    shots_until,
    summarize,
)
from mantlet.outcomes import ZONES, ArmorResult, Location, Outcome, outcome
from mantlet.plugins import Plugins, RulesetEntry, load_plugins
from mantlet.ruleset import API_VERSION, Derived, NoOptions, Passage, Plan, Ruleset, ignored_inputs
from mantlet.sources import Scripted, Seeded, Typed
from mantlet.structure import build
from mantlet.structure import structure as validate
from mantlet.tables import Check, Modifier, Row, Table, table_from, under

__version__ = "0.1.0"

__all__ = [
    "API_VERSION",
    "ZONES",
    "Account",
    "Ammunition",
    "ArmorResult",
    "Attack",
    "Bulk",
    "CatalogError",
    "Check",
    "Condition",
    "Contestant",
    "Derived",
    "Dice",
    "DiceExpr",
    "DiceInputError",
    "DiceSyntaxError",
    "Distribution",
    "Exact",
    "Location",
    "MantletError",
    "Modifier",
    "NoOptions",
    "NotCoveredError",
    "Note",
    "Odds",
    "Outcome",
    "Passage",
    "PenetrationTable",
    "Plan",
    "Plate",
    "PluginError",
    "Plugins",
    "Provenance",
    "Roll",
    "Row",
    "RuleError",
    "Ruleset",
    "RulesetEntry",
    "Scripted",
    "Seat",
    "Seeded",
    "Shots",
    "Stage",
    "Table",
    "TableError",
    "Target",
    "Then",
    "Typed",
    "UnknownNameError",
    "UsageError",
    "Weapon",
    "WorkLimitError",
    "build",
    "compare",
    "condition",
    "covered_plan",
    "distribution",
    "effects",
    "hookimpl",
    "ignored_inputs",
    "load_plugins",
    "nearest",
    "odds",
    "outcome",
    "parse_dice",
    "quick_odds",
    "run",
    "shots_until",
    "summarize",
    "table_from",
    "under",
    "validate",
]
