"""Which line of a TOML text a key stands on, so that an error can point at it.

`tomllib` keeps no positions. This reads a text that `tomllib` has already accepted once more, only far enough to know
where each key, table and array item begins; it checks nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

KeyPath = tuple[str | int, ...]

_KEY_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_KEY = re.compile(rf"[ \t]*(?:{_KEY_PART.pattern})(?:[ \t]*\.[ \t]*(?:{_KEY_PART.pattern}))*[ \t]*")
_BLANK = re.compile(r"(?:[ \t\r\n,]+|#[^\n]*)*")
_VALUE = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'|" + r"[^,\]}#\n]+",
    re.DOTALL,
)


def line_in(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """The line, from 1, of the key at `path`, or of the nearest table around it when the key is missing.

    `lines` are the text's `key_lines`. A path goes through keys and, in arrays, through indices from 0:
    `("weapon", 1, "ammunition", 0, "kind")`.
    """
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
        self.at = found.end() if found else self.at

    def mark(self, path: KeyPath, at: int) -> None:
        self._line += self.text.count("\n", self._counted_to, at)
        self._counted_to = at
        self.lines.setdefault(path, self._line)

    def header(self) -> KeyPath:
        """`[a.b]` or `[[a.b]]`: the path of the table that it opens."""
        start = self.at
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        keys = self.keys()
        self.at += brackets
        path: KeyPath = ()
        for n, key in enumerate(keys, start=1):
            path = (*path, key)
            if n == len(keys) and brackets == 2:
                self.items[path] = self.items.get(path, -1) + 1
            self.mark(path, start)
            if path in self.items:
                path = (*path, self.items[path])
                self.mark(path, start)
        return path

    def keys(self) -> list[str]:
        """A dotted key: its parts."""
        found = _KEY.match(self.text, self.at)
        if found is None:  # not TOML: cannot happen after tomllib has accepted it, but must not loop
            self.at = len(self.text)
            return []
        self.at = found.end()
        parts = _KEY_PART.findall(found.group())
        return [tomllib.loads(f"part = {part}")["part"] if part[0] in "\"'" else part for part in parts]

    def pair(self, table: KeyPath) -> None:
        """`key = value`, the key possibly dotted."""
        start = self.at
        path = table
        for key in self.keys():
            path = (*path, key)
            self.mark(path, start)
        self.at += 1
        self.skip(_BLANK)
        self.value(path)

    def value(self, path: KeyPath) -> None:
        opening = self.text[self.at : self.at + 1]
        if opening not in ("[", "{"):
            self.skip(_VALUE)
            return
        self.at += 1
        self.skip(_BLANK)
        index = 0
        while self.at < len(self.text) and self.text[self.at] not in "]}":
            if opening == "{":
                self.pair(path)
            else:
                self.mark((*path, index), self.at)
                self.value((*path, index))
                index += 1
            self.skip(_BLANK)
        self.at += 1
