"""Settings of the whole suite."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

# The suite gives the same verdict every time; HYPOTHESIS_PROFILE=explore looks for new cases.
_slow_machines = [HealthCheck.too_slow]
settings.register_profile(
    "steady", derandomize=True, deadline=None, max_examples=60, suppress_health_check=_slow_machines
)
settings.register_profile("explore", deadline=None, max_examples=1000, suppress_health_check=_slow_machines)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# A shell without job control starts what it puts into the background with interrupts ignored, which commands inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
