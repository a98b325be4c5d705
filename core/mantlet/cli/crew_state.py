"""`mantlet time --crew-state`: the crew that has left its vehicle, as a target with a state of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mantlet.campaign.state import check_writable, write_state
from mantlet.catalog.writing import target_toml
from mantlet.cli.session import Session
from mantlet.errors import CatalogError, UsageError, sentence
from mantlet.game.condition import Condition
from mantlet.game.situation import Situation
from mantlet.game.target import Target
from mantlet.ruleset import Ruleset


def check_new(path: Path) -> None:
    """Refuse files that are there already, before any die is rolled. Raises UsageError, CatalogError."""
    for file in (path, _catalog_beside(path)):
        if file.exists():
            raise UsageError(f"--crew-state writes new files, and {file} is there already.")
    check_writable(path)


def write_crew(path: Path, session: Session, rules: Ruleset[Any, Any], crew: tuple[Target, Condition]) -> str:
    """Write the state of a crew, and its target as a catalog file beside it; gives a sentence that says so.

    Raises CatalogError for what cannot be written.
    """
    target, condition = crew
    catalog = _catalog_beside(path)
    try:
        with catalog.open("x", encoding="utf-8") as file:
            file.write(target_toml(target))
    except OSError as error:
        raise CatalogError(f"The crew cannot be saved in {catalog}: {sentence(error.strerror or error)}") from None
    with session.guest(rules):
        write_state(path, target, rules, condition, None, None, situation=Situation(), catalog=(catalog,))
    return f"The crew is {target.id} now: its state is {path}, its catalog file {catalog}."


def _catalog_beside(path: Path) -> Path:
    return path.with_suffix(".toml")
