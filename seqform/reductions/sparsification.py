"""Factorisation of payoff matrices into running sums of differences between similar rows.

Farina and Sandholm (Fast payoff matrix sparsification techniques for structured extensive-form games, AAAI
2022) derive such factors from the rules of poker; here they are found in the entries of any matrix. In a
suitable order a row differs from the one before in a few entries: ``A = base + left inv(M) right'`` with M
bidiagonal. In poker, neighbouring rows are hands of neighbouring strength under one betting line. Chains of
similar rows are candidates from sorted orders, joined by a greedy path cover.
"""

from bisect import bisect
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index

LINK_COST = 3
"""Entries of a row of a chain beside its differences: two of M, one of ``left``."""
WINDOW = 3
"""Number of neighbours in each order with which a row is compared."""


@dataclass(frozen=True)
class SparseRows:
    """The rows of a matrix as sorted lists of tokens: a column and a value.

    Attributes
    ----------
    start : (n + 1,) int64
        First entry of each row.
    cols, code : (nnz,) int64
        Column and value of each entry; codes have the order and signs of values.
    """

    start: Index
    cols: Index
    code: Index

    @staticmethod
    def of(matrix: ExactMatrix) -> "SparseRows":
        """Return the rows of a matrix."""
        try:
            code = matrix.num.astype(np.int64)
        except OverflowError:
            values = sorted({*matrix.num.tolist()})
            zero = bisect(values, 0)
            codes = {value: c - zero + (c >= zero) for c, value in enumerate(values)}
            code = np.array([codes[a] for a in matrix.num.tolist()])
        return SparseRows(np.searchsorted(matrix.rows, np.arange(matrix.shape[0] + 1)), matrix.cols, code)

    @property
    def sizes(self) -> Index:
        """Number of entries of each row, (n,)."""
        return np.diff(self.start)

    def orders(self) -> tuple[Index, Index]:
        """Return the rows with entries in lexicographic order, columns read forwards and backwards.

        Zeros count as entries: then rows of showdowns sort by strength for every order of columns.
        """
        n = int(self.cols.max()) + 1
        live = np.flatnonzero(self.sizes)
        return self._sorted(live, self.cols, n, 1), self._sorted(live, n - 1 - self.cols, n, -1)

    def _sorted(self, live: Index, cols: Index, n: int, step: int) -> Index:
        # Bytes are compared from the left. A zero, which has no token, must sort between negative and
        # positive values at its column: the earlier a column, the farther is its token from n.
        place = np.where(self.code < 0, cols, 2 * n - cols)
        tokens = np.stack((place, self.code ^ np.int64(-(2**63))), axis=1).astype(">i8")
        starts, ends, zeros = self.start[:-1].tolist(), self.start[1:].tolist(), np.array(n, ">i8").tobytes()
        keys = {i: tokens[starts[i] : ends[i]][::step].tobytes() + zeros for i in live.tolist()}
        return np.array(sorted(keys, key=keys.__getitem__))


def chains_of(rows: SparseRows) -> tuple[Index, NDArray[np.bool_]]:
    """Return the rows of chains of similar rows, (K,), and whether each continues the one before, (K,)."""
    if len(rows.cols) == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
    first, second = _candidates(rows)
    saved = np.minimum(rows.sizes[first], rows.sizes[second]) - n_differing(rows, first, second) - LINK_COST
    best = np.argsort(-saved, kind="stable")
    best = best[saved[best] > 0]
    neighbours = np.full((len(rows.sizes), 2), -1, dtype=np.int64)
    _cover_with_paths(first[best], second[best], neighbours)
    return _walk_paths(neighbours, rows.sizes)


def n_differing(rows: SparseRows, first: Index, second: Index) -> Index:
    """Return the number of columns in which each pair of rows differs, (P,)."""
    differing = np.empty(len(first), dtype=np.int64)
    _count_differing(rows.start, rows.cols, rows.code, first, second, differing)
    return differing


def differences(rows: SparseRows, chain: Index, before: Index) -> tuple[Index, Index, Index]:
    """Return the differences between each row of a chain and the one before, three arrays (D,).

    The element of the chains, the entry of the row, and the entry of the row before (-1 if there is none).
    """
    most = int((rows.sizes[chain] + np.where(before >= 0, rows.sizes[before], 0)).sum())
    element, plus, minus = (np.empty(most, dtype=np.int64) for _ in range(3))
    n = _list_differences(rows.start, rows.cols, rows.code, chain, before, element, plus, minus)
    return element[:n], plus[:n], minus[:n]


def _candidates(rows: SparseRows) -> tuple[Index, Index]:
    """Return pairs of rows within ``WINDOW`` positions in some order, each pair once."""
    n = len(rows.sizes)
    pairs = []
    for order in rows.orders():
        for step in range(1, WINDOW + 1):
            one, other = order[:-step], order[step:]
            pairs.append(np.minimum(one, other) * n + np.maximum(one, other))
    pair = np.unique(np.concatenate(pairs))
    return pair // n, pair % n


def _walk_paths(neighbours: Index, sizes: Index) -> tuple[Index, NDArray[np.bool_]]:
    """Return the rows of all paths, one path after the other from its end with fewer entries, and links."""
    beside = neighbours.tolist()
    ends = np.flatnonzero((neighbours[:, 0] >= 0) & (neighbours[:, 1] < 0))
    chain: list[int] = []
    link: list[bool] = []
    done = set()
    for end in ends[np.argsort(sizes[ends], kind="stable")].tolist():
        if end in done:
            continue
        before, row = -1, end
        while row >= 0:
            link.append(before >= 0)
            chain.append(row)
            one, other = beside[row]
            before, row = row, other if one == before else one
        done.add(before)
    return np.array(chain, dtype=np.int64), np.array(link, dtype=np.bool_)


@njit(cache=True)
def _count_differing(
    start: Index, cols: Index, code: Index, first: Index, second: Index, differing: Index
) -> None:
    """Write the number of columns in which each pair of rows differs."""
    for p in range(len(first)):
        a, b = start[first[p]], start[second[p]]
        a_end, b_end = start[first[p] + 1], start[second[p] + 1]
        count = 0
        while a < a_end and b < b_end:
            count += cols[a] != cols[b] or code[a] != code[b]
            column = min(cols[a], cols[b])
            a, b = a + (cols[a] == column), b + (cols[b] == column)
        differing[p] = count + a_end - a + b_end - b


@njit(cache=True)
def _list_differences(
    start: Index,
    cols: Index,
    code: Index,
    chain: Index,
    before: Index,
    element: Index,
    plus: Index,
    minus: Index,
) -> int:
    """Write the three arrays of :func:`differences`; return their length."""
    n = 0
    for k in range(len(chain)):
        a, a_end = start[chain[k]], start[chain[k] + 1]
        b, b_end = (start[before[k]], start[before[k] + 1]) if before[k] >= 0 else (0, 0)
        while a < a_end or b < b_end:
            comes = a < a_end and (b == b_end or cols[a] <= cols[b])
            goes = b < b_end and (a == a_end or cols[b] <= cols[a])
            if not (comes and goes and code[a] == code[b]):
                element[n] = k
                plus[n] = a if comes else -1
                minus[n] = b if goes else -1
                n += 1
            a, b = a + comes, b + goes
    return n


@njit(cache=True)
def _cover_with_paths(first: Index, second: Index, neighbours: Index) -> None:
    """Accept edges in order if both ends have a free slot and no cycle closes; write neighbours, (n, 2)."""
    root = np.arange(len(neighbours))
    for e in range(len(first)):
        a, b = first[e], second[e]
        if neighbours[a, 1] >= 0 or neighbours[b, 1] >= 0:
            continue
        top_a, top_b = a, b
        while root[top_a] != top_a:
            root[top_a] = root[root[top_a]]
            top_a = root[top_a]
        while root[top_b] != top_b:
            root[top_b] = root[root[top_b]]
            top_b = root[top_b]
        if top_a != top_b:
            root[top_a] = top_b
            neighbours[a, int(neighbours[a, 0] >= 0)] = b
            neighbours[b, int(neighbours[b, 0] >= 0)] = a


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
    rows : SparseRows
    chain : (K,) int64
        The rows of all chains, one chain after the other.
    link : (K,) bool
        Whether each continues the chain of the one before.
    """

    matrix: ExactMatrix
    over_columns: bool
    rows: SparseRows
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
        rows = SparseRows.of(matrix)
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
