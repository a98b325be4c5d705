"""Who makes an attack, with a saved state of his own: --shooter and --shooter-state."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mantlet.campaign.state import State, check_target
from mantlet.cli.options import FILE, all_of, target_of_state
from mantlet.cli.session import Session, Written
from mantlet.errors import UsageError
from mantlet.game.attack import Attack
from mantlet.game.outcome import Outcome
from mantlet.game.shooter import Shooter
from mantlet.game.situation import Situation
from mantlet.results import start_of
from mantlet.ruleset import Ruleset

shooter_options = all_of(
    click.option("--shooter", "shooter_id", metavar="T", help="Who attacks, of the catalog: what he is counts."),
    click.option(
        "--shooter-state",
        "shooter_file",
        type=FILE,
        metavar="FILE",
        help="His saved state: what he has lost counts, and what the attack does to him is written.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Attacker:
    """Whoever the options name: as an attack has him, how he stands, and the file that he comes from."""

    shooter: Shooter
    situation: Situation
    path: Path | None
    saved: State | None
    remarks: tuple[str, ...] = ()

    def written(self, session: Session, rules: Ruleset[Any, Any], shot: Attack, outcome: Outcome) -> Written | None:
        """His state after the attack, to be saved; None where it comes from no file."""
        if self.path is None:
            return None
        before, target = self.shooter.condition, self.shooter.target
        moving = replace(self.situation, target_speed_kph=shot.shooter_speed_kph)
        with session.guest(rules):
            after = rules.put_into(target, before, moving) if outcome.shooter is None else outcome.shooter.condition
        left = session.left_in(rules, target, after, moving)
        unchanged = after == before and left == self.situation
        return Written(self.path, target, after, left, self.saved, unchanged)


def hold_files(session: Session, given: Mapping[str, Any], state_file: Path | None) -> None:
    """Hold the files that a command is going to write. Raises UsageError where both are one, CatalogError."""
    files = [path for path in (state_file, given["shooter_file"]) if path is not None]
    if len({os.path.realpath(path) for path in files}) < len(files):
        raise UsageError(f"--state and --shooter-state both name {files[0]}: nobody attacks himself.")
    session.hold(*files)


def saved_shooter(session: Session, given: Mapping[str, Any], *, writes: bool = False) -> State | None:
    """The state in the file of --shooter-state; None where none is named, or none is there yet and --shooter says who.

    Raises CatalogError for one that cannot be used.
    """
    path = given["shooter_file"]
    return None if path is None else session.saved(path, writes=writes, new=bool(given["shooter_id"]))


def attacker(
    session: Session, given: Mapping[str, Any], saved: State | None, rules: Ruleset[Any, Any], *, writes: bool = False
) -> Attacker | None:
    """Whoever --shooter and --shooter-state name, under this ruleset; None where they name nobody.

    Raises UsageError for a state of somebody else, of another ruleset (where the command `writes`) or under other
    options, and for somebody who can make no attack; UnknownNameError, CatalogError.
    """
    name, path = given["shooter_id"], given["shooter_file"]
    if saved is None:
        if not name:
            return None
        target = session.catalog.target(name)
        with session.guest(rules):
            return Attacker(
                shooter=Shooter(target=target, condition=start_of(rules, target, None)),
                situation=Situation(),
                path=path,
                saved=None,
            )
    target = session.catalog.target(name) if name else target_of_state(session.catalog, saved.target)
    check_target(saved, target, path, "--shooter")
    _same_reading(session, saved, rules, path, writes=writes)
    condition, situation, remarks = session.taken_over(saved, rules, target, path)
    shooter = Shooter(target=target, condition=condition)
    shooter.check_able()
    return Attacker(shooter=shooter, situation=situation, path=path, saved=saved, remarks=tuple(remarks))


def put_attacker(given: dict[str, Any], who: Attacker | None) -> None:
    """Have the attack made by this one, at the speed at which he goes unless --moving says another."""
    given["shooter"] = None if who is None else who.shooter
    context = click.get_current_context()
    if who is not None and context.get_parameter_source("shooter_speed_kph") is ParameterSource.DEFAULT:
        given["shooter_speed_kph"] = who.situation.target_speed_kph
    given.pop("shooter_id", None)
    given.pop("shooter_file", None)


def _same_reading(session: Session, saved: State, rules: Ruleset[Any, Any], path: Path, *, writes: bool) -> None:
    """Refuse a shooter's state that is played by other readings than the target's: one attack has one."""
    own = session.ruleset(rules.name, saved, path, writes=writes)
    if saved.ruleset != rules.name:
        return
    here, there = rules.option_values(), own.option_values()
    for key, value in there.items():
        if here[key] != value and key not in rules.changing_options:
            raise UsageError(
                f"{path} is played with {rules.name}.{key}={value}, and this attack with {key}={here[key]}: "
                "an attack has one reading of the rules. mantlet state convert changes that of a state."
            )
