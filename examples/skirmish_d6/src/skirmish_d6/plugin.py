"""What mantlet loads at start-up: small, so that the ruleset itself is imported only when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mantlet import RulesetEntry, hookimpl

mantlet_api = 2


@hookimpl
def mantlet_rulesets() -> Sequence[RulesetEntry]:
    """The ruleset of this package."""
    return [
        RulesetEntry(
            name="skirmish_d6",
            version="1.0.0",
            title="Skirmish on six-sided dice",
            summary="Ground vehicles under fire: 2d6 to hit, armor classes, a save, a damage table.",
            load="skirmish_d6.ruleset:SkirmishD6",
        )
    ]


@hookimpl
def mantlet_catalogs() -> Sequence[Path]:
    """A directory laid out like the shipped catalog: `weapons/<id>.toml`, `targets/<id>.toml`."""
    return [Path(__file__).parent / "data"]
