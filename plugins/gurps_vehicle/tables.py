"""The printed tables: vehicle locations, occupants, criticals; body plans are in bodies.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from gurps_vehicle.armor import halved
from gurps_vehicle.bodies import shipped_plans
from gurps_vehicle.codes import all_codes
from gurps_vehicle.files import read
from mantlet import Check, DiceExpr, Grid, Row, Table

HIT: Final = "somebody is hit"


@dataclass(frozen=True, eq=False, kw_only=True)
class CriticalEffect:
    """What a row of a critical table changes. A limb is crippled for `cripples_limb` less HT seconds."""

    name: str
    times: int = 1
    maximum: bool = False
    dr: str = ""
    major: bool = False
    cripples_limb: int = 0
    eye: bool = False

    def __str__(self) -> str:
        return self.name

    def damage(self, dice: DiceExpr, made: int | None = None) -> DiceExpr | int:
        """The damage roll of a round: the most that its dice give, or one that is `made` already, or the dice."""
        return dice.high if self.maximum else dice if made is None else made

    def armor(self, dr: int) -> int:
        """DR as the critical leaves it: none, halved down, or halved up (after the divisor)."""
        return halved(dr, self.dr)


ORDINARY = CriticalEffect(name="normal")


@cache
def critical_effects() -> dict[str, CriticalEffect]:
    """Every effect of both critical tables by name; those that change nothing lasting are one and the same."""
    data: dict[str, dict[str, Any]] = read("attack")["effect"]
    return {name: CriticalEffect(name=name, **changes) for name, changes in data.items()}


@cache
def critical_table(name: str) -> Table[str]:
    """`critical_hit` or `critical_head_blow`; the value is the effect's name."""
    data = read("attack")[name]
    rows = [Row(r["low"], r["high"], str(r["effect"]), str(r["effect"])) for r in data["rows"]]
    return Table(name, data["dice"], rows, data["title"])


@cache
def critical_rolls(name: str) -> Table[CriticalEffect]:
    """The same table as rule bodies roll on it: what changes nothing lasting is one value."""
    effects = critical_effects()
    printed = critical_table(name)
    rows = [Row(r.low, r.high, effects.get(r.value, ORDINARY), r.label) for r in printed.rows]
    return Table(name, printed.dice, rows, printed.title)


@cache
def vehicle_table() -> Table[tuple[str, ...]]:
    """The vehicle hit location table; a row's value is its codes."""
    data = read("vehicle")["table"]
    codes = all_codes()
    rows = []
    for r in data["rows"]:
        names = [codes[c].name + (f" [{c}]" if codes[c].written else "") for c in r["codes"]]
        label = f"{' / '.join(names)} ({r['penalty']})"
        rows.append(Row(r["low"], r["high"], tuple(r["codes"]), label))
    return Table("vehicle", data["dice"], rows, data["title"])


@cache
def aim_penalty(code: str) -> int:
    """The penalty to hit a location on purpose, to which the vehicle's SM is added."""
    data = read("vehicle")
    return next((int(r["penalty"]) for r in data["table"]["rows"] if code in r["codes"]), data["aimed"].get(code, 0))


@cache
def occupant_number(people: int, sm: int, outside: str) -> int:
    """The number to roll on 3d to strike somebody inside (G27). Beyond the printed table: its edge, or one column on.

    Going on, each row below the last and each SM below +1 moves one step up the ladder of numbers, each SM above one
    down, never past 17 or 3.
    """
    data = read("occupants")
    rows, first, last = data["rows"], data["sm"][0], data["sm"][-1]
    at = next((i for i, row in enumerate(rows) if row["low"] <= people <= row["high"]), len(rows) - 1)
    column = min(max(sm, first), last) - first
    number: int = rows[at]["numbers"][column]
    if outside == "clamp":
        return number
    ladder: list[int] = data["ladder"]
    # Rows go 50, 100, 200, 500 people: the next would be 1,000, 2,000, 5,000.
    further, reach, factors = 0, rows[-1]["high"], (2, 2, 2.5)
    while people > reach:
        reach, further = reach * factors[further % 3], further + 1
    steps = max(0, sm - last) - max(0, first - sm) - further
    steps_at: int = min(max(ladder.index(number) + steps, 0), len(ladder) - 1)
    return ladder[steps_at]


@cache
def occupant_check(number: int) -> Check[str]:
    """3d, this number or less: `HIT`."""
    return Check(read("occupants")["dice"], ((number, HIT), (99, "nobody")), number)


@cache
def occupant_column(row: int, column: int) -> Table[str]:
    """One cell of the occupant table as a table of its own: hit or no hit."""
    data = read("occupants")
    number = data["rows"][row]["numbers"][column]
    name = f"occupants.sm{data['sm'][column]}.{row_name(data['rows'][row])}"
    rows = [Row(3, number, "an occupant is hit", "an occupant is hit"), Row(number + 1, 18, "nobody", "nobody is hit")]
    return Table(name, data["dice"], rows, f"{data['title']}, SM +{data['sm'][column]}, {row_name(data['rows'][row])}")


def row_name(row: Mapping[str, Any]) -> str:
    """The occupants of a row as printed."""
    return str(row["low"]) if row["low"] == row["high"] else f"{row['low']}-{row['high']}"


@cache
def all_tables() -> dict[str, Table[Any]]:
    """Every table by name."""
    tables: dict[str, Table[Any]] = {"vehicle": vehicle_table()}
    for name in ("critical_hit", "critical_head_blow"):
        tables[name] = critical_table(name)
    plans = shipped_plans()
    for name in plans.plans:
        table = plans[name].table
        # As a book prints it: with the penalty to aim there.
        rows = [row._replace(label=f"{row.label} ({row.value.penalty})") for row in table.rows]
        tables[table.name] = Table(table.name, table.dice, rows, table.title)
    data = read("occupants")
    for i in range(len(data["rows"])):
        for j in range(len(data["sm"])):
            cell = occupant_column(i, j)
            tables[cell.name] = cell
    return tables


@cache
def all_grids() -> dict[str, Grid]:
    """The occupant table as it is printed: occupants by SM."""
    data = read("occupants")
    return {
        "occupants": Grid(
            data["title"],
            data["dice"],
            "occupants",
            "SM",
            tuple(row_name(row) for row in data["rows"]),
            tuple(f"+{sm}" for sm in data["sm"]),
            tuple(tuple(row["numbers"]) for row in data["rows"]),
        )
    }
