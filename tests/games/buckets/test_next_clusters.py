"""Atoms of hands held against the clusters of the deals to come, one by one."""

from itertools import combinations

import numpy as np

from tests.helpers.cells import over
from treeplex.games.buckets.atoms import Ground
from treeplex.games.buckets.features import deck_hands
from treeplex.games.buckets.next_clusters import NextClusters
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex

SHORT = Deck(5, 3, False)


def source(dealt, missing):
    index = HandIndex(SHORT, (2, dealt))
    table = np.random.default_rng(0).integers(0, 9, index.size).astype(np.uint16)
    ground = Ground.of(np.linspace(0, 1, 9, dtype=np.float32)[:, None], absolute=True)
    return NextClusters(index, table, ground, missing)


def naive(one, deal):
    left = [card for card in SHORT.cards if card not in deal]
    return sorted(
        int(one.table[one.index.of([[*deal, *more]])[0]]) for more in combinations(left, one.missing)
    )


@over([((50, 46, 41), 4, 1), ((40,), 3, 2)])
def test_atoms_on_boards(board, dealt, missing):
    one = source(dealt, missing)
    deals, atoms = one.on(np.array([board, board[::-1]]))
    hands = [hand for hand in deck_hands(SHORT).tolist() if not set(hand) & set(board)]
    assert deals.tolist() == [[*hand, *b] for b in (board, board[::-1]) for hand in hands]
    for row in range(0, len(deals), 7):
        assert atoms[row].tolist() == naive(one, deals[row].tolist())


def test_atoms_before_boards_are_of_hand_classes():
    one = source(3, 3)
    atoms = one.before_boards()
    classes = HandIndex(SHORT, (2,))
    for row, hand in enumerate(classes.cards(np.arange(classes.size)).tolist()):
        assert atoms[row].tolist() == naive(one, hand)


def test_strength_is_the_mean_cluster():
    one = source(4, 1)
    centres = np.array([[0.5, 0.5, *[0] * 7], [0, 0, 1, *[0] * 6]], np.float32)
    assert one.strength(centres).tolist() == [0.5, 2.0]
