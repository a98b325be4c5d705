"""The conformance kit that proves a ruleset: `check_ruleset`, in parts."""

from mantlet.testing.cases import catalog_cases
from mantlet.testing.kit import ConformanceError, check_ruleset
from mantlet.testing.play import play_against_odds
from mantlet.testing.report import Case

__all__ = ["Case", "ConformanceError", "catalog_cases", "check_ruleset", "play_against_odds"]
