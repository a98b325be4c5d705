"""Several rulesets side by side, as text and markdown: a row an effect, a column a ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mantlet.cli.figures import NOT_COUNTED, Figure, aligned, chance, estimated_from, mean
from mantlet.cli.layout import column_blocks, fold, markdown_table, strong, width
from mantlet.cli.odds_text import foundations
from mantlet.cli.words import circumstances, title, word
from mantlet.game.attack import Attack
from mantlet.game.effects import EFFECTS
from mantlet.game.outcome import ZONES
from mantlet.game.target import Target
from mantlet.probability.comparison import EXPECTED, Odds


class Comparison(NamedTuple):
    """One attack and its odds under each ruleset."""

    attack: Attack
    target: Target
    results: Sequence[Odds]


def text(comparison: Comparison) -> list[str]:
    """The comparison as text."""
    attack, target, results = comparison
    lines = [*fold(strong(f"Chance of each effect: {title(attack, target)}")), *fold(circumstances(attack))]
    labels = _labels(results)
    columns = [[odds.ruleset, *aligned(_figures(odds, results))] for odds in results]
    for part in _side_by_side(labels, columns):
        rows = list(zip(["", *labels], *part))
        table = [line for block in column_blocks(rows, "<" + ">" * len(part)) for line in block]
        lines += ["", table[0]]
        for label, line in zip(labels, table[1:]):
            lines += ["", line] if label in ("people wounded", _first_zone(results)) else [line]
    estimated = _estimated(results)
    lines += ["", *fold(estimated)] if estimated else []
    for odds in results:
        below = _below(odds)
        if below:
            lines += ["", strong(odds.ruleset)]
            lines += [line for sentence in below for line in fold(sentence, "  ")]
    return lines


def markdown(comparison: Comparison) -> list[str]:
    """The comparison as GitHub markdown."""
    attack, target, results = comparison
    head = ["", *(odds.ruleset for odds in results)]
    columns = [map(str, _figures(odds, results)) for odds in results]
    lines = [f"## Chance of each effect: {title(attack, target)}", "", circumstances(attack), ""]
    lines += markdown_table(head, list(zip(_labels(results), *columns)), "<" + ">" * len(results))
    estimated = _estimated(results)
    lines += ["", estimated] if estimated else []
    for odds in results:
        below = _below(odds)
        if below:
            lines += ["", f"### {odds.ruleset}", "", *(f"* {sentence}" for sentence in below)]
    return lines


def _side_by_side(labels: Sequence[str], columns: Sequence[Sequence[str]]) -> list[list[Sequence[str]]]:
    """The columns in as many tables as the width makes necessary."""
    gap = 2
    room = width() - gap - max(map(len, labels))
    parts: list[list[Sequence[str]]] = [[]]
    left = room
    for column in columns:
        needed = gap + max(map(len, column))
        if parts[-1] and needed > left:
            parts.append([])
            left = room
        parts[-1].append(column)
        left -= needed
    return parts


def _labels(results: Sequence[Odds]) -> list[str]:
    unit = {odds.damage_unit for odds in results if odds.covers and odds.damage_unit}
    damage = f"damage ({unit.pop()})" if len(unit) == 1 else "damage"
    expected = [damage if name == "damage" else word(name) for name in EXPECTED]
    return [*map(word, EFFECTS), *expected, *(f"strikes {word(zone)}" for zone in _zones(results))]


def _figures(odds: Odds, results: Sequence[Odds]) -> list[Figure]:
    """One ruleset's figures in the order of the labels."""
    zones = _zones(results)
    if not odds.covers:
        return [Figure(NOT_COUNTED)] * (len(EFFECTS) + len(EXPECTED) + len(zones))
    error = odds.standard_error
    figures = [chance(odds.odds[name], error.get(name)) for name in EFFECTS]
    for name in EXPECTED:
        counted = name != "damage" or odds.damage_unit
        figures.append(mean(odds.expected[name], error.get(name)) if counted else Figure(NOT_COUNTED))
    # A zone that no sample has shown has the error of something seen once; where zones are exact it has none.
    unseen = min((error[zone] for zone in ZONES if zone in error), default=None)
    struck = [(odds.locations[zone], error.get(zone)) if zone in odds.locations else (0, unseen) for zone in zones]
    return figures + [chance(p, standard_error) for p, standard_error in struck]


def _zones(results: Sequence[Odds]) -> list[str]:
    return [zone for zone in ZONES if any(zone in odds.locations for odds in results)]


def _first_zone(results: Sequence[Odds]) -> str:
    zones = _zones(results)
    return f"strikes {word(zones[0])}" if zones else ""


def _estimated(results: Sequence[Odds]) -> str:
    """Which rulesets are estimated, and from how many attacks; empty where all are exact."""
    told = [
        f"{odds.ruleset} {estimated_from(odds.samples, 'attack', odds.seed)}"
        for odds in results
        if odds.covers and not odds.exact
    ]
    return f"Figures with +/- (one standard error): {'; '.join(told)}." if told else ""


def _below(odds: Odds) -> list[str]:
    if not odds.covers:
        return [odds.why_not]
    units = [f"Damage is in {odds.damage_unit}."] if odds.expected["damage"] else []
    return [*units, *foundations(odds)]
