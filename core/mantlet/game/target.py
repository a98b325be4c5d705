"""Targets: vehicles, creatures and teams, with their plates and seats.

Things from a catalog compare by identity: there is one `Target` object for one target. Numbers have their unit in the
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

from mantlet.game.bodies import MOST_PEOPLE, Body, Seat, usual_body
from mantlet.game.checks import MOST_MM, FieldError, check_distinct, check_numbers, check_physical, check_range
from mantlet.game.weapon import Confidence, Provenance

TargetKind = Literal["vehicle", "creature", "team"]
Face = Literal["front", "side", "rear", "top", "under"]
# fmt: off
PlateName = Literal[
    "hull_front_upper", "hull_front_driver", "hull_front_lower", "hull_side_upper", "hull_side_lower", "hull_rear",
    "turret_front", "mantlet", "turret_side", "turret_rear",
    "hull_roof", "turret_roof", "floor",
]
# fmt: on

MOST_WHEELS: Final = 100


@dataclass(frozen=True, eq=False, kw_only=True)
class Plate:
    """An armor plate: `thickness_mm`, and `slope_deg` from the vertical (0 upright, roofs and floors are 90).

    `curved`: rounded, so that shots meet it at many angles. `resistance_by_caliber_mm`: pairs of a caliber and of what
    the plate is worth against a shot of it from straight ahead, both in mm, where a source gives no single thickness.
    """

    where: PlateName
    thickness_mm: float
    slope_deg: float = 0.0
    cast: bool = False
    curved: bool = False
    resistance_by_caliber_mm: tuple[tuple[float, float], ...] = ()
    source: str = ""
    confidence: Confidence | Literal[""] = ""
    note: str = ""

    def __post_init__(self) -> None:
        check_physical(self.thickness_mm, f"thickness_mm of {self.where}", MOST_MM)
        level = self.where in ("hull_roof", "turret_roof", "floor")
        check_range(self.slope_deg, f"slope_deg of {self.where}", 0, 90, open_high=not level)
        self._check_resistance()

    def _check_resistance(self) -> None:
        before = 0.0
        for i, (caliber, mm) in enumerate(self.resistance_by_caliber_mm):
            check_physical(mm, f"resistance_by_caliber_mm of {self.where}", MOST_MM)
            if not before < caliber <= MOST_MM:
                raise FieldError(
                    f"the calibers of {self.where} have to rise from above 0, but {caliber:g} follows {before:g}",
                    "resistance_by_caliber_mm",
                    i,
                )
            before = caliber
        if len(self.resistance_by_caliber_mm) == 1:
            raise FieldError("one caliber is just a thickness_mm: give two or more", "resistance_by_caliber_mm")


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """A vehicle, creature or team. Dimensions in meters, speeds in km/h, mass in kg; a team's are those of one man.

    `components` are ids of what is aboard (engine, fuel_tank, radiator, magazine, main_gun, coaxial_gun, hull_gun,
    radio, headlamps, suspension, brakes, steering, gun_laying, turret ...). `running_gear` tells wheels from tracks.
    `components` and `seats` are None where nobody states them, which is not the same as empty: a vehicle then has what
    its body usually has (`aboard`, `crew`; see `mantlet.complete_target`).
    """

    id: str
    name: str
    kind: TargetKind
    body: Body
    nation: str = ""
    aliases: tuple[str, ...] = ()
    mass_kg: float | None = None
    length_m: float | None = None
    width_m: float | None = None
    height_m: float | None = None
    top_speed_kph: float | None = None
    running_gear: Literal["wheels", "tracks", "half_track", "legs", "none"] = "none"
    wheels: int = 0
    plates: tuple[Plate, ...] = ()
    seats: tuple[Seat, ...] | None = None
    components: tuple[str, ...] | None = None
    armament: tuple[str, ...] = ()
    open_topped: bool = False
    stowage: Literal["dry", "wet", "none"] = "none"
    main_gun_rounds: int = 0
    stats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    provenance: Mapping[str, Provenance] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        check_numbers(
            self,
            mass_kg=1_000_000_000,
            length_m=1000,
            width_m=1000,
            height_m=1000,
            top_speed_kph=10_000,
            wheels=MOST_WHEELS,
            main_gun_rounds=10_000,
        )
        people = sum(seat.count for seat in self.seats or ())
        if people > MOST_PEOPLE:
            raise FieldError(f"seats hold {people} people, and {MOST_PEOPLE} are the most", "seats")
        places = [plate.where for plate in self.plates]
        check_distinct(places, "two plates are called", "plates", "where")

    def plate(self, where: str) -> Plate | None:
        """The plate of this name, if there is one."""
        return next((plate for plate in self.plates if plate.where == where), None)

    @cached_property
    def crew(self) -> tuple[Seat, ...]:
        """Every single seat in order: a seat of count 3 comes three times. `Condition.people` follows this order.

        Where `seats` are not stated, those that a body of this kind usually has.
        """
        seats = usual_body(self.body).seats if self.seats is None else self.seats
        return tuple(seat for seat in seats for _ in range(seat.count))

    @property
    def aboard(self) -> tuple[str, ...]:
        """The components: those stated, or what a body of this kind usually has.

        To the usual ones come a turret where a turret plate is stated, and the main gun whose rounds are.
        """
        if self.components is not None:
            return self.components
        found = usual_body(self.body).components
        if any(plate.where.startswith("turret_") for plate in self.plates):
            found += ("turret",)
        if self.main_gun_rounds:
            found += ("main_gun", "magazine")
        return tuple(dict.fromkeys(found))

    @property
    def has_turret(self) -> bool:
        """Whether a turret is aboard."""
        return "turret" in self.aboard
