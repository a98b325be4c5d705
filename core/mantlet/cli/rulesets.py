"""`mantlet rulesets`: what is installed, what it covers, and what is broken and why. Imports no plugin."""

from __future__ import annotations

import click

from mantlet.cli.json_data import print_json
from mantlet.cli.layout import columns, echo, fold, markdown_table, strong
from mantlet.cli.options import format_option
from mantlet.cli.session import own_commands
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
    plugins = inspect_plugins(taken=own_commands(click.get_current_context()))
    found = [(plugin, ruleset) for plugin in plugins for ruleset in plugin.rulesets]
    if form == "json":
        print_json({"rulesets": [_data(*pair) for pair in found], "plugins": [_plugin_data(p) for p in plugins]})
        return
    working = [(plugin, ruleset) for plugin, ruleset in found if not ruleset.fault]
    if form == "md":
        rows = [[r.name, r.version, p.origin, r.title, r.summary] for p, r in working]
        lines = markdown_table(["Ruleset", "Version", "From", "Title", "Covers"], rows, "<<<<<")
        echo([*lines, *(["", *(f"* {text}" for text in _faults(plugins))] if _faults(plugins) else [])])
        return
    lines = []
    for plugin, ruleset in working:
        lines.append(f"{strong(ruleset.name)} {ruleset.version}, from {plugin.origin}")
        lines += fold(f"{ruleset.title}. {ruleset.summary}", "    ", "")
    if not working:
        lines.append("No ruleset works.")
    others = [[kind, ", ".join(names), p.origin] for p in plugins for kind, names in p.brings]
    if others:
        lines += ["", "Plugins also bring:", *columns(others, "<<<")]
    if _faults(plugins):
        lines += ["", strong("Broken, and left out:")]
        lines += [line for text in _faults(plugins) for line in fold(text, "  ")]
    echo(lines)


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
        "name": ruleset.name,
        "version": ruleset.version,
        "title": ruleset.title,
        "covers": ruleset.summary,
        "plugin": plugin.plugin,
        "origin": plugin.origin,
        "works": not ruleset.fault,
        "reason": ruleset.fault or None,
    }


def _plugin_data(plugin: Inspected) -> dict[str, object]:
    return {
        "plugin": plugin.plugin,
        "origin": plugin.origin,
        "skipped": plugin.skipped,
        "rulesets": [ruleset.name for ruleset in plugin.rulesets],
        **{kind: list(names) for kind, names in plugin.brings},
        "faults": [{"part": fault.part or None, "reason": fault.reason} for fault in plugin.faults],
    }
