"""Who aboard is struck, what it does to them, and what becomes of a vehicle whose driver is lost."""

from __future__ import annotations

from typing import Any

import pytest

from d100_wwii.state import Fire
from mantlet import Exact, Seat, distribution
from mantlet.game.condition import DEAD, FIT, WOUNDED

KPH = 1.609344
BACK, FRONT, DRIVER = 90, 80, 70  # rolls on the automobiles' table
HULL, TURRET = 55, 30  # on the armored vehicles'
FAR = {"range_m": 500.0}
BURST = {"rounds": 10, "range_m": 15.0}
MOVING = {"target_speed_kph": 40 * KPH}


@pytest.mark.rule("R17")
def test_the_worst_luck_is_hit(kit: Any) -> None:
    # The source's example: Jack fails by 11, John by 18, Jim by 7, Jill makes it; two hits strike John and Jack.
    shot = kit.shoot("mp40", kit.named, [30, 2, BACK, 61, 68, 40, 57, 8, 9], **BURST)
    assert shot.people == ((12,), (7,), (6,), (12,), (12,))  # Joe, Jack, John, Jill, Jim
    assert shot.outcome.wounded == 2
    assert "Luck: Jim: missed by 7" in shot.text


@pytest.mark.rule("R17")
def test_one_shot_at_a_full_bench(kit: Any) -> None:
    shot = kit.shoot("kar98k", kit.car, [50, 10, BACK, 51, 60, 99, 4])
    assert shot.people == ((12,), (5, 12, 12, 12))


@pytest.mark.rule("A9")
def test_a_shell_in_one_compartment_half_reaches_the_other(kit: Any) -> None:
    hull = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 44, HULL], **FAR)  # 11 through
    assert hull.people == ((6, 6, 6), (1,), (1,))  # turret takes 6, rounded up
    turret = kit.shoot("us_bazooka_m1a1", "sdkfz_251", [50, 20, TURRET])
    assert turret.people == ((7,), (7,), (9,) * 10)
    inside = kit.shoot("hand_grenade", "kubelwagen", [50, 9, BACK], range_m=3.0)
    assert inside.people == ((12,), (12,), (6, 6))  # area effect, but a car has no other compartment


@pytest.mark.rule("A9", "R17")
def test_a_shell_through_a_car_strikes_by_luck(kit: Any) -> None:
    # It bursts or breaks up inside armor alone; in a car an AP shell is one hit among four.
    shot = kit.shoot("de_37_pak36", kit.car, [50, 10, BACK, 51, 60, 99, 4], range_m=300.0)
    assert shot.people == ((12,), (5, 12, 12, 12))


@pytest.mark.rule("A9")
def test_a_bullet_in_a_compartment_strikes_by_luck(kit: Any) -> None:
    shot = kit.shoot("uk_boys", "m4a1_75_dry", [50, 34, HULL, 90, 40])
    assert shot.people == ((12, 12, 12), (11,), (12,))
    everyone = kit.shoot("uk_boys", "m4a1_75_dry", [50, 34, HULL], {"compartment_damage": "everyone"})
    assert everyone.people == ((11, 11, 11), (11,), (11,))
    one = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 34, HULL, 90, 40], {"compartment_damage": "one_person"}, **FAR)
    assert one.people == ((12, 12, 12), (11,), (12,))


@pytest.mark.rule("A10")
def test_the_other_compartments_half_may_be_rounded_down(kit: Any) -> None:
    hull = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 44, HULL], {"round_halves": "down"}, **FAR)
    assert hull.people == ((7, 7, 7), (1,), (1,))


@pytest.mark.rule("A11")
def test_people_take_damage_and_are_not_simply_dead(kit: Any) -> None:
    assert kit.shoot("kar98k", "kubelwagen", [50, 10, FRONT]).people[1] == (5,)
    killed = kit.shoot("kar98k", "kubelwagen", [50, 10, FRONT], {"occupant_rows": "kill"})
    assert killed.outcome.killed == 1


@pytest.mark.rule("A12")
def test_an_unconscious_driver_is_lost(kit: Any) -> None:
    script = [50, 13, DRIVER]  # 10 through: 2 hit points, unconscious
    shot = kit.shoot("kar98k", "kubelwagen", [*script, 2, 51], **MOVING)
    assert "the driver can no longer act" in shot.text
    assert kit.shoot("kar98k", "kubelwagen", script, {"driver_down": "dead"}, **MOVING).detail.trouble_next == 0


@pytest.mark.rule("A13")
def test_a_driver_who_can_still_act_has_no_trouble(kit: Any) -> None:
    script = [50, 10, DRIVER]
    assert kit.shoot("kar98k", "kubelwagen", script, **MOVING).people[0] == (5,)
    strict = kit.shoot("kar98k", "kubelwagen", [*script, 2, 51], {"surviving_driver_trouble": True}, **MOVING)
    assert any("Vehicle trouble (d20), +5" in reason for reason in strict.reasons)


@pytest.mark.rule("A14", "R19")
def test_taking_the_wheel_needs_dex_and_driving(kit: Any) -> None:
    lost = [50, 16, DRIVER, 2]  # dead; trouble 2+5: a skid, which is next round's
    taken = kit.shoot("kar98k", "kubelwagen", [*lost, 50, 30], **MOVING)
    assert taken.reasons[-2:] == ["reaching for the wheel", "Drive Auto"]
    assert (taken.detail.trouble_next, taken.people[0], taken.people[1]) == (0, (12,), (0,))
    assert kit.shoot("kar98k", "kubelwagen", [*lost, 51], **MOVING).detail.trouble_next == 10
    assert kit.shoot("kar98k", "kubelwagen", [*lost, 50, 31], **MOVING).detail.trouble_next == 10
    one = kit.shoot("kar98k", "kubelwagen", [*lost, 30], {"take_wheel": "one_roll"}, **MOVING)
    assert one.detail.trouble_next == 0


@pytest.mark.rule("A15")
def test_who_can_reach_the_wheel(kit: Any) -> None:
    lost = [50, 16, DRIVER, 2]
    back = kit.shoot("kar98k", kit.car, [*lost, 25, 30], **MOVING)  # from behind at half DEX x 5
    assert back.detail.trouble_next == 0
    assert kit.shoot("kar98k", kit.car, [*lost, 26], **MOVING).detail.trouble_next == 10
    anyone = kit.shoot("kar98k", kit.car, [*lost, 50, 30], {"wheel_reach": "anyone"}, **MOVING)
    assert anyone.detail.trouble_next == 0
    alone = kit.with_detail("m4a1_75_dry", people=((12, 12, 12), (12,), (0,)))  # the bow gunner is dead
    tank = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 60, HULL, 2], condition=alone, **FAR, **MOVING)
    assert "nobody can reach the wheel" in tank.text  # the turret's three are elsewhere


@pytest.mark.rule("A15")
def test_named_people_change_places(kit: Any) -> None:
    shot = kit.shoot("kar98k", kit.named, [50, 16, DRIVER, 2, 25, 30], **MOVING)
    assert "Jack has the wheel" in shot.text
    assert shot.detail.seating == (1, 0, 2, 3, 4)
    again = kit.shoot("kar98k", kit.named, [50, 10, DRIVER], condition=shot.outcome.condition)
    assert "Jack takes 7 of 12 hit points" in again.text


def tough(kit: Any, target: str, driver_hp: int, others: int) -> Any:
    """A vehicle whose driver has fewer hit points than the others."""
    seats = len(kit.find(target).crew)
    named = [("Joe", driver_hp, 10, 10, 50), *[(f"P{n}", others, 10, 10, 50) for n in range(1, seats)]]
    return kit.vehicle_with(target, id=f"tough_{target}", aliases=(target,), stats={"people": kit.people(*named)})


@pytest.mark.rule("A12", "A14", "R26", "R19")
def test_a_grenade_in_the_back_seat_that_kills_the_driver_leaves_the_wheel(kit: Any) -> None:
    # 12 inside a car, not doubled: Joe's 12 are gone, P1 has 20 - 12. Trouble 2 + 5: a skid. DEX 50 reaches, Drive
    # 50 - 20 holds it.
    inside = {"delivery": "lobbed_inside", "range_m": 3.0, "aim": "back_seat_or_bed", **MOVING}
    car = tough(kit, "kubelwagen", 12, 20)
    taken = kit.shoot("hand_grenade", car, [50, 12, 2, 50, 30], **inside)
    assert taken.reasons[2:] == ["Vehicle trouble (d20), +5 on the die", "reaching for the wheel", "Drive Auto"]
    assert (taken.detail.trouble_next, taken.people[:2]) == (0, ((8,), (0,)))
    missed = kit.shoot("hand_grenade", car, [50, 12, 2, 51], **inside)
    assert missed.detail.trouble_next == 10
    # On a motorcycle it is trouble +10, and nobody climbs over: 1 + 10 is a fishtail.
    solo = tough(kit, "bmw_r75_sidecar", 12, 20)
    rider = kit.shoot("hand_grenade", solo, [50, 12, 1], **(inside | {"aim": "sidecar"}))
    assert rider.reasons[2:] == ["Vehicle trouble (d20), +10 on the die"]


@pytest.mark.rule("A12", "A14", "A9")
def test_a_shell_in_the_turret_that_kills_the_driver_below_leaves_the_wheel(kit: Any) -> None:
    # 44 - 33 = 11 in the turret, 6 in the hull: Joe has 6. The bow gunner, P4, takes over.
    crew = [(name, 20, 10, 10, 50) for name in ("P1", "P2", "P3")]
    named = kit.people(*crew, ("Joe", 6, 10, 10, 50), ("P4", 20, 10, 10, 50))
    tank = kit.vehicle_with("m4a1_75_dry", id="low", aliases=("m4a1_75_dry",), stats={"people": named})
    shot = kit.shoot("de_75_pak40", tank, [50, 44, TURRET, 2, 50, 30], **FAR, **MOVING)
    assert "P4 has the wheel" in shot.text


@pytest.mark.rule("A12", "A14", "R28")
def test_a_ram_that_kills_the_driver_leaves_the_wheel(kit: Any) -> None:
    # 4d6 at MOVE 40 from the side, doubled by size: 20 to the car, 10 to everyone aboard.
    how = {"delivery": "rammed", "shooter_speed_kph": 40 * KPH, "aspect_deg": 90.0, **MOVING}
    shot = kit.shoot("ram", tough(kit, "kubelwagen", 10, 20), [50, 10, 2, 50, 30], **how)
    assert shot.people[:2] == ((10,), (0,))
    assert shot.reasons[2:] == ["Vehicle trouble (d20), +5 on the die", "reaching for the wheel", "Drive Auto"]


@pytest.mark.rule("A12", "A14", "R19")
def test_a_fire_that_kills_the_driver_leaves_the_wheel(kit: Any) -> None:
    # 8 of fire less armor 3 is 5: Joe's last 5. Trouble 2 + 5 is a skid; 51 does not reach the wheel: +10 next round.
    car = tough(kit, "kubelwagen", 12, 20)
    burning = kit.with_detail(car, fire=Fire("minor_fire"), speed=40, people=((5,), (20,), (20,), (20,)))
    after, text = kit.wait(car, burning, 1, [8, 2, 51])
    assert "the driver can no longer act" in text
    assert after.condition.detail.trouble_next == 10


@pytest.mark.rule("A14", "R19")
def test_nobody_climbs_from_a_sidecar_to_the_bars(kit: Any) -> None:
    # The motorcycle's driver row says nothing of taking the wheel; a fishtail has to be caught, and is not.
    lost = kit.shoot("kar98k", "bmw_r75_sidecar", [50, 14, 65, 1], **MOVING)  # 12 through; 1 + 10: a fishtail
    assert (lost.detail.trouble_next, lost.detail.reroll) == (0, 10)
    after, text = kit.wait("bmw_r75_sidecar", lost.outcome.condition, 3, [1, 2, 3, 11])  # the last a crash, 11
    assert "reaching for the wheel" not in text
    assert (after.condition.detail.speed, after.condition.detail.base_hp) == (0, 30 - 12 - 11)


@pytest.mark.rule("A14", "A15")
@pytest.mark.parametrize("seats", ["kubelwagen", "car_of_five"])
def test_who_has_changed_seats_is_the_same_man(kit: Any, seats: str) -> None:
    # The driver dies; somebody takes the wheel, and the dead man is the driver still. Next round the new man is hit.
    car = kit.car if seats == "car_of_five" else kit.find("kubelwagen")
    reach = 25 if seats == "car_of_five" else 50
    first = kit.shoot("kar98k", car, [50, 16, DRIVER, 2, reach, 30], **MOVING)
    assert first.outcome.condition.people == (DEAD, *[FIT] * (len(car.crew) - 1))
    assert (first.outcome.killed, first.outcome.wounded) == (1, 0)
    second = kit.shoot("kar98k", car, [50, 10, DRIVER], condition=first.outcome.condition)
    who = second.outcome.condition.people.index(WOUNDED)
    assert car.crew[who].role == ("passenger" if seats == "car_of_five" else "front_passenger")
    assert f"{'occupant' if seats == 'car_of_five' else 'front passenger'} takes 7 of 12 hit points" in second.text


@pytest.mark.rule("A14")
def test_a_wounded_man_who_takes_the_wheel_is_not_wounded_anew(kit: Any) -> None:
    hurt = kit.with_detail("kubelwagen", people=((12,), (6,), (12, 12)))
    shot = kit.shoot("kar98k", "kubelwagen", [50, 16, DRIVER, 2, 50, 30], condition=hurt, **MOVING)
    assert (shot.outcome.killed, shot.outcome.wounded) == (1, 0)
    assert shot.outcome.condition.people == (DEAD, WOUNDED, FIT, FIT)


@pytest.mark.rule("A14", "A15")
def test_who_has_changed_seats_is_told_apart_in_odds(kit: Any, ruleset: Any) -> None:
    # One of four behind has taken the wheel from a dead driver, who lies among the others. A shot at the back seat
    # finds three men alive, none of them at the wheel; dice that merge those alike must not mix him with them.
    car = kit.car
    first = kit.shoot("kar98k", car, [50, 16, DRIVER, 2, 25, 30], **MOVING).outcome.condition
    plan = kit.plan("kar98k", car, aim="back_seat_or_bed", given_hit=True)
    odds = distribution(ruleset, plan, first, Exact(fractions=True))
    apart = distribution(ruleset, plan, first, Exact(fractions=True, merge_alike=False))
    for of in (lambda o: o.killed, lambda o: o.wounded, lambda o: o.condition.detail.people[0]):
        assert dict(odds.map(of).items()) == dict(apart.map(of).items())
    assert odds.probability(lambda o: o.condition.people[0] == DEAD) == 1
    assert odds.probability(lambda o: o.condition.detail.people[0] == 12) == 1


@pytest.mark.rule("A16")
def test_the_front_row_may_be_empty(kit: Any) -> None:
    empty = kit.shoot("kar98k", kit.car, [50, 10, FRONT])
    assert "nobody is there" in empty.text
    filled = kit.shoot("kar98k", kit.car, [50, 10, FRONT], {"front_seat": "fills_first"})
    assert filled.outcome.wounded == 1


@pytest.mark.rule("A17")
def test_more_hits_than_people_are_dealt_round(kit: Any) -> None:
    script = [30, 5, BACK, 4, 4, 4, 4, 4]  # five rounds at two people, one point through each
    dealt = kit.shoot("mp40", "kubelwagen", script, **BURST)
    assert (dealt.people[2], dealt.detail.base_hp) == ((9, 10), 25)
    once = kit.shoot("mp40", "kubelwagen", script, {"extra_hits": "once"}, **BURST)
    assert (once.people[2], once.detail.base_hp) == ((11, 11), 25)


@pytest.mark.rule("A17")
def test_the_odd_hit_goes_to_the_higher_dex(kit: Any) -> None:
    two = kit.vehicle_with(
        "kubelwagen",
        id="quick_and_slow",
        aliases=("kubelwagen",),
        seats=(Seat(role="driver", compartment="front"), Seat(role="passenger", compartment="back", count=2)),
        stats={"people": kit.people(("Joe", 12, 10, 10, 50), ("Ann", 12, 9, 10, 50), ("Bob", 12, 14, 10, 50))},
    )
    shot = kit.shoot("mp40", two, [30, 3, BACK, 4, 4, 4], **BURST)  # one point through each
    assert shot.people == ((12,), (11,), (10,))


@pytest.mark.rule("A4", "A64")
def test_a_burst_among_people_takes_its_damage_off_base_hp_or_spares_it(kit: Any) -> None:
    script = [30, 2, FRONT, 5, 6]  # 2 and 3 through
    assert kit.shoot("mp40", "kubelwagen", script, **BURST).detail.base_hp == 25
    assert kit.shoot("mp40", "kubelwagen", script, {"equal_damage": "penetrates"}, **BURST).detail.base_hp == 25
    spared = kit.shoot("mp40", "kubelwagen", script, {"occupant_hit_spares_base_hp": True}, **BURST)
    assert (spared.detail.base_hp, spared.people[1]) == (30, (7,))


@pytest.mark.rule("A40", "A64")
@pytest.mark.parametrize(("reading", "left"), [("larger", 6), ("both", 1)])
def test_the_round_that_destroys_strikes_once_or_twice(kit: Any, reading: str, left: int) -> None:
    weak = kit.vehicle_with("kubelwagen", id="frail", aliases=("kubelwagen",), stats={"base_hp": 4})
    # 5 through destroys the car and strikes the front passenger, then 1 more strikes him.
    shot = kit.shoot("mp40", weak, [30, 2, FRONT, 8, 4], {"destroyed_and_struck": reading}, **BURST)
    assert shot.people == ((7,), (left,), (7, 7))
    star = {"destroyed_and_struck": reading, "equal_damage": "penetrates"}
    assert kit.shoot("mp40", weak, [30, 2, FRONT, 8, 4], star, **BURST).people[1] == (left,)


@pytest.mark.rule("A69", "R6", "A64")
@pytest.mark.parametrize(
    ("row", "reading", "left"),
    # 2, 5 and 1 through; Base HP 4 end with the 5. Everyone takes 5, the one in front 2 + 5 + 1; or everyone all 8.
    [
        (FRONT, "destroying_round", ((7,), (4,), (7, 7))),
        (FRONT, "whole_burst", ((4,), (4,), (4, 4))),
        (1, "destroying_round", ((7,), (7,), (7, 7))),  # headlamps: nobody is struck himself
        (1, "whole_burst", ((4,), (4,), (4, 4))),
    ],
)
def test_what_a_burst_that_destroys_does_to_everyone(kit: Any, row: int, reading: str, left: Any) -> None:
    weak = kit.vehicle_with("kubelwagen", id="weak", aliases=("kubelwagen",), stats={"base_hp": 4})
    shot = kit.shoot("mp40", weak, [30, 3, row, 5, 8, 4], {"burst_wreck": reading}, **BURST)
    assert shot.outcome.condition.destroyed
    assert shot.people == left
    sound = kit.shoot("mp40", "kubelwagen", [30, 3, FRONT, 5, 8, 4], {"burst_wreck": reading}, **BURST)
    assert sound.people == ((12,), (4,), (12, 12))  # nothing is destroyed


@pytest.mark.rule("A69", "A40")
def test_a_whole_burst_strikes_the_one_it_hits_once_or_twice(kit: Any) -> None:
    weak = kit.vehicle_with("kubelwagen", id="weak", aliases=("kubelwagen",), stats={"base_hp": 4})
    both = {"burst_wreck": "whole_burst", "destroyed_and_struck": "both"}
    # 1 and 4 through: all take 5, and the one in front his own 5 as well.
    shot = kit.shoot("mp40", weak, [30, 2, FRONT, 4, 7], both, **BURST)
    assert shot.people == ((7,), (2,), (7, 7))


@pytest.mark.rule("A18")
def test_where_all_are_lucky_the_hits_on_people_are_lost(kit: Any) -> None:
    script = [50, 10, BACK, 1, 50, 50, 50]
    lost = kit.shoot("kar98k", kit.car, script)
    assert (lost.people[1], lost.detail.base_hp) == ((12, 12, 12, 12), 23)
    assert kit.shoot("kar98k", kit.car, script, {"lucky_misses": "someone_hit"}).people[1] == (5, 12, 12, 12)


@pytest.mark.rule("A18", "R17")
@pytest.mark.parametrize(
    ("reading", "hit_points"),
    # Three hits at four people whose Luck is 50, and only the first fails it: 4 less armor 3 is 1 a hit. He takes one
    # and two strike nobody; or he takes all three; or the next two of the bench take one each.
    [("lost", (11, 12, 12, 12)), ("shared", (9, 12, 12, 12)), ("someone_hit", (11, 11, 11, 12))],
)
def test_fewer_failures_than_hits(kit: Any, reading: str, hit_points: tuple[int, ...]) -> None:
    script = [30, 3, BACK, 51, 50, 1, 50, 4, 4, 4]
    shot = kit.shoot("mp40", kit.car, script, {"lucky_misses": reading}, **BURST)
    assert sorted(shot.people[1]) == sorted(hit_points)
    assert shot.detail.base_hp == 30 - 3  # all three are through the car
    assert ("rounds that strike nobody: 2" in shot.text) == (reading == "lost")


@pytest.mark.rule("A17", "A18")
def test_extra_hits_and_lost_hits_are_settled_by_one_option_each(kit: Any) -> None:
    # Three hits at four people are fewer hits than people, five at two are more: A17 says nothing of the first.
    fewer = [30, 3, BACK, 51, 52, 1, 50, 4, 4, 4]
    for extra in ("round_robin", "once"):
        shot = kit.shoot("mp40", kit.car, fewer, {"extra_hits": extra}, **BURST)
        assert shot.people[1] == (11, 11, 12, 12)
    more = [30, 5, BACK, 4, 4, 4, 4, 4]
    for lucky in ("lost", "shared", "someone_hit"):
        assert kit.shoot("mp40", "kubelwagen", more, {"lucky_misses": lucky}, **BURST).people[2] == (9, 10)


@pytest.mark.rule("A19")
def test_a_tie_strikes_the_lower_pow(kit: Any) -> None:
    two = kit.vehicle_with(
        "kubelwagen",
        id="two",
        aliases=("kubelwagen",),
        seats=(Seat(role="driver", compartment="front"), Seat(role="passenger", compartment="back", count=2)),
        stats={"people": kit.people(("Joe", 12, 10, 10, 50), ("Ann", 12, 10, 12, 50), ("Bob", 12, 10, 8, 50))},
    )
    script = [50, 10, BACK, 70, 50]  # Luck 60 and 40: both fail by 10
    assert kit.shoot("kar98k", two, script).people == ((12,), (12,), (5,))
    assert kit.shoot("kar98k", two, [*script, 1], {"luck_tie": "die"}).people == ((12,), (5,), (12,))


@pytest.mark.rule("A20")
def test_only_the_living_count(kit: Any) -> None:
    crowd = kit.with_detail("kubelwagen", people=((12,), (12,), (0, 1)))  # one dead, one unconscious
    script = [50, 10, BACK]
    assert kit.shoot("kar98k", "kubelwagen", script, condition=crowd).outcome.killed == 1  # no Luck for one alone
    conscious = kit.shoot("kar98k", "kubelwagen", script, {"luck_counts": "conscious"}, condition=crowd)
    assert "nobody is there" in conscious.text
    aboard = kit.shoot("kar98k", "kubelwagen", [*script, 99, 60], {"luck_counts": "aboard"}, condition=crowd)
    assert aboard.outcome.killed == 0  # the dead man had the worse luck


@pytest.mark.rule("A39")
def test_a_magazine_kills_everyone_inside(kit: Any) -> None:
    shot = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 43, 75, 30, 31, 32, 33, 34], **FAR)
    assert (shot.outcome.killed, shot.detail.base_hp) == (5, 0)
    assert len([r for r in shot.reasons if "magazine" in r]) == 5  # 12d6 for each
    one = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 43, 75, 30], {"magazine_damage": "one_roll"}, **FAR)
    assert one.outcome.killed == 5
    spared = kit.shoot("de_75_pak40", "m4a1_75_dry", [50, 42, 75], **FAR)  # 9 of its 10 hit points
    assert spared.hp("magazine", kit.find("m4a1_75_dry")) == 1


@pytest.mark.rule("A40")
def test_who_is_struck_in_a_dying_vehicle_takes_the_damage_once(kit: Any) -> None:
    weak = kit.vehicle_with("kubelwagen", id="weak", aliases=("kubelwagen",), stats={"base_hp": 4})
    assert kit.shoot("kar98k", weak, [50, 8, DRIVER]).people == ((7,), (7,), (7, 7))
    both = kit.shoot("kar98k", weak, [50, 8, DRIVER], {"destroyed_and_struck": "both"})
    assert both.people == ((2,), (7,), (7, 7))


@pytest.mark.rule("A40", "R6")
def test_the_round_of_a_burst_that_destroys(kit: Any) -> None:
    # Base HP 30: rounds of 13, 13 and 5 through. The third destroys the car; everyone takes its 5, the driver once.
    shot = kit.shoot("mg42", "kubelwagen", [50, 3, FRONT, 16, 16, 8], rounds=5)
    assert shot.people == ((7,), (0,), (7, 7))
    assert shot.outcome.condition.destroyed


@pytest.mark.rule("A11", "A40")
def test_where_a_people_row_kills_the_one_struck_in_a_dying_vehicle_dies_too(kit: Any) -> None:
    weak = kit.vehicle_with("kubelwagen", id="doomed", aliases=("kubelwagen",), stats={"base_hp": 4})
    kill = {"occupant_rows": "kill"}
    assert kit.shoot("kar98k", weak, [50, 8, DRIVER], kill).people == ((0,), (7,), (7, 7))
    assert kit.shoot("kar98k", weak, [50, 8, BACK, 51, 50], kill).people == ((7,), (7,), (0, 7))


@pytest.mark.rule("A40", "R26", "A41")
@pytest.mark.parametrize(("reading", "left"), [("larger", 4), ("both", 0)])
def test_a_grenade_inside_that_destroys_follows_the_same_rule(kit: Any, reading: str, left: int) -> None:
    frail = kit.vehicle_with("sdkfz_251", id="frail", aliases=("sdkfz_251",), stats={"base_hp": 4})
    how = {"delivery": "lobbed_inside", "range_m": 3.0}
    # 4 doubled is 8 to everyone; those it strikes itself take 8, or half in the cab, once more under the option.
    shot = kit.shoot("hand_grenade", frail, [10, 4], {"destroyed_and_struck": reading}, **how)
    assert {hp for group in shot.people for hp in group} == {left}


@pytest.mark.rule("A13")
def test_it_is_the_driver_himself_who_has_to_be_hit(kit: Any) -> None:
    strict = {"surviving_driver_trouble": True}
    # Driver and bow gunner in the hull: Luck 90 and 40, then 40 and 90.
    gunner = kit.shoot("uk_boys", "m4a1_75_dry", [50, 34, HULL, 40, 90], strict, **MOVING)
    assert gunner.people == ((12, 12, 12), (12,), (11,))
    driver = kit.shoot("uk_boys", "m4a1_75_dry", [50, 34, HULL, 90, 40, 2, 51], strict, **MOVING)
    assert driver.people == ((12, 12, 12), (11,), (12,))


@pytest.mark.rule("R17")
def test_people_keep_their_seats_in_play(kit: Any) -> None:
    shot = kit.shoot("kar98k", kit.car, [50, 10, BACK, 51, 60, 99, 4])
    assert shot.detail.people == (12, 12, 12, 5, 12)
    assert shot.outcome.condition.people == (0, 0, 0, 1, 0)
