"""Attacks with scripted dice, and vehicles made for the occasion."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from d100_wwii.ruleset import D100Wwii
from d100_wwii.state import by_group, crowd_of
from d100_wwii.status import people_states
from mantlet import Attack, Condition, Outcome, Scripted, Seat, Target, run
from mantlet.catalog import Catalog
from mantlet.dice.account import Roll

CATALOG = Catalog()


class Shot(NamedTuple):
    """What came of a scripted attack, and its account."""

    outcome: Outcome
    entries: list[Any]

    @property
    def detail(self) -> Any:
        return self.outcome.condition.detail

    @property
    def people(self) -> tuple[tuple[int, ...], ...]:
        """Hit points group by group, in order within a group."""
        return tuple(tuple(sorted(group)) for group in by_group(self.detail.people))

    @property
    def reasons(self) -> list[str]:
        return [e.reason for e in self.entries if isinstance(e, Roll)]

    @property
    def target_number(self) -> float | None:
        return next(e.target for e in self.entries if isinstance(e, Roll))

    def hp(self, component: str, target: Target, options: dict[str, Any] | None = None) -> int:
        vehicle = D100Wwii.with_options(options or {}).vehicle(target)  # type: ignore[attr-defined]
        part = vehicle.part(component)
        return min(self.detail.pools[i] for i in part.pools)

    @property
    def text(self) -> str:
        return "\n".join(e.text if not isinstance(e, Roll) else f"{e.reason}: {e.result}" for e in self.entries)


def find(target: str | Target) -> Target:
    return CATALOG.target(target) if isinstance(target, str) else target


def attack_of(weapon: str, **fields: Any) -> Attack:
    gun, ammunition = CATALOG.round(weapon)
    fields.setdefault("range_m", 50.0)
    return Attack(weapon=gun, ammunition=ammunition, **fields)


def shoot(
    weapon: str,
    target: str | Target,
    script: list[Any],
    options: dict[str, Any] | None = None,
    condition: Condition | None = None,
    **fields: Any,
) -> Shot:
    """One attack with these dice; every value has to be used."""
    ruleset: Any = D100Wwii.with_options(options or {})
    aim = find(target)
    attack = attack_of(weapon, **fields)
    assert ruleset.covers(attack, aim) is None
    dice = Scripted(script)
    start = ruleset.fresh(aim) if condition is None else ruleset.adopt(aim, condition)
    outcome = run(dice.dice, ruleset.resolve, ruleset.plan(attack, aim), start)
    dice.finish()
    return Shot(outcome, dice.account.entries)


def plan_of(weapon: str, target: str | Target, options: dict[str, Any] | None = None, **fields: Any) -> Any:
    return D100Wwii.with_options(options or {}).plan(attack_of(weapon, **fields), find(target))


def vehicle_with(target: str | Target, **changes: Any) -> Target:
    """A catalog vehicle with other fields; `stats` is this ruleset's block."""
    if "stats" in changes:
        changes["stats"] = {"d100_wwii": changes["stats"]}
    return replace(find(target), **changes)


CAR_OF_FIVE = vehicle_with(
    "kubelwagen",
    id="car_of_five",
    aliases=("kubelwagen",),
    seats=(Seat(role="driver", compartment="front", exposed=True), Seat(role="passenger", compartment="back", count=4)),
)
"""The source's example: one drives, four sit in the back, the front seat is empty."""


def people(*rows: tuple[str, int, int, int, int]) -> list[dict[str, Any]]:
    return [dict(zip(("name", "hp", "dex", "pow", "drive"), row)) for row in rows]


NAMED_FIVE = replace(
    CAR_OF_FIVE,
    id="named_five",
    aliases=("kubelwagen",),
    stats={
        "d100_wwii": {
            "people": people(
                ("Joe", 12, 10, 10, 50),
                ("Jack", 12, 10, 10, 50),
                ("John", 12, 10, 10, 50),
                ("Jill", 12, 10, 10, 50),
                ("Jim", 12, 10, 10, 50),
            )
        }
    },
)


def wait(
    target: str | Target,
    condition: Condition,
    rounds: int,
    script: list[Any],
    options: dict[str, Any] | None = None,
) -> Any:
    """So many rounds pass, with these dice: (passage, account text)."""
    ruleset: Any = D100Wwii.with_options(options or {})
    dice = Scripted(script)
    passage = run(dice.dice, ruleset.pass_time, find(target), condition, rounds * ruleset.options.round_seconds)
    dice.finish()
    return passage, Shot(passage, dice.account.entries).text


def with_detail(
    target: str | Target, options: dict[str, Any] | None = None, pools: dict[str, int] | None = None, **changes: Any
) -> Condition:
    """A target in a condition whose detail differs from a fresh one; `pools` sets every instance of a component."""
    ruleset: Any = D100Wwii.with_options(options or {})
    fresh = ruleset.fresh(find(target))
    values = list(fresh.detail.pools)
    for component, hp in (pools or {}).items():
        for i in ruleset.vehicle(find(target)).part(component).pools:
            values[i] = hp
    if "people" in changes:
        changes["people"] = crowd_of(changes["people"])
    detail = fresh.detail._replace(pools=tuple(values), **changes)
    states = people_states(ruleset.vehicle(find(target)), detail.people, detail.seating)
    return fresh._replace(people=states, detail=detail, on_fire=detail.fire is not None)


def refusal(weapon: str, target: str | Target, options: dict[str, Any] | None = None, **fields: Any) -> str | None:
    return D100Wwii.with_options(options or {}).covers(attack_of(weapon, **fields), find(target))


@pytest.fixture
def kit() -> Any:
    """The functions above, for tests."""
    return SimpleNamespace(
        shoot=shoot,
        wait=wait,
        find=find,
        with_detail=with_detail,
        refusal=refusal,
        plan=plan_of,
        attack=attack_of,
        vehicle_with=vehicle_with,
        people=people,
        car=CAR_OF_FIVE,
        named=NAMED_FIVE,
    )


@pytest.fixture
def ruleset() -> Any:
    return D100Wwii()
