"""One shot through every installed ruleset: what each makes of it, and what each was told.

python examples/compare_api.py
"""

from __future__ import annotations

from mantlet import Attack, compare, load_plugins
from mantlet.catalog import Catalog

SHOWN = ("penetrated", "immobilized", "crew_hit", "on_fire", "knocked_out", "destroyed")


def main() -> None:
    """A PaK 40 hits a Sherman in front at 500 m; the chance to hit is left out, so that the rest can be compared."""
    catalog = Catalog()
    weapon, ammunition = catalog.round("de_75_pak40/Pzgr39_pak40")
    target = catalog.target("m4a1_75_dry")
    attack = Attack(weapon=weapon, ammunition=ammunition, range_m=500.0, given_hit=True)

    plugins = load_plugins()
    rulesets = plugins.working_rulesets()
    for fault in plugins.broken:
        print(fault.text)
    for odds in compare(rulesets, attack, target):
        if not odds.covers:
            print(f"{odds.ruleset}: {odds.reason}")
            continue
        print(odds.ruleset)
        for effect in SHOWN:
            print(f"  {effect.replace('_', ' '):14}{odds.odds[effect]:7.1%}")
        print(f"  people killed {odds.expected['people_killed']:7.2f}")
        for derived in odds.derived:
            print(f"  derived: {derived.stat} = {derived.value}, {derived.formula}")


if __name__ == "__main__":
    main()
