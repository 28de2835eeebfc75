"""Linear programs as arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from treeplex.games.display.shown import Shown


@dataclass(frozen=True, repr=False)
class LinearProgram(Shown):
    """Maximise ``cost @ z``: ``row_lower <= matrix @ z <= row_upper`` and ``col_lower <= z <= col_upper``.

    Attributes
    ----------
    cost : (n,) f64
    matrix : (m, n) csc_array of f64
    row_lower, row_upper : (m,) f64
        Infinite where a side is absent; equal on equality rows.
    col_lower, col_upper : (n,) f64
    """

    cost: NDArray[np.float64]
    matrix: csc_array
    row_lower: NDArray[np.float64]
    row_upper: NDArray[np.float64]
    col_lower: NDArray[np.float64]
    col_upper: NDArray[np.float64]

    def brief(self) -> str:
        """Return its size."""
        return f"{self.n_rows:,} rows, {self.n_cols:,} columns, {self.nnz:,} nonzeros"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.matrix.shape[0])

    @property
    def n_cols(self) -> int:
        """Number of columns."""
        return int(self.matrix.shape[1])

    @property
    def nnz(self) -> int:
        """Number of stored nonzeros."""
        return int(self.matrix.nnz)
