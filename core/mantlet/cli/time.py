"""`mantlet time`: time passes for a saved target: fires burn, crews bail out, nerves settle."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import click

from mantlet.cli.action import Action, act, action_options
from mantlet.cli.options import FILE, PLACE, ruleset_option
from mantlet.cli.words import number
from mantlet.dice.dice import Dice, Then
from mantlet.errors import UsageError
from mantlet.game.condition import Condition
from mantlet.game.target import Target
from mantlet.game.threat import Sighting, Threat
from mantlet.results import threatened_by
from mantlet.ruleset import Passage, Ruleset

LONGEST_S = 1_000_000.0


@click.command(short_help="Let time pass for a saved target.")
@action_options
@click.option("--seconds", type=float, required=True, metavar="N", help="How long.")
@click.option("--closing/--not-closing", default=None, help="An enemy vehicle closes on it, or none any more.")
@click.option(
    "--enemy-at", multiple=True, type=PLACE, metavar="LENGTH@BEARING", help="An enemy vehicle: 120m@45. Repeatable."
)
@click.option("--crew-state", type=FILE, metavar="FILE", help="Write the crew, once it has left, as a team of its own.")
@ruleset_option
def time(
    action: Action,
    seconds: float,
    closing: bool | None,
    enemy_at: tuple[tuple[float, float], ...],
    crew_state: Path | None,
    ruleset: str | None,
) -> None:
    """Let time pass for the target saved in a state file, and save what it came to.

    \b
    Examples:
      mantlet time --state car.json --seconds 30
      mantlet time --state car.json --seconds 3 --seed 1 --format json
      mantlet time --state tank.json --seconds 20 --crew-state crew.json
      mantlet time --state squad.json --seconds 20 --closing --enemy-at 120m@45
    """
    if not (math.isfinite(seconds) and 0 < seconds <= LONGEST_S):
        raise UsageError(f"--seconds has to be more than 0 and at most {LONGEST_S:.0f}, not {seconds:g}.")

    threat = Threat(closing, tuple(itertools.starmap(Sighting, enemy_at)))

    def passes(dice: Dice, rules: Ruleset[Any, Any], target: Target, before: Condition) -> Passage | Then:
        if threat != Threat():
            before = threatened_by(rules, target, before, threat)
        return rules.pass_time(dice, target, before, seconds)

    done = f"after {number(seconds)} s"
    more = {"seconds": seconds}
    act(action, passes, done, ruleset=ruleset, more=more, method="pass_time", crew_state=crew_state)
