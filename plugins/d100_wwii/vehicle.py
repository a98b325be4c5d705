"""A target as the rules see it: its location table's rows with what is aboard, its people by seat, its full state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from d100_wwii.options import Options
from d100_wwii.state import Detail
from d100_wwii.tables import Op, TroubleRow, location_rows, location_table, trouble_tables
from d100_wwii.vehicle_stats import ARMORED_BODIES, OPTIONAL, Person, VehicleStats, vehicle_stats
from mantlet import CatalogError, Crowd, Location, Row, Seat, Table, Target, UnknownNameError, read_zone

DRIVER_ROLES = ("driver", "rider")
FIGHTING_ROLES = ("commander", "gunner", "loader")


@dataclass(frozen=True, eq=False)
class Part:
    """A component row: `pools` are the indices of its instances in `Detail.pools`; none when it is not aboard."""

    component: str
    label: str
    location: Location
    hp: int
    pools: tuple[int, ...]
    starred: bool
    effects: tuple[Op, ...]
    rule: str = "R4"


class Occupant(NamedTuple):
    """Somebody aboard as the attack finds him: who he is, the people row that strikes him and his seat of the catalog.

    People of one `group` are alike: of one place and without names; the driver and anybody with a name is by himself.
    """

    person: Person
    place: str
    seat: int
    group: int


@dataclass(frozen=True, eq=False)
class Place:
    """A people row, or the driver by himself: the seats there, and what follows when one at the wheel there is lost.

    `exposed`: out in the open even where all hatches are shut (A63).
    """

    component: str
    label: str
    location: Location
    seats: tuple[int, ...]
    effects: tuple[Op, ...]
    exposed: bool
    afv: bool
    starred: bool = False


@dataclass(frozen=True, eq=False)
class Vehicle:
    """A target under given options, with everything that needs no dice. Compares by identity."""

    target: Target
    options: Options
    stats: VehicleStats
    table: Table[str]
    rows: dict[str, Part | Place]
    occupants: tuple[Occupant, ...]
    """Everybody by seat, group after group: `Detail.people` and `Place.seats` go by the same numbers."""
    places: tuple[Place, ...]
    full: Detail
    named: bool
    driver: int
    """The driver's seat; -1 when the vehicle has none."""
    guns: tuple[Part, ...]
    trouble: Table[TroubleRow] | None

    @cached_property
    def counting(self) -> tuple[Row[str], ...]:
        """The rows of the location table that count where nothing is destroyed: an option leaves out what is not aboard
        (A7, A8).
        """
        again = self.options.absent_component == "reroll"
        starred = self.options.absent_applies_to == "starred_rows"

        def counts(component: str) -> bool:
            return self.aboard(component) or not (again or (starred and not self.rows[component].starred))

        return tuple(row for row in self.table.rows if counts(row.value))

    @cached_property
    def aims(self) -> dict[str, Part | Place]:
        """What a Called Shot may be aimed at (R32): the rows of what is aboard, and an armored vehicle's driver."""
        found = {name: row for name, row in self.rows.items() if self.aboard(name)}
        if self.driver >= 0 and "driver" not in self.rows:
            row, seat = self.place_of(self.driver), self.target.crew[self.occupants[self.driver].seat]
            where = Location(f"{row.component}/driver", "crew")
            found["driver"] = replace(
                row,
                component="driver",
                label="Driver",
                location=where,
                seats=(self.driver,),
                exposed=is_open(self.target, self.stats, seat, row.component),
            )
        return found

    def place_of(self, seat: int) -> Place:
        """The people row that strikes the one in this seat."""
        return next(place for place in self.places if seat in place.seats)

    def part(self, component: str) -> Part | None:
        """The component row of that name, aboard or not; None where the table has no such row."""
        row = self.rows.get(component)
        return row if isinstance(row, Part) else None

    def occupant(self, seat: int, seating: tuple[int, ...]) -> Occupant:
        """Who sits there: where people have changed places, somebody who is still called by the seat he came from."""
        return self.occupants[seating[seat] if seating else seat]

    def person(self, seat: int, seating: tuple[int, ...]) -> Person:
        """Who sits there."""
        return self.occupant(seat, seating).person

    def top_speed(self, share: float) -> int:
        """The fastest MOVE it goes with this share of its full MOV left."""
        return int(self.stats.move * share + 1e-9)

    def alone(self, seat: int, seating: tuple[int, ...]) -> bool:
        """Whether nobody else is of the group of the one who sits there."""
        return sum(other.group == self.occupant(seat, seating).group for other in self.occupants) == 1

    def aboard(self, component: str) -> bool:
        """Whether a row of the table stands for something in this vehicle."""
        row = self.rows[component]
        return bool(row.pools) if isinstance(row, Part) else bool(row.seats)

    def lost(self, component: str, pools: Sequence[int]) -> bool:
        """Whether every instance of a component that was aboard is destroyed."""
        part = self.part(component)
        return part is not None and bool(part.pools) and all(pools[i] <= 0 for i in part.pools)

    def alike(self, seating: tuple[int, ...]) -> list[tuple[int, ...]]:
        """By seat who are alike: a group in its place; once people have changed places, those who came from one."""
        if not seating:
            return [(who.group,) for who in self.occupants]
        return [(who.group, self.occupants[n].group) for who, n in zip(self.occupants, seating)]

    def crowd(self, people: Iterable[int], seating: tuple[int, ...]) -> Crowd[int]:
        """People by seat, from their hit points: those alike who have as many are alike from here on."""
        people = tuple(people)
        return Crowd(people, [(kind[0], hp, *kind[1:]) for kind, hp in zip(self.alike(seating), people)])


@lru_cache(maxsize=256)
def vehicle_of(target: Target, options: Options) -> Vehicle:
    """The target under these options. Raises CatalogError for a bad block, UnknownNameError for a bad table name."""
    stats = vehicle_stats(target, options)
    crew = target.crew
    if stats.people and len(stats.people) != len(crew):
        raise CatalogError(
            f"stats.d100_wwii of {target.id}: people has to list one person a seat, "
            f"{len(crew)}, not {len(stats.people)}."
        )
    occupants = _occupants(target, stats, options)
    components = [row.component for row in location_rows(stats.hit_table)]
    for name in stats.absent - OPTIONAL:
        if name not in components:
            raise UnknownNameError("row", name, components, f"stats.d100_wwii of {target.id}: absent")
    for name in stats.open_rows or ():
        if name not in components:
            raise UnknownNameError("row", name, components, f"stats.d100_wwii of {target.id}: open_rows")
    rows: dict[str, Part | Place] = {}
    pools: list[int] = []
    for row in location_rows(stats.hit_table):
        location = Location(row.component, read_zone(row.zone))
        if row.hp is None and not row.weapon_hp:
            seats = tuple(i for i, who in enumerate(occupants) if who.place == row.component)
            exposed = bool(seats) and all(is_open(target, stats, crew[occupants[i].seat], row.component) for i in seats)
            rows[row.component] = Place(
                row.component, row.label, location, seats, row.effects, exposed, stats.hit_table == "afv"
            )
            continue
        hp = row.hp if row.hp is not None else gun_hp(target, row.component, options)
        count = 0 if row.component in stats.absent else instances_of(row.component, stats, options)
        indices = tuple(range(len(pools), len(pools) + count))
        pools.extend([hp] * count)
        rows[row.component] = Part(row.component, row.label, location, hp, indices, row.starred, row.effects)
    people = [who.person.hp for who in occupants]
    trouble = trouble_tables(options.trouble_table)[_vehicle_class(target, stats)]
    guns = tuple(rows[c] for c in ("main_gun", "coaxial_gun", "hull_gun") if c in rows)
    return Vehicle(
        target=target,
        options=options,
        stats=stats,
        table=location_table(stats.hit_table),
        rows=rows,
        occupants=occupants,
        places=tuple(row for row in rows.values() if isinstance(row, Place)),
        full=Detail(
            stats.armor, stats.base_hp, tuple(pools), Crowd(people, [(who.group, who.person.hp) for who in occupants])
        ),
        named=bool(stats.people),
        driver=next((i for i, who in enumerate(occupants) if who.seat == _driving(target)), -1),
        guns=tuple(g for g in guns if isinstance(g, Part) and g.pools),
        trouble=trouble,
    )


def _vehicle_class(target: Target, stats: VehicleStats) -> str:
    if stats.hit_table == "motorcycle":
        return "motorcycle"
    return "wheels" if target.running_gear == "wheels" else "tracks" if stats.hit_table == "afv" else "wheels"


def instances_of(component: str, stats: VehicleStats, options: Options) -> int:
    """How many of a component there are, each with a pool of its own (A45); wheels as treads: A46."""
    if component == "tread":
        wheeled = stats.running_gear > 2
        if wheeled and options.wheeled_afv_tread == "absent":
            return 0
        many = stats.running_gear
    else:
        many = {"front_tire": stats.front_tires, "rear_tire": stats.rear_tires, "tire": 2}.get(component, 1)
    return 1 if options.running_gear_pools == "one" else many


def gun_hp(target: Target, component: str, options: Options) -> int:
    """A gun's own hit points (A49): a machine gun's, or a cannon's where the armament leaves no machine gun for it."""
    if component == "hull_gun" and "main_gun" not in target.aboard and target.body in ("tank", "tank_destroyer"):
        return options.hull_cannon_hp
    return options.machine_gun_hp


def place_of(target: Target, stats: VehicleStats, options: Options, seat_index: int) -> str:
    """The people row that strikes the person in this seat (A16, A48)."""
    seat = target.crew[seat_index]
    driving = seat.role in DRIVER_ROLES
    if stats.hit_table == "motorcycle":
        return "driver" if driving else "sidecar"
    if stats.hit_table == "auto_truck":
        if driving:
            return "driver"
        if options.front_seat == "fills_first" and seat_index == 1:
            return "front_seat"
        return "front_seat" if seat.compartment in ("front", "front_cab", "cabin") else "back_seat_or_bed"
    if seat.compartment in ("turret", "front_cab", "front"):
        return "turret_or_front_cab"
    fights = any(seat.role.startswith(role) for role in FIGHTING_ROLES)
    if (
        not target.has_turret
        and seat.compartment == "hull"
        and fights
        and options.turretless_row == "fighting_compartment"
        and target.body in ARMORED_BODIES
    ):
        return "turret_or_front_cab"
    return "hull_or_bed"


def is_open(target: Target, stats: VehicleStats, seat: Seat, row: str) -> bool:
    """Whether somebody in this seat is out in the open with all hatches shut (A63).

    The open top of an armored vehicle is that of its turret; where it has none, of its bed or fighting compartment. The
    driver's hull or cab has a roof, but for a carrier's. A stat block's `open_rows` says otherwise.
    """
    if stats.open_rows is not None:
        return row in stats.open_rows
    if seat.exposed or not target.open_topped or stats.hit_table != "afv" or target.body == "carrier":
        return seat.exposed or target.open_topped
    return seat.compartment in ("turret", "bed") or (seat.compartment == "hull" and row == "turret_or_front_cab")


def _driving(target: Target) -> int:
    """The driver's seat of the catalog: the first of them; -1 where there is none."""
    return next((i for i, seat in enumerate(target.crew) if seat.role in DRIVER_ROLES), -1)


def _occupants(target: Target, stats: VehicleStats, options: Options) -> tuple[Occupant, ...]:
    """Everybody aboard, group after group."""
    crew = target.crew
    where = [place_of(target, stats, options, i) for i in range(len(crew))]
    if stats.people:
        return tuple(Occupant(person, where[i], i, i) for i, person in enumerate(stats.people))
    driver = _driving(target)
    alike: dict[tuple[str, bool], list[int]] = {}
    for i, place in enumerate(where):
        alike.setdefault((place, i == driver), []).append(i)
    occupants: list[Occupant] = []
    for group, ((place, drives), seats) in enumerate(alike.items()):
        role = "driver" if drives else crew[seats[0]].role if len(seats) == 1 else "occupant"
        person = Person(
            name=role.replace("_", " "),
            hp=options.person_hp,
            dex=options.person_dex,
            pow=options.person_pow,
            drive=stats.drive_percent,
        )
        occupants.extend([Occupant(person, place, seat, group) for seat in seats])
    return tuple(occupants)
