"""What the option abandon_percent of facing_armor does to the figures of the surveys.

    python docs/abandonment.py

Hits at 700 m of a 7.5 cm PaK 40, in the surveyed mix of aspects. `docs/facing_armor.md` shows what this prints.
"""

from __future__ import annotations

from facing_armor.calibration import DRY, WET, lost_tanks
from facing_armor.options import Options
from facing_armor.ruleset import FacingArmor
from mantlet.catalog import Catalog
from mantlet.commands import columns

PERCENTS = (0, 20, 42, 70)


def main() -> None:
    """Print the table."""
    catalog = Catalog()
    gun, shot = catalog.round("de_75_pak40")
    rows = [["abandon_percent", "hits dry", "wet", "penetrations dry", "wet", "burned of lost dry", "wet"]]
    for percent in PERCENTS:
        rules = FacingArmor(Options(abandon_percent=percent))
        dry, wet = (lost_tanks(rules, gun, shot, catalog.target(tank), 700.0, with_men=False) for tank in (DRY, WET))
        both = [(dry.hits, wet.hits), (dry.penetrations, wet.penetrations), (dry.burned, wet.burned)]
        rows.append([f"{percent}", *(f"{figure:.2f}" for pair in both for figure in pair)])
    print("\n".join(columns(rows, ">" * len(rows[0]), folds=0)))


if __name__ == "__main__":
    main()
