"""Where a gun is dangerous: the chance to knock a tank out, over range and aspect, given a hit.

One `Exact` for the whole sweep: attacks that meet in a state share what follows it.

    python examples/sweep.py
"""

from __future__ import annotations

from mantlet import Attack, Exact, load_plugins, quick_odds
from mantlet.catalog import Catalog

RANGES_M = (100, 500, 1000, 1500, 2000)
ASPECTS_DEG = (0, 30, 60, 90, 180)


def main() -> None:
    """A table of ranges by aspects."""
    ruleset = load_plugins().ruleset("facing_armor")
    catalog = Catalog()
    weapon, ammunition = catalog.round("de_75_pak40")
    target = catalog.target("t34_85")
    exact = Exact()

    print(f"{weapon.name} at {target.name}, given a hit: knocked out")
    print("range m " + "".join(f"{aspect:>6}°" for aspect in ASPECTS_DEG))
    for range_m in RANGES_M:
        row = []
        for aspect in ASPECTS_DEG:
            attack = Attack(weapon=weapon, ammunition=ammunition, range_m=range_m, aspect_deg=aspect, given_hit=True)
            row.append(quick_odds(ruleset, attack, target, exact)["knocked_out"])
        print(f"{range_m:7} " + "".join(f"{p:7.1%}" for p in row))


if __name__ == "__main__":
    main()
