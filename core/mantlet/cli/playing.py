"""An open campaign: its file, its journal, and what everybody in the roster is like now."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from mantlet.campaign.folder import JOURNAL, find_folder
from mantlet.campaign.journal import Event, Journal, fact_of, hold_name, read_journal
from mantlet.campaign.lock import Hold, hold
from mantlet.campaign.settings import FILE, Campaign, Member, read_campaign
from mantlet.campaign.state import State, check_writable, state_data, state_from
from mantlet.cli.dice_source import generator_of
from mantlet.cli.session import Session
from mantlet.cli.words import plain
from mantlet.dice.sources import Source
from mantlet.errors import CatalogError, UsageError
from mantlet.game.condition import Condition
from mantlet.game.shares import Shares
from mantlet.game.situation import Situation
from mantlet.results import start_of
from mantlet.ruleset import Ruleset


class Play:
    """One command's view of a campaign.

    A command that `writes` holds the campaign from here until `recording`. Raises CatalogError for a file or a journal
    that cannot be used, UsageError where the file says another ruleset than the journal, unless `any_ruleset`.
    """

    def __init__(self, folder: Path | None, *, writes: bool = False, any_ruleset: bool = False) -> None:
        self.folder = find_folder(folder)
        self.path = self.folder / JOURNAL
        self._hold: Hold | None = None
        if writes:
            tell = lambda text: click.echo(text, err=True)  # noqa: E731
            self._hold = click.get_current_context().with_resource(hold(hold_name(self.folder), tell))
            check_writable(self.path)
        self.session = Session()
        self.campaign: Campaign = read_campaign(self.folder, self.session.plugins)
        for note in self.campaign.catalog.notes:
            click.echo(f"Note: {note}", err=True)
        self.journal: Journal = read_journal(self.path)
        if not any_ruleset:
            self._same_ruleset()

    @property
    def rules(self) -> Ruleset[Any, Any]:
        """The campaign's ruleset under its options."""
        return self.campaign.rules

    def rules_of(self, name: str) -> Ruleset[Any, Any]:
        """Any ruleset, under the options that the campaign's file has for it. Raises UnknownNameError, PluginError."""
        return self.session.plugins.ruleset(name, self.campaign.options.get(name, {}))

    @property
    def played(self) -> str | None:
        """The ruleset of the last event that holds."""
        found = self.journal.last("ruleset")
        return None if found is None else str(found["name"])

    @cached_property
    def latest(self) -> dict[str, str]:
        """The state of everybody to whom something has happened, as the hash of a fact by name."""
        return self.journal.latest()

    def state(self, member: Member) -> State | None:
        """The state that the journal has; None for somebody to whom nothing has happened.

        Raises CatalogError for one that cannot be used, or is of another target than the file says.
        """
        key = self.latest.get(member.name)
        if key is None:
            return None
        state = state_from(self.journal.fact(key), f"{self.path} has a state of {member.name} that cannot be used")
        if state.target != member.target.id:
            raise CatalogError(
                f"{self.folder / FILE}: roster.{member.name}.target is {member.target.id}, and in the journal "
                f"{member.name} is {state.target}. What has happened to one cannot go on with the other: take another "
                "name for it."
            )
        return state

    def now(self, member: Member) -> tuple[Condition, Situation, list[str]]:
        """The condition and situation of somebody in the roster, and what differs from the ruleset that wrote them."""
        state = self.state(member)
        if state is not None:
            return self.session.taken_over(state, self.rules, member.target, self.path)
        with self.session.guest(self.rules):
            start = start_of(self.rules, member.target, None)
            if any(member.start):
                start = start_of(self.rules, member.target, start.neutral._replace(people=member.start))
        return start, Situation(), []

    def shares(self, member: Member, condition: Condition) -> Shares:
        """How much is left of somebody in the roster, as the campaign's ruleset states it."""
        with self.session.guest(self.rules):
            return self.rules.shares(member.target, condition)

    @property
    def generator(self) -> dict[str, int] | None:
        """The seeded dice to go on with."""
        found: dict[str, int] | None = self.journal.last("dice")
        return found

    def state_fact(
        self, member: Member, condition: Condition, situation: Situation, rules: Ruleset[Any, Any] | None = None
    ) -> tuple[str, str]:
        """A state of somebody in the roster, as a fact; `rules` are others than the campaign's."""
        under = rules or self.rules
        with self.session.guest(under):
            return fact_of(plain(state_data(member.target, under, condition, situation)))

    @contextmanager
    def recording(
        self,
        kind: str,
        text: str,
        body: Mapping[str, Any],
        after: Mapping[str, tuple[str, str]],
        facts: Sequence[tuple[str, str]] = (),
        source: Source | None = None,
        rules: Ruleset[Any, Any] | None = None,
    ) -> Iterator[Event | None]:
        """Put an event into the journal, and let other processes go on.

        `text` is the event in one line, `after` the states it leaves, as facts by name, `rules` those that hold
        from then on, where they are not the campaign's. An error of that is raised at
        the end: dice have been rolled, tell first what they did.
        """
        error: CatalogError | None = None
        event: Event | None = None
        under = rules or self.rules
        stated = {"name": under.name, "version": under.version, "options": plain(under.option_values())}
        dice = (generator_of(source) if source else None) or self.generator
        whole = {
            "text": text,
            "ruleset": stated,
            "dice": dice,
            **body,
            "after_facts": {name: key for name, (key, _) in after.items()},
        }
        try:
            event = self.journal.append(kind, whole, dict([*facts, *after.values()]))
        except CatalogError as failure:
            error = failure
        self.let_go()
        yield event
        if error is not None:
            raise error

    def let_go(self) -> None:
        """Let other processes go on."""
        if self._hold is not None:
            self._hold.release()

    def _same_ruleset(self) -> None:
        played = self.played
        if played is not None and played != self.rules.name:
            where = "" if self.folder == Path() else f" --campaign {shlex.quote(os.fspath(self.folder))}"
            raise UsageError(
                f"{self.folder / FILE} says {self.rules.name}, and the journal is played under {played}. "
                f"mantlet campaign switch {self.rules.name}{where} goes over to it, and with --dry-run says what that "
                f'does; ruleset = "{played}" in the file goes on as before.'
            )
