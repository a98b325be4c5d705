"""F24, F29: a shell or burst at a team, or landing near it: suppression, casualties, and what is left of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from facing_armor.design import design
from facing_armor.gunnery import chance_to_hit, derived_gunnery, gunnery_note, skill_percent
from facing_armor.state import team_state
from facing_armor.suppression import raised, settled, standing, strength
from facing_armor.vehicle import AUTOMATIC
from mantlet import Attack, Condition, Dice, Location, Outcome, Plan, Target, Then, ignored_inputs, outcome
from mantlet.game.condition import DEAD, FIT, NONE, OUT, WOUNDED
from mantlet.game.effects import (
    CREW_HIT,
    CREW_KILLED,
    DESTROYED,
    FIREPOWER_LOST,
    FIREPOWER_REDUCED,
    HIT,
    IMMOBILIZED,
    KNOCKED_OUT,
    PENETRATED,
)

TEAM: Final = Location("team", "body")
HE, BURST, AP, CLOSING = "HE", "burst", "AP", "tank closing"
_AP_KINDS: Final = ("AP", "APC", "APBC", "APCBC", "APCR", "HVAP", "APDS")


@dataclass(frozen=True, eq=False, kw_only=True)
class TeamPlan(Plan):
    """A shot at or near a team. `hit_chance` is None where the attack says how far off the shot lands.

    On the team (or close by), it adds `suppression` hundredths and puts each man at risk with `man_chance`; farther
    off it adds `far_suppression`. `lands` is what a shot with a stated distance does: close, far or nothing.
    """

    what: str
    hit_chance: float | None
    lands: str
    shots: int
    suppression: float
    far_suppression: float
    man_chance: float
    groups: tuple[tuple[int, int], ...]


def kind_of_fire(attack: Attack) -> str | None:
    """What F24 takes an attack for: an HE round, a burst, an AP shell, a tank closing in; None for anything else."""
    if attack.delivery == "rammed":
        return CLOSING
    if attack.weapon.kind in AUTOMATIC and attack.delivery == "fired":
        return BURST
    if attack.ammunition.kind == "HE":
        return HE
    if attack.ammunition.kind in _AP_KINDS and attack.weapon.kind in ("gun", "anti_tank_rifle"):
        return AP
    return None


def uncovered(attack: Attack, target: Target) -> str | None:
    """Why these rules know nothing of an attack on a team, if they do not."""
    if not target.crew:
        return f"F29: {target.id} has no seats, so the team has no strength to lose."
    if attack.delivery not in ("fired", "thrown", "rammed"):
        return f"F24: a team is fired at, thrown at or closed on by a tank (rammed), and this is {attack.delivery}."
    if kind_of_fire(attack) is None:
        return (
            f"F24: teams are suppressed by HE rounds, machine-gun bursts and AP shells; "
            f"{attack.weapon.id}/{attack.ammunition.id} is none of them."
        )
    return None


_USED: Final = frozenset(
    ("range", "skill", "rounds", "hull_down", "shooter_speed", "target_speed", "dark", "cover", "miss_distance")
)


def make_plan(attack: Attack, target: Target) -> TeamPlan:
    """Everything about a shot at a team that needs no dice."""
    numbers, amounts = design().team, design().suppression
    what = kind_of_fire(attack)
    assert what is not None, "covers() asks first"
    stated = attack.miss_distance_m > 0 and not attack.given_hit
    bare = 1.0 - attack.cover
    rounds = 1 if attack.given_hit else attack.rounds
    if what == HE:
        scale = attack.weapon.caliber_mm / numbers.reference_caliber_mm or numbers.no_caliber_scale
        close, far = numbers.close_m * scale, numbers.far_m * scale
        added, added_far = amounts.he_close * bare, amounts.he_far * bare
        man = numbers.he_man_percent / 100 * bare
    elif what == BURST:
        close = far = numbers.burst_close_m
        added, added_far = amounts.machine_gun * min(1.0, rounds / numbers.full_burst_rounds) * bare, 0.0
        man = (1.0 - (1.0 - numbers.burst_man_percent_a_round / 100) ** rounds) * bare
    elif what == CLOSING:
        # One period of it; no roll, since nothing is fired.
        close = far = math.inf
        added, added_far, man, stated = float(amounts.tank_closing), 0.0, 0.0, not attack.given_hit
    else:
        close = far = numbers.ap_close_m
        added, added_far, man = float(amounts.ap_close), 0.0, 0.0
    distance = attack.miss_distance_m
    return TeamPlan(
        attack=attack,
        target=target,
        derived=() if stated or attack.given_hit else derived_gunnery(attack.weapon, attack.ammunition),
        ignored=ignored_inputs(attack, () if what == CLOSING else _USED),
        notes=_notes(attack, what, close, far, stated),
        what=what,
        hit_chance=1.0 if attack.given_hit else (None if stated else chance_to_hit(attack)),
        lands="close" if distance <= close else ("far" if distance <= far else "nothing"),
        shots=1 if what == BURST else rounds,
        suppression=round(added, 6),
        far_suppression=round(added_far, 6),
        man_chance=man,
        groups=alike(target),
    )


_MEANING: Final = "Immobilized means pinned; knocked out means broken or combat-ineffective."


def _notes(attack: Attack, what: str, close: float, far: float, stated: bool) -> tuple[str, ...]:
    if what == CLOSING:
        return ("One period of a tank closing on the team (F24): it adds suppression without a roll.", _MEANING)
    notes = [f"{what}: close is within {close:.3g} m" + (f", farther off within {far:.3g} m." if what == HE else ".")]
    if stated:
        notes.append(f"The shot lands {attack.miss_distance_m:g} m from the team: no roll to hit.")
    elif not attack.given_hit:
        skill = skill_percent(attack)
        notes.append(f"{gunnery_note(attack.weapon, attack.ammunition)} Skill here: {skill:g}. A design choice.")
        if what == HE:
            notes.append("A shell that misses lands farther off.")
    if what == BURST and attack.rounds > 1 and not attack.given_hit:
        notes.append(f"The {attack.rounds} rounds are one burst, with one roll to be on the team.")
    notes.append(_MEANING)
    return tuple(notes)


@lru_cache(maxsize=1024)
def alike(target: Target) -> tuple[tuple[int, int], ...]:
    """Runs of men of one role, whose states are kept sorted: who of them is hit makes no difference."""
    found: list[tuple[int, int]] = []
    roles = [seat.role for seat in target.crew]
    start = 0
    for i in range(1, len(roles) + 1):
        if i == len(roles) or roles[i] != roles[start]:
            found.append((start, i))
            start = i
    return tuple(found)


# -- the shot -------------------------------------------------------------------------------------------------------


def fire(dice: Dice, plan: TeamPlan, condition: Condition) -> Outcome | Then:
    """F24, F29: the shells of the attack, one after the other; a burst is one."""
    return shell(dice, plan, condition, condition, plan.shots, 0)


def shell(dice: Dice, plan: TeamPlan, start: Condition, condition: Condition, left: int, hits: int) -> Outcome | Then:
    """Where one shell (or the burst) lands, and what it adds."""
    if left == 0:
        return finish(plan, start, condition, hits)
    lands = plan.lands
    if plan.hit_chance is not None:
        if dice.chance(plan.hit_chance, f"{plan.what} on the team"):
            lands = "close"
            hits += 1
        else:
            lands = "far" if plan.what == HE else "nothing"
    added = {"close": plan.suppression, "far": plan.far_suppression, "nothing": 0.0}[lands]
    if added:
        state = team_state(condition)
        state = state._replace(suppression=raised(state.suppression, added))
        condition = settled(condition, condition.people, state)
        dice.note("F24", "{} lands {}: suppression {:+g}%, now {:g}%", plan.what, lands, added, state.suppression)
    able = strength(condition)
    if lands == "close" and plan.man_chance > 0 and able:
        return dice.then(men, plan, start, condition, left - 1, hits, able, 0, 0)
    return dice.then(shell, plan, start, condition, left - 1, hits)


def men(
    dice: Dice,
    plan: TeamPlan,
    start: Condition,
    condition: Condition,
    left: int,
    hits: int,
    at_risk: int,
    killed: int,
    out: int,
) -> Then:
    """F29: each man still in it, in turn; F16 says how he fares."""
    if dice.chance(plan.man_chance, "a man is hit", "F29"):
        if dice.chance(design().casualties.killed_percent / 100, "killed", "F16"):
            killed += 1
        else:
            out += 1
    if at_risk > 1:
        return dice.then(men, plan, start, condition, left, hits, at_risk - 1, killed, out)
    if killed or out:
        condition = _with_losses(dice, plan, condition, killed, out)
    return dice.then(shell, plan, start, condition, left, hits)


def _with_losses(dice: Dice, plan: TeamPlan, condition: Condition, killed: int, out: int) -> Condition:
    people = fallen(condition.people, killed, out, plan.groups)
    state = team_state(condition)
    state = state._replace(suppression=raised(state.suppression, design().suppression.casualty * (killed + out)))
    after = settled(condition, people, state)
    dice.note("F29", "{} killed, {} wounded: strength {}", killed, out, strength(after))
    dice.note("F24", "A casualty each: suppression now {:g}%", state.suppression)
    return after


def fallen(people: tuple[int, ...], killed: int, out: int, groups: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The states after so many men fall. Men have no names here: seats fall from the end of the list."""
    changed = list(people)
    for i in range(len(changed) - 1, -1, -1):
        if changed[i] not in (FIT, WOUNDED):
            continue
        if killed:
            changed[i] = DEAD
            killed -= 1
        elif out:
            changed[i] = OUT
            out -= 1
    for start, end in groups:
        changed[start:end] = sorted(changed[start:end])
    return tuple(changed)


def finish(plan: TeamPlan, start: Condition, after: Condition, hits: int) -> Outcome:
    """The outcome of an attack on a team; `detail` is its standing."""
    effects = HIT if hits else 0
    killed = after.people.count(DEAD) - start.people.count(DEAD)
    wounded = start.people.count(FIT) - after.people.count(FIT) - killed
    # A wounded man of a bailed-out crew may be the one who is killed, or hit again: he is not newly wounded.
    wounded = max(0, wounded + start.people.count(WOUNDED) - after.people.count(WOUNDED))
    wounded = min(wounded, after.people.count(OUT) - start.people.count(OUT))
    if killed or wounded:
        effects |= CREW_HIT | (PENETRATED if hits else 0)
    if killed:
        effects |= CREW_KILLED
    if after.mobility == NONE != start.mobility:
        effects |= IMMOBILIZED
    if after.firepower != start.firepower:
        effects |= FIREPOWER_LOST if after.firepower == NONE else FIREPOWER_REDUCED
    if after.knocked_out and not start.knocked_out:
        effects |= KNOCKED_OUT
    if after.destroyed and not start.destroyed:
        effects |= DESTROYED
    return outcome(
        effects,
        after,
        hits=hits,
        locations=(TEAM,) if hits else (),
        wounded=wounded,
        killed=killed,
        detail=standing(after),
    )
