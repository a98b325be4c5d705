"""The nouns of the game: attacks, weapons, targets, conditions, effects, outcomes. No rules."""
