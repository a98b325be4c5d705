"""What a target does not state: the usual components and seats of its body, plates that others stand in for."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from mantlet import Plate, Seat, Target, complete_target
from mantlet.catalog import Catalog
from mantlet.game.bodies import Body, bodies_file, usual_body
from mantlet.game.derived import BODY_PLATES
from mantlet.game.target import PlateName

FRONT = Plate(where="hull_front_upper", thickness_mm=50, slope_deg=30)
LIVING = ("infantry", "gun_crew", "animal", "monster")


def vehicle(body: Body, **fields: Any) -> Target:
    return Target(id="t", name="T", kind="vehicle", body=body, **fields)


def test_every_body_of_a_vehicle_has_its_usual_things() -> None:
    assert set(bodies_file()["body"]) == set(get_args(Body)) - set(LIVING)
    for body in bodies_file()["body"]:
        assert usual_body(body).components, body
        assert usual_body(body).seats, body


def test_the_usual_things_are_those_of_the_catalog() -> None:
    """A component is usual where more than half of the catalog's vehicles of that body have it."""
    targets = [target for target in Catalog().targets() if target.kind == "vehicle"]
    for body in {target.body for target in targets} - {"aircraft", "boat", "car", "truck"}:
        aboard = [target.aboard for target in targets if target.body == body]
        often = {
            name for listed in aboard for name in listed if 2 * sum(name in other for other in aboard) > len(aboard)
        }
        assert set(usual_body(body).components) == often, body


def test_shipped_targets_keep_their_seats_and_components() -> None:
    for target in Catalog().targets():
        complete = complete_target(target)
        assert complete.usual == (), target.id
        assert complete.target.seats == (target.seats or ()), target.id
        assert complete.target.components == (target.components or ()), target.id


def test_a_target_that_states_everything_is_left_alone() -> None:
    sherman = Catalog().target("sherman")
    assert complete_target(sherman).target is sherman
    assert not complete_target(sherman).plates


def test_left_out_is_not_empty() -> None:
    half_track = vehicle("half_track")
    complete = complete_target(half_track)
    assert "hull_gun" in half_track.aboard
    assert not {"main_gun", "magazine", "turret"} & set(half_track.aboard)
    assert [(seat.role, seat.compartment) for seat in half_track.crew] == [
        ("driver", "front_cab"),
        ("commander", "front_cab"),
    ]
    assert complete.target.components == half_track.aboard
    assert complete.target.crew == half_track.crew
    assert [derived.stat for derived in complete.usual] == ["components", "seats"]
    assert complete.usual[1].value == "driver (front_cab), commander (front_cab)"
    assert complete.usual[1].inputs == {"body": "half_track"}
    bare = vehicle("half_track", components=(), seats=())
    assert (bare.aboard, bare.crew) == ((), ())
    assert complete_target(bare).target is bare


@pytest.mark.parametrize(("kind", "body"), [("creature", "animal"), ("creature", "monster"), ("team", "infantry")])
def test_creatures_and_teams_have_what_they_state(kind: Any, body: Any) -> None:
    complete = complete_target(Target(id="t", name="T", kind=kind, body=body))
    assert (complete.target.components, complete.target.seats) == ((), ())
    assert (complete.usual, complete.plates) == ((), {})


def test_what_is_stated_elsewhere_says_what_is_aboard() -> None:
    turret = Plate(where="turret_front", thickness_mm=14)
    assert vehicle("half_track", plates=(turret,)).has_turret
    assert {"main_gun", "magazine"} <= set(vehicle("half_track", main_gun_rounds=20).aboard)
    assert not vehicle("half_track", plates=(turret,), main_gun_rounds=20, components=()).has_turret


def test_a_front_plate_stands_in_for_all_others() -> None:
    """Nothing but 50 mm at 30 degrees: the other six are that, and each says so."""
    complete = complete_target(vehicle("tank", plates=(FRONT,), seats=(Seat(role="driver", compartment="hull"),)))
    assert {complete.target.plate(name).thickness_mm for name in BODY_PLATES} == {50}  # type: ignore[union-attr]
    assert {complete.target.plate(name).slope_deg for name in BODY_PLATES} == {30}  # type: ignore[union-attr]
    assert set(complete.stands_in) == set(BODY_PLATES) - {"hull_front_upper"}
    side = complete.plates["hull_side_upper"]
    assert (side.stat, side.value, side.inputs) == (
        "hull_side_upper_mm",
        50,
        {"hull_front_upper": 50, "slope_deg": 30},
    )
    assert complete.plates_among(["hull_side_upper", "hull_front_upper"]) == (side,)


def test_the_nearest_plate_stands_in() -> None:
    sizes: dict[PlateName, float] = {"hull_front_upper": 60, "hull_side_lower": 30, "mantlet": 80, "turret_side": 40}
    plates = tuple(Plate(where=name, thickness_mm=mm) for name, mm in sizes.items())
    complete = complete_target(vehicle("tank", plates=plates))
    assert complete.stands_in == {
        "hull_side_upper": "hull_side_lower",
        "hull_rear": "hull_front_upper",
        "turret_front": "mantlet",
        "turret_rear": "turret_side",
    }
    turretless = complete_target(vehicle("tank_destroyer", plates=(FRONT, plates[2]), components=("main_gun",)))
    assert turretless.stands_in["turret_front"] == "hull_front_upper"  # the superstructure's front


@pytest.mark.parametrize("body", ["aircraft", "boat", "ship"])
def test_armor_in_one_place_is_no_armor_all_round(body: Any) -> None:
    assert not complete_target(vehicle(body, plates=(FRONT,))).plates


def test_without_an_upright_plate_of_the_hull_there_is_nothing_to_go_by() -> None:
    floor = Plate(where="floor", thickness_mm=10, slope_deg=90)
    turret = Plate(where="turret_front", thickness_mm=10)
    assert not complete_target(vehicle("tank", plates=(floor, turret))).plates
