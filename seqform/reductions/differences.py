"""Factorisation of payoff matrices into running sums of differences between similar rows.

Farina and Sandholm (Fast payoff matrix sparsification techniques for structured extensive-form games, AAAI
2022) derive such factors from the rules of poker; here they are found in the entries of any matrix. In a
suitable order a row differs from the one before in a few entries: ``A = base + left inv(M) right'`` with M
bidiagonal. In poker, neighbouring rows are hands of neighbouring strength under one betting line.
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
"""The least number of nonzeros of a payoff matrix for which the search is made."""
PAYS = 3
"""The least factor by which running sums must reduce the number of entries."""


def sparsified(form: SequenceForm) -> SequenceForm:
    """Return the game with its payoff as running sums if they have ``PAYS`` times fewer entries, or as is."""
    if len(form.payoff.link) > 0 or form.payoff.nnz < WORTH_LOOKING:
        return form
    chains = _Chains.best(form.payoff.base)
    return replace(form, payoff=chains.payoff()) if chains.n_entries * PAYS <= form.payoff.nnz else form


def running_differences(matrix: ExactMatrix) -> Payoff:
    """Return a matrix as running sums of differences over its rows or columns, exactly.

    The variant with fewer entries is returned; rows not similar to any other remain in ``base``. Orders are
    found by sorting and a greedy path cover, in time nearly linear in nonzeros; they need not be optimal.
    """
    return _Chains.best(matrix).payoff()


@dataclass(frozen=True)
class _Chains:
    """Chains of rows in which neighbours are similar.

    Attributes
    ----------
    matrix : ExactMatrix
        The matrix, or with ``over_columns`` its transpose.
    over_columns : bool
    rows : Rows
    chain : (K,) int64
        The rows of all chains, one chain after the other.
    link : (K,) bool
        Whether each continues the chain of the one before.
    """

    matrix: ExactMatrix
    over_columns: bool
    rows: Rows
    chain: Index
    link: NDArray[np.bool_]

    @staticmethod
    def best(matrix: ExactMatrix) -> "_Chains":
        """Return the chains of rows or of columns, whichever have fewer entries."""
        over_rows, over_columns = _Chains.of(matrix, False), _Chains.of(matrix.transpose(), True)
        return over_columns if over_columns.n_entries < over_rows.n_entries else over_rows

    @staticmethod
    def of(matrix: ExactMatrix, over_columns: bool) -> "_Chains":
        """Return chains of similar rows of a matrix, or of its columns."""
        rows = Rows.of(matrix)
        return _Chains(matrix, over_columns, rows, *chains_of(rows))

    @cached_property
    def before(self) -> Index:
        """The row before each in its chain, (K,); -1 for the first of a chain."""
        return np.where(self.link, np.roll(self.chain, 1), -1)

    @cached_property
    def n_entries(self) -> int:
        """Number of entries of the payoff."""
        rows, chain, link = self.rows, self.chain, self.link
        differing = n_differing(rows, chain[link], self.before[link])
        alone = self.matrix.nnz - int(rows.sizes[chain].sum())
        right = int(rows.sizes[chain[~link]].sum()) + int(differing.sum())
        return alone + right + 2 * len(chain) + int(link.sum())

    def payoff(self) -> Payoff:
        """Return the original matrix as running sums along the chains."""
        matrix, chain = self.matrix, self.chain
        alone = ~np.isin(matrix.rows, chain)
        base = ExactMatrix(
            matrix.rows[alone], matrix.cols[alone], matrix.num[alone], matrix.den, matrix.shape
        )
        element, plus, minus = differences(self.rows, chain, self.before)
        # Element k is row k minus row k - 1: running sums are the rows.
        num = np.where(plus >= 0, matrix.num[plus], 0).astype(object)
        num -= np.where(minus >= 0, matrix.num[minus], 0).astype(object)
        cols = np.where(plus >= 0, matrix.cols[plus], matrix.cols[minus])
        # A power of two is moved between the factors, so that running sums are of order one.
        size = 1 << max((abs(a).bit_length() for a in num.tolist()), default=1) - 1
        k = len(chain)
        ones = np.full(k, size, dtype=object)
        left = ExactMatrix.of(chain, np.arange(k), ones, matrix.den, (matrix.shape[0], k))
        right = ExactMatrix.of(cols, element, num, size, (matrix.shape[1], k))
        payoff = Payoff(base, left, self.link, right)
        return _transposed(payoff) if self.over_columns else payoff


def _transposed(payoff: Payoff) -> Payoff:
    """Return the transposed payoff; M' with reversed order of elements is unit lower bidiagonal again."""
    k = len(payoff.link)
    link = np.append(False, payoff.link[:0:-1]) if k else payoff.link

    def reversed_columns(m: ExactMatrix) -> ExactMatrix:
        return ExactMatrix.of(m.rows, k - 1 - m.cols, m.num, m.den, m.shape)

    base = payoff.base.transpose()
    return Payoff(base, reversed_columns(payoff.right), link, reversed_columns(payoff.left))
