"""The command line: one attack, its exact odds, several rulesets side by side, and what helps to use them."""

from __future__ import annotations


def main() -> None:
    """The entry point of the `mantlet` command; ends the process with its exit code."""
    from mantlet.cli.app import cli

    cli.main(prog_name="mantlet")
