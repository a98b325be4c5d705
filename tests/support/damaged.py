"""Damaged inputs: valid files and options changed at random, put through the command line, and what came of it.

    python tests/support/damaged.py 10000 [first seed]

tries so many of them on two processors and prints the counts. Each is made from its number alone, so that one can be
made again: `damaged.py 1 4711`.
"""

from __future__ import annotations

import copy
import datetime
import json
import random
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any, Final, NamedTuple

from click.testing import CliRunner

from mantlet.cli.app import cli

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "core" / "mantlet" / "catalog" / "data"
HANGS_AFTER_S: Final = 30
RULESETS: Final = ("d100_wwii", "facing_armor", "gurps_vehicle")
FAULTS: Final = ("mantlet itself failed", "Traceback", "MANTLET_DEBUG", "This is a fault", "cannot be set up")
"""What no input of a user may bring about."""

BLOCKS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "weapon": {
        "d100_wwii": {
            "kind": "bullet", "damage": "2d6+4", "range_yd": 110.0, "malfunction": 98, "hp": 11, "burn": "1d6",
            "placed": False, "placing_bonus": 20, "melee": False, "thrown": 1.5,
        },
        "gurps_vehicle": {
            "damage": "7d", "type": "pi", "divisor": 2.0, "acc": 5, "rof": 10, "rcl": 3, "half_damage_yd": 1000.0,
            "max_range_yd": 4000.0, "explosive": False, "shaped": False,
        },
    },
    "vehicle": {
        "d100_wwii": {
            "hit_table": "afv", "armor": 40, "base_hp": 100, "move": 25, "armored": True, "absent": ["hull_gun"],
            "passenger_armor": 2, "front_tires": 2, "rear_tires": 4, "treads": 2, "drive_percent": 60,
        },
        "gurps_vehicle": {
            "hp": 90, "ht": 11, "sm": 4, "fragile": ["f", "x"], "locations": "2CT(X)", "tires": True,
            "dr": {"front": 90, "side": 50, "rear": 40, "top": 20, "under": 15, "other": 50, "turret_front": 100},
            "layers": {"front": [{"dr": 30, "hardened": 1}, {"dr": 60}]}, "dr_against": {"shaped": {"front": 120}},
            "dr_times": {"burn": 2.0}, "person_hp": 11, "person_ht": 10, "person_dr": {"torso": 2}, "hardened": 1,
        },
    },
    "creature": {
        "gurps_vehicle": {
            "hp": 60, "ht": 12, "sm": 1, "body": "quadruped", "tail": "limb", "creature_dr": {"torso": 3},
            "hardened": 1, "tissue": "living", "dr_times": {"cr": 0.5},
        },
    },
    "team": {"gurps_vehicle": {"hp": 11, "person_hp": 10, "person_dr": 1}},
}  # fmt: skip


class Result(NamedTuple):
    """What came of one damaged input: `told` says what was wrong with the program, if anything was."""

    seed: int
    kind: str
    refused: bool
    told: str
    seconds: float


# -- what is damaged --------------------------------------------------------------------------------------------------


@cache
def _shipped(folder: str) -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads(file.read_text("utf-8")) for file in sorted((SHIPPED / folder).glob("*.toml")))


def _thing(rng: random.Random, folder: str) -> dict[str, Any]:
    """A shipped weapon or target as a user's, with stat blocks of some rulesets."""
    thing: dict[str, Any] = copy.deepcopy(rng.choice(_shipped(folder)))
    blocks = BLOCKS["weapon" if folder == "weapons" else thing["kind"]]
    thing["stats"] = {name: copy.deepcopy(block) for name, block in blocks.items() if rng.random() < 0.7}
    return thing


def _data_file(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "plugins" / name).read_text("utf-8"))


@cache
def _saved(ruleset: str) -> str:
    """A state that this ruleset has written."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.json"
        weapon, target = ("molotov", "kubelwagen") if ruleset == "d100_wwii" else ("de_75_pak40", "m4a1_75_dry")
        line = f"attack --ruleset {ruleset} --weapon {weapon} --target {target} --given-hit --range 3 --seed 3 --state"
        done = CliRunner().invoke(cli, [*line.split(), str(path)], prog_name="mantlet")
        assert done.exit_code == 0, done.output
        return path.read_text("utf-8")


# -- how it is damaged ------------------------------------------------------------------------------------------------

_NUMBERS: Final = (
    0, -1, -5, 1, 2, 7, 101, 1000, 5000, 10**6, 10**9, 2**63 - 1, 2**63, 10**30, 10**310, -(10**18),
    0.5, -0.5, 1e-300, 1e300, -1e300, float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
_TEXTS: Final = (
    "", " ", "turet", "engin", "\x1b[31mred", "\x07", "a\u200bb", "\u202eabc", "\x00", "x" * 3000, "../../etc/passwd",
    "1d6", "-5d6", "999d999", "1d6*2+3", "d66", "3+1d6*2", "/dev/zero", "<b>|`*", "10/0", "\ud7ff", "torso", "2C" * 200,
)  # fmt: skip
_OTHERS: Final = (True, False, [], {}, [1, "a"], [[]], {"a": 1}, datetime.date(1944, 6, 6), [None], None)


def _junk(rng: random.Random) -> Any:
    return copy.deepcopy(rng.choice(rng.choice((_NUMBERS, _TEXTS, _OTHERS))))


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every key of every table and list inside, as the container and the key."""
    for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


def _move_number(rng: random.Random, data: Any) -> bool:
    """Put another number of the same kind in the place of one, mostly one that could be; whether there is any."""
    numbers = [at for at in _places(data) if type(at[0][at[1]]) in (int, float) and abs(at[0][at[1]]) < 1e9]
    if not numbers:
        return False
    where, key = rng.choice(numbers)
    kind, value = type(where[key]), where[key]
    near = (0, 1, 2, 3, value - 1, value + 1, value * 2, value * 10, value / 3, -value, 12, 50, 99, 100, 1000, 30_000)
    where[key] = kind(rng.choice(near))
    return True


def _damage(rng: random.Random, data: Any) -> None:
    """Change one thing: half of all times a number, so that much is taken and reaches the rules."""
    if rng.random() < 0.5 and _move_number(rng, data):
        return
    where, key = rng.choice(list(_places(data)) or [(data, None)])
    how = rng.randrange(9)
    if key is None or how == 0:
        if isinstance(where, dict):
            where[rng.choice(("front_tyres", "armour", "\x1b[2J", "", "a.b", "hp", "stats", "x" * 300))] = _junk(rng)
        else:
            where.append(_junk(rng))
    elif how == 1:
        del where[key]
    elif how == 2 and isinstance(where, dict):
        text = str(key)
        at = rng.randrange(len(text) + 1)
        where[text[:at] + rng.choice(("", "x", text[at : at + 1])) + text[at + 1 :]] = where.pop(key)
    elif how == 3 and isinstance(where, list):
        where.extend([copy.deepcopy(where[key])] * rng.choice((1, 2, 300)))
    elif how == 4:
        deep: Any = 1
        for _ in range(rng.choice((3, 15, 17, 60))):
            deep = [deep] if rng.random() < 0.5 else {"a": deep}
        where[key] = deep
    elif how == 5 and isinstance(where[key], str) and where[key]:
        text = where[key]
        at = rng.randrange(len(text))
        where[key] = text[:at] + text[at + 1 :]
    elif how == 6 and isinstance(where[key], (int, float)) and not isinstance(where[key], bool):
        where[key] = rng.choice(_NUMBERS)
    else:
        where[key] = _junk(rng)


def _spoil(rng: random.Random, text: str) -> bytes:
    """Change the text as such, seldom: cut, doubled lines, bytes, endless keys and brackets."""
    raw = text.encode("utf-8", "surrogatepass")
    at = rng.randrange(len(raw) + 1)
    how = rng.randrange(60)
    if how == 0:
        return raw[:at]
    if how == 1:
        return raw[:at] + bytes(rng.randrange(256) for _ in range(3)) + raw[at:]
    if how == 2:
        lines = raw.splitlines(keepends=True) or [b""]
        return raw + b"\n" + rng.choice(lines)
    if how == 3:
        return raw + b"\n" + b".".join([b"a"] * rng.choice((10, 17, 20_000))) + b" = 1\n"
    if how == 4:
        return raw + b"\nx = " + rng.choice((b"[", b"{a=", b'{"a":')) * rng.choice((10, 17, 5000))
    if how == 5:
        return b"\x00" * len(raw)
    return raw


def _toml(value: Any) -> str:
    """A value as TOML writes it; None, which TOML has not, as an empty table."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, datetime.date):
        return value.isoformat()
    return "{}" if value is None else repr(value)


def _catalog_text(word: str, entries: Iterable[dict[str, Any]]) -> str:
    lines = []
    for entry in entries:
        lines.append(f"[[{word}]]")
        lines += [f"{json.dumps(str(key))} = {_toml(value)}" for key, value in entry.items()]
    return "\n".join(lines) + "\n"


# -- the trials -------------------------------------------------------------------------------------------------------


class Trial:
    """One damaged input in a folder of its own: runs commands, and keeps what was wrong with their ends."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.folder = folder
        self.told: list[str] = []
        self.refused = False

    def damaged(self, data: Any) -> Any:
        for _ in range(self.rng.choice((1, 1, 1, 2, 4))):
            _damage(self.rng, data)
        return data

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_bytes(_spoil(self.rng, text))
        return path

    def run(self, *line: Any, names: str = "") -> bool:
        """Run a command; whether it did what it was asked to. A refusal has to name `names`."""
        typed = [str(part) for part in line]
        done = CliRunner().invoke(cli, typed, prog_name="mantlet")
        shown = f"mantlet {' '.join(typed)[:300]}\n{done.output[-1000:]}"
        if isinstance(done.exception, Hang):
            raise done.exception
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            self.told.append(f"{done.exception!r} of {shown}")
        elif done.exit_code not in (0, 1, 2):
            self.told.append(f"exit code {done.exit_code} of {shown}")
        elif any(fault in done.output for fault in FAULTS):
            self.told.append(f"a fault of the program: {shown}")
        elif done.exit_code and names not in done.output:
            self.told.append(f"does not name {names}: {shown}")
        self.refused = self.refused or done.exit_code != 0
        return done.exit_code == 0


def _weapon(trial: Trial) -> None:
    thing = _thing(trial.rng, "weapons")
    file = trial.file("w.toml", _catalog_text("weapon", [trial.damaged(thing)]))
    if trial.run("weapons", "--catalog", file, names=str(file)):
        name = thing["id"] if isinstance(thing.get("id"), str) else "x"
        line = ("--weapon", name, "--target", trial.rng.choice(("m4a1_75_dry", "kubelwagen", "horse", "rifle_squad")))
        trial.run("show", name, "--catalog", file)
        trial.run(
            "attack", "--ruleset", trial.rng.choice(RULESETS), *line, "--catalog", file, "--given-hit", "--seed", 1
        )


def _target(trial: Trial) -> None:
    thing = _thing(trial.rng, "targets")
    file = trial.file("t.toml", _catalog_text("target", [trial.damaged(thing)]))
    if trial.run("targets", "--catalog", file, names=str(file)):
        name = thing["id"] if isinstance(thing.get("id"), str) else "x"
        line = ("--weapon", trial.rng.choice(("kar98k", "de_75_pak40", "mg42", "us_75_m3/HE")), "--target", name)
        trial.run("show", name, "--catalog", file)
        trial.run(
            "attack", "--ruleset", trial.rng.choice(RULESETS), *line, "--catalog", file, "--given-hit", "--seed", 1
        )


def _body_plans(trial: Trial) -> None:
    shipped = _data_file("gurps_vehicle/data/bodies.toml")
    names = [name for name, plan in shipped["plan"].items() if not plan.get("variant_of")]
    name = trial.rng.choice(names)
    plans = {"plan": {name: shipped["plan"][name]}, "part": {"horn": {"kind": "limb", "penalty": -2}}}
    text = "\n".join(f"{key} = {_toml(value)}" for key, value in trial.damaged(plans).items())
    file = trial.file("b.toml", text)
    line = ("--ruleset", "gurps_vehicle", "--weapon", "kar98k", "--target", "horse", "--seed", 1, "--given-hit")
    trial.run("attack", *line, "--option", f"gurps_vehicle.body_plans={file}", names=str(file))


def _tables(trial: Trial) -> None:
    kind = trial.rng.choice(("trouble", "collision"))
    tables = _data_file(f"d100_wwii/data/{kind}.toml")
    name = trial.rng.choice(list(tables))
    text = "\n".join(f"{key} = {_toml(value)}" for key, value in trial.damaged({name: tables[name]}).items())
    file = trial.file("c.toml", text)
    weapon = "ram" if kind == "collision" else "kar98k"
    line = ("--ruleset", "d100_wwii", "--weapon", weapon, "--target", "kubelwagen", "--seed", trial.rng.randrange(50))
    more = ("--delivery", "rammed") if kind == "collision" else ()
    trial.run(
        "attack", *line, *more, "--given-hit", "--target-speed", "40kph",
        "--option", f"d100_wwii.{kind}_table={file}", names=str(file),
    )  # fmt: skip


def _state(trial: Trial) -> None:
    ruleset = trial.rng.choice(RULESETS)
    state = trial.damaged(json.loads(_saved(ruleset)))
    file = trial.file("s.json", json.dumps(state, default=str))
    before = file.read_bytes()
    if trial.run("time", "--seconds", 6, "--state", file):
        trial.run("odds", "--weapon", "kar98k", "--ruleset", ruleset, "--state", file, "--given-hit")
        trial.run(
            "attack", "--weapon", "kar98k", "--ruleset", trial.rng.choice(RULESETS), "--state", file, "--given-hit"
        )
    elif file.read_bytes() != before:
        trial.told.append(f"a state that was refused has been written over: {before[:500]!r}")


_GIVEN: Final[dict[str, tuple[str, ...]]] = {
    "--range": ("30ft", "100yd", "1000", "1e-9"), "--aspect": ("90", "rear", "-30"), "--elevation": ("30", "-10"),
    "--skill": ("veteran", "65", "gurps_vehicle=12"), "--aim": ("turret", "engine", "body"), "--rounds": ("3", "20"),
    "--delivery": ("fired", "thrown"), "--moving": ("12.5", "25mph"), "--target-speed": ("40kph", "0"),
    "--cover": ("0.5", "50%"), "--miss-distance": ("3", "30ft"), "--target": ("jeep", "sherman"),
    "--weapon": ("mg42", "us_75_m3/HE"), "--ruleset": RULESETS, "--format": ("json", "md"), "--seed": ("1", "-1"),
    "--option": ("d100_wwii.person_hp=12", "gurps_vehicle.aim_turns=2", "facing_armor.facing_blend=yes"),
}  # fmt: skip
"""Options of every command that attacks, with values that are meant."""
_GIVEN_TEXTS: Final = (
    "0", "-1", "1e400", "9" * 400, "nan", "inf", "", " ", "x", "\x1b[31m", "1" + "0" * 310, "1d6", "50,?,20", "-0",
    "100yd", "1e9", "0.5", "150%", "front", "gurps_vehicle=9e99", "d100_wwii=" + "9" * 400, "d100_wwii.person_hp=1e99",
    "d100_wwii.person_hp=" + "9" * 5000, "gurps_vehicle.aim_turns=nan", "facing_armor.ricochet_angle=inf", "a=b=c",
    "d100_wwii.kph_per_move=1e-300", "\u0663", "1_000", "0x10", "hull", "crew", "/dev/zero", "a" * 5000,
)  # fmt: skip
_OF_COMMANDS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "attack": {"--dice": ("seeded", "?,?,?,?"), "--catalog": (), "--state": ()},
    "odds": {"--shots": ("3",), "--full": ("5",), "--samples": ("100",), "--catalog": (), "--state": ()},
    "compare": {"--samples": ("100",), "--catalog": (), "--state": ()},
}


def _options(trial: Trial) -> None:
    rng = trial.rng
    command = rng.choice(list(_OF_COMMANDS))
    options = {**_GIVEN, **_OF_COMMANDS[command]}
    line = ["--weapon", "kar98k", "--target", rng.choice(("kubelwagen", "horse", "rifle_squad"))]
    for _ in range(rng.choice((1, 1, 2, 3))):
        option = rng.choice(list(options))
        line += [option, rng.choice(options[option] or ("",) if rng.random() < 0.5 else _GIVEN_TEXTS)]
    trial.run(command, "--ruleset", rng.choice(RULESETS), *line)


_ROLLS: Final = ("3d6", "d%", "2d6x3+1", "(2d6+1)x3", "3d-1", "1d6+1d4+2", "200d10", "D100", "2d6-1d4", "1d66")
_IN_ROLLS: Final = (
    "d", "x", "*", "+", "-", "(", ")", "%", "0", "9", "66", "1000", "9" * 30, " ", ",", "?", "=", "\u2212", "\u0663",
)  # fmt: skip


def _dice(trial: Trial) -> None:
    """A dice text to roll and to see the odds of, or values to be taken for the dice of an attack."""
    rng = trial.rng

    def spoilt(text: str) -> str:
        for _ in range(rng.choice((0, 1, 1, 2, 4))):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(_IN_ROLLS) + text[at + rng.randrange(2) :]
        return text

    if rng.random() < 0.5:
        text = spoilt(rng.choice(_ROLLS))
        trial.run("roll", "--seed", 1, "--", text)
        trial.run("roll", "--odds", "--", text)
    else:
        line = ("--ruleset", "facing_armor", "--weapon", "de_75_pak40", "--target", "sherman", "--given-hit")
        trial.run("attack", *line, f"--dice={spoilt(rng.choice(('?,?,?,?', '12,?,?,?', '12,80.5,3')))}")


TRIALS: Final[dict[str, Callable[[Trial], None]]] = {
    "weapon": _weapon,
    "target": _target,
    "body plans": _body_plans,
    "tables": _tables,
    "state": _state,
    "options": _options,
    "dice": _dice,
}


class Hang(BaseException):
    """A command has not come to its end."""


def _hang(*_: Any) -> None:
    raise Hang


def attempt(seed: int, parent: str) -> Result:
    """Make the damaged input of this number, put it through the command line, and say what came of it."""
    kind = list(TRIALS)[seed % len(TRIALS)]
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _hang)
        signal.alarm(HANGS_AFTER_S)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        trial = Trial(seed, Path(folder))
        try:
            TRIALS[kind](trial)
        except Hang:
            pass  # or somebody has caught it, and told of it as of a fault: the time counts
        finally:
            if hasattr(signal, "SIGALRM"):
                signal.alarm(0)
    seconds = time.perf_counter() - start
    if seconds >= HANGS_AFTER_S:
        trial.told.append(f"no end after {HANGS_AFTER_S} s")
    return Result(seed, kind, trial.refused, "\n".join(trial.told), seconds)


def memory_mb() -> float:
    """The most memory that this process and those it waited for have had, in MB; 0 where no system says so."""
    try:
        import resource
    except ImportError:
        return 0.0
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(who).ru_maxrss for who in both) / (1024 if sys.platform != "darwin" else 1024**2)


def attempt_all(seeds: Iterable[int], parent: str, processes: int = 1) -> list[Result]:
    """The results of all these numbers, on so many processes."""
    if processes == 1:
        return [attempt(seed, parent) for seed in seeds]
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(attempt, seeds, repeat(parent), chunksize=50))


def counts(results: list[Result]) -> str:
    """What was tried and what came of it, in one line."""
    accepted = Counter(result.kind for result in results if not result.refused)
    kinds = ", ".join(f"{accepted[kind]} of {n} {kind}" for kind, n in Counter(r.kind for r in results).items())
    refused = sum(result.refused for result in results)
    hangs = sum("no end after" in result.told for result in results)
    faults = sum(bool(result.told) for result in results) - hangs
    slowest = max(results, key=lambda result: result.seconds)
    return (
        f"{len(results)} tried: {refused} refused, {len(results) - refused} accepted ({kinds}), {faults} faults, "
        f"{hangs} hangs, slowest {slowest.seconds:.1f} s ({slowest.seed}), most memory {memory_mb():.0f} MB"
    )


if __name__ == "__main__":
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as folder:
        many = int(sys.argv[1])
        found = attempt_all(range(first, first + many), folder, 1 if many < 50 else 2)
    for result in found:
        if result.told:
            print(f"-- {result.seed}, {result.kind}:\n{result.told}\n")
    print(counts(found))
