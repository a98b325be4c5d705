"""The conformance kit that proves a ruleset: `check_ruleset`, in parts."""

from mantlet.testing.kit import Case, ConformanceError, catalog_cases, check_ruleset
from mantlet.testing.play import play_against_odds

__all__ = ["Case", "ConformanceError", "catalog_cases", "check_ruleset", "play_against_odds"]
