"""A small ruleset for mantlet: six-sided dice, armor classes and saves."""
