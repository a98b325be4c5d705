"""Running the mantlet command in this process."""

from __future__ import annotations

import json
import shlex
from typing import Any

from click.testing import CliRunner, Result

from mantlet.cli.app import cli

COIN_SHOT = "--weapon us_75_m3 --target m4a1_75_dry"


def mantlet(line: str, typed: str | None = None) -> Result:
    """Run a command line as typed after `mantlet`."""
    return CliRunner().invoke(cli, shlex.split(line), input=typed, prog_name="mantlet")


def succeed(line: str, typed: str | None = None) -> str:
    """What a command that ends well writes to stdout."""
    result = mantlet(line, typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def data(line: str) -> Any:
    """What a command that ends well writes as JSON."""
    return json.loads(succeed(f"{line} --format json"))


def fail(line: str, code: int, typed: str | None = None) -> str:
    """The one error of a command that has to fail with this exit code, without anything on stdout."""
    result = mantlet(line, typed)
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    lines = [text for text in result.stderr.splitlines() if not text.startswith("Warning: ")]
    assert lines, "no error was told"
    assert lines[-1].startswith("Error: ") or any(text.startswith("Error: ") for text in lines)
    return result.stderr
