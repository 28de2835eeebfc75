"""Gifts on the way to a decision on a board: what the opponent gave away by not ending the hand at once."""

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.boards.subgame import weight_met
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.recorded import Place, Record, recorded_values
from treeplex.seqform.subgames.subgame import SMALLEST_REACH
from treeplex.subgames.answers.current import CurrentPlay


def gifts_to(current: CurrentPlay, place: Place) -> Floats:
    """Return the lower-bound gifts of the opponent's hands on the way to its decision, (T,).

    At each of its decisions on the way, the value of the best action after which nobody acts any more less
    that of the action taken, at least 0, per unit of the reach there (Brown and Sandholm 2017, section 5);
    those on the way to the root of the current tree are counted too.

    Parameters
    ----------
    current : CurrentPlay
    place : (node, board)
        Of its tree; hands are in the order of the range of the subtree there.
    """
    tree, opponent = current.tree, 1 - current.defender
    hands = tree.boards.hands[opponent]
    found = current.gifts.copy()
    steps = _steps(tree, opponent, place)
    if steps:
        places = {(n, board) for at, action, rivals, board in steps for n in (at, action, *rivals)}
        first = min(board for _, _, _, board in steps)
        records = recorded_values(tree.game, current.strategy, places, below=first, reaches=current.reaches)
        for at, action, rivals, board in steps:
            gift = _gift(current, [records[n, board] for n in (at, action, *rivals)], board)
            found[hands.hand[hands.on(board)]] += gift
    return found[np.sort(hands.hand[hands.on(place[1])])]


def _gift(current: CurrentPlay, records: list[Record], board: int) -> Floats:
    """Return the gift of each hand on a board from the records of a decision, the action, its rivals."""
    opponent, boards = 1 - current.defender, current.tree.boards
    cards = [one.cards[one.hand[one.on(board)]] for one in boards.hands]
    at, action, *rivals = records
    met = weight_met(cards[opponent], cards[current.defender], at.reach[current.defender])
    best = np.max([one.value[opponent] for one in rivals], axis=0)
    lost = np.maximum(best - action.value[opponent], 0.0)
    return np.asarray(np.divide(lost, met, out=np.zeros(len(lost)), where=met > SMALLEST_REACH))


def _steps(tree: FactoredTree, opponent: int, place: Place) -> list[tuple[int, int, list[int], int]]:
    """Return the opponent's decisions above a place: node, action taken, rivals, board.

    Rivals are the nodes of actions that end the hand; decisions without any are left out.
    """
    betting, found, (node, board) = tree.betting, [], place
    acts = _acts_below(betting)
    while node > 0:
        action, node = node, int(betting.parent[node])
        while tree.boards.street[board] > betting.street[node]:
            board = int(tree.boards.parent[board])
        rivals = [int(child) for child in betting.children[node] if not acts[child]]
        if betting.player[node] == opponent and rivals:
            found.append((node, action, rivals, board))
    return found


def _acts_below(betting: BettingTree) -> NDArray[np.bool_]:
    """Return whether anybody acts at each node or below, (N,)."""
    acts = betting.player >= 0
    for node in range(betting.n_nodes - 1, 0, -1):
        acts[betting.parent[node]] |= acts[node]
    return np.asarray(acts)
