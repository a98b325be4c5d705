"""People (G18, G28-G31): riders, occupants, men of a team and draft animals, each a humanoid (or animal) of its own.

The state of one is a small number: points lost x 4 + FIT, HURT, DOWN or DEAD. Unless points are kept, what is lost
becomes what stands for the level, so that equal states merge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from gurps_vehicle.armor import Injury, bone, effective_dr, halved, least_damage, location_injury
from gurps_vehicle.bodies import BodyPlan, Further, Spot
from gurps_vehicle.files import read
from gurps_vehicle.health import DEAD, DOWN, HURT, Health, knockdown, survives
from gurps_vehicle.stats import Layer
from mantlet import Check, Dice, DiceExpr, Row, Table, Then

T = TypeVar("T")


def person(lost: int, state: int) -> int:
    """The number for a state."""
    return lost * 4 + state


def lost_of(code: int) -> int:
    """The points lost."""
    return code >> 2


def state_of(code: int) -> int:
    """FIT, HURT, DOWN or DEAD."""
    return code & 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Folk:
    """People (or animals) all alike: health, body, own DR by part, and how closely their wounds are kept.

    `points` keeps everyone's points; else levels. `told` keeps what only an account needs (sides, single totals):
    without it rolls branch by what they mean.
    """

    noun: str
    health: Health
    body: BodyPlan
    dr: Mapping[str, int]
    points: bool = False
    told: bool = True
    known: dict[Any, Any] = field(default_factory=dict)

    def armor(self, spot: Spot, kind: str) -> int:
        """Own DR where the spot is, against a kind of damage; skulls and brains have their bone."""
        own = self.dr.get(spot.name, self.dr.get(spot.part, self.dr.get("torso", 0)))
        return own + bone(spot.kind, kind)

    def settle(self, lost: int, state: int) -> int:
        """The state to remember."""
        if state == DEAD:
            return DEAD
        if self.points or lost == 0:
            return person(lost, state)
        rules = read("wounding")["health"]
        if state == DOWN:
            part = rules["level_out"]
        else:
            part = rules["level_wounded"] if lost < self.health.hp else rules["level_down"]
        return person(int(self.health.hp * part), state)


class Blow(NamedTuple):
    """What strikes somebody: dice (or a fixed total), the kind, its divisor, and armor in the way besides his own.

    `times` multiplies the roll, `part` divides it afterwards (an explosion further off). `dr` is what a critical does
    to armor (see `halved`), `major` makes any injury a major wound.
    """

    dice: DiceExpr | int
    kind: str
    divisor: float = 1.0
    cover: int = 0
    tight_beam: bool = False
    times: int = 1
    part: int = 1
    dr: str = ""
    major: bool = False


class Severity(NamedTuple):
    """What a damage roll means for somebody: the injury, what is lost afterwards, and whether it is a major wound.

    Where nothing is told, the numbers stand for all that have the same consequences.
    """

    injury: int
    after: int
    major: bool
    knockdown: int = 0
    through: int = 0
    dr: int = 0

    def __str__(self) -> str:
        if not self.injury:
            return "no injury"
        return f"{self.injury} injury, a major wound" if self.major else f"{self.injury} injury"


UNHURT = Severity(0, 0, False)


def cut(dice: DiceExpr, consequence: Callable[[int], T]) -> Check[T]:
    """A damage roll cut by what it means: totals with the same consequence branch as one.

    More damage never does less, so that all totals between two with the same consequence have it too.
    """
    totals = [total for total, _ in dice.ways]
    grades: list[tuple[int, T]] = []
    at = 0
    while at < len(totals):
        value = consequence(totals[at])
        step, end = 1, at  # the last known to be the same; further on in steps that double, then halve
        while end + step < len(totals) and consequence(totals[end + step]) == value:
            end += step
            step *= 2
        while step:
            if end + step < len(totals) and consequence(totals[end + step]) == value:
                end += step
            step //= 2
        grades.append((totals[end], value))
        at = end + 1
    return Check(dice, grades)


def wound(dice: Dice, folk: Folk, code: int, blow: Blow, spot: Spot | None = None) -> int | Then:
    """The rule body of one blow at somebody: the place (a random one unless given), his DR, the wound, his HT rolls."""
    if state_of(code) == DEAD:
        return code
    if spot is None:
        spot = random_spot(dice, folk)
    severity = _damage(dice, folk, lost_of(code), blow, spot)
    if folk.told:
        dice.note("G28", "{}, {}: {} through DR {}, {}", folk.noun, spot, severity.through, severity.dr, severity)
    return dice.then(suffer, folk, code, severity) if severity.injury else code


def suffer(dice: Dice, folk: Folk, code: int, severity: Severity) -> int:
    """What a wound does to somebody: knockdown by a major one, and the HT rolls of the thresholds it passes."""
    state = state_of(code)
    if severity.major and state != DOWN and knockdown(dice, folk.health.ht, severity.knockdown, "G28") == "unconscious":
        state = DOWN
    end = survives(dice, folk.health, lost_of(code), severity.after, folk.noun, asks_zero=state != DOWN)
    return folk.settle(severity.after, max(state, end, HURT))


def random_spot(dice: Dice, folk: Folk) -> Spot:
    """Where a random hit on somebody lands. Sides are rolled for and told, but no state depends on them."""
    if folk.told:
        return place(dice, folk.body.table, "G28")
    return _alike(folk, place(dice, _like_places(folk), "G28", sides=False))


def _like_places(folk: Folk) -> Table[Any]:
    """The body plan with one spot for all that are wounded alike, so that a roll branches by what it means."""
    found: Table[Any] | None = folk.known.get("places")
    if found is None:
        table = folk.body.table
        rows = []
        for row in table.rows:
            value = row.value
            while isinstance(value, Further) and not value.mixed:
                value = value.table.rows[0].value
            rows.append(row if isinstance(value, Further) else row._replace(value=_alike(folk, value)))
        found = folk.known["places"] = Table(table.name, table.dice, rows, table.title)
    return found


def place(dice: Dice, table: Table[Any], rule: str, *, sides: bool = True) -> Spot:
    """Roll on a body plan and on the tables inside it (which of several: only where `sides` matter)."""
    entry = dice.pick(table, "hit location", rule)
    while isinstance(entry, Further):
        entry = dice.pick(entry.table, entry.reason, "G3") if sides or entry.mixed else entry.table.rows[0].value
    spot: Spot = entry
    return spot


def _alike(folk: Folk, spot: Spot) -> Spot:
    """The first spot of the body that is wounded just as this one and has its DR."""
    found: Spot = folk.known.setdefault((spot.kind, folk.armor(spot, "")), spot)
    return found


def _injury(folk: Folk, spot: Spot, blow: Blow) -> Injury:
    key = ("injury", spot, blow.kind, blow.tight_beam)
    found: Injury | None = folk.known.get(key)
    if found is None:
        found = folk.known[key] = location_injury(blow.kind, spot.kind, folk.health.hp, "living", blow.tight_beam)
    return found


def _damage(dice: Dice, folk: Folk, before: int, blow: Blow, spot: Spot) -> Severity:
    key = ("damage", spot, blow, before)
    check = folk.known.get(key)
    if check is None:
        dr = halved(effective_dr((Layer(dr=folk.armor(spot, blow.kind) + blow.cover),), blow.divisor), blow.dr)
        injury = _injury(folk, spot, blow)

        def consequence(total: int) -> Severity:
            damage = least_damage(blow.kind, total) * blow.times // blow.part
            return _severity(folk, injury, before, damage, dr, blow.major)

        check = consequence(blow.dice) if isinstance(blow.dice, int) else cut(blow.dice, consequence)
        folk.known[key] = check
    if isinstance(check, Severity):
        return check
    return dice.check(check, f"{blow.kind} damage to a {folk.noun}", "G28")  # type: ignore[no-any-return]


def _severity(folk: Folk, injury: Injury, before: int, damage: int, dr: int, major: bool) -> Severity:
    full = injury.of(damage - dr)
    if not full:
        return Severity(0, 0, False, 0, max(damage - dr, 0), dr) if folk.told else UNHURT
    hp = folk.health.hp
    major = major or full * 2 > hp or injury.cripples(full)
    after = min(before + injury.kept(full), folk.health.most)
    if not folk.points and after < folk.health.most:
        # Which threshold it is past is all that matters where levels are kept.
        after = after // hp * hp if after >= hp else 1
    modifier = injury.knockdown if major else 0
    if folk.told:
        return Severity(injury.kept(full), after, major, modifier, damage - dr, dr)
    return Severity(1, after, major, modifier)


@lru_cache(maxsize=4096)
def who_table(states: tuple[int, ...], names: tuple[str, ...]) -> Table[int]:
    """Who of several is struck, at even odds (G31): the value is an index. Neighbors in the same state share a row."""
    rows: list[Row[int]] = []
    for i, (state, name) in enumerate(zip(states, names)):
        if rows and states[rows[-1].value] == state and names[rows[-1].value] == name:
            rows[-1] = rows[-1]._replace(high=i + 1)
        else:
            rows.append(Row(i + 1, i + 1, i, name))
    return Table("who is hit", f"1d{len(states)}", rows)


def lots_of(dice_count: int, divide: bool) -> tuple[int, ...]:
    """Occupant damage in dice, one entry a person (G28, G29): all on one, or in lots of 4d where it may be divided."""
    most: int = read("occupants")["most_dice_a_person"]
    if not divide or dice_count <= most:
        return (dice_count,)
    full, rest = divmod(dice_count, most)
    return (most,) * full + ((rest,) if rest else ())


@lru_cache(maxsize=256)
def occupant_dice(count: int) -> DiceExpr:
    """That many dice, however many: one for every five full points that went through (G28)."""
    return DiceExpr(((count, 6),))
