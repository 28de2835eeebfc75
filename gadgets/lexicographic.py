"""Lexicographic margins: the smallest margin as large as can be, then the next smallest, and so on."""

from dataclasses import dataclass

import numpy as np

from gadgets.block import Block
from gadgets.direct import DirectSolution, largest_margin
from gadgets.offers import Offer
from seqform.subgame import Subgame
from seqform.treeplex import Floats

SLACK = 1e-11
"""By how much, in the block's unit, margins that are settled may shrink again: offers are rounded numbers."""
BINDING = 1e-9
"""A row whose dual exceeds this is tight in every optimum."""


@dataclass(frozen=True)
class LexicographicMargins:
    """The margins at a subgame's live tops, as large as possible from the smallest up.

    Attributes
    ----------
    margins : (n,) f64
        At each live top, per unit of reach.
    last : DirectSolution
        The last program solved, which holds the strategy.
    rounds : int
        How many programs were solved.
    """

    margins: Floats
    last: DirectSolution
    rounds: int


def lexicographic_margins(subgame: Subgame, offer: Offer) -> LexicographicMargins:
    """Maximise margins lexicographically: the maximin solution among Maxmargin's many.

    Maxmargin leaves slack at tops that do not bind; here the margins that bind are held and the smallest of
    the others is raised, until all are settled. Where blueprint values are offered, the result is also an
    optimum of Resolve.
    """
    block = Block.of(subgame)
    total = offer.total[block.tops]
    fixed = np.full(len(block.tops), np.nan)
    rounds = 0
    while np.isnan(fixed).any():
        solution = largest_margin(block, total, fixed - SLACK * block.unit).solve()
        rounds += 1
        open_ = np.isnan(fixed)
        duals = np.abs(solution.run.dual[-len(total) :])
        binding = open_ & (duals > BINDING)
        if not binding.any():
            binding = open_ & (duals >= duals[open_].max())
        fixed[binding] = -solution.value
    return LexicographicMargins(fixed, solution, rounds)
