"""Registers the facing_armor ruleset; the ruleset itself is imported when it is used."""

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
            name="facing_armor",
            version="1.0.0",
            title="Facing, slope and penetration",
            summary=(
                "Hit location by facing, effective armor, penetration at range, effects inside, bail-out, suppression."
            ),
            load="facing_armor.ruleset:FacingArmor",
        )
    ]


@hookimpl
def mantlet_commands() -> Sequence[Any]:
    """`mantlet facing`: calibration on wartime surveys, and penetration tables."""
    from facing_armor.commands import facing_commands

    return [facing_commands]
