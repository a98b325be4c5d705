"""F24, F29: a shell or burst at a team, or landing near it: suppression, casualties, and what is left of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from facing_armor.crew import is_killed
from facing_armor.design import design
from facing_armor.gunnery import chance_to_hit, derived_gunnery, gunnery_note, skill_of
from facing_armor.state import ROUNDING, alike_in_order, crowd_of, team_state
from facing_armor.suppression import burst_hits_man, raised, settled, standing, strength
from facing_armor.vehicle import AUTOMATIC
from mantlet import (
    Attack,
    Condition,
    Dice,
    InputName,
    Location,
    Outcome,
    Plan,
    Target,
    Then,
    changes,
    ignored_inputs,
    outcome_between,
)
from mantlet.game.condition import DEAD, FIT, OUT, WOUNDED
from mantlet.game.effects import CREW_HIT, PENETRATED

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


_USED: Final[frozenset[InputName]] = frozenset(
    ("range", "skill", "rounds", "hull_down", "shooter_speed", "target_speed", "dark", "cover", "miss_distance")
)


def make_plan(attack: Attack, target: Target) -> TeamPlan:
    """Everything about a shot at a team that needs no dice. F24: what suppresses it, and by how much."""
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
        man = burst_hits_man(rounds) * bare
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
        suppression=round(added, ROUNDING),
        far_suppression=round(added_far, ROUNDING),
        man_chance=man,
    )


_MEANING: Final = "Immobilized means pinned; knocked out means broken or combat-ineffective."


def _notes(attack: Attack, what: str, close: float, far: float, stated: bool) -> tuple[str, ...]:
    if what == CLOSING:
        return ("One period of a tank closing on the team (F24): it adds suppression without a roll.", _MEANING)
    notes = [f"{what}: close is within {close:.3g} m" + (f", farther off within {far:.3g} m." if what == HE else ".")]
    if stated:
        notes.append(f"The shot lands {attack.miss_distance_m:g} m from the team: no roll to hit.")
    elif not attack.given_hit:
        notes += [gunnery_note(attack.weapon, attack.ammunition), skill_of(attack).note]
        if what == HE:
            notes.append("A shell that misses lands farther off.")
    if what == BURST and attack.rounds > 1 and not attack.given_hit:
        notes.append(f"The {attack.rounds} rounds are one burst, with one roll to be on the team.")
    notes.append(_MEANING)
    return tuple(notes)


# -- the shot -------------------------------------------------------------------------------------------------------


class Shelled(NamedTuple):
    """How a team under fire stands between two shells: `left` are still to come, `hits` were on the team."""

    start: Condition
    condition: Condition
    left: int
    hits: int = 0


def fire(dice: Dice, plan: TeamPlan, condition: Condition) -> Outcome | Then:
    """F24, F29: the shells of the attack, one after the other; a burst is one."""
    return shell(dice, plan, Shelled(condition, condition, plan.shots))


def shell(dice: Dice, plan: TeamPlan, team: Shelled) -> Outcome | Then:
    """Where one shell (or the burst) lands, and what it adds."""
    condition, hits = team.condition, team.hits
    if team.left == 0:
        return finish(dice, team)
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
        came = "A tank closes on the team" if plan.what == CLOSING else f"{plan.what} lands {lands}"
        dice.note("F24", "{}: suppression {:+g}%, now {:g}%", came, added, state.suppression)
    team = Shelled(team.start, condition, team.left - 1, hits)
    able = tuple(sorted([state for state in condition.people if state in (FIT, WOUNDED)]))
    if lands == "close" and plan.man_chance > 0 and able:
        return dice.then(men, plan, team, able, ())
    return dice.then(shell, plan, team)


Fate: TypeAlias = "tuple[int, int]"
"""What a man was, and what he is then."""


def men(dice: Dice, plan: TeamPlan, team: Shelled, waiting: tuple[int, ...], fates: tuple[Fate, ...]) -> Then:
    """F29: each man still in it, in turn; F16 says how he fares. `waiting` are the states of those still to come."""
    state, *others = waiting
    after = state
    if dice.chance(plan.man_chance, "a man is hit", "F29"):
        after = DEAD if is_killed(dice) else OUT
    fates = tuple(sorted((*fates, (state, after))))
    if others:
        return dice.then(men, plan, team, tuple(others), fates)
    if any(after != before for before, after in fates):
        team = team._replace(condition=_with_losses(dice, team, fates))
    return dice.then(shell, plan, team)


def _with_losses(dice: Dice, team: Shelled, fates: tuple[Fate, ...]) -> Condition:
    people = fallen(team.condition.people, fates)
    fell = [after for before, after in fates if after != before]
    state = team_state(team.condition)
    state = state._replace(suppression=raised(state.suppression, design().suppression.casualty * len(fell)))
    alike = crowd_of(people, _ALIKE * len(people), team.start.people)
    after = settled(team.condition, tuple(alike.in_order(dice)), state)
    dice.note("F29", "{} killed, {} wounded: strength {}", fell.count(DEAD), fell.count(OUT), strength(after))
    dice.note("F24", "A casualty each: suppression now {:g}%", state.suppression)
    return after


_ALIKE: Final = ("man",)
"""No rule of a team tells one man from another."""


def fallen(people: tuple[int, ...], fates: tuple[Fate, ...]) -> tuple[int, ...]:
    """The states after these men have fared so. Men have no names here: of those alike the last in the list fall."""
    ahead = {state: iter(sorted([after for before, after in fates if before == state])) for state in (FIT, WOUNDED)}
    return tuple([next(ahead[state]) if state in ahead else state for state in people])


def finish(dice: Dice, team: Shelled) -> Outcome:
    """The outcome of an attack on a team; `detail` is its standing. A round that hurts somebody has penetrated."""
    start, after, hits = team.start, team.condition, team.hits
    noted = PENETRATED if hits and changes(start, after).effects & CREW_HIT else 0
    locations = (TEAM,) if hits else ()
    outcome = outcome_between(start, after, noted, hits=hits, locations=locations, detail=standing(after))
    return alike_in_order(dice, outcome, _ALIKE * len(after.people))
