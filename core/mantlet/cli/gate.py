"""The gate: whatever is printed goes through it, and what a terminal obeys or hides is shown as an escape.

Names, notes and messages come from files, plugins and exceptions. A control character in them could move the cursor,
retitle the window or hide text; a format character could turn a line around. Styling of mantlet's own goes behind it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import UnsupportedOperation
from typing import Any, Final, TextIO, cast

HIDDEN: Final = re.compile(
    # Unicode's classes Cc but for line feed, tab, and the return before a line feed; Cf; Zl and Zp.
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)|[\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
"""Characters that a terminal obeys or does not show."""


def visible(text: str) -> str:
    """The text with such characters as visible escapes: `\\x1b`, `<U+200B>`. What is visible already stays as it is."""
    return HIDDEN.sub(_escape, text)


def visible_json(text: str) -> str:
    """JSON with such characters, which stand only in its strings, in JSON's own escapes."""
    return HIDDEN.sub(lambda found: json.dumps(found.group())[1:-1], text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0xA0 else f"<U+{code:04X}>"


class Gate:
    """A text stream that shows `visible` text on the stream behind it, and is like that one otherwise.

    There is no way around it: no `buffer` for bytes, and no `fileno`, to which `input` would write its prompts.
    """

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind

    def write(self, text: str) -> int:
        """Show a text; the number of its characters, as any stream gives it."""
        self.behind.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Show texts one after the other."""
        for line in lines:
            self.write(line)

    def fileno(self) -> int:
        """Raises UnsupportedOperation."""
        raise UnsupportedOperation("mantlet's output takes text alone, so it has no fileno")

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError("mantlet's output takes text alone, so it has no buffer")
        return getattr(self.behind, name)


def behind(stream: TextIO) -> TextIO:
    """The stream behind the gate, for codes of mantlet's own; what comes from elsewhere must be `visible` there."""
    return stream.behind if isinstance(stream, Gate) else stream


@contextmanager
def gated() -> Iterator[None]:
    """Standard output and standard error go through the gate. Either may be None."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, Gate(behind(stream))) if stream is not None else stream for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
