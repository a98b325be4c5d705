"""The catalog: reading and validating files of weapons and targets, names and aliases, the shipped data."""

from mantlet.catalog.catalog import Catalog

__all__ = ["Catalog"]
