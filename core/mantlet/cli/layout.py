"""Laying out text: columns, folded lines and headings, for people at a table."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import Final

import click

from mantlet.cli.gate import behind, visible

WIDTH: Final = 100
"""The widest text, and the width where there is no terminal to ask."""


def width() -> int:
    """The width to fill: the terminal's, but never more than is good to read."""
    if not sys.stdout.isatty():
        return WIDTH
    return max(40, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


class Styled(str):
    """A line whose first `styled` characters stand out or back on a terminal, which is done as it is printed."""

    bold = False
    styled = 0

    def printed(self) -> str:
        """The line as it goes to the stream behind the gate."""
        first = click.style(visible(self[: self.styled]), bold=self.bold or None, dim=not self.bold or None)
        return first + visible(self[self.styled :])


def strong(text: str, rest: str = "") -> str:
    """Text that stands out on a terminal, and the rest of its line."""
    return _styled(text, rest, bold=True)


def faint(text: str) -> str:
    """Text that stands back on a terminal."""
    return _styled(text, "", bold=False)


def _styled(text: str, rest: str, *, bold: bool) -> Styled:
    line = Styled(text + rest)
    line.bold, line.styled = bold, len(text)
    return line


def fold(text: str, indent: str = "", hang: str = "  ") -> list[str]:
    """A paragraph broken into lines, the further ones indented by `hang` as well."""
    lines = []
    for paragraph in text.splitlines() or [""]:
        lines += _wrapped(paragraph, width(), indent, indent + hang)
    return [_styled(line, "", bold=text.bold) for line in lines] if isinstance(text, Styled) else lines


def _wrapped(text: str, most: int, first: str = "", further: str = "") -> list[str]:
    """Lines broken at blanks; a word that is longer has a line of its own."""
    lines = textwrap.wrap(
        text, most, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return lines or [first]


def columns(rows: Iterable[Sequence[str]], align: str, folds: int = -1) -> list[str]:
    """Rows as aligned columns. `align` has a letter a column: `<` left, `>` right; column `folds` gives way first.

    What is too wide even so is told another way: a table of numbers in parts, side by side no longer but one below the
    other, anything else with each row's cells below its first.
    """
    lines: list[str] = []
    for part, of_part in _parts([list(row) for row in rows], align):
        lines += [""] if lines else []
        lines += chain.from_iterable(column_blocks(part, of_part, folds))
    return lines


def column_blocks(rows: Iterable[Sequence[str]], align: str, folds: int = -1) -> list[list[str]]:
    """The same with the lines of each row by themselves, and never in parts."""
    listed = [list(row) for row in rows]
    if not listed:
        return []
    widths = _widths(listed, align, folds % len(align))
    if widths is None:
        return [_stacked(row) for row in listed]
    blocks = []
    for row in listed:
        parts = [_wrapped(c, w) if a == "<" and len(c) > w else [c] for c, a, w in zip(row, align, widths)]
        lines = []
        for cells in zip_longest(*parts, fillvalue=""):
            lines.append((_GAP + _GAP.join(f"{c:{a}{w}}" for c, a, w in zip(cells, align, widths))).rstrip())
        blocks.append(lines)
    return blocks


_GAP: Final = "  "
_NARROWEST: Final = 16
"""The width to which the column that gives way first does so."""
_READABLE: Final = 10
"""No column is narrower for lack of room."""


def _widths(rows: Sequence[Sequence[str]], align: str, folds: int) -> list[int] | None:
    """The widths of columns that fit; None where not even their longest words do."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(align))]
    over = sum(widths) + len(_GAP) * len(widths) - width()
    if over <= 0:
        return widths
    longest_words = [max((len(word) for row in rows for word in row[i].split()), default=0) for i in range(len(align))]
    least = [max(longest, min(_READABLE, w)) if a == "<" else w for longest, a, w in zip(longest_words, align, widths)]
    if sum(widths) - over < sum(least):
        return None
    if align[folds] == "<":
        given = min(over, widths[folds] - max(least[folds], min(_NARROWEST, widths[folds])))
        widths[folds] -= given
        over -= given
    for _ in range(over):  # then the widest that can
        widest = max((i for i in range(len(widths)) if widths[i] > least[i]), key=lambda i: widths[i])
        widths[widest] -= 1
    return widths


def _stacked(row: Sequence[str]) -> list[str]:
    """A row that is too wide: its first cell, and the others below it."""
    first, *others = row
    return [*fold(first, _GAP), *fold(", ".join(filter(None, others)), 3 * _GAP)] if any(others) else fold(first, _GAP)


def _parts(rows: list[list[str]], align: str) -> list[tuple[list[list[str]], str]]:
    """A table of numbers cut into as many tables as the width makes necessary, each with the first column."""
    numbers = range(1, len(align))
    if len(rows) < 1 or len(align) < 3 or any(align[i] != ">" for i in numbers):
        return [(rows, align)]
    widths = [max(len(row[i]) for row in rows) + len(_GAP) for i in range(len(align))]
    parts: list[list[int]] = [[0]]
    for i in numbers:
        if len(parts[-1]) > 1 and sum(widths[j] for j in parts[-1]) + widths[i] > width():
            parts.append([0])
        parts[-1].append(i)
    return [([[row[i] for i in part] for row in rows], "".join(align[i] for i in part)) for part in parts]


def echo(lines: Iterable[str]) -> None:
    """Write lines to stdout."""
    shown = (line.printed() if isinstance(line, Styled) else visible(line) for line in lines)
    click.echo("\n".join(shown), file=behind(sys.stdout))
