"""Work on heaps of results without the search for garbage in between.

Exact odds build tens of thousands of tuples, none of them garbage and none in a circle; as their number grows the
interpreter walks through all of them again and again, which is a third of the time of a big question.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def uncollected(function: Callable[P, R]) -> Callable[P, R]:
    """The function, with the collector of circular garbage at rest while it runs. What is no longer used is freed as
    ever; the collector is left as it was found, also after an error."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return run
