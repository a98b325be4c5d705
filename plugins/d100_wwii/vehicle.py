"""A target as the rules see it: its location table's rows with what is aboard, its people by group, its full state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from d100_wwii.options import Options
from d100_wwii.state import Detail
from d100_wwii.tables import Op, TroubleRow, location_rows, location_table, trouble_tables
from d100_wwii.vehicle_stats import ARMORED_BODIES, Person, VehicleStats, vehicle_stats
from mantlet import CatalogError, Location, Table, Target, read_zone

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


@dataclass(frozen=True, eq=False)
class Group:
    """People who are alike: of one place and without names, or one person with a name; the driver is alone in his."""

    index: int
    person: Person
    size: int
    driver: bool
    seats: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Place:
    """A people row: the groups who sit there; `effects` follow when the driver among them can no longer act."""

    component: str
    label: str
    location: Location
    groups: tuple[int, ...]
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
    groups: tuple[Group, ...]
    places: tuple[Place, ...]
    full: Detail
    named: bool
    driver: int
    """The driver's group; -1 when the vehicle has no driver's seat."""
    guns: tuple[Part, ...]
    trouble: Table[TroubleRow] | None
    cap: int
    """More damage than this through the armor makes no difference to any component or person."""
    toughest: int
    """The hit points of the toughest component."""
    gentle: dict[str, bool]
    """By component: whether its loss, to a vehicle that stands still, starts no fire and blows nothing up."""
    rerolls: bool
    """Whether an option has rows of the location table rolled again."""

    def part(self, component: str) -> Part | None:
        """The component row of that name, aboard or not; None where the table has no such row."""
        row = self.rows.get(component)
        return row if isinstance(row, Part) else None

    def person(self, group: int, seating: tuple[int, ...]) -> Person:
        """Who sits there."""
        return self.groups[seating[group] if seating else group].person

    def place_of(self, group: int) -> Place:
        """The place a group sits in."""
        return next(place for place in self.places if group in place.groups)

    def aboard(self, component: str) -> bool:
        """Whether a row of the table stands for something in this vehicle."""
        row = self.rows[component]
        return bool(row.pools) if isinstance(row, Part) else bool(row.groups)


@lru_cache(maxsize=256)
def vehicle_of(target: Target, options: Options) -> Vehicle:
    """The target under these options. Raises CatalogError for a bad block, UnknownNameError for a bad table name."""
    stats = vehicle_stats(target, options)
    crew = target.crew
    if stats.people and len(stats.people) != len(crew):
        raise CatalogError(
            f"target {target.id}.stats.d100_wwii: people has to list one person a seat, "
            f"{len(crew)}, not {len(stats.people)}."
        )
    where = [_place_name(target, stats, options, i) for i in range(len(crew))]
    driver_seat = next((i for i, seat in enumerate(crew) if seat.role in DRIVER_ROLES), -1)
    groups = _groups(target, stats, options, where, driver_seat)
    rows: dict[str, Part | Place] = {}
    pools: list[int] = []
    for row in location_rows(stats.hit_table):
        location = Location(row.component, read_zone(row.zone))
        if row.hp is None and not row.weapon_hp:
            members = tuple(g.index for g in groups if where[g.seats[0]] == row.component)
            exposed = bool(members) and all(crew[groups[g].seats[0]].exposed or target.open_topped for g in members)
            rows[row.component] = Place(
                row.component, row.label, location, members, row.effects, exposed, stats.hit_table == "afv"
            )
            continue
        hp = row.hp if row.hp is not None else _gun_hp(target, row.component, options)
        count = 0 if row.component in stats.absent else _instances(row.component, stats, options)
        indices = tuple(range(len(pools), len(pools) + count))
        pools.extend([hp] * count)
        rows[row.component] = Part(row.component, row.label, location, hp, indices, row.starred, row.effects)
    people = tuple((g.person.hp,) * g.size for g in groups)
    trouble = trouble_tables(options.trouble_table)[_vehicle_class(target, stats)]
    guns = tuple(rows[c] for c in ("main_gun", "coaxial_gun", "hull_gun") if c in rows)
    return Vehicle(
        target=target,
        options=options,
        stats=stats,
        table=location_table(stats.hit_table),
        rows=rows,
        groups=groups,
        places=tuple(row for row in rows.values() if isinstance(row, Place)),
        full=Detail(stats.armor, stats.base_hp, tuple(pools), people),
        named=bool(stats.people),
        driver=next((g.index for g in groups if g.driver), -1),
        guns=tuple(g for g in guns if isinstance(g, Part) and g.pools),
        trouble=trouble,
        toughest=max(pools, default=0),
        cap=max(*pools, *(2 * g.person.hp for g in groups), 1),
        gentle={
            name: not any(op.kind in ("d100", "fire", "explosion") for op in row.effects) and not options.parked_trouble
            for name, row in rows.items()
        },
        rerolls="reroll" in (options.absent_component, options.destroyed_component)
        or options.absent_applies_to == "starred_rows",
    )


def _vehicle_class(target: Target, stats: VehicleStats) -> str:
    if stats.hit_table == "motorcycle":
        return "motorcycle"
    return "wheels" if target.running_gear == "wheels" else "tracks" if stats.hit_table == "afv" else "wheels"


def _instances(component: str, stats: VehicleStats, options: Options) -> int:
    """How many of a component there are, each with a pool of its own (A45)."""
    if component == "tread":
        wheeled = stats.running_gear > 2
        if wheeled and options.wheeled_afv_tread == "absent":
            return 0
        many = stats.running_gear
    else:
        many = {"front_tire": stats.front_tires, "rear_tire": stats.rear_tires, "tire": 2}.get(component, 1)
    return 1 if options.running_gear_pools == "one" else many


def _gun_hp(target: Target, component: str, options: Options) -> int:
    """A gun's own hit points (A49): a machine gun's, or a cannon's where the armament leaves no machine gun for it."""
    if component == "hull_gun" and "main_gun" not in target.aboard and target.body in ("tank", "tank_destroyer"):
        return options.hull_cannon_hp
    return options.machine_gun_hp


def _place_name(target: Target, stats: VehicleStats, options: Options, seat_index: int) -> str:
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


def _groups(
    target: Target, stats: VehicleStats, options: Options, where: list[str], driver_seat: int
) -> tuple[Group, ...]:
    if stats.people:
        return tuple(Group(i, person, 1, i == driver_seat, (i,)) for i, person in enumerate(stats.people))
    alike: dict[tuple[str, bool], list[int]] = {}
    for i, place in enumerate(where):
        alike.setdefault((place, i == driver_seat), []).append(i)
    groups: list[Group] = []
    for (_, drives), seats in alike.items():
        role = "driver" if drives else target.crew[seats[0]].role if len(seats) == 1 else "occupant"
        person = Person(
            name=role.replace("_", " "),
            hp=options.person_hp,
            dex=options.person_dex,
            pow=options.person_pow,
            drive=stats.drive_percent,
        )
        groups.append(Group(len(groups), person, len(seats), drives, tuple(seats)))
    return tuple(groups)
