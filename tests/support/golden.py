"""Golden texts: what a command printed when somebody looked at it and found it right.

`MANTLET_GOLDEN=write pytest tests/core/test_cli_golden.py` writes them anew; look at the difference before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "golden"


def check_golden(name: str, text: str) -> None:
    """Compare a text with the one kept under this name, or keep it when asked to."""
    file = GOLDEN / name
    if os.environ.get("MANTLET_GOLDEN") == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    assert file.exists(), f"There is no {file}; MANTLET_GOLDEN=write keeps the text of now."
    assert text == file.read_text("utf-8"), f"Differs from {file}; MANTLET_GOLDEN=write keeps the text of now."
