"""The commands mantlet brings, each with where it is; importing this imports none of them."""

from __future__ import annotations

from typing import Final

COMMANDS: Final = {
    "attack": "mantlet.cli.attack:attack",
    "odds": "mantlet.cli.odds:odds",
    "compare": "mantlet.cli.compare:compare",
    "time": "mantlet.cli.time:time",
    "roll": "mantlet.cli.roll:roll",
    "table": "mantlet.cli.table:table",
    "weapons": "mantlet.cli.listing:weapons",
    "targets": "mantlet.cli.listing:targets",
    "show": "mantlet.cli.show:show",
    "rulesets": "mantlet.cli.rulesets:rulesets",
    "new-ruleset": "mantlet.cli.new_ruleset:new_ruleset",
}
