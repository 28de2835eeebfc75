"""Methods as linear programs on the shared block of a subgame, without a gadget game.

Tests hold each against the linear program of its gadget game, which shares no code with it.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_array, csr_array

from treeplex.gadgets.core.behaviour import behaviour_by_key, complete_off_path
from treeplex.gadgets.direct.block import Block
from treeplex.games.display.shown import Shown
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.lp.highs import HighsRun, run_highs
from treeplex.seqform.lp.linear_program import LinearProgram
from treeplex.seqform.lp.solve import NotSolvedError
from treeplex.seqform.subgames.forest import NOTHING

TOLERANCE = 1e-10
"""Feasibility and optimality tolerance of the simplex method; margins differ by as little as 1e-9."""
NOISE = 10 * TOLERANCE
"""Own reach up to which these programs' plans are noise."""


@dataclass(frozen=True, repr=False)
class DirectProgram(Shown):
    """A method's linear program.

    Attributes
    ----------
    block : Block
    program : LinearProgram
    factor : float
        What the maximum is multiplied by to give the opponent's value of the gadget game.
    """

    block: Block
    program: LinearProgram
    factor: float

    def brief(self) -> str:
        """Return the subgame and the size of the program."""
        return f"{self.block.subgame.name}: {self.program.brief()}"

    def solve(self) -> "DirectSolution":
        """Solve it.

        Raises
        ------
        treeplex.seqform.lp.solve.NotSolvedError
            If the simplex method does not end optimal.
        """
        run = run_highs(self.program, "simplex", tolerance=TOLERANCE)
        if run.status != "optimal":
            name = self.block.subgame.cut.name
            raise NotSolvedError(f"the program of subgame {name!r} ended {run.status!r}")
        return DirectSolution(self, run)


@dataclass(frozen=True, repr=False)
class DirectSolution(Shown):
    """A solved program."""

    direct: DirectProgram
    run: HighsRun

    def brief(self) -> str:
        """Return the subgame and the opponent's value."""
        return f"{self.direct.block.subgame.name}: {self.value:.9g}"

    @property
    def value(self) -> float:
        """The opponent's value of the gadget game."""
        return self.run.objective * self.direct.factor

    def behaviour(self) -> Floats:
        """Return the defender's behaviour in the whole game, (S,); the blueprint's outside the subgame."""
        subgame = self.direct.block.subgame
        own, _ = subgame.cut.own.graft(NOTHING, np.zeros(1, dtype=np.int64))
        mine = own, own.behaviour(self.run.primal[: own.n_sequences])
        idle = NOTHING, np.ones(1)
        (t0, b0), (t1, b1) = (mine, idle) if subgame.cut.defender == 0 else (idle, mine)
        return complete_off_path(subgame, behaviour_by_key(subgame, Profile((t0, t1), (b0, b1))), NOISE)


def least_value(block: Block, weight: Floats) -> DirectProgram:
    """Return min sum_t weight_t V_t, with V_t per unit of reach; weights (n,) not all zero."""
    cost = np.zeros(block.matrix.shape[1])
    cost[block.top_cols] = -weight / weight.sum()
    return _program(block, cost, csr_array((0, len(cost))), np.zeros(0), np.zeros(0), -float(weight.sum()))


def least_above(block: Block, top: Index, least: Floats, weight: Floats) -> DirectProgram:
    """Return min sum_j weight_j z_j with z_j >= V[top_j] and z_j >= least_j; ``top`` counts live tops."""
    n, k = len(top), block.matrix.shape[1]
    rows = np.concatenate((np.arange(n), np.arange(n)))
    cols = np.concatenate((k + np.arange(n), block.top_cols[top]))
    above = csr_array((np.concatenate((np.ones(n), -np.ones(n))), (rows, cols)), shape=(n, k + n))
    cost = np.concatenate((np.zeros(k), -weight / weight.sum()))
    return _program(block, cost, above, np.zeros(n), least / block.unit, -float(weight.sum()))


def largest_margin(block: Block, alternative: Floats, fixed: Floats | None = None) -> DirectProgram:
    """Return max m with V_t + m <= a_t, or V_t + fixed_t <= a_t where ``fixed`` (n,) is a number."""
    n, k = len(alternative), block.matrix.shape[1]
    held = np.full(n, np.nan) if fixed is None else fixed
    free = np.flatnonzero(np.isnan(held))
    rows = np.concatenate((np.arange(n), free))
    cols = np.concatenate((block.top_cols, np.full(len(free), k)))
    margins = csr_array((-np.ones(len(rows)), (rows, cols)), shape=(n, k + 1))
    cost = np.zeros(k + 1)
    cost[k] = 1.0
    least = (np.nan_to_num(held) - alternative) / block.unit  # -V_t - m >= fixed_t - a_t
    return _program(block, cost, margins, least, np.full(1, -np.inf), -1.0)


def _program(
    block: Block, cost: Floats, rows: csr_array, least: Floats, col_lower: Floats, factor: float
) -> DirectProgram:
    """Add to the block columns, each at least ``col_lower``, and rows, each at least ``least``."""
    (m, k), old = block.matrix.shape, block.matrix
    wide = csr_array((old.data, old.indices, old.indptr), shape=(m, len(cost)))
    matrix = block_array([[wide], [rows]], format="csc") if len(least) else wide.tocsc()
    matrix.eliminate_zeros()
    program = LinearProgram(
        cost,
        matrix,
        np.concatenate((block.row_lower, least)),
        np.concatenate((block.row_upper, np.full(len(least), np.inf))),
        np.concatenate((np.zeros(block.n_plan), np.full(k - block.n_plan, -np.inf), col_lower)),
        np.full(len(cost), np.inf),
    )
    return DirectProgram(block, program, factor * block.unit)
