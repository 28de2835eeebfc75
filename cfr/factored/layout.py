"""A poker game's betting and boards laid out for the kernels."""

import numpy as np

from treeplex.cfr.factored.arrays import Boards, FactoredArrays, Side, Stand, starts_of
from treeplex.cfr.factored.betting import Cuts, Half, half_of
from treeplex.cfr.variants.rules import NOISE
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.strategy import FactoredTree

CACHE_BYTES = 1_000_000
"""What a part's rows may take, so that they stay in a core's own cache."""
BYTES_A_ROW = 32
"""Of a part's rows for each hand: both players' plans, what is played, values."""


def factored_arrays(tree: FactoredTree) -> FactoredArrays:
    """Lay a game's betting and boards out for the kernels."""
    betting, boards = tree.betting, tree.boards
    width = max(int(np.diff(hands.start).max()) for hands in boards.hands)
    parts = Cuts(betting, CACHE_BYTES // (BYTES_A_ROW * width))
    known = {
        card: i for i, card in enumerate(sorted({int(c) for h in boards.hands for c in h.cards.ravel()}))
    }
    last = boards.street == boards.street.max()
    number = np.where(last, np.cumsum(last) - 1, -1)
    columns = boards.street, boards.parent, boards.ways, number, boards.symmetric
    street, parent, ways, last_number, symmetric = (np.ascontiguousarray(c, np.int64) for c in columns)
    sides = [_side(half_of(tree, parts, p, _scale(betting, boards, p)), boards, p, known) for p in (0, 1)]
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
    """Return what a player's stakes on each street are multiplied by: no hand can win more than one in all.

    The factor is the same everywhere but for the chance of the street's boards, and regrets know no unit.
    Numbers of order one leave float32 the most room below.
    """
    most = betting.largest_stake * float(boards.hands[1 - player].weight.sum())
    return [1.0 / (most * runouts) if most > 0.0 else 1.0 for runouts in boards.runouts]


def _side(half: Half, boards: BoardTree, player: int, known: dict[int, int]) -> Side:
    hands = boards.hands[player]
    card = np.array([[known[int(c)] for c in hand] for hand in hands.cards], np.uint8)
    width, opponents = np.diff(hands.start), np.diff(boards.hands[1 - player].start)
    mate = hands.mate
    if card.shape[1] == 1:
        card = np.column_stack([card, np.full(len(card), len(known) + player, np.uint8)])
        mate = np.repeat(opponents, width).astype(np.uint16)
    stand = Stand(
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
    return Side(half.betting, stand, slots, steps, NOISE / np.array(boards.runouts))
