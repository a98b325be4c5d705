"""The odds of one ruleset, as text and markdown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from mantlet.cli.figures import chance, estimated_from, mean
from mantlet.cli.layout import columns, faint, width
from mantlet.cli.page import Page
from mantlet.cli.words import number, word
from mantlet.game.effects import EFFECTS
from mantlet.probability.comparison import Odds
from mantlet.ruleset import Ruleset

_LONGEST_FRACTION = 41
"""Nobody reads a longer one, so the text does not show it."""


def tell_odds(page: Page, rules: Ruleset[Any, Any], odds: Odds, fractions: bool) -> None:
    """The ruleset, the chance of every effect, and what is expected; or why there are no odds."""
    kind = "no odds" if not odds.covers else "exact odds" if odds.exact else "odds, partly estimated"
    what = f"{rules.name} {rules.version}, {kind}"
    page.say(what if page.markdown else faint(what))
    page.gap()
    if not odds.covers:
        page.say(odds.why_not)
        return
    figures = [chance(odds.odds[name], odds.standard_error.get(name)) for name in EFFECTS]
    cells = [list(map(word, EFFECTS)), page.figures(figures)]
    exactly = [str(Fraction(odds.odds[name])) for name in EFFECTS] if fractions else []
    most = min(_LONGEST_FRACTION, width() - 30)
    shown = exactly if page.markdown else [text if len(text) <= most else "" for text in exactly]
    rows = list(zip(*cells, shown)) if fractions else list(zip(*cells))
    align = "<>>" if fractions else "<>"
    if page.markdown:
        page.table(["Effect", "Probability", "Exactly"][: len(align)], rows, align)
    else:
        page.lines += columns(rows, align)
    if shown != exactly:
        page.gap()
        page.say("Fractions that are too long for this table are in --format json and --format md.")
    page.gap()
    page.items(_sentences(odds))


def _sentences(odds: Odds) -> list[str]:
    """People, damage, places, and what an estimate was made from."""
    means = {name: number(float(value)) for name, value in odds.expected.items()}
    means |= {key: str(mean(odds.expected[key], error)) for key, error in odds.standard_error.items() if key in means}
    damage = f"; damage {means['damage']} {odds.damage_unit}" if odds.damage_unit else ""
    texts = [f"Expected: {means['people_wounded']} wounded, {means['people_killed']} killed{damage}."]
    places = sorted(odds.locations.items(), key=lambda pair: -pair[1])
    if places:
        struck = (f"{word(zone)} {chance(p, odds.standard_error.get(zone))}" for zone, p in places)
        texts.append(f"Struck: {', '.join(struck)}.")
    if odds.shooter:
        his = (
            f"{word(name.removeprefix('shooter_'))} {chance(p, odds.standard_error.get(name))}"
            for name, p in odds.shooter.items()
        )
        texts.append(f"Who attacks: {', '.join(his)}.")
    if not odds.exact:
        texts.append(f"Figures with +/- (one standard error) are {estimated_from(odds.samples, 'attack', odds.seed)}.")
    return texts
