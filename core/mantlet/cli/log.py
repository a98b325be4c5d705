"""`mantlet log`: what has happened in a campaign."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import click

from mantlet.campaign.journal import REDO, UNDO, Event
from mantlet.cli.json_data import print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import campaign_option, format_option
from mantlet.cli.page import Page
from mantlet.cli.playing import Play


@click.command(short_help="What has happened in a campaign.")
@click.argument("names", nargs=-1)
@click.option("--kind", metavar="KIND", help="Only events of this kind: attack, set, switch, undo ...")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N.")
@campaign_option
@format_option("csv")
def log(names: tuple[str, ...], kind: str | None, last: int | None, folder: Path | None, form: str) -> None:
    """The events of the journal, all or those of the names given; what was undone is marked.

    As JSON it is the whole journal as text, with everything that an event refers to: keep that under version control.

    \b
    Examples:
      mantlet log
      mantlet log sherman_1 --last 5 --format md
      mantlet log --kind attack --format csv
    """
    play = Play(folder, any_ruleset=True)
    wanted = {play.campaign.member(name).name for name in names}
    holds = {event.number for event in play.journal.active}
    told = []
    for event in play.journal.events:
        of = event if event.of is None else play.journal.events[event.of - 1]
        concerned = concerned_by(of.body)
        if (not wanted or wanted & concerned) and kind in (None, event.kind):
            text = event.body.get("text") or f"{event.kind} of event {event.of}"
            undone = event.kind not in (UNDO, REDO) and event.number not in holds
            told.append((event, text, sorted(concerned), undone))
    told = told[-last:] if last else told
    if form == "json":
        print_json([_data(play, event, undone) for event, _, _, undone in told])
        return
    if form == "csv":
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["number", "time", "kind", "names", "undone", "text"])
        for event, text, concerned_names, undone in told:
            writer.writerow([event.number, event.time, event.kind, " ".join(concerned_names), int(undone), text])
        click.echo(file.getvalue(), nl=False)
        return
    page = Page(form)
    lines = [f"{event.number}. {text}{' (undone)' if undone else ''}" for event, text, _, undone in told]
    if page.markdown:
        page.items([line.replace(". ", ": ", 1) for line in lines])
    else:
        page.items(lines or ["Nothing has happened yet."])
    echo(page.lines)


def concerned_by(body: dict[str, Any]) -> set[str]:
    """The names of the roster that an event is about."""
    steps = body.get("steps", ())
    named = {step[key] for step in steps for key in ("attacker", "target") if step.get(key)}
    return {*body.get("after_facts", {}), *named}


def _data(play: Play, event: Event, undone: bool) -> dict[str, Any]:
    body = event.body
    for step in body.get("steps", ()):
        referred = [key for key in step if key.endswith("_fact")]
        step["facts"] = {key.removesuffix("_fact"): play.journal.fact(step.pop(key)) for key in referred}
    after = {name: play.journal.fact(key) for name, key in body.pop("after_facts", {}).items()}
    about = {"number": event.number, "time": event.time, "kind": event.kind, "of": event.of, "undone": undone}
    return {**about, **body, "after": after, "checksum": event.checksum}
