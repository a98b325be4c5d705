"""A campaign: the saved state of a target under a ruleset."""
