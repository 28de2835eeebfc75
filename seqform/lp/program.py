"""The sequence-form linear program of either player (Koller, Megiddo and von Stengel 1996)."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_array, coo_array, csr_array, diags_array

from treeplex.games.display.shown import Shown
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.lp.linear_program import LinearProgram
from treeplex.seqform.lp.scaling import Scale, divided, scale_of


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
