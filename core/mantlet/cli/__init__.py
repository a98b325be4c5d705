"""The command line: one attack, its odds, several rulesets side by side, and what helps to use them."""

from __future__ import annotations

from mantlet.cli.app import main

__all__ = ["main"]
