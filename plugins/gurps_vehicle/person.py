"""One who is struck (G28-G31): rider, occupant, man of a team or draft animal, each with a body and HP of his own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

from gurps_vehicle.armor import (
    Injury,
    Matter,
    damage_of,
    effective_dr,
    halved,
    location_injury,
    spot_dr,
)
from gurps_vehicle.bodies import BodyPlan, Entry, Further, Spot
from gurps_vehicle.deriving_weapons import Shot
from gurps_vehicle.files import read
from gurps_vehicle.health import DEAD, DOWN, FIT, HURT, Health, Loss, Subject, knockdown, survives
from gurps_vehicle.stats import Layer
from gurps_vehicle.tables import CriticalEffect
from mantlet import Crowd, Dice, DiceExpr, Table, Then, rising

T = TypeVar("T")


class Person(NamedTuple):
    """The state of one: points lost, and FIT, HURT, DOWN or DEAD."""

    lost: int = 0
    state: int = FIT

    @property
    def acts(self) -> bool:
        """Whether he is able to act."""
        return self.state < DOWN


UNHURT = Person()
KILLED = Person(0, DEAD)
People = Crowd[Person | None]
"""People by seat; None for those who have left."""


@dataclass(frozen=True, eq=False)
class Folk:
    """People (or animals) all alike: health, body, own DR by part; everyone's `points` are kept, or levels."""

    noun: str
    health: Health
    body: BodyPlan
    dr: Mapping[str, int]
    points: bool = False

    @cached_property
    def subject(self) -> Subject:
        """Whose HP thresholds these are."""
        return Subject(self.noun, self.health)

    def state(self, lost: int, state: int) -> Person:
        """What is remembered of somebody: his points, or what stands for the level of his wounds."""
        if state == DEAD:
            return KILLED
        if self.points or not lost:
            return Person(lost, state)
        rules = read("wounding")["health"]
        if state == DOWN:
            level = rules["level_out"]
        else:
            level = rules["level_wounded"] if lost < self.health.hp else rules["level_down"]
        return Person(int(self.health.hp * level), state)


Place = Spot | Table[Entry] | None
"""Where a blow lands: a spot, one of those of a table, or (None) a random one of the whole body."""


class Blow(NamedTuple):
    """What strikes somebody: dice (or a roll already made), the kind, its divisor, armor in the way besides his own.

    `times` multiplies the roll (by the weapon and a critical), `part` divides it afterwards (an explosion further off).
    `dr` is what a critical does to armor (see `halved`), `major` makes any injury a major wound.
    """

    dice: DiceExpr | int
    kind: str
    divisor: float = 1.0
    cover: int = 0
    times: Fraction | int = 1
    part: Fraction | int = 1
    dr: str = ""
    major: bool = False
    place: Place = None


def blow_of(
    shot: Shot, effect: CriticalEffect, *, rolled: int | None = None, cover: int = 0, part: Fraction | int = 1
) -> Blow:
    """A round as it strikes somebody: a critical's worth of damage, `cover` in the way, a `part` of an explosion.

    `rolled` is a damage roll already made.
    """
    dice, divisor = effect.damage(shot.dice, rolled), shot.divisor_of(part)
    return Blow(dice, shot.named, divisor, cover, effect.times * shot.scale, part, effect.dr, effect.major)


@dataclass(frozen=True)
class Protection:
    """What a spot has against a blow: DR that counts, and how it takes what gets through. Which spot is only told."""

    dr: int
    injury: Injury
    spot: Spot = field(compare=False)


@dataclass(frozen=True, slots=True)
class Severity:
    """What a damage roll means for somebody: points lost afterwards, and whether it is a major wound.

    `knockdown` modifies the HT roll of a major wound. What is only told takes no part in comparison.
    """

    hurts: bool
    after: int
    major: bool
    knockdown: int
    injury: int = field(compare=False)
    through: int = field(compare=False)

    def __str__(self) -> str:
        if not self.hurts:
            return "no injury"
        return f"{self.injury} injury, a major wound" if self.major else f"{self.injury} injury"


def wound(dice: Dice, who: Person, folk: Folk, blow: Blow) -> Person | Then:
    """One blow at somebody: where it lands, and what protects him there."""
    if who.state == DEAD:
        return who
    against = blow._replace(dice=0)  # how much damage it does is nothing to the armor
    return dice.then(harm, who, folk, blow, protection(folk, spot_struck(dice, blow.place, folk.body, "G28"), against))


def harm(dice: Dice, who: Person, folk: Folk, blow: Blow, own: Protection) -> Person | Then:
    """The damage of a blow against what somebody has there, and how bad it is."""
    given = (folk, own, blow, who.lost)
    severity = read_damage(
        dice, blow.dice, severity_of, *given, reason=f"{blow.kind} damage to a {folk.noun}", rule="G28"
    )
    dice.note("G28", "{}, {}: {} through DR {}, {}", folk.noun, own.spot, severity.through, own.dr, severity)
    return dice.then(suffer, who, folk, severity) if severity.hurts else who


def read_damage(
    dice: Dice, damage: DiceExpr | int, meaning: Callable[..., T], *given: Hashable, reason: str, rule: str
) -> T:
    """What a damage roll, or one already made, means: `meaning(total, *given)`."""
    if isinstance(damage, int):
        return meaning(damage, *given)
    return dice.read(damage, meaning, *given, reason=reason, rule=rule, label=str)


def spot_struck(dice: Dice, place: Place, body: BodyPlan, rule: str) -> Spot:
    """The spot of a body where something lands; `rule` is the one that asks for a random hit."""
    if isinstance(place, Spot):
        return place
    return random_spot(dice, body.table, rule) if place is None else random_spot(dice, place, "G3")


def random_spot(dice: Dice, table: Table[Entry], rule: str) -> Spot:
    """Where a random hit lands: a roll on a body plan, and on the tables inside it (G3, G6)."""
    entry = dice.pick(table, "hit location", rule)
    while isinstance(entry, Further):
        entry = dice.pick(entry.table, entry.reason, "G3")
    return entry


@lru_cache(maxsize=4096)
def protection(folk: Folk, spot: Spot, blow: Blow) -> Protection:
    """DR that counts for somebody's spot (his own, and what is in the way), and how it takes such damage."""
    dr = effective_dr((Layer(dr=spot_dr(folk.dr, spot, blow.kind) + blow.cover),), blow.divisor)
    injury = location_injury(blow.kind, spot.kind, Matter(folk.health.hp))
    return Protection(halved(dr, blow.dr), injury, spot)


@rising
def severity_of(rolled: int, folk: Folk, own: Protection, blow: Blow, lost: int) -> Severity:
    """What a total of the damage roll means for somebody who has lost so much before."""
    damage = damage_of(blow.kind, rolled, blow.times, blow.part)
    through, health = damage - own.dr, folk.health
    full = own.injury.of(through)
    if not full:
        return Severity(False, lost, False, 0, 0, max(through, 0))
    injury = own.injury.kept(full)
    after = health.lost(lost, injury)
    if not folk.points and after < health.most:
        # Where levels are kept, all that matters is which threshold it is past.
        after = after // health.hp * health.hp if after >= health.hp else 1
    major = blow.major or own.injury.is_major(full, health.hp)
    return Severity(True, after, major, own.injury.knockdown if major else 0, injury, through)


def suffer(dice: Dice, who: Person, folk: Folk, severity: Severity) -> Person:
    """What a wound does to somebody: knockdown by a major one, and the HT rolls of the thresholds it passes."""
    state = who.state
    if severity.major and state != DOWN and knockdown(dice, folk.health.ht, severity.knockdown, "G28") == "unconscious":
        state = DOWN
    end = survives(dice, folk.subject, Loss(who.lost, severity.after), acts=state != DOWN)
    return folk.state(severity.after, max(state, end, HURT))


# -- several people --------------------------------------------------------------------------------------------------


def strike_one(dice: Dice, people: People, seats: Sequence[int], folk: Folk, blow: Blow) -> tuple[People, int]:
    """One of those in these seats is struck, at even odds (G31): everybody afterwards, and who it was."""
    who = people.one_of(dice, seats, "who is hit", "G31")
    return people.put(who, dice.settle(wound, people[who], folk, blow)), who


def feel(dice: Dice, people: People, seats: Sequence[int], folk: Folk, blow: Blow) -> People:
    """Everybody in these seats feels what strikes no place in particular (G26): part of an explosion, or all of it."""
    part = f"{float(blow.part):g}"
    note = ("G26", "{} feels damage / {}.", part) if blow.part > 1 else ("G26", "{} feels all of it.")
    return people.each(dice, seats, wound, folk, blow._replace(place=folk.body.torso()), note=note)


@lru_cache(maxsize=4096)
def killed(people: tuple[Person | None, ...], seats: tuple[int, ...]) -> tuple[Person | None, ...]:
    """Everybody, those in these seats dead."""
    return tuple([KILLED if person is not None and seat in seats else person for seat, person in enumerate(people)])
