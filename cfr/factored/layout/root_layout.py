"""A player's root decisions laid out over the hands of the starting board."""

import numpy as np

from treeplex.cfr.factored.layout.arrays import Floats, Index, Root
from treeplex.seqform.subgames.root_decisions import RootDecisions


def root_arrays(decisions: RootDecisions, weight: Floats, order: Index, unit: float) -> Root:
    """Lay out root decisions.

    Parameters
    ----------
    decisions : RootDecisions
        Its tops are the hands of the range.
    weight : (H,) float64
        Of the range.
    order : (H,) int64
        The hands of the starting board in their order there.
    unit : float
        What the player's values are divided by.
    """
    entries, header = decisions.entries, decisions.header
    at = np.array([entry.at[order] for entry in entries], np.int64)
    inside = np.where(at >= 0, np.array([entry.weight[order] for entry in entries]), 0.0)
    total = inside.sum(axis=0)
    stay = np.zeros(header.n_sequences)
    np.add.at(stay, decisions.stay[0], decisions.stay[1] / unit)
    return Root(
        begin=header.begin.astype(np.int64),
        end=header.end.astype(np.int64),
        parent=header.parent.astype(np.int64),
        at=at,
        weight=inside * weight[order],
        own=inside / np.where(total > 0.0, total, 1.0),
        base=np.where(total > 0.0, 0.0, 1.0),
        stay=stay,
    )
