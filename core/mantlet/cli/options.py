"""The options that attack, odds and compare share, and the attack they describe."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import click

from mantlet.campaign import state as states
from mantlet.campaign.state import State
from mantlet.catalog import Catalog
from mantlet.errors import CatalogError, MantletError, UnknownNameError, UsageError
from mantlet.game.attack import SITUATION, SKILL_WORDS, Attack, Delivery, SkillWord
from mantlet.game.situation import Situation
from mantlet.game.target import Target
from mantlet.plugins.registry import Plugins
from mantlet.units import parse_length_m, parse_sighting, parse_speed_kph

F = TypeVar("F", bound=Callable[..., Any])

USUAL: Final = Situation()
"""The situation of a target of which nothing is said."""
USUAL_SPEED: Final = "20kph"
"""What --moving means without a speed."""

ASPECTS: Final = {"front": 0.0, "right": 90.0, "side": 90.0, "rear": 180.0, "back": 180.0, "left": 270.0}


class _Measure(click.ParamType):  # type: ignore[type-arg]  # it takes none in click 8.1
    """A number with a unit, read by one of the functions of `mantlet.units`."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return float(value)
        try:
            return self._read(value)
        except MantletError as error:
            self.fail(str(error).rstrip("."), param, ctx)


def _read_aspect(text: str) -> float:
    word = text.strip().lower()
    if word in ASPECTS:
        return ASPECTS[word]
    return _number(word.removesuffix("°"), "degrees, or front, right, rear or left")


def _read_cover(text: str) -> float:
    stripped = text.strip()
    share = _number(stripped.removesuffix("%"), "a share such as 0.5 or 50%")
    return share / 100 if stripped.endswith("%") else share


def _number(text: str, expected: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:
        raise UsageError(f"Expected {expected}, not {text!r}.")
    return value


class _Seed(click.ParamType):  # type: ignore[type-arg]  # it takes none in click 8.1
    """A whole number of 64 bits: a larger one could not be read from a state again."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            seed = int(value)
        except ValueError:
            seed = MOST_SEED + 1
        if not -MOST_SEED <= seed <= MOST_SEED:
            self.fail(f"Expected a whole number of at most {len(str(MOST_SEED))} digits, not {value!r:.60}", param, ctx)
        return seed


MOST_SEED: Final = 10**18 - 1
SEED: Final = _Seed()
LENGTH: Final = _Measure("length", parse_length_m)
SPEED: Final = _Measure("speed", parse_speed_kph)
ASPECT: Final = _Measure("degrees", _read_aspect)
DEGREES: Final = _Measure("degrees", lambda text: _number(text.strip().removesuffix("°"), "degrees"))
PLACE: Final = _Measure("place", parse_sighting)
SHARE: Final = _Measure("share", _read_cover)
FILE: Final = click.Path(path_type=Path)

catalog_option = click.option(
    "--catalog", type=FILE, multiple=True, metavar="FILE", help="Your own weapons and targets (TOML). Repeatable."
)
campaign_option = click.option(
    "--campaign", "folder", type=FILE, metavar="FOLDER", help="The campaign's folder, if you are not in it."
)
rule_option = click.option(
    "--option", "options", multiple=True, metavar="RULESET.KEY=VALUE", help="Read a rule another way. Repeatable."
)
ruleset_option = click.option("--ruleset", metavar="NAME", help="The ruleset to use; mantlet rulesets lists them.")


def all_of(*options: Callable[[F], F]) -> Callable[[F], F]:
    """One decorator that gives a command all of these options, in this order."""

    def give(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return give


def format_option(*more: str) -> Callable[[F], F]:
    """--format with the formats every result has, and perhaps more."""
    return click.option(
        "--format", "form", type=click.Choice(["text", "json", "md", *more]), default="text", help="How to print it."
    )


shot_options = all_of(
    click.option(
        "--elevation", "elevation_deg", type=DEGREES, default=0.0, help="Degrees the shooter is above the target."
    ),
    click.option(
        "--skill",
        "skills",
        multiple=True,
        metavar="WORD|PERCENT|RULESET=N",
        help=f"The shooter's skill: {', '.join(SKILL_WORDS)}, or a number. Repeatable.",
    ),
    click.option("--aim", metavar="LOCATION", help="A location to aim at; mantlet show TARGET lists them."),
    click.option("--rounds", type=int, default=1, metavar="N", help="Rounds fired, for a burst."),
    click.option("--delivery", type=click.Choice(get_args(Delivery)), default="fired", help="How it gets there."),
    click.option(
        "--hull-down/--hull-exposed", default=None, help="The target's hull is behind cover, or not (as usual)."
    ),
    click.option(
        "--moving",
        "shooter_speed_kph",
        type=SPEED,
        is_flag=False,
        flag_value=USUAL_SPEED,
        default=0.0,
        metavar="[SPEED]",
        help=f"The shooter moves: at {USUAL_SPEED}, or 40kph, 25mph.",
    ),
    click.option("--target-speed", "target_speed_kph", type=SPEED, help="The target moves: 40kph, 25mph; 0 stops it."),
    click.option("--cover", type=SHARE, help="Share of the target that is covered: 0.5 or 50%."),
    click.option("--buttoned/--unbuttoned", default=None, help="Hatches closed (as usual) or open."),
    click.option("--dark/--light", default=None, help="It is night, or day (as usual)."),
    click.option(
        "--miss-distance", "miss_distance_m", type=LENGTH, default=0.0, help="How far from a team the shot lands."
    ),
    click.option("--given-hit", is_flag=True, help="Leave the chance to hit out: one round strikes."),
)
"""The options of an attack beside weapon, target, range and aspect."""

attack_options = all_of(
    click.option("--weapon", metavar="W[/AMMO]", help="The weapon, and its round where it is not the usual one."),
    click.option("--target", metavar="T", help="The target."),
    click.option("--range", "range_m", type=LENGTH, default=100.0, show_default="100m", help="300, 300m, 100yd, 30ft."),
    click.option(
        "--aspect",
        "aspect_deg",
        type=ASPECT,
        default=0.0,
        help="Where the shooter is: 0 front, 90 its right, 180 rear; or a word.",
    ),
    shot_options,
    rule_option,
    catalog_option,
)
"""The options that describe an attack; a command gets them as keyword arguments."""


def state_option(what: str, *, required: bool = False) -> Callable[[F], F]:
    """--state: the file of a saved target."""
    return click.option("--state", "state_file", type=FILE, required=required, metavar="FILE", help=what)


def target_of_state(catalog: Catalog, name: str) -> Target:
    """The target that a saved state is of. Raises CatalogError when the catalog does not have it."""
    try:
        return catalog.target(name)
    except UnknownNameError as error:
        raise CatalogError(
            f"{error} The saved state is of it: if it is your own, name its file with --catalog."
        ) from None


def attacked_target(given: Mapping[str, Any], catalog: Catalog, saved: State | None, path: Path | None) -> Target:
    """The target that the options name, or that of a saved state.

    Raises UsageError for options that name no weapon or target, and for another target than the state's;
    UnknownNameError for a target nobody knows.
    """
    named = {"--weapon": given["weapon"], "--target": given["target"] or (saved and saved.target)}
    missing = [option for option, value in named.items() if not value]
    if missing:
        raise UsageError(f"An attack needs {' and '.join(missing)}, as in --weapon us_75_m3 --target pz4_h.")
    target = (
        catalog.target(given["target"]) if given["target"] else target_of_state(catalog, saved.target if saved else "")
    )
    if saved is not None and path is not None:
        states.check_target(saved, target, path)
    return target


def make_attack(given: Mapping[str, Any], catalog: Catalog, plugins: Plugins, situation: Situation = USUAL) -> Attack:
    """The attack that the options describe, on a target in this situation where they do not give another.

    Raises UsageError for options that make no attack, UnknownNameError for names nobody knows.
    """
    fields = {name: value for name, value in given.items() if name != "target"}
    fields.update({name: getattr(situation, name) for name in SITUATION if given[name] is None})
    weapon, ammunition = catalog.round(fields.pop("weapon"))
    word, percent, fields["skills"] = read_skills(fields["skills"], plugins)
    try:
        return Attack(weapon=weapon, ammunition=ammunition, skill=word, skill_percent=percent, **fields)
    except ValueError as error:
        field, _, rest = str(error).partition(" ")
        options = {param.name: param.opts[0] for param in click.get_current_context().command.params}
        option = options.get("skills" if field == "skill_percent" else field, field)
        raise UsageError(f"{option} {rest}.") from None


def read_skills(texts: Sequence[str], plugins: Plugins) -> tuple[SkillWord | None, float | None, dict[str, float]]:
    """The skill as a word or in percent, if either is given, and those on a ruleset's own scale.

    Raises UsageError for a word beside a percent and for what is neither, UnknownNameError for an unknown ruleset.
    """
    word: SkillWord | None = None
    percent: float | None = None
    own: dict[str, float] = {}
    for text in texts:
        ruleset, equals, value = text.rpartition("=")
        if equals:
            if ruleset.strip() not in plugins.rulesets:
                raise UnknownNameError("ruleset", ruleset.strip(), plugins.rulesets, f"--skill {text}")
            own[ruleset.strip()] = _number(value.strip().removesuffix("%"), "a skill such as gurps_vehicle=14")
        elif value.strip().isalpha():
            word = next((known for known in SKILL_WORDS if known == value.strip().lower()), None)
            if word is None:
                raise UsageError(str(UnknownNameError("skill", value.strip().lower(), SKILL_WORDS, "--skill")))
        else:
            percent = _number(value.strip().removesuffix("%"), "a skill such as 65, veteran, or gurps_vehicle=14")
    if word is not None and percent is not None:
        raise UsageError(f"--skill {word} and --skill {percent:g} say two things: give one of them.")
    return word, percent, own
