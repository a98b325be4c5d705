"""`mantlet undo` and `mantlet redo`: the last event of a campaign taken back, and brought back as it was."""

from __future__ import annotations

from pathlib import Path

import click

from mantlet.campaign.folder import write_ruleset
from mantlet.campaign.journal import SWITCH, Event
from mantlet.cli.options import campaign_option
from mantlet.cli.playing import Play


@click.command(short_help="Take back the last event of a campaign.")
@campaign_option
def undo(folder: Path | None) -> None:
    """Take back the last event that holds: states, dice and ruleset are those of before it.

    It stays in the journal, marked as undone, until something else happens mantlet redo brings it back.

    \b
    Examples:
      mantlet undo
    """
    play = Play(folder, writes=True, any_ruleset=True)
    event = play.journal.undo()
    _follow(play, event, str(event.body["ruleset"]["name"]), event.body.get("from"))
    play.let_go()
    click.echo(f"Undone: {event.number}. {event.body['text']}")


@click.command(short_help="Bring back the event that was undone last.")
@campaign_option
def redo(folder: Path | None) -> None:
    """Bring back the event that was undone last, exactly as it was: the same dice and outcome, to the byte.

    \b
    Examples:
      mantlet redo
    """
    play = Play(folder, writes=True, any_ruleset=True)
    event = play.journal.redo()
    _follow(play, event, event.body.get("from"), str(event.body["ruleset"]["name"]))
    play.let_go()
    click.echo(f"Done again: {event.number}. {event.body['text']}")


def _follow(play: Play, event: Event, old: str | None, new: str | None) -> None:
    """Where a switch was undone or done again, the campaign's file says the ruleset that now holds."""
    if event.kind == SWITCH and old and new and play.rules.name == old:
        write_ruleset(play.folder, new)
