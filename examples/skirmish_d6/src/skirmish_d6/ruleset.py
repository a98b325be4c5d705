"""The rules. Each has an id (S1, S2 ...) that accounts and tests name."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from mantlet import (
    Attack,
    Check,
    CompleteTarget,
    Condition,
    Crowd,
    Derived,
    Dice,
    InputName,
    Location,
    Modifier,
    Outcome,
    Passage,
    Plan,
    Ruleset,
    Skill,
    SkillWord,
    Table,
    Target,
    Then,
    complete_target,
    ignored_inputs,
    outcome_between,
    shooter_skill,
    table_from,
    under,
    validate,
)
from mantlet.game.condition import DEAD, FIT, NONE, OUT, PERSON_STATES, WOUNDED
from mantlet.game.effects import DAMAGED, DESTROYED, KNOCKED_OUT, PENETRATED

PLACES = {"hull": Location("hull", "hull"), "turret": Location("turret", "turret")}
VEHICLE_DAMAGED = ("mobility", "weapons", "knocked_out", "brews_up")
"""The rows of the damage table that make the vehicle itself worse."""
UNSAVED_HITS_TO_KNOCK_OUT = 3
USED: Final[frozenset[InputName]] = frozenset(
    {"range", "aspect", "skill", "rounds", "hull_down", "shooter_speed", "target_speed"}
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Where a table may want it otherwise: how saves go, and after how many unsaved hits a crew gives up."""

    natural_six: Literal["saves", "counts"] = "saves"
    hits_to_knock_out: int = UNSAVED_HITS_TO_KNOCK_OUT


@dataclass(frozen=True, kw_only=True)
class Stats:
    """The stat block of a weapon or target: its class, where it is not to be derived."""

    strength: int | None = None
    armor: int | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class SkirmishPlan(Plan):
    """What is settled before any die: the number to hit, and the save for each place."""

    to_hit: Check[bool]
    saves: Mapping[str, Check[bool] | None]
    turret: bool
    options: Options


class Tally(NamedTuple):
    """The condition before this attack, the rounds left of it, and what those fired have come to.

    `noted` has the effects that no condition shows; all others are read off the conditions before and after.
    """

    before: Condition
    left: int
    noted: int = 0
    hits: int = 0
    unsaved: int = 0
    locations: tuple[Location, ...] = ()


class SkirmishD6(Ruleset[Options, SkirmishPlan]):
    """Six-sided dice, armor classes and saves."""

    name = "skirmish_d6"
    version = "1.0.0"
    title = "Skirmish on six-sided dice"
    summary = "Ground vehicles under fire: 2d6 to hit, armor classes, a save, a damage table."
    damage_unit = "unsaved hits"
    knocked_out = "As many unsaved hits as the option says, the damage table's word for it, or brewed up."
    options_type = Options

    @property
    def skill_table(self) -> Mapping[SkillWord, float]:
        """S4: what a shooter's skill adds to the roll to hit."""
        words: Mapping[SkillWord, float] = _data()["skill"]
        return words

    def covers(self, attack: Attack, target: Target) -> str | None:
        """S1: rounds fired at ground vehicles, by weapons whose strength is known."""
        if attack.delivery != "fired":
            return f"S1 has rules for rounds fired, not for {attack.delivery.replace('_', ' ')}."
        if target.kind != "vehicle" or target.body in ("aircraft", "boat", "ship"):
            return f"S1 has rules for ground vehicles, and {target.id} is none."
        if _strength(attack) is None:
            return f"S2 gives a {attack.weapon.kind.replace('_', ' ')} without a penetration table no strength."
        return None

    def plan(self, attack: Attack, target: Target) -> SkirmishPlan:
        """The number to hit and the saves."""
        strength, found = _strength(attack) or (0, None)
        skill = _skill(attack)
        whole = complete_target(target)  # what the target does not state is the same for every ruleset, and told
        derived = [*whole.usual, *([] if found is None else [found])]
        saves = {}
        for place in PLACES if target.has_turret else ("hull",):
            armor, told = _armor(whole, place, attack.aspect_deg)
            saves[place] = _save(armor, strength, self.options)
            derived += told
        return SkirmishPlan(
            attack=attack,
            target=target,
            derived=tuple(derived),
            ignored=ignored_inputs(attack, USED),
            notes=() if attack.given_hit else (skill.note,),
            to_hit=_to_hit(attack, skill),
            saves=saves,
            turret=target.has_turret,
            options=self.options,
        )

    def resolve(self, dice: Dice, plan: SkirmishPlan, condition: Condition) -> Outcome | Then:
        """S3: round after round."""
        rounds = 1 if plan.attack.given_hit else plan.attack.rounds
        return dice.then(fire, plan, condition, Tally(condition, rounds))

    def pass_time(self, dice: Dice, target: Target, condition: Condition, seconds: float) -> Passage | Then:
        """S9: a minute of fire destroys on 1-3 on a d6; less than a minute does nothing."""
        burning = condition.on_fire and not condition.destroyed and seconds >= 60
        if burning and dice.check(under("1d6", 3), "the fire spreads", "S9"):
            return Passage(_lost(condition), DESTROYED | KNOCKED_OUT)
        return Passage(condition)

    def tables(self) -> Mapping[str, Table[Any]]:
        """Where it strikes, and what an unsaved hit does."""
        return {name: _table(name) for name in ("location", "damage")}


def fire(dice: Dice, plan: SkirmishPlan, condition: Condition, tally: Tally) -> Outcome | Then:
    """S4: each round rolls 2d6 to hit. S5: it strikes the hull or the turret."""
    if not tally.left:
        before, _, noted, hits, unsaved, locations = tally
        return outcome_between(before, condition, noted, hits=hits, locations=locations, damage=unsaved)
    tally = tally._replace(left=tally.left - 1)
    if not plan.attack.given_hit and not dice.check(plan.to_hit, "to hit", "S4"):
        return dice.then(fire, plan, condition, tally)
    place = "hull"
    if plan.turret:
        place = "turret" if plan.attack.hull_down else dice.pick(_table("location"), "where it strikes", "S5")
    locations = tuple(sorted({*tally.locations, PLACES[place]}))
    return dice.then(strike, plan, condition, tally._replace(hits=tally.hits + 1, locations=locations), place)


def strike(dice: Dice, plan: SkirmishPlan, condition: Condition, tally: Tally, place: str) -> Then:
    """S6: a save, or a roll on the damage table. S8: the third unsaved hit knocks out."""
    save = plan.saves[place]
    if save is None:
        dice.note("S6", "the armor of the {} is far beyond this weapon", place)
        return dice.then(fire, plan, condition, tally)
    if dice.check(save, f"save of the {place}", "S6"):
        return dice.then(fire, plan, condition, tally)
    result = dice.pick(_table("damage"), "damage", "S7")
    condition = _man_hit(dice, plan, condition, tally) if result == "crew" else _damaged(condition, result)
    noted = tally.noted | PENETRATED | (DAMAGED if result in VEHICLE_DAMAGED else 0)
    unsaved = (condition.detail if isinstance(condition.detail, int) else 0) + 1
    if unsaved >= plan.options.hits_to_knock_out and not condition.knocked_out:
        dice.note("S8", "{} unsaved hits: the crew gives up", unsaved)
        condition, noted = condition._replace(knocked_out=True), noted | DAMAGED
    condition = condition._replace(ruleset=SkirmishD6.name, detail=min(unsaved, plan.options.hits_to_knock_out))
    return dice.then(fire, plan, condition, tally._replace(noted=noted, unsaved=tally.unsaved + 1))


def _damaged(condition: Condition, result: str) -> Condition:
    """S7: what the damage table does to the vehicle."""
    if result == "mobility":
        return condition._replace(mobility=NONE)
    if result == "weapons":
        return condition._replace(firepower=NONE)
    if result == "knocked_out":
        return condition._replace(knocked_out=True)
    return _lost(condition._replace(on_fire=True)) if result == "brews_up" else condition


def _man_hit(dice: Dice, plan: SkirmishPlan, condition: Condition, tally: Tally) -> Condition:
    """S7: one man is hit, at even odds: killed on 1 or 2 on a d6, else wounded.

    Alike for the odds are men who were in the same state before the attack. No rule names a seat after this, so the
    crowd is put in order at once: a burst then has fewer states.
    """
    aboard = [seat for seat, state in enumerate(condition.people) if state in (FIT, WOUNDED, OUT)]
    if not aboard:
        return condition
    people = Crowd(condition.people, tally.before.people, [seat.role for seat in plan.target.crew])
    seat = people.one_of(dice, aboard, "who is hit", "S7")
    wound = dice.read("1d6", wound_of, reason="how badly", rule="S7", label=PERSON_STATES.__getitem__)
    people = people.put(seat, max(people[seat], wound)).in_order(dice)
    return condition._replace(people=tuple(people))


def wound_of(total: int) -> int:
    """S7: what the roll for a man who is hit means. Two meanings are two branches in odds, where six faces were six."""
    return DEAD if total <= 2 else WOUNDED


def _lost(condition: Condition) -> Condition:
    return condition._replace(mobility=NONE, firepower=NONE, knocked_out=True, destroyed=True)


# -- before any die --------------------------------------------------------------------------------------------------


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "data" / "tables.toml").read_text("utf-8"))


@cache
def _table(name: str) -> Table[str]:
    return table_from(name, _data()[name], lambda row: str(row["value"]), lambda row: str(row.get("label", "")))


def _class(thickness_mm: float) -> int:
    return sum(thickness_mm >= limit for limit in _data()["class_limits_mm"])


def _skill(attack: Attack) -> Skill:
    """S4: a modifier of -3 to 3, one for every 15 percent over or under 50."""
    return shooter_skill(
        attack,
        SkirmishD6.name,
        _data()["skill"],
        unit=" to hit",
        from_percent=lambda percent: max(-3, min(3, round((percent - 50) / 15))),
    )


def _to_hit(attack: Attack, skill: Skill) -> Check[bool]:
    """S4: 7 or more on 2d6, with these modifiers."""
    bands = _data()["range"]
    at = sum(attack.range_m > limit for limit in bands["up_to_m"][:-1])
    reasons = (
        Modifier(bands["modifier"][at], f"range {attack.range_m:g} m"),
        Modifier(skill.value, "skill"),
        Modifier(-1 if attack.hull_down else 0, "hull down"),
        Modifier(-1 if attack.target_speed_kph > 0 else 0, "the target moves"),
        Modifier(-1 if attack.shooter_speed_kph > 0 else 0, "the shooter moves"),
    )
    needed = 7 - int(sum(reason.value for reason in reasons))
    return Check("2d6", ((needed - 1, False), (12, True)), needed, tuple(r for r in reasons if r.value))


def _save(armor: int, strength: int, options: Options) -> Check[bool] | None:
    """S6: 4 or more on 1d6, better by the lead of the armor; None where a lead of 4 or more stops everything."""
    lead = armor - strength
    if lead >= 4:
        return None
    needed = 4 - lead
    if options.natural_six == "saves":
        needed = min(needed, 6)
    return Check("1d6", ((needed - 1, False), (6, True)), needed, (Modifier(lead, "armor over strength"),))


def _strength(attack: Attack) -> tuple[int, Derived | None] | None:
    """S2: a stat block, or the class of the penetration at this range, or the class of the kind of weapon."""
    weapon, ammunition = attack.weapon, attack.ammunition
    for stats, where in ((ammunition.stats, ammunition.id), (weapon.stats, weapon.id)):
        if SkirmishD6.name in stats:
            block = validate(Stats, stats[SkirmishD6.name], f"stats.{SkirmishD6.name} of {where}")
            if block.strength is not None:
                return block.strength, None
    table = ammunition.default_table
    if table is not None:
        at = max(0, sum(attack.range_m >= r for r in table.range_m) - 1)
        mm = table.penetration_mm[at]
        formula = "class of the penetration at the nearest listed range below"
        return _class(mm), Derived("strength", _class(mm), formula, {"penetration_mm": mm, "range_m": attack.range_m})
    known = _data()["strength"].get(weapon.kind)
    if known is None:
        return None
    return known, Derived("strength", known, "class of the kind of weapon", {"kind": weapon.kind})


def _armor(whole: CompleteTarget, place: str, aspect_deg: float) -> tuple[int, tuple[Derived, ...]]:
    """S6: a stat block, or the class of the plate that faces the shot, its slope counted by the cosine."""
    target = whole.target
    if SkirmishD6.name in target.stats:
        where = f"stats.{SkirmishD6.name} of {target.id}"
        block = validate(Stats, target.stats[SkirmishD6.name], where)
        if block.armor is not None:
            return block.armor, ()
    away = min(aspect_deg, 360 - aspect_deg)
    face = "front" if away <= 45 else "rear" if away >= 135 else "side"
    plates = [target.plate(f"{place}_{face}{part}") for part in ("", "_upper", "_lower")]
    plate = next((plate for plate in plates if plate is not None), None)
    if plate is None:
        return 0, (Derived(f"armor of the {place}", 0, "no plate on this side", {"face": face}),)
    mm = plate.thickness_mm / math.cos(math.radians(plate.slope_deg))
    inputs = {"thickness_mm": plate.thickness_mm, "slope_deg": plate.slope_deg}
    found = Derived(f"armor of the {place}", _class(mm), "class of thickness / cos(slope)", inputs)
    return _class(mm), (*whole.plates_among((plate.where,)), found)
