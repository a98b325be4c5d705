"""Plugins that do wrong while a command runs, installed for real: plugin, method and line are named, nothing is saved.

Where a process may end or hang, the command is one of its own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from broken_plugins import SHIPPED, SOUND_PLUGIN, SOUND_RULES, hook, install
from cli_run import fail, mantlet, succeed
from mantlet.plugins.loading import load_plugins
from mantlet.plugins.registry import watched

SHOT = "--weapon us_75_m3 --target pz4_h --seed 1"
WAITING = "Waiting for plugin rude (rude 1.0), which is still {}; MANTLET_SKIP_PLUGINS=rude leaves it out."
ENDED = "Error: mantlet ended while plugin rude (rude 1.0) was {}; MANTLET_SKIP_PLUGINS=rude leaves it out."


@pytest.fixture(autouse=True)
def _modules_are_forgotten() -> Iterator[None]:
    yield
    for name in ("sound_plugin", "sound_rules", "odd_plugin"):
        sys.modules.pop(name, None)


def environment(site: Path, **more: str) -> dict[str, str]:
    path = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **more}


def command(site: Path, line: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A line as typed after `mantlet`, beside the plugins installed in the directory."""
    return subprocess.run(
        [sys.executable, "-m", "mantlet", *line.split()],
        env=environment(site, **more),
        text=True,
        capture_output=True,
        check=False,
        timeout=120,
    )


# -- a plugin that hangs, or ends the process, while it is imported or at work -----------------------------------------

ENDINGS = {
    "exit_0": ("import os; os._exit(0)", 1),
    "exit_7": ("import os; os._exit(7)", 7),
    "crash": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
    "killed": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "in_a_hook": (hook("mantlet_rulesets", "import os; os._exit(0)"), 1),
    "another_program": ("import os; os.execlp('true', 'true')", 1),
    "another_program_and_environment": ("import os; os.execve('/bin/true', ['true'], {})", 1),
}
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="plugins are watched where a process can be forked")


@posix
@pytest.mark.parametrize("kind", ENDINGS)
def test_a_plugin_that_ends_the_process_is_named_last_and_the_command_has_failed(kind: str, tmp_path: Path) -> None:
    source, code = ENDINGS[kind]
    install(tmp_path, "rude", rude_plugin=source)
    done = command(tmp_path, f"attack --ruleset facing_armor {SHOT}")
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.splitlines()[-1] == ENDED.format("being imported")
    if kind == "exit_0":
        assert command(tmp_path, f"attack --ruleset facing_armor {SHOT}", MANTLET_SKIP_PLUGINS="rude").returncode == 0


@posix
def test_a_ruleset_that_ends_the_process_when_it_is_imported_is_named_too(tmp_path: Path) -> None:
    install(tmp_path, "rude", rude_plugin=SOUND_PLUGIN, sound_rules="import os; os._exit(0)")
    done = command(tmp_path, f"attack --ruleset sound {SHOT}")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", ENDED.format("being imported") + "\n")
    assert command(tmp_path, f"attack --ruleset facing_armor {SHOT}").returncode == 0, "it is not imported for another"


@posix
@pytest.mark.parametrize("how", ["import time; time.sleep(60)", "while True: pass"], ids=["sleeps", "loops"])
def test_a_plugin_that_is_waited_for_is_named_and_an_interrupt_ends_the_waiting(how: str, tmp_path: Path) -> None:
    install(tmp_path, "rude", rude_plugin=how)
    assert_waited_for(tmp_path, f"attack --ruleset facing_armor {SHOT}", "being imported")


def assert_waited_for(site: Path, line: str, doing: str) -> None:
    """The command says that it waits for plugin `rude`, and ends by Ctrl-C."""
    running = subprocess.Popen(
        [sys.executable, "-m", "mantlet", *line.split()],
        env=environment(site),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stderr is not None
    assert running.stderr.readline() == WAITING.format(doing) + "\n"
    os.killpg(running.pid, signal.SIGINT)  # what a terminal does at Ctrl-C
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err.strip()) == (130, "", "Aborted.")


ENDLESS = "import time; time.sleep(60)"
LEAVING = "import os; os._exit(0)"
WORKING = {
    "options": ("    def covers", "    def __init__(self, *given): {}\n    def covers"),
    "covers": ("return None", "{}"),
    "plan": ("return Plan(attack=attack, target=target)", "{}"),
    "resolve": ("return outcome(0, condition)", "{}"),
}


def install_rude(site: Path, part: str, what: str) -> str:
    """A ruleset of plugin `rude` that does this in that part of it; gives the command that calls it."""
    rules, plugin = SOUND_RULES, SOUND_PLUGIN
    if part in WORKING:
        where, instead = WORKING[part]
        rules = SOUND_RULES.replace(where, instead.format(what), 1)
        assert rules != SOUND_RULES
    else:
        plugin += f"def work(*given): {what}\n@hookimpl\ndef {part}(): return "
        plugin += "[('.rude', work)]\n" if part == "mantlet_importers" else "[work]\n"
    install(site, "rude", rude_plugin=plugin, sound_rules=rules)
    (site / "my.rude").write_text("", "utf-8")
    files = f" --catalog {site}/my.rude" if part == "mantlet_importers" else ""
    return f"attack --ruleset sound {SHOT} --state {site}/state.json{files}"


PARTS = [*WORKING, "mantlet_importers", "mantlet_observers"]


@posix
@pytest.mark.parametrize("part", PARTS)
def test_a_plugin_that_does_not_end_its_work_is_named(part: str, tmp_path: Path) -> None:
    line = install_rude(tmp_path, part, ENDLESS)
    assert_waited_for(tmp_path, line, "at work")
    assert not (tmp_path / "state.json").exists()


@posix
def test_odds_name_a_plugin_that_does_not_end_its_work(tmp_path: Path) -> None:
    install_rude(tmp_path, "resolve", ENDLESS)
    assert_waited_for(tmp_path, f"compare --ruleset facing_armor --ruleset sound {SHOT}", "at work")


@posix
@pytest.mark.parametrize("part", PARTS)
def test_a_plugin_that_ends_the_process_at_work_is_named_and_nothing_is_saved(part: str, tmp_path: Path) -> None:
    done = command(tmp_path, install_rude(tmp_path, part, LEAVING))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", ENDED.format("at work") + "\n")
    assert not (tmp_path / "state.json").exists()


@posix
def test_the_name_of_a_plugin_that_ends_the_process_steers_no_terminal(tmp_path: Path) -> None:
    install(tmp_path, "rude", rude_plugin=LEAVING)
    info = tmp_path / "rude-1.0.dist-info" / "METADATA"
    info.write_text("Metadata-Version: 2.1\nName: rude\x1b[2J\u202e\nVersion: 1.0\n", "utf-8")
    done = command(tmp_path, f"attack --ruleset facing_armor {SHOT}")
    assert done.stderr == ENDED.format("being imported").replace("(rude 1.0)", r"(rude\x1b[2J<U+202E> 1.0)") + "\n"


@posix
def test_a_plugin_is_watched_in_one_process(tmp_path: Path) -> None:
    """However often it is called: a fork for each would take longer than the attack."""
    plugin = SOUND_PLUGIN + "import os\nos.register_at_fork(after_in_parent=lambda: print('forked'))\n"
    install(tmp_path, "rude", rude_plugin=plugin, sound_rules=SOUND_RULES)
    done = command(tmp_path, f"odds --ruleset sound {SHOT} --shots 3 --full 3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "forked" not in done.stdout  # the one process was there before the plugin


@posix
def test_a_plugin_may_take_its_time_and_fork(tmp_path: Path) -> None:
    slow = "import os, time\ntime.sleep(2)\nchild = os.fork()\nif not child: os._exit(0)\n"
    slow += "assert os.waitpid(child, 0)[1] == 0\nprint('loaded')\n"
    install(tmp_path, "rude", rude_plugin=slow + SOUND_PLUGIN, sound_rules=SOUND_RULES)
    done = command(tmp_path, f"odds --ruleset sound --format json {SHOT}")
    assert done.returncode == 0
    assert json.loads(done.stdout)["covers"]
    assert done.stderr == WAITING.format("being imported") + "\nloaded\n"


def test_nothing_watches_where_only_mantlets_own_plugins_are_imported(monkeypatch: pytest.MonkeyPatch) -> None:

    def refuse() -> int:
        raise AssertionError("a process was forked")

    monkeypatch.setattr(os, "fork", refuse, raising=False)
    plugins = load_plugins(watch=watched)
    assert [plugins.ruleset(name).name for name in SHIPPED] == SHIPPED


# -- results that are none ---------------------------------------------------------------------------------------------

PLAN = "return Plan(attack=attack, target=target)"
END = "return outcome(0, condition)"
BARE = "from mantlet import Outcome; return Outcome"

# fmt: off
WRONG = {
    "covers_is_false": ("return None", "return False", "covers", "it gave False, and has to give None or one sentence"),
    "plan_without_return": (PLAN, PLAN[7:], "plan", "it gave None and no mantlet.Plan: is a return missing?"),
    "plan_is_text": (PLAN, "return 'yes'", "plan", "it gave a str and no mantlet.Plan"),
    "notes_are_text": (PLAN, PLAN[:-1] + ", notes='near')", "plan", "plan.notes is 'near', not a tuple"),
    "resolve_without_return": (END, END[7:], "resolve", "it gave None and no mantlet.Outcome: is a return missing?"),
    "resolve_is_text": (END, "return 'hit'", "resolve", "it gave a str and no mantlet.Outcome"),
    "location_is_text": (END, END[:-1] + ", locations=('hull',))", "resolve",
                         "locations holds 'hull', not a mantlet.Location"),
    "wounded_negative": (END, END[:-1] + ", wounded=-1)", "resolve", "wounded is -1, not a whole number of at least 0"),
    "damage_is_text": (END, END[:-1] + ", damage='much')", "resolve", "damage is 'much', not a whole number"),
    "damage_is_nan": (END, END[:-1] + ", damage=float('nan'))", "resolve", "damage is nan, not a whole number"),
    "effects_are_text": (END, BARE + "('hit', condition)", "resolve", "effects is 'hit', not a whole number"),
    "armor_is_a_number": (END, END[:-1] + ", armor=80)", "resolve", "armor is 80, not a mantlet.ArmorResult"),
}
# fmt: on


def installed(source: str, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruleset `sound` of this source, for commands in this process."""
    install(site, "bad", sound_plugin=SOUND_PLUGIN, sound_rules=source)
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def failed(what: str, source: str, site: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Path]:
    """What a command tells of a ruleset of this source, and where it would have saved."""
    installed(source, site, monkeypatch)
    state = site / "state.json"
    told = fail(f"{what.format(state=state)} --ruleset sound {SHOT}", 1)
    assert told.startswith("Error: Ruleset sound (plugin sound, bad 1.0) failed: ")
    return told, state


@pytest.mark.parametrize("what", ["attack --state {state}", "odds", "odds --shots 2", "odds --full"])
@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_result_is_named_and_nothing_is_saved(
    kind: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, instead, method, said = WRONG[kind]
    source = SOUND_RULES.replace(where, instead)
    line = 1 + source[: source.index(f"    def {method}(")].count("\n")
    told, state = failed(what, source, tmp_path, monkeypatch)
    assert said in told
    assert f"(in Rules.{method}, {tmp_path}/sound_rules.py, line {line})" in told
    assert not state.exists()


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        ("return 1 / 0", "ZeroDivisionError: division by zero"),
        ("return outcome(dice.chance(1.5, 'it hits'), condition)", "A chance lies between 0 and 1, not 1.5"),
        ("return outcome(dice.chance(-0.5, 'it hits'), condition)", "A chance lies between 0 and 1, not -0.5"),
        ("return outcome(dice.chance('half', 'it hits'), condition)", "ValueError: could not convert string to float"),
        ("return outcome(0, condition, hits=plan.hits)", "AttributeError: 'Plan' object has no attribute 'hits'"),
        ("from mantlet import Row, Table; return Table('t', '1d2', [Row(1, 1, 'a')])", "Table t: no row for 2"),
    ],
)
@pytest.mark.parametrize("what", ["attack --state {state}", "odds"])
def test_an_error_inside_rules_names_its_line(
    instead: str, said: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = SOUND_RULES.replace(END, instead)
    line = 1 + source[: source.index(instead)].count("\n")
    told, state = failed(what, source, tmp_path, monkeypatch)
    assert said in told
    assert f"(in resolve, {tmp_path}/sound_rules.py, line {line})" in told
    assert not state.exists()


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("'S1', '{} of {}', 1", "The note '{} of {}' cannot be formatted (IndexError"),
        ("'S1', 5", "The dice were given 5 where a text was expected"),
        ("None, 'over'", "The dice were given None where a text was expected"),
    ],
)
def test_a_note_that_cannot_be_told_is_the_rulesets_fault(
    note: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = SOUND_RULES.replace(END, f"dice.note({note}); {END}")
    told, state = failed("attack --state {state}", source, tmp_path, monkeypatch)
    assert said in told
    assert not state.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("_replace(mobility='none')", "condition.mobility is 'none', not FULL, REDUCED or NONE"),
        ("_replace(people=())", "condition.people has 0 states for the 5 seats of pz4_h"),
        ("_replace(people=(9,) * 5)", "condition.people is (9, 9, 9, 9, 9), not a tuple of person states"),
        ("_replace(on_fire=1)", "condition.on_fire is 1, not True or False"),
        ("_replace(destroyed=True)", "condition.destroyed is set without condition.knocked_out"),
        ("neutral.people", "it gave a tuple and no mantlet.Condition"),
    ],
)
def test_a_condition_that_is_none_is_not_saved(
    change: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = SOUND_RULES.replace("outcome(0, condition)", f"outcome(0, condition.{change})")
    told, state = failed("attack --state {state}", source, tmp_path, monkeypatch)
    assert said in told
    assert "(in Rules.resolve, " in told
    assert not state.exists()


TIMED = "    def pass_time(self, dice, target, condition, seconds):\n        return "


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("None", "it gave None and no mantlet.Passage: is a return missing?"),
        ("condition", "it gave a Condition and no mantlet.Passage"),
        ("Passage(condition, 0, -1)", "wounded is -1, not a whole number of at least 0"),
        ("Passage(condition, 'on_fire')", "effects is 'on_fire', not a whole number of at least 0"),
        ("Passage(None)", "it gave None and no mantlet.Condition"),
    ],
)
def test_what_time_does_is_checked_and_the_state_stays(
    given: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = SOUND_RULES.replace("import Plan", "import Passage, Plan") + TIMED + given + "\n"
    installed(source, tmp_path, monkeypatch)
    state = tmp_path / "state.json"
    succeed(f"attack --ruleset sound {SHOT} --state {state}")
    before = state.read_bytes()
    told = fail(f"time --seconds 3 --state {state}", 1)
    assert told.startswith("Error: Ruleset sound (plugin sound, bad 1.0) failed: ")
    assert said in told
    line = source.splitlines().index(TIMED.splitlines()[0]) + 1
    assert f"(in Rules.pass_time, {tmp_path}/sound_rules.py, line {line})" in told
    assert state.read_bytes() == before


@pytest.mark.parametrize(
    ("hook_name", "returns"),
    [("mantlet_observers", "[1]"), ("mantlet_catalogs", "['data']"), ("mantlet_rulesets", "None")],
)
def test_a_wrong_hook_is_a_warning_and_the_command_works(
    hook_name: str, returns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "bad", odd_plugin=hook(hook_name, f"return {returns}"))
    monkeypatch.syspath_prepend(tmp_path)
    result = mantlet(f"attack --ruleset facing_armor {SHOT} --format json")
    assert result.exit_code == 0
    json.loads(result.stdout)
    (warning,) = result.stderr.splitlines()
    assert warning.startswith(f"Warning: {hook_name} of plugin odd (bad 1.0) is left out: ")
    assert warning.endswith(f"(in {hook_name}, {tmp_path}/odd_plugin.py, line 3)")


# -- what a plugin prints ----------------------------------------------------------------------------------------------

LOUD_PLUGIN = f"""print("importing")
{SOUND_PLUGIN}
def watch(outcome, account):
    print("watching")
@hookimpl
def mantlet_observers():
    print("hook")
    return [watch]
def read(path):
    print("reading")
    return {{}}
@hookimpl
def mantlet_importers():
    return [(".loud", read)]
"""
LOUD_RULES = "print('rules')\n" + (SOUND_RULES + TIMED + "Passage(condition)\n").replace(
    "        return", "        print('at work'); return"
).replace("import Plan", "import Passage, Plan")


@pytest.mark.parametrize("what", ["attack --state {state}", "odds --shots 2 --full", "compare", "time"])
def test_what_a_plugin_prints_goes_to_stderr(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(LOUD_RULES, tmp_path, monkeypatch)
    (tmp_path / "sound_plugin.py").write_text(LOUD_PLUGIN, "utf-8")
    (tmp_path / "my.loud").write_text("", "utf-8")
    state = tmp_path / "state.json"
    line = f"{what.format(state=state)} --ruleset sound {SHOT} --catalog {tmp_path}/my.loud --format json"
    expected = {"at work", "reading"}
    if what == "time":
        succeed(f"attack --ruleset sound {SHOT} --state {state}")
        line, expected = f"time --seconds 2 --state {state} --format json", {"at work"}
    result = mantlet(line)
    assert result.exit_code == 0, result.stderr
    json.loads(result.stdout)
    if what.startswith("attack"):
        expected.add("watching")
    assert expected <= set(result.stderr.splitlines())


@posix
@pytest.mark.parametrize("part", ["import", *WORKING, "mantlet_observers"])
def test_what_a_plugin_writes_past_python_goes_to_stderr_too(part: str, tmp_path: Path) -> None:
    loud = "import os; os.write(1, b'by hand '); os.system('echo by a program'); os.close(1)"
    if part == "import":
        install(tmp_path, "rude", rude_plugin=f"{loud}\n{SOUND_PLUGIN}", sound_rules=SOUND_RULES)
    else:
        restored = {"options": "pass", "plan": PLAN, "resolve": END, "covers": "return None"}
        where = "super().__init__()" if part == "options" else restored.get(part, "pass")
        install_rude(tmp_path, part, f"{loud}; {where}")
    done = command(tmp_path, f"attack --ruleset sound {SHOT} --format json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outcome"]["hits"] == 0
    assert "by hand by a program\n" in done.stderr
