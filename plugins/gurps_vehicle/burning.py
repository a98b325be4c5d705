"""A fire aboard what is flammable (G25): every second it costs HP, with the HT rolls of HP thresholds."""

from __future__ import annotations

from gurps_vehicle.armor import least_damage
from gurps_vehicle.deriving_targets import Block, block_of
from gurps_vehicle.detail import BLOWN_UP, FIRE, STOPPED, WRECKED, Detail, neutral_people
from gurps_vehicle.files import read
from gurps_vehicle.fragile import ended
from gurps_vehicle.health import DEAD, Health, survives
from gurps_vehicle.people import cut, person
from gurps_vehicle.people import state_of as fate
from gurps_vehicle.vehicle_slots import seats_of
from mantlet import Dice, DiceExpr, Passage, Target, Then, parse_dice
from mantlet.game.condition import Condition
from mantlet.game.effects import CREW_KILLED, DAMAGED, DESTROYED, EXPLODED, KNOCKED_OUT, NO_EFFECT, complete


def burns_on(block: Block, condition: Condition) -> bool:
    """Whether a fire does more to the vehicle: it burns, it is flammable, and there is something left of it."""
    detail = condition.detail
    return isinstance(detail, Detail) and bool(detail.flags & FIRE) and not condition.destroyed and "f" in block.fragile


def burn(dice: Dice, target: Target, before: Condition, seconds: int, lost: int, flags: int) -> Passage | Then:
    """One second of fire, then the next. `lost` and `flags` are as they are by now, `before` the condition at first."""
    block = block_of(target)
    if not seconds or flags & WRECKED:
        return _passage(target, before, lost, flags)
    health = Health(block.hp, block.ht)
    injury = dice.check(cut(_a_second(), _injury), "a second of fire", "G25")
    after = min(lost + injury, health.most)
    # Whoever is past 0 HP rolls again every second, unless it is out of order already.
    end = survives(dice, health, lost, after, target.name, asks_zero=not flags & STOPPED, bursts=True)
    flags |= ended(dice, block.fragile, block.hp, end)
    return dice.then(burn, target, before, seconds - 1, after, flags)


def _a_second() -> DiceExpr:
    return parse_dice(str(read("wounding")["fragile"]["burning_a_second"]))


def _injury(total: int) -> int:
    return least_damage("burn", total)


def _passage(target: Target, before: Condition, lost: int, flags: int) -> Passage:
    detail = before.detail
    assert isinstance(detail, Detail)
    people = detail.people
    if flags & BLOWN_UP and not detail.flags & BLOWN_UP:
        # All inside; who rides or stands on it is thrown off.
        dead = person(0, DEAD)
        turret, hull, _ = seats_of(target, out_of_hatch=False)
        people = tuple([dead if code >= 0 and i in (*turret, *hull) else code for i, code in enumerate(people)])
    effects = DAMAGED if lost > detail.lost else 0
    effects |= KNOCKED_OUT if flags & STOPPED and not before.knocked_out else 0
    effects |= DESTROYED if flags & WRECKED and not before.destroyed else 0
    effects |= EXPLODED if flags & BLOWN_UP and not detail.flags & BLOWN_UP else 0
    killed = sum(1 for old, new in zip(detail.people, people) if old >= 0 and fate(new) == DEAD != fate(old))
    effects |= CREW_KILLED if killed else 0
    after = before._replace(
        knocked_out=before.knocked_out or bool(flags & STOPPED),
        destroyed=before.destroyed or bool(flags & WRECKED),
        people=neutral_people(people),
        detail=detail._replace(lost=lost, flags=flags, people=people),
    )
    return Passage(after, complete(effects) & ~NO_EFFECT, killed=killed)
