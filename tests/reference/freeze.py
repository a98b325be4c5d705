"""Renew files of the reference, by name: only when a rule changes on purpose, with the reason in the commit.

    python tests/reference/freeze.py odds/gurps_vehicle/rifle_at_rider.json
    python tests/reference/freeze.py accounts/d100_wwii/attacks.json          # all accounts of a file
    python tests/reference/freeze.py accounts/d100_wwii/attacks.json 17 21    # these alone, by their number
    python tests/reference/freeze.py --state odds/d100_wwii/rifle_at_burning_car.json > state.json

A file holds its own inputs: they stay as they are, and what the program makes of them is written anew. Look at the
difference before you keep it. `--state` prints the condition an attack begins in, as `mantlet --state` reads it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import reference
from by_reason import ByReason


def renew_odds(name: str) -> None:
    """Work out the odds of one file again, in fractions."""
    file = reference.REFERENCE / name
    data = reference.read(file)
    data.pop("joint", None)
    reference.write(file, {**data, "command": reference.command_of(data, name), **reference.odds_data(data)})


def renew_accounts(name: str, numbers: Sequence[int]) -> None:
    """Make accounts of one file again, with the dice they list."""
    file = reference.REFERENCE / name
    kept = reference.read(file)
    for n, data in enumerate(kept, start=1):
        if not numbers or n in numbers:
            dice = ByReason(data["seed"], data["dice"])
            found = reference.account_of(data, dice)
            kept[n - 1] = {**data, **found, "dice": dice.given}
    reference.write(file, kept)


def main(words: Sequence[str]) -> None:
    """Do what is asked for."""
    if not words or words[0] in ("-h", "--help"):
        print(__doc__)
    elif words[0] == "--state":
        print(reference.state_text(reference.read(reference.REFERENCE / words[1])))
    elif words[0].startswith("accounts/"):
        renew_accounts(words[0], [int(word) for word in words[1:]])
    else:
        for name in words:
            renew_odds(name)


if __name__ == "__main__":
    main(sys.argv[1:])
