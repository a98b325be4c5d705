"""The locations of a vehicle as a shot meets them: what each row of the table is, its armor, who may be struck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from gurps_vehicle.armor import Injury, Matter, effective_dr, halved, location_injury
from gurps_vehicle.codes import Code, Fitted, all_codes, parse_codes
from gurps_vehicle.deriving_targets import Block
from gurps_vehicle.files import read
from gurps_vehicle.options import Options
from gurps_vehicle.planning import Facts, bearing
from gurps_vehicle.stats import Layer
from gurps_vehicle.tables import aim_penalty, vehicle_table
from mantlet import Attack, Location, Row, Table, Target, UnknownNameError, read_zone

Seats: TypeAlias = "tuple[int, ...]"


@dataclass(frozen=True, eq=False, kw_only=True)
class Slot:
    """A location of this vehicle as this shot meets it.

    `dr` counts the divisor already; `raw` is DR without it, `parts` the layers it came from. `seats` are the people
    who can be struck there or through it; `count` is how many of the thing there are.
    """

    code: Code
    location: Location
    raw: int
    dr: int
    injury: Injury
    count: int
    seats: tuple[int, ...]
    dr_key: str
    parts: tuple[Layer, ...]

    @property
    def name(self) -> str:
        """As people say it."""
        return self.code.name

    def __str__(self) -> str:
        return self.code.name


@dataclass(frozen=True, eq=False, kw_only=True)
class Choice:
    """Several possible locations on one row, left to even odds."""

    slots: tuple[Slot, ...]

    def __str__(self) -> str:
        return " or ".join(str(slot) for slot in self.slots)


def face_of(attack: Attack) -> str:
    """Which face a shot meets: top and under by elevation, else by the bearing of the shooter."""
    steep: float = read("derivation")["target"]["top_elevation"]
    if attack.delivery == "placed_under":
        return "under"
    if attack.elevation_deg >= steep:
        return "top"
    if attack.elevation_deg <= -steep:
        return "under"
    return bearing(attack)


def seats_of(target: Target, *, out_of_hatch: bool) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Seats in the turret, other seats inside, and seats out in the open, by index.

    Whoever rides on something, or stands on deck, is not inside; who sits in an open car is both. `out_of_hatch` puts
    the commander's head out of the hatch.
    """
    turret, inside, exposed = [], [], []
    for i, seat in enumerate(target.crew):
        if seat.compartment == "turret":
            turret.append(i)
        elif seat.compartment not in ("saddle", "sidecar", "deck"):
            inside.append(i)
        if seat.exposed:
            exposed.append(i)
    if out_of_hatch and not exposed and target.crew:
        exposed.append(next((i for i, s in enumerate(target.crew) if s.role.startswith("commander")), 0))
    return tuple(turret), tuple(inside), tuple(exposed)


def layers_of(block: Block, code: str, face: str, kinds: Sequence[str] = ()) -> tuple[str, tuple[Layer, ...]]:
    """The armor at a place, and the key it goes by: that of the place (`W`, `turret_front`), of the face, or `other`.

    The faces of a turret are those of the main turret first of all, and of what else is raised where its own code is
    not named. `kinds` of damage, most special first, may meet another DR than usual.
    """
    stats = block.stats
    own: tuple[str, ...] = (code,)
    if code in ("T", "S", "t", "s"):
        own = (f"turret_{face}", code) if code == "T" else (code, f"turret_{face}")
    against = next((stats.dr_against[kind] for kind in kinds if kind in stats.dr_against), {})
    dr = against if "other" in against else {**block.dr, **against}
    times = next((stats.dr_times[kind] for kind in kinds if kind in stats.dr_times), 1)
    for keys in (own, (face, "other")):
        key = next((key for key in keys if key in stats.layers), None)
        if key is not None:
            return key, stats.layers[key]
        key = next((key for key in keys if key in dr), None)
        if key is not None:
            return key, (Layer(dr=int(dr[key] * times), hardened=stats.hardened),)
    return "other", (Layer(dr=0, hardened=stats.hardened),)


def parts_of(block: Block, options: Options, exposed: int) -> tuple[Fitted, ...]:
    """What the vehicle has: its location string, and riders where people are exposed that it does not speak of."""
    fitted = [f for f in parse_codes(block.locations) if options.optional_fitted or not f.optional]
    if exposed and not any(f.code.code in ("E", "O") for f in fitted):
        fitted.append(Fitted(code=all_codes()["E"], count=exposed))
    return tuple(fitted)


class SlotMaker:
    """Makes the slots of a target for one attack."""

    def __init__(self, facts: Facts, seats: tuple[Seats, Seats, Seats]) -> None:
        self.facts, self.face = facts, face_of(facts.attack)
        self.block, self.options = facts.block, facts.options
        self.turret, self.inside, self.exposed = seats
        self.codes = all_codes()
        self.parts = parts_of(self.block, self.options, len(self.exposed))
        self.body = self.make(self.codes["body"], 1)
        self.vital = self.make(self.codes["vital"], 1) if self.block.powered else self.body
        self._made: dict[str, Slot] = {"body": self.body, "vital": self.vital}

    def fitted(self, code: str) -> list[Fitted]:
        """What the vehicle has of a code."""
        return [f for f in self.parts if f.code.code == code]

    def slot(self, code: str) -> Slot | None:
        """The slot of a code, or None where there is none, it is drawn in, or it cannot be seen from here (G12)."""
        if code in self._made:
            return self._made[code]
        there = [f for f in self.fitted(code) if not (f.retractable and self.options.retracted)]
        kind = self.codes[code]
        if not there or self.face in kind.unseen:
            return None
        if code == "O" and not self.exposed and self.face != "top":
            return None
        count = sum(f.count for f in there) * (2 if kind.pair else 1)
        made = self._made[code] = self.make(kind, count)
        return made

    def make(self, code: Code, count: int) -> Slot:
        """One slot."""
        block, shot = self.block, self.facts.shot
        kinds = ("shaped", shot.kind) if shot.shaped else (shot.kind,)
        key, parts = layers_of(block, code.code, self.face, kinds)
        named = key == code.code
        if code.bare and not named:
            parts = (Layer(dr=0),)
        raw = sum(layer.dr for layer in parts)
        if code.acts == "window" and (self.options.windows == "open" or not named):
            # What is said of the pane itself is not the vehicle's DR, of which it has half.
            raw = halved(raw, "none" if self.options.windows == "open" else "half up")
            parts = (Layer(dr=raw, hardened=parts[0].hardened),)
        dr = effective_dr(parts, self.facts.divisor, best_for_all=self.options.hardened == "best for all")
        location = "vehicle_vital" if code.acts == "vital" else "torso"
        matter = Matter(block.hp, block.tissue, block.sm, self.options.large_targets)
        injury = location_injury(shot.named, location, matter)
        if code.acts == "part":
            number = count if code.each else 1
            injury = injury._replace(limit=block.hp // (code.threshold * number))
        return Slot(
            code=code,
            location=Location(code.name.replace(" ", "_"), read_zone(code.zone)),
            raw=raw,
            dr=dr,
            injury=injury,
            count=count,
            seats=self._seats(code),
            dr_key=key,
            parts=parts,
        )

    def _seats(self, code: Code) -> tuple[int, ...]:
        if code.acts == "person":
            return self.exposed or self.inside  # an open top shows everybody
        if code.code in ("T", "t"):
            return self.turret
        if code.acts == "window" or code.occupied:
            return self.inside or self.turret
        return ()


def pick_of(row: Row[tuple[str, ...]], maker: SlotMaker) -> tuple[Slot | Choice, tuple[Slot, ...]]:
    """What a row of the table is on this vehicle (G12, G13), and all that it could have been."""
    possible = [slot for slot in (maker.slot(code) for code in row.value) if slot is not None]
    possible = list(dict.fromkeys(possible))
    if not possible:
        return maker.body, (maker.body,)
    if len(possible) == 1:
        return possible[0], tuple(possible)
    policy = maker.options.attacker_picks
    if policy == "even":
        return Choice(slots=tuple(possible)), tuple(possible)
    order = list(read("vehicle")["pick"]["weakest_first"])
    if policy != "weakest":
        wanted = [part.strip() for part in policy.split(",") if part.strip()]
        for part in wanted:
            if part not in maker.codes:
                raise UnknownNameError("location code", part, maker.codes, "option attacker_picks")
        order = wanted + order
    return min(possible, key=lambda slot: order.index(slot.code.code)), tuple(possible)


@lru_cache(maxsize=2048)
def _random_table(rows: tuple[Row[Any], ...]) -> Table[Any]:
    printed = vehicle_table()
    return Table(printed.name, printed.dice, rows, printed.title)


def random_table(maker: SlotMaker) -> tuple[Table[Any], tuple[str, ...], tuple[Slot, ...]]:
    """G11: the vehicle table for this target from here, notes on what the attacker picks, and every slot in it."""
    rows: list[Row[Any]] = []
    notes: list[str] = []
    slots: list[Slot] = [maker.body, maker.vital]
    for row in vehicle_table().rows:
        picked, possible = pick_of(row, maker)
        slots += possible
        if len(possible) > 1:
            which = "even odds" if isinstance(picked, Choice) else f"the attacker picks the {picked}"
            notes.append(f"G13: a roll of {row.span} may be {Choice(slots=tuple(possible))}: {which}.")
        label = (
            str(picked)
            if isinstance(picked, Choice) or picked.code.code in row.value
            else f"{picked} (nothing else there)"
        )
        rows.append(Row(row.low, row.high, picked, label))
    return _random_table(tuple(rows)), tuple(notes), tuple(dict.fromkeys(slots))


def aim_names(block: Block, parts: Sequence[Fitted]) -> tuple[str, ...]:
    """What can be aimed at on a vehicle: names with their codes."""
    return tuple(dict.fromkeys(code.label for code in _aims(block, parts)))


def _aims(block: Block, parts: Sequence[Fitted]) -> list[Code]:
    codes = all_codes()
    return [codes["body"], *([codes["vital"]] if block.powered else ()), *(f.code for f in parts)]


def aimed_code(aim: str, maker: SlotMaker, target: Target) -> Code:
    """The location meant by an aim: its code, its name, or both as `aim_names` has them.

    Raises UnknownNameError with what this vehicle has.
    """
    wanted = aim.strip()
    for code in _aims(maker.block, maker.parts):
        if wanted == code.code or wanted.lower().replace("_", " ") in (code.name, code.label.lower()):
            return code
    raise UnknownNameError("location", aim, aim_names(maker.block, maker.parts), target.id)


def aim_modifier(code: Code, block: Block) -> tuple[int, int]:
    """Penalty and SM that counts for an aim (G11): a draft animal is aimed at with its own SM and no penalty (G17)."""
    if code.acts == "animal":
        return 0, block.animals.sm
    return aim_penalty(code.code), block.sm
