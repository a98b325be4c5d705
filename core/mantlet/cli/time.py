"""`mantlet time`: time passes for a saved target: fires burn, crews bail out, nerves settle."""

from __future__ import annotations

import math
from typing import Any

import click

from mantlet.cli.action import Action, act, action_options
from mantlet.cli.options import ruleset_option
from mantlet.cli.words import number
from mantlet.dice.dice import Dice, Then
from mantlet.errors import UsageError
from mantlet.game.condition import Condition
from mantlet.game.outcome import Passage
from mantlet.game.target import Target
from mantlet.ruleset import Ruleset

LONGEST_S = 1_000_000.0


@click.command(short_help="Let time pass for a saved target.")
@action_options
@click.option("--seconds", type=float, required=True, metavar="N", help="How long.")
@ruleset_option
def time(action: Action, seconds: float, ruleset: str | None) -> None:
    """Let time pass for the target saved in a state file, and save what it came to.

    \b
    Examples:
      mantlet time --state car.json --seconds 30
      mantlet time --state car.json --seconds 3 --seed 1 --format json
    """
    if not (math.isfinite(seconds) and 0 < seconds <= LONGEST_S):
        raise UsageError(f"--seconds has to be more than 0 and at most {LONGEST_S:.0f}, not {seconds:g}.")

    def passes(dice: Dice, rules: Ruleset[Any, Any], target: Target, before: Condition) -> Passage | Then:
        return rules.pass_time(dice, target, before, seconds)

    done = f"after {number(seconds)} s"
    act(action, passes, done, ruleset=ruleset, more={"seconds": seconds}, method="pass_time")
