"""Scaling of sequence-form programs by powers of two, to entries of order one."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex

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
