"""Buckets of hands that learn alike, on each board by itself."""

from dataclasses import dataclass

import numpy as np

from treeplex.cfr.factored.layout.arrays import Floats, Index, Places
from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.factored.board_hands import Hands
from treeplex.seqform.factored.real_boards import images_of
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.factored.suit_symmetry import Permutation
from treeplex.seqform.trees.poker_deals import codes


@dataclass(frozen=True)
class Buckets:
    """Both players' buckets on the boards of a tree: hands of one bucket on a board play alike.

    A bucket's regrets are the mean of its hands' counterfactual regrets, and its average plan the mean of
    their plans, both weighted by the hands' weights in the range. Dividing by the bucket's weight changes no
    strategy, and numbers stay in the range that they have without buckets.

    Attributes
    ----------
    tree : FactoredTree
        No hands locked.
    first : pair of (.,) uint16
        For each live hand of each board, in the order of ``Hands.hand``, the position on the board of the
        first hand of its bucket.
    """

    tree: FactoredTree
    first: tuple[Places, Places]

    @staticmethod
    def of(tree: FactoredTree, labels: tuple[Index, Index], report: Report = quiet) -> "Buckets":
        """Return the buckets that labels of hands make.

        Parameters
        ----------
        tree : FactoredTree
        labels : pair of (.,) int64
            A number for each live hand of each board, in the order of ``Hands.hand``; hands of one board with
            one number are in one bucket. Numbers of two boards mean nothing to each other.
        report : callable, optional
            Told a few times a second how many boards are done.

        Raises
        ------
        ValueError
            If hands are locked, labels do not fit the tree, or a suit permutation that fixes a board maps a
            bucket to hands of several ones.
        """
        if tree.locked:
            raise ValueError(f"buckets are for games without locks, got {tree.game.name}")
        pairs = [*zip(tree.boards.hands, labels, strict=True)]
        for player, (hands, label) in enumerate(pairs):
            if label.shape != hands.hand.shape:
                raise ValueError(
                    f"labels of player {player} must have shape {hands.hand.shape}, got {label.shape}"
                )
        firsts = [np.empty(len(label), np.uint16) for label in labels]
        images = images_of(tree.game, tree.boards, tree.boards)
        for board, image in enumerate(reported(images, report, lambda n: f"buckets on {n:,} boards")):
            group = image.group if tree.boards.symmetric[board] else ()
            for (hands, label), first in zip(pairs, firsts, strict=True):
                here = hands.on(board)
                _check_closed(tree, hands, board, label[here], group)
                first[here] = _firsts(label[here])
        return Buckets(tree, (firsts[0], firsts[1]))

    def shares(self, player: int) -> Floats:
        """Return for each live hand of each board its part of its bucket's weight, (.,) float64."""
        hands = self.tree.boards.hands[player]
        weight = hands.weight[hands.hand]
        shares = np.empty(len(weight))
        for board in range(self.tree.boards.n_boards):
            here = hands.on(board)
            first, own = self.first[player][here], weight[here]
            shares[here] = own / np.bincount(first, own, minlength=len(own))[first]
        return shares


def _firsts(label: Index) -> Index:
    """Return for each hand of a board the first hand of its bucket."""
    _, first, bucket = np.unique(label, return_index=True, return_inverse=True)
    return first[bucket]


def _check_closed(
    tree: FactoredTree, hands: Hands, board: int, label: Index, group: tuple[Permutation, ...]
) -> None:
    """Refuse buckets of a board that a permutation of its suits does not map to buckets."""
    cards = hands.cards[hands.hand[hands.on(board)]]
    own = codes(cards)
    order = np.argsort(own)
    _, bucket = np.unique(label, return_inverse=True)
    for permutation in group[1:]:
        image = codes(np.sort(cards - cards % 4 + np.array(permutation)[cards % 4], axis=1))
        mapped = bucket[order[np.searchsorted(own, image, sorter=order)]]
        n_pairs = len(np.unique(np.stack([bucket, mapped]), axis=1).T)
        if n_pairs > bucket.max(initial=-1) + 1:
            text = tree.game.deck.text(tree.boards.cards[board]) or "no board"
            raise ValueError(
                f"buckets on {text} must be mapped to buckets by the permutations of suits that fix the board"
            )
