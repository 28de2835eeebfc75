"""Hands in buckets on betting times boards, and the partitions of infosets that these are."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treeplex.bench.theorems.prepared import poker
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.trees.public_tree import compile_public


@dataclass(frozen=True)
class BucketedGame:
    """A poker game with hands in buckets, in two forms.

    Attributes
    ----------
    tree : BucketTree
        Betting times boards up to permutations of suits.
    form : SequenceForm
        Every hand on every real board.
    partitions : pair of Partition
        The infosets of a bucket at a node.
    """

    tree: BucketTree
    form: SequenceForm
    partitions: tuple[Partition, Partition]


@lru_cache(8)
def bucketed_game(spec: str, moduli: tuple[int, ...]) -> BucketedGame:
    """Return a poker game whose hands are in buckets by the sum of their ranks, modulo a number a street.

    After the first street also by whether a hand has a rank of the board. The numbers must each divide the
    next, so that recall is perfect.
    """
    game = poker(spec)
    tree = FactoredTree.of(game, BettingTree.of(game), BoardTree.of(game))
    first, second = (_labels(tree, player, moduli) for player in (0, 1))
    in_buckets = BucketTree.of(tree, (first, second))
    form = sequence_form(compile_public(game))
    return BucketedGame(in_buckets, form, partitions_of(in_buckets, form))


def partitions_of(tree: BucketTree, form: SequenceForm) -> tuple[Partition, Partition]:
    """Return the partitions of a form's infosets that hands in buckets make, both players'.

    Let each bucket play at each node what no other does, hand by hand on all real boards: infosets that play
    alike are in one bucket.
    """
    told_apart = BucketStrategy(tree, (_all_unlike(tree, 0), _all_unlike(tree, 1)))
    profile = profile_of(tree.tree.game, told_apart.expanded(), form)
    first, second = (
        Partition.of(t, [tuple(b[lo:hi].tolist()) for lo, hi in zip(t.begin, t.end, strict=True)])
        for t, b in zip(form.treeplexes, profile.behaviour, strict=True)
    )
    return first, second


def _all_unlike(tree: BucketTree, player: int) -> NDArray[np.float32]:
    """Return a table in which each bucket weighs the first action at each node as no other does, others 1."""
    table, betting, number = np.ones(tree.length(player), dtype=np.float32), tree.tree.betting, 2
    for node in np.flatnonzero(betting.player == player).tolist():
        street = int(betting.street[node])
        a, b = tree.base[player][street : street + 2]
        rows = table[a:b].reshape(int(tree.slots[player][street]), -1)
        count = rows.shape[1]
        rows[int(tree.tree.slot[node])] = np.arange(number, number + count)
        number += count
    return table


def _labels(tree: FactoredTree, player: int, moduli: tuple[int, ...]) -> NDArray[np.int64]:
    hands = tree.boards.hands[player]
    label = np.empty(len(hands.hand), dtype=np.int64)
    for board, cards in enumerate(tree.boards.cards):
        here = hands.on(board)
        ranks = hands.cards[hands.hand[here]] // 4
        met = np.isin(ranks, np.array(cards, dtype=np.int64) // 4).any(axis=1)
        street = int(tree.boards.street[board])
        label[here] = ranks.sum(axis=1) % moduli[street] * 2 + (met if street else 0)
    return label
