"""Matrices as coloured squares with their entries."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike


def draw_matrix(
    ax: Axes, matrix: ArrayLike, rows: Sequence[str], cols: Sequence[str], *, font: float = 9
) -> None:
    """Draw a matrix of integers: blue where positive, red where negative.

    Parameters
    ----------
    matrix : (R, C) numbers
        Rounded to integers in the picture.
    rows, cols : R and C texts
        The names of rows and columns.
    font : float
        In points.
    """
    entries = np.asarray(matrix, dtype=np.float64)
    limit = 1.6 * np.abs(entries).max()
    ax.imshow(entries, cmap="RdBu", vmin=-limit, vmax=limit)
    for (r, c), entry in np.ndenumerate(entries):
        if entry:
            ax.text(c, r, f"{entry:+.0f}".replace("-", "−"), ha="center", va="center", fontsize=font)
    ax.set_xticks(range(len(cols)), list(cols), rotation=90, fontsize=font)
    ax.set_yticks(range(len(rows)), list(rows), fontsize=font)
    ax.set_xticks(np.arange(len(cols)) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(rows)) - 0.5, minor=True)
    ax.grid(which="minor", color="#e4e4e4", lw=0.6)
    ax.tick_params(which="both", length=0)
    ax.spines[:].set_visible(False)
