"""Columns and rows that direct programs share: a plan inside a subgame and the tops' values against it."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_array, csr_array, eye_array

from treeplex.games.display.shown import Shown
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.subgames.forest import Forest
from treeplex.seqform.subgames.subgame import Subgame


@dataclass(frozen=True, repr=False)
class Block(Shown):
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
    def of(subgame: Subgame) -> "Block":
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
        return Block(
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
