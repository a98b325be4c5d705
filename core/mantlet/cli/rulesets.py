"""`mantlet rulesets`: what is installed, what it covers, and what is broken and why. Imports no plugin."""

from __future__ import annotations

import click

from mantlet.cli.json_data import picked, print_json
from mantlet.cli.layout import columns, echo, fold, strong
from mantlet.cli.options import format_option
from mantlet.cli.page import Page
from mantlet.cli.startup import COMMANDS
from mantlet.errors import sentence
from mantlet.plugins.inspection import Inspected, InspectedRuleset, inspect_plugins


@click.command(short_help="List the rulesets and plugins, and what is broken and why.")
@format_option()
def rulesets(form: str) -> None:
    """Every ruleset with its version, origin and what it covers; then every plugin that is broken, and why.

    Each plugin is tried in a process of its own, so that a broken one cannot take the listing with it.

    \b
    Examples:
      mantlet rulesets
      mantlet rulesets --format json
    """
    plugins = inspect_plugins(taken=COMMANDS)
    found = [(plugin, ruleset) for plugin in plugins for ruleset in plugin.rulesets]
    if form == "json":
        print_json({"rulesets": [_data(*pair) for pair in found], "plugins": [_plugin_data(p) for p in plugins]})
        return
    working = [(plugin, ruleset) for plugin, ruleset in found if not ruleset.fault]
    page = Page(form)
    if page.markdown:
        rows = [[r.name, r.version, p.origin, r.title, r.summary] for p, r in working]
        page.table(["Ruleset", "Version", "From", "Title", "Covers"], rows, "<<<<<")
    else:
        page.lines += _text(working, [[kind, ", ".join(names), p.origin] for p in plugins for kind, names in p.brings])
    faults = _faults(plugins)
    if faults:
        page.gap()
        page.lines += [] if page.markdown else [strong("Broken, and left out:")]
        page.items(faults, "  ")
    echo(page.lines)


def _text(working: list[tuple[Inspected, InspectedRuleset]], others: list[list[str]]) -> list[str]:
    lines = []
    for plugin, ruleset in working:
        lines.append(strong(ruleset.name, f" {ruleset.version}, from {plugin.origin}"))
        lines += fold(f"{sentence(ruleset.title)} {ruleset.summary}", "    ", "")
    lines += [] if working else ["No ruleset works."]
    return [*lines, "", "Plugins also bring:", *columns(others, "<<<")] if others else lines


def _faults(plugins: list[Inspected]) -> list[str]:
    texts = []
    for plugin in plugins:
        who = f"{plugin.plugin} ({plugin.origin})"
        if plugin.skipped:
            texts.append(f"{who}: left alone, as MANTLET_SKIP_PLUGINS asks.")
        for ruleset in plugin.rulesets:
            if ruleset.fault:
                texts.append(f"Ruleset {ruleset.name} of {who}: {ruleset.fault}")
        texts += [f"{who}: {fault.part + ': ' if fault.part else ''}{fault.reason}" for fault in plugin.faults]
    return texts


def _data(plugin: Inspected, ruleset: InspectedRuleset) -> dict[str, object]:
    return {
        **picked(ruleset, "name", "version", "title"),
        "covers": ruleset.summary,
        **picked(plugin, "plugin", "origin"),
        "works": not ruleset.fault,
        "reason": ruleset.fault or None,
    }


def _plugin_data(plugin: Inspected) -> dict[str, object]:
    return {
        **picked(plugin, "plugin", "origin", "skipped"),
        "rulesets": [ruleset.name for ruleset in plugin.rulesets],
        **dict(plugin.brings),
        "faults": [{"part": fault.part or None, "reason": fault.reason} for fault in plugin.faults],
    }
