"""Which modules of a plugin an attack opens: a rifle shot, a burst and a shell under each shipped ruleset.

    python docs/modules_opened.py

Rolls seeded attacks and watches which functions of the plugin run between `Ruleset.resolve` and the outcome. Planning
(`covers`, `plan`, `fresh`) comes before and is not counted. A module stands first where one of its functions asks the
dice, behind the bar where all are look-ups and arithmetic. `docs/architecture.md` shows what this prints.
"""

from __future__ import annotations

import functools
import gc
import sys
import textwrap
from types import CodeType, FrameType
from typing import Any

from mantlet import Attack, Ruleset, Seeded, Target, load_plugins, run
from mantlet.catalog import Catalog

ATTACKS = {
    "rifle": ("kar98k", "gmc_cckw", 1),
    "burst": ("mg42", "kubelwagen", 10),
    "shell": ("de_75_pak40", "m4a1_75_dry", 1),
}
"""Weapon, target and rounds of each attack, by an ace at 100 m."""
SEEDS = range(60)
"""So many attacks of each: not every one hits, and not every hit finds somebody."""
RULESETS = ("facing_armor", "d100_wwii", "gurps_vehicle")


def opened(ruleset: Ruleset[Any, Any], attack: Attack, target: Target) -> tuple[dict[str, bool], int]:
    """The modules of the ruleset's package that attacks run through, in order, and whether each asks the dice; and how
    many of those that do a single attack opens at most.
    """
    forget_what_was_cached()
    package = type(ruleset).__module__.partition(".")[0]
    plan, fresh = ruleset.plan(attack, target), ruleset.fresh(target)
    found: dict[str, bool] = {}
    asking: set[str] = set()
    most = 0

    def watch(frame: FrameType, event: str, argument: object) -> None:
        top, _, module = str(frame.f_globals.get("__name__")).partition(".")
        if event == "call" and top == package:
            asks = asks_the_dice(frame.f_code)
            found[module] = found.get(module, False) or asks
            if asks:
                asking.add(module)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        for seed in SEEDS:
            asking.clear()
            run(Seeded(seed).dice, ruleset.resolve, plan, fresh)
            most = max(most, len(asking))
    finally:
        sys.setprofile(before)
    return found, most


def forget_what_was_cached() -> None:
    """Empty every cache of a function: what an attack before this one has looked up counts anew."""
    kind = type(functools.cache(main))
    for thing in gc.get_objects():
        if isinstance(thing, kind):
            thing.cache_clear()


def asks_the_dice(code: CodeType) -> bool:
    """Whether a function takes dice and does more with them than to hand them on to another function."""
    asks = {"roll", "read", "pick", "check", "chance", "one_of", "worst_failures", "settle", "then", "note"}
    return "dice" in code.co_varnames[: code.co_argcount] and not asks.isdisjoint(code.co_names)


def main() -> None:
    """Print the modules by ruleset and attack."""
    catalog, plugins = Catalog(), load_plugins()
    for name in RULESETS:
        print(name)
        ruleset = plugins.ruleset(name)
        for title, (weapon_id, target_id, rounds) in ATTACKS.items():
            weapon, ammunition = catalog.round(weapon_id)
            attack = Attack(weapon=weapon, ammunition=ammunition, range_m=100, rounds=rounds, skill="ace")
            found, most = opened(ruleset, attack, catalog.target(target_id))
            rules = " ".join(module for module, asks in found.items() if asks)
            others = " ".join(module for module, asks in found.items() if not asks)
            text = f"{title}, {most} at most: {rules} | {others}"
            print(textwrap.fill(text, 100, initial_indent="  ", subsequent_indent=" " * 9, break_on_hyphens=False))


if __name__ == "__main__":
    main()
