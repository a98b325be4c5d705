"""Several rulesets side by side, as text and markdown: a row an effect, a column a ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mantlet.cli.layout import column_blocks, fold, markdown_table, strong, width
from mantlet.cli.odds_text import foundations
from mantlet.cli.words import circumstances, percent, title, word
from mantlet.game.attack import Attack
from mantlet.game.effects import EFFECTS
from mantlet.game.outcome import ZONES
from mantlet.game.target import Target
from mantlet.probability.comparison import EXPECTED, Odds

NOT_COVERED = "-"


class Comparison(NamedTuple):
    """One attack and its odds under each ruleset."""

    attack: Attack
    target: Target
    results: Sequence[Odds]


def text(comparison: Comparison) -> list[str]:
    """The comparison as text."""
    attack, target, results = comparison
    lines = [*fold(strong(f"{title(attack, target)}: {circumstances(attack)}"))]
    for part in _parts(results):
        rows = [["", *(odds.ruleset for odds in part)], *_rows(part, results)]
        table = [line for block in column_blocks(rows, "<" + ">" * len(part)) for line in block]
        lines += ["", table[0]]
        for row, line in zip(rows[1:], table[1:]):
            lines += ["", line] if row[0] in ("people wounded", _first_zone(results)) else [line]
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
    lines = [f"## {title(attack, target)}: {circumstances(attack)}", ""]
    lines += markdown_table(head, _rows(results, results), "<" + ">" * len(results))
    for odds in results:
        below = _below(odds)
        if below:
            lines += ["", f"### {odds.ruleset}", "", *(f"* {sentence}" for sentence in below)]
    return lines


def _parts(results: Sequence[Odds]) -> list[Sequence[Odds]]:
    """The rulesets in as many blocks as the width makes necessary."""
    widest = max(12, *(len(odds.ruleset) for odds in results)) + 2
    each = max(1, (width() - 22) // widest)
    return [results[i : i + each] for i in range(0, len(results), each)]


def _rows(part: Sequence[Odds], results: Sequence[Odds]) -> list[list[str]]:
    rows = []
    for name in EFFECTS:
        rows.append([word(name), *(percent(odds.odds[name]) if odds.covers else NOT_COVERED for odds in part)])
    for name in EXPECTED:
        unit = {odds.damage_unit for odds in results if odds.covers and odds.damage_unit}
        label = f"damage ({unit.pop()})" if name == "damage" and len(unit) == 1 else word(name)
        rows.append([label, *(_expected(odds, name) for odds in part)])
    for zone in _zones(results):
        rows.append([f"strikes {word(zone)}", *(_strikes(odds, zone) for odds in part)])
    return rows


def _strikes(odds: Odds, zone: str) -> str:
    return percent(odds.locations.get(zone, 0)) if odds.covers else NOT_COVERED


def _expected(odds: Odds, name: str) -> str:
    if not odds.covers or (name == "damage" and not odds.damage_unit):
        return NOT_COVERED  # it counts no damage
    return f"{float(odds.expected[name]):.2f}"


def _zones(results: Sequence[Odds]) -> list[str]:
    return [zone for zone in ZONES if any(zone in odds.locations for odds in results)]


def _first_zone(results: Sequence[Odds]) -> str:
    zones = _zones(results)
    return f"strikes {word(zones[0])}" if zones else ""


def _below(odds: Odds) -> list[str]:
    if not odds.covers:
        return [odds.why_not]
    units = [f"Damage is in {odds.damage_unit}."] if odds.expected["damage"] else []
    return [*units, *foundations(odds)]
