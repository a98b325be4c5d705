"""Laying out text: columns, folded lines and headings, for people at a table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Final

import click

WIDTH: Final = 100
"""The widest text, and the width where there is no terminal to ask."""


def width() -> int:
    """The width to fill: the terminal's, but never more than is good to read."""
    if not _is_terminal(sys.stdout):
        return WIDTH
    import shutil

    return max(40, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


def _is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty is not None and isatty())


def strong(text: str) -> str:
    """Text that stands out on a terminal; click takes the codes away everywhere else."""
    return click.style(text, bold=True)


def faint(text: str) -> str:
    """Text that stands back on a terminal."""
    return click.style(text, dim=True)


def fold(text: str, indent: str = "", hang: str = "  ") -> list[str]:
    """A paragraph broken into lines, the further ones indented by `hang` as well."""
    lines = []
    for paragraph in text.splitlines() or [""]:
        first, *more = _broken(paragraph, width() - len(indent), width() - len(indent + hang))
        lines += [indent + first, *(indent + hang + line for line in more)]
    return lines


def _broken(text: str, first: int, further: int) -> list[str]:
    """Lines of at most so many letters, broken at blanks; a longer word has a line of its own.

    The standard library's textwrap does as much, and takes longer to load than an attack to resolve.
    """
    if len(text) <= first:
        return [text]
    lines = [""]
    for word in text.split():
        room = first if len(lines) == 1 else further
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def columns(rows: Iterable[Sequence[str]], align: str, folds: int = -1) -> list[str]:
    """Rows as aligned columns. `align` has a letter a column: `<` left, `>` right; column `folds` gives way if wide."""
    return [line for block in column_blocks(rows, align, folds) for line in block]


def column_blocks(rows: Iterable[Sequence[str]], align: str, folds: int = -1) -> list[list[str]]:
    """The same with the lines of each row by themselves."""
    listed = [list(row) for row in rows]
    if not listed:
        return []
    widths = [max(len(row[i]) for row in listed) for i in range(len(align))]
    over = sum(widths) + 2 * len(widths) - width()
    if over > 0 and align[folds] == "<":
        widths[folds] = max(16, widths[folds] - over)
    blocks = []
    for row in listed:
        parts = [[cell] for cell in row]
        parts[folds] = _broken(row[folds], widths[folds], widths[folds]) if align[folds] == "<" else parts[folds]
        lines = []
        for n in range(max(map(len, parts))):
            cells = [part[n] if n < len(part) else "" for part in parts]
            lines.append(("  " + "  ".join(f"{c:{a}{w}}" for c, a, w in zip(cells, align, widths))).rstrip())
        blocks.append(lines)
    return blocks


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> list[str]:
    """A GitHub table."""
    rules = [{"<": "---", ">": "---:"}[a] for a in align]
    lines = [head, rules, *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines]


def echo(lines: Iterable[str]) -> None:
    """Write lines to stdout."""
    click.echo("\n".join(lines))
