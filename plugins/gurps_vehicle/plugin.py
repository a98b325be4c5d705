"""Registers the gurps_vehicle ruleset; the ruleset itself is imported when it is used."""

from __future__ import annotations

from collections.abc import Sequence

from mantlet import RulesetEntry, hookimpl

mantlet_api = 2


@hookimpl
def mantlet_rulesets() -> Sequence[RulesetEntry]:
    """The one ruleset of this plugin."""
    return [
        RulesetEntry(
            name="gurps_vehicle",
            version="1.0.0",
            title="3d hit locations for vehicles and non-humanoid bodies",
            summary="Location codes, DR by face, occupant hits; the humanoid and 15 other body plans.",
            load="gurps_vehicle.ruleset:GurpsVehicle",
        )
    ]
