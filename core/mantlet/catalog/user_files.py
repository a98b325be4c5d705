"""Files that users name, read up to a limit: no device or mistake hangs a command, and what fails has a sentence."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mantlet.errors import CatalogError, sentence

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


MAX_BYTES = 2_000_000
"""The largest data file that is read; the shipped catalog as a whole is a tenth of it."""

_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(path: str | Path) -> dict[str, Any]:
    """A user's TOML file as plain data. Raises CatalogError as `read_text` and `parse_toml` do."""
    return parse_toml(read_text(Path(path), str(path)), str(path))


def read_text(file: Traversable, where: str) -> str:
    """The text of a file that a user names, of at most MAX_BYTES; `where` is its name in messages.

    Raises CatalogError for a file that is missing, a directory, too large, without an end, or not UTF-8.
    """
    try:
        if isinstance(file, Path):
            if file.is_dir():
                raise CatalogError(f"{where} is a directory; a file was expected.")
            size = file.stat().st_size
            if size > MAX_BYTES:
                raise CatalogError(f"{where} is too large for a data file: {size} bytes, at most {MAX_BYTES}.")
            with file.open("rb") as stream:  # a device has no size, and perhaps no end
                raw = stream.read(MAX_BYTES + 1)
            if len(raw) > MAX_BYTES:
                raise CatalogError(f"{where} is too large for a data file: at most {MAX_BYTES} bytes are read.")
        else:
            raw = file.read_bytes()
        return raw.decode("utf-8-sig")
    except FileNotFoundError:
        raise CatalogError(f"There is no file {where}.") from None
    except UnicodeDecodeError as error:
        raise CatalogError(f"{where} is not UTF-8 text: byte {error.start} cannot be read.") from None
    except OSError as error:
        raise CatalogError(f"{where} cannot be read: {sentence(error.strerror or error)}") from None


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """TOML as plain data. Raises CatalogError with line and column for what is not."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise CatalogError(f"{where} is nested too deeply to be read.") from None
    except ValueError as error:
        place = _TOML_PLACE.search(str(error))
        message = _TOML_PLACE.sub("", str(error))
        if "set_int_max_str_digits" in message:  # advice for programmers
            message = "A number has too many digits"
        line = f", line {place[1]}, column {place[2]}" if place and place[1] else (", at the end" if place else "")
        raise CatalogError(f"{where}{line}: not TOML: {sentence(message)}") from None
