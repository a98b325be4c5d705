"""A fire aboard what is flammable (G25): every second it costs HP, with the HT rolls of HP thresholds."""

from __future__ import annotations

from typing import NamedTuple

from gurps_vehicle.armor import damage_of
from gurps_vehicle.deriving_targets import Block, block_of
from gurps_vehicle.detail import Detail, Works, condition_of, effects_of
from gurps_vehicle.files import read
from gurps_vehicle.flags import BLOWN_UP, FIRE, WRECKED
from gurps_vehicle.health import Health, Loss, Subject, ended
from gurps_vehicle.person import killed
from gurps_vehicle.vehicle.slots import seats_of
from mantlet import Condition, Dice, Passage, Target, Then, changes
from mantlet.game.effects import NO_EFFECT, complete


def burns_on(block: Block, condition: Condition) -> bool:
    """Whether a fire does more to the vehicle: it burns, it is flammable, and there is something left of it."""
    detail = condition.detail
    return isinstance(detail, Detail) and bool(detail.flags & FIRE) and not condition.destroyed and "f" in block.fragile


class Burning(NamedTuple):
    """A vehicle on fire: the seconds still to come, HP lost and flags by now."""

    seconds: int
    lost: int
    flags: int


def burn(dice: Dice, target: Target, before: Condition, fire: Burning) -> Passage | Then:
    """One second of fire, then the next; `before` is the condition at first."""
    block = block_of(target)
    seconds, lost, flags = fire
    if not seconds or flags & WRECKED:
        return _passage(target, before, fire)
    health = Health(block.hp, block.ht)
    injury = dice.read(
        read("wounding")["fragile"]["burning_a_second"], burnt, reason="a second of fire", rule="G25", label=str
    )
    after = health.lost(lost, injury)
    # Whoever is past 0 HP rolls again every second, unless it is out of order already.
    flags = ended(dice, block, Subject(target.name, health, bursts=True), Loss(lost, after), flags)
    return dice.then(burn, target, before, Burning(seconds - 1, after, flags))


def burnt(total: int) -> int:
    """The injury of a second of fire."""
    return damage_of("burn", total)


def _passage(target: Target, before: Condition, fire: Burning) -> Passage:
    was = before.detail
    assert isinstance(was, Detail)
    people = was.people
    if fire.flags & BLOWN_UP and not was.flags & BLOWN_UP:
        # All inside; who rides or stands on it is thrown off.
        turret, hull, _ = seats_of(target, out_of_hatch=False)
        people = killed(people, (*turret, *hull))
    detail = was._replace(lost=fire.lost, flags=fire.flags, people=people)
    after = condition_of(before, detail, Works())
    came = changes(before, after)
    effects = complete(came.effects | effects_of(was, detail)) & ~NO_EFFECT
    return Passage(after, effects, came.wounded, came.killed)
