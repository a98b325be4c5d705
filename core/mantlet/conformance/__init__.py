"""The parts of the conformance kit. Its front is `mantlet.testing.check_ruleset`."""
