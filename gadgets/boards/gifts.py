"""Gifts on the way to a subgame on boards, hand by hand, from values that the judge recorded."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from treeplex.gadgets.boards.subgame import weight_met
from treeplex.games.cards.deck import Cards
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.recorded import Place, Record
from treeplex.seqform.subgames.tops import SMALLEST_REACH


class Choice(NamedTuple):
    """A decision of the opponent on the way to a subgame."""

    node: int
    taken: int
    """The node after the action on the way."""
    board: int
    """The board on which it is made, an ancestor of the subgame's or its own."""
    hand: Index
    """The position there of each of the opponent's hands on the subgame's board, (W,)."""


def choices_before(tree: FactoredTree, opponent: int, place: Place) -> Iterator[Choice]:
    """Yield the opponent's decisions on the way to a place, the last one first."""
    betting, boards = tree.betting, tree.boards
    node, board = place
    hands = boards.hands[opponent]
    hand = np.arange(int(np.diff(hands.start[board : board + 2])[0]))
    while node > 0:
        above = int(betting.parent[node])
        while boards.street[board] > betting.street[above]:
            hand = hands.above[hands.on(board)][hand].astype(np.int64)
            board = int(boards.parent[board])
        if betting.player[above] == opponent:
            yield Choice(above, node, board, hand)
        node = above


def places_for_gifts(tree: FactoredTree, opponent: int, place: Place) -> list[Place]:
    """Return the places of which the judge must record values for :func:`gifts_at`."""
    return [
        (node, choice.board)
        for choice in choices_before(tree, opponent, place)
        for node in (choice.node, *tree.betting.children[choice.node].tolist())
    ]


def gifts_at(
    tree: FactoredTree, opponent: int, place: Place, records: Mapping[Place, Record]
) -> tuple[Floats, Floats]:
    """Sum what each of the opponent's hands gave away on the way to a place.

    At each of its decisions it is the best value of an action less that of the action taken, if that is
    positive, per unit of the reach with which the defender and chance come to the decision: of all tops below
    one action none gains more than was given away there (Brown and Sandholm 2017, section 5).

    Parameters
    ----------
    tree : FactoredTree
    opponent : int
    place : (node, board)
        Where the subgame begins.
    records : mapping from places to Record
        Of those of :func:`places_for_gifts`.

    Returns
    -------
    pair of (W,) f64
        Lower-bound gifts, where only actions after which nobody acts count beside the one taken, and
        estimated gifts, where all actions do. Hands in the order of the tree's board, in the game's unit.
    """
    hands = tree.boards.hands
    live = len(hands[opponent].hand[hands[opponent].on(place[1])])
    lower, estimated = np.zeros(live), np.zeros(live)
    for choice in choices_before(tree, opponent, place):
        children = tree.betting.children[choice.node].tolist()
        values = np.array([records[child, choice.board].value[opponent] for child in children])
        taken = values[children.index(choice.taken)]
        final = np.array([not _anybody_acts(tree, child) for child in children])
        reach = _reach(tree, opponent, choice, records[choice.node, choice.board])
        lower += _given(values[final], taken, reach)[choice.hand]
        estimated += _given(values, taken, reach)[choice.hand]
    return lower, estimated


def _given(rivals: Floats, taken: Floats, reach: Floats) -> Floats:
    """Return how much the best of some actions is better than the one taken, per unit of reach, (W,)."""
    better = np.maximum(rivals.max(axis=0, initial=-np.inf) - taken, 0.0)
    return np.asarray(np.divide(better, reach, out=np.zeros(len(taken)), where=reach > SMALLEST_REACH))


def _anybody_acts(tree: FactoredTree, node: int) -> bool:
    return bool((tree.betting.player[node : tree.betting.end[node]] >= 0).any())


def _reach(tree: FactoredTree, opponent: int, choice: Choice, record: Record) -> Floats:
    """Return the weight of the defender's hands that each hand meets at a decision, (W,)."""
    theirs, own = (tree.boards.hands[p] for p in (opponent, 1 - opponent))
    cards = theirs.cards[theirs.hand[theirs.on(choice.board)]]
    others = own.cards[own.hand[own.on(choice.board)]]
    reach = record.reach[1 - opponent]
    if tree.game.flops is None or choice.board:
        return weight_met(cards, others, reach)
    return _met_before_flops(tree.game.flops, cards, others, reach)


def _met_before_flops(
    flops: tuple[tuple[Cards, int], ...], cards: Index, others: Index, reach: Floats
) -> Floats:
    """Return what :func:`weight_met` does before listed flops, some of which hold a card of either hand.

    A pair of hands counts as the weight of the flops that it leaves, as a part of the weight of all.
    """
    met = np.zeros(len(cards))
    for flop, weight in flops:
        live = ~np.isin(cards, flop).any(axis=1)
        left = np.where(np.isin(others, flop).any(axis=1), 0.0, reach)
        met += weight * np.where(live, weight_met(cards, others, left), 0.0)
    return met / sum(weight for _, weight in flops)
