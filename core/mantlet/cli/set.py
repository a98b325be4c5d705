"""`mantlet set`: a hand edit of somebody in a campaign, in the journal with its reason."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mantlet.campaign.journal import fact_of
from mantlet.campaign.settings import Member
from mantlet.cli.attack_text import condition_words
from mantlet.cli.json_data import print_json
from mantlet.cli.options import SHARE, SPEED, campaign_option, format_option
from mantlet.cli.playing import Play
from mantlet.cli.words import plain, standing
from mantlet.errors import CatalogError, MantletError, UnknownNameError, UsageError
from mantlet.game.condition import LEVELS, PERSON_STATES, Condition
from mantlet.results import start_of

_LEVEL = click.Choice(LEVELS)


@click.command(short_help="Change somebody in a campaign by hand, with a reason.")
@click.argument("name")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it stands in the log.")
@click.option("--speed", "target_speed_kph", type=SPEED, help="How fast it goes: 40kph, 25mph; 0 stops it.")
@click.option("--hull-down/--hull-exposed", default=None, help="The hull is behind cover, or not.")
@click.option("--cover", type=SHARE, help="Share that is covered: 0.5 or 50%.")
@click.option("--buttoned/--unbuttoned", default=None, help="Hatches closed or open.")
@click.option("--dark/--light", default=None, help="It is night, or day.")
@click.option("--mobility", type=_LEVEL, help="How well it moves.")
@click.option("--firepower", type=_LEVEL, help="How well it fires.")
@click.option("--on-fire/--no-fire", default=None, help="It burns, or not.")
@click.option("--knocked-out/--in-action", default=None, help="It is knocked out, or not.")
@click.option(
    "--person",
    "persons",
    multiple=True,
    metavar="WHO=STATE",
    help=f"Somebody aboard, by name, role or number from 1: {', '.join(PERSON_STATES)}. Repeatable.",
)
@click.option(
    "--points", multiple=True, metavar="KEY=VALUE", help="The ruleset's own points: status --format json has them."
)
@click.option("--anew", is_flag=True, help="Let the ruleset make its own points anew from the neutral facts.")
@campaign_option
@format_option()
def set(
    name: str,
    reason: str,
    persons: Sequence[str],
    points: Sequence[str],
    anew: bool,
    folder: Path | None,
    form: str,
    **given: Any,
) -> None:
    """Change the situation or condition of somebody in the roster by hand.

    What the ruleset's own points (hit points, armor) contradict is refused: change those as well with --points, or let
    the ruleset make them anew with --anew, which forgets armor shot away and the like. It is an event like any other.

    \b
    Examples:
      mantlet set sherman_1 --speed 20kph --reason "moves off"
      mantlet set Greta --person Ilse=wounded --anew --reason "a mine"
    """
    play = Play(folder, writes=True)
    member = play.campaign.member(name)
    before, situation, _ = play.now(member)
    changes = {key: value for key, value in given.items() if value is not None}
    try:
        standing_now = replace(
            situation, **{key: value for key, value in changes.items() if key in situation.__dataclass_fields__}
        )
    except ValueError as error:
        raise UsageError(f"{error}.") from None
    neutral = {key: value for key, value in changes.items() if key not in situation.__dataclass_fields__}
    for level in ("mobility", "firepower"):
        if level in neutral:
            neutral[level] = LEVELS.index(neutral[level])
    people = list(before.people)
    for text in persons:
        who, state = _person(text, member)
        people[who] = state
    if neutral.get("knocked_out") is False:
        neutral["destroyed"] = False
    edited = before._replace(**neutral, people=tuple(people))
    if not (changes or persons or points):
        raise UsageError("Say what to change: mantlet set --help lists it.")
    condition = _accepted(play, member, _with_points(play, edited, points), anew)
    with play.session.guest(play.rules):
        condition = play.rules.put_into(member.target, condition, standing_now)
    if (condition, standing_now) == (before, situation):
        raise UsageError(f"{member.name} is like that already: nothing was written.")

    told = [*(f"{key} {value}" for key, value in plain(changes).items()), *persons, *points]
    facts = {
        "target_fact": fact_of(plain(member.target)),
        "before_fact": play.state_fact(member, before, situation),
        "after_fact": play.state_fact(member, condition, standing_now),
    }
    step = {"what": "set", "target": member.name, "changes": told, "reason": reason}
    body = {"steps": [{**step, **{key: fact[0] for key, fact in facts.items()}}]}
    after = {member.name: facts["after_fact"]}
    text = f"{member.name} by hand ({', '.join(told)}): {reason}"
    with play.recording("set", text, body, after, list(facts.values())) as event:
        if form == "json":
            data = play.session.condition_data(play.rules, condition)
            print_json({"event": event and event.number, **step, "condition": data, "situation": standing_now})
            return
        now = "; ".join([condition_words(condition, member.target, member.people), *standing(standing_now)])
        click.echo(f"{member.name}: {now}.")


def _person(text: str, member: Member) -> tuple[int, int]:
    """The seat and the state that `WHO=STATE` names. Raises UsageError or UnknownNameError."""
    who, equals, state = text.rpartition("=")
    if not equals or state not in PERSON_STATES:
        raise UsageError(f"--person is WHO=STATE, and a state is {', '.join(PERSON_STATES)}; not {text!r}.")
    roles = [seat.role for seat in member.target.crew]
    if who.isdecimal() and 1 <= int(who) <= len(roles):
        return int(who) - 1, PERSON_STATES.index(state)
    for known in (member.people, roles):
        if who in known:
            if list(known).count(who) > 1:
                raise UsageError(f"{member.name} has several of role {who}: say which by name, or by number from 1.")
            return list(known).index(who), PERSON_STATES.index(state)
    raise UnknownNameError("one", who, [*filter(None, member.people), *dict.fromkeys(roles)], member.name)


def _with_points(play: Play, condition: Condition, points: Sequence[str]) -> Condition:
    """The condition with these of the ruleset's own points."""
    if not points:
        return condition
    detail = play.session.condition_data(play.rules, condition)["detail"]
    if not isinstance(detail, Mapping):
        raise UsageError(f"{play.rules.name} has no points of its own here.")
    changed = dict(detail)
    for text in points:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--points is KEY=VALUE, not {text!r}.")
        if key not in detail:
            raise UnknownNameError("point", key, detail, play.rules.name)
        try:
            changed[key] = json.loads(value)
        except ValueError:
            raise UsageError(f"--points {key}: {value!r} is no value; it is {json.dumps(detail[key])} now.") from None
    try:
        with play.session.guest(play.rules):
            return condition._replace(ruleset=play.rules.name, detail=play.rules.load_detail(changed))
    except MantletError as error:
        raise UsageError(f"--points {', '.join(points)} cannot be: {error}") from None


def _accepted(play: Play, member: Member, condition: Condition, anew: bool) -> Condition:
    """The condition as the ruleset takes it. Raises CatalogError where its own points contradict it."""
    with play.session.guest(play.rules):
        try:
            return start_of(play.rules, member.target, condition.neutral if anew else condition)
        except CatalogError as error:
            if anew:
                raise
            raise CatalogError(
                f"{play.rules.name} refuses that: {error} Change its own points too (--points), or let it make them "
                "anew (--anew)."
            ) from None
