"""Numbers and attacks in words, the same in every format and command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from mantlet.game.attack import Attack
from mantlet.game.shares import Shares
from mantlet.game.situation import Situation
from mantlet.game.skill import USUAL_SKILL
from mantlet.game.target import Target
from mantlet.game.weapon import Ammunition
from mantlet.probability.comparison import Odds
from mantlet.ruleset import Plan

_SURE = 1e-12
_FACING = {0.0: "front", 90.0: "right side", 180.0: "rear", 270.0: "left side"}


def percent(probability: Any) -> str:
    """A probability with one decimal; what is merely near to never or always does not pass for it."""
    p = float(probability)
    text = f"{p:.1%}"
    if text == "0.0%" and probability > 0:  # a fraction may be too small for a float
        return "<0.1%"
    if text == "100.0%" and probability < (1 if isinstance(probability, Fraction) else 1 - _SURE):
        return ">99.9%"
    return text


def number(value: Any) -> str:
    """A number without a tail of digits; anything else as it is."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if value and abs(value) < 0.01:
            return f"{value:.2g}"
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(value)


def plain(value: Any) -> Any:
    """Anything as data that JSON knows."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if hasattr(value, "numerator"):  # a Fraction, or NumPy's own number
        return float(value)
    if isinstance(value, Iterable):
        return [plain(v) for v in value]
    return str(value)


def round_name(ammunition: Ammunition) -> str:
    """A round by its name, else by its id."""
    return ammunition.name or ammunition.id


def title(attack: Attack, target: Target) -> str:
    """Weapon and target in one line, with the round where its name says more than the weapon's."""
    weapon, fired = attack.weapon.name, round_name(attack.ammunition)
    more = f" ({fired})" if fired.lower() not in (weapon.lower(), "") else ""
    return f"{weapon}{more} at {target.name}"


def circumstances(attack: Attack, ruleset: str | None = None) -> str:
    """How it is fired: range, aspect, skill, and whatever else is out of the ordinary."""
    elevation = attack.elevation_deg
    parts = [
        f"{number(attack.range_m)} m",
        _FACING.get(attack.aspect_deg) or f"aspect {number(attack.aspect_deg)}°",
        elevation and f"from {number(abs(elevation))}° {'above' if elevation > 0 else 'below'}",
        *_skill(attack, ruleset),
        attack.aim is not None and f"aimed at {attack.aim}",
        attack.rounds != 1 and f"{attack.rounds} rounds",
        attack.delivery != "fired" and word(attack.delivery),
        attack.shooter_speed_kph and f"shooter at {number(attack.shooter_speed_kph)} km/h",
        *standing(attack.situation),
        attack.miss_distance_m and f"landing {number(attack.miss_distance_m)} m off",
    ]
    return ", ".join(part for part in parts if isinstance(part, str))


def standing(situation: Situation) -> list[str]:
    """The target's situation, as far as it is out of the ordinary."""
    parts = [
        situation.hull_down and "hull down",
        situation.target_speed_kph and f"target at {number(situation.target_speed_kph)} km/h",
        situation.cover and f"cover {number(situation.cover * 100)}%",
        not situation.buttoned and "hatches open",
        situation.dark and "dark",
    ]
    return [part for part in parts if isinstance(part, str)]


def left_words(shares: Shares) -> list[str]:
    """What is missing of a target under its ruleset; empty for one that is whole."""
    armor = ", ".join(f"{face} {percent(left)}" for face, left in (shares.armor or {}).items() if left < 1)
    if len({*(shares.armor or {}).values()}) == 1 and armor:  # the same all round
        armor = armor.partition(" ")[2].partition(",")[0]
    parts = [
        shares.integrity is not None and shares.integrity < 1 and f"{percent(shares.integrity)} left",
        armor and f"armor left: {armor}",
        shares.components_out and f"out: {', '.join(map(word, sorted(shares.components_out)))}",
    ]
    return [part for part in parts if isinstance(part, str) and part]


def values_in_words(value: Any) -> str:
    """Plain data of any depth in words."""
    if isinstance(value, dict):
        return ", ".join(f"{word(key)} {values_in_words(inside)}" for key, inside in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(values_in_words, value)) or "none"
    return "none" if value in (None, "") else number(value)


def _skill(attack: Attack, ruleset: str | None) -> list[str]:
    if attack.given_hit:
        return ["given a hit"]
    own = {name: value for name, value in attack.skills.items() if ruleset in (None, name)}
    parts = [f"skill {number(value)} ({name})" for name, value in own.items()]
    if ruleset in own:
        return parts
    if attack.skill_percent is not None:
        return [f"skill {number(attack.skill_percent)}%", *parts]
    return [f"skill {attack.skill or f'{USUAL_SKILL} (usual)'}", *parts]


def foundations(result: Plan | Odds) -> list[str]:
    """What a result rests on: notes, derived numbers with their formulas, ignored inputs."""
    texts = list(result.notes)
    for derived in result.derived:
        inputs = ", ".join(f"{name} {number(value)}" for name, value in derived.inputs.items())
        formula = f"{derived.formula} ({inputs})" if inputs else derived.formula
        texts.append(f"Derived: {derived.stat} = {number(derived.value)}: {formula}")
    if result.ignored:
        texts.append(f"Not used by these rules: {', '.join(map(word, result.ignored))}.")
    return texts


def word(name: str) -> str:
    """A name of the vocabulary as people write it: `mobility_reduced` is `mobility reduced`."""
    return name.replace("_", " ")


def plural(noun: str) -> str:
    """`rounds`, `riflemen`, `boxes`, `batteries`: of a noun or a name of several words that ends in one."""
    low = noun.lower()
    if low.endswith("man"):
        return noun[:-2] + "en"
    if low.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if low.endswith("y") and low[-2:-1] not in ("", *"aeiou"):
        return noun[:-1] + "ies"
    return noun + "s"


def counted(count: int, one: str, many: str | None = None) -> str:
    """`1 round`, `3 rounds`, `10 riflemen`, `20,000 attacks`."""
    return f"{count:,} {one if count == 1 else many or plural(one)}"
