"""Dice: notation, tables, what a rule body asks for, contests, seeded, typed and scripted throws, the account."""
