"""Which line of a TOML text a key stands on, so that an error can point at it.

`tomllib` keeps no positions. This reads a text that `tomllib` has already accepted once more, only far enough to know
where each key, table and array item begins; it checks nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

KeyPath = tuple[str | int, ...]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_SCALAR = re.compile(r"[^,\]}#\n]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'",
    re.DOTALL,
)


def line_of(text: str, path: KeyPath) -> int:
    """The line, from 1, of the key at `path` in `text`, or of the nearest table around it when the key is missing.

    A path goes through keys and, in arrays, through indices from 0: `("weapon", 1, "ammunition", 0, "kind")`.
    """
    return line_in(key_lines(text), path)


def line_in(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """The same as `line_of` for a text whose `key_lines` are known."""
    for end in range(len(path), 0, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return 1


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """The line, from 1, of every key, table and array item of a TOML text."""
    return _Reader(text).read()


class _Reader:
    """One pass over the text. `at` is where it stands; `lines` is what it found."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.items: dict[KeyPath, int] = {}
        self._counted_to = 0
        self._line = 1

    def read(self) -> Mapping[KeyPath, int]:
        table: KeyPath = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BLANK)
        return self.lines

    def skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found and found.end() > self.at else self.at

    def mark(self, path: KeyPath, at: int) -> None:
        self._line += self.text.count("\n", self._counted_to, at)
        self._counted_to = at
        self.lines.setdefault(path, self._line)

    def header(self) -> KeyPath:
        """`[a.b]` or `[[a.b]]`: the path of the table that it opens."""
        start = self.at
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        keys = self.keys()
        self.at += 2 if many else 1
        path: KeyPath = ()
        for n, key in enumerate(keys):
            path = (*path, key)
            last = n == len(keys) - 1
            if last and many:
                self.items[path] = self.items.get(path, -1) + 1
            self.mark(path, start)
            if path in self.items:
                path = (*path, self.items[path])
                self.mark(path, start)
        return path

    def keys(self) -> list[str]:
        """A dotted key: its parts."""
        parts = []
        while True:
            self.skip(_SPACE)
            found = _BARE_KEY.match(self.text, self.at)
            if found:
                parts.append(found.group())
                self.at = found.end()
            else:
                parts.append(self.string())
            self.skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:  # not TOML: cannot happen after tomllib has accepted it, but must not loop
            self.at = len(self.text)
            return ""
        self.at = found.end()
        raw = found.group()
        if raw.startswith("'"):
            return raw.strip("'")
        try:
            return str(json.loads(raw))
        except ValueError:
            return raw.strip('"')

    def pair(self, table: KeyPath) -> None:
        """`key = value`, the key possibly dotted."""
        start = self.at
        path = table
        for key in self.keys():
            path = (*path, key)
            self.mark(path, start)
        self.skip(_SPACE)
        self.at += 1
        self.skip(_SPACE)
        self.value(path)

    def value(self, path: KeyPath) -> None:
        first = self.text[self.at : self.at + 1]
        if first == "[":
            self.at += 1
            self.skip(_BLANK)
            index = 0
            while self.at < len(self.text) and self.text[self.at] != "]":
                self.mark((*path, index), self.at)
                self.value((*path, index))
                index += 1
                self.comma()
            self.at += 1
        elif first == "{":
            self.at += 1
            self.skip(_BLANK)
            while self.at < len(self.text) and self.text[self.at] != "}":
                self.pair(path)
                self.comma()
            self.at += 1
        elif first in ('"', "'"):
            self.string()
        else:
            self.skip(_SCALAR)

    def comma(self) -> None:
        self.skip(_BLANK)
        if self.text.startswith(",", self.at):
            self.at += 1
        self.skip(_BLANK)
