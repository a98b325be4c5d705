"""`mantlet table`: a ruleset's tables as printed, with the exact probability of each row."""

from __future__ import annotations

from typing import Any

import click

from mantlet.cli.json_data import picked, print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import rule_option
from mantlet.cli.page import Page, print_rows
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
        _list(session, session.rulesets([whose] if whose else []), form)
        return
    rules = session.ruleset(whose)
    found = printed_tables(session, rules)
    if which not in found:
        raise UnknownNameError("table", name or "", [f"{whose}.{known}" for known in found])
    printed = found[which]
    full_name = f"{whose}.{which}"
    if isinstance(printed, Grid):
        _print_grid(full_name, printed, form)
    elif form == "json":
        print_json(table_data(full_name, printed))
    elif form in ("text", "md"):
        echo(_table_page(form, full_name, printed))
    else:
        click.echo(session.plugins.export(form, printed))


def printed_tables(session: Session, rules: Ruleset[Any, Any]) -> dict[str, Printed]:
    """A ruleset's tables and grids by name."""
    with session.guest(rules):
        return {**rules.tables(), **rules.grids()}


def _list(session: Session, rulesets: list[Ruleset[Any, Any]], form: str) -> None:
    head = ["name", "dice", "size", "title"]
    rows = [
        [f"{rules.name}.{name}", str(printed.dice), _size(printed), printed.title]
        for rules in rulesets
        for name, printed in printed_tables(session, rules).items()
    ]
    print_rows(form, [dict(zip(head, row)) for row in rows], head, rows, "<<><", "There are no tables.")


def _size(printed: Printed) -> str:
    if isinstance(printed, Grid):
        return f"{len(printed.rows)} x {len(printed.columns)}"
    return str(len(printed.rows))


def _title(name: str, title: str) -> str:
    return name if title in ("", name, name.partition(".")[2]) else f"{title} ({name})"


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
    rows = []
    for row, p in zip(printed.rows, printed.probabilities()):
        probability = {"value": row_value(row), "probability": float(p), "label": row.label, "fraction": str(p)}
        rows.append({**picked(row, "low", "high"), **probability})
    return {"name": name, "title": printed.title, "dice": str(printed.dice), "rows": rows}


def _table_page(form: str, name: str, printed: Table[Any]) -> list[str]:
    """A table as a book would print it, with probabilities."""
    dice = str(printed.dice)
    page = Page(form)
    page.title(_title(name, printed.title) + (f" ({dice})" if page.markdown else ""))
    page.gap()
    rows = []
    for row, p in zip(printed.rows, printed.probabilities()):
        words, chances = str(row.label or row_value(row)), [percent(p), str(p)]
        rows.append([row.span, words, *chances] if page.markdown else [row.span, *chances, words])
    if page.markdown:
        page.table([dice, "Result", "Chance", "Exactly"], rows, "><>>")
    else:
        page.table([dice, "chance", "exactly", ""], rows, ">>><")
    return page.lines


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
    probabilities = [[grid.probability(i, j) for j in range(len(grid.columns))] for i in range(len(grid.rows))]
    if form == "json":
        print_json(
            {
                "name": name,
                **picked(grid, "title", "dice"),
                "rows": _grid_rows(grid),
                **picked(grid, "row_title", "column_title"),
                "row_names": grid.rows,
                "column_names": grid.columns,
                "cells": grid.cells,
                "probabilities": probabilities,
            }
        )
        return
    if form not in ("text", "md"):
        raise UnknownNameError("format", form, ("text", "json", "md"), "a table of rows and columns")
    page = Page(form)
    page.title(f"{_title(name, grid.title)}: roll {grid.dice}, the number or less")
    if not page.markdown:
        page.say(f"Rows: {grid.row_title}. Columns: {grid.column_title}.")
    head = [f"{grid.row_title} \\ {grid.column_title}" if page.markdown else "", *grid.columns]
    align = "<" + ">" * len(grid.columns)
    page.gap()
    page.table(head, [[row, *map(str, cells)] for row, cells in zip(grid.rows, grid.cells)], align)
    page.gap()
    page.table(head, [[row, *map(percent, chances)] for row, chances in zip(grid.rows, probabilities)], align)
    echo(page.lines)
