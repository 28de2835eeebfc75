"""Blueprints on the boards of a factored tree, where best responses can judge them."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.blueprint.strategy import BlueprintStrategy
from treeplex.cfr.blueprint.tables.layout import BlueprintLayout
from treeplex.games.reporting import Report, quiet
from treeplex.seqform.buckets.bucket_strategy import BucketStrategy
from treeplex.seqform.buckets.bucket_tree import BucketTree
from treeplex.seqform.buckets.labels import labels_by
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Index


def bucket_tree(layout: BlueprintLayout, tree: FactoredTree, report: Report = quiet) -> BucketTree:
    """Return the buckets of a blueprint on the boards of its game.

    After the first street, bucket b of public cluster c has number ``c * count + b``.

    Parameters
    ----------
    layout : BlueprintLayout
    tree : FactoredTree
        Of the same game.
    report : callable, optional
        Told a few times a second how many boards are done.
    """
    counts = np.array(layout.abstraction.counts)
    cluster = _clusters(layout, tree)
    # both players have the same hands, as no game with an abstraction has ranges
    width = np.diff(tree.boards.hands[0].start)
    label = labels_by(tree, layout.abstraction, report) + np.repeat(
        cluster * counts[tree.boards.street], width
    )
    numbers = (counts * np.where(np.arange(len(counts)) > 0, layout.clusters.count, 1)).tolist()
    found = BucketTree.of(tree, (label, label), (numbers, numbers), report)
    return replace(found, abstraction=layout.abstraction)


def on_boards(tree: BucketTree, strategy: BlueprintStrategy) -> BucketStrategy:
    """Return a blueprint's average strategy on the boards of :func:`bucket_tree`."""
    first, second = (_weights(tree, strategy, p) for p in (0, 1))
    return BucketStrategy(tree, (first, second))


def _clusters(layout: BlueprintLayout, tree: FactoredTree) -> Index:
    """Return the public cluster of each board, 0 before the first board cards, (B,)."""
    boards, found = tree.boards, np.zeros(tree.boards.n_boards, np.int64)
    dealt = np.flatnonzero(boards.street > 0)
    if len(dealt):
        first = layout.abstraction.rounds[1]
        found[dealt] = layout.clusters.of(np.array([boards.cards[board][:first] for board in dealt]))
    return found


def _weights(tree: BucketTree, strategy: BlueprintStrategy, player: int) -> NDArray[np.float32]:
    """Return a player's table with the layout of ``tree``; where there is one action it is zero."""
    table, betting = np.zeros(tree.length(player), np.float32), tree.tree.betting
    for line, node in strategy.layout.lines.index.items():
        record, there = strategy.layout.nodes[node], betting.node_of[line]
        if record["kind"] == player:
            street = int(record["street"])
            rows = strategy.weight(node).reshape(-1, int(record["count"])).T
            start = int(tree.base[player][street] + tree.tree.slot[there] * tree.count[player][street])
            table[start : start + rows.size] = rows.reshape(-1)
    return table
