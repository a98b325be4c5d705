"""The odds of one ruleset, as text and markdown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from mantlet.cli import outcomes_text, shots_text
from mantlet.cli.figures import Figure, aligned, chance, estimated_from, mean_in_words
from mantlet.cli.layout import columns, faint, fold, markdown_table, strong, width
from mantlet.cli.outcomes_text import Seen
from mantlet.cli.words import circumstances, derived_line, title, word
from mantlet.game.attack import Attack
from mantlet.game.effects import EFFECTS
from mantlet.game.target import Target
from mantlet.probability.comparison import Odds, Outcomes
from mantlet.probability.shots import Shots
from mantlet.ruleset import Ruleset


class OddsReport(NamedTuple):
    """All that is told about the odds of one attack."""

    ruleset: Ruleset[Any, Any]
    attack: Attack
    target: Target
    odds: Odds
    shots: Shots | None
    outcomes: Outcomes[Seen] | None
    most: int
    fractions: bool


def text(report: OddsReport) -> list[str]:
    """The report as text."""
    odds = report.odds
    lines = [
        *fold(strong(f"{title(report.attack, report.target)}: {circumstances(report.attack, odds.ruleset)}")),
        *fold(faint(_what(report))),
        "",
    ]
    if not odds.covers:
        return [*lines, *fold(odds.why_not)]
    rows = list(zip(map(word, EFFECTS), aligned(_effects(odds))))
    if report.fractions:
        exactly = [_short_fraction(fraction) for fraction in _fractions(odds)]
        lines += columns([[*row, fraction] for row, fraction in zip(rows, exactly)], "<>>")
        if not all(exactly):
            lines += ["", *fold("Fractions that are too long for this table are in --format json and --format md.")]
    else:
        lines += columns(rows, "<>")
    lines += ["", *(line for sentence in _sentences(odds) for line in fold(sentence))]
    if report.shots is not None:
        lines += ["", *shots_text.text(report.shots)]
    if report.outcomes is not None:
        lines += ["", *outcomes_text.text(report.outcomes, report.most)]
    below = foundations(odds)
    return [*lines, *(["", *(line for sentence in below for line in fold(sentence))] if below else [])]


def markdown(report: OddsReport) -> list[str]:
    """The report as GitHub markdown."""
    odds = report.odds
    lines = [f"## {title(report.attack, report.target)}: {circumstances(report.attack, odds.ruleset)}", ""]
    lines += [_what(report), ""]
    if not odds.covers:
        return [*lines, odds.why_not]
    rows = [[word(name), str(figure)] for name, figure in zip(EFFECTS, _effects(odds))]
    if report.fractions:
        exactly = [[*row, fraction] for row, fraction in zip(rows, _fractions(odds))]
        lines += markdown_table(["Effect", "Probability", "Exactly"], exactly, "<>>")
    else:
        lines += markdown_table(["Effect", "Probability"], rows, "<>")
    lines += ["", *(f"* {sentence}" for sentence in _sentences(odds))]
    if report.shots is not None:
        lines += ["", *shots_text.markdown(report.shots)]
    if report.outcomes is not None:
        lines += ["", *outcomes_text.markdown(report.outcomes, report.most)]
    below = foundations(odds)
    return [*lines, *(["", *(f"* {sentence}" for sentence in below)] if below else [])]


def _what(report: OddsReport) -> str:
    """The ruleset, and what kind of odds these are."""
    kind = "exact odds" if report.odds.exact else "odds, partly estimated"
    return f"{report.ruleset.name} {report.ruleset.version}, {kind if report.odds.covers else 'no odds'}"


def _effects(odds: Odds) -> list[Figure]:
    return [chance(odds.odds[name], odds.standard_error.get(name)) for name in EFFECTS]


def _fractions(odds: Odds) -> list[str]:
    return [str(Fraction(odds.odds[name])) for name in EFFECTS]


_LONGEST_FRACTION = 41


def _short_fraction(text: str) -> str:
    """A fraction as the text shows it: not at all when nobody would read it."""
    return text if len(text) <= min(_LONGEST_FRACTION, width() - 30) else ""


def _sentences(odds: Odds) -> list[str]:
    """People, damage, places, and what an estimate was made from."""
    means = {name: mean_in_words(value, odds.standard_error.get(name)) for name, value in odds.expected.items()}
    damage = f"; damage {means['damage']} {odds.damage_unit}" if odds.damage_unit else ""
    texts = [f"Expected: {means['people_wounded']} wounded, {means['people_killed']} killed{damage}."]
    places = sorted(odds.locations.items(), key=lambda pair: -pair[1])
    if places:
        struck = (f"{word(zone)} {chance(p, odds.standard_error.get(zone))}" for zone, p in places)
        texts.append(f"Struck: {', '.join(struck)}.")
    if not odds.exact:
        texts.append(f"Figures with +/- (one standard error) are {estimated_from(odds.samples, 'attack', odds.seed)}.")
    return texts


def foundations(odds: Odds) -> list[str]:
    """What the odds rest on: notes, derived numbers, ignored inputs."""
    texts = list(odds.notes)
    texts += [f"Derived: {derived_line(derived)}" for derived in odds.derived]
    if odds.ignored:
        texts.append(f"Not used by these rules: {', '.join(word(name) for name in odds.ignored)}.")
    return texts
