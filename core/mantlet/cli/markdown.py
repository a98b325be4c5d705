"""GitHub markdown, in which no text from outside is markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_MARKUP: Final = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
"""What marks something up within a line. An underscore between letters does not, nor does a lone ampersand."""
_HTML: Final = re.compile(r"<(?=[A-Za-z/!?])")
"""Where HTML can begin: `<0.1%` is none."""
_BEGINNING: Final = re.compile(r"\d{1,9}(?=[.)](?:\s|$))|(?=[#>=]|[-+](?:[-+\s]|$))")
"""After it a backslash is due: a line that begins so is a heading, a quotation or a list."""


def inline(text: str) -> str:
    """Text as one line of markdown that shows it: markup is escaped, and HTML never passes."""
    return _HTML.sub("&lt;", _MARKUP.sub(r"\\\g<0>", " ".join(text.splitlines())))


def markdown_line(text: str) -> str:
    """The same for a line of its own, which must not become a heading, a quotation or a list."""
    shown = inline(text).lstrip()
    start = _BEGINNING.match(shown)
    return f"{start.group()}\\{shown[start.end() :]}" if start else shown


def cell(text: str) -> str:
    """Text in a table; a line break in it stays one."""
    return "<br>".join(inline(line) for line in text.splitlines())


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> list[str]:
    """A GitHub table of plain text; `align` has a letter a column, `<` left and `>` right."""
    rules = [{"<": "---", ">": "---:"}[a] for a in align]
    lines = [[cell(text) for text in head], rules, *([cell(text) for text in row] for row in rows)]
    return ["| " + " | ".join(line) + " |" for line in lines]
