"""The catalog: weapons with their rounds, and targets, by name.

Shipped things lie one a file under `data/weapons` and `data/targets`; only the file that is asked for is read, because
most commands need one weapon and one target. A user's files are validated when the catalog is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from mantlet.catalog.problems import MOST_TOLD, FileProblems, unprintable
from mantlet.catalog.user_files import parse_toml, read_text
from mantlet.catalog.validation import build
from mantlet.errors import CatalogError, DiceSyntaxError, TableError, UnknownNameError, misspelt, nearest
from mantlet.game.bodies import COMPONENTS
from mantlet.game.target import Target
from mantlet.game.weapon import Ammunition, Weapon

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DATA = Path(__file__).parent / "data"

T = TypeVar("T", Weapon, Target)

_WORD: dict[type, str] = {Weapon: "weapon", Target: "target"}
_MOST_LETTERS = 100  # an id is the name of a file, too, and systems end at 255
_ID = re.compile(rf"[a-z0-9_]{{1,{_MOST_LETTERS}}}")
_BODIES = {"creature": ("animal", "monster"), "team": ("infantry", "gun_crew")}


class Catalog:
    """Weapons and targets by id or alias; letter case does not matter, "-" and " " count as "_", which may be left out.

    `files` are a user's TOML files with `[[weapon]]` and `[[target]]` arrays; a later file wins over an earlier one,
    and all of them over what is shipped. `data` is the same as plain data, pairs of a name for messages and a mapping
    (an importer's work). `extra` are directories laid out like the shipped `data`: they add things, and cannot replace
    any. `stat_blocks` are the names of the rulesets whose stat blocks are known, and what refuses a weapon or target
    whose block for that ruleset is wrong, by raising a MantletError; without it, stat blocks are taken as they are.
    The same name gives the same object every time.

    Raises CatalogError for a file that cannot be read or holds bad data, listing everything that is wrong with it.
    """

    def __init__(
        self,
        files: Iterable[str | Path] = (),
        extra: Iterable[Any] = (),
        data: Iterable[tuple[str, Mapping[str, Any]]] = (),
        stat_blocks: Mapping[str, Callable[[Any], None]] | None = None,
    ) -> None:
        self.notes: list[str] = []
        """What the user should know of his files: what stands in them and nothing reads."""
        self._stat_blocks = stat_blocks
        self.left_out: list[str] = []
        """Why files of plugins' directories were left out of `weapons`, `targets` and the aliases, as they were met."""
        self._folders: list[tuple[Traversable, bool]] = [(DATA, True)]
        self._folders += [(folder, False) for folder in extra]
        self._loaded: dict[tuple[type, str], Any] = {}
        self._user_aliases: dict[type, dict[str, str]] = {Weapon: {}, Target: {}}
        self._user_ids: dict[type, dict[str, str]] = {Weapon: {}, Target: {}}
        read: list[tuple[FileProblems, list[Any]]] = []
        for file in files:
            text = read_text(Path(file), str(file))
            read.append(self._add(str(file), parse_toml(text, str(file)), text))
        for where, mapping in data:
            read.append(self._add(where, mapping, None))
        for problems, things in read:  # what refers to other things of these files, once all are there
            self._check_armament(things, problems)
            problems.raise_any()
            self.notes += problems.notes()

    def weapon(self, name: str) -> Weapon:
        """The weapon of this id or alias. Raises UnknownNameError with the nearest names."""
        return self._find(Weapon, name.partition("/")[0])[0]

    def round(self, name: str) -> tuple[Weapon, Ammunition]:
        """A weapon and one of its rounds, for `weapon` (its usual round) or `weapon/round`.

        The round is named by its id, or by its kind (`us_75_m3/HE`), which means the first round of that kind.
        Raises UnknownNameError with the nearest names.
        """
        weapon_name, _, round_name = name.partition("/")
        weapon, aliased = self._find(Weapon, weapon_name)
        return weapon, _round(weapon, round_name or aliased)

    def target(self, name: str) -> Target:
        """The target of this id or alias. Raises UnknownNameError with the nearest names."""
        return self._find(Target, name)[0]

    def weapon_ids(self) -> list[str]:
        """The ids of all weapons, sorted."""
        return self._ids(Weapon)

    def target_ids(self) -> list[str]:
        """The ids of all targets, sorted."""
        return self._ids(Target)

    def weapons(self) -> list[Weapon]:
        """All weapons, sorted by id; a plugin's file with bad data is left out (see `left_out`)."""
        return self._all(Weapon)

    def targets(self) -> list[Target]:
        """All targets, sorted by id; a plugin's file with bad data is left out (see `left_out`)."""
        return self._all(Target)

    def weapon_aliases(self) -> dict[str, str]:
        """Every other name of a weapon, and what it stands for: an id, or `id/round`."""
        return dict(sorted(self._known_aliases(Weapon).items()))

    def target_aliases(self) -> dict[str, str]:
        """Every other name of a target, and the id it stands for."""
        return dict(sorted(self._known_aliases(Target).items()))

    def sources(self) -> dict[str, dict[str, str]]:
        """The sources of the numbers by their key: `text`, `url`, sometimes `note`."""
        return self._tables("sources.toml")

    def criteria(self) -> dict[str, dict[str, str]]:
        """What the penetration criteria mean, by their key: `text`, `source`, `confidence`."""
        return self._tables("criteria.toml")

    def _all(self, kind: type[T]) -> list[T]:
        found = []
        for id in self._ids(kind):
            try:
                found.append(self._find(kind, id)[0])
            except CatalogError as error:
                self._leave_out(error)
        return found

    def _leave_out(self, error: CatalogError) -> None:
        if str(error) not in self.left_out:
            self.left_out.append(str(error))

    # -- finding -----------------------------------------------------------------------------------------------------

    def _find(self, kind: type[T], name: str) -> tuple[T, str]:
        """The thing, and the round that the alias names, if it names one."""
        key = _key(name)
        found = self._by_name(kind, key)
        if found is not None:
            return found
        names = [*self._ids(kind), *self._known_aliases(kind)]
        alike = {other for other in names if _key(other).replace("_", "") == key.replace("_", "")}
        if len(alike) == 1:  # T-34, PaK 40: written with a break where the catalog has none
            found = self._by_name(kind, _key(alike.pop()))
            if found is not None:
                return found
        raise UnknownNameError(_WORD[kind], name, names)

    def _by_name(self, kind: type[T], key: str) -> tuple[T, str] | None:
        """A thing by its id or an alias: a user's ids and aliases come before those that are shipped."""
        if key in self._user_ids[kind] or key not in self._user_aliases[kind]:
            thing = self._by_id(kind, key)
            if thing is not None:
                return thing, ""
        id, _, round_name = self._known_aliases(kind).get(key, "").partition("/")
        thing = self._by_id(kind, _key(id))
        return None if thing is None else (thing, round_name)

    def _by_id(self, kind: type[T], key: str) -> T | None:
        loaded = self._loaded.get((kind, key))
        if loaded is None and _ID.fullmatch(key):
            for folder, shipped in self._folders:
                file = folder.joinpath(f"{_WORD[kind]}s").joinpath(f"{key}.toml")
                if file.is_file():
                    loaded = self._loaded[kind, key] = _load(kind, file, key, shipped)
                    break
        return loaded

    def _ids(self, kind: type) -> list[str]:
        found = set(self._user_ids[kind].values())
        taken = set(self._user_ids[kind])
        for folder, _ in self._folders:
            inside = folder.joinpath(f"{_WORD[kind]}s")
            if inside.is_dir():
                names = (file.name.removesuffix(".toml") for file in inside.iterdir() if file.name.endswith(".toml"))
                found.update(name for name in names if _ID.fullmatch(name) and name not in taken)
        return sorted(found)

    def _known_aliases(self, kind: type) -> dict[str, str]:
        """Every alias and what it stands for: a user's win over those of the directories."""
        return {**self._directory_aliases[kind], **self._user_aliases[kind]}

    @cached_property
    def _directory_aliases(self) -> dict[type, dict[str, str]]:
        aliases: dict[type, dict[str, str]] = {Weapon: {}, Target: {}}
        for file in self._files("aliases.toml"):
            try:
                table = parse_toml(read_text(file, str(file)), str(file))
            except CatalogError as error:  # a plugin's
                self._leave_out(error)
                continue
            for kind, word in _WORD.items():
                known = table.get(f"{word}s")
                if isinstance(known, Mapping):
                    aliases[kind].update({_key(a): str(b) for a, b in known.items()})
        return aliases

    def _tables(self, name: str) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for file in self._files(name):
            found.update(parse_toml(read_text(file, str(file)), str(file)))
        return found

    def _files(self, name: str) -> list[Traversable]:
        """The files of this name, the shipped one last: what is written last cannot be replaced."""
        files = [folder.joinpath(name) for folder, _ in reversed(self._folders)]
        return [file for file in files if file.is_file()]

    # -- a user's file -----------------------------------------------------------------------------------------------

    def _add(self, where: str, table: Mapping[str, Any], text: str | None) -> tuple[FileProblems, list[Any]]:
        """Take in one file of a user, or raise CatalogError with everything that is wrong with it."""
        problems = FileProblems(where, text)
        for key in table:
            if key not in _WORD.values():
                near = nearest(key, _WORD.values())
                hint = f"; did you mean [[{near[0]}]]?" if near else "; a catalog file has [[weapon]] and [[target]]."
                problems.add((key,), f"{key} is not a known key{hint}")
        fresh = [(kind, self._entries(kind, table, problems)) for kind in (Weapon, Target)]
        problems.raise_any()
        for kind, things in fresh:
            for thing in things:
                key = _key(thing.id)
                self._loaded[kind, key] = thing
                self._user_ids[kind][key] = thing.id
                self._user_aliases[kind].pop(key, None)
                self._user_aliases[kind].update({_key(alias): thing.id for alias in thing.aliases})
        return problems, fresh[1][1]

    def _entries(self, kind: Any, table: Mapping[str, Any], problems: FileProblems) -> list[Any]:
        word = _WORD[kind]
        entries = table.get(word, [])
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            problems.add((word,), f"{word} has to be an array of tables, written [[{word}]].")
            return []
        things = []
        seen: dict[str, str] = {}
        for n, entry in enumerate(entries):
            if len(problems.found) > MOST_TOLD:  # more than anybody reads at once: this is no catalog at all
                break
            label = f"{word} number {n + 1}"
            bad = unprintable(entry)
            if bad is not None:
                path, part = bad
                problems.add((word, n, *path), f"{label}: {part!r} has characters that cannot be shown.")
                continue
            if isinstance(entry, Mapping) and "id" in entry:
                label = f"{word} {entry['id']}"
            thing = problems.check(kind, entry, (word, n), f"{label}: ", _lacking)
            if thing is None:
                continue
            things.append(thing)
            for at, name in enumerate((thing.id, *thing.aliases)):
                path = (word, n, "id") if at == 0 else (word, n, "aliases", at - 1)
                if not _ID.fullmatch(_key(name)):
                    problems.add(
                        path, f"{label}: {name!r} cannot be a name; use up to {_MOST_LETTERS} letters, digits and _."
                    )
                elif _key(name) in seen:
                    problems.add(path, f"{label}: the name {name!r} is already taken by {word} {seen[_key(name)]}.")
                seen.setdefault(_key(name), thing.id)
            self._check_stats(thing, (word, n), problems)
            if kind is Target:
                for at, component in enumerate(thing.components or ()):
                    if component not in COMPONENTS:
                        where = (word, n, "components", at)
                        problems.note(where, f"{label}: no ruleset of mantlet asks about the component {component!r}.")
        return things

    def _check_stats(self, thing: Any, path: tuple[str | int, ...], problems: FileProblems) -> None:
        """The stat blocks of a thing: whether each is for a ruleset that there is, and what that says to it."""
        if self._stat_blocks is None:
            return
        rounds = getattr(thing, "ammunition", ())
        owners = [(path, thing), *(((*path, "ammunition", n), each) for n, each in enumerate(rounds))]
        for at, owner in owners:
            for name in owner.stats:
                if name in self._stat_blocks:
                    continue
                near = misspelt(name, self._stat_blocks)
                if near is not None:
                    problems.add((*at, "stats", name), f"stats.{name}: no ruleset has that name; did you mean {near}?")
                else:
                    installed = ", ".join(self._stat_blocks) or "none"
                    sentence = f"stats.{name} is for a ruleset that is not installed; installed: {installed}."
                    problems.note((*at, "stats", name), sentence)
        for name, check_block in self._stat_blocks.items():
            places = [(*at, "stats", name) for at, owner in owners if name in owner.stats]
            try:
                if places:
                    check_block(thing)
            except CatalogError as error:
                for inside, sentence in error.problems or [((), str(error))]:
                    problems.add((*places[0], *inside), sentence)
            except (UnknownNameError, TableError, DiceSyntaxError) as error:
                problems.add(places[0], str(error))

    def _check_armament(self, targets: Iterable[Target], problems: FileProblems) -> None:
        """Whether every gun of these targets is a weapon."""
        for n, target in enumerate(targets):
            for at, weapon in enumerate(target.armament):
                try:
                    self.round(weapon)
                except UnknownNameError as error:
                    problems.add(("target", n, "armament", at), f"target {target.id}: armament: {error}")


def _lacking(thing: Any) -> list[tuple[tuple[str | int, ...], str]]:
    """What one cannot do without, although the record can: pairs of the key path and a sentence."""
    lacking: list[tuple[tuple[str | int, ...], str]] = []
    if not thing.name.strip():
        lacking.append((("name",), "name is empty."))
    lacking += _not_of(thing, ())
    if not isinstance(thing, Target):
        lacking += _not_above_zero(thing, (), "mass_kg", "effective_range_m", "rate_of_fire_rpm")
        for n, ammunition in enumerate(thing.ammunition):
            lacking += _not_above_zero(ammunition, ("ammunition", n), "muzzle_velocity_mps", "projectile_mass_kg")
            lacking += _not_of(ammunition, ("ammunition", n))
        return lacking
    if thing.kind == "vehicle" and thing.seats == ():
        needs = "a vehicle needs at least one seat; left out, it has those its body usually has."
        lacking.append((("seats",), f"seats is empty, and {needs}"))
    if thing.kind == "team" and not thing.seats:
        lacking.append((("seats",), "seats is empty or missing, and a team needs at least one man."))
    for n, seat in enumerate(thing.seats or ()):
        if not seat.role.strip():
            lacking.append((("seats", n, "role"), f"seats.{n}.role is empty."))
    lacking += _not_above_zero(thing, (), "mass_kg", "length_m", "width_m", "height_m")
    components = thing.components or ()
    for n, component in enumerate(components):
        near = misspelt(component, COMPONENTS)
        if not component.strip():
            lacking.append((("components", n), f"components.{n} is empty."))
        elif component in components[:n]:
            lacking.append((("components", n), f"components has {component!r} twice."))
        elif component not in COMPONENTS and near is not None:
            lacking.append((("components", n), f"components cannot have {component!r}; did you mean {near!r}?"))
    fitting = _BODIES.get(thing.kind)
    if (thing.body not in fitting) if fitting else any(thing.body in bodies for bodies in _BODIES.values()):
        has = f"has the body {' or '.join(fitting)}" if fitting else "has the body of one"
        lacking.append((("body",), f"body cannot be {thing.body!r}: a {thing.kind} {has}."))
    return lacking


def _not_of(thing: Any, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], str]]:
    """Provenance of what the thing does not have."""
    known = [field.name for field in fields(thing)]
    found = []
    for key in thing.provenance:
        if key not in known:
            near = nearest(key, known)
            hint = f"did you mean {near[0]}?" if near else "it names keys of the table that it stands in."
            sentence = f"{'.'.join(map(str, (*path, 'provenance', key)))} speaks of no known key; {hint}"
            found.append(((*path, "provenance", key), sentence))
    return found


_LEAST: Final = 0.0001
"""No mass in kg, length in m or speed in m/s of a thing is smaller."""


def _not_above_zero(thing: Any, path: tuple[str | int, ...], *keys: str) -> list[tuple[tuple[str | int, ...], str]]:
    """What is given as nothing, and cannot be nothing."""
    return [
        (
            (*path, key),
            f"{'.'.join(map(str, (*path, key)))} has to be more than 0, not {value:g}; left out, it counts as unknown.",
        )
        for key in keys
        if (value := getattr(thing, key)) is not None and value < _LEAST
    ]


def _key(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def _round(weapon: Weapon, name: str) -> Ammunition:
    if not name:
        return weapon.ammunition[0]
    wanted = _key(name)
    called = [ammunition for ammunition in weapon.ammunition if _key(ammunition.id) == wanted]
    found = called or [ammunition for ammunition in weapon.ammunition if ammunition.kind.lower() == wanted]
    if found:
        return found[0]
    ids = [ammunition.id for ammunition in weapon.ammunition]
    raise UnknownNameError("round", name, ids, f"{weapon.id} ({', '.join(ids)})")


def _load(kind: type[T], file: Traversable, key: str, shipped: bool) -> T:
    text = read_text(file, str(file))
    table = parse_toml(text, str(file))
    if shipped:  # proven by the tests
        return build(kind, table)
    problems = FileProblems(str(file), text)
    thing = problems.check(kind, table, more=_lacking)
    if thing is not None and thing.id != key:
        problems.add(("id",), f"id has to be {key!r}, as the file is called, not {thing.id!r}.")
    problems.raise_any()
    return cast(T, thing)
