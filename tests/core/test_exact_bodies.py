"""Exact odds of rule bodies that hypothesis makes up, against an enumeration of every single throw."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import permutations, product
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from mantlet import Check, Contestant, Dice, Exact, Row, Scripted, Seeded, Table, parse_dice, run

# A rule body as data: leaves are results, everything else asks for something and goes on by what came up.


class Leaf(NamedTuple):
    value: Hashable


class Ask(NamedTuple):
    what: tuple[Any, ...]
    branches: tuple[Any, ...]
    hands_on: bool


def _table(cuts: tuple[int, ...], values: tuple[Hashable, ...]) -> Table[Hashable]:
    edges = [1, *cuts, 7]
    return Table("t", "1d6", [Row(a, b - 1, v) for a, b, v in zip(edges, edges[1:], values)])


ASKS: dict[str, Callable[..., Hashable]] = {
    "roll": lambda dice, notation: dice.roll(notation, "roll"),
    "pick": lambda dice, cuts, values, modifier: dice.pick(_table(cuts, values), "pick", modifier=modifier),
    "check": lambda dice, grades: dice.check(Check("2d4", grades), "check"),
    "chance": lambda dice, p: dice.chance(p, "chance"),
    "one_of": lambda dice, options: dice.one_of(options, "one of"),
    "contest": lambda dice, people, take: dice.worst_failures(people, take, "contest"),
    "settle": lambda dice, tree: dice.settle(body, tree, 0),
}


def body(dice: Dice, tree: Leaf | Ask, seen: int) -> object:
    """Play a tree: what came up is folded into a small number, so that states meet again."""
    while isinstance(tree, Ask):
        result = ASKS[tree.what[0]](dice, *tree.what[1:])
        seen, tree = _go_on(tree, result, seen)
        hands_on, follows = seen < 8, tree
        if hands_on and isinstance(follows, Ask) and follows.hands_on:
            return dice.then(body, follows, seen)
    return (tree.value, seen)


def _go_on(tree: Ask, result: Hashable, seen: int) -> tuple[int, Any]:
    number = sum(map(ord, repr(result)))
    return (seen * 3 + number) % 11, tree.branches[number % len(tree.branches)]


# The oracle: every throw of every die, each with its weight.

Weighted = list[tuple[Hashable, Fraction]]


def _throws(notation: str) -> list[int]:
    dice = parse_dice(notation)
    return [dice.total(faces) for faces in product(*(range(1, sides + 1) for sides in dice.faces))]


def _results(what: tuple[Any, ...]) -> Weighted:
    kind = what[0]
    if kind == "chance":
        p = Fraction(what[1])
        return [(True, p), (False, 1 - p)]
    if kind == "one_of":
        return [(option, Fraction(1, len(what[1]))) for option in what[1]]
    if kind == "settle":
        return list(by_every_throw(what[1]).items())
    if kind == "contest":
        return _contest(what[1], what[2])
    if kind == "roll":
        found: list[Hashable] = list(_throws(what[1]))
    elif kind == "check":
        found = [next((v for high, v in what[1] if total <= high), what[1][-1][1]) for total in _throws("2d4")]
    else:
        _, cuts, values, modifier = what
        found = [values[sum(max(1, min(6, face + modifier)) >= cut for cut in cuts)] for face in range(1, 7)]
    return [(value, Fraction(1, len(found))) for value in found]


def _contest(people: tuple[Contestant, ...], take: int) -> Weighted:
    found: Weighted = []
    orders = list(permutations(range(len(people))))
    throws = list(product(*(_throws(c.dice) for c in people)))
    for throw in throws:
        failed = [i for i, c in enumerate(people) if throw[i] > c.target]
        for order in orders:
            ranked = sorted(failed, key=lambda i: (people[i].target - throw[i], people[i].tiebreak, order[i]))
            found.append((tuple(sorted(ranked[:take])), Fraction(1, len(throws) * len(orders))))
    return found


def by_every_throw(tree: Leaf | Ask, seen: int = 0) -> dict[Hashable, Fraction]:
    odds: dict[Hashable, Fraction] = {}
    if isinstance(tree, Leaf):
        return {(tree.value, seen): Fraction(1)}
    for result, weight in _results(tree.what):
        if weight:
            now, follows = _go_on(tree, result, seen)
            for end, p in by_every_throw(follows, now).items():
                odds[end] = odds.get(end, Fraction(0)) + weight * p
    return odds


# What hypothesis makes up.

probabilities = st.one_of(
    st.fractions(0, 1, max_denominator=20), st.floats(0, 1), st.sampled_from([0.0, 1.0, 1e-320, 1 - 2**-53, 0, 1])
)
values = st.sampled_from(["a", "b", 1, 2, None, ("p", 1)])
cuts = st.lists(st.integers(2, 6), max_size=2, unique=True).map(sorted).map(tuple)
picks = cuts.flatmap(
    lambda c: st.tuples(
        st.just("pick"), st.just(c), st.tuples(*[values] * (len(c) + 1)), st.sampled_from([0, 0, 1, -2, 9, -9])
    )
)
contestants = st.builds(
    Contestant,
    st.just("c"),
    st.integers(0, 4),
    st.integers(0, 1),
    st.sampled_from(["1d2", "1d3", "1d2x2"]),
    st.none(),
)
asks = st.one_of(
    st.tuples(st.just("roll"), st.sampled_from(["1d2", "1d6", "2d2", "1d3-1d2", "1d2x3", "1d1", "4"])),
    picks,
    st.tuples(
        st.just("check"),
        st.lists(st.tuples(st.integers(1, 9), values), min_size=1, max_size=3).map(tuple),
    ),
    st.tuples(st.just("chance"), probabilities),
    st.tuples(st.just("one_of"), st.lists(values, min_size=1, max_size=3, unique=True).map(tuple)),
    st.tuples(st.just("contest"), st.lists(contestants, min_size=1, max_size=3).map(tuple), st.integers(1, 3)),
)
leaves = st.builds(Leaf, values)


def _asking(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Ask]:
    settles = st.tuples(st.just("settle"), children)
    return st.builds(
        Ask, st.one_of(asks, asks, asks, settles), st.lists(children, min_size=1, max_size=2).map(tuple), st.booleans()
    )


trees = st.recursive(leaves, _asking, max_leaves=6)


@given(trees)
@settings(max_examples=250)
def test_fractions_equal_every_throw_counted(tree: Leaf | Ask) -> None:
    found = Exact(fractions=True).distribution(body, tree, 0)
    assert found.weights == by_every_throw(tree)
    assert found.total() == 1
    assert all(type(p) is Fraction for p in found.weights.values())


@given(trees)
@settings(max_examples=150)
def test_floats_equal_every_throw_counted(tree: Leaf | Ask) -> None:
    found = Exact().distribution(body, tree, 0)
    expected = by_every_throw(tree)
    assert abs(found.total() - 1) < 1e-12
    assert all(type(p) is float for p in found.weights.values())
    assert all(abs(found[end] - float(p)) < 1e-14 for end, p in expected.items())
    assert set(found) <= set(expected)


@given(trees)
@settings(max_examples=60)
def test_means_equal_those_of_the_distribution(tree: Leaf | Ask) -> None:
    def features(result: Any) -> tuple[float, ...]:
        return (result[1], float(result[0] == "a"), 1.0)

    expected = by_every_throw(tree)
    exact = tuple(sum((p * Fraction(features(end)[i]) for end, p in expected.items()), Fraction(0)) for i in range(3))
    assert Exact(fractions=True).mean(features, body, tree, 0) == exact
    engine = Exact()
    once = engine.mean(features, body, tree, 0)
    assert all(abs(a - float(b)) < 1e-12 for a, b in zip(once, exact))
    # Remembered, and after a distribution: the same to the last bit.
    engine.distribution(body, tree, 0)
    assert engine.mean(features, body, tree, 0) == once


@given(st.lists(trees, min_size=2, max_size=4))
@settings(max_examples=40)
def test_what_was_asked_before_changes_nothing(several: list[Leaf | Ask]) -> None:
    shared = Exact(fractions=True)
    forward = [shared.distribution(body, tree, 0).weights for tree in several]
    backward = [shared.distribution(body, tree, 0).weights for tree in reversed(several)]
    alone = [Exact(fractions=True).distribution(body, tree, 0).weights for tree in several]
    assert forward == alone
    assert backward == alone[::-1]


@given(trees, st.integers(0, 1000))
@settings(max_examples=150)
def test_one_attack_at_the_table_is_among_the_exact_outcomes_and_replays(tree: Leaf | Ask, seed: int) -> None:
    seeded = Seeded(seed)
    result = run(seeded.dice, body, tree, 0)
    assert by_every_throw(tree)[result] > 0
    replay = Scripted(seeded.account.script)
    assert run(replay.dice, body, tree, 0) == result
    replay.finish()
