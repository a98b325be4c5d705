"""`mantlet next`: a round passes for everybody in a campaign's roster."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from mantlet.campaign.journal import fact_of
from mantlet.campaign.settings import Member
from mantlet.cli.action import passage_headline
from mantlet.cli.attack_text import condition_words, repeat_lines, tell_account
from mantlet.cli.dice_source import dice_options, finish, source_for
from mantlet.cli.json_data import entries_data, print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import campaign_option, format_option
from mantlet.cli.page import Page
from mantlet.cli.playing import Play
from mantlet.cli.time import LONGEST_S
from mantlet.cli.words import number, plain, standing
from mantlet.dice.account import Account
from mantlet.dice.dice import run
from mantlet.dice.sources import Source
from mantlet.errors import UsageError
from mantlet.game.condition import Condition
from mantlet.game.effects import complete, names
from mantlet.game.situation import Situation
from mantlet.results import check_passage, results_of
from mantlet.ruleset import Passage


@click.command(short_help="A round passes for everybody in a campaign.")
@click.option("--seconds", type=float, metavar="N", help="How long; a round of the ruleset where it is left out.")
@dice_options
@campaign_option
@format_option()
def next(seconds: float | None, seed: int | None, dice: str | None, folder: Path | None, form: str) -> None:
    """A round passes for everybody in the roster, in its order: fires, trouble, bail-outs, suppression.

    It is one event: mantlet undo takes back the round for all of them.

    \b
    Examples:
      mantlet next
      mantlet next --seconds 30 --seed 1
    """
    play = Play(folder, writes=True)
    rules = play.rules
    span = seconds if seconds is not None else rules.round_s
    if span is None:
        raise UsageError(f"{rules.name} has no rounds: say how long with --seconds.")
    if not (math.isfinite(span) and 0 < span <= LONGEST_S):
        raise UsageError(f"--seconds has to be more than 0 and at most {LONGEST_S:.0f}, not {span:g}.")

    source = source_for(dice, seed, play.generator)
    steps: list[dict[str, Any]] = []
    told: list[tuple[Member, str, Account, str]] = []
    facts: list[tuple[str, str]] = []
    after: dict[str, tuple[str, str]] = {}
    for member in play.campaign.roster.values():
        before, situation, _ = play.now(member)
        passage, account = _passes(play, member, before, span, source)
        left = play.session.left_in(rules, member.target, passage.condition, situation)
        if (passage.condition, left) == (before, situation) and not account.entries:
            continue
        step, these = _step(play, member, (before, situation), (passage.condition, left), account)
        steps.append({**step, "seconds": span, "effects": _effects(passage)})
        facts += these.values()
        after[member.name] = these["after_fact"]
        now = "; ".join([condition_words(passage.condition, member.target, member.people), *standing(left)])
        told.append((member, passage_headline(before, passage), account, now))
    finish(source)

    what = ", ".join(f"{member.name}: {headline}" for member, headline, _, _ in told) or "nothing new"
    text = f"{number(span)} s pass: {what}"
    with play.recording("time", text, {"seconds": span, "steps": plain(steps)}, after, facts, source) as event:
        if form == "json":
            print_json({"event": event and event.number, "seconds": span, "ruleset": rules.name, "steps": steps})
            return
        page = Page(form)
        page.title(f"{number(span)} s pass." if told else f"{number(span)} s pass: nothing new.")
        for member, headline, account, now in told:
            page.heading(f"{member.name}: {headline}")
            tell_account(page, account)
            page.items([f"Now: {now}."])
        page.items(repeat_lines(source) if source.account.rolls else [])
        echo(page.lines)


def _passes(play: Play, member: Member, before: Condition, span: float, source: Source) -> tuple[Passage, Account]:
    """What the time does to one of the roster, and the account of that alone."""
    begun = len(source.account.entries)
    rules = play.rules
    with play.session.guest(rules), results_of(rules.pass_time):
        passage: Passage = run(source.dice, rules.pass_time, member.target, before, span)
        check_passage(passage, member.target)
        source.account.check()
    account = Account()
    account.entries = source.account.entries[begun:]
    return passage, account


def _step(
    play: Play,
    member: Member,
    before: tuple[Condition, Situation],
    after: tuple[Condition, Situation],
    account: Account,
) -> tuple[dict[str, Any], dict[str, tuple[str, str]]]:
    facts = {
        "target_fact": fact_of(plain(member.target)),
        "before_fact": play.state_fact(member, *before),
        "after_fact": play.state_fact(member, *after),
        "account_fact": fact_of(plain(entries_data(account))),
    }
    named = {key: key_and_text[0] for key, key_and_text in facts.items()}
    return {"what": "time", "target": member.name, "dice": account.script, **named}, facts


def _effects(passage: Passage) -> list[str]:
    return [effect for effect in names(complete(passage.effects)) if effect != "no_effect"]
