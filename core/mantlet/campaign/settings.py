"""`campaign.toml`: what a game master writes about a campaign, read with everything that is wrong with it at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from mantlet.catalog import Catalog
from mantlet.catalog.problems import FileProblems, unprintable
from mantlet.catalog.user_files import parse_toml, read_text
from mantlet.errors import CatalogError, MantletError, UnknownNameError, misspelt
from mantlet.game.attack import SkillWord
from mantlet.game.checks import FieldError, check_range
from mantlet.game.condition import FIT, GONE
from mantlet.game.target import Target
from mantlet.ruleset import Ruleset

FILE: Final = "campaign.toml"
"""The name of the file that makes a folder a campaign."""

_NAME = re.compile(r"[^\s\-=,][^\s=,]*")


class Installed(Protocol):
    """What is installed, as far as a campaign asks for it (`mantlet.plugins.registry.Plugins`)."""

    rulesets: Any

    def catalog(self, files: Sequence[Path]) -> Catalog:
        """The catalog with these files of the user."""

    def ruleset(self, name: str, options: Mapping[str, Any]) -> Ruleset[Any, Any]:
        """A ruleset under these options."""


@dataclass(frozen=True, kw_only=True)
class Head:
    """The keys of `campaign.toml` beside its roster. `options` are those of each ruleset by its name."""

    title: str
    ruleset: str
    catalogs: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of the roster as it stands in the file: `[roster.Greta]`.

    `weapon` is the one that is fired where none is named (left out: the first of the target's armament), `skill`,
    `skill_percent` and `skills` are as in an `Attack`. `seats` say who sits where, by the role of the seat: a name, or
    a list of names where there are several of that role; an empty name is an empty seat.

    Raises FieldError (a ValueError) for what cannot be.
    """

    target: str
    weapon: str = ""
    side: str = ""
    skill: SkillWord | None = None
    skill_percent: float | None = None
    skills: Mapping[str, float] = field(default_factory=dict)
    seats: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        if self.skill is not None and self.skill_percent is not None:
            raise FieldError(f"skill is {self.skill}, and skill_percent {self.skill_percent:g}: give one", "skill")
        if self.skill_percent is not None:
            check_range(self.skill_percent, "skill_percent", 0, 1000)
        for role, names in self.seats.items():
            if not isinstance(names, str) and not (
                isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
            ):
                raise FieldError(f"seats.{role} has to be a name or a list of names", "seats", role)

    @property
    def skill_texts(self) -> tuple[str, ...]:
        """The skill as it is typed after --skill."""
        usual = self.skill or (None if self.skill_percent is None else f"{self.skill_percent:g}")
        return (*([usual] if usual else []), *(f"{name}={value:g}" for name, value in self.skills.items()))


@dataclass(frozen=True, eq=False, kw_only=True)
class Member:
    """Somebody or something in the roster: the entry of the file with the target it stands for.

    `people` has a name a seat, in the order of the target's seats: `None` where nobody is named, empty where nobody
    sits.
    """

    name: str
    entry: Entry
    target: Target
    people: tuple[str | None, ...]
    weapon: str
    """What is fired where none is named; empty where there is nothing."""

    @property
    def start(self) -> tuple[int, ...]:
        """The people of an untouched target: nobody in an empty seat."""
        return tuple(GONE if name == "" else FIT for name in self.people)


@dataclass(frozen=True, eq=False, kw_only=True)
class Campaign:
    """A campaign's file, checked: every name in it is known."""

    title: str
    rules: Ruleset[Any, Any]
    options: Mapping[str, Mapping[str, Any]]
    """The options of each ruleset by its name, as the file has them."""
    catalog: Catalog
    catalog_files: tuple[Path, ...]
    roster: Mapping[str, Member]
    notes: tuple[str, ...] = ()
    """What was derived, because the file does not say it."""

    def member(self, name: str) -> Member:
        """The one of this name; letter case does not matter. Raises UnknownNameError with the nearest names."""
        found = self.roster.get(name) or next((m for m in self.roster.values() if m.name.lower() == name.lower()), None)
        if found is None:
            raise UnknownNameError("one in the roster", name, self.roster)
        return found


def read_campaign(folder: Path, installed: Installed) -> Campaign:
    """The campaign in a folder. Raises CatalogError with everything that is wrong, each with key and line."""
    file = folder / FILE
    text = read_text(file, str(file))
    data = parse_toml(text, str(file))
    problems = FileProblems(str(file), text)
    bad = unprintable(data)
    if bad is not None:
        problems.add(bad[0], f"{bad[1]!r} has characters that cannot be shown.")
    roster = data.pop("roster", {})
    head = problems.check(Head, data)
    entries = _entries(roster, problems)
    rules = _rules(data, installed, problems) if head is not None else None
    catalog, files = _catalog(folder, head, installed, problems)
    members = {name: _member(name, entry, catalog, problems) for name, entry in entries.items()} if catalog else {}
    for name, entry in entries.items():
        for ruleset in entry.skills:
            if ruleset not in installed.rulesets:
                unknown = UnknownNameError("ruleset", ruleset, installed.rulesets)
                problems.add(("roster", name, "skills", ruleset), f"roster.{name}.skills: {unknown}")
    problems.raise_any()
    assert head is not None
    assert rules is not None
    assert catalog is not None
    found = {name: member for name, member in members.items() if member is not None}
    return Campaign(
        title=head.title,
        rules=rules,
        options=head.options,
        catalog=catalog,
        catalog_files=files,
        roster=found,
        notes=tuple(_derived(member) for member in found.values() if member.weapon and not member.entry.weapon),
    )


def _derived(member: Member) -> str:
    return f"{member.name} has no weapon named and fires the first of its armament, {member.weapon}."


def _entries(roster: Any, problems: FileProblems) -> dict[str, Entry]:
    if not isinstance(roster, Mapping):
        problems.add(("roster",), "roster has to hold tables such as [roster.Greta].")
        return {}
    found: dict[str, Entry] = {}
    for name, data in roster.items():
        path = ("roster", name)
        if not _NAME.fullmatch(name):
            problems.add(path, f"{name!r} cannot be a name in the roster: it is one word, without = and comma.")
        elif name.lower() in map(str.lower, found):
            problems.add(path, f"{name!r} differs from another name of the roster in its letter case alone.")
        entry = problems.check(Entry, data, path, f"roster.{name}: ")
        if entry is not None:
            found[name] = entry
    return found


def _rules(data: Mapping[str, Any], installed: Installed, problems: FileProblems) -> Ruleset[Any, Any] | None:
    """The campaign's ruleset; the options of every other one that is named are checked as well."""
    found = None
    options: Mapping[str, Mapping[str, Any]] = data.get("options", {})
    for name in dict.fromkeys([data["ruleset"], *options]):
        path: tuple[str | int, ...] = ("options", name) if name in options else ("ruleset",)
        if name not in installed.rulesets:
            unknown = UnknownNameError("ruleset", name, installed.rulesets)
            if name == data["ruleset"]:
                problems.add(("ruleset",), str(unknown))
            elif misspelt(name, installed.rulesets):
                problems.add(path, f"options: {unknown}")
            continue
        try:
            rules = installed.ruleset(name, options.get(name, {}))
            found = rules if name == data["ruleset"] else found
        except UnknownNameError as error:
            problems.add((*path, error.name), str(error))
        except CatalogError as error:
            for inside, sentence in error.problems or [((), str(error))]:
                problems.add((*path, *inside), sentence)
        except MantletError as error:
            problems.add(path, str(error))
    return found


def _catalog(
    folder: Path, head: Head | None, installed: Installed, problems: FileProblems
) -> tuple[Catalog | None, tuple[Path, ...]]:
    files = tuple(folder / name for name in (head.catalogs if head else ()))
    try:
        return installed.catalog(files), files
    except MantletError as error:
        at = next(
            (n for n, file in enumerate(files) if str(error).startswith((str(file), f"There is no file {file}"))), 0
        )
        problems.add(("catalogs", at), str(error))
        return None, files


def _member(name: str, entry: Entry, catalog: Catalog, problems: FileProblems) -> Member | None:
    weapon = entry.weapon
    try:
        if weapon:
            catalog.round(weapon)
    except UnknownNameError as error:
        problems.add(("roster", name, "weapon"), f"roster.{name}.weapon: {error}")
    try:
        target = catalog.target(entry.target)
    except UnknownNameError as error:
        problems.add(("roster", name, "target"), f"roster.{name}.target: {error}")
        return None
    if not weapon and target.armament:
        weapon = target.armament[0]
    return Member(name=name, entry=entry, target=target, people=_people(name, entry, target, problems), weapon=weapon)


def _people(name: str, entry: Entry, target: Target, problems: FileProblems) -> tuple[str | None, ...]:
    """Who sits where, by seat."""
    roles = [seat.role for seat in target.crew]
    people: list[str | None] = [None] * len(roles)
    seen: set[str] = set()
    for role, given in entry.seats.items():
        path = ("roster", name, "seats", role)
        places = [at for at, other in enumerate(roles) if other == role]
        names = [given] if isinstance(given, str) else list(given)
        if not places:
            problems.add(
                path, f"roster.{name}.seats: {UnknownNameError('seat', role, dict.fromkeys(roles), target.id)}"
            )
        elif len(names) > len(places):
            told = f"has {len(names)} names, and {target.id} has {len(places)} of that role"
            problems.add(path, f"roster.{name}.seats.{role} {told}.")
        for at, person in zip(places, names):
            if person and person in seen:
                problems.add(path, f"roster.{name}.seats: {person} cannot sit in two seats.")
            seen.add(person)
            people[at] = person
    return tuple(people)
