"""Whether suits may stay merged while subgames are solved: play and payoffs must not tell them apart."""

import numpy as np

from treeplex.gadgets.boards.subgame import BoardSubgame
from treeplex.gadgets.core.gadget import RootGadget, UndefinedError
from treeplex.seqform.factored.board_hands import Hands
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats, Index

ALIKE = 1e-9
"""Values of hands that suits alone tell apart may differ by so much, in parts of the largest."""


def plays_suits_alike(strategy: FactoredStrategy) -> bool:
    """Return whether hands that suits alone tell apart on a board play alike, but for the last street.

    A board of a merged tree stands for all boards of its class, and its hands for theirs. Which hand stands
    for which, on boards that a permutation of suits leaves as they are, is arbitrary: reaches on later boards
    of one class are equal only if such hands play alike. On the last street nothing comes later.
    """
    tree = strategy.tree
    betting, boards = tree.betting, tree.boards
    for board in np.flatnonzero(boards.street < betting.n_streets - 1).tolist():
        for node in np.flatnonzero(betting.street == boards.street[board]).tolist():
            if betting.player[node] < 0:
                continue
            player = int(betting.player[node])
            first = _first(boards.hands[player], board)
            if (first != np.arange(len(first))).any():
                played = strategy.at(player, node, board)
                if not np.array_equal(played, played[first]):
                    return False
    return True


def pays_suits_alike(subgame: BoardSubgame, gadget: RootGadget) -> bool:
    """Return whether later boards of a subgame may be merged: its hands and the gadget treat suits alike."""
    boards = subgame.subtree.tree.boards
    if boards.n_boards == 1 or (boards.ways == 1).all():
        return True
    try:
        root, alternatives = gadget.root(subgame), gadget.alternative_values(subgame)
    except UndefinedError:
        return True
    theirs = [subgame.reach, subgame.opponent_reach, subgame.value, root.most_weight]
    if alternatives is not None:
        theirs.append(np.where(subgame.live, alternatives.total, 0.0))
    first, own = (_by_range(boards.hands[p]) for p in (subgame.opponent, subgame.defender))
    return all(_alike(values, first) for values in theirs) and _alike(subgame.own_reach, own)


def _first(hands: Hands, board: int) -> Index:
    return hands.first[hands.on(board)].astype(np.int64)


def _by_range(hands: Hands) -> Index:
    """Return the first hand of the orbit of each hand of a range on the starting board, (H,)."""
    hand = hands.hand[hands.on(0)].astype(np.int64)
    found = np.arange(len(hands.cards))
    found[hand] = hand[_first(hands, 0)]
    return found


def _alike(values: Floats, first: Index) -> bool:
    return bool(np.abs(values - values[first]).max() <= ALIKE * np.abs(values).max())
