"""3d hit locations for vehicles and non-humanoid bodies: a ruleset for mantlet."""
