"""Reduced pure strategies of a treeplex: how many there are, and all of them as realization plans."""

from math import prod

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.forms.treeplex import Treeplex

Plans = NDArray[np.int8]
"""Realization plans of zeros and ones, one a row, (N, S)."""


def n_pure(treeplex: Treeplex) -> int:
    """Return the number of pure strategies, one action at every infoset: the product of their numbers."""
    return prod((treeplex.end - treeplex.begin).tolist())


def n_reduced(treeplex: Treeplex) -> int:
    """Return the number of reduced pure strategies, which choose only where own earlier choices lead.

    ``N(s)``, the number of ways to play on after sequence s, is the product over the infosets i right below s
    of the sum of ``N`` over the sequences of i; a sequence without infosets below has one way.
    """
    ways = [1] * treeplex.n_sequences
    for lo, hi, parent in _upwards(treeplex):
        ways[parent] *= sum(ways[lo:hi])
    return ways[0]


def reduced_strategies(treeplex: Treeplex) -> Plans:
    """Return all reduced pure strategies as realization plans, (n_reduced, S) of int8.

    The first infoset's choice varies slowest. Each plan occurs once: pure strategies that differ only where
    they never arrive have one plan and are one row.
    """
    ways: list[list[tuple[int, ...]]] = [[()] for _ in range(treeplex.n_sequences)]
    for lo, hi, parent in _upwards(treeplex):
        choices = [(s, *below) for s in range(lo, hi) for below in ways[s]]
        ways[parent] = [(*choice, *rest) for choice in choices for rest in ways[parent]]
    plans = np.zeros((len(ways[0]), treeplex.n_sequences), dtype=np.int8)
    plans[:, 0] = 1
    for plan, chosen in zip(plans, ways[0], strict=True):
        plan[list(chosen)] = 1
    return plans


def _upwards(treeplex: Treeplex) -> list[tuple[int, int, int]]:
    """Return begin, end and parent of each infoset, children before parents."""
    spans = zip(treeplex.begin.tolist(), treeplex.end.tolist(), treeplex.parent.tolist(), strict=True)
    return list(spans)[::-1]
