"""What the commands of this plugin print."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from facing_armor.armor import line_of_sight
from facing_armor.calibration import Calibration
from facing_armor.options import SlopeModel, TableChoice
from facing_armor.penetration import Penetration, beaten_mm, penetration_of
from mantlet import NotCoveredError
from mantlet.catalog import Catalog
from mantlet.commands import columns, fold, markdown_line, markdown_table

BEATEN_WITH = (0.10, 0.50, 0.90)
RANGES_M = (100, 250, 500, 750, 1000, 1500, 2000)
"""Printed for a round whose table gives a single range."""


def calibration_text(found: Calibration, form: str) -> str:
    """The calibration table as text, JSON or Markdown."""
    if form == "json":
        lines = [{**line._asdict(), "difference": line.difference, "holds": line.holds} for line in found.lines]
        return json.dumps({"conditions": found.conditions, "figures": lines}, indent=2)
    rows = [
        (
            line.text,
            f"{line.model:.3f}",
            "" if line.wet is None else f"{line.wet:.3f}",
            f"{line.survey:.3f}",
            f"{line.difference:+.3f}",
            "" if line.bound is None else f"{line.bound[0]:g} to {line.bound[1]:g}",
            {None: "", True: "holds", False: "MISSED"}[line.holds],
            "fitted" if line.fitted else "checked",
            line.confidence,
        )
        for line in found.lines
    ]
    head = ("figure", "model", "wet", "survey", "off by", "bound", "", "", "confidence")
    return f"{_told(found.conditions, form)}\n\n{_layout(head, rows, form)}"


def penetration_text(weapon: str, catalogs: Sequence[Path], table: str, slope_model: str, form: str) -> str:
    """Penetration against range. Raises NotCoveredError for a round without penetration data."""
    gun, shot = Catalog(files=catalogs).round(weapon)
    found = penetration_of(shot, cast(TableChoice, table), cast(SlopeModel, slope_model), gun.caliber_mm)
    if found is None:
        raise NotCoveredError(f"{gun.id}/{shot.id} has no penetration data (F7).")
    known = sorted({r for step in found.steps for r in step.curve.ranges})
    ranges = known if len(known) > 1 else sorted({*known, *map(float, RANGES_M)})
    angles = [step.angle_deg for step in found.steps if step.angle_deg] if len(found.steps) > 1 else []
    if form == "json":
        rows_out: list[dict[str, Any]] = [
            {
                "range_m": r,
                "penetration_mm": found.at(r),
                "beaten_mm": {f"{p:g}": beaten_mm(found.at(r), p) for p in BEATEN_WITH},
                "beaten_at_angle_mm": {f"{a:g}": _sloped_mm(found, r, a) for a in angles},
                "how": found.how(r),
            }
            for r in ranges
        ]
        return json.dumps({"weapon": gun.id, "ammunition": shot.id, "table": found.note, "rows": rows_out}, indent=2)
    rows = [
        (
            f"{r:.0f}",
            f"{found.at(r):.1f}",
            *(f"{beaten_mm(found.at(r), p):.1f}" for p in BEATEN_WITH),
            *(f"{_sloped_mm(found, r, a):.1f}" for a in angles),
        )
        for r in ranges
    ]
    head = ("range m", "mm", *(f"beaten {p:.0%}" for p in BEATEN_WITH), *(f"at {a:g} deg" for a in angles))
    sloped = " At an angle: the plate beaten 50%." if angles else ""
    above = (f"{gun.name}, {shot.name or shot.id}", found.note, "Beaten: the thickest upright plate in mm." + sloped)
    return "\n".join(_told(text, form) for text in above) + f"\n\n{_layout(head, rows, form)}"


def _sloped_mm(found: Penetration, range_m: float, angle_deg: float) -> float:
    """The plate in mm that is beaten every other time at this angle."""
    return found.at(range_m, angle_deg) / line_of_sight(angle_deg)


def _told(sentence: str, form: str) -> str:
    return "\n".join(fold(sentence)) if form == "text" else markdown_line(sentence)


def _layout(head: Sequence[str], rows: Sequence[Sequence[str]], form: str) -> str:
    if form == "md":
        return "\n".join(markdown_table(head, rows, "<" * len(head)))
    # Words lean left, numbers right.
    align = "".join(">" if all(_number(row[i]) for row in rows) else "<" for i in range(len(head)))
    return "\n".join(columns([head, *rows], align, folds=0))


def _number(cell: str) -> bool:
    return bool(cell) and cell.lstrip("+-").replace(".", "", 1).isdigit()
