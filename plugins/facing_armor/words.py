"""What an attack or a span of time came to, in words of these rules: suppression, strength, ground; who feels what."""

from __future__ import annotations

from typing import Any, Final

from facing_armor.assault import AssaultReport
from facing_armor.crew import effective_skill, frozen, stress
from facing_armor.design import design
from facing_armor.state import team_state, vehicle_state
from facing_armor.suppression import INEFFECTIVE, WIPED_OUT, report, strength
from mantlet import Condition, Outcome, Passage, Report, Target, changes
from mantlet.game.condition import GONE, PERSON_STATES, WOUNDED

STOPPED: Final = ("ricochet", "shatter")
"""The details of an outcome that are an own-tank hit without a penetration (F9)."""


def report_of(target: Target, before: Condition, result: Outcome | Passage) -> Report:
    """The report of an attack or a span of time, by what was attacked and how."""
    if target.kind == "team":
        return team_report(target, before, result)
    if target.kind != "vehicle":
        return Report()
    if isinstance(result.detail, AssaultReport):
        headline = assault_words(result.detail, result)
    elif isinstance(result, Outcome):
        headline = stopped_words(result)
    else:
        headline = bail_out_words(before, result)
    return vehicle_report(target, result, headline)


# -- teams ----------------------------------------------------------------------------------------------------------


def team_report(target: Target, before: Condition, result: Outcome | Passage) -> Report:
    """F24 to F29: what became of a team's nerves and strength, and what it can do now."""
    after = result.condition
    can = report(target, after)
    state = team_state(after)
    headline = f"{STANDING.get(can.standing, can.standing)}, {_change(before, after)}"
    if isinstance(result, Outcome):
        headline = f"{headline[0].upper()}{headline[1:]}. {_where(before, result)}."
    now = [f"suppression {state.suppression:g}%, strength {strength(after)} of {len(after.people)}"]
    if not can.moves:
        now.append("does not move")
    if not can.fire_rate:
        now.append("does not fire")
    elif can.fire_rate < 1:
        now.append(f"fires at {can.fire_rate:.0%} of its rate")
    if can.fire_rate and can.lay_time_factor != 1:
        now.append(f"laying its gun takes {can.lay_time_factor:g} times as long")
    if state.unarmed:
        now.append("without weapons")
    if state.closing:
        now.append("a tank is closing on it")
    if state.fell_back_m:
        now.append(f"fell back {state.fell_back_m:g} m")
    if state.enemies:
        now.append(
            "enemy vehicles at " + ", ".join(f"{at.distance_m:.0f} m@{at.bearing_deg:g}" for at in state.enemies)
        )
    data = {**can._asdict(), "strength": strength(after), **state._asdict()}
    return Report(headline, tuple(now), data)


STANDING: Final = {INEFFECTIVE: "combat-ineffective", WIPED_OUT: "wiped out"}
"""Words of a team's standing that are not as its name."""


def _change(before: Condition, after: Condition) -> str:
    was, now = team_state(before).suppression, team_state(after).suppression
    suppression = f"suppression {now:g}%" if was == now else f"suppression {was:g}% to {now:g}%"
    men, left = strength(before), strength(after)
    return suppression if men == left else f"{suppression}, strength {men} to {left}"


def _where(before: Condition, outcome: Outcome) -> str:
    if outcome.hits:
        return "On the team" if outcome.hits == 1 else f"{outcome.hits} on the team"
    return "Miss" if outcome.condition == before else "Near the team"


# -- assaults -------------------------------------------------------------------------------------------------------


ASSAULTS: Final = {
    "no_chance": "No assault",
    "beaten_off": "Assault beaten off",
    "failed": "Assault failed",
    "immobilized": "Immobilized by assault",
    "knocked_out": "Knocked out by assault",
}


def assault_words(fought: AssaultReport, result: Outcome | Passage) -> str:
    """F30 to F32: what came of an assault, and of the team that made it."""
    men, size, suppression = fought.assaulters
    hurt = ", ".join(f"{n} {what}" for n, what in ((result.killed, "killed"), (result.wounded, "wounded")) if n)
    headline = ASSAULTS[fought.result] + (f", {hurt}" if hurt else "")
    return f"{headline}. The team: {men} of {size} men, suppression {suppression:g}%."


# -- vehicles -------------------------------------------------------------------------------------------------------


def stopped_words(outcome: Outcome) -> str:
    """F9: what a hit that did not penetrate was, and that those inside have felt it; else nothing."""
    if outcome.detail not in STOPPED:
        return ""
    where = ", ".join(place.path for place in outcome.locations)
    return f"Hit ({where}): a {outcome.detail}, heard and felt inside."


def bail_out_words(before: Condition, passage: Passage) -> str:
    """F18, F21, F22: who got out in a span of time, and who was killed; nothing where nobody left."""
    after = passage.condition
    out = after.people.count(GONE) - before.people.count(GONE)
    if not out:
        return ""
    carried = vehicle_state(after).wounded_out - vehicle_state(before).wounded_out
    came = changes(before, after)
    said = ["brews up"] if after.destroyed and not before.destroyed else []
    said += [f"{came.killed} killed"] if came.killed else []
    return ", ".join([*said, f"{out} got out", *([f"{carried} of them wounded"] if carried else [])])


def vehicle_report(target: Target, result: Outcome | Passage, headline: str) -> Report:
    """F9, F17: own-tank hits felt, and what each man in his seat is worth: his share of his skill, his stress."""
    condition = result.condition
    felt = vehicle_state(condition).felt
    now = []
    if felt:
        now.append(f"own-tank hits felt: {felt} (stress {felt * design().casualties.own_tank_hit_stress:.0%})")
    crew = []
    for i, seat in enumerate(target.crew):
        state, skill, strain = condition.people[i], effective_skill(condition, i, 1.0), stress(condition, i)
        shaken = frozen(condition, i)
        told = {"role": seat.role, "state": PERSON_STATES[state], "skill_factor": skill, "stress": strain}
        crew.append({**told, "frozen": shaken})
        if state == WOUNDED or shaken:
            share = f"{skill:.0%} of his skill, " if state == WOUNDED else ""
            now.append(f"{seat.role.replace('_', ' ')}: {share}stress {strain:.0%}{', frozen' if shaken else ''}")
    data: dict[str, Any] = {"own_tank_hits_felt": felt, "crew": crew}
    if isinstance(result.detail, str):
        data["result"] = result.detail
    elif isinstance(result.detail, AssaultReport):
        data["result"], data["team"] = result.detail.result, result.detail.assaulters._asdict()
    return Report(headline, tuple(now), data)
