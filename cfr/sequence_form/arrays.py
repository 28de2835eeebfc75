"""A sequence form as the flat arrays that compiled minimisers read."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from treeplex.cfr.variants.rules import NOISE
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats

Unsigned = NDArray[np.uint64]
"""Indices of compiled loops: an index that cannot be negative needs no test for one."""


class Csr(NamedTuple):
    """A sparse matrix by rows: indptr (n + 1,) and indices (nnz,) uint64, data (nnz,) f64."""

    indptr: Unsigned
    indices: Unsigned
    data: Floats


class Chain(NamedTuple):
    """The way of a factored payoff: ``out @ running_sums(into @ plan)``.

    Running sums follow ``link`` upwards, or downwards where ``backward`` is set (the transposed factor).
    """

    into: Csr
    link: NDArray[np.bool_]
    backward: bool
    out: Csr


class UpdateArrays(NamedTuple):
    """What one player's update reads: the treeplex, and the way from the other's plan to a gradient.

    Infoset i has the sequences ``begin[i]`` to ``begin[i + 1] - 1``. The gradient is ``base @ plan`` and
    what the chain adds, in the player's own favour: for player 1 the payoff's sign is already turned. A
    chain that is None is no code at all in a compiled loop. Regrets below an infoset's ``noise`` (I,) are
    what rounding makes of exact ties.
    """

    begin: Unsigned
    parent: Unsigned
    base: Csr
    chain: Chain | None
    noise: Floats


def update_arrays(form: SequenceForm, player: int) -> UpdateArrays:
    """Lay out what ``player``'s update reads."""
    t, other, payoff = form.treeplexes[player], form.treeplexes[1 - player], form.payoff
    base, left, right = payoff.base.csr, payoff.left.csr, payoff.right.csr
    parts = (base, right.T, left) if player == 0 else (-base.T, left.T, -right)
    b, i, o = (_csr(m.tocsr()) for m in parts)
    # By infoset: a hand held with probability 1e-16 must learn like any other.
    largest = t.best_response(payoff.magnitude.against(player, other.plan(other.uniform()))).value
    begin = np.append(t.begin, t.n_sequences).astype(np.uint64)
    chain = Chain(i, payoff.link, player == 1, o) if len(payoff.link) else None
    return UpdateArrays(begin, t.parent.astype(np.uint64), b, chain, NOISE * largest)


def _csr(m: csr_array) -> Csr:
    return Csr(m.indptr.astype(np.uint64), m.indices.astype(np.uint64), m.data)
