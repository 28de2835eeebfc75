"""Sequence programs whose rows and columns are scaled to entries near one, whatever the payoffs.

A stack of 1e15 chips behind a pot of 100 leaves rows in which 1e15 and 50 count alike: the large one meets
probabilities of order 1e-13. Geometric means over rows and columns by turns find such factors.
"""

from dataclasses import replace

import numpy as np
from scipy.sparse import csc_array

from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.lp.program import SequenceProgram, plain_program
from treeplex.seqform.lp.scaling import Scale

MANY, FEW = 20, 3
"""How often geometric means of rows and columns are taken: many passes make entries most alike, few leave
more of the units that plans and values have in common."""
LARGEST_EXPONENT = 500
"""Factors are at most 2**500 and at least 2**-500."""


def equilibrated_program(form: SequenceForm, player: int, passes: int = MANY) -> SequenceProgram:
    """Return the program of ``player`` with rows and columns scaled by powers of two in so many passes.

    The largest entry of each row is about one.
    """
    plain = plain_program(form, player)
    row, col = _exponents(plain.program.matrix, passes)
    other = slice(plain.program.n_rows - plain.n_other, None)
    # The right-hand side and the cost, one entry each, stay 1: plans and values change their units instead.
    first, root = row[0], col[plain.n_own]
    own, against = np.exp2(-col[: plain.n_own] - first), np.exp2(-row[other] - root)
    scale = Scale((own, against) if player == 0 else (against, own), float(np.exp2(root + first)))
    program = replace(plain.program, matrix=_scaled(plain.program.matrix, row, col))
    return SequenceProgram(program, player, scale, plain.n_own, plain.n_other)


def _exponents(matrix: csc_array, passes: int) -> tuple[Floats, Floats]:
    """Return the binary exponents of the factors of rows (m,) and of columns (n,), whole numbers."""
    entries = matrix.tocoo()
    size, (m, n) = np.log2(np.abs(entries.data)), matrix.shape
    i, j = (at.astype(np.int64) for at in entries.coords)
    row, col = np.zeros(m), np.zeros(n)
    for _ in range(passes):
        row = -_mean(i, size + col[j], m)
        col = -_mean(j, size + row[i], n)
    largest = np.full(m, -np.inf)
    np.maximum.at(largest, i, size + col[j])
    row = np.where(np.isfinite(largest), -largest, 0.0)
    row, col = (np.clip(np.round(e), -LARGEST_EXPONENT, LARGEST_EXPONENT) for e in (row, col))
    return row, col


def _mean(group: Index, values: Floats, n: int) -> Floats:
    """Return the mean value of each group, (n,); 0 where a group is empty."""
    return np.asarray(np.bincount(group, values, n) / np.maximum(np.bincount(group, minlength=n), 1))


def _scaled(matrix: csc_array, row: Floats, col: Floats) -> csc_array:
    """Return a matrix with rows and columns multiplied by powers of two, given by their exponents."""
    entries = matrix.tocoo()
    i, j = entries.coords
    data = np.ldexp(entries.data, (row[i] + col[j]).astype(np.int64))
    scaled = csc_array((data, (i, j)), shape=entries.shape)
    scaled.eliminate_zeros()
    return scaled
