"""A sequence form as the flat arrays that compiled minimisers read."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from seqform.sequence_form import SequenceForm
from seqform.treeplex import Floats, Index


class Csr(NamedTuple):
    """A sparse matrix by rows: indptr (n + 1,) and indices (nnz,) int64, data (nnz,) f64."""

    indptr: Index
    indices: Index
    data: Floats


class UpdateArrays(NamedTuple):
    """What one player's update reads: the treeplex, and the way from the other's plan to a gradient.

    The gradient is ``base @ plan + out @ running_sums(into @ plan)``, in the player's own favour: for
    player 1 the payoff's sign is already turned. Running sums follow ``link`` upwards, or downwards where
    ``backward`` is set (the transposed factor).
    """

    begin: Index
    end: Index
    parent: Index
    base: Csr
    into: Csr
    link: NDArray[np.bool_]
    backward: bool
    out: Csr


def update_arrays(form: SequenceForm, player: int) -> UpdateArrays:
    """Lay out what ``player``'s update reads."""
    t, payoff = form.treeplexes[player], form.payoff
    base, left, right = payoff.base.csr, payoff.left.csr, payoff.right.csr
    parts = (base, right.T, left) if player == 0 else (-base.T, left.T, -right)
    b, i, o = (_csr(m.tocsr()) for m in parts)
    return UpdateArrays(t.begin, t.end, t.parent, b, i, payoff.link, player == 1, o)


def _csr(m: csr_array) -> Csr:
    return Csr(m.indptr.astype(np.int64), m.indices.astype(np.int64), m.data)
