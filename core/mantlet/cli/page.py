"""A result for people, as text, GitHub markdown or HTML: the same facts in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mantlet.cli.figures import Figure, aligned
from mantlet.cli.html import html_beginning, html_element, html_list, html_table
from mantlet.cli.json_data import print_json
from mantlet.cli.layout import columns, echo, fold, strong
from mantlet.cli.markdown import inline, markdown_line, markdown_table


class Page:
    """Lines of a result, put down from top to bottom. Texts are plain: what would be markup is escaped."""

    def __init__(self, form: str) -> None:
        self.plain = form not in ("md", "html")
        self.markdown = form == "md"
        self.html = form == "html"
        self.lines: list[str] = []

    def gap(self) -> None:
        """An empty line, unless there is one already."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def title(self, text: str) -> None:
        """What the page is about."""
        if self.html:
            self.lines += [*html_beginning(text), html_element("h1", text)]
        else:
            self.lines += [f"## {inline(text)}", ""] if self.markdown else fold(strong(text))

    def heading(self, text: str, *, bold: bool = False) -> None:
        """What a part of the page is about; `bold` is for text."""
        self.gap()
        if self.html:
            self.lines.append(html_element("h2", text))
        else:
            self.lines += [f"### {inline(text)}", ""] if self.markdown else fold(strong(text) if bold else text)

    def say(self, text: str) -> None:
        """A paragraph."""
        if self.html:
            self.lines.append(html_element("p", text))
        else:
            self.lines += [markdown_line(text)] if self.markdown else fold(text)

    def items(self, texts: Iterable[str], indent: str = "") -> None:
        """Sentences one below the other: a list in markdown and HTML."""
        if self.html:
            self.lines += html_list(texts)
            return
        for text in texts:
            self.lines += [f"* {markdown_line(text)}"] if self.markdown else fold(text, indent)

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> None:
        """Rows under a head; `align` has a letter a column, `<` left and `>` right."""
        if self.html:
            self.lines += html_table(head, rows, align)
        else:
            self.lines += markdown_table(head, rows, align) if self.markdown else columns([head, *rows], align)

    def figures(self, figures: Sequence[Figure]) -> list[str]:
        """Figures as the cells of one column."""
        return aligned(figures) if self.plain else list(map(str, figures))


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
