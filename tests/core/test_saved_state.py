"""A state belongs to one process at a time and to one ruleset; what it knows need not be typed again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli_guest import Coins, install_guest
from cli_run import COIN_SHOT, data, fail, mantlet, succeed
from mantlet.campaign import lock, replacing
from mantlet.campaign import state as states
from mantlet.campaign.lock import hold
from mantlet.campaign.state import read_state
from mantlet.errors import CatalogError

ATTACK = f"attack --ruleset coins {COIN_SHOT}"
WOUND = "--dice 34,2,9"
"""Hits the hull and wounds the next man."""


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A Sherman whose commander is wounded."""
    file = tmp_path / "tank.json"
    succeed(f"{ATTACK} {WOUND} --state {file}")
    return file


def content(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))


def change(file: Path, **values: Any) -> None:
    state = content(file)
    for path, value in values.items():
        inside, _, key = path.rpartition("__")
        (state[inside] if inside else state)[key] = value
    file.write_text(json.dumps(state), "utf-8")


# -- one process at a time ----------------------------------------------------------------------------------------

SHOOTER = textwrap.dedent(
    """
    import random
    import sys
    import time
    from mantlet.campaign.lock import hold
    from mantlet.campaign.state import read_state, write_state
    from mantlet.catalog import Catalog
    from pathlib import Path
    from cli_guest import Bruises, Coins

    file, shots = Path(sys.argv[1]), int(sys.argv[2])
    rules, tank = Coins(), Catalog().target("m4a1_75_dry")
    for shot in range(shots):
        with hold(file, lambda text: print(text, file=sys.stderr)):
            before = read_state(file)
            hits = 1 + (before.condition["detail"]["hits"] if before else 0)
            condition = rules.fresh(tank)._replace(ruleset="coins", detail=Bruises(hits))
            write_state(file, tank, rules, condition, None, before)
        print(hits, flush=True)  # acknowledged
        time.sleep(0.05 * random.random())  # the other one's turn
    """
)


def shooter(file: Path, shots: int, told: Path) -> subprocess.Popen[bytes]:
    """A process that fires shots at a state, one after the other, and tells in a file the number of each it saved."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with told.open("ab") as out:
        return subprocess.Popen([sys.executable, "-c", SHOOTER, str(file), str(shots)], stdout=out, env=env)


def numbers(told: Path) -> list[int]:
    return [int(line) for line in told.read_text("ascii").splitlines(keepends=True) if line.endswith("\n")]


def test_two_processes_lose_no_shot(tmp_path: Path) -> None:
    file, told = tmp_path / "tank.json", [tmp_path / "one", tmp_path / "two"]
    for process in [shooter(file, 30, out) for out in told]:
        assert process.wait(timeout=120) == 0
    assert [len(numbers(out)) for out in told] == [30, 30]
    assert sorted([*numbers(told[0]), *numbers(told[1])]) == list(range(1, 61))
    assert content(file)["condition"]["detail"]["hits"] == 60


def kill_shooters(folder: Path, kills: int) -> None:
    """Two writers, killed in the midst of it again and again: each time the state is whole, and has all that was told.

    Each writer may have saved one shot more than it could tell. The next save leaves nothing but the state and its
    backup.
    """
    folder.mkdir()
    file, before = folder / "tank.json", 0
    for turn in range(kills):
        told = [folder.with_name(f"{folder.name}-{turn}-{n}") for n in (1, 2)]
        processes = [shooter(file, 10_000, out) for out in told]
        while not all(map(numbers, told)):
            assert all(process.poll() is None for process in processes)
            time.sleep(0.001 * (turn % 7))
        for process in processes:
            process.kill()
        for process in processes:
            process.wait(timeout=60)
        saved = sorted([*numbers(told[0]), *numbers(told[1])])
        assert len(set(saved)) == len(saved)
        assert saved[0] > before
        state = read_state(file)
        assert state is not None
        before = state.condition["detail"]["hits"]
        assert saved[-1] <= before <= saved[-1] + 2
    succeed(f"{ATTACK} --dice 34,2,11 --state {file}")
    assert sorted(p.name for p in folder.iterdir()) == ["tank.json", "tank.json.bak"]


def test_a_kill_while_two_write_loses_nothing_that_was_told(tmp_path: Path) -> None:
    kill_shooters(tmp_path / "game", 2)


@pytest.mark.slow
def test_many_kills_while_two_write_lose_nothing_that_was_told(tmp_path: Path) -> None:
    kill_shooters(tmp_path / "game", 150)


COMMANDS = {
    "attack": f"{ATTACK} --dice 34,2,11",
    "time": "time --seconds 30",
    "a plugin's": "douse --dice 4",
    "convert": "state convert {} --to pennies",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_whoever_writes_waits_and_says_for_whom(command: str, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()
    monkeypatch.setattr(lock, "SILENT_S", 0.05)
    monkeypatch.setattr(lock, "LONGEST_S", 0.15)
    line = command.format(saved) if "{}" in command else f"{command} --state {saved}"
    with hold(saved, print):
        told = fail(line, 1)
    assert f"waiting for another mantlet (process {os.getpid()}) that holds {saved}\n" in told
    assert f"{saved} is still held by another mantlet (process {os.getpid()}) after 0.15 s; nothing was done." in told
    assert saved.read_bytes() == before
    succeed(line)  # nobody holds it any more


def test_whoever_only_reads_does_not_wait(saved: Path) -> None:
    with hold(saved, print):
        succeed(f"odds --weapon us_75_m3 --state {saved}")
        succeed(f"compare --weapon us_75_m3 --state {saved}")
        succeed(f"state convert {saved} --to pennies --dry-run")


def test_a_state_is_one_by_whatever_name(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(saved)
    monkeypatch.chdir(tmp_path)
    assert lock.key_of(link) == lock.key_of(Path("tank.json")) == lock.key_of(saved) != lock.key_of(tmp_path / "other")


def test_what_somebody_else_wrote_meanwhile_is_not_overwritten(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does not take the lock (an editor, another user) is found out when the state is saved."""

    def edited(rules: Coins, detail: Any) -> Any:
        change(saved, campaign="edited")
        return {"hits": detail.hits}

    monkeypatch.setattr(Coins, "dump_detail", edited)
    result = mantlet(f"{ATTACK} --dice 34,2,11 --state {saved}")
    assert result.exit_code == 1
    assert "1 killed" in result.stdout
    assert f"{saved} has changed since it was read: something else wrote it. Nothing was saved." in result.stderr
    assert content(saved)["campaign"] == "edited"


def test_a_directory_of_somebody_else_holds_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock.tempfile, "gettempdir", lambda: str(tmp_path))
    place = tmp_path / (f"mantlet-{os.getuid()}" if hasattr(os, "getuid") else "mantlet")
    place.write_text("", "utf-8")
    with pytest.raises(CatalogError, match="No state can be locked in"):
        hold(tmp_path / "tank.json", print)


# -- what is written can be read again ----------------------------------------------------------------------------


def test_a_seed_that_no_state_could_hold_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tank.json"
    for command in (f"{ATTACK} --state {file}", "roll 1d6", f"odds {COIN_SHOT} --ruleset coins"):
        for seed in ("9" * 19, "-" + "9" * 19, "9" * 310, "9" * 5000, "1.5", "x"):
            assert "Expected a whole number of at most 18 digits" in fail(f"{command} --seed {seed}", 2)
    assert not file.exists()
    for seed in ("9" * 18, "-" + "9" * 18):
        succeed(f"{ATTACK} --seed {seed} --state {file}")
        assert str(content(file)["dice"]["seed"]) == seed
        succeed(f"time --seconds 1 --state {file}")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (10**30, "it gave what no state can hold: a number has too many digits: 31, and 19 are the most"),
        (float("nan"), "it gave what no state can hold: Out of range float values"),
        ({1, 2}, "it gave what no state can hold: Object of type set is not JSON serializable"),
        (json.loads("[" * 30 + "]" * 30), "it gave what no state can hold: line 1 is nested too deeply"),
        ("\ud800", "for it could not be read again: "),
        ("x" * 5_000_000, "for it could not be read again: it would be larger than 5 MB"),
    ],
    ids=["number", "nan", "set", "nested", "half_a_character", "large"],
)
def test_a_detail_that_no_state_could_hold_is_not_saved(
    given: Any, said: str, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack is told all the same: dice have been rolled."""
    before = saved.read_bytes()
    monkeypatch.setattr(Coins, "dump_detail", lambda rules, detail: {"hits": given})
    result = mantlet(f"{ATTACK} --dice 34,2,11 --state {saved}")
    assert result.exit_code == 1
    assert "1 killed" in result.stdout
    assert said in result.stderr
    assert ("Ruleset coins (plugin coin, coin-rules 1.0) failed: it gave" in result.stderr) == said.startswith(
        "it gave"
    )
    assert saved.read_bytes() == before


def test_a_catalog_file_whose_name_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tank.json"
    odd = tmp_path / os.fsdecode(b"\xff.toml")
    try:
        odd.write_text("", "utf-8")
    except OSError:
        pytest.skip("the file system has no such names")
    result = mantlet(f"{ATTACK} {WOUND} --state {file} --catalog {odd}")
    assert result.exit_code == 1
    assert "could not be read again" in result.stderr
    assert not file.exists()


def test_dice_without_number_begin_another_seed(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "MOST_THROWN", 3)
    result = mantlet(f"{ATTACK} --seed 11 --skill 99 --state {saved}")
    assert result.exit_code == 0
    assert "Of seed 11 4 dice are thrown: the next command begins another." in result.stderr
    assert content(saved)["dice"] is None
    succeed(f"time --seconds 1 --state {saved}")


# -- a state belongs to its ruleset -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["attack --ruleset pennies --weapon us_75_m3", "time --ruleset pennies --seconds 3"]
)
def test_a_command_of_another_ruleset_does_not_write_a_state(command: str, saved: Path) -> None:
    before = saved.read_bytes()
    told = fail(f"{command} --state {saved}", 2)
    assert f"{saved} is a state of coins, and pennies would write it." in told
    assert f"mantlet state convert {saved} --to pennies" in told
    assert saved.read_bytes() == before


def test_who_only_reads_takes_over_the_neutral_facts_and_says_so(saved: Path) -> None:
    before = saved.read_bytes()
    result = mantlet(f"odds --ruleset pennies --weapon us_75_m3 --state {saved}")
    assert result.exit_code == 0
    assert result.stderr == "The state was written by coins 1.2; pennies 0.1 takes over its neutral facts.\n"
    result = mantlet(f"compare --weapon us_75_m3 --state {saved}")
    assert result.exit_code == 0
    assert result.stderr == "The state is one of coins: pennies takes over its neutral facts.\n"
    assert saved.read_bytes() == before


def test_compare_goes_on_from_a_state(saved: Path) -> None:
    change(saved, condition__people=["wounded", "fit", "dead", "dead", "dead"])
    succeed(f"{ATTACK} --dice 34,2,11 --state {saved}")  # the only fit one is killed
    results = data(f"compare --weapon us_75_m3 --state {saved}")["results"]
    assert [(result["ruleset"], result["odds"]["crew_hit"]) for result in results] == [("coins", 0.0), ("pennies", 0.0)]
    assert "There is no state file" in fail(f"compare {COIN_SHOT} --state {saved}x", 1)


def test_a_state_is_handed_to_another_ruleset_on_purpose(saved: Path) -> None:
    succeed(f"{ATTACK} --target-speed 30kph --dark --seed 3 --state {saved}")
    before = saved.read_bytes()
    told = data(f"state convert {saved} --to pennies --dry-run")
    assert (told["written"], told["left_behind"]) == (False, {"hits": content(saved)["condition"]["detail"]["hits"]})
    assert told["carried_over"]["people"] == content(saved)["condition"]["people"]
    assert (told["carried_over"]["target_speed_kph"], told["carried_over"]["dark"]) == (30.0, True)
    assert saved.read_bytes() == before
    assert saved.with_name("tank.json.bak").read_bytes() != before

    dice, people = content(saved)["dice"], content(saved)["condition"]["people"]
    text = succeed(f"state convert {saved} --to pennies")
    assert "M4A1 (75) Sherman, dry: coins 1.2 to pennies 0.1" in text
    assert "Not carried over\n  hits: " in text
    after = content(saved)
    assert (after["ruleset"]["name"], after["dice"], after["condition"]["people"]) == ("pennies", dice, people)
    assert (after["condition"]["detail"], after["situation"]["dark"]) == (None, True)
    assert saved.with_name("tank.json.bak").read_bytes() == before
    succeed(f"attack --weapon us_75_m3 --dice 99 --state {saved}")


def test_a_state_of_a_ruleset_that_is_gone_can_be_handed_on(saved: Path) -> None:
    change(saved, ruleset={"name": "farthings", "version": "9", "options": {}}, condition__ruleset="farthings")
    told = data(f"state convert {saved} --to pennies")
    assert (told["written"], told["left_behind"]) == (True, {"hits": 1})
    assert content(saved)["ruleset"]["name"] == "pennies"


def test_a_state_stays_as_it_is_when_it_is_converted_to_itself(saved: Path) -> None:
    before = saved.read_bytes()
    assert "It is that already: nothing was written." in succeed(f"state convert {saved} --to coins")
    assert saved.read_bytes() == before
    assert "No ruleset is called 'coinz'" in fail(f"state convert {saved} --to coinz", 1)
    assert "There is no state file" in fail(f"state convert {saved}x --to coins", 1)


NOTHING = {
    "time": "time --seconds 30",
    "a seed that throws no die": "time --seconds 30 --seed 8",
    "a miss with dice given": f"{ATTACK} --dice 99",
    "an option as it is": f"{ATTACK} --dice 99 --option coins.toughness=7",
    "a target as it is": f"{ATTACK} --dice 99".replace("m4a1_75_dry", "M4A1_75_DRY"),
}


@pytest.mark.parametrize("command", NOTHING.values(), ids=NOTHING)
@pytest.mark.parametrize("of_format_1", [False, True])
def test_a_command_that_does_nothing_writes_nothing(command: str, of_format_1: bool, saved: Path) -> None:
    if of_format_1:
        make_format_1(saved)
    os.utime(saved, ns=(10**18, 10**18))
    before = saved.read_bytes()
    succeed(f"{command} --state {saved}")
    assert saved.read_bytes() == before
    assert saved.stat().st_mtime_ns == 10**18
    assert [p.name for p in saved.parent.iterdir()] == ["tank.json"]


def test_dice_that_go_on_are_saved_even_after_a_miss(saved: Path) -> None:
    succeed(f"{ATTACK} --seed 1 --skill 0 --state {saved}")
    assert content(saved)["dice"] == {"seed": 1, "thrown": 1}


# -- what the state knows -----------------------------------------------------------------------------------------


def make_format_1(file: Path) -> None:
    state = content(file)
    del state["situation"], state["catalog"]
    file.write_text(json.dumps({**state, "mantlet_state": 1}), "utf-8")


def test_a_state_of_the_first_format_is_read_and_written_as_the_second(saved: Path) -> None:
    make_format_1(saved)
    state = read_state(saved)
    assert state is not None
    assert (state.situation, state.catalog) == (None, None)
    succeed(f"attack --weapon us_75_m3 --dice 34,2,11 --state {saved}")
    assert (content(saved)["mantlet_state"], content(saved)["catalog"]) == (2, [])
    assert content(saved)["condition"]["people"][:2] == ["wounded", "dead"]


FLAGS = {
    "--target-speed 48mph": ("target_speed_kph", 48 * 1.609344, "--target-speed 0", 0.0),
    "--unbuttoned": ("buttoned", False, "--buttoned", True),
    "--dark": ("dark", True, "--light", False),
    "--hull-down": ("hull_down", True, "--hull-exposed", False),
    "--cover 50%": ("cover", 0.5, "--cover 0", 0.0),
}


@pytest.mark.parametrize("flag", FLAGS)
def test_the_situation_is_kept_until_a_flag_changes_it(flag: str, saved: Path) -> None:
    name, value, other, back = FLAGS[flag]
    shot = f"attack --weapon us_75_m3 --dice 99 --state {saved}"
    told = data(f"{shot} {flag}")
    assert told["attack"][name] == told["situation"][name] == content(saved)["situation"][name] == pytest.approx(value)
    before = saved.read_bytes()
    for kept in (shot, f"odds --weapon us_75_m3 --state {saved}", f"compare --weapon us_75_m3 --state {saved}"):
        assert data(kept)["attack"][name] == pytest.approx(value)
    assert data(f"odds --weapon us_75_m3 --state {saved} {other}")["attack"][name] == back  # and writes nothing
    succeed(f"time --seconds 3 --state {saved}")
    assert saved.read_bytes() == before
    assert data(f"{shot} {other}")["attack"][name] == content(saved)["situation"][name] == back
    assert data(shot)["attack"][name] == back


def test_what_cannot_move_stands_still(saved: Path) -> None:
    told = data(f"attack --weapon us_75_m3 --target-speed 30kph --dice 34,5,9 --state {saved}")  # the tracks
    assert (told["condition"]["mobility"], told["situation"]["target_speed_kph"]) == ("none", 0.0)
    assert data(f"attack --weapon us_75_m3 --dice 99 --state {saved}")["attack"]["target_speed_kph"] == 0.0


WRONG = {
    "speed": ("target_speed_kph", -3, "situation.target_speed_kph has to be at least 0 and at most 2000, not -3"),
    "no number": ("cover", "half", "situation.cover has to be a number"),
    "truth": ("dark", 1, "situation.dark has to be true or false"),
    "misspelt": ("buttonned", True, "No key is called 'buttonned' in situation. Did you mean buttoned?"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_situation_that_cannot_be_is_refused(kind: str, saved: Path) -> None:
    key, value, said = WRONG[kind]
    change(saved, situation={**content(saved)["situation"], key: value})
    assert said in fail(f"attack --weapon us_75_m3 --state {saved}", 1)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("situation", [], "situation has to be an object"),
        ("catalog", "mine.toml", "catalog has to be a list"),
        ("catalog", [3], "catalog[0] has to be the name of a file, not 3"),
    ],
)
def test_other_parts_are_checked_as_well(key: str, value: Any, said: str, saved: Path) -> None:
    change(saved, **{key: value})
    assert said in fail(f"odds --weapon us_75_m3 --state {saved}", 1)


@pytest.mark.parametrize("command", [ATTACK, f"odds --ruleset coins {COIN_SHOT}", f"compare {COIN_SHOT}"])
def test_a_contradicting_option_is_refused(command: str, saved: Path) -> None:
    before = saved.read_bytes()
    told = fail(f"{command} --option coins.toughness=1 --state {saved}", 2)
    assert f"{saved} is played with coins.toughness=7, and --option coins.toughness=1 contradicts it." in told
    assert f"mantlet state convert {saved} --to coins --option coins.toughness=1." in told
    assert saved.read_bytes() == before
    succeed(f"state convert {saved} --to coins --option coins.toughness=1")
    assert data(f"{ATTACK} --dice 34,2,9 --state {saved}")["outcome"]["damage"] == 8


def test_an_option_that_says_how_things_are_may_change(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coins, "changing_options", frozenset(["edge"]))
    succeed(f"{ATTACK} --dice 99 --option coins.edge=tails --state {saved}")
    assert content(saved)["ruleset"]["options"]["edge"] == "tails"
    assert data(f"{ATTACK} --dice 99 --state {saved}")["options"]["edge"] == "tails"


CART = """
[[target]]
id = "cart"
name = "{}"
kind = "vehicle"
body = "wagon"
seats = [{{ role = "driver", compartment = "front" }}]
"""


def test_a_catalog_is_named_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "mine.toml").write_text(CART.format("Hay cart"), "utf-8")
    monkeypatch.chdir(game)
    shot = "--weapon us_75_m3 --dice 34,2,9 --state cart.json"
    succeed(f"attack --ruleset coins --target cart --catalog mine.toml {shot}")
    assert content(game / "cart.json")["catalog"] == ["mine.toml"]
    monkeypatch.chdir(tmp_path)
    game = game.rename(tmp_path / "moved")
    for command in ("attack --weapon us_75_m3", "time --seconds 3", "odds --weapon us_75_m3", "douse --dice 4"):
        succeed(f"{command} --state moved/cart.json")
    assert content(game / "cart.json")["catalog"] == ["mine.toml"]

    other = tmp_path / "other.toml"
    other.write_text(CART.format("Dung cart"), "utf-8")
    told = fail(f"attack --weapon us_75_m3 --catalog {other} --state moved/cart.json", 2)
    assert "moved/cart.json is the state of cart, and --catalog has another of that name." in told

    (game / "mine.toml").rename(tmp_path / "elsewhere.toml")
    told = fail("attack --weapon us_75_m3 --state moved/cart.json", 1)
    assert "moved/cart.json takes the catalog file" in told
    assert "which is gone: say where it is with --catalog" in told
    succeed("attack --weapon us_75_m3 --seed 1 --catalog elsewhere.toml --state moved/cart.json")
    assert content(game / "cart.json")["catalog"] == [str(tmp_path / "elsewhere.toml")]


# -- what is replaced ---------------------------------------------------------------------------------------------


def test_what_killed_processes_left_is_cleared_away(saved: Path) -> None:
    folder = saved.parent
    unfinished = folder / f"{replacing._prefix(saved)}half"
    old, new = folder / ".mantlet-old", folder / ".mantlet-new"
    for file in (unfinished, old, new):
        file.write_text("{", "utf-8")
    os.utime(old, (1, 1))
    succeed(f"{ATTACK} --dice 34,2,11 --state {saved}")
    assert sorted(p.name for p in folder.iterdir()) == [".mantlet-new", "tank.json", "tank.json.bak"]


def test_a_hard_link_is_told(saved: Path) -> None:
    os.link(saved, saved.with_name("twin.json"))
    result = mantlet(f"{ATTACK} --dice 34,2,11 --state {saved}")
    assert result.exit_code == 0
    assert f"{saved} has 2 names (hard links): the others keep what was saved before" in result.stderr
    assert content(saved)["condition"]["people"][1] == "dead"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_owner_and_group_are_kept(saved: Path) -> None:
    os.chown(saved, 12345, 23456)
    saved.chmod(0o664)
    succeed(f"{ATTACK} --dice 34,2,11 --state {saved}")
    for file in (saved, saved.with_name("tank.json.bak")):
        found = file.stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (12345, 23456, 0o664)


@pytest.mark.skipif(os.name != "posix", reason="files have no owner that could be kept")
def test_an_owner_that_cannot_be_kept_is_told(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    real = os.stat(saved)
    monkeypatch.setattr(Path, "stat", as_owned_by(12345, 23456, saved, real, Path.stat))
    monkeypatch.setattr(os, "chown", forbidden)
    result = mantlet(f"{ATTACK} --dice 34,2,11 --state {saved}")
    assert result.exit_code == 0
    assert f"{saved} does not keep its group (23456): Operation not permitted." in result.stderr
    assert f"{saved} does not keep its owner (12345): Operation not permitted." in result.stderr


def as_owned_by(
    uid: int, gid: int, file: Path, found: os.stat_result, real_stat: Callable[..., os.stat_result]
) -> Callable[..., os.stat_result]:
    """`Path.stat` of a system on which this file belongs to somebody else."""

    def stat(path: Path, **options: Any) -> os.stat_result:
        return os.stat_result((*found[:4], uid, gid, *found[6:])) if path == file else real_stat(path, **options)

    return stat


# -- contradictions -----------------------------------------------------------------------------------------------


def test_what_is_destroyed_is_knocked_out(saved: Path) -> None:
    change(saved, condition__destroyed=True)
    said = "condition.destroyed is true and condition.knocked_out is not: what is destroyed is knocked out"
    for command in ("odds --weapon us_75_m3", "attack --weapon us_75_m3", "time --seconds 3"):
        assert said in fail(f"{command} --state {saved}", 1)
    change(saved, condition__knocked_out=True)
    succeed(f"odds --weapon us_75_m3 --state {saved}")


def test_a_moving_vehicle_whose_driver_is_dead_is_valid(saved: Path) -> None:
    change(saved, condition__people=["fit", "fit", "fit", "dead", "fit"], situation={"target_speed_kph": 40})
    assert data(f"attack --weapon us_75_m3 --dice 99 --state {saved}")["attack"]["target_speed_kph"] == 40


def test_a_team_whose_every_man_is_dead_does_not_fight(tmp_path: Path) -> None:
    file = tmp_path / "squad.json"
    succeed(f"attack --ruleset coins --weapon us_75_m3/HE --target infantry_squad --dice 99 --state {file}")
    men = len(content(file)["condition"]["people"])
    change(file, condition__people=["dead"] * men)
    said = "everybody of infantry_squad is dead, and condition.knocked_out is false. It is left as it is."
    assert said in fail(f"attack --weapon us_75_m3/HE --state {file}", 1)
    change(file, condition__people=["dead"] * (men - 1) + ["out"])
    succeed(f"attack --weapon us_75_m3/HE --dice 99 --state {file}")
