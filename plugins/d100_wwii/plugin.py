"""Registers the d100_wwii ruleset; the ruleset itself is imported when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mantlet import RulesetEntry, hookimpl

mantlet_api = 2


@hookimpl
def mantlet_rulesets() -> Sequence[RulesetEntry]:
    """The one ruleset of this plugin."""
    return [
        RulesetEntry(
            name="d100_wwii",
            version="1.0.0",
            title="World War II vehicle combat on percentile dice",
            summary="Location tables for cars, motorcycles and armored vehicles; armor shot away; fires; Luck.",
            load="d100_wwii.ruleset:D100Wwii",
        )
    ]


@hookimpl
def mantlet_commands() -> Sequence[Any]:
    """`mantlet d100`: putting out fires, repair, getting out."""
    from d100_wwii.commands import d100

    return [d100]
