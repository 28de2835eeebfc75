"""Lexicographic maximin margins of a subgame by a sequence of linear programs."""

from dataclasses import dataclass

import numpy as np

from treeplex.gadgets.core.alternatives import AlternativeValues, values_against
from treeplex.gadgets.direct.block import Block
from treeplex.gadgets.direct.programs import DirectSolution, largest_margin
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.lp.solve import NotSolvedError
from treeplex.seqform.subgames.subgame import Subgame

SLACKS = 1e-12, 1e-10, 1e-8
"""By how much, in the block's unit, fixed margins may shrink again: as little as the solver accepts."""
BINDING = 5e-10
"""A row whose dual exceeds this is tight in every optimum; open rows' duals sum to one."""


@dataclass(frozen=True)
class LexicographicMargins:
    """The margins at a subgame's live tops, as large as possible from the smallest up.

    Attributes
    ----------
    margins : (n,) f64
        At each live top, per unit of reach, against a best response.
    behaviour : (S,) f64
        The defender's in the whole game, of which the subgame's part is new.
    rounds : int
        How many programs were solved.
    """

    margins: Floats
    behaviour: Floats
    rounds: int


def lexicographic_margins(subgame: Subgame, alternatives: AlternativeValues) -> LexicographicMargins:
    """Maximise margins lexicographically: one solution among Maxmargin's many.

    Maxmargin leaves slack at tops that do not bind; here the margins that bind are held and the smallest of
    the others is raised, until all are fixed. Where alternative values are the blueprint's, the result is
    also an optimum of Resolve.

    Raises
    ------
    treeplex.seqform.lp.solve.NotSolvedError
        If a program does not end optimal.
    """
    block = Block.of(subgame)
    total = alternatives.total[block.tops]
    fixed = np.full(len(block.tops), np.nan)
    rounds = 0
    while True:
        solution = _solve(block, total, fixed)
        rounds += 1
        behaviour = solution.behaviour()
        margins = total - values_against(subgame, behaviour)[block.tops]
        free = np.isnan(fixed)
        duals = np.abs(solution.run.dual[-len(total) :])
        binding = free & (duals > BINDING)
        if not binding.any() or not np.isfinite(margins).all():
            raise NotSolvedError(f"no margin of {subgame.cut.name!r} binds: alternatives {total.tolist()}")
        fixed[binding] = margins[binding]
        if not np.isnan(fixed).any():
            return LexicographicMargins(margins, behaviour, rounds)


def _solve(block: Block, total: Floats, fixed: Floats) -> DirectSolution:
    """Solve one program; fixed margins are realised ones, so that only rounding can make it infeasible."""
    for slack in SLACKS[:-1]:
        try:
            return largest_margin(block, total, fixed - slack * block.unit).solve()
        except NotSolvedError:
            continue
    return largest_margin(block, total, fixed - SLACKS[-1] * block.unit).solve()
