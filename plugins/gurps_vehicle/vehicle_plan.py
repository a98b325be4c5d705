"""An attack on a vehicle before any die is rolled, and how much of it one view of the odds has to tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from gurps_vehicle.codes import Fitted
from gurps_vehicle.detail import FIRE, Detail
from gurps_vehicle.health import DOWN
from gurps_vehicle.people import Folk
from gurps_vehicle.planning import GurpsPlan, Keep, blast_part
from gurps_vehicle.vehicle_slots import Choice, Slot
from mantlet import Location, Table

Stratum: TypeAlias = "tuple[Slot, ...]"
"""Locations whose rounds are counted together."""


@dataclass(frozen=True, eq=False, kw_only=True)
class VehiclePlan(GurpsPlan):
    """An attack on a vehicle. `table` gives a Slot or a Choice for a random hit, `aimed` the slot aimed at."""

    face: str
    table: Table[Any]
    aimed: Slot | None
    body: Slot
    slots: tuple[Slot, ...]
    places: tuple[Location, ...]
    seat_names: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    inside: tuple[int, ...]
    exposed: tuple[int, ...]
    animals: Folk
    most_injury: tuple[tuple[int, int], ...]
    """The most that one round can take from the whole, by slot: an ordinary hit, a critical one."""
    parts: tuple[Fitted, ...]
    each: int
    """How many people one round may strike."""

    @property
    def wide(self) -> bool:
        """Whether the round is felt around where it strikes."""
        return self.shot.explosive or self.shot.large_area

    @property
    def felt(self) -> int:
        """What an explosion that far off is divided by: 3 x yards."""
        if not self.yards_off:
            return 1
        return blast_part(self.yards_off)

    def by_name(self, people: tuple[int, ...]) -> VehiclePlan:
        """The same with people kept apart who begin in different states: those wounded before must not be mistaken for
        those wounded now.
        """
        states = sorted(set(people))
        parts = [tuple([i for i in group if people[i] == state]) for group in self.groups for state in states]
        groups = tuple([part for part in parts if part])
        found: VehiclePlan | None = self.known.get(groups)
        if found is None:
            found = self.known[groups] = replace(self, groups=groups, known={})
        return found

    def whole(self) -> VehiclePlan:
        """The same with people and vehicle told together, for what may blow up with all aboard."""
        found: VehiclePlan | None = self.known.get("whole")
        if found is None:
            found = self.known["whole"] = replace(self, keep="joint", known={})
        return found

    @cached_property
    def kin(self) -> tuple[str, ...]:
        """What tells people of different groups apart, by seat."""
        names = {i: str(n) for n, group in enumerate(self.groups) for i in group}
        return tuple([names[i] for i in range(len(names))])

    @cached_property
    def split(self) -> bool:
        """Whether fires, and people with what knocks out, have views of their own: where several rounds may strike."""
        return self.most > 1

    @cached_property
    def lean(self) -> bool:
        """Whether the vehicle is told alone, with what odds need of it and no more."""
        return self.keep in ("vehicle", "out", "fire")

    @cached_property
    def told_flags(self) -> int:
        """The flags that are told."""
        if self.keep == "fire":
            return FIRE
        if self.keep == "out":
            return 0
        return ~FIRE if self.keep == "vehicle" and self.split else ~0

    @cached_property
    def majors_apart(self) -> bool:
        """Whether major wounds have their HT rolls round by round: once all have struck, fewer states are left."""
        return self.keep != "vehicle" or not self.split

    @cached_property
    def counts_lost(self) -> bool:
        """Whether it matters which HP thresholds are passed."""
        return self.keep in ("vehicle", "out", "joint")

    @cached_property
    def counts_people(self) -> bool:
        """Whether it matters if everybody aboard is out of action."""
        return self.keep == "out" or (self.keep == "vehicle" and not self.crowded)

    @cached_property
    def crowded(self) -> bool:
        """Whether so many rounds may strike that everybody aboard may be out of action: that has a view of its own."""
        return self.split and 0 < len(self.target.crew) <= self.most * self.each

    @cached_property
    def people_alone(self) -> bool:
        """Whether people are told, and of the vehicle not even if it is hurt."""
        return self.keep == "people" and self.split

    @cached_property
    def one_by_one(self) -> bool:
        """Whether people are told alone, and a round strikes one of them at most, where it lands."""
        return self.people_alone and self.each == 1 and not self.wide and not self.block.stats.ablative

    def next_threshold(self, lost: int) -> int:
        """The injury at which the next HT roll of the vehicle comes that counts: the first can only stop it."""
        hp = self.block.hp
        return max(lost // hp + 1, 2 if self.keep == "vehicle" and self.crowded else 1) * hp

    def most_of(self, stratum: Stratum, critical: bool) -> int:
        """The most that a round in a stratum can take from the whole."""
        found: int | None = self.known.get((stratum, critical))
        if found is None:
            found = max([most[critical] for slot, most in zip(self.slots, self.most_injury) if slot in stratum])
            self.known[stratum, critical] = found
        return found

    def strata(self, detail: Detail, hits: int) -> tuple[Stratum, ...]:
        """What of the locations is counted together for so many rounds, what can do most first.

        All of them are, and rounds strike as they land, unless nothing depends on the order of rounds at different
        locations. Then what may be a major injury is kept apart from the rest; or, where people are all that is told,
        places through which the same people may be struck.
        """
        if self.one_by_one:
            return self._by_seats
        together = hits < 2 or not self.lean or not self.counts_lost or self.block.stats.ablative
        if together or (self.counts_people and self.can_end(detail.people, hits)):
            return (self.slots,)
        vital = tuple([slot for slot in self.slots if slot.code.acts == "vital"])
        rest = tuple([slot for slot in self.slots if slot.code.acts != "vital"])
        return tuple([stratum for stratum in (vital, rest) if stratum])

    @cached_property
    def _by_seats(self) -> tuple[Stratum, ...]:
        """The locations parted so that nobody may be struck through two parts."""
        parts: list[tuple[set[int], list[Slot]]] = []
        for slot in self.slots:
            seats, slots = set(slot.seats), [slot]
            for part in [part for part in parts if part[0] & seats or part[0] == seats]:
                parts.remove(part)
                seats, slots = seats | part[0], part[1] + slots
            parts.append((seats, slots))
        return tuple([tuple(slots) for _, slots in parts])

    @cached_property
    def wears(self) -> bool:
        """Whether nothing but wear is kept of rounds: points lost, what is crippled, flags, whether all may be out."""
        return (self.lean or self.keep == "damage") and not self.block.stats.ablative

    def chances(self, stratum: Stratum, people: tuple[int, ...]) -> tuple[tuple[Slot, Fraction], ...]:
        """The locations of a stratum but the last: each with the chance that a round lands there, given that it lands
        there or at one of those after it (G11, G13). Where nobody is, it is the body's (G18).
        """
        there = frozenset([slot for slot in self.slots if any(people[i] >= 0 for i in slot.seats)])
        found: tuple[tuple[Slot, Fraction], ...] | None = self.known.get((stratum, there))
        if found is None:
            shares = dict.fromkeys(self.slots, Fraction(0))
            values, odds = ((self.aimed,), (Fraction(1),)) if self.aimed else self.table.plain.exact()
            for value, chance in zip(values, odds):
                slots = value.slots if isinstance(value, Choice) else (value,)
                for slot in slots:
                    nobody = slot.code.acts == "person" and slot not in there
                    shares[self.body if nobody else slot] += chance / len(slots)
            left = [sum([shares[slot] for slot in stratum[i:]], Fraction(0)) for i in range(len(stratum))]
            found = tuple([(slot, shares[slot] / all_) for slot, all_ in zip(stratum[:-1], left) if shares[slot]])
            self.known[stratum, there] = found
        return found

    def can_end(self, people: tuple[int, ...], left: int) -> bool:
        """Whether everybody aboard may be out of action after so many more rounds."""
        return bool(people) and sum([code >= 0 and code & 3 < DOWN for code in people]) <= left * self.each

    def place_bit(self, slot: Slot) -> int:
        """The bit of a slot's place."""
        return 1 << self.places.index(slot.location)


def groups_of(seats: Iterable[Sequence[int]], crew: int) -> tuple[tuple[int, ...], ...]:
    """Seats that no rule tells apart: those in the same groups of seats."""
    marks: dict[tuple[bool, ...], list[int]] = {}
    sets = [set(group) for group in seats]
    for i in range(crew):
        marks.setdefault(tuple(i in group for group in sets), []).append(i)
    return tuple(tuple(group) for group in marks.values())


def projected(plan: VehiclePlan, keep: Keep, folk: Folk, animals: Folk) -> VehiclePlan:
    """The same attack, told in fewer words."""
    return replace(plan, keep=keep, folk=folk, animals=animals, known={})
