"""The ruleset: World War II vehicle combat on percentile dice."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

from d100_wwii.attack import HITS, IMPALES, JAMS, D100Plan, aims, no_table_for, plan_of, refusal
from d100_wwii.burst import strike
from d100_wwii.driving import road
from d100_wwii.options import Options
from d100_wwii.rounds import pass_rounds
from d100_wwii.shot import CREW, DAMAGE, EFFECTS, FLAGS, PEOPLE, Shot
from d100_wwii.special import compartment_of, in_running_gear, inside, ram, ram_failed
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
from d100_wwii.tables import collision_table, data, fire_rows, fire_table, location_table, sub_tables, trouble_tables
from d100_wwii.told import asked_apart, burst_told, can_be_told, fitting, retold
from d100_wwii.vehicle import Vehicle, vehicle_of
from d100_wwii.vehicle_stats import ARMORED_FROM
from d100_wwii.work import Start, Work, people_states, start_of
from mantlet import (
    Attack,
    Check,
    Condition,
    Dice,
    NotCoveredError,
    Outcome,
    Passage,
    Projection,
    Ruleset,
    Table,
    Target,
    Then,
)
from mantlet.game.condition import DEAD, GONE, NONE, OUT, REDUCED, WOUNDED
from mantlet.game.effects import NO_EFFECT


class D100Wwii(Ruleset[Options]):
    """World War II vehicle combat on percentile dice."""

    name: ClassVar[str] = "d100_wwii"
    version: ClassVar[str] = "1.0.0"
    title: ClassVar[str] = "World War II vehicle combat on percentile dice"
    summary: ClassVar[str] = "Location tables for cars, motorcycles and armored vehicles; armor shot away; fires; Luck."
    damage_unit: ClassVar[str] = "Base HP"
    options_type: ClassVar[type[Any]] = Options

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        # A table that a campaign has put in its place is read, and refused, at once.
        if self.options.trouble_table != Options.trouble_table:
            trouble_tables(self.options.trouble_table)
        if self.options.collision_table != Options.collision_table:
            collision_table(self.options.collision_table)
        if self.options.road:
            road(self.options.road)

    def covers(self, attack: Attack, target: Target) -> str | None:
        """None when the rules know the attack, else one sentence naming the rule and why it does not apply."""
        return refusal(attack, target, self.options)

    def plan(self, attack: Attack, target: Target) -> D100Plan:
        """All that needs no dice. Raises UnknownNameError for an aim the location table does not have."""
        return plan_of(attack, target, self.options)

    def resolve(self, dice: Dice, plan: Any, condition: Condition) -> Outcome | Then:
        """The rule body of an attack: the attack roll, the rounds that strike, and what they do."""
        return attack_roll(dice, plan, condition)

    def projections(self, plan: Any) -> tuple[Projection, ...]:
        """The plan told in few words, where that can be done: by effects and by damage, in bursts among people the
        effects in parts."""
        whole = Projection(plan)
        if not can_be_told(plan):
            return (whole,)
        answers = {DAMAGE: frozenset(("damage",))}
        rest = whole.answers - answers[DAMAGE]
        if asked_apart(plan):
            answers[CREW] = frozenset(("crew_hit", "crew_killed"))
            answers[PEOPLE] = frozenset(("people_wounded", "people_killed"))
            answers[FLAGS] = rest - answers[CREW] - answers[PEOPLE]
        else:
            answers[EFFECTS] = rest
        return tuple(Projection(replace(plan, shot=retold(plan.shot, word)), told) for word, told in answers.items())

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        """Time in whole rounds of three seconds: fires, timers, the wheel, trouble carried over."""
        if no_table_for(target) is not None:
            return Passage(condition)
        start = self.start(target, condition)
        return pass_rounds(dice, start, start.detail, int(seconds // self.options.round_seconds))

    def vehicle(self, target: Target) -> Vehicle:
        """The target as these rules see it."""
        return vehicle_of(target, self.options)

    def start(self, target: Target, condition: Condition, *, dark: bool = False) -> Start:
        """A target in a condition, ready to work on; the condition is adopted where another ruleset wrote it.

        Raises NotCoveredError for a target that has no location table.
        """
        unknown = no_table_for(target)
        if unknown is not None:
            raise NotCoveredError(unknown)
        known = self.adopt(target, condition)
        speed = known.detail.speed if isinstance(known.detail, Detail) else 0
        return start_of(self.vehicle(target), known, speed, dark)

    def fresh(self, target: Target) -> Condition:
        """The condition of an untouched target."""
        if no_table_for(target) is not None:
            return super().fresh(target)
        vehicle = self.vehicle(target)
        return Condition(people=people_states(vehicle, vehicle.full.people), ruleset=self.name, detail=vehicle.full)

    def adopt(self, target: Target, condition: Condition) -> Condition:
        """Another ruleset's condition in these terms: hit points, pools and fires that fit its neutral facts.

        Raises CatalogError for a detail of this ruleset that does not fit the target.
        """
        if no_table_for(target) is not None:
            return condition.neutral
        if condition.ruleset == self.name and isinstance(condition.detail, Detail):
            if condition.detail is not self.vehicle(target).full:
                check_fits(condition.detail, self.vehicle(target).full, target.id, fire_rows())
            return condition
        return _adopted(self.vehicle(target), condition)

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
        """The rows of its location table that stand for something aboard."""
        return aims(self.vehicle(target)) if no_table_for(target) is None else ()


def attack_roll(dice: Dice, plan: D100Plan, condition: Condition) -> Outcome | Then:
    """Roll to hit (R2); a hit goes on by the way it is delivered."""
    attack = plan.attack
    start = start_of(plan.vehicle, condition, plan.speed, attack.dark)
    shot, to_hit = plan.shot, plan.to_hit
    if plan.worn is not None and start.detail.armor < ARMORED_FROM:
        shot, to_hit = plan.worn
    if shot.told:
        shot = fitting(shot, start)
    grade = HITS
    certain = attack.given_hit or (shot.kind == "fire" and plan.delivery == "thrown" and _never_misses(shot))
    if not certain:
        how = "ram" if plan.delivery == "rammed" else f"attack with {attack.weapon.name}"
        grade = dice.check(to_hit, how, "R28" if plan.delivery == "rammed" else "R2")
    if grade not in (HITS, IMPALES):
        if grade == JAMS:
            dice.note("R2", "a malfunction: the shot fails")
        if plan.delivery == "rammed":
            return ram_failed(dice, plan, start)
        return Work(start).close(hits=0) if not shot.told else Outcome(NO_EFFECT, Condition())
    if plan.delivery == "rammed":
        return ram(dice, plan, start)
    if shot.bare:
        dice.note("A63", "what it is aimed at is out in the open: the vehicle's armor does not cover it")
    if plan.delivery == "lobbed_inside":
        return inside(dice, shot, start, compartment_of(attack.aim, start))
    if plan.delivery == "placed_in_running_gear":
        return in_running_gear(dice, shot, start)
    if attack.rounds > 1 and not attack.given_hit:
        if shot.told and shot.plain and not shot.options.surviving_driver_trouble:
            return dice.then(burst_told, shot, start, attack.rounds, 1, share_of(to_hit, IMPALES, HITS))
        return dice.then(burst_hits, shot, start, attack.rounds, grade == IMPALES)
    return strike(dice, shot, start, 1, grade == IMPALES)


def _never_misses(shot: Shot) -> bool:
    return not shot.options.molotov_needs_throw


def burst_hits(dice: Dice, shot: Shot, start: Start, rounds: int, impale: bool) -> Outcome | Then:
    """How many rounds of a burst strike: one die as big as the burst (R18)."""
    hits = dice.roll(f"1d{rounds}", f"how many of the {rounds} rounds strike", "R18")
    if shot.told and hits > 1:
        return dice.then(burst_told, shot, start, rounds, 2, Fraction(impale))
    return strike(dice, shot, start, hits, impale)


def share_of(check: Check[str], grade: str, *others: str) -> Fraction:
    """How often it is this grade when it is known to be this or one of the others."""
    ways = dict(zip(check.bands.values, check.bands.ways))
    return Fraction(ways.get(grade, 0), sum([ways.get(g, 0) for g in (grade, *others)]))


def _adopted(vehicle: Vehicle, condition: Condition) -> Condition:
    full = vehicle.full
    people = [list(group) for group in full.people]
    for group in vehicle.groups:
        for i, seat in enumerate(group.seats):
            state = condition.people[seat] if seat < len(condition.people) else 0
            hp = group.person.hp
            people[group.index][i] = {
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
        people=tuple(tuple(group) for group in people),
        move=0.5 if condition.mobility == REDUCED else 1.0,
        flags=flags,
        fire=Fire("minor_fire") if condition.on_fire else None,
    )
    return condition._replace(ruleset="d100_wwii", detail=detail)
