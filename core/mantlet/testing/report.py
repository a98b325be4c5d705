"""What the conformance kit found: violations by kind, in plain sentences, each with its case."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from mantlet.errors import WorkLimitError
from mantlet.game.attack import Attack
from mantlet.game.target import Target

SHOWN: Final = 4
"""How many violations of one kind are listed."""

FAILED: Final = object()
"""What `Report.attempt` gives for a call that raised."""


@dataclass(frozen=True)
class Case:
    """One attack on one target, under the name a violation is reported with."""

    name: str
    attack: Attack
    target: Target


class Report:
    """Collects violations: by kind, so that one fault met in forty cases fills no page.

    `effort` multiplies how much is tried (1 is usual).
    """

    def __init__(self, effort: float = 1.0) -> None:
        self.effort = effort
        self.violations: dict[str, list[str]] = {}

    def fault(self, kind: str, where: str, texts: Iterable[str]) -> None:
        """Take down what is wrong, each text once."""
        for text in texts:
            line = f"{kind}, {where}: {text}" if where else f"{kind}: {text}"
            lines = self.violations.setdefault(kind, [])
            if line not in lines:
                lines.append(line)

    def attempt(self, kind: str, where: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """The function's result, or FAILED when it raises, which is a violation. A work limit is none."""
        try:
            return function(*arguments)
        except WorkLimitError:
            return FAILED
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            name = place.filename.replace("\\", "/").rpartition("/")[2]
            self.fault(kind, where, [f"it raised {type(error).__name__}: {error} ({name}, line {place.lineno})"])
            return FAILED

    def listed(self) -> list[str]:
        """The violations, at most SHOWN of a kind."""
        lines: list[str] = []
        for kind, found in self.violations.items():
            lines += found[:SHOWN]
            if len(found) > SHOWN:
                lines.append(f"{kind}: and {len(found) - SHOWN} more of this kind")
        return lines
