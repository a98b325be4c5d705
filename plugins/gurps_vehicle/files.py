"""The data files of this ruleset, read when first asked for."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


@cache
def read(name: str) -> dict[str, Any]:
    """One shipped data file: `read("vehicle")` is data/vehicle.toml."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
