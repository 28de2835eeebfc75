"""What an engine on buckets keeps in memory, counted before it is made."""

import numpy as np

from treeplex.cfr.factored.state import BYTES
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Index

TABLES_BYTES = 8 * 3 + 4
"""Bytes of a bucket's action: regret, average and play as float64, and the average once more as float32."""
SUM_BYTES = 8
"""Bytes of what each thread adds up for a bucket's action, and for its reach of a decision."""
HAND_BYTES = 4 + 8
"""Bytes of a live hand on a board: its bucket, and its part of the bucket's weight."""
CHOICE_BYTES = 1
"""Bytes of a hand's choice at a decision on a board, where a player best responds."""
EXPANDED_BYTES = 4
"""Bytes of each action of a hand on a board in the strategy that is judged."""


def bucket_bytes(
    tree: FactoredTree,
    counts: Index,
    abstracted: tuple[bool, bool],
    threads: int,
    *,
    predictive: bool,
    responding: bool = False,
) -> int:
    """Return the bytes that an engine on buckets takes, the strategy that is judged included.

    Parameters
    ----------
    tree : FactoredTree
    counts : (S,) int64
        Buckets of each street.
    abstracted : pair of bool
        Whether each player's hands are in buckets.
    threads : int
    predictive : bool
        Whether the last regrets are kept too.
    responding : bool
        Whether both players best respond too, hand by hand.
    """
    betting, total = tree.betting, 0
    for p in (0, 1):
        on_boards = int(tree.base[p][-1])
        if not abstracted[p]:
            total += on_boards * (BYTES["float32"] + (4 if predictive else 0))
            continue
        nodes = np.flatnonzero(betting.player == p)
        street = betting.street[nodes]
        actions = np.array([len(betting.children[node]) for node in nodes.tolist()])
        rows = int((actions * counts[street]).sum())
        reaches = int(counts[street].sum())
        total += rows * (TABLES_BYTES + (8 if predictive else 0))
        total += (rows + reaches) * SUM_BYTES * threads
        total += len(tree.boards.hands[p].hand) * HAND_BYTES + on_boards * EXPANDED_BYTES
        if responding:
            decisions = np.bincount(street, minlength=betting.n_streets)[tree.boards.street]
            total += int(decisions @ np.diff(tree.boards.hands[p].start)) * CHOICE_BYTES
    return total
