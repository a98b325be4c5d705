"""Every registered ruleset passes the conformance kit: quickly each time, and at full effort among the slow proofs."""

from __future__ import annotations

import pytest

from mantlet import load_plugins
from mantlet.testing import check_ruleset

PLUGINS = load_plugins()
NAMES = [name for name in PLUGINS.rulesets if PLUGINS.origins[name].distribution.startswith("mantlet ")]


@pytest.mark.parametrize("name", NAMES)
def test_the_ruleset_conforms(name: str) -> None:
    check_ruleset(PLUGINS.ruleset_class(name), effort=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_ruleset_conforms_at_full_effort(name: str) -> None:
    check_ruleset(PLUGINS.ruleset_class(name), effort=2)
