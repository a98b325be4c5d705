"""Every error a user can meet. Each is one sentence: what, where, what was expected, the nearest valid name.

And where in a plugin's code something stands or went wrong: function, file and line.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FrameType
from typing import Any, Final


class MantletError(Exception):
    """Base of every error this project raises on purpose. `exit_code` is what a command ends with."""

    exit_code = 1


class UsageError(MantletError):
    """The command or call was put together wrongly."""

    exit_code = 2


class DiceSyntaxError(MantletError):
    """A dice expression that cannot be read; points at the character."""

    exit_code = 2

    def __init__(self, text: str, position: int, message: str) -> None:
        self.text = text
        self.position = position
        self.message = message
        super().__init__(f"{message}\n  {text}\n  {' ' * position}^")


class TableError(MantletError):
    """A table with a gap, an overlap or a row no die reaches."""


class DiceInputError(MantletError):
    """Typed or scripted dice that do not fit what the rules ask for."""


class WorkLimitError(MantletError):
    """Exact odds would take more steps than the caller allows."""


class RuleError(MantletError):
    """A rule body that breaks the rules of writing rules (the author's mistake, not the user's)."""


class CatalogError(MantletError):
    """Bad data in a catalog or state file: names file, key and line.

    `problems` are pairs of a key path inside the data and a sentence, where each mistake is known by itself.
    """

    def __init__(self, text: str, problems: Iterable[tuple[tuple[str | int, ...], str]] = ()) -> None:
        self.problems = tuple(problems)
        super().__init__(text)


class NotCoveredError(MantletError):
    """A ruleset has no rule for this attack; the text says why."""


class PluginError(MantletError):
    """A plugin that cannot be used; the text names it and says why."""


class UnknownNameError(MantletError):
    """A name nobody knows, with the nearest ones that exist, or all of them where none is near and they are few.

    `where` may list them itself, in parentheses at its end.
    """

    few = 16

    def __init__(self, kind: str, name: str, known: Iterable[str], where: str = "") -> None:
        self.kind = kind
        self.name = name
        names = list(dict.fromkeys(known))
        self.near = nearest(name, names)
        text = f"No {kind} is called {name!r}" + (f" in {where}" if where else "") + "."
        if self.near:
            text += f" Did you mean {_one_of(self.near)}?"
        elif 0 < len(names) <= self.few and not where.endswith(")"):
            text += f" Known: {', '.join(names)}."
        super().__init__(text)


def sentence(text: object) -> str:
    """The text with a full stop at its end, unless it ends a sentence already."""
    told = str(text).rstrip()
    return told if told.endswith((".", "!", "?", "…")) else f"{told}."


def nearest(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known names closest to `name`, best first; names that contain it come before mere look-alikes."""
    names = sorted(set(known))
    low = name.lower()
    inside = [n for n in names if len(low) > 2 and low in n.lower()]
    alike = difflib.get_close_matches(low, [n.lower() for n in names], n=most, cutoff=0.6)
    by_lower = {n.lower(): n for n in names}
    found = dict.fromkeys([*(by_lower[a] for a in alike), *sorted(inside, key=len)])
    return tuple(found)[:most]


def misspelt(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one was meant to be, where it is all but certain; None where it may be another."""
    found = difflib.get_close_matches(name.lower(), sorted(set(known)), n=1, cutoff=0.8)
    return found[0] if found else None


def _one_of(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


# -- where in a plugin -------------------------------------------------------------------------------------------------

_NOT_A_PLUGIN: Final = {*sys.stdlib_module_names, "mantlet", "click", "pluggy", "pydantic"}


def line_of(function: Any) -> str:
    """A function with file and line, where it is written in Python, ready to follow a text: ` (in f, file, line 3)`."""
    written = function
    while hasattr(written, "__wrapped__"):
        written = written.__wrapped__
    name = getattr(written, "__qualname__", None) or type(function).__name__
    code = getattr(written, "__code__", None)
    return f" (in {name}, {_file(code)}, line {code.co_firstlineno})" if code else f" (in {name})"


def line_raised(error: BaseException) -> str:
    """The line of a plugin at which an error came up, written like that of `line_of`; empty where none is involved.

    It is the innermost line of the package that mantlet called, with the function of it that was called.
    """
    called: FrameType | None = None
    at = 0
    innermost = None
    for frame, line in _frames(error):
        if called is None:
            if _package(frame) in _NOT_A_PLUGIN:
                continue
            called = frame
        elif _package(frame) != _package(called) and _folder(frame) != _folder(called):
            continue
        innermost, at = frame, line
    if called is None or innermost is None:
        return ""
    function = called.f_code.co_name
    told = "" if function.startswith("<") else f"in {function}, "
    return f" ({told}{_file(innermost.f_code)}, line {at})"


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _file(code: CodeType) -> str:
    """The file of a piece of code; one below the current directory without that."""
    return code.co_filename.removeprefix(os.getcwd() + os.sep)


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _folder(frame: FrameType) -> str:
    return os.path.dirname(frame.f_code.co_filename)
