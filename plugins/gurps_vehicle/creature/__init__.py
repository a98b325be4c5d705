"""An attack on a creature: its body as the shot finds it, round after round, and what crippled limbs mean for it."""
