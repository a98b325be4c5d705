"""A saved state handed from one ruleset to another: what is carried over, and what is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mantlet.campaign.state import State, condition_of
from mantlet.game.condition import Condition
from mantlet.game.situation import Situation
from mantlet.game.target import Target
from mantlet.ruleset import Ruleset


@dataclass(frozen=True)
class Conversion:
    """A state as another ruleset takes it over, and as plain data by name what is carried over and what is left behind.

    Carried over are the neutral facts and the situation. Left behind is what only the ruleset that wrote the state
    knows, as far as it is not that of an untouched target.
    """

    condition: Condition
    situation: Situation
    carried_over: dict[str, Any]
    left_behind: dict[str, Any]


def convert(
    state: State, target: Target, to: Ruleset[Any, Any], path: Path, situation: Situation, untouched: Any = None
) -> Conversion:
    """The state saved in `path` under the ruleset `to`; one of the same ruleset keeps everything.

    `situation` is the one that the target is in, `untouched` the detail, as plain data, that the ruleset that wrote the
    state gives an untouched target (None: not known). Raises CatalogError for a state that does not fit the target.
    """
    condition = to.put_into(target, condition_of(state, to, target, path), situation)
    facts = {key: value for key, value in state.condition.items() if key not in ("ruleset", "detail")}
    left = {} if state.ruleset == to.name else touched(state.condition.get("detail"), untouched)
    return Conversion(condition, situation, {**facts, **asdict(situation)}, left)


def touched(detail: Any, untouched: Any) -> dict[str, Any]:
    """What of a ruleset's own detail is not as on an untouched target."""
    if detail is None or detail == untouched:
        return {}
    if not isinstance(detail, Mapping):
        return {"detail": detail}
    usual = untouched if isinstance(untouched, Mapping) else {}
    return {key: value for key, value in detail.items() if key not in usual or usual[key] != value}
