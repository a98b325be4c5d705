"""The saved state of one target: its condition and situation, the dice, and the ruleset that wrote it.

A JSON file, the one that `mantlet attack --state` keeps; commands and programs share it. Whoever reads it checks
everything; what cannot be read is an error and is never written over, and what is written is never half written.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from mantlet.campaign.replacing import replace_file
from mantlet.catalog.user_files import decode, parse_json, read_bytes
from mantlet.errors import CatalogError, MantletError, UnknownNameError, UsageError, sentence
from mantlet.game.condition import DEAD, LEVELS, PERSON_STATES, Condition, condition_from_data, condition_to_data
from mantlet.game.situation import Situation
from mantlet.game.target import Target
from mantlet.results import ResultError, results_of, start_of
from mantlet.ruleset import Ruleset

FORMAT: Final = 2
"""The format that is written: 2 has the situation and the catalog files, which 1 does not have."""
OLDEST_FORMAT: Final = 1
MOST_THROWN: Final = 10_000_000
"""A saved generator is wound forward die by die; a larger number is no game but a mistake."""
MAX_BYTES: Final = 5_000_000


@dataclass(frozen=True)
class State:
    """A state as it stands in the file; `condition` is still plain data, for its detail is the ruleset's to read."""

    target: str
    ruleset: str
    version: str
    options: dict[str, Any]
    dice: dict[str, int] | None
    condition: Mapping[str, Any]
    situation: Situation | None = None
    """None in a state of format 1: the ruleset may know some of it."""
    catalog: tuple[str, ...] | None = None
    """The user's catalog files, from the state's directory; None in a state of format 1."""
    more: dict[str, Any] = field(default_factory=dict)
    """Keys of a newer mantlet, kept as they are."""
    content: bytes = field(default=b"", repr=False)
    """What the file held."""


def read_state(path: Path) -> State | None:
    """The state in a file, or None when there is no such file yet. Raises CatalogError for one that cannot be used."""
    with suppress(OSError, ValueError):  # `read_text` says what is wrong with any but a missing file
        if not path.exists():
            return None
    try:
        content = read_bytes(path, str(path), "state file", MAX_BYTES)
        data = parse_json(decode(content, str(path)), f"{path} is no state file")
    except CatalogError as error:
        raise CatalogError(f"{error} It is left as it is.") from None
    return state_from(data, f"{path} is no state file that can be used", content)


def state_from(data: Any, told: str, content: bytes = b"") -> State:
    """The state that plain data (`state_data`) hold. Raises CatalogError, which begins with `told`, for any other."""
    try:
        return _state(data, content)
    except _Wrong as error:
        raise CatalogError(f"{told}: {sentence(error)} It is left as it is.") from None


class _Wrong(Exception):
    """What is wrong with the data, without the file."""


def _state(data: Any, content: bytes) -> State:
    if not isinstance(data, dict) or "mantlet_state" not in data:
        raise _Wrong("it has no key mantlet_state")
    if type(data["mantlet_state"]) is not int or not OLDEST_FORMAT <= data["mantlet_state"] <= FORMAT:
        readable = f"{OLDEST_FORMAT} to {FORMAT}"
        raise _Wrong(f"its format is {json.dumps(data['mantlet_state'])[:20]}, and this mantlet reads {readable}")
    ruleset = _get(data, "ruleset", dict)
    dice = data.get("dice")
    if dice is not None:
        seed, thrown = _get(data, "dice", dict).get("seed"), dice.get("thrown")
        if type(seed) is not int or type(thrown) is not int or not 0 <= thrown <= MOST_THROWN:
            raise _Wrong(f"dice has to hold a seed and 0 to {MOST_THROWN} dice thrown")
        dice = {"seed": seed, "thrown": thrown}
    condition = _get(data, "condition", dict)
    _check_condition(condition)
    known = {"mantlet_state", "target", "ruleset", "dice", "condition", "situation", "catalog"}
    return State(
        target=_get(data, "target", str),
        ruleset=_get(ruleset, "name", str, "ruleset."),
        version=_get(ruleset, "version", str, "ruleset."),
        options=_get(ruleset, "options", dict, "ruleset."),
        dice=dice,
        condition=condition,
        situation=_situation(_get(data, "situation", dict)) if "situation" in data else None,
        catalog=_catalog(_get(data, "catalog", list)) if "catalog" in data else None,
        content=content,
        more={key: value for key, value in data.items() if key not in known},
    )


def _situation(data: Mapping[str, Any]) -> Situation:
    known = {part.name: part.type for part in fields(Situation)}
    for key, value in data.items():
        if key not in known:
            raise _Wrong(str(UnknownNameError("key", key, known, "situation")).rstrip("."))
        if known[key] == "bool":
            _get(data, key, bool, "situation.")
        elif type(value) not in (int, float):
            raise _Wrong(f"situation.{key} has to be a number")
    try:
        return Situation(**data)
    except ValueError as error:
        raise _Wrong(f"situation.{error}") from None


def _catalog(names: list[Any]) -> tuple[str, ...]:
    for n, name in enumerate(names):
        if not isinstance(name, str) or not name or "\0" in name:
            raise _Wrong(f"catalog[{n}] has to be the name of a file, not {name!r}")
    return tuple(names)


def _check_condition(condition: Mapping[str, Any]) -> None:
    for key in ("mobility", "firepower"):
        if _get(condition, key, str, "condition.") not in LEVELS:
            raise _Wrong(f"condition.{key} has to be {', '.join(LEVELS)}, not {condition[key]!r}")
    for key in ("on_fire", "knocked_out", "destroyed"):
        _get(condition, key, bool, "condition.")
    if condition["destroyed"] and not condition["knocked_out"]:
        raise _Wrong("condition.destroyed is true and condition.knocked_out is not: what is destroyed is knocked out")
    _get(condition, "ruleset", str, "condition.")
    for n, person in enumerate(_get(condition, "people", list, "condition.")):
        if person not in PERSON_STATES:
            raise _Wrong(f"condition.people[{n}] has to be {', '.join(PERSON_STATES)}, not {person!r}")


def _get(data: Mapping[str, Any], key: str, kind: type, where: str = "") -> Any:
    value = data.get(key)
    if type(value) is not kind:
        expected = {dict: "an object", str: "a text", bool: "true or false", list: "a list"}[kind]
        raise _Wrong(f"{where}{key} is missing" if key not in data else f"{where}{key} has to be {expected}")
    return value


def condition_of(state: State, ruleset: Ruleset[Any, Any], target: Target, path: Path) -> Condition:
    """The condition a state holds, as this ruleset takes it over.

    Raises CatalogError when it does not fit the target or its detail cannot be read.
    """
    detail = None
    if state.condition["ruleset"] == ruleset.name and state.condition.get("detail") is not None:
        text = f"{path} is no state file that can be used: its detail is not what {ruleset.name} writes"
        try:
            detail = ruleset.load_detail(state.condition["detail"])
            hash(detail)
        except MantletError as error:
            raise CatalogError(f"{text} ({error}). It is left as it is.") from error
        except KeyError as error:
            raise CatalogError(f"{text} (condition.detail.{error.args[0]} is missing). It is left as it is.") from error
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            raise CatalogError(f"{text}. It is left as it is.") from error
    condition = condition_from_data(state.condition, detail)
    if len(condition.people) != len(target.crew):
        raise CatalogError(
            f"{path} does not fit {target.id}: it has {len(condition.people)} people, and the target seats "
            f"{len(target.crew)}. It is left as it is."
        )
    if target.kind == "team" and target.crew and set(condition.people) == {DEAD} and not condition.knocked_out:
        raise CatalogError(
            f"{path} contradicts itself: everybody of {target.id} is dead, and condition.knocked_out is false. "
            "It is left as it is."
        )
    try:
        return start_of(ruleset, target, condition)
    except CatalogError as error:
        if detail is None:  # it is the target's own stat block that is wrong
            raise
        told = str(error).rstrip(".")
        raise CatalogError(f"{path} does not fit {target.id}: {told}. It is left as it is.") from error


def differences(state: State, ruleset: Ruleset[Any, Any]) -> str | None:
    """What a user should know when a state of another ruleset or version is taken over."""
    if state.ruleset != ruleset.name:
        return (
            f"The state was written by {state.ruleset} {state.version}; {ruleset.name} {ruleset.version} "
            "takes over its neutral facts."
        )
    if state.version != ruleset.version:
        return f"The state was written by {ruleset.name} {state.version}; this is {ruleset.version}."
    return None


def check_target(state: State, target: Target, path: Path) -> None:
    """Refuse to damage one target in the state of another. Raises UsageError."""
    if state.target != target.id:
        raise UsageError(f"{path} is the state of {state.target}, and the attack is at {target.id}.")


def check_writable(path: Path) -> None:
    """Find out before any die is rolled that the state cannot be saved. Raises CatalogError."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise CatalogError(f"The state cannot be saved: there is no directory {folder}.")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise CatalogError(f"The state cannot be saved in {folder}: {sentence(error.strerror or error)}") from None


def catalog_files(state: State, path: Path) -> tuple[Path, ...]:
    """The user's catalog files that a state was written with, where they lie now if the state's directory has moved."""
    return tuple(Path(os.path.realpath(path)).parent / name for name in state.catalog or ())


def write_state(
    path: Path,
    target: Target,
    ruleset: Ruleset[Any, Any],
    condition: Condition,
    dice: dict[str, int] | None,
    before: State | None,
    *,
    situation: Situation | None = None,
    catalog: Sequence[Path] | None = None,
) -> tuple[str, ...]:
    """Put a state in the place of the one before, all of it or nothing; the one before stays beside it as `.bak`.

    `dice` is the generator to go on with (`mantlet.Seeded.state`), `situation` the target's, `catalog` the user's files
    that it takes; None keeps those of the state before. Gives a sentence for each thing that the file could not keep
    (its owner, other names of it). Raises CatalogError when it cannot be saved, and when the file is not what `before`
    was read from any more (None: there was none); RuleError for a detail that could not be read again.
    """
    remarks = []
    if dice is not None and dice["thrown"] > MOST_THROWN:
        remarks.append(f"Of seed {dice['seed']} {dice['thrown']:,} dice are thrown: the next command begins another.")
        dice = None
    elif dice is None and before is not None:
        dice = before.dice
    if situation is None:
        situation = (before.situation if before else None) or Situation()
    names = (before.catalog if before else None) or ()
    if catalog is not None:
        names = tuple(_from(Path(os.path.realpath(path)).parent, file) for file in catalog)
    data = {
        **(before.more if before else {}),
        **state_data(target, ruleset, condition, situation, dice=dice, catalog=names),
    }
    return (*remarks, *replace_file(path, _readable(data, path), before.content if before else None))


def _detail(condition: Condition, ruleset: Ruleset[Any, Any]) -> Any:
    """The detail of a condition as plain data that can be read again."""
    if condition.detail is None:
        return None
    with results_of(ruleset.dump_detail):
        detail = ruleset.dump_detail(condition.detail)
        try:
            parse_json(json.dumps(detail, allow_nan=False), "it gave what no state can hold")
        except CatalogError as error:
            raise ResultError(str(error).rstrip(".")) from None
        except (TypeError, ValueError, RecursionError) as error:
            raise ResultError(f"it gave what no state can hold: {error}") from None
    return detail


def _readable(data: dict[str, Any], path: Path) -> bytes:
    """What a state file with this data holds. Raises CatalogError where no command could read it again."""
    try:
        content = (json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")
        if len(content) > MAX_BYTES:
            raise _Wrong(f"it would be larger than {MAX_BYTES / 1e6:g} MB")
        _state(parse_json(content.decode("utf-8"), "the state"), content)
    except (CatalogError, _Wrong, ValueError) as error:
        told = f"The state cannot be saved in {path}, for it could not be read again: {sentence(error)}"
        raise CatalogError(told) from None
    return content


def state_data(
    target: Target,
    ruleset: Ruleset[Any, Any],
    condition: Condition,
    situation: Situation,
    *,
    dice: dict[str, int] | None = None,
    catalog: Sequence[str] = (),
) -> dict[str, Any]:
    """A state as plain data: what a state file holds. Raises RuleError for a detail that could not be read again."""
    detail = _detail(condition, ruleset)
    return {
        "mantlet_state": FORMAT,
        "target": target.id,
        "catalog": list(catalog),
        "ruleset": {"name": ruleset.name, "version": ruleset.version, "options": ruleset.option_values()},
        "dice": dice,
        "situation": asdict(situation),
        "condition": condition_to_data(condition, detail),
    }


def _from(folder: Path, file: Path) -> str:
    """A file as seen from a directory that it may be moved with; one that lies elsewhere by its full path."""
    real = Path(os.path.realpath(file))
    return real.relative_to(folder).as_posix() if real.is_relative_to(folder) else str(real)
