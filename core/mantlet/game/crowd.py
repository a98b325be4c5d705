"""People alike: a crowd by seat, of whom odds need not tell apart those of one kind in one state.

At the table everybody keeps his seat. When odds are worked out, those alike are taken as one where one of them is
chosen, and put in one order when what befell them is over, so that equal states merge: which of four riflemen fell is
then not told, how many did is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from mantlet.dice.contest import Contestant
from mantlet.dice.dice import Dice, Then
from mantlet.dice.tables import Row, Table

T = TypeVar("T", bound=Hashable)


class Crowd(tuple[T, ...], Generic[T]):
    """The state of everybody, by seat; None where nobody is. Immutable, hashable, and equal to the tuple of its states.

    `kinds` tells by seat who is alike: people of one kind began in the same state, are struck through the same places
    and follow the same rules. States within a kind have to be sortable. `names` is what an account calls them, by seat.
    """

    kinds: tuple[Hashable, ...]
    names: tuple[str, ...]

    def __new__(cls, people: Iterable[T], kinds: Iterable[Hashable], names: Iterable[str] = ()) -> Crowd[T]:
        made = super().__new__(cls, people)
        made.kinds = tuple(kinds)
        made.names = tuple(names)
        return made

    def __getnewargs__(self) -> tuple[tuple[T, ...], tuple[Hashable, ...], tuple[str, ...]]:
        return tuple(self), self.kinds, self.names

    def put(self, seat: int, person: T) -> Crowd[T]:
        """The crowd with somebody in another state."""
        if person == self[seat]:
            return self
        return Crowd((*self[:seat], person, *self[seat + 1 :]), self.kinds, self.names)

    def one_of(self, dice: Dice, seats: Sequence[int], reason: str, rule: str = "") -> int:
        """The seat of one of those in these seats, at even odds. Raises RuleError where there is none."""
        if dice.merges:
            first: dict[tuple[Hashable, T], int] = {}
            seats = [first.setdefault((self.kinds[i], self[i]), i) for i in seats]
        elif self.names:
            return self._named(dice, seats, reason, rule)
        return dice.one_of(tuple(seats), reason, rule)

    def worst_failures(
        self, dice: Dice, rolling: Mapping[int, Contestant], take: int, reason: str, rule: str = ""
    ) -> tuple[int, ...]:
        """The seats of those who fail worst (see `Dice.worst_failures`); `rolling` has by seat who rolls."""
        contestants = list(rolling.values())
        if dice.merges:
            contestants = [c._replace(alike=(self.kinds[seat], self[seat])) for seat, c in rolling.items()]
        seats = tuple(rolling)
        return tuple([seats[n] for n in dice.worst_failures(contestants, take, reason, rule)])

    def _named(self, dice: Dice, seats: Sequence[int], reason: str, rule: str) -> int:
        """The same at the table: neighbors of one name and in one state (horses) are not told apart."""
        table = _seat_table(tuple(seats), tuple([(self[i], self.names[i]) for i in seats]))
        return table.rows[0].value if len(table.rows) == 1 else dice.pick(table, reason, rule)

    def each(
        self, dice: Dice, seats: Sequence[int], stage: Callable[..., Any], *given: Any, note: tuple[Any, ...] = ()
    ) -> Crowd[T]:
        """The same befalls everybody in these seats: `stage(dice, person, *given)` gives the state after it.

        `note` is a line for the account before each of them: rule, template and values, his name put in first.
        """
        after = list(self)
        if dice.settler is not None:
            draws: dict[T, Callable[[], T]] = {}
            for seat in seats:
                person = self[seat]
                draw = draws.get(person) or draws.setdefault(person, dice.settler(stage, (person, *given)))
                after[seat] = draw()
            return Crowd(after, self.kinds, self.names)
        if dice.merges and len(seats) > 1:
            crowd: Crowd[T] = dice.settle(_each, self, tuple(seats), 0, stage, given)
            return crowd
        for seat in seats:
            if note:
                dice.note(*note[:2], self.names[seat], *note[2:])
            after[seat] = dice.settle(stage, self[seat], *given)
        return Crowd(after, self.kinds, self.names)

    def in_order(self, dice: Dice, seats: Iterable[int] | None = None) -> Crowd[T]:
        """The crowd when nothing more befalls it (or those in these seats): in odds, those alike in one order.

        Call it last: a seat that the rules still speak of must not change its man in between.
        """
        if not dice.merges:
            return self
        among = None if seats is None else frozenset(seats)
        after: list[Any] = list(self)
        for alike in _alike(self.kinds):
            group = [i for i in alike if after[i] is not None and (among is None or i in among)]
            for seat, state in zip(group, sorted([after[i] for i in group]), strict=True):
                after[seat] = state
        return self if tuple(after) == self else Crowd(after, self.kinds, self.names)


@lru_cache(maxsize=1024)
def _alike(kinds: tuple[Hashable, ...]) -> tuple[tuple[int, ...], ...]:
    """The seats of those of one kind, where they are several."""
    groups: dict[Hashable, list[int]] = {}
    for seat, kind in enumerate(kinds):
        groups.setdefault(kind, []).append(seat)
    return tuple([tuple(group) for group in groups.values() if len(group) > 1])


@lru_cache(maxsize=1024)
def _seat_table(seats: tuple[int, ...], people: tuple[tuple[Any, str], ...]) -> Table[int]:
    rows: list[Row[int]] = []
    for i, (seat, person) in enumerate(zip(seats, people, strict=True), start=1):
        if rows and person == people[rows[-1].low - 1]:
            rows[-1] = rows[-1]._replace(high=i)
        else:
            rows.append(Row(i, i, seat, person[1]))
    return Table("who", f"1d{len(seats)}", rows)


def _each(
    dice: Dice, crowd: Crowd[Any], seats: tuple[int, ...], at: int, stage: Callable[..., Any], given: tuple[Any, ...]
) -> Crowd[Any] | Then:
    """One after the other, those who have had their turn in order."""
    if at == len(seats):
        return crowd
    seat = seats[at]
    after = crowd.put(seat, dice.settle(stage, crowd[seat], *given)).in_order(dice, seats[: at + 1])
    return dice.then(_each, after, seats, at + 1, stage, given)
