"""Mantlet: the same attack through several vehicle-combat rulesets, resolved at the table or as exact odds.

These are the public names. A ruleset needs no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mantlet import condition, effects
    from mantlet.account import Account, Note, Roll
    from mantlet.bulk import Bulk
    from mantlet.comparison import (
        Odds,
        Shots,
        compare,
        covered_plan,
        distribution,
        odds,
        quick_odds,
        sampled_shots,
        shots_until,
        summarize,
    )
    from mantlet.condition import Changes, Condition, changes
    from mantlet.contest import Contestant
    from mantlet.crowd import Crowd
    from mantlet.dice import Dice, Stage, Step, Then, run
    from mantlet.distributions import Distribution
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
    from mantlet.exact import Exact
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
    from mantlet.outcomes import ZONES, ArmorResult, Location, Outcome, outcome, outcome_between
    from mantlet.plugins import Plugins, RulesetEntry, load_plugins
    from mantlet.records import record
    from mantlet.ruleset import (
        API_VERSION,
        Derived,
        Grid,
        NoOptions,
        Passage,
        Plan,
        Projection,
        Ruleset,
        ignored_inputs,
    )
    from mantlet.sources import Scripted, Seeded, Typed
    from mantlet.structure import build, validate
    from mantlet.tables import Check, Modifier, Row, Table, rising, table_from, under
    from mantlet.user_files import read_toml

__version__ = "0.1.0"

# Every name is imported from its module when it is first asked for: a command pays for what it uses.
_HOMES = {
    "account": "Account Note Roll",
    "bulk": "Bulk",
    "condition": "Changes Condition changes",
    "crowd": "Crowd",
    "contest": "Contestant",
    "dice": "Dice Stage Step Then run",
    "errors": (
        "CatalogError DiceInputError DiceSyntaxError MantletError NotCoveredError PluginError RuleError TableError "
        "UnknownNameError UsageError WorkLimitError nearest"
    ),
    "distributions": "Distribution",
    "exact": "Exact",
    "hookspecs": "hookimpl",
    "model": "Ammunition Attack PenetrationTable Plate Provenance Seat Target Weapon",
    "notation": "DiceExpr parse_dice",
    "comparison": "Odds Shots compare covered_plan distribution odds quick_odds sampled_shots shots_until summarize",
    "outcomes": "ZONES ArmorResult Location Outcome outcome outcome_between",
    "plugins": "Plugins RulesetEntry load_plugins",
    "records": "record",
    "ruleset": "API_VERSION Derived Grid NoOptions Passage Plan Projection Ruleset ignored_inputs",
    "sources": "Scripted Seeded Typed",
    "structure": "build validate",
    "tables": "Check Modifier Row Table rising table_from under",
    "user_files": "read_toml",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "API_VERSION",
    "ZONES",
    "Account",
    "Ammunition",
    "ArmorResult",
    "Attack",
    "Bulk",
    "CatalogError",
    "Changes",
    "Check",
    "Condition",
    "Contestant",
    "Crowd",
    "Derived",
    "Dice",
    "DiceExpr",
    "DiceInputError",
    "DiceSyntaxError",
    "Distribution",
    "Exact",
    "Grid",
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
    "Projection",
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
    "Step",
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
    "changes",
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
    "outcome_between",
    "parse_dice",
    "quick_odds",
    "read_toml",
    "record",
    "rising",
    "run",
    "sampled_shots",
    "shots_until",
    "summarize",
    "table_from",
    "under",
    "validate",
]

if not TYPE_CHECKING:  # or mypy would believe in any name

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name in ("condition", "effects"):
            return import_module(f"mantlet.{name}")
        if name not in _HOME:
            raise AttributeError(f"module 'mantlet' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"mantlet.{_HOME[name]}"), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
