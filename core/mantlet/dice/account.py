"""The account of one attack: every roll with its reason, what it came to, and the lines rule bodies add."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from mantlet.dice.tables import Modifier
from mantlet.errors import RuleError


class Roll(NamedTuple):
    """One roll: `total` as rolled (a percentage for a plain chance), `result` the value or band it fell into.

    `shown` is the roll as `--dice` takes it back, so that a whole account can be replayed.
    """

    reason: str
    rule: str
    dice: str
    faces: tuple[int, ...]
    total: float
    result: str
    probability: float
    target: float | None = None
    modifiers: tuple[Modifier, ...] = ()

    @property
    def shown(self) -> str:
        """The value that makes scripted dice repeat this roll."""
        return repr(self.total) if isinstance(self.total, float) else str(self.total)


class Note(NamedTuple):
    """A line of arithmetic or effect that a rule body adds; formatted only when read."""

    rule: str
    template: str
    values: tuple[Any, ...]

    @property
    def text(self) -> str:
        """The line as people read it."""
        return self.template.format(*self.values) if self.values else self.template


Entry: TypeAlias = "Roll | Note"


class Account:
    """The entries of one attack, in order."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    @property
    def rolls(self) -> list[Roll]:
        """The rolls alone."""
        return [entry for entry in self.entries if isinstance(entry, Roll)]

    @property
    def script(self) -> str:
        """The rolls as `--dice` takes them: replaying them gives the same attack."""
        return ",".join(roll.shown for roll in self.rolls)

    def check(self) -> None:
        """Raise RuleError for an entry that cannot be told: a note that cannot be formatted, a reason that is no text.

        Entries are written as they come and formatted when they are read, so that nobody waits for it; whoever is to
        read them finds out here that it cannot be done.
        """
        for entry in self.entries:
            texts = (
                (entry.rule, entry.reason, entry.result) if isinstance(entry, Roll) else (entry.rule, entry.template)
            )
            for text in texts:
                if not isinstance(text, str):
                    raise RuleError(f"The dice were given {text!r:.80} where a text was expected.")
            if isinstance(entry, Note):
                try:
                    entry.text  # noqa: B018  # formatted here
                except Exception as error:
                    told = f"{type(error).__name__}: {error}"
                    raise RuleError(f"The note {entry.template!r:.80} cannot be formatted ({told}).") from error
