"""How much is to be worked out for a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mantlet.errors import UsageError, WorkLimitError
from mantlet.probability.exact import Exact
from mantlet.ruleset import Plan

EXACT_STEPS = 200_000
"""How many steps exact odds may take before the rest is estimated: about a second's worth."""
ESTIMATE_STEPS = 500_000
"""How many steps an estimate may take: about two seconds' worth."""
ASKED_STEPS = 15_000_000
"""How many steps an estimate from so many samples as are asked for may take: about a minute's worth."""
EXACT_SHARE = 0.4
"""How much of the time that is shown is for what is exact, where the rest is estimated."""
INSISTED_STEPS = 6_000_000
"""How many steps exact odds may take where they are insisted on: some ten to twenty-five seconds' worth."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How figures are to be worked out: by default exactly where that takes little, and estimated where it does not.

    `exact` insists on exact figures: a far higher limit, and WorkLimitError beyond it. `fractions` gives them as
    `Fraction`, and implies `exact`. `samples` is how many attacks an estimate is made from, whatever its error (fewer
    where they take more than `ASKED_STEPS`); `seed` is that of its dice. `progress` is called now and then with the
    share (0..1) that is done of the steps allowed, or of the samples asked for.
    Raises UsageError for fewer than one sample, and for samples where exact figures are insisted on.
    """

    exact: bool = False
    samples: int | None = None
    seed: int = 1
    fractions: bool = False
    progress: Callable[[float], None] | None = None

    def __post_init__(self) -> None:
        if self.samples is not None and self.samples < 1:
            raise UsageError("An estimate needs at least one sample.")
        if self.samples is not None and self.insists:
            raise UsageError("Exact figures need no samples: ask for one or the other.")

    @property
    def insists(self) -> bool:
        """Whether only exact figures will do."""
        return self.exact or self.fractions

    @property
    def sampling_steps(self) -> int:
        """How many steps samples may take."""
        return ESTIMATE_STEPS if self.samples is None else ASKED_STEPS

    def engine(self) -> Exact:
        """The engine of exact odds for one question; people alike are taken as one."""
        show = self.progress
        if self.insists:
            return Exact(fractions=self.fractions, limit=INSISTED_STEPS, merge_alike=True, progress=show)
        part = None if show is None else lambda share: show(EXACT_SHARE * share)
        return Exact(limit=EXACT_STEPS, merge_alike=True, progress=part)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What every answer says of itself: from how many `samples` (0: all is exact), with the dice of which `seed`."""

    samples: int = 0
    seed: int | None = None

    @property
    def exact(self) -> bool:
        """Whether every figure is exact."""
        return not self.samples


@contextmanager
def refused_in_words(plan: Plan, shots: int = 1) -> Iterator[None]:
    """Around work on exact odds: the WorkLimitError says what of the attack is too large, not where it stopped."""
    try:
        yield
    except WorkLimitError as error:
        rounds, people = plan.attack.rounds, len(plan.target.crew)
        what = f"{shots:,} attacks" if shots > 1 else "an attack"
        burst = f" of {rounds:,} rounds" if rounds > 1 else ""
        aboard = f" with {people:,} {'people' if people > 1 else 'person'}" if people else ""
        text = f"Too much can happen in {what}{burst} at a {plan.target.kind}{aboard} for exact odds."
        raise WorkLimitError(text) from error


USUAL = Effort()
