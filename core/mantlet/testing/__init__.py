"""The conformance kit that proves a ruleset: `check_ruleset`, in parts."""

from mantlet.testing.kit import Case, ConformanceError, catalog_cases, check_ruleset

__all__ = ["Case", "ConformanceError", "catalog_cases", "check_ruleset"]
