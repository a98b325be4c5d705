"""What a ruleset says of itself: its names, its options, its tables."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from mantlet.dice.tables import Table
from mantlet.errors import CatalogError, UnknownNameError
from mantlet.game.attack import SKILL_WORDS
from mantlet.ruleset import Grid, Ruleset
from mantlet.testing.attacks import plan_of, roll
from mantlet.testing.report import FAILED, Case, Report


def instance(ruleset: Ruleset[Any, Any] | type[Ruleset[Any, Any]], report: Report) -> Ruleset[Any, Any] | None:
    """The ruleset to check, or None when it cannot even be made."""
    kind = ruleset if isinstance(ruleset, type) else type(ruleset)
    if not issubclass(kind, Ruleset):
        report.fault("interface", "", [f"{kind.__name__} is no subclass of mantlet.Ruleset"])
        return None
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        report.fault("interface", "", [f"{kind.__name__} does not define {', '.join(missing)}"])
        return None
    for name in ("name", "version", "title", "summary", "damage_unit"):
        value = getattr(kind, name, None)
        # A ruleset that counts no damage has no unit for it.
        if not (isinstance(value, str) and (value.strip() or name == "damage_unit") and "\n" not in value):
            report.fault("interface", "", [f"{name} has to be one line of text, not {value!r}"])
    name = getattr(kind, "name", "")
    if isinstance(name, str) and not (name.isascii() and name.isidentifier() and name.islower()):
        report.fault("interface", "", [f"the name {name!r} has to be lower case with underscores"])
    parameters = getattr(kind.options_type, "__dataclass_params__", None)
    if parameters is None or not parameters.frozen:
        report.fault("options", "", ["options_type has to be a frozen dataclass"])
        return None
    made = ruleset if isinstance(ruleset, Ruleset) else report.attempt("interface", "making it", kind)
    return made if isinstance(made, Ruleset) else None


def options(ruleset: Ruleset[Any, Any], cases: list[Case], report: Report) -> None:
    """Every option can be set by itself, and an attack is still resolved; bad ones are refused."""
    kind = type(ruleset)
    defaults = report.attempt("options", "defaults", kind.options_type)
    if defaults is FAILED:
        return
    try:
        json.dumps(ruleset.option_values())
    except (TypeError, ValueError) as error:
        report.fault("options", "", [f"their values do not go into JSON ({error})"])
    hints = get_type_hints(kind.options_type)
    for field in dataclasses.fields(kind.options_type):
        if not field.init:
            continue
        for value in _settings(hints[field.name], getattr(defaults, field.name)):
            where = f"{field.name}={value!r}"
            other = report.attempt("options", where, kind.with_options, {field.name: value})
            if other is FAILED:
                continue
            if getattr(other.options, field.name) != value:
                report.fault("options", where, [f"it was set to {getattr(other.options, field.name)!r}"])
            for case in cases:
                if other.covers(case.attack, case.target) is None:
                    under = Case(f"{case.name}, {where}", case.attack, case.target)
                    plan = plan_of(other, under, report)
                    if plan is not None:
                        roll(other, under, plan, other.fresh(case.target), range(2), report)
        _refused(kind, {field.name: object()}, CatalogError, report)
    _refused(kind, {"no_such_option_at_all": 1}, UnknownNameError, report)


def _settings(hint: Any, default: Any) -> list[Any]:
    if hint is bool:
        return [True, False]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [default]


def _refused(kind: type[Ruleset[Any, Any]], values: Mapping[str, Any], error: type[Exception], report: Report) -> None:
    name = next(iter(values))
    try:
        kind.with_options(values)
    except error:
        return
    except Exception as other:
        report.fault("options", name, [f"a bad value raised {type(other).__name__} and not {error.__name__}"])
        return
    report.fault("options", name, [f"a bad value was taken; with_options has to raise {error.__name__}"])


def skills(ruleset: Ruleset[Any, Any], report: Report) -> bool:
    """Whether the table of what the neutral words for a shooter's skill mean is sound: all of them, in order."""
    table = report.attempt("skill_table", "", lambda: dict(ruleset.skill_table))
    if table is FAILED:
        return False
    if sorted(table) != sorted(SKILL_WORDS):
        report.fault("skill_table", "", [f"its words are {', '.join(map(str, table))}, not {', '.join(SKILL_WORDS)}"])
        return False
    numbers = [table[word] for word in SKILL_WORDS]
    if any(type(number) not in (int, float) or not math.isfinite(number) for number in numbers):
        report.fault("skill_table", "", [f"it holds {numbers}, which are not all numbers"])
    elif numbers not in (sorted(numbers), sorted(numbers, reverse=True)):
        report.fault("skill_table", "", [f"from {' to '.join(SKILL_WORDS)} it goes up and down: {numbers}"])
    else:
        return True
    return False


def tables(ruleset: Ruleset[Any, Any], report: Report) -> None:
    """Tables and grids are what they say, under names without the ruleset's own in front."""
    tables = report.attempt("tables", "", ruleset.tables)
    if tables is FAILED:
        return
    if not isinstance(tables, Mapping):
        report.fault("tables", "", [f"tables gave a {type(tables).__name__} and no mapping"])
        return
    for name, table in tables.items():
        if not (isinstance(name, str) and name) or name.startswith(f"{ruleset.name}."):
            report.fault("tables", repr(name), ["a table's name is a text without the ruleset's own name in front"])
        if not isinstance(table, Table):
            report.fault("tables", repr(name), [f"it is a {type(table).__name__} and no mantlet.Table"])
        elif sum(table.probabilities()) != 1:
            report.fault("tables", repr(name), ["its rows do not come to 1 in all"])
    grids = report.attempt("grids", "", ruleset.grids)
    if grids is FAILED:
        return
    for name, grid in grids.items():
        if not isinstance(grid, Grid):
            report.fault("grids", repr(name), [f"it is a {type(grid).__name__} and no mantlet.ruleset.Grid"])
        elif [len(row) for row in grid.cells] != [len(grid.columns)] * len(grid.rows):
            report.fault("grids", repr(name), ["its cells do not fit its rows and columns"])
