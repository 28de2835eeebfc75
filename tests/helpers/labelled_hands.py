"""Buckets by a label of each board and hand, and labels that several tests take."""

import numpy as np

from treeplex.seqform.boards.bucket_tree import BucketTree


def labels_of(tree, label):
    """Return numbers of ``label(board, hand)``, any object, one for each live hand of each board."""
    found = []
    for hands in tree.boards.hands:
        one, known = np.empty(len(hands.hand), np.int64), [{} for _ in range(tree.betting.n_streets)]
        for board, cards in enumerate(tree.boards.cards):
            names = known[int(tree.boards.street[board])]
            live = hands.cards[hands.hand[hands.on(board)]].tolist()
            one[hands.on(board)] = [names.setdefault(label(cards, tuple(h)), len(names)) for h in live]
        found.append(one)
    return tuple(found)


def buckets(tree, label, abstracted=(True, True)):
    labels = zip(labels_of(tree, label), abstracted, strict=True)
    return BucketTree.of(tree, tuple(one if tied else None for one, tied in labels))


def ranks(board, hand):
    """Hands of one sum of ranks, which suits do not change; other buckets on each street."""
    return sum(card // 4 for card in hand) % (2 + len(board) % 3)


def pairs_and_board(board, hand):
    return len({card // 4 for card in (*hand, *board)}), max(card // 4 for card in hand)


def bits(state):
    return [array.tobytes() for tables in state.memories for array in tables]
