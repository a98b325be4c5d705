"""F20: the model beside wartime surveys, exactly: hits from the surveyed mix of aspects.

Of tanks knocked out, every hit is resolved on the condition that the hits before it have left, and the crew then has
time to get out. Of tanks penetrated, the number of penetrations is assumed: see `burned_of_penetrated`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from facing_armor.design import design, fitted_figures, read
from facing_armor.inside import Struck, begin
from facing_armor.layout import Layout, layout, under_fire_of
from facing_armor.locations import location_table
from facing_armor.options import Options
from facing_armor.ruleset import FacingArmor
from facing_armor.state import vehicle_state
from facing_armor.vehicle import shoot
from mantlet import (
    Ammunition,
    Attack,
    Condition,
    Dice,
    Exact,
    Location,
    NotCoveredError,
    Target,
    Then,
    Weapon,
    covered_plan,
)
from mantlet.catalog import Catalog
from mantlet.game.condition import DEAD, FULL, OUT, WOUNDED
from mantlet.game.effects import PENETRATED

MOST_HITS = 200
LEFT_OVER = 1e-4
"""The chain ends when this share of tanks is still in the fight; `Losses.left` says how many are."""
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
    """One line of the table: the model beside the survey. `holds` is None where no bound is set.

    `wet` is the same figure of the wet Sherman, where there is one; `fitted` says that a number of the model was set by
    this figure, else it is only checked.
    """

    key: str
    text: str
    model: float
    wet: float | None
    survey: float
    fitted: bool
    bound: tuple[float, float] | None
    source: str
    confidence: str

    @property
    def difference(self) -> float:
        """By how much the model differs from the survey."""
        return self.model - self.survey

    @property
    def holds(self) -> bool | None:
        """Whether the bound is kept, by the wet Sherman as well where it has the figure."""
        if self.bound is None:
            return None
        low, high = self.bound
        return low <= self.model <= high and (self.wet is None or low <= self.wet <= high)


class Calibration(NamedTuple):
    """The whole table and what it was worked out with."""

    lines: tuple[Comparison, ...]
    conditions: str


@cache
def surveys() -> dict[str, Any]:
    """The figures and the mix of aspects, as plain data."""
    return read("surveys.toml")


class _Step:
    """What a hit on a tank in one condition leads to.

    `onward` lists the conditions of tanks still in the fight, whether a penetration led there, and the chance. `ends`
    goes by (burns, whether the last hit penetrated): the chance, and with it the men killed and wounded in the end.
    """

    def __init__(self, condition: Condition, nothing: float) -> None:
        self.onward: list[tuple[Condition, bool, float]] = [(condition, False, nothing)]
        self.ends: dict[tuple[bool, bool], tuple[float, float, float]] = {}
        self.through = 0.0

    def add(self, after: Condition, through: bool, p: float, men: tuple[float, float] | None) -> None:
        self.through += p * through
        if men is None:
            self.onward.append((after, through, p))
            return
        chance, killed, wounded = self.ends.get((after.on_fire, through), (0.0, 0.0, 0.0))
        self.ends[after.on_fire, through] = (chance + p, killed + p * men[0], wounded + p * men[1])


class _Sum:
    """Tanks lost, added up: their weight, and weight times hits, penetrations, men killed and wounded."""

    def __init__(self) -> None:
        self.lost = self.hits = self.penetrations = self.killed = self.wounded = 0.0

    def add(self, hit: int, weight: float, penetrations: float, end: tuple[float, float, float]) -> None:
        chance, killed, wounded = end
        self.lost += weight * chance
        self.hits += weight * chance * hit
        self.penetrations += penetrations * chance
        self.killed += weight * killed
        self.wounded += weight * wounded

    def mean(self, total: float) -> float:
        return total / self.lost if self.lost else 0.0


def lost_tanks(
    ruleset: FacingArmor,
    weapon: Weapon,
    ammunition: Ammunition,
    target: Target,
    range_m: float,
    *,
    with_men: bool = True,
) -> Losses:
    """Hits on a tank from the surveyed mix of aspects until it is knocked out; exact, no sampling.

    Tanks that hits on tracks and gun alone put out of the fight are no loss by penetration and are left out. Without
    `with_men` nobody is followed out of a lost tank, and men at the same risk are told apart by nothing: no casualties,
    and less to work out.
    Raises NotCoveredError for a round that these rules do not know or that knocks none out.
    """
    covered_plan(ruleset, Attack(weapon=weapon, ammunition=ammunition, range_m=range_m, given_hit=True), target)
    engine = Exact(merge_alike=not with_men)
    vehicle = under_fire_of(layout(target), weapon.caliber_mm, ruleset.options.abandon_percent)
    entries = _entries(ruleset, weapon, ammunition, target, range_m, engine)
    if not with_men:
        vehicle = _by_risk(vehicle)
    nothing = 1.0 - sum(entries.values())
    # Of the live tanks in each condition: their weight, weight times penetrations so far, weight not yet penetrated.
    live: dict[Condition, tuple[float, float, float]] = {ruleset.fresh(target): (1.0, 0.0, 1.0)}
    steps: dict[Condition, _Step] = {}
    men: dict[Condition, tuple[float, float]] = {}
    sums = {True: _Sum(), False: _Sum()}
    hits_made = hits_through = 0.0
    left = 1.0
    hit = 0
    while left > LEFT_OVER and hit < MOST_HITS:
        hit += 1
        upcoming: dict[Condition, tuple[float, float, float]] = {}
        for condition, (weight, made, whole) in live.items():
            step = steps.get(condition)
            if step is None:
                step = steps[condition] = _Step(condition, nothing)
                for after, through, p in _hit(vehicle, entries, condition, engine):
                    if after.knocked_out and after not in men:
                        men[after] = _after_bail_out(ruleset, target, after, engine) if with_men else (0.0, 0.0)
                    step.add(after, through, p, men.get(after))
            hits_made += weight
            hits_through += weight * step.through
            for after, through, p in step.onward:
                w, m, u = upcoming.get(after, (0.0, 0.0, 0.0))
                upcoming[after] = (
                    w + weight * p,
                    m + made * p + weight * p * through,
                    u + (0.0 if through else whole * p),
                )
            for (burns, through), end in step.ends.items():
                sums[burns].add(hit, weight if through else weight - whole, made + weight * through, end)
        live = upcoming
        left = sum(w for w, _, _ in live.values())
    if not sums[True].lost + sums[False].lost:
        raise NotCoveredError(f"{weapon.id}/{ammunition.id} never knocks out {target.id} at {range_m:g} m.")
    return _losses(sums[True], sums[False], hits_through / hits_made, left)


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


def _entries(
    ruleset: FacingArmor, weapon: Weapon, ammunition: Ammunition, target: Target, range_m: float, engine: Exact
) -> dict[str, float]:
    """How likely a hit from the mix of aspects does something at each location: the rule body's own first stage.

    Locations with the same effects inside are one here, by the first of their keys.
    """
    vehicle = under_fire_of(layout(target), weapon.caliber_mm, ruleset.options.abandon_percent)
    alike: dict[int, str] = {}
    found: dict[str, float] = {}
    for mix in surveys()["aspects"].values():
        attack = Attack(
            weapon=weapon, ammunition=ammunition, range_m=range_m, aspect_deg=mix["aspect_deg"], given_hit=True
        )
        plan = ruleset.plan(attack, target)
        for key, p in engine.distribution(_entry, plan, ruleset.fresh(target)).items():
            if key:
                one = alike.setdefault(id(vehicle.rows[key]), key)
                found[one] = found.get(one, 0.0) + mix["share"] * p
    return found


def _entry(dice: Dice, plan: Any, condition: Condition) -> str:
    """The location at which a shot hands on to the effects inside, or nothing where it does not."""
    onward = shoot(dice, plan, condition, None)
    return str(onward.arguments[0].key) if isinstance(onward, Then) and onward.stage is begin else ""


def _by_risk(vehicle: Layout) -> Layout:
    """The vehicle with those men alike who run the same risks, so that it makes no difference which of them is hurt."""
    risks: list[list[Hashable]] = [[seat in vehicle.crew] for seat in range(len(vehicle.titles))]
    for key, rows in vehicle.rows.items():
        for i, row in enumerate(rows):
            for seat in row.seats:
                risks[seat].append((key, row.percent, i if len(row.seats) > 1 else None))
    return replace(vehicle, kinds=tuple([risks.index(risk) for risk in risks]))


def _hit(
    vehicle: Layout, entries: dict[str, float], condition: Condition, engine: Exact
) -> list[tuple[Condition, bool, float]]:
    """What one hit leads to: the condition, whether it was a penetration, the chance. Equal ones are merged."""
    merged: dict[tuple[Condition, bool], float] = {}
    for key, share in entries.items():
        struck = Struck(vehicle, key, _ANYWHERE, condition, None)
        for outcome, p in engine.distribution(begin, struck).items():
            after = outcome.condition
            if after.knocked_out:
                # Of a tank that is lost, only its fire and its men matter from here on.
                after = after._replace(mobility=FULL, firepower=FULL)
            result = (after, bool(outcome.effects & PENETRATED))
            merged[result] = merged.get(result, 0.0) + share * p
    return [(after, through, p) for (after, through), p in merged.items()]


_ANYWHERE = Location("anywhere", "hull")


def _after_bail_out(ruleset: FacingArmor, target: Target, condition: Condition, engine: Exact) -> tuple[float, float]:
    """Mean killed and wounded once everybody has had time to get out."""
    passages = engine.distribution(ruleset.pass_time, target, condition, TIME_TO_GET_OUT_S)
    killed = passages.mean(lambda passage: passage.condition.people.count(DEAD))
    wounded = passages.mean(lambda passage: _wounded(passage.condition))
    return killed, wounded


def _wounded(condition: Condition) -> int:
    people = condition.people
    return vehicle_state(condition).wounded_out + people.count(WOUNDED) + people.count(OUT)


def burned_of_penetrated(
    ruleset: FacingArmor, weapon: Weapon, ammunition: Ammunition, target: Target, range_m: float
) -> float:
    """F20: of tanks penetrated at least once, the share that burned.

    The surveys give means alone. Assumed is that a tank takes one penetration and a geometric number more, with the
    mean of design.toml, whether or not it is out of the fight by then: wrecks were shot at, too. Each penetration may
    start a fire for itself.
    """
    engine = Exact()
    vehicle = under_fire_of(layout(target), weapon.caliber_mm, ruleset.options.abandon_percent)
    entries = _entries(ruleset, weapon, ammunition, target, range_m, engine)
    through = burning = 0.0
    for after, penetrated, p in _hit(vehicle, entries, ruleset.fresh(target), engine):
        through += p * penetrated
        burning += p * (penetrated and after.on_fire)
    calm = 1.0 - burning / through
    last = 1.0 / design().penetrations.mean
    return 1.0 - last * calm / (1.0 - (1.0 - last) * calm)


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
    """F20: the model beside the surveys of tanks lost and burned.

    `weapon` (W or W/AMMO) fires at Shermans, the 75 mm M3 at German tanks.
    Raises UnknownNameError for a weapon nobody knows.
    """
    ruleset = FacingArmor(options)
    catalog = Catalog()
    gun, shot = catalog.round(weapon)
    allied, allied_shot = catalog.round(ALLIED_GUN)
    mix = location_mix()
    dry, wet = (_sherman(ruleset, gun, shot, catalog.target(target), range_m) for target in (DRY, WET))
    other = {key: wet[key] for key in wet if key != "dry_burned"}
    model = {**dry, "wet_burned": wet["dry_burned"]}
    model |= {
        "location_hull": mix["hull"],
        "location_turret": mix["turret"],
        "location_running_gear": mix["running_gear"],
    }
    for name, target in (("pz4", "pz4_h"), ("panther", "panther_g"), ("tiger", "tiger_1e")):
        lost = lost_tanks(ruleset, allied, allied_shot, catalog.target(target), range_m, with_men=False)
        model |= {f"{name}_hits": lost.hits, f"{name}_penetrations": lost.penetrations, f"{name}_burned": lost.burned}
    lines = tuple(_line(key, entry, model[key], other.get(key)) for key, entry in surveys()["figure"].items())
    shares = ", ".join(f"{mix['share']:.0%} from the {face}" for face, mix in surveys()["aspects"].items())
    text = (
        f"Hits at {range_m:g} m, {shares}: {gun.id}/{shot.id} at {DRY} (dry) and {WET} (wet), {allied.id}/"
        f"{allied_shot.id} at pz4_h, panther_g and tiger_1e. Of those penetrated: one penetration and a geometric "
        f"number more, {design().penetrations.mean:g} in the mean (assumed). Of those knocked out: hits until then, at "
        "least one of them a penetration; the crew then gets out."
    )
    return Calibration(lines, text)


def _sherman(ruleset: FacingArmor, gun: Weapon, shot: Ammunition, target: Target, range_m: float) -> dict[str, float]:
    """The figures of one Sherman by their keys in surveys.toml."""
    lost = lost_tanks(ruleset, gun, shot, target, range_m)
    return {
        "dry_burned": burned_of_penetrated(ruleset, gun, shot, target, range_m),
        "dry_burned_of_lost": lost.burned,
        "dry_burned_two_brigades": lost.burned,
        "casualties": lost.casualties,
        "casualties_burned": lost.casualties_burned,
        "casualties_unburned": lost.casualties_unburned,
        "casualties_burned_to_unburned": lost.casualties_burned / lost.casualties_unburned,
        "killed": lost.killed,
        "wounded": lost.wounded,
        "wounded_to_killed": lost.wounded / lost.killed,
        "sherman_penetrated": lost.penetrating,
        "sherman_hits": lost.hits,
        "sherman_penetrations": lost.penetrations,
        "sherman_hits_to_brew": lost.hits_burned,
        "sherman_penetrations_to_brew": lost.penetrations_burned,
    }


def _line(key: str, entry: dict[str, Any], model: float, wet: float | None) -> Comparison:
    bound = tuple(entry["bound"]) if "bound" in entry else None
    fitted = key in fitted_figures()
    text, survey = entry["text"], entry["value"]
    return Comparison(key, text, model, wet, survey, fitted, bound, entry["source"], entry["confidence"])
