"""Every example in the help texts really works, and every command has some."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli_run import mantlet
from mantlet.cli.app import cli
from mantlet.cli.startup import COMMANDS

SHIPPED = ("mantlet", "d100_wwii", "facing_armor", "gurps_vehicle")
CAR = "attack --ruleset d100_wwii --weapon mg42 --target kubelwagen --rounds 10 --seed 1 --state car.json"
CAMPAIGN = ("campaign new .", "fire Berta sherman_1 --range 300 --aspect left --seed 1")
PREPARE = {
    **dict.fromkeys(("time", "state", "show"), (CAR,)),
    **dict.fromkeys(("campaign", "fire", "next", "set", "status", "log", "undo", "replay"), CAMPAIGN),
    "redo": (*CAMPAIGN, "undo"),
}
"""What has to be there before a command's examples make sense."""


def examples(command: str) -> list[str]:
    told = mantlet(f"{command} --help").stdout
    return re.findall(r"^ +mantlet ((?!\[OPTIONS\]).+)$", told.partition("Examples:")[2], re.MULTILINE)


ALL = [(command, line) for command in COMMANDS for line in examples(command)]


@pytest.mark.parametrize(("command", "line"), ALL, ids=[line for _, line in ALL])
def test_an_example_works(command: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for before in PREPARE.get(command, ()):
        assert mantlet(before).exit_code == 0
    result = mantlet(line)
    assert result.exit_code == 0, result.output
    assert result.stdout.strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_help_with_examples_of_itself(command: str) -> None:
    result = mantlet(f"{command} --help")
    assert result.exit_code == 0
    found = [line for name, line in ALL if name == command]
    assert found
    assert all(shlex.split(line)[0] == command for line in found)


@pytest.mark.parametrize("command", [*COMMANDS, ""])
def test_help_is_not_too_wide(command: str) -> None:
    told = mantlet(f"{command} --help").stdout
    assert max(map(len, told.splitlines())) <= 120


def test_every_command_says_what_it_is_for() -> None:
    told = mantlet("--help").stdout
    for name in COMMANDS:
        line = next(text for text in told.splitlines() if text.split()[:1] == [name])
        assert len(line.split()) > 3
        assert "(broken" not in line


def test_short_options_of_the_whole_command() -> None:
    assert mantlet("-h").stdout == mantlet("--help").stdout
    assert mantlet("-V").stdout == mantlet("--version").stdout
    assert mantlet("").exit_code in (0, 2)
    assert cli.name == "cli"


def test_a_command_imports_no_other() -> None:
    code = (
        "import sys; from mantlet.cli.app import cli\n"
        "cli(['weapons'], standalone_mode=False)\n"
        "found = {name for name in sys.modules if name.startswith('mantlet.cli.')}\n"
        "assert 'mantlet.cli.listing' in found\n"
        "others = {'attack', 'odds', 'compare', 'time', 'state', 'roll', 'table', 'show', 'rulesets'}\n"
        "assert not found & {f'mantlet.cli.{name}' for name in others}, found\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
