"""World War II vehicle combat on percentile dice: a ruleset for mantlet."""
