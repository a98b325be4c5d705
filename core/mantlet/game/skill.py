"""How good the shooter is on a ruleset's own scale, whichever way the attack says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from mantlet.game.attack import Attack, SkillWord

USUAL_SKILL: Final[SkillWord] = "trained"
"""The shooter's skill where the attack gives none."""

PERCENT_SKILLS: Final[Mapping[SkillWord, float]] = MappingProxyType(
    {"green": 30.0, "trained": 50.0, "veteran": 70.0, "ace": 90.0}
)
"""What the words mean to a ruleset whose skill is a percent, where it has no table of its own."""


class Skill(NamedTuple):
    """The shooter's skill on a ruleset's own scale, and a note that says where it comes from (for `Plan.notes`)."""

    value: float
    note: str


def shooter_skill(
    attack: Attack,
    ruleset: str,
    table: Mapping[SkillWord, float] = PERCENT_SKILLS,
    *,
    unit: str = "%",
    from_percent: Callable[[float], float] | None = None,
    usual: float | None = None,
) -> Skill:
    """The shooter's skill for one ruleset.

    What the attack says in a ruleset's own numbers (`Attack.skills`) comes first, then its percent, then its word;
    where it says nothing, the shooter is `trained`, or has the skill `usual` where that is given.

    Args: `ruleset` is its name, `table` what each word means on its scale, `unit` what stands behind a number of that
    scale in the note ("" for none), `from_percent` turns a percent (0 to 1000) into the scale (None: it is percent).
    """
    own = attack.skills.get(ruleset)
    if own is not None:
        return Skill(own, f"skill: {own:g}{unit}, as given")
    percent = attack.skill_percent
    if percent is not None:
        if from_percent is None:
            return Skill(percent, f"skill: {percent:g}{unit}, as given")
        value = from_percent(percent)
        return Skill(value, f"skill: {percent:g}% = {value:g}{unit}")
    if attack.skill is not None:
        value = table[attack.skill]
        return Skill(value, f"skill: {attack.skill} = {value:g}{unit}")
    if usual is not None:
        return Skill(usual, f"skill: {usual:g}{unit}, where none is given")
    value = table[USUAL_SKILL]
    return Skill(value, f"skill: {USUAL_SKILL} = {value:g}{unit}, where none is given")
