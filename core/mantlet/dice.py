"""`Dice`: what a rule body asks for every random thing, giving the reason. No rule body knows what stands behind it.

A rule body is split into stages: a stage is a plain function `stage(dice, *arguments)` that returns either its result
or `dice.then(next_stage, *arguments)`. Arguments are frozen and hashable, so that exact odds can merge equal states.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, final

from mantlet.contest import Contest, Contestant
from mantlet.errors import RuleError
from mantlet.notation import DiceExpr
from mantlet.tables import Bands, Check, Row, Table, chance_bands, roll_bands

T = TypeVar("T", bound=Hashable)
Stage = Callable[..., Any]


class Then(NamedTuple):
    """How a stage hands on to the next one: the stage and its arguments."""

    stage: Stage
    arguments: tuple[Any, ...]


Chooser = Callable[[Bands[Any], str, str], Any]
Arranger = Callable[[Contest, str, str], tuple[int, ...]]
Noter = Callable[..., None]


@final
class Dice:
    """Asks for random things by reason. One class for seeded, typed, scripted and exact dice, so none can be told apart.

    Every method takes the reason people read and, where a rule of the source asks for the roll, its rule id.
    """

    __slots__ = ("_arrange", "_choose", "note")

    def __init__(self, choose: Chooser, arrange: Arranger, note: Noter) -> None:
        self._choose = choose
        self._arrange = arrange
        self.note = note
        """`note(rule, template, *values)` adds a line to the account: `dice.note("F5", "{} mm / cos {:.0f}", 80, 30)`."""

    def roll(self, dice: DiceExpr | str, reason: str, rule: str = "") -> int:
        """The total of a dice expression."""
        result: int = self._choose(roll_bands(dice), reason, rule)
        return result

    def pick(self, table: Table[T], reason: str, rule: str = "", modifier: int = 0) -> T:
        """The value of the row a roll on the table gives; the modifier is added to the total."""
        result: T = self._choose(table.bands(modifier), reason, rule)
        return result

    def check(self, check: Check[T], reason: str, rule: str = "") -> T:
        """The grade of a roll against a target number."""
        result: T = self._choose(check.bands, reason, rule)
        return result

    def chance(self, probability: float | Fraction, reason: str, rule: str = "") -> bool:
        """Whether something of this probability (0..1) happens. Certain and impossible things ask for no dice."""
        if probability <= 0:
            return False
        if probability >= 1:
            return True
        result: bool = self._choose(chance_bands(probability), reason, rule)
        return result

    def one_of(self, options: Sequence[T], reason: str, rule: str = "") -> T:
        """One of several at equal odds; a single option asks for no dice. Raises RuleError when there is none."""
        if len(options) == 1:
            return options[0]
        if not options:
            raise RuleError(f"Nothing to choose from for {reason!r}.")
        result: T = self._choose(_even_table(tuple(options)).bands(), reason, rule)
        return result

    def worst_failures(
        self, contestants: Sequence[Contestant], take: int, reason: str, rule: str = ""
    ) -> tuple[int, ...]:
        """Everyone rolls; the `take` worst failures are picked, or all if fewer fail. Indices, in rising order.

        A contestant fails by rolling over his target on his dice. Equal margins go by `tiebreak` (lower first), and
        those equal in that too at even odds.
        """
        if take <= 0 or not contestants:
            return ()
        return self._arrange(Contest(tuple(contestants), take), reason, rule)

    @staticmethod
    def then(stage: Stage, *arguments: Any) -> Then:
        """End this stage and hand on to the next. Return what this gives."""
        return Then(stage, arguments)

    def _refuse(self, *_: object) -> Any:
        raise RuleError("A rule body must not test or compare its dice: ask them for a roll, pick, check or chance.")

    __bool__ = _refuse
    __eq__ = _refuse
    __ne__ = _refuse
    __hash__ = _refuse
    __lt__ = _refuse
    __gt__ = _refuse


@lru_cache(maxsize=1024)
def _even_table(options: tuple[T, ...]) -> Table[T]:
    rows = [Row(i, i, option, str(option)) for i, option in enumerate(options, start=1)]
    return Table("even choice", f"1d{len(options)}", rows)


def run(dice: Dice, stage: Stage, *arguments: Any) -> Any:
    """Run a rule body from its first stage to its result, with whatever dice these are."""
    result = stage(dice, *arguments)
    while type(result) is Then:
        result = result.stage(dice, *result.arguments)
    return result
