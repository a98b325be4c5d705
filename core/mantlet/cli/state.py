"""`mantlet state`: a saved target handed from one ruleset to another, or to other options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mantlet.campaign.conversion import Conversion, convert
from mantlet.campaign.replacing import backup_of
from mantlet.campaign.state import State
from mantlet.cli.json_data import print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import FILE, catalog_option, format_option, rule_option, target_of_state
from mantlet.cli.page import Page
from mantlet.cli.session import Session
from mantlet.cli.words import plain, values_in_words, word
from mantlet.game.target import Target
from mantlet.ruleset import Ruleset


@click.group(short_help="Hand a saved target to another ruleset.")
def state() -> None:
    """Saved targets: the files that --state names.

    \b
    Examples:
      mantlet state convert car.json --to gurps_vehicle --dry-run
      mantlet state convert car.json --to facing_armor
      mantlet state convert car.json --to d100_wwii --option d100_wwii.armor_repair=points
    """


@state.command("convert", short_help="Hand a saved target to another ruleset, or to other options.")
@click.argument("state_file", type=FILE, metavar="FILE")
@click.option("--to", required=True, metavar="RULESET", help="The ruleset that is to go on with it.")
@click.option("--dry-run", is_flag=True, help="Only list what is carried over and what is not; write nothing.")
@rule_option
@catalog_option
@format_option()
def convert_state(
    state_file: Path, to: str, dry_run: bool, options: tuple[str, ...], catalog: tuple[Path, ...], form: str
) -> None:
    """Let another ruleset go on with a saved target: it takes over the neutral facts and the situation.

    What only the ruleset that wrote it knows (hit points, armor shot away, suppression) is lost, and listed. The state
    as it was stays beside the new one as FILE.bak. To the same ruleset with --option, a state keeps everything, and is
    played on under the other options.

    \b
    Examples:
      mantlet state convert car.json --to gurps_vehicle --dry-run
      mantlet state convert car.json --to d100_wwii --option d100_wwii.armor_repair=points
    """
    session = Session(catalog, options)
    saved = session.saved(state_file, writes=not dry_run)
    assert saved is not None
    rules = session.converting(saved, to)
    target = target_of_state(session.catalog, saved.target)
    situation = session.situation(saved, target, state_file)
    untouched = session.untouched(saved, target)
    with session.guest(rules):
        done = convert(saved, target, rules, state_file, situation, untouched)
    writes = not dry_run and (saved.ruleset, saved.options) != (rules.name, rules.option_values())
    if not writes:
        _tell(form, state_file, saved, target, rules, done, written=False, dry_run=dry_run)
        return
    with session.saving(state_file, target, rules, done.condition, done.situation, None, saved):
        _tell(form, state_file, saved, target, rules, done, written=True, dry_run=dry_run)


def _tell(
    form: str,
    path: Path,
    saved: State,
    target: Target,
    rules: Ruleset[Any, Any],
    done: Conversion,
    *,
    written: bool,
    dry_run: bool,
) -> None:
    if form == "json":
        print_json(
            {
                "state": str(path),
                "target": target.id,
                "from": {"ruleset": saved.ruleset, "version": saved.version, "options": saved.options},
                "to": {"ruleset": rules.name, "version": rules.version, "options": rules.option_values()},
                "carried_over": done.carried_over,
                "left_behind": done.left_behind,
                "written": written,
            }
        )
        return
    page = Page(form)
    page.title(f"{target.name}: {saved.ruleset} {saved.version} to {rules.name} {rules.version}")
    for heading, facts in (("Carried over", done.carried_over), ("Not carried over", done.left_behind)):
        page.heading(heading)
        if facts:
            page.items([f"{word(name)}: {values_in_words(value)}" for name, value in plain(facts).items()], "  ")
        else:
            page.items([f"nothing that only {saved.ruleset} knows"], "  ")
    page.gap()
    if written:
        page.items([f"Written to {path}; as it was: {backup_of(path)}."])
    else:
        page.items(["Nothing was written." if dry_run else "It is that already: nothing was written."])
    echo(page.lines)
