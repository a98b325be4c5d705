"""Several rulesets side by side, as text and markdown: a row an effect, a column a ruleset."""

from __future__ import annotations

from collections.abc import Sequence

from mantlet.cli.figures import NOT_COUNTED, Figure, chance, estimated_from, mean
from mantlet.cli.page import Page
from mantlet.cli.words import circumstances, foundations, title, word
from mantlet.game.attack import Attack
from mantlet.game.effects import EFFECTS
from mantlet.game.outcome import ZONES
from mantlet.game.target import Target
from mantlet.probability.comparison import EXPECTED, Odds


def comparison_page(form: str, attack: Attack, target: Target, results: Sequence[Odds]) -> list[str]:
    """One attack and its odds under each ruleset, as text or markdown."""
    page = Page(form)
    page.title(f"Chance of each effect: {title(attack, target)}")
    page.say(circumstances(attack))
    page.gap()
    rows = list(zip(_labels(results), *(page.figures(_figures(odds, results)) for odds in results)))
    if not page.markdown:
        for start in (len(EFFECTS) + len(EXPECTED), len(EFFECTS)):  # where people and zones begin
            if start < len(rows):
                rows.insert(start, ("",) * len(rows[0]))
    page.table(["", *(odds.ruleset for odds in results)], rows, "<" + ">" * len(results))
    estimated = [
        f"{odds.ruleset} {estimated_from(odds.samples, 'attack', odds.seed)}"
        for odds in results
        if odds.covers and not odds.exact
    ]
    if estimated:
        page.gap()
        page.say(f"Figures with +/- (one standard error): {'; '.join(estimated)}.")
    for odds in results:
        below = _below(odds)
        if below:
            page.heading(odds.ruleset, bold=True)
            page.items(below, "  ")
    return page.lines


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


def _below(odds: Odds) -> list[str]:
    if not odds.covers:
        return [odds.why_not]
    units = [f"Damage is in {odds.damage_unit}."] if odds.expected["damage"] else []
    return [*units, *foundations(odds)]
