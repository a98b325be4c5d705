"""The outcomes of an attack one by one (`mantlet odds --full`), as text, markdown and data."""

from __future__ import annotations

from typing import Any, NamedTuple

from mantlet.cli.attack_text import goes_without_saying, people_words
from mantlet.cli.figures import estimated_from
from mantlet.cli.page import Page
from mantlet.cli.words import number, percent, word
from mantlet.game.effects import CREW_HIT, CREW_KILLED, DESTROYED, HIT, NO_EFFECT, names
from mantlet.game.outcome import Outcome
from mantlet.probability.comparison import Outcomes


class Seen(NamedTuple):
    """An outcome as far as a listing tells it; the conditions behind it are merged."""

    effects: int
    hits: int
    locations: tuple[str, ...]
    wounded: int
    killed: int
    damage: int


def seen_as(outcome: Outcome) -> Seen:
    """What a listing tells of an outcome."""
    paths = tuple(place.path for place in outcome.locations)
    return Seen(outcome.effects, outcome.hits, paths, outcome.wounded, outcome.killed, outcome.damage)


def tell_outcomes(page: Page, found: Outcomes[Seen], most: int) -> None:
    """The first so many outcomes, and what the others hold."""
    rows = []
    for seen, p in found.chances.ranked()[:most]:
        where = ", ".join(dict.fromkeys(seen.locations))
        shown = ", ".join(map(word, _telling(seen.effects)))
        what = f"{where}: {shown}" if where else shown
        if seen.hits > 1:
            what = f"{seen.hits} hits, {what}"
        rows.append([percent(p), number(seen.damage), people_words(seen.wounded, seen.killed) or "-", what])
    page.gap()
    page.table(["chance" if found.exact else "seen", "damage", "people", "what happens"], rows, ">>><")
    if page.markdown:
        page.gap()
        page.say(_rest(found, most))
    else:
        page.items([_rest(found, most)], "  ")


def outcomes_data(found: Outcomes[Seen], most: int | None) -> list[dict[str, Any]]:
    """The same as data."""
    return [
        {"probability": float(p), **seen._asdict(), "effects": names(seen.effects)}
        for seen, p in found.chances.ranked()[:most]
    ]


def _telling(effects: int) -> list[str]:
    """The effects without those that go without saying beside the others."""
    if effects == NO_EFFECT:
        return ["miss"]
    silent = goes_without_saying(effects) & ~DESTROYED
    return names(effects & ~(silent | HIT | CREW_HIT | CREW_KILLED))


def _rest(found: Outcomes[Seen], most: int) -> str:
    ranked = found.chances.ranked()
    left = ranked[most:]
    seen = "" if found.exact else " seen"
    if left:
        share = percent(sum(p for _, p in left))
        told = f"{len(left):,} further outcomes{seen} hold {share}; --full {len(ranked)} prints all."
    else:
        told = f"These are all {len(ranked):,} outcomes{seen}."
    return told if found.exact else f"{told} {estimated_from(found.samples, 'attack', found.seed).capitalize()}."
