"""Odds of any rule body: distributions, the exact engine, several rulesets side by side, shots to an end state."""
