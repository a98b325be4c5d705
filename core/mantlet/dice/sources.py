"""Dice for one attack at the table: seeded, typed by hand, or scripted. Each keeps an account."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar

from mantlet.dice.account import Account, Note, Roll
from mantlet.dice.contest import Contest, order_failures
from mantlet.dice.dice import Dice, Label
from mantlet.dice.notation import DiceExpr, as_dice
from mantlet.dice.tables import Bands, roll_bands
from mantlet.errors import DiceInputError

R = TypeVar("R")

PERCENT = 100.0
ROLL_IT = "?"
"""What stands for a roll that mantlet makes among dice that are given."""
ZERO_IS_HIGHEST = (10, 100)
"""The dice on which a 0 is printed for the highest face."""


class Source(ABC):
    """Rolls real dice one at a time and keeps the account. `dice` is what a rule body is given."""

    def __init__(self) -> None:
        self.account = Account()
        self.dice = Dice(self._choose, self._arrange, self._note, read=self._read)

    @abstractmethod
    def throw(self, dice: DiceExpr, reason: str) -> tuple[int, tuple[int, ...]]:
        """One throw: its total, and the single faces where they are known."""

    @abstractmethod
    def percent(self, probability: float, reason: str) -> float:
        """A number from 0 to 100 for a plain chance; at most the chance in percent means that it happens."""

    def _choose(self, bands: Bands[Any], reason: str, rule: str) -> Any:
        if bands.dice is None:
            probability = float(bands.chance or 0)
            shown = self.percent(probability, reason)
            happens = shown <= probability * PERCENT
            value = bands.values[0 if happens else 1]
            text, chance = ("yes", probability) if happens else ("no", 1 - probability)
            self.account.entries.append(Roll(reason, rule, "d%", (), shown, text, chance, probability * PERCENT))
            return value
        if not bands.dice.faces:
            return bands.values[0]  # a plain number: nothing to throw
        total, faces = self.throw(bands.dice, reason)
        at = bands.index(total)
        value = bands.values[at]
        label = bands.labels[at] if bands.labels is not None else str(value)
        chance = bands.ways[at] / bands.combinations
        check = bands.target
        target, modifiers = (None, ()) if check is None else (check.target, check.modifiers)
        self.account.entries.append(Roll(reason, rule, str(bands.dice), faces, total, label, chance, target, modifiers))
        return value

    def _read(
        self, dice: DiceExpr, meaning: Callable[..., Any], given: tuple[Any, ...], reason: str, rule: str, label: Label
    ) -> Any:
        value = meaning(self._choose(roll_bands(dice), reason, rule), *given)
        if label is not None and dice.faces:
            entry = self.account.entries[-1]
            assert isinstance(entry, Roll)
            self.account.entries[-1] = entry._replace(result=label(value))
        return value

    def _arrange(self, contest: Contest, reason: str, rule: str) -> tuple[int, ...]:
        totals = []
        for c in contest.contestants:
            dice = as_dice(c.dice)
            total, faces = self.throw(dice, f"{reason}: {c.label}")
            totals.append(total)
            missed = total - c.target
            text = f"missed by {missed}" if missed > 0 else "made"
            made = dice.ways_up_to(c.target)
            chance = (dice.combinations - made if missed > 0 else made) / dice.combinations
            self.account.entries.append(
                Roll(f"{reason}: {c.label}", rule, str(dice), faces, total, text, chance, c.target)
            )
        chosen: list[int] = []
        for waiting in order_failures(contest, totals):
            if len(chosen) + len(waiting) <= contest.take:
                chosen += waiting
                continue
            while len(chosen) < contest.take:
                names = ", ".join(contest.contestants[i].label for i in waiting)
                lots = roll_bands(f"1d{len(waiting)}")
                chosen.append(waiting.pop(self._choose(lots, f"{reason}: tie between {names}", rule) - 1))
        return tuple(sorted(chosen))

    def _note(self, rule: str, template: str, *values: Any) -> None:
        self.account.entries.append(Note(rule, template, values))


class Seeded(Source):
    """Dice from a seed. Equal seeds give equal throws on every machine and version of Python.

    `state` is two numbers, the seed and how many dice have been thrown, and is what a saved game keeps.
    """

    def __init__(self, seed: int, thrown: int = 0) -> None:
        super().__init__()
        self.seed = seed
        self.thrown = thrown
        # random() alone is promised never to change between versions, so every die is made from it.
        self._random = random.Random(seed).random
        for _ in range(thrown):
            self._random()

    @property
    def state(self) -> dict[str, int]:
        """The generator's state: `Seeded(**state)` goes on from here."""
        return {"seed": self.seed, "thrown": self.thrown}

    def throw(self, dice: DiceExpr, reason: str) -> tuple[int, tuple[int, ...]]:
        faces = tuple([1 + int(self._random() * sides) for sides in dice.faces])
        self.thrown += len(faces)
        return dice.total(faces), faces

    def percent(self, probability: float, reason: str) -> float:
        self.thrown += 1
        return self._random() * PERCENT


class _Given(Source):
    """Dice whose values come as texts; both kinds read the same forms (`read_throw`, `read_percent`).

    `?` asks for this one to be rolled, which the account tells, as it does where a 0 is read as 10 or 100.
    """

    def __init__(self, seed: int | None) -> None:
        super().__init__()
        self._seed = seed

    @cached_property
    def _roller(self) -> Seeded:
        return Seeded(random.SystemRandom().randrange(10**9) if self._seed is None else self._seed)

    def _read_throw(self, text: str, dice: DiceExpr, where: str) -> tuple[int, tuple[int, ...]]:
        if text.strip() == ROLL_IT:
            self._note("", "{} is rolled, as ? asks.", dice)
            return self._roller.throw(dice, where)
        total, faces = read_throw(text, dice, where)
        if "0" in _parts(text):
            for sides in sorted({sides for sides, face in zip(dice.faces, faces) if face == sides in ZERO_IS_HIGHEST}):
                self._note("", "A 0 on a d{} is read as {}.", sides, sides)
        return total, faces

    def _read_percent(self, text: str, probability: float, where: str) -> float:
        if text.strip() == ROLL_IT:
            self._note("", "d% is rolled, as ? asks.")
            return self._roller.percent(probability, where)
        if text.strip() == "0":
            self._note("", "A 0 on a d100 is read as 100.")
        return read_percent(text, where)


class Scripted(_Given):
    """Dice that come up as told, one value a roll: its total, or the faces joined by plus signs (`3+5+1+6`).

    A value for a plain chance is a percentage. `?` is rolled, from `seed` if there is one. Raises DiceInputError,
    naming the roll, for a value too many (`finish`), too few, out of range, or empty.
    """

    def __init__(self, values: Sequence[str | int | float] | str, seed: int | None = None) -> None:
        super().__init__(seed)
        parts = values.split(",") if isinstance(values, str) else [str(v) for v in values]
        self._values = [part.strip() for part in parts]
        if isinstance(values, str) and self._values == [""]:
            self._values = []
        if "" in self._values:
            raise DiceInputError(
                f"Value {self._values.index('') + 1} of {len(parts)} of the scripted dice is empty in "
                f"{','.join(parts)!r}: a value is a total, or faces such as 3+5."
            )
        self._at = 0

    def throw(self, dice: DiceExpr, reason: str) -> tuple[int, tuple[int, ...]]:
        where = f"value {self._at + 1} for {reason!r}"
        return self._read_throw(self._next(f"{reason!r}, a roll of {dice}"), dice, where)

    def percent(self, probability: float, reason: str) -> float:
        where = f"value {self._at + 1} for {reason!r}"
        return self._read_percent(self._next(f"{reason!r}, a chance of {probability:.1%}"), probability, where)

    def finish(self) -> None:
        """Say so when values are left over: a script that does not fit is a mistake."""
        left = self._values[self._at :]
        if left:
            used = f"it took {self._at} roll{'' if self._at == 1 else 's'}"
            are = "die is" if len(left) == 1 else "dice are"
            raise DiceInputError(f"{len(left)} scripted {are} left over ({', '.join(left[:5])}): {used}.")

    def _next(self, what: str) -> str:
        if self._at >= len(self._values):
            raise DiceInputError(f"The scripted dice ran out after {self._at}: the next roll is {what}.")
        self._at += 1
        return self._values[self._at - 1]


class Typed(_Given):
    """The game master's own dice: asks one prompt a roll, and again while the answer cannot be right.

    `ask` is given the prompt and returns the line typed; `complain` is given what was wrong with it.
    """

    def __init__(self, ask: Callable[[str], str], complain: Callable[[str], None]) -> None:
        super().__init__(None)
        self._ask = ask
        self._complain = complain

    def throw(self, dice: DiceExpr, reason: str) -> tuple[int, tuple[int, ...]]:
        how = f"{dice}"
        if not _is_one_die(dice):
            count = len(dice.faces)
            total = f"the total, {dice.low} to {dice.high}"
            how += f": {total}, or +face" if count == 1 else f": {count} faces, or {total}"
        prompt = f"{reason} ({how})"
        return self._until_right(prompt, reason, lambda answer: self._read_throw(answer, dice, reason))

    def percent(self, probability: float, reason: str) -> float:
        prompt = f"{reason} (d%, {probability:.1%} or less: yes)"
        return self._until_right(prompt, reason, lambda answer: self._read_percent(answer, probability, reason))

    def _until_right(self, prompt: str, reason: str, read: Callable[[str], R]) -> R:
        while True:
            try:
                answer = self._ask(prompt)
            except EOFError:
                raise DiceInputError(f"The typed dice ended before {reason!r} was rolled.") from None
            try:
                return read(answer.strip())
            except DiceInputError as error:
                self._complain(str(error))


def _is_one_die(dice: DiceExpr) -> bool:
    """Whether the total is the face shown."""
    return len(dice.terms) == 1 and dice.terms[0][0] == 1 and not dice.constant and dice.multiplier == 1


def read_throw(text: str, dice: DiceExpr, where: str) -> tuple[int, tuple[int, ...]]:
    """A throw as people write it: one total (`9`, `=9`), or all faces (`3+5+1`, `3 5 1`; `+5` for a single die).

    `00` on percentile dice is 100, `0` on a ten-sided or percentile die is its highest face. Raises DiceInputError.
    """
    text = text.strip()
    parts = _parts(text)
    if _is_one_die(dice) or (not text.startswith("=") and (len(parts) > 1 or text.startswith("+"))):
        return read_faces(parts, dice, where)
    total = _integer(parts[0], where)
    if not dice.can_total(total):
        raise DiceInputError(f"{where}: {dice} comes to {dice.range_text}, not {parts[0]}.")
    return total, ()


def _parts(text: str) -> list[str]:
    """The numbers of a throw, each by itself."""
    return re.split(r"\s*[+,]\s*|\s+", text.strip().removeprefix("=").removeprefix("+").strip())


def read_faces(parts: Sequence[str], dice: DiceExpr, where: str) -> tuple[int, tuple[int, ...]]:
    """The faces of every single die, as printed on it."""
    sides = dice.faces
    if len(parts) != len(sides):
        given = "1 face was" if len(parts) == 1 else f"{len(parts)} faces were"
        raise DiceInputError(f"{where}: {dice} has {len(sides)} dice, but {given} given.")
    faces = []
    for text, most in zip(parts, sides):
        face = _integer(text, where)
        if face == 0 and most in ZERO_IS_HIGHEST:
            face = most
        if not 1 <= face <= most:
            raise DiceInputError(f"{where}: a d{most} shows 1 to {most}, not {text.strip()}.")
        faces.append(face)
    return dice.total(faces), tuple(faces)


def read_percent(text: str, where: str) -> float:
    """A percentage from 0 to 100, decimals allowed; `00` and `0` are 100, as on percentile dice."""
    stripped = text.strip().removeprefix("=").removesuffix("%").strip()
    if stripped in ("00", "0"):
        return PERCENT
    try:
        value = float(stripped)
    except ValueError:
        raise DiceInputError(f"{where}: expected a number from 0 to 100, not {text.strip()!r}.") from None
    if not 0 <= value <= PERCENT:
        raise DiceInputError(f"{where}: expected a number from 0 to 100, not {text.strip()}.")
    return value


def _integer(text: str, where: str) -> int:
    stripped = text.strip()
    if not re.fullmatch(r"[-−]?[0-9]{1,9}", stripped):
        raise DiceInputError(f"{where}: expected a whole number, not {stripped!r}.")
    return int(stripped.replace("−", "-"))
