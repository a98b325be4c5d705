"""Plugins that do wrong while a command runs, installed for real: plugin, method and line are named, nothing is saved.

Each command is a process of its own, as a user starts it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from broken_plugins import SHIPPED, SOUND_PLUGIN, SOUND_RULES, hook, install

SHOT = "--weapon us_75_m3 --target pz4_h --seed 1"
WAITING = "Waiting for plugin rude (rude 1.0), which is still being imported; MANTLET_SKIP_PLUGINS=rude leaves it out."
ENDED = "Error: mantlet ended while plugin rude (rude 1.0) was being imported; MANTLET_SKIP_PLUGINS=rude leaves it out."


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


# -- a plugin that hangs, or ends the process, while it is imported ----------------------------------------------------

ENDINGS = {
    "exit_0": ("import os; os._exit(0)", 1),
    "exit_7": ("import os; os._exit(7)", 7),
    "crash": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
    "killed": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "in_a_hook": (hook("mantlet_rulesets", "import os; os._exit(0)"), 1),
}
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="imports are watched where a process can be forked")


@posix
@pytest.mark.parametrize("kind", ENDINGS)
def test_a_plugin_that_ends_the_process_is_named_last_and_the_command_has_failed(kind: str, tmp_path: Path) -> None:
    source, code = ENDINGS[kind]
    install(tmp_path, "rude", rude_plugin=source)
    done = command(tmp_path, f"attack --ruleset facing_armor {SHOT}")
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.splitlines()[-1] == ENDED
    if kind == "exit_0":
        assert command(tmp_path, f"attack --ruleset facing_armor {SHOT}", MANTLET_SKIP_PLUGINS="rude").returncode == 0


@posix
def test_a_ruleset_that_ends_the_process_when_it_is_imported_is_named_too(tmp_path: Path) -> None:
    install(tmp_path, "rude", rude_plugin=SOUND_PLUGIN, sound_rules="import os; os._exit(0)")
    done = command(tmp_path, f"attack --ruleset sound {SHOT}")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{ENDED}\n")
    assert command(tmp_path, f"attack --ruleset facing_armor {SHOT}").returncode == 0, "it is not imported for another"


@posix
@pytest.mark.parametrize("how", ["import time; time.sleep(60)", "while True: pass"], ids=["sleeps", "loops"])
def test_a_plugin_that_is_waited_for_is_named_and_an_interrupt_ends_the_waiting(how: str, tmp_path: Path) -> None:
    install(tmp_path, "rude", rude_plugin=how)
    running = subprocess.Popen(
        [sys.executable, "-m", "mantlet", *f"attack --ruleset facing_armor {SHOT}".split()],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stderr is not None
    assert running.stderr.readline() == f"{WAITING}\n"
    os.killpg(running.pid, signal.SIGINT)  # what a terminal does at Ctrl-C
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err.strip()) == (130, "", "Aborted.")


@posix
def test_a_plugin_may_take_its_time_and_fork(tmp_path: Path) -> None:
    slow = "import os, time\ntime.sleep(1.5)\nchild = os.fork()\nif not child: os._exit(0)\n"
    slow += "assert os.waitpid(child, 0)[1] == 0\nprint('loaded')\n"
    install(tmp_path, "rude", rude_plugin=slow + SOUND_PLUGIN, sound_rules=SOUND_RULES)
    done = command(tmp_path, f"odds --ruleset sound --format json {SHOT}")
    assert done.returncode == 0
    assert json.loads(done.stdout)["covers"]
    assert done.stderr == f"{WAITING}\nloaded\n"


def test_nothing_watches_where_only_mantlets_own_plugins_are_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    from mantlet.plugins.loading import load_plugins
    from mantlet.plugins.watch import watched

    def refuse() -> int:
        raise AssertionError("a process was forked")

    monkeypatch.setattr(os, "fork", refuse, raising=False)
    plugins = load_plugins(watch=watched)
    assert [plugins.ruleset(name).name for name in SHIPPED] == SHIPPED
