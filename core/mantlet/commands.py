"""For plugins that bring a command: what `mantlet time` is made of.

    @click.command()
    @action_options
    def douse(**how):
        act(put_out_fire, "with water on it", ruleset="field_rules", **how)

gives the command --state, --seed, --dice, --option, --catalog and --format, runs the rule body `put_out_fire(dice,
ruleset, target, condition)` on the target saved by `mantlet attack --state`, tells every roll, and saves the condition.
`columns` and `fold` lay out text for the width there is. Import this where the command is, not in the plugin module:
only commands pay for it.
"""

from __future__ import annotations

from mantlet.cli.action import Act, act, action_options
from mantlet.cli.layout import columns, fold

__all__ = ["Act", "act", "action_options", "columns", "fold"]
