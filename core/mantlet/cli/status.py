"""`mantlet status`: everybody in the roster, a line each."""

from __future__ import annotations

from pathlib import Path

import click

from mantlet.cli.attack_text import condition_words
from mantlet.cli.json_data import report_data
from mantlet.cli.options import campaign_option, format_option
from mantlet.cli.page import print_rows
from mantlet.cli.playing import Play
from mantlet.cli.words import left_words, standing
from mantlet.ruleset import Passage


@click.command(short_help="Everybody in a campaign's roster, a line each.")
@click.argument("names", nargs=-1)
@campaign_option
@format_option()
def status(names: tuple[str, ...], folder: Path | None, form: str) -> None:
    """How everybody in the roster is now, or those named.

    \b
    Examples:
      mantlet status
      mantlet status sherman_1 --format json
    """
    play = Play(folder)
    rows, data = [], []
    for member in [play.campaign.member(name) for name in names] or play.campaign.roster.values():
        condition, situation, _ = play.now(member)
        people = [name or None for name in member.people]
        shares = play.shares(member, condition)
        report = play.session.report(play.rules, member.target, condition, Passage(condition))
        here = condition_words(condition, member.target, people)
        said = [here, *report.now, *left_words(shares), *standing(situation)]
        rows.append([member.name, member.entry.side, member.target.name, "; ".join(said)])
        data.append(
            {
                "name": member.name,
                "side": member.entry.side,
                "target": member.target.id,
                "people": people,
                "condition": play.session.condition_data(play.rules, condition),
                "situation": situation,
                "shares": shares,
                **report_data(report._replace(headline="")),
            }
        )
    print_rows(form, data, ["Name", "Side", "What", "Now"], rows, "<<<<", "Nobody is in the roster.")
