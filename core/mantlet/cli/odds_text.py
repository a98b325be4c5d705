"""Exact odds of one ruleset, as text, markdown and data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from mantlet.cli.layout import columns, faint, fold, markdown_table, strong, width
from mantlet.cli.story import people_words
from mantlet.cli.words import circumstances, counted, derived_line, number, percent, title, word
from mantlet.game.attack import Attack
from mantlet.game.condition import Condition
from mantlet.game.effects import EFFECTS, names
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.probability.comparison import Odds, Shots, covered_plan, distribution
from mantlet.probability.distributions import Distribution
from mantlet.probability.exact import Exact
from mantlet.ruleset import Ruleset


class Kind(NamedTuple):
    """An outcome as far as a listing tells it; the conditions behind it are merged."""

    effects: int
    hits: int
    locations: tuple[str, ...]
    wounded: int
    killed: int
    damage: int


class OddsReport(NamedTuple):
    """All that is told about the odds of one attack."""

    ruleset: Ruleset[Any]
    attack: Attack
    target: Target
    odds: Odds
    shots: Shots | None
    outcomes: Distribution[Kind] | None
    most: int
    fractions: bool


def outcomes(
    ruleset: Ruleset[Any], attack: Attack, target: Target, condition: Condition | None, engine: Exact
) -> Distribution[Kind]:
    """Every outcome that can be told from another, with its probability."""
    plan = covered_plan(ruleset, attack, target)
    return distribution(ruleset, plan, condition, engine).map(_kind)


def _kind(outcome: Outcome) -> Kind:
    return Kind(
        outcome.effects,
        outcome.hits,
        tuple(place.path for place in outcome.locations),
        outcome.wounded,
        outcome.killed,
        outcome.damage,
    )


def text(report: OddsReport) -> list[str]:
    """The report as text."""
    odds = report.odds
    lines = [
        *fold(strong(f"{title(report.attack, report.target)}: {circumstances(report.attack, odds.ruleset)}")),
        *fold(faint(f"{report.ruleset.name} {report.ruleset.version}, exact odds")),
        "",
    ]
    if not odds.covers:
        return [*lines, *fold(odds.why_not)]
    rows = _effect_rows(report)
    if report.fractions:
        rows = [[*row[:2], _short_fraction(row[2])] for row in rows]
    lines += columns(rows, "<>>" if report.fractions else "<>")
    if any(row[2:] == [""] for row in rows):
        lines += ["", *fold("Fractions that are too long for this table are in --format json and --format md.")]
    lines += ["", *(line for sentence in _sentences(report) for line in fold(sentence))]
    if report.shots is not None:
        lines += ["", *_shots_text(report.shots)]
    if report.outcomes is not None:
        lines += ["", *columns([_KIND_HEAD, *_kind_rows(report)], ">>><")]
        lines += fold(_rest(report), "  ")
    below = foundations(odds)
    return [*lines, *(["", *(line for sentence in below for line in fold(sentence))] if below else [])]


def markdown(report: OddsReport) -> list[str]:
    """The report as GitHub markdown."""
    odds = report.odds
    lines = [f"## {title(report.attack, report.target)}: {circumstances(report.attack, odds.ruleset)}", ""]
    lines += [f"{report.ruleset.name} {report.ruleset.version}, exact odds", ""]
    if not odds.covers:
        return [*lines, odds.why_not]
    head = ["Effect", "Probability", *(["Exactly"] if report.fractions else [])]
    lines += markdown_table(head, _effect_rows(report), "<>>"[: len(head)])
    lines += ["", *(f"* {sentence}" for sentence in _sentences(report))]
    if report.shots is not None:
        lines += ["", *markdown_table(["Attacks", "Knocked out within"], _shot_rows(report.shots), ">>")]
        lines += ["", *(f"* {sentence}" for sentence in _shots_sentences(report.shots))]
    if report.outcomes is not None:
        lines += ["", *markdown_table(_KIND_HEAD, _kind_rows(report), ">>><"), "", _rest(report)]
    below = foundations(odds)
    return [*lines, *(["", *(f"* {sentence}" for sentence in below)] if below else [])]


def _effect_rows(report: OddsReport) -> list[list[str]]:
    rows = []
    for name in EFFECTS:
        p = report.odds.odds[name]
        rows.append([word(name), percent(p), *([str(Fraction(p))] if report.fractions else [])])
    return rows


_LONGEST_FRACTION = 41


def _short_fraction(text: str) -> str:
    """A fraction as the text shows it: not at all when nobody would read it."""
    return text if len(text) <= min(_LONGEST_FRACTION, width() - 30) else ""


def _sentences(report: OddsReport) -> list[str]:
    expected = report.odds.expected
    people = f"{number(float(expected['people_wounded']))} wounded, {number(float(expected['people_killed']))} killed"
    unit = report.odds.damage_unit
    damage = f"; damage {number(float(expected['damage']))} {unit}" if unit else ""
    texts = [f"Expected: {people}{damage}."]
    places = sorted(report.odds.locations.items(), key=lambda pair: -pair[1])
    if places:
        texts.append("Struck: " + ", ".join(f"{word(zone)} {percent(p)}" for zone, p in places) + ".")
    return texts


def foundations(odds: Odds) -> list[str]:
    """What the odds rest on: notes, derived numbers, ignored inputs."""
    texts = list(odds.notes)
    texts += [f"Derived: {derived_line(derived)}" for derived in odds.derived]
    if odds.ignored:
        texts.append(f"Not used by these rules: {', '.join(word(name) for name in odds.ignored)}.")
    return texts


def _shot_rows(shots: Shots) -> list[list[str]]:
    return [[str(n), percent(p)] for n, p in enumerate(shots.within, start=1)]


def _shots_text(shots: Shots) -> list[str]:
    rows = [["attacks", "knocked out within"], *_shot_rows(shots)]
    return [*columns(rows, ">>"), *(line for sentence in _shots_sentences(shots) for line in fold(sentence, "  "))]


def _shots_sentences(shots: Shots) -> list[str]:
    count = counted(len(shots.within), "attack")
    texts = [f"Not knocked out after {count}: {percent(shots.left)}."]
    if shots.mean_if_ended is not None:
        texts.append(f"Of those knocked out by then, after {shots.mean_if_ended:.2f} attacks in the mean.")
    if shots.sampled:
        error = 0.5 / shots.sampled**0.5
        texts.append(
            f"Estimated by firing at {counted(shots.sampled, 'target')}: standard error at most {percent(error)}."
        )
    return texts


def shots_data(shots: Shots) -> dict[str, Any]:
    """Shots to a knock-out as data."""
    return {
        "until": "knocked_out",
        "within": [float(p) for p in shots.within],
        "left": float(shots.left),
        "states": shots.states,
        "sampled": shots.sampled,
        "mean_if_ended": shots.mean_if_ended,
    }


_KIND_HEAD = ["chance", "damage", "people", "what happens"]


def _kind_rows(report: OddsReport) -> list[list[str]]:
    assert report.outcomes is not None
    rows = []
    for kind, p in report.outcomes.ranked()[: report.most]:
        where = ", ".join(dict.fromkeys(kind.locations))
        shown = ", ".join(word(name) for name in _telling(kind.effects))
        what = f"{where}: {shown}" if where else shown
        if kind.hits > 1:
            what = f"{kind.hits} hits, {what}"
        rows.append([percent(p), number(kind.damage), people_words(kind.wounded, kind.killed) or "-", what])
    return rows


def _telling(effects: int) -> list[str]:
    """The effects without those that go without saying beside the others."""
    found = names(effects)
    if found == ["no_effect"]:
        return ["miss"]
    silent = {"hit", "crew_hit", "crew_killed"}
    if len(set(found) - silent - {"penetrated"}) > 1:
        silent.add("damaged")
    for strong_word, weaker in (("immobilized", "mobility_reduced"), ("firepower_lost", "firepower_reduced")):
        if strong_word in found:
            silent.add(weaker)
    if "destroyed" in found:
        silent |= {"knocked_out", "immobilized", "firepower_lost"}
    return [name for name in found if name not in silent]


def _rest(report: OddsReport) -> str:
    assert report.outcomes is not None
    ranked = report.outcomes.ranked()
    left = ranked[report.most :]
    if not left:
        return f"These are all {len(ranked)} outcomes."
    return f"{len(left)} further outcomes hold {percent(sum(p for _, p in left))}; --full {len(ranked)} prints all."


def outcomes_data(found: Distribution[Kind], most: int | None) -> list[dict[str, Any]]:
    """The likeliest outcomes as data."""
    return [
        {
            "probability": float(p),
            "effects": names(kind.effects),
            "hits": kind.hits,
            "locations": list(kind.locations),
            "wounded": kind.wounded,
            "killed": kind.killed,
            "damage": kind.damage,
        }
        for kind, p in found.ranked()[:most]
    ]
