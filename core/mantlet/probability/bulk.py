"""A million samples at once, drawn with NumPy from an exact distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mantlet.probability.distributions import Distribution

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


class Bulk(Generic[T]):
    """Draws from a distribution that is known. `outcomes[i]` belongs to index i of what is drawn.

    Raises ModuleNotFoundError where NumPy is not installed (`pip install mantlet[bulk]`), ValueError for probabilities
    that do not sum to 1.
    """

    def __init__(self, distribution: Distribution[Any], seed: int) -> None:
        import numpy

        self._np = numpy
        self.outcomes: list[T] = list(distribution)
        weights = numpy.array([float(w) for _, w in distribution.items()])
        if not abs(weights.sum() - 1.0) < 1e-9:
            raise ValueError(f"The probabilities sum to {weights.sum()}, not to 1.")
        self._weights: NDArray[np.float64] = weights / weights.sum()  # multinomial wants 1 to the last bit
        self._random = numpy.random.default_rng(seed)

    def counts(self, n: int) -> NDArray[np.int64]:
        """How often each outcome comes up in `n` draws."""
        return self._random.multinomial(n, self._weights)

    def draws(self, n: int) -> NDArray[np.int32]:
        """`n` single draws, as indices into `outcomes`, in random order."""
        # Small numbers shuffle in half the time.
        indices = self._np.repeat(self._np.arange(len(self.outcomes), dtype=self._np.int32), self.counts(n))
        self._random.shuffle(indices)
        return indices
