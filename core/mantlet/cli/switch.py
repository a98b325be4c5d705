"""`mantlet campaign switch`: everybody in a campaign taken to another ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from mantlet.campaign.conversion import Conversion, convert
from mantlet.campaign.folder import write_ruleset
from mantlet.campaign.journal import SWITCH, fact_of
from mantlet.campaign.settings import Member
from mantlet.campaign.state import state_from
from mantlet.cli.attack_text import condition_words
from mantlet.cli.json_data import print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import campaign_option, format_option
from mantlet.cli.page import Page
from mantlet.cli.playing import Play
from mantlet.cli.words import left_words, plain, standing, values_in_words, word
from mantlet.errors import MantletError, UsageError
from mantlet.game.attack import Attack
from mantlet.game.condition import Condition
from mantlet.game.shares import Shares
from mantlet.game.situation import Situation
from mantlet.results import why_not_covered
from mantlet.ruleset import Ruleset


@dataclass(frozen=True, kw_only=True)
class Row:
    """What becomes of one of the roster. `before` and `after` are None where nothing has happened to it."""

    member: Member
    before: str | None = None
    after: tuple[str, str] | None = None
    done: Conversion | None = None
    restored: bool = False
    """Nothing has happened to it since the campaign left this ruleset: it is exactly what it was."""
    shares: tuple[Shares, Shares] = (Shares(), Shares())
    """What is left of it by the old rules and by the new."""
    uncovered: str | None = None
    """Why the new rules have no attack at it."""


@click.command("switch", short_help="Take a campaign to another ruleset.")
@click.argument("ruleset")
@click.option("--dry-run", is_flag=True, help="Only show what becomes of everybody; write nothing.")
@campaign_option
@format_option()
def switch(ruleset: str, dry_run: bool, folder: Path | None, form: str) -> None:
    """Go on with a campaign under RULESET: the journal gets an event, and the campaign's file the ruleset.

    Carried over are the neutral facts and the situation. What only the old rules know stays in the journal: who
    switches back finds everybody exactly as he was, to whom nothing has happened in between. mantlet undo takes a
    switch back like anything else.

    \b
    Examples:
      mantlet campaign switch gurps_vehicle --dry-run
      mantlet campaign switch facing_armor
    """
    play = Play(folder, writes=not dry_run, any_ruleset=True)
    old = play.played or play.rules.name
    rules = play.rules_of(ruleset)
    if rules.name == old:
        raise UsageError(f"The campaign is played under {old} already.")
    rows = [_row(play, member, rules) for member in play.campaign.roster.values()]
    if dry_run:
        _tell(form, old, rules, rows, None)
        return
    steps = [_step(row) for row in rows if row.after is not None]
    after = {row.member.name: row.after for row in rows if row.after is not None}
    text = f"switched from {old} to {rules.name}"
    body = {"from": old, "steps": plain(steps)}
    with play.recording(SWITCH, text, body, after, rules=rules) as event:
        if event is not None:
            write_ruleset(play.folder, rules.name)
        _tell(form, old, rules, rows, event and event.number)


def _row(play: Play, member: Member, rules: Ruleset[Any, Any]) -> Row:
    uncovered = _uncovered(play, member, rules)
    key = play.latest.get(member.name)
    state = play.state(member)
    if key is None or state is None:
        return Row(member=member, uncovered=uncovered)
    earlier = _left_with(play, member.name, rules.name, key)
    told = f"{play.path} has a state of {member.name} that cannot be used"
    situation = play.session.situation(state, member.target, play.path)
    untouched = play.session.untouched(state, member.target)
    source = state if earlier is None else state_from(play.journal.fact(earlier), told)
    if earlier is not None:
        situation = play.session.situation(source, member.target, play.path)
    with play.session.guest(rules):
        done = convert(source, member.target, rules, play.path, situation, untouched)
        now = rules.shares(member.target, done.condition)
    after = play.state_fact(member, done.condition, done.situation, rules)
    if earlier is not None:
        after = (earlier, fact_of(play.journal.fact(earlier))[1])
    return Row(
        member=member,
        before=key,
        after=after,
        done=done,
        restored=earlier is not None,
        shares=(_old_shares(play, member), now),
        uncovered=uncovered,
    )


def _left_with(play: Play, name: str, ruleset: str, now: str) -> str | None:
    """The state in which the campaign left this ruleset, where it is still what the switch made of it."""
    for event in reversed(play.journal.active):
        body = event.body
        if event.kind == SWITCH and body["from"] == ruleset:
            steps = [step for step in body["steps"] if step["target"] == name and step["after_fact"] == now]
            return str(steps[0]["before_fact"]) if steps else None
    return None


def _old_shares(play: Play, member: Member) -> Shares:
    """What is left by the rules that wrote the state; nothing is said where those do not work."""
    state = play.state(member)
    try:
        assert state is not None
        old = play.session.plugins.ruleset(state.ruleset, state.options)
        condition, _, _ = play.session.taken_over(state, old, member.target, play.path)
        with play.session.guest(old):
            return old.shares(member.target, condition)
    except MantletError:
        return Shares()


def _uncovered(play: Play, member: Member, rules: Ruleset[Any, Any]) -> str | None:
    """Why these rules have no attack of the others at this one, by the usual weapon of each; None where they have."""
    reason = None
    for other in play.campaign.roster.values():
        if other is not member and other.weapon:
            weapon, ammunition = play.campaign.catalog.round(other.weapon)
            with play.session.guest(rules):
                reason = why_not_covered(rules, Attack(weapon=weapon, ammunition=ammunition), member.target)
            if reason is None:
                return None
    return reason


def _step(row: Row) -> dict[str, Any]:
    assert row.done is not None
    assert row.after is not None
    return {
        "what": SWITCH,
        "target": row.member.name,
        "before_fact": row.before,
        "after_fact": row.after[0],
        "left_behind": row.done.left_behind,
        "restored": row.restored,
    }


def _tell(form: str, old: str, rules: Ruleset[Any, Any], rows: list[Row], event: int | None) -> None:
    if form == "json":
        print_json({"event": event, "from": old, "to": rules.name, "roster": [_data(row) for row in rows]})
        return
    page = Page(form)
    page.title(f"From {old} to {rules.name} {rules.version}")
    page.gap()
    page.table(["Name", "Carried over", "Stays remembered"], [_cells(row) for row in rows], "<<<")
    page.gap()
    page.items(["Nothing was written." if event is None else f"Event {event}; mantlet undo takes it back."])
    echo(page.lines)


def _cells(row: Row) -> list[str]:
    name = row.member.name + (" (not covered)" if row.uncovered else "")
    if row.done is None:
        return [name, "untouched", row.uncovered or ""]
    condition, situation = row.done.condition, row.done.situation
    carried = _words(condition, situation, row.member)
    if row.restored:
        return [name, f"exactly as it was: {carried}", row.uncovered or ""]
    was, now = ("; ".join(left_words(shares)) or "whole" for shares in row.shares)
    kept = values_in_words_of(row.done.left_behind)
    if was != now:
        kept += f" ({was}; under the new rules {now})"
    return [name, carried, "; ".join(filter(None, [kept, row.uncovered]))]


def values_in_words_of(left_behind: Mapping[str, Any]) -> str:
    """Plain data by name in one line."""
    return ", ".join(f"{word(name)}: {values_in_words(value)}" for name, value in plain(left_behind).items())


def _words(condition: Condition, situation: Situation, member: Member) -> str:
    return "; ".join([condition_words(condition, member.target, member.people), *standing(situation)])


def _data(row: Row) -> dict[str, Any]:
    return {
        "name": row.member.name,
        "touched": row.done is not None,
        "restored": row.restored,
        "carried_over": row.done and row.done.carried_over,
        "left_behind": row.done and row.done.left_behind,
        "shares": {"before": row.shares[0], "after": row.shares[1]},
        "covered": row.uncovered is None,
        "reason": row.uncovered,
    }
