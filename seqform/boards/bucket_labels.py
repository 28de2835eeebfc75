"""Labels of hands on the boards of a factored tree: checked, counted and numbered.

Buckets are checked to be the same for hands that suits alone tell apart.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.seqform.boards.board_tree import Hands
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.real_boards import images_of
from treeplex.seqform.boards.suit_symmetry import Permutation
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.trees.poker_deals import codes

Labels = NDArray[np.uint32]
MOST_BUCKETS = 2**32 - 1
"""Largest number of buckets on a street: labels have 32 bits."""


def multiplicity(tree: FactoredTree) -> Floats:
    """Return how many real boards each board stands for, listed flops by their weights, (B,)."""
    boards = tree.boards
    ways = boards.ways.astype(np.float64)
    for board in range(1, boards.n_boards):
        ways[board] *= ways[boards.parent[board]]
    return ways


def entries_above(parent: NDArray[np.int32], hands: Hands) -> Index:
    """Return for each live hand of each board its entry on the board before; its own on the first."""
    width = np.diff(hands.start)
    start = np.where(parent >= 0, hands.start[np.maximum(parent, 0)], 0)
    first: Index = np.repeat(start, width)
    return first + hands.above


def checked_labels(tree: FactoredTree, player: int, label: NDArray[np.integer]) -> Labels:
    """Return labels as 32-bit integers; raises ``ValueError`` if they do not fit the tree."""
    shape = tree.boards.hands[player].hand.shape
    if label.shape != shape:
        raise BadInputError(f"labels of player {player} must have shape {shape}, got {label.shape}")
    if label.dtype.kind not in "iu" or label.min(initial=0) < 0 or label.max(initial=0) >= MOST_BUCKETS:
        got = f"{label.dtype} from {label.min(initial=0)} to {label.max(initial=0)}"
        legal = f"integers from 0 to {MOST_BUCKETS - 1:,}"
        raise BadInputError(f"labels of player {player} must be {legal}, got {got}")
    return np.ascontiguousarray(label, np.uint32)


def counts_of(tree: FactoredTree, player: int, label: Labels | None, counts: Sequence[int] | None) -> Index:
    """Return the number of buckets of each street; raises ``ValueError`` if more are labelled than given."""
    boards = tree.boards
    found: Index = np.zeros(int(boards.street.max()) + 1, np.int64)
    if label is None:
        return found
    street = np.repeat(boards.street, np.diff(boards.hands[player].start))
    for s in range(len(found)):
        here = label[street == s]
        found[s] = int(here.max()) + 1 if len(here) else 0
    if counts is None:
        return found
    given = np.array(counts, np.int64)
    if given.shape != found.shape or (given < found).any():
        raise BadInputError(
            f"numbers of buckets by street must be at least {found.tolist()}, got {[*counts]}"
        )
    return given


def numbered_by_board(tree: FactoredTree, player: int, label: Index) -> Labels:
    """Return labels that no two boards of a street share."""
    checked_labels(tree, player, label)
    hands, used = tree.boards.hands[player], [0] * (int(tree.boards.street.max()) + 1)
    found = np.zeros(len(label), np.uint32)
    for board, street in enumerate(tree.boards.street.tolist()):
        here = hands.on(board)
        known, bucket = np.unique(label[here], return_inverse=True)
        found[here] = used[street] + bucket
        used[street] += len(known)
    return found


def labels_by(tree: FactoredTree, abstraction: CardAbstraction, report: Report) -> Labels:
    """Return the buckets of an abstraction that fits the game: both players have the same hands there."""
    boards, hands = tree.boards, tree.boards.hands[0]
    found = np.empty(len(hands.hand), np.uint32)
    every = zip(boards.street.tolist(), boards.cards, strict=True)
    told = reported(every, report, lambda n: f"buckets on {n:,} of {boards.n_boards:,} boards")
    for board, (street, cards) in enumerate(told):
        here = hands.on(board)
        found[here] = abstraction.buckets(street, cards, hands.cards[hands.hand[here]])
    return found


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
                raise BadInputError(f"buckets on {text} must be {how}")


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
