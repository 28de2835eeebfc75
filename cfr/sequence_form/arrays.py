"""A sequence form as flat arrays for compiled regret minimisers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from treeplex.cfr.variants.rules import NOISE
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats

Unsigned = NDArray[np.uint64]
"""Indices of compiled loops; unsigned, so that numba compiles no test for negative ones."""


class Csr(NamedTuple):
    """A sparse matrix by rows: indptr (n + 1,) and indices (nnz,) uint64, data (nnz,) f64."""

    indptr: Unsigned
    indices: Unsigned
    data: Floats


class Chain(NamedTuple):
    """The factored part of a gradient: ``out @ running_sums(into @ plan)``.

    Running sum k includes sum k - 1 where ``link[k]``; with ``backward`` (the transposed factor) sum k - 1
    includes sum k.
    """

    into: Csr
    link: NDArray[np.bool_]
    backward: bool
    out: Csr


class UpdateArrays(NamedTuple):
    """The arrays of one player's update: its treeplex, and the map from the other's plan to a gradient.

    Infoset i has the sequences ``begin[i]`` to ``begin[i + 1] - 1``. The gradient, in the player's
    own payoff, is ``base @ plan`` plus the chain's part; compiled loops contain no code for a chain that is
    None. Regrets smaller than an infoset's ``noise`` (I,) are rounded to zero: exact ties stay ties.
    """

    begin: Unsigned
    parent: Unsigned
    base: Csr
    chain: Chain | None
    noise: Floats


def update_arrays(form: SequenceForm, player: int) -> UpdateArrays:
    """Return the arrays of a player's update."""
    t, other, payoff = form.treeplexes[player], form.treeplexes[1 - player], form.payoff
    base, left, right = payoff.base.csr, payoff.left.csr, payoff.right.csr
    parts = (base, right.T, left) if player == 0 else (-base.T, left.T, -right)
    b, i, o = (_csr(m.tocsr()) for m in parts)
    # Noise is relative to the infoset: hands of probability 1e-16 must have regrets like others.
    largest = t.best_response(payoff.magnitude.against(player, other.plan(other.uniform()))).value
    begin = np.append(t.begin, t.n_sequences).astype(np.uint64)
    chain = Chain(i, payoff.link, player == 1, o) if len(payoff.link) else None
    return UpdateArrays(begin, t.parent.astype(np.uint64), b, chain, NOISE * largest)


def _csr(m: csr_array) -> Csr:
    return Csr(m.indptr.astype(np.uint64), m.indices.astype(np.uint64), m.data)
