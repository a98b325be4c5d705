"""What is wrong with a file of a user: everything at once, each mistake with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any, Final

from mantlet.catalog.toml_lines import key_lines, line_in
from mantlet.catalog.validation import check
from mantlet.errors import CatalogError

MOST_TOLD: Final = 20
"""How many mistakes of one file are listed."""

Problem = tuple[tuple[str | int, ...], str]
"""A key path and a sentence."""

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class FileProblems:
    """What is wrong with one file, with lines where there is a text to point into."""

    def __init__(self, where: str, text: str | None) -> None:
        self.where = where
        self.text = text
        self.found: list[Problem] = []
        self._noted: list[Problem] = []

    def note(self, path: tuple[str | int, ...], sentence: str) -> None:
        """Something that is no mistake, and that the user should know."""
        self._noted.append((path, sentence))

    def notes(self) -> list[str]:
        """What was noted, with lines."""
        return self._told(self._noted)

    def add(self, path: tuple[str | int, ...], sentence: str) -> None:
        """A mistake at a key path."""
        self.found.append((path, sentence))

    def check(
        self,
        kind: Any,
        data: Any,
        path: tuple[str | int, ...] = (),
        label: str = "",
        more: Callable[[Any], Iterable[Problem]] = lambda thing: (),
    ) -> Any:
        """The thing that the data make, None if they do not; what is wrong with it is added.

        `more` looks for what is wrong with a thing whose data are sound.
        """
        checked = check(kind, data)
        for inside, sentence in checked if isinstance(checked, list) else more(checked):
            self.add((*path, *inside), f"{label}{sentence}")
        return None if isinstance(checked, list) else checked

    def raise_any(self) -> None:
        """Raise CatalogError with everything that is wrong, if anything is."""
        if not self.found:
            return
        told = self._told(self.found)
        if len(told) > MOST_TOLD:
            told[MOST_TOLD:] = [f"{self.where}: that is not all; there is more wrong with it."]
        raise CatalogError("\n".join(told))

    def _told(self, found: list[Problem]) -> list[str]:
        if self.text is None or not found:
            return [f"{self.where}: {sentence}" for _, sentence in found]
        known = key_lines(self.text)
        lines = sorted([(line_in(known, path), sentence) for path, sentence in found], key=itemgetter(0))
        return [f"{self.where}, line {line}: {sentence}" for line, sentence in lines]


def unprintable(data: Any) -> Problem | None:
    """A text in plain data that would do something to a terminal instead of being shown, and where it is."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), data)]
    while waiting:
        path, part = waiting.pop()
        if isinstance(part, str):
            if _CONTROL.search(part.replace("\n", " ") if path[-1:] == ("note",) else part):
                return path, part
        elif isinstance(part, Mapping):
            for key, value in part.items():
                waiting += [((*path, key), value), (path, key)]
        elif isinstance(part, (list, tuple)):
            waiting += [((*path, n), value) for n, value in enumerate(part)]
    return None
