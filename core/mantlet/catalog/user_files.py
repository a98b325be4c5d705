"""Files that users name, or that stand in a file of theirs: read up to limits that are checked before any parsing.

So no file hangs a command or takes its memory, and what fails has a sentence.
"""

from __future__ import annotations

import json
import math
import re
import stat
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mantlet.catalog.toml_lines import key_lines, line_in
from mantlet.errors import CatalogError, sentence

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


MAX_BYTES: Final = 1_200_000
"""The largest data file that is read; the shipped catalog as a whole is a sixth of it."""
MOST_NESTED: Final = 16
"""The most parts of a key, and the most lists and tables in one another; the shipped files have 5."""
_WHOLE: Final = 2**63
"""TOML and JSON files hold whole numbers of 64 bits."""

_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_STRINGS = r'"(?:[^"\\\n]|\\.)*"'
_TOML_MARKS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|' + r"'''.*?'''|" + _STRINGS + r"|'[^'\n]*'|#[^\n]*|(?P<mark>[\[\]{}.=,\n])", re.DOTALL
)
_JSON_MARKS = re.compile(_STRINGS + r"|(?P<mark>[\[\]{}])")


def read_toml(path: str | Path) -> dict[str, Any]:
    """A user's TOML file as plain data. Raises CatalogError as `read_text` and `parse_toml` do."""
    return parse_toml(read_text(Path(path), str(path)), str(path))


def read_text(file: Traversable, where: str) -> str:
    """The text of a file that a user names; `where` is its name in messages.

    Raises CatalogError for a file that is missing, no regular file, too large, or not UTF-8.
    """
    return decode(read_bytes(file, where), where)


def read_bytes(file: Traversable, where: str, what: str = "data file", most: int = MAX_BYTES) -> bytes:
    """What a file that a user names holds, of at most `most` bytes; `what` it should be is said in messages.

    Raises CatalogError for a file that is missing, no regular file, or too large.
    """
    if isinstance(file, Path):
        check_file(file, what, most)
    try:
        with file.open("rb") as stream:
            raw = stream.read(most + 1)
    except OSError as error:
        raise CatalogError(f"{where} cannot be read: {sentence(error.strerror or error)}") from None
    if len(raw) > most:  # it has grown
        raise CatalogError(f"{where} is too large for a {what}: at most {most} bytes are read.")
    return raw


def decode(raw: bytes, where: str) -> str:
    """The text that a user's file holds. Raises CatalogError for what is not UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CatalogError(f"{where} is not UTF-8 text: byte {error.start} cannot be read.") from None


def check_file(file: Path, what: str = "data file", most: int = MAX_BYTES) -> None:
    """Refuse what is no regular file, or too large, before anything opens it: a pipe or a device could hang.

    `what` it should have been is said in messages. Raises CatalogError.
    """
    try:
        found = file.stat()
    except FileNotFoundError:
        raise CatalogError(f"There is no file {file}.") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise CatalogError(f"{file} cannot be read: {sentence(getattr(error, 'strerror', None) or error)}") from None
    if not stat.S_ISREG(found.st_mode):
        is_what = "a directory" if stat.S_ISDIR(found.st_mode) else "no ordinary file"
        raise CatalogError(f"{file} is {is_what}; a {what} was expected.")
    if found.st_size > most:
        raise CatalogError(f"{file} is too large for a {what}: {found.st_size} bytes, at most {most}.")


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """TOML as plain data. Raises CatalogError with line and column for what is not, or is over the limits."""
    _check_nesting(_TOML_MARKS, text, where)
    try:
        found = tomllib.loads(text)
    except ValueError as error:
        place = _TOML_PLACE.search(str(error))
        message = _TOML_PLACE.sub("", str(error))
        if "set_int_max_str_digits" in message:  # advice for programmers
            message = "A number has too many digits"
        line = f", line {place[1]}, column {place[2]}" if place and place[1] else (", at the end" if place else "")
        raise CatalogError(f"{where}{line}: not TOML: {sentence(message)}") from None
    for path, value in _values(found):
        if isinstance(value, int) and not -_WHOLE <= value < _WHOLE:
            line = f"{where}, line {line_in(key_lines(text), path)}"
            raise CatalogError(
                f"{line}: {'.'.join(map(str, path))} has too many digits: {len(str(abs(value)))}, and 19 are the most."
            )
    return found


def parse_json(text: str, where: str) -> Any:
    """JSON as plain data: without NaN and infinity, without one key twice in an object.

    Raises CatalogError for what is not, or is over the limits; `where` goes before the reason.
    """
    _check_nesting(_JSON_MARKS, text, where)
    try:
        return json.loads(
            text, parse_int=_whole, parse_float=_finite, parse_constant=_finite, object_pairs_hook=_object
        )
    except ValueError as error:
        raise CatalogError(f"{where}: {sentence(error)}") from None


def _whole(text: str) -> int:
    if len(text) > 20 or not -_WHOLE <= int(text) < _WHOLE:
        raise ValueError(f"a number has too many digits: {len(text.lstrip('-'))}, and 19 are the most")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"a finite number was expected, not {text[:40]}")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {twice!r:.60} stands twice in one object")
    return found


def _check_nesting(marks: re.Pattern[str], text: str, where: str) -> None:
    """Refuse a text whose keys have too many parts, or whose lists and tables lie too deep in one another.

    A parser needs memory by the square of the parts of a key, and a call for each level. Dots of a key are those since
    the last mark that begins another: numbers have one at most.
    """
    depth = dots = 0
    for found in marks.finditer(text):
        mark = found["mark"]
        if mark is None:
            continue
        if mark == ".":
            dots += 1
        else:
            dots = 0
            depth = depth + 1 if mark in "[{" else max(0, depth - 1) if mark in "]}" else depth
        if dots >= MOST_NESTED or depth > MOST_NESTED:
            what = "has a key of too many parts" if dots else "is nested too deeply"
            line = text.count("\n", 0, found.start()) + 1
            raise CatalogError(f"{where}: line {line} {what}: {MOST_NESTED} are the most.")


def _values(data: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value of plain data that is no list or table, with where it stands."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), data)]
    while waiting:
        path, part = waiting.pop()
        if isinstance(part, dict):
            waiting += [((*path, key), value) for key, value in part.items()]
        elif isinstance(part, list):
            waiting += [((*path, n), value) for n, value in enumerate(part)]
        else:
            yield path, part
