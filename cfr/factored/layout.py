"""Layout of a factored tree (betting times boards) as flat arrays for the kernels."""

import numpy as np

from treeplex.cfr.factored.arrays import BoardHands, Boards, FactoredArrays, PlayerArrays, starts_of
from treeplex.cfr.factored.betting_layout import PlayerBetting, StreetParts, player_betting
from treeplex.cfr.variants.rules import NOISE
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.strategy import FactoredTree

CACHE_BYTES = 1_000_000
"""Size limit of the rows of a part, about the cache of a core."""
BYTES_A_ROW = 32
"""Bytes per row and hand: both players' plans, behaviour and values, 8 each."""


def factored_arrays(tree: FactoredTree) -> FactoredArrays:
    """Lay out a factored tree for the kernels."""
    betting, boards = tree.betting, tree.boards
    width = max(int(np.diff(hands.start).max()) for hands in boards.hands)
    parts = StreetParts(betting, CACHE_BYTES // (BYTES_A_ROW * width))
    known = {
        card: i for i, card in enumerate(sorted({int(c) for h in boards.hands for c in h.cards.ravel()}))
    }
    last = boards.street == boards.street.max()
    number = np.where(last, np.cumsum(last) - 1, -1)
    columns = boards.street, boards.parent, boards.ways, number, boards.symmetric
    street, parent, ways, last_number, symmetric = (np.ascontiguousarray(c, np.int64) for c in columns)
    sides = [
        _side(player_betting(tree, parts, p, _scale(betting, boards, p)), boards, p, known) for p in (0, 1)
    ]
    return FactoredArrays(
        Boards(
            street=street,
            parent=parent,
            ways=ways,
            last=last_number,
            symmetric=symmetric,
            root_start=parts.root_start,
            part_start=parts.part_start,
            part_root=parts.part_root,
            n_cards=len(known) + 3,
        ),
        (sides[0], sides[1]),
    )


def _scale(betting: BettingTree, boards: BoardTree, player: int) -> list[float]:
    """Return the factor of a player's stakes on each street, by which no hand can win more than 1 in all.

    Streets differ only by the probability of their boards; regret matching does not depend on the common
    factor. Numbers of order 1 leave float32 the largest range below.
    """
    most = betting.largest_stake * float(boards.hands[1 - player].weight.sum())
    return [1.0 / (most * runouts) if most > 0.0 else 1.0 for runouts in boards.runouts]


def _side(half: PlayerBetting, boards: BoardTree, player: int, known: dict[int, int]) -> PlayerArrays:
    hands = boards.hands[player]
    card = np.array([[known[int(c)] for c in hand] for hand in hands.cards], np.uint8)
    width, opponents = np.diff(hands.start), np.diff(boards.hands[1 - player].start)
    mate = hands.mate
    if card.shape[1] == 1:
        card = np.column_stack([card, np.full(len(card), len(known) + player, np.uint8)])
        mate = np.repeat(opponents, width).astype(np.uint16)
    own_hands = BoardHands(
        weight=hands.weight[hands.hand[hands.on(0)]],
        start=hands.start,
        above=np.ascontiguousarray(hands.above),
        home=np.ascontiguousarray(hands.home),
        mate=np.ascontiguousarray(mate),
        orbit=np.ascontiguousarray(hands.first),
        size=hands.size.astype(np.uint16),
        card=np.ascontiguousarray(card[hands.hand]),
        groups=hands.group_start,
        hand=hands.hand if len(half.locked) else hands.hand[:0],
        locked=half.locked,
    )
    counts = width * half.n_slots[boards.street], half.n_steps[boards.street]
    slots, steps = (starts_of(count) for count in counts)
    return PlayerArrays(half.betting, own_hands, slots, steps, NOISE / np.array(boards.runouts))
