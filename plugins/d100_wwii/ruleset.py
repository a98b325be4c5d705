"""The ruleset: World War II vehicle combat on percentile dice."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from d100_wwii.circumstances import road
from d100_wwii.options import CHANGING, Options
from d100_wwii.plan import D100Plan, no_table_for, plan_of, refusal
from d100_wwii.shares import shares_of
from d100_wwii.state import (
    CONSCIOUS_ABOVE,
    FOREIGN,
    LEFT,
    LESS_FIREPOWER,
    NO_FIREPOWER,
    OUT_OF_ACTION,
    Detail,
    Fire,
    check_fits,
    detail_from_data,
    detail_to_data,
)
from d100_wwii.status import Start, as_found, people_states, start_of
from d100_wwii.tables import collision_table, data, fire_rows, fire_table, location_table, sub_tables, trouble_tables
from d100_wwii.time import pass_seconds
from d100_wwii.to_hit import attack_roll
from d100_wwii.vehicle import Vehicle, vehicle_of
from d100_wwii.vehicle_stats import given_block
from d100_wwii.weapon_stats import weapon_stats
from mantlet import (
    Attack,
    Condition,
    Dice,
    NotCoveredError,
    Outcome,
    Passage,
    Ruleset,
    Shares,
    Situation,
    Table,
    Target,
    Then,
    Weapon,
)
from mantlet.game.condition import DEAD, GONE, NONE, OUT, REDUCED, WOUNDED, check_agreement


class D100Wwii(Ruleset[Options, D100Plan]):
    """World War II vehicle combat on percentile dice."""

    name: ClassVar[str] = "d100_wwii"
    version: ClassVar[str] = "1.0.0"
    title: ClassVar[str] = "World War II vehicle combat on percentile dice"
    summary: ClassVar[str] = "Location tables for cars, motorcycles and armored vehicles; armor shot away; fires; Luck."
    damage_unit: ClassVar[str] = "Base HP"
    knocked_out: ClassVar[str] = (
        "Base HP down to 0, or blown up; nobody aboard able to act; or, of a vehicle with guns, neither able to "
        "move nor to fire."
    )
    options_type: ClassVar[type[Any]] = Options
    changing_options: ClassVar[frozenset[str]] = CHANGING

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        # A table that a campaign has put in its place is read, and refused, at once.
        if self.options.trouble_table != Options.trouble_table:
            trouble_tables(self.options.trouble_table)
        if self.options.collision_table != Options.collision_table:
            collision_table(self.options.collision_table)
        if self.options.road:
            road(self.options.road)

    def check_stats(self, thing: Weapon | Target) -> None:
        """Refuse a stat block with a wrong value, people for other seats, or rows that the location table has not."""
        if isinstance(thing, Weapon):
            for ammunition in thing.ammunition:
                weapon_stats(thing, ammunition, self.options)
        elif no_table_for(thing) is None:
            self.vehicle(thing)
        else:
            given_block(thing)

    def covers(self, attack: Attack, target: Target) -> str | None:
        """None when the rules know the attack, else one sentence naming the rule and why it does not apply."""
        return refusal(attack, target, self.options)

    def plan(self, attack: Attack, target: Target) -> D100Plan:
        """All that needs no dice. Raises UnknownNameError for an aim the location table does not have."""
        return plan_of(attack, target, self.options)

    def resolve(self, dice: Dice, plan: Any, condition: Condition) -> Outcome | Then:
        """The rule body of an attack: the attack roll, the rounds that strike, and what they do."""
        return attack_roll(dice, plan, condition)

    @property
    def round_s(self) -> float:
        """A round, by the option round_seconds."""
        return float(self.options.round_seconds)

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        """Time in rounds (option round_seconds), begun ones carried: fires, timers, the wheel, trouble carried over."""
        if no_table_for(target) is not None:
            return Passage(condition)
        known = self.adopt(target, condition)
        assert isinstance(known.detail, Detail)
        start = as_found(dice, self.vehicle(target), known, known.detail.speed, known.detail.dark)
        return pass_seconds(dice, start, seconds)

    def vehicle(self, target: Target) -> Vehicle:
        """The target as these rules see it."""
        return vehicle_of(target, self.options)

    def start(self, target: Target, condition: Condition) -> Start:
        """A target in a condition, ready to be attacked; the condition is adopted where another ruleset wrote it.

        Raises NotCoveredError for a target that has no location table.
        """
        unknown = no_table_for(target)
        if unknown is not None:
            raise NotCoveredError(unknown)
        known = self.adopt(target, condition)
        assert isinstance(known.detail, Detail)
        return start_of(self.vehicle(target), known, known.detail.speed, known.detail.dark)

    def fresh(self, target: Target) -> Condition:
        """The condition of an untouched target."""
        if no_table_for(target) is not None:
            return super().fresh(target)
        vehicle = self.vehicle(target)
        return Condition(people=people_states(vehicle, vehicle.full.people, ()), ruleset=self.name, detail=vehicle.full)

    def adopt(self, target: Target, condition: Condition) -> Condition:
        """Another ruleset's condition in these terms: hit points, pools and fires that fit its neutral facts.

        Raises CatalogError for a detail of this ruleset that does not fit the target.
        """
        if no_table_for(target) is not None:
            return condition.neutral
        if condition.ruleset == self.name and isinstance(condition.detail, Detail):
            vehicle, detail = self.vehicle(target), condition.detail
            if detail is not vehicle.full:
                check_fits(detail, vehicle.full, target.id, fire_rows())
            states = people_states(vehicle, detail.people, detail.seating)
            check_agreement(condition, states, destroyed=detail.base_hp <= 0, on_fire=detail.fire is not None)
            return condition
        return _adopted(self.vehicle(target), condition)

    def put_into(self, target: Target, condition: Condition, situation: Situation) -> Condition:
        """The condition at this speed, by day or in the dark: what rounds and driving rolls go by."""
        if not isinstance(condition.detail, Detail):
            return condition
        speed = round(self.options.move(situation.target_speed_kph))
        return condition._replace(detail=condition.detail._replace(speed=speed, dark=situation.dark))

    def situation_after(self, target: Target, condition: Condition, before: Situation) -> Situation:
        """The situation at the speed that is left: a vehicle that nobody drives may go on."""
        if not isinstance(condition.detail, Detail):
            return super().situation_after(target, condition, before)
        move = condition.detail.speed
        if round(self.options.move(before.target_speed_kph)) == move:
            return before
        return replace(before, target_speed_kph=self.options.kph(move))

    def shares(self, target: Target, condition: Condition) -> Shares:
        """Base HP, the armor value (the same on every face), and components whose hit points are gone."""
        if not isinstance(condition.detail, Detail):
            return Shares()
        return shares_of(self.vehicle(target), condition.detail)

    def dump_detail(self, detail: Any) -> Any:
        """The detail as plain data."""
        return None if detail is None else detail_to_data(detail)

    def load_detail(self, data: Any) -> Hashable:
        """The reverse of `dump_detail`."""
        return None if data is None else detail_from_data(data)

    def tables(self) -> Mapping[str, Table[Any]]:
        """Every table by name: locations with their sub-rolls, fire, and every shipped or chosen trouble table."""
        found: dict[str, Table[Any]] = {}
        for name in ("auto_truck", "motorcycle", "afv"):
            found[name] = location_table(name)
            found.update(sub_tables(name))
        found["fire"] = fire_table()
        for option in dict.fromkeys((*data("trouble"), self.options.trouble_table)):
            for table in trouble_tables(option).values():
                found[table.name.removesuffix(".any")] = table
        return found

    def aims(self, target: Target) -> tuple[str, ...]:
        """The rows of its location table that stand for something aboard, and an armored vehicle's driver."""
        return tuple(self.vehicle(target).aims) if no_table_for(target) is None else ()


def _adopted(vehicle: Vehicle, condition: Condition) -> Condition:
    full = vehicle.full
    people = list(full.people)
    for i, who in enumerate(vehicle.occupants):
        state = condition.people[who.seat] if who.seat < len(condition.people) else 0
        hp = who.person.hp
        people[i] = {
            WOUNDED: max(CONSCIOUS_ABOVE + 1, hp // 2) if hp > CONSCIOUS_ABOVE + 1 else hp,
            OUT: min(hp, CONSCIOUS_ABOVE),
            DEAD: 0,
            GONE: LEFT,
        }.get(state, hp)
    pools = list(full.pools)
    flags = (FOREIGN if condition.mobility == NONE else 0) | (OUT_OF_ACTION if condition.knocked_out else 0)
    if condition.firepower == NONE:
        flags |= NO_FIREPOWER
        for gun in vehicle.guns:
            pools[gun.pools[0]] = 0
    elif condition.firepower == REDUCED:
        flags |= LESS_FIREPOWER
    detail = full._replace(
        base_hp=0 if condition.destroyed else full.base_hp,
        pools=tuple(pools),
        people=vehicle.crowd(people, ()),
        move=0.5 if condition.mobility == REDUCED else 1.0,
        flags=flags,
        fire=Fire("minor_fire") if condition.on_fire else None,
    )
    return condition._replace(ruleset="d100_wwii", detail=detail)
