"""Attacks on vehicles (G11-G31): the plan and the locations, the rounds of an attack, damage, and those aboard."""
