"""F20: the model beside wartime surveys, exactly: hits from the surveyed mix of aspects until a knock-out.

Every hit is resolved on the condition that the hits before it have left, so a figure per tank follows from the rules
for a hit, and the crew then has time to get out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from facing_armor.design import read
from facing_armor.locations import location_table
from facing_armor.options import Options
from facing_armor.ruleset import FacingArmor
from facing_armor.state import vehicle_state
from mantlet import Ammunition, Attack, Condition, Exact, Outcome, Plan, Target, Weapon
from mantlet.catalog import Catalog
from mantlet.condition import DEAD, OUT, WOUNDED
from mantlet.effects import PENETRATED

MOST_HITS = 60
TIME_TO_GET_OUT_S = 120.0
DRY, WET = "m4a1_75_dry", "m4a3_75w"
ALLIED_GUN = "us_75_m3"
"""What hits German tanks here: the gun most of their opponents had."""


class Losses(NamedTuple):
    """What lost tanks of one kind have in common. Shares are of those lost; `left` have not been lost after many hits.

    `hits` and `penetrations` are means per lost tank, `hits_burned` and `penetrations_burned` per one that burned.
    """

    burned: float
    hits: float
    penetrations: float
    hits_burned: float
    penetrations_burned: float
    killed: float
    wounded: float
    casualties_burned: float
    casualties_unburned: float
    penetrating: float
    left: float

    @property
    def casualties(self) -> float:
        """Men killed or wounded per lost tank."""
        return self.killed + self.wounded


class Comparison(NamedTuple):
    """One line of the table: the model beside the survey. `holds` is None where no bound is set."""

    key: str
    text: str
    model: float
    survey: float
    bound: tuple[float, float] | None
    source: str
    confidence: str

    @property
    def difference(self) -> float:
        """By how much the model differs from the survey."""
        return self.model - self.survey

    @property
    def holds(self) -> bool | None:
        """Whether the bound is kept."""
        return None if self.bound is None else self.bound[0] <= self.model <= self.bound[1]


class Calibration(NamedTuple):
    """The whole table and what it was worked out with."""

    lines: tuple[Comparison, ...]
    conditions: str


@cache
def surveys() -> dict[str, Any]:
    """The figures and the mix of aspects, as plain data."""
    return read("surveys.toml")


class _Sum:
    """Weights of tanks lost, added up."""

    def __init__(self) -> None:
        self.lost = self.hits = self.penetrations = self.killed = self.wounded = 0.0

    def add(self, weight: float, hits: int, penetrations: float, killed: float, wounded: float) -> None:
        self.lost += weight
        self.hits += weight * hits
        self.penetrations += penetrations
        self.killed += killed
        self.wounded += wounded

    def mean(self, total: float) -> float:
        return total / self.lost if self.lost else 0.0


def lost_tanks(
    ruleset: FacingArmor, weapon: Weapon, ammunition: Ammunition, target: Target, range_m: float, engine: Exact
) -> Losses:
    """Hits on a tank from the surveyed mix of aspects until it is knocked out by a penetration; exact, no sampling.

    Tanks that tracks and gun hits alone put out of the fight are no loss of the surveys' kind and are left out.
    """
    plans = _plans(ruleset, weapon, ammunition, target, range_m)
    # Of the live tanks in each condition: their weight, and weight times penetrations so far.
    live: dict[Condition, list[float]] = {ruleset.fresh(target): [1.0, 0.0]}
    sums = {True: _Sum(), False: _Sum()}
    hits_made = hits_through = 0.0
    for hit in range(1, MOST_HITS + 1):
        upcoming: dict[Condition, list[float]] = {}
        for condition, (weight, before) in live.items():
            for outcome, p in _hit(ruleset, plans, condition, engine):
                through = bool(outcome.effects & PENETRATED)
                now = weight * p
                penetrations = before * p + now * through
                hits_made += now
                hits_through += now * through
                after = outcome.condition
                if not after.knocked_out:
                    entry = upcoming.setdefault(after, [0.0, 0.0])
                    entry[0] += now
                    entry[1] += penetrations
                elif through:
                    killed, wounded = _after_bail_out(ruleset, target, after, engine)
                    sums[after.on_fire].add(now, hit, penetrations, now * killed, now * wounded)
        live = upcoming
    return _losses(sums[True], sums[False], hits_through / hits_made, sum(w for w, _ in live.values()))


def _losses(burned: _Sum, other: _Sum, penetrating: float, left: float) -> Losses:
    lost = burned.lost + other.lost
    return Losses(
        burned=burned.lost / lost,
        hits=(burned.hits + other.hits) / lost,
        penetrations=(burned.penetrations + other.penetrations) / lost,
        hits_burned=burned.mean(burned.hits),
        penetrations_burned=burned.mean(burned.penetrations),
        killed=(burned.killed + other.killed) / lost,
        wounded=(burned.wounded + other.wounded) / lost,
        casualties_burned=burned.mean(burned.killed + burned.wounded),
        casualties_unburned=other.mean(other.killed + other.wounded),
        penetrating=penetrating,
        left=left,
    )


def _plans(
    ruleset: FacingArmor, weapon: Weapon, ammunition: Ammunition, target: Target, range_m: float
) -> list[tuple[float, Plan]]:
    found = []
    for mix in surveys()["aspects"].values():
        attack = Attack(
            weapon=weapon, ammunition=ammunition, range_m=range_m, aspect_deg=mix["aspect_deg"], given_hit=True
        )
        found.append((mix["share"], ruleset.plan(attack, target)))
    return found


def _hit(
    ruleset: FacingArmor, plans: Sequence[tuple[float, Plan]], condition: Condition, engine: Exact
) -> Iterable[tuple[Outcome, float]]:
    for share, plan in plans:
        for outcome, p in engine.distribution(ruleset.resolve, plan, condition).items():
            yield outcome, share * p


def _after_bail_out(ruleset: FacingArmor, target: Target, condition: Condition, engine: Exact) -> tuple[float, float]:
    """Mean killed and wounded once everybody has had time to get out."""
    passages = engine.distribution(ruleset.pass_time, target, condition, TIME_TO_GET_OUT_S)
    killed = passages.mean(lambda passage: passage.condition.people.count(DEAD))
    wounded = passages.mean(lambda passage: _wounded(passage.condition))
    return killed, wounded


def _wounded(condition: Condition) -> int:
    people = condition.people
    return vehicle_state(condition).wounded_out + people.count(WOUNDED) + people.count(OUT)


def location_mix() -> dict[str, float]:
    """Shares of hull, turret (with mantlet and gun) and running gear among the hits that find something."""
    found = {"hull": 0.0, "turret": 0.0, "running_gear": 0.0}
    parts = {"hull": "hull", "turret": "turret", "mantlet": "turret", "gun": "turret", "tracks": "running_gear"}
    for face, mix in surveys()["aspects"].items():
        table = location_table(face)
        for row, p in zip(table.rows, table.probabilities()):
            part = parts.get(row.value.split("_")[0])
            if part is not None:
                found[part] += mix["share"] * float(p)
    total = sum(found.values())
    return {part: share / total for part, share in found.items()}


def calibration(weapon: str = "de_75_pak40", range_m: float = 700.0, options: Options | None = None) -> Calibration:
    """The table: model beside survey. `weapon` (W or W/AMMO) fires at Shermans, the 75 mm M3 at German tanks.

    Raises UnknownNameError for a weapon nobody knows.
    """
    ruleset = FacingArmor(options)
    catalog = Catalog()
    gun, shot = catalog.round(weapon)
    allied, allied_shot = catalog.round(ALLIED_GUN)
    engine = Exact()
    dry = lost_tanks(ruleset, gun, shot, catalog.target(DRY), range_m, engine)
    wet = lost_tanks(ruleset, gun, shot, catalog.target(WET), range_m, engine)
    mix = location_mix()
    model = {
        "dry_burned": dry.burned,
        "dry_burned_two_brigades": dry.burned,
        "wet_burned": wet.burned,
        "casualties": dry.casualties,
        "casualties_burned": dry.casualties_burned,
        "casualties_unburned": dry.casualties_unburned,
        "killed": dry.killed,
        "wounded": dry.wounded,
        "wounded_to_killed": dry.wounded / dry.killed,
        "location_hull": mix["hull"],
        "location_turret": mix["turret"],
        "location_running_gear": mix["running_gear"],
        "sherman_penetrated": dry.penetrating,
        "sherman_hits": dry.hits,
        "sherman_penetrations": dry.penetrations,
        "sherman_hits_to_brew": dry.hits_burned,
        "sherman_penetrations_to_brew": dry.penetrations_burned,
    }
    for name, target in (("pz4", "pz4_h"), ("panther", "panther_g"), ("tiger", "tiger_1e")):
        lost = lost_tanks(ruleset, allied, allied_shot, catalog.target(target), range_m, engine)
        model |= {f"{name}_hits": lost.hits, f"{name}_penetrations": lost.penetrations, f"{name}_burned": lost.burned}
    lines = tuple(_line(key, entry, model[key]) for key, entry in surveys()["figure"].items())
    shares = ", ".join(f"{mix['share']:.0%} from the {face}" for face, mix in surveys()["aspects"].items())
    text = (
        f"Hits at {range_m:g} m, {shares}, until a penetration knocks the tank out: {gun.id}/{shot.id} at {DRY} (dry) "
        f"and {WET} (wet), {allied.id}/{allied_shot.id} at pz4_h, panther_g and tiger_1e; the crew then gets out."
    )
    return Calibration(lines, text)


def _line(key: str, entry: dict[str, Any], model: float) -> Comparison:
    bound = tuple(entry["bound"]) if "bound" in entry else None
    return Comparison(key, entry["text"], model, entry["value"], bound, entry["source"], entry["confidence"])
