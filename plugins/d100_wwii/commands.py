"""`mantlet d100`: what people do between attacks, on a target saved by `mantlet attack --state`. Loaded on demand."""

from __future__ import annotations

from typing import Any

import click

from d100_wwii import actions
from mantlet import Condition, Dice, Passage, Target
from mantlet.commands import Action, act, action_options

_SKILL = click.option(
    "--skill", type=click.IntRange(0, 1000), metavar="PERCENT", help="The skill; else the ruleset's options say."
)


@click.group()
def d100() -> None:
    """Percentile rules: put out a fire, take the wheel, repair, get out."""


@d100.command()
@click.option("--extinguisher", is_flag=True, help="With a fire extinguisher: twice the chance.")
@click.option("--who", metavar="NAME", help="Who does it; else the luckiest aboard who can act.")
@_SKILL
@action_options
def extinguish(action: Action, extinguisher: bool, who: str | None, skill: int | None) -> None:
    """Put out the fire: one occupant's action, once a round.

    Luck (or Mechanical Repair, option extinguish), 10 less for every round it has burned. Let the round pass with
    mantlet time.

    \b
    Example:
      mantlet d100 extinguish --extinguisher --state car.json
    """
    how = actions.FireFighting(extinguisher, skill, who)

    def tries(dice: Dice, rules: Any, target: Target, before: Condition) -> Passage:
        return actions.put_out_fire(dice, rules, target, before, how)

    act(action, tries, "fought the fire", ruleset="d100_wwii", more={"action": "extinguish"})


@d100.command("take-wheel")
@click.option("--who", metavar="NAME", help="Who takes it; else the best driver aboard, where nobody is at the wheel.")
@action_options
def take_wheel(action: Action, who: str | None) -> None:
    """Somebody takes the wheel of a vehicle that stands still.

    It takes no roll. While it moves, somebody tries for the wheel in the rounds of mantlet time.

    \b
    Example:
      mantlet d100 take-wheel --state car.json
    """

    def takes(dice: Dice, rules: Any, target: Target, before: Condition) -> Passage:
        return actions.take_wheel(dice, rules, target, before, who=who)

    act(action, takes, "at rest", ruleset="d100_wwii", more={"action": "take_wheel"})


@d100.command()
@click.argument("what")
@_SKILL
@action_options
def repair(action: Action, what: str, skill: int | None) -> None:
    """Repair WHAT outside combat, by Mechanical Repair.

    WHAT is armor; a component aboard, such as engine or front_tire, all of them; or what no component shows:
    fire_damage, trouble (an axle, a crash), engine_damage (at half skill), and mobility or firepower lost under another
    ruleset.

    \b
    Examples:
      mantlet d100 repair armor --state tank.json --skill 40
      mantlet d100 repair fuel_tank --state car.json --dice 34
    """

    def mends(dice: Dice, rules: Any, target: Target, before: Condition) -> Passage:
        if what == "armor":
            return actions.repair_armor(dice, rules, target, before, skill_percent=skill)
        return actions.repair(dice, rules, target, before, actions.Repair(what, skill))

    act(action, mends, f"in repair ({what})", ruleset="d100_wwii", more={"action": "repair", "what": what})


@d100.command("bail-out")
@action_options
def bail_out(action: Action) -> None:
    """Everyone who can act leaves the vehicle."""
    act(action, actions.bail_out, "abandoned", ruleset="d100_wwii", more={"action": "bail_out"})
