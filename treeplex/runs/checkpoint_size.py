"""The size of checkpoints, known before a run."""

from pathlib import Path
from typing import Any

import numpy as np

from treeplex.cfr.engine import Engine, Mapped
from treeplex.cfr.monte_carlo.poker.sampling import PokerTable
from treeplex.runs.state_arrays import leaves_of

LARGE = 100 * 2**20
"""Bytes above which a checkpoint's size is said before it is written."""


def largest_checkpoint(engine: Engine[Any, Any], iterations: int, n_infosets: int) -> int:
    """Return the most bytes that a checkpoint takes, up to a few kilobytes.

    Hash tables grow with the infosets that are met, and some tables are written compressed; all other states
    keep their size.

    Parameters
    ----------
    engine : Engine
    iterations : int
        At which the run ends.
    n_infosets : int
        Of the game, both players' together; for hash tables.
    """
    inner = engine.engine if isinstance(engine, Mapped) else engine
    if isinstance(inner, PokerTable):
        return inner.most_bytes(iterations, n_infosets)
    return sum(leaf.nbytes for _, leaf in leaves_of("", engine.start()) if isinstance(leaf, np.ndarray))


def size_text(path: str | Path, n_bytes: int, *, at_most: bool) -> str:
    """Return what is said of a large checkpoint.

    >>> size_text("run.npz", 2**30, at_most=True)
    'the checkpoint run.npz will take up to 1,024 MiB, and as much beside it while it is written'
    """
    size = f"{'up to ' if at_most else ''}{n_bytes / 2**20:,.0f} MiB"
    return f"the checkpoint {path} will take {size}, and as much beside it while it is written"
