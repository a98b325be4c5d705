"""`mantlet replay`: every event of a campaign worked out again from its dice, by the rules of today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from mantlet.campaign.journal import fact_of
from mantlet.campaign.state import condition_of, state_from
from mantlet.catalog.validation import validate
from mantlet.cli.action import passage_headline
from mantlet.cli.attack_text import headline
from mantlet.cli.json_data import outcome_data, print_json
from mantlet.cli.layout import echo
from mantlet.cli.options import campaign_option, format_option
from mantlet.cli.page import Page
from mantlet.cli.playing import Play
from mantlet.cli.words import counted, plain
from mantlet.dice.dice import run
from mantlet.dice.sources import Scripted
from mantlet.errors import DiceInputError, MantletError, UnknownNameError
from mantlet.game.attack import Attack
from mantlet.game.condition import Condition
from mantlet.game.situation import Situation
from mantlet.game.target import Target
from mantlet.game.weapon import Weapon
from mantlet.probability.comparison import covered_plan
from mantlet.results import check_end, check_passage, results_of
from mantlet.ruleset import Passage, Ruleset


@click.command(short_help="Work all events of a campaign out again, and say what is different.")
@campaign_option
@format_option()
def replay(folder: Path | None, form: str) -> None:
    """Work everything that holds out again: its dice, target, weapon and state as the journal keeps them.

    The rules are those of today, with the options that the campaign's file has now: where an upgrade or a house rule
    makes something else of the same dice, that is told. Each event is taken by itself, so one that differs does not
    change the others. Where today's catalog has other numbers than the journal, that is told as well; the journal's
    are used. Nothing is written.

    \b
    Examples:
      mantlet replay
      mantlet replay --format json
    """
    play = Play(folder, any_ruleset=True)
    worked_out, rows = 0, []
    for event in play.journal.active:
        for step in event.body.get("steps", ()):
            if "dice" not in step:
                continue
            worked_out += 1
            rows += [(event.number, text) for text in _differences(play, event.body["ruleset"], step)]
    if form == "json":
        differences = [{"event": number, "text": text} for number, text in rows]
        print_json({"events": len(play.journal.active), "worked_out": worked_out, "differences": differences})
        return
    page = Page(form)
    page.items([f"Event {number}: {text}" for number, text in rows])
    done = f"{counted(worked_out, 'part')} of {counted(len(play.journal.active), 'event')} worked out again"
    page.items([f"{done}: {'all as they were' if not rows else counted(len(rows), 'difference')}."])
    echo(page.lines)


def _differences(play: Play, written: Mapping[str, Any], step: Mapping[str, Any]) -> Iterator[str]:
    """What is otherwise today, a sentence each."""
    name = written["name"]
    who = f"{step['attacker']} at {step['target']}" if "attacker" in step else str(step["target"])
    for kind, find in (("target", play.campaign.catalog.target), ("weapon", play.campaign.catalog.weapon)):
        if f"{kind}_fact" in step:
            thing = play.journal.fact(step[f"{kind}_fact"])["id"]
            try:
                if fact_of(plain(find(thing)))[0] != step[f"{kind}_fact"]:
                    yield f"{who}: the {kind} {thing} has other numbers in the catalog today."
            except UnknownNameError:
                yield f"{who}: the {kind} {thing} is not in the catalog any more."
    try:
        options = play.rules.option_values() if name == play.rules.name else written["options"]
        rules = play.session.plugins.ruleset(name, options)
        with play.session.guest(rules):
            outcome, after, told = (_attack if step["what"] == "attack" else _time)(play, rules, step)
    except DiceInputError as error:
        yield f"{who}: the dice do not fit any more. {error}"
        return
    except MantletError as error:
        yield f"{who}: {error}"
        return
    before = play.journal.fact(step["after_fact"])
    parts = [key for key in outcome if outcome[key] != step.get("outcome", {}).get(key)]
    parts += [key for key in ("condition", "situation") if after[key] != before[key]]
    if parts:
        version = f"{name} {written['version']}" + (
            "" if rules.version == written["version"] else f", now {rules.version}"
        )
        yield f"{who} comes out otherwise ({version}): {told} Different: {', '.join(parts)}."


def _before(play: Play, rules: Ruleset[Any, Any], step: Mapping[str, Any]) -> tuple[Target, Condition, Situation]:
    """The target as the journal keeps it, and the state in which it was."""
    target: Target = validate(Target, play.journal.fact(step["target_fact"]), "the journal")
    state = state_from(play.journal.fact(step["before_fact"]), f"{play.path} has a state that cannot be used")
    situation = state.situation or Situation()
    return target, rules.put_into(target, condition_of(state, rules, target, play.path), situation), situation


def _after(play: Play, rules: Ruleset[Any, Any], condition: Condition, left: Situation) -> dict[str, Any]:
    data: dict[str, Any] = plain({"condition": play.session.condition_data(rules, condition), "situation": left})
    return data


Again = tuple[dict[str, Any], dict[str, Any], str]
"""An outcome as plain data, the state after it, and what came about in words."""


def _time(play: Play, rules: Ruleset[Any, Any], step: Mapping[str, Any]) -> Again:
    """What time does from what the journal keeps of it."""
    target, before, situation = _before(play, rules, step)
    dice = Scripted(step["dice"])
    with results_of(rules.pass_time):
        passage: Passage = run(dice.dice, rules.pass_time, target, before, step["seconds"])
        check_passage(passage, target)
    dice.finish()
    left = rules.situation_after(target, passage.condition, situation)
    return {}, _after(play, rules, passage.condition, left), f"{passage_headline(before, passage)}."


def _attack(play: Play, rules: Ruleset[Any, Any], step: Mapping[str, Any]) -> Again:
    """What an attack comes to from what the journal keeps of it."""
    target, before, _ = _before(play, rules, step)
    weapon: Weapon = validate(Weapon, play.journal.fact(step["weapon_fact"]), "the journal")
    given = step["attack"]
    own = {field.name: given[field.name] for field in fields(Attack) if field.name in given}
    own["ammunition"] = next(each for each in weapon.ammunition if each.id == given["ammunition"])
    shot = Attack(**{**own, "weapon": weapon})
    plan = covered_plan(rules, shot, target)
    dice = Scripted(step["dice"])
    with results_of(rules.resolve):
        outcome = run(dice.dice, rules.resolve, plan, before)
        check_end(outcome, target)
    dice.finish()
    left = rules.situation_after(target, outcome.condition, shot.situation)
    after = _after(play, rules, outcome.condition, left)
    return plain(outcome_data(outcome, rules.damage_unit)), after, headline(outcome)
