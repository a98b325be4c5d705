"""`Dice`: what a rule body asks for every random thing, giving the reason. No rule body knows what stands behind it.

A rule body is split into stages: a stage is a plain function `stage(dice, *arguments)` that returns either its result
or `dice.then(next_stage, *arguments)`. Arguments are frozen and hashable, so that exact odds can merge equal states.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn, TypeVar, final

from mantlet.dice.contest import Contest, Contestant
from mantlet.dice.notation import DiceExpr, as_dice
from mantlet.dice.tables import Bands, Check, Row, Table, chance_bands, roll_bands, share_bands
from mantlet.errors import RuleError

T = TypeVar("T", bound=Hashable)
Stage = Callable[..., Any]


ROUNDING = 1e-9
"""How far outside 0..1 a chance may come to lie by rounding."""
MAX_STAGES = 10_000
"""How many stages a rule body may run through: more is a chain that does not end."""


class Then:
    """How a stage hands on to the next one: the stage and its arguments. Made by `Dice.then`."""

    __slots__ = ("arguments", "stage")

    def __init__(self, stage: Stage, arguments: tuple[Any, ...]) -> None:
        self.stage = stage
        self.arguments = arguments


def _then(stage: Stage, *arguments: Any) -> Then:
    return Then(stage, arguments)


Chooser = Callable[[Bands[Any], str, str], Any]
Arranger = Callable[[Contest, str, str], tuple[int, ...]]
Noter = Callable[..., None]
Hander = Callable[..., Then]
Settler = Callable[[Stage, tuple[Any, ...]], Any]
Label = Callable[[Any], str] | None
Reader = Callable[[DiceExpr, Callable[..., Any], tuple[Any, ...], str, str, Label], Any]
"""What `Dice.read` is asked for: the dice, what a total means, given what, the reason, the rule, and how it is told."""


@final
class Dice:
    """Asks for random things by reason. One class for seeded, typed, scripted and exact dice: none can be told apart.

    Every method takes the reason people read and, where a rule of the source asks for the roll, its rule id.
    """

    __slots__ = ("_arrange", "_choose", "_read", "_settle", "merges", "note", "settler", "then")

    def __init__(
        self,
        choose: Chooser,
        arrange: Arranger,
        note: Noter,
        then: Hander = _then,
        settle: Settler | None = None,
        read: Reader | None = None,
        merges: bool = False,
        settler: Callable[[Stage, tuple[Any, ...]], Callable[[], Any]] | None = None,
    ) -> None:
        self._choose = choose
        self._arrange = arrange
        self._settle = settle
        self._read = read
        self.merges = merges
        """Whether odds are being worked out in which people alike are not told apart. For `mantlet.Crowd` alone: a rule
        body must not look at it."""
        self.settler = settler
        """`settler(stage, arguments)` looks a body up once and gives a function that draws its results: of dice that
        sample. For `mantlet.Crowd` alone."""
        self.then = then
        """`then(stage, *arguments)` ends this stage and hands on to the next. Return what this gives."""
        self.note = note
        """`note(rule, template, *values)` adds a line to the account: `note("F5", "{} mm / cos {:.0f}", 80, 30)`."""

    def roll(self, dice: DiceExpr | str, reason: str, rule: str = "") -> int:
        """The total of a dice expression."""
        bands = dice.cut if type(dice) is DiceExpr else None
        result: int = self._choose(bands or roll_bands(dice), reason, rule)
        return result

    def read(
        self,
        dice: DiceExpr | str,
        meaning: Callable[..., T],
        *given: Hashable,
        reason: str,
        rule: str = "",
        label: Callable[[T], str] | None = None,
    ) -> T:
        """What the total of a roll means: `meaning(total, *given)`, a pure function.

        Rolled like `roll`; the account shows the total, or what `label` says of the meaning. In odds totals that mean
        the same are one branch, so that a rule may be written as a plain function of the total: what it gives has to be
        hashable, and equal where nothing that follows differs (fields that are only told can be left out of the
        comparison).
        """
        if self._read is not None:
            return self._read(as_dice(dice), meaning, given, reason, rule, label)  # type: ignore[no-any-return]
        return meaning(self.roll(dice, reason, rule), *given)

    def pick(self, table: Table[T], reason: str, rule: str = "", modifier: int = 0) -> T:
        """The value of the row a roll on the table gives; the modifier is added to the total."""
        result: T = self._choose(table.bands(modifier) if modifier else table.plain, reason, rule)
        return result

    def check(self, check: Check[T], reason: str, rule: str = "") -> T:
        """The grade of a roll against a target number."""
        result: T = self._choose(check.bands, reason, rule)
        return result

    def chance(self, probability: float | Fraction, reason: str, rule: str = "") -> bool:
        """Whether something of this probability (0..1) happens. Certain and impossible things ask for no dice.

        Raises RuleError outside 0..1, by more than a rounding error.
        """
        if type(probability) is not float:
            if type(probability) is Fraction:
                return self._share(probability.numerator, probability.denominator, reason, rule)
            probability = float(probability)  # a NumPy scalar or a whole number
        if probability <= 0:
            return probability < -ROUNDING and _no_chance(probability)
        if probability >= 1:
            return probability <= 1 + ROUNDING or _no_chance(probability)
        result: bool = self._choose(chance_bands(probability), reason, rule)
        return result

    def _share(self, favorable: int, all_: int, reason: str, rule: str) -> bool:
        # Apart from `chance`, because fractions are slow to compare and to look up.
        if not 0 < favorable < all_:
            return favorable > 0 if 0 <= favorable <= all_ else _no_chance(Fraction(favorable, all_))
        result: bool = self._choose(share_bands(favorable, all_), reason, rule)
        return result

    def one_of(self, options: Sequence[T], reason: str, rule: str = "") -> T:
        """One of several at equal odds; a single option asks for no dice. Raises RuleError when there is none."""
        if len(options) == 1:
            return options[0]
        if not options:
            raise RuleError(f"Nothing to choose from for {reason!r}.")
        result: T = self._choose(_even_table(*options).bands(), reason, rule)
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

    def settle(self, stage: Stage, *arguments: Any) -> Any:
        """The result of a rule body of its own, played out here and now.

        For a part that needs little of the state around it: exact dice work out the distribution of its results once
        for equal arguments, and this stage then branches only by result.
        """
        if self._settle is not None:
            return self._settle(stage, arguments)
        return run(self, stage, *arguments)

    def _refuse(self, *_: object) -> Any:
        raise RuleError("A rule body must not test or compare its dice: ask them for a roll, pick, check or chance.")

    __bool__ = _refuse
    __eq__ = _refuse
    __ne__ = _refuse
    __hash__ = _refuse
    __lt__ = _refuse
    __gt__ = _refuse


def _no_chance(probability: float | Fraction) -> NoReturn:
    raise RuleError(f"A chance lies between 0 and 1, not {probability!s}.")


@lru_cache(maxsize=1024, typed=True)
def _even_table(*options: Any) -> Table[Any]:
    # Typed: an equal option of another type (True for 1, a plain tuple for a location) must not stand in for it.
    rows = [Row(i, i, option, str(option)) for i, option in enumerate(options, start=1)]
    return Table("even choice", f"1d{len(options)}", rows)


def run(dice: Dice, stage: Stage, *arguments: Any) -> Any:
    """Run a rule body from its first stage to its result, with whatever dice these are.

    Raises RuleError for a chain of stages that does not end.
    """
    result = stage(dice, *arguments)
    for _ in range(MAX_STAGES):
        if not isinstance(result, Then):
            check_result(stage, result)
            return result
        result = result.stage(dice, *result.arguments)
    raise RuleError(f"{getattr(stage, '__qualname__', stage)} ran through {MAX_STAGES:,} stages and did not end.")


def check_result(stage: Stage, result: Any) -> None:
    """A hand-over inside a result is a mistake: raises RuleError."""
    if isinstance(result, tuple) and any(isinstance(part, Then) for part in result):
        raise RuleError(
            f"{getattr(stage, '__qualname__', stage)} put a hand-over to the next stage inside its result: "
            "return what dice.then gives alone."
        )
