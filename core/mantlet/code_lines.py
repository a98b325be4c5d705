"""Where in a plugin's code something stands or went wrong: function, file and line, for error messages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any, Final

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
