"""For plugins that bring a command: what `mantlet time` is made of.

    @click.command()
    @action_options
    def douse(action: Action) -> None:
        act(action, put_out_fire, "with water on it", ruleset="field_rules")

gives the command --state, --seed, --dice, --option, --catalog and --format, which come to it as one `Action`; runs the
rule body `put_out_fire(dice, ruleset, target, condition)` on the target saved by `mantlet attack --state`; tells every
roll; and saves the condition. `columns` and `fold` lay out text for the width there is,
`markdown_line` and `markdown_table` do so in markdown. Import this where the command is, not in the plugin module: only
commands pay for it.
"""

from __future__ import annotations

from mantlet.cli.action import Action, ActionBody, act, action_options
from mantlet.cli.layout import columns, fold
from mantlet.cli.markdown import markdown_line, markdown_table

__all__ = ["Action", "ActionBody", "act", "action_options", "columns", "fold", "markdown_line", "markdown_table"]
