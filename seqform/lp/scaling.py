"""Scaling of sequence-form programs by powers of two, to entries of order one."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array

from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex


@dataclass(frozen=True)
class Scale:
    """The units of plans and values inside a program; every factor is a power of two.

    Attributes
    ----------
    sequence : pair of (S,) f64
        The scaled plan is ``sequence * plan``; 1 at the empty sequence, nonincreasing along each path.
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
    instead of entries that HiGHS would drop (it ignores anything up to 1e-9).
    """
    payoff, (own, other) = form.payoff, form.treeplexes
    base = abs(payoff.base.csr)
    d0 = _monotone(own, np.maximum(_row_max(base), _row_max(payoff.left.csr)))
    base = (diags_array(1.0 / d0) @ base).T.tocsr()
    d1 = _monotone(other, np.maximum(_row_max(base), _row_max(payoff.right.csr)))
    return Scale((d0 / d0[0], d1 / d1[0]), float(d0[0] * d1[0]))


def _row_max(m: csr_array) -> Floats:
    return np.asarray(abs(m).max(axis=1).toarray()).ravel() if m.nnz else np.zeros(m.shape[0])


def _monotone(treeplex: Treeplex, size: Floats) -> Floats:
    """Return powers of 2, (S,): sizes, but at least the largest below and 2^-20 of the infoset's largest."""
    d = size.copy()
    for i in range(treeplex.n_infosets - 1, -1, -1):
        p = treeplex.parent[i]
        d[p] = max(d[p], d[treeplex.begin[i] : treeplex.end[i]].max())
    if d[0] == 0.0:
        return np.ones_like(d)
    for i in range(treeplex.n_infosets):
        actions = d[treeplex.begin[i] : treeplex.end[i]]
        largest = actions.max() or d[treeplex.parent[i]]
        # Flow rows contain quotients of sizes, here bounded by a million.
        np.maximum(actions, largest * 2.0**-20, out=actions)
    return np.asarray(np.exp2(np.round(np.log2(d))))
