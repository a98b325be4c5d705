"""Facing, slope and penetration: a ruleset for mantlet."""
