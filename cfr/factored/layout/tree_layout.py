"""Layout of a factored tree (betting times boards) as flat arrays for the kernels."""

import numpy as np

from treeplex.cfr.factored.layout.arrays import (
    BoardHands,
    Boards,
    FactoredArrays,
    Floats,
    Labels,
    PlayerArrays,
    Root,
    starts_of,
)
from treeplex.cfr.factored.layout.betting_layout import PlayerBetting, StreetParts, player_betting
from treeplex.cfr.factored.layout.root_layout import root_arrays
from treeplex.cfr.variants.rules import NOISE
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.subgames.root_decisions import RootDecisions

CACHE_BYTES = 1_000_000
"""Size limit of the rows of a part, about the cache of a core."""
BYTES_A_ROW = 32
"""Bytes per row and hand: both players' plans, behaviour and values, 8 each."""
Tied = tuple[Labels, Floats]
"""The bucket of each live hand of each board, and its part of the weight of its bucket."""


def factored_arrays(
    tree: FactoredTree,
    roots: tuple[RootDecisions, RootDecisions],
    tied: tuple[Tied | None, Tied | None] = (None, None),
    like: FactoredArrays | None = None,
) -> FactoredArrays:
    """Lay out a factored tree, entered by each player's root decisions, for the kernels.

    Parameters
    ----------
    tree : FactoredTree
    roots : pair of RootDecisions
    tied : pair of Tied or None
        The buckets of each player's hands; None where every hand learns by itself.
    like : FactoredArrays, optional
        Another tree on the same boards, whose hands are shared; neither with locks or buckets.
    """
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
    sides = []
    units = _units(tree, roots)
    for p, unit in enumerate(units):
        half = player_betting(tree, parts, p, [1.0 / (unit * runouts) for runouts in boards.runouts])
        hands = _hands(half, boards, p, known, tied[p]) if like is None else like.sides[p].hands
        sides.append(_side(half, boards, p, _root(boards, p, roots[p], unit), hands))
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
        units,
    )


def with_roots(
    arrays: FactoredArrays, tree: FactoredTree, roots: tuple[RootDecisions, RootDecisions]
) -> FactoredArrays:
    """Return a tree's arrays entered by other root decisions; all else but the stakes is shared."""
    units, sides = _units(tree, roots), []
    for p, side in enumerate(arrays.sides):
        leaves, factor = side.betting.leaves, arrays.units[p] / units[p]
        scaled = leaves._replace(showdown=leaves.showdown * factor, fold=leaves.fold * factor)
        root = _root(tree.boards, p, roots[p], units[p])
        sides.append(side._replace(root=root, betting=side.betting._replace(leaves=scaled)))
    return FactoredArrays(arrays.boards, (sides[0], sides[1]), units)


def _root(boards: BoardTree, player: int, decisions: RootDecisions, unit: float) -> Root:
    hands = boards.hands[player]
    return root_arrays(decisions, hands.weight, hands.hand[hands.on(0)].astype(np.int64), unit)


def _units(tree: FactoredTree, roots: tuple[RootDecisions, RootDecisions]) -> tuple[float, float]:
    first, second = (_unit(tree.betting, tree.boards, roots[1 - p], p) for p in (0, 1))
    return first, second


def _unit(betting: BettingTree, boards: BoardTree, other: RootDecisions, player: int) -> float:
    """Return the most that a player's hand can win in all, by which its values are divided.

    Regret matching does not depend on the unit. Numbers of order 1 leave float32 the largest range below.
    """
    most = betting.largest_stake * float((boards.hands[1 - player].weight * other.most_weight).sum())
    return most if most > 0.0 else 1.0


def _hands(
    half: PlayerBetting, boards: BoardTree, player: int, known: dict[int, int], tied: Tied | None
) -> BoardHands:
    hands = boards.hands[player]
    bucket, share = (np.zeros(0, np.uint32), np.zeros(0)) if tied is None else tied
    card = np.array([[known[int(c)] for c in hand] for hand in hands.cards], np.uint8)
    width, opponents = np.diff(hands.start), np.diff(boards.hands[1 - player].start)
    mate = hands.mate
    if card.shape[1] == 1:
        card = np.column_stack([card, np.full(len(card), len(known) + player, np.uint8)])
        mate = np.repeat(opponents, width).astype(np.uint16)
    return BoardHands(
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
        bucket=bucket,
        share=share,
    )


def _side(half: PlayerBetting, boards: BoardTree, player: int, root: Root, hands: BoardHands) -> PlayerArrays:
    width = np.diff(boards.hands[player].start)
    slots, steps = (starts_of(width * half.n_slots[boards.street]), starts_of(half.n_steps[boards.street]))
    return PlayerArrays(root, half.betting, hands, slots, steps, NOISE / np.array(boards.runouts))
