"""Methods as linear programs on the shared block of a subgame, without a gadget game.

The block has the columns and rows that they share: a plan inside a subgame and the tops' values against it.
Tests hold each against the linear program of its gadget game, which shares no code with it. Lexicographic
maximin margins are found by a sequence of programs.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_array, csr_array, eye_array

from treeplex.gadgets.alternatives import AlternativeValues, values_against
from treeplex.gadgets.gadget import behaviour_by_key, complete_off_path
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import NotSolvedError
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.programs.highs import HighsRun, run_highs
from treeplex.seqform.programs.sequence_program import LinearProgram
from treeplex.seqform.subgames.forest import NOTHING, Forest
from treeplex.seqform.subgames.subgame import Subgame


@dataclass(frozen=True, repr=False)
class ProgramBlock(Shown):
    """Columns and rows of a subgame's program, with values per unit of each top's reach.

    Columns: the defender's plan inside, 1 at the start; the opponent's value of each infoset and of each
    top, divided by ``unit``. Rows: the defender's flow; each top's and each of the opponent's sequences'
    value, at least what follows it. A top without reach is worth 0 and stays out of all objectives.

    Attributes
    ----------
    subgame : Subgame
    tops : (n,) int64
        The tops with reach.
    top_cols : (n,) int64
        The columns of their values.
    n_plan : int
        Columns of the plan, the first ones.
    matrix : (m, k) csr_array
    row_lower, row_upper : (m,) f64
    unit : float
        A power of two.
    """

    subgame: Subgame
    tops: Index
    top_cols: Index
    n_plan: int
    matrix: csr_array
    row_lower: Floats
    row_upper: Floats
    unit: float

    def brief(self) -> str:
        """Return the subgame."""
        return self.subgame.brief()

    @staticmethod
    def of(subgame: Subgame) -> "ProgramBlock":
        """Write the block for a subgame."""
        own, other = subgame.cut.own, subgame.cut.other
        leaves, unit = _leaves(subgame)
        n_tops, n_flow = other.n_entries, 1 + len(own.infosets)
        worth = eye_array(other.n_local, n_tops, format="csr")
        matrix = block_array(
            [
                [_flow(own), None, None],  # y[start] = 1; sum of y over an infoset = y before it
                # V[top] or v[infoset of s] >= leaves after it against y + values of the infosets after it
                [-leaves, _values(other), worth],
            ],
            format="csr",
        )
        start = np.zeros(n_flow)
        start[0] = 1.0
        tops = np.flatnonzero(subgame.live)
        return ProgramBlock(
            subgame,
            tops,
            matrix.shape[1] - n_tops + tops,
            own.n_local,
            matrix,
            np.concatenate((start, np.zeros(other.n_local))),
            np.concatenate((start, np.full(other.n_local, np.inf))),
            unit,
        )


def _leaves(subgame: Subgame) -> tuple[csr_array, float]:
    """Return what the opponent's local sequences earn against the defender's, and the unit it is in."""
    cut, z = subgame.cut, subgame.cut.leaves
    top = cut.root_top[z.root]
    earned = np.divide(subgame.amount, subgame.reach[top], out=np.zeros(len(top)), where=subgame.live[top])
    unit = float(np.exp2(np.round(np.log2(np.abs(earned).max(initial=0.0) or 1.0))))
    at = cut.other.local(z.other, top), cut.own.local(z.own, np.zeros_like(top))
    return csr_array((earned / unit, at), shape=(cut.other.n_local, cut.own.n_local)), unit


def _values(other: Forest) -> csr_array:
    """Return +1 where a local sequence belongs to an infoset, -1 where an infoset follows it."""
    infosets = np.arange(len(other.infosets))
    held = np.repeat(infosets, other.sizes)
    rows = np.concatenate((other.n_entries + np.arange(len(held)), other.parent))
    signs = np.concatenate((np.ones(len(held)), -np.ones(len(infosets))))
    return csr_array((signs, (rows, np.concatenate((held, infosets)))), shape=(other.n_local, len(infosets)))


def _flow(own: Forest) -> csr_array:
    infosets = 1 + np.arange(len(own.infosets))
    held = np.repeat(infosets, own.sizes)
    rows = np.concatenate(([0], held, infosets))
    cols = np.concatenate(([0], 1 + np.arange(len(held)), own.parent))
    signs = np.concatenate((np.ones(1 + len(held)), -np.ones(len(infosets))))
    return csr_array((signs, (rows, cols)), shape=(1 + len(own.infosets), own.n_local))


TOLERANCE = 1e-10
"""Feasibility and optimality tolerance of the simplex method; margins differ by as little as 1e-9."""
NOISE = 10 * TOLERANCE
"""Own reach up to which these programs' plans are noise."""


@dataclass(frozen=True, repr=False)
class DirectProgram(Shown):
    """A method's linear program.

    Attributes
    ----------
    block : ProgramBlock
    program : LinearProgram
    factor : float
        What the maximum is multiplied by to give the opponent's value of the gadget game.
    """

    block: ProgramBlock
    program: LinearProgram
    factor: float

    def brief(self) -> str:
        """Return the subgame and the size of the program."""
        return f"{self.block.subgame.name}: {self.program.brief()}"

    def solve(self) -> "DirectSolution":
        """Solve it.

        Raises
        ------
        treeplex.games.base.errors.NotSolvedError
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


def least_value(block: ProgramBlock, weight: Floats) -> DirectProgram:
    """Return min sum_t weight_t V_t, with V_t per unit of reach; weights (n,) not all zero."""
    cost = np.zeros(block.matrix.shape[1])
    cost[block.top_cols] = -weight / weight.sum()
    return _program(block, cost, csr_array((0, len(cost))), np.zeros(0), np.zeros(0), -float(weight.sum()))


def least_above(block: ProgramBlock, top: Index, least: Floats, weight: Floats) -> DirectProgram:
    """Return min sum_j weight_j z_j with z_j >= V[top_j] and z_j >= least_j; ``top`` counts live tops."""
    n, k = len(top), block.matrix.shape[1]
    rows = np.concatenate((np.arange(n), np.arange(n)))
    cols = np.concatenate((k + np.arange(n), block.top_cols[top]))
    above = csr_array((np.concatenate((np.ones(n), -np.ones(n))), (rows, cols)), shape=(n, k + n))
    cost = np.concatenate((np.zeros(k), -weight / weight.sum()))
    return _program(block, cost, above, np.zeros(n), least / block.unit, -float(weight.sum()))


def largest_margin(block: ProgramBlock, alternative: Floats, fixed: Floats | None = None) -> DirectProgram:
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
    block: ProgramBlock, cost: Floats, rows: csr_array, least: Floats, col_lower: Floats, factor: float
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
    treeplex.games.base.errors.NotSolvedError
        If a program does not end optimal.
    """
    block = ProgramBlock.of(subgame)
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


def _solve(block: ProgramBlock, total: Floats, fixed: Floats) -> DirectSolution:
    """Solve one program; fixed margins are realised ones, so that only rounding can make it infeasible."""
    for slack in SLACKS[:-1]:
        try:
            return largest_margin(block, total, fixed - slack * block.unit).solve()
        except NotSolvedError:
            continue
    return largest_margin(block, total, fixed - SLACKS[-1] * block.unit).solve()
