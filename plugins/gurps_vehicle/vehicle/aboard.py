"""Those aboard: riders, people inside and behind windows, those around an explosion, draft animals (G17-G31)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from gurps_vehicle.armor import cover_dr
from gurps_vehicle.deriving_weapons import dice_of_mean
from gurps_vehicle.files import read
from gurps_vehicle.person import Blow, People, Person, blow_of, feel, strike_one, wound
from gurps_vehicle.tables import HIT, ORDINARY, occupant_check, occupant_number
from gurps_vehicle.vehicle.plan import VehiclePlan
from mantlet import Crowd, Dice, DiceExpr, Then


class Blows(NamedTuple):
    """What a round has for people: blows, one each, at some of these seats, and then what all around feel.

    `around` is the part of the damage that is felt (0: none); with `direct` the round itself strikes somebody, who does
    not feel it a second time. `spared` is who that was.
    """

    seats: tuple[int, ...] = ()
    blows: tuple[Blow, ...] = ()
    around: Fraction | int = 0
    direct: bool = False
    spared: int = -1


def is_struck(dice: Dice, plan: VehiclePlan, present: tuple[int, ...], rule: str) -> bool:
    """The occupant table: whether one of those present is where the round goes (G20, G27)."""
    if not present:
        return False
    number = occupant_number(len(present), plan.block.sm, plan.options.occupants_outside)
    reason = "somebody behind the window" if rule == "G20" else "an occupant is hit"
    return dice.check(occupant_check(number), reason, rule) == HIT


def blows_inside(plan: VehiclePlan, count: int) -> tuple[Blow, ...]:
    """How hard everyone is hit by so many dice that come inside (G28, G29): apart from the vehicle's injury (G30)."""
    return tuple([Blow(occupant_dice(lot), "cut") for lot in lots_of(count, plan.options.divide_occupant_damage)])


def lots_of(count: int, divide: bool) -> tuple[int, ...]:
    """Occupant damage in dice, one entry a person (G29): all on one, or in lots of 4d where it may be divided."""
    most: int = read("occupants")["most_dice_a_person"]
    if not divide or count <= most:
        return (count,)
    full, rest = divmod(count, most)
    return (most,) * full + ((rest,) if rest else ())


@lru_cache(maxsize=256)
def occupant_dice(count: int) -> DiceExpr:
    """That many dice for somebody inside, however many; a great many are 5d, 6d or 7d times a number."""
    return DiceExpr(((count, 6),)) if count <= read("occupants")["most_dice_one_by_one"] else dice_of_mean(3.5 * count)


def body_as_cover(plan: VehiclePlan) -> int | None:
    """What somebody is worth as cover for the vehicle behind him; None where nothing goes through people."""
    if not plan.options.overpenetration or plan.shot.named not in read("wounding")["overpenetration"]["kinds"]:
        return None
    folk = plan.folk
    return cover_dr("living", folk.dr.get("torso", 0), folk.health.hp, plan.shot.divisor)


def strike_people(dice: Dice, plan: VehiclePlan, people: People, blows: Blows) -> People | Then:
    """People are struck, one blow after the other; then all around feel an explosion or large-area attack (G26)."""
    if blows.blows and blows.seats:
        people, who = strike_one(dice, people, blows.seats, plan.folk, blows.blows[0])
        seats = tuple([i for i in blows.seats if i != who])
        rest = blows._replace(seats=seats, blows=blows.blows[1:], spared=who if blows.direct else -1)
        return dice.then(strike_people, plan, people, rest)
    if blows.around:
        seats = plan.inside if plan.attack.delivery == "lobbed_inside" else plan.exposed
        there = tuple([i for i in seats if i != blows.spared and people[i] is not None])
        people = feel(dice, people, there, plan.folk, blow_of(plan.shot, ORDINARY, part=blows.around))
    return people.in_order(dice)


def strike_animal(dice: Dice, plan: VehiclePlan, animals: Crowd[Person], blow: Blow) -> Crowd[Person]:
    """A draft animal is struck; the vehicle takes nothing and gives it no armor (G17). Nobody tells them apart."""
    who = animals.one_of(dice, range(len(animals)), "which animal", "G17")
    after = animals.put(who, dice.settle(wound, animals[who], plan.animals, blow))
    return Crowd(sorted(after), after.kinds, after.names)
