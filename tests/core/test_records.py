"""Records behave as frozen dataclasses do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any

import pytest

from mantlet import validate
from mantlet.errors import CatalogError
from mantlet.records import record


@record
class Wheel:
    """A wheel."""

    size_m: float
    tire: str = "rubber"
    marks: list[str] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size_m", abs(self.size_m))


@record
class Bare:
    """No field at all."""


def test_fields_defaults_factories_and_post_init() -> None:
    wheel = Wheel(size_m=-2.0)
    assert (wheel.size_m, wheel.tire, wheel.marks) == (2.0, "rubber", [])
    assert Wheel(size_m=1.0).marks is not wheel.marks
    assert Wheel(size_m=1.0, tire="steel", marks=["x"]).tire == "steel"
    assert [f.name for f in dataclasses.fields(Wheel)] == ["size_m", "tire", "marks"]
    assert dataclasses.is_dataclass(Wheel)
    assert Bare() != Bare()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Wheel needs size_m"),
        ({"tire": "steel"}, "Wheel needs size_m"),
        ({"size_m": 1.0, "color": "red"}, "Wheel has no field color"),
        ({"color": "red"}, "Wheel has no field color"),
    ],
)
def test_wrong_fields(given: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        Wheel(**given)
    with pytest.raises(TypeError):
        Wheel(1.0)  # type: ignore[misc]


def test_frozen() -> None:
    wheel = Wheel(size_m=1.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        wheel.size_m = 2.0  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del wheel.tire
    with pytest.raises(dataclasses.FrozenInstanceError):
        wheel.extra = 1  # type: ignore[attr-defined]


def test_equal_to_itself_alone() -> None:
    wheel = Wheel(size_m=1.0)
    assert wheel == wheel
    assert wheel != Wheel(size_m=1.0)
    assert {wheel: 1}[wheel] == 1


@record(eq=True)
class Bolt:
    """A bolt, equal to any of its size."""

    size_mm: int
    thread: str = "M"


def test_equal_by_fields_when_asked_for() -> None:
    assert Bolt(size_mm=8) == Bolt(thread="M", size_mm=8)
    assert hash(Bolt(size_mm=8)) == hash(Bolt(thread="M", size_mm=8))
    assert Bolt(size_mm=8) != Bolt(size_mm=9)
    assert Bolt(size_mm=8) != (8, "M")
    assert len({Bolt(size_mm=8), Bolt(size_mm=8), Bolt(size_mm=9)}) == 2


@record
class Car(Wheel):
    """A record that inherits one."""

    seats: int = 4


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Cart(Wheel):
    """A dataclass that inherits a record."""

    horses: int


def test_inheritance() -> None:
    car = Car(size_m=-1.0, seats=2)
    assert (car.size_m, car.tire, car.seats) == (1.0, "rubber", 2)
    cart = Cart(size_m=-1.0, horses=2)
    assert (cart.size_m, cart.tire, cart.horses, cart.marks) == (1.0, "rubber", 2, [])
    for vehicle in (car, cart):
        with pytest.raises(dataclasses.FrozenInstanceError):
            vehicle.size_m = 2.0  # type: ignore[misc]


def test_replace_copy_and_pickle() -> None:
    wheel = Wheel(size_m=1.0, tire="steel")
    assert dataclasses.replace(wheel, size_m=3.0).tire == "steel"
    assert copy.copy(wheel).tire == "steel"
    assert copy.deepcopy(wheel).size_m == 1.0
    assert pickle.loads(pickle.dumps(wheel)).tire == "steel"
    assert dataclasses.asdict(wheel) == {"size_m": 1.0, "tire": "steel", "marks": []}


def test_repr_and_signature() -> None:
    assert repr(Wheel(size_m=1.0)) == "Wheel(size_m=1.0, tire='rubber', marks=[])"
    assert list(inspect.signature(Wheel).parameters) == ["size_m", "tire", "marks"]
    assert inspect.signature(Wheel).parameters["tire"].default == "rubber"
    assert inspect.signature(Wheel).parameters["size_m"].default is inspect.Parameter.empty


def test_validated_like_any_dataclass() -> None:
    wheel = validate(Wheel, {"size_m": -1.5, "marks": ["a"]}, "wheel.toml")
    assert isinstance(wheel, Wheel)
    assert (wheel.size_m, wheel.tire, wheel.marks) == (1.5, "rubber", ["a"])
    with pytest.raises(CatalogError, match=r"wheel.toml: siz_m is not a known key; did you mean size_m\?"):
        validate(Wheel, {"siz_m": 1.0, "size_m": 1.0}, "wheel.toml")
    with pytest.raises(CatalogError, match="size_m is missing"):
        validate(Wheel, {}, "wheel.toml")
