"""The check that buckets are the same for hands that suits alone tell apart."""

import numpy as np
from numpy.typing import NDArray

from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.factored.board_hands import Hands
from treeplex.seqform.factored.real_boards import images_of
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.factored.suit_symmetry import Permutation
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.trees.poker_deals import codes

Given = NDArray[np.uint32]


def check_closed(
    tree: FactoredTree, labels: tuple[Given | None, Given | None], report: Report = quiet
) -> None:
    """Refuse buckets that are not the same for hands that suits alone tell apart.

    A permutation of suits that fixes a board must map each bucket to itself, or, among buckets with hands on
    this board alone, buckets to buckets: as such buckets learn alike, what they play is still symmetric.

    Parameters
    ----------
    tree : FactoredTree
    labels : pair of (.,) uint32 or None
        The bucket of each live hand of each board; numbers of two streets mean nothing to each other.
    report : callable, optional
        Told a few times a second how many boards are done.

    Raises
    ------
    ValueError
        If they are not; the board is named.
    """
    if not tree.boards.symmetric.any():
        return
    known = [
        (hands, label) for hands, label in zip(tree.boards.hands, labels, strict=True) if label is not None
    ]
    home = [_home(tree, hands, label) for hands, label in known]
    every = tree.boards.n_boards
    images = images_of(tree.game, tree.boards, tree.boards)
    for board, image in enumerate(
        reported(images, report, lambda n: f"buckets on {n:,} of {every:,} boards")
    ):
        if not tree.boards.symmetric[board]:
            continue
        for (hands, label), alone in zip(known, home, strict=True):
            here = hands.on(board)
            if np.array_equal(label[here], label[here][hands.first[here]]):
                continue
            if not (alone[here].all() and _maps_buckets(hands, board, label[here], image.group)):
                text = tree.game.deck.text(tree.boards.cards[board]) or "no board"
                how = "mapped to buckets by the permutations of suits that fix the board"
                raise ValueError(f"buckets on {text} must be {how}")


def _home(tree: FactoredTree, hands: Hands, label: Given) -> NDArray[np.bool_]:
    """Return for each live hand of each board whether all hands of its bucket are on this board."""
    width = np.diff(hands.start)
    board, street = np.repeat(np.arange(len(width)), width), np.repeat(tree.boards.street, width)
    alone = np.zeros(len(label), np.bool_)
    for s in range(int(tree.boards.street.max()) + 1):
        here = np.flatnonzero(street == s)
        own, on = label[here], board[here]
        most = int(own.max(initial=0)) + 1
        least, last = np.full(most, len(width)), np.full(most, -1)
        np.minimum.at(least, own, on)
        np.maximum.at(last, own, on)
        alone[here] = (least == last)[own]
    return alone


def _maps_buckets(hands: Hands, board: int, label: Given, group: tuple[Permutation, ...]) -> bool:
    """Return whether each permutation of a board's suits maps its buckets to buckets."""
    cards = hands.cards[hands.hand[hands.on(board)]]
    own = codes(cards)
    order = np.argsort(own)
    _, bucket = np.unique(label, return_inverse=True)
    for permutation in group[1:]:
        image = codes(np.sort(cards - cards % 4 + np.array(permutation)[cards % 4], axis=1))
        mapped: Index = bucket[order[np.searchsorted(own, image, sorter=order)]]
        if len(np.unique(np.stack([bucket, mapped]), axis=1).T) > bucket.max(initial=-1) + 1:
            return False
    return True
