"""Labels of hands on the boards of a factored tree: checked, counted and numbered."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treeplex.games.abstraction.card_abstraction import CardAbstraction
from treeplex.games.reporting import Report, reported
from treeplex.seqform.factored.board_hands import Hands
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Floats, Index

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
        raise ValueError(f"labels of player {player} must have shape {shape}, got {label.shape}")
    if label.dtype.kind not in "iu" or label.min(initial=0) < 0 or label.max(initial=0) >= MOST_BUCKETS:
        got = f"{label.dtype} from {label.min(initial=0)} to {label.max(initial=0)}"
        legal = f"integers from 0 to {MOST_BUCKETS - 1:,}"
        raise ValueError(f"labels of player {player} must be {legal}, got {got}")
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
        raise ValueError(f"numbers of buckets by street must be at least {found.tolist()}, got {[*counts]}")
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
