"""A result for people, as text or as GitHub markdown: the same facts in the same order, laid out either way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mantlet.cli.figures import Figure, aligned
from mantlet.cli.json_data import print_json
from mantlet.cli.layout import columns, echo, fold, strong
from mantlet.cli.markdown import inline, markdown_line, markdown_table


class Page:
    """Lines of a result, put down from top to bottom. Texts are plain: markdown escapes what would be markup."""

    def __init__(self, form: str) -> None:
        self.markdown = form == "md"
        self.lines: list[str] = []

    def gap(self) -> None:
        """An empty line, unless there is one already."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def title(self, text: str) -> None:
        """What the page is about."""
        self.lines += [f"## {inline(text)}", ""] if self.markdown else fold(strong(text))

    def heading(self, text: str, *, bold: bool = False) -> None:
        """What a part of the page is about; `bold` is for text."""
        self.gap()
        self.lines += [f"### {inline(text)}", ""] if self.markdown else fold(strong(text) if bold else text)

    def say(self, text: str) -> None:
        """A paragraph."""
        self.lines += [markdown_line(text)] if self.markdown else fold(text)

    def items(self, texts: Iterable[str], indent: str = "") -> None:
        """Sentences one below the other: a list in markdown."""
        for text in texts:
            self.lines += [f"* {markdown_line(text)}"] if self.markdown else fold(text, indent)

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> None:
        """Rows under a head; `align` has a letter a column, `<` left and `>` right."""
        self.lines += markdown_table(head, rows, align) if self.markdown else columns([head, *rows], align)

    def figures(self, figures: Sequence[Figure]) -> list[str]:
        """Figures as the cells of one column."""
        return list(map(str, figures)) if self.markdown else aligned(figures)


def print_rows(form: str, data: Any, head: Sequence[str], rows: Sequence[Sequence[str]], align: str, none: str) -> None:
    """Print a table by itself, as JSON its `data`; in text `none` where it has no rows."""
    if form == "json":
        print_json(data)
        return
    page = Page(form)
    if rows or page.markdown:
        page.table(head, rows, align)
    else:
        page.lines.append(none)
    echo(page.lines)
