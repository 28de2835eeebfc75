"""Payoff matrices factored into running sums of differences between similar rows.

What Farina and Sandholm (Fast payoff matrix sparsification techniques for structured extensive-form games,
AAAI 2022) derive from the rules of poker is found here in the numbers of any matrix: in a good order a
row is the one before plus a few entries, so that ``A = base + left inv(M) right'`` with M bidiagonal. In
poker neighbours are hands of neighbouring strength under one betting line, whatever the game calls them.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.reductions.similar_rows import Rows, chains_of, differences, n_differing

WORTH_LOOKING = 5_000
"""From so many nonzeros on a payoff matrix is worth the search."""
PAYS = 3
"""How many times fewer entries running sums must have: chains cost a solver some time too."""


def sparsified(form: SequenceForm) -> SequenceForm:
    """Return the game with its payoff as running sums of differences where that pays, else as it is."""
    if len(form.payoff.link) > 0 or form.payoff.nnz < WORTH_LOOKING:
        return form
    chains = _Chains.best(form.payoff.base)
    return replace(form, payoff=chains.payoff()) if chains.n_entries * PAYS <= form.payoff.nnz else form


def running_differences(matrix: ExactMatrix) -> Payoff:
    """Write a matrix as running sums of differences over its rows or over its columns, exactly.

    What has fewer entries of the two is returned; rows that resemble no other stay in ``base``. Orders are
    found by sorting and by a greedy cover with paths, in time nearly linear in nonzeros: good, not best.
    """
    return _Chains.best(matrix).payoff()


@dataclass(frozen=True)
class _Chains:
    """Rows in chains of neighbours that resemble each other.

    Attributes
    ----------
    matrix : ExactMatrix
        The matrix whose rows they are, or with ``over_columns`` its transpose.
    over_columns : bool
    rows : Rows
    chain : (K,) int64
        The rows of all chains, one chain after the other.
    link : (K,) bool
        Whether each follows on the one before.
    """

    matrix: ExactMatrix
    over_columns: bool
    rows: Rows
    chain: Index
    link: NDArray[np.bool_]

    @staticmethod
    def best(matrix: ExactMatrix) -> "_Chains":
        """Return chains of rows or of columns, whichever leave fewer entries."""
        over_rows, over_columns = _Chains.of(matrix, False), _Chains.of(matrix.transpose(), True)
        return over_columns if over_columns.n_entries < over_rows.n_entries else over_rows

    @staticmethod
    def of(matrix: ExactMatrix, over_columns: bool) -> "_Chains":
        """Look for chains among the rows of a matrix."""
        rows = Rows.of(matrix)
        return _Chains(matrix, over_columns, rows, *chains_of(rows))

    @cached_property
    def before(self) -> Index:
        """The row that each follows on, (K,); -1 for the first of a chain."""
        return np.where(self.link, np.roll(self.chain, 1), -1)

    @cached_property
    def n_entries(self) -> int:
        """How many entries the payoff will have."""
        rows, chain, link = self.rows, self.chain, self.link
        differing = n_differing(rows, chain[link], self.before[link])
        alone = self.matrix.nnz - int(rows.sizes[chain].sum())
        right = int(rows.sizes[chain[~link]].sum()) + int(differing.sum())
        return alone + right + 2 * len(chain) + int(link.sum())

    def payoff(self) -> Payoff:
        """Return the matrix, as it was before any transposing, as running sums along the chains."""
        matrix, chain = self.matrix, self.chain
        alone = ~np.isin(matrix.rows, chain)
        base = ExactMatrix(
            matrix.rows[alone], matrix.cols[alone], matrix.num[alone], matrix.den, matrix.shape
        )
        element, plus, minus = differences(self.rows, chain, self.before)
        # Element k is row k less row k - 1, so that running sums give the rows back.
        num = np.where(plus >= 0, matrix.num[plus], 0).astype(object)
        num -= np.where(minus >= 0, matrix.num[minus], 0).astype(object)
        cols = np.where(plus >= 0, matrix.cols[plus], matrix.cols[minus])
        # The factors share out the size by a power of two: running sums are of order one.
        size = 1 << max((abs(a).bit_length() for a in num.tolist()), default=1) - 1
        k = len(chain)
        ones = np.full(k, size, dtype=object)
        left = ExactMatrix.of(chain, np.arange(k), ones, matrix.den, (matrix.shape[0], k))
        right = ExactMatrix.of(cols, element, num, size, (matrix.shape[1], k))
        payoff = Payoff(base, left, self.link, right)
        return _transposed(payoff) if self.over_columns else payoff


def _transposed(payoff: Payoff) -> Payoff:
    """Return the payoff with rows and columns exchanged: M' is M again when it is read from its end."""
    k = len(payoff.link)
    link = np.append(False, payoff.link[:0:-1]) if k else payoff.link

    def reversed_columns(m: ExactMatrix) -> ExactMatrix:
        return ExactMatrix.of(m.rows, k - 1 - m.cols, m.num, m.den, m.shape)

    base = payoff.base.transpose()
    return Payoff(base, reversed_columns(payoff.right), link, reversed_columns(payoff.left))
