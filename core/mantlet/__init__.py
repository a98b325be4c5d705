"""Mantlet: the same attack through several vehicle-combat rulesets, resolved at the table or as exact odds.

These are the public names. A ruleset needs no others.
"""

from __future__ import annotations

from mantlet.catalog.user_files import read_toml
from mantlet.catalog.validation import build, validate
from mantlet.dice.account import Account, Note, Roll
from mantlet.dice.contest import Contestant
from mantlet.dice.dice import Dice, Stage, Then, run
from mantlet.dice.notation import DiceExpr, parse_dice
from mantlet.dice.sources import Scripted, Seeded, Typed
from mantlet.dice.tables import Check, Modifier, Row, Table, rising, table_from, under
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
from mantlet.game import condition, effects
from mantlet.game.attack import SKILL_WORDS, Attack, SkillWord
from mantlet.game.bodies import Seat
from mantlet.game.condition import Changes, Condition, changes
from mantlet.game.crowd import Crowd
from mantlet.game.derived import CompleteTarget, Derived, complete_target
from mantlet.game.effects import EffectName, effect_bits, read_effects
from mantlet.game.inputs import INPUTS, InputName, ignored_inputs
from mantlet.game.outcome import ZONES, ArmorResult, Location, Outcome, Zone, outcome, outcome_between, read_zone
from mantlet.game.shares import FACES, Shares
from mantlet.game.skill import PERCENT_SKILLS, Skill, shooter_skill
from mantlet.game.target import Face, Plate, Target
from mantlet.game.weapon import Ammunition, PenetrationTable, Provenance, Weapon
from mantlet.plugins.hookspecs import hookimpl
from mantlet.plugins.loading import load_plugins
from mantlet.plugins.registry import Plugins, RulesetEntry
from mantlet.probability.bulk import Bulk
from mantlet.probability.comparison import (
    Odds,
    Outcomes,
    compare,
    covered_plan,
    distribution,
    odds,
    outcomes,
    quick_odds,
    summarize,
)
from mantlet.probability.distributions import Distribution
from mantlet.probability.effort import Effort
from mantlet.probability.exact import Exact
from mantlet.probability.shots import Shots, shots_until
from mantlet.ruleset import (
    API_VERSION,
    OLDEST_API,
    Grid,
    NoOptions,
    Passage,
    Plan,
    Ruleset,
)

__version__ = "0.1.0"

__all__ = [
    "API_VERSION",
    "FACES",
    "INPUTS",
    "OLDEST_API",
    "PERCENT_SKILLS",
    "SKILL_WORDS",
    "ZONES",
    "Account",
    "Ammunition",
    "ArmorResult",
    "Attack",
    "Bulk",
    "CatalogError",
    "Changes",
    "Check",
    "CompleteTarget",
    "Condition",
    "Contestant",
    "Crowd",
    "Derived",
    "Dice",
    "DiceExpr",
    "DiceInputError",
    "DiceSyntaxError",
    "Distribution",
    "EffectName",
    "Effort",
    "Exact",
    "Face",
    "Grid",
    "InputName",
    "Location",
    "MantletError",
    "Modifier",
    "NoOptions",
    "NotCoveredError",
    "Note",
    "Odds",
    "Outcome",
    "Outcomes",
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
    "Shares",
    "Shots",
    "Skill",
    "SkillWord",
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
    "Zone",
    "build",
    "changes",
    "compare",
    "complete_target",
    "condition",
    "covered_plan",
    "distribution",
    "effect_bits",
    "effects",
    "hookimpl",
    "ignored_inputs",
    "load_plugins",
    "nearest",
    "odds",
    "outcome",
    "outcome_between",
    "outcomes",
    "parse_dice",
    "quick_odds",
    "read_effects",
    "read_toml",
    "read_zone",
    "rising",
    "run",
    "shooter_skill",
    "shots_until",
    "summarize",
    "table_from",
    "under",
    "validate",
]
