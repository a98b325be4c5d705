"""HTML that stands by itself: no script, nothing asked of any other host, and no text from outside is markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

_STYLE: Final = (
    "body{font:16px/1.4 sans-serif;margin:1rem;color-scheme:light dark}"
    "table{border-collapse:collapse}td,th{padding:.1rem .6rem;border-bottom:1px solid #8886}.number{text-align:right}"
)


def html_beginning(title: str) -> list[str]:
    """The first lines of a page."""
    return [
        "<!doctype html>",
        '<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        html_element("title", title),
        f"<style>{_STYLE}</style>",
    ]


def html_element(tag: str, text: str, attributes: str = "") -> str:
    """A text in an element."""
    return f"<{tag}{attributes}>{escape(' '.join(text.split()))}</{tag}>"


def html_list(texts: Iterable[str]) -> list[str]:
    """Sentences as a list."""
    items = [html_element("li", text) for text in texts]
    return ["<ul>", *items, "</ul>"] if items else []


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> list[str]:
    """A table whose first column heads its rows; `align` has a letter a column, `<` left and `>` right."""
    numbers = [' class="number"' if a == ">" else "" for a in align]
    heads = "".join(html_element("th", text, f' scope="col"{a}') for text, a in zip(head, numbers))
    lines = ["<table>", f"<thead><tr>{heads}</tr></thead>", "<tbody>"]
    for first, *others in rows:
        cells = "".join(html_element("td", text, a) for text, a in zip(others, numbers[1:]))
        head_of_row = html_element("th", first, ' scope="row"')
        lines.append(f"<tr>{head_of_row}{cells}</tr>")
    return [*lines, "</tbody>", "</table>"]
