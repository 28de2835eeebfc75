"""Counts of preflop wins of each pair of classes; ``python -m treeplex.games.cards.preflop_table FILE``.

Of boards that differ by a permutation of suits one is evaluated: classes are symmetric in suits, so each has
the same counts. On a board, hands are processed in order of strength, with running sums over the classes of
all weaker hands and of those that hold a given card (inclusion-exclusion). Cost of a board: 169 additions for
each of 1,081 hands.
"""

import sys
from itertools import combinations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.cards.cards import N_CARDS
from treeplex.games.cards.equity import HAND_BITS, sort_hands
from treeplex.games.cards.evaluator import Tables, tables
from treeplex.games.cards.preflop import CLASSES, class_of

Ints = NDArray[np.int64]
Counts = NDArray[np.int32]
Boards = NDArray[np.uint8]

N_CANONICAL = 134_459
"""Boards of five cards up to permutations of suits."""
N_CLASSES = len(CLASSES)


def canonical_boards() -> tuple[Boards, Counts]:
    """Return one board of each class under permutations of suits, and the size of the class.

    Returns
    -------
    boards : (134459, 5) uint8
        Card ids, ascending. The rank masks of the suits are in descending order.
    copies : (134459,) int32
        Boards of the class, 4 to 24; 2,598,960 in all.
    """
    boards = np.empty((N_CANONICAL, 5), dtype=np.uint8)
    copies = np.empty(N_CANONICAL, dtype=np.int32)
    found = _list_canonical(tables(), boards, copies)
    assert found == N_CANONICAL, f"{found} boards are canonical"
    return boards, copies


def count_wins(boards: Boards, copies: Counts) -> Ints:
    """Return the number of wins of each class against each other over some boards.

    Parameters
    ----------
    boards : (B, 5) uint8
        Different cards on each; nothing is checked.
    copies : (B,) int32
        Multiplicity of each board; the sum is at most 2,598,960, so that 32 bits are enough.

    Returns
    -------
    (169, 169) int64
        ``wins[c, d]`` counts boards and disjoint hands g of class c and h of class d where g beats h.
    """
    hands = np.array(list(combinations(range(N_CARDS), 2)), dtype=np.int64)
    classes = np.array([class_of((a, b)) for a, b in hands.tolist()], dtype=np.int64)
    wins = np.zeros((N_CLASSES, N_CLASSES), dtype=np.int32)
    _count_wins(tables(), boards, copies, hands, classes, wins)
    return wins.astype(np.int64)


def main(arguments: list[str]) -> int:
    """Count all wins and write them to the file named by the one argument; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m treeplex.games.cards.preflop_table FILE", file=sys.stderr)
        return 2
    np.savez_compressed(arguments[0], wins=count_wins(*canonical_boards()).astype(np.int32))
    return 0


@njit(cache=True)
def _list_canonical(tables: Tables, boards: Boards, copies: Counts) -> int:
    """Write the canonical boards and the sizes of their classes in place; return their number."""
    s, found = tables.suited, 0
    for a in range(N_CARDS):
        for b in range(a + 1, N_CARDS):
            for c in range(b + 1, N_CARDS):
                for d in range(c + 1, N_CARDS):
                    for e in range(d + 1, N_CARDS):
                        count = _copies(s[a] | s[b] | s[c] | s[d] | s[e])
                        if count and found < len(boards):
                            boards[found] = a, b, c, d, e
                            copies[found] = count
                        found += count > 0
    return found


@njit(cache=True)
def _copies(suited: int) -> int:
    """Return the size of a board's class under permutations of suits, 0 unless its suits' masks descend."""
    count, equal = 24, 1
    for _ in range(3):
        mask, following = suited & 0x1FFF, suited >> 16 & 0x1FFF
        if mask < following:
            return 0
        equal = equal + 1 if mask == following else 1
        # n equal masks divide the number of permutations by n!
        count //= equal
        suited >>= 16
    return count


@njit(cache=True)
def _count_wins(
    tables: Tables, boards: Boards, copies: Counts, hands: Ints, classes: Ints, wins: Counts
) -> None:
    """Add every board's wins in place."""
    keys = np.empty(len(hands), dtype=np.int64)
    weaker = np.empty(N_CLASSES, dtype=np.int32)
    holding = np.empty((N_CARDS, N_CLASSES), dtype=np.int32)
    for i in range(len(boards)):
        live = sort_hands(tables, boards[i], hands, keys)
        weaker[:] = 0
        holding[:] = 0
        _add_board(copies[i], hands, classes, keys[:live], weaker, holding, wins)


@njit(cache=True)
def _add_board(
    copies: int, hands: Ints, classes: Ints, keys: Ints, weaker: Counts, holding: Counts, wins: Counts
) -> None:
    """Add one board's wins in place; weaker and holding start at 0."""
    start = 0
    for end in range(1, len(keys) + 1):
        if end < len(keys) and keys[end] >> HAND_BITS == keys[start] >> HAND_BITS:
            continue
        # first the wins of all hands of this strength, then their addition to the weaker hands
        for key in keys[start:end]:
            hand = key & (1 << HAND_BITS) - 1
            a, b, row = hands[hand, 0], hands[hand, 1], classes[hand]
            for d in range(N_CLASSES):
                wins[row, d] += weaker[d] - holding[a, d] - holding[b, d]
        for key in keys[start:end]:
            hand = key & (1 << HAND_BITS) - 1
            weaker[classes[hand]] += copies
            holding[hands[hand, 0], classes[hand]] += copies
            holding[hands[hand, 1], classes[hand]] += copies
        start = end


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
