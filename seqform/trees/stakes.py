"""The smallest and the largest payoff of a tree's leaves."""

import math

import numpy as np

from treeplex.seqform.trees.deal import Ints


def stakes_of(payoff: Ints, den: int) -> tuple[float, float]:
    """Return the smallest of the payoffs ``payoff / den`` that are not zero and the largest, without signs.

    Both are zero if every payoff is; what is beyond the range of floats is infinite.
    """
    sizes = np.abs(payoff[payoff != 0])
    return (_ratio(sizes.min(), den), _ratio(sizes.max(), den)) if len(sizes) else (0.0, 0.0)


def _ratio(num: int, den: int) -> float:
    try:
        return int(num) / den
    except OverflowError:
        return math.inf
