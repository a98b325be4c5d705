"""`mantlet campaign`: a folder that holds a campaign, made, checked, and taken to another ruleset."""

from __future__ import annotations

from pathlib import Path

import click

from mantlet.campaign.folder import JOURNAL, make_folder
from mantlet.campaign.settings import FILE
from mantlet.cli.options import FILE as PATH
from mantlet.cli.options import campaign_option
from mantlet.cli.playing import Play
from mantlet.cli.session import Session
from mantlet.cli.switch import switch
from mantlet.cli.words import counted
from mantlet.errors import CatalogError


@click.group(short_help="Make, check and switch a campaign.")
def campaign() -> None:
    """A campaign: a folder with a roster, its ruleset, and a journal of everything that happened.

    \b
    Examples:
      mantlet campaign new ardennes --ruleset facing_armor
      mantlet campaign check
      mantlet campaign switch gurps_vehicle --dry-run
    """


@campaign.command("new", short_help="Make a folder with a campaign that runs.")
@click.argument("folder", type=PATH)
@click.option("--ruleset", metavar="NAME", help="The ruleset; the first of mantlet rulesets where none is named.")
@click.option("--title", metavar="TEXT", help="Its title; the folder's name where none is given.")
def new(folder: Path, ruleset: str | None, title: str | None) -> None:
    """Make FOLDER a campaign, with a roster to change by hand.

    \b
    Examples:
      mantlet campaign new ardennes --ruleset facing_armor
    """
    session = Session()
    name = session.ruleset(ruleset or next(iter(session.plugins.rulesets), None)).name
    make_folder(folder, title or folder.resolve().name or "A campaign", name)
    click.echo(f"{folder / FILE} is a campaign under {name}. Next: change its roster; then, in the folder:")
    click.echo("  mantlet fire Berta sherman_1 --range 300 --aspect left")


@campaign.command("check", short_help="Say what is wrong with a campaign.")
@campaign_option
def check(folder: Path | None) -> None:
    """Check the campaign's file, every name in it, the whole journal, and everybody's state.

    \b
    Examples:
      mantlet campaign check
    """
    play = Play(folder, any_ruleset=True)
    faults = [f"{play.path}: {fault}" for fault in play.journal.check()] if play.path.exists() else []
    if not faults:
        for member in play.campaign.roster.values():
            play.now(member)
        if play.played not in (None, play.rules.name):
            faults.append(f"{play.folder / FILE}: ruleset is {play.rules.name}, and the journal's is {play.played}.")
    if faults:
        raise CatalogError("\n".join(faults))
    roster = play.campaign.roster
    click.echo(
        f"{FILE}: {play.campaign.title}, under {play.rules.name}, {len(roster)} in the roster. Nothing is wrong."
    )
    for note in play.campaign.notes:
        click.echo(f"  {note}")
    for name in play.latest:
        if name not in roster:
            click.echo(f"  {name} has a state in the journal and is not in the roster.")
    events = counted(len(play.journal.events), "event")
    click.echo(f"{JOURNAL}: {events}, {len(play.journal.active)} of them hold. The chain is whole.")


campaign.add_command(switch)
