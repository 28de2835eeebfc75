"""The sequence-form linear program of either player (Koller, Megiddo and von Stengel 1996), scaled.

Programs are scaled by powers of two, to entries of order one. Equilibrated programs have rows and columns
of entries near one, whatever the payoffs: a stack of 1e15 chips behind a pot of 100 leaves rows in which
1e15 and 50 count alike, and the large one meets probabilities of order 1e-13. Geometric means over rows and
columns by turns find such factors.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import block_array, coo_array, csc_array, csr_array, diags_array

from treeplex.games.base.display import Shown
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex


@dataclass(frozen=True, repr=False)
class LinearProgram(Shown):
    """Maximise ``cost @ z``: ``row_lower <= matrix @ z <= row_upper`` and ``col_lower <= z <= col_upper``.

    Attributes
    ----------
    cost : (n,) f64
    matrix : (m, n) csc_array of f64
    row_lower, row_upper : (m,) f64
        Infinite where a side is absent; equal on equality rows.
    col_lower, col_upper : (n,) f64
    """

    cost: NDArray[np.float64]
    matrix: csc_array
    row_lower: NDArray[np.float64]
    row_upper: NDArray[np.float64]
    col_lower: NDArray[np.float64]
    col_upper: NDArray[np.float64]

    def brief(self) -> str:
        """Return its size."""
        return f"{self.n_rows:,} rows, {self.n_cols:,} columns, {self.nnz:,} nonzeros"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.matrix.shape[0])

    @property
    def n_cols(self) -> int:
        """Number of columns."""
        return int(self.matrix.shape[1])

    @property
    def nnz(self) -> int:
        """Number of stored nonzeros."""
        return int(self.matrix.nnz)


LEAST_EXPONENT = -500
"""Plans are scaled by 2**-500 and more; smaller payoffs cannot be seen beside the largest anyway."""


@dataclass(frozen=True)
class Scale:
    """The units of plans and values inside a program; every factor is a power of two.

    Attributes
    ----------
    sequence : pair of (S,) f64
        The scaled plan is ``sequence * plan``.
    unit : float
        One unit of scaled value, in the game's own.
    """

    sequence: tuple[Floats, Floats]
    unit: float

    def softened(self) -> "Scale":
        """Return the scale with the square roots of the factors: a compromise of flows and payoffs."""
        x, y = (np.exp2(np.round(np.log2(d) / 2)) for d in self.sequence)
        return Scale((x, y), self.unit)


def scale_of(form: SequenceForm) -> Scale:
    """Return scales from the payoff: sequences with small payoff entries get small units.

    A hand held with probability 1e-10 then has payoff entries of order one and a plan of order 1e-10,
    instead of entries that HiGHS would drop (it ignores anything up to 1e-9). Factors are 1 at the empty
    sequence and do not rise along a path.
    """
    payoff, (own, other) = form.payoff, form.treeplexes
    base = abs(payoff.base.csr)
    e0 = _exponents(own, np.maximum(_row_max(base), _row_max(payoff.left.csr)))
    # Exponents, since the quotients of subnormal payoffs leave the range of floats.
    data = np.ldexp(base.data, -np.repeat(e0, np.diff(base.indptr)))
    base = csr_array((data, base.indices, base.indptr), shape=base.shape).T.tocsr()
    e1 = _exponents(other, np.maximum(_row_max(base), _row_max(payoff.right.csr)))
    d0, d1 = (np.exp2(np.maximum(e - e[0], LEAST_EXPONENT)) for e in (e0, e1))
    return Scale((d0, d1), float(np.ldexp(1.0, e0[0] + e1[0])))


def divided(m: csr_array, unit: float) -> csr_array:
    """Return a matrix divided by the power of two at or below a positive number, which may be subnormal."""
    data = np.ldexp(m.data, 1 - int(np.frexp(unit)[1]))
    return csr_array((data, m.indices, m.indptr), shape=m.shape)


def _row_max(m: csr_array) -> Floats:
    return np.asarray(abs(m).max(axis=1).toarray()).ravel() if m.nnz else np.zeros(m.shape[0])


def _exponents(treeplex: Treeplex, size: Floats) -> Index:
    """Return powers of 2, (S,): sizes, but at least the largest below and 2^-20 of the infoset's largest."""
    d = size.copy()
    for i in range(treeplex.n_infosets - 1, -1, -1):
        p = treeplex.parent[i]
        d[p] = max(d[p], d[treeplex.begin[i] : treeplex.end[i]].max())
    if d[0] == 0.0:
        return np.zeros(len(d), dtype=np.int64)
    for i in range(treeplex.n_infosets):
        actions = d[treeplex.begin[i] : treeplex.end[i]]
        largest = actions.max() or d[treeplex.parent[i]]
        # Flow rows contain quotients of sizes, here bounded by a million.
        np.maximum(actions, largest * 2.0**-20, out=actions)
    # What underflows here is far below the largest.
    smallest = np.nextafter(0.0, 1.0)
    return np.asarray(np.round(np.log2(np.maximum(d, smallest))), dtype=np.int64)


@dataclass(frozen=True, repr=False)
class SequenceProgram(Shown):
    """A player's sequence-form program, scaled, and the conversion of its solution to plans.

    Columns: the scaled plan (S own), the scaled values of the other player's root and infosets
    (1 + I other), the running sums of a factored payoff (K). Rows: flow (1 + I own, equalities), running
    sums (K, equalities), one for each of the other player's sequences (S other, at most zero).

    Attributes
    ----------
    program : LinearProgram
        Maximises the player's guaranteed payoff, in units of ``scale.unit``.
    player : int
        The player whose plan the columns are.
    scale : Scale
    n_own, n_other : int
        Sequences of the player and of the other player.
    """

    program: LinearProgram
    player: int
    scale: Scale
    n_own: int
    n_other: int

    def brief(self) -> str:
        """Return the player and the size of the program."""
        return f"player {self.player}: {self.program.brief()}"

    def plan(self, primal: Floats) -> Floats:
        """Return the player's plan (S own,) from the program's columns."""
        return primal[: self.n_own] / self.scale.sequence[self.player]

    def other_plan(self, dual: Floats) -> Floats:
        """Return the other player's plan (S other,) from the duals of the last rows.

        The dual of "value of sequence s is at most its payoff" is the weight that the other player puts on
        s (strong duality; theorems T2.2).
        """
        return dual[-self.n_other :] / self.scale.sequence[1 - self.player]

    def value(self, objective: float) -> float:
        """Return player 0's value from the program's objective."""
        return (objective if self.player == 0 else -objective) * self.scale.unit


def sequence_program(form: SequenceForm, player: int, scale: Scale | None = None) -> SequenceProgram:
    """Write the program whose columns are ``player``'s plan.

    For player 0, with x the plan and q the values of player 1's infosets in player 0's payoff::

        max q[root]   s.t.   E x = e,   M' s = left' x,   F' q <= base' x + right s,   x >= 0,  q, s free

    For player 1 the same with the payoff ``-A'``: ``M s = right' y`` and ``-base y - left s``. Values are
    free and flow rows are equalities on purpose: with shifted payoffs and inequality flows a known solver
    reports wrong values.
    """
    own, other = form.treeplexes[player], form.treeplexes[1 - player]
    scale = scale_of(form) if scale is None else scale
    d_own, d_other = scale.sequence[player], scale.sequence[1 - player]
    base, into, chain, out = _oriented(form, player, scale.unit)
    k = chain.shape[0]

    down, up = diags_array(1.0 / d_own), diags_array(1.0 / d_other)
    flow = _constraints(own, d_own)
    values = _constraints(other, d_other).T
    matrix = block_array(
        [
            [flow, None, None],  # E x = e
            [-(into.T @ down), None, chain],  # running sums of the own plan
            [-(up @ base @ down), values, -(up @ out)],  # F' q <= A' x
        ],
        format="csc",
    )
    matrix.eliminate_zeros()
    n_flow, n_values = flow.shape[0], values.shape[1]
    cost = np.zeros(own.n_sequences + n_values + k)
    cost[own.n_sequences] = 1.0
    equal = np.zeros(n_flow + k)
    equal[0] = 1.0
    free = np.full(n_values + k, np.inf)
    program = LinearProgram(
        cost,
        matrix,
        np.concatenate((equal, np.full(other.n_sequences, -np.inf))),
        np.concatenate((equal, np.zeros(other.n_sequences))),
        np.concatenate((np.zeros(own.n_sequences), -free)),
        np.full(len(cost), np.inf),
    )
    return SequenceProgram(program, player, scale, own.n_sequences, other.n_sequences)


def plain_program(form: SequenceForm, player: int) -> SequenceProgram:
    """Return the program of ``player`` in the game's own unit, no plan or value scaled."""
    ones = [np.ones(t.n_sequences) for t in form.treeplexes]
    return sequence_program(form, player, Scale((ones[0], ones[1]), 1.0))


def _oriented(
    form: SequenceForm, player: int, unit: float
) -> tuple[csr_array, csr_array, csr_array, csr_array]:
    """Return base (S other, S own), into (S own, K), chain (K, K) and out (S other, K) for a maximiser."""
    payoff = form.payoff
    k = len(payoff.link)
    below = coo_array(
        (-payoff.link[1:].astype(np.float64), (np.arange(1, k), np.arange(k - 1))), shape=(k, k)
    )
    m = (diags_array(np.ones(k)) + below).tocsr() if k else csr_array((0, 0))
    base, left, right = divided(payoff.base.csr, unit), divided(payoff.left.csr, unit), payoff.right.csr
    if player == 0:
        return base.T.tocsr(), left, m.T.tocsr(), right
    return csr_array(-base), right, m, csr_array(-left)


def _constraints(treeplex: Treeplex, d: Floats) -> csr_array:
    """Return E (1 + I, S): row 0 reads x[0] = 1, row 1 + i reads sum of x over i = x[parent of i].

    Written for the scaled plan d x, each row multiplied back by the scale of its infoset, so that entries
    stay near one: E[1 + i, s] = D / d[s] with D the largest d in i.
    """
    n, s = treeplex.n_infosets, np.arange(1, treeplex.n_sequences)
    size = np.maximum.reduceat(d, treeplex.begin) if n else np.zeros(0)
    i = treeplex.infoset_of[1:]
    rows = np.concatenate(([0], 1 + i, 1 + np.arange(n)))
    cols = np.concatenate(([0], s, treeplex.parent))
    data = np.concatenate(([1.0], size[i] / d[s], -size / d[treeplex.parent]))
    return csr_array((data, (rows, cols)), shape=(1 + n, treeplex.n_sequences))


MANY, FEW = 20, 3
"""How often geometric means of rows and columns are taken: many passes make entries most alike, few leave
more of the units that plans and values have in common."""
LARGEST_EXPONENT = 500
"""Factors are at most 2**500 and at least 2**-500."""


def equilibrated_program(form: SequenceForm, player: int, passes: int = MANY) -> SequenceProgram:
    """Return the program of ``player`` with rows and columns scaled by powers of two in so many passes.

    The largest entry of each row is about one.
    """
    plain = plain_program(form, player)
    row, col = _factors(plain.program.matrix, passes)
    other = slice(plain.program.n_rows - plain.n_other, None)
    # The right-hand side and the cost, one entry each, stay 1: plans and values change their units instead.
    first, root = row[0], col[plain.n_own]
    own, against = np.exp2(-col[: plain.n_own] - first), np.exp2(-row[other] - root)
    scale = Scale((own, against) if player == 0 else (against, own), float(np.exp2(root + first)))
    program = replace(plain.program, matrix=_scaled(plain.program.matrix, row, col))
    return SequenceProgram(program, player, scale, plain.n_own, plain.n_other)


def _factors(matrix: csc_array, passes: int) -> tuple[Floats, Floats]:
    """Return the binary exponents of the factors of rows (m,) and of columns (n,), whole numbers."""
    entries = matrix.tocoo()
    size, (m, n) = np.log2(np.abs(entries.data)), matrix.shape
    i, j = (at.astype(np.int64) for at in entries.coords)
    row, col = np.zeros(m), np.zeros(n)
    for _ in range(passes):
        row = -_mean(i, size + col[j], m)
        col = -_mean(j, size + row[i], n)
    largest = np.full(m, -np.inf)
    np.maximum.at(largest, i, size + col[j])
    row = np.where(np.isfinite(largest), -largest, 0.0)
    row, col = (np.clip(np.round(e), -LARGEST_EXPONENT, LARGEST_EXPONENT) for e in (row, col))
    return row, col


def _mean(group: Index, values: Floats, n: int) -> Floats:
    """Return the mean value of each group, (n,); 0 where a group is empty."""
    return np.asarray(np.bincount(group, values, n) / np.maximum(np.bincount(group, minlength=n), 1))


def _scaled(matrix: csc_array, row: Floats, col: Floats) -> csc_array:
    """Return a matrix with rows and columns multiplied by powers of two, given by their exponents."""
    entries = matrix.tocoo()
    i, j = entries.coords
    data = np.ldexp(entries.data, (row[i] + col[j]).astype(np.int64))
    scaled = csc_array((data, (i, j)), shape=entries.shape)
    scaled.eliminate_zeros()
    return scaled
