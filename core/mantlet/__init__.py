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
from mantlet.game.checks import Between, DiceText
from mantlet.game.condition import Changes, Condition, changes
from mantlet.game.crowd import Crowd
from mantlet.game.derived import CompleteTarget, Derived, complete_target
from mantlet.game.effects import EffectName, effect_bits, read_effects
from mantlet.game.inputs import INPUTS, InputName, ignored_inputs
from mantlet.game.outcome import ZONES, ArmorResult, Location, Outcome, Zone, outcome, outcome_between, read_zone
from mantlet.game.shares import FACES, Shares
from mantlet.game.situation import Situation
from mantlet.game.skill import PERCENT_SKILLS, Skill, shooter_skill
from mantlet.game.target import Face, Plate, Target
from mantlet.game.threat import Sighting, Threat
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
from mantlet.ruleset import API_VERSION, OLDEST_API, Grid, NoOptions, Passage, Plan, Report, Ruleset

__version__ = "0.1.0"

# fmt: off
__all__ = [  # noqa: RUF022
    # An attack and what it meets
    "Attack", "Situation", "Weapon", "Ammunition", "PenetrationTable", "Target", "Plate", "Seat", "Face", "FACES",
    "Provenance",
    # A ruleset
    "Ruleset", "NoOptions", "Plan", "Derived", "complete_target", "CompleteTarget", "Passage", "Report", "Sighting",
    "Threat", "Grid", "API_VERSION", "OLDEST_API",
    # Inputs and skill
    "ignored_inputs", "InputName", "INPUTS", "shooter_skill", "Skill", "SkillWord", "SKILL_WORDS", "PERCENT_SKILLS",
    # Dice
    "Dice", "DiceExpr", "parse_dice", "Check", "under", "Modifier", "Table", "Row", "table_from", "rising",
    "Contestant", "Crowd", "Stage", "Then", "run", "Seeded", "Scripted", "Typed", "Account", "Roll", "Note",
    # What comes of it
    "Outcome", "outcome", "outcome_between", "Location", "Zone", "ZONES", "read_zone", "ArmorResult", "Condition",
    "Changes", "changes", "condition", "effects", "EffectName", "effect_bits", "read_effects", "Shares",
    # Odds
    "odds", "compare", "Odds", "Effort", "outcomes", "Outcomes", "distribution", "Distribution", "covered_plan",
    "summarize", "quick_odds", "shots_until", "Shots", "Exact", "Bulk",
    # Data
    "validate", "Between", "DiceText", "build", "read_toml",
    # Plugins
    "hookimpl", "RulesetEntry", "load_plugins", "Plugins",
    # Errors
    "MantletError", "UsageError", "UnknownNameError", "CatalogError", "NotCoveredError", "PluginError", "RuleError",
    "TableError", "DiceSyntaxError", "DiceInputError", "WorkLimitError", "nearest",
]
# fmt: on
