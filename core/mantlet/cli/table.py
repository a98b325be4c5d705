"""`mantlet table`: a ruleset's tables as printed, with the exact probability of each row."""

from __future__ import annotations

from typing import Any

import click

from mantlet.cli.json_data import print_json
from mantlet.cli.layout import columns, echo, fold, markdown_table, strong
from mantlet.cli.options import rule_option
from mantlet.cli.session import Session
from mantlet.cli.words import percent, plain
from mantlet.dice.notation import parse_dice
from mantlet.dice.tables import Row, Table
from mantlet.errors import UnknownNameError
from mantlet.ruleset import Grid, Ruleset

Printed = Table[Any] | Grid


@click.command(short_help="Print a ruleset's table with the exact probability of each row.")
@click.argument("name", required=False)
@click.option("--format", "form", default="text", metavar="text|json|md|...", help="Plugins may add formats.")
@rule_option
def table(name: str | None, form: str, options: tuple[str, ...]) -> None:
    """A ruleset's table as printed, with the exact probability of each row. Without NAME: every table there is.

    NAME is ruleset.table; options that change a table are given with --option.

    \b
    Examples:
      mantlet table
      mantlet table gurps_vehicle
      mantlet table gurps_vehicle.vehicle
      mantlet table d100_wwii.fire --format json
    """
    session = Session(options=options)
    formats = ("text", "json", "md", *session.plugins.exporters)
    if form not in formats:
        raise UnknownNameError("format", form, formats, f"this installation ({', '.join(formats)})")
    whose, dot, which = (name or "").partition(".")
    if not (dot and which):
        rulesets = session.rulesets([whose] if whose else [])
        _list([(rules, _printed(session, rules)) for rules in rulesets], form)
        return
    rules = session.ruleset(whose)
    found = _printed(session, rules)
    if which not in found:
        raise UnknownNameError("table", name or "", [f"{whose}.{known}" for known in found])
    printed = found[which]
    full_name = f"{whose}.{which}"
    if isinstance(printed, Grid):
        _print_grid(full_name, printed, form)
    elif form == "json":
        print_json(table_data(full_name, printed))
    elif form == "text":
        echo(table_text(full_name, printed))
    elif form == "md":
        echo([f"## {_title(full_name, printed.title)} ({printed.dice})", "", *_markdown(printed)])
    else:
        click.echo(session.plugins.export(form, printed))


def _printed(session: Session, rules: Ruleset[Any, Any]) -> dict[str, Printed]:
    with session.guest(rules):
        return {**rules.tables(), **rules.grids()}


def _list(found: list[tuple[Ruleset[Any, Any], dict[str, Printed]]], form: str) -> None:
    head = ["name", "dice", "size", "title"]
    rows = [
        [f"{rules.name}.{name}", str(printed.dice), _size(printed), printed.title]
        for rules, tables in found
        for name, printed in tables.items()
    ]
    if form == "json":
        print_json([dict(zip(("name", "dice", "size", "title"), row)) for row in rows])
    elif form == "md":
        echo(markdown_table(head, rows, "<<><"))
    elif rows:
        echo(columns([head, *rows], "<<><"))
    else:
        echo(["There are no tables."])


def _size(printed: Printed) -> str:
    if isinstance(printed, Grid):
        return f"{len(printed.rows)} x {len(printed.columns)}"
    return str(len(printed.rows))


def _title(name: str, title: str) -> str:
    return name if title in ("", name, name.partition(".")[2]) else f"{title} ({name})"


def row_words(row: Row[Any]) -> str:
    """What a row gives, as people read it."""
    return row.label or row_value(row)


def row_value(row: Row[Any]) -> Any:
    """What a row gives: a plain value as it is, anything else by its label."""
    value = row.value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if row.label:
        return row.label
    path = getattr(value, "path", None)
    return path if isinstance(path, str) else str(plain(value))


def table_data(name: str, printed: Table[Any]) -> dict[str, Any]:
    """A table as the contract scripts rely on, with title, labels and fractions beside it."""
    return {
        "name": name,
        "title": printed.title,
        "dice": str(printed.dice),
        "rows": [
            {
                "low": row.low,
                "high": row.high,
                "value": row_value(row),
                "probability": float(p),
                "label": row.label,
                "fraction": str(p),
            }
            for row, p in zip(printed.rows, printed.probabilities())
        ],
    }


def _cells(printed: Table[Any]) -> list[list[str]]:
    return [
        [row.span, str(row_words(row)), percent(p), str(p)] for row, p in zip(printed.rows, printed.probabilities())
    ]


def table_text(name: str, printed: Table[Any]) -> list[str]:
    """A table as a book would print it, with probabilities."""
    cells = _cells(printed)
    rows = [[str(printed.dice), "chance", "exactly", ""], *([span, p, exact, words] for span, words, p, exact in cells)]
    return [*fold(strong(_title(name, printed.title))), "", *columns(rows, ">>><")]


def _markdown(printed: Table[Any]) -> list[str]:
    return markdown_table([str(printed.dice), "Result", "Chance", "Exactly"], _cells(printed), "><>>")


def _grid_rows(grid: Grid) -> list[dict[str, Any]]:
    """Every cell as a row like a table's: the totals that are a success there."""
    lowest = parse_dice(grid.dice).low
    return [
        {
            "low": lowest,
            "high": number,
            "value": {grid.row_title: row, grid.column_title: column},
            "probability": float(grid.probability(i, j)),
        }
        for i, (row, numbers) in enumerate(zip(grid.rows, grid.cells))
        for j, (column, number) in enumerate(zip(grid.columns, numbers))
    ]


def _print_grid(name: str, grid: Grid, form: str) -> None:
    if form == "json":
        print_json(
            {
                "name": name,
                "title": grid.title,
                "dice": grid.dice,
                "rows": _grid_rows(grid),
                "row_title": grid.row_title,
                "column_title": grid.column_title,
                "row_names": list(grid.rows),
                "column_names": list(grid.columns),
                "cells": plain(grid.cells),
                "probabilities": [
                    [float(grid.probability(i, j)) for j in range(len(grid.columns))] for i in range(len(grid.rows))
                ],
            }
        )
        return
    corner = f"{grid.row_title} \\ {grid.column_title}"
    numbers = [[row, *(str(n) for n in cells)] for row, cells in zip(grid.rows, grid.cells)]
    chances = [
        [row, *(percent(grid.probability(i, j)) for j in range(len(grid.columns)))] for i, row in enumerate(grid.rows)
    ]
    align = "<" + ">" * len(grid.columns)
    heading = f"{_title(name, grid.title)}: roll {grid.dice}, the number or less"
    if form == "md":
        head = [corner, *grid.columns]
        echo([f"## {heading}", "", *markdown_table(head, numbers, align), "", *markdown_table(head, chances, align)])
    elif form == "text":
        head = ["", *grid.columns]
        lines = [*fold(strong(heading)), *fold(f"Rows: {grid.row_title}. Columns: {grid.column_title}."), ""]
        echo([*lines, *columns([head, *numbers], align), "", *columns([head, *chances], align)])
    else:
        raise UnknownNameError("format", form, ("text", "json", "md"), "a table of rows and columns")
