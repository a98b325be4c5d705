"""Who aboard is struck: Luck in order of margin, extra hits dealt round, both compartments of an armored vehicle."""

from __future__ import annotations

from typing import NamedTuple

from d100_wwii.consequences import run
from d100_wwii.options import Options
from d100_wwii.rolls import half
from d100_wwii.shot import Shot
from d100_wwii.state import CONSCIOUS_ABOVE, LEFT
from d100_wwii.vehicle import Place
from d100_wwii.work import Work
from mantlet import Contestant, Dice

LETHAL = 1_000
"""Stands for all the hit points somebody has."""


class Struck(NamedTuple):
    """Somebody hit: group, hit points before the burst, hit points now, and how many rounds are still to come."""

    group: int
    before: int
    hp: int
    rounds: int


def at_risk(work: Work, place: Place) -> list[tuple[int, int]]:
    """The people of a place who count (A20), as (group, index), those with higher DEX first."""
    reading = work.vehicle.options.luck_counts
    least = {"living": 1, "conscious": CONSCIOUS_ABOVE + 1, "aboard": 0}[reading]
    found = [(g, i) for g in place.groups for i, hp in enumerate(work.people[g]) if hp >= least and hp != LEFT]
    found.sort(key=lambda person: -work.vehicle.person(person[0], work.seating).dex)
    return found


def luck(dice: Dice, work: Work, people: list[tuple[int, int]], hits: int) -> list[tuple[int, int]]:
    """Which of these people fewer hits than people strike: each rolls Luck, the worst failures are hit (R17)."""
    options = work.vehicle.options
    rolling = []
    for n, (g, i) in enumerate(people, start=1):
        person = work.vehicle.person(g, work.seating)
        label = person.name if work.vehicle.named or work.vehicle.groups[g].size == 1 else f"{person.name} {n}"
        tie = person.pow if options.luck_tie == "lower_pow" else 0
        alike = None if work.vehicle.named else (g, work.people[g][i])
        rolling.append(Contestant(label, person.pow * 5, tie, alike=alike))
    chosen = dice.worst_failures(rolling, hits, "Luck", "R17")
    if options.lucky_misses == "someone_hit" and len(chosen) < hits:
        spared = [n for n in range(len(people)) if n not in chosen]
        chosen = tuple(sorted((*chosen, *spared[: hits - len(chosen)])))
    return [people[n] for n in chosen]


def deal(work: Work, struck: list[tuple[int, int]], hits: int) -> tuple[list[Struck], int]:
    """Deal the hits to the people struck, one each and the rest round-robin (A17): who gets how many, and the spare."""
    if not struck:
        return [], hits
    each, extra = divmod(hits, len(struck))
    dealt = []
    spare = 0
    for n, (g, i) in enumerate(struck):
        rounds = each + (n < extra)
        if work.vehicle.options.extra_hits == "once" and rounds > 1:
            spare += rounds - 1
            rounds = 1
        hp = work.people[g][i]
        dealt.append(Struck(g, hp, hp, rounds))
    return dealt, spare


TO_EACH = ("{}: half of it, {}, to each", "{}: half of it, {} or more, to each", "{}: deadly there too")
TO_EVERYONE = ("{}: everyone there takes {}", "{}: everyone there takes {} or more", "{}: everyone there is killed")
TO_ALL = (
    "Base HP is gone: the vehicle is destroyed, everyone aboard takes {}",
    "Base HP is gone: the vehicle is destroyed, everyone aboard takes {} or more",
)
TO_ONE = ("{} takes {} of {} hit points: {} left", "{} takes {} or more of {} hit points: {} left")


def _of(templates: tuple[str, ...], damage: int, more: bool) -> str:
    """How to tell a damage: where it is more than anybody can take, how much more is no longer known."""
    return templates[2 if damage >= LETHAL else 1 if more else 0]


def lethal(options: Options, damage: int) -> int:
    """The damage a person takes: all they have, where a people row kills outright (A11)."""
    return damage if options.occupant_rows == "damage" else LETHAL


def one_hit(dice: Dice, work: Work, shot: Shot, place: Place, damage: int, kill: int) -> None:
    """Damage in a people row: Luck, or everyone there and half for the other compartment (A9).

    Where it destroys the vehicle (`kill`) everyone aboard takes that, and nobody both (A40).
    """
    hurt = lethal(work.vehicle.options, damage)
    round_up = work.vehicle.options.round_halves == "up"
    larger = work.vehicle.options.destroyed_and_struck == "larger"
    cap = work.vehicle.cap
    if kill:
        dice.note("R6", TO_ALL[kill >= cap], kill)
    if shot.area or (place.afv and shot.inside):
        for other in work.vehicle.places:
            here = other is place
            own = hurt if here else lethal(work.vehicle.options, half(damage, round_up)) if place.afv else 0
            if not here and own and other.groups:
                dice.note("A9", _of(TO_EACH, own, damage >= cap), other.label, own)
            everyone_in(dice, work, other, max(own, kill) if larger else own + kill, more=max(damage, kill) >= cap)
        return
    if kill:
        work.hurt_everyone(kill)
        if larger:
            return
    people = at_risk(work, place)
    if not people:
        dice.note("A7", "nobody is there")
        return
    struck = luck(dice, work, people, 1) if len(people) > 1 else people
    if not struck:
        dice.note("A18", "everyone was lucky: the round strikes nobody")
    for g, i in struck:
        before = work.people[g][i]
        left = work.hurt(g, i, hurt)
        dice.note(
            "R19",
            TO_ONE[damage >= cap],
            work.vehicle.person(g, work.seating).name,
            damage,
            before,
            left,
        )


def everyone_in(dice: Dice, work: Work, place: Place, damage: int, *, more: bool = False) -> None:
    """Everyone in a place takes the damage, or `more`."""
    if not damage or not place.groups:
        return
    for g in place.groups:
        work.set_group(g, [hp if hp <= 0 else max(0, hp - damage) for hp in work.people[g]])
    dice.note("R19", _of(TO_EVERYONE, damage, more), place.label, damage)


def destruction(dice: Dice, work: Work, damage: int) -> None:
    """Base HP is gone: the vehicle is destroyed and everyone aboard takes the damage that did it (R6)."""
    dice.note("R6", TO_ALL[damage >= work.vehicle.cap], damage)
    work.hurt_everyone(damage)


def driver_lost(dice: Dice, work: Work, place: Place, was_able: bool, was_hit: bool) -> None:
    """What the row says follows when the one at the wheel can no longer act (A12, A13, A14)."""
    if not place.effects or work.vehicle.driver < 0 or work.destroyed:
        return
    lost = was_able and not work.driver_able
    if lost:
        dice.note("A12", "the driver can no longer act")
    if lost or (was_hit and work.vehicle.options.surviving_driver_trouble):
        run(dice, work, place.effects)
